// The texts of attributes as checked expressions: of the type and unit that the table of elements.h asks for, with names
// that are known and may be used there.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/meaning/names.h"

namespace mechfmu {

/// Expressions that have an error are null, and the error is said.
class AttributeReader {
 public:
  AttributeReader(const Names& names, Diagnostics& diagnostics)
      : names_(names), diagnostics_(diagnostics) {}

  Report report(const Element& e, std::string_view attribute) const;
  void error(const Element& e, std::string_view attribute, const std::string& message) const;

  /// What the place of an expression asks for.
  expression::Expected expected(const Element& e, const AttributeType& type,
                                expression::ValueType value) const;

  expression::Expression number(const Element& e, std::string_view attribute) const;
  /// None where there are too few or too many.
  std::vector<expression::Expression> numbers(const Element& e, std::string_view attribute) const;
  /// Three expressions, or one that is a vector.
  std::array<expression::Expression, 3> vector(const Element& e, std::string_view attribute) const;
  /// The value of a variable or an output: one expression, or three that make a vector. Parsed, not yet checked.
  expression::Expression number_or_vector(const Element& e) const;

  /// A number that no parameter changes, in the unit of the element or, where it has one of its own, in SI.
  std::optional<double> constant(const Element& e, std::string_view attribute) const;
  /// In SI.
  std::vector<double> constants(const Element& e, std::string_view attribute) const;

  void check_unit(const Element& e, std::string_view attribute, bool si_only) const;

 private:
  std::string unit_of(const Element& e, const AttributeType& type) const;
  expression::Checked check_number(const Element& e, const AttributeType& type,
                                   const expression::Expression& parsed, Report& said) const;

  const Names& names_;
  Diagnostics& diagnostics_;
};

/// From the unit of a parameter, input or output to SI; 1 where it is not a unit, which is said of the attribute.
double factor_to_si(const Element& e);

/// "1 number", "2 numbers"
std::string counted(std::size_t n, const std::string& what);

}  // namespace mechfmu
