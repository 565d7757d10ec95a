#include "mechanics/placement.h"

#include <cmath>

namespace mechfmu::mechanics {

namespace {

struct Turn {
  double c, s;
  /// Within roundoff of a quarter turn it is one.
  explicit Turn(double angle) : c(std::cos(angle)), s(std::sin(angle)) {
    constexpr double dust = 1e-15;
    if (std::abs(c) < dust) c = 0, s = std::copysign(1, s);
    if (std::abs(s) < dust) s = 0, c = std::copysign(1, c);
  }
};

}  // namespace

Mat3 rotation_matrix(const Vec3& cardan) {
  const Turn x(cardan[0]);
  const Turn y(cardan[1]);
  const Turn z(cardan[2]);
  Mat3 R;
  R << y.c * z.c, -y.c * z.s, y.s,                                           //
      x.c * z.s + x.s * y.s * z.c, x.c * z.c - x.s * y.s * z.s, -x.s * y.c,  //
      x.s * z.s - x.c * y.s * z.c, x.s * z.c + x.c * y.s * z.s, x.c * y.c;
  return R;
}

Vec3 cardan_angles(const Mat3& R) {
  if (std::hypot(R(1, 2), R(2, 2)) < 1e-14)
    return {std::atan2(R(2, 1), R(1, 1)), std::copysign(std::atan2(1, 0), R(0, 2)), 0};
  // γ from R_x(−α) R, so that errors of α near β = ±90° cancel. 0 − R: of zero this is 0, not −0.
  const double alpha = std::atan2(0 - R(1, 2), R(2, 2));
  const Turn x(alpha);
  return {alpha, std::atan2(R(0, 2), x.c * R(2, 2) - x.s * R(1, 2)),
          std::atan2(x.c * R(1, 0) + x.s * R(2, 0), x.c * R(1, 1) + x.s * R(2, 1))};
}

Triple Placement::point(const Triple& p) const {
  const Placement& q = *this;
  return following(
      q.at.constant() && q.rotation.constant() && p.constant(),
      [q, p](InputValues s) -> Vec3 { return q.at(s) + rotation_matrix(q.rotation(s)) * p(s); });
}

Triple Placement::direction(const Triple& d) const {
  return following(rotation.constant() && d.constant(), [r = rotation, d](InputValues s) -> Vec3 {
    return rotation_matrix(r(s)) * d(s);
  });
}

Triple Placement::turned(const Triple& by) const {
  return following(rotation.constant() && by.constant(), [r = rotation, by](InputValues s) -> Vec3 {
    if (by(s).isZero(0)) return r(s);
    if (r(s).isZero(0)) return by(s);
    return cardan_angles(rotation_matrix(r(s)) * rotation_matrix(by(s)));
  });
}

Placement Placement::inside(const Placement& outer) const {
  return {outer.point(at), outer.turned(rotation)};
}

}  // namespace mechfmu::mechanics
