// The description of a mechanism: flat lists of bodies, joints, measures, forces, states and
// outputs, as plain data.
//
//   Mechanism m("FourBar");
//   Body crank = m.body({.name = "crank", .mass = 1.2, .inertia = {4e-3, 1e-4, 4e-3}});
//   Joint A = m.joint({.name = "A", .type = JointType::revolute, .b = crank, .axis = {0, 0, 1}});
//   m.force({.name = "motor", .along = m.angle(A), .value = m.input("torque")});
//   m.output("phi", [=](const Motion& q) { return q.value(angle); }).unit("rad");
//
// All positions are world coordinates at t = 0. A joint at one point of space joins the two bodies
// there; a closed loop is one more joint. Elements refer to each other by handles; names are for
// messages. A MechanismSystem (mechanics/system.h) makes the equations of motion.

#pragma once

#include <array>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mechanics/data.h"
#include "mechanics/law.h"
#include "mechanics/modal_body.h"
#include "mechanics/number.h"
#include "mechanics/shapes.h"
#include "mechanics/wrench.h"
#include "model/variables.h"

namespace mechfmu::mechanics {

class Motion;
class MotionAlong;

/// Potential energy of a force, as a function of the arguments of its law.
struct Energy {
  std::function<double(const Scope<double>&)> value;
  std::function<Along(const ScopeAlong&)> along;  // along a change; empty: unknown

  Energy() = default;
  template <class F>
  requires std::invocable < F, const Scope<double>
  & > Energy(F f) : value(std::move(f)) {}  // NOLINT(google-explicit-constructor)
  /// From a function on any scalar.
  template <class F>
  static Energy of(const F& f) {
    Energy made(f);
    made.along = f;
    return made;
  }
  explicit operator bool() const { return static_cast<bool>(value); }
  double operator()(const Scope<double>& s) const { return value(s); }
};

/// A point of a body: in world coordinates at t = 0, or (local) from the reference point of the
/// body, in its axes.
struct Spot {
  Body body{};
  Triple at{};
  bool local = false;
};

/// The types of the fields of elements in a description.
struct Described {
  using Text = std::string;
  using Number = mechanics::Number;
  using Triple = mechanics::Triple;
  using Inertia = mechanics::Inertia;
  using Solid = std::optional<mechanics::Solid>;
  using Law = mechanics::Law;
  using Spot = mechanics::Spot;
  using Energy = mechanics::Energy;
  using NumberList = std::vector<mechanics::Number>;
};
using BodyData = BodyRow<Described>;
using JointData = JointRow<Described>;
using MeasureData = MeasureRow<Described>;
using ConstraintData = ConstraintRow<Described>;
using RollingData = RollingRow<Described>;
using ForceData = ForceRow<Described>;
using VectorForceData = VectorForceRow<Described>;
using StateData = StateRow<Described>;
using SpringData = SpringRow<Described>;
using BushingData = BushingRow<Described>;
using BeamData = BeamRow<Described>;
using StopData = StopRow<Described>;
using FrictionData = FrictionRow<Described>;
using ContactData = ContactRow<Described>;

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
  /// Reports what is wrong with the constants; empty: nothing.
  std::function<std::string(const std::vector<double>&)> check{};
};

class Mechanism {
 public:
  explicit Mechanism(std::string name);

  std::string name, about;
  Triple gravity{};
  Experiment experiment;
  SolverSettings solver;
  Number length_scale = 0;  // errors of positions are relative to it; 0: the size of the mechanism
  bool track_energy = false;  // adds energy.dissipated, energy.work and energy.imbalance
  std::size_t room = 0;       // size of InputValues::room for its formulas (mechanics/program.h)

  // Variables of the FMU. The Variable takes unit, range and description.
  Parameter parameter(const std::string& name, double value, const std::string& unit = "1",
                      const std::string& about = {});
  Input input(const std::string& name, double start = 0, const std::string& unit = "1",
              const std::string& about = {});
  Variable& describe(Index setting) { return settings[static_cast<std::size_t>(setting)].variable; }
  /// `along` is its derivative along a change of the motion; without it, finite differences are
  /// used.
  Variable& output(const std::string& name, std::function<double(const Motion&)> read,
                   std::function<Along(const MotionAlong&)> along = {});

  // Elements.
  Body body(BodyData data);
  /// The numbers of one or several flexible bodies.
  Modal modal(ModalBody numbers);
  /// A node of a flexible body, as a body for joints and forces; the first call makes it.
  Body node(Body flexible, std::string_view name);
  Joint joint(JointData data);
  Rolling rolling(RollingData data);
  Measure measure(MeasureData data);
  Constraint constraint(ConstraintData data);
  Force force(ForceData data);
  StateVariable state(StateData data);
  Pair pair(PairData data);

  // Elements composed of these (mechanics/composed.cpp).
  Spring spring(const SpringData& data);
  std::array<Force, 3> force(const VectorForceData& data);
  Force stop(const StopData& data);
  Force friction(const FrictionData& data);
  std::array<Spring, 6> bushing(const BushingData& data);
  /// Its bushing; the masses of its halves are added to the two bodies.
  std::array<Spring, 6> beam(const BeamData& data);
  Pair contact(const ContactData& data);
  /// Σ factor·measure = constant: gears, rack and pinion. Joint coordinates are 0 at t = 0.
  Constraint coupling(const std::string& name, const std::vector<std::pair<Measure, Number>>& terms,
                      const Number& constant = 0);
  /// The measure follows position(s), a function of time and parameters: [](const auto& s) { return
  /// sin(s.t); }.
  template <class F>
  Constraint driver(const std::string& name, Measure measure, const F& position) {
    return constraint({name, relation<1>({value(measure)}, [position](const auto& s) {
                         return s[0] - position(s);
                       })});
  }

  // Measures of the coordinates of a joint; the first call makes them.
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
    std::function<Along(const MotionAlong&)> along;
  };
  std::vector<Setting> settings;  // parameters and inputs: the vector u
  std::vector<OutputData> outputs;
  std::vector<std::shared_ptr<const ModalBody>> modals;
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
