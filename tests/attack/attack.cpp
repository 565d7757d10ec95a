// Random calls of an FMU from a seed, legal and illegal, and the rules that hold for all of them.
//
//   attack calls  <folder of an unpacked FMU> --calls 100000 --seed 1
//   attack states <folder of an unpacked FMU> --states 10000 --seed 1
//   attack memory <folder of an unpacked FMU> --calls 1000 --seed 1
//   attack threads <folder of an unpacked FMU> --instances 1000 --threads 16
//   attack endurance <folder of an unpacked FMU> --steps 1000000 --resets 100000
//
// calls: one life after the other, tame (inputs in their ranges: legal calls have to succeed) or
// wild (anything).
//   - A call in a phase that the standard forbids, or with senseless arguments, returns an error.
//   - A call that only reads, or that is refused, leaves every byte of the state as it was; a
//     refusal is logged.
//   - Values returned with status ok are finite, and the same when read again.
//   - Steps after a roll-back, and in a new instance that continues from the bytes, give the same
//     bits.
//   - Memory does not grow.
// states: serialized states with changed bytes, also with a checksum that fits, are refused or do
// no harm.
// memory: when memory runs out in the middle of a call, it returns an error and nothing has
// changed.
// threads: instances that live at the same time, in several threads, end with the same bytes as
// alone.
// endurance: neither many steps nor many resets let memory grow, and the last life equals the first
// bit for bit.
//
// --plant <fault> makes the FMU faulty (tests/attack/planted.h): the attack has to fail then.
//
// A failure ends the program with the seed of that life and its last calls; --seed with that number
// repeats it.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <thread>

#include "tests/attack/planted.h"
#include "tests/attack/unit.h"

namespace mechfmu::attack {
namespace {

/// Number of allocations of the whole program, FMU included, that still succeed.
constexpr long never = std::numeric_limits<long>::max();
long allocations_left = never;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// The malloc of a sanitizer does not fail and keeps freed memory; the leak sanitizer checks at the
// end.
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The life cycle as drawn in the standards.
enum Phase : unsigned {
  instantiated = 1,
  initialization = 2,
  stepping = 4,
  event = 8,
  failed = 16,  // FMI 2.0, after a discarded step
  terminated = 32,
  anywhere = 63
};

struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::deque<std::string> recent;  // calls, for the report
std::uint64_t seed_of_life = 0;

void report(const char* what) {
  std::fprintf(stderr, "attack: %s\n  --seed %llu repeats it; the last calls:\n", what,
               static_cast<unsigned long long>(seed_of_life));
  for (const std::string& call : recent) std::fprintf(stderr, "    %s\n", call.c_str());
}

void crashed(int signal) {
  report(signal == SIGALRM ? "a call takes more than a minute" : "crash");
  std::_Exit(3);
}

long resident_kilobytes() {
  std::ifstream file("/proc/self/statm");
  long whole = 0;
  long resident = 0;
  file >> whole >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

class Life {
 public:
  Life(const Fmu& fmu, std::uint64_t seed, const std::string& fault)
      : fmu_(fmu),
        random_(seed),
        tame_(seed % 2 == 0),
        event_mode_(fmu.description().major == 3 && seed % 3 == 0),
        unit_(make_unit(fmu, event_mode_)) {
    if (!unit_) throw Failed("the FMU cannot be instantiated");
    for (const FmuVariable& v : fmu.description().variables) {
      if (v.type != FmuVariable::Type::float64) {
        if (v.causality == C::parameter && v.is_number()) wholes_.push_back(&v);
        continue;
      }
      if (v.size() != 1) continue;
      reals_.push_back(&v);
      if (v.causality == C::input) inputs_.push_back(&v);
      if (v.causality == C::output) outputs_.push_back(&v);
      if (v.causality == C::parameter) parameters_.push_back(&v);
    }
    for (const FmuVariable* v : wholes_)
      if (v->name == "solver.max_substeps") max_substeps_ = v;
    if (!fault.empty())
      unit_ = std::make_unique<Planted>(std::move(unit_), fault, inputs_.at(0)->reference);
  }
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;
  ~Life() {
    for (void*& state : states_) unit_->forget(&state);
  }

  /// As many calls, or until the instance is terminated and nothing more can happen to it.
  long live(long calls);

 private:
  using C = FmuVariable::Causality;

  /// The expected effect of a call.
  struct Expected {
    bool allowed = true;   // in this phase
    bool sensible = true;  // its arguments
    bool looks = false;    // it only reads and changes nothing
  };

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  bool chance(double p) { return std::uniform_real_distribution<double>(0, 1)(random_) < p; }
  double between(double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(random_);
  }
  const FmuVariable& one_of(const std::vector<const FmuVariable*>& all) {
    return *all[below(all.size())];
  }

  /// Makes a call and checks the rules for all calls.
  int call(const std::string& name, const Expected& expected, const std::function<int()>& body);
  void require(bool good, const std::string& otherwise) {
    if (!good)
      throw Failed(otherwise + (unit_->last_message.empty()
                                    ? ""
                                    : " (last message: " + unit_->last_message + ")"));
  }
  double value_for(const FmuVariable& v);
  double odd_number();
  bool may_set(const FmuVariable& v) const;

  void enter();
  void leave();
  void step();
  void get();
  void set();
  void set_whole();
  void slopes();
  void output_slopes();
  void directional();
  void nonsense();
  void save();
  void restore();
  void roll_back();
  void change_mode();
  void end();

  std::vector<double> some_steps(Unit& unit, double t, double H, int n);

  const Fmu& fmu_;
  std::mt19937_64 random_;
  bool tame_, event_mode_;
  std::unique_ptr<Unit> unit_;
  std::vector<const FmuVariable*> reals_, inputs_, outputs_, parameters_, wholes_;
  const FmuVariable* max_substeps_ = nullptr;
  unsigned phase_ = instantiated;
  double t_ = 0, stop_ = infinity;
  std::vector<void*> states_;
  struct Place {
    unsigned phase;
    double t, stop;
  };
  std::vector<Place> places_;  // of the states
  long calls_ = 0;
};

int Life::call(const std::string& name, const Expected& expected,
               const std::function<int()>& body) {
  ++calls_;
  recent.push_back(name);
  if (recent.size() > 25) recent.pop_front();
  const bool must_fail = !expected.allowed || !expected.sensible;
  const bool looks = expected.looks || must_fail;
  // Comparing all bytes costs more than most calls; an occasional comparison is enough.
  const bool compare = looks ? chance(0.3) : true;
  const Bytes before = compare ? unit_->bytes() : Bytes();
  const long messages = unit_->messages;
  alarm(60);
  const int status = body();
  alarm(0);
  recent.back() += " -> " + std::to_string(status);
  require(status >= ok && status <= error, name + " returned status " + std::to_string(status));
  if (must_fail)
    require(status == error, name + " was accepted, status " + std::to_string(status));
  else if (tame_)
    require(status <= warning || name == "step",
            name + " was refused, status " + std::to_string(status));
  if (status > warning)
    require(unit_->messages > messages, name + " was refused without a message");
  if (compare && (looks || status == error))
    require(unit_->bytes() == before, name + " changed the state");
  return status;
}

double Life::odd_number() {
  static const std::array odd = {0.0,   -1.0, 1e-300, 1e300, -1e300, 1e-9, 1e9,
                                 -1e-9, 1.0,  0.5,    -0.5,  2.0,    1e15, 5e-324};
  return odd[below(odd.size())];
}

double Life::value_for(const FmuVariable& v) {
  const double start = v.start.empty() ? 0 : std::strtod(v.start.c_str(), nullptr);
  if (!tame_ && chance(0.3)) return odd_number();
  double value = start == 0 ? between(-1, 1) : start * between(tame_ ? 0.9 : -2, tame_ ? 1.1 : 3);
  if (v.min) value = std::max(value, *v.min);
  if (v.max) value = std::min(value, *v.max);
  return value;
}

bool Life::may_set(const FmuVariable& v) const {
  const bool before = phase_ == instantiated || phase_ == initialization;
  const bool later = phase_ == stepping || phase_ == event;
  if (v.causality == C::input) return before || later;
  if (v.causality == C::parameter)
    return before || (later && v.variability == FmuVariable::Variability::tunable);
  return before && !v.start.empty() && v.causality != C::independent;
}

std::string words(const std::string& name, const FmuVariable& v, double value) {
  std::array<char, 40> number{};
  std::snprintf(number.data(), number.size(), "%.17g", value);
  return name + " " + v.name + " " + number.data();
}

// --- one call each ---

void Life::enter() {
  // Absurd parameters lead to absurdly small substeps; most lives do not wait for the default
  // number of them.
  if (!tame_ && phase_ == instantiated && max_substeps_ != nullptr && chance(0.99))
    unit_->set_whole(max_substeps_->reference, 300);
  const double length = std::min(fmu_.description().stop.value_or(1), 10.0);
  // Problems built from their exact solution have start values that hold at t = 0.
  const bool only_from_zero = fmu_.description().model.ends_with("_problem");
  const double start = chance(0.8) || (tame_ && only_from_zero) ? 0
                       : tame_                                  ? length * between(-1, 1)
                                                                : odd_number();
  const bool has_stop = chance(0.3);
  const double stop = has_stop ? start + between(0.1, 100) : 0;
  const bool has_tolerance = chance(0.3);
  const double tolerance = std::pow(10, between(-10, -2));
  const int status = call("enter_initialization", {.allowed = phase_ == instantiated}, [&] {
    return unit_->enter_initialization(start, has_stop, stop, has_tolerance, tolerance);
  });
  if (status > warning) return;
  phase_ = initialization;
  t_ = start;
  stop_ = has_stop ? stop : infinity;
}

void Life::leave() {
  const int status = call("exit_initialization", {.allowed = phase_ == initialization},
                          [&] { return unit_->exit_initialization(); });
  if (status <= warning) phase_ = event_mode_ ? event : stepping;
}

void Life::change_mode() {
  if (fmu_.description().major == 2) return;
  const bool to_event = chance(0.5);
  const int status =
      call(to_event ? "enter_event_mode" : "enter_step_mode",
           {.allowed = phase_ == (to_event ? stepping : event) && (event_mode_ || !to_event)},
           [&] { return to_event ? unit_->enter_event_mode() : unit_->enter_step_mode(); });
  if (status <= warning) phase_ = to_event ? event : stepping;
}

void Life::step() {
  double H = std::pow(10, between(-4, -1.5));
  double t = t_;
  bool sensible = true;
  if (chance(0.1)) {
    static const std::array senseless = {0.0, -1e-3, nan, infinity, -infinity};
    H = senseless[below(senseless.size())];
    sensible = false;
  } else if (chance(0.05)) {
    t = chance(0.5) ? t_ + 1 + std::abs(t_) : nan;
    sensible = false;
  } else if (t + H > stop_) {
    // rounding may be tolerated
    if (t + H < stop_ + 1e-3 * H + 1e-7 + 1e-14 * std::abs(stop_)) return;
    sensible = false;
  }
  if (sensible && std::abs(t + H - t - H) > 0.009 * H) {
    if (std::abs(t + H - t - H) < 0.011 * H) return;
    sensible = false;  // time is too coarse
  }
  const int status = call("step", {.allowed = phase_ == stepping, .sensible = sensible},
                          [&] { return unit_->step(t, H); });
  if (status <= warning) {
    t_ = t + H;
  } else if (status == discard && fmu_.description().major == 2) {
    phase_ = failed;
  }
}

void Life::get() {
  const std::size_t n = 1 + below(6);
  References references;
  std::string names = "get";
  for (std::size_t i = 0; i < n; ++i) {
    const FmuVariable& v = one_of(reals_);
    references.push_back(v.reference);
    names += " " + v.name;
  }
  // From initialization mode on, computed values can be read; before, only values that were set.
  bool allowed = true;
  for (const std::uint32_t reference : references)
    for (const FmuVariable* v : reals_)
      if (v->reference == reference && phase_ == instantiated && v->start.empty() &&
          v->causality != C::independent)
        allowed = false;
  std::vector<double> values(n), again(n);
  const int status = call(names, {.allowed = allowed, .looks = true},
                          [&] { return unit_->get(references.data(), n, values.data()); });
  if (status > warning) return;
  for (const double value : values)
    require(std::isfinite(value), names + " gave a value that is not finite");
  require(unit_->get(references.data(), n, again.data()) == status &&
              std::memcmp(values.data(), again.data(), n * sizeof(double)) == 0,
          names + " gave other values when asked again");
}

void Life::set() {
  const std::size_t n = 1 + below(3);
  References references;
  std::vector<double> values;
  bool allowed = true;
  bool sensible = true;
  std::string names;
  for (std::size_t i = 0; i < n; ++i) {
    const bool input = !inputs_.empty() && chance(0.6);
    const FmuVariable& v = input
                               ? one_of(inputs_)
                               : one_of(chance(0.9) && !parameters_.empty() ? parameters_ : reals_);
    if (tame_ && !input) continue;  // parameters need not fit together
    double value = value_for(v);
    if (chance(0.05)) value = chance(0.5) ? nan : infinity;
    allowed = allowed && may_set(v);
    const bool ranged = v.causality != C::input;  // inputs out of range are taken, with a warning
    sensible = sensible && std::isfinite(value) &&
               !(ranged && ((v.min && value < *v.min) || (v.max && value > *v.max)));
    references.push_back(v.reference);
    values.push_back(value);
    names += words(i == 0 ? "set" : ",", v, value);
  }
  if (references.empty()) return;
  call(names, {.allowed = allowed, .sensible = sensible},
       [&] { return unit_->set(references.data(), references.size(), values.data()); });
}

void Life::set_whole() {
  if (wholes_.empty() || tame_) return;
  const FmuVariable& v = one_of(wholes_);
  const std::int64_t value = static_cast<std::int64_t>(below(6)) - 1;
  std::int64_t before = 0;
  std::int64_t after = 0;
  if (v.type == FmuVariable::Type::boolean) return;
  const bool known = unit_->get_whole(v.reference, before) == ok;
  const int status = call(words("set_whole", v, static_cast<double>(value)), {},
                          [&] { return unit_->set_whole(v.reference, value); });
  if (known && unit_->get_whole(v.reference, after) == ok)
    require(after == (status <= warning ? value : before), v.name + " is not what was set");
}

void Life::slopes() {
  if (fmu_.description().major == 3 || inputs_.empty()) return;
  References references;
  std::vector<int> orders;
  std::vector<double> values;
  bool sensible = true;
  for (std::size_t i = 0; i < 1 + below(3); ++i) {
    const bool wrong = chance(0.15);
    references.push_back(wrong && chance(0.3)
                             ? one_of(outputs_.empty() ? reals_ : outputs_).reference
                             : one_of(inputs_).reference);
    orders.push_back(wrong && chance(0.3) ? 3 : 1 + static_cast<int>(below(2)));
    values.push_back(wrong && chance(0.3) ? nan : between(-1, 1));
    bool is_input = false;
    for (const FmuVariable* v : inputs_) is_input = is_input || v->reference == references.back();
    sensible = sensible && is_input && orders.back() < 3 && std::isfinite(values.back());
  }
  call(
      "input_derivatives",
      {.allowed = (phase_ & (instantiated | initialization | stepping)) != 0, .sensible = sensible},
      [&] { return unit_->input_derivatives(references, orders, values); });
}

void Life::output_slopes() {
  if (outputs_.empty()) return;
  References references;
  std::vector<int> orders;
  bool sensible = true;
  for (std::size_t i = 0; i < 1 + below(3); ++i) {
    references.push_back(one_of(outputs_).reference);
    orders.push_back(chance(0.05) ? 7 : 1);
    sensible = sensible && orders.back() == 1;
  }
  std::vector<double> values(references.size(), 0);
  const int status = call("output_derivatives",
                          {.allowed = (phase_ & (stepping | event | failed | terminated)) != 0,
                           .sensible = sensible,
                           .looks = true},
                          [&] { return unit_->output_derivatives(references, orders, values); });
  if (status <= warning)
    for (const double value : values)
      require(std::isfinite(value), "a derivative of an output is not finite");
}

void Life::directional() {
  if (outputs_.empty()) return;
  const std::vector<const FmuVariable*>& from =
      !inputs_.empty() && chance(0.7) ? inputs_ : parameters_;
  if (from.empty()) return;
  const FmuVariable& known = one_of(from);
  if (known.name.starts_with("solver.")) return;
  const FmuVariable& unknown = one_of(outputs_);
  std::vector<double> made(1, 0);
  const unsigned phases =
      initialization | stepping | (fmu_.description().major == 2 ? failed : event);
  const int status = call("directional_derivative of " + unknown.name + " by " + known.name,
                          {.allowed = (phase_ & phases) != 0, .looks = true}, [&] {
                            return unit_->directional_derivative({unknown.reference},
                                                                 {known.reference}, {1.0}, made);
                          });
  if (status <= warning) require(std::isfinite(made[0]), "a directional derivative is not finite");
}

void Life::nonsense() {
  std::uint32_t reference = 0x7fffffff;
  double value = 0;
  const Expected wrong{.sensible = false};
  switch (below(8)) {
    case 0: call("get an unknown", wrong, [&] { return unit_->get(&reference, 1, &value); }); break;
    case 1: call("set an unknown", wrong, [&] { return unit_->set(&reference, 1, &value); }); break;
    case 2:
      call("get without references", wrong, [&] { return unit_->get(nullptr, 1, &value); });
      break;
    case 3: {
      reference = reals_[0]->reference;
      call("get without values", wrong, [&] { return unit_->get(&reference, 1, nullptr); });
      break;
    }
    case 4: call("restore nothing", wrong, [&] { return unit_->restore(nullptr); }); break;
    case 5: call("save to nowhere", wrong, [&] { return unit_->save(nullptr); }); break;
    case 6: {
      void* state = nullptr;
      const Bytes few(below(200), 7);
      call("deserialize rubbish", wrong,
           [&] { return unit_->deserialize(few.data(), few.size(), &state); });
      break;
    }
    default: {
      void* state = nullptr;
      Bytes cut = unit_->bytes();
      if (cut.empty()) return;
      cut.resize(below(cut.size()));
      call("deserialize part of a state", wrong,
           [&] { return unit_->deserialize(cut.data(), cut.size(), &state); });
    }
  }
}

void Life::save() {
  void* state = nullptr;
  if (call("save", {.looks = true}, [&] { return unit_->save(&state); }) != ok) return;
  if (states_.size() < 5) {
    states_.push_back(state);
    places_.push_back({phase_, t_, stop_});
    return;
  }
  const std::size_t i = below(states_.size());
  unit_->forget(&states_[i]);
  states_[i] = state;
  places_[i] = {phase_, t_, stop_};
}

void Life::restore() {
  if (states_.empty()) return;
  const std::size_t i = below(states_.size());
  if (call("restore", {}, [&] { return unit_->restore(states_[i]); }) != ok) return;
  phase_ = places_[i].phase;
  t_ = places_[i].t;
  stop_ = places_[i].stop;
}

std::vector<double> Life::some_steps(Unit& unit, double t, double H, int n) {
  std::vector<double> all;
  for (int i = 0; i < n; ++i) {
    const int status = unit.step(t, H);
    all.push_back(status);
    if (status > warning) break;
    t += H;
    for (const FmuVariable* v : outputs_) {
      double value = 0;
      all.push_back(unit.get(&v->reference, 1, &value));
      all.push_back(value);
    }
  }
  return all;
}

/// The same state leads to the same steps, bit for bit.
void Life::roll_back() {
  if (phase_ != stepping || t_ + 1 > stop_) return;
  void* state = nullptr;
  if (unit_->save(&state) != ok) return;
  const double H = std::pow(10, between(-4, -2));
  const int n = 1 + static_cast<int>(below(4));
  recent.emplace_back("roll back " + std::to_string(n) + " steps of " + std::to_string(H));
  const Bytes before = unit_->bytes();
  const std::vector<double> first = some_steps(*unit_, t_, H, n);
  const Bytes after = unit_->bytes();
  require(unit_->restore(state) == ok, "a saved state is not taken back");
  require(unit_->bytes() == before, "a state taken back has other bytes");
  const std::vector<double> second = some_steps(*unit_, t_, H, n);
  require(first.size() == second.size() &&
              std::memcmp(first.data(), second.data(), first.size() * sizeof(double)) == 0,
          "after a roll-back steps give other values");
  require(unit_->bytes() == after, "after a roll-back steps lead to other bytes");
  require(unit_->restore(state) == ok, "a saved state is not taken back");
  // In another instance
  const std::unique_ptr<Unit> other = make_unit(fmu_, event_mode_);
  require(other->go_on_from(before) == ok,
          "a new instance refuses the state: " + other->last_message);
  require(other->bytes() == before, "a new instance has other bytes than it was given");
  const std::vector<double> third = some_steps(*other, t_, H, n);
  require(first.size() == third.size() &&
              std::memcmp(first.data(), third.data(), first.size() * sizeof(double)) == 0,
          "a new instance goes on with other values");
  require(other->bytes() == after, "a new instance goes on to other bytes");
  unit_->forget(&state);
  calls_ += 4 + 3 * static_cast<long>(first.size() / 2);
}

void Life::end() {
  if (chance(0.5)) {
    const unsigned phases = stepping | event | (fmu_.description().major == 2 ? failed : 0U);
    if (call("terminate", {.allowed = (phase_ & phases) != 0},
             [&] { return unit_->terminate(); }) <= warning)
      phase_ = terminated;
  } else if (call("reset", {}, [&] { return unit_->reset(); }) <= warning) {
    phase_ = instantiated;
    t_ = 0;
    stop_ = infinity;
  }
}

long Life::live(long calls) {
  struct Action {
    double weight;
    void (Life::*act)();
  };
  static constexpr std::array actions = {
      Action{1, &Life::enter},       Action{1, &Life::leave},         Action{20, &Life::step},
      Action{15, &Life::get},        Action{8, &Life::set},           Action{1, &Life::set_whole},
      Action{2, &Life::slopes},      Action{2, &Life::output_slopes}, Action{1, &Life::directional},
      Action{3, &Life::nonsense},    Action{2, &Life::save},          Action{1.5, &Life::restore},
      Action{0.5, &Life::roll_back}, Action{1, &Life::change_mode},   Action{0.2, &Life::end}};
  double sum = 0;
  for (const Action& action : actions) sum += action.weight;
  // Half of the lives begin in the order that a master uses.
  if (chance(0.5)) enter(), leave();
  while (calls_ < calls) {
    double at = between(0, sum);
    for (const Action& action : actions) {
      at -= action.weight;
      if (at > 0) continue;
      (this->*action.act)();
      break;
    }
    if (phase_ == initialization && chance(0.2)) leave();
    if (phase_ == instantiated && chance(0.2)) enter();
  }
  return calls_;
}

References outputs_of(const Fmu& fmu) {
  References found;
  for (const FmuVariable& v : fmu.description().variables)
    if (v.causality == FmuVariable::Causality::output && v.type == FmuVariable::Type::float64 &&
        v.size() == 1)
      found.push_back(v.reference);
  return found;
}

// --- changed states ---

std::uint64_t fnv(const unsigned char* bytes, std::size_t size) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 1099511628211ULL;
  return hash;
}

constexpr std::size_t header = 56;    // magic 8, token 32, size 8, checksum 8
constexpr std::size_t checksum = 48;  // its position

/// States of a run that moves, as bytes.
std::vector<Bytes> sample(const Fmu& fmu) {
  std::vector<Bytes> made;
  const std::unique_ptr<Unit> unit = make_unit(fmu, false);
  made.push_back(unit->bytes());
  unit->enter_initialization(0, false, 0, false, 0);
  made.push_back(unit->bytes());
  unit->exit_initialization();
  double t = 0;
  for (int i = 0; i < 6; ++i) {
    made.push_back(unit->bytes());
    unit->step(t, 0.01);
    t += 0.01;
  }
  return made;
}

long change_states(const Fmu& fmu, long count, std::uint64_t first_seed) {
  const std::vector<Bytes> good = sample(fmu);
  long accepted = 0;
  const References outputs = outputs_of(fmu);
  std::unique_ptr<Unit> unit = make_unit(fmu, false);
  for (long i = 0; i < count; ++i) {
    seed_of_life = first_seed + static_cast<std::uint64_t>(i);
    std::mt19937_64 random(seed_of_life);
    const auto below = [&](std::size_t n) {
      return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    Bytes bytes = good[below(good.size())];
    const bool fits = below(4) != 0;
    const std::size_t changes = 1 + below(4);
    for (std::size_t k = 0; k < changes; ++k) {
      const std::size_t word = header + 8 * below((bytes.size() - header) / 8);
      switch (below(6)) {
        case 0:
          bytes[fits ? word + below(8) : below(bytes.size())] ^=
              static_cast<unsigned char>(1U << below(8));
          break;
        case 1: std::memset(&bytes[word], 0, 8); break;
        case 2: std::memset(&bytes[word], 0xff, 8); break;
        case 3: {
          static const std::array odd = {nan, infinity, -1.0, 1e300, 1e-300, 5e-324, 1e9, 0.5};
          std::memcpy(&bytes[word], &odd[below(odd.size())], 8);
          break;
        }
        case 4: {
          const std::uint64_t small = below(300);
          std::memcpy(&bytes[word], &small, 8);
          break;
        }
        default: {
          const std::size_t other = header + 8 * below((bytes.size() - header) / 8);
          std::memmove(&bytes[word], &bytes[other], 8);
        }
      }
    }
    if (fits) {
      const std::uint64_t sum = fnv(bytes.data() + header, bytes.size() - header);
      std::memcpy(&bytes[checksum], &sum, 8);
    }
    recent.assign(1, "a changed state");
    alarm(60);
    if (i % 1000 == 0) unit = make_unit(fmu, false);
    const int status = unit->go_on_from(bytes);
    if (status > error) throw Failed("a changed state returned status " + std::to_string(status));
    if (status > warning) {
      alarm(0);
      continue;
    }
    ++accepted;
    // The state was accepted: all following calls must do no harm.
    std::vector<double> values(outputs.size());
    double t = 0;
    for (const FmuVariable& v : fmu.description().variables)
      if (v.causality == FmuVariable::Causality::independent) unit->get(&v.reference, 1, &t);
    for (int k = 0; k < 2; ++k) {
      for (std::size_t o = 0; o < outputs.size(); ++o)
        if (unit->get(&outputs[o], 1, &values[o]) == ok && !std::isfinite(values[o]))
          throw Failed("a changed state gives a value that is not finite");
      if (unit->step(t, 1e-3) > warning) break;
      t += 1e-3;
    }
    (void)unit->bytes();
    alarm(0);
  }
  return accepted;
}

// --- no memory ---

/// Calls in which the k-th allocation fails, k = 0, 1, 2 … until no allocation fails.
long starve(const Fmu& fmu, long count, std::uint64_t seed) {
  std::mt19937_64 random;
  long failures = 0;
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const References outputs = outputs_of(fmu);
  for (long i = 0; i < count; ++i) {
    seed_of_life = seed + static_cast<std::uint64_t>(i);
    random.seed(seed_of_life);
    const std::size_t what = below(7);
    recent.assign(1, "starved call " + std::to_string(what));
    std::unique_ptr<Unit> unit;
    if (what == 0) {
      allocations_left = static_cast<long>(below(300));
      try {
        unit = make_unit(fmu, false);
      } catch (const std::bad_alloc&) {  // of this program
      }
      failures += allocations_left < 0;
      allocations_left = never;
      if (!unit) continue;
    } else {
      unit = make_unit(fmu, false);
    }
    unit->enter_initialization(0, false, 0, false, 0);
    if (what > 1) unit->exit_initialization();
    double t = 0;
    for (std::size_t k = below(4); what > 1 && k > 0; --k, t += 0.01) unit->step(t, 0.01);
    const Bytes before = unit->bytes();
    if (before.empty()) throw Failed("a state cannot be saved");
    std::vector<double> values(outputs.size());
    void* state = nullptr;
    int status = ok;
    allocations_left = static_cast<long>(below(what == 1 ? 3000 : 60));
    switch (what) {
      case 1: status = unit->exit_initialization(); break;
      case 2: status = unit->step(t, 0.01); break;
      case 3: status = unit->get(outputs.data(), outputs.size(), values.data()); break;
      case 4: status = unit->save(&state); break;
      case 5: status = unit->deserialize(before.data(), before.size(), &state); break;
      case 6: status = unit->reset(); break;
      default: break;
    }
    const bool starved = allocations_left < 0;
    failures += starved;
    allocations_left = never;
    if (state != nullptr) unit->forget(&state);
    if (status > error) throw Failed("status " + std::to_string(status) + " without memory");
    if (status == error && unit->bytes() != before)
      throw Failed("a call that failed for want of memory changed the state");
    // And it continues as if nothing had happened.
    if (status == error && unit->go_on_from(before) != ok)
      throw Failed("after a call without memory the state cannot be taken back");
  }
  return failures;
}

// --- many at a time, and for long ---

/// An instance moved by its own inputs.
class Mover {
 public:
  Mover(const Fmu& fmu, std::size_t number)
      : unit_(make_unit(fmu, false)), number_(static_cast<double>(number)) {
    if (!unit_) throw Failed("the FMU cannot be instantiated");
    for (const FmuVariable& v : fmu.description().variables)
      if (v.causality == FmuVariable::Causality::input && v.type == FmuVariable::Type::float64 &&
          v.size() == 1)
        inputs_.push_back(&v);
    begin();
  }
  void begin() {
    require(unit_->enter_initialization(0, false, 0, false, 0), "cannot be initialized");
    require(unit_->exit_initialization(), "cannot be initialized");
    taken_ = 0;
  }
  void step() {
    for (const FmuVariable* v : inputs_) {
      const double start = v->start.empty() ? 0 : std::strtod(v->start.c_str(), nullptr);
      double value = start + 0.01 * std::sin(number_ + static_cast<double>(taken_));
      if (v->min) value = std::max(value, *v->min);
      if (v->max) value = std::min(value, *v->max);
      require(unit_->set(&v->reference, 1, &value), "cannot be set");
    }
    require(unit_->step(static_cast<double>(taken_) * H, H), "cannot step");
    ++taken_;
  }
  void reset() {
    require(unit_->reset(), "cannot be reset");
    begin();
  }
  Bytes bytes() { return unit_->bytes(); }

 private:
  void require(int status, const char* otherwise) const {
    if (status > warning)
      throw Failed(std::string("an instance ") + otherwise + ": " + unit_->last_message);
  }
  static constexpr double H = 1.0 / 1024;  // times are the same numbers, however they are computed

  std::unique_ptr<Unit> unit_;
  std::vector<const FmuVariable*> inputs_;
  double number_;
  long taken_ = 0;
};

/// All instances exist at the same time; each thread steps its own in turn.
void in_threads(const Fmu& fmu, std::size_t instances, std::size_t threads,
                const std::string& fault) {
  constexpr int steps = 20;
  std::vector<Bytes> together(instances);
  std::vector<std::string> trouble(threads);
  std::vector<std::thread> workers;
  for (std::size_t k = 0; k < threads; ++k)
    workers.emplace_back([&, k] {
      try {
        std::vector<std::unique_ptr<Mover>> own;
        for (std::size_t i = k; i < instances; i += threads)
          own.push_back(std::make_unique<Mover>(fmu, i));
        for (int step = 0; step < steps; ++step)
          for (const auto& mover : own) mover->step();
        for (std::size_t i = 0; i < own.size(); ++i) together[k + i * threads] = own[i]->bytes();
      } catch (const std::exception& problem) {
        trouble[k] = problem.what();
      }
    });
  for (std::thread& worker : workers) worker.join();
  for (const std::string& text : trouble)
    if (!text.empty()) throw Failed(text);
  for (std::size_t i = 0; i < instances; ++i) {
    Mover alone(fmu, fault == "mixed" && i == instances / 2 ? i + 1 : i);
    for (int step = 0; step < steps; ++step) alone.step();
    if (alone.bytes() != together[i])
      throw Failed("instance " + std::to_string(i) + " differs from itself alone");
  }
}

void endure(const Fmu& fmu, long steps, long resets, const std::string& fault) {
  constexpr long most_growth = 1000;  // kB
  Mover mover(fmu, 7);
  const auto life = [&] {
    for (int step = 0; step < 3; ++step) mover.step();
    return mover.bytes();
  };
  const Bytes first = life();
  long memory = 0;
  const auto watch = [&](const char* what, long i, long of) {
    // NOLINTNEXTLINE: lost on purpose
    if (fault == "grows" && i % 10 == 0) std::memset(new double[200], 1, 200 * sizeof(double));
    if (i == of / 10) memory = resident_kilobytes();
    if (!sanitized && i == of - 1 && resident_kilobytes() - memory > most_growth)
      throw Failed(std::string("memory has grown by ") +
                   std::to_string(resident_kilobytes() - memory) + " kB in " + what);
  };
  for (long i = 0; i < resets; ++i) {
    mover.reset();
    if (i % 1000 == 0 && life() != first) throw Failed("a life after a reset is another one");
    watch("resets", i, resets);
  }
  mover.reset();
  // A mechanism may fall apart within an hour, so each run lasts four seconds.
  for (long i = 0; i < steps; ++i) {
    if (i % 4096 == 4095) mover.reset();
    mover.step();
    watch("steps", i, steps);
  }
  mover.reset();
  if (life() != first) throw Failed("the last life is another one than the first");
}

int attack(int count, char** words) {
  if (count < 3)
    throw std::runtime_error(
        "attack calls|states|memory|threads|endurance <folder> [--calls N] [--states N] "
        "[--instances N] [--threads N] [--steps N] [--resets N] [--seed S] [--plant fault]");
  const std::string mode = words[1];
  const Fmu fmu{std::filesystem::path(words[2])};
  long calls = 100000;
  long instances = 1000;
  long threads = 16;
  long steps = 1000000;
  long resets = 100000;
  std::uint64_t seed = 1;
  std::string fault;
  for (int i = 3; i + 1 < count; i += 2) {
    const std::string option = words[i];
    if (option == "--calls" || option == "--states")
      calls = std::strtol(words[i + 1], nullptr, 10);
    else if (option == "--instances")
      instances = std::strtol(words[i + 1], nullptr, 10);
    else if (option == "--threads")
      threads = std::strtol(words[i + 1], nullptr, 10);
    else if (option == "--steps")
      steps = std::strtol(words[i + 1], nullptr, 10);
    else if (option == "--resets")
      resets = std::strtol(words[i + 1], nullptr, 10);
    else if (option == "--seed")
      seed = std::strtoull(words[i + 1], nullptr, 10);
    else if (option == "--plant")
      fault = words[i + 1];
    else
      throw std::runtime_error("there is no option " + option);
  }
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM})
    std::signal(signal, crashed);
  if (mode == "states") {
    const long accepted = change_states(fmu, calls, seed);
    std::printf("%s: %ld changed states, %ld of them accepted\n", fmu.description().model.c_str(),
                calls, accepted);
    return 0;
  }
  if (mode == "memory") {
    const long failures = starve(fmu, calls, seed);
    std::printf("%s: %ld calls, in %ld of them memory ran out\n", fmu.description().model.c_str(),
                calls, failures);
    return failures > 0 || sanitized ? 0 : 1;
  }
  if (mode == "threads") {
    in_threads(fmu, static_cast<std::size_t>(instances), static_cast<std::size_t>(threads), fault);
    std::printf("%s: %ld instances in %ld threads\n", fmu.description().model.c_str(), instances,
                threads);
    return 0;
  }
  if (mode == "endurance") {
    endure(fmu, steps, resets, fault);
    std::printf("%s: %ld resets and %ld steps\n", fmu.description().model.c_str(), resets, steps);
    return 0;
  }
  if (mode != "calls") throw std::runtime_error("there is no attack '" + mode + "'");
  constexpr long calls_of_a_life = 2000;
  constexpr long most_growth = 8000;  // kB
  long made = 0;
  long memory = 0;
  for (seed_of_life = seed; made < calls; ++seed_of_life) {
    recent.clear();
    Life life(fmu, seed_of_life, fault);
    made += life.live(std::min(calls_of_a_life, calls));
    if (memory == 0 && made >= calls / 5) memory = resident_kilobytes();
  }
  const long growth = resident_kilobytes() - memory;
  if (!sanitized && memory > 0 && calls >= 20000 && growth > most_growth)
    throw Failed("memory has grown by " + std::to_string(growth) + " kB");
  std::printf("%s, FMI %s: %ld calls\n", fmu.description().model.c_str(),
              fmu.description().version.c_str(), made);
  return 0;
}

}  // namespace
}  // namespace mechfmu::attack

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT: the name of glibc
void* malloc(std::size_t size) {
  using mechfmu::attack::allocations_left;
  if (allocations_left != mechfmu::attack::never && allocations_left-- <= 0) {
    allocations_left = -1;
    return nullptr;
  }
  return __libc_malloc(size);
}
}
#endif

int main(int count, char** words) {
  try {
    return mechfmu::attack::attack(count, words);
  } catch (const mechfmu::attack::Failed& failed) {
    mechfmu::attack::report(failed.what());
    return 1;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "attack: %s\n", problem.what());
    return 2;
  }
}
