// The KKT matrices of solver/kkt.h for systems made of many small parts, by block LU on
// their graph: cost proportional to the number of bodies.
//
// A system describes the graph once and gives its derivatives in four layers of that layout (model/block_pattern.h):
//
//   mass KKT = value          Newton KKT = value + v velocity + p position + c rows,
//
// c = weights.constraint for g, weights.nonholonomic for k.
//
// The order of elimination is found from the mass KKT matrix at the first factorization and kept; at
// a position where one of its pivots vanishes it is found anew, once. With redundant constraints the
// mass KKT matrix decides how many pivots each node has, the Newton KKT matrix follows it; multipliers
// without pivot get no increment (smallest_multipliers() distributes them).

#pragma once

#include <memory>

#include "model/block_pattern.h"
#include "solver/block_lu.h"
#include "solver/kkt.h"

namespace mechfmu {

class BlockKkt final : public KktMatrices {
 public:
  /// Of a system that has a pattern; both must outlive it.
  explicit BlockKkt(System& system);
  ~BlockKkt() override;

  void evaluate(double kappa) override;
  bool finite() const override;
  [[nodiscard]] bool factor_mass() override;
  [[nodiscard]] bool factor_newton(const NewtonWeights& weights) override;
  void solve_mass(Vector& r) override;
  void solve_newton(Vector& r) override;
  void subtract_tilde(In w, const NewtonWeights& weights, Vector& r) const override;
  Vector project(In r, const std::vector<bool>& held) const override;
  std::vector<Redundancy> find_redundant() const override;
  void set_redundant(bool redundant) override;
  Index undetermined_unknown() const override;
  void smallest_multipliers(Vector& mu) override;

  const BlockPattern& pattern() const { return pattern_; }
  const BlockLayers& layers() const { return layers_; }
  /// Values of the Newton KKT matrix factored last.
  const Vector& newton_values() const { return newton_values_; }
  /// The order of the mass KKT matrix; null before its first factorization.
  const BlockElimination* elimination() const { return mass_.elimination.get(); }
  /// Whether the solutions are improved by a step of refinement, because of small pivots.
  bool mass_is_refined() const { return mass_.refine; }
  bool newton_is_refined() const { return newton_.refine; }

 private:
  /// A factored matrix with the order it was factored in.
  struct Factors {
    std::shared_ptr<const BlockElimination> elimination;
    std::unique_ptr<BlockLu> lu;
    bool refine = false;

    void use(std::shared_ptr<const BlockElimination> order);
  };
  struct Constraints;  // C or F alone, with a pattern of their own

  [[nodiscard]] bool factor_mass_in_order();
  void decide_refinement(Factors& factors, const Vector& values);
  void solve(Factors& factors, const Vector& values, Vector& r);
  void assemble(const NewtonWeights& weights);

  System& system_;
  const BlockPattern& pattern_;
  BlockLayers layers_;
  Vector newton_values_;
  Factors mass_, newton_;
  bool redundant_ = false;
  bool mass_is_current_ = false;  // the mass KKT matrix of the last evaluate() is factored
  Vector given_, residual_, size_;

  struct Run {
    Index offset = 0, length = 0;  // consecutive values
  };
  struct Entry {
    Index offset = 0, row = 0, column = 0, rows = 0, columns = 0;  // a block in a matrix
  };
  std::vector<Run> holonomic_, nonholonomic_;  // constraint rows, motion columns
  std::vector<Entry> motion_columns_[3];       // rows of motion and states; of g; of k

  // Projection onto the constraints, and the smallest multipliers: made when first asked for.
  mutable std::unique_ptr<Constraints> projection_;
  std::unique_ptr<Constraints> distribution_;
  BlockLayers elsewhere_;  // derivatives at another point than that of the factors
};

}  // namespace mechfmu
