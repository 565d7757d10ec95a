#include "solver/dense_kkt.h"

#include <Eigen/QR>
#include <Eigen/SVD>

#include "solver/rank.h"

namespace mechfmu {

DenseKkt::DenseKkt(System& system) : system_(system) {
  blocks_.resize(system.sizes());
  const Sizes& s = system.sizes();
  mass_.resize(s.n, s.mu(), s.x);
  newton_.resize(s.n, s.mu(), s.x);
  tilde_.resize(s.kkt(), s.n);
}

void DenseKkt::evaluate(double kappa) { system_.derivatives(kappa, blocks_); }

bool DenseKkt::finite() const {
  const auto& b = blocks_;
  return b.M.allFinite() && b.K.allFinite() && b.D.allFinite() && b.F.allFinite() &&
         b.X.allFinite() && b.C.allFinite() && b.C_y.allFinite() && b.d_xdot.allFinite() &&
         b.d_x.allFinite() && b.d_y.allFinite() && b.d_z.allFinite() && b.d_a.allFinite() &&
         b.d_mu.allFinite();
}

void DenseKkt::fill(const NewtonWeights& w, Matrix& A) const {
  const Sizes& s = system_.sizes();
  const auto& b = blocks_;
  A.topLeftCorner(s.n, s.n) = b.M - w.velocity * b.D - w.position * b.K;
  A.block(0, s.n, s.n, s.mu()) = -b.F;
  A.topRightCorner(s.n, s.x) = -w.velocity * b.X;
  A.block(s.n, 0, s.m, s.n) = b.C.topRows(s.m) + w.constraint * b.C_y.topRows(s.m);
  A.block(s.n + s.m, 0, s.k, s.n) = b.C.bottomRows(s.k) + w.nonholonomic * b.C_y.bottomRows(s.k);
  A.block(s.n, s.n, s.mu(), s.mu() + s.x).setZero();
  A.bottomLeftCorner(s.x, s.n) = b.d_a + w.velocity * b.d_z + w.position * b.d_y;
  A.block(s.n + s.mu(), s.n, s.x, s.mu()) = b.d_mu;
  A.bottomRightCorner(s.x, s.x) = b.d_xdot + w.velocity * b.d_x;
}

bool DenseKkt::factor_mass() {
  fill({}, mass_.matrix());
  return mass_.factor(redundant_);
}

bool DenseKkt::factor_newton(const NewtonWeights& weights) {
  fill(weights, newton_.matrix());
  gather_tilde(weights);
  return newton_.factor(redundant_);
}

void DenseKkt::gather_tilde(const NewtonWeights& w) {
  const Sizes& s = system_.sizes();
  const auto& b = blocks_;
  tilde_.clear();
  for (Index i = 0; i < s.n; ++i) tilde_.append(-w.position * b.K.row(i));
  for (Index i = 0; i < s.mu(); ++i)
    tilde_.append((i < s.m ? w.constraint : w.nonholonomic) * b.C_y.row(i));
  for (Index i = 0; i < s.x; ++i) tilde_.append(w.position * b.d_y.row(i));
}

void DenseKkt::subtract_tilde(In w, Vector& r) const {
  for (Index i = 0; i < tilde_.rows(); ++i) r[i] -= tilde_.times(i, w.data());
}

void DenseKkt::add_change(const Change& along, Vector& r) const {
  const Sizes& s = system_.sizes();
  const auto& b = blocks_;
  r.head(s.n) -= b.K * along.y + b.D * along.z + b.X * along.x;
  r.tail(s.x) += b.d_y * along.y + b.d_z * along.z + b.d_x * along.x;
}

void DenseKkt::multiply_mass(In v, Vector& r) const {
  const Sizes& s = system_.sizes();
  const auto& b = blocks_;
  const auto a = v.head(s.n);
  const auto mu = v.segment(s.n, s.mu());
  r.head(s.n) = b.M.lazyProduct(a) - b.F.lazyProduct(mu);
  r.segment(s.n, s.mu()) = b.C.lazyProduct(a);
  r.tail(s.x) = b.d_a.lazyProduct(a) + b.d_mu.lazyProduct(mu) + b.d_xdot.lazyProduct(v.tail(s.x));
}

void DenseKkt::subtract_rates_of(In jump, Vector& r) const {
  const Sizes& s = system_.sizes();
  const auto& b = blocks_;
  const auto da = jump.head(s.n);
  const auto dxdot = jump.tail(s.x);
  r.head(s.n) += b.D.lazyProduct(da);
  r.segment(s.n, s.m) -= 3 * b.C_y.topRows(s.m).lazyProduct(da);
  r.segment(s.n + s.m, s.k) -= b.C_y.bottomRows(s.k).lazyProduct(da);
  if (s.x == 0) return;
  r.head(s.n) += b.X.lazyProduct(dxdot);
  r.tail(s.x) -= b.d_z.lazyProduct(da) + b.d_x.lazyProduct(dxdot);
}

Vector DenseKkt::project(In r, const std::vector<bool>& held) const {
  Vector ease = blocks_.M.diagonal();
  to_ease(ease);
  for (Index j = 0; j < ease.size(); ++j)
    if (held[static_cast<std::size_t>(j)]) ease[j] = 0;
  const Matrix A = blocks_.C.topRows(r.size()) * ease.asDiagonal();
  return ease.asDiagonal() * Eigen::CompleteOrthogonalDecomposition<Matrix>(A).solve(r);
}

std::vector<Redundancy> DenseKkt::find_redundant() const {
  const Index rows = blocks_.C.rows();
  std::vector<Redundancy> found;
  if (rows == 0) return found;
  Matrix Ct = blocks_.C.transpose();
  for (Index j = 0; j < rows; ++j) {
    const double length = Ct.col(j).norm();
    if (length > 0) Ct.col(j) /= length;
  }
  // Rows are added in their order, so that the later one of two equal constraints is named.
  Matrix basis(Ct.rows(), rows);
  std::vector<Index> independent;
  for (Index j = 0; j < rows; ++j) {
    const auto rank = static_cast<Index>(independent.size());
    Vector rest = Ct.col(j);
    for (int twice = 0; twice < 2; ++twice)
      rest -= basis.leftCols(rank) * (basis.leftCols(rank).transpose() * rest);
    if (rest.norm() > row_tolerance) {
      basis.col(rank) = rest.normalized();
      independent.push_back(j);
      continue;
    }
    Matrix others(Ct.rows(), rank);
    for (Index i = 0; i < rank; ++i)
      others.col(i) = Ct.col(independent[static_cast<std::size_t>(i)]);
    Redundancy redundancy{j, {}};
    if (rank > 0) {
      const Vector weights = others.colPivHouseholderQr().solve(Ct.col(j));
      for (Index i = 0; i < rank; ++i)
        if (std::abs(weights[i]) > 1e-6)
          redundancy.of.push_back(independent[static_cast<std::size_t>(i)]);
    }
    found.push_back(redundancy);
  }
  return found;
}

Index DenseKkt::undetermined_unknown() const {
  const Sizes& s = system_.sizes();
  Matrix A(s.kkt(), s.kkt());
  fill({}, A);
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullV);
  // The component of each unknown in the kernel. Multipliers of redundant constraints are always in
  // it, so motion comes first.
  const Vector& sizes = svd.singularValues();
  Index kernel = 1;
  while (kernel < s.kkt() && sizes[s.kkt() - 1 - kernel] <= 1e-12 * sizes[0]) ++kernel;
  Vector share = svd.matrixV().rightCols(kernel).rowwise().norm();
  auto multipliers = share.segment(s.n, s.mu());
  Vector motion = share;
  motion.segment(s.n, s.mu()).setZero();
  Index largest = 0;
  if (motion.maxCoeff(&largest) > 1e-6) return largest;
  multipliers.maxCoeff(&largest);
  return s.n + largest;
}

}  // namespace mechfmu
