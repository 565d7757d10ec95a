// Directions and measures: the primitives of joints, drives, springs and rolling contacts.
//
// A direction B(y) is a pair of wrenches on two bodies i, j: a unit of force or torque, action and
// reaction. The speed along it is B·z. A measure is a direction with a potential, φ(y) and φ_y = B:
// a length, an angle, a height; B·z is its rate. With points P = r + R p, vectors a = R a_body and
// small rotations θ (δa = θ × a):
//
//   displacement   φ = n·(P_j − P_i), n of i      B_j = (n, s_j × n)   B_i = −(n, (P_j − r_i) × n)
//   alignment      φ = a_i·b_j                    B_j = (0, b × a)     B_i = (0, a × b)
//   distance       φ = |P_j − P_i|                as displacement with n = (P_j − P_i)/φ
//   angle          φ = atan2(c_i·b_j, a_i·b_j)    of b_j in the plane of a_i, c_i
//   screw          φ = n·(P_j − P_i) − c·angle    displacement and angle, n = a × c
//   height         φ = n·(P_j − P_i) − ρ√(1 − (n·a_j)²) − τ
//                                                 lowest point of a torus above a plane of i
//   force          along n (of i or j) at P_j     B_j = (n, s_j × n)   B_i = −(n, (P_j − r_i) × n)
//   torque         about n (of i or j)            B_j = (0, n)         B_i = −(0, n)
//   rolling        forwards or sideways at the lowest point of a torus, along u_i at that of a sphere
//
// One template serves all orders: with doubles it gives φ and B, with poses of duals also B_y, from
// which (Bᵀλ)_y, (B z)_y and φ̈ − B a follow.

#pragma once

#include "mechanics/number.h"
#include "model/dual.h"

namespace mechfmu::mechanics {

enum class RowKind {
  displacement,
  alignment,
  distance,
  angle,
  screw,
  height,
  force_i,   // n fixed in i
  force_j,   // n fixed in j
  torque_i,  // n fixed in i
  torque_j,  // n fixed in j
  roll_forward,
  roll_sideways,
  roll_sphere
};

/// Position of a body: its centre of mass and its axes.
template <class T>
struct Pose {
  Vec<T, 3> r;
  Mat<T, 3> R;
};

/// A force and its moment about the centre of mass, in world axes.
template <class T>
struct Wrench {
  Vec<T, 3> force, moment;
};

/// A row with its geometry in body axes. Which vectors are used depends on the kind (see above).
struct Row {
  RowKind kind = RowKind::displacement;
  int i = 0, j = 0;                             // bodies; 0 is the ground
  Vec3 p_i = Vec3::Zero(), p_j = Vec3::Zero();  // points, from the centres of mass
  Vec3 a_i = Vec3::Zero(), c_i = Vec3::Zero();  // n or a of i, second vector of i
  Vec3 b_j = Vec3::Zero();                      // b, n or the axle of j
  double radius = 0, tube = 0;  // ρ and τ; of a screw, radius is its way per radian
  double offset = 0;            // φ is the formula minus this
  Index turns = -1;  // where y counts the turns of the angle; −1: turns are not counted
};

template <class T>
Vec<T, 3> cross(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T>
T dot(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
/// R v for a vector fixed in the body.
template <class T>
Vec<T, 3> turned(const Mat<T, 3>& R, const Vec3& v) {
  Vec<T, 3> w;
  for (int i = 0; i < 3; ++i) w[i] = R(i, 0) * v[0] + R(i, 1) * v[1] + R(i, 2) * v[2];
  return w;
}

template <class T>
Vec<T, 3> times(const Mat3& R, const Vec<T, 3>& v) {
  Vec<T, 3> w;
  for (int i = 0; i < 3; ++i) w[i] = v[0] * R(i, 0) + v[1] * R(i, 1) + v[2] * R(i, 2);
  return w;
}

/// Unit force along n at the point P of j, and its reaction on i at the same point.
template <class T>
void force_at(const Vec<T, 3>& P, const Vec<T, 3>& n, const Pose<T>& i, const Pose<T>& j,
              Wrench<T>& on_i, Wrench<T>& on_j) {
  on_j.force = n;
  on_j.moment = cross<T>(P - j.r, n);
  on_i.force = -n;
  on_i.moment = cross<T>(n, P - i.r);
}

/// Contact of a torus (centre P, axle a) with a plane of normal n: its lowest point and the
/// direction of rolling.
template <class T>
struct RollingContact {
  Vec<T, 3> point, forward, sideways;
  T inclination;  // √(1 − (n·a)²)

  RollingContact(const Vec<T, 3>& P, const Vec<T, 3>& a, const Vec<T, 3>& n, double radius,
                 double tube) {
    const T na = dot<T>(n, a);
    inclination = sqrt(T(1.0) - na * na);
    point = P - (n - a * na) * (T(radius) / inclination) - n * T(tube);
    forward = cross<T>(a, n) / inclination;
    sideways = cross<T>(n, forward);
  }
};

/// Angle of b_j in the plane of a_i, c_i: its value in (−π, π], and the moment that does work on
/// it.
template <class T>
T angle_of(const Row& row, const Pose<T>& i, const Pose<T>& j, Vec<T, 3>& moment) {
  const Vec<T, 3> a = turned<T>(i.R, row.a_i);
  const Vec<T, 3> c = turned<T>(i.R, row.c_i);
  const Vec<T, 3> b = turned<T>(j.R, row.b_j);
  const T x = dot<T>(a, b);
  const T y = dot<T>(c, b);
  // dφ = (x dy − y dx)/(x² + y²) with dx = (b × a)·θ, dy = (b × c)·θ
  moment = cross<T>(b, (c * x - a * y) / (x * x + y * y));
  return atan2(y, x);
}

/// φ (0 for directions without one) and B of a row.
template <class T>
void evaluate_row(const Row& row, const Pose<T>& i, const Pose<T>& j, T& phi, Wrench<T>& on_i,
                  Wrench<T>& on_j) {
  using V = Vec<T, 3>;
  switch (row.kind) {
    case RowKind::displacement: {
      const V n = turned<T>(i.R, row.a_i);
      const V P = j.r + turned<T>(j.R, row.p_j);
      phi = dot<T>(n, P - i.r - turned<T>(i.R, row.p_i)) - row.offset;
      force_at<T>(P, n, i, j, on_i, on_j);
      return;
    }
    case RowKind::alignment: {
      const V a = turned<T>(i.R, row.a_i);
      const V b = turned<T>(j.R, row.b_j);
      phi = dot<T>(a, b) - row.offset;
      on_j.force = on_i.force = V::Constant(T(0.0));
      on_j.moment = cross<T>(b, a);
      on_i.moment = -on_j.moment;
      return;
    }
    case RowKind::distance: {
      const V P = j.r + turned<T>(j.R, row.p_j);
      const V d = P - i.r - turned<T>(i.R, row.p_i);
      const T length = sqrt(dot<T>(d, d));
      phi = length - row.offset;
      // The reaction on i acts at P_i, on the same line.
      force_at<T>(P, d / length, i, j, on_i, on_j);
      return;
    }
    case RowKind::angle: {
      phi = angle_of<T>(row, i, j, on_j.moment) - row.offset;
      on_j.force = on_i.force = V::Constant(T(0.0));
      on_i.moment = -on_j.moment;
      return;
    }
    case RowKind::screw: {
      const V n = cross<T>(turned<T>(i.R, row.a_i), turned<T>(i.R, row.c_i));
      const V P = j.r + turned<T>(j.R, row.p_j);
      force_at<T>(P, n, i, j, on_i, on_j);
      V moment;
      phi = dot<T>(n, P - i.r - turned<T>(i.R, row.p_i)) -
            angle_of<T>(row, i, j, moment) * row.radius - row.offset;
      on_j.moment -= moment * T(row.radius);
      on_i.moment += moment * T(row.radius);
      return;
    }
    case RowKind::height: {
      const V n = turned<T>(i.R, row.a_i);
      const V P = j.r + turned<T>(j.R, row.p_j);
      const RollingContact<T> contact(P, turned<T>(j.R, row.b_j), n, row.radius, row.tube);
      phi = dot<T>(n, contact.point - i.r - turned<T>(i.R, row.p_i)) - row.offset;
      force_at<T>(contact.point, n, i, j, on_i, on_j);
      return;
    }
    case RowKind::force_i:
    case RowKind::force_j: {
      const V n = row.kind == RowKind::force_i ? turned<T>(i.R, row.a_i) : turned<T>(j.R, row.b_j);
      phi = T(0.0);
      force_at<T>(j.r + turned<T>(j.R, row.p_j), n, i, j, on_i, on_j);
      return;
    }
    case RowKind::torque_i:
    case RowKind::torque_j: {
      const V n = row.kind == RowKind::torque_i ? turned<T>(i.R, row.a_i) : turned<T>(j.R, row.b_j);
      phi = T(0.0);
      on_j.force = on_i.force = V::Constant(T(0.0));
      on_j.moment = n;
      on_i.moment = -n;
      return;
    }
    case RowKind::roll_forward:
    case RowKind::roll_sideways: {
      const V n = turned<T>(i.R, row.a_i);
      const V P = j.r + turned<T>(j.R, row.p_j);
      const RollingContact<T> contact(P, turned<T>(j.R, row.b_j), n, row.radius, row.tube);
      phi = T(0.0);
      force_at<T>(contact.point,
                  row.kind == RowKind::roll_forward ? contact.forward : contact.sideways, i, j,
                  on_i, on_j);
      return;
    }
    case RowKind::roll_sphere: {
      const V n = turned<T>(i.R, row.a_i);
      const V P = j.r + turned<T>(j.R, row.p_j) - n * T(row.radius);
      phi = T(0.0);
      force_at<T>(P, turned<T>(i.R, row.c_i), i, j, on_i, on_j);
      return;
    }
  }
}

}  // namespace mechfmu::mechanics
