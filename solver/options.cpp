#include "solver/options.h"

#include <algorithm>

#include "solver/tuning.h"

namespace mechfmu {

Options make_options(const SolverSettings& s, double tolerance) {
  check_ranges(s);
  Options o;
  o.method = s.method;
  o.coefficients = s.method == Method::hht_i3 ? Coefficients::hht(s.alpha_hht)
                                              : Coefficients::from_rho(s.rho_inf);
  o.tolerance = s.tolerance > 0 ? s.tolerance : tolerance;
  o.fixed_step = s.fixed_step;
  o.h_min = s.h_min;
  if (s.h_max > 0) o.h_max = s.h_max;
  o.h_init = s.h_init;
  o.max_substeps = s.max_substeps;
  o.real_time = s.real_time;
  o.experiments.rescale_a = o.experiments.rescale_Ma = s.rescale;
  o.experiments.jump = s.jump_shift ? JumpTreatment::treat : JumpTreatment::carry;
  return o;
}

long most_substeps(const Options& options, const Sizes& sizes) {
  using limit = tuning::control;
  if (options.max_substeps > 0) return options.max_substeps;
  const double affordable = limit::most_work / static_cast<double>(std::max<Index>(1, sizes.kkt()));
  return static_cast<long>(std::clamp(affordable, limit::least_substeps, limit::most_substeps));
}

}  // namespace mechfmu
