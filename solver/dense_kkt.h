// The KKT matrices of solver/kkt.h as dense matrices, for C++ models and small systems.

#pragma once

#include "solver/dense_lu.h"
#include "solver/kkt.h"

namespace mechfmu {

class DenseKkt final : public KktMatrices {
 public:
  explicit DenseKkt(System& system);

  void evaluate(double kappa) override;
  bool finite() const override;
  [[nodiscard]] bool factor_mass() override;
  [[nodiscard]] bool factor_newton(const NewtonWeights& weights) override;
  /// Measured: 2 for a pendulum of 3 unknowns, 7 for Andrews' mechanism of 13, 8.5 for a
  /// slider-crank of 16.
  double cost_of_renewal() const override {
    return 1 + 0.5 * static_cast<double>(system_.sizes().kkt());
  }
  void solve_mass(Vector& r) override { mass_.solve(r); }
  void solve_newton(Vector& r) override { newton_.solve(r); }
  void subtract_tilde(In w, Vector& r) const override;
  void add_change(const Change& along, Vector& r) const override;
  void multiply_mass(In v, Vector& r) const override;
  void subtract_rates_of(In jump, Vector& r) const override;
  Vector project(In r, const std::vector<bool>& held) const override;
  std::vector<Redundancy> find_redundant() const override;
  void set_redundant(bool redundant) override { redundant_ = redundant; }
  Index undetermined_unknown() const override;

  const DenseBlocks& blocks() const { return blocks_; }

 private:
  void fill(const NewtonWeights& weights, Matrix& A) const;
  void gather_tilde(const NewtonWeights& weights);

  System& system_;
  DenseBlocks blocks_;
  DenseLu mass_, newton_;
  CompactRows tilde_;  // (−p K; c C_y; p d_y)
  bool redundant_ = false;
};

}  // namespace mechfmu
