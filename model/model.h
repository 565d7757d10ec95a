// A mechanism written once in C++: M, f, g, k, d as templates on the scalar, nothing else.
//
//   struct Pendulum : Model<2, 1> {                     // 2 coordinates, 1 holonomic constraint
//     template <class T> Mat<T,2> M(T t, const Vec<T,2>& y) const;
//     template <class T> Vec<T,2> f(T t, const Vec<T,2>& y, const Vec<T,2>& z) const;
//     template <class T> Vec<T,1> g(T t, const Vec<T,2>& y) const;
//     void variables(Variables& v);
//   };
//
// f may take x too, f(t,y,z,x): then it is the applied force and the reactions −Gᵀλ − k_zᵀψ are
// added here. With multipliers among its arguments, f(t,y,z,λ,ψ) or f(t,y,z,λ,ψ,x), it is the
// whole right-hand side, of any form. k(t,y,z) is needed when K > 0; with X > 0 either
// d(t,x',x,y,z) or d(t,x',x,y,z,a,λ,ψ).
//
// ModelSystem<Pendulum> is the System the solver integrates. Every derivative comes from duals
// (model/dual.h); the second derivatives of g and k from nested duals:
//
//   G, g_t         one pass of g with duals in (y, t)
//   (Gᵀλ)_y        Hessian of λᵀg
//   (g_t + G z)_y  gradient of the derivative of g along (1, z)
//   d²g/dt²        second derivative of g along y + s z + s²/2 a

#pragma once

#include <type_traits>

#include "model/dual.h"
#include "model/system.h"
#include "model/variables.h"

namespace mechfmu {

template <int N_, int M_ = 0, int K_ = 0, int X_ = 0>
struct Model {
  static constexpr int n_y = N_, n_g = M_, n_k = K_, n_x = X_;
};

/// ½ zᵀ M(t,y) z, for models whose M is the mass matrix of mechanics.
template <class ModelT>
double kinetic_energy(const ModelT& model, const Point& p) {
  const Vec<double, ModelT::n_y> z = p.z;
  return z.dot(model.M(p.t, Vec<double, ModelT::n_y>(p.y)) * z) / 2;
}

template <class ModelT>
class ModelSystem final : public System {
  static constexpr int N = ModelT::n_y, M = ModelT::n_g, K = ModelT::n_k, X = ModelT::n_x;

  template <class T>
  static constexpr bool applied = requires(const ModelT& model, T t, Vec<T, N> v) {
    model.f(t, v, v);
  };
  template <class T>
  static constexpr bool applied_x = requires(const ModelT& model, T t, Vec<T, N> v, Vec<T, X> x) {
    model.f(t, v, v, x);
  };
  template <class T>
  static constexpr bool whole = requires(const ModelT& model, T t, Vec<T, N> v, Vec<T, M> lambda,
                                         Vec<T, K> psi) {
    model.f(t, v, v, lambda, psi);
  };
  /// Whether this class adds the reactions −Gᵀλ − k_zᵀψ.
  static constexpr bool standard_reactions = applied<double> || applied_x<double>;

 public:
  explicit ModelSystem(const ModelT& model = {}) : model_(model) {
    sizes_ = {.y = N, .n = N, .m = M, .k = K, .x = X, .mass = N * N};
    here_.resize(sizes_);
    variables_ = std::make_unique<Variables>(sizes_);
    model_.variables(*variables_);
    sizes_.u = static_cast<Index>(variables_->inputs().size());
  }

  const ModelT& model() const { return model_; }
  const Variables& variables() const override { return *variables_; }

  void set_inputs(In u) override {
    for (Index i = 0; i < sizes_.u; ++i) *input(i) = u[i];
    C_is_here_ = false;
  }
  void get_inputs(Out u) const override {
    for (Index i = 0; i < sizes_.u; ++i) u[i] = *input(i);
  }

  void mass(double t, In y, Out numbers) const override {
    Eigen::Map<Mat<double, N>>(numbers.data()) = model_.M(t, Vec<double, N>(y));
  }
  void multiply_mass(In numbers, In v, Out Mv) const override {
    Mv = Eigen::Map<const Mat<double, N>>(numbers.data()).lazyProduct(Vec<double, N>(v));
  }

  void values(Values& values) override {
    const Point& p = point();
    const Vec<double, N> y = p.y;
    const Vec<double, N> z = p.z;
    constraints(p.t, y, z, values);
    C_is_here_ = true;
    values.f = force<double>(p.t, y, z, p.lambda(), p.psi(), p.x);
    if constexpr (standard_reactions && M + K > 0)
      values.f -= C_.transpose().lazyProduct(Vec<double, M + K>(p.mu));
    if constexpr (X > 0)
      values.d = residual<double>(p.t, p.xdot, p.x, y, z, p.a, p.lambda(), p.psi());
  }

  void tilde(In z_tilde, In mu_tilde, Out f_difference, Out k_tilde) override {
    const Point& p = point();
    if constexpr (standard_reactions) {
      if constexpr (M + K > 0) {
        need_constraints();
        f_difference = C_.transpose().lazyProduct(Vec<double, M + K>(p.mu - mu_tilde));
      } else
        f_difference.setZero();
    } else {
      f_difference = force<double>(p.t, p.y, p.z, mu_tilde.head(M), mu_tilde.tail(K), p.x) -
                     force<double>(p.t, p.y, p.z, p.lambda(), p.psi(), p.x);
    }
    if constexpr (K > 0) k_tilde = model_.k(p.t, Vec<double, N>(p.y), Vec<double, N>(z_tilde));
  }

  void multiply_constraints(In v, Out Cv) override {
    if constexpr (M + K > 0) {
      need_constraints();
      Cv = C_.lazyProduct(Vec<double, N>(v));
    }
    if constexpr (K > 0 && !standard_reactions) {  // without k_z in C_
      using D = Dual<double, 1>;
      Vec<D, N> z = constant<D>(Vec<double, N>(point().z));
      for (int i = 0; i < N; ++i) z[i].d[0] = v[i];
      const Vec<D, K> k = model_.k(D(point().t), constant<D>(Vec<double, N>(point().y)), z);
      for (int i = 0; i < K; ++i) Cv[M + i] = k[i].d[0];
    }
  }

  void constraint_acceleration(In a, Out c) override {
    const double t = point().t;
    const Vector& y = point().y;
    const Vector& z = point().z;
    if constexpr (M > 0) {
      // g along t + s₁ + s₂, y + (s₁+s₂) z + s₁s₂ a: its s₁s₂-coefficient is d²g/dt².
      using D1 = Dual<double, 1>;
      using D2 = Dual<D1, 1>;
      D2 time = D2::seed(D1::seed(t, 0), 0);
      Vec<D2, N> path;
      for (int i = 0; i < N; ++i) {
        path[i].v.v = y[i];
        path[i].v.d[0] = path[i].d[0].v = z[i];
        path[i].d[0].d[0] = a[i];
      }
      const Vec<D2, M> g = model_.g(time, path);
      for (int i = 0; i < M; ++i) c[i] = g[i].d[0].d[0];
    }
    if constexpr (K > 0) {
      using D = Dual<double, 1>;
      Vec<D, N> y_path;
      Vec<D, N> z_path;
      for (int i = 0; i < N; ++i) {
        y_path[i].v = y[i];
        y_path[i].d[0] = z[i];
        z_path[i].v = z[i];
        z_path[i].d[0] = a[i];
      }
      const Vec<D, K> k = model_.k(D::seed(t, 0), y_path, z_path);
      for (int i = 0; i < K; ++i) c[M + i] = k[i].d[0];
    }
  }

  using System::derivatives;
  void derivatives(double kappa, DenseBlocks& b) override {
    const Point& p = point();
    b.M = model_.M(p.t, Vec<double, N>(p.y));
    force_blocks(p, b);
    if constexpr (M > 0) holonomic_blocks(p, b);
    if constexpr (K > 0) nonholonomic_blocks(p, b);
    if constexpr (standard_reactions) b.F = -b.C.transpose();
    if constexpr (X > 0) state_blocks(p, b);
    if (kappa != 0) subtract_mass_gradient(p, kappa, b);
  }

 protected:
  void moved(Moved how) override {
    if (how == Moved::anywhere) C_is_here_ = false;
  }

 private:
  /// Updates C_ to the present point.
  void need_constraints() {
    if (!C_is_here_) constraints(point().t, point().y, point().z, here_);
    C_is_here_ = true;
  }

  double* input(Index i) const { return variables_->input_values()[static_cast<std::size_t>(i)]; }

  template <class T>
  Vec<T, N> force(const T& t, const Vec<T, N>& y, const Vec<T, N>& z, const Vec<T, M>& lambda,
                  const Vec<T, K>& psi, const Vec<T, X>& x) const {
    if constexpr (applied<T>)
      return model_.f(t, y, z);
    else if constexpr (applied_x<T>)
      return model_.f(t, y, z, x);
    else if constexpr (whole<T>)
      return model_.f(t, y, z, lambda, psi);
    else
      return model_.f(t, y, z, lambda, psi, x);
  }

  template <class T>
  Vec<T, X> residual(const T& t, const Vec<T, X>& xdot, const Vec<T, X>& x, const Vec<T, N>& y,
                     const Vec<T, N>& z, const Vec<T, N>& a, const Vec<T, M>& lambda,
                     const Vec<T, K>& psi) const {
    if constexpr (requires { model_.d(t, xdot, x, y, z); })
      return model_.d(t, xdot, x, y, z);
    else
      return model_.d(t, xdot, x, y, z, a, lambda, psi);
  }

  /// g, g_t + G z, k; keeps C = (G; k_z) where the reactions need it.
  void constraints(double t, const Vec<double, N>& y, const Vec<double, N>& z, Values& values) {
    if constexpr (M > 0) {
      using D = Dual<double, N + 1>;
      const Vec<D, M> g = model_.g(D::seed(t, N), seeded<D>(y, 0));
      for (int i = 0; i < M; ++i) {
        values.position[i] = g[i].v;
        double rate = g[i].d[N];
        for (int j = 0; j < N; ++j) {
          C_(i, j) = g[i].d[j];
          rate += g[i].d[j] * z[j];
        }
        values.velocity[i] = rate;
      }
    }
    if constexpr (K > 0) {
      if constexpr (standard_reactions) {
        using D = Dual<double, N>;
        const Vec<D, K> k = model_.k(D(t), constant<D>(y), seeded<D>(z, 0));
        for (int i = 0; i < K; ++i) {
          values.velocity[M + i] = k[i].v;
          for (int j = 0; j < N; ++j) C_(M + i, j) = k[i].d[j];
        }
      } else {
        values.velocity.template tail<K>() = model_.k(t, y, z);
      }
    }
  }

  void force_blocks(const Point& p, DenseBlocks& b) const {
    constexpr int multipliers = standard_reactions ? 0 : M + K;
    using D = Dual<double, 2 * N + multipliers + X>;
    Vec<D, M> lambda = constant<D>(Vec<double, M>(p.lambda()));
    Vec<D, K> psi = constant<D>(Vec<double, K>(p.psi()));
    if constexpr (!standard_reactions) {
      for (int i = 0; i < M; ++i) lambda[i].d[2 * N + i] = 1;
      for (int i = 0; i < K; ++i) psi[i].d[2 * N + M + i] = 1;
    }
    const Vec<D, N> f =
        force<D>(D(p.t), seeded<D>(Vec<double, N>(p.y), 0), seeded<D>(Vec<double, N>(p.z), N),
                 lambda, psi, seeded<D>(Vec<double, X>(p.x), 2 * N + multipliers));
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) b.K(i, j) = f[i].d[j];
      for (int j = 0; j < N; ++j) b.D(i, j) = f[i].d[N + j];
      for (int j = 0; j < multipliers; ++j) b.F(i, j) = f[i].d[2 * N + j];
      for (int j = 0; j < X; ++j) b.X(i, j) = f[i].d[2 * N + multipliers + j];
    }
  }

  void holonomic_blocks(const Point& p, DenseBlocks& b) const {
    // Along (1, z) inside, gradient in y outside: G and (g_t + G z)_y in one pass.
    using Inner = Dual<double, 1>;
    using Outer = Dual<Inner, N>;
    Outer time(0.0);
    time.v = Inner::seed(p.t, 0);
    Vec<Outer, N> path;
    for (int j = 0; j < N; ++j) {
      path[j].v.v = p.y[j];
      path[j].v.d[0] = p.z[j];
      path[j].d[j] = Inner(1.0);
    }
    const Vec<Outer, M> g = model_.g(time, path);
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j) {
        b.C(i, j) = g[i].d[j].v;
        b.C_y(i, j) = g[i].d[j].d[0];
      }
    if constexpr (standard_reactions) {
      // −(Gᵀλ)_y = −Σ λ_i ∂²g_i/∂y²
      using Gradient = Dual<double, N>;
      using Hessian = Dual<Gradient, N>;
      Vec<Hessian, N> y;
      for (int j = 0; j < N; ++j) y[j] = Hessian::seed(Gradient::seed(p.y[j], j), j);
      const Vec<Hessian, M> gg = model_.g(Hessian(p.t), y);
      for (int i = 0; i < M; ++i)
        for (int r = 0; r < N; ++r)
          for (int c = 0; c < N; ++c) b.K(r, c) -= p.mu[i] * gg[i].d[r].d[c];
    }
  }

  void nonholonomic_blocks(const Point& p, DenseBlocks& b) const {
    using D = Dual<double, 2 * N>;
    const Vec<D, K> k =
        model_.k(D(p.t), seeded<D>(Vec<double, N>(p.y), 0), seeded<D>(Vec<double, N>(p.z), N));
    for (int i = 0; i < K; ++i)
      for (int j = 0; j < N; ++j) {
        b.C_y(M + i, j) = k[i].d[j];
        b.C(M + i, j) = k[i].d[N + j];
      }
    if constexpr (standard_reactions) {
      // −(k_zᵀψ)_y and −(k_zᵀψ)_z
      using Inner = Dual<double, 2 * N>;
      using Outer = Dual<Inner, N>;
      Vec<Outer, N> y;
      Vec<Outer, N> z;
      for (int j = 0; j < N; ++j) {
        y[j].v = Inner::seed(p.y[j], j);
        z[j] = Outer::seed(Inner::seed(p.z[j], N + j), j);
      }
      const Vec<Outer, K> kk = model_.k(Outer(p.t), y, z);
      for (int i = 0; i < K; ++i)
        for (int r = 0; r < N; ++r)
          for (int c = 0; c < N; ++c) {
            b.K(r, c) -= p.mu[M + i] * kk[i].d[r].d[c];
            b.D(r, c) -= p.mu[M + i] * kk[i].d[r].d[N + c];
          }
    }
  }

  void state_blocks(const Point& p, DenseBlocks& b) const {
    constexpr int at_x = X, at_y = 2 * X, at_z = at_y + N, at_a = at_z + N, at_mu = at_a + N;
    using D = Dual<double, at_mu + M + K>;
    const Vec<D, X> d = residual<D>(
        D(p.t), seeded<D>(Vec<double, X>(p.xdot), 0), seeded<D>(Vec<double, X>(p.x), at_x),
        seeded<D>(Vec<double, N>(p.y), at_y), seeded<D>(Vec<double, N>(p.z), at_z),
        seeded<D>(Vec<double, N>(p.a), at_a), seeded<D>(Vec<double, M>(p.lambda()), at_mu),
        seeded<D>(Vec<double, K>(p.psi()), at_mu + M));
    for (int i = 0; i < X; ++i) {
      for (int j = 0; j < X; ++j) b.d_xdot(i, j) = d[i].d[j];
      for (int j = 0; j < X; ++j) b.d_x(i, j) = d[i].d[at_x + j];
      for (int j = 0; j < N; ++j) b.d_y(i, j) = d[i].d[at_y + j];
      for (int j = 0; j < N; ++j) b.d_z(i, j) = d[i].d[at_z + j];
      for (int j = 0; j < N; ++j) b.d_a(i, j) = d[i].d[at_a + j];
      for (int j = 0; j < M + K; ++j) b.d_mu(i, j) = d[i].d[at_mu + j];
    }
  }

  /// K −= κ (M a)_y.
  void subtract_mass_gradient(const Point& p, double kappa, DenseBlocks& b) const {
    using D = Dual<double, N>;
    const Mat<D, N> mass = model_.M(D(p.t), seeded<D>(Vec<double, N>(p.y), 0));
    for (int i = 0; i < N; ++i)
      for (int l = 0; l < N; ++l)
        for (int j = 0; j < N; ++j) b.K(i, j) -= kappa * mass(i, l).d[j] * p.a[l];
  }

  template <class D, int Size>
  static Vec<D, Size> seeded(const Vec<double, Size>& v, int first) {
    Vec<D, Size> s;
    for (int i = 0; i < Size; ++i) s[i] = D::seed(v[i], first + i);
    return s;
  }
  template <class D, int Size>
  static Vec<D, Size> constant(const Vec<double, Size>& v) {
    Vec<D, Size> s;
    for (int i = 0; i < Size; ++i) s[i] = D(v[i]);
    return s;
  }

  ModelT model_;
  std::unique_ptr<Variables> variables_;
  Mat<double, M + K, N> C_ =
      Mat<double, M + K, N>::Zero();  // (G; k_z where reactions are ours), by values()
  Values here_;                       // room for that
  bool C_is_here_ = false;            // at the present point
};

}  // namespace mechfmu
