// Outputs that tell where bodies are and which forces act, for those who draw: added to a mechanism as if its file had them.
//
//   <output name="pose.crank" value="crank.position" unit="m"/>       pose.crank.x, pose.crank.y, pose.crank.z
//   <output name="pose.crank.qw" value="crank.quaternion_w"/> …       of bodies that turn
//   <output name="pose.frame.q1" value="frame.q(1)"/> …               modes of flexible bodies
//   <output name="load.tie" value="tie.force" unit="N"/>              where forces are wanted, too

#pragma once

#include "language/file/reader.h"
#include "scene/build.h"

namespace mechfmu::scene {

enum class Wanted { poses, poses_and_forces };

/// What the variables are called; where the file has outputs of these names, others are chosen.
Names name_variables(const MechanismText& text, Wanted wanted);

/// Adds the outputs.
void add_outputs(MechanismText& text, const Names& names);

/// All variables, bodies first.
std::vector<std::string> variables_of(const Names& names);

}  // namespace mechfmu::scene
