// All data that change during a run, in one struct: copy it to save, copy it back to restore.
//
// A restored run continues bit for bit, including statistics and reuse of factorizations. The state
// does not hold the factored matrices. It holds the point of their derivatives and the order of
// elimination; the solver recomputes the matrices from these if another run has used it in between.

#pragma once

#include <array>
#include <cstdint>

#include "model/system.h"
#include "solver/kkt.h"

namespace mechfmu {

/// The memory of the method. Values at t + αh lie on a line through two of them, (15) and (16):
///   a_α(h) = a + (αh − offset)/span · Δa,   likewise (M a)_α and, for the states, x'_α.
struct History {
  double offset = 0;    // a belongs to t + offset (αh of the step that made it)
  double span = 1;      // time over which a changed by Δa
  double slope_at = 0;  // Δa/span is the derivative at t + slope_at
  double age = 0;       // time since a was replaced: > 0 after a tiny step
  bool fresh = false;   // computed from a₀ and a₀' by differentiation, not by steps
  Vector a, da;         // a_{n+α} and its change                                     n
  Vector Ma, dMa;       // (M a)_{n+α}, the product as it was, and its change         n
                        // (unused while fresh: then M is evaluated at t + αh)
  Vector xd, dxd;       // x'_{n+α} and its change                                    x
};

/// The last solutions of the step equations, newest first, for the predictor.
struct Predictions {
  static constexpr int capacity = 4;
  Matrix u;                                // columns (a, ã − a, x', μ, μ̃ − μ)
  std::array<double, capacity> time{};     // times of μ
  std::array<double, capacity> shifted{};  // times of a and x': time + αh
  int newest = 0, count = 0;
  int degree = 1, degree_apart = 1;  // of a, x', μ and of the differences
};

/// u(τ) = value + slope (τ − t) + curvature (τ − t)²/2: the inputs as set at t.
struct InputSignal {
  double t = 0;
  Vector value, slope, curvature;
  bool constant = true;

  void at(double time, Vector& u) const {
    const double dt = time - t;
    u = value + dt * (slope + (dt / 2) * curvature);
  }
};

/// The jump of the inputs since the last step, and the last jump that was added to the history: the
/// next one may be similar.
struct InputJump {
  Vector u;
  Vector last_u, last;  // jumps of the inputs and of (a, μ, x'); 0: none
};

/// The contents of the linear algebra, now or when it last served this state.
struct KktContents {
  std::uint64_t stamp = 0;  // identifies the point of the derivatives
  std::uint64_t order = 0;  // identifies the orders of elimination
  bool valid = false;       // derivatives are available
  bool mass = false;        // the mass KKT matrix is factored
  bool newton = false;      // the Newton KKT matrix is factored
  bool redundant = false;   // constraints depend on each other: rank-revealing factorization
  double h = 0;             // step size of the Newton KKT matrix

  friend bool operator==(const KktContents&, const KktContents&) = default;
};

/// The contents, and all data to recompute them.
struct KktRecord : KktContents {
  NewtonWeights weights;
  double kappa = 0;
  double served = 0;  // steps accepted since the derivatives were computed
  // Ratio |Δa'| / |Δa| of the last jump of inputs whose rate was computed since then; −1: none.
  double jump_rate = -1;
  // Contraction of the iteration for such a jump, per step accepted until then; −1: none.
  double jump_aging = -1;
  Point at;
  Vector u;  // inputs and parameters at that point
  KktOrders orders;

  const KktContents& contents() const { return *this; }
  /// Makes the next factorization find orders, and rows that can be left out.
  void forget_orders(const Sizes& sizes) {
    order = 0;
    orders.resize(sizes);
  }
};

struct Statistics {
  std::int64_t steps = 0;
  std::int64_t rejected_error = 0;       // error estimate above the tolerance
  std::int64_t rejected_newton = 0;      // no convergence even with new derivatives
  std::int64_t rejected_singular = 0;    // matrix singular
  std::int64_t rejected_non_finite = 0;  // model function not finite
  std::int64_t newton_iterations = 0;
  std::int64_t evaluations = 0;
  std::int64_t jacobians = 0;
  std::int64_t factorizations = 0;  // both matrices
  // Fresh histories: initially, after jumps, at large step ratios.
  std::int64_t restarts = 0;
  // Steps in which the motion converged, but λ, ψ did not.
  std::int64_t unconverged_multipliers = 0;

  std::int64_t rejected() const {
    return rejected_error + rejected_newton + rejected_singular + rejected_non_finite;
  }
  friend bool operator==(const Statistics&, const Statistics&) = default;
};

struct State {
  Point point;  // t, y, z, μ, x, and the accelerations and x' at t
  Vector f;     // f at the point
  History history;
  Predictions predictions;
  InputSignal input;
  InputJump jump;
  bool jumped = false;             // inputs or parameters were changed since the last step
  bool parameters_jumped = false;  // parameters were changed

  double h = 0;         // size of the next step, proposed by the controller
  double last_h = 0;    // size of the last step
  double error = 0;     // error estimate of that step in units of the tolerance
  double residual = 0;  // last Newton increment of y and x in that step, in units of the tolerance
  double rate = 1;      // last measured contraction of Newton's method
  Energies energies;    // at the point; computed for loose tolerances only
  bool energies_known = false;  // energies are known, and nothing has jumped since
  double most_kinetic = 0;      // largest kinetic energy of the run so far
  bool after_rejection = false;
  bool refresh = false;     // convergence was slow: compute new derivatives
  Vector y_scale, x_scale;  // Y_i = max(nominal, largest |y_i| so far)
  Vector constraint_scale;  // change of g, k when the coordinates move by their scales   m + k

  KktRecord kkt;
  Statistics statistics;

  void resize(const Sizes& sizes);
  /// Calls visit(member) for every number and vector: one list for saving, comparing and hashing.
  template <class Visitor>
  void visit(Visitor&& visitor);
};

template <class Visitor>
void State::visit(Visitor&& v) {
  const auto visit_point = [&](Point& p) {
    v(p.t), v(p.y), v(p.z), v(p.a), v(p.mu), v(p.x), v(p.xdot), v(p.memory);
  };
  visit_point(point), v(f);
  v(history.offset), v(history.span), v(history.slope_at), v(history.age), v(history.fresh);
  v(history.a), v(history.da), v(history.Ma), v(history.dMa), v(history.xd), v(history.dxd);
  v(predictions.u), v(predictions.time), v(predictions.shifted);
  v(predictions.newest), v(predictions.count), v(predictions.degree), v(predictions.degree_apart);
  v(input.t), v(input.value), v(input.slope), v(input.curvature), v(input.constant);
  v(jump.u), v(jump.last_u), v(jump.last);
  v(jumped), v(parameters_jumped), v(h), v(last_h), v(error), v(residual), v(rate),
      v(after_rejection), v(refresh);
  v(energies.kinetic), v(energies.potential), v(energies.power), v(energies_known), v(most_kinetic);
  v(y_scale), v(x_scale), v(constraint_scale);
  auto& l = kkt;
  v(l.stamp), v(l.valid), v(l.mass), v(l.newton), v(l.redundant), v(l.h), v(l.kappa), v(l.served),
      v(l.jump_rate), v(l.jump_aging);
  v(l.order), v(l.orders.mass), v(l.orders.newton), v(l.orders.left_out);
  v(l.orders.best_pivot), v(l.orders.newton_numbers), v(l.orders.forces.nodes),
      v(l.orders.forces.left_out);
  visit_point(l.at), v(l.u);
  v(l.weights.velocity), v(l.weights.position), v(l.weights.constraint), v(l.weights.nonholonomic);
  auto& s = statistics;
  v(s.steps), v(s.rejected_error), v(s.rejected_newton), v(s.rejected_singular);
  v(s.rejected_non_finite), v(s.newton_iterations), v(s.evaluations), v(s.jacobians);
  v(s.factorizations), v(s.restarts), v(s.unconverged_multipliers);
}

}  // namespace mechfmu
