// Contact by a smooth penalty: a sphere (or point) of b against a plane, a sphere or a cylinder of a.
//
//   δ = −(distance of the surfaces)        depth, n unit normal from a to b at the place of contact
//   N = k δ₊ⁿ (1 + c δ̇)₊                   Hunt, Crossley: J. Appl. Mech. 42 (1975) 440–445
//   F = N n − μ(v) N v_t / √(v_t² + v_0²)   v_t sliding velocity of b on a
//   μ(v) = μ + (μ_s − μ) exp(−v_t²/v_s²)    Stribeck
//   V = k δ₊ⁿ⁺¹ / (n + 1)                  elastic energy
//
// The force acts on b, and in reverse on a, at the middle of the overlap. It never pulls. With an exponent above 1 it
// has a continuous derivative where contact begins; friction is smooth at v_t = 0, so that a body at rest on a slope
// creeps at a speed of v_0 or less. Shapes are solid and touched from outside.

#include <stdexcept>

#include "mechanics/mechanism.h"

namespace mechfmu::mechanics {

namespace {

using Shape = ContactData::Shape;

// Places of the geometry and the constants of the pair
enum : int { at_a, axis_a, centre_b };
enum : std::size_t { R_a, length_a, R_b, k_, n_, c_, mu_, mu_s, v_s, v_0, count };

/// Distance of the centre of b's sphere from the surface of a, and the normal there.
template <class T>
struct Surface {
  T distance;
  Vec<T, 3> normal;

  /// The length of d and its direction. Where d vanishes any direction does: `fallback`.
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

  Surface(Shape shape, const Moving<T>& a, const Vec<T, 3>& C, const PairContext& context) {
    const Vec<T, 3> d = C - a.point(context.geometry[at_a]);
    const Vec<T, 3> e = turned<T>(a.R, context.geometry[axis_a]);
    const double R = context.constants[R_a];
    if (shape == Shape::plane) {
      normal = e;
      distance = dot<T>(e, d);
      return;
    }
    const double scale = R + context.constants[R_b];
    if (shape == Shape::sphere) {
      distance = length(d, e, scale, normal) - R;
      return;
    }
    // Cylinder: distances beyond the mantle and beyond the end nearby
    const Vec3& axis = context.geometry[axis_a];
    const Vec3 across =
        axis.cross(std::abs(axis[0]) < 0.6 ? Vec3::UnitX() : Vec3::UnitY()).normalized();
    const T s = dot<T>(e, d);
    Vec<T, 3> radial;
    const T beyond_mantle = length(d - e * s, turned<T>(a.R, across), scale, radial) - R;
    normal = radial;
    distance = beyond_mantle;
    if (!(context.constants[length_a] > 0)) return;
    const Vec<T, 3> outwards = s < T(0.0) ? Vec<T, 3>(-e) : e;
    const T beyond_end = (s < T(0.0) ? T(-s) : s) - context.constants[length_a] / 2;
    const T corner = beyond_mantle * beyond_mantle + beyond_end * beyond_end;
    if (beyond_mantle > T(0.0) && beyond_end > T(0.0) && corner > T(0.0)) {
      distance = sqrt(corner);
      normal = (radial * beyond_mantle + outwards * beyond_end) / distance;
    } else if (beyond_end > beyond_mantle) {
      distance = beyond_end;
      normal = outwards;
    }
  }
};

struct ContactForce {
  Shape shape;

  template <class T>
  void operator()(const Moving<T>& a, const Moving<T>& b, const PairContext& context,
                  Wrench<T>& on_a, Wrench<T>& on_b) const {
    const double* p = context.constants;
    const Vec<T, 3> C = b.point(context.geometry[centre_b]);
    const Surface<T> surface(shape, a, C, context);
    const Vec<T, 3>& n = surface.normal;
    const T depth = T(p[R_b]) - surface.distance;
    if (!(depth > T(0.0))) return;

    const Vec<T, 3> P = C - n * (T(p[R_b]) - depth * 0.5);
    const Vec<T, 3> v = b.velocity(P) - a.velocity(P);
    const T approach = -dot<T>(n, v);
    const T damping = T(1.0) + approach * p[c_];
    if (!(damping > T(0.0))) return;
    const T N = pow(depth, p[n_]) * damping * p[k_];

    const Vec<T, 3> sliding = v + n * approach;
    const T square = dot<T>(sliding, sliding);
    const double extra = p[mu_s] < 0 ? 0.0 : p[mu_s] - p[mu_];
    const T mu = exp(-square / (p[v_s] * p[v_s])) * extra + p[mu_];
    const T ratio = mu / sqrt(square + p[v_0] * p[v_0]);
    push<T>(P, (n - sliding * ratio) * N, a, b, on_a, on_b);
  }

  template <class T>
  T energy(const Moving<T>& a, const Moving<T>& b, const PairContext& context) const {
    const double* p = context.constants;
    const T depth =
        T(p[R_b]) - Surface<T>(shape, a, b.point(context.geometry[centre_b]), context).distance;
    return depth > T(0.0) ? T(pow(depth, p[n_] + 1) * (p[k_] / (p[n_] + 1))) : T(0.0);
  }
};

std::string check(Shape shape, const std::vector<double>& p) {
  std::string problem;
  const auto require = [&](bool good, const char* what) {
    if (!good && problem.empty()) problem = what;
  };
  require(p[R_b] >= 0, "the radius of b must not be negative; 0 makes it a point");
  if (shape != Shape::plane)
    require(p[R_a] > 0, "radius_a, of the sphere or cylinder of a, must be above zero");
  require(p[length_a] >= 0, "the length of its cylinder must not be negative; 0 makes it infinite");
  require(p[k_] >= 0, "its stiffness must not be negative");
  require(p[n_] >= 1, "its exponent must be at least 1; 1.5 is that of spheres");
  require(p[c_] >= 0, "its damping must not be negative");
  require(p[mu_] >= 0, "its friction must not be negative");
  require(p[v_s] > 0, "its stribeck speed must be above zero, such as 0.1 m/s");
  require(p[v_0] > 0, "its regularization speed must be above zero, such as 1e-3 m/s");
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
                   {data.b, data.centre, false, data.local}};
  made.constants = {data.radius_a, data.length,        data.radius,   data.stiffness,
                    data.exponent, data.damping,       data.friction, data.static_friction,
                    data.stribeck, data.regularization};
  made.function = wrench_function(ContactForce{data.shape});
  made.function.reads_settings = false;
  made.check = [shape = data.shape](const std::vector<double>& p) { return check(shape, p); };
  return pair(std::move(made));
}

}  // namespace mechfmu::mechanics
