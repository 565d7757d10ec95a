// Derivatives of variables.
//
//   by inputs during a run          v(u, a, μ, x') with constant y, z, x; a, μ, x' depend on u by
//                                   linear equations: exact if the system knows the derivatives of
//                                   its laws by inputs and of its outputs (System::vary)
//
// All others, by differences of sixth order:
//
//   dv/ds ≈ Σ_k w_k (v(s + k h) − v(s − k h)) / h,   w = sixth_order (model/differences.h)
//
//   by parameters during a run      like inputs
//   by values set before a run      v through the whole initialization; one-sided, if the values on
//                                   the other side are refused
//   of outputs in time              v along the motion that continues from here
//
// Every value that is changed for this is restored, also after an exception.

#include <algorithm>
#include <cmath>
#include <utility>

#include "fmu_src/at_exit.h"
#include "fmu_src/instance.h"
#include "model/differences.h"

namespace mechfmu {

namespace {

double step_of(double value, double relative) {
  return relative * (value == 0 ? 1 : std::abs(value));
}

}  // namespace

void Instance::check_known(std::uint32_t reference) const {
  Index element = 0;
  const Entry& e = entry(reference, {Type::real}, element);
  const bool start =
      now_.phase == initialization && !e.start.empty() && e.source != Source::setting;
  if (e.source != Source::input && !start)
    throw error(
        "'" + e.name +
        "' is not an input, a parameter or a start value; nothing can be derived by it now");
}

void Instance::directional_derivative(const std::vector<std::uint32_t>& unknowns,
                                      const std::vector<std::uint32_t>& knowns,
                                      const std::vector<double>& seed,
                                      std::vector<double>& sensitivity) {
  for (const std::uint32_t known : knowns) check_known(known);
  sensitivity.assign(unknowns.size(), 0);
  const bool exact =
      now_.phase != initialization && exact_derivatives(unknowns, knowns, seed, sensitivity);
  // One known after the other, each with a step of a suitable size.
  for (std::size_t j = 0; j < knowns.size(); ++j) {
    if (exact || seed[j] == 0) continue;
    if (now_.phase == initialization)
      derivatives_by_start(unknowns, knowns[j], seed[j], sensitivity);
    else
      derivatives_by_input(unknowns, knowns[j], seed[j], sensitivity);
  }
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    require_finite_derivative(unknowns[i], sensitivity[i]);
}

void Instance::require_finite_derivative(std::uint32_t reference, double value) const {
  if (std::isfinite(value)) return;
  const Description::Place& place = places_[reference];
  throw error(when() + "the derivative of '" +
              description_.entries[place.entry].element_name(place.element) + "' is not finite");
}

void Instance::derivatives_by_start(const std::vector<std::uint32_t>& unknowns, std::uint32_t known,
                                    double seed, std::vector<double>& sensitivity) {
  Snapshot kept = now_;
  const AtExit put_back{[&] {
    std::swap(now_, kept);
    now_.initialized = false;
    forget_outputs();
  }};
  Index element = 0;
  const Entry& e = entry(known, {Type::real}, element);
  const double value = written(e, element);
  const double h = step_of(value, 5e-3);
  std::vector<double> made;
  const auto visit = [&](double by, double weight) {
    write(e, element, value + by);
    now_.initialized = false;
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      made[i] += seed * weight * get(unknowns[i], {Type::real});
  };
  // A flat disc has the largest possible inertia about its axis: only smaller values make a body.
  for (const int side : {0, 1, -1}) {
    made.assign(unknowns.size(), 0);
    try {
      if (side == 0)
        difference(h, visit);
      else
        one_sided_difference(side * h, visit);
      break;
    } catch (const Refusal&) {
      if (side == -1) throw;
    }
  }
  for (std::size_t i = 0; i < unknowns.size(); ++i) sensitivity[i] += made[i];
}

bool Instance::exact_sensitivity(const Point& p, Change& along) {
  bool exact = false;
  const Result result =
      ask_solver([&](Solver& solver) { return solver.sensitivity(now_.state, p, along, exact); });
  if (!result.ok()) throw error(result.message);
  return exact;
}

std::vector<std::size_t> Instance::derivatives_along(const std::vector<std::uint32_t>& unknowns,
                                                     const Change& along, bool exact, double factor,
                                                     std::vector<double>& sensitivity) {
  std::vector<std::size_t> left;
  Index element = 0;
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const Entry& e = entry(unknowns[i], {Type::real}, element);
    double slope = 0;
    switch (e.source) {
      case Source::a: slope = along.a[element]; break;
      case Source::lambda: slope = along.mu[element]; break;
      case Source::psi: slope = along.mu[system_->sizes().m + element]; break;
      case Source::output:
        if (!exact || !system_->vary(static_cast<std::size_t>(e.index), along, slope)) {
          left.push_back(i);
          continue;
        }
        break;
      default: break;  // positions, velocities, states and settings do not follow the inputs
    }
    sensitivity[i] += factor * slope;
  }
  return left;
}

bool Instance::exact_derivatives(const std::vector<std::uint32_t>& unknowns,
                                 const std::vector<std::uint32_t>& knowns,
                                 const std::vector<double>& seed,
                                 std::vector<double>& sensitivity) {
  Change along;
  along.resize(system_->sizes());
  Index element = 0;
  for (std::size_t j = 0; j < knowns.size(); ++j)
    along.u[entry(knowns[j], {Type::real}, element).index] += seed[j];
  look();
  const AtExit put_back{[this] { looked_at_ = 0; }};
  const Point p = system_->with_accelerations();
  if (!exact_sensitivity(p, along)) return false;
  std::vector<double> made(unknowns.size(), 0);
  if (!derivatives_along(unknowns, along, true, 1, made).empty()) return false;
  sensitivity = made;
  return true;
}

void Instance::derivatives_by_input(const std::vector<std::uint32_t>& unknowns, std::uint32_t known,
                                    double seed, std::vector<double>& sensitivity) {
  Index element = 0;
  const Index input = entry(known, {Type::real}, element).index;
  Change along;
  along.resize(system_->sizes());
  along.u[input] = 1;
  look();
  const AtExit put_back{[this] { looked_at_ = 0; }};
  const Point p = system_->with_accelerations();
  const bool exact = exact_sensitivity(p, along);
  if (!exact) {
    Point dp = p;
    const Result result = ask_solver(
        [&](Solver& solver) { return solver.input_sensitivity(now_.state, p, along.u, dp); });
    if (!result.ok()) throw error(result.message);
    along.a = dp.a;
    along.mu = dp.mu;
    along.xdot = dp.xdot;
  }
  const std::vector<std::size_t> of = derivatives_along(unknowns, along, exact, seed, sensitivity);
  if (of.empty()) return;
  std::vector<std::size_t> outputs(unknowns.size(), 0);
  for (const std::size_t i : of)
    outputs[i] = static_cast<std::size_t>(entry(unknowns[i], {Type::real}, element).index);
  Vector u(now_.u.size());
  now_.state.input.at(p.t, u);
  Point q = p;
  difference(step_of(u[input], 0.01), [&](double by, double weight) {
    q.a = p.a + by * along.a;
    q.mu = p.mu + by * along.mu;
    q.xdot = p.xdot + by * along.xdot;
    system_->set_inputs(u + by * along.u);
    system_->at(q);
    for (const std::size_t i : of) sensitivity[i] += seed * weight * system_->read(outputs[i]);
  });
}

void Instance::adjoint_derivative(const std::vector<std::uint32_t>& unknowns,
                                  const std::vector<std::uint32_t>& knowns,
                                  const std::vector<double>& seed,
                                  std::vector<double>& sensitivity) {
  sensitivity.assign(knowns.size(), 0);
  std::vector<double> column;
  for (std::size_t j = 0; j < knowns.size(); ++j) {
    directional_derivative(unknowns, {knowns[j]}, {1.0}, column);
    for (std::size_t i = 0; i < unknowns.size(); ++i) sensitivity[j] += seed[i] * column[i];
  }
}

void Instance::output_derivatives(std::span<const std::uint32_t> references,
                                  std::span<const int> orders, std::span<double> values) {
  std::vector<std::size_t> outputs;
  for (std::size_t i = 0; i < references.size(); ++i) {
    Index element = 0;
    const Entry& e = entry(references[i], {Type::real}, element);
    if (e.causality != Causality::output) throw error("'" + e.name + "' is not an output");
    if (orders[i] < 1 || orders[i] > description_.max_output_derivative)
      throw error("output derivatives of order 1 to " +
                  std::to_string(description_.max_output_derivative) + " are available, not " +
                  std::to_string(orders[i]));
    outputs.push_back(static_cast<std::size_t>(e.index));
  }
  if (outputs.empty()) return;
  look();
  const Point p = system_->with_accelerations();
  Vector rates;
  const Result result =
      ask_solver([&](Solver& solver) { return solver.rates(now_.state, p, rates); });
  if (!result.ok()) throw error(result.message);

  const AtExit put_back{[this] { looked_at_ = 0; }};
  const Sizes& size = system_->sizes();
  const double h = now_.state.h > 0 ? now_.state.h : now_.state.history.span;
  Point q = p;
  Vector delta(size.n);
  std::fill(values.begin(), values.end(), 0);
  difference(std::clamp(0.05 * h, 1e-6, 1e-2), [&](double s, double weight) {
    q.t = p.t + s;
    delta = s * p.z + s * s / 2 * p.a + s * s * s / 6 * rates.head(size.n);
    system_->displace(p.y, delta, q.y);
    q.z = p.z + s * p.a + s * s / 2 * rates.head(size.n);
    q.a = p.a + s * rates.head(size.n);
    q.mu = p.mu + s * rates.segment(size.n, size.mu());
    q.x = p.x + s * p.xdot + s * s / 2 * rates.tail(size.x);
    q.xdot = p.xdot + s * rates.tail(size.x);
    apply_inputs(q.t);
    system_->at(q);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      values[i] += weight * system_->read(outputs[i]);
  });
  for (std::size_t i = 0; i < outputs.size(); ++i)
    require_finite_derivative(references[i], values[i]);
}

}  // namespace mechfmu
