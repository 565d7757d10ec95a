// Flexible bodies: beams between their nodes, bent by the modes.
//
// A file contains the positions of nodes and the displacements and rotations of nodes in each mode,
// but not the parts between the nodes. Two nodes are connected if no third node is nearer to both
// than they are to each other (the relative neighbourhood graph: Toussaint, Pattern Recognition 12,
// 1980): for a lattice of tubes these are its tubes. Each connection bends as the cubic of a beam
// whose ends have the displacements φ and the rotations ψ of each mode k:
//
//   φ(s) = H₁ φ_a + H₂ ψ_a × l + H₃ φ_b + H₄ ψ_b × l,   l from a to b,
//   H₁ = 1 − 3s² + 2s³,   H₂ = s − 2s² + s³,   H₃ = 3s² − 2s³,   H₄ = s³ − s²

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/build.h"

namespace mechfmu::scene {

using mechanics::ModalBody;

namespace {

using Edge = std::pair<std::size_t, std::size_t>;

std::vector<Edge> neighbours(const ModalBody& modal) {
  std::vector<Edge> found;
  const std::size_t n = modal.nodes.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n; ++k) {
      const double apart = (modal.place(i) - modal.place(k)).norm();
      bool joined = apart > 0;
      for (std::size_t m = 0; m < n && joined; ++m)
        joined = m == i || m == k ||
                 std::max((modal.place(m) - modal.place(i)).norm(),
                          (modal.place(m) - modal.place(k)).norm()) > apart * (1 - 1e-9);
      if (joined) found.emplace_back(i, k);
    }
  return found;
}

FlexiblePoint point_between(const ModalBody& modal, const Edge& edge, double s) {
  const auto [a, b] = edge;
  const Vec3 l = modal.place(b) - modal.place(a);
  const double h1 = 1 - 3 * s * s + 2 * s * s * s, h2 = s - 2 * s * s + s * s * s;
  const double h3 = 1 - h1, h4 = s * s * s - s * s;
  FlexiblePoint made;
  made.at = modal.place(a) + s * l;
  for (std::size_t k = 0; k < modal.count(); ++k)
    made.shapes.emplace_back(h1 * modal.phi(a, k) + h2 * modal.psi(a, k).cross(l) +
                             h3 * modal.phi(b, k) + h4 * modal.psi(b, k).cross(l));
  return made;
}

}  // namespace

void draw_flexible(Builder& builder, int body, std::vector<Part>& parts) {
  const auto& row = builder.listing.bodies[static_cast<std::size_t>(body) - 1];
  const ModalBody& modal = builder.listing.modals[static_cast<std::size_t>(row.modal.index)];
  const std::vector<Edge> edges = neighbours(modal);
  double length = 0;
  for (const auto& [a, b] : edges) length += (modal.place(a) - modal.place(b)).norm();
  if (edges.empty()) {
    parts.push_back(fixed(ShapeKind::sphere, {2 * builder.u}, Role::body, body, modal.centre()));
    return;
  }
  // The thickness of steel bars of that mass, but at least a visible one
  const double radius = std::clamp(std::sqrt(modal.mass() / (7850 * std::numbers::pi * length)),
                                   0.4 * builder.u, 1.5 * builder.u);
  const std::size_t pieces = std::clamp<std::size_t>(60 / edges.size(), 2, 12);
  std::vector<FlexiblePoint>& points = builder.scene.bodies[static_cast<std::size_t>(body)].points;
  for (const Edge& edge : edges)
    for (std::size_t i = 0; i <= pieces; ++i) {
      const auto last = static_cast<int>(points.size());
      points.push_back(
          point_between(modal, edge, static_cast<double>(i) / static_cast<double>(pieces)));
      if (i == 0) continue;
      const auto anchor = [&](int p) {
        return Anchor{body, points[static_cast<std::size_t>(p)].at, p};
      };
      parts.push_back(
          stretched(ShapeKind::tube, {radius}, Role::body, anchor(last - 1), anchor(last)));
    }
}

}  // namespace mechfmu::scene
