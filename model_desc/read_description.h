// modelDescription.xml of an FMU as data: FMI 2.0 or 3.0, of mechfmu or another tool.
//
//   const FmuDescription fmu = read_description(folder / "modelDescription.xml");
//   const FmuVariable* k = fmu.find("stiffness");
//
// The data are the same for both versions: a Real is a float64, an Integer an int32, and
// dependencies are indices into the list of variables. Each variable contains the attributes of its
// type definition and the default values of the standard.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/description.h"

namespace mechfmu {

struct FmuVariable {
  enum class Type {
    float64,
    float32,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    boolean,
    enumeration,
    string,
    binary,
    clock
  };
  enum class Causality {
    independent,
    parameter,
    calculated_parameter,
    structural_parameter,
    input,
    output,
    local
  };
  enum class Variability { constant, fixed, tunable, discrete, continuous };
  struct Item {
    std::string name, about;
    std::int64_t value = 0;
  };

  std::string name, about;
  std::uint32_t reference = 0;
  Type type = Type::float64;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  Initial initial = Initial::none;
  std::string start;  // as written; numbers of an array are separated by blanks
  std::string unit;
  std::optional<double> min, max;
  // sizes of an array, with the start values of structural parameters
  std::vector<std::size_t> dimensions;
  std::vector<Item> items;  // of an enumeration
  bool alias = false;       // another name for an earlier variable of the list

  std::size_t size() const;  // number of values
  /// Floating-point numbers, integers, Booleans and enumerations: types that a number can
  /// represent.
  bool is_number() const { return type <= Type::enumeration; }
  bool is_real() const { return type <= Type::float32; }
  bool is_integer() const { return type >= Type::int8 && type <= Type::uint64; }
};

const char* text(FmuVariable::Type type);  // "Float64"
const char* text(FmuVariable::Causality causality);
const char* text(FmuVariable::Variability variability);

struct CoSimulation {
  std::string identifier;                                         // name of the binary
  std::vector<std::pair<std::string, std::string>> capabilities;  // as written

  bool variable_step = false;      // canHandleVariableCommunicationStepSize
  bool input_derivatives = false;  // canInterpolateInputs, FMI 2.0
  bool saves_state = false;        // canGetAndSetFMUState
  bool needs_tool = false;         // needsExecutionTool
  double internal_step = 0;        // fixedInternalStepSize, FMI 3.0; 0: none
};

/// An output and its dependencies while stepping; missing dependencies mean all knowns.
struct FmuOutput {
  std::size_t variable = 0;
  std::optional<std::vector<std::size_t>> dependencies{};
};

struct FmuDescription {
  int major = 2;        // version of FMI
  std::string version;  // as written: "2.0", "3.0"
  std::string model, token, about, tool, date, author, model_version, copyright, license;
  std::optional<double> start, stop, tolerance, step;  // default experiment
  std::optional<CoSimulation> co_simulation;
  bool model_exchange = false, scheduled_execution = false;
  std::vector<std::string> units, log_categories;
  std::vector<FmuVariable> variables;
  std::vector<std::size_t> by_name;  // variables in alphabetical order; empty: not sorted
  std::vector<FmuOutput> outputs;

  const FmuVariable* find(std::string_view name) const;  // null if it does not exist
};

/// Throws std::runtime_error with one line, "modelDescription.xml:12: …", if the file is not a
/// model description.
FmuDescription read_description(const std::filesystem::path& file);
FmuDescription read_description(std::string_view content, const std::string& file);

}  // namespace mechfmu
