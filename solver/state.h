// Everything that changes during a run, as one struct: copy it to save, copy it back to restore.
//
// A restored run continues bit for bit, statistics and reuse of factorizations included: the state
// does not hold the factored matrices but the point they were taken at and the order in which they were
// eliminated, from which they are recomputed when another run has used the solver in between.

#pragma once

#include <array>
#include <cstdint>

#include "model/system.h"
#include "solver/kkt.h"

namespace mechfmu {

/// The memory of the method. Values at t + αh come from a line through two of them, (15) and (16):
///   a_α(h) = a + (αh − offset)/span · Δa,   likewise (M a)_α and, for the states, x'_α.
struct History {
  double offset = 0;    // a lives at t + offset (αh of the step that made it)
  double span = 1;      // time over which a changed by Δa
  double slope_at = 0;  // t + slope_at is where Δa/span is the derivative
  double age = 0;       // time since a was replaced: > 0 after a tiny step
  bool fresh = false;   // made from a₀ and a₀' by differentiation, not by steps
  Vector a, da;         // a_{n+α} and its change                                     n
  Vector Ma, dMa;       // (M a)_{n+α}, the product as it was, and its change         n
                        // (unused while fresh: then M is evaluated at t + αh)
  Vector xd, dxd;       // x'_{n+α} and its change                                    x
};

/// The last solutions of the step equations, newest first, for the predictor.
struct Predictions {
  static constexpr int capacity = 4;
  Matrix u;                                // columns (a, ã − a, x', μ, μ̃ − μ)
  std::array<double, capacity> time{};     // where μ lives
  std::array<double, capacity> shifted{};  // where a and x' live: time + αh
  int newest = 0, count = 0;
  int degree = 1, degree_apart = 1;  // of a, x', μ and of the differences
};

/// u(τ) = value + slope (τ − t) + curvature (τ − t)²/2, the inputs as the user gave them at t.
struct InputSignal {
  double t = 0;
  Vector value, slope, curvature;
  bool constant = true;

  void at(double time, Vector& u) const {
    const double dt = time - t;
    u = value + dt * (slope + (dt / 2) * curvature);
  }
};

/// What the inputs have jumped by since the last step, and the last jump that was added to the history: the next may be like it.
struct InputJump {
  Vector u;
  Vector last_u, last;  // of the inputs, and of (a, μ, x') with them; 0: none
};

/// What the linear algebra holds, or held when the state was last on the solver.
struct KktContents {
  std::uint64_t stamp = 0;  // of the point where the derivatives were taken
  std::uint64_t order = 0;  // of the orders of elimination
  bool valid = false;       // derivatives taken
  bool mass = false;        // mass KKT factored
  bool newton = false;      // Newton KKT factored
  bool redundant = false;   // constraints depend on each other: rank-revealing factorization
  double h = 0;             // with this step size

  friend bool operator==(const KktContents&, const KktContents&) = default;
};

/// … and all that is needed to make it again.
struct KktRecord : KktContents {
  NewtonWeights weights;
  double kappa = 0;
  double served = 0;      // steps accepted since
  double jump_rate = -1;  // |Δa'| / |Δa| of the last jump of inputs that was rated since; -1: none
  double jump_aging =
      -1;  // contraction of the iteration for such a jump, per step accepted until then; -1: none
  Point at;
  Vector u;  // inputs and parameters at that point
  KktOrders orders;

  const KktContents& contents() const { return *this; }
  /// The next factorization finds orders, and rows that can be left out.
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
  std::int64_t factorizations = 0;           // of either matrix
  std::int64_t restarts = 0;                 // histories made anew: start, jumps, large step ratios
  std::int64_t unconverged_multipliers = 0;  // steps whose motion has converged, but not λ, ψ

  std::int64_t rejected() const {
    return rejected_error + rejected_newton + rejected_singular + rejected_non_finite;
  }
  friend bool operator==(const Statistics&, const Statistics&) = default;
};

struct State {
  Point point;  // t, y, z, μ, x and the accelerations and x' that belong to t
  Vector f;     // f there
  History history;
  Predictions predictions;
  InputSignal input;
  InputJump jump;
  bool jumped = false;             // inputs or parameters were changed since the last step
  bool parameters_jumped = false;  // parameters among them

  double h = 0;                 // step the controller wants next
  double last_h = 0;            // step taken last
  double error = 0;             // its error estimate in units of the tolerance
  double residual = 0;          // its last Newton increment, of y and x, in units of the tolerance
  double rate = 1;              // contraction of Newton's method, measured last
  Energies energies;            // at the point, where a loose tolerance is watched
  bool energies_known = false;  // … and nothing has jumped since
  double most_kinetic = 0;      // the largest kinetic energy there was
  bool after_rejection = false;
  bool refresh = false;     // convergence was slow: take the derivatives anew
  Vector y_scale, x_scale;  // Y_i = max(nominal, largest |y_i| so far)
  Vector constraint_scale;  // change of g, k when the coordinates move by their scales   m + k

  KktRecord kkt;
  Statistics statistics;

  void resize(const Sizes& sizes);
  /// Calls visit(member) for every number and vector: one list for saving, comparing, hashing.
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
