// A linear model as text or a file, in the letters of control engineering: x' = x'₀ + A (x − x₀) +
// B (u − u₀), y = y₀ + C (x − x₀) + D (u − u₀). In analysis/linear_model.h x is called s, and y is
// o.

#pragma once

#include <filesystem>
#include <string>

#include "analysis/linear_model.h"

namespace mechfmu {

/// {"model": …, "t": …, "states": […], "inputs": …, "outputs": …, "units": {"states": […], …}, "A":
/// [[…], …], …, "x0": […], "dx0": …, "u0": …, "y0": …, "poles": [[real, imaginary], …]}
std::string linear_model_json(const LinearModel& model, const std::string& name);
/// Blocks A, B, C, D, x0, u0, y0, each with names in its first row and column.
std::string linear_model_csv(const LinearModel& model);
/// For numpy.load: the same names as in JSON, but for the units: state_units, input_units,
/// output_units.
void write_npz(const std::filesystem::path& file, const LinearModel& model);

/// A line for each pole or pair of them: frequency |λ|/2π and damping −Re λ/|λ|.
std::string poles_text(const LinearModel& model);

}  // namespace mechfmu
