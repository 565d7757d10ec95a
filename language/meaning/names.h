// What names in the expressions of a mechanism file stand for.
//
//   k  torque  time  slip  current            parameters, inputs, time, variables, states
//   A.angle  tie.rate  B.force.x              what an element has: element '.' quantity
//   crank.point(0.1, 0, 0).velocity           … of a point of a body, in body axes from its reference point
//   crank.relative_to(rocker).position        … as seen from another body, in its axes
//   table(curve, x)  tyre(slip, load)         tables and functions of one's own
//
// The quantities are one table: their names and units for the check of expressions, how they are read from a motion
// (mechanics/motion.h) by the interpreter and in C++, and which measures a force law needs to know them.

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

/// How a law, which may use measures, states and multipliers only, gets to know a quantity.
enum class InLaw {
  no,         // known only when the equations are solved: for outputs
  value,      // of the measure
  rate,       // of the measure
  position,   // values of displacements along three axes
  velocity,   // their rates
  turning,    // rates of three rotations
  direction,  // alignments with three axes
  state,
  reaction  // multipliers of the joint
};

/// Whose handle a reading is taken from.
enum class Through {
  self,          // the element's own
  angle,         // the measure of a joint's coordinate …
  displacement,  // …
  coordinate,    // … of joints that have one only
  along          // the measure the element acts along
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
  bool second_half = false;  // of what is six numbers: the last three
};

const std::vector<Reading>& readings();

/// What a coordinate that forces act along is: an angle, a length, or something else.
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
  /// Variables are known from then on.
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

  /// The mode or stress that a reading of a flexible body names; none: there is no such one.
  std::optional<int> number_in(const Element& flexible, const expression::Piece& piece,
                               const expression::Expression& argument) const;

  const MechanismText& text_;
  std::map<std::string, const Element*, std::less<>> elements_;
  std::map<std::string, expression::Symbol> variables_, tables_;
};

/// How many modes of a flexible body its attribute `modes` keeps; none: it makes no sense.
/// Words of all attributes but names, and what stands before each dot in them: what something may refer to.
std::set<std::string, std::less<>> names_in_attributes(const MechanismText& text);

std::optional<int> kept_modes(const Element& flexible, const mechanics::ModalBody& numbers);
/// What a spring, a force or a driver acts along: by its joint, measure or points.
CoordinateKind coordinate_kind(const Element& e, const Names& names);
/// Of a joint that has two coordinates, `coordinate` says which; else it is the only one.
std::string_view joint_coordinate(const Element& joint, std::string_view coordinate);
/// Factor from the unit of a parameter, input, output or table to SI.
double unit_factor(std::string_view unit);
/// None where it is empty or not a unit, which is said of the attribute that holds it.
std::optional<expression::Dimension> known_dimension(std::string_view unit);

/// The part of the reference page that says what expressions may use.
std::string readings_reference();

}  // namespace mechfmu
