// The two matrices of a constrained mechanical system, and what is done with them.
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
// difference of the two sets of (14); the second serves the Newton iteration. Neither has powers
// of h in it that grow as h → 0.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/system.h"

namespace mechfmu {

struct NewtonWeights {
  double velocity = 0;      // v = hγ / s,   s = (1−αm)/(1−αf)
  double position = 0;      // p = h²β / s
  double constraint = 0;    // c = hβ/γ where velocity constraints are solved, else 0
  double nonholonomic = 0;  // the same for the rows of k (hβ/γ with every method)

  friend bool operator==(const NewtonWeights&, const NewtonWeights&) = default;
};

/// Which rows of C depend on the others at some position.
struct Redundancy {
  Index row = 0;
  std::vector<Index> of;  // rows it is a combination of
};

struct ForcesOrder {
  std::vector<std::int32_t> nodes, left_out;
  friend bool operator==(const ForcesOrder&, const ForcesOrder&) = default;
};

/// The orders in which matrices of blocks are eliminated, as numbers that a state can keep: BlockOrder::nodes, with zeros up to the
/// size of the KKT vector; zeros alone where there is none yet, and for dense matrices. With them go the rows they leave out.
struct KktOrders {
  std::vector<std::int32_t> mass, newton;  // of the two matrices
  std::vector<std::int32_t>
      left_out;           // 1 for multipliers and rows that redundant constraints make dispensable
  double best_pivot = 1;  // smallest pivot of the mass matrix when it was best in its order
  double newton_numbers =
      0;  // in the factors of the Newton matrix when its order was found, where blocks come and go
  ForcesOrder forces;  // of the matrix that finds the smallest multipliers

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

  /// Takes the derivatives where the system is; K = f_y − κ (M a)_y.
  virtual void evaluate(double kappa) = 0;
  virtual bool finite() const = 0;

  [[nodiscard]] virtual bool factor_mass() = 0;
  [[nodiscard]] virtual bool factor_newton(const NewtonWeights& weights) = 0;

  /// What derivatives and both factorizations cost, in iterations of a step: counted in instructions, not timed, so that runs are the same
  /// everywhere.
  virtual double cost_of_renewal() const = 0;

  /// Solve in place; the vector holds n equations of motion, m + k constraints, x states.
  virtual void solve_mass(Vector& r) = 0;
  virtual void solve_newton(Vector& r) = 0;

  /// r −= (−p K; c C_y; p d_y) w with the weights of factor_newton: how w = ã − a enters the Newton system through y₁.
  virtual void subtract_tilde(In w, Vector& r) const = 0;
  /// r += (−K δy − f_z δz − f_x δx; 0; d_y δy + d_z δz + d_x δx).
  virtual void add_change(const Change& along, Vector& r) const = 0;
  /// r = (mass KKT) v.
  virtual void multiply_mass(In v, Vector& r) const = 0;
  /// r −= (−f_z Δa − f_x Δx'; C_y Δa, of g three times; d_z Δa + d_x Δx'): what a jump of (a, μ, x') does to the time derivatives of
  /// the equations of motion, of g̈ = 0 and k̇ = 0, and of d = 0.
  virtual void subtract_rates_of(In jump, Vector& r) const = 0;

  /// Smallest δ (of the coordinates not held) with C δ = r for the first r.size() rows of C: least Σ M_jj δ_j², which knows
  /// how metres and radians compare.
  /// For initialization; may allocate.
  virtual Vector project(In r, const std::vector<bool>& held) const = 0;
  /// Rows of C that depend on others here. For initialization; may allocate.
  virtual std::vector<Redundancy> find_redundant() const = 0;
  /// Solve by rank-revealing elimination with the smallest multipliers, from the next factor on. Called when an initialization
  /// begins, when it knows, and when a state returns.
  virtual void set_redundant(bool redundant) = 0;
  /// The unknown (coordinate or constraint row, as an index into the KKT vector) that a singular
  /// mass KKT matrix leaves undetermined most strongly.
  virtual Index undetermined_unknown() const = 0;
  /// μ ← the smallest one with the same forces F μ, F = f_μ where the system is. For linear
  /// algebra whose solutions are not the smallest ones anyway; allocates nothing, unless F has no rank where the system is that its
  /// order of elimination counts on.
  virtual void smallest_multipliers(Vector& /*mu*/) {}

  /// The orders of elimination in use, which decide on the last bits of every solution. They are found by the first factorization,
  /// and by a later one where a pivot vanishes: this allocates, and is rare.
  const KktOrders& orders() const { return orders_; }
  /// A hash of them; 0 where there are none.
  std::uint64_t order_stamp() const { return order_stamp_; }
  /// How often an order was found, so far.
  int searches() const { return searches_; }
  /// Uses these from the next factorization on, or (zeros) finds new ones there. Allocates where they differ from those in use.
  virtual void set_orders(const KktOrders& /*orders*/) {}

 protected:
  KktOrders orders_;
  std::uint64_t order_stamp_ = 0;
  int searches_ = 0;
};

/// 1/√M_jj from the diagonal of M, in place: how easily a coordinate is moved; massless ones no more than 10⁴ times as easily as others.
void to_ease(Vector& masses);

/// Those that fit the system: blocks where it has a pattern, else dense ones.
std::unique_ptr<KktMatrices> make_kkt(System& system);

}  // namespace mechfmu
