// What an expression means among the names of a file: types, dimensions, and where it may be used.
//
// Dimensions are exponents of the base units (model_desc/units.h). Radians count for nothing when dimensions are
// compared: r*A.rate is a velocity, sin takes an angle or a plain number.
//
// A number without unit has the dimension that it needs: in "l + 0.1" it is a length, in "F < 5" a force, and in
// "torque - 0.02*A.rate" a damping: a product with such a number is of any dimension. That goes for what is made of such
// numbers only, too: 2*3 + l. In powers and functions it is a plain number.
//
// Vectors: a + b, a - b, -a, s*a, a*s, a/s, a.x, norm(a), dot(a, b), cross(a, b), if(c, a, b), [x, y, z].
//
// A name may be declared like a constant (pi, e, g0) or a function; then the declared one is meant. But what is called
// by the name of a function is that function: functions of the user's own need other names.

#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/expression/expression.h"
#include "model_desc/units.h"

namespace mechfmu::expression {

/// Exponents in the order of base_units; not whole after a square root.
struct Dimension {
  std::array<double, 8> exponents{};
};
Dimension dimension(const std::string& unit);  // throws as parse_unit does
/// Equal but for radians.
bool compatible(const Dimension& a, const Dimension& b);
bool dimensionless(const Dimension& a);
/// As a unit: N.m, kg.m2/s; 1 when there is none.
std::string text(const Dimension& dimension);

/// What a name stands for; sets of kinds are sums.
namespace kind {
enum : unsigned {
  parameter = 1,
  input = 2,
  time = 4,
  state = 8,
  measure = 16,       // position or velocity
  acceleration = 32,  // accelerations and reactions: known only when the equations are solved
  any = 63
};
}  // namespace kind
/// "parameters, inputs and time"
std::string text_of_kinds(unsigned kinds);

struct Quantity {
  ValueType type = ValueType::scalar;
  std::optional<Dimension> dimension{};  // none: not known
  unsigned kinds = kind::any;            // of an argument: what it may depend on
};

struct Symbol {
  ValueType type = ValueType::scalar;
  std::optional<Dimension> dimension{};  // none: not known; of a table, that of its values
  unsigned kinds = kind::parameter;      // of a variable: those of all it is made of
  /// Of the calls in the name, one after the other. One of type ValueType::name is a bare name, which is not looked up
  /// here: it is up to find() whether there is such an element.
  std::vector<Quantity> arguments{};
  std::shared_ptr<const functions::Table> table{};
  std::optional<Dimension> table_of{};  // dimension of a table's argument
  bool function = false;                // of the user's own, written in C++: tyre(slip, load)
  bool without_unit = false;            // it is declared so: messages suggest one
  bool broken = false;                  // it has an error of its own: nothing more is said
};

/// The names of a file.
class Environment {
 public:
  virtual ~Environment() = default;
  /// `name` is of Form::name: its text, or its pieces where it has calls. Components .x .y .z of vectors need not be
  /// known: they are tried without when the whole is not found. A function is found without its call, too, to be
  /// suggested.
  virtual std::optional<Symbol> find(const Node& name) const = 0;
  /// For suggestions.
  virtual std::vector<std::string> names() const { return {}; }
  /// Why there is no such name; by default "'a' is not declared; did you mean 'b'?".
  virtual std::string explain(const Node& name) const;
};

/// An environment that is a table of names, before those of another one. The only names with calls in it are functions,
/// under their name alone.
class Symbols : public Environment {
 public:
  explicit Symbols(const Environment* outer = nullptr) : outer_(outer) {}
  Symbols& add(const std::string& name, Symbol symbol);

  std::optional<Symbol> find(const Node& name) const override;
  std::vector<std::string> names() const override;

 private:
  std::map<std::string, Symbol> symbols_;
  const Environment* outer_;
};

/// What the place of an expression asks for.
struct Expected {
  std::optional<ValueType> type{};
  std::optional<Dimension> dimension{};
  unsigned kinds = kind::any;      // that may be used
  std::string what = "the value";  // for messages: "the mass"
  std::string unit_from{};         // the attribute that would hold the unit, where it is left out
};

/// An expression whose names are found: constants are numbers, names have their type and table, components are apart.
struct Checked {
  Expression expression;  // null after an error
  Quantity quantity;      // its type and dimension
  bool plain = false;     // made of numbers without unit only: its dimension is up to its place
  unsigned kinds = 0;     // that are used
};

Checked check(const Expression& expression, const Environment& environment, Report& report,
              const Expected& expected = {});

/// The value of an expression that holds no names and is a number.
std::optional<double> literal_value(const Expression& expression);

}  // namespace mechfmu::expression
