// The settings of the solver that a user may choose, as a struct and as one table.
//
// The struct is what models write, v.solver({.method = Method::hht_i3, .h_max = 1e-2}); the table gives every field its name,
// range, unit and description, and access to it as a number. FMU variables, mechanism files and saved states go by the table, so
// that a setting is added in two places: a field here and a row in settings.cpp (and used in solver/options.cpp).

#pragma once

#include <span>
#include <string_view>

namespace mechfmu {

enum class Method {
  soi2,          // Jay & Negrut (14): position and velocity constraints at every step
  hht_i3,        // Negrut et al.: index 3; M taken at t₀ + (1+α)h so that M(y) keeps order 2
  arnold_bruls,  // Arnold & Brüls, Algorithm 1: index 3, equilibrium exact at every step
  hht_i3_printed,  // Negrut et al. (11) to the letter: M(y₁); order 1 when M depends on y. For comparison only
};
std::string_view name(Method method);
constexpr int offered_methods = 3;  // the first ones, in this order

/// What a step may err by, relative to the size of the mechanism. Errors at the end of a run are some 10⁴ times as large
/// (docs/accuracy.md, "What the default gives"): this one is right to the eye.
constexpr double default_tolerance = 1e-8;

/// Where bodies are when a run begins: where the model puts them, or at rest in the static equilibrium that is near.
enum class StartPosition { placed, equilibrium };

struct SolverSettings {
  Method method = Method::soi2;
  double rho_inf = 0.8;     // damping of soi2 and arnold_bruls
  double alpha_hht = -0.3;  // of hht_i3
  double tolerance =
      0;  // 0: that of the default experiment, or of the importer where it is tighter
  double fixed_step = 0;  // 0: substeps follow the tolerance
  double h_min = 1e-12;
  double h_max = 0;      // 0: no limit
  double h_init = 0;     // 0: chosen
  int max_substeps = 0;  // 0: by the size of the model, some seconds of work
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
