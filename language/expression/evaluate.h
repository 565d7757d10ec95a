// The value of a checked expression, on doubles or duals.
//
//   double y = evaluate<double>(e, [&](const Node& n, int i) { return value_of(n.text, i); });
//
// The lookup gives the value of a name: for a vector the components 0, 1, 2, for others the
// component −1. True is 1, false is 0. Derivatives are those of the scalar T, to any order that it
// nests. User-defined functions are known only after compilation: they count as 0 here.

#pragma once

#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include "language/expression/expression.h"
#include "mechanics/functions.h"

namespace mechfmu::expression {

using functions::Vector3;

namespace detail {

/// Each form has a separate function that is not inlined: the stack frames of a deep tree stay
/// small even if T is a dual of duals.
template <class T, class Lookup>
class Evaluator {
 public:
  explicit Evaluator(Lookup& lookup) : lookup_(lookup) {}

  T scalar(const Node& e) {
    switch (e.form) {
      case Form::number: return T(e.number);
      case Form::name: return e.function ? T(0.0) : T(lookup_(e, -1));
      case Form::negate: return negated(e);
      case Form::sum: return sum(e);
      case Form::product: return product(e);
      case Form::power: return power(*e.children[0], *e.children[1]);
      case Form::component: return component(e);
      case Form::call: return call(e);
      case Form::truth:
      case Form::compare:
      case Form::logical_and:
      case Form::logical_or:
      case Form::logical_not: return T(truth(e) ? 1.0 : 0.0);
      case Form::vector: break;
    }
    throw std::logic_error("a vector is used as a number: check the expression first");
  }

  Vector3<T> vector(const Node& e) {
    switch (e.form) {
      case Form::name:
        if (e.function) return {};
        return {T(lookup_(e, 0)), T(lookup_(e, 1)), T(lookup_(e, 2))};
      case Form::negate: return -vector(*e.children[0]);
      case Form::sum: return vector_sum(e);
      case Form::product: return vector_product(e);
      case Form::vector:
        return {scalar(*e.children[0]), scalar(*e.children[1]), scalar(*e.children[2])};
      case Form::call:
        if (e.builtin == Function::cross)
          return cross(vector(*e.children[0]), vector(*e.children[1]));
        if (e.builtin == Function::conditional)
          return vector(truth(*e.children[0]) ? *e.children[1] : *e.children[2]);
        break;
      default: break;
    }
    throw std::logic_error("a number is used as a vector: check the expression first");
  }

  bool truth(const Node& e) {
    switch (e.form) {
      case Form::truth: return e.number != 0;
      case Form::name: return !e.function && value(T(lookup_(e, -1))) != 0;
      case Form::compare: return compare(e);
      case Form::logical_not: return !truth(*e.children[0]);
      case Form::logical_and:
        for (const Expression& child : e.children)
          if (!truth(*child)) return false;
        return true;
      case Form::logical_or:
        for (const Expression& child : e.children)
          if (truth(*child)) return true;
        return false;
      case Form::call:
        if (e.builtin == Function::conditional)
          return truth(truth(*e.children[0]) ? *e.children[1] : *e.children[2]);
        break;
      default: break;
    }
    throw std::logic_error("a number is used as a condition: check the expression first");
  }

 private:
  [[gnu::noinline]] T negated(const Node& e) { return -scalar(*e.children[0]); }

  [[gnu::noinline]] T sum(const Node& e) {
    T total = scalar(*e.children[0]);
    for (std::size_t i = 1; i < e.children.size(); ++i) {
      const T term = scalar(*e.children[i]);
      total = e.signs[i] == '-' ? total - term : total + term;
    }
    return total;
  }

  [[gnu::noinline]] T product(const Node& e) {
    T total = scalar(*e.children[0]);
    for (std::size_t i = 1; i < e.children.size(); ++i) {
      const T factor = scalar(*e.children[i]);
      total = e.signs[i] == '/' ? total / factor : total * factor;
    }
    return total;
  }

  [[gnu::noinline]] T power(const Node& base, const Node& exponent) {
    const T b = scalar(base);
    return functions::power(b, scalar(exponent));
  }

  [[gnu::noinline]] T component(const Node& e) {
    const Node& of = *e.children[0];
    if (of.form == Form::name && !of.function) return T(lookup_(of, e.component));
    const Vector3<T> v = vector(of);
    return e.component == 0 ? v.x : e.component == 1 ? v.y : v.z;
  }

  [[gnu::noinline]] Vector3<T> vector_sum(const Node& e) {
    Vector3<T> total = vector(*e.children[0]);
    for (std::size_t i = 1; i < e.children.size(); ++i) {
      const Vector3<T> term = vector(*e.children[i]);
      total = e.signs[i] == '-' ? total - term : total + term;
    }
    return total;
  }

  /// A product of numbers and one vector.
  [[gnu::noinline]] Vector3<T> vector_product(const Node& e) {
    T factor(1.0);
    Vector3<T> v;
    for (std::size_t i = 0; i < e.children.size(); ++i) {
      const Node& child = *e.children[i];
      if (child.type == ValueType::vector) {
        v = vector(child);
      } else {
        const T number = scalar(child);
        factor = e.signs[i] == '/' ? factor / number : factor * number;
      }
    }
    return factor * v;
  }

  [[gnu::noinline]] bool compare(const Node& e) {
    const double a = value(scalar(*e.children[0]));
    const double b = value(scalar(*e.children[1]));
    switch (e.comparison) {
      case Comparison::less: return a < b;
      case Comparison::less_equal: return a <= b;
      case Comparison::greater: return a > b;
      case Comparison::greater_equal: return a >= b;
      case Comparison::equal: return a == b;
      case Comparison::not_equal: break;
    }
    return a != b;
  }

  T call(const Node& e) {
    switch (e.builtin) {
      case Function::conditional:
        return scalar(truth(*e.children[0]) ? *e.children[1] : *e.children[2]);
      case Function::pow_: return power(*e.children[0], *e.children[1]);
      case Function::min:
      case Function::max: return extreme(e);
      case Function::norm:
      case Function::dot: return dot_of(e);
      case Function::atan2_: return atan2_of(e);
      case Function::step: return step_of(e);
      case Function::smooth_max:
      case Function::smooth_min:
      case Function::smooth_abs: return smooth(e);
      case Function::table:
        if (!e.children[0]->table)
          throw std::logic_error("table '" + e.children[0]->text + "' has no points");
        return (*e.children[0]->table)(scalar(*e.children[1]));
      case Function::cross:
        throw std::logic_error("a vector is used as a number: check the expression first");
      default: return elementary(e);
    }
  }

  [[gnu::noinline]] T elementary(const Node& e) {
    const T x = scalar(*e.children[0]);
    switch (e.builtin) {
      case Function::sin_: return sin(x);
      case Function::cos_: return cos(x);
      case Function::tan_: return tan(x);
      case Function::asin_: return asin(x);
      case Function::acos_: return acos(x);
      case Function::atan_: return atan(x);
      case Function::sinh_: return sinh(x);
      case Function::cosh_: return cosh(x);
      case Function::tanh_: return tanh(x);
      case Function::exp_: return exp(x);
      case Function::log_: return log(x);
      case Function::sqrt_: return sqrt(x);
      case Function::abs_: return abs(x);
      case Function::sign: return functions::sign(x);
      case Function::floor_: return functions::floor(x);
      default: break;
    }
    throw std::logic_error("function without a value");
  }

  [[gnu::noinline]] T extreme(const Node& e) {
    T best = scalar(*e.children[0]);
    for (std::size_t i = 1; i < e.children.size(); ++i) {
      const T other = scalar(*e.children[i]);
      if (e.builtin == Function::min ? other < best : best < other) best = other;
    }
    return best;
  }

  [[gnu::noinline]] T dot_of(const Node& e) {
    const Vector3<T> a = vector(*e.children[0]);
    if (e.builtin == Function::norm) return norm(a);
    return dot(a, vector(*e.children[1]));
  }

  [[gnu::noinline]] T atan2_of(const Node& e) {
    const T y = scalar(*e.children[0]);
    return atan2(y, scalar(*e.children[1]));
  }

  [[gnu::noinline]] T step_of(const Node& e) {
    const T x = scalar(*e.children[0]);
    const T x0 = scalar(*e.children[1]);
    const T y0 = scalar(*e.children[2]);
    const T x1 = scalar(*e.children[3]);
    return functions::step(x, x0, y0, x1, scalar(*e.children[4]));
  }

  [[gnu::noinline]] T smooth(const Node& e) {
    const T a = scalar(*e.children[0]);
    const T b = scalar(*e.children[1]);
    if (e.builtin == Function::smooth_abs) return functions::smooth_abs(a, b);
    const T width = scalar(*e.children[2]);
    return e.builtin == Function::smooth_max ? functions::smooth_max(a, b, width)
                                             : functions::smooth_min(a, b, width);
  }

  Lookup& lookup_;
};

}  // namespace detail

/// The value of a number; of a condition 1 or 0.
template <class T, class Lookup>
T evaluate(const Expression& expression, Lookup&& lookup) {
  return detail::Evaluator<T, std::remove_reference_t<Lookup>>(lookup).scalar(*expression);
}
template <class T, class Lookup>
Vector3<T> evaluate_vector(const Expression& expression, Lookup&& lookup) {
  return detail::Evaluator<T, std::remove_reference_t<Lookup>>(lookup).vector(*expression);
}
template <class T, class Lookup>
bool evaluate_condition(const Expression& expression, Lookup&& lookup) {
  return detail::Evaluator<T, std::remove_reference_t<Lookup>>(lookup).truth(*expression);
}

}  // namespace mechfmu::expression
