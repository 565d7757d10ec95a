// The words of enumerations, in their order: for files, generated C++ and checks of input.
//
//   words<JointType>()[1] == "revolute"

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "mechanics/data.h"
#include "mechanics/law_value.h"
#include "mechanics/operation.h"
#include "mechanics/placed.h"
#include "mechanics/quantities.h"
#include "model/settings.h"

namespace mechfmu::mechanics {

template <class Enumeration>
struct Words;

template <>
struct Words<StartPosition> {
  static constexpr std::string_view type = "StartPosition";
  static constexpr std::string_view all[] = {"placed", "equilibrium"};
  static constexpr auto last = StartPosition::equilibrium;
};
template <>
struct Words<BodyType> {
  static constexpr std::string_view type = "BodyType";
  static constexpr std::string_view all[] = {"spatial",      "planar",   "point",
                                             "planar_point", "flexible", "node"};
  static constexpr auto last = BodyType::node;
};
template <>
struct Words<Spins> {
  static constexpr std::string_view type = "Spins";
  static constexpr std::string_view all[] = {"automatic", "yes", "no"};
  static constexpr auto last = Spins::no;
};
template <>
struct Words<ShapeType> {
  static constexpr std::string_view type = "ShapeType";
  static constexpr std::string_view all[] = {"box", "cylinder", "sphere", "rod", "mesh"};
  static constexpr auto last = ShapeType::mesh;
};
template <>
struct Words<JointType> {
  static constexpr std::string_view type = "JointType";
  static constexpr std::string_view all[] = {"fixed",
                                             "revolute",
                                             "prismatic",
                                             "cylindrical",
                                             "spherical",
                                             "universal",
                                             "planar",
                                             "point_in_plane",
                                             "point_on_line",
                                             "distance",
                                             "constant_orientation",
                                             "screw"};
  static constexpr auto last = JointType::screw;
};
template <>
struct Words<MeasureType> {
  static constexpr std::string_view type = "MeasureType";
  static constexpr std::string_view all[] = {"distance",  "displacement", "angle",
                                             "alignment", "force",        "torque"};
  static constexpr auto last = MeasureType::torque;
};
template <>
struct Words<RollingType> {
  static constexpr std::string_view type = "RollingType";
  static constexpr std::string_view all[] = {"knife_edge", "wheel", "sphere"};
  static constexpr auto last = RollingType::sphere;
};
template <>
struct Words<ForceAxes> {
  static constexpr std::string_view type = "ForceAxes";
  static constexpr std::string_view all[] = {"world", "reaction_body", "body"};
  static constexpr auto last = ForceAxes::body;
};
template <>
struct Words<ContactShape> {
  static constexpr std::string_view type = "ContactShape";
  static constexpr std::string_view all[] = {"plane",   "sphere", "cylinder",
                                             "capsule", "box",    "profile"};
  static constexpr auto last = ContactShape::profile;
};
template <>
struct Words<ContactSide> {
  static constexpr std::string_view type = "ContactSide";
  static constexpr std::string_view all[] = {"outside", "inside"};
  static constexpr auto last = ContactSide::inside;
};
template <>
struct Words<ContactFriction> {
  static constexpr std::string_view type = "ContactFriction";
  static constexpr std::string_view all[] = {"smooth", "bounded"};
  static constexpr auto last = ContactFriction::bounded;
};
template <>
struct Words<FrictionLaw> {
  static constexpr std::string_view type = "FrictionLaw";
  static constexpr std::string_view all[] = {"smooth", "lugre"};
  static constexpr auto last = FrictionLaw::lugre;
};
template <>
struct Words<ContactLaw> {
  static constexpr std::string_view type = "ContactLaw";
  static constexpr std::string_view all[] = {"hertz", "linear"};
  static constexpr auto last = ContactLaw::linear;
};
template <>
struct Words<Placed> {
  static constexpr std::string_view type = "Placed";
  static constexpr std::string_view all[] = {"no", "point", "direction", "rotation"};
  static constexpr auto last = Placed::rotation;
};
template <>
struct Words<Argument::Kind> {
  static constexpr std::string_view type = "Argument::Kind";
  static constexpr std::string_view all[] = {"value", "rate", "state", "multiplier"};
  static constexpr auto last = Argument::Kind::multiplier;
};
template <>
struct Words<Code> {
  static constexpr std::string_view type = "Code";
  static constexpr std::string_view all[] = {
      "copy",      "negate",      "sin_",       "cos_",        "tan_",   "asin_",      "acos_",
      "atan_",     "sinh_",       "cosh_",      "tanh_",       "exp_",   "log_",       "sqrt_",
      "norm",      "abs_",        "sign",       "floor_",      "table",  "add",        "subtract",
      "multiply",  "divide",      "power",      "atan2_",      "less",   "less_equal", "equal",
      "not_equal", "logical_and", "logical_or", "logical_not", "select", "call"};
  static constexpr auto last = Code::call;
};
template <>
struct Words<Quantity> {
  static constexpr std::string_view type = "Quantity";
  static constexpr std::string_view all[] = {"position",
                                             "velocity",
                                             "acceleration",
                                             "rotation",
                                             "angular_velocity",
                                             "angular_acceleration",
                                             "x_axis",
                                             "y_axis",
                                             "z_axis",
                                             "quaternion_w",
                                             "quaternion_x",
                                             "quaternion_y",
                                             "quaternion_z",
                                             "value",
                                             "rate",
                                             "second_rate",
                                             "joint_force",
                                             "joint_torque",
                                             "rolling_force",
                                             "pair_force",
                                             "pair_torque",
                                             "force",
                                             "three_forces",
                                             "tension",
                                             "three_tensions",
                                             "multiplier",
                                             "driving_force",
                                             "state",
                                             "state_rate",
                                             "kinetic_energy",
                                             "potential_energy",
                                             "total_energy",
                                             "dissipated_power",
                                             "supplied_power",
                                             "mass",
                                             "centre_of_mass",
                                             "momentum",
                                             "angular_momentum",
                                             "mode",
                                             "mode_rate",
                                             "stress",
                                             "strain_energy",
                                             "interface_force",
                                             "interface_torque"};
  static constexpr auto last = Quantity::interface_torque;
};

template <class Enumeration>
constexpr std::span<const std::string_view> words() {
  using W = Words<Enumeration>;
  static_assert(std::size(W::all) == static_cast<std::size_t>(W::last) + 1);
  return W::all;
}

/// The value of a word; none if the enumeration does not have the word.
template <class Enumeration>
constexpr std::optional<Enumeration> find_word(std::string_view word) {
  const auto all = words<Enumeration>();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == word) return static_cast<Enumeration>(i);
  return {};
}

template <class Enumeration>
constexpr std::string_view word(Enumeration value) {
  return words<Enumeration>()[static_cast<std::size_t>(value)];
}

}  // namespace mechfmu::mechanics
