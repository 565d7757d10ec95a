// Tables from text: two columns of numbers.
//
//   # stroke, force
//   x [m], F [N]
//   0,     0
//   0.01,  120.5
//
// The first line may be a heading; model_desc/csv.h has the rules of lines and cells.

#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "language/expression/expression.h"

namespace mechfmu::expression {

/// The points (first column, `column`-th column). Null, with errors at their lines, if the text is
/// not a table. The place of the report is the file of the text.
std::shared_ptr<const functions::Table> read_table(
    std::string_view csv, Report& report, int column = 2,
    functions::Interpolation interpolation = functions::Interpolation::smooth,
    functions::Beyond beyond = functions::Beyond::hold);

/// x, y and bulge of each point of an outline, one after the other; the bulge is 0 if there are two
/// columns. Empty, with errors at their lines, if the text is not an outline.
std::vector<double> read_outline(std::string_view csv, Report& report);

}  // namespace mechfmu::expression
