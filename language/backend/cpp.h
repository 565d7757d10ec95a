// Writes a plan as C++ that a person would write: the source of an FMU's model.
//
//   const Body crank = m.body({.name = "crank", .mass = 1.2, .inertia = {.xx = 4e-3, .yy = 1e-4, .zz = 4e-3}});
//   const Joint A = m.joint({.name = "A", .type = JointType::revolute, .a = ground, .b = crank});
//   const Measure A_angle = m.angle(A);
//   m.force({.name = "motor", .along = A_angle,
//            .value = law<1>({m.rate(A_angle)}, [=](const auto& s) {
//              const auto& A_rate = s[0];
//              return s(torque) - 0.02 * A_rate;
//            })});
//
// The text needs mechanics/ and solver/ only. Where the file has functions of its own, they are declared there
// (mechanics/function.h) and defined in a source of the user.

#pragma once

#include <string>

#include "language/meaning/plan.h"

namespace mechfmu {

std::string mechanism_cpp(const Plan& plan);

}  // namespace mechfmu
