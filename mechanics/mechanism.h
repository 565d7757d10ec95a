// The description of a mechanism: flat lists of bodies, joints, measures, forces, states and outputs, as plain data.
//
//   Mechanism m("FourBar");
//   Body crank = m.body({.name = "crank", .mass = 1.2, .inertia = {4e-3, 1e-4, 4e-3}, .at = {0, 0.1, 0}});
//   Joint A = m.joint({.name = "A", .type = JointType::revolute, .a = ground, .b = crank, .axis = {0, 0, 1}});
//   m.force({.name = "motor", .along = m.angle(A), .value = m.input("torque")});
//   m.output("phi", [=](const Motion& q) { return q.value(angle); }).unit("rad");
//
// Everything is placed in the world as it stands at the start: a joint at one point of space joins the two bodies there,
// and a closed loop is just one more joint. Elements refer to each other by handles; names are for messages. The
// equations of motion are made from the description by a MechanismSystem (mechanics/system.h).

#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mechanics/law.h"
#include "mechanics/number.h"
#include "mechanics/shapes.h"
#include "mechanics/wrench.h"
#include "model/variables.h"

namespace mechfmu::mechanics {

class Motion;

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
struct Spring {
  Measure measure;
  Force force;
};

enum class BodyType {
  spatial,      // position and rotation: 6 velocities
  planar,       // x, y and the angle about z
  point,        // x, y, z
  planar_point  // x, y
};

/// Whether a spatial body has coordinates in a frame that does not spin with it. It must be symmetric about the axis.
enum class Spins {
  automatic,  // where its inertia is symmetric, and a joint, a rolling contact or the start turns it about the axis
  yes,
  no
};

struct BodyData {
  std::string name;
  BodyType type = BodyType::spatial;
  Spins spins = Spins::automatic;
  Number mass = 1;
  Inertia inertia{};             // about the centre of mass
  std::optional<Solid> solid{};  // where given, mass, inertia and centre are those of the solid
  Triple at{};                   // reference point in the world at the start
  Triple rotation{};             // body axes at the start: Cardan angles about x, then y', then z''
  Triple centre{};               // centre of mass, from the reference point in body axes
  Triple velocity{};             // of the reference point at the start, world axes
  Triple angular_velocity{};     // at the start, world axes
  /// Initialization keeps x y z (of the centre of mass) and the rotations about the body's x y z.
  std::array<bool, 6> hold_position{}, hold_velocity{};
};

/// A point of a body: in the world as it stands at the start, or (local) from the body's reference point in its axes.
struct Spot {
  Body body{};
  Triple at{};
  bool local = false;
};

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
  constant_orientation,  // b does not turn against a
  screw
};

struct JointData {
  std::string name;
  JointType type = JointType::revolute;
  Body a{}, b{};
  Triple at{};  // in the world at the start
  Triple axis = {
      0, 0,
      1};  // of rotation or translation; normal of planes; of a universal joint, its axis in a
  Triple axis2 = {1, 0, 0};  // of a universal joint, its axis in b
  bool apart =
      false;  // the point of b is at_b: for distance joints, and where assembly has to bring the
  Triple at_b{};                   // parts together
  std::optional<Number> length{};  // of a distance joint; none: as placed
  Number pitch = 0;                // of a screw: way per turn, right-handed when positive
  bool local =
      false;  // at, axis are in the axes of a from its reference point; at_b, axis2 in those of b
  // Coordinates and rates that it has at the start, when the parts have been moved there; none: as placed, or as others ask for
  std::optional<Number> angle{},
      angle_rate{};  // of revolute, cylindrical, screw and planar joints; within ±π
  std::optional<Number> displacement{},
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

struct MeasureData {
  std::string name;
  MeasureType type = MeasureType::distance;
  Spot a{}, b{};
  Triple axis = {0, 0, 1};
  Triple axis2 = {1, 0, 0};
  bool local = false;       // the axes are in body axes, not in the world's at the start
  bool b_like_a = false;    // point b is where point a is at the start
  bool axes_of_b = false;   // of a force or torque: the axis is fixed in b
  bool from_start = false;  // displacements count from the start position (angles always do)
  Number offset = 0;  // value at the start of an angle, or of a displacement counted from there
  /// Direction across the axis of an angle that is fixed in both bodies at the start; none: the nearest of the axes of body a, or of b
  /// where a is the ground. It matters where the axes of the bodies tilt against each other.
  std::optional<Triple> reference{};
};

/// 0 = relation: a driver, a gear, a coupling, or a constraint of one's own. Arguments: values of measures, and rates of
/// measures or directions where it is nonholonomic.
struct ConstraintData {
  std::string name;
  Law relation;
  bool nonholonomic = false;
};

enum class RollingType {
  knife_edge,  // no motion across the blade
  wheel,       // thin disc or torus
  sphere
};

/// Rolling without slip of b on a plane of a.
struct RollingData {
  std::string name;
  RollingType type = RollingType::wheel;
  Body a{}, b{};
  Triple centre{};            // of the wheel or sphere; the edge's point of contact
  Triple axle = {0, 1, 0};    // of the wheel; of the knife edge, the direction across the blade
  Triple plane{};             // a point of the plane
  Triple normal = {0, 0, 1};  // of the plane, towards b
  Number radius = 1;          // of a torus: to the middle of its tube
  Number tube = 0;            // radius of the tube; 0: thin disc
  bool contact = true;        // also keeps b on the plane; off where something else does
};

/// A generalized force along a measure or direction; positive values tend to increase it.
struct ForceData {
  std::string name;
  Measure along{};
  Law value;
  /// Potential energy, where the law has one for a rate of zero.
  std::function<double(const Scope<double>&)> energy{};
  bool passive =
      false;  // takes energy away (friction): counted as dissipation, not as work of inputs
  /// Says what is wrong with the constants of the law; null: nothing. A literal: it is asked for in the middle of a run.
  const char* (*check)(const std::vector<double>& constants) = nullptr;
};

/// Force (or torque) vector on b at a point, with its reaction on a at the same point.
struct VectorForceData {
  std::string name;
  bool torque = false;
  Spot at{};  // on the body acted on
  Body reaction = ground;
  enum class Axes { world, reaction_body, body } axes = Axes::world;
  std::array<Law, 3> value = {Law(0.0), Law(0.0), Law(0.0)};
};

/// x' = rate.
struct StateData {
  std::string name;
  Number start = 0;
  Law rate;
  double nominal = 1;
};

/// A force between two bodies by a function of their poses and velocities (mechanics/wrench.h).
struct PairData {
  std::string name;
  Body a{}, b{};
  struct Item {
    Body body;
    Triple value;
    bool direction = false;
    bool local = false;
  };
  std::vector<Item> geometry{};
  std::vector<Number> constants{};
  WrenchFunction function;
  /// Says what is wrong with the constants; empty: nothing.
  std::function<std::string(const std::vector<double>&)> check{};
};

/// Spring and damper along a measure: tension = stiffness (φ − length) + damping φ̇ + preload.
struct SpringData {
  std::string name;
  Measure along{};
  Number stiffness = 0, damping = 0, length = 0, preload = 0;
};

/// Six springs and dampers between frames of a and b that coincide at the start.
struct BushingData {
  std::string name;
  Body a{}, b{};
  Triple at{};
  Triple axis = {0, 0, 1}, axis2 = {1, 0, 0};  // z and x axis of the frames
  Triple stiffness{}, damping{};               // along x, y, z of a
  Triple torsion{}, torsion_damping{};         // about x, y, z
};

/// Beyond the stops a force stiffness·depth^exponent·(1 + damping·speed) pushes back, smooth where it begins.
struct StopData {
  std::string name;
  Measure along{};
  Number lower = -1e30, upper = 1e30;
  Number stiffness = 0, damping = 0, exponent = 1.5;
};

/// Friction against the rate v of a measure, smooth at v = 0:
///   F = (C + (S − C) exp(−(v/v_s)²)) tanh(v/v_0) + viscous·v,   C = coulomb·L, S = breakaway·L
/// L = 1, or the load arm·|reaction force| of a joint.
struct FrictionData {
  std::string name;
  Measure along{};
  Number coulomb = 0, breakaway = -1;  // negative: as coulomb
  Number viscous = 0;
  Number stribeck = 0.1, regularization = 1e-3;  // v_s, v_0
  Joint load{};    // where given, coulomb and breakaway are coefficients
  Number arm = 1;  // radius of the pin; 1 for sliding
};

struct ContactData;  // mechanics/contact.h

class Mechanism {
 public:
  explicit Mechanism(std::string name);

  std::string name, about;
  Triple gravity{};
  Experiment experiment;
  SolverSettings solver;
  Number length_scale = 0;  // errors of positions are relative to it; 0: the size of the mechanism
  bool track_energy = false;  // adds energy.dissipated, energy.work and energy.imbalance

  // What the user of the FMU sets and reads. The Variable takes unit, range and description.
  Parameter parameter(const std::string& name, double value, const std::string& unit = "1",
                      const std::string& about = {});
  Input input(const std::string& name, double start = 0, const std::string& unit = "1",
              const std::string& about = {});
  Variable& describe(Index setting) { return settings[static_cast<std::size_t>(setting)].variable; }
  Variable& output(const std::string& name, std::function<double(const Motion&)> read);

  // Elements.
  Body body(BodyData data);
  Joint joint(JointData data);
  Rolling rolling(RollingData data);
  Measure measure(MeasureData data);
  Constraint constraint(ConstraintData data);
  Force force(ForceData data);
  StateVariable state(StateData data);
  Pair pair(PairData data);

  // Elements made of these (mechanics/composed.cpp).
  Spring spring(const SpringData& data);
  std::array<Force, 3> force(const VectorForceData& data);
  Force stop(const StopData& data);
  Force friction(const FrictionData& data);
  std::array<Spring, 6> bushing(const BushingData& data);
  Pair contact(const ContactData& data);
  /// Σ factor·measure = constant: gears, rack and pinion. Joint coordinates are 0 at the start.
  Constraint coupling(const std::string& name, const std::vector<std::pair<Measure, Number>>& terms,
                      const Number& constant = 0);
  /// The measure follows position(s), a function of time and parameters: [](const auto& s) { return sin(s.t); }.
  template <class F>
  Constraint driver(const std::string& name, Measure measure, const F& position) {
    return constraint({name, relation<1>({value(measure)}, [position](const auto& s) {
                         return s[0] - position(s);
                       })});
  }

  // Measures of a joint's coordinates: made by the first call, the same ones from then on.
  Measure angle(Joint joint);         // of revolute, cylindrical, screw and planar joints
  Measure displacement(Joint joint);  // of prismatic, cylindrical, screw and distance joints
  Measure distance(const Spot& a, const Spot& b);

  // Arguments of laws.
  static Argument value(Measure m) { return {Argument::Kind::value, m.index, -1}; }
  static Argument rate(Measure m) { return {Argument::Kind::rate, m.index, -1}; }
  static Argument value(StateVariable x) { return {Argument::Kind::state, x.index, -1}; }
  static Argument multiplier(Joint joint, Index row) {
    return {Argument::Kind::multiplier, row, joint.index};
  }

  struct Setting {
    Variable variable;
    double start;
  };
  struct OutputData {
    Variable variable;
    std::function<double(const Motion&)> read;
  };
  std::vector<Setting> settings;  // parameters and inputs: the vector u
  std::vector<OutputData> outputs;
  std::vector<BodyData> bodies;  // bodies[0] is the ground
  std::vector<JointData> joints;
  std::vector<RollingData> rollings;
  std::vector<MeasureData> measures;
  std::vector<ConstraintData> constraints;
  std::vector<ForceData> forces;
  std::vector<StateData> states;
  std::vector<PairData> pairs;

 private:
  struct Coordinates {
    Measure angle, displacement;
  };
  Coordinates& coordinates(Joint joint);
  std::vector<Coordinates> coordinates_;  // of joints
};

}  // namespace mechfmu::mechanics
