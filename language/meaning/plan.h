// A mechanism file as a list of calls of the mechanics library, with every expression checked.
//
//   Diagnostics diagnostics;
//   const MechanismText text = read_mechanism_file("crank.xml", diagnostics);  // used by plan
//   const Plan plan = make_plan(text, diagnostics);
//
// It is the only translation from attributes to elements of mechanics/data.h; backend/listing.h
// makes a listing of it. An item is an element, such as
//
//   joint  A  {name = "A", type = revolute, a = ground, b = crank}
//   call   id  fields …
//
// Each item follows those to which it refers. Some items exist for expressions: the measure of a
// joint's coordinate, a point of a body, a displacement on which a law depends.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "language/meaning/names.h"

namespace mechfmu {

/// A name that a formula uses.
struct Use {
  std::string text;  // as in the expression
  Meaning meaning;
  expression::ValueType type = expression::ValueType::scalar;
  bool whole = false;                        // all of a vector, or a scalar
  std::array<bool, 3> components{};          // of a vector: those used alone
  std::string handle{}, spot{}, from{};      // ids of items
  std::array<int, 3> arguments{-1, -1, -1};  // in a law: its arguments, by component; −1: none
  std::array<double, 3> signs{1, 1, 1};      // and 0 for a component that is always zero
};

/// A variable that a formula uses.
struct Let {
  std::string name;  // full name
  expression::Expression value;
};

/// An expression with the meaning of its names.
struct Formula {
  expression::Expression expression;  // null: it had an error
  std::vector<Let> lets{};            // each follows those that it uses
  std::vector<Use> uses{};            // by the expression and by the lets
  double factor = 1;                  // the result is the expression's value times this
};

/// The value of a formula without names.
std::optional<double> constant_value(const Formula& formula);
Formula constant_formula(double value);

/// Of an enumeration (mechanics/words.h).
struct Word {
  std::string word;
};

struct Ref {
  std::string id;
};

struct VectorFormula {
  std::array<Formula, 3> of;
  std::string placement{};  // id of the group's pose that moves it, or empty
  Placed placed = Placed::no;
};

struct SpotPlan {
  Ref body;
  VectorFormula at;
  bool local = false;
};

struct LawArgument {
  enum class Kind { value, rate, state, multiplier };
  Kind kind = Kind::value;
  std::string id;
  int row = 0;  // of a multiplier
};

/// A number that depends on the motion: a law, or a relation for a constraint.
struct LawPlan {
  std::vector<LawArgument> arguments{};
  Formula value;
  std::optional<Formula> energy{};
  bool relation = false;
};

/// A solid shape of a body.
struct SolidPlan {
  std::string shape;                    // box, cylinder, sphere, rod
  std::vector<Formula> size;            // its lengths
  std::optional<VectorFormula> axis{};  // of cylinder and rod
  bool by_density = false;
  Formula amount;  // mass or density
  std::optional<VectorFormula> at{}, rotation{};
};

using Terms = std::vector<std::pair<Ref, Formula>>;

using FieldValue =
    std::variant<std::string, bool, double, Word, Ref, Formula, VectorFormula, SpotPlan,
                 std::array<bool, 6>, std::vector<Formula>, LawPlan, std::array<LawPlan, 3>,
                 std::vector<SolidPlan>, Terms, std::shared_ptr<const functions::Table>,
                 std::shared_ptr<const mechanics::ModalBody>>;

struct Field {
  std::string name;
  FieldValue value;
  Place place{};  // of the attribute it is made of
};

struct Item {
  std::string call;  // body, joint, spring, …; also spot, angle, displacement, placement, table
  std::string id;    // for references from other items
  std::vector<Field> fields{};
  Place place{};
  std::string label{}, prefix{};  // for messages: as in Element

  const FieldValue* find(std::string_view field) const;
};

struct FunctionPlan {
  std::string name;
  int arguments = 0;
};

struct Plan {
  std::string name, about;
  std::string file;  // as it was given
  long line = 0;     // of the mechanism element
  VectorFormula gravity;
  Formula length_scale;
  bool track_energy = false;
  Experiment experiment;
  std::vector<std::pair<std::string, double>> solver;  // settings by name
  std::vector<FunctionPlan> functions;                 // user-defined, in C++
  std::vector<Item> items;
};

/// Reports all errors in expressions; without errors the plan is complete. It refers to the text,
/// which must outlive it.
Plan make_plan(const MechanismText& mechanism, Diagnostics& diagnostics);
Plan make_plan(MechanismText&& mechanism, Diagnostics& diagnostics) = delete;

}  // namespace mechfmu
