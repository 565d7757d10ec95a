// Nothing allocates after initialization, whatever a mechanism is made of.

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

void expect_no_allocations(const mechanics::Mechanism& mechanism, bool tune = false) {
  if (!allocations_are_counted()) GTEST_SKIP();
  mechanics::MechanismSystem system(mechanism);
  Solver solver(system);
  State state;
  Point p;
  p.resize(system.sizes());
  ASSERT_TRUE(solver.initialize(state, 0).ok());
  Vector u(system.sizes().u);
  system.get_inputs(u);
  // Once for what is made on first use
  ASSERT_TRUE(solver.advance(state, 0.01).ok());
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
    ASSERT_TRUE(solver.advance(state, 0.01 * k).ok());
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
/// Names that do not fit into a short string, in every message that is not made.
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
TEST(Allocations, NoneInRolling) { expect_no_allocations(models::rolling_wheel()); }

}  // namespace
}  // namespace mechfmu::tests
