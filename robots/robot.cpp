#include "robots/robot.h"

#include <algorithm>

namespace mechfmu::robots {

namespace {

Mat3 steiner(double mass, const Vec3& d) {
  return mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
}

bool of_joint(const Sensor& sensor) {
  return sensor.kind == SensorKind::joint_position || sensor.kind == SensorKind::joint_velocity;
}

}  // namespace

const char* text(JointType type) {
  switch (type) {
    case JointType::fixed: return "fixed";
    case JointType::revolute: return "revolute";
    case JointType::prismatic: return "prismatic";
    case JointType::spherical: return "spherical";
    case JointType::universal: return "universal";
    case JointType::planar: return "planar";
    case JointType::cylindrical: return "cylindrical";
    case JointType::screw: return "screw";
    case JointType::point_on_line: return "point_on_line";
  }
  return "";
}

Inertial seen_from(const Pose& pose, const Inertial& inertial) {
  return {inertial.mass, pose * inertial.centre, pose.R * inertial.inertia * pose.R.transpose()};
}

Inertial together(const Inertial& a, const Inertial& b) {
  Inertial sum;
  sum.mass = a.mass + b.mass;
  sum.centre = sum.mass > 0 ? Vec3((a.mass * a.centre + b.mass * b.centre) / sum.mass) : a.centre;
  sum.inertia = a.inertia + b.inertia + steiner(a.mass, a.centre - sum.centre) +
                steiner(b.mass, b.centre - sum.centre);
  return sum;
}

std::vector<Geom*> drawn(std::vector<Geom>& geoms) {
  const auto can_be_drawn = [](const Geom& geom) {
    return geom.kind == GeomKind::mesh ? !geom.file.empty()
                                       : geom.kind == GeomKind::plane || geom.size.x() > 0;
  };
  const bool all = std::all_of(geoms.begin(), geoms.end(),
                               [&](const Geom& g) { return !g.visible || can_be_drawn(g); }) &&
                   std::any_of(geoms.begin(), geoms.end(), [](const Geom& g) { return g.visible; });
  std::vector<Geom*> found;
  for (Geom& geom : geoms)
    if (can_be_drawn(geom) && geom.opacity > 0 && (geom.visible || !all)) found.push_back(&geom);
  return found;
}

void add_motors(Robot& robot) {
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const Joint& joint = robot.joints[j];
    if (!joint.driven || !joint.has_coordinate()) continue;
    const std::string what = joint.turns() ? "torque" : "force";
    Actuator made{.name = joint.name + "_" + what,
                  .place = {},
                  .joint = static_cast<int>(j),
                  .about = what + " of the motor of " + joint.name};
    if (joint.effort) {
      made.least = -*joint.effort;
      made.most = joint.effort;
    }
    robot.actuators.push_back(std::move(made));
  }
}

void merge_fixed(Robot& robot) {
  const std::size_t n = robot.links.size();
  // holder[i]: the link, or the world, of which link i is a part.
  std::vector<int> holder(n);
  for (std::size_t i = 0; i < n; ++i) holder[i] = static_cast<int>(i);
  const auto root = [&](int link) {
    while (link != world && holder[static_cast<std::size_t>(link)] != link)
      link = holder[static_cast<std::size_t>(link)];
    return link;
  };
  std::vector<bool> gone(robot.joints.size());
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const Joint& joint = robot.joints[j];
    if (joint.type != JointType::fixed || joint.closes_loop) continue;
    gone[j] = true;
    const int a = root(joint.parent), b = root(joint.child);
    if (a == b) continue;
    if (b == world)
      holder[static_cast<std::size_t>(a)] = world;
    else
      holder[static_cast<std::size_t>(b)] = a;
  }

  std::vector<int> number(n, world);  // of the remaining links
  std::vector<Link> kept;
  for (std::size_t i = 0; i < n; ++i)
    if (holder[i] == static_cast<int>(i)) {
      number[i] = static_cast<int>(kept.size());
      kept.push_back(robot.links[i]);
    }
  const auto renumbered = [&](int link) {
    const int holds = root(link);
    return holds == world ? world : number[static_cast<std::size_t>(holds)];
  };
  /// From the frame of a link to that of its holder.
  const auto change = [&](int link) {
    const Pose& pose = robot.links[static_cast<std::size_t>(link)].pose;
    const int holds = root(link);
    return holds == world ? pose
                          : robot.links[static_cast<std::size_t>(holds)].pose.inverse() * pose;
  };

  for (std::size_t i = 0; i < n; ++i) {
    if (holder[i] == static_cast<int>(i)) continue;
    const Link& part = robot.links[i];
    const int to = renumbered(static_cast<int>(i));
    const Pose moved = change(static_cast<int>(i));
    std::vector<Geom>& geoms =
        to == world ? robot.ground : kept[static_cast<std::size_t>(to)].geoms;
    for (Geom geom : part.geoms) {
      geom.pose = moved * geom.pose;
      geoms.push_back(std::move(geom));
    }
    if (to != world) {
      Link& whole = kept[static_cast<std::size_t>(to)];
      whole.inertial = together(whole.inertial, seen_from(moved, part.inertial));
      whole.has_inertial = whole.has_inertial || part.has_inertial;
      whole.free = whole.free || part.free;
    }
    robot.notes.push_back("link " + part.name + " is fixed to " +
                          (to == world ? "the ground" : kept[static_cast<std::size_t>(to)].name) +
                          ", and a part of it here");
  }
  for (Sensor& sensor : robot.sensors) {
    if (of_joint(sensor) || sensor.index == world) continue;
    sensor.pose = change(sensor.index) * sensor.pose;
    sensor.index = renumbered(sensor.index);
  }

  std::vector<int> joint_number(robot.joints.size(), -1);
  std::vector<bool> void_joint(robot.joints.size());  // between two parts of one body
  std::vector<Joint> joints;
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    if (gone[j]) continue;
    Joint joint = robot.joints[j];
    joint.parent = renumbered(joint.parent);
    joint.child = renumbered(joint.child);
    if (joint.parent == joint.child) {
      void_joint[j] = true;
      robot.notes.push_back(joint.name + " connects two parts of " +
                            (joint.parent == world
                                 ? "the ground"
                                 : kept[static_cast<std::size_t>(joint.parent)].name) +
                            ", which is one body here: it is left out, with what refers to it");
      continue;
    }
    joint_number[j] = static_cast<int>(joints.size());
    joints.push_back(std::move(joint));
  }
  const auto is_void = [&](int j) { return j >= 0 && void_joint[static_cast<std::size_t>(j)]; };
  std::erase_if(robot.couplings, [&](const Coupling& c) { return is_void(c.a) || is_void(c.b); });
  for (Tendon& tendon : robot.tendons)
    std::erase_if(tendon.joints, [&](const auto& term) { return is_void(term.first); });
  std::erase_if(robot.actuators,
                [&](const Actuator& a) { return a.tendon < 0 && is_void(a.joint); });
  std::erase_if(robot.sensors, [&](const Sensor& s) { return of_joint(s) && is_void(s.index); });
  const auto renumber_joint = [&](int& j) {
    if (j >= 0) j = joint_number[static_cast<std::size_t>(j)];
  };
  for (Coupling& coupling : robot.couplings) {
    renumber_joint(coupling.a);
    renumber_joint(coupling.b);
  }
  for (Tendon& tendon : robot.tendons)
    for (auto& [joint, factor] : tendon.joints) renumber_joint(joint);
  for (Actuator& actuator : robot.actuators)
    if (actuator.tendon < 0) renumber_joint(actuator.joint);
  for (Sensor& sensor : robot.sensors)
    if (of_joint(sensor)) renumber_joint(sensor.index);
  robot.links = std::move(kept);
  robot.joints = std::move(joints);
}

}  // namespace mechfmu::robots
