// A closed outline of straight lines and arcs in the plane, repeated n times about the origin, and
// its nearest point to a given one.
//
// Points (x, y, bulge) follow each other with the solid on the left. bulge = tan(θ/4) of the arc to
// the next point, which turns by θ to the left; 0: a straight line. The outline continues with the
// same points turned by 2π/n until it closes.
//
// The distance has a sign: positive outside of the solid.

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mechanics/rows.h"

namespace mechfmu::mechanics {

class Outline {
 public:
  using Vec2 = Vec<double, 2>;
  /// `numbers`: n, then x, y, bulge of `points` points.
  Outline(const double* numbers, int points) : n_(numbers[0]), of_(numbers + 1), points_(points) {}

  /// Near a point the outline is a line, a circle or a corner.
  struct Place {
    enum class Kind { line, circle, corner };
    Kind kind = Kind::line;
    Vec2 at = Vec2::Zero();  // a point of the line, the centre, the corner
    /// Points out of the solid. For a circle or a corner, the direction to use if the point is its
    /// centre.
    Vec2 normal = Vec2::Zero();
    double radius = 0;
    /// Circle: 1 if the solid is inside. Corner: 1 for points outside of the solid.
    double sign = 1;
  };
  Place nearest(const Vec2& q) const {
    const double sector = 2 * std::numbers::pi / n_;
    const double middle = std::atan2(of_[1], of_[0]);
    const double k = std::round((std::atan2(q[1], q[0]) - middle) / sector);
    Place best;
    double least = std::numeric_limits<double>::infinity();
    const bool all = n_ <= 5;  // otherwise two sectors on each side
    const int copies = all ? static_cast<int>(n_) : 5;
    for (int c = 0; c < copies; ++c)
      for (int i = 0; i < points_; ++i) look_at(piece((all ? 0 : k - 2) + c, i), q, best, least);
    return best;
  }
  /// The largest distance of a point from the origin.
  double radius() const {
    double most = 0;
    for (int i = 0; i < points_; ++i) {
      const Piece p = piece(0, i);
      const double rise = (p.end - p.begin).norm() * std::abs(p.bulge) / 2;
      most = std::max(most, std::max(p.begin.norm(), p.end.norm()) + rise);
    }
    return most;
  }

 private:
  struct Piece {
    Vec2 begin, end;
    double bulge;
    Vec2 before;  // outward normal at the end of the piece before
  };

  Vec2 vertex(double copy, int i) const {
    const double turn = copy * 2 * std::numbers::pi / n_;
    const double c = std::cos(turn);
    const double s = std::sin(turn);
    const double* p = of_ + 3 * i;
    return {c * p[0] - s * p[1], s * p[0] + c * p[1]};
  }
  Vec2 next(double copy, int i) const {
    return i + 1 < points_ ? vertex(copy, i + 1) : vertex(copy + 1, 0);
  }
  /// Normal to the right of the path, at the beginning or the end of a piece.
  static Vec2 right(const Vec2& begin, const Vec2& end, double bulge, bool at_end) {
    const Vec2 t = (end - begin).normalized();
    const double half =
        2 * std::atan(bulge) * (at_end ? 1 : -1);  // angle from the chord to the path
    const double c = std::cos(half);
    const double s = std::sin(half);
    const Vec2 way(c * t[0] - s * t[1], s * t[0] + c * t[1]);
    return {way[1], -way[0]};
  }
  Piece piece(double copy, int i) const {
    Piece p;
    p.begin = vertex(copy, i);
    p.end = next(copy, i);
    p.bulge = of_[3 * i + 2];
    const int last = i > 0 ? i - 1 : points_ - 1;
    const double in = i > 0 ? copy : copy - 1;
    p.before = right(vertex(in, last), p.begin, of_[3 * last + 2], true);
    return p;
  }

  static void look_at(const Piece& p, const Vec2& q, Place& best, double& least) {
    const auto offer = [&](double distance, const Place& place) {
      if (!(distance < least)) return;
      least = distance;
      best = place;
    };
    // The corner at which the piece begins.
    const Vec2 normal = (p.before + right(p.begin, p.end, p.bulge, false)).normalized();
    const Vec2 d = q - p.begin;
    offer(d.norm(), {Place::Kind::corner, p.begin, normal, 0, d.dot(normal) < 0 ? -1.0 : 1.0});
    const Vec2 chord = p.end - p.begin;
    const double l = chord.norm();
    const Vec2 t = chord / l;
    const Vec2 left(-t[1], t[0]);
    if (p.bulge == 0) {
      const double s = t.dot(d);
      if (s > 0 && s < l) offer(std::abs(left.dot(d)), {Place::Kind::line, p.begin, -left, 0, 1});
      return;
    }
    const double rise = (1 - p.bulge * p.bulge) / (4 * p.bulge) * l;
    const Vec2 centre = p.begin + chord / 2 + left * rise;
    const double radius = std::hypot(l / 2, rise);
    const double sign = p.bulge > 0 ? 1 : -1;
    const Vec2 from = p.begin - centre;
    const Vec2 to = q - centre;
    // Angle from the beginning, in the direction of the arc.
    double turn = sign * std::atan2(from[0] * to[1] - from[1] * to[0], from.dot(to));
    if (turn < 0) turn += 2 * std::numbers::pi;
    if (to.norm() > 1e-12 * radius && turn > 0 && turn < 4 * std::atan(std::abs(p.bulge)))
      offer(std::abs(to.norm() - radius),
            {Place::Kind::circle, centre, from / radius * sign, radius, sign});
  }

  double n_;
  const double* of_;
  int points_;
};

}  // namespace mechfmu::mechanics
