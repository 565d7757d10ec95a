// The placement of elements: p → at + R(rotation) p, with numbers that follow the parameters.
//
//   R(α, β, γ) = R_x(α) R_y(β) R_z(γ): Cardan angles about x, then y', then z''.
//
// Quarter turns are exact: a coordinate turned by 90° is 0, not 1e-17, where it should be zero.

#pragma once

#include "mechanics/number.h"

namespace mechfmu::mechanics {

Mat3 rotation_matrix(const Vec3& cardan);
/// The inverse. Where β = ±90°, only α ± γ is determined: γ = 0.
Vec3 cardan_angles(const Mat3& R);
/// … on double or Along
template <class T>
Vec<T, 3> cardan_angles_of(const Mat<T, 3>& R);

struct Placement {
  Triple at{}, rotation{};

  Triple point(const Triple& p) const;
  Triple direction(const Triple& d) const;
  /// Cardan angles of R(rotation) R(by).
  Triple turned(const Triple& by) const;
  /// Applies this placement first, then `outer`.
  Placement inside(const Placement& outer) const;
};

}  // namespace mechfmu::mechanics
