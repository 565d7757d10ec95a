// Flexible bodies against results that need no integration: rigid bodies, balance of forces,
// conserved quantities.

#include <gtest/gtest.h>

#include <numbers>

#include "tests/mechanics/elements.h"
#include "tests/mechanics/mechanism_runs.h"
#include "tests/mechanics/probe.h"

namespace mechfmu::tests {

namespace {

using namespace mechanics;

constexpr double length = 0.7;

Body add_beam(Mechanism& m, const ModalBody& numbers) {
  return m.body({.name = "beam",
                 .type = BodyType::flexible,
                 .at = {0.3, -0.2, 0.4},
                 .rotation = {0.3, -0.5, 0.7},
                 .velocity = {0.1, 0.2, -0.3},
                 .angular_velocity = {1, -2, 3},
                 .modal = m.modal(numbers),
                 .damping = Number(0.0)});
}

TEST(Flexible, WithoutModesIsTheRigidBodyBitForBit) {
  const ModalBody rigid = random_modal_body(4, 3).reduced(0, false, 0);
  Mechanism m("flexible");
  m.gravity = {0, 0, -9.81};
  m.length_scale = length;
  add_beam(m, rigid);
  Mechanism n("rigid");
  n.gravity = {0, 0, -9.81};
  n.length_scale = length;
  BodyData data = m.bodies[1];
  data.type = BodyType::spatial;
  data.spins = Spins::no;
  data.modal = {};
  data.damping.reset();
  n.body(data);
  MechanismRun flexible(m, adaptive(1e-6));
  MechanismRun plain(n, adaptive(1e-6));
  flexible.advance(1);
  plain.advance(1);
  ASSERT_EQ(flexible.state.point.y.size(), plain.state.point.y.size());
  for (Index i = 0; i < plain.state.point.y.size(); ++i)
    EXPECT_EQ(flexible.state.point.y[i], plain.state.point.y[i]) << i;
  for (Index i = 0; i < plain.state.point.z.size(); ++i)
    EXPECT_EQ(flexible.state.point.z[i], plain.state.point.z[i]) << i;
}

TEST(Flexible, LoadsOfNodesAndBodyAreEqualAndOpposite) {
  Mechanism m("flexible");
  const Body beam = add_beam(m, random_modal_body(8, 7));
  const Body left = m.node(beam, "left");
  const Body right = m.node(beam, "right");
  MechanismSystem system(m);
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Point p = random_point(system, seed, 0.1);
    p.z.setZero();
    // The constraints hold here: the nodes are where the flexible body puts them.
    const auto& bodies = system.layout().bodies;
    Vector delta = Vector::Zero(system.sizes().n);
    for (int iteration = 0; iteration < 20; ++iteration) {
      const Values v = values_at(system, p);
      DenseBlocks blocks;
      system.derivatives(0, blocks);
      delta.setZero();
      // only the nodes move
      Matrix C(12, 12);
      C << blocks.C.middleCols(bodies[2].z, 6), blocks.C.middleCols(bodies[3].z, 6);
      const Vector step = -C.fullPivLu().solve(v.position);
      delta.segment<6>(bodies[2].z) = step.head<6>();
      delta.segment<6>(bodies[3].z) = step.tail<6>();
      const Vector y0 = p.y;
      system.displace(y0, delta, p.y);
    }
    ASSERT_LT(values_at(system, p).position.norm(), 1e-12);
    const Vector all = values_at(system, p).f;
    Point none = p;
    none.mu.setZero();
    const Vector f = all - values_at(system, none).f;
    const Motion& motion = system.motion(p);
    Vec3 force = Vec3::Zero();
    Vec3 moment = Vec3::Zero();
    for (const Body b : {beam, left, right}) {
      const BodyPlace& place = bodies[ix(b.index)];
      const Vec3 F = f.segment<3>(place.z);
      const Vec3 r =
          motion.position({b, Triple(system.geometry().bodies[ix(b.index)].centre), true});
      force += F;
      moment += r.cross(F) + motion.rotation(b) * f.segment<3>(place.z + 3);
    }
    EXPECT_LT(force.norm(), 1e-12);
    EXPECT_LT(moment.norm(), 1e-12);
    // The reading agrees with the node's equation of motion.
    const Reaction on_beam = motion.interface_load(left);
    EXPECT_LT((on_beam.force + f.segment<3>(bodies[ix(left.index)].z)).norm(), 1e-12);
    EXPECT_LT((on_beam.torque + motion.rotation(left) * f.segment<3>(bodies[ix(left.index)].z + 3))
                  .norm(),
              1e-12);
  }
}

TEST(Flexible, AFreeBodyKeepsEnergyAndMomentumAtEveryLevelOfCoupling) {
  for (const int level : {0, 1, 2}) {
    SCOPED_TRACE(level);
    ModalBody numbers = random_modal_body(8, 7).reduced(8, level > 0, level > 1 ? 7 : 0);
    // small amplitudes: stiffer modes
    for (std::size_t k = 0; k < 8; ++k) numbers.numbers[19 + k] = 20 + 5 * static_cast<double>(k);
    Mechanism m("flexible");
    const Body beam = add_beam(m, numbers);
    m.node(beam, "right");
    // The error falls with the square of the step.
    double energy[2] = {};
    double momentum[2] = {};
    for (const int fine : {0, 1}) {
      Options options;
      options.coefficients = Coefficients::from_rho(1);
      MechanismRun run(m, options);
      const double E = run.motion().kinetic_energy() + run.motion().potential_energy();
      const Vec3 L = run.motion().angular_momentum();
      const Vec3 P = run.motion().momentum();
      run.steps(fine == 0 ? 400 : 800, 1);
      const double strain = run.motion().strain_energy(beam);
      EXPECT_GT(strain, level > 0 ? 1e-3 * E : -1);  // it does deform
      energy[fine] =
          std::abs(run.motion().kinetic_energy() + run.motion().potential_energy() - E) / E;
      momentum[fine] = (run.motion().angular_momentum() - L).norm() / L.norm();
      EXPECT_LT((run.motion().momentum() - P).norm(), 1e-12);
    }
    EXPECT_LT(energy[1], 2e-4);
    EXPECT_LT(momentum[1], 2e-4);
    EXPECT_LT(energy[1], 0.35 * energy[0] + 1e-9);
    EXPECT_LT(momentum[1], 0.35 * momentum[0] + 1e-9);
  }
}

TEST(Flexible, BadNumbersAreNamedWhenRefused) {
  const auto problem = [](const auto& change) {
    ModalBody body = random_modal_body(3, 2);
    change(body.numbers);
    const std::vector<std::string> all = body.problems();
    return all.empty() ? std::string() : all[0];
  };
  EXPECT_EQ(problem([](auto&) {}), "");
  EXPECT_NE(problem([](auto& n) { n[0] = -1; }).find("mass is -1 kg"), std::string::npos);
  EXPECT_NE(problem([](auto& n) { n[4] = 5; }).find("no body can have its inertia"),
            std::string::npos);
  EXPECT_NE(problem([](auto& n) { n[20] = -3; }).find("mode 2 has the frequency -0.4775 Hz"),
            std::string::npos);
  EXPECT_NE(problem([](auto& n) { n[23] = -0.1; }).find("damping ratio -0.1"), std::string::npos);
  EXPECT_NE(problem([](auto& n) {
              for (std::size_t i = 10; i < 19; ++i) n[i] *= 1000;  // nodes in mm
            }).find("units must be m, kg, s"),
            std::string::npos);
  EXPECT_NE(problem([](auto& n) {  // t and mm
              n[0] /= 1000;
              for (std::size_t i = 1; i < 4; ++i) n[i] *= 1000;
              for (std::size_t i = 4; i < 10; ++i) n[i] *= 1000;
              for (std::size_t i = 10; i < 19; ++i) n[i] *= 1000;
            })
                .find("divided by 1000"),
            std::string::npos);
  EXPECT_NE(problem([](auto& n) { n[25] = 5000; }).find("modal mass"), std::string::npos);
  EXPECT_NE(problem([](auto& n) { n.pop_back(); }).find("do not fit 3 modes"), std::string::npos);
}

TEST(Flexible, WithoutModesOfTheMechanismTheBodyIsRefused) {
  for (const Modal none : {Modal{}, Modal{1}}) {
    Mechanism m("m");
    m.modal(random_modal_body(3, 2));
    try {
      m.body({.name = "beam", .type = BodyType::flexible, .modal = none});
      FAIL() << "accepted";
    } catch (const std::invalid_argument& refused) {
      EXPECT_STREQ(refused.what(),
                   "body 'beam' is flexible, but its modal is not one of the mechanism's; make it "
                   "with Mechanism::modal()");
    }
  }
}

TEST(Flexible, ReducedNumbersAreThoseOfTheModesThatAreKept) {
  const ModalBody all = random_modal_body(8, 7);
  const ModalBody some = all.reduced(5, true, 3);
  ASSERT_EQ(some.numbers.size(), some.size());
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(some.omega(k), all.omega(k));
    EXPECT_EQ(some.zeta(k), all.zeta(k));
    EXPECT_EQ(some.phi(2, k), all.phi(2, k));
    EXPECT_EQ(some.psi(1, k), all.psi(1, k));
    EXPECT_EQ(some.J1(k), all.J1(k));
    EXPECT_EQ(some.stress(0, k), all.stress(0, k));
    for (std::size_t l = 0; l < 5 && k < 3 && l < 3; ++l) {
      EXPECT_EQ(some.J2(k, l), all.J2(k, l));
      EXPECT_EQ(some.g(k, l), all.g(k, l));
    }
  }
  EXPECT_EQ(all.missing_motions({0, 2}), 0);                          // 6 + 8 motions for 12
  EXPECT_EQ(all.reduced(4, true, 0).missing_motions({0, 2}), 2);      // 6 + 4
  EXPECT_EQ(all.reduced(0, true, 0).missing_motions({0, 1, 2}), 12);  // a rigid body
}

TEST(Flexible, ModesLeaveOutPartOfTheFlexibilityOfANode) {
  // Two modes at 1 and 2 rad/s that move a node by 3 along x and by 2 along y, and turn it by 4
  // about x only.
  ModalBody body;
  body.nodes = {"n"};
  body.modes = 2;
  body.numbers.assign(body.size(), 0);
  double* shapes = body.numbers.data() + 13;
  shapes[0] = 1;  // ω
  shapes[1] = 2;
  shapes[4] = 3;   // φ of the first mode
  shapes[11] = 2;  // … of the second one, whose flexibility is (2/2)²
  shapes[7] = 4;   // ψ of the first one
  EXPECT_DOUBLE_EQ(body.missing_flexibility(0, 2), 0);
  EXPECT_DOUBLE_EQ(body.missing_flexibility(0, 1), 1.0 / 9);
  EXPECT_DOUBLE_EQ(body.missing_flexibility(0, 0), 1);
  body.residual = {1, 16};  // rotations: 16 beside 4² is more than 1 beside 9
  EXPECT_DOUBLE_EQ(body.missing_flexibility(0, 2), 0.5);
  EXPECT_EQ(body.reduced(1, false, 0).residual, body.residual);
}

}  // namespace

}  // namespace mechfmu::tests
