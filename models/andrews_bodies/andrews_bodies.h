// Andrews' squeezing mechanism made of seven bodies and ten revolute joints.
//
// The same motion as models/andrews, which uses seven relative angles. Here every body has its own
// coordinates, so that the mass matrix is constant. The x axis of a body is at its angle of
// models/andrews, and its centre of mass follows from the kinetic energy there. With spatial
// bodies, the three loops have nine redundant constraints.

#pragma once

#include "models/bodies.h"

namespace mechfmu::models {

inline mechanics::Mechanism andrews_bodies(Space space = Space::planar) {
  using namespace mechanics;
  Mechanism m("andrews_bodies");
  m.about = "Andrews' squeezing mechanism: seven bodies in a plane, one degree of freedom";
  m.experiment = {.stop = 0.03, .step = 1e-4};

  const Input torque = m.input("torque", .033, "N.m", "torque on body 1");
  const Parameter stiffness = m.parameter("stiffness", 4530, "N/m", "spring");
  const Parameter relaxed =
      m.parameter("spring_length", .07785, "m", "relaxed length of the spring");
  for (const Parameter p : {stiffness, relaxed}) m.describe(p.index).min(0);

  // Initial angles and lengths, with the names of models/andrews
  const double beta = -0.0617138900142764496358948458001, Theta = 0;
  const double gamma = 0.455279819163070380255912382449, Phi = 0.222668390165885884674473185609;
  const double delta = 0.487364979543842550225598953530, Omega = -0.222668390165885884674473185609;
  const double epsilon = 1.23054744454982119249735015568;
  const double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092;
  const double sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04;
  const double ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;

  /// The point at x along the direction `angle` and y perpendicular to it, from `from`.
  const auto beyond = [](const Vec3& from, double angle, double x, double y = 0) {
    return Vec3(from[0] + x * std::cos(angle) - y * std::sin(angle),
                from[1] + x * std::sin(angle) + y * std::cos(angle), 0);
  };
  const Vec3 O(0, 0, 0), A(-.06934, -.00227, 0), B(-.03635, .03273, 0), C(.014, .072, 0);
  const Vec3 F = beyond(O, beta, rr);
  const Vec3 P = beyond(F, beta + Theta, -d);
  const Vec3 D = beyond(B, gamma, sd, -sc);
  const Vec3 E = beyond(A, delta, zt);
  const Vec3 H = beyond(A, epsilon, 0, -u);

  const auto body = [&](const char* name, double mass, double J, const Vec3& centre, double angle) {
    return m.body({.name = name,
                   .type = turning_body(space),
                   .mass = mass,
                   .inertia = {.xx = J / 2, .yy = J / 2, .zz = J},  // flat; only zz matters
                   .at = centre,
                   .rotation = {0, 0, angle}});
  };
  const Body K1 = body("K1", .04325, 2.194e-6, beyond(O, beta, ra), beta);
  const Body K2 = body("K2", .00365, 4.410e-7, beyond(F, beta + Theta, -da), beta + Theta);
  const Body K3 = body("K3", .02373, 5.255e-6, beyond(B, gamma, sb, -sa), gamma);
  const Body K4 = body("K4", .00706, 5.667e-7, beyond(E, Phi + delta, 0, ea - e), Phi + delta);
  const Body K5 = body("K5", .07050, 1.169e-5, beyond(A, delta, ta, tb), delta);
  const Body K6 =
      body("K6", .00706, 5.667e-7, beyond(H, Omega + epsilon, zf - fa), Omega + epsilon);
  const Body K7 = body("K7", .05498, 1.912e-5, beyond(A, epsilon, -ub, -ua), epsilon);

  const auto revolute = [&](const char* name, Body a, Body b, const Vec3& at) {
    return m.joint({.name = name, .a = a, .b = b, .at = at});
  };
  const Joint pin_O = revolute("O", ground, K1, O);
  const Joint pin_F = revolute("F", K1, K2, F);
  const Joint pin_B = revolute("B", ground, K3, B);
  const Joint pin_A5 = revolute("A5", ground, K5, A);
  const Joint pin_A7 = revolute("A7", ground, K7, A);
  const Joint pin_E = revolute("E", K5, K4, E);
  const Joint pin_H = revolute("H", K7, K6, H);
  const Joint pin_P3 = revolute("P3", K2, K3, P);
  const Joint pin_P4 = revolute("P4", K2, K4, P);
  const Joint pin_P6 = revolute("P6", K2, K6, P);

  const auto joint_angle = [&](const char* name, Joint joint, double start, const char* about) {
    const Measure angle = m.angle(joint);
    m.measures[static_cast<std::size_t>(angle.index)].offset = start;
    output_measure(m, name, angle, "rad", about);
    return angle;
  };
  const Measure crank = joint_angle("beta", pin_O, beta, "angle of body 1");
  joint_angle("Theta", pin_F, Theta, "body 2 on body 1");
  joint_angle("gamma", pin_B, gamma, "angle of body 3");
  joint_angle("Phi", pin_E, Phi, "body 4 on body 5");
  joint_angle("delta", pin_A5, delta, "angle of body 5");
  joint_angle("Omega", pin_H, Omega, "body 6 on body 7");
  joint_angle("epsilon", pin_A7, epsilon, "angle of body 7");

  m.force({.name = "motor", .along = crank, .value = torque});
  const Measure length = m.distance({ground, C}, {K3, D});
  const Spring spring =
      m.spring({.name = "spring", .along = length, .stiffness = stiffness, .length = relaxed});
  output_measure(m, "spring.length", length, "m", "from C to D");
  m.output("spring.force", [=](const Motion& q) { return q.tension(spring); })
      .unit("N")
      .about("tension is positive");
  const char* const axes[] = {"P.x", "P.y"};
  for (int k = 0; k < 2; ++k)
    m.output(axes[k],
             [=](const Motion& q) {
               return q.position({K2, P})[k];
             })
        .unit("m")
        .about("where bodies 2, 3, 4 and 6 meet");
  output_reaction(m, pin_O, space, "ground on body 1");
  output_reaction(m, pin_F, space, "body 1 on body 2");
  output_reaction(m, pin_B, space, "ground on body 3");
  output_reaction(m, pin_A5, space, "ground on body 5");
  output_reaction(m, pin_A7, space, "ground on body 7");
  output_reaction(m, pin_E, space, "body 5 on body 4");
  output_reaction(m, pin_H, space, "body 7 on body 6");
  output_reaction(m, pin_P3, space, "body 2 on body 3");
  output_reaction(m, pin_P4, space, "body 2 on body 4");
  output_reaction(m, pin_P6, space, "body 2 on body 6");
  return m;
}

}  // namespace mechfmu::models
