// A spatial four-bar: crank and rocker turn about axes that neither meet nor are parallel.
//
//   ground ─A, revolute─ crank ─B, spherical─ coupler ─C, universal─ rocker ─D, revolute─ ground
//
// 18 velocities, 5 + 3 + 4 + 5 constraints, one degree of freedom. The crank can make full turns.

#pragma once

#include "models/bodies.h"

namespace mechfmu::models {

inline mechanics::Mechanism spatial_four_bar() {
  using namespace mechanics;
  Mechanism m("spatial_four_bar");
  m.about =
      "Spatial four-bar with revolute, spherical and universal joints, a spring and a driven crank";
  m.experiment = {.stop = 2, .step = 5e-3};
  m.gravity = {0, 0, -9.81};

  const Input torque = m.input("torque", 0, "N.m", "torque on the crank");
  const Parameter m1 = m.parameter("m1", 0.8, "kg", "mass of the crank");
  const Parameter m2 = m.parameter("m2", 0.5, "kg", "mass of the coupler");
  const Parameter m3 = m.parameter("m3", 0.6, "kg", "mass of the rocker");
  const Parameter stiffness =
      m.parameter("stiffness", 150, "N/m", "spring from the ground to the rocker");
  const Parameter damping = m.parameter("damping", 0, "N.s/m", "damper beside the spring");
  const Parameter relaxed = m.parameter("spring_length", 0.25, "m", "relaxed length of the spring");
  const Parameter speed = m.parameter("speed", 8, "rad/s", "of the crank at t = 0");
  m.describe(speed.index).only_at_start();
  for (const Parameter p : {m1, m2, m3, stiffness, damping, relaxed}) m.describe(p.index).min(0);

  // Points at t = 0
  const Vec3 A(0, 0, 0), B(0, 0.15, 0), C(0.5, 0.05, 0.3), D(0.5, 0.05, 0);
  const Vec3 crank_axis(0, 0, 1), rocker_axis(0, 1, 0);

  /// Cylinder of radius 2 cm from p to q with axes along those of the world.
  const auto link = [&](const char* name, Parameter mass, const Vec3& p,
                        const Vec3& q) -> BodyData {
    const Vec3 along = (q - p).normalized();
    const double radius = 0.02;
    const double across = ((q - p).squaredNorm() + 3 * radius * radius) / 12;
    const Mat3 J =
        across * Mat3::Identity() + (radius * radius / 2 - across) * along * along.transpose();
    const auto of_mass = [=](double factor) {
      return of([=](InputValues s) { return factor * s(mass); });
    };
    return {.name = name,
            .mass = mass,
            .inertia = {of_mass(J(0, 0)), of_mass(J(1, 1)), of_mass(J(2, 2)), of_mass(J(0, 1)),
                        of_mass(J(0, 2)), of_mass(J(1, 2))},
            .at = Vec3((p + q) / 2)};
  };
  BodyData crank_data = link("crank", m1, A, B);
  crank_data.angular_velocity = {0, 0, speed};
  crank_data.hold_position[5] = crank_data.hold_velocity[5] = true;
  const Body crank = m.body(crank_data);
  const Body coupler = m.body(link("coupler", m2, B, C));
  const Body rocker = m.body(link("rocker", m3, C, D));

  const Joint pin_A = m.joint({.name = "A", .a = ground, .b = crank, .at = A, .axis = crank_axis});
  const Joint ball_B =
      m.joint({.name = "B", .type = JointType::spherical, .a = crank, .b = coupler, .at = B});
  const Joint cross_C = m.joint({.name = "C",
                                 .type = JointType::universal,
                                 .a = coupler,
                                 .b = rocker,
                                 .at = C,
                                 .axis = Vec3((C - B).cross(rocker_axis)),
                                 .axis2 = rocker_axis});
  const Joint pin_D =
      m.joint({.name = "D", .a = ground, .b = rocker, .at = D, .axis = rocker_axis});

  const Measure phi = m.angle(pin_A);
  const Measure psi = m.angle(pin_D);
  m.force({.name = "motor", .along = phi, .value = torque});
  const Measure length = m.distance({ground, {0.8, 0.05, 0.3}}, {rocker, C});
  const Spring spring = m.spring({.name = "spring",
                                  .along = length,
                                  .stiffness = stiffness,
                                  .damping = damping,
                                  .length = relaxed});

  output_measure(m, "phi", phi, "rad", "crank from its start");
  output_measure(m, "psi", psi, "rad", "rocker from its start");
  const char* const axes[] = {"C.x", "C.y", "C.z"};
  for (int k = 0; k < 3; ++k)
    m.output(axes[k],
             [=](const Motion& q) {
               return q.position({coupler, C})[k];
             })
        .unit("m")
        .about("end of the coupler");
  const char* const parts[] = {"coupler.quaternion.w", "coupler.quaternion.x",
                               "coupler.quaternion.y", "coupler.quaternion.z"};
  for (int k = 0; k < 4; ++k)
    m.output(parts[k], [=](const Motion& q) { return q.quaternion(coupler)[k]; });
  output_measure(m, "spring.length", length, "m", "from the ground to C");
  m.output("spring.force", [=](const Motion& q) { return q.tension(spring); })
      .unit("N")
      .about("tension is positive");
  output_reaction(m, pin_A, Space::spatial, "ground on crank");
  output_reaction(m, ball_B, Space::spatial, "crank on coupler");
  output_reaction(m, cross_C, Space::spatial, "coupler on rocker");
  output_reaction(m, pin_D, Space::spatial, "ground on rocker");
  return m;
}

}  // namespace mechfmu::models
