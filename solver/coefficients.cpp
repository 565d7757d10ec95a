#include "solver/coefficients.h"

#include <array>
#include <stdexcept>

namespace mechfmu {

namespace {
double squared(double x) { return x * x; }

/// β and γ for second order and unconditional stability.
Coefficients optimal(double alpha_m, double alpha_f) {
  const double alpha = alpha_m - alpha_f;
  return {alpha_m, alpha_f, squared(1 - alpha) / 4, 0.5 - alpha};
}
}  // namespace

Coefficients Coefficients::from_rho(double rho_inf) {
  if (!(rho_inf >= 0 && rho_inf <= 1))
    throw std::invalid_argument("rho_inf must lie between 0 (strongest damping) and 1 (none)");
  return optimal((2 * rho_inf - 1) / (1 + rho_inf), rho_inf / (1 + rho_inf));
}

Coefficients Coefficients::hht(double alpha) {
  if (!(alpha >= -1.0 / 3 && alpha <= 0))
    throw std::invalid_argument("HHT's alpha must lie between -1/3 (strongest damping) and 0");
  return optimal(0, -alpha);
}

Coefficients Coefficients::newmark(double beta, double gamma) {
  if (!(beta > 0 && gamma > 0))
    throw std::invalid_argument("Newmark's beta and gamma must be positive");
  return {0, 0, beta, gamma};
}

const MethodTraits& traits(Method method) {
  static constexpr std::array<MethodTraits, 4> table = {{
      {true, false, false},   // soi2
      {false, false, false},  // hht_i3
      {false, true, true},    // arnold_bruls
      {false, true, false},   // hht_i3_printed
  }};
  return table[static_cast<std::size_t>(method)];
}

Coefficients default_coefficients(Method method) {
  const bool hht = method == Method::hht_i3 || method == Method::hht_i3_printed;
  return hht ? Coefficients::hht(-0.3) : Coefficients::from_rho(0.8);
}

}  // namespace mechfmu
