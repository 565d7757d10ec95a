// The settings of the solver that a user can choose, as a struct and as a table.
//
// Models write the struct, v.solver({.method = Method::hht_i3, .h_max = 1e-2}). The table gives
// each field its name, range, unit and description, and access to it as a number. FMU variables,
// mechanism files and saved states use the table. A new setting is a field here, a row in
// settings.cpp and its use in solver/options.cpp.

#pragma once

#include <span>
#include <string_view>

namespace mechfmu {

enum class Method {
  soi2,          // Jay & Negrut (14): position and velocity constraints at every step
  hht_i3,        // Negrut et al.: index 3; M taken at t₀ + (1+α)h so that M(y) keeps order 2
  arnold_bruls,  // Arnold & Brüls, Algorithm 1: index 3, equilibrium exact at every step
  // Negrut et al. (11) as printed, M(y₁); order 1 if M depends on y. For comparison only
  hht_i3_printed,
};
std::string_view name(Method method);
constexpr int offered_methods = 3;  // the first ones of Method

/// Bound of the error of a step, relative to the size of the mechanism. Errors at the end of a run
/// are about 10⁴ times as large (docs/accuracy.md, "What the default gives"), which the eye cannot
/// see.
constexpr double default_tolerance = 1e-8;

/// Where bodies are when a run begins: as placed by the model, or at rest in the nearby static
/// equilibrium.
enum class StartPosition { placed, equilibrium };

struct SolverSettings {
  Method method = Method::soi2;
  double rho_inf = 0.8;     // damping of soi2 and arnold_bruls
  double alpha_hht = -0.3;  // of hht_i3
  double tolerance = 0;     // 0: the tighter of the default experiment and the importer
  double fixed_step = 0;    // 0: substeps follow the tolerance
  double h_min = 1e-12;
  double h_max = 0;      // 0: no limit
  double h_init = 0;     // 0: chosen automatically
  int max_substeps = 0;  // 0: by the size of the model, about some seconds of work
  int real_time = 0;     // 0: off; n: one substep per call, with n Newton iterations
  bool rescale = true;
  bool jump_shift = true;

  friend bool operator==(const SolverSettings&, const SolverSettings&) = default;
};

/// A solver setting as a number: methods count from 1, Booleans are 0 or 1.
struct SolverSettingRow {
  enum class Type { real, integer, boolean, method };

  std::string_view name;  // "rho_inf"; as a variable "solver.rho_inf"
  Type type;
  double min, max;
  std::string_view unit, about;
  double (*get)(const SolverSettings&);
  void (*set)(SolverSettings&, double);
};

std::span<const SolverSettingRow> solver_setting_rows();
/// The row of a name ("rho_inf"); null when there is none.
const SolverSettingRow* find_solver_setting(std::string_view name);

/// Throws std::invalid_argument, "solver.rho_inf = 1.5 is out of range: …".
void check_range(const SolverSettingRow& row, double value);
void check_ranges(const SolverSettings& settings);

}  // namespace mechfmu
