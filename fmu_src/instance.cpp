#include "fmu_src/instance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "model/differences.h"
#include "model/factory.h"
#include "model/format.h"
#include "solver/norms.h"

namespace mechfmu {

namespace {

Refusal error(std::string message) { return {Status::error, std::move(message)}; }

const SettingRow& setting(const Entry& e) {
  return setting_rows()[static_cast<std::size_t>(e.index)];
}

std::vector<double> padded(std::vector<double> values, Index size) {
  values.resize(static_cast<std::size_t>(size), 0);
  return values;
}

}  // namespace

Instance::Instance(std::string name, Logger logger, bool logging_on)
    : name_(std::move(name)),
      logger_(std::move(logger)),
      logging_on_(logging_on),
      system_(make_model()),
      description_(describe(model_name(), *system_)) {
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
  now_ = fresh_;
  before_.resize(size);
  u_before_ = du_before_ = ddu_before_ = u_here_ = Vector::Zero(size.u);
  point_.resize(size);
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
  now_.stop_defined = stop_defined;
  now_.t_stop = stop;
}

void Instance::make_solver() {
  const double tolerance = now_.tolerance > 0 ? now_.tolerance : description_.experiment.tolerance;
  if (solver_ && solver_settings_ == now_.settings && solver_tolerance_ == tolerance) return;
  try {
    solver_ = std::make_unique<Solver>(*system_, make_options(now_.settings, tolerance));
  } catch (const std::invalid_argument& invalid) {
    throw error(invalid.what());
  }
  solver_settings_ = now_.settings;
  solver_tolerance_ = tolerance;
}

void Instance::initialize_now() {
  if (now_.initialized) return;
  make_solver();
  system_->set_inputs(now_.u);
  const bool letters = system_->variables().letters();  // else parameters alone say where it starts
  Result result;
  try {
    result = solver_->initialize(now_.state, now_.t_start, letters ? now_.start : system_->start());
  } catch (const std::invalid_argument& invalid) {
    throw error(std::string("initialization: ") + invalid.what());
  }
  if (!result.ok()) throw error("initialization: " + result.message);
  now_.initialized = true;
  now_.last_successful_time = now_.t_start;
  point_valid_ = false;
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
  now_.phase = now_.event_mode ? event : stepping;
}

void Instance::enter_event_mode() { now_.phase = event; }

void Instance::enter_step_mode() {
  take_inputs();
  now_.phase = stepping;
}

void Instance::terminate() { now_.phase = terminated; }

void Instance::reset() {
  now_ = fresh_;
  point_valid_ = false;
}

// --- variables ---

const Entry& Instance::entry(std::uint32_t reference, std::initializer_list<Type> types,
                             Index& element) const {
  const Description::Place* place = find(reference);
  if (place == nullptr)
    throw error("there is no variable with value reference " + std::to_string(reference) +
                "; they end at " + std::to_string(description_.references - 1));
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
  return read(e, element);
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
    case Source::statistic: return read_statistic(static_cast<Statistic>(e.index));
    default: break;
  }
  const Point& out = output_point();
  switch (e.source) {
    case Source::a: return out.a[element];
    case Source::lambda: return out.mu[element];
    case Source::psi: return out.mu[out.m + element];
    default: system_->at(out); return system_->read(static_cast<std::size_t>(e.index));
  }
}

const Point& Instance::output_point() {
  if (now_.phase == event && !point_valid_) take_inputs();
  if (point_valid_) {
    // Outputs may use parameters and inputs directly: those of the state, not those set since.
    system_->set_inputs(now_.state.input.constant ? now_.state.input.value : now_.u);
    return point_;
  }
  const Result result = solver_->output(now_.state, point_);
  if (!result.ok()) throw error(result.message);
  point_valid_ = true;
  return point_;
}

double Instance::read_statistic(Statistic statistic) {
  const State& s = now_.state;
  const Statistics& n = s.statistics;
  double position = 0;
  double velocity = 0;
  if (statistic == Statistic::position || statistic == Statistic::velocity)
    solver_->constraint_residuals(s, position, velocity);
  switch (statistic) {
    case Statistic::steps: return static_cast<double>(n.steps);
    case Statistic::rejected: return static_cast<double>(n.rejected());
    case Statistic::newton_iterations: return static_cast<double>(n.newton_iterations);
    case Statistic::jacobians: return static_cast<double>(n.jacobians);
    case Statistic::factorizations: return static_cast<double>(n.factorizations);
    case Statistic::restarts: return static_cast<double>(n.restarts);
    case Statistic::step_size: return s.last_h;
    case Statistic::error: return s.error;
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
  if (e.causality == Causality::parameter && !(value >= e.min && value <= e.max))
    throw error(when() + "'" + e.name + "' = " + format(value) + " is out of range (" +
                format(e.min) + " to " + format(e.max) + "); it keeps " +
                format(written(e, element)));
}

void Instance::set(std::uint32_t reference, double value) {
  const Description::Place& place = places_[reference];
  const Entry& e = description_.entries[place.entry];
  write(e, place.element, value);
  if (e.causality == Causality::input) now_.du[e.index] = now_.ddu[e.index] = 0;
  if (now_.phase == initialization) now_.initialized = false;
  if (now_.phase == event) point_valid_ = false;
}

void Instance::set_input_derivative(std::uint32_t reference, int order, double value) {
  Index element = 0;
  const Entry& e = entry(reference, {Type::real}, element);
  if (e.causality != Causality::input) throw error("'" + e.name + "' is not an input");
  if (order < 1 || order > 2)
    throw error("input derivatives of order 1 and 2 are used, not " + std::to_string(order));
  if (!std::isfinite(value))
    throw error(when() + "the derivative of '" + e.name + "' is not finite");
  (order == 1 ? now_.du : now_.ddu)[e.index] = value;
}

void Instance::output_derivatives(std::span<const std::uint32_t> references,
                                  std::span<const int> orders, std::span<double> values) {
  std::vector<std::size_t> outputs;
  for (std::size_t i = 0; i < references.size(); ++i) {
    Index element = 0;
    const Entry& e = entry(references[i], {Type::real}, element);
    if (e.causality != Causality::output) throw error("'" + e.name + "' is not an output");
    if (orders[i] < 1 || orders[i] > description_.max_output_derivative)
      throw error("output derivatives of order 1 to " +
                  std::to_string(description_.max_output_derivative) + " are available, not " +
                  std::to_string(orders[i]));
    outputs.push_back(static_cast<std::size_t>(e.index));
  }
  if (outputs.empty()) return;
  const Point p = output_point();
  Vector rates;
  if (const Result result = solver_->rates(now_.state, p, rates); !result.ok())
    throw error(result.message);

  // The outputs along the motion that goes on from here, by differences; all of them at one point after the other.
  const Sizes& size = system_->sizes();
  const double h = now_.state.h > 0 ? now_.state.h : now_.state.history.span;
  const double step = std::clamp(0.05 * h, 1e-6, 1e-2);
  Point q = p;
  Vector delta(size.n);
  std::fill(values.begin(), values.end(), 0);
  for (std::size_t k = 0; k < sixth_order.size(); ++k)
    for (const double side : {1.0, -1.0}) {
      const double s = side * step * static_cast<double>(k + 1);
      q.t = p.t + s;
      delta = s * p.z + s * s / 2 * p.a + s * s * s / 6 * rates.head(size.n);
      system_->displace(p.y, delta, q.y);
      q.z = p.z + s * p.a + s * s / 2 * rates.head(size.n);
      q.a = p.a + s * rates.head(size.n);
      q.mu = p.mu + s * rates.segment(size.n, size.mu());
      q.x = p.x + s * p.xdot + s * s / 2 * rates.tail(size.x);
      q.xdot = p.xdot + s * rates.tail(size.x);
      const double weight = side * sixth_order[k] / step;
      system_->at(q);
      for (std::size_t i = 0; i < outputs.size(); ++i)
        values[i] += weight * system_->read(outputs[i]);
    }
}

// --- steps ---

void Instance::take_inputs() {
  solver_->set_inputs(now_.state, now_.u, now_.du, now_.ddu);
  point_valid_ = false;
}

void Instance::log_step(const Statistics& before) {
  const Statistics& s = now_.state.statistics;
  if (s.restarts > before.restarts)
    log(Status::ok, "logEvents",
        when() + "the history was made anew after a jump of inputs or a large change of step");
  log(Status::ok, "logSolverStatistics",
      when() + std::to_string(s.steps - before.steps) + " substeps, " +
          std::to_string(s.rejected() - before.rejected()) + " rejected, " +
          std::to_string(s.newton_iterations - before.newton_iterations) + " iterations, " +
          std::to_string(s.factorizations - before.factorizations) + " factorizations");
}

Instance::Step Instance::do_step(double t, double H, bool roll_back, StepObserver* observer) {
  const double own = now_.state.point.t;
  if (!(std::isfinite(t) && std::isfinite(H)))
    throw error(when() + "doStep: time and step must be finite");
  if (!(H > 0))
    throw error(when() + "doStep: the communication step must be positive, not " + format(H));
  if (std::abs(t - own) > 1e-12 * std::max(1.0, std::abs(own)) + 1e-6 * H)
    throw error(when() + "doStep: asked to start at t = " + format(t) +
                ", but the FMU is at t = " + format(own));
  end_ = t + H;
  if (now_.stop_defined && end_ > now_.t_stop + 1e-9 * std::max(H, std::abs(now_.t_stop)))
    throw error(when() + "doStep: t = " + format(end_) + " lies beyond the stop time " +
                format(now_.t_stop));

  if (roll_back) before_ = now_.state;
  const bool inputs_may_change = roll_back && observer != nullptr;
  if (inputs_may_change) u_before_ = now_.u, du_before_ = now_.du, ddu_before_ = now_.ddu;
  const Statistics statistics = now_.state.statistics;
  take_inputs();
  // Again when the observer has moved the end: return_at().
  Result result;
  do {
    result = solver_->advance(now_.state, end_, observer);
  } while (result.ok() && now_.state.point.t < end_);
  point_valid_ = false;
  if (!result.ok()) {
    if (roll_back) {
      now_.state = before_;
      if (inputs_may_change) now_.u = u_before_, now_.du = du_before_, now_.ddu = ddu_before_;
    } else {
      now_.last_successful_time = now_.state.point.t;
      now_.phase = step_failed;
    }
    const bool singular = result.failure == Failure::singular_matrix;
    throw Refusal{Status::discard, result.message, singular ? "logSingularLinearSystems" : nullptr};
  }
  if (logging_on_) log_step(statistics);
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
  point_valid_ = false;
}

void Instance::leave_intermediate() {
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
  point_valid_ = false;
  if (now_.initialized) make_solver();
}

namespace {

/// Visits every number of a snapshot in a fixed order.
template <class Visitor>
void visit_snapshot(Snapshot& s, Visitor&& visitor) {
  visitor(s.phase), visitor(s.u), visitor(s.du), visitor(s.ddu);
  for (const SettingRow& row : setting_rows()) {
    double number = row.get(s.settings);
    visitor(number);
    row.set(s.settings, number);
  }
  visitor(s.start.y), visitor(s.start.z), visitor(s.start.x);
  visitor(s.t_start), visitor(s.t_stop), visitor(s.tolerance), visitor(s.stop_defined);
  visitor(s.initialized), visitor(s.event_mode), visitor(s.last_successful_time);
  s.state.visit(visitor);
}

template <class Action>
void each_run_of_bytes(Snapshot& s, Action&& action) {
  visit_snapshot(s, [&](auto& member) {
    if constexpr (requires { member.data(), member.size(); })
      action(reinterpret_cast<unsigned char*>(member.data()),
             static_cast<std::size_t>(member.size()) * sizeof(*member.data()));
    else
      action(reinterpret_cast<unsigned char*>(&member), sizeof(member));
  });
}

/// What precedes the numbers: who wrote them, for which model, how many, and are they intact?
struct Header {
  std::array<char, 8> magic = {'m', 'e', 'c', 'h', 'f', 'm', 'u', '1'};
  std::array<char, 32> token{};
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};

std::uint64_t checksum(const unsigned char* bytes, std::size_t size) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 1099511628211ULL;
  return hash;
}

}  // namespace

std::size_t Instance::serialized_size() const {
  std::size_t size = sizeof(Header);
  Snapshot copy = fresh_;
  each_run_of_bytes(copy, [&](unsigned char*, std::size_t run) { size += run; });
  return size;
}

void Instance::serialize(const Snapshot& snapshot, unsigned char* bytes, std::size_t size) const {
  if (size < serialized_size())
    throw error("a saved state needs " + std::to_string(serialized_size()) + " bytes, not " +
                std::to_string(size));
  Header header;
  const std::string id = token(description_);
  std::copy_n(id.begin(), header.token.size(), header.token.begin());
  unsigned char* to = bytes + sizeof(Header);
  Snapshot copy = snapshot;
  each_run_of_bytes(
      copy, [&](const unsigned char* from, std::size_t run) { to = std::copy_n(from, run, to); });
  header.size = static_cast<std::uint64_t>(to - bytes) - sizeof(Header);
  header.checksum = checksum(bytes + sizeof(Header), header.size);
  std::copy_n(reinterpret_cast<const unsigned char*>(&header), sizeof(Header), bytes);
}

void Instance::deserialize(const unsigned char* bytes, std::size_t size, Snapshot& snapshot) const {
  Header header;
  const Header expected;
  if (size < sizeof(Header))
    throw error("a saved state of " + std::to_string(size) + " bytes is too short");
  std::copy_n(bytes, sizeof(Header), reinterpret_cast<unsigned char*>(&header));
  if (header.magic != expected.magic)
    throw error("these bytes are not a saved state of this version of mechfmu");
  if (std::string(header.token.data(), header.token.size()) != token(description_))
    throw error("the saved state belongs to another model or to another version of this one");
  if (size < serialized_size() || header.size != serialized_size() - sizeof(Header))
    throw error("the saved state is truncated: " + std::to_string(size) + " bytes, " +
                std::to_string(serialized_size()) + " needed");
  if (header.checksum != checksum(bytes + sizeof(Header), header.size))
    throw error("the saved state is damaged: its checksum does not fit");
  snapshot = fresh_;
  const unsigned char* from = bytes + sizeof(Header);
  each_run_of_bytes(snapshot, [&](unsigned char* to, std::size_t run) {
    std::copy_n(from, run, to);
    from += run;
  });
}

// --- derivatives ---

std::vector<double> Instance::read_all(const std::vector<std::uint32_t>& unknowns) {
  std::vector<double> values;
  values.reserve(unknowns.size());
  for (const std::uint32_t unknown : unknowns) values.push_back(get(unknown, {Type::real}));
  return values;
}

void Instance::check_known(std::uint32_t reference) const {
  Index element = 0;
  const Entry& e = entry(reference, {Type::real}, element);
  const bool start =
      now_.phase == initialization && !e.start.empty() && e.source != Source::setting;
  if (e.source != Source::input && !start)
    throw error(
        "'" + e.name +
        "' is not an input, a parameter or a start value; nothing can be derived by it now");
}

void Instance::directional_derivative(const std::vector<std::uint32_t>& unknowns,
                                      const std::vector<std::uint32_t>& knowns,
                                      const std::vector<double>& seed,
                                      std::vector<double>& sensitivity) {
  for (const std::uint32_t known : knowns) check_known(known);
  sensitivity.assign(unknowns.size(), 0);
  // One known after the other, each with a step of its own size.
  for (std::size_t j = 0; j < knowns.size(); ++j) {
    if (seed[j] == 0) continue;
    if (now_.phase == initialization)
      derivatives_by_start(unknowns, knowns[j], seed[j], sensitivity);
    else
      derivatives_by_input(unknowns, knowns[j], seed[j], sensitivity);
  }
}

void Instance::derivatives_by_start(const std::vector<std::uint32_t>& unknowns, std::uint32_t known,
                                    double seed, std::vector<double>& sensitivity) {
  // The whole initialization as a function of the known.
  const Snapshot kept = now_;
  Index element = 0;
  const Entry& e = entry(known, {Type::real}, element);
  const double value = written(e, element);
  const double step = 5e-3 * (value == 0 ? 1 : std::abs(value));
  for (std::size_t k = 0; k < sixth_order.size(); ++k)
    for (const double side : {-1.0, 1.0}) {
      write(e, element, value + side * static_cast<double>(k + 1) * step);
      now_.initialized = false;
      const auto values = read_all(unknowns);
      for (std::size_t i = 0; i < unknowns.size(); ++i)
        sensitivity[i] += seed * side * sixth_order[k] / step * values[i];
    }
  now_ = kept;
  now_.initialized = false;
}

void Instance::derivatives_by_input(const std::vector<std::uint32_t>& unknowns, std::uint32_t known,
                                    double seed, std::vector<double>& sensitivity) {
  // y, z, x are given; accelerations and multipliers follow the input.
  Index element = 0;
  const Index input = entry(known, {Type::real}, element).index;
  Vector du = Vector::Zero(now_.u.size());
  du[input] = 1;
  const Point p = output_point();
  Point dp = p;
  if (const Result result = solver_->input_sensitivity(now_.state, p, du, dp); !result.ok())
    throw error(result.message);
  Vector u(now_.u.size());
  system_->get_inputs(u);  // at the time of p
  const double step = 0.01 * (u[input] == 0 ? 1 : std::abs(u[input]));
  Point q = p;
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const Entry& e = entry(unknowns[i], {Type::real}, element);
    switch (e.source) {
      case Source::a: sensitivity[i] += seed * dp.a[element]; break;
      case Source::lambda: sensitivity[i] += seed * dp.mu[element]; break;
      case Source::psi: sensitivity[i] += seed * dp.mu[p.m + element]; break;
      case Source::output:
        for (std::size_t k = 0; k < sixth_order.size(); ++k)
          for (const double side : {-1.0, 1.0}) {
            const double by = side * static_cast<double>(k + 1) * step;
            q.a = p.a + by * dp.a;
            q.mu = p.mu + by * dp.mu;
            q.xdot = p.xdot + by * dp.xdot;
            system_->set_inputs(u + by * du);
            system_->at(q);
            sensitivity[i] += seed * side * sixth_order[k] / step *
                              system_->read(static_cast<std::size_t>(e.index));
          }
        system_->set_inputs(u);
        break;
      default: break;  // positions, velocities, states and settings do not follow the inputs
    }
  }
}

void Instance::adjoint_derivative(const std::vector<std::uint32_t>& unknowns,
                                  const std::vector<std::uint32_t>& knowns,
                                  const std::vector<double>& seed,
                                  std::vector<double>& sensitivity) {
  sensitivity.assign(knowns.size(), 0);
  std::vector<double> column;
  for (std::size_t j = 0; j < knowns.size(); ++j) {
    directional_derivative(unknowns, {knowns[j]}, {1.0}, column);
    for (std::size_t i = 0; i < unknowns.size(); ++i) sensitivity[j] += seed[i] * column[i];
  }
}

}  // namespace mechfmu
