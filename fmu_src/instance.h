// One instance of an exported model: life cycle, variables, steps, derivatives, messages.
//
// Version-neutral: fmi2.cpp and fmi3.cpp only translate. Every function that can fail throws Refusal with a
// status and one line of text; guard() (guard.h) turns it into a status and a log message.

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

  /// `resources`: the folder of the FMU's resources, where a model that is not compiled is written.
  Instance(std::string name, Logger logger, bool logging_on, const std::string& resources = {});

  const Description& description() const { return description_; }
  /// Names the model and all that an importer could rely on.
  const std::string& token() const { return token_; }
  const std::string& name() const { return name_; }
  Phase phase() const { return now_.phase; }

  // --- messages ---
  /// Categories to log; an empty list means all. Throws for an unknown category.
  void set_logging(bool on, const std::vector<std::string>& categories);
  void log(Status status, const char* category, const std::string& message);
  /// "t = …: " when the instance has a time.
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
  /// Entry and element of a reference; null when there is none.
  const Description::Place* find(std::uint32_t reference) const {
    return reference < places_.size() ? &places_[reference] : nullptr;
  }
  /// The number behind a reference of one of the given types. Throws when there is none.
  double get(std::uint32_t reference, std::initializer_list<Type> types);
  /// Throws when the variable cannot be set now, or not to this value.
  void check_set(std::uint32_t reference, std::initializer_list<Type> types, double value);
  /// Sets what check_set() has let pass. Apart from it, so that of several values all or none are set.
  void set(std::uint32_t reference, double value);
  /// In event mode what was set holds at once.
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
  /// From t to t + H. On failure: discarded, with the state as it was before, or of the last good substep when
  /// `keep_substeps` is set. After an exception, of a model function or of the observer, all is as it was before.
  Step do_step(double t, double H, bool keep_substeps, StepObserver* observer = nullptr);
  /// For the observer of a step: it shall end at t, or at once when t has passed. Returns what accepted() has to.
  bool return_at(double t);
  double last_successful_time() const { return now_.last_successful_time; }
  /// For the callback of an intermediate update: variables of the substep just accepted, and new inputs.
  void enter_intermediate();
  void leave_intermediate();
  /// For the callback before a substep: inputs that are set are those at t_end, on a straight line from here.
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
  /// Asks something of the solver. After an exception of a model function it is not used again.
  template <class Call>
  auto ask_solver(Call&& call);
  void initialize_now();
  void take_inputs();
  /// Throws when parameters that were changed make no sense: a mass below zero.
  void require_sound_parameters();
  void require_finite_derivative(std::uint32_t reference, double value) const;
  /// Inputs that were given with derivatives stay where they have arrived.
  void hold_inputs();
  void log_step(const Statistics& before);

  // Outputs are read at the state's point, with the inputs in force there. Accelerations are solved for when the first
  // output asks for them.
  void look();
  const Point& solved() override;
  /// The state or its inputs have changed: outputs have to be looked at anew.
  void forget_outputs();
  /// Inputs in force at time t.
  void apply_inputs(double t);

  void derivatives_by_start(const std::vector<std::uint32_t>& unknowns, std::uint32_t known,
                            double seed, std::vector<double>& sensitivity);
  /// All knowns together; false, and nothing done, where some of it is not known exactly.
  bool exact_derivatives(const std::vector<std::uint32_t>& unknowns,
                         const std::vector<std::uint32_t>& knowns, const std::vector<double>& seed,
                         std::vector<double>& sensitivity);
  /// How a, μ and x' follow the inputs of a change.
  bool exact_sensitivity(const Point& p, Change& along);
  /// Adds what is known along the change; returns the unknowns, outputs, of which it is not.
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
  SolverSettings solver_settings_;  // what solver_ was made with
  double solver_tolerance_ = 0;
  bool solver_spoiled_ = false;  // an exception has left it: what it holds may be half of something

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
