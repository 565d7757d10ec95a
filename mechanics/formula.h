// A compiled formula: a lambda without captures, for any scalar.
//
//   constexpr Formula damper =
//       law<1>([](const auto& s) { return s(torque) - s.constant(0) * s[0]; });
//
// The calculation that uses it provides constants, settings and tables: laws that differ only in
// these are one formula. Doubles give values, duals exact derivatives with respect to the arguments
// s[0], s[1], …; a relation also has second derivatives and those with respect to time. The header
// needs no Eigen and compiles fast.

#pragma once

#include <type_traits>

#include "mechanics/functions.h"
#include "mechanics/law_value.h"
#include "mechanics/table.h"

namespace mechfmu::tables {

using mechanics::LawValue;
using mechanics::RelationAlong;
using mechanics::RelationValue;

/// A parameter or an input: a position in the vector u.
struct Setting {
  Index index = -1;
};

/// Converts a number with a derivative along a change to one that also has derivatives with respect
/// to arguments.
template <class S>
S changing(const Along& number) {
  if constexpr (std::is_same_v<S, Along>) {
    return number;
  } else {
    S made;
    made.v = changing<decltype(made.v)>(number);
    return made;
  }
}

/// The argument of a formula. Settings are plain numbers or, along a change of them, duals.
template <class T, class S = double>
struct FormulaScope {
  T t;                      // time
  const T* arguments;       // s[0], s[1], …
  const double* u;          // all parameters and inputs
  const Index* settings;    // those of the calculation
  const double* constants;  // of the calculation
  const void* tables;       // of the calculation, and the access to one
  const functions::Table& (*table_at)(const void* tables, int i);
  const double* change = nullptr;  // of u; null: no change

  const T& operator[](int i) const { return arguments[i]; }
  S operator()(Setting s) const { return at(s.index); }
  S setting(int i) const { return at(settings[i]); }
  double constant(int i) const { return constants[i]; }
  template <class X>
  X table(int i, const X& x) const {
    return table_at(tables, i)(x);
  }

 private:
  S at(Index i) const {
    if constexpr (std::is_same_v<S, double>)
      return u[i];
    else
      return changing<S>(along(u[i], change == nullptr ? 0 : change[i]));
  }
};
using FormulaScopeAlong = FormulaScope<Along, Along>;

struct Operations;

struct Formula {
  int arguments = 0, results = 1;
  void (*values)(const FormulaScope<double>&, double* results) = nullptr;
  void (*derive)(const FormulaScope<double>&, LawValue&) = nullptr;             // of laws
  void (*derive_twice)(const FormulaScope<double>&, RelationValue&) = nullptr;  // of relations
  // Along a change of arguments, time and settings
  Along (*along)(const FormulaScopeAlong&) = nullptr;
  void (*derive_twice_along)(const FormulaScopeAlong&, RelationAlong&) = nullptr;
  const Operations* operations = nullptr;  // in place of these, if not compiled
};

namespace detail {

template <class F>
using FormulaResult = decltype(F{}(std::declval<const FormulaScope<double>&>()));
template <class F>
constexpr bool is_vector = !std::is_arithmetic_v<FormulaResult<F>>;

/// The same with other arguments, or other settings.
template <class S, class T, class From>
FormulaScope<T, S> scope_with(const From& s, const T& t, const T* arguments) {
  return {t, arguments, s.u, s.settings, s.constants, s.tables, s.table_at, s.change};
}

template <class F>
void formula_values(const FormulaScope<double>& s, double* results) {
  if constexpr (is_vector<F>) {
    const auto v = F{}(s);
    results[0] = v.x, results[1] = v.y, results[2] = v.z;
  } else {
    results[0] = F{}(s);
  }
}

template <int K, class F>
void formula_derive(const FormulaScope<double>& s, LawValue& out) {
  if constexpr (K == 0) {
    out.value = F{}(s);
  } else {
    using D = Dual<double, K>;
    D arguments[K];
    for (int i = 0; i < K; ++i) arguments[i] = D::seed(s[i], i);
    const D y = F{}(scope_with<double>(s, D(s.t), arguments));
    out.value = y.v;
    for (int i = 0; i < K; ++i) out.gradient[i] = y.d[i];
  }
}

/// On doubles, or on numbers along a change. Time is the last of the K + 1 arguments.
template <int K, class F, class X, class Scope, class Value>
void formula_derive_twice(const Scope& s, Value& out) {
  using Inner = Dual<X, K + 1>;
  using Outer = Dual<Inner, K + 1>;
  using S = std::conditional_t<std::is_same_v<X, double>, double, Outer>;
  Outer arguments[K + 1];
  for (int i = 0; i <= K; ++i) arguments[i] = Outer::seed(Inner::seed(i < K ? s[i] : s.t, i), i);
  const Outer y = F{}(scope_with<S>(s, arguments[K], arguments));
  out.value = y.v.v;
  for (int i = 0; i <= K; ++i) {
    out.gradient[i] = y.d[i].v;
    for (int j = 0; j <= K; ++j) out.hessian[i][j] = y.d[i].d[j];
  }
}

template <class F>
Along formula_along(const FormulaScopeAlong& s) {
  return F{}(s);
}

}  // namespace detail

/// A number or a vector of parameters, without derivatives: geometry.
template <int K = 0, class F>
constexpr Formula formula(F /*f*/) {
  static_assert(std::is_empty_v<F>, "a formula is a lambda without captures");
  return {K, detail::is_vector<F> ? 3 : 1, &detail::formula_values<F>};
}

/// An output, or an energy: a value and its slope along a change.
template <int K, class F>
constexpr Formula output(F f) {
  Formula made = formula<K>(f);
  made.along = &detail::formula_along<F>;
  return made;
}

/// A law of K arguments.
template <int K, class F>
constexpr Formula law(F f) {
  static_assert(K <= LawValue::capacity, "a law has at most 12 arguments");
  Formula made = output<K>(f);
  made.derive = &detail::formula_derive<K, F>;
  return made;
}

/// The left-hand side of a constraint 0 = relation. Functions in C++ have no third derivatives.
template <int K, bool third = true, class F>
constexpr Formula relation(F f) {
  Formula made = law<K>(f);
  made.derive_twice =
      &detail::formula_derive_twice<K, F, double, FormulaScope<double>, RelationValue>;
  if constexpr (third)
    made.derive_twice_along =
        &detail::formula_derive_twice<K, F, Along, FormulaScopeAlong, RelationAlong>;
  return made;
}

}  // namespace mechfmu::tables
