// What counts as a pivot: one tolerance for all eliminations that decide on ranks.
//
// Pivots are compared after scaling rows and columns, relative to the sum of the absolute numbers they are composed of. What is left
// of a row of C of length 1, δ, when the part that other rows explain is taken off, appears as a pivot δ² of C M⁻¹ Cᵀ; rows of C that
// are made orthogonal to each other show δ itself, far above its roundoff.

#pragma once

namespace mechfmu {

/// Relative size from which on a pivot counts: below, constraints depend on each other, or an acceleration is not determined.
constexpr double rank_tolerance = 1e-10;
/// The same for lengths of rows that are left when they were made orthogonal to others.
constexpr double row_tolerance = 1e-9;

}  // namespace mechfmu
