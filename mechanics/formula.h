// A formula that was compiled: a lambda without captures, written once for any scalar.
//
//   constexpr Formula damper = law<1>([](const auto& s) { return s(torque) - s.constant(0) * s[0]; });
//
// Its constants, settings and tables are those of the calculation that uses it: laws that differ in these are one formula.
// Called with doubles it gives values, with duals its exact derivatives by the arguments s[0], s[1], …; a relation has second
// derivatives and those by time, too. No Eigen and no allocation in it: what includes this header compiles fast.

#pragma once

#include <type_traits>

#include "mechanics/functions.h"
#include "mechanics/law_value.h"
#include "mechanics/table.h"

namespace mechfmu::tables {

using mechanics::LawValue;
using mechanics::RelationValue;

/// A parameter or an input: a position in the vector u.
struct Setting {
  Index index = -1;
};

/// What a formula is called with.
template <class T>
struct FormulaScope {
  T t;                      // time
  const T* arguments;       // s[0], s[1], …
  const double* u;          // all parameters and inputs
  const Index* settings;    // those of the calculation
  const double* constants;  // of the calculation
  const void* tables;       // of the calculation, and how to get at one
  const functions::Table& (*table_at)(const void* tables, int i);

  const T& operator[](int i) const { return arguments[i]; }
  double operator()(Setting s) const { return u[s.index]; }
  double setting(int i) const { return u[settings[i]]; }
  double constant(int i) const { return constants[i]; }
  template <class X>
  X table(int i, const X& x) const {
    return table_at(tables, i)(x);
  }
};

struct Operations;

struct Formula {
  int arguments = 0, results = 1;
  void (*values)(const FormulaScope<double>&, double* results) = nullptr;
  void (*derive)(const FormulaScope<double>&, LawValue&) = nullptr;             // of laws
  void (*derive_twice)(const FormulaScope<double>&, RelationValue&) = nullptr;  // of relations
  const Operations* operations = nullptr;  // in place of these, where it is not compiled
};

namespace detail {

template <class F>
using FormulaResult = decltype(F{}(std::declval<const FormulaScope<double>&>()));
template <class F>
constexpr bool is_vector = !std::is_arithmetic_v<FormulaResult<F>>;

template <class T>
FormulaScope<T> scope_with(const FormulaScope<double>& s, const T& t, const T* arguments) {
  return {t, arguments, s.u, s.settings, s.constants, s.tables, s.table_at};
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
    const D y = F{}(scope_with(s, D(s.t), arguments));
    out.value = y.v;
    for (int i = 0; i < K; ++i) out.gradient[i] = y.d[i];
  }
}

/// Time is the last of the K + 1 arguments.
template <int K, class F>
void formula_derive_twice(const FormulaScope<double>& s, RelationValue& out) {
  using Inner = Dual<double, K + 1>;
  using Outer = Dual<Inner, K + 1>;
  Outer arguments[K + 1];
  for (int i = 0; i <= K; ++i) arguments[i] = Outer::seed(Inner::seed(i < K ? s[i] : s.t, i), i);
  const Outer y = F{}(scope_with(s, arguments[K], arguments));
  out.value = y.v.v;
  for (int i = 0; i <= K; ++i) {
    out.gradient[i] = y.d[i].v;
    for (int j = 0; j <= K; ++j) out.hessian[i][j] = y.d[i].d[j];
  }
}

}  // namespace detail

/// A number or a vector that nothing asks the derivatives of: geometry, outputs.
template <int K = 0, class F>
constexpr Formula formula(F /*f*/) {
  static_assert(std::is_empty_v<F>, "a formula is a lambda without captures");
  return {K, detail::is_vector<F> ? 3 : 1, &detail::formula_values<F>};
}

/// A law of K arguments.
template <int K, class F>
constexpr Formula law(F f) {
  static_assert(K <= LawValue::capacity, "a law has at most 12 arguments");
  Formula made = formula<K>(f);
  made.derive = &detail::formula_derive<K, F>;
  return made;
}

/// The left-hand side of a constraint 0 = relation.
template <int K, class F>
constexpr Formula relation(F f) {
  Formula made = law<K>(f);
  made.derive_twice = &detail::formula_derive_twice<K, F>;
  return made;
}

}  // namespace mechfmu::tables
