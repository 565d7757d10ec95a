// What counts as a pivot, and what as the rounding errors of an elimination.
//
// Pivots are compared after scaling rows and columns, relative to the sum of the absolute numbers they
// are composed of. What is left of a row of C of length 1 after the part that other rows explain is
// taken off, δ, appears as a pivot δ² (of C M⁻¹ Cᵀ): hence two tolerances of one meaning.

#pragma once

namespace mechfmu {

/// Relative size from which on a pivot decides that a matrix has full rank.
constexpr double rank_tolerance = 1e-10;
/// The same for lengths of rows: √rank_tolerance.
constexpr double row_tolerance = 1e-5;

}  // namespace mechfmu
