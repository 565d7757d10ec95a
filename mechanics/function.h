// A user-defined function for mechanism files, written once as a generic lambda:
//
//   using namespace mechfmu;
//   Function<2> tyre(
//       [](const auto& slip, const auto& load) { return 0.9 * load * tanh(12.0 * slip); });
//
// Elsewhere, where only `extern mechfmu::Function<2> tyre;` is known, it is called with doubles,
// duals and duals of duals. The lambda is compiled for three scalars; other duals follow by the
// chain rule, exactly:
//
//   value     f(x)                       double
//   gradient  f_i = ∂f/∂x_i             Dual<double, N>              ∂f/∂s   = Σ_i f_i ∂x_i/∂s
//   hessian   f_ij = ∂²f/∂x_i∂x_j       Dual<Dual<double, N>, N>     ∂f_i/∂s = Σ_j f_ij ∂x_j/∂s
//
// It holds three pointers and N, exists before any code runs, and allocates nothing. A linker does
// not notice a Function<1> where a Function<2> was declared; tables::from_tables does.

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "model/dual_number.h"

namespace mechfmu {

template <int N>
class Function {
 public:
  /// Of a lambda of N arguments without captures.
  template <class F>
  explicit constexpr Function(F /*f*/) {
    static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                  "write it without captures, as [](const auto& x) { … }");
    static_assert(takes<F, double>(count),
                  "a Function<N> is made of a lambda of N arguments that returns a number");
    static_assert(!takes<F, double>(count) || takes<F, Once>(count),
                  "write it as [](const auto& x, …) so that derivatives can be taken");
    if constexpr (takes<F, double>(count) && takes<F, Once>(count)) {
      value_ = &call<F, double>;
      gradient_ = &call<F, Once>;
      hessian_ = &call<F, Twice>;
    }
  }

  /// Of the lambda it was made of.
  int arguments() const { return arguments_; }

  template <class... A>
  auto operator()(const A&... arguments) const {
    static_assert(sizeof...(A) == N, "a Function<N> is called with N arguments");
    using T = decltype((0.0 + ... + arguments));
    static_assert(depth(static_cast<const T*>(nullptr)) <= 2,
                  "a Function has first and second derivatives, no higher ones");
    const T x[N] = {T(arguments)...};
    return at(x);
  }

 private:
  static_assert(N > 0, "a Function has an argument");
  using Once = Dual<double, N>;
  using Twice = Dual<Once, N>;

  static constexpr auto count = std::make_index_sequence<N>();
  template <class T, std::size_t>
  using Repeat = const T&;
  template <class F, class T, std::size_t... I>
  static constexpr bool takes(std::index_sequence<I...> /*count*/) {
    return std::is_invocable_r_v<T, F, Repeat<T, I>...>;
  }
  template <class F, class T>
  static T call(const T* x) {
    return [x]<std::size_t... I>(std::index_sequence<I...>)->T { return F{}(x[I]...); }
    (count);
  }

  static constexpr int depth(const double* /*of*/) { return 0; }
  template <class T, int K>
  static constexpr int depth(const Dual<T, K>* /*of*/) {
    return 1 + depth(static_cast<const T*>(nullptr));
  }

  double at(const double* x) const { return value_(x); }
  template <class T, int K>
  Dual<T, K> at(const Dual<T, K>* x) const {
    T inner[N];
    for (int i = 0; i < N; ++i) inner[i] = x[i].v;
    T slopes[N];
    Dual<T, K> y;
    y.v = derive(inner, slopes);
    for (int s = 0; s < K; ++s)
      for (int i = 0; i < N; ++i) y.d[s] = y.d[s] + slopes[i] * x[i].d[s];
    return y;
  }

  /// f and all f_i at x.
  double derive(const double* x, double* slopes) const {
    Once seeds[N];
    for (int i = 0; i < N; ++i) seeds[i] = Once::seed(x[i], i);
    const Once y = gradient_(seeds);
    for (int i = 0; i < N; ++i) slopes[i] = y.d[i];
    return y.v;
  }
  template <int K>
  Dual<double, K> derive(const Dual<double, K>* x, Dual<double, K>* slopes) const {
    Twice seeds[N];
    for (int i = 0; i < N; ++i) seeds[i] = Twice::seed(Once::seed(x[i].v, i), i);
    const Twice y = hessian_(seeds);
    // Turns derivatives with respect to the x_i into derivatives with respect to the variables that
    // the x_i depend on.
    const auto chained = [x](const Once& f) {
      Dual<double, K> z(f.v);
      for (int s = 0; s < K; ++s)
        for (int i = 0; i < N; ++i) z.d[s] += f.d[i] * x[i].d[s];
      return z;
    };
    for (int i = 0; i < N; ++i) slopes[i] = chained(y.d[i]);
    return chained(y.v);
  }

  int arguments_ = N;  // first, so that it is in the same place for every N
  double (*value_)(const double*) = nullptr;
  Once (*gradient_)(const Once*) = nullptr;
  Twice (*hessian_)(const Twice*) = nullptr;
};

}  // namespace mechfmu
