// Names of functions, tables and variables, which come before the elements whose expressions use
// them.

#include <memory>
#include <stdexcept>

#include "language/expression/csv.h"
#include "language/meaning/planner.h"
#include "model_desc/text.h"
#include "model_desc/units.h"

namespace mechfmu {

using expression::Checked;
using expression::Expected;
using expression::Symbol;
using expression::ValueType;

void Planner::declare_names() {
  for (const Element& e : text.elements)  // the FMU has predefined variables
    if (e.name.starts_with("solver.") && has_word("parameter input output", e.type->name))
      diagnostics.error(
          e.place, e.label(), "name",
          "the name '" + e.name +
              "' is reserved for settings and statistics of the solver; use another one");
  declare_functions();
  read_tables();
  check_variables();
}

void Planner::declare_functions() {
  for (const Element& e : text.elements) {
    if (e.type->name != "function") continue;
    attributes.check_unit(e, "unit", true);
    const std::vector<std::string> units = words_of(e.text("arguments"));
    for (const std::string& unit : units) try {
        (void)parse_unit(unit);
      } catch (const std::invalid_argument& wrong) {
        attributes.error(e, "arguments", wrong.what());
      }
    if (is_taken_in_cpp(e.name))
      attributes.error(e, "name",
                       "the name " + in_quotes(e.name) + " is reserved in C++; use another one");
    identifiers_.reserve(e.name);
    plan.functions.push_back({e.name, static_cast<int>(units.size())});
  }
}

void Planner::read_tables() {
  for (const Element& e : text.elements) {
    if (e.type->name != "table") continue;
    const std::size_t errors = diagnostics.errors();
    attributes.check_unit(e, "unit", false);
    attributes.check_unit(e, "x_unit", false);
    if (diagnostics.errors() > errors) continue;
    std::vector<double> x;
    std::vector<double> y;
    if (e.has("file")) {
      const auto data = text.data.find(std::string(e.text("file")));
      if (data == text.data.end()) continue;  // reported by the reader
      Report said = attributes.report(e, "");
      said.place = {data->first, 0};
      const auto table = expression::read_table(data->second, said);
      if (!table) continue;
      x = table->x();
      y = table->y();
      for (double& value : x) value *= unit_factor(e.text("x_unit"));
      for (double& value : y) value *= unit_factor(e.text("unit"));
    } else {
      x = attributes.constants(e, "x");
      y = attributes.constants(e, "y");
      if (diagnostics.errors() > errors) continue;
      if (x.size() != y.size()) {
        attributes.error(e, "y",
                         "'x' has " + std::to_string(x.size()) + " numbers and 'y' has " +
                             std::to_string(y.size()) + "; both need the same number of values");
        continue;
      }
    }
    try {
      const auto table = std::make_shared<const functions::Table>(
          std::move(x), std::move(y),
          e.text("interpolation") == "linear" ? functions::Interpolation::linear
                                              : functions::Interpolation::smooth,
          e.text("beyond") == "extend" ? functions::Beyond::extend : functions::Beyond::hold);
      Symbol symbol;
      symbol.type = ValueType::table;
      symbol.kinds = 0;
      symbol.dimension = expression::dimension(std::string(e.text("unit")));
      symbol.table_of = expression::dimension(std::string(e.text("x_unit")));
      symbol.table = table;
      names.add_table(e.name, symbol);
      add(Phase::tables, item_about(e, "table", ids_.at(e.name))).fields = {{"table", table}};
    } catch (const std::invalid_argument& wrong) {
      attributes.error(e, e.has("file") ? "file" : "x", wrong.what());
    }
  }
}

/// Checks variables in an order in which each follows those that it uses.
void Planner::check_variables() {
  std::vector<const Element*> elements;
  std::vector<expression::Definition> definitions;
  for (const Element& e : text.elements) {
    if (e.type->name != "variable") continue;
    attributes.check_unit(e, "unit", true);
    elements.push_back(&e);
    definitions.push_back({e.name, attributes.number_or_vector(e), e.place, e.label(), e.prefix});
  }
  if (elements.empty()) return;
  Report cycles{diagnostics};
  for (const std::size_t i : expression::order(definitions, cycles)) {
    const Element& e = *elements[i];
    if (!definitions[i].value) continue;
    Report said = attributes.report(e, "value");
    Expected wanted = attributes.expected(e, *e.type->find("value"), ValueType::scalar);
    wanted.type.reset();
    const Checked checked = expression::check(definitions[i].value, names, said, wanted);
    if (!checked.expression) continue;
    if (checked.quantity.type == ValueType::table) {
      said.error(0, "a table is not a value; use table(name, x)");
      continue;
    }
    Symbol symbol;
    symbol.type = checked.quantity.type;
    symbol.kinds = checked.kinds;
    symbol.dimension = wanted.dimension ? wanted.dimension : checked.quantity.dimension;
    if (checked.plain && !wanted.dimension) symbol.dimension.reset();
    names.add_variable(e.name, symbol);
    variables_[e.name] = checked.expression;
  }
}

}  // namespace mechfmu
