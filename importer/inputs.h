// Sets inputs of an FMU from signals, in the form that run.h describes.

#pragma once

#include "importer/channels.h"
#include "importer/signals.h"

namespace mechfmu {

class Inputs {
 public:
  /// Both must outlive this object. Throws std::runtime_error for columns that are not inputs of
  /// the FMU.
  Inputs(const FmuDescription& fmu, const Signals& signals);

  bool drives(const FmuVariable& variable) const;

  /// Times of jumps inside a run; also of all rows, if there are at most `steps` of them.
  std::vector<double> points(double start, double stop, double steps) const;

  CallStatus apply(Instance& instance, double t);                // values at one time
  CallStatus apply(Instance& instance, double t, double t_end);  // for a step

 private:
  struct Column {
    std::size_t column;    // of the signals
    std::size_t position;  // in the values of the group
    bool continuous;
  };
  struct Group {  // of one type
    FmuVariable::Type type;
    std::vector<const FmuVariable*> variables{};
    std::vector<std::uint32_t> references{};
    std::vector<double> values{};
    std::vector<Column> columns{};
  };

  const Signals& signals_;
  bool derivatives_;  // the FMU supports them
  std::vector<Group> groups_;
  std::vector<std::uint32_t> sloped_;  // references of inputs with derivatives
  std::vector<double> slopes_;
};

}  // namespace mechfmu
