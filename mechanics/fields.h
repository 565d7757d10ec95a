// The names of the fields of elements, once: visit("mass", row.mass) for each of them.
//
//   fields([&](const char* name, auto& field) { … }, row);
//   fields([&](const char* name, auto& to, const auto& from) { … }, row, other);   two rows at once
//
// Reading, writing, printing and the conversion of rows use these lists.

#pragma once

#include "mechanics/data.h"

namespace mechfmu::mechanics {

template <class Visit, class... T>
void fields(Visit&& visit, BodyRow<T>&... row) {
  visit("name", row.name...);
  visit("type", row.type...);
  visit("spins", row.spins...);
  visit("mass", row.mass...);
  visit("inertia", row.inertia...);
  visit("solid", row.solid...);
  visit("at", row.at...);
  visit("rotation", row.rotation...);
  visit("centre", row.centre...);
  visit("velocity", row.velocity...);
  visit("angular_velocity", row.angular_velocity...);
  visit("hold_position", row.hold_position...);
  visit("hold_velocity", row.hold_velocity...);
  visit("modal", row.modal...);
  visit("damping", row.damping...);
  visit("of", row.of...);
  visit("node", row.node...);
}

template <class Visit, class... T>
void fields(Visit&& visit, JointRow<T>&... row) {
  visit("name", row.name...);
  visit("type", row.type...);
  visit("a", row.a...);
  visit("b", row.b...);
  visit("at", row.at...);
  visit("axis", row.axis...);
  visit("axis2", row.axis2...);
  visit("apart", row.apart...);
  visit("at_b", row.at_b...);
  visit("length", row.length...);
  visit("pitch", row.pitch...);
  visit("local", row.local...);
  visit("angle", row.angle...);
  visit("angle_rate", row.angle_rate...);
  visit("displacement", row.displacement...);
  visit("displacement_rate", row.displacement_rate...);
}

template <class Visit, class... T>
void fields(Visit&& visit, RollingRow<T>&... row) {
  visit("name", row.name...);
  visit("type", row.type...);
  visit("a", row.a...);
  visit("b", row.b...);
  visit("centre", row.centre...);
  visit("axle", row.axle...);
  visit("plane", row.plane...);
  visit("normal", row.normal...);
  visit("radius", row.radius...);
  visit("tube", row.tube...);
  visit("contact", row.contact...);
}

template <class Visit, class... T>
void fields(Visit&& visit, MeasureRow<T>&... row) {
  visit("name", row.name...);
  visit("type", row.type...);
  visit("a", row.a...);
  visit("b", row.b...);
  visit("axis", row.axis...);
  visit("axis2", row.axis2...);
  visit("local", row.local...);
  visit("b_like_a", row.b_like_a...);
  visit("axes_of_b", row.axes_of_b...);
  visit("from_start", row.from_start...);
  visit("offset", row.offset...);
  visit("reference", row.reference...);
  visit("reference_b", row.reference_b...);
}

template <class Visit, class... T>
void fields(Visit&& visit, ConstraintRow<T>&... row) {
  visit("name", row.name...);
  visit("relation", row.relation...);
  visit("nonholonomic", row.nonholonomic...);
}

template <class Visit, class... T>
void fields(Visit&& visit, ForceRow<T>&... row) {
  visit("name", row.name...);
  visit("along", row.along...);
  visit("value", row.value...);
  visit("energy", row.energy...);
  visit("passive", row.passive...);
}

template <class Visit, class... T>
void fields(Visit&& visit, VectorForceRow<T>&... row) {
  visit("name", row.name...);
  visit("torque", row.torque...);
  visit("at", row.at...);
  visit("reaction", row.reaction...);
  visit("axes", row.axes...);
  visit("value", row.value...);
}

template <class Visit, class... T>
void fields(Visit&& visit, StateRow<T>&... row) {
  visit("name", row.name...);
  visit("start", row.start...);
  visit("rate", row.rate...);
  visit("nominal", row.nominal...);
}

template <class Visit, class... T>
void fields(Visit&& visit, SpringRow<T>&... row) {
  visit("name", row.name...);
  visit("along", row.along...);
  visit("stiffness", row.stiffness...);
  visit("damping", row.damping...);
  visit("length", row.length...);
  visit("preload", row.preload...);
}

template <class Visit, class... T>
void fields(Visit&& visit, BushingRow<T>&... row) {
  visit("name", row.name...);
  visit("a", row.a...);
  visit("b", row.b...);
  visit("at", row.at...);
  visit("axis", row.axis...);
  visit("axis2", row.axis2...);
  visit("to", row.to...);
  visit("axis_b", row.axis_b...);
  visit("axis2_b", row.axis2_b...);
  visit("stiffness", row.stiffness...);
  visit("damping", row.damping...);
  visit("torsion", row.torsion...);
  visit("torsion_damping", row.torsion_damping...);
  visit("length", row.length...);
  visit("angle", row.angle...);
  visit("preload", row.preload...);
  visit("preload_torque", row.preload_torque...);
  visit("matrix", row.matrix...);
  visit("matrix_damping", row.matrix_damping...);
}

template <class Visit, class... T>
void fields(Visit&& visit, BeamRow<T>&... row) {
  visit("name", row.name...);
  visit("a", row.a...);
  visit("b", row.b...);
  visit("from", row.from...);
  visit("to", row.to...);
  visit("across", row.across...);
  visit("E", row.E...);
  visit("G", row.G...);
  visit("area", row.area...);
  visit("i_y", row.i_y...);
  visit("i_z", row.i_z...);
  visit("torsion", row.torsion...);
  visit("density", row.density...);
  visit("damping", row.damping...);
}

template <class Visit, class... T>
void fields(Visit&& visit, StopRow<T>&... row) {
  visit("name", row.name...);
  visit("along", row.along...);
  visit("lower", row.lower...);
  visit("upper", row.upper...);
  visit("stiffness", row.stiffness...);
  visit("damping", row.damping...);
  visit("exponent", row.exponent...);
}

template <class Visit, class... T>
void fields(Visit&& visit, FrictionRow<T>&... row) {
  visit("name", row.name...);
  visit("along", row.along...);
  visit("coulomb", row.coulomb...);
  visit("breakaway", row.breakaway...);
  visit("viscous", row.viscous...);
  visit("stribeck", row.stribeck...);
  visit("regularization", row.regularization...);
  visit("law", row.law...);
  visit("presliding", row.presliding...);
  visit("bristle_damping", row.bristle_damping...);
  visit("load", row.load...);
  visit("arm", row.arm...);
}

template <class Visit, class... T>
void fields(Visit&& visit, ContactRow<T>&... row) {
  visit("name", row.name...);
  visit("a", row.a...);
  visit("b", row.b...);
  visit("centre", row.centre...);
  visit("radius", row.radius...);
  visit("shape", row.shape...);
  visit("at", row.at...);
  visit("axis", row.axis...);
  visit("axis2", row.axis2...);
  visit("radius_a", row.radius_a...);
  visit("length", row.length...);
  visit("size", row.size...);
  visit("profile", row.profile...);
  visit("side", row.side...);
  visit("local", row.local...);
  visit("law", row.law...);
  visit("stiffness", row.stiffness...);
  visit("exponent", row.exponent...);
  visit("damping", row.damping...);
  visit("damping_depth", row.damping_depth...);
  visit("friction_law", row.friction_law...);
  visit("friction", row.friction...);
  visit("static_friction", row.static_friction...);
  visit("stribeck", row.stribeck...);
  visit("regularization", row.regularization...);
}

}  // namespace mechfmu::mechanics
