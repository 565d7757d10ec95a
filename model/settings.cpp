#include "model/settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "model/format.h"

namespace mechfmu {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<std::string_view, 4> method_names = {"soi2", "hht_i3", "arnold_bruls",
                                                          "hht_i3_printed"};

/// A row for a field, with its access as a number.
template <auto Field>
constexpr SolverSettingRow row(std::string_view name, double min, double max, std::string_view unit,
                               std::string_view about) {
  using Value = std::remove_reference_t<decltype(std::declval<SolverSettings&>().*Field)>;
  constexpr bool is_method = std::is_same_v<Value, Method>;
  const auto type = is_method                       ? SolverSettingRow::Type::method
                    : std::is_same_v<Value, bool>   ? SolverSettingRow::Type::boolean
                    : std::is_same_v<Value, double> ? SolverSettingRow::Type::real
                                                    : SolverSettingRow::Type::integer;
  return {
      name,
      type,
      min,
      max,
      unit,
      about,
      [](const SolverSettings& s) { return static_cast<double>(s.*Field) + (is_method ? 1 : 0); },
      [](SolverSettings& s, double value) {
        if constexpr (is_method)
          s.*Field = static_cast<Method>(static_cast<int>(value) - 1);
        else
          s.*Field = static_cast<Value>(value);
      }};
}

using S = SolverSettings;
constexpr std::array rows = {
    row<&S::method>("method", 1, offered_methods, "1", "integration method"),
    row<&S::rho_inf>(
        "rho_inf", 0, 1, "1",
        "damping of the highest frequencies: 1 none, 0 strongest (soi2, arnold_bruls)"),
    row<&S::alpha_hht>("alpha_hht", -1.0 / 3, 0, "1", "HHT's alpha: 0 no damping (hht_i3)"),
    row<&S::tolerance>("tolerance", 0, 1, "1",
                       "relative error allowed per substep; 0: tolerance of the default "
                       "experiment, or of the master if tighter"),
    row<&S::fixed_step>("fixed_step", 0, infinity, "s",
                        "0: substep size follows the tolerance; otherwise the fixed substep size"),
    row<&S::h_min>("h_min", 0, infinity, "s", "smallest substep"),
    row<&S::h_max>("h_max", 0, infinity, "s", "largest substep; 0: no limit"),
    row<&S::h_init>("h_init", 0, infinity, "s", "first substep; 0: automatic"),
    row<&S::max_substeps>(
        "max_substeps", 0, 2147483647, "1",
        "limit of substeps per communication step; 0: 100000, fewer for large models"),
    row<&S::real_time>("real_time", 0, 10, "1",
                       "0: off; n: real-time mode, every communication step is one substep with "
                       "new derivatives and n Newton iterations"),
    row<&S::rescale>(
        "rescale", 0, 1, "1",
        "rescale a and M a when the step size changes; without it the method loses second order"),
    row<&S::jump_shift>(
        "jump_shift", 0, 1, "1",
        "treat jumps of inputs and parameters; without it the method loses second order"),
};

}  // namespace

std::string_view name(Method method) { return method_names[static_cast<std::size_t>(method)]; }

std::span<const SolverSettingRow> solver_setting_rows() { return rows; }

const SolverSettingRow* find_solver_setting(std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const SolverSettingRow& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

void check_range(const SolverSettingRow& row, double value) {
  if (!(value >= row.min && value <= row.max))
    throw std::invalid_argument("solver." + std::string(row.name) + " = " + format(value) +
                                " is out of range: " + format(row.min) + " to " + format(row.max) +
                                " is allowed");
  if (row.type != SolverSettingRow::Type::real && value != std::floor(value))
    throw std::invalid_argument("solver." + std::string(row.name) + " = " + format(value) +
                                " is not a whole number");
}

void check_ranges(const SolverSettings& settings) {
  for (const SolverSettingRow& row : rows) check_range(row, row.get(settings));
}

}  // namespace mechfmu
