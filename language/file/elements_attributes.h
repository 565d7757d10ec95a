// Attributes that many elements of mechanism files share, for the tables of elements.

#pragma once

#include <string_view>
#include <vector>

#include "language/file/elements.h"

namespace mechfmu::elements {

using enum AttributeKind;
using Attributes = std::vector<AttributeType>;

constexpr std::string_view joint_types =
    "fixed revolute prismatic cylindrical spherical universal planar point_in_plane point_on_line "
    "distance constant_orientation screw";

inline Attributes operator+(Attributes a, const Attributes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Attributes that many elements share

inline AttributeType a_name(
    std::string_view about = "name of the element, unique in the mechanism") {
  return {.name = "name", .kind = name, .about = about, .required = true};
}

inline AttributeType a_plain_name(std::string_view about) {
  return {.name = "name", .kind = plain_name, .about = about, .required = true};
}

inline AttributeType a_between(std::string_view about = "the two bodies, a and b") {
  return {.name = "between",
          .kind = references,
          .about = about,
          .required = true,
          .words = "body",
          .counts = "2"};
}

inline AttributeType a_point(std::string_view its_name, std::string_view about) {
  return {.name = its_name,
          .kind = vector,
          .about = about,
          .unit = "m",
          .fallback = "0 0 0",
          .placed = Placed::point};
}

inline AttributeType a_direction(std::string_view its_name, std::string_view about,
                                 std::string_view fallback) {
  return {.name = its_name,
          .kind = vector,
          .about = about,
          .unit = "1",
          .fallback = fallback,
          .placed = Placed::direction};
}

inline AttributeType a_number(std::string_view its_name, std::string_view about,
                              std::string_view unit, std::string_view fallback) {
  return {.name = its_name, .about = about, .unit = unit, .fallback = fallback};
}

inline AttributeType a_switch(std::string_view its_name, std::string_view about,
                              std::string_view fallback = "false") {
  return {.name = its_name, .kind = boolean, .about = about, .fallback = fallback};
}

inline AttributeType a_unit(std::string_view about = "unit, as in N.m or rad/s") {
  return {.name = "unit", .kind = unit, .about = about, .fallback = "1"};
}

inline AttributeType a_local(std::string_view about =
                                 "points and axes are in body axes, relative to the reference "
                                 "point of their body, instead of world coordinates at t = 0") {
  return a_switch("local", about);
}

inline AttributeType a_bound(std::string_view its_name, std::string_view about) {
  return {.name = its_name, .about = about, .unit = "unit", .knows = Knows::constants};
}

/// The direction of a spring, a stop, friction or a force: a coordinate of a joint, a measure, or
/// the distance of two points.
inline Attributes along() {
  return {
      {.name = "joint",
       .kind = reference,
       .about = "acts along the coordinate of this joint",
       .words = "joint"},
      {.name = "coordinate",
       .kind = word,
       .about = "selects the coordinate of joints that have two (cylindrical, screw)",
       .words = "angle displacement",
       .needs = "joint"},
      {.name = "measure",
       .kind = reference,
       .about = "acts along this measure",
       .words = "measure"},
      {.name = "between",
       .kind = references,
       .about = "acts along the distance between a point of a and a point of b",
       .words = "body",
       .counts = "2"},
      {.name = "from",
       .kind = vector,
       .about = "the point of a",
       .unit = "m",
       .placed = Placed::point,
       .needs = "between",
       .required_with = "between"},
      {.name = "to",
       .kind = vector,
       .about = "the point of b",
       .unit = "m",
       .placed = Placed::point,
       .needs = "between",
       .required_with = "between"},
      {.name = "local",
       .kind = boolean,
       .about = "points are in body axes, relative to the reference point of their body, instead "
                "of world coordinates at t = 0",
       .fallback = "false",
       .needs = "between"},
  };
}

inline const Choice along_choice{"joint measure between"};

/// Solid shapes of uniform density.
inline Attributes shapes() {
  return {
      {.name = "box",
       .kind = numbers,
       .about = "lengths along x, y, z",
       .unit = "m",
       .counts = "3"},
      {.name = "cylinder",
       .kind = numbers,
       .about = "radius and length",
       .unit = "m",
       .counts = "2"},
      {.name = "sphere", .about = "radius", .unit = "m"},
      {.name = "rod", .about = "length of a thin rod; its density is in kg/m", .unit = "m"},
      {.name = "axis",
       .kind = vector,
       .about = "axis of the cylinder or rod, in body axes",
       .unit = "1",
       .fallback = "0 0 1",
       .needs = "cylinder rod"},
  };
}

// The tables, in the order of the reference page
std::vector<ElementType>
structure();  // the file: parts, groups, repetition, parameters, inputs, variables, tables, outputs
std::vector<ElementType> mechanics();  // bodies, joints, measures, constraints
std::vector<ElementType> forces();
std::vector<ElementType> run();  // states, experiment, solver

}  // namespace mechfmu::elements
