// How the parts of the expression library make nodes and find functions; not for others.

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
/// Null when there is none of this name.
const FunctionInfo* find_function(std::string_view name);

/// Fills in depth, whether the node is literal, and the type, as far as the children tell.
void complete(Node& node);
Expression finished(Node node);

/// A name that the language knows, unless something is declared with it: pi, e, g0. Null for other names.
Expression constant(std::string_view name, int column);

}  // namespace mechfmu::expression
