// Messages for failures: what happened, when, and what may help.

#include "solver/result.h"

#include "model/format.h"
#include "model/variables.h"
#include "solver/workspace.h"

namespace mechfmu {

std::string_view name(Failure failure) {
  switch (failure) {
    case Failure::none: return "none";
    case Failure::cannot_assemble: return "cannot assemble";
    case Failure::inconsistent_velocity: return "inconsistent velocity";
    case Failure::no_equilibrium: return "no equilibrium";
    case Failure::contradiction: return "contradiction";
    case Failure::singular_matrix: return "singular matrix";
    case Failure::newton: return "Newton";
    case Failure::step_too_small: return "step too small";
    case Failure::non_finite: return "non-finite value";
    case Failure::too_many_steps: return "too many steps";
  }
  return "unknown";
}

std::string describe(const Workspace& w, const State& s, const Trouble& trouble) {
  const std::string when = "t = " + format(s.point.t) + ": ";
  const Options& o = w.options;
  switch (trouble.failure) {
    case Failure::non_finite: {
      std::string where = trouble.function;
      if (trouble.row >= 0) where += ", row " + std::to_string(trouble.row + 1);
      return when + "the model returned NaN or infinity in " + where +
             "; check parameters and inputs, and divisions or roots in that function";
    }
    case Failure::singular_matrix:
      return when +
             "the matrix of accelerations and multipliers is singular; the mechanism may be in "
             "a singular position, which a looser tolerance (now " +
             format(o.tolerance) + ") steps over, or a coordinate has neither mass nor constraint";
    case Failure::newton:
      if (o.real_time > 0)
        return when + "real-time mode: after " + std::to_string(o.real_time) +
               " Newton iterations a step of " + format(w.h) +
               " s is not solved; use shorter steps or more iterations (real_time), and check for "
               "discontinuous forces";
      return when + "the step equations could not be solved with steps down to " + format(w.h) +
             " s; check for discontinuous forces, or loosen the tolerance (" + format(o.tolerance) +
             ")";
    case Failure::step_too_small:
      return when + "the error stays above the tolerance (" + format(o.tolerance) +
             ") down to the smallest step allowed, h_min = " + format(o.h_min) +
             " s; check for discontinuous forces";
    case Failure::too_many_steps:
      return when + "more than " + std::to_string(most_substeps(o, w.system.sizes())) +
             " substeps in one call; shorten the interval, loosen the tolerance or allow "
             "more of them (max_substeps)";
    case Failure::no_equilibrium: {
      std::string what = "no coordinate accelerates, but the search did not converge";
      const Index n = w.system.sizes().n;
      if (trouble.row >= n)
        what = "state '" + w.system.state_name(trouble.row - n) + "' still changes with " +
               format(trouble.size, 3) + " per second";
      else if (trouble.row >= 0)
        what = "'" + w.system.coordinate_name(trouble.row) + "' still accelerates with " +
               format(trouble.size, 3) + " " +
               w.system.variables().coordinates()[ix(trouble.row)].unit + "/s2";
      return when + "no static equilibrium was found near the start: " + what +
             "; hold or support it, place the mechanism nearer to where it can rest, or start it "
             "as "
             "it is placed";
    }
    case Failure::contradiction:
      return when + "constraint '" + w.system.constraint_name(trouble.row) +
             "' contradicts others: until now it followed from them; it is now off by " +
             format(trouble.size, 3) +
             "; where two drivers, or a driver and a coupling, ask for different motions, "
             "change or "
             "remove one";
    case Failure::cannot_assemble:
      if (s.parameters_jumped)
        return when +
               "the constraints cannot be met after the change of a parameter; change it in "
               "smaller "
               "steps";
      if (s.jumped)
        return when +
               "the constraints cannot be met with the new inputs; a constraint that depends on an "
               "input must not jump";
      return when + "the constraints can no longer be met near this position";
    default: return when + std::string(name(trouble.failure));
  }
}

}  // namespace mechfmu
