// Elements made of measures and laws: springs, bushings, stops, friction, gears, force vectors.

#include <algorithm>
#include <stdexcept>

#include "mechanics/bodies/pool.h"
#include "mechanics/mechanism.h"

namespace mechfmu::mechanics {

Spring Mechanism::spring(const SpringData& data) {
  // Tension k (φ − l) + c φ̇ + p pulls φ back.
  ForceData f;
  f.name = data.name;
  f.along = data.along;
  f.value = of_arguments_alone(law<2>({value(data.along), rate(data.along)},
                                      [](const auto& s) {
                                        return -(s.constant(0) * (s[0] - s.constant(1)) +
                                                 s.constant(2) * s[1] + s.constant(3));
                                      },
                                      {data.stiffness, data.length, data.damping, data.preload}));
  f.energy = Energy::of([](const auto& s) {
    const auto stretch = s[0] - s.constant(1);
    return s.constant(0) * stretch * stretch / 2.0 + s.constant(3) * stretch;
  });
  return {data.along, force(std::move(f))};
}

std::array<Force, 3> Mechanism::force(const VectorForceData& data) {
  std::array<Force, 3> made;
  const Vec3 axes[3] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  const char* const names[3] = {".x", ".y", ".z"};
  for (std::size_t k = 0; k < 3; ++k) {
    MeasureData m;
    m.name = data.name + names[k];
    m.type = data.torque ? MeasureType::torque : MeasureType::force;
    m.axis = axes[k];
    m.b = data.at;
    m.a.body = data.reaction;
    switch (data.axes) {
      case VectorForceData::Axes::world:
        if (data.reaction.index != 0)
          throw std::invalid_argument(
              "force '" + data.name +
              "': with a reaction on a moving body its axes must be those of a body");
        break;
      case VectorForceData::Axes::reaction_body: m.local = true; break;
      case VectorForceData::Axes::body:
        m.local = true;
        m.axes_of_b = true;
        break;
    }
    ForceData f;
    f.name = m.name;
    f.value = data.value[k];
    f.along = measure(std::move(m));
    made[k] = force(std::move(f));
  }
  return made;
}

Force Mechanism::stop(const StopData& data) {
  ForceData f;
  f.name = data.name;
  f.along = data.along;
  // Depth d > 0 beyond a stop, growing at the speed v: k dⁿ (1 + c v), never pulling.
  f.value = of_arguments_alone(law<2>(
      {value(data.along), rate(data.along)},
      [](const auto& s) {
        using T = std::decay_t<decltype(s[0] + s[1])>;
        const auto push = [&](const T& depth, const T& speed) {
          if (!(depth > T(0.0))) return T(0.0);
          const T damping = T(1.0) + s.constant(3) * speed;
          return damping > T(0.0) ? T(s.constant(2) * pow(depth, s.constant(4)) * damping) : T(0.0);
        };
        return push(s.constant(0) - s[0], -s[1]) - push(s[0] - s.constant(1), s[1]);
      },
      {data.lower, data.upper, data.stiffness, data.damping, data.exponent}));
  f.energy = Energy::of([](const auto& s) {
    using T = std::decay_t<decltype(s[0])>;
    const T below = s.constant(0) - s[0];
    const T above = s[0] - s.constant(1);
    const T depth = below > above ? below : above;
    if (!(depth > T(0.0))) return T(0.0);
    return T(s.constant(2) * pow(depth, s.constant(4) + 1) / (s.constant(4) + 1));
  });
  f.check = [](const std::vector<double>& p) {
    return !(p[0] <= p[1]) ? "its lower stop must not be above the upper one"
           : !(p[2] >= 0)  ? "its stiffness must not be negative"
           : !(p[3] >= 0)  ? "its damping must not be negative"
           : !(p[4] >= 1)  ? "its exponent must be at least 1; 1.5 is that of spheres"
                           : nullptr;
  };
  return force(std::move(f));
}

namespace {

// Constants of friction
enum : std::size_t { coulomb_, breakaway_, stribeck_, regularization_, viscous_, arm_, d_, tau_ };

/// exp(−(v/v_s)²)
template <class S, class T>
T slow(const S& s, const T& v) {
  const T ratio = v / s.constant(stribeck_);
  return exp(-(ratio * ratio));
}
/// d ζ/dt of the bristles.
template <class S, class T>
T bristle_rate(const S& s, const T& v, const T& zeta) {
  const auto C = s.constant(coulomb_);
  const T G = (s.constant(breakaway_) - C) * slow(s, v) + C;
  const T speed = v < T(0.0) ? T(-v) : v;
  return (v - speed * zeta * C / G) / s.constant(d_);
}

/// Friction under the load arm·√(λ₁² + … + λ_K²), smooth where the load vanishes; with K = 0 the
/// load is 1. Arguments: the speed, for LuGre ζ, then the multipliers.
template <int K, bool lugre>
Law friction_law(std::vector<Argument> arguments, std::vector<Number> constants) {
  constexpr int first = lugre ? 2 : 1;
  return of_arguments_alone(law<K + first>(
      std::move(arguments),
      [](const auto& s) {
        using T = std::decay_t<decltype(s[0] + s[0])>;
        T load(1.0);
        if constexpr (K > 0) {
          T square(1e-12);
          for (int k = first; k < first + K; ++k) square += s[k] * s[k];
          load = s.constant(arm_) * sqrt(square);
        }
        const T v = s[0];
        const T C = s.constant(coulomb_) * load;
        if constexpr (lugre)
          return T(-(C * (s[1] + s.constant(tau_) * bristle_rate(s, v, T(s[1])) * slow(s, v)) +
                     s.constant(viscous_) * v));
        else
          return T(-((C + (s.constant(breakaway_) * load - C) * slow(s, v)) *
                         tanh(v / s.constant(regularization_)) +
                     s.constant(viscous_) * v));
      },
      std::move(constants)));
}

/// The fault of the constants; nullptr if there is none.
const char* check_friction(const std::vector<double>& p) {
  return !(p[coulomb_] >= 0)   ? "its coulomb friction must not be negative"
         : !(p[stribeck_] > 0) ? "its stribeck speed must be above zero, such as 0.1 m/s"
         : !(p[regularization_] > 0)
             ? "its regularization speed must be above zero, such as 1e-3 m/s"
             : nullptr;
}
const char* check_bristles(const std::vector<double>& p) {
  if (const char* const problem = check_friction(p)) return problem;
  return !(p[coulomb_] > 0)     ? "LuGre's law needs a coulomb friction above zero"
         : !(p[breakaway_] > 0) ? "LuGre's law needs a breakaway friction above zero"
         : !(p[d_] > 0)         ? "its presliding way must be above zero, such as 1e-5 m"
         : !(p[tau_] >= 0)      ? "its bristle_damping must not be negative"
                                : nullptr;
}

/// Number of leading rows of a joint that are forces: along x, y, z or across its axis.
int force_rows(JointType type, bool plane) {
  switch (type) {
    case JointType::fixed:
    case JointType::revolute:
    case JointType::spherical:
    case JointType::universal: return plane ? 2 : 3;
    case JointType::prismatic:
    case JointType::cylindrical:
    case JointType::screw:
    case JointType::point_on_line: return plane ? 1 : 2;
    case JointType::planar:
    case JointType::point_in_plane:
    case JointType::distance: return 1;
    case JointType::constant_orientation: break;
  }
  return 0;
}

}  // namespace

Force Mechanism::friction(const FrictionData& data) {
  const bool lugre = data.law == FrictionLaw::lugre;
  ForceData f;
  f.check = lugre ? check_bristles : check_friction;
  f.name = data.name;
  f.along = data.along;
  f.passive = true;
  const Number breakaway = data.breakaway.constant() && data.breakaway(InputValues{}) < 0
                               ? data.coulomb
                               : data.breakaway;
  const std::vector<Number> constants = {data.coulomb,        breakaway,           data.stribeck,
                                         data.regularization, data.viscous,        data.arm,
                                         data.presliding,     data.bristle_damping};
  std::vector<Argument> arguments = {rate(data.along)};
  if (lugre) {
    const StateVariable zeta{static_cast<Index>(states.size())};
    arguments.push_back(value(zeta));
    state({.name = data.name + ".bristles",
           .rate = of_arguments_alone(law<2>(
               arguments,
               [](const auto& s) {
                 using T = std::decay_t<decltype(s[0] + s[1])>;
                 return bristle_rate(s, T(s[0]), T(s[1]));
               },
               constants))});
  }
  int rows = 0;
  if (data.load.index >= 0) {
    const JointData& joint = joints.at(static_cast<std::size_t>(data.load.index));
    const auto flat = [&](Body body) {
      const BodyData& of = bodies.at(static_cast<std::size_t>(body.index));
      return body.index == 0 || make_bodies(of.type)->freedom().in_plane();
    };
    rows = force_rows(joint.type, flat(joint.a) && flat(joint.b));
    if (rows == 0)
      throw std::invalid_argument("friction '" + data.name + "': joint '" + joint.name +
                                  "' transmits no force; use the load of a joint that does");
  }
  for (int r = 0; r < rows; ++r) arguments.push_back(multiplier(data.load, r));
  const auto make = [&]<int K>() {
    return lugre ? friction_law<K, true>(std::move(arguments), constants)
                 : friction_law<K, false>(std::move(arguments), constants);
  };
  switch (rows) {
    case 0: f.value = make.operator()<0>(); break;
    case 1: f.value = make.operator()<1>(); break;
    case 2: f.value = make.operator()<2>(); break;
    default: f.value = make.operator()<3>(); break;
  }
  return force(std::move(f));
}

namespace {

/// x, y, z of a frame with this z axis and with the x axis nearest to this one, as expressions of
/// the parameters.
std::array<Triple, 3> frame(const Triple& z, const Triple& x) {
  const bool constant = z.constant() && x.constant();
  const Triple y = following(constant, [z, x](InputValues s) -> Vec3 { return z(s).cross(x(s)); });
  const Triple across =
      following(constant, [z, y](InputValues s) -> Vec3 { return y(s).cross(z(s)); });
  return {across, y, z};
}

/// Tension k of a bushing with a matrix: Σ K_kj (e_j + τ ė_j) + k_k e_k + c_k ė_k + p_k of e_j =
/// φ_j − l_j.
Law matrix_tension(const std::array<Measure, 6>& along, std::size_t k,
                   std::vector<Number> constants) {
  std::vector<Argument> arguments;
  for (const Measure m : along) arguments.push_back(Mechanism::value(m));
  for (const Measure m : along) arguments.push_back(Mechanism::rate(m));
  const int own = static_cast<int>(k);
  return of_arguments_alone(law<12>(
      std::move(arguments),
      [own](const auto& s) {
        using T = std::decay_t<decltype(s[0] + s[1])>;
        T sum(s.constant(13));
        for (int j = 0; j < 6; ++j)
          sum += s.constant(j) * (s[j] - s.constant(6 + j) + s.constant(12) * s[6 + j]);
        sum += s.constant(14) * (s[own] - s.constant(6 + own)) + s.constant(15) * s[6 + own];
        return -sum;
      },
      std::move(constants)));
}
/// … and its part of the energy, e_k (Σ K_kj e_j + k_k e_k)/2 + p_k e_k.
Energy matrix_energy(std::size_t k) {
  return Energy::of([own = static_cast<int>(k)](const auto& s) {
    using T = std::decay_t<decltype(s[0] + s[1])>;
    const T e = s[own] - s.constant(6 + own);
    T sum = s.constant(14) * e;
    for (int j = 0; j < 6; ++j) sum += s.constant(j) * (s[j] - s.constant(6 + j));
    return e * sum / 2.0 + s.constant(13) * e;
  });
}

}  // namespace

std::array<Spring, 6> Mechanism::bushing(const BushingData& data) {
  if (!data.matrix.empty() && data.matrix.size() != 21)
    throw std::invalid_argument("bushing '" + data.name + "': its matrix has " +
                                std::to_string(data.matrix.size()) +
                                " numbers; give 21, the upper triangle row after row");
  std::array<Spring, 6> made;
  const bool turned = data.axis_b || data.axis2_b;
  const std::array<Triple, 3> axes = frame(data.axis, data.axis2);
  const std::array<Triple, 3> axes_b =
      frame(data.axis_b.value_or(data.axis), data.axis2_b.value_or(data.axis2));
  const auto six = [](const Triple& along, const Triple& about) {
    return std::array<Number, 6>{along.x, along.y, along.z, about.x, about.y, about.z};
  };
  const auto stiffness = six(data.stiffness, data.torsion);
  const auto damping = six(data.damping, data.torsion_damping);
  const auto length = six(data.length, data.angle);
  const auto preload = six(data.preload, data.preload_torque);
  const char* const names[6] = {".x", ".y", ".z", ".about_x", ".about_y", ".about_z"};
  std::array<Measure, 6> along;
  for (std::size_t k = 0; k < 6; ++k) {
    MeasureData m;
    m.name = data.name + names[k];
    m.type = k < 3 ? MeasureType::displacement : MeasureType::angle;
    m.axis = axes[k % 3];
    if (k >= 3) m.reference = axes[(k + 1) % 3];
    if (k >= 3 && turned) m.reference_b = axes_b[(k + 1) % 3];
    m.a = {data.a, data.at};
    m.b = {data.b, data.to.value_or(data.at)};
    along[k] = measure(m);
    if (data.matrix.empty())
      made[k] = spring({.name = m.name,
                        .along = along[k],
                        .stiffness = stiffness[k],
                        .damping = damping[k],
                        .length = length[k],
                        .preload = preload[k]});
  }
  if (data.matrix.empty()) return made;
  for (std::size_t k = 0; k < 6; ++k) {
    std::vector<Number> constants;
    for (std::size_t j = 0; j < 6; ++j) {
      const std::size_t row = std::min(j, k);
      constants.push_back(data.matrix[row * 6 - row * (row + 1) / 2 + std::max(j, k)]);
    }
    constants.insert(constants.end(), length.begin(), length.end());
    for (const Number& n : {data.matrix_damping, preload[k], stiffness[k], damping[k]})
      constants.push_back(n);
    ForceData f;
    f.name = data.name + names[k];
    f.along = along[k];
    f.value = matrix_tension(along, k, std::move(constants));
    f.energy = matrix_energy(k);
    made[k] = {along[k], force(std::move(f))};
  }
  return made;
}

Constraint Mechanism::coupling(const std::string& name_,
                               const std::vector<std::pair<Measure, Number>>& terms,
                               const Number& constant) {
  if (terms.empty() || terms.size() > LawValue::capacity)
    throw std::invalid_argument("coupling '" + name_ + "': it needs one to twelve terms");
  ConstraintData c;
  c.name = name_;
  Law& sum = c.relation;
  for (const auto& [measure, factor] : terms) {
    sum.arguments.push_back(value(measure));
    sum.constants.push_back(factor);
  }
  sum.constants.push_back(constant);
  const std::size_t n = terms.size();
  const auto total = [n](const auto& s) {
    auto made = s.constants[0] * s.arguments[0] - s.constants[n];
    for (std::size_t k = 1; k < n; ++k) made += s.constants[k] * s.arguments[k];
    return made;
  };
  const auto twice = [n, total](const auto& s, auto& out) {
    out = {};
    out.value = total(s);
    for (std::size_t k = 0; k < n; ++k) out.gradient[k] = s.constants[k];
  };
  sum.value = total;
  sum.derive = [n, total](const Scope<double>& s, LawValue& out) {
    out.value = total(s);
    for (std::size_t k = 0; k < n; ++k) out.gradient[k] = s.constants[k];
  };
  sum.derive_twice = twice;
  sum.derive_twice_along = twice;
  return constraint(std::move(c));
}

}  // namespace mechfmu::mechanics
