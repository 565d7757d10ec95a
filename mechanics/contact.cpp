// Contact by a smooth penalty: a sphere (or point) of b against a shape of a.
//
//   δ = −(distance of the surfaces)        depth, n unit normal from a to b at the place of contact
//   N = k δ₊ⁿ (1 + c δ̇)₊                   hertz: Hunt, Crossley: J. Appl. Mech. 42 (1975) 440–445
//   N = (k δ₊ⁿ + c min(δ/d_c, 1) δ̇)₊       linear
//   F = N n − μ(v) N v_t / √(v_t² + v_0²)   smooth; v_t sliding velocity of b on a
//   F = N n − μ(v) N s(v_t/v_0) v_t/|v_t|   bounded; s(x) = (15 x − 10 x³ + 3 x⁵)/8, 1 above 1
//   μ(v) = μ + (μ_s − μ) exp(−v_t²/v_s²)    Stribeck
//   V = k δ₊ⁿ⁺¹ / (n + 1)                  elastic energy
//
// The force acts on b, and in reverse on a, at the middle of the overlap. It never pulls. With an
// exponent above 1 its derivative is continuous where contact begins. Friction is smooth at v_t =
// 0, so a body at rest on a slope creeps. With the smooth law it creeps at v_0 or less if it needs
// up to 0.7 of the available friction. The bounded law has two derivatives everywhere; with it the
// body creeps at v_0 or less up to the full friction. Shapes are solid and touched from outside, or
// hollow and touched from inside.

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

#include "mechanics/mechanism.h"
#include "mechanics/outline.h"

namespace mechfmu::mechanics {

namespace {

using Shape = ContactData::Shape;
using Side = ContactData::Side;

// Indices of the geometry and the constants of the pair; the numbers of a profile come last.
enum : int { at_a, axis_a, axis2_a, centre_b };
enum : std::size_t {
  R_a,
  length_a,
  size_a,
  R_b = size_a + 3,
  k_,
  n_,
  c_,
  d_c,
  mu_,
  mu_s,
  v_s,
  v_0,
  profile_a
};

/// The discrete data of the contact.
struct Kind {
  Shape shape = Shape::plane;
  Side side = Side::outside;
  ContactLaw law = ContactLaw::hertz;
  ContactFriction friction = ContactFriction::smooth;
  int points = 0;  // of a profile

  bool inside() const { return side == Side::inside; }
};

/// Distance of the centre of b's sphere from the surface of a, and the normal there.
template <class T>
struct Surface {
  T distance;
  Vec<T, 3> normal;

  /// The length of d and its direction. If d vanishes, the direction is `fallback`.
  static T length(const Vec<T, 3>& d, const Vec<T, 3>& fallback, double scale,
                  Vec<T, 3>& direction) {
    const T square = dot<T>(d, d);
    const double tiny = 1e-12 * scale;
    if (square > T(tiny * tiny)) {
      const T size = sqrt(square);
      direction = d / size;
      return size;
    }
    direction = fallback;
    return dot<T>(d, fallback);
  }

  Surface(const Kind& kind, const Moving<T>& a, const Vec<T, 3>& C, const PairContext& context) {
    const double* p = context.constants;
    const Vec<T, 3> d = C - a.point(context.geometry[at_a]);
    const Vec<T, 3> e = turned<T>(a.R, context.geometry[axis_a]);
    const double R = p[R_a];
    const double scale = R + p[R_b];
    switch (kind.shape) {
      case Shape::plane:
        normal = e;
        distance = dot<T>(e, d);
        return;
      case Shape::sphere:
        distance = length(d, e, scale, normal) - R;
        turn_inside(kind);
        return;
      case Shape::capsule: {
        const T s = within(dot<T>(e, d), p[length_a] / 2);
        distance = length(d - e * s, turned<T>(a.R, across(context)), scale, normal) - R;
        return;
      }
      case Shape::box: box(a, d, e, context); return;
      case Shape::cylinder: {
        const T s = dot<T>(e, d);
        distance = length(d - e * s, turned<T>(a.R, across(context)), scale, normal) - R;
        turn_inside(kind);
        end(kind, s, e, p[length_a]);
        return;
      }
      case Shape::profile: {
        const T s = dot<T>(e, d);
        outline(kind, a, d, e, context);
        turn_inside(kind);
        end(kind, s, e, p[length_a]);
        return;
      }
    }
  }

 private:
  /// Any direction across the axis of a, in its axes.
  static Vec3 across(const PairContext& context) {
    const Vec3& axis = context.geometry[axis_a];
    return axis.cross(std::abs(axis[0]) < 0.6 ? Vec3::UnitX() : Vec3::UnitY()).normalized();
  }
  static T within(const T& s, double most) {
    if (s > T(most)) return T(most);
    return s < T(-most) ? T(-most) : s;
  }
  void turn_inside(const Kind& kind) {
    if (!kind.inside()) return;
    distance = -distance;
    normal = -normal;
  }

  /// The flat ends of a shape whose whole length along e is `whole`: combines the distance beyond
  /// the mantle, already known, with the one beyond the nearer end.
  void end(const Kind& kind, const T& s, const Vec<T, 3>& e, double whole) {
    if (!(whole > 0)) return;
    const T beyond_mantle = distance;
    const Vec<T, 3> outwards = s < T(0.0) ? Vec<T, 3>(-e) : e;
    const T beyond_end = (s < T(0.0) ? T(-s) : s) - whole / 2;
    const T corner = beyond_mantle * beyond_mantle + beyond_end * beyond_end;
    if (beyond_mantle > T(0.0) && beyond_end > T(0.0) && corner > T(0.0)) {
      distance = sqrt(corner);
      normal = (normal * beyond_mantle + outwards * beyond_end) / distance;
    } else if (beyond_end > (kind.inside() ? T(0.0) : beyond_mantle)) {
      distance = beyond_end;
      normal = outwards;
    }
  }

  void box(const Moving<T>& a, const Vec<T, 3>& d, const Vec<T, 3>& e, const PairContext& context) {
    const Vec<T, 3> x = turned<T>(a.R, context.geometry[axis2_a]);
    const Vec<T, 3> axes[3] = {x, cross<T>(e, x), e};
    Vec<T, 3> beyond = d * T(0.0);
    int nearest = 0;
    T least(0.0);
    bool outside = false;
    for (int k = 0; k < 3; ++k) {
      const T s = dot<T>(axes[k], d);
      const double half = context.constants[size_a + static_cast<std::size_t>(k)] / 2;
      const T over = (s < T(0.0) ? T(-s) : s) - half;
      if (over > T(0.0)) {
        outside = true;
        beyond += axes[k] * (s - within(s, half));
      }
      if (k == 0 || over > least) {
        least = over;
        nearest = k;
        normal = s < T(0.0) ? Vec<T, 3>(-axes[k]) : axes[k];
      }
    }
    distance = least;
    if (outside)
      distance = length(beyond, Vec<T, 3>(normal),
                        context.constants[size_a + static_cast<std::size_t>(nearest)], normal);
  }

  void outline(const Kind& kind, const Moving<T>& a, const Vec<T, 3>& d, const Vec<T, 3>& e,
               const PairContext& context) {
    const Vec<T, 3> x = turned<T>(a.R, context.geometry[axis2_a]);
    const Vec<T, 3> y = cross<T>(e, x);
    const T u = dot<T>(x, d);
    const T v = dot<T>(y, d);
    const Outline::Place place =
        Outline(context.constants + profile_a, kind.points).nearest({number(u), number(v)});
    const Vec<T, 3> from = x * (u - place.at[0]) + y * (v - place.at[1]);
    const Vec<T, 3> out = x * T(place.normal[0]) + y * T(place.normal[1]);
    if (place.kind == Outline::Place::Kind::line) {
      normal = out;
      distance = dot<T>(out, from);
      return;
    }
    const bool corner = place.kind == Outline::Place::Kind::corner;
    // `out` stays a valid direction if the point is in the middle. There its length along `from`
    // already has the sign.
    const double scale = context.constants[R_b] + place.radius;
    distance = length(from, Vec<T, 3>(out * T(place.sign)), corner ? 1e-3 * scale : scale, normal);
    normal = normal * T(place.sign);
    distance = (distance - place.radius) * T(place.sign);
  }
  static double number(double value) { return value; }
  template <class U, int N>
  static double number(const Dual<U, N>& dual) {
    return number(dual.v);
  }
};

struct ContactForce {
  static constexpr int round_b = centre_b;
  Kind kind;

  template <class T>
  void operator()(const Moving<T>& a, const Moving<T>& b, const PairContext& context,
                  Wrench<T>& on_a, Wrench<T>& on_b) const {
    const double* p = context.constants;
    const Vec<T, 3> C = b.point(context.geometry[centre_b]);
    const Surface<T> surface(kind, a, C, context);
    const Vec<T, 3>& n = surface.normal;
    const T depth = T(p[R_b]) - surface.distance;
    if (!(depth > T(0.0))) return;

    const Vec<T, 3> P = C - n * (T(p[R_b]) - depth * 0.5);
    const Vec<T, 3> v = b.velocity(P) - a.velocity(P);
    const T approach = -dot<T>(n, v);
    T N = pow(depth, p[n_]) * p[k_];
    if (kind.law == ContactLaw::linear) {
      const T part = depth < T(p[d_c]) ? T(depth / p[d_c]) : T(1.0);
      N += part * approach * p[c_];
      if (!(N > T(0.0))) return;
    } else {
      const T damping = T(1.0) + approach * p[c_];
      if (!(damping > T(0.0))) return;
      N = N * damping;
    }

    const Vec<T, 3> sliding = v + n * approach;
    const T square = dot<T>(sliding, sliding);
    const double extra = p[mu_s] < 0 ? 0.0 : p[mu_s] - p[mu_];
    const T mu = exp(-square / (p[v_s] * p[v_s])) * extra + p[mu_];
    push<T>(P, (n - sliding * per_speed<T>(mu, square, p[v_0])) * N, a, b, on_a, on_b);
  }

  /// The effective part of mu at the speed v, divided by v.
  template <class T>
  T per_speed(const T& mu, const T& square, double v_0) const {
    if (kind.friction == ContactFriction::smooth) return mu / sqrt(square + v_0 * v_0);
    const T q = square / (v_0 * v_0);
    return q < T(1.0) ? T(mu * (q * (q * 3.0 - 10.0) + 15.0) / (8 * v_0)) : T(mu / sqrt(square));
  }

  bool touches(const Moving<double>& a, const Moving<double>& b, const PairContext& context) const {
    const Surface<double> surface(kind, a, b.point(context.geometry[centre_b]), context);
    return context.constants[R_b] > surface.distance;
  }

  PairReach reach(const PairContext& context) const {
    const double* p = context.constants;
    PairReach made;
    made.P_a = context.geometry[at_a];
    made.P_b = context.geometry[centre_b];
    made.e = context.geometry[axis_a];
    if (kind.inside()) return made;
    const auto round = [&](double radius) {
      made.kind = p[length_a] > 0 ? PairReach::Kind::ball : PairReach::Kind::line;
      made.reach = p[R_b] + (p[length_a] > 0 ? std::hypot(radius, p[length_a] / 2) : radius);
    };
    made.kind = PairReach::Kind::ball;
    switch (kind.shape) {
      case Shape::plane:
        made.kind = PairReach::Kind::plane;
        made.reach = p[R_b];
        break;
      case Shape::sphere: made.reach = p[R_b] + p[R_a]; break;
      case Shape::capsule: made.reach = p[R_b] + p[R_a] + p[length_a] / 2; break;
      case Shape::box:
        made.reach = p[R_b] + Vec3(p[size_a], p[size_a + 1], p[size_a + 2]).norm() / 2;
        break;
      case Shape::cylinder: round(p[R_a]); break;
      case Shape::profile: round(Outline(p + profile_a, kind.points).radius()); break;
    }
    return made;
  }

  template <class T>
  T energy(const Moving<T>& a, const Moving<T>& b, const PairContext& context) const {
    const double* p = context.constants;
    const T depth =
        T(p[R_b]) - Surface<T>(kind, a, b.point(context.geometry[centre_b]), context).distance;
    return depth > T(0.0) ? T(pow(depth, p[n_] + 1) * (p[k_] / (p[n_] + 1))) : T(0.0);
  }
};

/// The fault of a profile; empty if there is none.
std::string check_profile(const double* p, int points) {
  if (points < 1) return "its profile has no points";
  const double n = p[0];
  if (!(n >= 1) || n != std::floor(n))
    return "its profile must be repeated a whole number of times, from 1 on";
  if (n < 3 && points * n < 3) {
    bool arcs = true;
    for (int i = 0; i < points; ++i) arcs = arcs && p[3 + 3 * i] != 0;
    if (!arcs || points * n < 2)
      return "its profile needs three points, or two with arcs between them";
  }
  const double turn = 2 * std::numbers::pi / n;
  double area = 0;
  for (int i = 0; i < points; ++i) {
    const double* a = p + 1 + 3 * i;
    double b[2] = {p[1], p[2]};
    if (i + 1 < points) {
      b[0] = a[3], b[1] = a[4];
    } else {
      b[0] = std::cos(turn) * p[1] - std::sin(turn) * p[2];
      b[1] = std::sin(turn) * p[1] + std::cos(turn) * p[2];
    }
    const double l = std::hypot(b[0] - a[0], b[1] - a[1]);
    if (!(l > 0))
      return "point " + std::to_string(i + 1) +
             " of its profile is the next one, too; leave one of them out";
    const double theta = 4 * std::atan(a[2]);
    const double r = a[2] == 0 ? 0 : l * (1 + a[2] * a[2]) / (4 * std::abs(a[2]));
    area += (a[0] * b[1] - a[1] * b[0]) / 2 +
            (theta < 0 ? -1 : 1) * r * r * (std::abs(theta) - std::sin(std::abs(theta))) / 2;
  }
  if (!(area > 0))
    return "its profile must go round counter-clockwise, with the solid on its left; reverse the "
           "order of its points";
  return {};
}

/// x of a frame with this z axis; if axis2 is along z, any x across it.
Triple across(const Triple& axis, const Triple& axis2) {
  return following(axis.constant() && axis2.constant(), [axis, axis2](InputValues s) -> Vec3 {
    const Vec3 z = axis(s).normalized();
    Vec3 x = axis2(s) - z * z.dot(axis2(s));
    if (x.norm() > 1e-9 * axis2(s).norm()) return x;
    return z.cross(std::abs(z[0]) < 0.6 ? Vec3::UnitX() : Vec3::UnitY());
  });
}

std::string check(const Kind& kind, const std::vector<double>& p) {
  std::string problem;
  const auto require = [&](bool good, const char* what) {
    if (!good && problem.empty()) problem = what;
  };
  const Shape shape = kind.shape;
  require(p[R_b] >= 0, "the radius of b must not be negative; 0 makes it a point");
  if (shape == Shape::sphere || shape == Shape::cylinder || shape == Shape::capsule)
    require(p[R_a] > 0, "radius_a, of the sphere, cylinder or capsule of a, must be above zero");
  if (shape == Shape::capsule)
    require(p[length_a] > 0, "the length of its capsule must be above zero; a sphere has none");
  require(p[length_a] >= 0, "the length of its shape must not be negative; 0 makes it infinite");
  if (shape == Shape::box)
    require(p[size_a] > 0 && p[size_a + 1] > 0 && p[size_a + 2] > 0,
            "the size of its box must be above zero along x, y and z");
  require(!kind.inside() || shape == Shape::sphere || shape == Shape::cylinder ||
              shape == Shape::profile,
          "only a sphere, a cylinder or a profile can be touched from inside");
  if (kind.inside() && (shape == Shape::sphere || shape == Shape::cylinder))
    require(p[R_b] < p[R_a], "the radius of b must be below that of the hollow it is in, radius_a");
  require(p[k_] >= 0, "its stiffness must not be negative");
  require(p[n_] >= 1, "its exponent must be at least 1; 1.5 is that of spheres");
  require(p[c_] >= 0, "its damping must not be negative");
  require(p[d_c] > 0, "its damping_depth must be above zero, such as 1e-4 m");
  require(p[mu_] >= 0, "its friction must not be negative");
  require(p[v_s] > 0, "its stribeck speed must be above zero, such as 0.1 m/s");
  require(p[v_0] > 0, "its regularization speed must be above zero, such as 1e-3 m/s");
  if (problem.empty() && shape == Shape::profile)
    return check_profile(p.data() + profile_a, kind.points);
  return problem;
}

}  // namespace

Pair Mechanism::contact(const ContactData& data) {
  PairData made;
  made.name = data.name;
  made.a = data.a;
  made.b = data.b;
  made.geometry = {{data.a, data.at, false, data.local},
                   {data.a, data.axis, true, data.local},
                   {data.a, across(data.axis, data.axis2), true, data.local},
                   {data.b, data.centre, false, data.local}};
  made.constants = {data.radius_a, data.length,        data.size.x,    data.size.y,
                    data.size.z,   data.radius,        data.stiffness, data.exponent,
                    data.damping,  data.damping_depth, data.friction,  data.static_friction,
                    data.stribeck, data.regularization};
  made.constants.insert(made.constants.end(), data.profile.begin(), data.profile.end());
  Kind kind{data.shape, data.side, data.law, data.friction_law, 0};
  if (data.shape == Shape::profile) {
    if (data.profile.size() % 3 != 1)
      throw std::invalid_argument(
          "contact '" + data.name +
          "': its profile needs how often it is repeated, and x, y and bulge of each point");
    kind.points = static_cast<int>(data.profile.size() / 3);
  }
  made.function = wrench_function(ContactForce{kind});
  made.function.reads_settings = false;
  made.check = [kind](const std::vector<double>& p) { return check(kind, p); };
  return pair(std::move(made));
}

}  // namespace mechfmu::mechanics
