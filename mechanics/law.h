// A law: one number as a function of measures, rates, states, reactions, inputs, parameters and
// time.
//
//   law<2>({angle(A), rate(A)},
//          [=](const auto& s) { return s(k) * s[0] + 0.02 * s[1] + s(torque); })
//
// Written once as a template on the scalar: called with doubles it gives the value, with duals its
// exact derivatives with respect to the arguments s[0], s[1], …; a `relation`, which is for
// constraints, also has second derivatives and those with respect to time.

#pragma once

#include <functional>
#include <vector>

#include "mechanics/law_value.h"
#include "mechanics/number.h"
#include "model/dual.h"

namespace mechfmu::mechanics {

/// The argument of the function of a law.
template <class T>
struct Scope {
  T t;                      // time
  const T* arguments;       // s[0], s[1], …
  InputValues settings;     // s(parameter), s(input)
  const double* constants;  // numbers of the element with this law

  const T& operator[](int i) const { return arguments[i]; }
  double operator()(Parameter p) const { return settings(p); }
  double operator()(Input i) const { return settings(i); }
  double constant(int i) const { return constants[i]; }
};

/// … with derivatives along one change: of time, arguments, inputs and parameters.
struct ScopeAlong {
  Along t;
  const Along* arguments;
  InputValues settings;
  const double* change;  // of the settings; null: no change
  const double* constants;

  const Along& operator[](int i) const { return arguments[i]; }
  Along setting(Index i) const { return along(settings.u[i], change == nullptr ? 0 : change[i]); }
  Along operator()(Parameter p) const { return setting(p.index); }
  Along operator()(Input i) const { return setting(i.index); }
  double constant(int i) const { return constants[i]; }
};

struct Law {
  std::vector<Argument> arguments;
  std::vector<Number> constants;
  std::function<double(const Scope<double>&)> value;
  std::function<void(const Scope<double>&, LawValue&)> derive;
  std::function<void(const Scope<double>&, RelationValue&)> derive_twice;  // of relations only
  // Along a change of arguments, time and settings; empty if the law supports no change of
  // settings.
  std::function<Along(const ScopeAlong&)> along;
  std::function<void(const ScopeAlong&, RelationAlong&)> derive_twice_along;

  Law() = default;
  Law(double constant) : Law(Number(constant)) {}  // NOLINT(google-explicit-constructor)
  Law(Parameter p) : Law(Number(p)) {}             // NOLINT(google-explicit-constructor)
  Law(Number number);                              // NOLINT(google-explicit-constructor)
  Law(Input input);                                // NOLINT(google-explicit-constructor)
};

namespace detail {

/// Value and derivatives of f with respect to its first n arguments, n at most Width.
template <int Width, class F>
void derive(const F& f, const Scope<double>& s, int n, LawValue& out) {
  using D = Dual<double, Width>;
  D arguments[Width];
  for (int i = 0; i < n; ++i) arguments[i] = D::seed(s[i], i);
  const D y = f(Scope<D>{D(s.t), arguments, s.settings, s.constants});
  out.value = y.v;
  for (int i = 0; i < n; ++i) out.gradient[i] = y.d[i];
}

/// … with second derivatives, time as the last argument: n + 1 at most Width.
template <int Width, class F>
void derive_twice(const F& f, const Scope<double>& s, int n, RelationValue& out) {
  using Inner = Dual<double, Width>;
  using Outer = Dual<Inner, Width>;
  Outer arguments[Width];
  for (int i = 0; i < n; ++i) arguments[i] = Outer::seed(Inner::seed(s[i], i), i);
  const Outer time = Outer::seed(Inner::seed(s.t, n), n);
  const Outer y = f(Scope<Outer>{time, arguments, s.settings, s.constants});
  out.value = y.v.v;
  for (int i = 0; i <= n; ++i) {
    out.gradient[i] = y.d[i].v;
    for (int j = 0; j <= n; ++j) out.hessian[i][j] = y.d[i].d[j];
  }
}

template <int K, class F>
void attach(Law& law, const F& f) {
  law.value = [f](const Scope<double>& s) { return static_cast<double>(f(s)); };
  law.derive = [f](const Scope<double>& s, LawValue& out) {
    if constexpr (K == 0)
      out.value = f(s);
    else
      derive<K>(f, s, K, out);
  };
}

}  // namespace detail

/// A law of K arguments, for forces, states, and constraints that are nonholonomic or made of
/// simple measures. Not inlined: it runs once, and inlining would make models with hundreds of laws
/// slow to compile.
template <int K, class F>
[[gnu::noinline]] Law law(std::vector<Argument> arguments, const F& f,
                          std::vector<Number> constants = {}) {
  static_assert(K <= LawValue::capacity, "a law has at most 12 arguments");
  Law made;
  made.arguments = std::move(arguments);
  made.constants = std::move(constants);
  detail::attach<K>(made, f);
  return made;
}

/// A law that may be the left-hand side of a constraint 0 = law: it has second derivatives with
/// respect to arguments and time.
template <int K, class F>
[[gnu::noinline]] Law relation(std::vector<Argument> arguments, const F& f,
                               std::vector<Number> constants = {}) {
  Law made = law<K>(std::move(arguments), f, std::move(constants));
  made.derive_twice = [f](const Scope<double>& s, RelationValue& out) {
    detail::derive_twice<K + 1>(f, s, K, out);
  };
  return made;
}

/// A law of its arguments and constants alone, without time and settings: its gradient is complete.
inline Law of_arguments_alone(Law law) {
  law.along = [derive = law.derive, n = law.arguments.size()](const ScopeAlong& s) {
    double values[LawValue::capacity];
    for (std::size_t k = 0; k < n; ++k) values[k] = s.arguments[k].v;
    LawValue at;
    derive({s.t.v, values, s.settings, s.constants}, at);
    Along made(at.value);
    for (std::size_t k = 0; k < n; ++k) made.d[0] += at.gradient[k] * s.arguments[k].d[0];
    return made;
  };
  return law;
}

inline Law::Law(Number number) {
  constants = {std::move(number)};
  detail::attach<0>(*this, [](const auto& s) { return s.constant(0); });
  along = [](const ScopeAlong& s) { return Along(s.constant(0)); };
}
inline Law::Law(Input input) {
  detail::attach<0>(*this, [input](const auto& s) { return s(input); });
  along = [input](const ScopeAlong& s) { return s(input); };
}

}  // namespace mechfmu::mechanics
