// Nothing allocates after initialization, whatever elements a mechanism has.

#include <gtest/gtest.h>

#include "mechanics/motion.h"
#include "models/rolling_wheel/rolling_wheel.h"
#include "models/slider_crank_bodies/slider_crank_bodies.h"
#include "models/spatial_four_bar/spatial_four_bar.h"
#include "solver/solver.h"
#include "tests/mechanics/elements.h"
#include "tests/solver/count_allocations.h"

namespace mechfmu::tests {
namespace {

void expect_no_allocations(const mechanics::Mechanism& mechanism, bool tune = false,
                           const Options& options = {}, double step = 0.01) {
  if (!allocations_are_counted()) GTEST_SKIP();
  mechanics::MechanismSystem system(mechanism);
  Solver solver(system, options);
  State state;
  Point p;
  p.resize(system.sizes());
  ASSERT_TRUE(solver.initialize(state, 0).ok());
  Vector u(system.sizes().u);
  system.get_inputs(u);
  // One step for objects made on first use.
  ASSERT_TRUE(solver.advance(state, step).ok());
  ASSERT_TRUE(solver.output(state, p).ok());
  for (std::size_t i = 0; i < system.variables().outputs().size(); ++i) system.read(i);

  const long before = allocations();
  for (int k = 2; k <= 20; ++k) {
    for (Index i = 0; i < u.size(); ++i)
      if (system.variables().inputs()[static_cast<std::size_t>(i)].kind() == Variable::Kind::input)
        u[i] += 0.1;
      else if (tune)
        u[i] *= 1.01;
    solver.set_inputs(state, u);
    ASSERT_TRUE(solver.advance(state, step * k).ok());
    ASSERT_TRUE(solver.output(state, p).ok());
    for (std::size_t i = 0; i < system.variables().outputs().size(); ++i) system.read(i);
  }
  EXPECT_EQ(allocations() - before, 0);
}

TEST(Allocations, NoneInStepsAndOutputsOfAPlanarMechanism) {
  expect_no_allocations(models::slider_crank_bodies({}));
}
TEST(Allocations, NoneWithRedundantConstraints) {
  expect_no_allocations(models::slider_crank_bodies({.space = models::Space::spatial}));
}
TEST(Allocations, NoneWithRedundantConstraintsInRealTime) {
  expect_no_allocations(models::slider_crank_bodies({.space = models::Space::spatial}), false,
                        {.real_time = 2}, 1e-3);
}
TEST(Allocations, NoneInASpatialLoop) { expect_no_allocations(models::spatial_four_bar()); }
TEST(Allocations, NoneWithAFlexibleBody) {
  mechanics::Mechanism m("flexible");
  m.gravity = {0, 0, -9.81};
  const mechanics::Body beam = m.body({.name = "beam",
                                       .type = mechanics::BodyType::flexible,
                                       .modal = m.modal(random_modal_body(40, 20))});
  m.joint(
      {.name = "hinge", .a = mechanics::ground, .b = m.node(beam, "left"), .at = {-0.4, 0.1, 0}});
  m.output("load", [=](const mechanics::Motion& q) {
    return q.interface_load(mechanics::Body{2}).force[2] + q.stress(beam, 0);
  });
  expect_no_allocations(m);
}
/// Names too long for a short string, in all messages that are not made.
TEST(Allocations, NoneWhenAParameterIsTuned) {
  mechanics::Mechanism m("pendulum");
  m.gravity = {0, -9.81, 0};
  const mechanics::Parameter mass = m.parameter("mass", 1);
  const mechanics::Body bob = m.body({.name = "a body with a name of more than fifteen letters",
                                      .mass = mass,
                                      .inertia = {1, 1, 1},
                                      .at = {1, 0, 0}});
  const mechanics::Joint pin = m.joint({.name = "a joint with a name of more than fifteen letters",
                                        .a = mechanics::ground,
                                        .b = bob});
  m.spring({.name = "a spring with a name of more than fifteen letters",
            .along = m.angle(pin),
            .stiffness = mass});
  expect_no_allocations(m, true);
}
/// A ball flies over a row of others: neighbours come and go, and with them blocks of the Newton
/// matrix.
void expect_no_allocations_of_a_row(const Options& options, double step) {
  if (!allocations_are_counted()) GTEST_SKIP();
  mechanics::Mechanism m("row");
  m.gravity = {0, 0, -9.81};
  m.length_scale = 0.1;
  const auto ball = [&](const std::string& name, const mechanics::Vec3& at, double speed) {
    return m.body({.name = name,
                   .mass = 1,
                   .inertia = {0.004, 0.004, 0.004},
                   .at = at,
                   .velocity = {speed, 0, 0}});
  };
  const mechanics::Body flying = ball("flying", {0, 0, 0.195}, 5);
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    const mechanics::Body held = ball("held" + number, {0.2 * i, 0, 0}, 0);
    m.bushing({.name = "spring" + number,
               .a = mechanics::ground,
               .b = held,
               .at = {0.2 * i, 0, 0},
               .stiffness = {1e4, 1e4, 1e4},
               .damping = {10, 10, 10},
               .torsion = {10, 10, 10},
               .torsion_damping = {0.1, 0.1, 0.1}});
    m.contact({.name = "hit" + number,
               .a = held,
               .b = flying,
               .radius = 0.1,
               .shape = mechanics::ContactShape::sphere,
               .radius_a = 0.1,
               .local = true,
               .stiffness = 1e4,
               .exponent = 1,
               .damping = 0.2});
  }
  mechanics::MechanismSystem system(m);
  Solver solver(system, options);
  State state;
  ASSERT_TRUE(solver.initialize(state, 0).ok());
  const auto neighbours = [&] {
    std::vector<bool> near;
    for (std::size_t c = 0; c < system.layout().couplings.size(); ++c)
      near.push_back(were_neighbours(system.layout(), state.point.memory, c));
    return near;
  };
  const std::vector<bool> first = neighbours();
  ASSERT_EQ(first.size(), 40U);
  int changes = 0;
  std::vector<bool> last = first;
  long made = 0;
  for (int k = 1; k * step <= 0.5; ++k) {
    const long before = allocations();
    ASSERT_TRUE(solver.advance(state, step * k).ok());
    made += allocations() - before;
    const std::vector<bool> now = neighbours();
    if (now != last) ++changes;
    last = now;
  }
  EXPECT_GT(changes, 5);
  EXPECT_EQ(made, 0);
}
TEST(Allocations, NoneWhenContactsComeAndGo) {
  expect_no_allocations_of_a_row({.tolerance = 1e-6}, 0.01);
}
TEST(Allocations, NoneWhenContactsComeAndGoInRealTime) {
  expect_no_allocations_of_a_row({.real_time = 2}, 1e-3);
}
TEST(Allocations, NoneInRolling) { expect_no_allocations(models::rolling_wheel()); }

}  // namespace
}  // namespace mechfmu::tests
