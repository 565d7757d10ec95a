// Linear algebra that counts its work.

#pragma once

#include <memory>
#include <vector>

#include "solver/kkt.h"

namespace mechfmu::tests {

struct Work {
  int derivatives = 0, factors = 0, mass_solves = 0;
  bool operator==(const Work&) const = default;
};

/// The usual linear algebra, with its work counted.
class Counting final : public KktMatrices {
 public:
  Counting(System& system, Work& work) : own_(make_kkt(system)), work_(work) {}
  void evaluate(double kappa) override {
    ++work_.derivatives;
    own_->evaluate(kappa);
  }
  bool finite() const override { return own_->finite(); }
  bool factor_mass() override { return ++work_.factors, own_->factor_mass(); }
  bool factor_newton(const NewtonWeights& w) override {
    return ++work_.factors, own_->factor_newton(w);
  }
  double cost_of_renewal() const override { return own_->cost_of_renewal(); }
  void solve_mass(Vector& r) override {
    ++work_.mass_solves;
    own_->solve_mass(r);
  }
  void solve_newton(Vector& r) override { own_->solve_newton(r); }
  void subtract_tilde(In w, Vector& r) const override { own_->subtract_tilde(w, r); }
  void subtract_rates_of(In w, Vector& r) const override { own_->subtract_rates_of(w, r); }
  void add_change(const Change& along, Vector& r) const override { own_->add_change(along, r); }
  void multiply_mass(In v, Vector& r) const override { own_->multiply_mass(v, r); }
  Vector project(In r, const std::vector<bool>& held) const override {
    return own_->project(r, held);
  }
  std::vector<Redundancy> find_redundant() const override { return own_->find_redundant(); }
  void set_redundant(bool redundant) override { own_->set_redundant(redundant); }
  Index undetermined_unknown() const override { return own_->undetermined_unknown(); }
  void smallest_multipliers(Vector& mu) override { own_->smallest_multipliers(mu); }

 private:
  std::unique_ptr<KktMatrices> own_;
  Work& work_;
};

}  // namespace mechfmu::tests
