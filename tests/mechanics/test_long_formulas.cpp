// Formulas of thousands of numbers and outputs of many readings, which mechanism files may have:
// computing them allocates nothing, in steps, when a parameter is tuned, or when outputs are read.
//
//   (m + 1) φ₁″ = −3 φ₁   a bar with its centre of mass at 1 m from a pin: φ₁ = sin(t)/2,
//                         m = 2 kg, J = 1 kg m²
//   φ₂ = sin t            another one that is driven: a point at r from the pin has x = r cos φ₂

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/listing.h"
#include "mechanics/motion.h"
#include "solver/solver.h"
#include "tests/solver/count_allocations.h"

namespace mechfmu::tests {
namespace {

using namespace mechanics;

constexpr std::int32_t terms = 2100;  // too many for the stack
constexpr int readings = 50;

/// Σ cᵢ v of the constants cᵢ, with v in the slot `of`, into the slot `to`; also writes the slot
/// after it.
void add_sum(Program& p, std::int32_t of, std::int32_t to) {
  p.operations.push_back({Code::multiply, to, 0, of});
  for (std::int32_t i = 1; i < terms; ++i) {
    p.operations.push_back({Code::multiply, to + 1, i, of});
    p.operations.push_back({Code::add, to, to, to + 1});
  }
}

Calculation calculation(Program p, double factor) {
  p.check();
  Calculation c;
  c.constants.assign(static_cast<std::size_t>(terms), factor / terms);
  if (p.settings > 0) c.settings = {0};
  c.program = std::make_shared<const Program>(std::move(p));
  return c;
}

/// factor · (the only setting)
Calculation number(double factor) {
  Program p{
      .constants = terms, .settings = 1, .fixed = 2, .operations = {}, .results = {terms + 1}};
  add_sum(p, terms, terms + 1);
  return calculation(std::move(p), factor);
}

/// factor · (the only argument)
Calculation law(double factor) {
  Program p{
      .constants = terms, .arguments = 1, .moving = 2, .operations = {}, .results = {terms + 2}};
  add_sum(p, terms, terms + 2);
  return calculation(std::move(p), factor);
}

/// argument − sin(time)
Calculation driver() {
  constexpr std::int32_t sine = terms + 2;
  Program p{
      .constants = terms, .arguments = 1, .moving = 3, .operations = {}, .results = {sine + 1}};
  p.operations.push_back({Code::sin_, sine, p.time()});
  add_sum(p, sine, sine + 1);
  p.operations.push_back({Code::subtract, sine + 1, p.first_argument(), sine + 1});
  return calculation(std::move(p), 1);
}

/// The sum of all arguments, and the first one again
Calculation output() {
  constexpr std::int32_t to = terms + readings + 1;
  Program p{
      .constants = terms, .arguments = readings, .moving = 2, .operations = {}, .results = {to}};
  add_sum(p, terms, to);
  for (std::int32_t i = 0; i < readings; ++i)
    p.operations.push_back({Code::add, to, to, terms + i});
  return calculation(std::move(p), 1);
}

Listing two_bars() {
  Listing l;
  l.name = "two_bars";
  l.settings = {{.name = "m", .unit = "kg", .about = "", .value = 2}};
  l.calculations = {number(1), law(-3), driver(), output()};
  for (const int i : {1, 2}) {
    BodyRow<Listed> bar{.name = "bar" + std::to_string(i)};
    bar.mass = Listed::Number::of(0);
    bar.inertia = {1, 1, 1, 0, 0, 0};
    bar.at = {1, 0, 0};
    l.bodies.push_back(bar);
    l.joints.push_back({.name = "pin" + std::to_string(i), .a = ground, .b = {i}});
    l.measures.emplace_back(Listing::Coordinate{{i - 1}});
  }
  l.joints[0].angle_rate = 0.5;
  Listed::Law torque;
  torque.arguments = {{Argument::Kind::value, 0, -1}};
  torque.calculation = 1;
  l.actions.emplace_back(ForceRow<Listed>{.name = "torque", .along = {0}, .value = torque});
  Listed::Law follows;
  follows.arguments = {{Argument::Kind::value, 1, -1}};
  follows.calculation = 2;
  l.actions.emplace_back(ConstraintRow<Listed>{.name = "drive", .relation = follows});
  Listing::Output sum{.name = "sum", .unit = "m", .about = "", .reads = {}, .calculation = 3};
  for (int i = 0; i < readings; ++i)
    sum.reads.push_back({.spot = {{2}, {static_cast<double>(i), 0, 0}, true}, .vector = i});
  l.outputs = {sum};
  return l;
}

TEST(LongFormulas, HaveTheirRoomBeforeTheFirstStep) {
  ASSERT_TRUE(allocations_are_counted());
  MechanismSystem system(from_listing(two_bars()));
  Solver solver(system);
  State state;
  Point p;
  p.resize(system.sizes());
  ASSERT_TRUE(solver.initialize(state, 0).ok());
  Vector u(system.sizes().u);
  system.get_inputs(u);
  long before = 0;
  double angle = 0;
  double sum = 0;
  for (int k = 1; k <= 25; ++k) {
    if (k == 3) before = allocations();  // after what is made on first use
    if (k > 20) u[0] *= 1.01;            // φ₁ differs from then on
    solver.set_inputs(state, u);
    ASSERT_TRUE(solver.advance(state, 0.01 * k).ok());
    ASSERT_TRUE(solver.output(state, p).ok());
    if (k == 20) angle = system.motion().value(Measure{0});
    sum = system.read(0);
  }
  EXPECT_EQ(allocations() - before, 0);
  EXPECT_NEAR(angle, 0.5 * std::sin(0.2), 1e-6);
  // 1 + 2 + … + 50, and the first one again
  EXPECT_NEAR(sum, (1275 + 1) * std::cos(std::sin(0.25)), 1e-6);
}

}  // namespace
}  // namespace mechfmu::tests
