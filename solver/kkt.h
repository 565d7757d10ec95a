// The two KKT matrices of a constrained mechanical system, and the operations on them.
//
// With unknowns on acceleration level, δz = v δa, δy = p δa, δx = v δx', every linear system of
// the solver is one of
//
//   mass KKT             [ M    −f_μ   0    ]        Newton KKT: the same with
//                        [ C     0     0    ]          M − v f_z − p K   for M,   −v f_x for 0,
//                        [ d_a   d_μ   d_x' ]          C + c C_y         for C,
//                                                      d_a + v d_z + p d_y, d_x' + v d_x
//
// The first serves initialization, projections, accelerations of outputs, input jumps and the
// difference of the two sets of (14). The second serves the Newton iteration. Neither contains
// powers of h that grow as h → 0.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/system.h"

namespace mechfmu {

struct NewtonWeights {
  double velocity = 0;      // v = hγ / s,   s = (1−αm)/(1−αf)
  double position = 0;      // p = h²β / s
  double constraint = 0;    // c = hβ/γ for methods with velocity constraints, else 0
  double nonholonomic = 0;  // the same for the rows of k: hβ/γ with every method

  friend bool operator==(const NewtonWeights&, const NewtonWeights&) = default;
};

/// A row of C that depends on others at some position.
struct Redundancy {
  Index row = 0;
  std::vector<Index> of;  // the rows whose combination it is
};

struct ForcesOrder {
  std::vector<std::int32_t> nodes, left_out;
  friend bool operator==(const ForcesOrder&, const ForcesOrder&) = default;
};

/// The orders of elimination of block matrices, as numbers that a state can store:
/// BlockOrder::nodes, padded with zeros to the size of the KKT vector. All zeros: no order yet, or
/// a dense matrix. The orders include the rows they leave out.
struct KktOrders {
  std::vector<std::int32_t> mass, newton;  // orders of the two matrices
  // 1 for multipliers and rows that redundant constraints make dispensable.
  std::vector<std::int32_t> left_out;
  // The smallest pivot of the mass matrix, at its best since the order was found.
  double best_pivot = 1;
  // How many numbers the factors of the Newton matrix had when its order was found; used if blocks
  // come and go.
  double newton_numbers = 0;
  ForcesOrder forces;  // order of the matrix for the smallest multipliers

  void resize(const Sizes& sizes) {
    mass.assign(ix(sizes.kkt()), 0);
    newton = left_out = forces.nodes = forces.left_out = mass;
    best_pivot = 1;
    newton_numbers = 0;
  }
};

class KktMatrices {
 public:
  KktMatrices() = default;
  KktMatrices(const KktMatrices&) = delete;
  KktMatrices& operator=(const KktMatrices&) = delete;
  virtual ~KktMatrices() = default;

  /// Computes the derivatives at the present point of the system; K = f_y − κ (M a)_y.
  virtual void evaluate(double kappa) = 0;
  virtual bool finite() const = 0;

  [[nodiscard]] virtual bool factor_mass() = 0;
  [[nodiscard]] virtual bool factor_newton(const NewtonWeights& weights) = 0;

  /// Cost of the derivatives and both factorizations, in iterations of a step. It is counted in
  /// instructions, not timed, so that runs are the same on every machine.
  virtual double cost_of_renewal() const = 0;

  /// Solves in place; the vector holds n equations of motion, m + k constraints, x states.
  virtual void solve_mass(Vector& r) = 0;
  virtual void solve_newton(Vector& r) = 0;

  /// r −= (−p K; c C_y; p d_y) w with the weights of factor_newton: the contribution of w = ã − a
  /// to the Newton system through y₁.
  virtual void subtract_tilde(In w, Vector& r) const = 0;
  /// r += (−K δy − f_z δz − f_x δx; 0; d_y δy + d_z δz + d_x δx).
  virtual void add_change(const Change& along, Vector& r) const = 0;
  /// r = (mass KKT) v.
  virtual void multiply_mass(In v, Vector& r) const = 0;
  /// r −= (−f_z Δa − f_x Δx'; C_y Δa, of g three times; d_z Δa + d_x Δx'): the effect of a jump of
  /// (a, μ, x') on the time derivatives of the equations of motion, of g̈ = 0 and k̇ = 0, and of
  /// d = 0.
  virtual void subtract_rates_of(In jump, Vector& r) const = 0;

  /// Smallest δ (of the coordinates not held) with C δ = r for the first r.size() rows of C. It
  /// minimizes Σ M_jj δ_j²: the masses make metres and radians comparable. For initialization; may
  /// allocate.
  virtual Vector project(In r, const std::vector<bool>& held) const = 0;
  /// Rows of C that depend on others at this position. For initialization; may allocate.
  virtual std::vector<Redundancy> find_redundant() const = 0;
  /// From the next factorization on, selects rank-revealing elimination with the smallest
  /// multipliers. Called when an initialization begins, when it has found the rank, and when a
  /// state returns to this solver.
  virtual void set_redundant(bool redundant) = 0;
  /// The unknown (coordinate or constraint row, as an index into the KKT vector) that a singular
  /// mass KKT matrix determines least.
  virtual Index undetermined_unknown() const = 0;
  /// μ ← the smallest μ with the same forces F μ, F = f_μ at the present point of the system.
  /// Needed by linear algebra that does not return the smallest multipliers itself. Allocates only
  /// if F lacks the rank that its order of elimination requires.
  virtual void smallest_multipliers(Vector& /*mu*/) {}

  /// The orders of elimination in use, which affect the last bits of every solution. The first
  /// factorization finds them. A later one finds new orders if a pivot vanishes; this allocates,
  /// and is rare.
  const KktOrders& orders() const { return orders_; }
  /// A hash of the orders; 0 if there are none.
  std::uint64_t order_stamp() const { return order_stamp_; }
  /// Number of searches for an order so far.
  int searches() const { return searches_; }
  /// Uses these orders from the next factorization on; zeros: finds new ones there. Allocates if
  /// they differ from those in use.
  virtual void set_orders(const KktOrders& /*orders*/) {}

 protected:
  KktOrders orders_;
  std::uint64_t order_stamp_ = 0;
  int searches_ = 0;
};

/// Replaces M_jj by 1/√M_jj: the ease with which a coordinate moves. For massless coordinates it is
/// bounded by 10⁴ times the ease of the others.
void to_ease(Vector& masses);

/// The matrices that fit the system: block matrices if it has a pattern, else dense ones.
std::unique_ptr<KktMatrices> make_kkt(System& system);

}  // namespace mechfmu
