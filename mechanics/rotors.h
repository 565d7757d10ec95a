// The bodies with coordinates that do not spin with them (bodies/rotor.cpp), and their axes.

#pragma once

#include <optional>
#include <string>

#include "mechanics/doubts.h"
#include "mechanics/mechanism.h"

namespace mechfmu::mechanics {

/// Whether J is diag(J₁, J₁, J₃) in axes of which `axis` is the third.
bool is_symmetric(const Mat3& J, const Vec3& axis);

/// Principal axes, the third along `axis`; the others as close as possible to the next two body
/// axes.
Mat3 principal_axes(const Vec3& axis);

/// The axis, in body axes, about which a body spins: that of a joint, a rolling contact or the
/// angular velocity at t = 0, or, with Spins::yes, that of its inertia. None if there is no such
/// axis, with Spins::no, or if the inertia is symmetric with these parameters only. A body with
/// Spins::yes that cannot spin is a doubt.
std::optional<Vec3> spin_axis(const Mechanism& m, Body body, const std::vector<double>& u,
                              Doubts& doubts);

}  // namespace mechfmu::mechanics
