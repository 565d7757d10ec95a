// Newton's method for the equations (14) of a step. Internal header.

#pragma once

#include "solver/workspace.h"

namespace mechfmu {

/// Computes y''₁ and x'(t₁) of the iterate.
void form_rates(Workspace& w, const State& s);
/// Computes the end of the step from the iterate; its multipliers are those of the iterate.
void form_end(Workspace& w, const State& s);
/// Computes M a of the equations of motion, into w.Mv.
void multiply_mass(Workspace& w);

/// f₁ by the equations of motion from M a: mass M a + known (αm (M a)_α − αf f₀) per coordinate.
struct Balance {
  double mass, known;
  explicit Balance(const Workspace& w)
      : mass(w.method.equilibrium ? 1 : w.c.end_weight()),
        known(w.method.equilibrium ? 0 : 1 / (1 - w.c.alpha_f)) {}
};

enum class Newton { converged, slow, broken };

/// Modified Newton from the predicted unknowns with the present matrices; `fresh`: their
/// derivatives were computed there.
[[nodiscard]] Newton iterate(Workspace& w, State& s, bool fresh);
/// Takes Options::real_time iterations with any remaining error (w.newton_residual). False: the
/// result is not a solution (w.trouble).
[[nodiscard]] bool iterate_in_real_time(Workspace& w, State& s);

/// Whether the next step should renew the derivatives at its end.
bool renewal_is_due(const Workspace& w, const State& s);

}  // namespace mechfmu
