// The C++ made from a mechanism file and the interpreter are the same mechanism, to rounding. Its
// derivatives agree with its values, also through expressions and units.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/mechanics/derivatives.h"
#include "tests/mechanics/probe.h"
#include "tests/mechanisms/mechanisms.h"

namespace mechfmu::tests {

namespace {

using mechanics::MechanismSystem;

constexpr double rounding = 1e-12;
constexpr unsigned points = 3;
constexpr double spread = 0.03;

class Files : public ::testing::TestWithParam<MechanismFile> {};

std::string name_of(const ::testing::TestParamInfo<MechanismFile>& info) { return info.param.name; }

/// Compares number by number, not only the largest one.
void expect_same(const Matrix& a, const Matrix& b, const std::string& what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  for (Index c = 0; c < a.cols(); ++c)
    for (Index r = 0; r < a.rows(); ++r)
      EXPECT_LE(std::abs(a(r, c) - b(r, c)), rounding * std::max(1.0, std::abs(a(r, c))))
          << what << "(" << r << ", " << c << ")";
}

Vector numbers(const std::vector<double>& v) {
  return Eigen::Map<const Vector>(v.data(), static_cast<Index>(v.size()));
}

void expect_same_variables(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name(), b[i].name());
    EXPECT_EQ(a[i].unit(), b[i].unit()) << a[i].name();
    EXPECT_EQ(a[i].about(), b[i].about()) << a[i].name();
    EXPECT_EQ(a[i].kind(), b[i].kind()) << a[i].name();
    EXPECT_EQ(a[i].min(), b[i].min()) << a[i].name();
    EXPECT_EQ(a[i].max(), b[i].max()) << a[i].name();
    EXPECT_EQ(a[i].fixed(), b[i].fixed()) << a[i].name();
  }
}

Matrix mass(System& system, const Point& p) {
  const Index n = system.sizes().n;
  Matrix M(n, n);
  Vector numbers(system.sizes().mass);
  system.mass(p.t, p.y, numbers);
  for (Index c = 0; c < n; ++c) system.multiply_mass(numbers, Vector::Unit(n, c), M.col(c));
  return M;
}

void expect_same_at(System& a, System& b, const Point& p) {
  expect_same(mass(a, p), mass(b, p), "M");
  const Values va = values_at(a, p);
  const Values vb = values_at(b, p);
  expect_same(va.f, vb.f, "f");
  expect_same(va.position, vb.position, "g");
  expect_same(va.velocity, vb.velocity, "g' and k");
  expect_same(va.d, vb.d, "d");

  DenseBlocks ba;
  DenseBlocks bb;
  a.derivatives(1, ba);
  b.derivatives(1, bb);
  const std::pair<const char*, Matrix DenseBlocks::*> blocks[] = {
      {"M", &DenseBlocks::M},      {"K", &DenseBlocks::K},           {"D", &DenseBlocks::D},
      {"F", &DenseBlocks::F},      {"X", &DenseBlocks::X},           {"C", &DenseBlocks::C},
      {"C_y", &DenseBlocks::C_y},  {"d_xdot", &DenseBlocks::d_xdot}, {"d_x", &DenseBlocks::d_x},
      {"d_y", &DenseBlocks::d_y},  {"d_z", &DenseBlocks::d_z},       {"d_a", &DenseBlocks::d_a},
      {"d_mu", &DenseBlocks::d_mu}};
  for (const auto& [what, block] : blocks) expect_same(ba.*block, bb.*block, what);

  Vector ca(p.mu.size());
  Vector cb(p.mu.size());
  a.constraint_acceleration(p.a, ca);
  b.constraint_acceleration(p.a, cb);
  expect_same(ca, cb, "acceleration of constraints");

  for (std::size_t i = 0; i < a.variables().outputs().size(); ++i) {
    const double x = a.read(i);
    EXPECT_LE(std::abs(x - b.read(i)), rounding * std::max(1.0, std::abs(x)))
        << a.variables().outputs()[i].name();
  }
}

void expect_same_everywhere(System& a, System& b) {
  const Start sa = a.start();
  const Start sb = b.start();
  expect_same(numbers(sa.y), numbers(sb.y), "start.y");
  expect_same(numbers(sa.z), numbers(sb.z), "start.z");
  expect_same(numbers(sa.x), numbers(sb.x), "start.x");
  expect_same_at(a, b, start_point(a));
  for (unsigned seed = 1; seed <= points; ++seed) {
    SCOPED_TRACE("point " + std::to_string(seed));
    expect_same_at(a, b, random_point(a, seed, spread));
  }
}

}  // namespace

TEST_P(Files, HaveTheSameDescriptionCompiledAndInterpreted) {
  const auto one = compiled(GetParam());
  const auto other = interpreted(GetParam());
  const Sizes& a = one->sizes();
  const Sizes& b = other->sizes();
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.n, b.n);
  EXPECT_EQ(a.m, b.m);
  EXPECT_EQ(a.k, b.k);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.u, b.u);

  const Variables& va = one->variables();
  const Variables& vb = other->variables();
  EXPECT_EQ(one->description().name, other->description().name);
  EXPECT_EQ(va.about(), vb.about());
  expect_same_variables(va.inputs(), vb.inputs());
  expect_same_variables(va.outputs(), vb.outputs());
  EXPECT_EQ(va.constraints(), vb.constraints());
  EXPECT_EQ(va.states(), vb.states());
  ASSERT_EQ(va.coordinates().size(), vb.coordinates().size());
  for (std::size_t i = 0; i < va.coordinates().size(); ++i) {
    const Coordinate& ca = va.coordinates()[i];
    const Coordinate& cb = vb.coordinates()[i];
    EXPECT_EQ(ca.name, cb.name);
    EXPECT_EQ(ca.unit, cb.unit) << ca.name;
    EXPECT_NEAR(ca.nominal, cb.nominal, rounding * ca.nominal) << ca.name;
    EXPECT_EQ(ca.hold_position, cb.hold_position) << ca.name;
    EXPECT_EQ(ca.hold_velocity, cb.hold_velocity) << ca.name;
  }
  EXPECT_EQ(va.experiment().stop, vb.experiment().stop);
  EXPECT_EQ(va.experiment().step, vb.experiment().step);
  EXPECT_EQ(va.experiment().tolerance, vb.experiment().tolerance);
  EXPECT_EQ(va.experiment().start, vb.experiment().start);
  EXPECT_TRUE(va.solver() == vb.solver());
}

TEST_P(Files, HaveTheSameEquationsAndOutputsCompiledAndInterpreted) {
  const auto one = compiled(GetParam());
  const auto other = interpreted(GetParam());
  expect_same_everywhere(*one, *other);
}

TEST_P(Files, StayTheSameWhenParametersAndInputsChange) {
  const auto one = compiled(GetParam());
  const auto other = interpreted(GetParam());
  Vector u(one->sizes().u);
  Vector v(u.size());
  one->get_inputs(u);
  other->get_inputs(v);
  expect_same(u, v, "u");
  const Vector usual = u;
  const auto expect_same_with = [&](const Vector& changed) {
    one->set_inputs(changed);
    other->set_inputs(changed);
    one->check();
    other->check();
    expect_same_everywhere(*one, *other);
  };
  for (Index i = 0; i < u.size(); ++i) {
    SCOPED_TRACE(one->variables().inputs()[static_cast<std::size_t>(i)].name());
    u = usual;
    u[i] *= 1.07;
    expect_same_with(u);
  }
  for (Index i = 0; i < u.size(); ++i) u[i] = usual[i] * (1 + 0.01 * static_cast<double>(i + 2));
  expect_same_with(u);
}

TEST_P(Files, HaveTheDerivativesOfTheirValues) {
  mechanics::Mechanism mechanism = compiled(GetParam())->description();
  mechanism.track_energy = false;  // nothing depends on these states, so they have no derivatives
  MechanismSystem system(std::move(mechanism));
  for (unsigned seed = 1; seed <= points; ++seed) {
    SCOPED_TRACE("point " + std::to_string(seed));
    const Point p = random_point(system, seed, spread);
    expect_derivatives_of_values(system, p, 1e-6, 1e-4);
    expect_rates_of_constraints(system, p, 1e-6, 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanism, Files, ::testing::ValuesIn(mechanism_files()), name_of);

}  // namespace mechfmu::tests
