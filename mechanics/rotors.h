// Which bodies get coordinates that do not spin with them (bodies/rotor.cpp), and about which axis.

#pragma once

#include <optional>
#include <string>

#include "mechanics/doubts.h"
#include "mechanics/mechanism.h"

namespace mechfmu::mechanics {

/// Whether J is diag(J₁, J₁, J₃) in axes of which `axis` is the third.
bool is_symmetric(const Mat3& J, const Vec3& axis);

/// Principal axes, the third along `axis`; the others as close to the body's next two axes as they can be.
Mat3 principal_axes(const Vec3& axis);

/// The axis, in body axes, about which a spatial body spins: of a joint, a rolling contact or its start, or, with Spins::yes, that of
/// its inertia. Nothing: it has none, is not to spin, or its inertia would be symmetric with these parameters only. Bodies that
/// shall spin and cannot are doubts.
std::optional<Vec3> spin_axis(const Mechanism& m, Body body, const std::vector<double>& u,
                              Doubts& doubts);

}  // namespace mechfmu::mechanics
