// Solids of uniform density: mass, centre of mass and inertia of a body from its shape.
//
//   const Solid drum = solid(Cylinder{.radius = 0.1, .length = 0.4}, density(7850));
//   const Solid head = solid(Box{.size = {0.1, 0.03, 0.03}, .at = {0, 0, 0.3}}, density(7850));
//   const Solid handle = solid(Rod{.length = 0.3, .at = {0, 0, 0.15}}, mass(0.2));
//   m.body({.name = "hammer", .solid = together({head, handle})});
//
// `at` is the middle of a shape in the body (of a polyhedron: the origin of its file), `rotation`
// its axes as Cardan angles. All numbers follow the parameters; impossible sizes are refused with
// the name of the body when a run starts.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mechanics/number.h"

namespace mechfmu::mechanics {

/// Moments and products of inertia, in body axes. Planar bodies use zz only.
struct Inertia {
  Number xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

  Mat3 operator()(InputValues s) const;
  bool constant() const;
};

/// A number that must be above zero, or at least not below it; `otherwise` is the message.
struct Requirement {
  Number value;
  bool above_zero = true;
  std::string otherwise;

  bool met(InputValues s) const { return above_zero ? value(s) > 0 : value(s) >= 0; }
};

struct Solid {
  Number mass;
  Triple centre{};    // from the reference point of the body, in its axes
  Inertia inertia{};  // about the centre
  std::vector<Requirement> requirements{};
};

struct Box {
  Triple size;  // along x, y, z
  Triple at{}, rotation{};
};
struct Cylinder {
  Number radius, length;
  Triple axis = {0, 0, 1};
  Triple at{}, rotation{};
};
struct Sphere {
  Number radius;
  Triple at{}, rotation{};
};
/// A rod without thickness.
struct Rod {
  Number length;
  Triple axis = {0, 0, 1};
  Triple at{}, rotation{};
};

/// The inside of a surface of triangles. Its numbers are those of the file; lengths are multiplied
/// by `scale`.
struct Polyhedron {
  Number scale = 1;
  Number volume;
  Triple centre;
  Inertia specific;         // about the centre, of 1 kg
  Triple at{}, rotation{};  // of the origin and the axes of the file
};

/// The amount of material: {.mass = 2} in kg, or {.density = 7850} in kg/m³, for rods in kg/m.
struct Amount {
  std::optional<Number> mass{}, density{};
};
inline Amount mass(const Number& value) { return {.mass = value}; }
inline Amount density(const Number& value) { return {.density = value}; }

Solid solid(const Box& box, const Amount& amount);
Solid solid(const Cylinder& cylinder, const Amount& amount);
Solid solid(const Sphere& sphere, const Amount& amount);
Solid solid(const Rod& rod, const Amount& amount);
Solid solid(const Polyhedron& polyhedron, const Amount& amount);

/// The solid moved by p → at + R(rotation) p.
Solid placed(const Solid& solid, const Triple& at, const Triple& rotation);

/// Solids as one: m = Σ mᵢ, m c = Σ mᵢ cᵢ, J = Σ Jᵢ + mᵢ (|dᵢ|² 1 − dᵢ dᵢᵀ), dᵢ = cᵢ − c.
Solid together(const std::vector<Solid>& parts);

}  // namespace mechfmu::mechanics
