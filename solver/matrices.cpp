// Ownership of the factors: when derivatives are computed, what is factored from them, and how the
// matrices of a state are restored after another state has used the solver.
//
// A state does not hold matrices but a record: the point of the derivatives, the step, which
// matrices were factored, and in which order of elimination. The record has stamps, hashes of that
// point and of the orders; the workspace keeps the stamps of its contents. If the two differ, the
// matrices are recomputed from the record, bit for bit, on any solver.

#include <cmath>
#include <cstdint>
#include <utility>

#include "solver/stamp.h"
#include "solver/workspace.h"

namespace mechfmu {

namespace {

NewtonWeights newton_weights(const Workspace& w, double h) {
  const double s = w.c.end_weight();
  const double rows = h * w.c.beta / w.c.gamma;
  return {h * w.c.gamma / s, h * h * w.c.beta / s, w.method.velocity_constraints ? rows : 0, rows};
}

/// Weight of (M a)_y in the Newton matrix: M depends on y₁ in two of the methods only.
double mass_gradient(const Workspace& w) {
  if (!w.method.mass_at_end) return 0;
  return w.method.equilibrium ? 1 : w.c.end_weight();
}

/// A hash of all data that affect the derivatives; never 0.
std::uint64_t stamp_of(const KktRecord& record) {
  Stamp stamp;
  const Point& p = record.at;
  stamp.add(p.t);
  for (const Vector* v : {&p.y, &p.z, &p.a, &p.mu, &p.x, &p.xdot, &p.memory, &record.u})
    for (const double number : *v) stamp.add(number);
  stamp.add(record.kappa);
  return stamp.value();
}

/// Uses the orders of elimination of the state: none before its first factorization.
void use_orders(Workspace& w, const KktRecord& record) {
  if (w.kkt->order_stamp() != record.order) w.kkt->set_orders(record.orders);
}

/// Stores the orders of elimination in the state after a factorization.
void note_orders(const Workspace& w, KktRecord& record) {
  if (w.kkt->order_stamp() == record.order) return;
  record.order = w.kkt->order_stamp();
  record.orders = w.kkt->orders();
}

[[nodiscard]] bool factor_newton(Workspace& w, State& s) {
  KktRecord& record = s.kkt;
  record.h = w.h;
  record.weights = newton_weights(w, w.h);
  record.newton = w.kkt->factor_newton(record.weights);
  note_orders(w, record);
  ++s.statistics.factorizations;
  w.held = record.contents();
  if (!record.newton) w.trouble = {Failure::singular_matrix};
  return record.newton;
}

[[nodiscard]] bool factor_mass(Workspace& w, State& s) {
  KktRecord& record = s.kkt;
  const int searches = w.kkt->searches();
  record.mass = w.kkt->factor_mass();
  record.newton = record.newton && w.kkt->searches() == searches;
  note_orders(w, record);
  ++s.statistics.factorizations;
  w.held = record.contents();
  if (!record.mass) w.trouble = {Failure::singular_matrix};
  return record.mass;
}

void change_places(Workspace& w) {
  std::swap(w.kkt, w.aside);
  std::swap(w.held, w.held_aside);
  w.looking_aside = !w.looking_aside;
}

bool is_look(const Workspace& w, const State& s) { return &s == &w.scratch; }

}  // namespace

bool two_sets(const Workspace& w) {
  return w.method.velocity_constraints && w.system.sizes().mu() > 0;
}

namespace {

/// Records the point of the next derivatives; looks have separate matrices.
void note_point(Workspace& w, State& s, const Point& p) {
  KktRecord& record = s.kkt;
  if (is_look(w, s) && !w.looking_aside) {
    if (!w.aside) w.aside = make_kkt(w.system);
    change_places(w);
    w.kkt->set_redundant(record.redundant);
  }
  record.at = p;
  record.kappa = mass_gradient(w);
  w.system.get_inputs(record.u);
  record.stamp = stamp_of(record);
  record.newton = record.mass = false;
}

}  // namespace

bool take_derivatives(Workspace& w, State& s, const Point& p) {
  KktRecord& record = s.kkt;
  note_point(w, s, p);
  // With new derivatives, the rate is that of a single step.
  if (record.served > 1) s.rate /= record.served;
  record.served = 0;
  record.jump_rate = record.jump_aging = -1;
  use_orders(w, record);
  w.system.at(p);
  w.kkt->evaluate(record.kappa);
  ++s.statistics.jacobians;
  record.valid = w.kkt->finite();
  w.held = record.contents();
  if (!record.valid) w.trouble = {Failure::non_finite, "a derivative of f, g, k or d", -1};
  return record.valid;
}

bool ensure_mass(Workspace& w, State& s, const Point& p) {
  // A look does not factor a matrix that the run has not factored.
  const bool anew = !s.kkt.valid || (is_look(w, s) && !s.kkt.mass);
  if (anew && !take_derivatives(w, s, p)) return false;
  return s.kkt.mass || factor_mass(w, s);
}

bool renew_mass(Workspace& w, State& s, const Point& p) {
  return take_derivatives(w, s, p) && factor_mass(w, s);
}

bool ensure_mass_at(Workspace& w, State& s, const Point& p) {
  note_point(w, s, p);
  KktRecord& record = s.kkt;
  const bool there = w.held.valid && w.held.mass && w.held.stamp == record.stamp &&
                     w.held.order == record.order && w.held.redundant == record.redundant;
  if (!there) return renew_mass(w, s, p);
  record.valid = record.mass = true;
  return true;
}

bool ensure_newton(Workspace& w, State& s) {
  const KktRecord& record = s.kkt;
  if (two_sets(w) && !record.mass && !factor_mass(w, s)) return false;
  const bool fits =
      record.newton && std::abs(w.h / record.h - 1) <= w.options.experiments.refactor_ratio;
  return fits || factor_newton(w, s);
}

void prepare_steps(Workspace& w, State& s, double h) {
  if (w.system.passing() == nullptr) return;
  w.h = h;
  static_cast<void>(factor_newton(w, s));
}

void prepare_looks(Workspace& w, const State& s) {
  w.scratch = s;
  static_cast<void>(renew_mass(w, w.scratch, s.point));
  end_look(w);
}

void end_look(Workspace& w) {
  if (w.looking_aside) change_places(w);
}

void restore_matrices(Workspace& w, State& s) {
  end_look(w);  // a model function may have thrown during the last look
  const KktRecord& record = s.kkt;
  w.kkt->set_redundant(record.redundant);
  if (w.held == record.contents() || !record.valid) return;
  use_orders(w, record);
  w.system.set_inputs(record.u);
  w.system.at(record.at);
  w.kkt->evaluate(record.kappa);
  const bool mass = !record.mass || w.kkt->factor_mass();
  const bool newton = !record.newton || w.kkt->factor_newton(record.weights);
  note_orders(w, s.kkt);
  // A factorization is repeated from the same numbers in the same order, so it succeeds unless the
  // numbers were changed. In that case the workspace holds the matrices of no valid record: s may
  // be a copy for a look.
  if (!mass || !newton) s.kkt.valid = false;
  w.held = record.contents();
}

}  // namespace mechfmu
