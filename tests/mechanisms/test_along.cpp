// The change of mechanisms along a change of everything they depend on: exact derivatives against
// differences, at any point of the motion, for every reading in the mechanism files of this folder
// and of models/.

#include <gtest/gtest.h>

#include "mechanics/motion_along.h"
#include "tests/mechanics/probe.h"
#include "tests/mechanisms/mechanisms.h"
#include "tests/models/model_files.h"

namespace mechfmu::tests {
namespace {

using mechanics::Mechanism;
using mechanics::MechanismSystem;

/// Any change; also of u, the inputs.
Change random_change(const MechanismSystem& system, unsigned seed) {
  std::mt19937 numbers(seed);
  const Sizes& n = system.sizes();
  Change c;
  c.t = random_vector(numbers, 1, 1)[0];
  for (Vector* v : {&c.y, &c.z, &c.a}) *v = random_vector(numbers, n.n, 1);
  c.mu = random_vector(numbers, n.mu(), 1);
  for (Vector* v : {&c.x, &c.xdot}) *v = random_vector(numbers, n.x, 1);
  c.u = random_vector(numbers, n.u, 1);
  for (Index i = 0; i < n.u; ++i)
    if (system.variables().inputs()[ix(i)].kind() == Variable::Kind::parameter) c.u[i] = 0;
  return c;
}

Point moved(const System& system, const Point& p, const Change& c, double s) {
  Point q = p;
  q.t += s * c.t;
  system.displace(p.y, s * c.y, q.y);
  q.z += s * c.z;
  q.a += s * c.a;
  q.mu += s * c.mu;
  q.x += s * c.x;
  q.xdot += s * c.xdot;
  return q;
}

/// Uses the nearest difference: short steps where functions bend sharply, long ones where they are
/// large.
template <class F>
void expect_slope(double exact, const F& f, const std::string& what) {
  double best = std::numeric_limits<double>::infinity();
  double nearest = 0;
  for (const double h : {4e-3, 4e-4, 4e-5, 4e-6}) {
    const double found = slope_of_number(f, h);
    if (std::abs(found - exact) < best) {
      best = std::abs(found - exact);
      nearest = found;
    }
  }
  EXPECT_LT(best, 2e-7 * (1 + std::abs(exact))) << what << " is " << exact << ", not " << nearest;
}

class AlongAChange : public testing::TestWithParam<std::string> {
 protected:
  static Mechanism mechanism() {
    for (const MechanismFile& file : mechanism_files())
      if (file.name == GetParam()) return build_mechanism(load(file).plan);
    return from_file(GetParam());
  }
  MechanismSystem system{mechanism()};
  Vector u = [this] {
    Vector made(system.sizes().u);
    system.get_inputs(made);
    // away from 0, where valves and the like have kinks
    for (Index i = 0; i < made.size(); ++i)
      if (system.variables().inputs()[ix(i)].kind() == Variable::Kind::input) made[i] += 0.37;
    system.set_inputs(made);
    return made;
  }();
};

std::vector<std::string> all_files() {
  std::vector<std::string> names = file_models();
  for (const MechanismFile& file : mechanism_files()) names.push_back(file.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Files, AlongAChange, testing::ValuesIn(all_files()),
                         [](const auto& test) { return test.param; });

TEST_P(AlongAChange, OutputsChangeLikeDifferences) {
  int moving = 0;
  for (const unsigned seed : {1U, 2U, 3U}) {
    const Point p = random_point(system, seed, 0.1);
    const Change c = random_change(system, seed + 10);
    const std::vector<Variable>& outputs = system.variables().outputs();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      system.set_inputs(u);
      system.at(p);
      double exact = 0;
      const bool known = system.vary(i, c, exact);
      // Only supplied and dissipated power have no derivatives.
      const bool is_power = GetParam() == "joints" && outputs[i].name() == "powers";
      EXPECT_EQ(known, !is_power) << outputs[i].name();
      if (!known) continue;
      moving += exact != 0 ? 1 : 0;
      expect_slope(
          exact,
          [&](double s) {
            const Point q = moved(system, p, c, s);
            system.set_inputs(u + s * c.u);
            system.at(q);
            return system.read(i);
          },
          outputs[i].name());
    }
  }
  EXPECT_GT(moving, 5);
}

/// The whole second derivative of constraints; for f and d only the effect of time and inputs.
TEST_P(AlongAChange, EquationsChangeLikeDifferences) {
  const Sizes& n = system.sizes();
  for (const unsigned seed : {4U, 5U}) {
    const Point p = random_point(system, seed, 0.1);
    Change c = random_change(system, seed + 10);
    c.a.setZero();
    system.at(p);
    Vector r(n.kkt());
    if (system.description().track_energy) {
      EXPECT_FALSE(system.vary(c, r));
      return;
    }
    ASSERT_TRUE(system.vary(c, r));
    for (Index i = 0; i < n.kkt(); ++i) {
      const bool of_constraints = i >= n.n && i < n.n + n.mu();
      expect_slope(
          r[i],
          [&](double s) {
            Point q = of_constraints ? moved(system, p, c, s) : p;
            q.t = p.t + s * c.t;
            system.set_inputs(u + s * c.u);
            if (of_constraints) {
              Vector second(n.mu());
              system.at(q);
              system.constraint_acceleration(q.a, second);
              return second[i - n.n];
            }
            const Values v = values_at(system, q);
            return i < n.n ? -v.f[i] : v.d[i - n.n - n.mu()];
          },
          "R[" + std::to_string(i) + "]");
      system.set_inputs(u);
    }
  }
}

/// Parameters shape the mechanism: their derivatives are not promised.
TEST_P(AlongAChange, DerivativesWithRespectToParametersAreUnknown) {
  const std::vector<Variable>& settings = system.variables().inputs();
  const Point p = random_point(system, 1, 0.1);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (settings[i].kind() != Variable::Kind::parameter) continue;
    Change c;
    c.resize(system.sizes());
    c.u[static_cast<Index>(i)] = 1;
    system.at(p);
    Vector r(system.sizes().kkt());
    double slope = 0;
    EXPECT_FALSE(system.vary(c, r));
    EXPECT_FALSE(system.vary(std::size_t{0}, c, slope));
  }
}

}  // namespace
}  // namespace mechfmu::tests
