// A flexible body in numbers: a finite element model reduced to a sum of modes.
//
//   u(x) = Σ φ_k(x) q_k,   θ(x) = Σ ψ_k(x) q_k
//   ∫ φ_k·φ_l dm = δ_kl                                in mean axes: ∫ φ_k dm = 0, ∫ x × φ_k dm = 0
//   J(q) = J₀ + Σ q_k J1_k + ½ ΣΣ q_k q_l J2_kl        inertia about the centre of mass
//   g_kl = ∫ φ_k × φ_l dm = −g_lk                      of Coriolis forces
//   σ    = Σ s_k q_k                                   stresses, and other functions of q alone
//
// docs/flexible.md describes how the numbers are made. Axes and origin are those of the finite
// element model.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mechanics/number.h"

namespace mechfmu::mechanics {

struct ModalBody {
  std::vector<std::string> nodes;     // names of interface nodes
  std::vector<std::string> stresses;  // names of the recovered quantities
  std::int32_t modes = 0;             // m
  std::int32_t second = 0;            // the first `second` modes have J2 and g
  std::vector<double> numbers;        // size() of them, in this order:

  // mass; centre 3; J₀ 6 (xx yy zz xy xz yz); of each node its place 3; of each mode ω, then of
  // each ζ; of each mode and node φ 3, ψ 3; of each mode J1 6; of each k ≤ l J2 6; of each k < l g
  // 3; of each stress s of all modes
  std::size_t size() const;
  // Static flexibility that the modes leave out, for checks only: per node λ_max of translations in
  // m/N and of rotations in rad/(N m). Empty if there is none, or if it is unknown.
  std::vector<double> residual = {};

  double mass() const { return numbers[0]; }
  Vec3 centre() const { return three(1); }
  Mat3 inertia() const { return symmetric(4); }
  Vec3 place(std::size_t node) const { return three(10 + 3 * node); }
  double omega(std::size_t mode) const { return numbers[first_mode() + mode]; }
  double zeta(std::size_t mode) const { return numbers[first_mode() + count() + mode]; }
  Vec3 phi(std::size_t node, std::size_t mode) const { return three(shape(node, mode)); }
  Vec3 psi(std::size_t node, std::size_t mode) const { return three(shape(node, mode) + 3); }
  Mat3 J1(std::size_t mode) const { return symmetric(first_J1() + 6 * mode); }
  Mat3 J2(std::size_t k, std::size_t l) const;
  Vec3 g(std::size_t k, std::size_t l) const;
  double stress(std::size_t row, std::size_t mode) const;

  std::size_t count() const { return static_cast<std::size_t>(modes); }
  /// Largest |φ_k| at the nodes, and no less than the mean 1/√mass over the body.
  double amplitude(std::size_t mode) const;
  /// Problems with the numbers, each with a remedy.
  std::vector<std::string> problems() const;
  /// The first `keep` modes. The first `second_order` of them keep terms of second order; without
  /// `first_order` J1 is left out.
  ModalBody reduced(std::int32_t keep, bool first_order, std::int32_t second_order) const;
  /// The number of motions of the given nodes, 6 of each, that rigid motions and modes cannot
  /// represent.
  int missing_motions(const std::vector<std::size_t>& of_nodes) const;
  /// The part of the static flexibility of a node, Σ φφᵀ/ω² or Σ ψψᵀ/ω² measured by the largest
  /// eigenvalue, that is missing with the first `keep` modes: the larger one of translations and
  /// rotations.
  double missing_flexibility(std::size_t node, std::int32_t keep) const;

 private:
  std::size_t first_mode() const { return 10 + 3 * nodes.size(); }
  std::size_t shape(std::size_t node, std::size_t mode) const {
    return first_mode() + 2 * count() + 6 * (mode * nodes.size() + node);
  }
  std::size_t first_J1() const { return shape(0, count()); }
  std::size_t first_J2() const { return first_J1() + 6 * count(); }
  std::size_t first_g() const;
  std::size_t first_stress() const;
  Vec3 three(std::size_t at) const { return {numbers[at], numbers[at + 1], numbers[at + 2]}; }
  Mat3 symmetric(std::size_t at) const;
};

}  // namespace mechfmu::mechanics
