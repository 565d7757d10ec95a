// One instance of an exported model: life cycle, variables, steps, saved states, derivatives, messages.
//
// Version-neutral: fmi2.cpp and fmi3.cpp only translate. Every function that can fail throws Refusal with a
// status and one line of text; guard() (guard.h) turns it into a status and a log message.

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/description.h"
#include "solver/solver.h"

namespace mechfmu {

/// As in both versions of FMI.
enum class Status { ok, warning, discard, error, fatal };

/// Why a call is not carried out.
struct Refusal {
  Status status;
  std::string message;
  const char* category = nullptr;  // the one of the status when empty
};

/// Where in its life an instance is; a bit each, so that a call can name those it is allowed in.
enum Phase : unsigned {
  instantiated = 1,
  initialization = 2,
  event = 4,
  stepping = 8,
  intermediate = 16,  // inside a step, in the importer's callback after a substep
  asking = 32,        // inside a step, in the importer's callback for inputs at a later time
  step_failed = 64,   // FMI 2.0: after a discarded step, until a state is set
  terminated = 128,
  any_phase = 255
};
/// Not from within a callback of a step.
constexpr unsigned between_calls = any_phase & ~static_cast<unsigned>(intermediate | asking);

/// Everything that changes during the life of an instance: what an FMU state is.
struct Snapshot {
  Phase phase = instantiated;
  Vector u, du, ddu;  // inputs and parameters as set, and their time derivatives
  SolverSettings settings;
  Start start;  // y, z, x to start from
  double t_start = 0;
  double t_stop = 0;
  double tolerance = 0;  // of the importer; 0: none
  bool stop_defined = false;
  bool initialized = false;  // `state` belongs to the values above
  bool event_mode = false;   // FMI 3.0: importer handles events
  double last_successful_time = 0;
  State state;
};

class Instance {
 public:
  using Logger = std::function<void(Status, const char* category, const std::string& message)>;

  Instance(std::string name, Logger logger, bool logging_on);

  const Description& description() const { return description_; }
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
  void use_event_mode() { now_.event_mode = true; }
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
  void set_input_derivative(std::uint32_t reference, int order, double value);
  void output_derivatives(std::span<const std::uint32_t> references, std::span<const int> orders,
                          std::span<double> values);

  // --- steps ---
  struct Step {
    double reached = 0;
    bool early = false;
  };
  /// From t to t + H. On failure: discarded, with the state of the last good substep, or as it was before
  /// when `roll_back` is set.
  Step do_step(double t, double H, bool roll_back, StepObserver* observer = nullptr);
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
  std::size_t serialized_size() const;
  void serialize(const Snapshot& snapshot, unsigned char* bytes, std::size_t size) const;
  void deserialize(const unsigned char* bytes, std::size_t size, Snapshot& snapshot) const;

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
  const Entry& entry(std::uint32_t reference, std::initializer_list<Type> types,
                     Index& element) const;
  void require_settable(const Entry& e) const;
  double read(const Entry& e, Index element);
  double read_statistic(Statistic statistic);
  double written(const Entry& e, Index element) const;
  void write(const Entry& e, Index element, double value);
  void make_solver();
  void initialize_now();
  void take_inputs();
  /// Inputs that were given with derivatives stay where they have arrived.
  void hold_inputs();
  void log_step(const Statistics& before);
  const Point& output_point();
  std::vector<double> read_all(const std::vector<std::uint32_t>& unknowns);
  void derivatives_by_start(const std::vector<std::uint32_t>& unknowns, std::uint32_t known,
                            double seed, std::vector<double>& sensitivity);
  void derivatives_by_input(const std::vector<std::uint32_t>& unknowns, std::uint32_t known,
                            double seed, std::vector<double>& sensitivity);
  void check_known(std::uint32_t reference) const;

  std::string name_;
  Logger logger_;
  bool logging_on_;
  std::vector<std::string> categories_;

  std::unique_ptr<System> system_;
  Description description_;
  std::vector<Description::Place> places_;  // by reference
  Snapshot fresh_;                          // as after instantiation
  Snapshot now_;
  Vector u_before_, du_before_, ddu_before_;  // at the beginning of a step, to roll back to
  Vector u_here_;                             // when a callback of a step began
  State before_;                              // likewise
  double end_ = 0;                            // where the step under way shall end
  std::unique_ptr<Solver> solver_;
  SolverSettings solver_settings_;  // what solver_ was made with
  double solver_tolerance_ = 0;
  Point point_;  // outputs at the communication point
  bool point_valid_ = false;
};

}  // namespace mechfmu
