#include "language/expression/cpp.h"

#include <cmath>
#include <optional>

#include "language/expression/check.h"
#include "model_desc/text.h"

namespace mechfmu::expression {

namespace {

using enum Binding;

/// The text, in brackets where it binds looser than needed.
std::string in(const Code& code, Binding needed) {
  return code.binding < needed ? "(" + code.text + ")" : code.text;
}

/// A double, never an int: 2.0.
std::string double_text(double x) {
  std::string digits = tidy(x);
  if (digits.find_first_of(".en") == std::string::npos) digits += ".0";
  return digits;
}

class Writer {
 public:
  explicit Writer(const Naming& naming) : naming_(naming) {}

  Code write(const Expression& e) const {
    if (const std::optional<double> value = folded(e)) return number(*value);
    switch (e->form) {
      case Form::number: return e->text.empty() ? number(e->number) : constant(*e);
      case Form::truth: return {e->number != 0 ? "true" : "false"};
      case Form::name: return name(*e);
      case Form::negate: return negated(write(e->children[0]));
      case Form::sum: return sum(*e);
      case Form::product: return product(*e);
      case Form::power: return power(e->children[0], e->children[1]);
      case Form::compare:
        return {in(write(e->children[0]), addition) + " " + text(e->comparison) + " " +
                    in(write(e->children[1]), addition),
                comparison};
      case Form::logical_and: return {chained(*e, " && ", comparison), and_};
      case Form::logical_or: return {chained(*e, " || ", comparison), or_};
      case Form::logical_not: return {"!" + in(write(e->children[0]), atom), sign};
      case Form::vector: return {"vec(" + arguments(*e) + ")"};
      case Form::component: return component_of(*e);
      case Form::call: break;
    }
    return call(*e);
  }

 private:
  /// The value of what is made of written numbers only; constants such as pi keep their names.
  static bool is_written(const Expression& e) {
    if (!e->literal || e->type != ValueType::scalar) return false;
    if (e->form == Form::number) return e->text.empty();
    for (const Expression& child : e->children)
      if (!is_written(child)) return false;
    return e->form == Form::negate || e->form == Form::sum || e->form == Form::product ||
           e->form == Form::power || e->form == Form::call;
  }
  static std::optional<double> folded(const Expression& e) {
    if (e->form == Form::number || !is_written(e)) return {};
    const std::optional<double> value = literal_value(e);
    return value && std::isfinite(*value) ? value : std::nullopt;
  }

  static Code number(double x) { return {double_text(x), std::signbit(x) ? sign : atom}; }
  static Code constant(const Node& e) {
    if (e.text == "pi" || e.text == "e") return {"std::numbers::" + e.text};
    return number(e.number);
  }
  Code name(const Node& e) const {
    Code code = naming_(e, -1);
    if (e.function) code.text += "(" + arguments(e) + ")";
    return code;
  }

  /// -(a * b) is written -a * b, which is the same number.
  static Code negated(const Code& code) {
    const bool product = code.binding == multiplication && code.text[0] != '-';
    return {"-" + (product ? code.text : in(code, atom)), product ? multiplication : sign};
  }

  Code sum(const Node& e) const {
    std::string text = in(write(e.children[0]), addition);
    for (std::size_t i = 1; i < e.children.size(); ++i) {
      const Code term = write(e.children[i]);
      const bool minus = e.signs[i] == '-';
      // a - -2 is written a + 2
      if (term.binding >= multiplication && term.text[0] == '-') {
        text += (minus ? " + " : " - ") + term.text.substr(1);
        continue;
      }
      text += (minus ? " - " : " + ") + in(term, multiplication);
    }
    return {text, addition};
  }

  Code product(const Node& e) const {
    std::string text = in(write(e.children[0]), multiplication);
    for (std::size_t i = 1; i < e.children.size(); ++i)
      text += (e.signs[i] == '/' ? " / " : " * ") + in(write(e.children[i]), sign);
    return {text, multiplication};
  }

  Code power(const Expression& base, const Expression& exponent) const {
    const std::optional<double> n = literal_value(exponent);
    Code x = write(base);
    if (n && *n == 1) return x;
    const bool is_short =
        (base->form == Form::name && !base->function) || base->form == Form::component;
    if (n && *n == 2 && is_short && x.binding == atom)
      return {x.text + " * " + x.text, multiplication};
    const bool whole = n && *n == std::floor(*n) && std::abs(*n) < 1000;
    return {"power(" + x.text + ", " + (whole ? shortest(*n) : write(exponent).text) + ")"};
  }

  std::string chained(const Node& e, const char* between, Binding needed) const {
    std::string text;
    for (const Expression& child : e.children)
      text += (text.empty() ? "" : between) + in(write(child), needed);
    return text;
  }

  std::string arguments(const Node& e) const {
    std::string text;
    for (const Expression& child : e.children)
      text += (text.empty() ? "" : ", ") + write(child).text;
    return text;
  }

  Code component_of(const Node& e) const {
    const Node& vector = *e.children[0];
    if (vector.form == Form::name && !vector.function) return naming_(vector, e.component);
    return {in(write(e.children[0]), atom) + "." + static_cast<char>('x' + e.component)};
  }

  Code call(const Node& e) const {
    switch (e.builtin) {
      case Function::conditional:
        return {in(write(e.children[0]), or_) + " ? " + in(write(e.children[1]), or_) + " : " +
                    in(write(e.children[2]), choice),
                choice};
      case Function::pow_: return power(e.children[0], e.children[1]);
      case Function::min: return {"minimum(" + arguments(e) + ")"};
      case Function::max: return {"maximum(" + arguments(e) + ")"};
      case Function::table:
        return {naming_(*e.children[0], -1).text + "(" + write(e.children[1]).text + ")"};
      default: break;
    }
    return {std::string(text(e.builtin)) + "(" + arguments(e) + ")"};
  }

  const Naming& naming_;
};

}  // namespace

std::string to_cpp(const Expression& expression, const Naming& naming) {
  return Writer(naming).write(expression).text;
}

}  // namespace mechfmu::expression
