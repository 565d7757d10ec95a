// The definition of a pivot: one tolerance for all eliminations that decide ranks.
//
// Pivots are compared after scaling rows and columns, relative to the sum of the absolute numbers
// they are composed of. If other rows explain a row of C of length 1 except for a remainder δ, this
// appears as a pivot δ² of C M⁻¹ Cᵀ. Rows of C that are made orthogonal to each other show δ
// itself, far above its roundoff.

#pragma once

namespace mechfmu {

/// Smallest relative size of a pivot: below it, constraints depend on each other, or an
/// acceleration is undetermined.
constexpr double rank_tolerance = 1e-10;
/// The same for the remaining lengths of rows that were made orthogonal to others.
constexpr double row_tolerance = 1e-9;

}  // namespace mechfmu
