#include "language/meaning/attribute_reader.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "language/expression/build.h"
#include "model_desc/units.h"

namespace mechfmu {

using expression::Checked;
using expression::Expected;
using expression::Expression;
using expression::ValueType;

namespace {

unsigned kinds_of(Knows knows) {
  namespace kind = expression::kind;
  switch (knows) {
    case Knows::constants: return 0;
    case Knows::parameters: return kind::parameter;
    case Knows::time: return kind::parameter | kind::time;
    case Knows::motion: break;
  }
  return kind::any;
}

/// "N or N.m": the second for an angle. Empty if it depends on more than that.
std::string choose_unit(std::string_view alternatives, CoordinateKind coordinate) {
  const std::size_t at = alternatives.find(" or ");
  if (at == std::string_view::npos)
    return alternatives.find('^') == std::string_view::npos ? std::string(alternatives) : "";
  const std::string first(alternatives.substr(0, at));
  const std::string second(alternatives.substr(at + 4));
  if (coordinate == CoordinateKind::cosine || alternatives.find('^') != std::string_view::npos ||
      first == "1" || second == "1")
    return "";
  const bool second_turns = second == "N.m" || second.find("rad") != std::string::npos;
  return (coordinate == CoordinateKind::angle) == second_turns ? second : first;
}

}  // namespace

std::string counted(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

double factor_to_si(const Element& e) {
  try {
    return unit_factor(e.text("unit"));
  } catch (const std::invalid_argument&) {
    return 1;
  }
}

Report AttributeReader::report(const Element& e, std::string_view attribute) const {
  const Attribute* a = e.find(attribute);
  Report made{diagnostics_, a != nullptr ? a->place : e.place, e.label(), std::string(attribute),
              e.prefix};
  made.length = e.text(attribute).size();
  return made;
}

void AttributeReader::error(const Element& e, std::string_view attribute,
                            const std::string& message) const {
  const Attribute* a = e.find(attribute);
  diagnostics_.error(a != nullptr ? a->place : e.place, e.label(), std::string(attribute),
                     without_prefix(message, e.prefix));
}

/// The SI unit of an attribute's value; empty: unknown.
std::string AttributeReader::unit_of(const Element& e, const AttributeType& type) const {
  if (type.unit == "unit" || type.unit == "x_unit") return std::string(e.text(type.unit));
  if (type.unit == "unit/s") {
    const std::string unit(e.text("unit"));
    return unit == "1" ? "1/s" : unit.empty() ? "" : unit + "/s";
  }
  return choose_unit(type.unit, coordinate_kind(e, names_));
}

Expected AttributeReader::expected(const Element& e, const AttributeType& type,
                                   ValueType value) const {
  Expected wanted;
  wanted.type = value;
  wanted.kinds = kinds_of(type.knows);
  wanted.what = "the " + std::string(type.name);
  // only the direction of an axis counts: it may be the difference of two points
  if (type.kind == AttributeKind::vector && type.unit == "1") return wanted;
  wanted.dimension = known_dimension(unit_of(e, type));
  if ((type.unit == "unit" || type.unit == "x_unit") && !e.has(type.unit))
    wanted.unit_from = type.unit;
  return wanted;
}

Checked AttributeReader::check_number(const Element& e, const AttributeType& type,
                                      const Expression& parsed, Report& said) const {
  return expression::check(parsed, names_, said, expected(e, type, ValueType::scalar));
}

Expression AttributeReader::number(const Element& e, std::string_view attribute) const {
  Report said = report(e, attribute);
  const Expression parsed = expression::parse(e.text(attribute), said);
  if (!parsed) return {};
  return check_number(e, *e.type->find(attribute), parsed, said).expression;
}

std::vector<Expression> AttributeReader::numbers(const Element& e,
                                                 std::string_view attribute) const {
  const AttributeType& type = *e.type->find(attribute);
  Report said = report(e, attribute);
  std::vector<Expression> made;
  for (const Expression& parsed : expression::parse_list(e.text(attribute), said))
    made.push_back(check_number(e, type, parsed, said).expression);
  if (said.failed() || type.counts.empty()) return made;
  const std::vector<std::string> counts = words_of(type.counts);
  if (std::find(counts.begin(), counts.end(), std::to_string(made.size())) == counts.end()) {
    said.error(0, "it has " + counted(made.size(), "number") + "; it takes " + listed(counts) +
                      ": " + std::string(type.about));
    return {};
  }
  return made;
}

std::array<Expression, 3> AttributeReader::vector(const Element& e,
                                                  std::string_view attribute) const {
  const AttributeType& type = *e.type->find(attribute);
  Report said = report(e, attribute);
  const std::vector<Expression> parsed = expression::parse_list(e.text(attribute), said);
  std::array<Expression, 3> made;
  const auto refuse_count = [&] {
    said.error(
        0, "it has " + counted(parsed.size(), "number") + "; it takes three, as in \"0 0.1 0\"");
  };
  if (parsed.size() == 1 && !said.failed()) {
    Expected wanted = expected(e, type, ValueType::vector);
    wanted.type.reset();
    const Checked whole = expression::check(parsed[0], names_, said, wanted);
    if (whole.expression && whole.quantity.type != ValueType::vector) {
      refuse_count();
      return made;
    }
    for (int i = 0; whole.expression && i < 3; ++i)
      made[static_cast<std::size_t>(i)] = expression::component(whole.expression, i);
  } else if (parsed.size() == 3) {
    for (std::size_t i = 0; i < 3; ++i) made[i] = check_number(e, type, parsed[i], said).expression;
  } else if (!said.failed()) {
    refuse_count();
  }
  return made;
}

Expression AttributeReader::number_or_vector(const Element& e) const {
  Report said = report(e, "value");
  std::vector<Expression> parsed = expression::parse_list(e.text("value"), said);
  if (parsed.size() == 1) return parsed[0];
  if (parsed.size() == 3) {
    expression::Node vector;
    vector.form = expression::Form::vector;
    vector.children = std::move(parsed);
    return expression::finished(std::move(vector));
  }
  if (!said.failed())
    said.error(0, "it has " + std::to_string(parsed.size()) + " expressions; " +
                      (e.type->name == "output" ? "an " : "a ") + std::string(e.type->name) +
                      " is one number, or three for a vector");
  return {};
}

std::optional<double> AttributeReader::constant(const Element& e,
                                                std::string_view attribute) const {
  const AttributeType& type = *e.type->find(attribute);
  Report said = report(e, attribute);
  const Expression parsed = expression::parse(e.text(attribute), said);
  if (!parsed) return {};
  const Checked checked = check_number(e, type, parsed, said);
  if (!checked.expression) return {};
  std::optional<double> value = expression::literal_value(checked.expression);
  if (!value || !std::isfinite(*value)) {
    said.error(0, "it is not a finite number");
    return {};
  }
  if (!checked.plain && type.unit == "unit") value = *value / factor_to_si(e);
  return value;
}

std::vector<double> AttributeReader::constants(const Element& e, std::string_view attribute) const {
  std::vector<double> values;
  const AttributeType& type = *e.type->find(attribute);
  Report said = report(e, attribute);
  for (const Expression& parsed : expression::parse_list(e.text(attribute), said)) {
    const Checked checked = check_number(e, type, parsed, said);
    if (!checked.expression) continue;
    const std::optional<double> value = expression::literal_value(checked.expression);
    if (!value) continue;
    const double to_si = unit_factor(e.text(type.unit));
    values.push_back(checked.plain ? *value * to_si : *value);
  }
  return values;
}

void AttributeReader::check_unit(const Element& e, std::string_view attribute, bool si_only) const {
  const std::string_view unit = e.text(attribute);
  if (unit.empty()) return;
  try {
    const Unit parsed = parse_unit(unit);
    if (parsed.offset != 0)
      error(e, attribute, std::string(unit) + " has an offset from the SI unit; use K");
    else if (si_only && parsed.factor != 1)
      error(e, attribute,
            "the unit " + std::string(unit) + " is not allowed here; use the SI unit " +
                expression::text(expression::dimension(std::string(unit))));
  } catch (const std::invalid_argument& wrong) {
    error(e, attribute, wrong.what());
  }
}

}  // namespace mechfmu
