// A chain of four-bar windows (IFToMM benchmark A02) made of rods: `windows` + 1 vertical rods on
// the ground, joined at their upper ends by horizontal ones. One degree of freedom; when all rods
// lie flat, the constraints lose rank.
//
//   T₀ ─── T₁ ─── T₂ …       rods of length l and mass m
//   │      │      │
//   ▽      ▽      ▽

#pragma once

#include <numbers>

#include "models/bodies.h"

namespace mechfmu::models {

inline mechanics::Mechanism four_bar_chain_bodies(int windows = 2, Space space = Space::planar) {
  using namespace mechanics;
  Mechanism m("four_bar_chain_bodies");
  m.about = "Chain of four-bar windows that passes singular positions";
  m.experiment = {.stop = 10, .step = 0.01};

  const Parameter mass = m.parameter("m", 1, "kg", "mass of a rod");
  const Parameter l = m.parameter("l", 1, "m", "length of a rod");
  const Parameter g = m.parameter("g", 9.81, "m/s2", "gravity");
  const Parameter v = m.parameter("v", 1, "m/s", "initial speed of the upper joints");
  for (const Parameter p : {mass, l, g}) m.describe(p.index).min(0);
  m.gravity = {0, of([=](InputValues s) { return -s(g); }), 0};

  const auto times = [=](double factor) {
    return of([=](InputValues s) { return factor * s(l); });
  };
  const Number J = of([=](InputValues s) { return s(mass) * s(l) * s(l) / 12; });
  const Number about_axis = of([=](InputValues s) { return s(mass) * s(l) * s(l) / 1000; });
  const double upright = std::numbers::pi / 2;
  const auto name = [](const char* what, int k) { return what + std::to_string(k); };

  std::vector<Body> columns;
  std::vector<Body> beams;
  for (int k = 0; k <= windows; ++k)
    columns.push_back(
        m.body({.name = name("column", k),
                .type = turning_body(space),
                .mass = mass,
                .inertia = {.xx = about_axis, .yy = J, .zz = J},
                .at = {times(k), times(0.5), 0},
                .rotation = {0, 0, upright},
                .velocity = {of([=](InputValues s) { return s(v) / 2; }), 0, 0},
                .angular_velocity = {0, 0, of([=](InputValues s) { return -s(v) / s(l); })}}));
  beams.reserve(static_cast<std::size_t>(windows));
  for (int k = 0; k < windows; ++k)
    beams.push_back(m.body({.name = name("beam", k),
                            .type = turning_body(space),
                            .mass = mass,
                            .inertia = {.xx = about_axis, .yy = J, .zz = J},
                            .at = {times(k + 0.5), l, 0},
                            .velocity = {v, 0, 0}}));
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  for (int k = 0; k <= windows; ++k) {
    m.joint({.name = name("foot", k), .a = ground, .b = columns[at(k)], .at = {times(k), 0, 0}});
    const Triple top = {times(k), l, 0};
    if (k > 0)
      m.joint({.name = name("left", k), .a = columns[at(k)], .b = beams[at(k - 1)], .at = top});
    if (k < windows)
      m.joint({.name = name("right", k), .a = columns[at(k)], .b = beams[at(k)], .at = top});
  }

  const Spot top = {columns[0], {0, l, 0}};
  m.output("top.x", [=](const Motion& q) { return q.position(top)[0]; }).unit("m");
  m.output("top.y", [=](const Motion& q) { return q.position(top)[1]; }).unit("m");
  return m;
}

}  // namespace mechfmu::models
