// Finds equal branches of a robot. A branch B is a copy of A if a motion T of the world, p ↦ R p +
// t, takes A to B:
//
//   m_B = m_A,  c_B = T c_A,  J_B = R J_A Rᵀ      of all links
//   p_B = T p_A,  n_B = R n_A                     points and axes of all joints; limits, damping,
//                                                 springs … of joints are equal
//
// T takes the frame of the first link of A to that of B, or else it takes points of A to those of B
// with the least sum of squares (Kabsch 1976): frames of links are arbitrary, and files that repeat
// a leg often rotate them differently.

#include "robots/repeats.h"

#include <Eigen/SVD>
#include <algorithm>
#include <map>
#include <string>

namespace mechfmu::robots {

namespace {

constexpr double tolerance = 1e-10;
constexpr std::size_t least_saved = 4;    // lines
constexpr std::size_t most_links = 2000;  // branches are compared in pairs

bool near(double a, double b) {
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}
bool near(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() &&
         (!a || std::abs(*a - *b) <= tolerance * std::max(1.0, std::abs(*a)));
}

class Finder {
 public:
  explicit Finder(Robot& robot) : robot_(robot) {}

  std::vector<Repeat> find() {
    std::vector<Repeat> found;
    if (robot_.links.size() > most_links) return found;
    branches();
    // Branches of one kind, large ones first: parts of a copy are not copies again.
    std::map<std::pair<std::size_t, std::string>, std::vector<std::size_t>, std::greater<>> kinds;
    for (std::size_t i = 0; i < branches_.size(); ++i)
      kinds[{branches_[i].links.size(), kind_of(branches_[i])}].push_back(i);
    std::vector<bool> taken(robot_.links.size());
    for (const auto& [kind, members] : kinds) {
      std::vector<std::vector<std::size_t>> classes;
      for (const std::size_t b : members) {
        if (taken[branches_[b].links.front()]) continue;
        const auto same = std::find_if(classes.begin(), classes.end(), [&](const auto& c) {
          return motion(branches_[c.front()], branches_[b]).has_value();
        });
        if (same == classes.end())
          classes.push_back({b});
        else
          same->push_back(b);
      }
      for (const std::vector<std::size_t>& alike : classes) {
        if (alike.size() < 2) continue;
        Repeat made;
        for (const std::size_t b : alike) made.copies.push_back(branches_[b]);
        std::sort(made.copies.begin(), made.copies.end(), [](const Branch& a, const Branch& b) {
          return a.links.front() < b.links.front();
        });
        if (!is_worth_it(made)) continue;
        for (const Branch& copy : made.copies)
          for (const std::size_t link : copy.links) taken[link] = true;
        found.push_back(std::move(made));
      }
    }
    for (Repeat& repeat : found) {
      for (std::size_t i = 1; i < repeat.copies.size(); ++i)
        move_frames(repeat.copies.front(), repeat.copies[i]);
      for (std::size_t k = 0; k < repeat.copies.front().links.size(); ++k)
        repeat.looks_alike.push_back(look_alike(repeat, k));
    }
    // In the order of the file, by their first link.
    std::sort(found.begin(), found.end(), [](const Repeat& a, const Repeat& b) {
      return a.copies.front().links.front() < b.copies.front().links.front();
    });
    return found;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// Makes the branches of all links with a joint to another link or without any joint.
  void branches() {
    const std::size_t n = robot_.links.size();
    std::vector<std::vector<std::size_t>> joints_at(n + 1);  // the world is the last one
    const auto node = [&](int link) { return link == world ? n : at(link); };
    for (std::size_t j = 0; j < robot_.joints.size(); ++j)
      if (!robot_.joints[j].closes_loop)
        for (const int link : {robot_.joints[j].parent, robot_.joints[j].child})
          joints_at[node(link)].push_back(j);
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> holds(n + 1, none);  // the joint that holds a link
    std::vector<std::size_t> parent(n + 1, none);
    std::vector<std::size_t> order;
    std::vector<bool> seen(n + 1);
    const auto walk = [&](std::size_t from) {
      if (seen[from]) return;
      seen[from] = true;
      const std::size_t begin = order.size();
      order.push_back(from);
      for (std::size_t i = begin; i < order.size(); ++i)
        for (const std::size_t j : joints_at[order[i]]) {
          const std::size_t a = node(robot_.joints[j].parent), b = node(robot_.joints[j].child);
          const std::size_t to = a == order[i] ? b : a;
          if (seen[to]) continue;
          seen[to] = true;
          holds[to] = j;
          parent[to] = order[i];
          order.push_back(to);
        }
    };
    walk(n);
    for (std::size_t i = 0; i < n; ++i)
      if (robot_.links[i].free) walk(i);
    for (const std::size_t first : order) {
      if (first == n) continue;
      Branch made;
      made.host =
          parent[first] == none || parent[first] == n ? world : static_cast<int>(parent[first]);
      std::vector<bool> inside(n + 1);
      inside[first] = true;
      made.links.push_back(first);
      if (holds[first] != none) made.joints.push_back(holds[first]);
      for (std::size_t i = 0; i < made.links.size(); ++i)
        for (const std::size_t j : joints_at[made.links[i]])
          for (const int end : {robot_.joints[j].parent, robot_.joints[j].child})
            if (end != world && !inside[at(end)] && parent[at(end)] == made.links[i] &&
                holds[at(end)] == j) {
              inside[at(end)] = true;
              made.links.push_back(at(end));
              made.joints.push_back(j);
            }
      for (std::size_t j = 0; j < robot_.joints.size(); ++j)
        if (const Joint& joint = robot_.joints[j];
            joint.closes_loop && joint.parent != world && joint.child != world &&
            inside[at(joint.parent)] && inside[at(joint.child)])
          made.joints.push_back(j);
      branches_.push_back(std::move(made));
    }
  }

  /// Properties of a branch without numbers: types of joints, and the links that they hold.
  std::string kind_of(const Branch& branch) const {
    std::string made;
    for (const std::size_t j : branch.joints) {
      const Joint& joint = robot_.joints[j];
      made += text(joint.type);
      for (const int link : {joint.parent, joint.child}) {
        const auto place = std::find(branch.links.begin(), branch.links.end(),
                                     link == world ? static_cast<std::size_t>(-1) : at(link));
        made +=
            place == branch.links.end() ? " ." : " " + std::to_string(place - branch.links.begin());
      }
      made += joint.closes_loop ? "!" : ";";
    }
    return made;
  }

  /// The largest distance in a branch from its first link.
  double size_of(const Branch& branch) const {
    const Pose& first = robot_.links[branch.links.front()].pose;
    double size = 1e-3;
    for (const std::size_t j : branch.joints)
      size = std::max(size, (robot_.joints[j].point - first.t).norm());
    for (const std::size_t i : branch.links)
      size =
          std::max(size, (robot_.links[i].pose * robot_.links[i].inertial.centre - first.t).norm());
    return size;
  }

  std::optional<Pose> motion(const Branch& a, const Branch& b) const {
    const double size = size_of(a);
    if (std::abs(size_of(b) - size) > 0.1 * size) return {};
    const Pose by_frames =
        robot_.links[b.links.front()].pose * robot_.links[a.links.front()].pose.inverse();
    if (takes(by_frames, a, b, size)) return by_frames;
    const Pose by_points = nearest(a, b, size);
    if (takes(by_points, a, b, size)) return by_points;
    return {};
  }

  Pose nearest(const Branch& a, const Branch& b, double size) const {
    const auto points = [&](const Branch& branch) {
      std::vector<Vec3> made;
      for (const std::size_t i : branch.links)
        if (robot_.links[i].inertial.mass > 0)
          made.push_back(robot_.links[i].pose * robot_.links[i].inertial.centre);
      for (const std::size_t j : branch.joints) {
        made.push_back(robot_.joints[j].point);
        if (robot_.joints[j].type != JointType::spherical &&
            robot_.joints[j].type != JointType::fixed)
          made.emplace_back(robot_.joints[j].point + size * robot_.joints[j].axis);
      }
      return made;
    };
    const std::vector<Vec3> of_a = points(a), of_b = points(b);
    if (of_a.size() != of_b.size() || of_a.empty()) return {};
    Vec3 middle_a = Vec3::Zero(), middle_b = Vec3::Zero();
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      middle_a += of_a[i] / static_cast<double>(of_a.size());
      middle_b += of_b[i] / static_cast<double>(of_a.size());
    }
    Mat3 H = Mat3::Zero();
    for (std::size_t i = 0; i < of_a.size(); ++i)
      H += (of_b[i] - middle_b) * (of_a[i] - middle_a).transpose();
    const Eigen::JacobiSVD<Mat3> svd(H, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Vec3 signs = Vec3::Ones();
    if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) signs.z() = -1;
    Pose made;
    made.R = svd.matrixU() * signs.asDiagonal() * svd.matrixV().transpose();
    made.t = middle_b - made.R * middle_a;
    return made;
  }

  bool takes(const Pose& T, const Branch& a, const Branch& b, double size) const {
    for (std::size_t k = 0; k < a.links.size(); ++k)
      if (!takes_link(T, a.links[k], b.links[k], size)) return false;
    for (std::size_t k = 0; k < a.joints.size(); ++k)
      if (!takes_joint(T, robot_.joints[a.joints[k]], robot_.joints[b.joints[k]], size))
        return false;
    return true;
  }

  bool takes_link(const Pose& T, std::size_t i, std::size_t j, double size) const {
    const Link &a = robot_.links[i], &b = robot_.links[j];
    const Inertial wanted = seen_from(T * a.pose, a.inertial),
                   given = seen_from(b.pose, b.inertial);
    const double inertia =
        std::max(wanted.inertia.cwiseAbs().maxCoeff(), 1e-12 * wanted.mass * size * size);
    const bool moved =
        !(T * a.pose).R.isApprox(b.pose.R, 1e-12) || !((T * a.pose).t - b.pose.t).isZero(1e-12);
    // An orientation output refers to the frame in the file.
    const bool is_seen =
        moved && std::any_of(robot_.sensors.begin(), robot_.sensors.end(), [&](const Sensor& s) {
          return s.kind == SensorKind::quaternion && s.index == static_cast<int>(j);
        });
    return !is_seen && a.free == b.free && near(wanted.mass, given.mass) &&
           (wanted.mass == 0 || (wanted.centre - given.centre).norm() <= tolerance * size) &&
           (wanted.inertia - given.inertia).cwiseAbs().maxCoeff() <= tolerance * inertia;
  }

  bool takes_joint(const Pose& T, const Joint& a, const Joint& b, double size) const {
    const auto point = [&](const Vec3& p, const Vec3& q) {
      return (T * p - q).norm() <= tolerance * size;
    };
    const auto direction = [&](const Vec3& p, const Vec3& q) {
      return (T.R * p - q).norm() <= tolerance;
    };
    const bool has_axis = a.type != JointType::spherical && a.type != JointType::fixed;
    // A sliding rotor moves perpendicular to gravity.
    const bool keeps_down =
        a.armature == 0 || a.turns() || (T.R * robot_.gravity - robot_.gravity).norm() <= tolerance;
    return point(a.point, b.point) && (!has_axis || direction(a.axis, b.axis)) &&
           (a.type != JointType::universal || direction(a.axis2, b.axis2)) &&
           a.to.has_value() == b.to.has_value() && (!a.to || point(*a.to, *b.to)) &&
           near(a.lower, b.lower) && near(a.upper, b.upper) && near(a.damping, b.damping) &&
           near(a.friction, b.friction) && near(a.stiffness, b.stiffness) &&
           std::abs(a.spring_at - b.spring_at) <= tolerance && near(a.armature, b.armature) &&
           near(a.pitch, b.pitch) && std::abs(a.zero - b.zero) <= tolerance && a.start == b.start &&
           keeps_down;
  }

  /// A group, its end and its uses also take lines.
  bool is_worth_it(const Repeat& repeat) {
    std::size_t lines = 0;
    for (const std::size_t i : repeat.copies.front().links)
      lines += 1 + drawn(robot_.links[i].geoms).size();
    for (const std::size_t j : repeat.copies.front().joints) {
      const Joint& joint = robot_.joints[j];
      lines += 1 + (joint.damping > 0 || joint.friction > 0 ? 1 : 0) +
               (joint.stiffness > 0 ? 1 : 0) + (joint.lower || joint.upper ? 1 : 0) +
               (joint.armature > 0 ? 3 : 0);
    }
    const std::size_t copies = repeat.copies.size();
    return lines * (copies - 1) >= copies + 2 + least_saved;
  }

  /// Moves the frames of links of b to those of a.
  void move_frames(const Branch& a, const Branch& b) {
    const Pose T = motion(a, b).value_or(Pose());
    for (std::size_t k = 0; k < a.links.size(); ++k) {
      Link& link = robot_.links[b.links[k]];
      const Pose pose = T * robot_.links[a.links[k]].pose;
      const Pose change = pose.inverse() * link.pose;
      link.pose = pose;
      link.inertial = seen_from(change, link.inertial);
      for (Geom& geom : link.geoms) geom.pose = change * geom.pose;
      for (Sensor& sensor : robot_.sensors)
        if (sensor.kind != SensorKind::joint_position &&
            sensor.kind != SensorKind::joint_velocity &&
            sensor.index == static_cast<int>(b.links[k]))
          sensor.pose = change * sensor.pose;
    }
  }

  bool look_alike(Repeat& repeat, std::size_t k) {
    const std::vector<Geom*> wanted = drawn(robot_.links[repeat.copies.front().links[k]].geoms);
    return std::all_of(repeat.copies.begin() + 1, repeat.copies.end(), [&](const Branch& copy) {
      const std::vector<Geom*> given = drawn(robot_.links[copy.links[k]].geoms);
      return std::equal(wanted.begin(), wanted.end(), given.begin(), given.end(),
                        [](const Geom* a, const Geom* b) {
                          return a->kind == b->kind && a->file == b->file && a->color == b->color &&
                                 a->opacity == b->opacity && a->size.isApprox(b->size, tolerance) &&
                                 a->scale.isApprox(b->scale, tolerance) &&
                                 (a->pose.t - b->pose.t).norm() <= tolerance &&
                                 (a->pose.R - b->pose.R).norm() <= tolerance;
                        });
    });
  }

  Robot& robot_;
  std::vector<Branch> branches_;
};

}  // namespace

std::vector<Repeat> find_repeats(Robot& robot) { return Finder(robot).find(); }

}  // namespace mechfmu::robots
