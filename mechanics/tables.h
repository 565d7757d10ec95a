// A mechanism as constant tables: what a mechanism file becomes in C++.
//
//   constexpr Setting k{0}, torque{1};
//   constexpr Body crank{1};
//   constexpr Joint A{0};
//   constexpr Measure A_angle{0};
//   constexpr Formula motor_value = law<1>([](const auto& s) { return s(torque) - 0.02 * s[0]; });
//   constexpr BodyRow bodies[] = {{.name = "crank", .mass = 1.2, .at = {0, 0.1, 0}}};
//   constexpr JointRow joints[] = {{.name = "A", .b = crank}};
//   constexpr MeasureEntry measures[] = {angle(A)};
//   constexpr ForceRow forces[] = {
//       {.name = "motor", .along = A_angle, .value = {motor_value, {rate(A_angle)}}}};
//   constexpr Action actions[] = {forces[0]};
//   constexpr Tables mechanism_tables = {.name = "FourBar", .bodies = bodies, …};
//
// The rows are those of mechanics/data.h; a handle is a position in a table. A number is a
// constant, a setting, a formula, or a formula with its own numbers (a Calculation). from_tables
// makes a listing. This header includes neither Eigen nor <string>, <functional> or <memory>: a
// table with thousands of rows compiles in a second.

#pragma once

#include <initializer_list>

#include "mechanics/data.h"
#include "mechanics/formula.h"
#include "mechanics/operation.h"
#include "mechanics/placed.h"
#include "mechanics/quantities.h"
#include "model/settings.h"

namespace mechfmu {

namespace mechanics {
struct Listing;
}

namespace tables {

using mechanics::Argument;
using mechanics::Body;
using mechanics::BodyType;
using mechanics::Code;
using mechanics::Constraint;
using mechanics::ContactFriction;
using mechanics::ContactLaw;
using mechanics::ContactShape;
using mechanics::ContactSide;
using mechanics::ForceAxes;
using mechanics::FrictionLaw;
using mechanics::ground;
using mechanics::Joint;
using mechanics::JointType;
using mechanics::Measure;
using mechanics::MeasureType;
using mechanics::Modal;
using mechanics::Placed;
using mechanics::Quantity;
using mechanics::Rolling;
using mechanics::RollingType;
using mechanics::ShapeType;
using mechanics::Spins;
using mechanics::StateVariable;
using namespace functions;  // for formulas

/// In rows of constant arrays, the lists in braces live as long as the rows.
template <class T>
using List = std::initializer_list<T>;

/// A constant array, whole.
template <class T>
struct Span {
  const T* data = nullptr;
  std::size_t size = 0;
  constexpr Span() = default;
  template <std::size_t N>
  constexpr Span(const T (&array)[N]) : data(array), size(N) {}  // NOLINT
  constexpr const T* begin() const { return data; }
  constexpr const T* end() const { return data + size; }
};

/// A program as data, for mechanisms with too many different formulas for a compiler.
struct Operations {
  int constants = 0, settings = 0, fixed = 0, arguments = 0, moving = 0, tables = 0;  // slots
  List<mechanics::Operation> operations;
  List<std::int32_t> results;
};
constexpr Formula interpreted(const Operations& program) {
  Formula made;
  made.arguments = program.arguments;
  made.results = static_cast<int>(program.results.size());
  made.operations = &program;
  return made;
}

/// Points of a table.
struct Points {
  List<double> x, y;
  Interpolation interpolation = Interpolation::smooth;
  Beyond beyond = Beyond::hold;
};

/// A formula with its numbers.
struct Calculation {
  const Formula& formula;
  List<double> constants{};
  List<Setting> settings{};
  List<const Points*> tables{};
};

/// A formula, with numbers or without; or a setting alone.
struct Calculated {
  const Formula* formula = nullptr;
  const Calculation* numbers = nullptr;
  Setting setting{};
  constexpr Calculated() = default;
  constexpr Calculated(const Formula& f) : formula(&f) {}                           // NOLINT
  constexpr Calculated(const Calculation& c) : formula(&c.formula), numbers(&c) {}  // NOLINT
  constexpr Calculated(Setting s) : setting(s) {}                                   // NOLINT
  constexpr bool there() const { return formula != nullptr || setting.index >= 0; }
};

struct Number {
  double value = 0;
  Calculated of{};
  constexpr Number(double constant = 0) : value(constant) {}  // NOLINT
  constexpr Number(const Formula& f) : of(f) {}               // NOLINT
  constexpr Number(const Calculation& c) : of(c) {}           // NOLINT
  constexpr Number(Setting s) : of(s) {}                      // NOLINT
};

struct Pose {
  Index index = -1;
};

struct Triple {
  Number x, y, z;
  Calculated whole{};  // of three results
  Pose pose{};         // that moves it
  Placed placed = Placed::no;
  constexpr Triple() = default;
  constexpr Triple(Number x_, Number y_, Number z_) : x(x_), y(y_), z(z_) {}
  constexpr Triple(const Formula& f) : whole(f) {}      // NOLINT
  constexpr Triple(const Calculation& c) : whole(c) {}  // NOLINT
  constexpr Triple(Pose p, Placed how, Triple moved) : Triple(moved) { pose = p, placed = how; }
};
constexpr Triple point(Pose pose, Triple t) { return {pose, Placed::point, t}; }
constexpr Triple direction(Pose pose, Triple t) { return {pose, Placed::direction, t}; }
constexpr Triple turned(Pose pose, Triple t) { return {pose, Placed::rotation, t}; }

constexpr Argument value(Measure m) { return {Argument::Kind::value, m.index, -1}; }
constexpr Argument rate(Measure m) { return {Argument::Kind::rate, m.index, -1}; }
constexpr Argument value(StateVariable x) { return {Argument::Kind::state, x.index, -1}; }
constexpr Argument multiplier(Joint joint, Index row) {
  return {Argument::Kind::multiplier, row, joint.index};
}

struct Law {
  Calculated of{};
  double constant = 0;
  int count = 0;
  Argument arguments[mechanics::LawValue::capacity] = {};
  constexpr Law(double c = 0) : constant(c) {}    // NOLINT
  constexpr Law(Setting s) : of(s) {}             // NOLINT
  constexpr Law(const Formula& f) : of(f) {}      // NOLINT
  constexpr Law(const Calculation& c) : of(c) {}  // NOLINT
  constexpr Law(Calculated c, List<Argument> a) : of(c) {
    for (const Argument& argument : a) arguments[count++] = argument;
  }
};

/// The types of the fields of elements in constant tables.
struct Tabled {
  using Text = const char*;
  using Number = tables::Number;
  using Triple = tables::Triple;
  struct Inertia {
    Number xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
  };
  struct Shape {
    ShapeType type = ShapeType::box;
    List<Number> size;  // as those of Listed::Shape
    Triple axis = {0, 0, 1}, at{}, rotation{};
    bool by_density = false;
    Number amount;  // mass or density
  };
  using Solid = List<Shape>;
  using Law = tables::Law;
  using Energy = Calculated;
  struct Spot {
    Body body{};
    Triple at{};
    bool local = false;
  };
  using NumberList = List<Number>;
};

using BodyRow = mechanics::BodyRow<Tabled>;
using JointRow = mechanics::JointRow<Tabled>;
using RollingRow = mechanics::RollingRow<Tabled>;
using MeasureRow = mechanics::MeasureRow<Tabled>;
using StateRow = mechanics::StateRow<Tabled>;
using ConstraintRow = mechanics::ConstraintRow<Tabled>;
using SpringRow = mechanics::SpringRow<Tabled>;
using BushingRow = mechanics::BushingRow<Tabled>;
using BeamRow = mechanics::BeamRow<Tabled>;
using StopRow = mechanics::StopRow<Tabled>;
using FrictionRow = mechanics::FrictionRow<Tabled>;
using ContactRow = mechanics::ContactRow<Tabled>;
using ForceRow = mechanics::ForceRow<Tabled>;
using VectorForceRow = mechanics::VectorForceRow<Tabled>;

struct SettingRow {
  const char* name = "";
  double value = 0;
  const char *unit = "1", *about = "";
  bool input = false, fixed = false;
  std::optional<double> min{}, max{};
};
/// The numbers of a flexible body (mechanics/modal_body.h).
struct ModalRow {
  List<const char*> nodes, stresses;
  int modes = 0, second = 0;
  Span<double> numbers{};
};
struct PoseRow {
  Triple at{}, rotation{};
  Pose inside{};
};
/// A row, or the coordinate of a joint.
struct MeasureEntry {
  const MeasureRow* row = nullptr;
  Joint joint{};
  bool angle = false;
  constexpr MeasureEntry(const MeasureRow& r) : row(&r) {}  // NOLINT
  constexpr MeasureEntry(Joint j, bool is_angle) : joint(j), angle(is_angle) {}
};
constexpr MeasureEntry angle(Joint joint) { return {joint, true}; }
constexpr MeasureEntry displacement(Joint joint) { return {joint, false}; }
struct CouplingRow {
  const char* name = "";
  struct Term {
    Measure measure;
    Number factor;
  };
  List<Term> terms;
  Number constant{};
};

/// A row of a force or a constraint.
struct Action {
  enum class Kind {
    constraint,
    coupling,
    spring,
    bushing,
    stop,
    friction,
    contact,
    force,
    vector_force,
    beam
  };
  Kind kind;
  const void* row;
  constexpr Action(const ConstraintRow& r) : kind(Kind::constraint), row(&r) {}     // NOLINT
  constexpr Action(const CouplingRow& r) : kind(Kind::coupling), row(&r) {}         // NOLINT
  constexpr Action(const SpringRow& r) : kind(Kind::spring), row(&r) {}             // NOLINT
  constexpr Action(const BushingRow& r) : kind(Kind::bushing), row(&r) {}           // NOLINT
  constexpr Action(const StopRow& r) : kind(Kind::stop), row(&r) {}                 // NOLINT
  constexpr Action(const FrictionRow& r) : kind(Kind::friction), row(&r) {}         // NOLINT
  constexpr Action(const ContactRow& r) : kind(Kind::contact), row(&r) {}           // NOLINT
  constexpr Action(const ForceRow& r) : kind(Kind::force), row(&r) {}               // NOLINT
  constexpr Action(const VectorForceRow& r) : kind(Kind::vector_force), row(&r) {}  // NOLINT
  constexpr Action(const BeamRow& r) : kind(Kind::beam), row(&r) {}                 // NOLINT
};

/// The place of an element, for outputs that read it.
template <class Handle>
constexpr int at(Handle handle) {
  return static_cast<int>(handle.index);
}
struct Acting {
  Index index = -1;
};

struct Read {
  Quantity quantity = Quantity::position;
  int of = 0;  // joint, rolling, measure, state or action: its place in the table
  Tabled::Spot spot{}, from{};
  bool relative = false, second_half = false;
  int component = 0;
  int vector = 0;  // components with the same number are of one vector
};
struct OutputRow {
  const char *name = "", *unit = "1", *about = "";
  List<Read> reads{};
  Calculated value{};
  std::optional<double> min{}, max{};
};

struct SolverSetting {
  const char* name;
  double value;
};
/// A function in C++ that the formulas call.
struct FunctionUse {
  const char* name;
  int arguments;     // as it is called
  int (*defined)();  // … and as it was defined
};

struct Tables {
  const char *name = "", *about = "";
  double stop = 1, step = 1e-3, tolerance = 0;
  StartPosition start = StartPosition::placed;
  bool track_energy = false;
  Triple gravity{};
  Number length_scale = 0;
  Span<SolverSetting> solver{};
  Span<FunctionUse> functions{};
  Span<SettingRow> settings{};
  Span<PoseRow> poses{};
  Span<ModalRow> modals{};
  Span<BodyRow> bodies{};
  Span<JointRow> joints{};
  Span<RollingRow> rollings{};
  Span<MeasureEntry> measures{};
  Span<StateRow> states{};
  Span<Action> actions{};
  Span<OutputRow> outputs{};
};

/// Throws std::invalid_argument where a function was defined with another number of arguments.
mechanics::Listing from_tables(const Tables& tables);

/// The compiled mechanism. The C++ made from a mechanism file defines it.
extern const Tables mechanism_tables;

}  // namespace tables

}  // namespace mechfmu
