// The meaning of names in the expressions of a mechanism file.
//
//   k  torque  time  slip  current            parameters, inputs, time, variables, states
//   A.angle  tie.rate  B.force.x              readings: element '.' quantity
//   crank.point(0.1, 0, 0).velocity           … of a point of a body, in its axes
//   crank.relative_to(rocker).position        … as seen from another body, in its axes
//   table(curve, x)  tyre(slip, load)         tables and user-defined functions
//
// The quantities form one table: their names and units for the check of expressions, the way that
// the interpreter and C++ read them from a motion (mechanics/motion.h), and the measures that a
// force law needs for them.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "language/expression/check.h"
#include "language/file/reader.h"
#include "mechanics/quantity.h"

namespace mechfmu {

/// The source of a quantity in a law, which may only use measures, states and multipliers.
enum class InLaw {
  no,         // known only after the solution of the equations: for outputs
  value,      // of the measure
  rate,       // of the measure
  position,   // values of displacements along three axes
  velocity,   // their rates
  turning,    // rates of three rotations
  direction,  // alignments with three axes
  state,
  reaction  // multipliers of the joint
};

/// The object whose handle a reading uses.
enum class Through {
  self,          // the element's own
  angle,         // the measure of a joint's coordinate …
  displacement,  // …
  coordinate,    // … of joints that have only one
  along          // the measure along which the element acts
};

struct Reading {
  std::string_view of;    // types of the element: "joint"; empty: the whole mechanism
  std::string_view name;  // "angle"; empty: the element's name alone
  std::string_view about{};
  Through through = Through::self;
  expression::ValueType type = expression::ValueType::scalar;
  std::string_view unit{};  // empty: it depends on the element
  InLaw in_law = InLaw::no;
  bool of_points = false;        // may follow point(x, y, z)
  bool may_be_relative = false;  // may follow relative_to(body)
  bool numbered = false;         // takes a number or a name in brackets: q(3)
  int axis = 0;                  // of a direction: 0 1 2 for x y z
  mechanics::Quantity quantity = mechanics::Quantity::position;
  bool second_half = false;  // the last three of six numbers
};

const std::vector<Reading>& readings();

/// The kind of a coordinate along which forces act: an angle, a length, or a cosine.
enum class CoordinateKind { length, angle, cosine };

struct Meaning {
  enum class Kind { parameter, input, time, variable, table, function, reading };
  Kind kind = Kind::time;
  const Element* element = nullptr;  // null of time and of quantities of the whole mechanism
  const Reading* reading = nullptr;
  std::vector<expression::Expression> point{};  // three expressions of parameters, or none
  const Element* relative_to = nullptr;
  int number = 0;  // of a mode or a stress of a flexible body, from 0
};

class Names : public expression::Environment {
 public:
  explicit Names(const MechanismText& mechanism);

  const Element* element(const std::string& full_name) const;  // null when there is none
  /// Declares a variable, for all later expressions.
  void add_variable(const std::string& name, expression::Symbol symbol);
  void add_table(const std::string& name, expression::Symbol symbol);

  std::optional<Meaning> meaning(const expression::Node& name) const;
  std::optional<expression::Symbol> find(const expression::Node& name) const override;
  std::vector<std::string> names() const override;
  std::string explain(const expression::Node& name) const override;

 private:
  std::string explain_indices(const expression::Node& name) const;
  const Element* longest(const expression::Node& name, std::size_t& pieces) const;
  expression::Symbol symbol(const Meaning& meaning) const;

  /// The mode or stress that a reading of a flexible body names; nullopt if it does not exist.
  std::optional<int> number_in(const Element& flexible, const expression::Piece& piece,
                               const expression::Expression& argument) const;

  const MechanismText& text_;
  std::map<std::string, const Element*, std::less<>> elements_;
  std::map<std::string, expression::Symbol> variables_, tables_;
};

/// The number of modes of a flexible body that its attribute `modes` keeps; nullopt if that is
/// invalid.
/// Words of all attributes except names, and the text before each dot in them: everything that is
/// possibly referred to.
std::set<std::string, std::less<>> names_in_attributes(const MechanismText& text);

std::optional<int> kept_modes(const Element& flexible, const mechanics::ModalBody& numbers);
/// The coordinate along which a spring, a force or a driver acts: by its joint, measure or points.
CoordinateKind coordinate_kind(const Element& e, const Names& names);
/// For a joint with two coordinates `coordinate` selects one; otherwise it is the only one.
std::string_view joint_coordinate(const Element& joint, std::string_view coordinate);
/// Factor from the unit of a parameter, input, output or table to SI.
double unit_factor(std::string_view unit);
/// Nullopt if the text is empty or not a unit; the attribute that contains it has that error.
std::optional<expression::Dimension> known_dimension(std::string_view unit);

/// The part of the reference page with the names that expressions may use.
std::string readings_reference();

}  // namespace mechfmu
