// The kinds of bodies, one file each.

#pragma once

#include "mechanics/bodies/pool.h"

namespace mechfmu::mechanics {

std::unique_ptr<BodyPool> make_spatial_bodies();  // spatial.cpp: position and rotation
std::unique_ptr<BodyPool> make_rotors();  // rotor.cpp: likewise, in a frame that does not spin
std::unique_ptr<BodyPool> make_planar_bodies();    // planar.cpp: x, y and the angle about z
std::unique_ptr<BodyPool> make_planar_points();    // planar.cpp: x, y
std::unique_ptr<BodyPool> make_flexible_bodies();  // flexible.cpp: spatial, with modes
std::unique_ptr<BodyPool> make_nodes();            // node.cpp: spatial, without mass
std::unique_ptr<BodyPool> make_points();           // point.cpp: x, y, z

}  // namespace mechfmu::mechanics
