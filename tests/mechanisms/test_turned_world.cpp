// Results do not depend on the orientation of the world: if Q turns everything in it, bodies are at
// Q r with axes Q R.
//
// The whole description of a mechanism is turned, with all its elements. Planar bodies stay in
// their plane: a mechanism with planar bodies is turned about z.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "language/backend/build.h"
#include "mechanics/placement.h"
#include "tests/mechanisms/mechanisms.h"
#include "tests/models/model_files.h"

namespace mechfmu::tests {

namespace {

using mechanics::BodyType;
using mechanics::ground;
using mechanics::Mat3;
using mechanics::Mechanism;
using mechanics::Triple;
using mechanics::Vec3;

constexpr double tolerance = 1e-10;  // at 1e-9, last bits decide whether belts and tracks agree
constexpr double agreement = 1e-6;   // differences of runs whose steps differ by rounding

bool is_planar(const Mechanism& m) {
  return std::any_of(m.bodies.begin() + 1, m.bodies.end(), [](const mechanics::BodyData& body) {
    return body.type == BodyType::planar || body.type == BodyType::planar_point;
  });
}

Mat3 turn_of(const Mechanism& m) {
  return mechanics::rotation_matrix(is_planar(m) ? Vec3(0, 0, 2.1) : Vec3(0.7, -1.1, 2.1));
}

/// Turns a description at its present parameters.
class Turner {
 public:
  explicit Turner(const Mechanism& m) : Turner(m, turn_of(m)) {}
  Turner(const Mechanism& m, const Mat3& Q) : m_(m), Q_(Q) {
    for (const Mechanism::Setting& setting : m.settings) u_.push_back(setting.start);
  }

  Mechanism turned() {
    turn(m_.gravity);
    for (std::size_t b = 1; b < m_.bodies.size(); ++b) {
      mechanics::BodyData& body = m_.bodies[b];
      turn(body.at), turn(body.velocity), turn(body.angular_velocity);
      if (body.type == BodyType::point || body.type == BodyType::planar_point) continue;
      body.rotation =
          mechanics::cardan_angles(Q_ * mechanics::rotation_matrix(body.rotation(values())));
    }
    for (mechanics::JointData& joint : m_.joints) {
      for (Triple* own : {&joint.at, &joint.axis}) turn(*own, joint.a, joint.local);
      for (Triple* own : {&joint.at_b, &joint.axis2}) turn(*own, joint.b, joint.local);
    }
    for (mechanics::RollingData& rolling : m_.rollings)
      turn(rolling.centre), turn(rolling.axle), turn(rolling.plane), turn(rolling.normal);
    for (mechanics::MeasureData& measure : m_.measures) {
      turn(measure.a.at, measure.a.body, measure.a.local);
      turn(measure.b.at, measure.b.body, measure.b.local);
      turn(measure.axis, measure.axes_of_b ? measure.b.body : measure.a.body, measure.local);
      turn(measure.axis2, measure.b.body, measure.local);
      if (measure.reference) turn(*measure.reference, measure.a.body, measure.local);
      if (measure.reference_b) turn(*measure.reference_b, measure.b.body, measure.local);
    }
    for (mechanics::PairData& pair : m_.pairs)
      for (mechanics::PairData::Item& item : pair.geometry) turn(item.value, item.body, item.local);
    return m_;
  }

 private:
  mechanics::InputValues values() const { return {u_.data()}; }
  void turn(Triple& v) const { v = Vec3(Q_ * v(values())); }
  /// Vectors in the axes of a body turn with it; the ground's axes are those of the world.
  void turn(Triple& v, mechanics::Body body, bool local) const {
    if (!local || body.index == ground.index) turn(v);
  }

  Mechanism m_;
  Mat3 Q_;
  std::vector<double> u_;
};

void expect_the_same_motion(const Mechanism& description,
                            const MechanismRun::Settings& settings = {}) {
  const Mat3 Q = turn_of(description);
  MechanismRun plain(description, adaptive(tolerance), settings);
  MechanismRun turned(Turner(description).turned(), adaptive(tolerance), settings);
  const double stop = std::min(description.experiment.stop, 2.0);
  double moved = 0, size = 0, speed = 0;
  for (const double t : {0.0, stop / 4, stop}) {
    SCOPED_TRACE("t = " + std::to_string(t));
    if (t > 0) {
      ASSERT_NO_FATAL_FAILURE(plain.advance(t));
      ASSERT_NO_FATAL_FAILURE(turned.advance(t));
    }
    const mechanics::Motion &q = plain.motion(), &p = turned.motion();
    for (std::size_t b = 1; b < description.bodies.size(); ++b) {
      const mechanics::Body body{static_cast<Index>(b)};
      const mechanics::Spot origin{body, {}, true};
      size = std::max(size, q.position(origin).norm());
      speed = std::max({speed, q.velocity(origin).norm(), q.angular_velocity(body).norm()});
      moved = std::max(moved, speed * t);
    }
    for (std::size_t b = 1; b < description.bodies.size(); ++b) {
      SCOPED_TRACE(description.bodies[b].name);
      const mechanics::Body body{static_cast<Index>(b)};
      const mechanics::Spot origin{body, {}, true};
      EXPECT_LT((p.position(origin) - Q * q.position(origin)).norm(), agreement * (1 + size));
      EXPECT_LT((p.velocity(origin) - Q * q.velocity(origin)).norm(), agreement * (1 + speed));
      EXPECT_LT((p.angular_velocity(body) - Q * q.angular_velocity(body)).norm(),
                agreement * (1 + speed));
      const BodyType type = description.bodies[b].type;
      if (type == BodyType::spatial || type == BodyType::planar) {
        EXPECT_LT((p.rotation(body) - Q * q.rotation(body)).norm(), agreement);
      }
    }
    EXPECT_NEAR(p.kinetic_energy(), q.kinetic_energy(), agreement * (1 + q.kinetic_energy()));
  }
  EXPECT_GT(moved, 0.01);
}

class TurnedModels : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(World, TurnedModels, testing::ValuesIn(file_models()),
                         [](const auto& test) { return test.param; });

TEST_P(TurnedModels, MoveAsBefore) {
  expect_the_same_motion(from_file(GetParam()), reference_run(GetParam()).settings);
}

/// A suspension comes to rest, its accelerations pass through zero and can be read at any time,
/// wherever the guide of the chassis is and however the world is turned. The motion depends on
/// neither.
TEST(TurnedWorld, SuspensionComesToRestWithItsGuideAnywhere) {
  const Mechanism description = from_file("double_wishbone");
  const auto heave =
      std::find_if(description.joints.begin(), description.joints.end(),
                   [](const mechanics::JointData& joint) { return joint.name == "heave"; });
  ASSERT_NE(heave, description.joints.end());
  int stopped = 0;
  for (int i = 0; i < 80; ++i) {
    Mechanism moved = description;
    // Points all over a box in front of the axle: a lattice without planes.
    const auto part = [&](double number) { return std::fmod(number * i, 1.0); };
    moved.joints[static_cast<std::size_t>(heave - description.joints.begin())].at = Vec3(
        0.15 + 0.01 * std::round(15 * part(0.8191725)),
        0.01 * std::round(60 * part(0.6710436) - 30), 0.01 * std::round(60 * part(0.5497005) - 30));
    const Vec3 turn = i % 2 == 0 ? Vec3(0, 0, 0) : Vec3(part(0.9), part(0.7), part(0.4)) * 3;
    MechanismRun run(Turner(moved, mechanics::rotation_matrix(turn)).turned(), adaptive(1e-8));
    Point seen;
    seen.resize(run.system.sizes());
    for (double t = 0.005; t < 3; t += 0.005) {
      ASSERT_NO_FATAL_FAILURE(run.advance(t));
      if (run.solver.output(run.state, seen).ok()) continue;
      ++stopped;
      break;
    }
  }
  EXPECT_EQ(stopped, 0);
}

/// Every element that gives forces. (The other files contain components of positions in world axes,
/// which a turn changes.)
TEST(TurnedWorld, MovesAllForcesAsBefore) {
  const auto forces = std::find_if(mechanism_files().begin(), mechanism_files().end(),
                                   [](const MechanismFile& file) { return file.name == "forces"; });
  ASSERT_NE(forces, mechanism_files().end());
  const Loaded loaded = load(*forces);
  expect_the_same_motion(build_mechanism(loaded.plan));
}

}  // namespace
}  // namespace mechfmu::tests
