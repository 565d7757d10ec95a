// Everything a user sees of a model with its solver, as one table: the variables of the FMU.
//
// The table is made from the model's own Variables, the letters y z a lambda psi x of its
// equations, and the settings and statistics of the solver. It does not depend on files and
// functions of FMI: model_desc/ writes the XML of either version from it, and the binary (fmu_src/)
// answers calls by it. Entry i of the table has the references first … first + size − 1; entry 0 is
// time.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/variables.h"

namespace mechfmu {

enum class Type { real, integer, boolean, enumeration };
enum class Causality { independent, parameter, input, output, local };
enum class Variability { continuous, discrete, tunable, fixed };
enum class Initial { none, exact, approx, calculated };

/// The place of the value of an entry.
enum class Source {
  time,
  input,   // inputs and parameters of the model: u[index]
  output,  // outputs of the model: Variables::read(index)
  y,
  z,
  a,
  lambda,
  psi,
  x,
  method_a,  // accelerations a_{n+α} of the method
  method_lambda,
  method_psi,
  setting,   // of the solver: solver_setting_rows()[index]
  statistic  // of the solver: Statistic(index)
};

/// Statistics that the solver reports.
enum class Statistic {
  steps,
  rejected,
  newton_iterations,
  jacobians,
  factorizations,
  restarts,  // integers, cumulative
  step_size,
  error,
  residual,
  position,
  velocity  // reals, of the last substep
};
constexpr int statistic_count = 11;

struct Entry {
  std::string name;
  Type type = Type::real;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  Initial initial = Initial::calculated;
  Source source = Source::time;
  Index index = 0;            // within the source
  Index size = 1;             // numbers of a vector; its elements are named name[1] … name[size]
  bool vector = false;        // one array variable where arrays exist, else `size` scalars
  std::uint32_t first = 0;    // reference of the first number
  std::vector<double> start;  // for parameters, inputs and initial exact or approx; otherwise empty
  std::vector<std::string> units;  // of each number; "1": dimensionless, "": unknown
  std::string about;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  double nominal = 1;
  std::vector<std::string> items;  // of an enumeration, numbered from 1

  /// Entries an output depends on while stepping, and at initialization (filled by
  /// analysis/dependencies.h).
  std::vector<std::size_t> depends_on, initially_depends_on;

  std::string unit() const;  // the unit that all numbers share, otherwise "1"
  std::string element_name(Index i) const;
};

struct LogCategory {
  std::string name, about;
};

struct Description {
  std::string model;  // name of the model, also of the binary and of the FMU
  std::string about;
  Experiment experiment;
  std::vector<Entry> entries;
  std::uint32_t references = 0;  // number of references
  int max_output_derivative = 1;

  /// Entry and element of a reference; entry = entries.size() if the reference does not exist.
  struct Place {
    std::size_t entry;
    Index element;
  };
  Place find(std::uint32_t reference) const;
  std::size_t find(const std::string& name) const;  // entries.size() if it does not exist
};

Description describe(const std::string& model, const System& system);

/// 32 hex digits that change with everything a master could rely on.
std::string token(const Description& description);

const std::vector<LogCategory>& log_categories();

}  // namespace mechfmu
