// Mechanisms of any size for benchmarks: planar rods of 1 m and 1 kg, hinged together, falling from rest.
//
//   chain    N rods end to end, the first pinned to the ground
//   tree     rod k hangs on the end of rod (k − 1)/2: a binary tree, each generation spread a little more
//   ladder   two chains side by side, a rung between them at every joint: N/3 closed loops

#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "mechanics/mechanism.h"

namespace mechfmu::bench {

struct Rod {
  mechanics::Body body;
  mechanics::Vec3 end;
};

inline Rod add_rod(mechanics::Mechanism& m, const mechanics::Vec3& from, double angle,
                   double length = 1) {
  const mechanics::Vec3 along(std::cos(angle), std::sin(angle), 0);
  mechanics::BodyData data;
  data.name = "rod " + std::to_string(m.bodies.size());
  data.type = mechanics::BodyType::planar;
  data.mass = length;
  data.inertia.zz = length * length * length / 12;
  data.at = mechanics::Triple(from + along * length / 2);
  data.rotation = {0, 0, angle};
  return {m.body(data), from + along * length};
}

inline void add_hinge(mechanics::Mechanism& m, mechanics::Body a, mechanics::Body b,
                      const mechanics::Vec3& at) {
  mechanics::JointData data;
  data.name = "hinge " + std::to_string(m.joints.size() + 1);
  data.a = a;
  data.b = b;
  data.at = mechanics::Triple(at);
  m.joint(data);
}

inline mechanics::Mechanism chain(int n) {
  mechanics::Mechanism m("chain");
  m.gravity = {0, -9.81, 0};
  Rod last{mechanics::ground, mechanics::Vec3::Zero()};
  for (int k = 0; k < n; ++k) {
    const Rod rod = add_rod(m, last.end, 0);
    add_hinge(m, last.body, rod.body, last.end);
    last = rod;
  }
  return m;
}

inline mechanics::Mechanism tree(int n) {
  mechanics::Mechanism m("tree");
  m.gravity = {0, -9.81, 0};
  std::vector<Rod> rods;
  for (int k = 0; k < n; ++k) {
    const Rod parent = k == 0 ? Rod{mechanics::ground, mechanics::Vec3::Zero()}
                              : rods[static_cast<std::size_t>((k - 1) / 2)];
    const double angle = k == 0 ? 0 : (k % 2 == 1 ? 0.4 : -0.4);
    rods.push_back(add_rod(m, parent.end, angle));
    add_hinge(m, parent.body, rods.back().body, parent.end);
  }
  return m;
}

/// Two rails and rungs; n is rounded to whole loops of three rods.
inline mechanics::Mechanism ladder(int n) {
  mechanics::Mechanism m("ladder");
  m.gravity = {0, -9.81, 0};
  Rod left{mechanics::ground, {0, 0, 0}};
  Rod right{mechanics::ground, {0, -1, 0}};
  for (int loop = 0; loop < std::max(1, n / 3); ++loop) {
    const Rod next_left = add_rod(m, left.end, 0);
    const Rod next_right = add_rod(m, right.end, 0);
    add_hinge(m, left.body, next_left.body, left.end);
    add_hinge(m, right.body, next_right.body, right.end);
    const Rod rung = add_rod(m, next_left.end, -std::numbers::pi / 2);
    add_hinge(m, next_left.body, rung.body, next_left.end);
    add_hinge(m, rung.body, next_right.body, rung.end);
    left = next_left;
    right = next_right;
  }
  return m;
}

}  // namespace mechfmu::bench
