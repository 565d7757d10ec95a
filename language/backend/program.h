// Formulas as programs (mechanics/program.h), which are evaluated where nothing is compiled.
//
//   Programs programs;
//   Calculation torque = programs.compile(formula, sources, 2);
//
// Numbers in the text become constants of the calculation, so that formulas of the same shape share
// a program.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "language/meaning/plan.h"
#include "mechanics/program.h"

namespace mechfmu {

/// The source of a name in a formula, with a factor.
struct Source {
  enum class Kind { nothing, setting, argument, time };
  Kind kind = Kind::nothing;  // 0
  Index index = 0;            // of the setting or argument
  double factor = 1;
};
/// The source of a use, or of one component of it if `component` is not −1.
using Sources = std::function<Source(const Use&, int component)>;

class Programs {
 public:
  /// Functions in C++ are calls, which count as 0 if nothing is compiled.
  mechanics::Calculation compile(const Formula& formula, const Sources& sources, int arguments);
  /// The same with three results.
  mechanics::Calculation compile(const std::array<Formula, 3>& formulas, const Sources& sources);

  /// The first argument minus the formula: 0 if a coordinate is at its driven position.
  mechanics::Calculation compile_driver(const Formula& position, const Sources& sources);

  /// The number of different programs.
  std::size_t size() const { return known_.size(); }

 private:
  mechanics::Calculation share(mechanics::Program program, mechanics::Calculation calculation);

  std::map<std::string, std::shared_ptr<const mechanics::Program>> known_;  // by their bytes
};

}  // namespace mechfmu
