// Checks an expression with the names of a file: types, dimensions, and allowed uses.
//
// Dimensions are exponents of the base units (model_desc/units.h). Comparisons of dimensions ignore
// radians: r*A.rate is a velocity, sin takes an angle or a plain number.
//
// A number without unit takes the dimension that it needs: in "l + 0.1" it is a length, in "F < 5"
// a force, and in "torque - 0.02*A.rate" a damping, because a product with such a number is of any
// dimension. The same holds for expressions of such numbers only, 2*3 + l. In powers and functions
// it is a plain number.
//
// Vectors: a + b, a - b, -a, s*a, a*s, a/s, a.x, norm(a), dot(a, b), cross(a, b), if(c, a, b), [x,
// y, z].
//
// A declared name may be that of a constant (pi, e, g0) or a function; it then replaces the
// constant. But a call with the name of a function always calls that function: user-defined
// functions need other names.

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

/// Exponents in the order of base_units; they may be fractions after a square root.
struct Dimension {
  std::array<double, 8> exponents{};
};
Dimension dimension(const std::string& unit);  // throws as parse_unit does
/// Equal except for radians.
bool compatible(const Dimension& a, const Dimension& b);
bool dimensionless(const Dimension& a);
/// As a unit: N.m, kg.m2/s; 1 if dimensionless.
std::string text(const Dimension& dimension);

/// Kinds of quantities that a name can have; sets of kinds are sums.
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
  std::optional<Dimension> dimension{};  // none: unknown
  unsigned kinds = kind::any;            // of an argument: its allowed dependencies
};

struct Symbol {
  ValueType type = ValueType::scalar;
  std::optional<Dimension> dimension{};  // none: unknown; of a table, that of its values
  unsigned kinds = kind::parameter;      // of a variable: those of all its parts
  /// Of the calls in the name, in their order. One of type ValueType::name is a bare name, which is
  /// not looked up here: find() decides whether there is such an element.
  std::vector<Quantity> arguments{};
  std::shared_ptr<const functions::Table> table{};
  std::optional<Dimension> table_of{};  // dimension of a table's argument
  bool function = false;                // user-defined, in C++: tyre(slip, load)
  bool without_unit = false;            // it is declared without unit: messages suggest one
  bool broken = false;                  // it has an error that was reported elsewhere
};

/// The names of a file.
class Environment {
 public:
  virtual ~Environment() = default;
  /// `name` is of Form::name: its text, or its pieces if it has calls. Components .x .y .z of
  /// vectors may be unknown: if the whole name is not found, it is tried without them. A function
  /// is also found without its call, for suggestions.
  virtual std::optional<Symbol> find(const Node& name) const = 0;
  /// For suggestions.
  virtual std::vector<std::string> names() const { return {}; }
  /// The reason why the name is unknown; by default "'a' is not declared; did you mean 'b'?".
  virtual std::string explain(const Node& name) const;
};

/// An environment of a table of names, which come before those of another environment. The only
/// names with calls in it are functions, under their name alone.
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

/// Requirements of the place of an expression.
struct Expected {
  std::optional<ValueType> type{};
  std::optional<Dimension> dimension{};
  unsigned kinds = kind::any;      // allowed kinds
  std::string what = "the value";  // for messages: "the mass"
  std::string unit_from{};         // the attribute that would contain the unit, if it is missing
};

/// An expression with resolved names: constants are numbers, names have their type and table,
/// components are separate.
struct Checked {
  Expression expression;  // null after an error
  Quantity quantity;      // its type and dimension
  bool plain = false;     // consists of numbers without unit: its place determines the dimension
  unsigned kinds = 0;     // kinds in use
};

Checked check(const Expression& expression, const Environment& environment, Report& report,
              const Expected& expected = {});

/// The value of an expression without names that is a number.
std::optional<double> literal_value(const Expression& expression);

}  // namespace mechfmu::expression
