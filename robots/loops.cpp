// Loops of a robot. Joints that do not close loops form a tree. Each other joint closes a loop,
// with the joints between its two links in that tree. Loops with a common joint form one group,
// because the position of one of their joints determines others.

#include "robots/loops.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model_desc/text.h"

namespace mechfmu::robots {

namespace {

class Tree {
 public:
  explicit Tree(const Robot& robot) : robot_(robot), at_(robot.links.size() + 1) {
    for (std::size_t j = 0; j < robot.joints.size(); ++j)
      if (const Joint& joint = robot.joints[j]; !joint.closes_loop)
        for (const int link : {joint.parent, joint.child}) at_[node(link)].push_back(j);
  }

  /// Joints on the way between two links; those of SDF may point either way.
  std::vector<std::size_t> between(int a, int b) const {
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> by(at_.size(), none);  // the joint through which a link was reached
    std::vector<bool> seen(at_.size());
    std::vector<std::size_t> order = {node(a)};
    seen[node(a)] = true;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const std::size_t j : at_[order[i]])
        if (const std::size_t to = other_end(j, order[i]); !seen[to]) {
          seen[to] = true;
          by[to] = j;
          order.push_back(to);
        }
    std::vector<std::size_t> way;
    for (std::size_t at = node(b); by[at] != none; at = other_end(by[at], at))
      way.push_back(by[at]);
    return way;
  }

 private:
  std::size_t node(int link) const {
    return link == world ? at_.size() - 1 : static_cast<std::size_t>(link);
  }
  std::size_t other_end(std::size_t joint, std::size_t from) const {
    const std::size_t a = node(robot_.joints[joint].parent), b = node(robot_.joints[joint].child);
    return a == from ? b : a;
  }

  const Robot& robot_;
  std::vector<std::vector<std::size_t>> at_;  // joints of each link; the world is the last one
};

/// The common direction of axes of revolute joints that are parallel to some degrees; nullopt if
/// others exist.
std::optional<Vec3> common_axis(const Robot& robot, const std::vector<std::size_t>& joints) {
  constexpr double nearly = 0.1;  // rad
  Vec3 sum = Vec3::Zero();
  for (const std::size_t j : joints) {
    const Joint& joint = robot.joints[j];
    if (joint.type != JointType::revolute) return {};
    sum += sum.dot(joint.axis) < 0 ? Vec3(-joint.axis) : joint.axis;
  }
  if (joints.empty()) return {};
  const Vec3 mean = sum.normalized();
  for (const std::size_t j : joints)
    if (robot.joints[j].axis.cross(mean).norm() > nearly) return {};
  return mean;
}

}  // namespace

std::vector<int> loop_groups(const Robot& robot) {
  std::vector<int> group(robot.joints.size());
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](std::size_t j) {
    while (group[j] != static_cast<int>(j)) j = static_cast<std::size_t>(group[j]);
    return j;
  };
  std::vector<bool> in_loop(robot.joints.size());
  const Tree tree(robot);
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    if (!robot.joints[j].closes_loop) continue;
    in_loop[j] = true;
    for (const std::size_t other : tree.between(robot.joints[j].parent, robot.joints[j].child)) {
      in_loop[other] = true;
      group[root(other)] = static_cast<int>(root(j));
    }
  }
  std::vector<int> made(robot.joints.size(), -1);
  for (std::size_t j = 0; j < made.size(); ++j)
    if (in_loop[j]) made[j] = static_cast<int>(root(j));
  return made;
}

void hold_by_points(Robot& robot) {
  const Tree tree(robot);
  for (Joint& joint : robot.joints) {
    const bool turns = joint.type == JointType::revolute;
    if (!joint.closes_loop || (!turns && joint.type != JointType::spherical)) continue;
    const std::optional<Vec3> across = common_axis(robot, tree.between(joint.parent, joint.child));
    // A planar loop cannot move along its axes, so that no constraint is needed there.
    const bool in_plane = across && (!turns || joint.axis.cross(*across).norm() < 0.1);
    if (in_plane) joint.axis = *across;
    if (!in_plane && !turns) continue;
    joint.type = in_plane ? JointType::point_on_line : JointType::spherical;
    robot.remarks.push_back(
        {joint.place, "joint " + in_quotes(plain_line(joint.name, 80)),
         in_plane ? "closes a loop in a plane, and holds a point on the line of its axis only"
                  : "closes a loop, and holds a point only"});
  }
}

}  // namespace mechfmu::robots
