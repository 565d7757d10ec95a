#include "fmu_src/instance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "fmu_src/at_exit.h"
#include "model/format.h"

namespace mechfmu {

namespace {

constexpr double coarsest_step = 0.01;  // roundoff of time, relative to a communication step

const SolverSettingRow& setting(const Entry& e) {
  return solver_setting_rows()[static_cast<std::size_t>(e.index)];
}

}  // namespace

Instance::Instance(std::string name, Logger logger, bool logging_on, const std::string& resources)
    : Instance(std::move(name), std::move(logger), logging_on, open_model(resources)) {}

Instance::Instance(std::string name, Logger logger, bool logging_on, OpenedModel model)
    : name_(std::move(name)),
      logger_(std::move(logger)),
      logging_on_(logging_on),
      system_(std::move(model.system)),
      description_(describe(model.name, *system_)),
      token_(mechfmu::token(description_)) {
  places_.reserve(description_.references);
  for (std::uint32_t r = 0; r < description_.references; ++r)
    places_.push_back(description_.find(r));
  const Sizes& size = system_->sizes();
  fresh_.u = fresh_.du = fresh_.ddu = Vector::Zero(size.u);
  system_->get_inputs(fresh_.u);
  fresh_.settings = system_->variables().solver();
  fresh_.start = system_->variables().start();
  fresh_.start.y = padded(fresh_.start.y, size.y);
  fresh_.start.z = padded(fresh_.start.z, size.n);
  fresh_.start.x = padded(fresh_.start.x, size.x);
  fresh_.state.resize(size);
  now_ = before_ = fresh_;
  u_here_ = u_now_ = Vector::Zero(size.u);
  output_point_.resize(size);
}

// --- messages ---

void Instance::set_logging(bool on, const std::vector<std::string>& categories) {
  for (const std::string& category : categories) {
    const auto& known = log_categories();
    if (std::none_of(known.begin(), known.end(),
                     [&](const LogCategory& c) { return c.name == category; }))
      throw error("there is no log category '" + category + "'");
  }
  logging_on_ = on;
  categories_ = categories;
}

void Instance::log(Status status, const char* category, const std::string& message) {
  if (!logger_) return;
  const bool wanted =
      logging_on_ && (categories_.empty() || std::find(categories_.begin(), categories_.end(),
                                                       category) != categories_.end());
  if (wanted || status >= Status::error) logger_(status, category, message);
}

std::string Instance::when() const { return "t = " + format(time()) + ": "; }

double Instance::time() const { return now_.initialized ? now_.state.point.t : now_.t_start; }

// --- life cycle ---

void Instance::setup(bool tolerance_defined, double tolerance, double start, bool stop_defined,
                     double stop) {
  if (tolerance_defined && !(tolerance > 0 && std::isfinite(tolerance)))
    throw error("the tolerance must be positive, not " + format(tolerance));
  if (!std::isfinite(start)) throw error("the start time must be finite");
  if (stop_defined && !(stop >= start))
    throw error("the stop time " + format(stop) + " lies before the start time " + format(start));
  now_.tolerance = tolerance_defined ? tolerance : 0;
  now_.t_start = start;
  now_.t_stop = stop_defined ? stop : std::numeric_limits<double>::infinity();
}

Solver& Instance::solver() {
  if ((now_.phase & inside_step) != 0) return *solver_;  // it is running
  // An importer may ask for more accuracy than the model, but not for less: some pass 0.1 to every
  // FMU.
  double tolerance = description_.experiment.tolerance;
  if (now_.tolerance > 0) tolerance = std::min(tolerance, now_.tolerance);
  const bool fits = solver_ && !solver_spoiled_ && solver_settings_ == now_.settings &&
                    solver_tolerance_ == tolerance;
  if (fits) return *solver_;
  try {
    solver_ = std::make_unique<Solver>(*system_, make_options(now_.settings, tolerance));
  } catch (const std::invalid_argument& invalid) {
    throw error(invalid.what());
  }
  solver_settings_ = now_.settings;
  solver_tolerance_ = tolerance;
  solver_spoiled_ = false;
  return *solver_;
}

void Instance::initialize_now() {
  if (now_.initialized) return;
  // If memory runs out, vectors may be incomplete: they are swapped with others, which needs no
  // memory.
  before_ = now_;
  const AtExit undo{[&] {
    if (!now_.initialized) std::swap(now_, before_);
  }};
  // otherwise only parameters determine the start
  const bool letters = system_->variables().letters();
  Result result;
  try {
    result = ask_solver([&](Solver& solver) {
      system_->set_inputs(now_.u);
      return solver.initialize(now_.state, now_.t_start, letters ? now_.start : system_->start(),
                               description_.experiment.start);
    });
  } catch (const std::invalid_argument& invalid) {
    throw error(std::string("initialization: ") + invalid.what());
  }
  if (!result.ok()) throw error("initialization: " + result.message);
  now_.initialized = true;
  now_.last_successful_time = now_.t_start;
  forget_outputs();
}

void Instance::enter_initialization() {
  now_.phase = initialization;
  now_.initialized = false;
}

void Instance::exit_initialization() {
  now_.initialized = false;  // once more with the final values, and with its warnings
  initialize_now();
  for (const std::string& warning : solver_->warnings())
    log(Status::warning, "logSingularLinearSystems", when() + warning);
  now_.phase = event_mode_ ? event : stepping;
}

void Instance::enter_event_mode() {
  now_.phase = event;
  take_inputs();
}

void Instance::enter_step_mode() {
  take_inputs();
  now_.phase = stepping;
}

void Instance::terminate() { now_.phase = terminated; }

void Instance::reset() {
  now_ = fresh_;
  forget_outputs();
}

// --- variables ---

const Entry& Instance::entry(std::uint32_t reference, std::initializer_list<Type> types,
                             Index& element) const {
  const Description::Place* place = find(reference);
  if (place == nullptr)
    throw error("there is no variable with value reference " + std::to_string(reference) +
                "; the last one is " + std::to_string(description_.references - 1));
  const Entry& e = description_.entries[place->entry];
  if (std::find(types.begin(), types.end(), e.type) == types.end())
    throw error("variable '" + e.name + "' (value reference " + std::to_string(reference) +
                ") has another type than the function that was called");
  element = place->element;
  return e;
}

double Instance::get(std::uint32_t reference, std::initializer_list<Type> types) {
  Index element = 0;
  const Entry& e = entry(reference, types, element);
  const double value = read(e, element);
  if (!std::isfinite(value))
    throw error(when() + "'" + e.element_name(element) + "' is not finite");
  return value;
}

double Instance::read(const Entry& e, Index element) {
  const auto i = static_cast<std::size_t>(element);
  switch (e.source) {
    case Source::time: return time();
    case Source::input: return now_.u[e.index];
    case Source::setting: return setting(e).get(now_.settings);
    default: break;
  }
  if (now_.phase == instantiated) {
    if (!e.start.empty())
      return e.source == Source::y   ? now_.start.y[i]
             : e.source == Source::z ? now_.start.z[i]
                                     : now_.start.x[i];
    throw error("'" + e.element_name(element) +
                "' is computed; it can be read from initialization mode on");
  }
  initialize_now();
  const Point& p = now_.state.point;
  switch (e.source) {
    case Source::y: return p.y[element];
    case Source::z: return p.z[element];
    case Source::x: return p.x[element];
    case Source::method_a: return now_.state.history.a[element];
    case Source::method_lambda: return p.mu[element];
    case Source::method_psi: return p.mu[p.m + element];
    case Source::statistic: return read_statistic(static_cast<Statistic>(e.index));
    default: break;
  }
  look();
  if (e.source == Source::output) return system_->read(static_cast<std::size_t>(e.index));
  const Point& out = system_->with_accelerations();
  switch (e.source) {
    case Source::a: return out.a[element];
    case Source::lambda: return out.mu[element];
    default: return out.mu[out.m + element];  // psi
  }
}

// --- outputs ---

void Instance::apply_inputs(double t) {
  now_.state.input.at(t, u_now_);
  system_->set_inputs(u_now_);
}

void Instance::look() {
  if (looked_at_ != 0 && system_->stamp() == looked_at_) return;
  if (now_.phase == event) require_sound_parameters();
  // Outputs may use parameters and inputs directly: the values in force, not those set later.
  apply_inputs(now_.state.point.t);
  system_->at(solved_ ? output_point_ : now_.state.point);
  if (!solved_) system_->on_demand(this);
  looked_at_ = system_->stamp();
}

const Point& Instance::solved() {
  const Result result =
      ask_solver([&](Solver& solver) { return solver.output(now_.state, output_point_); });
  if (!result.ok()) throw error(result.message);
  solved_ = true;
  look();
  return output_point_;
}

void Instance::forget_outputs() {
  solved_ = false;
  looked_at_ = 0;
}

double Instance::read_statistic(Statistic statistic) {
  const State& s = now_.state;
  const Statistics& n = s.statistics;
  double position = 0;
  double velocity = 0;
  if (statistic == Statistic::position || statistic == Statistic::velocity)
    ask_solver([&](Solver& solver) { solver.constraint_residuals(s, position, velocity); });
  switch (statistic) {
    case Statistic::steps: return static_cast<double>(n.steps);
    case Statistic::rejected: return static_cast<double>(n.rejected());
    case Statistic::newton_iterations: return static_cast<double>(n.newton_iterations);
    case Statistic::jacobians: return static_cast<double>(n.jacobians);
    case Statistic::factorizations: return static_cast<double>(n.factorizations);
    case Statistic::restarts: return static_cast<double>(n.restarts);
    case Statistic::step_size: return s.last_h;
    case Statistic::error: return std::min(s.error, std::numeric_limits<double>::max());
    case Statistic::residual: return std::min(s.residual, std::numeric_limits<double>::max());
    case Statistic::position: return position;
    case Statistic::velocity: return velocity;
  }
  return 0;
}

void Instance::require_settable(const Entry& e) const {
  const unsigned before = instantiated | initialization;
  unsigned phases = 0;
  if (e.causality == Causality::input)
    phases = before | event | stepping | intermediate | asking;
  else if (e.causality == Causality::parameter)
    phases = e.variability == Variability::tunable ? before | event | stepping : before;
  else if (e.initial == Initial::exact || e.initial == Initial::approx)
    phases = before;
  if (phases == 0) throw error("'" + e.name + "' is computed by the FMU and cannot be set");
  if ((now_.phase & phases) == 0)
    throw error("'" + e.name + "' can be set before the end of initialization only");
}

double Instance::written(const Entry& e, Index element) const {
  const auto i = static_cast<std::size_t>(element);
  switch (e.source) {
    case Source::input: return now_.u[e.index];
    case Source::setting: return setting(e).get(now_.settings);
    case Source::y: return now_.start.y[i];
    case Source::z: return now_.start.z[i];
    case Source::x: return now_.start.x[i];
    default: throw error("'" + e.name + "' cannot be set");
  }
}

void Instance::write(const Entry& e, Index element, double value) {
  const auto i = static_cast<std::size_t>(element);
  switch (e.source) {
    case Source::input: now_.u[e.index] = value; break;
    case Source::setting: setting(e).set(now_.settings, value); break;
    case Source::y: now_.start.y[i] = value; break;
    case Source::z: now_.start.z[i] = value; break;
    case Source::x: now_.start.x[i] = value; break;
    default: throw error("'" + e.name + "' cannot be set");
  }
}

void Instance::check_set(std::uint32_t reference, std::initializer_list<Type> types, double value) {
  Index element = 0;
  const Entry& e = entry(reference, types, element);
  require_settable(e);
  if (!std::isfinite(value))
    throw error(when() + "'" + e.element_name(element) +
                "' was given a value that is not finite; it keeps " + format(written(e, element)));
  if (value >= e.min && value <= e.max) return;
  const std::string outside = when() + "'" + e.name + "' = " + format(value) +
                              " is out of range (" + format(e.min) + " to " + format(e.max) + ")";
  if (e.causality == Causality::parameter)
    throw error(outside + "; it keeps " + format(written(e, element)));
  // A master that solves for inputs may leave their range during its iteration.
  if (e.causality == Causality::input)
    log(Status::warning, "logStatusWarning", outside + "; it is used as given");
}

void Instance::set(std::uint32_t reference, double value) {
  const Description::Place& place = places_[reference];
  const Entry& e = description_.entries[place.entry];
  write(e, place.element, value);
  if (e.causality == Causality::input) now_.du[e.index] = now_.ddu[e.index] = 0;
  if (now_.phase == initialization) now_.initialized = false;
}

void Instance::put_in_force() {
  if (now_.phase == event) take_inputs();
}

void Instance::check_input_derivative(std::uint32_t reference, int order, double value) const {
  Index element = 0;
  const Entry& e = entry(reference, {Type::real}, element);
  if (e.causality != Causality::input) throw error("'" + e.name + "' is not an input");
  if (order < 1 || order > 2)
    throw error("input derivatives of order 1 and 2 are used, not " + std::to_string(order));
  if (!std::isfinite(value))
    throw error(when() + "the derivative of '" + e.name + "' is not finite");
}

void Instance::set_input_derivative(std::uint32_t reference, int order, double value) {
  const Entry& e = description_.entries[places_[reference].entry];
  (order == 1 ? now_.du : now_.ddu)[e.index] = value;
}

// --- steps ---

void Instance::take_inputs() {
  solver().set_inputs(now_.state, now_.u, now_.du, now_.ddu);
  forget_outputs();
}

void Instance::require_sound_parameters() {
  if (!now_.state.parameters_jumped) return;
  apply_inputs(now_.state.point.t);
  try {
    system_->check();
  } catch (const std::invalid_argument& invalid) {
    throw error(when() + invalid.what());
  }
}

void Instance::log_step(const Statistics& before) {
  const Statistics& s = now_.state.statistics;
  if (s.unconverged_multipliers > 0 && before.unconverged_multipliers == 0)
    log(Status::warning, "logNonlinearSystems",
        when() +
            "a substep was accepted with reaction forces that had not converged, as happens close "
            "to singular positions; the motion has (reported once per run)");
  if (s.restarts > before.restarts)
    log(Status::ok, "logEvents",
        when() + "the history was restarted after a jump of inputs or a large change of step");
  log(Status::ok, "logSolverStatistics",
      when() + std::to_string(s.steps - before.steps) + " substeps, " +
          std::to_string(s.rejected() - before.rejected()) + " rejected, " +
          std::to_string(s.newton_iterations - before.newton_iterations) + " iterations, " +
          std::to_string(s.factorizations - before.factorizations) + " factorizations");
}

Instance::Step Instance::do_step(double t, double H, bool keep_substeps, StepObserver* observer) {
  const double own = now_.state.point.t;
  if (!(std::isfinite(t) && std::isfinite(H)))
    throw error(when() + "doStep: time and step must be finite");
  if (!(H > 0))
    throw error(when() + "doStep: the communication step must be positive, not " + format(H));
  const double roundoff = std::numeric_limits<double>::epsilon() * std::abs(own);
  if (std::abs(t - own) > 1e-12 + 16 * roundoff + 1e-6 * H)
    throw error(when() + "doStep: asked to start at t = " + format(t) +
                ", but the FMU is at t = " + format(own));
  end_ = t + H;
  if (std::abs(end_ - t - H) > coarsest_step * H)
    throw error(when() + "doStep: the time has too few digits there for a communication step of " +
                format(H) + " s; start the run at an earlier time, or take longer steps");
  // Masters add up steps: rounding is accepted in proportion to the run and to the resolution of
  // time.
  const double rounding =
      std::max({1e-6 * H, 1e-9 * (now_.t_stop - now_.t_start),
                16 * std::numeric_limits<double>::epsilon() * std::abs(now_.t_stop)});
  if (std::isfinite(now_.t_stop) && end_ > now_.t_stop + rounding)
    throw error(when() + "doStep: t = " + format(end_) + " lies beyond the stop time " +
                format(now_.t_stop));

  before_ = now_;
  bool roll_back =
      true;  // false once the step has ended: a model function or the importer may throw
  const AtExit undo{[&] {
    forget_outputs();
    if (roll_back) std::swap(now_, before_);
  }};
  take_inputs();
  require_sound_parameters();
  // Repeat if the observer has moved the end: return_at().
  Result result;
  do {
    result = ask_solver([&](Solver& solver) { return solver.advance(now_.state, end_, observer); });
  } while (result.ok() && now_.state.point.t < end_);
  if (!result.ok()) {
    if (keep_substeps) {
      roll_back = false;
      now_.last_successful_time = now_.state.point.t;
      now_.phase = step_failed;
    }
    const bool singular = result.failure == Failure::singular_matrix;
    throw Refusal{Status::discard, result.message, singular ? "logSingularLinearSystems" : nullptr};
  }
  if (logging_on_) log_step(before_.state.statistics);
  roll_back = false;
  hold_inputs();
  now_.last_successful_time = now_.state.point.t;
  return {now_.state.point.t, now_.state.point.t < t + H - 1e-9 * H};
}

bool Instance::return_at(double t) {
  if (t >= end_) return true;
  end_ = std::max(now_.state.point.t, t);
  return false;
}

void Instance::hold_inputs() {
  const InputSignal& in = now_.state.input;
  if (in.constant) return;
  in.at(now_.state.point.t, now_.u);
  now_.du.setZero();
  now_.ddu.setZero();
}

void Instance::enter_intermediate() {
  now_.phase = intermediate;
  hold_inputs();
  u_here_ = now_.u;
  forget_outputs();
}

void Instance::leave_intermediate() {
  if (solver_spoiled_)
    throw error(when() + "the model failed inside the step, which was not taken");
  now_.phase = stepping;
  if (now_.u != u_here_) take_inputs();
}

void Instance::enter_asking() {
  now_.phase = asking;
  hold_inputs();
  u_here_ = now_.u;
}

void Instance::leave_asking(double t_end) {
  now_.phase = stepping;
  now_.du = (now_.u - u_here_) / (t_end - now_.state.point.t);
  now_.u = u_here_;
  take_inputs();
}

// --- saved states ---

void Instance::restore(const Snapshot& snapshot) {
  now_ = snapshot;
  forget_outputs();
}

Snapshot Instance::deserialize(const unsigned char* bytes, std::size_t size) const {
  Snapshot loaded = mechfmu::deserialize(bytes, size, token_, fresh_);
  for (const Entry& e : description_.entries) {
    if (e.causality != Causality::parameter || e.source != Source::input) continue;
    const double own = fresh_.u[e.index];  // of the model, even if out of range
    const double in_force = loaded.initialized ? loaded.state.input.value[e.index] : own;
    for (const double value : {loaded.u[e.index], in_force})
      if (value != own && !(value >= e.min && value <= e.max))
        throw error("the saved state makes no sense: '" + e.name + "' = " + format(value) +
                    " is out of range (" + format(e.min) + " to " + format(e.max) + ")");
  }
  return loaded;
}

}  // namespace mechfmu
