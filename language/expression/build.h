// Internal to the expression library: construction of nodes and lookup of functions.

#pragma once

#include <string_view>
#include <vector>

#include "language/expression/expression.h"

namespace mechfmu::expression {

struct FunctionInfo {
  const char* name;
  Function function;
  std::size_t least, most;  // arguments
  const char* usage;
};
/// In the order of Function.
const std::vector<FunctionInfo>& function_table();
/// Null if no function has this name.
const FunctionInfo* find_function(std::string_view name);

/// Sets depth, type and whether the node is literal, as far as its children determine them.
void complete(Node& node);
Expression finished(Node node);

/// A predefined name that a declaration can replace: pi, e, g0. Null for other names.
Expression constant(std::string_view name, int column);

}  // namespace mechfmu::expression
