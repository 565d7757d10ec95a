// A beam that is spun up: undamped modes up to 2·10⁴/s in a motion of seconds (Simo & Vu-Quoc
// 1987).

#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "mechanics/mechanism.h"
#include "mechanics/motion.h"

namespace mechfmu::tests {

struct SpinUp {
  double EA = 2.8e7;    // N
  double EI = 1.4e4;    // N.m²
  double GJ = 2e4;      // N.m²
  double rho_A = 1.2;   // kg/m
  double rho_I = 6e-4;  // kg.m
  double L = 10;        // m
  double speed = 6;     // rad/s, reached
  double T = 15;        // s, after this time

  /// Elongation of the tip at the end, from the rotation alone: Ω² ρA L³/(3 EA).
  double extension() const { return speed * speed * rho_A * L * L * L / (3 * EA); }

  /// The beam is clamped to a hub that turns by
  ///
  ///   φ = (Ω/T) (t²/2 + (T/2π)² (cos(2πt/T) − 1)),   t ≤ T
  ///
  /// and made of lumps between bushings, each of which is an Euler–Bernoulli beam of its length.
  mechanics::Mechanism mechanism(int count) const;
};

inline mechanics::Mechanism SpinUp::mechanism(int count) const {
  using namespace mechanics;
  Mechanism m("spin-up");
  m.length_scale = 1;
  const double h = L / count;
  const Body hub = m.body({.name = "hub", .mass = 1, .inertia = {.xx = 1, .yy = 1, .zz = 1}});
  JointData shaft;
  shaft.name = "shaft";
  shaft.b = hub;
  shaft.axis = {0, 0, 1};
  m.driver("spin", m.angle(m.joint(shaft)),
           [turn = 2 * std::numbers::pi / T, growth = speed / T](const auto& s) {
             return growth * (s.t * s.t / 2.0 + (cos(turn * s.t) - 1.0) / (turn * turn));
           });
  Body last = hub;
  for (int i = 1; i <= count; ++i) {
    const bool tip = i == count;
    const double l = tip ? h / 2 : h;
    const double mass = rho_A * l;
    const double across = mass * l * l / 12 + rho_I * l;
    const Body lump = m.body({.name = "n" + std::to_string(i),
                              .mass = mass,
                              .inertia = {.xx = 2 * rho_I * l, .yy = across, .zz = across},
                              .at = {i * h, 0, 0},
                              .centre = {tip ? -h / 4 : 0, 0, 0}});
    m.bushing({.name = "e" + std::to_string(i),
               .a = last,
               .b = lump,
               .at = {(i - 0.5) * h, 0, 0},
               .axis = {0, 0, 1},
               .axis2 = {1, 0, 0},
               .stiffness = {EA / h, 12 * EI / (h * h * h), 12 * EI / (h * h * h)},
               .torsion = {GJ / h, EI / h, EI / h}});
    last = lump;
  }
  const auto from_hub = [hub, last, L = L](const Motion& q, int along) {
    return (q.rotation(hub).transpose() *
            (q.position(Spot{last, {L, 0, 0}}) - q.position(Spot{hub})))[along];
  };
  m.output("extension", [from_hub, L = L](const Motion& q) { return from_hub(q, 0) - L; });
  m.output("deflection", [from_hub](const Motion& q) { return from_hub(q, 1); });
  return m;
}

}  // namespace mechfmu::tests
