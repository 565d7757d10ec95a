// One instance of an exported model: life cycle, variables, steps, derivatives, messages.
//
// It does not depend on the version: fmi2.cpp and fmi3.cpp only translate. Every function that can
// fail throws Refusal with a status and one line of text; guard() (guard.h) turns it into a status
// and a log message.

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fmu_src/refusal.h"
#include "fmu_src/snapshot.h"
#include "model/description.h"
#include "model/factory.h"
#include "solver/solver.h"

namespace mechfmu {

class Instance : private AccelerationSource {
 public:
  using Logger = std::function<void(Status, const char* category, const std::string& message)>;

  /// `resources`: the folder of the FMU's resources, which contains the model if it is not
  /// compiled.
  Instance(std::string name, Logger logger, bool logging_on, const std::string& resources = {});

  const Description& description() const { return description_; }
  /// Identifies the model and everything an importer could rely on.
  const std::string& token() const { return token_; }
  const std::string& name() const { return name_; }
  Phase phase() const { return now_.phase; }

  // --- messages ---
  /// Categories to log; an empty list means all. Throws for an unknown category.
  void set_logging(bool on, const std::vector<std::string>& categories);
  void log(Status status, const char* category, const std::string& message);
  /// "t = …: " if the instance has a time.
  std::string when() const;

  // --- life cycle ---
  void setup(bool tolerance_defined, double tolerance, double start, bool stop_defined,
             double stop);
  void enter_initialization();
  void exit_initialization();
  void enter_event_mode();
  void enter_step_mode();
  /// FMI 3.0: the importer handles events.
  void use_event_mode() { event_mode_ = true; }
  void terminate();
  void reset();

  // --- variables ---
  /// Entry and element of a reference; null if it does not exist.
  const Description::Place* find(std::uint32_t reference) const {
    return reference < places_.size() ? &places_[reference] : nullptr;
  }
  /// The value of a reference of one of the given types. Throws if it does not exist.
  double get(std::uint32_t reference, std::initializer_list<Type> types);
  /// Throws when the variable cannot be set now, or not to this value.
  void check_set(std::uint32_t reference, std::initializer_list<Type> types, double value);
  /// Sets a value that check_set() has accepted. The two are separate so that of several values all
  /// or none are set.
  void set(std::uint32_t reference, double value);
  /// In event mode, new values apply at once.
  void put_in_force();
  /// The same for a time derivative of an input.
  void check_input_derivative(std::uint32_t reference, int order, double value) const;
  void set_input_derivative(std::uint32_t reference, int order, double value);
  void output_derivatives(std::span<const std::uint32_t> references, std::span<const int> orders,
                          std::span<double> values);

  // --- steps ---
  struct Step {
    double reached = 0;
    bool early = false;
  };
  /// A step from t to t + H. On failure it is discarded: the state is that before the step, or that
  /// of the last good substep if `keep_substeps` is set. After an exception of a model function or
  /// of the observer, everything is as before the step.
  Step do_step(double t, double H, bool keep_substeps, StepObserver* observer = nullptr);
  /// For the observer of a step: the step is to end at t, or at once if t has passed. The result is
  /// the value for accepted() to return.
  bool return_at(double t);
  double last_successful_time() const { return now_.last_successful_time; }
  /// For the callback of an intermediate update: variables are those of the accepted substep, and
  /// inputs can be set.
  void enter_intermediate();
  void leave_intermediate();
  /// For the callback before a substep: inputs that it sets hold at t_end, on a straight line from
  /// here.
  void enter_asking();
  void leave_asking(double t_end);
  double time() const;

  // --- saved states ---
  const Snapshot& snapshot() const { return now_; }
  void restore(const Snapshot& snapshot);
  std::size_t serialized_size() const { return mechfmu::serialized_size(fresh_); }
  void serialize(const Snapshot& snapshot, unsigned char* bytes, std::size_t size) const {
    mechfmu::serialize(snapshot, token_, bytes, size);
  }
  Snapshot deserialize(const unsigned char* bytes, std::size_t size) const;

  // --- derivatives ---
  /// Σ_j ∂unknown_i/∂known_j seed_j.
  void directional_derivative(const std::vector<std::uint32_t>& unknowns,
                              const std::vector<std::uint32_t>& knowns,
                              const std::vector<double>& seed, std::vector<double>& sensitivity);
  /// Σ_i seed_i ∂unknown_i/∂known_j.
  void adjoint_derivative(const std::vector<std::uint32_t>& unknowns,
                          const std::vector<std::uint32_t>& knowns, const std::vector<double>& seed,
                          std::vector<double>& sensitivity);

 private:
  Instance(std::string name, Logger logger, bool logging_on, OpenedModel model);
  const Entry& entry(std::uint32_t reference, std::initializer_list<Type> types,
                     Index& element) const;
  void require_settable(const Entry& e) const;
  double read(const Entry& e, Index element);
  double read_statistic(Statistic statistic);
  double written(const Entry& e, Index element) const;
  void write(const Entry& e, Index element, double value);

  Solver& solver();
  /// Calls a function of the solver. After an exception of a model function this solver is not used
  /// again.
  template <class Call>
  auto ask_solver(Call&& call);
  void initialize_now();
  void take_inputs();
  /// Throws if changed parameters are invalid, such as a negative mass.
  void require_sound_parameters();
  void require_finite_derivative(std::uint32_t reference, double value) const;
  /// Inputs with given derivatives keep their present values.
  void hold_inputs();
  void log_step(const Statistics& before);

  // Outputs are read at the state's point, with the inputs in force there. Accelerations are solved
  // for when the first output asks for them.
  void look();
  const Point& solved() override;
  /// The state or its inputs have changed: outputs must be computed anew.
  void forget_outputs();
  /// Inputs in force at time t.
  void apply_inputs(double t);

  void derivatives_by_start(const std::vector<std::uint32_t>& unknowns, std::uint32_t known,
                            double seed, std::vector<double>& sensitivity);
  /// All knowns together; false, without a result, if a part is not known exactly.
  bool exact_derivatives(const std::vector<std::uint32_t>& unknowns,
                         const std::vector<std::uint32_t>& knowns, const std::vector<double>& seed,
                         std::vector<double>& sensitivity);
  /// Derivatives of a, μ and x' with respect to the inputs of a change.
  bool exact_sensitivity(const Point& p, Change& along);
  /// Adds the known derivatives along the change; returns the outputs whose derivatives are
  /// unknown.
  std::vector<std::size_t> derivatives_along(const std::vector<std::uint32_t>& unknowns,
                                             const Change& along, bool exact, double factor,
                                             std::vector<double>& sensitivity);
  void derivatives_by_input(const std::vector<std::uint32_t>& unknowns, std::uint32_t known,
                            double seed, std::vector<double>& sensitivity);
  void check_known(std::uint32_t reference) const;

  std::string name_;
  Logger logger_;
  bool logging_on_;
  std::vector<std::string> categories_;
  bool event_mode_ = false;

  std::unique_ptr<System> system_;
  Description description_;
  std::string token_;
  std::vector<Description::Place> places_;  // by reference
  Snapshot fresh_;                          // as after instantiation
  Snapshot now_;
  Snapshot before_;  // at the beginning of a step, to roll back to
  Vector u_here_;    // when a callback of a step began
  double end_ = 0;   // where the step under way shall end

  std::unique_ptr<Solver> solver_;
  SolverSettings solver_settings_;  // settings of solver_
  double solver_tolerance_ = 0;
  bool solver_spoiled_ = false;  // an exception has left it: its data may be incomplete

  Point output_point_;           // the state's point, with accelerations …
  bool solved_ = false;          // … if this is true
  std::uint64_t looked_at_ = 0;  // the system's stamp when it was moved there; 0: it has to be
  Vector u_now_;                 // room for the inputs in force
};

template <class Call>
auto Instance::ask_solver(Call&& call) {
  Solver& asked = solver();
  try {
    return call(asked);
  } catch (...) {
    solver_spoiled_ = true;
    throw;
  }
}

}  // namespace mechfmu
