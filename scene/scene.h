// The appearance of a mechanism: its bodies, and drawn parts, each fixed in a body or stretched
// between two points.
//
//   crank.xml ─→ listing ─→ Scene ┬─→ JSON: in pages, in FMUs (docs/animation.md describes it)
//                  parameters ────┘ └─→ glTF
//
// A viewer only needs a dozen shapes and two ways to attach them. It does not know joints, springs
// or contacts: their shapes are chosen here (scene/joints.cpp, forces.cpp, bodies.cpp), once for
// all formats. Points and directions are in the axes of their body, from its reference point;
// lengths are in metres.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/types.h"

namespace mechfmu::scene {

using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3>;
using Quaternion = std::array<double, 4>;  // w x y z

/// Sizes of a shape, in this order; it is centred in its frame, and its axis is z.
enum class ShapeKind {
  box,        // x y z
  sphere,     // radius
  cylinder,   // radius, length
  cone,       // radius, length: the tip is at +z
  capsule,    // radius, length between the centres of its ends
  torus,      // radius of the ring, radius of the tube
  ellipsoid,  // half axes x y z
  plane,      // length, width: a sheet with the normal z
  coil,       // radius, radius of the wire, number of turns; stretched between two points
  tube,       // radius; stretched between two points
  frame,      // length of its axes
  text,       // height of letters
  mesh        // factor of its coordinates
};
const char* word(ShapeKind kind);

/// The role of a part; a viewer can give each role its own color.
enum class Role { body, joint, spring, contact, ground, load, look };
const char* word(Role role);

struct Anchor {
  int body = 0;
  Vec3 at = Vec3::Zero();
  int point =
      // of a flexible body: the number of its point, which is at this place without deformation
      -1;
};

struct Part {
  ShapeKind shape = ShapeKind::box;
  std::vector<double> size;
  Role role = Role::body;
  std::string color{};  // #rrggbb; empty: that of its role
  double opacity = 1;
  // Fixed in a body …
  int body = 0;
  Vec3 at = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
  // … or from one point to another, along its z
  std::optional<std::array<Anchor, 2>> between{};
  std::string text{};  // of a text; of a mesh, the number of the mesh
  int mesh = -1;
};

/// A force or torque whose value is a variable, or three of them.
struct Arrow {
  bool torque = false;
  std::vector<std::string> variables{};  // three components in world axes, or one along `axis`
  Anchor at{};                           // its point of action
  Vec3 axis = Vec3::Zero();              // of one number: its direction, in the axes of the body
  std::optional<Anchor> towards{};       // … or along the line from this point
  int axes = 0;                          // of three: the body in whose axes they are
  bool reverse = false;                  // positive pulls the ends together
};

/// An element of the mechanism, which a viewer can show with its name and values.
struct Element {
  std::string kind, type, name, about;
  std::vector<int> bodies{};
  std::vector<Part> parts{};
  std::vector<Arrow> arrows{};
};

/// A point of a flexible body: its position without deformation, and its displacement in each mode.
struct FlexiblePoint {
  Vec3 at = Vec3::Zero();
  std::vector<Vec3> shapes{};
};

struct Body {
  std::string name, about;
  double mass = 0;
  Vec3 centre = Vec3::Zero();         // of mass
  Vec3 moments = Vec3::Zero();        // principal moments of inertia, the smallest first …
  Mat3 principal = Mat3::Identity();  // … and their axes
  // At t = 0, as placed
  Vec3 position = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
  // Variables: x y z of the reference point, w x y z of the quaternion; a point mass has no
  // quaternion
  std::vector<std::string> pose{};
  // Of a flexible body: variables of its modes, and points between which parts are stretched
  std::vector<std::string> modes{};
  std::vector<FlexiblePoint> points{};
};

/// A mesh of triangles, from a file that a look names.
struct Mesh {
  std::string file;
  std::vector<std::array<float, 3>> points{};
  std::vector<std::array<std::uint32_t, 3>> triangles{};
};

struct Scene {
  std::string name, about;
  Vec3 gravity = Vec3::Zero();
  double size = 1;           // of the mechanism, m
  std::vector<Body> bodies;  // bodies[0] is the ground
  std::vector<Element> elements;
  std::vector<Mesh> meshes;
};

/// The scene as JSON; numbers have at most seven digits.
std::string scene_json(const Scene& scene);

Quaternion quaternion_of(const Mat3& R);
/// Axes with z in this direction.
Mat3 axes_along(const Vec3& z);
/// The same, with x as near to the other direction as possible.
Mat3 axes_along(const Vec3& z, const Vec3& x);

}  // namespace mechfmu::scene
