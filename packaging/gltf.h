// glTF 2.0 of an animation, in one binary file: a moving node for each body; below it its parts,
// instances of meshes of unit size. A part between two bodies is a node that moves, turns and is
// scaled.
//
// https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html

#pragma once

#include <string>

#include "packaging/animation.h"

namespace mechfmu {

/// The bytes of the file.
std::string gltf_of(const Animation& animation);

}  // namespace mechfmu
