// What an expression means among the names of a file: types, dimensions, and where it may be used.
//
// Dimensions are exponents of the base units (model_desc/units.h). Radians count for nothing when dimensions are
// compared: r*A.rate is a velocity, sin takes an angle or a plain number.
//
// A number without unit takes the dimension that it needs: in "l + 0.1" it is a length, in "F < 5" a force, and 0 is
// everything's zero. In products, powers and functions it is a plain number: 2*l is a length. That goes for what is made
// of such numbers only, too: 2*3 + l.
//
// Vectors: a + b, a - b, -a, s*a, a*s, a/s, a.x, norm(a), dot(a, b), cross(a, b), if(c, a, b), [x, y, z].
//
// A name may be declared like a constant (pi, e, g0) or a function; then the declared one is meant.

#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model_desc/expression.h"
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
};

struct Symbol {
  ValueType type = ValueType::scalar;
  std::optional<Dimension> dimension{};  // none: not known; of a table, that of its values
  unsigned kinds = kind::parameter;      // of a variable: those of all it is made of
  std::vector<Quantity> arguments{};     // of the calls in the name, one after the other
  std::shared_ptr<const functions::Table> table{};
  std::optional<Dimension> table_of{};  // dimension of a table's argument
};

/// The names of a file.
class Environment {
 public:
  virtual ~Environment() = default;
  /// `name` is of Form::name: its text, or its pieces where it has calls. Components .x .y .z of vectors need not be
  /// known: they are tried without when the whole is not found.
  virtual std::optional<Symbol> find(const Node& name) const = 0;
  /// For suggestions.
  virtual std::vector<std::string> names() const { return {}; }
  /// Why there is no such name; by default "'a' is not declared; did you mean 'b'?".
  virtual std::string explain(const Node& name) const;
};

/// An environment that is a table of names without calls, before those of another one.
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
};

/// An expression whose names are found: constants are numbers, names have their type and table, components are apart.
struct Checked {
  Expression expression;  // null after an error
  Quantity quantity;
  bool plain = false;  // made of numbers without unit only: its dimension is up to its place
  unsigned kinds = 0;  // that are used
};

Checked check(const Expression& expression, const Environment& environment,
              Diagnostics& diagnostics, const Expected& expected = {});

/// The value of an expression that holds no names and is a number.
std::optional<double> literal_value(const Expression& expression);

}  // namespace mechfmu::expression
