#include "importer/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "importer/channels.h"
#include "importer/inputs.h"
#include "importer/points.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using C = FmuVariable::Causality;

constexpr double smallest_part = 1.0 / (1 << 20);  // of a step, when steps are discarded
constexpr double most_steps = 1e10;
constexpr std::chrono::milliseconds progress_pause(100);

[[noreturn]] void fail(const std::string& what) { throw InvalidOptions(what); }

/// "what: why", or only what if the FMU has logged nothing.
std::string because(const std::string& what, const std::string& why) {
  return why.empty() ? what : what + ": " + why;
}

struct Times {
  double start, stop, step;
};

Times times_of(const FmuDescription& fmu, const RunOptions& options) {
  Times t{};
  t.start = options.start.value_or(fmu.start.value_or(0));
  t.stop = options.stop.value_or(fmu.stop && *fmu.stop > t.start ? *fmu.stop : t.start + 1);
  if (!std::isfinite(t.start) || !std::isfinite(t.stop) || t.stop <= t.start)
    fail("the stop time " + shortest(t.stop) + " must be later than the start time " +
         shortest(t.start));
  const double internal = fmu.co_simulation->internal_step;
  if (options.step)
    t.step = *options.step;
  else if (fmu.step && *fmu.step > 0)
    t.step = *fmu.step;
  else if (!fmu.co_simulation->variable_step && internal > 0)
    t.step = internal;
  else
    t.step = options.interval.value_or((t.stop - t.start) / 500);
  for (const auto& [name, value] :
       {std::pair("step", std::optional(t.step)), std::pair("interval of rows", options.interval),
        std::pair("tolerance", options.tolerance)})
    if (value && !(std::isfinite(*value) && *value > 0))
      fail("the " + std::string(name) + " " + shortest(*value) + " must be a number above 0");
  t.step = std::min(t.step, t.stop - t.start);
  if (count_steps(t.start, t.stop, std::min(t.step, options.interval.value_or(t.step))) >
      most_steps)
    fail("a run from " + shortest(t.start) + " to " + shortest(t.stop) + " by steps of " +
         shortest(t.step) + " would never end");
  if (fmu.co_simulation->variable_step) return t;
  if (!divides(t.step, t.stop - t.start))
    fail("the FMU takes steps of one size only: the stop time must be a multiple of " +
         shortest(t.step) + " after the start time " + shortest(t.start));
  if (options.interval && !divides(t.step, *options.interval))
    fail("the FMU takes steps of one size only: the interval of rows must be a multiple of " +
         shortest(t.step));
  return t;
}

std::vector<Channel> columns_of(const FmuDescription& fmu, const std::vector<std::string>& names) {
  std::vector<Channel> columns;
  const auto add = [&](const std::vector<Channel>& more) {
    columns.insert(columns.end(), more.begin(), more.end());
  };
  if (names.empty()) {
    for (const FmuVariable& v : fmu.variables)
      if (v.causality == C::output && v.is_number() && !v.alias)
        add(find_channels(fmu, v.name, {}));
    return columns;
  }
  std::vector<std::string> likely;
  for (const FmuVariable& v : fmu.variables)
    if (v.is_number()) likely.push_back(v.name);
  for (const std::string& name : names) {
    add(find_channels(fmu, name, likely));
    if (!columns.empty() && !columns.back().variable->is_number())
      fail("'" + name + "' is a " + text(columns.back().variable->type) +
           "; only numbers can be written into rows");
  }
  return columns;
}

class Run {
 public:
  /// Throws std::runtime_error for options that do not fit the FMU.
  Run(const Fmu& fmu, const RunOptions& options)
      : file_(fmu),
        fmu_(fmu.description()),
        options_(options),
        any_size_(fmu_.co_simulation->variable_step),
        times_(times_of(fmu_, options)),
        assignments_(assignments(fmu_, options.set)),
        columns_(columns_of(fmu_, options.outputs)),
        recorder_(columns_),
        inputs_(fmu_, options.inputs),
        row_(columns_.size() + 1) {
    for (const Assignment& a : assignments_)
      if (inputs_.drives(*a.variable))
        fail("'" + a.variable->name + "' is set and is a column of " + options.inputs.file +
             " too");
    result_.names.emplace_back("time");
    for (const Channel& channel : columns_) result_.names.push_back(name_of(channel));
    can_restore_ = fmu_.major == 2 && fmu_.co_simulation->saves_state && any_size_;
  }

  RunResult run() {
    make_instance();
    initialize();
    if (options_.on_names) options_.on_names(result_.names);
    result_.reached = times_.start;
    if (record()) steps();
    finish();
    return std::move(result_);
  }

 private:
  void make_instance() {
    const auto listener = [this](const FmuMessage& message) {
      ++result_.messages;
      if (options_.on_message) options_.on_message(message);
    };
    try {
      instance_ = instantiate(file_, listener, options_.logging);
    } catch (const std::runtime_error& error) {
      throw InitializationFailed(error.what());
    }
  }

  void require(CallStatus status, const std::string& what) const {
    if (!succeeded(status)) throw InitializationFailed(because(what, instance_->last_problem()));
  }

  void assign(bool to_inputs) const {
    for (const Assignment& a : assignments_) {
      if ((a.variable->causality == C::input) != to_inputs) continue;
      instance_->forget_problem();
      if (!succeeded(a.apply(*instance_)))
        fail(because("the FMU refuses the value for '" + a.variable->name + "'",
                     instance_->last_problem()));
    }
  }

  void initialize() {
    assign(false);
    instance_->forget_problem();
    require(instance_->enter_initialization(times_.start, times_.stop, options_.tolerance),
            "the initialization failed");
    assign(true);
    instance_->forget_problem();
    require(inputs_.apply(*instance_, times_.start), "the FMU refuses the inputs");
    require(instance_->exit_initialization(), "the initialization failed");
  }

  /// These return false at the end of the run.
  bool record() {
    row_[0] = result_.reached;
    instance_->forget_problem();
    const CallStatus status = recorder_.read(*instance_, std::span(row_).subspan(1));
    if (!succeeded(status)) return stopped(status, "the outputs cannot be read");
    if (options_.keep_rows) result_.rows.push_back(row_);
    if (options_.on_row) options_.on_row(row_);
    return true;
  }

  bool stopped(CallStatus status, const std::string& what) {
    last_ = status;
    result_.error = because(what, instance_->last_problem());
    return false;
  }

  bool progress() {
    if (!options_.on_progress) return true;
    const auto now = options_.clock();
    if (shown_ && now - *shown_ < progress_pause) return true;
    shown_ = now;
    const double t = result_.reached;
    result_.cancelled = !options_.on_progress((t - times_.start) / (times_.stop - times_.start), t);
    return !result_.cancelled;
  }

  void steps() {
    std::vector<double> single;
    if (any_size_)
      single = inputs_.points(times_.start, times_.stop,
                              count_steps(times_.start, times_.stop, times_.step));
    Points points(times_.start, times_.stop, times_.step, options_.interval, std::move(single));
    while (result_.reached < times_.stop && progress()) {
      const Points::Point point = points.next();
      if (!advance(point.time)) return;
      if ((point.row || result_.terminated) && !record()) return;
      if (result_.terminated) return;
    }
  }

  /// From the present time to the next point, in parts if the FMU requires them.
  bool advance(double target) {
    double part = target - result_.reached;
    long idle = 0;
    while (result_.reached < target && !result_.terminated) {
      const double t = result_.reached;
      const bool whole = part >= (target - t) * (1 - 1e-9);
      const double t_end = whole ? target : t + part;
      double h = t_end - t;
      while (t + h > t_end) h = std::nextafter(h, 0.0);  // never beyond the stop time
      if (whole && !any_size_ && std::abs(h - times_.step) < 1e-6 * times_.step) h = times_.step;

      instance_->forget_problem();
      const CallStatus set = prepare(t, t_end);
      if (!succeeded(set)) return stopped(set, "the FMU refuses the inputs at " + shortest(t));
      const StepOutcome outcome = instance_->step(t, h);
      const auto step = [&](const char* what) {
        return "the step from " + shortest(t) + " to " + shortest(t_end) + what;
      };

      if (succeeded(outcome.status)) {
        ++result_.steps;
        result_.terminated = outcome.terminate;
        result_.reached = t_end;
        part *= 2;
        if (outcome.early && outcome.time < t_end) {
          ++result_.early_returns;
          result_.reached = std::max(t, outcome.time);
          part = target - result_.reached;
          idle = result_.reached > t ? 0 : idle + 1;
          if (idle > 100)
            return stopped(outcome.status, step(" makes no progress: the FMU returns immediately"));
        }
        continue;
      }
      if (outcome.status != CallStatus::discard) return stopped(outcome.status, step(" failed"));
      ++result_.discards;
      if (outcome.terminate) {
        result_.terminated = true;
        result_.reached = std::clamp(outcome.time, t, t_end);
        return true;
      }
      part = h / 2;
      const bool can_repeat = any_size_ && (fmu_.major == 3 || can_restore_);
      if (!can_repeat || part < smallest_part * times_.step || t + part <= t)
        return stopped(outcome.status, step(" failed"));
      if (fmu_.major == 2 && !succeeded(instance_->restore()))
        return stopped(CallStatus::error, step(" failed and cannot be repeated"));
    }
    return true;
  }

  CallStatus prepare(double t, double t_end) {
    if (can_restore_) {
      const CallStatus saved = instance_->save();
      if (saved >= CallStatus::error) return saved;
      can_restore_ = succeeded(saved);
    }
    return inputs_.apply(*instance_, t, t_end);
  }

  void finish() {
    if (last_ >= CallStatus::error) return;  // no call is allowed any more
    std::vector<Channel> statistics;
    for (const FmuVariable& v : fmu_.variables)
      if (v.name.starts_with("solver.") && v.is_number() && v.dimensions.empty() &&
          v.causality != C::parameter)
        statistics.push_back({&v, 0});
    std::vector<double> values(statistics.size());
    if (succeeded(Recorder(statistics).read(*instance_, values)))
      for (std::size_t i = 0; i < values.size(); ++i)
        result_.statistics.emplace_back(statistics[i].variable->name, values[i]);
    instance_->terminate();
  }

  const Fmu& file_;
  const FmuDescription& fmu_;
  const RunOptions& options_;
  const bool any_size_;  // of steps
  const Times times_;
  const std::vector<Assignment> assignments_;
  const std::vector<Channel> columns_;
  Recorder recorder_;
  Inputs inputs_;
  std::vector<double> row_;
  RunResult result_;
  std::unique_ptr<Instance> instance_;
  bool can_restore_ = false;
  CallStatus last_ = CallStatus::ok;
  std::optional<std::chrono::steady_clock::time_point> shown_;
};

}  // namespace

RunResult run(const Fmu& fmu, const RunOptions& options) {
  std::optional<Run> run;
  try {
    run.emplace(fmu, options);
  } catch (const std::runtime_error& error) {
    throw InvalidOptions(error.what());
  }
  return run->run();
}

RunResult run(const std::filesystem::path& folder, const RunOptions& options) {
  return run(Fmu(folder), options);
}

}  // namespace mechfmu
