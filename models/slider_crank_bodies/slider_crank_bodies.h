// The slider-crank of Arnold & Brüls, section 5.1, made of bodies and joints.
//
//   ground ─pin─ crank ─hinge─ rod ─wrist─ slider ─guide─ ground,   slider ~spring~ mass on a rail
//
// The same motion as models/slider_crank, which contains the explicit equations. With spatial
// bodies, the loop has three redundant constraints; with a hinge point, crank and rod meet in a
// point without mass.

#pragma once

#include <algorithm>
#include <numbers>

#include "models/bodies.h"

namespace mechfmu::models {

struct SliderCrankOptions {
  Space space = Space::planar;
  bool hinge_point = false;  // a separate point joins crank and rod; planar only
};

inline mechanics::Mechanism slider_crank_bodies(const SliderCrankOptions& options = {}) {
  using namespace mechanics;
  Mechanism m("slider_crank_bodies");
  m.about = "Slider-crank with a mass on a spring behind the slider, made of bodies and joints";
  m.experiment = {.stop = 1, .step = 5e-3};

  const Input torque = m.input("torque", 1, "N.m", "torque on the crank");
  const Parameter l1 = m.parameter("l1", 0.3, "m", "crank length");
  const Parameter l2 = m.parameter("l2", 0.6, "m", "rod length");
  const Parameter m1 = m.parameter("m1", 0.36, "kg", "mass of the crank");
  const Parameter m2 = m.parameter("m2", 0.15, "kg", "mass of the rod");
  const Parameter m3 = m.parameter("m3", 0.1, "kg", "mass of the slider");
  const Parameter m4 = m.parameter("m4", 0.7, "kg", "mass on the spring");
  const Parameter stiffness = m.parameter("stiffness", 1000, "N/m", "spring behind the slider");
  const Parameter relaxed = m.parameter("spring_length", 0.3, "m", "relaxed length of the spring");
  for (const Parameter p : {l1, l2, m1, m2, m3, m4, stiffness, relaxed}) m.describe(p.index).min(0);

  // The crank is upright, the rod slopes down to the slider, the spring is relaxed.
  const auto slope = [=](InputValues s) { return std::asin(std::clamp(s(l1) / s(l2), -1.0, 1.0)); };
  const auto slider_x = [=](InputValues s) { return s(l2) * std::cos(slope(s)); };
  const Number x3 = of(slider_x);
  const Number x4 = of([=](InputValues s) { return slider_x(s) + s(relaxed); });
  const Number middle = of([=](InputValues s) { return slider_x(s) / 2; });
  const Number half_height = of([=](InputValues s) { return s(l1) / 2; });
  const double upright = std::numbers::pi / 2;

  // Uniform rods along their x axis, 1 cm thick for the moment of inertia about it; the slider is a
  // cube.
  const auto rod_inertia = [](Parameter mass, Parameter length) -> Inertia {
    const Number J = of([=](InputValues s) { return s(mass) * s(length) * s(length) / 12; });
    return {.xx = of([=](InputValues s) { return s(mass) * 1e-4 / 8; }), .yy = J, .zz = J};
  };
  const Number cube = of([=](InputValues s) { return s(m3) * 0.06 * 0.06 / 6; });
  const BodyType turning = turning_body(options.space);
  const Body crank = m.body({.name = "crank",
                             .type = turning,
                             .mass = m1,
                             .inertia = rod_inertia(m1, l1),
                             .at = {0, half_height, 0},
                             .rotation = {0, 0, upright},
                             .hold_position = {false, false, false, false, false, true},
                             .hold_velocity = {false, false, false, false, false, true}});
  const Body rod = m.body({.name = "rod",
                           .type = turning,
                           .mass = m2,
                           .inertia = rod_inertia(m2, l2),
                           .at = {middle, half_height, 0},
                           .rotation = {0, 0, of([=](InputValues s) { return -slope(s); })}});
  const Body slider = m.body({.name = "slider",
                              .type = turning,
                              .mass = m3,
                              .inertia = {.xx = cube, .yy = cube, .zz = cube},
                              .at = {x3, 0, 0}});
  const Body weight = m.body({.name = "weight",
                              .type = point_mass(options.space),
                              .mass = m4,
                              .at = {x4, 0, 0},
                              .hold_position = {true},
                              .hold_velocity = {true}});

  const Joint pin = m.joint({.name = "pin", .a = ground, .b = crank});
  Joint hinge;
  if (options.hinge_point) {
    const Body point = m.body(
        {.name = "hinge point", .type = BodyType::planar_point, .mass = 0, .at = {0, l1, 0}});
    m.joint({.name = "hinge on crank", .a = crank, .b = point, .at = {0, l1, 0}});
    hinge = m.joint({.name = "hinge", .a = point, .b = rod, .at = {0, l1, 0}});
  } else {
    hinge = m.joint({.name = "hinge", .a = crank, .b = rod, .at = {0, l1, 0}});
  }
  const Joint wrist = m.joint({.name = "wrist", .a = rod, .b = slider, .at = {x3, 0, 0}});
  const Joint guide = m.joint({.name = "guide",
                               .type = JointType::prismatic,
                               .a = ground,
                               .b = slider,
                               .at = {x3, 0, 0},
                               .axis = {1, 0, 0}});
  const Joint rail = m.joint({.name = "rail",
                              .type = JointType::point_on_line,
                              .a = ground,
                              .b = weight,
                              .at = {x4, 0, 0},
                              .axis = {1, 0, 0}});

  const Measure theta1 = m.angle(pin);
  m.measures[static_cast<std::size_t>(theta1.index)].offset = upright;
  m.force({.name = "motor", .along = theta1, .value = torque});
  const Measure length = m.distance({slider, {x3, 0, 0}}, {weight, {x4, 0, 0}});
  const Spring spring =
      m.spring({.name = "spring", .along = length, .stiffness = stiffness, .length = relaxed});

  output_measure(m, "theta1", theta1, "rad", "crank angle");
  m.output("x3",
           [=](const Motion& q) {
             return q.position({slider, {0, 0, 0}, true})[0];
           })
      .unit("m")
      .about("slider");
  m.output("x4",
           [=](const Motion& q) {
             return q.position({weight, {0, 0, 0}, true})[0] - q(relaxed);
           })
      .unit("m")
      .about("mass on the spring, as far as the relaxed spring lets it be from the slider");
  output_measure(m, "spring.length", length, "m", "from slider to mass");
  m.output("spring.force", [=](const Motion& q) { return q.tension(spring); })
      .unit("N")
      .about("tension is positive");
  output_reaction(m, pin, options.space, "ground on crank");
  output_reaction(m, hinge, options.space, "crank on rod");
  output_reaction(m, wrist, options.space, "rod on slider");
  output_reaction(m, guide, options.space, "guide on slider");
  output_reaction(m, rail, options.space, "rail on mass");
  return m;
}

}  // namespace mechfmu::models
