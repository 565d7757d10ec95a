// Coefficients of the generalized-α family and the table of methods built on it.
//
//   y₁ = y₀ + h z₀ + h²/2 ((1−2β) a_α + 2β a₁₊α)
//   z₁ = z₀ + h ((1−γ) a_α + γ a₁₊α)
//   (1−αm) M a₁₊α + αm M a_α = (1−αf) f₁ + αf f₀            Chung & Hulbert; Jay & Negrut (2)–(4)
//
// α = αm − αf is the time shift of the accelerations in steps: a_α ≈ a(t₀ + αh), a₁₊α ≈ a(t₁ + αh).

#pragma once

#include <algorithm>
#include <cmath>

#include "model/settings.h"

namespace mechfmu {

struct Coefficients {
  double alpha_m = 0, alpha_f = 0, beta = 0.25, gamma = 0.5;

  double alpha() const { return alpha_m - alpha_f; }
  /// Factor of the local error of y during a run: C h² (a₁₊α − a_α), C = β + α/2 − 1/6.
  double error_constant() const { return beta + alpha() / 2 - 1.0 / 6; }
  /// Bound of its size for purposes that need a positive error: at least that of the trapezoidal
  /// rule.
  double error_bound() const { return std::max(std::abs(error_constant()), 1.0 / 12); }
  /// First-order states have the error |1/12 − α²/2| h³ x‴; this bounds its factor.
  double state_error_bound() const { return 1.0 / 12 + alpha() * alpha() / 2; }
  /// ∂(true acceleration at t₁)/∂a₁₊α.
  double end_weight() const { return (1 - alpha_m) / (1 - alpha_f); }

  /// Chung & Hulbert: ρ∞ = 1 no damping … 0 strongest damping of the highest frequencies.
  static Coefficients from_rho(double rho_inf);
  /// Hilber, Hughes & Taylor: α in [−1/3, 0].
  static Coefficients hht(double alpha);
  static Coefficients newmark(double beta, double gamma);
  static Coefficients trapezoidal() { return newmark(0.25, 0.5); }
};

/// The differences between the methods; the rest of the step is common.
struct MethodTraits {
  bool velocity_constraints;  // second set ã, λ̃, ψ̃; g_t + G z = 0 at t₁
  bool mass_at_end;           // M(t₁,y₁) instead of M(t₀+(1+α)h, y₀+(1+α)h z₀)
  bool equilibrium;  // M₁ y''₁ = f₁ exactly; the history is y''₀ instead of (M a)_α and f₀
};

const MethodTraits& traits(Method method);
/// The usual coefficients of a method: ρ∞ = 0.8, or α = −0.3 for HHT.
Coefficients default_coefficients(Method method);

}  // namespace mechfmu
