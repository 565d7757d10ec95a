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

#include "language/expression/expression.h"

namespace mechfmu::expression {

/// The points (first column, `column`-th column). Null, and errors at their lines, when the text is no table. The place
/// of the report is the file of the text.
std::shared_ptr<const functions::Table> read_table(
    std::string_view csv, Report& report, int column = 2,
    functions::Interpolation interpolation = functions::Interpolation::smooth,
    functions::Beyond beyond = functions::Beyond::hold);

}  // namespace mechfmu::expression
