#include "solver/block_constraints.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/block_ordering.h"
#include "solver/rank.h"

namespace mechfmu {

namespace {
// ε: constraints that count as dependent are not distinguished from it.
constexpr double regularization = rank_tolerance;
constexpr int proximal_steps = 10;    // at most, to remove the effect of ε
constexpr double poor_pivot = 1e-6;   // of forces: below, another order is sought
constexpr int refinements = 4;        // at most, for the smallest multipliers
constexpr double same_forces = 1e-6;  // relative to the forces before the minimization
// For at most so many rows, the constraints they depend on are determined.
constexpr std::size_t redundant_named = 100;
}  // namespace

BlockConstraints::BlockConstraints(const BlockPattern& whole, Index n) : whole_(whole), n_(n) {
  // States are last in the KKT vector, so that the other unknowns keep their numbers.
  std::vector<Index> number(ix(whole.node_count()), -1);
  for (Index v = 0; v < whole.node_count(); ++v) {
    const auto& node = whole.node(v);
    if (node.kind != NodeKind::state)
      number[ix(v)] = pattern_.add_node(node.kind, node.first, node.size);
  }
  for (Index id = 0; id < whole.block_count(); ++id) {
    const auto& block = whole.at(id);
    if (!is_constraint(whole.node(block.row).kind) ||
        whole.node(block.column).kind != NodeKind::motion)
      continue;
    const Index own = pattern_.block(number[ix(block.row)], number[ix(block.column)], layer::value);
    links_.push_back({id, own, pattern_.at(own).mirror});
  }
  values_ = Vector::Zero(pattern_.value_count());
  scale_ = rhs_ = rest_ = left_ = Vector::Zero(pattern_.unknown_count());
}

/// Sets A to the first `count` rows of C, with columns for coordinates in units of their ease.
void BlockConstraints::set_rows(const Vector& whole, Index count, const Vector& ease,
                                double epsilon) {
  values_.setZero();
  scale_.setZero();
  for (const Link& link : links_) {
    auto A = pattern_.map(values_, link.own);
    A = whole_.map(whole, link.full);
    const auto& row = pattern_.node(pattern_.at(link.own).row);
    const auto& column = pattern_.node(pattern_.at(link.own).column);
    if (ease.size() > 0) A = A * ease.segment(column.first, column.size).asDiagonal();
    for (Index i = 0; i < A.rows(); ++i)
      if (row.first + i >= n_ + count) A.row(i).setZero();
    pattern_.map(values_, link.mirror) = A.transpose();
    scale_.segment(row.first, row.size) += A.rowwise().squaredNorm();
  }
  for (Index v = 0; v < pattern_.node_count(); ++v) {
    const auto& node = pattern_.node(v);
    auto D = pattern_.map(values_, node.diagonal);
    for (Index i = 0; i < node.size; ++i) {
      const double size2 = scale_[node.first + i];
      if (is_constraint(node.kind))
        D(i, i) = size2 > 0 || epsilon == 0 ? -epsilon * size2 : -1;
      else
        D(i, i) = 1;
    }
  }
}

void BlockConstraints::set_forces(const Vector& whole) {
  values_.setZero();
  for (const Link& link : links_) {
    auto A = pattern_.map(values_, link.mirror);
    A = -whole_.map(whole, whole_.at(link.full).mirror);
    pattern_.map(values_, link.own) = A.transpose();
  }
  for (Index v = 0; v < pattern_.node_count(); ++v)
    if (const auto& node = pattern_.node(v); is_constraint(node.kind))
      pattern_.map(values_, node.diagonal).diagonal().setConstant(-1);
}

/// y = A x or y = Aᵀ x from the off-diagonal blocks: rows of constraints or rows of motion.
void BlockConstraints::multiply(bool rows_of_constraints, const Vector& x, Vector& y) const {
  y.setZero();
  for (const Link& link : links_) {
    const Index id = rows_of_constraints ? link.own : link.mirror;
    const auto& row = pattern_.node(pattern_.at(id).row);
    const auto& column = pattern_.node(pattern_.at(id).column);
    y.segment(row.first, row.size).noalias() +=
        pattern_.map(values_, id).lazyProduct(x.segment(column.first, column.size));
  }
}

/// Factors in an order that suits the present numbers.
std::unique_ptr<BlockConstraints::Factors> BlockConstraints::ordered() const {
  return std::make_unique<Factors>(pattern_, find_order(pattern_, values_, scale_).nodes);
}

bool BlockConstraints::factor(Factors& factors) const {
  return factors.lu.factor(values_) && factors.lu.smallest_pivot() > 1e-3 * regularization;
}

// --- initialization ---

Vector BlockConstraints::project(const Vector& values, In r, const std::vector<bool>& held) {
  // [1 Aᵀ; A −E] (δ, λ) = (0, r − A δ) until the residual no longer decreases.
  Vector ease(n_);
  for (Index v = 0; v < whole_.node_count(); ++v)
    if (const auto& node = whole_.node(v); node.kind == NodeKind::motion)
      ease.segment(node.first, node.size) = whole_.map(values, node.diagonal).diagonal();
  to_ease(ease);
  for (Index j = 0; j < n_; ++j)
    if (held[ix(j)]) ease[j] = 0;
  set_rows(values, r.size(), ease, regularization);
  const bool same = projection_ && rows_ == r.size() && held_ == held;
  rows_ = r.size();
  held_ = held;
  Vector delta = Vector::Zero(pattern_.unknown_count());
  if (!same || !factor(*projection_)) {
    projection_ = ordered();
    if (!projection_->lu.factor(values_)) return delta.head(n_);
  }
  double left = r.norm();
  for (int step = 0; step < proximal_steps && left > 0; ++step) {
    multiply(true, delta, rest_);
    rhs_.setZero();
    rhs_.segment(n_, r.size()) = r - rest_.segment(n_, r.size());
    const double before = left;
    left = rhs_.norm();
    if (step > 0 && (left <= 1e-15 * r.norm() || left > 0.5 * before)) break;
    projection_->lu.solve(rhs_);
    delta.head(n_) += rhs_.head(n_);
  }
  return ease.cwiseProduct(delta.head(n_));
}

std::vector<Redundancy> BlockConstraints::find_redundant(const Vector& values) {
  // [1 Cᵀ; C 0] has the kernel (0, κ) with Cᵀκ = 0.
  std::vector<Redundancy> found;
  set_rows(values, pattern_.unknown_count() - n_, Vector(), 0);
  scale_.setZero();
  const auto factors = ordered();
  if (!factors->lu.factor(values_, MissingPivots::drop)) return found;
  for (const Index unknown : factors->lu.dropped_columns()) {
    if (unknown < n_) continue;  // a coordinate, after an overflow of numbers
    found.push_back({unknown - n_, {}});
    if (found.size() > redundant_named) continue;
    left_.setZero();
    left_[unknown] = 1;
    multiply(false, left_, rhs_);
    rhs_ *= -1;
    factors->lu.solve(rhs_);
    for (Index i = n_; i < rhs_.size(); ++i)
      if (std::abs(rhs_[i]) > 1e-6) found.back().of.push_back(i - n_);
  }
  return found;
}

// --- redundant constraints ---

ForcesOrder BlockConstraints::find_order_of_forces() const {
  BlockOrder order = find_order(pattern_, values_);
  ForcesOrder found{std::move(order.nodes), std::vector<std::int32_t>(ix(rest_.size()), 0)};
  for (const Index unknown : order.undetermined) found.left_out[ix(unknown)] = 1;
  return found;
}

ForcesOrder BlockConstraints::find_order_of_forces(const Vector& values) {
  set_forces(values);
  return find_order_of_forces();
}

std::unique_ptr<BlockConstraints::Factors> BlockConstraints::ordered(
    const ForcesOrder& order) const {
  auto factors = std::make_unique<Factors>(pattern_, order.nodes);
  factors->lu.leave_out(order.left_out);
  return factors;
}

void BlockConstraints::use_order_of_forces(const ForcesOrder& order) { forces_ = ordered(order); }

void BlockConstraints::smallest_multipliers(const Vector& values, Vector& mu) {
  // [0 F; Fᵀ −1] (w, δμ) = (F (μ₀ − μ), 0) from μ = 0, so that μ = Fᵀ Σ w: once, and again to
  // remove roundoff.
  set_forces(values);
  std::unique_ptr<Factors> only_here;
  Factors* factors = forces_.get();
  if (!factors->lu.factor(values_) || factors->lu.smallest_pivot() < poor_pivot) {
    only_here = ordered(find_order_of_forces());
    factors = only_here.get();
    if (!factors->lu.factor(values_)) return;
  }
  left_.setZero();
  left_.tail(mu.size()) = mu;
  mu.setZero();
  double first = 0;
  double left = std::numeric_limits<double>::infinity();
  for (int step = 0; step < refinements; ++step) {
    multiply(false, left_, rhs_);
    const double before = left;
    left = rhs_.norm();
    if (step == 0) first = left;
    if (left == 0 || left > 0.5 * before) break;
    rhs_.tail(mu.size()).setZero();
    factors->lu.solve(rhs_);
    mu += rhs_.tail(mu.size());
    left_.tail(mu.size()) -= rhs_.tail(mu.size());
  }
  // Different forces are worse than multipliers that are not the smallest.
  if (!(left <= same_forces * first)) mu += left_.tail(mu.size());
}

}  // namespace mechfmu
