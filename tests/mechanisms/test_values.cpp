// Values of expressions compared with numbers from outside: closed forms on paper, for forces.xml
// compiled and interpreted. At t = 0 the arm turns at 2 rad/s, the rotor at 3 rad/s, and the wheel
// moves at 0.5 m/s.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "tests/mechanics/probe.h"
#include "tests/mechanisms/mechanisms.h"

namespace mechfmu::tests {

namespace {

using Expected = std::map<std::string, double>;

const MechanismFile& forces() { return mechanism_files()[1]; }

Index coordinate(const System& system, const std::string& name) {
  for (Index i = 0; i < system.sizes().n; ++i)
    if (system.coordinate_name(i) == name) return i;
  throw std::out_of_range("no coordinate " + name);
}

void expect_outputs(System& system, const Point& p, const Expected& expected) {
  const Variables& v = system.variables();
  system.at(p);
  std::size_t found = 0;
  for (std::size_t i = 0; i < v.outputs().size(); ++i) {
    const auto value = expected.find(v.outputs()[i].name());
    if (value == expected.end()) continue;
    EXPECT_NEAR(system.read(i), value->second, 1e-12 * std::max(1.0, std::abs(value->second)))
        << value->first;
    ++found;
  }
  EXPECT_EQ(found, expected.size());
}

Point moving(const System& system) {
  Point p = start_point(system);
  p.t = 0.5;
  p.z[coordinate(system, "arm.rotation about z")] = 2;
  p.z[coordinate(system, "rotor.rotation about z")] = 3;
  p.z[coordinate(system, "wheel.x")] = 0.5;
  p.x[0] = 1.2;
  p.xdot[0] = 7;
  return p;
}

void expect_known_values(System& system) {
  constexpr double pi = std::numbers::pi;
  const double tie = std::sqrt(1 + 2.9 * 2.9 + 0.01);  // from (1, 0.1, 0) to (0, 3, 0.1)
  const double load = 5 * (1 - 0.29) + 800 * 0.02;
  const double tenth = std::sqrt(0.1);
  Point p = moving(system);
  expect_outputs(
      system, p,
      {{"motor", 1500 - 60},  // N.mm: torque − 0.02 ω (1 + φ²)
       {"coil", 0},           // deg
       {"coil_rate", 2},      // rad/s
       {"coil_torque", 20 * -pi / 6 + 0.3 * 2 + 0.1},
       {"tie", tie - 0.4},
       // the arm turns about (0.5, 0): its end moves with (−0.2, 1); k = 8 N/cm
       {"tie_force", 800 * (tie - 0.4) + 3 * (-0.2 - 2.9) / tie - 2},
       {"current", 1900},                           // mA
       {"tyre", 0.9 * load * std::tanh(12 * 0.3)},  // slip: 0.5 − 0.1 · 2
       // soft: the cubic of the middle piece with slopes 7043.478… and 3945.205…; stiff: its first
       // point; damper: beyond its end along the slope of the three-point formula there
       {"lookup", 137.376057176891 + 0 + 120 + 0.05 * (0.44 * 90 / 0.19 - 0.19 * 500) / 0.25},
       {"cam", 0.1 + 0.2 * 30 / 90},
       {"trigonometry", std::sqrt(3) / 2 + 1 / std::sqrt(3) + pi / 2 + std::atan(0.3) +
                            std::atan(2.0 / 3)},                            // asin + acos = π/2
       {"hyperbolic", 2 * std::exp(0.3) + std::log(2.0) + std::sqrt(2.0)},  // sinh + cosh = exp
       {"corners", 0 + 1 + 0 + 0.3 + 3},
       {"vectors", std::sqrt(1.09) + 1 + 0.3 + 0.3 + 0.3},
       {"blends", 0.5 + (0.3 + tenth) / 2 + (0.3 - tenth) / 2 + 0.1},
       {"powers", 0.09 * std::sqrt(0.3) + 0.09 + 1.69 - 0.5 - 8},
       {"logic", -std::numbers::e},
       {"inputs", 30 + 1.5 / (2 * pi)},  // rev: 30 rpm in a minute, and 1.5
       {"constant", 5}});

  Vector u(system.sizes().u);
  system.get_inputs(u);
  const Vector usual = u;
  const auto set = [&](const char* name, double value) {
    u[system.variables().input_index(name)] = value;
  };
  set("angle", 60), set("k", 5), set("F", 4), set("torque", -200);
  system.set_inputs(u);
  p.y = start_point(system).y;
  expect_outputs(system, p,
                 {{"motor", -260},
                  {"coil_torque", 20 * -pi / 3 + 0.3 * 2 + 0.1},
                  {"tie_force", 500 * (tie - 0.4) + 3 * (-0.2 - 2.9) / tie - 2},
                  {"cam", 0.1 + 0.2 * 60 / 90},
                  {"inputs", 31}});  // F is at least 3
  system.set_inputs(usual);
}

}  // namespace

TEST(Values, OfExpressionsAreKnownWhenCompiled) { expect_known_values(*compiled(forces())); }

TEST(Values, OfExpressionsAreKnownWhenInterpreted) { expect_known_values(*interpreted(forces())); }

/// A force law of a state: ẋ = (volts − x/2 − ω/10)/2 ms, and its derivatives.
TEST(Values, OfLawsAndTheirDerivativesAreKnown) {
  for (const bool by_interpreter : {false, true}) {
    const auto system = by_interpreter ? interpreted(forces()) : compiled(forces());
    const Point p = moving(*system);
    EXPECT_NEAR(values_at(*system, p).d[0], 7 - (6 - 0.6 - 0.3) / 2e-3, 1e-9);
    DenseBlocks blocks;
    system->at(p);
    system->derivatives(1, blocks);
    const Index rotor = coordinate(*system, "rotor.rotation about z");
    EXPECT_NEAR(blocks.d_x(0, 0), 0.5 / 2e-3, 1e-9);
    EXPECT_NEAR(blocks.d_z(0, rotor), 0.1 / 2e-3, 1e-9);
    // motor: torque − 0.02 ω (1 + φ²)
    EXPECT_NEAR(blocks.D(rotor, rotor), -0.02, 1e-12);
    EXPECT_NEAR(values_at(*system, p).f[rotor], 1.44, 1e-12);
  }
}

}  // namespace mechfmu::tests
