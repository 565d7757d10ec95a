// Forces between two bodies that are not along a measure: contact, tyres, aerodynamic loads.
//
//   struct Drag {
//     template <class T>
//     void operator()(const Moving<T>& a, const Moving<T>& b, const PairContext& c,
//                     Wrench<T>& on_a, Wrench<T>& on_b) const
//   };
//
// A functor is a template on the scalar. It takes pose and velocity of both bodies and returns the
// wrenches on them; duals give derivatives with respect to the 24 numbers of two moving bodies. If
// bodies act on each other only when they touch, the functor can define `touches`, and `reach` for
// a fast test: hundreds of pairs that are far apart then cost very little.
//
// A functor with `static constexpr int round_b = k` promises three properties: b is round about its
// point geometry[k], the wrenches depend on the relative motion of the bodies only, and on_a is the
// reaction of on_b. Then nine numbers remain, in world axes with a fixed:
//
//   D = C − r_a,   U = v_C − v_a − ω_a × D,   W = ω_b − ω_a        C the point of b

#pragma once

#include <functional>

#include "mechanics/rows.h"

namespace mechfmu::mechanics {

/// Pose and velocity of a body: v of the centre of mass, w angular velocity, both in world axes.
template <class T>
struct Moving {
  Vec<T, 3> r;
  Mat<T, 3> R;
  Vec<T, 3> v, w;

  Vec<T, 3> point(const Vec3& p) const { return r + turned<T>(R, p); }
  Vec<T, 3> velocity(const Vec<T, 3>& P) const { return v + cross<T>(w, P - r); }
};

struct PairContext {
  double t = 0;
  const Vec3* geometry = nullptr;  // points (from the centres of mass) and directions, in body axes
  const double* constants = nullptr;  // numbers of the element
  InputValues settings;
};

/// The distance beyond which nothing acts. With d from P_a to P_b, points of the two bodies,
/// `reach` limits
///   ball   |d|            plane   e·d            line   |d − e (e·d)|            e fixed in a
struct PairReach {
  enum class Kind { everywhere, ball, plane, line };
  Kind kind = Kind::everywhere;
  Vec3 P_a = Vec3::Zero(), P_b = Vec3::Zero();  // from the centres of mass, in body axes
  Vec3 e = Vec3::Zero();
  double reach = 0;
};

/// Adds the force F on b at P (and its reaction on a).
template <class T>
void push(const Vec<T, 3>& P, const Vec<T, 3>& F, const Moving<T>& a, const Moving<T>& b,
          Wrench<T>& on_a, Wrench<T>& on_b) {
  on_b.force += F;
  on_b.moment += cross<T>(P - b.r, F);
  on_a.force -= F;
  on_a.moment -= cross<T>(P - a.r, F);
}

struct WrenchFunction {
  using Wide = Dual<double, 24>;
  using Relative = Dual<double, 9>;
  template <class T>
  using Function = std::function<void(const Moving<T>&, const Moving<T>&, const PairContext&,
                                      Wrench<T>&, Wrench<T>&)>;

  template <class T>
  using EnergyOf = std::function<T(const Moving<T>&, const Moving<T>&, const PairContext&)>;

  Function<double> value;
  Function<Wide> derive;
  Function<Along> along;
  Function<Relative> derive_relative;  // where round_b ≥ 0
  int round_b = -1;                    // index of the point about which b is round
  /// Potential energy, if there is one.
  EnergyOf<double> energy;
  EnergyOf<Along> energy_along;  // if it is a template
  /// Whether the bodies act on each other; if not, derivatives must also be zero. Empty: always.
  std::function<bool(const Moving<double>&, const Moving<double>&, const PairContext&)> touches;
  /// A fast test before that, from geometry and constants alone; empty: everywhere.
  std::function<PairReach(const PairContext&)> reach;
  bool reads_settings = true;  // or time: its derivatives with respect to these are unknown
};

template <class F>
WrenchFunction wrench_function(const F& f) {
  WrenchFunction made;
  const auto call = [f](const auto& a, const auto& b, const PairContext& c, auto& on_a,
                        auto& on_b) { f(a, b, c, on_a, on_b); };
  made.value = call;
  if constexpr (requires { F::round_b; }) {
    made.derive_relative = call;
    made.round_b = F::round_b;
  } else {
    made.derive = call;
  }
  made.along = call;
  if constexpr (requires(const Moving<double>& m, const PairContext& c) { f.energy(m, m, c); })
    made.energy = [f](const Moving<double>& a, const Moving<double>& b, const PairContext& c) {
      return f.energy(a, b, c);
    };
  if constexpr (requires(const Moving<Along>& m, const PairContext& c) { f.energy(m, m, c); })
    made.energy_along = [f](const Moving<Along>& a, const Moving<Along>& b, const PairContext& c) {
      return f.energy(a, b, c);
    };
  if constexpr (requires(const Moving<double>& m, const PairContext& c) { f.touches(m, m, c); })
    made.touches = [f](const Moving<double>& a, const Moving<double>& b, const PairContext& c) {
      return f.touches(a, b, c);
    };
  if constexpr (requires(const PairContext& c) { f.reach(c); })
    made.reach = [f](const PairContext& c) { return f.reach(c); };
  return made;
}

}  // namespace mechfmu::mechanics
