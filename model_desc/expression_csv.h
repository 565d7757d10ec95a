// Tables from text: two columns of numbers.
//
//   # stroke, force
//   x [m], F [N]
//   0,     0
//   0.01,  120.5
//
// Columns are separated by commas, semicolons, tabs or spaces. Empty lines and what follows # are left out; the first
// line may be a heading. Numbers have a decimal point, in every locale.

#pragma once

#include <memory>
#include <string_view>

#include "model_desc/expression.h"

namespace mechfmu::expression {

/// The points (first column, `column`-th column). Null, and errors that name the line, when the text is no table.
std::shared_ptr<const functions::Table> read_table(std::string_view csv, Diagnostics& diagnostics,
                                                   int column = 2);

}  // namespace mechfmu::expression
