#include "model/variables.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace mechfmu {

Variables::Variables(const Sizes& sizes)
    : coordinates_(static_cast<std::size_t>(sizes.n)),
      constraints_(static_cast<std::size_t>(sizes.mu())),
      states_(static_cast<std::size_t>(sizes.x)),
      state_nominals_(static_cast<std::size_t>(sizes.x), 1.0) {}

namespace {
void note_new(std::unordered_set<std::string>& known, const std::string& name) {
  if (!known.insert(name).second)
    throw std::invalid_argument("the model declares '" + name + "' twice");
}
}  // namespace

void Variables::declare(const Variable& variable, double& value) {
  note_new(input_names_, variable.name());
  input_values_.push_back(&value);
  inputs_.push_back(variable);
}

void Variables::declare(const Variable& variable, std::function<double(const Point&)> read) {
  note_new(output_names_, variable.name());
  readers_.push_back(std::move(read));
  outputs_.push_back(variable);
}

Variable& Variables::parameter(std::string name, double& value) {
  declare(Variable(Variable::Kind::parameter, std::move(name)), value);
  return inputs_.back();
}

Variable& Variables::input(std::string name, double& value) {
  declare(Variable(Variable::Kind::input, std::move(name)), value);
  return inputs_.back();
}

Variable& Variables::output(std::string name, std::function<double(const Point&)> read) {
  declare(Variable(Variable::Kind::output, std::move(name)), std::move(read));
  return outputs_.back();
}

Coordinate& Variables::coordinate(Index i, std::string name) {
  Coordinate& c = coordinates_.at(static_cast<std::size_t>(i));
  c.name = std::move(name);
  return c;
}

void Variables::constraint(Index row, std::string name) {
  constraints_.at(static_cast<std::size_t>(row)) = std::move(name);
}

void Variables::state(Index i, std::string name, double nominal) {
  if (!(nominal > 0))
    throw std::invalid_argument("the nominal value of state '" + name + "' must be positive");
  states_.at(static_cast<std::size_t>(i)) = std::move(name);
  state_nominals_.at(static_cast<std::size_t>(i)) = nominal;
}

void Variables::solver(const SolverSettings& defaults) {
  check_ranges(defaults);
  solver_ = defaults;
}

Index Variables::input_index(const std::string& name) const {
  const auto found = std::find_if(inputs_.begin(), inputs_.end(),
                                  [&](const Variable& v) { return v.name() == name; });
  if (found != inputs_.end()) return found - inputs_.begin();
  std::string known;
  for (const Variable& v : inputs_) known += (known.empty() ? "" : ", ") + v.name();
  throw std::out_of_range("the model has no parameter or input '" + name + "'; it has: " + known);
}

}  // namespace mechfmu
