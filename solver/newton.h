// Newton's method for the equations (14) of a step. Internal header.

#pragma once

#include "solver/workspace.h"

namespace mechfmu {

/// y''₁ and x'(t₁) of the iterate.
void form_rates(Workspace& w, const State& s);
/// The end of the step that follows from the iterate; its multipliers are those of the iterate.
void form_end(Workspace& w, const State& s);
/// M a of the equations of motion, into w.Mv.
void multiply_mass(Workspace& w);

/// f₁ by the equations of motion from M a, for every coordinate: mass M a + known (αm (M a)_α − αf f₀).
struct Balance {
  double mass, known;
  explicit Balance(const Workspace& w)
      : mass(w.method.equilibrium ? 1 : w.c.end_weight()),
        known(w.method.equilibrium ? 0 : 1 / (1 - w.c.alpha_f)) {}
};

enum class Newton { converged, slow, broken };

/// Modified Newton from the predicted unknowns with the matrices at hand; `fresh`: their derivatives
/// were taken there.
[[nodiscard]] Newton iterate(Workspace& w, State& s, bool fresh);
/// Options::real_time iterations, whatever they leave (w.newton_residual). False: that is no
/// solution at all (w.trouble).
[[nodiscard]] bool iterate_in_real_time(Workspace& w, State& s);

/// Whether the derivatives of the last step should be taken anew at the end of the next one.
bool renewal_is_due(const Workspace& w, const State& s);

}  // namespace mechfmu
