// How a model describes itself: names, units and ranges of its variables, and its start values.
//
//   v.parameter("m", m).unit("kg").min(0).about("bob mass");
//   v.input("F", F).unit("N");
//   v.output("x", [](const Point& p) { return p.y[0]; }).unit("m");
//   v.coordinate(0, "x").hold();                       // assembly does not change this coordinate
//   v.start({.y = {1, 0}});
//   v.solver({.method = Method::hht_i3, .h_max = 1e-2});

#pragma once

#include <functional>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

#include "model/settings.h"
#include "model/system.h"

namespace mechfmu {

/// A parameter or an input (a number of the model that a user sets) or an output (computed).
class Variable {
 public:
  enum class Kind { parameter, input, output };

  Variable(Kind kind, std::string name) : kind_(kind), name_(std::move(name)) {}

  Variable& unit(std::string symbol) { return unit_ = std::move(symbol), *this; }
  Variable& min(double value) { return min_ = value, *this; }
  Variable& max(double value) { return max_ = value, *this; }
  Variable& about(std::string text) { return about_ = std::move(text), *this; }
  /// A parameter that only affects the start; it cannot change during a run.
  Variable& only_at_start() { return fixed_ = true, *this; }

  Kind kind() const { return kind_; }
  const std::string& name() const { return name_; }
  const std::string& unit() const { return unit_; }
  const std::string& about() const { return about_; }
  double min() const { return min_; }
  double max() const { return max_; }
  bool fixed() const { return fixed_; }

 private:
  friend class Variables;
  Kind kind_;
  std::string name_, unit_ = "1", about_;
  double min_ = -std::numeric_limits<double>::infinity();
  double max_ = std::numeric_limits<double>::infinity();
  bool fixed_ = false;
};

/// A coordinate y_i with its velocity z_i.
struct Coordinate {
  std::string name;
  std::string unit = "1";       // of y_i; z_i is per second, a_i per second squared
  double nominal = 1;           // scale below which errors are counted as absolute
  bool hold_position = false;   // initialization keeps the start value of y_i
  bool hold_velocity = false;   // initialization keeps the start value of z_i
  bool given_velocity = false;  // initialization keeps this z_i if it can, and finds others from it

  Coordinate& scale(double value) { return nominal = value, *this; }
  Coordinate& hold() { return hold_position = hold_velocity = true, *this; }
  Coordinate& in(std::string symbol) { return unit = std::move(symbol), *this; }
};

/// Start values of a run. Empty vectors are zero. Initialization projects y and z onto the
/// constraints and solves for the others, whose values are only a first guess.
struct Start {
  std::vector<double> y{}, z{}, lambda{}, psi{}, x{}, xdot{};
};

/// Start values with zeros for those that are left out.
inline std::vector<double> padded(std::vector<double> values, Index size) {
  values.resize(ix(size), 0);
  return values;
}

/// The default run.
struct Experiment {
  double stop = 1;
  double step = 1e-3;  // communication step
  double tolerance = default_tolerance;
  StartPosition start = StartPosition::placed;
};

class Variables {
 public:
  explicit Variables(const Sizes& sizes);

  Variable& parameter(std::string name, double& value);
  Variable& input(std::string name, double& value);
  Variable& output(std::string name, std::function<double(const Point&)> read);
  /// The same with an existing description.
  void declare(const Variable& variable, double& value);
  void declare(const Variable& variable, std::function<double(const Point&)> read);
  Coordinate& coordinate(Index i, std::string name);
  void constraint(Index row, std::string name);
  /// `nominal`: the size below which errors of the state count as absolute. Infinite: errors do not
  /// count, for states on which nothing depends; they do not affect the steps.
  void state(Index i, std::string name, double nominal = 1);
  /// Users see the outputs only, not the vectors y, z, a, λ, ψ, x.
  void hide_letters() { letters_ = false; }
  bool letters() const { return letters_; }
  void about(std::string text) { about_ = std::move(text); }
  void start(Start start) { start_ = std::move(start); }
  void experiment(const Experiment& experiment) { experiment_ = experiment; }
  /// The default settings of this model. Throws std::invalid_argument that names a setting out of
  /// range.
  void solver(const SolverSettings& defaults);

  /// Parameters and inputs in the order of their declaration: the vector u of the solver.
  const std::vector<Variable>& inputs() const { return inputs_; }
  const std::vector<double*>& input_values() const { return input_values_; }
  /// Position of a parameter or input in u; throws std::out_of_range with the known names.
  Index input_index(const std::string& name) const;
  const std::vector<Variable>& outputs() const { return outputs_; }

  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  const std::vector<std::string>& constraints() const { return constraints_; }
  const std::vector<std::string>& states() const { return states_; }
  const std::vector<double>& state_nominals() const { return state_nominals_; }
  const std::string& about() const { return about_; }
  const Start& start() const { return start_; }
  const Experiment& experiment() const { return experiment_; }
  const SolverSettings& solver() const { return solver_; }

 private:
  friend class System;
  /// An output. Systems that are at a point (System::at) read it there and ignore p.
  double read(std::size_t output, const Point& p) const { return readers_[output](p); }

  std::vector<Variable> inputs_, outputs_;
  std::unordered_set<std::string> input_names_, output_names_;
  std::vector<double*> input_values_;
  std::vector<std::function<double(const Point&)>> readers_;
  std::vector<Coordinate> coordinates_;
  std::vector<std::string> constraints_, states_;
  std::vector<double> state_nominals_;
  std::string about_;
  bool letters_ = true;
  Start start_;
  Experiment experiment_;
  SolverSettings solver_;
};

}  // namespace mechfmu
