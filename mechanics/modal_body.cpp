#include "mechanics/modal_body.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanics/bodies/rotation.h"
#include "model/format.h"

namespace mechfmu::mechanics {

namespace {

constexpr std::size_t pairs(std::size_t n) { return n * (n + 1) / 2; }
/// The place of (k, l), k ≤ l, row by row in the upper half of a matrix.
constexpr std::size_t pair(std::size_t k, std::size_t l, std::size_t n) {
  return pairs(n) - pairs(n - k) + l - k;
}

}  // namespace

std::size_t ModalBody::first_g() const {
  return first_J2() + 6 * pairs(static_cast<std::size_t>(second));
}
std::size_t ModalBody::first_stress() const {
  const auto n = static_cast<std::size_t>(second);
  return first_g() + 3 * (pairs(n) - n);
}
std::size_t ModalBody::size() const { return first_stress() + stresses.size() * count(); }

Mat3 ModalBody::symmetric(std::size_t at) const {
  const double* a = numbers.data() + at;
  Mat3 J;
  J << a[0], a[3], a[4], a[3], a[1], a[5], a[4], a[5], a[2];
  return J;
}
Mat3 ModalBody::J2(std::size_t k, std::size_t l) const {
  return symmetric(first_J2() +
                   6 * pair(std::min(k, l), std::max(k, l), static_cast<std::size_t>(second)));
}
Vec3 ModalBody::g(std::size_t k, std::size_t l) const {
  if (k == l) return Vec3::Zero();
  if (k > l) return -g(l, k);
  return three(first_g() + 3 * (pair(k, l, static_cast<std::size_t>(second)) - k - 1));
}
double ModalBody::stress(std::size_t row, std::size_t mode) const {
  return numbers[first_stress() + row * count() + mode];
}

double ModalBody::amplitude(std::size_t mode) const {
  double largest = 1 / std::sqrt(mass());
  for (std::size_t n = 0; n < nodes.size(); ++n) largest = std::max(largest, phi(n, mode).norm());
  return largest;
}

std::vector<std::string> ModalBody::problems() const {
  std::vector<std::string> all;
  const std::size_t most = numbers.size();  // holds even in a malicious file
  if (modes < 0 || second < 0 || second > modes || count() > most || nodes.size() > most ||
      numbers.size() != size())
    return {"its table has " + std::to_string(numbers.size()) + " numbers, which do not fit " +
            std::to_string(modes) + " modes and " + std::to_string(nodes.size()) + " nodes"};
  if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); }))
    return {"it has numbers that are not finite"};
  if (!(mass() > 0)) return {"its mass is " + format(mass()) + " kg and must be above zero"};
  const Mat3 J = inertia();
  if (!realizable(J) || !(J.trace() > 0))
    all.push_back("no body can have its inertia " + format(J(0, 0), 4) + ", " + format(J(1, 1), 4) +
                  ", " + format(J(2, 2), 4) +
                  " kg m2: principal moments must be above zero, and none may exceed the sum of "
                  "the other two");
  for (std::size_t k = 0; k < count(); ++k) {
    const std::string mode = "mode " + std::to_string(k + 1);
    if (!(omega(k) > 0))
      all.push_back(mode + " has the frequency " + format(omega(k) / 2 / std::numbers::pi, 4) +
                    " Hz; frequencies must be above zero: leave out the six rigid motions, and "
                    "modes that a stiffness which is not positive makes");
    if (!(zeta(k) >= 0))
      all.push_back(mode + " has the damping ratio " + format(zeta(k), 4) +
                    ", which must not be negative");
    if (all.size() > 5) return all;
  }
  // Detects wrong units: compares the size of the body according to its inertia and to its nodes.
  const double gyration = std::sqrt(std::max(0.0, J.trace() / 2 / mass()));
  double extent = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    extent = std::max(extent, (place(n) - centre()).norm());
  if (extent > 0 && (extent > 100 * gyration || extent < gyration / 100))
    all.push_back("its nodes are up to " + format(extent, 3) +
                  " m from the centre of mass, and its inertia is that of a body with a radius of "
                  "gyration of " +
                  format(gyration, 3) + " m; units must be m, kg, s for all of them");
  const double size = std::max(extent, gyration);
  const double density = mass() / (size * size * size);
  if (size > 0 && (density < 1e-4 || density > 1e5))
    all.push_back("a body of " + format(mass(), 3) + " kg that reaches " + format(size, 3) +
                  " m from its centre of mass: units must be m, kg, s (of a model in mm and t "
                  "lengths are to be divided by 1000 and masses to be multiplied by 1000)");
  // A mode has the mean square 1/mass; at single nodes it may be larger, but not by this much.
  for (std::size_t k = 0; k < count(); ++k) {
    const double largest = amplitude(k) * std::sqrt(mass());
    if (largest < 1e3) continue;
    all.push_back("mode " + std::to_string(k + 1) + " moves a node by " + format(amplitude(k), 3) +
                  ", " + format(largest, 3) +
                  " times the mean of a mode whose modal mass is 1 kg m2; modes must be normalized "
                  "to that with units m, kg, s");
    break;
  }
  return all;
}

ModalBody ModalBody::reduced(std::int32_t keep, bool first_order, std::int32_t second_order) const {
  ModalBody made;
  made.nodes = nodes;
  made.stresses = stresses;
  made.residual = residual;
  made.modes = std::clamp(keep, 0, modes);
  made.second = first_order ? std::clamp(second_order, 0, std::min(second, made.modes)) : 0;
  std::vector<double>& to = made.numbers;
  const auto copy = [&](std::size_t from, std::size_t n) {
    to.insert(to.end(), numbers.begin() + static_cast<std::ptrdiff_t>(from),
              numbers.begin() + static_cast<std::ptrdiff_t>(from + n));
  };
  const std::size_t m = made.count();
  const auto n = static_cast<std::size_t>(made.second);
  copy(0, first_mode() + m);
  copy(first_mode() + count(), m);
  copy(shape(0, 0), 6 * nodes.size() * m);
  if (first_order)
    copy(first_J1(), 6 * m);
  else
    to.resize(to.size() + 6 * m, 0);
  for (std::size_t k = 0; k < n; ++k)
    copy(first_J2() + 6 * pair(k, k, static_cast<std::size_t>(second)), 6 * (n - k));
  for (std::size_t k = 0; k + 1 < n; ++k)
    copy(first_g() + 3 * (pair(k, k + 1, static_cast<std::size_t>(second)) - k - 1),
         3 * (n - k - 1));
  for (std::size_t s = 0; s < stresses.size(); ++s) copy(first_stress() + s * count(), m);
  return made;
}

int ModalBody::missing_motions(const std::vector<std::size_t>& of_nodes) const {
  const auto rows = static_cast<Index>(6 * of_nodes.size());
  if (rows == 0) return 0;
  const double length = std::max(1e-300, std::sqrt(inertia().trace() / 2 / mass()));
  Matrix motions = Matrix::Zero(rows, 6 + modes);
  for (Index i = 0; i < rows / 6; ++i) {
    const std::size_t node = of_nodes[static_cast<std::size_t>(i)];
    motions.block<3, 3>(6 * i, 0).setIdentity();
    motions.block<3, 3>(6 * i, 3) = -hat(place(node) - centre()) / length;
    motions.block<3, 3>(6 * i + 3, 3).setIdentity();
    for (Index k = 0; k < modes; ++k) {
      motions.block<3, 1>(6 * i, 6 + k) = phi(node, static_cast<std::size_t>(k));
      motions.block<3, 1>(6 * i + 3, 6 + k) = length * psi(node, static_cast<std::size_t>(k));
    }
  }
  for (Index k = 0; k < modes; ++k) {
    const double size = motions.col(6 + k).norm();
    if (size > 0) motions.col(6 + k) /= size;
  }
  Eigen::ColPivHouseholderQR<Matrix> factors(motions);
  factors.setThreshold(1e-7);
  return static_cast<int>(rows - factors.rank());
}

double ModalBody::missing_flexibility(std::size_t node, std::int32_t keep) const {
  double most = 0;
  for (const int turns : {0, 1}) {
    const auto largest = [&](std::size_t from) {
      Mat3 G = Mat3::Zero();
      for (std::size_t k = from; k < count(); ++k) {
        const Vec3 shape = (turns == 0 ? phi(node, k) : psi(node, k)) / omega(k);
        G += shape * shape.transpose();
      }
      return Eigen::SelfAdjointEigenSolver<Mat3>(G, Eigen::EigenvaluesOnly).eigenvalues()[2];
    };
    const double rest = residual.empty() ? 0 : residual[2 * node + static_cast<std::size_t>(turns)];
    const double all = largest(0) + rest;
    if (all > 0) most = std::max(most, (largest(static_cast<std::size_t>(keep)) + rest) / all);
  }
  return most;
}

}  // namespace mechfmu::mechanics
