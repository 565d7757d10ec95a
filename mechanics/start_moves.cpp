#include "mechanics/start_moves.h"

#include <algorithm>
#include <cmath>

#include "mechanics/motion.h"

namespace mechfmu::mechanics {

std::vector<BodyMove> moves(MechanismSystem& system, const Point& after) {
  const Start start = system.start();
  Point placed = after;
  placed.y = Eigen::Map<const Vector>(start.y.data(), system.sizes().y);
  placed.z = Eigen::Map<const Vector>(start.z.data(), system.sizes().n);
  const std::vector<BodyGeometry>& bodies = system.geometry().bodies;

  struct Seen {
    Vec3 r, v, w;
    Mat3 R;
  };
  const auto look = [&](const Point& p) {
    const Motion& motion = system.motion(p);
    std::vector<Seen> all;
    for (std::size_t b = 1; b < bodies.size(); ++b) {
      const Body body{static_cast<Index>(b)};
      const Spot centre{body, Triple(bodies[b].centre), true};
      all.push_back({motion.position(centre), motion.velocity(centre),
                     motion.angular_velocity(body), motion.rotation(body)});
    }
    return all;
  };
  const std::vector<Seen> before = look(placed);
  const std::vector<Seen> now = look(after);
  std::vector<BodyMove> all;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Eigen::Quaterniond turn(before[i].R.transpose() * now[i].R);
    all.push_back({system.description().bodies[i + 1].name, (now[i].r - before[i].r).norm(),
                   2 * std::atan2(turn.vec().norm(), std::abs(turn.w())),
                   (now[i].v - before[i].v).norm(), (now[i].w - before[i].w).norm()});
  }
  // Roundoff does not count.
  const auto size = [&](double way, double angle) {
    const double sum = way / system.geometry().length + angle;
    return sum > 1e-9 ? sum : 0;
  };
  std::stable_sort(all.begin(), all.end(), [&](const BodyMove& a, const BodyMove& b) {
    const double move_a = size(a.distance, a.angle);
    const double move_b = size(b.distance, b.angle);
    return move_a != move_b
               ? move_a > move_b
               : size(a.speed_change, a.spin_change) > size(b.speed_change, b.spin_change);
  });
  return all;
}

Mobility mobility(const MechanismSystem& system, const std::vector<Index>& redundant) {
  Mobility m;
  m.bodies = static_cast<Index>(system.description().bodies.size()) - 1;
  m.coordinates = system.sizes().n;
  m.constraints = system.sizes().mu();
  m.redundant = static_cast<Index>(redundant.size());
  m.freedom = m.coordinates - (m.constraints - m.redundant);
  const Index of_positions = system.sizes().m;
  m.positions = m.coordinates - of_positions +
                std::count_if(redundant.begin(), redundant.end(),
                              [&](Index row) { return row < of_positions; });
  return m;
}

}  // namespace mechfmu::mechanics
