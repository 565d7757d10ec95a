// Single numbers of an FMU by their names: variables, and elements of arrays, name[2] and
// name[1,3], counted from 1 with the last index running fastest.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "importer/instance.h"

namespace mechfmu {

struct Channel {
  const FmuVariable* variable = nullptr;
  std::size_t element = 0;
};

std::string name_of(const Channel& channel);

/// All numbers of a variable, or one element. Throws std::runtime_error if it does not exist:
/// "unknown variable 'stifness'; did you mean 'stiffness'?", or the first of `likely`, where the
/// suggestions come from.
std::vector<Channel> find_channels(const FmuDescription& fmu, const std::string& name,
                                   const std::vector<std::string>& likely);

/// Reads numbers of all types, with one call per type.
class Recorder {
 public:
  explicit Recorder(const std::vector<Channel>& channels);
  CallStatus read(Instance& instance, std::span<double> values);

 private:
  struct Group {
    FmuVariable::Type type;
    std::vector<std::uint32_t> references{};
    std::vector<double> values{};
    std::vector<std::pair<std::size_t, std::size_t>> picks{};  // from values to channels
  };
  std::vector<Group> groups_;
};

/// Variables with their values before a run.
struct Assignment {
  const FmuVariable* variable = nullptr;
  std::vector<double> numbers{};  // of a number or an array
  std::string text{};             // of a string

  CallStatus apply(Instance& instance) const;
};

/// Assignments from "name" and "value" as a user writes them: numbers without unit, true or false,
/// items of enumerations by name, arrays as a whole or by element. Throws std::runtime_error for
/// names that are unknown or cannot be set, and for values that are invalid or out of range.
std::vector<Assignment> assignments(const FmuDescription& fmu,
                                    const std::vector<std::pair<std::string, std::string>>& set);

/// The value of a word for a variable; throws std::runtime_error if it is not a number or out of
/// range.
double number_for(const FmuVariable& variable, std::string_view word);

/// Whether a variable can represent a number exactly; real ones represent all.
bool fits(const FmuVariable& variable, double x);

/// Start values of an array, zeros by default.
std::vector<double> start_values(const FmuVariable& variable);

}  // namespace mechfmu
