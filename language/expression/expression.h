// The expressions of mechanism files: text → tree.
//
//   Report report{diagnostics, attribute.place, "torque 'motor'", "value"};
//   Expression torque = parse("M0*sin(2*pi*time/T) - 0.02*A.rate", report);
//
// Grammar, loosest first; a level is left-associative unless noted:
//
//   a or b          not binds looser than comparisons: not a < b is not (a < b)
//   a and b
//   not a
//   a < b           also <= > >= == !=; not chained: a < b and b < c
//   a + b,  a - b
//   a*b,  a/b
//   -a,  +a         -2^2 = -4
//   a^b             right-associative: 2^3^2 = 2^9;  2^-1 is fine
//   a.x             component x, y, z of a vector
//   12.5e-3  30deg  true  [x, y, z]  (a)  sin(a)  if(c, a, b)  name  tyre(slip, load)
//   link[3].angle   of one of several copies; the bracket follows the name without a space
//
// A unit stands directly after its number. It is the longest text that is a unit
// (model_desc/units.h): 5mm/s is a speed, 5mm / s and 5mm/length are quotients. Write 5m2 or (5m)^2
// instead of 5m^2, and 5/1s for "5 per second". The bracket of a call follows its name without a
// space.
//
// Lists. An attribute such as "0 -0.1 2*l" holds several expressions. One ends at whitespace,
// unless an operator stands on either side of it:
//
//   "a - b"  "a -  b"  "a-b"  "a* b"    one
//   "a b"  "1 -2"  "a -0.1"             two: a sign between whitespace and a number belongs to it
//   "a -b"  "a -(b)"                    refused: write a - b, or a (-b) for two
//
// Inside brackets whitespace has no meaning. Numbers are read the same in every locale.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mechanics/table.h"
#include "model_desc/diagnostics.h"

namespace mechfmu::expression {

enum class ValueType {
  scalar,
  vector,
  boolean,
  table,
  name  // of an element, as an argument: the rocker of crank.relative_to(rocker)
};
const char* text(ValueType type);  // "a number", "a vector", ...

enum class Form {
  number,
  truth,
  name,
  negate,
  sum,      // children with signs + -
  product,  // children with signs * /
  power,
  compare,
  logical_and,
  logical_or,
  logical_not,
  vector,     // of three children
  component,  // of one child
  call
};

enum class Comparison { less, less_equal, greater, greater_equal, equal, not_equal };

enum class Function {
  sin_,
  cos_,
  tan_,
  asin_,
  acos_,
  atan_,
  atan2_,
  sinh_,
  cosh_,
  tanh_,
  exp_,
  log_,
  sqrt_,
  abs_,
  sign,
  floor_,
  pow_,
  min,
  max,
  norm,
  dot,
  cross,
  step,
  smooth_max,
  smooth_min,
  smooth_abs,
  table,
  conditional
};

/// A word of a dotted name, with its indices: link[3]. Its arguments are the next `arguments`
/// children of the node.
struct Piece {
  std::string word;
  bool called = false;
  std::size_t arguments = 0;
};

struct Node;
/// Immutable and shared; null if the text had an error.
using Expression = std::shared_ptr<const Node>;

/// A node of the tree. Fields that its form does not use are empty.
struct Node {
  Form form = Form::number;
  ValueType type = ValueType::scalar;  // of names: known after the check (expression/check.h)
  int column = 1;                      // of the first character
  int depth = 1;                       // of the tree from here on
  bool literal = false;                // contains no names
  double number = 0;                   // value in SI units; of a truth 0 or 1
  std::string unit;                    // of a number, as written
  std::string text;  // of a name, as written but without whitespace; of a constant, its name
  std::vector<Piece> pieces;  // of a name
  bool function = false;      // the name is that of a user-defined function, after the check
  std::string signs;          // of a sum or product, one for each child; the first is + or *
  Comparison comparison = Comparison::less;
  Function builtin = Function::sin_;  // of a call
  int component = 0;                  // 0 1 2 for x y z
  std::vector<Expression> children;
  std::shared_ptr<const functions::Table> table;  // of the name of a table, after the check
};

constexpr int depth_limit = 200;
constexpr std::size_t length_limit = 100'000;

/// One expression. Null, with an error, if the text is not one.
Expression parse(std::string_view text, Report& report);
/// One or more expressions separated by whitespace. Empty, with an error, if one of them is
/// invalid.
std::vector<Expression> parse_list(std::string_view text, Report& report);

/// A number, as an expression.
Expression number(double value);
/// A component of a vector: for [x, y, z] its element, for a sum the sum of the components of its
/// terms and so on; otherwise a node above it.
Expression component(const Expression& vector, int i);

/// Words that elements cannot have as names: and, or, not, if, true, false, time.
bool is_reserved(std::string_view name);
/// The names of all functions of the language, in alphabetical order.
std::vector<std::string> function_names();
const char* text(Function function);
const char* text(Comparison comparison);  // as in the file: <=

/// A used name with its component: -1 for the whole, 0 1 2 if only x, y or z is used.
struct Reference {
  Expression name;
  int component = -1;
};
/// All names that an expression uses, in their order, without duplicates, including those in the
/// arguments of names. User-defined functions and names of elements as arguments are not values and
/// are left out. Only a checked expression knows the meaning of a name and the start of its
/// component.
std::vector<Reference> references(const Expression& expression);

/// A named expression.
struct Definition {
  std::string name;
  Expression value;  // may be null
  Place place{};     // for the message; by default the place of the report
  std::string element{}, prefix{};
};
/// An order in which each definition follows those that it uses. Definitions that depend on
/// themselves are left out, with an error that names the cycle: a -> b -> a.
std::vector<std::size_t> order(const std::vector<Definition>& definitions, Report& report);

}  // namespace mechfmu::expression
