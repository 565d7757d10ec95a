#include "language/backend/program.h"

#include <array>
#include <limits>
#include <stdexcept>
#include <unordered_map>

#include "language/expression/build.h"

namespace mechfmu {

namespace {

using expression::Comparison;
using expression::Expression;
using expression::Form;
using expression::Function;
using expression::Node;
using expression::ValueType;
using mechanics::Calculation;
using mechanics::Code;
using mechanics::Operation;
using mechanics::Program;

/// Each value is computed once and has a number; values get their slots at the end.
class Compiler {
 public:
  Compiler(const Sources& sources, int arguments) : sources_(sources), arguments_(arguments) {}

  /// Adds a result.
  void add(const Formula& formula) {
    for (const Use& use : formula.uses) uses_.emplace(use.text, &use);
    for (const Let& let : formula.lets) {
      if (lets_.contains(let.name)) continue;
      Three made{};
      if (let.value->type == ValueType::vector)
        made = vector(*let.value);
      else
        made[0] = scalar(*let.value);
      lets_.insert_or_assign(let.name, made);
    }
    int result = scalar(*formula.expression);
    if (formula.factor == -1)
      result = add(Code::negate, result);
    else if (formula.factor != 1)
      result = add(Code::multiply, result, constant(formula.factor));
    results_.push_back(result);
  }

  /// Adds the first argument minus the formula.
  void subtract_from_argument() {
    const int argument = read({Source::Kind::argument, 0, 1});
    results_[0] = add(Code::subtract, argument, results_[0]);
  }

  std::pair<Program, Calculation> finish() {
    mark_used();
    Program p;
    Calculation c;
    p.arguments = arguments_;
    give_slots_to_leaves(p, c);
    give_slots(p, false);
    for (Value& v : values_)  // the slots after the fixed ones are known now
      if (v.leaf == Leaf::argument)
        v.slot = p.first_argument() + v.a;
      else if (v.leaf == Leaf::time)
        v.slot = p.time();
    give_slots(p, true);
    for (const int result : results_) p.results.push_back(value(result).slot);
    p.tables = static_cast<std::int32_t>(tables_.size());
    c.tables = std::move(tables_);
    return {std::move(p), std::move(c)};
  }

 private:
  enum class Leaf { none, constant, setting, argument, time };
  struct Value {
    Leaf leaf = Leaf::none;
    Code code = Code::copy;
    int a = -1, b = -1, c = -1;  // operands; of leaves, tables and calls, which one
    double number = 0;           // operands; for leaves, tables and calls, their number
    bool moving = false, used = false;
    int last = -1;  // last value that uses it
    std::int32_t slot = -1;
  };
  using Three = std::array<int, 3>;

  Value& value(int i) { return values_[static_cast<std::size_t>(i)]; }

  int add(const Value& v) {
    values_.push_back(v);
    return static_cast<int>(values_.size()) - 1;
  }
  int add(Code code, int a, int b = -1, int c = -1) {
    Value v{.code = code, .a = a, .b = b, .c = c};
    v.moving = value(a).moving || (b >= 0 && code != Code::table && value(b).moving) ||
               (c >= 0 && value(c).moving);
    return add(v);
  }
  int constant(double number) { return add({.leaf = Leaf::constant, .number = number}); }

  int read(const Source& source) {
    int made = -1;
    switch (source.kind) {
      case Source::Kind::nothing: return constant(0);
      case Source::Kind::setting: {
        const auto [at, is_new] = settings_.emplace(source.index, -1);
        if (is_new) at->second = add({.leaf = Leaf::setting, .a = static_cast<int>(source.index)});
        made = at->second;
        break;
      }
      case Source::Kind::argument:
        made = add({.leaf = Leaf::argument, .a = static_cast<int>(source.index), .moving = true});
        break;
      case Source::Kind::time: made = add({.leaf = Leaf::time, .moving = true}); break;
    }
    if (source.factor == 1) return made;
    if (source.factor == -1) return add(Code::negate, made);
    return add(Code::multiply, made, constant(source.factor));
  }

  int named(const Node& name, int component) {
    if (name.function) return call_of(name);
    if (const auto let = lets_.find(name.text); let != lets_.end())
      return let->second[static_cast<std::size_t>(component < 0 ? 0 : component)];
    return read(sources_(*uses_.at(name.text), component));
  }

  /// A function in C++.
  int call_of(const Node& e) {
    Call made{uses_.at(e.text)->meaning.element->name, {}};
    bool moving = false;
    for (const Expression& child : e.children) {
      made.arguments.push_back(scalar(*child));
      moving = moving || value(made.arguments.back()).moving;
    }
    calls_.push_back(std::move(made));
    return add({.code = Code::call, .a = static_cast<int>(calls_.size()) - 1, .moving = moving});
  }

  // A vector in the text is computed once, even if three of its components are used.
  int scalar(const Node& e) {
    if (const auto known = scalars_.find(&e); known != scalars_.end()) return known->second;
    const int made = new_scalar(e);
    scalars_.emplace(&e, made);
    return made;
  }
  Three vector(const Node& e) {
    if (const auto known = vectors_.find(&e); known != vectors_.end()) return known->second;
    const Three made = new_vector(e);
    vectors_.emplace(&e, made);
    return made;
  }

  int new_scalar(const Node& e) {
    if (e.literal && e.type == ValueType::scalar)
      if (const std::optional<double> known = expression::literal_value(shared(e)))
        return constant(*known);
    switch (e.form) {
      case Form::number:
      case Form::truth: return constant(e.number);
      case Form::name: return named(e, -1);
      case Form::negate: return add(Code::negate, scalar(*e.children[0]));
      case Form::sum: return chain(e, Code::add, Code::subtract);
      case Form::product: return chain(e, Code::multiply, Code::divide);
      case Form::power: return of_two(Code::power, e);
      case Form::component: return component(e);
      case Form::compare: return compare(e);
      case Form::logical_not: return add(Code::logical_not, scalar(*e.children[0]));
      case Form::logical_and: return chain(e, Code::logical_and, Code::logical_and);
      case Form::logical_or: return chain(e, Code::logical_or, Code::logical_or);
      case Form::call: return call(e);
      case Form::vector: break;
    }
    throw std::logic_error("a vector is used as a number: check the expression first");
  }

  // Operands are numbered in the order of the text, so that the program is the same on all
  // machines.
  int of_two(Code code, const Node& e) {
    const int a = scalar(*e.children[0]);
    return add(code, a, scalar(*e.children[1]));
  }

  /// The node as a pointer without ownership.
  static Expression shared(const Node& e) { return {Expression(), &e}; }

  int chain(const Node& e, Code plus, Code minus) {
    int total = scalar(*e.children[0]);
    for (std::size_t i = 1; i < e.children.size(); ++i) {
      const bool second = i < e.signs.size() && (e.signs[i] == '-' || e.signs[i] == '/');
      total = add(second ? minus : plus, total, scalar(*e.children[i]));
    }
    return total;
  }

  int component(const Node& e) {
    const Node& of = *e.children[0];
    if (of.form == Form::name && !of.function) return named(of, e.component);
    return vector(of)[static_cast<std::size_t>(e.component)];
  }

  int compare(const Node& e) {
    const int a = scalar(*e.children[0]);
    const int b = scalar(*e.children[1]);
    switch (e.comparison) {
      case Comparison::less: return add(Code::less, a, b);
      case Comparison::less_equal: return add(Code::less_equal, a, b);
      case Comparison::greater: return add(Code::less, b, a);
      case Comparison::greater_equal: return add(Code::less_equal, b, a);
      case Comparison::equal: return add(Code::equal, a, b);
      case Comparison::not_equal: break;
    }
    return add(Code::not_equal, a, b);
  }

  Three new_vector(const Node& e) {
    const auto each = [](auto&& make) { return Three{make(0U), make(1U), make(2U)}; };  // in turn
    switch (e.form) {
      case Form::name: return each([&](std::size_t i) { return named(e, static_cast<int>(i)); });
      case Form::negate: {
        const Three v = vector(*e.children[0]);
        return each([&](std::size_t i) { return add(Code::negate, v[i]); });
      }
      case Form::vector: return each([&](std::size_t i) { return scalar(*e.children[i]); });
      case Form::sum: {
        Three total = vector(*e.children[0]);
        for (std::size_t k = 1; k < e.children.size(); ++k) {
          const Three term = vector(*e.children[k]);
          const Code code = e.signs[k] == '-' ? Code::subtract : Code::add;
          for (std::size_t i = 0; i < 3; ++i) total[i] = add(code, total[i], term[i]);
        }
        return total;
      }
      case Form::product: return vector_product(e);
      case Form::call:
        if (e.builtin == Function::cross) {
          const Three a = vector(*e.children[0]);
          return cross(a, vector(*e.children[1]));
        }
        if (e.builtin == Function::conditional) {
          const int condition = scalar(*e.children[0]);
          const Three yes = vector(*e.children[1]);
          const Three no = vector(*e.children[2]);
          return each([&](std::size_t i) { return add(Code::select, condition, no[i], yes[i]); });
        }
        break;
      default: break;
    }
    throw std::logic_error("a number is used as a vector: check the expression first");
  }

  /// A product of numbers and one vector.
  Three vector_product(const Node& e) {
    int factor = -1;
    Three v{};
    for (std::size_t k = 0; k < e.children.size(); ++k) {
      const Node& child = *e.children[k];
      if (child.type == ValueType::vector) {
        v = vector(child);
        continue;
      }
      const int number = scalar(child);
      const bool divides = e.signs[k] == '/';
      if (factor < 0 && !divides)
        factor = number;
      else
        factor =
            add(divides ? Code::divide : Code::multiply, factor < 0 ? constant(1) : factor, number);
    }
    if (factor >= 0)
      for (int& part : v) part = add(Code::multiply, factor, part);
    return v;
  }

  Three cross(const Three& a, const Three& b) {
    const auto part = [&](std::size_t i, std::size_t j) {
      const int plus = add(Code::multiply, a[i], b[j]);
      return add(Code::subtract, plus, add(Code::multiply, a[j], b[i]));
    };
    return {part(1, 2), part(2, 0), part(0, 1)};  // braces: one after the other
  }
  int dot(const Three& a, const Three& b) {
    const auto part = [&](std::size_t i) { return add(Code::multiply, a[i], b[i]); };
    const int x = part(0);
    const int xy = add(Code::add, x, part(1));
    return add(Code::add, xy, part(2));
  }

  int call(const Node& e) {
    const auto argument = [&](std::size_t i) { return scalar(*e.children[i]); };
    switch (e.builtin) {
      case Function::conditional: {
        const int condition = argument(0);
        const int yes = argument(1);
        return add(Code::select, condition, argument(2), yes);
      }
      case Function::pow_: return of_two(Code::power, e);
      case Function::atan2_: return of_two(Code::atan2_, e);
      case Function::min:
      case Function::max: {
        int best = argument(0);
        for (std::size_t i = 1; i < e.children.size(); ++i) {
          const int other = argument(i);
          const int better = e.builtin == Function::min ? add(Code::less, other, best)
                                                        : add(Code::less, best, other);
          best = add(Code::select, better, best, other);
        }
        return best;
      }
      case Function::norm: {
        const Three v = vector(*e.children[0]);
        return add(Code::norm, dot(v, v));
      }
      case Function::dot: {
        const Three a = vector(*e.children[0]);
        return dot(a, vector(*e.children[1]));
      }
      case Function::step: {
        std::array<int, 5> of{};
        for (std::size_t i = 0; i < of.size(); ++i) of[i] = argument(i);
        return step(of[0], of[1], of[2], of[3], of[4]);
      }
      case Function::smooth_abs: {
        const int x = argument(0);
        return smooth_abs(x, argument(1));
      }
      case Function::smooth_max:
      case Function::smooth_min: {
        const int a = argument(0);
        const int b = argument(1);
        const int width = argument(2);
        const int between = smooth_abs(add(Code::subtract, a, b), width);
        const Code code = e.builtin == Function::smooth_max ? Code::add : Code::subtract;
        return add(Code::multiply, add(code, add(Code::add, a, b), between), constant(0.5));
      }
      case Function::table:
        if (!e.children[0]->table)
          throw std::logic_error("table '" + e.children[0]->text + "' has no points");
        tables_.push_back(e.children[0]->table);
        return add(Code::table, argument(1), static_cast<int>(tables_.size()) - 1);
      case Function::cross:
        throw std::logic_error("a vector is used as a number: check the expression first");
      default: return add(elementary(e.builtin), argument(0));
    }
  }

  static Code elementary(Function function) {
    switch (function) {
      case Function::sin_: return Code::sin_;
      case Function::cos_: return Code::cos_;
      case Function::tan_: return Code::tan_;
      case Function::asin_: return Code::asin_;
      case Function::acos_: return Code::acos_;
      case Function::atan_: return Code::atan_;
      case Function::sinh_: return Code::sinh_;
      case Function::cosh_: return Code::cosh_;
      case Function::tanh_: return Code::tanh_;
      case Function::exp_: return Code::exp_;
      case Function::log_: return Code::log_;
      case Function::sqrt_: return Code::sqrt_;
      case Function::abs_: return Code::abs_;
      case Function::sign: return Code::sign;
      case Function::floor_: return Code::floor_;
      default: break;
    }
    throw std::logic_error("function without a program");
  }

  int smooth_abs(int x, int width) {
    const int square = add(Code::multiply, x, x);
    return add(Code::sqrt_, add(Code::add, square, add(Code::multiply, width, width)));
  }

  /// functions::step without jumps.
  int step(int x, int x0, int y0, int x1, int y1) {
    const int up = add(Code::less_equal, x0, x1);
    const int above_end = add(Code::less_equal, x1, x);
    const int below_end = add(Code::less_equal, x, x1);
    const int beyond = add(Code::select, up, below_end, above_end);
    const int below_start = add(Code::less_equal, x, x0);
    const int above_start = add(Code::less_equal, x0, x);
    const int before = add(Code::select, up, above_start, below_start);
    const int way = add(Code::subtract, x, x0);
    const int xi = add(Code::divide, way, add(Code::subtract, x1, x0));
    const int rise = add(Code::multiply, add(Code::subtract, y1, y0), xi);
    const int three = constant(3);
    const int bend = add(Code::subtract, three, add(Code::multiply, xi, constant(2)));
    const int curve = add(Code::multiply, add(Code::multiply, rise, xi), bend);
    const int between = add(Code::add, curve, y0);
    return add(Code::select, beyond, add(Code::select, before, between, y0), y1);
  }

  // Slots

  /// Operands of a value that are values.
  template <class Visit>
  void operands(const Value& v, Visit&& visit) {
    if (v.leaf != Leaf::none) return;
    if (v.code == Code::call) {
      for (const int argument : calls_[static_cast<std::size_t>(v.a)].arguments) visit(argument);
      return;
    }
    visit(v.a);
    if (v.b >= 0 && v.code != Code::table) visit(v.b);
    if (v.c >= 0) visit(v.c);
  }

  void mark_used() {
    for (const int result : results_) {
      value(result).used = true;
      value(result).last = std::numeric_limits<int>::max();
    }
    for (int i = static_cast<int>(values_.size()) - 1; i >= 0; --i) {
      if (!value(i).used) continue;
      operands(value(i), [&](int of) {
        value(of).used = true;
        value(of).last = std::max(value(of).last, i);
        // Moving slots are computed after all fixed ones, which must not be overwritten before.
        if (value(i).moving && !value(of).moving) value(of).last = std::numeric_limits<int>::max();
      });
    }
  }

  void give_slots_to_leaves(Program& p, Calculation& c) {
    for (Value& v : values_) {
      if (!v.used || v.leaf != Leaf::constant) continue;
      v.slot = p.constants++;
      c.constants.push_back(v.number);
    }
    for (Value& v : values_) {
      if (!v.used || v.leaf != Leaf::setting) continue;
      v.slot = p.constants + p.settings++;
      c.settings.push_back(v.a);
    }
  }

  /// Operations of the fixed or of the moving values. A slot is free again after the last use of
  /// its value.
  void give_slots(Program& p, bool moving) {
    std::int32_t& count = moving ? p.moving : p.fixed;
    const std::int32_t begin = moving ? p.time() + 1 : p.constants + p.settings;
    std::vector<std::int32_t> free;
    for (int i = 0; i < static_cast<int>(values_.size()); ++i) {
      Value& v = value(i);
      if (!v.used || v.leaf != Leaf::none || v.moving != moving) continue;
      Operation o{v.code, 0, 0, 0, 0};
      if (v.code == Code::call) {
        Program::Call made{calls_[static_cast<std::size_t>(v.a)].function, {}};
        for (const int of : calls_[static_cast<std::size_t>(v.a)].arguments)
          made.arguments.push_back(value(of).slot);
        o.a = static_cast<std::int32_t>(p.calls.size());
        p.calls.push_back(std::move(made));
      } else {
        o.a = value(v.a).slot;
      }
      if (v.b >= 0) o.b = v.code == Code::table ? v.b : value(v.b).slot;
      if (v.c >= 0) o.c = value(v.c).slot;
      operands(v, [&](int of) {
        Value& operand = value(of);
        if (operand.last != i || operand.leaf != Leaf::none || operand.moving != moving) return;
        free.push_back(operand.slot);
        operand.last = -1;  // this value may use it twice
      });
      if (free.empty()) {
        v.slot = begin + count++;
      } else {
        v.slot = free.back();
        free.pop_back();
      }
      o.to = v.slot;
      p.operations.push_back(o);
    }
  }

  struct Call {
    std::string function;
    std::vector<int> arguments;  // values
  };
  const Sources& sources_;
  int arguments_;
  std::unordered_map<std::string, const Use*> uses_;
  std::unordered_map<const Node*, int> scalars_;
  std::unordered_map<const Node*, Three> vectors_;
  std::unordered_map<std::string, Three> lets_;
  std::map<Index, int> settings_;
  std::vector<std::shared_ptr<const functions::Table>> tables_;
  std::vector<Call> calls_;
  std::vector<Value> values_;
  std::vector<int> results_;
};

std::string bytes_of(const Program& p) {
  std::string made;
  const auto put = [&](std::int32_t number) {
    made.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  for (const std::int32_t n : {p.constants, p.settings, p.fixed, p.arguments, p.moving, p.tables})
    put(n);
  for (const std::int32_t slot : p.results) put(slot);
  put(-1);
  for (const Operation& o : p.operations)
    put(static_cast<std::int32_t>(o.code)), put(o.to), put(o.a), put(o.b), put(o.c);
  for (const Program::Call& call : p.calls) {
    made += call.function;
    for (const std::int32_t slot : call.arguments) put(slot);
  }
  return made;
}

}  // namespace

Calculation Programs::share(Program program, Calculation calculation) {
  std::shared_ptr<const Program>& known = known_[bytes_of(program)];
  if (!known) {
    program.check();
    known = std::make_shared<const Program>(std::move(program));
  }
  calculation.program = known;
  return calculation;
}

Calculation Programs::compile(const Formula& formula, const Sources& sources, int arguments) {
  Compiler compiler(sources, arguments);
  compiler.add(formula);
  auto [program, calculation] = compiler.finish();
  return share(std::move(program), std::move(calculation));
}

Calculation Programs::compile(const std::array<Formula, 3>& formulas, const Sources& sources) {
  Compiler compiler(sources, 0);
  for (const Formula& formula : formulas) compiler.add(formula);
  auto [program, calculation] = compiler.finish();
  return share(std::move(program), std::move(calculation));
}

Calculation Programs::compile_driver(const Formula& position, const Sources& sources) {
  Compiler compiler(sources, 1);
  compiler.add(position);
  compiler.subtract_from_argument();
  auto [program, calculation] = compiler.finish();
  return share(std::move(program), std::move(calculation));
}

}  // namespace mechfmu
