#include "language/backend/cpp_formula.h"

#include <stdexcept>
#include <vector>

#include "language/backend/cpp_text.h"

namespace mechfmu {

namespace {

using mechanics::Code;
using mechanics::Operation;
using mechanics::Program;

// Precedence of the operators of C++.
enum class Binding { or_, and_, comparison, addition, multiplication, sign, atom };

struct Text {
  std::string text;
  Binding binding = Binding::atom;
  bool condition = false;
};

const char* function_name(Code code) {
  switch (code) {
    case Code::sin_: return "sin";
    case Code::cos_: return "cos";
    case Code::tan_: return "tan";
    case Code::asin_: return "asin";
    case Code::acos_: return "acos";
    case Code::atan_: return "atan";
    case Code::sinh_: return "sinh";
    case Code::cosh_: return "cosh";
    case Code::tanh_: return "tanh";
    case Code::exp_: return "exp";
    case Code::log_: return "log";
    case Code::sqrt_: return "sqrt";
    case Code::norm: return "root_of_squares";
    case Code::abs_: return "abs";
    case Code::sign: return "sign";
    case Code::floor_: return "floor";
    case Code::power: return "power";
    case Code::atan2_: return "atan2";
    default: throw std::logic_error("an operation has no name in C++");
  }
}

class Writer {
 public:
  Writer(const Program& program, const FormulaNames& names) : p_(program), names_(names) {
    slots_.resize(static_cast<std::size_t>(p_.slots()));
    for (std::int32_t i = 0; i < p_.constants; ++i) leaf(i, names_.constant(i));
    for (std::int32_t i = 0; i < p_.settings; ++i) leaf(p_.constants + i, names_.setting(i));
    for (std::int32_t i = 0; i < p_.arguments; ++i)
      leaf(p_.first_argument() + i, "s[" + std::to_string(i) + "]");
    leaf(p_.time(), "s.t");
    count_uses();
  }

  std::string run() {
    for (std::size_t i = 0; i < p_.operations.size(); ++i) {
      const Operation& o = p_.operations[i];
      Text made = text(o);
      if (uses_[i] > 1 && !(o.code == Code::copy)) {
        const std::string name = "v" + std::to_string(++locals_);
        lines_.push_back("const auto " + name + " = " + made.text + ";");
        made = {name, Binding::atom, made.condition};
      }
      slot(o.to) = std::move(made);
    }
    std::string result;
    if (p_.results.size() == 1) {
      result = number(p_.results[0]).text;
    } else {
      for (const std::int32_t i : p_.results)
        result += (result.empty() ? "vec(" : ", ") + number(i).text;
      result += ")";
    }
    std::string made = uses_scope_ ? "[](const auto& s) {" : "[](const auto&) {";
    if (lines_.empty()) return made + " return " + result + "; }";
    made += "\n";
    for (const std::string& line : lines_) made += filled(line, 2);
    return made + filled("return " + result + ";", 2) + "}";
  }

 private:
  Text& slot(std::int32_t i) { return slots_[static_cast<std::size_t>(i)]; }
  void leaf(std::int32_t i, const std::string& name) {
    slot(i) = {name, name.starts_with('-') ? Binding::sign : Binding::atom};
  }

  template <class Visit>
  void operands(const Operation& o, Visit&& visit) const {
    if (o.code == Code::call) {
      for (const std::int32_t of : p_.calls[static_cast<std::size_t>(o.a)].arguments) visit(of);
      return;
    }
    visit(o.a);
    if (of_two(o.code) || o.code == Code::select) visit(o.b);
    if (o.code == Code::select) visit(o.c);
  }
  static bool of_two(Code code) { return code >= Code::add && code <= Code::logical_or; }

  /// Slots are reused: each use counts for the operation that wrote the slot last.
  void count_uses() {
    uses_.assign(p_.operations.size(), 0);
    std::vector<int> writer(slots_.size(), -1);
    const auto use = [&](std::int32_t of) {
      uses_scope_ = uses_scope_ || slot(of).text.starts_with('s');  // of a leaf: s(k), s[0], s.t
      if (const int by = writer[static_cast<std::size_t>(of)]; by >= 0)
        ++uses_[static_cast<std::size_t>(by)];
    };
    for (std::size_t i = 0; i < p_.operations.size(); ++i) {
      operands(p_.operations[i], use);
      uses_scope_ = uses_scope_ || p_.operations[i].code == Code::table;
      writer[static_cast<std::size_t>(p_.operations[i].to)] = static_cast<int>(i);
    }
    for (const std::int32_t result : p_.results) use(result);
  }

  /// As a number: a condition counts as 1 or 0.
  Text number(std::int32_t i) {
    Text of = slot(i);
    if (of.condition) return {"pick(" + of.text + ", 1.0, 0.0)"};
    return of;
  }
  Text condition(std::int32_t i) {
    Text of = slot(i);
    if (!of.condition) return {"holds(" + of.text + ")", Binding::atom, true};
    return of;
  }
  static std::string bracketed(const Text& of, Binding loosest) {
    return of.binding < loosest ? "(" + of.text + ")" : of.text;
  }

  Text infix(const char* sign, const Text& a, const Text& b, Binding binding) const {
    const auto tighter = static_cast<Binding>(static_cast<int>(binding) + 1);
    return {bracketed(a, binding) + " " + sign + " " + bracketed(b, tighter), binding};
  }

  Text text(const Operation& o) {
    switch (o.code) {
      case Code::copy: return slot(o.a);
      case Code::negate: return {"-" + bracketed(number(o.a), Binding::atom), Binding::sign};
      case Code::add: return infix("+", number(o.a), number(o.b), Binding::addition);
      case Code::subtract: return infix("-", number(o.a), number(o.b), Binding::addition);
      case Code::multiply: return infix("*", number(o.a), number(o.b), Binding::multiplication);
      case Code::divide: return infix("/", number(o.a), number(o.b), Binding::multiplication);
      case Code::less: return compared("<", o);
      case Code::less_equal: return compared("<=", o);
      case Code::equal: return compared("==", o);
      case Code::not_equal: return compared("!=", o);
      case Code::logical_and: {
        Text made = infix("&&", condition(o.a), condition(o.b), Binding::and_);
        made.condition = true;
        return made;
      }
      case Code::logical_or: {
        Text made = infix("||", condition(o.a), condition(o.b), Binding::or_);
        made.condition = true;
        return made;
      }
      case Code::logical_not:
        return {"!" + bracketed(condition(o.a), Binding::atom), Binding::sign, true};
      case Code::select: {
        const bool conditions = slot(o.b).condition && slot(o.c).condition;
        const auto part = [&](std::int32_t i) { return conditions ? slot(i) : number(i); };
        return {"pick(" + condition(o.a).text + ", " + part(o.c).text + ", " + part(o.b).text + ")",
                Binding::atom, conditions};
      }
      case Code::table: return {"s.table(" + std::to_string(o.b) + ", " + number(o.a).text + ")"};
      case Code::call: {
        const Program::Call& call = p_.calls[static_cast<std::size_t>(o.a)];
        std::string made = "::" + call.function + "(";
        for (std::size_t i = 0; i < call.arguments.size(); ++i)
          made += (i > 0 ? ", " : "") + number(call.arguments[i]).text;
        return {made + ")"};
      }
      default: break;
    }
    std::string made = function_name(o.code) + ("(" + number(o.a).text);
    if (of_two(o.code)) made += ", " + number(o.b).text;
    return {made + ")"};
  }
  Text compared(const char* sign, const Operation& o) {
    Text made = infix(sign, number(o.a), number(o.b), Binding::comparison);
    made.condition = true;
    return made;
  }

  const Program& p_;
  const FormulaNames& names_;
  std::vector<Text> slots_;
  std::vector<int> uses_;  // of the result of an operation
  std::vector<std::string> lines_;
  int locals_ = 0;
  bool uses_scope_ = false;
};

}  // namespace

std::string cpp_lambda(const Program& program, const FormulaNames& names) {
  return Writer(program, names).run();
}

}  // namespace mechfmu
