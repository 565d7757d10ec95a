// The elements of a mechanism as plain data; each is a template on the types of its fields:
//
//   BodyRow<Described>   numbers that follow parameters, laws as functions (mechanics/mechanism.h)
//   BodyRow<Listed>      numbers of tables, to be written and read (mechanics/listing.h)
//
// mechanics/fields.h names the fields. Elements refer to each other by handles; names are for
// messages.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/index.h"

namespace mechfmu::mechanics {

// Handles: positions in the lists of a Mechanism.
struct Body {
  Index index = 0;
};
constexpr Body ground{0};
struct Joint {
  Index index = -1;
};
struct Rolling {
  Index index = -1;
};
struct Measure {
  Index index = -1;
};
struct Constraint {
  Index index = -1;
};
struct Force {
  Index index = -1;
};
struct StateVariable {
  Index index = -1;
};
struct Pair {
  Index index = -1;
};
/// The numbers of a flexible body (mechanics/modal_body.h).
struct Modal {
  Index index = -1;
};
struct Spring {
  Measure measure;
  Force force;
};

enum class BodyType {
  spatial,       // position and rotation: 6 velocities
  planar,        // x, y and the angle about z
  point,         // x, y, z
  planar_point,  // x, y
  flexible,      // spatial, and modes of deformation
  node           // of a flexible body: no mass, moves with the body and its modes; 6 velocities
};

/// Whether a spatial body has coordinates in a frame that does not spin with it. The body must be
/// symmetric about the axis.
enum class Spins {
  // if the inertia is symmetric and a joint, a rolling contact or the start velocity turns the body
  // about the axis
  automatic,
  yes,
  no
};

template <class T>
struct BodyRow {
  typename T::Text name;
  BodyType type = BodyType::spatial;
  Spins spins = Spins::automatic;
  typename T::Number mass = 1;
  typename T::Inertia inertia{};  // about the centre of mass
  typename T::Solid solid{};      // if given, it determines mass, inertia and centre
  typename T::Triple at{};        // reference point in the world at t = 0
  typename T::Triple rotation{};  // body axes at t = 0: Cardan angles about x, then y', then z''
  typename T::Triple centre{};    // centre of mass, from the reference point in body axes
  typename T::Triple velocity{};  // of the reference point at t = 0, world axes
  typename T::Triple angular_velocity{};  // at t = 0, world axes
  /// Initialization keeps x y z (of the centre of mass) and the rotations about the body's x y z.
  std::array<bool, 6> hold_position{}, hold_velocity{};
  // Flexible bodies only. Their modal determines mass, inertia and centre.
  Modal modal{};
  std::optional<typename T::Number>
      damping{};  // damping ratio of all modes; none: those of the modal
  // Nodes only. The flexible body determines their place.
  Body of{};       // the flexible body; it comes before the node
  Index node = 0;  // the number of the node
};

enum class ShapeType : std::uint8_t { box, cylinder, sphere, rod, mesh };

enum class JointType {
  fixed,
  revolute,
  prismatic,
  cylindrical,
  spherical,
  universal,
  planar,                // a plane of b slides in a plane of a
  point_in_plane,        // a point of b stays in a plane of a
  point_on_line,         // a point of b stays on a line of a
  distance,              // a point of b keeps its distance from a point of a
  constant_orientation,  // b does not turn relative to a
  screw
};

template <class T>
struct JointRow {
  typename T::Text name;
  JointType type = JointType::revolute;
  Body a{}, b{};
  typename T::Triple at{};  // world coordinates at t = 0
  /// Axis of rotation or translation, normal of planes; of a universal joint, its axis in a.
  typename T::Triple axis = {0, 0, 1};
  typename T::Triple axis2 = {1, 0, 0};  // of a universal joint, its axis in b
  /// The point of b is at_b: for distance joints, and for parts that initialization joins.
  bool apart = false;
  typename T::Triple at_b{};
  std::optional<typename T::Number> length{};  // of a distance joint; none: as placed
  typename T::Number pitch = 0;  // of a screw: displacement per turn, right-handed when positive
  /// `at` and `axis` are in the axes of a, from its reference point; at_b and axis2 in those of b.
  bool local = false;
  // Coordinates and rates at t = 0, to which initialization moves the bodies; none: as placed, or
  // as other joints require
  std::optional<typename T::Number> angle{},
      angle_rate{};  // of revolute, cylindrical, screw and planar joints; within ±π
  std::optional<typename T::Number> displacement{},
      displacement_rate{};  // of prismatic, cylindrical and screw joints

  bool has_start_position() const { return angle || displacement; }
  bool has_start_velocity() const { return angle_rate || displacement_rate; }
};

enum class MeasureType {
  distance,      // between the points a and b
  displacement,  // of point b from point a, along a direction fixed in body a
  angle,         // of body b against body a about an axis fixed in a; counts turns
  alignment,     // cosine between the axis, fixed in a, and axis2, fixed in b
  // Directions: they have a rate (a speed) and no value.
  force,  // along an axis fixed in body a (axes_of_b: in b), at point b
  torque  // about such an axis
};

template <class T>
struct MeasureRow {
  typename T::Text name;
  MeasureType type = MeasureType::distance;
  typename T::Spot a{}, b{};
  typename T::Triple axis = {0, 0, 1};
  typename T::Triple axis2 = {1, 0, 0};
  bool local = false;       // the axes are in body axes; otherwise in world axes at t = 0
  bool b_like_a = false;    // point b coincides with point a at t = 0
  bool axes_of_b = false;   // of a force or torque: the axis is fixed in b
  bool from_start = false;  // displacements count from the position at t = 0 (angles always do)
  /// Value at t = 0 of an angle, or of a displacement that counts from there.
  typename T::Number offset = 0;
  /// Direction across the axis of an angle, fixed in both bodies at t = 0; none: the nearest of the
  /// axes of body a, or of b where a is the ground. It matters where the axes of the bodies tilt
  /// relative to each other.
  std::optional<typename T::Triple> reference{};
  /// … fixed in b, if it differs at t = 0 from the one in a; then the angle is not 0 at t = 0.
  std::optional<typename T::Triple> reference_b{};
};

/// 0 = relation: a driver, a gear, a coupling, or a user-defined constraint. Arguments: values of
/// measures; of a nonholonomic one also rates of measures or directions.
template <class T>
struct ConstraintRow {
  typename T::Text name;
  typename T::Law relation;
  bool nonholonomic = false;
};

enum class RollingType {
  knife_edge,  // no motion across the blade
  wheel,       // thin disc or torus
  sphere
};

/// Rolling without slip of b on a plane of a.
template <class T>
struct RollingRow {
  typename T::Text name;
  RollingType type = RollingType::wheel;
  Body a{}, b{};
  typename T::Triple centre{};  // of the wheel or sphere; the edge's point of contact
  typename T::Triple axle = {0, 1,
                             0};  // of the wheel; of the knife edge, the direction across the blade
  typename T::Triple plane{};     // a point of the plane
  typename T::Triple normal = {0, 0, 1};  // of the plane, towards b
  typename T::Number radius = 1;          // of a torus: to the middle of its tube
  typename T::Number tube = 0;            // radius of the tube; 0: thin disc
  bool contact = true;  // also keeps b on the plane; false if another element does
};

/// A generalized force along a measure or direction; positive values tend to increase it.
template <class T>
struct ForceRow {
  typename T::Text name;
  Measure along{};
  typename T::Law value;
  /// Potential energy, if the law has one at rate zero.
  typename T::Energy energy{};
  bool passive =
      false;  // dissipates energy (friction): counted as dissipation, not as work of inputs
  /// Describes the fault of the law's constants; null if there is none. It returns a literal
  /// because it is called during a run.
  const char* (*check)(const std::vector<double>& constants) = nullptr;
};

/// Axes of a vector of force or torque.
enum class ForceAxes { world, reaction_body, body };

/// Force (or torque) vector on b at a point, with its reaction on a at the same point.
template <class T>
struct VectorForceRow {
  typename T::Text name;
  bool torque = false;
  typename T::Spot at{};  // on the body acted on
  Body reaction = ground;
  using Axes = ForceAxes;
  Axes axes = Axes::world;
  std::array<typename T::Law, 3> value = {typename T::Law(0.0), typename T::Law(0.0),
                                          typename T::Law(0.0)};
};

/// x' = rate.
template <class T>
struct StateRow {
  typename T::Text name;
  typename T::Number start = 0;
  typename T::Law rate;
  double nominal = 1;
};

/// Spring and damper along a measure: tension = stiffness (φ − length) + damping φ̇ + preload.
template <class T>
struct SpringRow {
  typename T::Text name;
  Measure along{};
  typename T::Number stiffness = 0, damping = 0, length = 0, preload = 0;
};

/// Six springs and dampers between a frame of a and one of b; along and about x, y, z of that of a:
///
///   force = stiffness (u − length) + damping u̇ + preload
///   torque = torsion (θ − angle) + torsion_damping θ̇ + preload_torque
///
/// With a matrix K of all six: K (e + τ ė) in place of stiffness e and so on, e = (u − length, θ −
/// angle).
template <class T>
struct BushingRow {
  typename T::Text name;
  Body a{}, b{};
  typename T::Triple at{};                                 // origin of the frames at t = 0
  typename T::Triple axis = {0, 0, 1}, axis2 = {1, 0, 0};  // z and x axis of the frames
  // The frame of b, if it differs at t = 0
  std::optional<typename T::Triple> to{}, axis_b{}, axis2_b{};
  typename T::Triple stiffness{}, damping{};        // along x, y, z of a
  typename T::Triple torsion{}, torsion_damping{};  // about x, y, z
  typename T::Triple length{}, angle{};             // u and θ where the springs are free
  typename T::Triple preload{}, preload_torque{};   // tension there
  typename T::NumberList matrix{};  // K, 21 numbers: its upper triangle, row after row; or none
  typename T::Number matrix_damping = 0;  // τ, s
};

/// A straight elastic beam between a point of a and one of b. It is a bushing in its middle, which
/// is exactly the Euler-Bernoulli beam for loads at its ends. The two bodies carry the mass of its
/// halves.
template <class T>
struct BeamRow {
  typename T::Text name;
  Body a{}, b{};
  typename T::Triple from{}, to{};        // its ends at t = 0
  typename T::Triple across = {0, 0, 1};  // its z: bending in the plane of it and the beam has i_y
  typename T::Number E = 2.1e11, G = 8.1e10;      // Pa
  typename T::Number area = 0, i_y = 0, i_z = 0;  // m², m⁴: of the section, about its y and z
  typename T::Number torsion = 0;                 // m⁴: torsion constant of the section
  typename T::Number density = 0;                 // kg/m³; half the mass goes to each end
  typename T::Number damping = 0;                 // τ, s: of each stiffness
};

/// Beyond the stops a force stiffness·depth^exponent·(1 + damping·speed) pushes back, smooth where
/// it begins.
template <class T>
struct StopRow {
  typename T::Text name;
  Measure along{};
  typename T::Number lower = -1e30, upper = 1e30;
  typename T::Number stiffness = 0, damping = 0, exponent = 1.5;
};

enum class FrictionLaw {
  smooth,  // a function of the speed: a body that should stick creeps
  lugre    // bristles that bend, a state: the body sticks
};

/// Friction against the rate v of a measure. C = coulomb·L, S = breakaway·L,
/// G(v) = C + (S − C) exp(−(v/v_s)²); L = 1, or the load arm·|reaction force| of a joint.
///   smooth   F = G(v) tanh(v/v_0) + viscous·v
///   lugre    F = C (ζ + τ ζ' exp(−(v/v_s)²)) + viscous·v,   d ζ' = v − |v| ζ C/G(v)
/// Canudas de Wit, Olsson, Åström, Lischinsky: IEEE Trans. Automatic Control 40 (1995) 419–425,
/// with σ_0 = C/d, σ_1 = σ_0 τ and z = d ζ: ζ is 1 at full friction. The damping σ_1 fades with
/// speed, as Olsson proposes; otherwise the bristles could supply energy.
template <class T>
struct FrictionRow {
  typename T::Text name;
  Measure along{};
  typename T::Number coulomb = 0, breakaway = -1;  // negative: as coulomb
  typename T::Number viscous = 0;
  typename T::Number stribeck = 0.1, regularization = 1e-3;  // v_s, v_0
  FrictionLaw law = FrictionLaw::smooth;
  typename T::Number presliding = 1e-5;       // d: displacement from zero to full friction
  typename T::Number bristle_damping = 1e-3;  // τ, s
  Joint load{};                               // if given, coulomb and breakaway are coefficients
  typename T::Number arm = 1;                 // radius of the pin; 1 for sliding
};

enum class ContactShape {
  plane,     // through `at`, with the normal `axis` towards b
  sphere,    // centre `at`
  cylinder,  // middle of its axis `at`, direction `axis`
  capsule,   // a cylinder with half a sphere at both ends
  box,       // middle `at`, edges `size` along axis2, axis × axis2 and axis
  // a closed outline in the plane across `axis`, from `at`, with x along axis2; as long as a
  // cylinder
  profile
};
enum class ContactSide { outside, inside };
enum class ContactLaw {
  hertz,  // N = k δⁿ (1 + c δ̇)
  linear  // N = k δⁿ + c min(δ/d_c, 1) δ̇
};

enum class ContactFriction {
  smooth,  // v/√(v² + v_0²) of the sliding force: a load near the limit creeps at any speed
  bounded  // the full sliding force from v_0 on: a load below the limit creeps at v_0 or less
};

/// Contact of a sphere (or point) of b with a shape of a (mechanics/contact.cpp).
template <class T>
struct ContactRow {
  typename T::Text name;
  Body a{}, b{};

  // Sphere of b
  typename T::Triple centre{};
  typename T::Number radius = 0;  // 0: a point

  // Shape of a
  using Shape = ContactShape;
  Shape shape = Shape::plane;
  typename T::Triple at{};
  typename T::Triple axis = {0, 0, 1};
  typename T::Triple axis2 = {1, 0, 0};  // of a box or profile
  typename T::Number radius_a = 0;       // of a's sphere, cylinder or capsule
  /// Of the cylinder, between flat ends; 0: infinite. A sphere of b rolls over the rim smoothly;
  /// for a point the rim is an edge. Of the capsule, between the centres of its ends.
  typename T::Number length = 0;
  typename T::Triple size{};  // of a box
  /// Of a profile: the number of its repetitions about the axis, then x, y and bulge of each point.
  /// The bulge is tan(angle/4) of the arc to the next point, positive for an arc to the right; 0: a
  /// straight line. The solid is on the left.
  typename T::NumberList profile{};
  using Side = ContactSide;
  Side side = Side::outside;  // on which b is; inside a sphere, a cylinder or a profile

  /// Places and directions are in the axes of their bodies, from the reference points; otherwise in
  /// world coordinates at t = 0.
  bool local = false;

  // Normal force
  ContactLaw law = ContactLaw::hertz;
  typename T::Number stiffness = 1e6;  // k, N/mⁿ
  typename T::Number exponent = 1.5;   // n: 1.5 for spheres (Hertz), at least 1
  /// c, s/m: restitution falls by about 2c/3 per m/s of impact speed; for the linear law, N·s/m
  typename T::Number damping = 0;
  typename T::Number damping_depth = 1e-4;  // d_c, m: depth of full damping in the linear law

  // Friction
  ContactFriction friction_law = ContactFriction::smooth;
  typename T::Number friction = 0;           // μ
  typename T::Number static_friction = -1;   // μ_s, at v_t → 0 beyond v_0; negative: as μ
  typename T::Number stribeck = 0.1;         // v_s, m/s
  typename T::Number regularization = 1e-3;  // v_0, m/s
};

}  // namespace mechfmu::mechanics
