// Solids against the formulas of textbooks and against integrals over their volume, and messages
// about impossible ones.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "mechanics/motion.h"
#include "mechanics/shapes.h"
#include "mechanics/system.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

constexpr double pi = std::numbers::pi;

struct Properties {
  double mass = 0;
  Vec3 moment = Vec3::Zero();  // ∫ p dm
  Mat3 second = Mat3::Zero();  // ∫ p pᵀ dm

  void add(double dm, const Vec3& p) {
    mass += dm;
    moment += dm * p;
    second += dm * p * p.transpose();
  }
  Vec3 centre() const { return moment / mass; }
  /// ∫ (|d|² 1 − d dᵀ) dm about the centre
  Mat3 inertia() const {
    const Mat3 S = second - mass * centre() * centre().transpose();
    return S.trace() * Mat3::Identity() - S;
  }
};

/// Gauss–Legendre with five points: exact for polynomials up to degree 9.
void for_each_node(double from, double to, const std::function<void(double x, double w)>& visit) {
  constexpr std::array<double, 5> x = {0, 0.5384693101056831, -0.5384693101056831,
                                       0.9061798459386640, -0.9061798459386640};
  constexpr std::array<double, 5> w = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                                       0.2369268850561891, 0.2369268850561891};
  for (std::size_t i = 0; i < x.size(); ++i)
    visit((from + to) / 2 + (to - from) / 2 * x[i], (to - from) / 2 * w[i]);
}

/// Sums over angles: exact for trigonometric polynomials up to degree 7.
void for_each_angle(const std::function<void(double angle, double w)>& visit) {
  for (int i = 0; i < 8; ++i) visit(i * pi / 4 + 0.1, pi / 4);
}

using Place = std::function<Vec3(const Vec3&)>;

void integrate_box(const Vec3& size, double rho, const Place& place, Properties& sum) {
  for_each_node(-size[0] / 2, size[0] / 2, [&](double x, double wx) {
    for_each_node(-size[1] / 2, size[1] / 2, [&](double y, double wy) {
      for_each_node(-size[2] / 2, size[2] / 2, [&](double z, double wz) {
        sum.add(rho * wx * wy * wz, place({x, y, z}));
      });
    });
  });
}

/// About z.
void integrate_cylinder(double radius, double length, double rho, const Place& place,
                        Properties& sum) {
  for_each_node(0, radius, [&](double r, double wr) {
    for_each_angle([&](double a, double wa) {
      for_each_node(-length / 2, length / 2, [&](double z, double wz) {
        sum.add(rho * r * wr * wa * wz, place({r * std::cos(a), r * std::sin(a), z}));
      });
    });
  });
}

void integrate_sphere(double radius, double rho, const Place& place, Properties& sum) {
  for_each_node(0, radius, [&](double r, double wr) {
    for_each_angle([&](double a, double wa) {
      for_each_node(-1, 1, [&](double u, double wu) {  // u = cos of the polar angle
        const double across = r * std::sqrt(1 - u * u);
        sum.add(rho * r * r * wr * wa * wu,
                place({across * std::cos(a), across * std::sin(a), r * u}));
      });
    });
  });
}

void integrate_rod(double length, double rho, const Place& place, Properties& sum) {
  for_each_node(-length / 2, length / 2, [&](double z, double w) {
    sum.add(rho * w, place({0, 0, z}));
  });
}

Mat3 turned(const Vec3& angles) {
  const Eigen::Quaterniond q = Eigen::AngleAxisd(angles[0], Vec3::UnitX()) *
                               Eigen::AngleAxisd(angles[1], Vec3::UnitY()) *
                               Eigen::AngleAxisd(angles[2], Vec3::UnitZ());
  return q.toRotationMatrix();
}

/// Turned first so that z becomes the axis, then as the shape is placed.
Place placing(const Vec3& axis, const Vec3& at, const Vec3& angles) {
  const Mat3 R =
      turned(angles) * Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), axis).toRotationMatrix();
  return [R, at](const Vec3& p) -> Vec3 { return at + R * p; };
}

void expect_same(const Solid& solid, const Properties& expected, InputValues s = {}) {
  EXPECT_NEAR(solid.mass(s), expected.mass, 1e-14 * expected.mass);
  EXPECT_LT((solid.centre(s) - expected.centre()).norm(), 1e-14);
  const Mat3 J = expected.inertia();
  EXPECT_LT((solid.inertia(s) - J).norm(), 1e-12 * J.norm()) << solid.inertia(s) << "\n\n" << J;
}

const Vec3 at(0.4, -0.3, 1.1);
const Vec3 angles(0.7, -0.4, 1.9);
const Vec3 axis(1, -2, 0.5);

}  // namespace

TEST(Shapes, HaveTheInertiaOfTextbooks) {
  const Solid box = solid(Box{.size = {1, 2, 3}}, {.mass = 12});
  EXPECT_DOUBLE_EQ(box.inertia.xx({}), 13);
  EXPECT_DOUBLE_EQ(box.inertia.yy({}), 10);
  EXPECT_DOUBLE_EQ(box.inertia.zz({}), 5);
  EXPECT_EQ(box.inertia.xy({}), 0);
  EXPECT_DOUBLE_EQ(solid(Box{.size = {1, 2, 3}}, density(7)).mass({}), 42);

  const Solid drum =
      solid(Cylinder{.radius = 0.1, .length = 0.4, .axis = {0, 1, 0}}, density(7850));
  const double m = 7850 * pi * 0.01 * 0.4;  // 98.65 kg
  EXPECT_DOUBLE_EQ(drum.mass({}), m);
  EXPECT_DOUBLE_EQ(drum.inertia.yy({}), m * 0.01 / 2);
  EXPECT_DOUBLE_EQ(drum.inertia.xx({}), m * (3 * 0.01 + 0.16) / 12);
  EXPECT_DOUBLE_EQ(drum.inertia.zz({}), m * (3 * 0.01 + 0.16) / 12);

  const Solid ball = solid(Sphere{.radius = 0.3}, mass(5));
  EXPECT_DOUBLE_EQ(ball.inertia.xx({}), 0.4 * 5 * 0.09);
  EXPECT_DOUBLE_EQ(ball.inertia.zz({}), 0.4 * 5 * 0.09);
  EXPECT_DOUBLE_EQ(solid(Sphere{.radius = 2}, density(3)).mass({}), 32 * pi);

  const Solid rod = solid(Rod{.length = 2}, density(1.5));
  EXPECT_DOUBLE_EQ(rod.mass({}), 3);
  EXPECT_DOUBLE_EQ(rod.inertia.xx({}), 1);
  EXPECT_EQ(rod.inertia.zz({}), 0);
  // A quarter turn leaves no roundoff.
  const Solid lying = solid(Rod{.length = 2, .rotation = {0, pi / 2, 0}}, density(1.5));
  EXPECT_EQ(lying.inertia.xx({}), 0);
  EXPECT_EQ(lying.inertia.xz({}), 0);
}

TEST(Shapes, AreTheIntegralsOverTheirVolume) {
  Properties box;
  integrate_box({0.2, 0.5, 0.9}, 800, placing({0, 0, 1}, at, angles), box);
  expect_same(solid(Box{.size = {0.2, 0.5, 0.9}, .at = at, .rotation = angles}, density(800)), box);

  Properties cylinder;
  integrate_cylinder(0.3, 0.8, 2700, placing(axis, at, angles), cylinder);
  expect_same(
      solid(Cylinder{.radius = 0.3, .length = 0.8, .axis = axis, .at = at, .rotation = angles},
            density(2700)),
      cylinder);

  Properties sphere;
  integrate_sphere(0.25, 1000, placing({0, 0, 1}, at, angles), sphere);
  expect_same(solid(Sphere{.radius = 0.25, .at = at, .rotation = angles}, density(1000)), sphere);

  Properties rod;
  integrate_rod(1.7, 2.5, placing(axis, at, angles), rod);
  expect_same(solid(Rod{.length = 1.7, .axis = axis, .at = at, .rotation = angles}, density(2.5)),
              rod);
}

TEST(Shapes, TogetherAreTheIntegralOverAllOfThem) {
  const auto parts = [] {
    return std::vector<Solid>{
        solid(Box{.size = {0.1, 0.03, 0.04}, .at = {0, 0, 0.3}, .rotation = {0, 0.2, 0}},
              density(7850)),
        solid(Cylinder{.radius = 0.015, .length = 0.3, .at = {0, 0, 0.15}}, density(700)),
        solid(Sphere{.radius = 0.02, .at = {0.01, -0.02, 0}}, density(1200)),
        solid(Rod{.length = 0.2, .axis = {1, 1, 0}, .at = {0.05, 0, 0}}, density(0.4))};
  };
  const auto integral = [](const Place& moved) {
    const auto then = [&](const Place& place) -> Place {
      return [&moved, place](const Vec3& p) { return moved(place(p)); };
    };
    Properties sum;
    integrate_box({0.1, 0.03, 0.04}, 7850, then(placing({0, 0, 1}, {0, 0, 0.3}, {0, 0.2, 0})), sum);
    integrate_cylinder(0.015, 0.3, 700, then(placing({0, 0, 1}, {0, 0, 0.15}, {0, 0, 0})), sum);
    integrate_sphere(0.02, 1200, then(placing({0, 0, 1}, {0.01, -0.02, 0}, {0, 0, 0})), sum);
    integrate_rod(0.2, 0.4, then(placing({1, 1, 0}, {0.05, 0, 0}, {0, 0, 0})), sum);
    return sum;
  };
  const Solid hammer = together(parts());
  expect_same(hammer, integral([](const Vec3& p) { return p; }));
  EXPECT_TRUE(hammer.mass.constant() && hammer.centre.constant() && hammer.inertia.constant());
  // Moved as a whole, and as a part of something larger
  const Place whole = placing({0, 0, 1}, at, angles);
  expect_same(placed(hammer, at, angles), integral(whole));
  Properties pair = integral(whole);
  integrate_box({1, 0.1, 0.2}, 500, placing({0, 0, 1}, {0, 0, 0}, {0, 0, 0}), pair);
  expect_same(
      together({placed(hammer, at, angles), solid(Box{.size = {1, 0.1, 0.2}}, density(500))}),
      pair);
}

TEST(Shapes, FollowTheParameters) {
  const Parameter radius{0};
  const Parameter angle{1};
  const Parameter rho{2};
  const Solid both = together(
      {solid(
           Cylinder{
               .radius = radius, .length = 0.8, .at = {radius, 0, 0}, .rotation = {angle, 0, 0}},
           density(rho)),
       solid(Sphere{.radius = 0.1}, mass(3))});
  for (const auto& u : {std::array{0.2, 0.3, 900.0}, std::array{0.05, -1.2, 7850.0}}) {
    Properties sum;
    integrate_cylinder(u[0], 0.8, u[2], placing({0, 0, 1}, {u[0], 0, 0}, {u[1], 0, 0}), sum);
    integrate_sphere(0.1, 3 / (4 * pi / 3 * 0.001), placing({0, 0, 1}, {0, 0, 0}, {0, 0, 0}), sum);
    expect_same(both, sum, {u.data()});
  }
}

TEST(Shapes, MakeTheMassOfABody) {
  Mechanism m("drum");
  const Parameter radius = m.parameter("radius", 0.1, "m");
  const Body drum = m.body(
      {.name = "drum",
       .solid = solid(Cylinder{.radius = radius, .length = 0.4, .at = {0, 0, 0.2}}, density(1000)),
       .at = {1, 0, 0},
       .angular_velocity = {0, 0, 3}});
  MechanismSystem system(m);
  Point p;
  p.resize(system.sizes());
  for (const double r : {0.1, 0.2}) {
    system.set_inputs(Vec<double, 1>(r));
    const Start start = system.start();
    p.y = Eigen::Map<const Vector>(start.y.data(), p.y.size());
    p.z = Eigen::Map<const Vector>(start.z.data(), p.z.size());
    const double mass = 1000 * pi * r * r * 0.4;
    EXPECT_DOUBLE_EQ(system.motion(p).mass(), mass);
    EXPECT_EQ(system.motion(p).centre_of_mass(), Vec3(1, 0, 0.2));
    EXPECT_EQ(system.motion(p).position({drum, {}, true}), Vec3(1, 0, 0));
    EXPECT_DOUBLE_EQ(system.motion(p).kinetic_energy(), mass * r * r / 2 * 9 / 2);
  }
}

TEST(Shapes, OfImpossibleSizeAreRefusedWithTheNameOfTheBody) {
  const auto expect = [](const Solid& solid, const std::string& message) {
    Mechanism m("wrong");
    m.body({.name = "drum", .solid = solid});
    try {
      MechanismSystem system(m);
      ADD_FAILURE() << "was not refused: " << message;
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(e.what(), message);
    }
  };
  expect(solid(Cylinder{.radius = -0.1, .length = 1}, mass(1)),
         "body 'drum': its radius must be above zero");
  expect(solid(Cylinder{.radius = 0.1, .length = 0}, mass(1)),
         "body 'drum': its length must be above zero");
  expect(solid(Cylinder{.radius = 0.1, .length = 1, .axis = {0, 0, 0}}, mass(1)),
         "body 'drum': its axis has length zero; give a direction such as 0 0 1");
  expect(solid(Box{.size = {1, -2, 1}}, mass(1)),
         "body 'drum': its length along y must be above zero");
  expect(solid(Sphere{.radius = std::nan("")}, mass(1)),
         "body 'drum': its radius must be above zero");
  expect(solid(Rod{.length = 1}, density(-2)), "body 'drum': its density must not be negative");
  expect(solid(Sphere{.radius = 1}, mass(-2)), "body 'drum': its mass must not be negative");
  expect(together({solid(Sphere{.radius = 1}, mass(2)), solid(Rod{.length = -1}, mass(2))}),
         "body 'drum': shape 2: its length must be above zero");
  EXPECT_THROW(solid(Sphere{.radius = 1}, {}), std::invalid_argument);
  EXPECT_THROW(solid(Sphere{.radius = 1}, {.mass = 1, .density = 1}), std::invalid_argument);
}

TEST(Shapes, OfParametersAreCheckedWhenARunStarts) {
  Mechanism m("drum");
  const Parameter radius = m.parameter("radius", 0.1, "m");
  m.body({.name = "drum", .solid = solid(Sphere{.radius = radius}, density(1000))});
  MechanismSystem system(m);
  system.set_inputs(Vec<double, 1>(-0.1));  // not reported yet: another parameter may follow
  try {
    system.check();
    ADD_FAILURE() << "was not refused";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "body 'drum': its radius must be above zero");
  }
}

}  // namespace mechfmu::tests
