// The texts of attributes as checked expressions: of the type and unit that the table of elements.h
// requires, with known names that are allowed there.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/meaning/names.h"

namespace mechfmu {

/// An expression with an error is null; the error is reported.
class AttributeReader {
 public:
  AttributeReader(const Names& names, Diagnostics& diagnostics)
      : names_(names), diagnostics_(diagnostics) {}

  Report report(const Element& e, std::string_view attribute) const;
  void error(const Element& e, std::string_view attribute, const std::string& message) const;

  /// Requirements of the place of an expression.
  expression::Expected expected(const Element& e, const AttributeType& type,
                                expression::ValueType value) const;

  expression::Expression number(const Element& e, std::string_view attribute) const;
  /// Empty if there are too few or too many.
  std::vector<expression::Expression> numbers(const Element& e, std::string_view attribute) const;
  /// Three expressions, or one that is a vector.
  std::array<expression::Expression, 3> vector(const Element& e, std::string_view attribute) const;
  /// The value of a variable or an output: one expression, or three that make a vector. It is
  /// parsed, but not checked.
  expression::Expression number_or_vector(const Element& e) const;

  /// A number that does not depend on parameters, in the unit of the element or, if the attribute
  /// has its own unit, in SI.
  std::optional<double> constant(const Element& e, std::string_view attribute) const;
  /// The same for several numbers, in SI.
  std::vector<double> constants(const Element& e, std::string_view attribute) const;

  void check_unit(const Element& e, std::string_view attribute, bool si_only) const;

 private:
  std::string unit_of(const Element& e, const AttributeType& type) const;
  expression::Checked check_number(const Element& e, const AttributeType& type,
                                   const expression::Expression& parsed, Report& said) const;

  const Names& names_;
  Diagnostics& diagnostics_;
};

/// Factor from the unit of a parameter, input or output to SI; 1, with an error, if it is not a
/// unit.
double factor_to_si(const Element& e);

/// "1 number", "2 numbers"
std::string counted(std::size_t n, const std::string& what);

}  // namespace mechfmu
