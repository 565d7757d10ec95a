// Problems of the constraints alone, without the rest of the equations of motion: smallest changes
// that satisfy them, rows that depend on others, smallest multipliers.
//
//   [ 1  Aᵀ ]   A = C S, δ = S x:  (x, λ) with C δ = r and the smallest x
//   [ A  −E ]   S = diag(1/√M_jj), 0 for held coordinates (kkt.h, to_ease)
//
//   [ 0   F ]   (w, μ) with the given F μ and the smallest μ
//   [ Fᵀ −1 ]
//
// They use a separate pattern with the couplings of constraints and motion only. The small E,
// ε |row|², keeps the first matrix regular if constraints depend on each other; repetition removes
// its effect (the proximal iteration). The second matrix lacks as many pivots in its rows of motion
// as there are degrees of freedom: these rows are found with its order, and left out.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/block_pattern.h"
#include "solver/block_lu.h"
#include "solver/kkt.h"

namespace mechfmu {

class BlockConstraints {
 public:
  /// `whole`: the pattern of a KKT matrix with n motion unknowns; `values` below are the numbers of
  /// its blocks.
  BlockConstraints(const BlockPattern& whole, Index n);

  /// Smallest δ (of the coordinates not held, measured as in KktMatrices::project) with C δ = r for
  /// the first r.size() rows. The order of elimination is kept while rows and coordinates stay the
  /// same and the order suits the numbers. Allocates.
  Vector project(const Vector& values, In r, const std::vector<bool>& held);

  /// Rows of C that depend on others. Allocates.
  std::vector<Redundancy> find_redundant(const Vector& values);

  /// The order of elimination for smallest_multipliers(), and the rows that it leaves out, from the
  /// numbers at one point. Allocates.
  ForcesOrder find_order_of_forces(const Vector& values);
  void use_order_of_forces(const ForcesOrder& order);
  /// μ ← the smallest μ with the same forces F μ. If the order does not suit the numbers, this call
  /// finds another one for itself (and allocates), so that the result depends on the given order
  /// and the numbers only.
  void smallest_multipliers(const Vector& values, Vector& mu);

 private:
  struct Link {
    Index full = 0;    // block of the whole pattern
    Index own = 0;     // A_rc of the pattern of constraints
    Index mirror = 0;  // A_cr
  };
  /// An order and the factors in that order.
  struct Factors {
    explicit Factors(const BlockPattern& pattern, const std::vector<std::int32_t>& order)
        : elimination(pattern, order), lu(elimination) {}
    BlockElimination elimination;
    BlockLu lu;
  };

  ForcesOrder find_order_of_forces() const;
  void set_rows(const Vector& whole, Index count, const Vector& ease, double epsilon);
  void set_forces(const Vector& whole);
  void multiply(bool rows_of_constraints, const Vector& x, Vector& y) const;
  std::unique_ptr<Factors> ordered() const;
  std::unique_ptr<Factors> ordered(const ForcesOrder& order) const;
  [[nodiscard]] bool factor(Factors& factors) const;

  const BlockPattern& whole_;
  Index n_;
  BlockPattern pattern_;
  std::vector<Link> links_;  // constraint × motion blocks of the whole pattern
  Vector values_, scale_;    // numbers of the matrix; reference sizes of the pivots
  Vector rhs_, rest_, left_;
  std::unique_ptr<Factors> projection_, forces_;
  std::vector<bool> held_;  // coordinates held when the order of the projection was found
  Index rows_ = -1;
};

}  // namespace mechfmu
