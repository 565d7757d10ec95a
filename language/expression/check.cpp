#include "language/expression/check.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "language/expression/build.h"
#include "language/expression/evaluate.h"
#include "model_desc/text.h"

namespace mechfmu::expression {

// Dimensions --------------------------------------------------------------------------------------

namespace {

constexpr std::size_t radian = 7;
constexpr double tiny = 1e-9;

Dimension scaled(Dimension a, double exponent) {
  for (double& e : a.exponents) e *= exponent;
  return a;
}
Dimension product(Dimension a, const Dimension& b, double exponent) {
  for (std::size_t i = 0; i < a.exponents.size(); ++i) a.exponents[i] += exponent * b.exponents[i];
  return a;
}
bool equal(const Dimension& a, const Dimension& b) {
  return compatible(a, b) && std::abs(a.exponents[radian] - b.exponents[radian]) < tiny;
}

/// "m2", "s", "m^0.5".
std::string with_exponent(const char* unit, double exponent) {
  const double whole = std::round(exponent);
  if (std::abs(exponent - whole) > tiny) return std::string(unit) + "^" + shortest(exponent);
  if (whole == 1) return unit;
  return unit + shortest(whole);
}

}  // namespace

Dimension dimension(const std::string& unit) {
  const Unit known = parse_unit(unit);
  Dimension made;
  for (std::size_t i = 0; i < made.exponents.size(); ++i) made.exponents[i] = known.exponents[i];
  return made;
}

bool compatible(const Dimension& a, const Dimension& b) {
  for (std::size_t i = 0; i < radian; ++i)
    if (!(std::abs(a.exponents[i] - b.exponents[i]) < tiny)) return false;
  return true;
}

bool dimensionless(const Dimension& a) { return compatible(a, {}); }

std::string text(const Dimension& d) {
  for (const char* usual :
       {"1",     "rad", "m",   "s",     "kg",      "m/s",       "m/s2", "rad/s", "rad/s2",
        "N",     "N.m", "N/m", "N.s/m", "N.m/rad", "N.m.s/rad", "N.s",  "W",     "Pa",
        "kg.m2", "m2",  "m3",  "kg/m3", "K",       "A",         "V"})
    if (equal(d, dimension(usual))) return usual;
  std::vector<std::string> above;
  std::vector<std::string> below;
  for (std::size_t i = 0; i < d.exponents.size(); ++i) {
    const double e = d.exponents[i];
    if (e > tiny) above.push_back(with_exponent(base_units[i], e));
    if (e < -tiny) below.push_back(with_exponent(base_units[i], -e));
  }
  std::string unit = above.empty() ? "1" : joined(above, ".");
  if (below.size() == 1) unit += "/" + below[0];
  if (below.size() > 1) unit += "/(" + joined(below, ".") + ")";
  return unit;
}

// Names -------------------------------------------------------------------------------------------

std::string text_of_kinds(unsigned kinds) {
  struct Word {
    unsigned kind;
    const char* word;
  };
  constexpr Word words[] = {{kind::parameter, "parameters"},
                            {kind::input, "inputs"},
                            {kind::time, "time"},
                            {kind::state, "states"},
                            {kind::measure, "positions and velocities"},
                            {kind::acceleration, "accelerations and reactions"}};
  std::vector<std::string> named;
  for (const Word& w : words)
    if ((kinds & w.kind) != 0) named.emplace_back(w.word);
  if (named.empty()) return "numbers only";
  if (named.size() == 1) return named[0];
  const std::string last = named.back();
  named.pop_back();
  return joined(named, ", ") + " and " + last;
}

std::string Environment::explain(const Node& name) const {
  return "'" + name.text + "' is not declared" + suggestion(name.text, names());
}

Symbols& Symbols::add(const std::string& name, Symbol symbol) {
  symbols_[name] = std::move(symbol);
  return *this;
}

std::optional<Symbol> Symbols::find(const Node& name) const {
  const bool call = name.pieces.size() == 1 && name.pieces[0].called;
  const auto found = symbols_.find(call ? name.pieces[0].word : name.text);
  if (found != symbols_.end() && (!call || found->second.function)) return found->second;
  return outer_ != nullptr ? outer_->find(name) : std::nullopt;
}

std::vector<std::string> Symbols::names() const {
  std::vector<std::string> all;
  for (const auto& [name, symbol] : symbols_) all.push_back(name);
  if (outer_ != nullptr)
    for (std::string& name : outer_->names()) all.push_back(std::move(name));
  return all;
}

std::optional<double> literal_value(const Expression& expression) {
  if (!expression || !expression->literal || expression->type != ValueType::scalar) return {};
  return evaluate<double>(expression, [](const Node& name, int) -> double {
    throw std::logic_error("'" + name.text + "' is not a number");
  });
}

// The walk ----------------------------------------------------------------------------------------

namespace {

/// A part of the expression, as far as it is known.
struct Part {
  Expression expression{};
  ValueType type = ValueType::scalar;
  bool plain = false;                    // consists of numbers without unit
  std::optional<Dimension> dimension{};  // none, and not plain: unknown
  bool wrong = false;                    // an error was reported
  std::string without_unit{};            // a factor that is declared without unit
};

std::string unit_text(const Part& part) {
  return part.dimension ? text(*part.dimension) : std::string("1");
}

class Checker {
 public:
  Checker(const Environment& environment, Report& report, const Expected& expected)
      : environment_(environment), report_(report), expected_(expected) {}

  unsigned kinds = 0;

  Part visit(const Expression& e) {
    switch (e->form) {
      case Form::number: return number(e);
      case Form::truth: return {e, ValueType::boolean, false, Dimension{}};
      case Form::name: return name(e);
      case Form::negate: return negate(e);
      case Form::sum: return sum(e);
      case Form::product: return product_of(e);
      case Form::power: return power(e);
      case Form::compare: return compare(e);
      case Form::logical_and:
      case Form::logical_or:
      case Form::logical_not: return logical(e);
      case Form::vector: return vector(e);
      case Form::component: return component_of(e);
      case Form::call: break;
    }
    return call(e);
  }

  Part complain(const Expression& at, const std::string& message) {
    report_.error(at->column, message);
    return {.expression = at, .wrong = true};
  }

  /// Whether the whole expression fits its place.
  bool expect_whole(const Part& whole) {
    const Expression& e = whole.expression;
    if (expected_.type && whole.type != *expected_.type) {
      complain(e,
               expected_.what + " must be " + text(*expected_.type) + ", not " + text(whole.type));
      return false;
    }
    const bool other = expected_.dimension && whole.dimension &&
                       !compatible(*whole.dimension, *expected_.dimension);
    if (other && !expected_.unit_from.empty())
      complain(e, expected_.what + " is in " + unit_text(whole) + "; add " + expected_.unit_from +
                      "=\"" + unit_text(whole) + "\"");
    else if (other)
      complain(e, expected_.what + " must be in " + text(*expected_.dimension) + ", not in " +
                      unit_text(whole) + remedy(whole, *expected_.dimension));
    return !other;
  }

 private:
  // Children

  struct Parts {
    std::vector<Part> all;
    bool wrong = false;
  };
  Parts visit_children(const Node& node) {
    Parts parts;
    parts.all.reserve(node.children.size());
    for (const Expression& child : node.children) {
      parts.all.push_back(visit(child));
      parts.wrong = parts.wrong || parts.all.back().wrong;
    }
    return parts;
  }
  static Expression rebuilt(const Expression& e, const Parts& parts) {
    Node node = *e;
    for (std::size_t i = 0; i < parts.all.size(); ++i) node.children[i] = parts.all[i].expression;
    return finished(std::move(node));
  }
  static Part wrong(const Expression& e) { return {.expression = e, .wrong = true}; }

  /// Whether a part has the type; reports an error if not.
  bool has_type(const Part& part, ValueType type, const std::string& what, const char* hint = "") {
    if (part.type == type) return true;
    complain(part.expression, what + " " + text(type) + ", not " + text(part.type) + hint);
    return false;
  }

  /// The missing unit, if a part contains something without unit.
  static std::string remedy(const Part& part, const Dimension& needed) {
    if (part.without_unit.empty() || !part.dimension) return {};
    return "; '" + part.without_unit + "' is declared without unit: add unit=\"" +
           text(product(needed, *part.dimension, -1)) + "\" to it";
  }

  /// One dimension for parts that are added, compared or chosen from; reports an error if they
  /// differ.
  bool merge(Part& whole, const Part& part, const std::string& rule) {
    if (whole.dimension && part.dimension && !compatible(*whole.dimension, *part.dimension)) {
      complain(part.expression, rule + ": this is in " + unit_text(part) +
                                    ", the value before it in " + unit_text(whole) +
                                    (part.without_unit.empty() ? remedy(whole, *part.dimension)
                                                               : remedy(part, *whole.dimension)));
      return false;
    }
    if (part.dimension && !whole.dimension) whole.dimension = part.dimension;
    whole.plain = whole.plain && part.plain;
    return true;
  }

  // Values

  Part number(const Expression& e) {
    if (e->unit.empty()) return {e, ValueType::scalar, true};
    warn_of_names_in_unit(*e);
    return {e, ValueType::scalar, false, dimension(e->unit)};
  }

  /// A name that is one word.
  static Node word_of(const std::string& text) {
    Node word;
    word.form = Form::name;
    word.text = text;
    word.pieces = {{text, false, 0}};
    return word;
  }

  /// Warns of a text like 5N/m if m is also a name.
  void warn_of_names_in_unit(const Node& number) {
    std::size_t slash = number.unit.find('/');
    for (; slash != std::string::npos; slash = number.unit.find('/', slash + 1)) {
      const Node word =
          word_of(number.unit.substr(slash + 1, number.unit.find('/', slash + 1) - slash - 1));
      if (word.text.find_first_of("(.") != std::string::npos) continue;
      if (!environment_.find(word)) continue;
      report_.warning(number.column, "'" + word.text + "' in the unit " + number.unit +
                                         " is not the '" + word.text +
                                         "' that is declared; to divide by that one, write ' / " +
                                         word.text + "' with spaces");
    }
  }

  Part name(const Expression& e) {
    if (std::optional<Symbol> symbol = environment_.find(*e)) return named(e, *symbol);
    // a component of a vector
    const Piece& last = e->pieces.back();
    const bool is_component = e->pieces.size() > 1 && !last.called && last.word.size() == 1 &&
                              last.word[0] >= 'x' && last.word[0] <= 'z';
    if (is_component) {
      Node whole = *e;
      whole.pieces.pop_back();
      whole.text.resize(whole.text.size() - 2);
      if (const std::optional<Symbol> symbol = environment_.find(whole)) {
        Part part = named(std::make_shared<const Node>(std::move(whole)), *symbol);
        if (part.wrong) return part;
        return component_at(part, last.word[0] - 'x');
      }
    }
    if (e->pieces.size() == 1 && !last.called)
      if (Expression known = constant(e->text, e->column))
        return {known, ValueType::scalar, false,
                dimension(known->unit.empty() ? "1" : known->unit)};
    const bool drops = report_.list.would_drop(report_.place, report_.element, report_.attribute);
    return complain(e, drops ? std::string() : explain(*e));
  }

  std::string explain(const Node& name) const {
    if (name.pieces.size() == 1 && name.pieces[0].called) return explain_call(name.pieces[0].word);
    const FunctionInfo* function = name.pieces.size() == 1 ? find_function(name.text) : nullptr;
    if (function != nullptr) return "'" + name.text + "' is a function: write " + function->usage;
    if (name.text.size() <= 8 && name.children.empty()) {
      try {
        (void)parse_unit(name.text);
        return environment_.explain(name) + " (a unit directly follows its number: 5" + name.text +
               ")";
      } catch (const std::invalid_argument&) {
      }
    }
    return environment_.explain(name);
  }

  std::string explain_call(const std::string& word) const {
    if (const std::optional<Symbol> value = environment_.find(word_of(word)))
      return value->function ? "the function '" + word + "' has " +
                                   std::to_string(value->arguments.size()) + " arguments"
             : value->type == ValueType::table
                 ? "'" + word + "' is a table: write table(" + word + ", x)"
                 : "'" + word + "' is not a function: write " + word + "*(...) to multiply";
    std::vector<std::string> all = function_names();
    for (const std::string& name : environment_.names()) {
      if (name.find('.') != std::string::npos) continue;
      const std::optional<Symbol> symbol = environment_.find(word_of(name));
      if (symbol && symbol->function) all.push_back(name);
    }
    const std::string meant = suggestion(word, all);
    return "unknown function '" + word + "'" +
           (meant.empty() ? "; known functions are " + joined(all, ", ") : meant);
  }

  Part named(const Expression& e, const Symbol& symbol) {
    if (symbol.broken) return wrong(e);
    if (symbol.function && !e->pieces.back().called)
      return complain(e, "'" + e->text + "' is a function: write " + e->text + "(...)");
    const std::size_t given = e->children.size();
    if (given != symbol.arguments.size())
      return complain(e, "'" + e->text + "' has " + std::to_string(given) +
                             (given == 1 ? " argument" : " arguments") + " and needs " +
                             std::to_string(symbol.arguments.size()));
    Parts arguments = visit_arguments(*e, symbol);
    if (!may_use(e, symbol) || arguments.wrong) return wrong(e);
    for (std::size_t i = 0; i < given; ++i) {
      const Part& part = arguments.all[i];
      const Quantity& needed = symbol.arguments[i];
      if (!has_type(part, needed.type, "this argument must be")) return wrong(e);
      if (needed.dimension && part.dimension && !compatible(*needed.dimension, *part.dimension))
        return complain(part.expression, "this argument must be in " + text(*needed.dimension) +
                                             ", not in " + unit_text(part));
    }
    if (symbol.type != ValueType::table) kinds |= symbol.kinds;
    Node node = *e;
    for (std::size_t i = 0; i < arguments.all.size(); ++i)
      node.children[i] = arguments.all[i].expression;
    node.type = symbol.type;
    node.table = symbol.table;
    node.function = symbol.function;
    Part part{finished(std::move(node)), symbol.type, false, symbol.dimension};
    if (symbol.without_unit) part.without_unit = e->text;
    if (symbol.type == ValueType::table) table_of_ = symbol.table_of;
    return part;
  }

  /// Whether a name of these kinds is allowed here; reports an error if not.
  bool may_use(const Expression& e, const Symbol& symbol) {
    if (symbol.type == ValueType::table) return true;
    const auto refuse = [&](const std::string& what, unsigned allowed) {
      const unsigned refused = symbol.kinds & ~allowed;
      if (refused == 0) return false;
      const std::string kinds_text = text_of_kinds(refused);
      complain(e, what + " cannot depend on '" + e->text + "'" +
                      (symbol.function || kinds_text == e->text ? "" : " (" + kinds_text + ")") +
                      (allowed == 0 ? ": it may use numbers only"
                                    : ": it may depend on " + text_of_kinds(allowed)));
      return true;
    };
    return !refuse(expected_.what, expected_.kinds) && !refuse(argument_.what, argument_.kinds);
  }

  Parts visit_arguments(const Node& name, const Symbol& symbol) {
    Parts parts;
    for (std::size_t i = 0; i < name.children.size(); ++i) {
      const Quantity& needed = symbol.arguments[i];
      const Argument outer = argument_;
      if ((needed.kinds & outer.kinds) != outer.kinds)
        argument_ = {needed.kinds & outer.kinds, "this argument of '" + called_word(name, i) + "'"};
      const Expression& child = name.children[i];
      parts.all.push_back(needed.type == ValueType::name ? bare_name(child) : visit(child));
      parts.wrong = parts.wrong || parts.all.back().wrong;
      argument_ = outer;
    }
    return parts;
  }
  /// The word of a name to which its i-th argument belongs.
  static std::string called_word(const Node& name, std::size_t i) {
    for (const Piece& piece : name.pieces) {
      if (i < piece.arguments) return piece.word;
      i -= piece.arguments;
    }
    return name.text;
  }
  /// The name of an element, which has no value.
  Part bare_name(const Expression& e) {
    const bool called = std::any_of(e->pieces.begin(), e->pieces.end(),
                                    [](const Piece& piece) { return piece.called; });
    if (e->form != Form::name || called)
      return complain(e, "this argument must be the name of an element alone");
    Node node = *e;
    node.type = ValueType::name;
    return {finished(std::move(node)), ValueType::name};
  }

  // Operators

  Part negate(const Expression& e) {
    Parts parts = visit_children(*e);
    if (parts.wrong) return wrong(e);
    Part part = parts.all[0];
    if (part.type != ValueType::scalar && part.type != ValueType::vector)
      return complain(e, std::string("'-' needs a number or a vector, not ") + text(part.type) +
                             (part.type == ValueType::boolean ? "; write not" : ""));
    part.expression = rebuilt(e, parts);
    return part;
  }

  Part sum(const Expression& e) {
    Parts parts = visit_children(*e);
    if (parts.wrong) return wrong(e);
    Part whole = parts.all[0];
    for (const Part& part : parts.all) {
      if (part.type != ValueType::scalar && part.type != ValueType::vector)
        return complain(
            part.expression,
            std::string("only numbers and vectors can be added, not ") + text(part.type));
      if (part.type != whole.type)
        return complain(part.expression, std::string("this is ") + text(part.type) +
                                             ", the value before it " + text(whole.type) +
                                             ": only numbers or only vectors can be added");
      if (!merge(whole, part, "only equal dimensions can be added")) return wrong(e);
    }
    whole.expression = rebuilt(e, parts);
    return whole;
  }

  Part product_of(const Expression& e) {
    Parts parts = visit_children(*e);
    if (parts.wrong) return wrong(e);
    Part whole = parts.all[0];
    bool known = whole.dimension.has_value();
    Dimension d = whole.dimension.value_or(Dimension{});
    for (std::size_t i = 0; i < parts.all.size(); ++i) {
      const Part& part = parts.all[i];
      const bool divided = e->signs[i] == '/';
      if (part.type != ValueType::scalar && part.type != ValueType::vector)
        return complain(
            part.expression,
            std::string("only numbers and vectors can be multiplied, not ") + text(part.type));
      if (i == 0) continue;
      if (part.type == ValueType::vector && divided)
        return complain(part.expression, "cannot divide by a vector; norm(a) is its length");
      if (part.type == ValueType::vector && whole.type == ValueType::vector)
        return complain(part.expression,
                        "multiply vectors with dot(a, b) or cross(a, b), not with *");
      if (part.type == ValueType::vector) whole.type = ValueType::vector;
      if (whole.without_unit.empty() && !divided) whole.without_unit = part.without_unit;
      known = known && part.dimension;
      whole.plain = whole.plain && part.plain;
      d = product(d, part.dimension.value_or(Dimension{}), divided ? -1 : 1);
    }
    whole.dimension.reset();
    if (known) whole.dimension = d;
    whole.expression = rebuilt(e, parts);
    return whole;
  }

  Part power(const Expression& e) {
    Parts parts = visit_children(*e);
    if (parts.wrong) return wrong(e);
    Part whole = power_of(parts);
    if (!whole.wrong) whole.expression = rebuilt(e, parts);
    return whole;
  }
  Part power_of(const Parts& parts) {
    const Expression& e = parts.all[0].expression;
    const Part& base = parts.all[0];
    const Part& exponent = parts.all[1];
    if (!has_type(base, ValueType::scalar, "the base of a power must be")) return wrong(e);
    if (!has_type(exponent, ValueType::scalar, "the exponent must be")) return wrong(e);
    if (exponent.dimension && !dimensionless(*exponent.dimension))
      return complain(exponent.expression,
                      "the exponent must be a plain number, not in " + unit_text(exponent));
    Part whole = base;
    whole.plain = base.plain && exponent.plain;
    if (base.plain && !whole.plain) whole.dimension = Dimension{};
    if (!base.dimension || dimensionless(*base.dimension)) return whole;
    const std::optional<double> value = literal_value(exponent.expression);
    if (!value)
      return complain(
          exponent.expression,
          "the base is in " + unit_text(base) +
              ": the exponent may use numbers only, so that the dimension of the result is known");
    whole.dimension = scaled(*base.dimension, *value);
    constexpr double largest = 100;
    for (const double x : whole.dimension->exponents)
      if (!(std::abs(x) <= largest))
        return complain(exponent.expression,
                        "the exponent is too large for a value in " + unit_text(base));
    return whole;
  }

  Part compare(const Expression& e) {
    Parts parts = visit_children(*e);
    if (parts.wrong) return wrong(e);
    for (const Part& part : parts.all)
      if (!has_type(part, ValueType::scalar,
                    std::string("'") + text(e->comparison) + "' compares numbers: this must be"))
        return wrong(e);
    Part both = parts.all[0];
    if (!merge(both, parts.all[1], "only equal dimensions can be compared")) return wrong(e);
    return {rebuilt(e, parts), ValueType::boolean, false, Dimension{}};
  }

  Part logical(const Expression& e) {
    const char* word = e->form == Form::logical_and  ? "and"
                       : e->form == Form::logical_or ? "or"
                                                     : "not";
    Parts parts = visit_children(*e);
    if (parts.wrong) return wrong(e);
    for (const Part& part : parts.all)
      if (!has_type(part, ValueType::boolean, std::string("'") + word + "' needs",
                    ": write a comparison"))
        return wrong(e);
    return {rebuilt(e, parts), ValueType::boolean, false, Dimension{}};
  }

  Part vector(const Expression& e) {
    Parts parts = visit_children(*e);
    if (parts.wrong) return wrong(e);
    Part whole = parts.all[0];
    for (const Part& part : parts.all) {
      if (!has_type(part, ValueType::scalar, "a component of a vector must be")) return wrong(e);
      if (!merge(whole, part, "the components of a vector must have the same dimension"))
        return wrong(e);
    }
    whole.type = ValueType::vector;
    whole.expression = rebuilt(e, parts);
    return whole;
  }

  Part component_of(const Expression& e) {
    const Part part = visit(e->children[0]);
    return part.wrong ? part : component_at(part, e->component);
  }
  Part component_at(Part part, int i) {
    if (part.type != ValueType::vector)
      return complain(
          part.expression,
          std::string("only vectors have components .x .y .z; this is ") + text(part.type));
    part.expression = component(part.expression, i);
    part.type = ValueType::scalar;
    return part;
  }

  // Functions

  /// Reports an error unless all parts are of a type.
  bool all_are(const Node& node, const Parts& parts, ValueType type, std::size_t first = 0) {
    const std::string name = text(node.builtin);
    const bool hint = type == ValueType::scalar && node.builtin == Function::abs_;
    for (std::size_t i = first; i < parts.all.size(); ++i)
      if (!has_type(parts.all[i], type,
                    "argument " + std::to_string(i + 1) + " of " + name + " must be",
                    hint ? "; norm(a) is the length of a vector" : ""))
        return false;
    return true;
  }
  bool all_plain(const Node& node, const Parts& parts, const char* what) {
    for (const Part& part : parts.all) {
      if (!part.dimension || dimensionless(*part.dimension)) continue;
      complain(part.expression, std::string(text(node.builtin)) + " needs " + what +
                                    ", not a value in " + unit_text(part));
      return false;
    }
    return true;
  }
  /// Merges some of the arguments.
  bool together(const Node& node, const Parts& parts, std::initializer_list<std::size_t> which,
                Part& whole) {
    whole = parts.all[*which.begin()];
    const std::string rule =
        std::string("these arguments of ") + text(node.builtin) + " must have the same dimension";
    for (const std::size_t i : which)
      if (!merge(whole, parts.all[i], rule)) return false;
    return true;
  }

  Part call(const Expression& e) {
    if (e->builtin == Function::table) return table(e);
    Parts parts = visit_children(*e);
    if (parts.wrong) return wrong(e);
    Part whole;
    if (!result_of(*e, parts, whole)) return wrong(e);
    whole.expression = rebuilt(e, parts);
    return whole;
  }

  bool result_of(const Node& node, const Parts& parts, Part& whole) {
    static const Dimension angle = dimension("rad");
    const auto& all = parts.all;
    const auto plain_number = [&](const char* needs, const Dimension& result) {
      if (!all_are(node, parts, ValueType::scalar) || !all_plain(node, parts, needs)) return false;
      whole.dimension = result;
      return true;
    };
    switch (node.builtin) {
      case Function::sin_:
      case Function::cos_:
      case Function::tan_: return plain_number("an angle or a plain number", {});
      case Function::asin_:
      case Function::acos_:
      case Function::atan_: return plain_number("a plain number", angle);
      case Function::sinh_:
      case Function::cosh_:
      case Function::tanh_:
      case Function::exp_:
      case Function::log_:
      case Function::floor_: return plain_number("a plain number", {});
      case Function::atan2_:
        if (!all_are(node, parts, ValueType::scalar) || !together(node, parts, {0, 1}, whole))
          return false;
        whole = {.dimension = angle};
        return true;
      case Function::sqrt_:
        if (!all_are(node, parts, ValueType::scalar)) return false;
        whole = all[0];
        if (whole.dimension) whole.dimension = scaled(*whole.dimension, 0.5);
        return true;
      case Function::abs_: whole = all[0]; return all_are(node, parts, ValueType::scalar);
      case Function::sign:
        whole = {.dimension = Dimension{}};
        return all_are(node, parts, ValueType::scalar);
      case Function::pow_: whole = power_of(parts); return !whole.wrong;
      case Function::min:
      case Function::max:
        if (!all_are(node, parts, ValueType::scalar)) return false;
        whole = all[0];
        for (const Part& part : all)
          if (!merge(whole, part,
                     std::string("the arguments of ") + text(node.builtin) +
                         " must have the same dimension"))
            return false;
        return true;
      case Function::norm:
        whole = all[0];
        whole.type = ValueType::scalar;
        return all_are(node, parts, ValueType::vector);
      case Function::dot:
      case Function::cross:
        if (!all_are(node, parts, ValueType::vector)) return false;
        whole = all[0];
        whole.plain = all[0].plain && all[1].plain;
        whole.dimension.reset();
        if (all[0].dimension && all[1].dimension)
          whole.dimension = product(all[0].dimension.value_or(Dimension{}),
                                    all[1].dimension.value_or(Dimension{}), 1);
        whole.type = node.builtin == Function::cross ? ValueType::vector : ValueType::scalar;
        return true;
      case Function::step:
        return all_are(node, parts, ValueType::scalar) && together(node, parts, {0, 1, 3}, whole) &&
               together(node, parts, {2, 4}, whole);
      case Function::smooth_max:
      case Function::smooth_min:
        return all_are(node, parts, ValueType::scalar) && together(node, parts, {0, 1, 2}, whole);
      case Function::smooth_abs:
        return all_are(node, parts, ValueType::scalar) && together(node, parts, {0, 1}, whole);
      case Function::conditional: return conditional(parts, whole);
      case Function::table: break;
    }
    return true;
  }

  bool conditional(const Parts& parts, Part& whole) {
    if (!has_type(parts.all[0], ValueType::boolean, "the first argument of if must be",
                  ": write a comparison"))
      return false;
    whole = parts.all[1];
    if (!has_type(parts.all[2], whole.type, "the second choice of if must be, as the first,"))
      return false;
    return merge(whole, parts.all[2], "the choices of if must have the same dimension");
  }

  Part table(const Expression& e) {
    if (e->children[0]->form != Form::name)
      return complain(e->children[0], "the first argument of table must be the name of a table");
    table_of_.reset();
    Parts parts;
    parts.all.push_back(visit(e->children[0]));
    const std::optional<Dimension> of = table_of_;
    parts.all.push_back(visit(e->children[1]));
    const Part& which = parts.all[0];
    const Part& x = parts.all[1];
    if (which.wrong || x.wrong) return wrong(e);
    if (which.type != ValueType::table)
      return complain(which.expression,
                      "'" + e->children[0]->text + "' is " + text(which.type) + ", not a table");
    if (!has_type(x, ValueType::scalar, "argument 2 of table must be")) return wrong(e);
    if (of && x.dimension && !compatible(*of, *x.dimension))
      return complain(x.expression, "table '" + which.expression->text +
                                        "' is a function of a value in " + text(*of) + ", not in " +
                                        unit_text(x));
    return {rebuilt(e, parts), ValueType::scalar, false, which.dimension};
  }

  const Environment& environment_;
  Report& report_;
  const Expected& expected_;
  std::optional<Dimension> table_of_{};  // of the last named table

  /// Allowed dependencies of the present argument.
  struct Argument {
    unsigned kinds = kind::any;
    std::string what{};
  };
  Argument argument_{};
};

/// The column of the last part.
std::size_t last_column(const Node& e) {
  const auto here = static_cast<std::size_t>(e.column);
  return e.children.empty() ? here : std::max(here, last_column(*e.children.back()));
}

}  // namespace

Checked check(const Expression& expression, const Environment& environment, Report& report,
              const Expected& expected) {
  if (!expression) return {};
  report.length = std::max(report.length, last_column(*expression));
  Checker checker(environment, report, expected);
  Part whole = checker.visit(expression);
  if (!whole.wrong && whole.type == ValueType::table)
    whole = checker.complain(expression,
                             "a table needs an argument: write table(" + expression->text + ", x)");
  if (whole.wrong) return {};
  const std::optional<double> value = literal_value(whole.expression);
  if (value && !std::isfinite(*value)) {
    checker.complain(whole.expression, expected.what + " is " +
                                           (std::isnan(*value) ? "nan" : shortest(*value)) +
                                           ", which is not finite: check divisions and roots");
    return {};
  }
  if (!checker.expect_whole(whole)) return {};
  return {whole.expression, {whole.type, whole.dimension}, whole.plain, checker.kinds};
}

}  // namespace mechfmu::expression
