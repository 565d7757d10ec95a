#include "mechanics/assembly.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"

namespace mechfmu::mechanics {

std::vector<BodyMove> moves(const MechanismSystem& system, const Point& after) {
  const Start start = system.start();
  const auto count = system.bodies_.size();
  std::vector<BodyMotion> placed(count);
  std::vector<BodyMotion> now(count);
  system.place(Eigen::Map<const Vector>(start.y.data(), system.sizes().y), placed);
  system.move(Eigen::Map<const Vector>(start.z.data(), system.sizes().n), placed);
  system.place(after.y, now);
  system.move(after.z, now);

  std::vector<BodyMove> all;
  for (std::size_t b = 1; b < count; ++b) {
    const Eigen::Quaterniond turn(placed[b].R.transpose() * now[b].R);
    all.push_back({system.d_.bodies[b].name, (now[b].r - placed[b].r).norm(),
                   2 * std::atan2(turn.vec().norm(), std::abs(turn.w())),
                   (now[b].v - placed[b].v).norm(), (now[b].w - placed[b].w).norm()});
  }
  // Roundoff does not count.
  const auto size = [&](double way, double angle) {
    const double sum = way / system.length_ + angle;
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

Mobility mobility(const MechanismSystem& system, std::size_t redundant) {
  Mobility m;
  m.bodies = static_cast<Index>(system.description().bodies.size()) - 1;
  m.coordinates = system.sizes().n;
  m.constraints = system.sizes().mu();
  m.redundant = static_cast<Index>(redundant);
  m.freedom = m.coordinates - (m.constraints - m.redundant);
  return m;
}

std::string MechanismSystem::describe_violation(In g) const {
  std::vector<Violation> all;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const JointFacts& joint = joints_[j];
    double way = g.segment(joint.first, joint.point_rows).squaredNorm();
    double angle = 0;
    for (int r = joint.first_row; r < joint.end_row; ++r) {
      const auto row = static_cast<std::size_t>(r);
      const bool turns =
          singles_[row].kind == RowKind::alignment || singles_[row].kind == RowKind::angle;
      (turns ? angle : way) += g[single_mu_[row]] * g[single_mu_[row]];
    }
    way = std::sqrt(way);
    angle = std::sqrt(angle);
    // The part that matters, or both
    std::string amount;
    if (way >= 0.1 * length_ * angle) amount = format(way, 3) + " m";
    if (angle >= 0.1 * way / length_)
      amount += (amount.empty() ? "" : " and ") + format(angle, 3) + " rad";
    all.push_back({way / length_ + angle, "joint '" + d_.joints[j].name + "' stays open", amount});
  }
  for (std::size_t r = 0; r < rollings_.size(); ++r) {
    if (rollings_[r].first_g < 0) continue;
    const double gap = std::abs(g[rollings_[r].first_g]);
    all.push_back({gap / length_, "rolling '" + d_.rollings[r].name + "' stays off its plane",
                   format(gap, 3) + " m"});
  }
  for (std::size_t c = 0; c < d_.constraints.size(); ++c) {
    if (d_.constraints[c].nonholonomic) continue;
    const double gap = std::abs(g[relation_mu_[c]]);
    all.push_back(
        {gap, "constraint '" + d_.constraints[c].name + "' is still violated", format(gap, 3)});
  }
  return worst(std::move(all));
}

}  // namespace mechfmu::mechanics
