// The memory of the method before a step: a line through its last values, made to suit the step.
//
//   a_α = a + (αh − offset)/span Δa   (15), (16) for M a: solver/README.md, "Memory of the method"
//
// A jump of inputs shifts it or requires a fresh one (jumps.cpp). If a step is too long for the
// line, which would be unstable, a fresh history is made (consistent.cpp).

#include <cmath>

#include "solver/pass.h"
#include "solver/tuning.h"
#include "solver/workspace.h"

namespace mechfmu {

void rescale(Workspace& w, const State& s) {
  const History& history = s.history;
  const double to_alpha = w.c.alpha() * w.h;
  const double weight = (to_alpha - history.offset) / history.span;
  const double of_a = w.options.experiments.rescale_a || history.fresh ? weight : 0;
  const Index n = w.a_alpha.size();
  Sum z_2, a_2;
  pass(n, [&](auto part) {
    using N = typename decltype(part)::Numbers;
    const N per_scale = part.of(s.y_scale).inverse();
    const N a = part.of(history.a) + of_a * part.of(history.da);
    const N z = per_scale * part.of(s.point.z);
    part.of(w.per_scale) = per_scale;
    part.of(w.a_alpha) = a;
    z_2.add(z * z);
    a_2.add((per_scale * a) * (per_scale * a));
  });
  const double per_n = n > 0 ? 1 / static_cast<double>(n) : 0;
  w.speed = std::sqrt(per_n * z_2.value()) + w.h * std::sqrt(per_n * a_2.value());
  w.xd_alpha = history.xd + of_a * history.dxd;
  if (history.fresh) {
    w.delta = to_alpha * s.point.z;
    w.system.displace(s.point.y, w.delta, w.end.y);
    w.system.mass(s.point.t + to_alpha, w.end.y, w.mass);
    w.system.multiply_mass(w.mass, w.a_alpha, w.Ma_alpha);
  } else {
    w.Ma_alpha = history.Ma + (w.options.experiments.rescale_Ma ? weight : 0) * history.dMa;
  }
  w.known = w.c.alpha_m * w.Ma_alpha - w.c.alpha_f * s.f;
}

namespace {

/// Calls `keep` before it changes the point.
template <class Keep>
bool update_history(Workspace& w, State& s, double h, double wanted, bool anew, const Keep& keep) {
  if (s.jumped) {
    keep();
    if (!treat_jump(w, s, h, wanted)) return false;
    s.jumped = s.parameters_jumped = false;
    s.jump.u.setZero();
  }
  History& history = s.history;
  if (history.fresh) {
    // The slope is a derivative; the span only determines which steps are tiny.
    const double change = wanted / history.span;
    history.da *= change;
    history.dxd *= change;
    history.span = wanted;
  }
  const bool real_time = w.options.real_time > 0;
  // Newton's method has left a residual of g, a fraction of the error of the last step: too large
  // for a far smaller step.
  if (!real_time && h < tuning::history::sudden * s.last_h) {
    keep();
    apply_inputs(w, s, s.point.t);
    if (!project_onto_constraints(w, s, 0, h)) return false;
  }
  const double weight = (w.c.alpha() * h - history.offset) / history.span;
  const bool fits =
      !w.options.experiments.rescale_a || std::abs(weight) <= tuning::history::largest_weight;
  if (real_time && !fits) {
    // Order 1 in this step: the time for a fresh history is not bounded.
    for (Vector* slope : {&history.da, &history.dMa, &history.dxd}) slope->setZero();
    return true;
  }
  if (fits && !anew) return true;
  keep();
  return fresh_history(w, s, wanted, true, history_accuracy(w, s, wanted));
}

}  // namespace

bool prepare_history(Workspace& w, State& s, double h, double wanted, bool anew) {
  bool kept = false;
  const auto keep = [&] {
    if (!kept) w.before = s.point;
    kept = true;
  };
  if (update_history(w, s, h, wanted, anew, keep)) return true;
  if (kept) s.point = w.before;
  return false;
}

}  // namespace mechfmu
