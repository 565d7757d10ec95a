#include "mechanics/placement.h"

#include <cmath>

#include "model/dual.h"

namespace mechfmu::mechanics {

namespace {

template <class T>
struct Turn {
  T c, s;
  /// An angle within roundoff of a quarter turn is one.
  explicit Turn(const T& angle) : c(cos(angle)), s(sin(angle)) {
    constexpr double dust = 1e-15;
    const auto snap = [](T& small, T& large) {
      if (!(std::abs(value(small)) < dust)) return;
      small = small - value(small);
      large = large - value(large) + std::copysign(1, value(large));
    };
    snap(c, s);
    snap(s, c);
  }
};

}  // namespace

Mat3 rotation_matrix(const Vec3& cardan) {
  const Turn<double> x(cardan[0]);
  const Turn<double> y(cardan[1]);
  const Turn<double> z(cardan[2]);
  Mat3 R;
  R << y.c * z.c, -y.c * z.s, y.s,                                           //
      x.c * z.s + x.s * y.s * z.c, x.c * z.c - x.s * y.s * z.s, -x.s * y.c,  //
      x.s * z.s - x.c * y.s * z.c, x.s * z.c + x.c * y.s * z.s, x.c * y.c;
  return R;
}

template <class T>
Vec<T, 3> cardan_angles_of(const Mat<T, 3>& R) {
  if (std::hypot(value(R(1, 2)), value(R(2, 2))) < 1e-14)
    return {atan2(R(2, 1), R(1, 1)), T(std::copysign(std::atan2(1, 0), value(R(0, 2)))), T(0.0)};
  // γ from R_x(−α) R, so that errors of α near β = ±90° cancel. 0 − R gives 0 for zero, not −0.
  const T alpha = atan2(T(0.0 - R(1, 2)), R(2, 2));
  const Turn<T> x(alpha);
  return {alpha, atan2(R(0, 2), T(x.c * R(2, 2) - x.s * R(1, 2))),
          atan2(T(x.c * R(1, 0) + x.s * R(2, 0)), T(x.c * R(1, 1) + x.s * R(2, 1)))};
}
template Vec3 cardan_angles_of(const Mat3& R);
template Vec<Along, 3> cardan_angles_of(const Mat<Along, 3>& R);
Vec3 cardan_angles(const Mat3& R) { return cardan_angles_of<double>(R); }

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
