// Outputs of poses and forces for drawing, added to a mechanism as if its file contained them.
//
//   <output name="pose.crank" value="crank.position" unit="m"/>       pose.crank.x, .y, .z
//   <output name="pose.crank.qw" value="crank.quaternion_w"/> …       for bodies that can rotate
//   <output name="pose.frame.q1" value="frame.q(1)"/> …               modes of flexible bodies
//   <output name="load.tie" value="tie.force" unit="N"/>              if forces are requested

#pragma once

#include "language/file/reader.h"
#include "scene/build.h"

namespace mechfmu::scene {

enum class Wanted { poses, poses_and_forces };

/// Chooses names of the variables that differ from outputs of the file.
Names name_variables(const MechanismText& text, Wanted wanted);

/// Adds the outputs.
void add_outputs(MechanismText& text, const Names& names);

/// All variables, bodies first.
std::vector<std::string> variables_of(const Names& names);

}  // namespace mechfmu::scene
