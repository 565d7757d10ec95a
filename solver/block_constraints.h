// Constraints alone, without the rest of the equations of motion: smallest changes that satisfy them, rows that depend on others,
// smallest multipliers.
//
//   [ 1  Aᵀ ]   A = C S, δ = S x:  (x, λ) with C δ = r and the smallest x
//   [ A  −E ]   S = diag(1/√M_jj), 0 for what is held (kkt.h, to_ease)
//
//   [ 0   F ]   (w, μ) with F μ as given and the smallest μ
//   [ Fᵀ −1 ]
//
// on a pattern of its own, which has the couplings of constraints and motion only. E small, ε |row|², keeps the first matrix regular
// where constraints depend on each other; what it changes is removed by repetition (the proximal iteration). The second one lacks as
// many pivots in its rows of motion as there are degrees of freedom: those are found with its order, and left out.

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
  /// Of the pattern of a KKT matrix with n motion unknowns; `values` below are numbers of its blocks.
  BlockConstraints(const BlockPattern& whole, Index n);

  /// Smallest δ (of the coordinates not held, as KktMatrices::project measures it) with C δ = r for the first r.size() rows. The order
  /// of elimination is kept as long as it is about the same rows and coordinates, and suits the numbers. Allocates.
  Vector project(const Vector& values, In r, const std::vector<bool>& held);

  /// Rows of C that depend on others. Allocates.
  std::vector<Redundancy> find_redundant(const Vector& values);

  /// The order of elimination for smallest_multipliers() and the rows it leaves out, from the numbers at one point; allocates.
  ForcesOrder find_order_of_forces(const Vector& values);
  void use_order_of_forces(const ForcesOrder& order);
  /// μ ← the smallest one with the same forces F μ. Where the order does not suit the numbers, another one is found for this call
  /// alone (and allocates), so that the result depends on the order given and the numbers only.
  void smallest_multipliers(const Vector& values, Vector& mu);

 private:
  struct Link {
    Index full = 0;    // block of the whole pattern
    Index own = 0;     // A_rc of the pattern of constraints
    Index mirror = 0;  // A_cr
  };
  /// An order and what is factored in it.
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
  Vector values_, scale_;    // of the matrix; what pivots are compared with
  Vector rhs_, rest_, left_;
  std::unique_ptr<Factors> projection_, forces_;
  std::vector<bool> held_;  // for which the projection was ordered
  Index rows_ = -1;
};

}  // namespace mechfmu
