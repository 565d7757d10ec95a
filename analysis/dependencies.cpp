// Direct dependencies of outputs on inputs, parameters and time, as FMI requires them.
//
//   o(t, u, y, z, x, a, μ, x')    with    M a = f(t, u, y, z, μ, x),   0 = C a + …,   0 = d(x', …)
//
// An output depends on a known if its formula contains the known, or if the known changes a, μ or
// x' and the formula reads them. Both are found by changes of one known after the other at general
// points: on the constraints, in motion, with inputs that are not zero. Formulas have branches,
// ends of tables and saturation. Therefore there are many such points, near and far in time,
// inputs, velocities and states, and a dependency seen at one of them counts. A known that a
// formula does not use changes its value by nothing or by rounding; a known that it uses may change
// it only a little. Therefore values are compared up to rounding.
//
// The cost of one changed known grows with the size of the mechanism. Therefore many knowns are
// changed in groups: as many groups as knowns, but at most `most_groups`. With fewer groups than
// knowns, each known is in several groups, and an output depends on those knowns of which all
// groups change it. For an output that depends on five of 1000 knowns, the probability of one too
// many is three per cent; an output that depends on ten gets two or three too many. One too many
// costs a master some work; one too few would be wrong.

#include "analysis/dependencies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>

#include "solver/solver.h"

namespace mechfmu {

namespace {

/// Differs by more than rounding.
bool changed(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a != b;
  return std::abs(a - b) > std::max(1e-15, 1e-12 * std::max(std::abs(a), std::abs(b)));
}
bool changed(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (changed(a[i], b[i])) return true;
  return false;
}

double largest(const Vector& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0; }

/// Different numbers, none of them zero.
double general(Index i) { return 1 + 0.137 * static_cast<double>(i % 7); }

/// The parts of a point that follow from the equations of motion.
constexpr std::array<Vector Point::*, 3> solved = {&Point::a, &Point::mu, &Point::xdot};

/// Knowns that are changed together.
using Group = std::vector<std::size_t>;

constexpr std::size_t most_groups = 128;
constexpr std::size_t memberships = 8;  // of a known, where there are more knowns than groups

/// Time, the last known, is alone in any case.
std::vector<Group> make_groups(std::size_t knowns) {
  std::vector<Group> groups(std::min(knowns, most_groups));
  groups.back() = {knowns - 1};
  const std::size_t shared = groups.size() - 1;
  std::mt19937 numbers(2);
  for (std::size_t k = 0; k + 1 < knowns; ++k) {
    if (knowns <= most_groups) {
      groups[k] = {k};
      continue;
    }
    for (std::size_t i = 0; i < memberships;) {
      Group& group = groups[numbers() % shared];
      if (!group.empty() && group.back() == k) continue;
      group.push_back(k);
      ++i;
    }
  }
  return groups;
}

/// The dependencies that all groups of a known show: they are due to the known, or to others in
/// each of the groups.
std::vector<bool> of_knowns(const std::vector<bool>& of_groups, const std::vector<Group>& groups,
                            std::size_t knowns) {
  std::vector<bool> all(knowns, true);
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (!of_groups[g])
      for (const std::size_t k : groups[g]) all[k] = false;
  return all;
}

class Probe {
 public:
  explicit Probe(System& system)
      : system_(system),
        solver_(system, {}),
        knowns_(static_cast<std::size_t>(system.sizes().u) + 1),
        groups_(make_groups(knowns_)),
        seen_(groups_.size()),
        acts_on_constraints_(groups_.size()),
        acts_on_start_(groups_.size()),
        moves_(groups_.size()),
        outputs_(system.variables().outputs().size(), Seen{std::vector<bool>(groups_.size())}) {
    kept_.resize(system.sizes().u);
    system.get_inputs(kept_);
  }
  ~Probe() { system_.set_inputs(kept_); }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  void run() {
    // The cost of a test grows with the size: larger mechanisms get fewer tests at fewer points.
    constexpr double fewest = 6, most = 36, work = 2e5;
    const double size =
        static_cast<double>(system_.sizes().n) + static_cast<double>(outputs_.size());
    const auto tests = static_cast<double>(groups_.size());
    const bool is_large = system_.sizes().n > large;
    const double affordable = std::min(4000 / tests, work / (tests * size));
    const double looks = is_large ? fewest : std::clamp(affordable, fewest, most);
    const int used = is_large ? 1 : places;
    for (int i = 0; i < static_cast<int>(looks); ++i) {
      const int place = i % used;
      if (i < used) reached_[static_cast<std::size_t>(place)] = find_place(place);
      const std::optional<State>& start = reached_[static_cast<std::size_t>(place)];
      if (!start && place > 0) continue;
      at_start_ = i == 0;
      go_to(start, i / used);
      look();
    }
  }

  struct Seen {
    std::vector<bool> groups;  // groups it depends on
    bool of_motion = false;    // reads a, μ or x'
    bool of_state = false;     // reads y, z or x
  };
  const Seen& output(Index i) const { return outputs_[static_cast<std::size_t>(i)]; }
  std::vector<bool> knowns_of(const Seen& output) const {
    return of_knowns(output.groups, groups_, knowns_);
  }
  /// The knowns that act on the initial positions and velocities.
  std::vector<bool> acting_at_start() const {
    std::vector<bool> groups(groups_.size());
    for (std::size_t g = 0; g < groups.size(); ++g)
      groups[g] = acts_on_constraints_[g] || acts_on_start_[g];
    return of_knowns(groups, groups_, knowns_);
  }
  std::size_t time() const { return knowns_ - 1; }

 private:
  static constexpr int places = 3;
  static constexpr Index large = 1000;

  // Points of the motion

  /// A point on the constraints, away from the start and in motion; nullopt if none is found. The
  /// mechanism gets a general velocity, projected onto the constraints, and moves for one step of
  /// the solver.
  std::optional<State> find_place(int place) {
    static constexpr double whiles[places] = {0.1, 0.26, 0.62};
    constexpr double shortest = 1e-4;
    const Sizes& size = system_.sizes();
    set_general_inputs(0);
    Start start = system_.start();
    start.x.resize(static_cast<std::size_t>(size.x), 0);
    for (double& x : start.x) x += 0.9;
    Vector throws(size.n);
    for (Index i = 0; i < size.n; ++i)
      throws[i] = 0.73 * system_.variables().coordinates()[static_cast<std::size_t>(i)].nominal *
                  (place == 1 ? -general(i + 5) : general(i + 3 + place));
    State rest;
    if (solver_.initialize(rest, 0.37, start).ok()) {
      double h = whiles[place];
      while (h > shortest) {
        State thrown = rest;
        thrown.point.z += throws;
        thrown.jumped = thrown.parameters_jumped = true;
        if (solver_.step(thrown, h).ok()) {
          // The remaining error of that step in the constraints would look like dependencies; a
          // tiny second step removes it.
          (void)solver_.step(thrown, 1e-6 * h);
          return thrown;
        }
        h /= 2;
      }
      return rest;
    }
    if (place > 0) return {};
    // If no such point can be reached, any point shows which outputs read which quantities.
    const auto fill = [](Vector& v, double by) {
      for (Index i = 0; i < v.size(); ++i) v[i] = by * general(i);
    };
    p_.resize(size);
    start.y.resize(static_cast<std::size_t>(size.y), 0);
    system_.displace(Eigen::Map<const Vector>(start.y.data(), size.y), whiles[place] * throws,
                     p_.y);
    p_.z = throws;
    p_.t = 0.37;
    fill(p_.a, 1.1), fill(p_.mu, 1.7), fill(p_.x, 0.9), fill(p_.xdot, 0.6);
    anywhere_ = p_;
    return {};
  }

  /// Sets the time and the memory of the system that belongs to it.
  void set_time(double t) {
    p_.t = t;
    system_.start_memory(t, p_.memory);
  }
  /// A random number of either sign, from small to large.
  double any(std::uint_fast32_t sizes = 8) {
    constexpr double size[] = {0.03, 0.3, 1, 3, 20, 300, 1e4, 1e6};
    const std::uint_fast32_t n = numbers_();
    return (n % 2 == 0 ? 1 : -1) * size[n / 2 % sizes] *
           (1 + static_cast<double>(n / 16 % 1000) / 1000);
  }

  /// Inputs within their range; switches with other numbers.
  void set_general_inputs(int mood) {
    u_ = kept_;
    for (Index i = 0; i < u_.size(); ++i) {
      if (is_input(i))
        u_[i] += mood == 0 ? 0.37 * general(i) : any();
      else if (mood > 0 && is_switch(i))
        u_[i] += mood % 3 - 1;
    }
    system_.set_inputs(within_range(u_));
  }
  const Variable& variable(Index i) const {
    return system_.variables().inputs()[static_cast<std::size_t>(i)];
  }
  bool is_input(Index i) const { return variable(i).kind() == Variable::Kind::input; }
  bool is_switch(Index i) const {
    return !is_input(i) && kept_[i] == std::floor(kept_[i]) && std::abs(kept_[i]) < 10;
  }
  Vector& within_range(Vector& u) const {
    for (Index i = 0; i < u.size(); ++i)
      u[i] = std::min(std::max(u[i], variable(i).min()), variable(i).max());
    return u;
  }

  void go_to(const std::optional<State>& start, int mood) {
    consistent_ = start.has_value();
    p_ = consistent_ ? start->point : anywhere_;
    set_general_inputs(mood);
    set_time(mood == 0 ? p_.t : std::abs(any()));
    if (mood > 0) p_.z *= any(5);
    if (mood > 0)
      for (double& x : p_.x) x *= any();
    if (!consistent_) return;
    state_ = *start;
    const std::optional<Point> here = solve(p_.t, u_);
    consistent_ = here.has_value();
    if (here) p_ = *here;
  }

  /// The point with the accelerations, multipliers and rates of time t and inputs u.
  std::optional<Point> solve(double t, const Vector& u) {
    state_.point = p_;
    state_.point.t = t;
    system_.start_memory(t, state_.point.memory);
    solver_.set_inputs(state_, u);
    state_.jumped = true;  // also the multipliers
    Point found;
    found.resize(system_.sizes());
    const bool good = solver_.output(state_, found).ok() && found.a.allFinite() &&
                      found.mu.allFinite() && found.xdot.allFinite();
    system_.set_inputs(u_);
    return good ? std::optional(found) : std::nullopt;
  }

  // Observations

  std::vector<double> read(Moved how = Moved::anywhere) const {
    std::vector<double> all;
    all.reserve(outputs_.size());
    system_.at(p_, how);
    for (std::size_t i = 0; i < outputs_.size(); ++i) all.push_back(system_.read(i));
    return all;
  }

  struct Equations {
    std::vector<double> motion;       // accelerations follow from f, M a, d²g/dt² and dk/dt, d
    std::vector<double> constraints;  // g, g_t + G z, k
  };
  /// The equations at the point where the outputs were read.
  Equations equations() {
    const Sizes& size = system_.sizes();
    values_.resize(size);
    system_.values(values_);
    Vector mass(size.mass);
    system_.mass(p_.t, p_.y, mass);
    Vector all(size.n + size.n + size.mu() + size.x);
    all.head(size.n) = values_.f;
    system_.multiply_mass(mass, p_.a, all.segment(size.n, size.n));
    system_.constraint_acceleration(p_.a, all.segment(2 * size.n, size.mu()));
    all.tail(size.x) = values_.d;
    Equations here{{all.begin(), all.end()}, {values_.position.begin(), values_.position.end()}};
    here.constraints.insert(here.constraints.end(), values_.velocity.begin(),
                            values_.velocity.end());
    return here;
  }
  std::vector<double> start() const {
    const Start start = system_.start();
    std::vector<double> all = start.y;
    all.insert(all.end(), start.z.begin(), start.z.end());
    all.insert(all.end(), start.x.begin(), start.x.end());
    return all;
  }

  /// New values of the knowns for changes to arbitrary values. They are the same in all groups, so
  /// that an effect of a known is seen in all of its groups.
  void choose_others() {
    others_.resize(u_.size());
    for (Index i = 0; i < u_.size(); ++i)
      if (is_switch(i))
        others_[i] = kept_[i] + static_cast<double>(numbers_() % 5) - 2;
      else
        others_[i] = is_input(i) ? any() : kept_[i] * std::abs(any());
    other_time_ = std::abs(any());
  }

  /// Evaluates the question with changed knowns: by a small amount, or to arbitrary values.
  template <class Question>
  void with_changed(const Group& group, bool a_little, Question&& question) {
    const Vector u = u_;
    const double t = p_.t;
    for (const std::size_t known : group) {
      if (known == time()) {
        set_time(a_little ? t * 1.29 : other_time_);
        continue;
      }
      const auto i = static_cast<Index>(known);
      u_[i] = !a_little ? others_[i] : u_[i] == 0 ? 0.37 : u_[i] * 1.13;
    }
    system_.set_inputs(within_range(u_));
    question();
    if (p_.t != t) set_time(t);
    u_ = u;
    system_.set_inputs(u_);
  }

  void look() {
    const std::vector<double> outputs = read();
    const Equations here = equations();
    const std::vector<double> start_here = start();
    find_readers(outputs);
    choose_others();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (const bool a_little : {true, false}) {
        std::vector<std::size_t> rows;
        double t = 0;
        Vector u;
        with_changed(groups_[g], a_little, [&] {
          const std::vector<double> now = read();
          for (std::size_t i = 0; i < now.size(); ++i)
            if (changed(now[i], outputs[i])) outputs_[i].groups[g] = true;
          const Equations there = equations();
          rows = new_rows(g, here.motion, there.motion);
          acts_on_constraints_[g] =
              acts_on_constraints_[g] || changed(there.constraints, here.constraints);
          if (at_start_) acts_on_start_[g] = acts_on_start_[g] || changed(start(), start_here);
          t = p_.t;
          u = u_;
        });
        // next to much larger terms the change may still be invisible
        if (!rows.empty() && consistent_ && find_moves(g, t, u))
          for (const std::size_t r : rows) seen_[g][r] = true;
        // If the equations cannot be solved, every output that reads the motion depends on the
        // group.
        if (!rows.empty() && at_start_ && !consistent_)
          for (Seen& output : outputs_)
            if (output.of_motion) output.groups[g] = true;
      }
      for (const Point& move : moves_[g]) find_followers(g, move, outputs);
    }
  }

  /// Finds the kinds of quantities that each output reads; all numbers of a kind change at once.
  void find_readers(const std::vector<double>& outputs) {
    const auto mark = [&](bool Seen::*what) {
      std::vector<double> now = read();
      for (std::size_t i = 0; i < now.size(); ++i)
        if (changed(now[i], outputs[i])) outputs_[i].*what = true;
      return now;
    };
    const auto nudge = [](Vector& v) {
      const double size = std::max(1.0, largest(v));
      for (Index i = 0; i < v.size(); ++i) v[i] += 0.31 * size * general(i + 1);
    };
    reach_.fill(std::vector<double>(outputs.size(), 0));
    for (std::size_t part = 0; part < solved.size(); ++part) {
      Vector& numbers = p_.*solved[part];
      const Vector kept = numbers;
      nudge(numbers);
      const std::vector<double> now = mark(&Seen::of_motion);
      numbers = kept;
      for (std::size_t i = 0; i < now.size(); ++i) reach_[part][i] = std::abs(now[i] - outputs[i]);
    }
    for (Vector Point::*state : {&Point::z, &Point::x}) {
      const Vector kept = p_.*state;
      nudge(p_.*state);
      mark(&Seen::of_state);
      p_.*state = kept;
    }
    const Vector kept = p_.y;
    Vector delta(system_.sizes().n);
    for (Index i = 0; i < delta.size(); ++i) delta[i] = 0.031 * general(i + 1);
    system_.displace(kept, delta, p_.y);
    mark(&Seen::of_state);
    p_.y = kept;
  }

  /// The equations on which a group acts and that were not found before.
  std::vector<std::size_t> new_rows(std::size_t group, const std::vector<double>& before,
                                    const std::vector<double>& after) {
    std::vector<bool>& seen = seen_[group];
    seen.resize(before.size());
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < before.size(); ++r)
      if (!seen[r] && changed(before[r], after[r])) rows.push_back(r);
    return rows;
  }

  /// The changes of a, μ, x' with a group, each relative to its present size.
  bool find_moves(std::size_t group, double t, const Vector& u) {
    const std::optional<Point> there = solve(t, u);
    if (!there) return false;
    bool found = false;
    for (const auto part : solved) {
      const double size = std::max(1.0, largest(p_.*part));
      Vector change = *there.*part - p_.*part;
      for (double& x : change)
        if (std::abs(x) < 1e-10 * size) x = 0;  // rounding
      const double most = largest(change);
      if (most == 0) continue;
      Point move;
      move.*part = change / most;
      moves_[group].push_back(std::move(move));
      found = true;
    }
    return found;
  }

  /// Outputs that change when a, μ, x' change as they do with a group.
  void find_followers(std::size_t group, const Point& move, const std::vector<double>& outputs) {
    const bool undecided = std::any_of(outputs_.begin(), outputs_.end(), [&](const Seen& output) {
      return output.of_motion && !output.groups[group];
    });
    if (!undecided) return;
    for (std::size_t part = 0; part < solved.size(); ++part) {
      const Vector& by = move.*solved[part];
      if (by.size() == 0) continue;
      Vector& numbers = p_.*solved[part];
      const Vector kept = numbers;
      const double size = std::max(1.0, largest(kept));
      numbers += size * by;
      const std::vector<double> now = read();
      numbers = kept;
      for (std::size_t i = 0; i < now.size(); ++i)
        if (std::abs(now[i] - outputs[i]) > std::max(1e-7 * reach_[part][i], 1e-13 * size))
          outputs_[i].groups[group] = true;
    }
  }

  System& system_;
  Solver solver_;
  std::size_t knowns_;  // u, and time as the last one
  std::vector<Group> groups_;
  std::vector<std::vector<bool>> seen_;  // of each group: equations it acts on
  std::vector<bool> acts_on_constraints_, acts_on_start_;
  std::vector<std::vector<Point>> moves_;  // of each group: changes of a, of μ, of x'
  std::vector<Seen> outputs_;
  std::array<std::optional<State>, places> reached_;

  // Present point
  std::mt19937 numbers_{1};
  State state_;
  Vector u_, kept_, others_;
  double other_time_ = 0;
  Point p_, anywhere_;
  Values values_;
  bool consistent_ = false, at_start_ = false;
  std::array<std::vector<double>, 3> reach_;  // changes of outputs with all of a, μ, x'
};

}  // namespace

void find_dependencies(Description& d, System& system) {
  Probe probe(system);
  probe.run();
  const std::vector<bool> at_start = probe.acting_at_start();
  for (Entry& e : d.entries) {
    if (e.source != Source::output) continue;
    const Probe::Seen& seen = probe.output(e.index);
    const std::vector<bool> knowns = probe.knowns_of(seen);
    const bool of_run = seen.of_state || seen.of_motion;
    for (std::size_t k = 0; k < d.entries.size(); ++k) {
      const Entry& known = d.entries[k];
      if (known.source == Source::time || known.source == Source::input) {
        const std::size_t i =
            known.source == Source::time ? probe.time() : static_cast<std::size_t>(known.index);
        const bool may_change =
            known.causality != Causality::parameter || known.variability == Variability::tunable;
        if (knowns[i] && may_change) e.depends_on.push_back(k);
        // At initialization, positions and velocities depend on the constraints; at an equilibrium,
        // everything depends on everything.
        const bool in_equilibrium = d.experiment.start == StartPosition::equilibrium;
        if (knowns[i] || (of_run && (at_start[i] || in_equilibrium)))
          e.initially_depends_on.push_back(k);
      } else if (known.initial == Initial::exact && known.source != Source::setting && of_run) {
        e.initially_depends_on.push_back(k);  // exact start values of y, z, x
      }
    }
  }
}

}  // namespace mechfmu
