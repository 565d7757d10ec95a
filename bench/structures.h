// Mechanisms of any size for benchmarks: rods of 1 m and 1 kg, hinged together, falling from rest.
//
//   chain    N planar rods end to end, the first pinned to the ground
//   tree     rod k hangs on the end of rod (k − 1)/2: a binary tree; angles grow by generation
//   ladder   two chains side by side, a rung between them at every joint: N/3 closed loops
//
// and in space, where the rods are boxes of 1 m × 0.1 m × 0.2 m, three different moments of
// inertia, and the axes of the hinges point across the rod in turn: between its y and z, along y,
// along z.
//
//   spatial_arm    N rods end to end, a zigzag
//   spatial_tree   a binary tree as above, spread to both sides and up and down

#pragma once

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "mechanics/mechanism.h"
#include "mechanics/placement.h"

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

/// A box, hinged to `parent` at `parent.end`, that points from there along its x axis.
inline Rod add_spatial_rod(mechanics::Mechanism& m, const Rod& parent,
                           const mechanics::Vec3& rotation) {
  constexpr double length = 1, width = 0.1, height = 0.2;
  const std::size_t number = m.bodies.size() - 1;  // without the ground
  const mechanics::Mat3 R = mechanics::rotation_matrix(rotation);
  mechanics::BodyData data;
  data.name = "rod " + std::to_string(number + 1);
  data.inertia.xx = (width * width + height * height) / 12;
  data.inertia.yy = (length * length + height * height) / 12;
  data.inertia.zz = (length * length + width * width) / 12;
  data.at = mechanics::Triple(parent.end + R.col(0) * length / 2);
  data.rotation = mechanics::Triple(rotation);
  Rod rod{m.body(data), parent.end + R.col(0) * length};

  const mechanics::Vec3 across[] = {{0, std::sqrt(0.5), std::sqrt(0.5)}, {0, 1, 0}, {0, 0, 1}};
  mechanics::JointData hinge;
  hinge.name = "hinge " + std::to_string(number + 1);
  hinge.a = parent.body;
  hinge.b = rod.body;
  hinge.at = mechanics::Triple(parent.end);
  hinge.axis = mechanics::Triple(mechanics::Vec3(R * across[number % 3]));
  m.joint(hinge);
  return rod;
}

/// Cardan angles of rod k at t = 0: to one side and up, then to the other side and down.
inline mechanics::Vec3 spread(int k) {
  const double side = k == 0 ? 0 : (k % 2 == 1 ? 1 : -1);
  return {0, -0.2 * side, 0.4 * side};
}

inline mechanics::Mechanism spatial_arm(int n) {
  mechanics::Mechanism m("spatial_arm");
  m.gravity = {0, 0, -9.81};
  Rod last{mechanics::ground, mechanics::Vec3::Zero()};
  for (int k = 0; k < n; ++k) last = add_spatial_rod(m, last, spread(k));
  return m;
}

inline mechanics::Mechanism spatial_tree(int n) {
  mechanics::Mechanism m("spatial_tree");
  m.gravity = {0, 0, -9.81};
  std::vector<Rod> rods;
  for (int k = 0; k < n; ++k) {
    const Rod parent = k == 0 ? Rod{mechanics::ground, mechanics::Vec3::Zero()}
                              : rods[static_cast<std::size_t>((k - 1) / 2)];
    rods.push_back(add_spatial_rod(m, parent, spread(k)));
  }
  return m;
}

inline const std::vector<std::string>& structure_names() {
  static const std::vector<std::string> names = {"chain", "tree", "ladder", "spatial_arm",
                                                 "spatial_tree"};
  return names;
}

inline mechanics::Mechanism make_structure(const std::string& name, int n) {
  if (name == "chain") return chain(n);
  if (name == "tree") return tree(n);
  if (name == "ladder") return ladder(n);
  if (name == "spatial_arm") return spatial_arm(n);
  if (name == "spatial_tree") return spatial_tree(n);
  throw std::invalid_argument("there is no structure '" + name + "'");
}

}  // namespace mechfmu::bench
