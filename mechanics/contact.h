// Contact by a smooth penalty: a sphere (or point) of b against a plane, a sphere or a cylinder of a.
//
//   δ = −(distance of the surfaces)        depth, n unit normal from a to b at the place of contact
//   N = k δ₊ⁿ (1 + c δ̇)₊                   Hunt, Crossley: J. Appl. Mech. 42 (1975) 440–445
//   F = N n − μ(v) N v_t / √(v_t² + v_0²)   v_t sliding velocity of b on a
//   μ(v) = μ + (μ_s − μ) exp(−v_t²/v_s²)    Stribeck
//   V = k δ₊ⁿ⁺¹ / (n + 1)                  elastic energy
//
// The force acts on b, and in reverse on a, at the middle of the overlap. It never pulls. With an exponent above 1 it
// has a continuous derivative where contact begins; friction is smooth at v_t = 0, so that a body at rest on a slope
// creeps at a speed of v_0 or less. Shapes are solid and touched from outside.

#pragma once

#include "mechanics/mechanism.h"

namespace mechfmu::mechanics {

struct ContactData {
  std::string name;
  Body a{}, b{};

  // Sphere of b
  Triple centre{};
  Number radius = 0;  // 0: a point

  // Shape of a
  enum class Shape {
    plane,    // through `at`, with the normal `axis` towards b
    sphere,   // centre `at`
    cylinder  // middle of its axis `at`, direction `axis`
  } shape = Shape::plane;
  Triple at{};
  Triple axis = {0, 0, 1};
  Number radius_a = 0;  // of a's sphere or cylinder
  /// Of the cylinder, between flat ends; 0: infinite. A sphere of b goes over the rim smoothly, a
  /// point finds an edge there.
  Number length = 0;

  /// Places and directions are in the axes of their bodies, from the reference points; else in the
  /// world as it stands at the start.
  bool local = false;

  // Normal force
  Number stiffness = 1e6;  // k, N/mⁿ
  Number exponent = 1.5;   // n: 1.5 for spheres (Hertz), at least 1
  Number damping = 0;      // c, s/m: restitution falls by about 2c/3 for every m/s of impact speed

  // Friction
  Number friction = 0;           // μ
  Number static_friction = -1;   // μ_s, at v_t → 0 beyond v_0; negative: as μ
  Number stribeck = 0.1;         // v_s, m/s
  Number regularization = 1e-3;  // v_0, m/s
};

}  // namespace mechfmu::mechanics
