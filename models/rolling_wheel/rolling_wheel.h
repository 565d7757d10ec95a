// A thin wheel that rolls without slip on a horizontal plane.
//
// The same motion as models/rolling_disk with the physical sign; lean θ, heading φ and spin χ are
// defined as there:
//
//   heading h = (cos φ, sin φ, 0),  axle a = (cos θ sin φ, −cos θ cos φ, sin θ),
//   ω = −θ' h + φ' e_z + χ' a

#pragma once

#include "models/bodies.h"

namespace mechfmu::models {

inline mechanics::Mechanism rolling_wheel() {
  using namespace mechanics;
  Mechanism m("rolling_wheel");
  m.about = "Thin wheel that rolls without slip on a horizontal plane";
  m.experiment = {.stop = 10, .step = 0.01, .tolerance = 1e-10};

  const Parameter mass = m.parameter("m", 2, "kg", "mass");
  const Parameter r = m.parameter("r", 1, "m", "radius");
  const Parameter I1 = m.parameter("I1", .5, "kg.m2", "moment of inertia about a diameter");
  const Parameter I2 = m.parameter("I2", 1, "kg.m2", "moment of inertia about the axle");
  const Parameter g = m.parameter("g", 9.81, "m/s2", "gravity");
  const Parameter lean0 = m.parameter("lean_start", .3, "rad", "initial lean");
  const Parameter lean_rate0 =
      m.parameter("lean_rate_start", 0, "rad/s", "initial rate of the lean");
  const Parameter turn0 = m.parameter("turn_start", 1.5, "rad/s", "initial rate of the heading");
  const Parameter spin0 =
      m.parameter("spin_start", -1.71810630662463, "rad/s", "initial rate of the spin");
  const Input torque = m.input("torque", 0, "N.m", "about the axle, positive as the spin");
  for (const Parameter p : {mass, r, I1, I2}) m.describe(p.index).min(0);
  m.describe(lean0.index).min(-1.57).max(1.57);
  for (const Parameter p : {lean0, lean_rate0, turn0, spin0}) m.describe(p.index).only_at_start();
  m.gravity = {0, 0, of([=](InputValues s) { return -s(g); })};

  // At t = 0 the contact point is the origin and the heading is x. The body's y axis is −a.
  const auto lean_out = [=](double s3, double c3) {
    return
        [=](InputValues s) { return s(r) * (s3 * std::sin(s(lean0)) + c3 * std::cos(s(lean0))); };
  };
  const Triple centre = {0, of(lean_out(1, 0)), of(lean_out(0, 1))};
  const auto omega = [=](InputValues s) {
    return Vec3(-s(lean_rate0), -s(spin0) * std::cos(s(lean0)),
                s(turn0) + s(spin0) * std::sin(s(lean0)));
  };
  const auto velocity = [=](InputValues s) { return omega(s).cross(centre(s)); };
  const auto part = [](const auto& f, int k) {
    return of([f, k](InputValues s) { return f(s)[k]; });
  };
  const Body wheel = m.body({.name = "wheel",
                             .mass = mass,
                             .inertia = {.xx = I1, .yy = I2, .zz = I1},
                             .at = centre,
                             .rotation = {of([=](InputValues s) { return -s(lean0); }), 0, 0},
                             .velocity = {part(velocity, 0), part(velocity, 1), part(velocity, 2)},
                             .angular_velocity = {part(omega, 0), part(omega, 1), part(omega, 2)}});
  const Rolling contact =
      m.rolling({.name = "contact",
                 .type = RollingType::wheel,
                 .a = ground,
                 .b = wheel,
                 .centre = centre,
                 .axle = {0, of([=](InputValues s) { return std::cos(s(lean0)); }),
                          of([=](InputValues s) { return -std::sin(s(lean0)); })},
                 .radius = r});
  const Measure axle = m.measure({.name = "axle",
                                  .type = MeasureType::torque,
                                  .b = {wheel, centre},
                                  .axis = {0, -1, 0},
                                  .local = true,
                                  .axes_of_b = true});
  m.force({.name = "motor", .along = axle, .value = torque});

  /// Lean, heading and their rates from the axle a and a' = ω × a.
  struct Attitude {
    double lean, heading, lean_rate, turn, spin;
  };
  const auto attitude = [=](const Motion& q) -> Attitude {
    const Vec3 a = -q.rotation(wheel).col(1);
    const Vec3 w = q.angular_velocity(wheel);
    const Vec3 da = w.cross(a);
    const double flat = a[0] * a[0] + a[1] * a[1];
    const double turn = (a[0] * da[1] - a[1] * da[0]) / flat;
    return {std::atan2(a[2], std::sqrt(flat)), std::atan2(a[0], -a[1]), da[2] / std::sqrt(flat),
            turn, a.dot(w) - turn * a[2]};
  };
  const Spot hub = {wheel, {0, 0, 0}, true};
  const auto contact_point = [=](const Motion& q) -> Vec3 {
    const Attitude at = attitude(q);
    const Vec3 up(-std::sin(at.lean) * std::sin(at.heading),
                  std::sin(at.lean) * std::cos(at.heading), std::cos(at.lean));
    return q.position(hub) - q(r) * up;
  };
  m.output("contact.x", [=](const Motion& q) { return contact_point(q)[0]; }).unit("m");
  m.output("contact.y", [=](const Motion& q) { return contact_point(q)[1]; }).unit("m");
  m.output("lean", [=](const Motion& q) { return attitude(q).lean; })
      .unit("rad")
      .about("0 upright; positive to the left of the heading");
  m.output("lean.rate", [=](const Motion& q) { return attitude(q).lean_rate; }).unit("rad/s");
  m.output("heading", [=](const Motion& q) { return attitude(q).heading; })
      .unit("rad")
      .about("direction of rolling from x, between -pi and pi");
  m.output("heading.rate", [=](const Motion& q) { return attitude(q).turn; }).unit("rad/s");
  m.output("spin.rate", [=](const Motion& q) { return attitude(q).spin; })
      .unit("rad/s")
      .about("about the axle, which points to the right of the heading");
  const char* const hubs[] = {"hub.x", "hub.y", "hub.z"};
  for (int k = 0; k < 3; ++k)
    m.output(hubs[k], [=](const Motion& q) { return q.position(hub)[k]; }).unit("m");
  const char* const forces[] = {"contact.force.x", "contact.force.y", "contact.force.z"};
  for (int k = 0; k < 3; ++k)
    m.output(forces[k], [=](const Motion& q) { return q.reaction(contact).force[k]; })
        .unit("N")
        .about("plane on wheel");
  return m;
}

}  // namespace mechfmu::models
