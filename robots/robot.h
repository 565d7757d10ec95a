// A robot as its file describes it, in any format: links, joints, actuators and sensors, in world
// coordinates with all joint coordinates at zero. Readers of URDF, MJCF and SDF make it; the writer
// turns it into a mechanism file.
//
//   file ─ urdf.cpp, mjcf.cpp, sdf.cpp ─→ Robot ─ merge_fixed ─→ Robot without fixed links
//        ─ write.cpp ─→ mechanism file

#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model_desc/diagnostics.h"

namespace mechfmu::robots {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// p ↦ R p + t
struct Pose {
  Vec3 t = Vec3::Zero();
  Mat3 R = Mat3::Identity();

  Pose operator*(const Pose& b) const { return {t + R * b.t, R * b.R}; }
  Vec3 operator*(const Vec3& p) const { return t + R * p; }
  Pose inverse() const { return {-(R.transpose() * t), R.transpose()}; }
};

/// Mass, centre of mass and inertia about that centre, in the axes of a frame.
struct Inertial {
  double mass = 0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

/// The same body in another frame, in which its own frame has this pose.
Inertial seen_from(const Pose& pose, const Inertial& inertial);
/// Two bodies as one: m = Σ mᵢ, m c = Σ mᵢ cᵢ, J = Σ Jᵢ + mᵢ (|dᵢ|² 1 − dᵢ dᵢᵀ), dᵢ = cᵢ − c.
Inertial together(const Inertial& a, const Inertial& b);

enum class GeomKind { box, sphere, cylinder, capsule, ellipsoid, plane, mesh };

struct Geom {
  GeomKind kind = GeomKind::box;
  Vec3 size = Vec3::
      // box: lengths; sphere: radius; cylinder, capsule: radius, length; ellipsoid: half axes
      Zero();
  Pose pose{};         // in its link; cylinders and capsules along z, planes with the normal z
  std::string mesh{};  // its file, as named in the robot's file
  std::filesystem::path file{};  // the path of that file
  Vec3 scale = Vec3::Ones();
  bool collides = false, visible = false;
  std::string color{};  // #rrggbb
  double opacity = 1;

  /// Whether its scale is the same along all axes, without mirroring.
  bool is_even() const { return scale.isApproxToConstant(scale.x()) && scale.x() > 0; }
  double friction = 0;
  std::string name{};
  Place place{};
};

/// Shapes to draw of a link: the visible ones, with those of its contacts if one of them cannot be
/// drawn or there are none.
std::vector<Geom*> drawn(std::vector<Geom>& geoms);

constexpr int world = -1;  // in place of the index of a link

struct Link {
  std::string name;
  Place place{};
  Pose pose{};          // in the world
  Inertial inertial{};  // in its axes, from its origin
  std::vector<Geom> geoms{};
  bool free = false;  // moves freely, without a joint
  bool has_inertial = false;
};

enum class JointType {
  fixed,
  revolute,
  prismatic,
  spherical,
  universal,
  planar,
  cylindrical,
  screw,
  point_on_line
};

const char* text(JointType type);

struct Mimic {
  std::string joint;
  double multiplier = 1, offset = 0;
};

struct Joint {
  std::string name;
  Place place{};
  JointType type = JointType::fixed;
  int parent = world, child = world;
  Vec3 point = Vec3::Zero(), axis = Vec3::UnitZ(), axis2 = Vec3::UnitX();  // in the world
  std::optional<Vec3> to{};  // the point of the child, if it is at another place
  std::optional<double> lower{}, upper{};
  std::optional<double> effort{};       // greatest force or torque of its motor
  double damping = 0, friction = 0;     // viscous; dry
  double stiffness = 0, spring_at = 0;  // of a spring along it, and its relaxed coordinate
  double armature = 0;                  // inertia of a motor's rotor at the joint
  double pitch = 0;                     // of a screw, m per turn
  double zero = 0;                      // the file's coordinate of the placed position
  std::string start{};                  // coordinate at t = 0 as counted in the file, an expression
  std::optional<Mimic> mimic{};
  bool closes_loop = false;
  bool driven = false;  // a motor acts along it; its force is an input

  bool has_coordinate() const {
    return type == JointType::revolute || type == JointType::prismatic || type == JointType::screw;
  }
  bool turns() const { return type == JointType::revolute || type == JointType::screw; }
};

/// q_a = c₀ + c₁ q_b + … + c₄ q_b⁴, or q_a = c₀ without b; coordinates are zero in the placed
/// position.
struct Coupling {
  std::string name;
  Place place{};
  int a = 0, b = -1;  // joints
  std::array<double, 5> c{0, 1, 0, 0, 0};
};

/// A length that is a sum of joint coordinates, L = Σ cᵢ qᵢ, with a spring and a damper along it: a
/// force F along it acts on a joint as cᵢ F.
struct Tendon {
  std::string name;
  Place place{};
  std::vector<std::pair<int, double>> joints{};  // and their factors
  double stiffness = 0, damping = 0;
  double shortest = 0, longest = 0;  // the spring is relaxed between them
};

/// L_a = c₀ + c₁ L_b + … + c₄ L_b⁴ of tendons, or L_a = c₀ without b; lengths are zero in the
/// placed position.
struct TendonCoupling {
  std::string name;
  Place place{};
  int a = 0, b = -1;
  std::array<double, 5> c{0, 1, 0, 0, 0};
};

/// A force along the coordinate q of a joint, or the length q of a tendon: gear (gain u + bias₀ +
/// bias₁ gear q + bias₂ gear q'), u an input.
struct Actuator {
  std::string name;
  Place place{};
  int joint = 0;
  int tendon = -1;  // instead of the joint
  double gear = 1, gain = 1;
  double lag = 0;  // s; if not 0, u follows the input w: u' = (w − u)/lag
  std::array<double, 3> bias{};
  std::optional<double> least{}, most{};              // of u
  std::optional<double> least_force{}, most_force{};  // before the gear
  std::string about{};
  bool is_target = false;  // u is a position or a speed
  bool of_rate = false;    // … a speed
};

enum class SensorKind {
  joint_position,
  joint_velocity,
  position,
  velocity,
  local_velocity,
  angular_velocity,
  local_angular_velocity,
  local_acceleration,
  quaternion
};

struct Sensor {
  std::string name;
  Place place{};
  SensorKind kind = SensorKind::position;
  int index = 0;  // of a joint or a link
  Pose pose{};    // of its frame in the link
};

/// A remark about a part that is not converted exactly.
struct Remark {
  Place place{};
  std::string element{};
  std::string message{};
};

struct Robot {
  std::string name;
  std::string format;  // "URDF"
  Vec3 gravity{0, 0, -9.81};
  std::vector<Link> links{};
  std::vector<Joint> joints{};
  std::vector<Coupling> couplings{};
  std::vector<Tendon> tendons{};
  std::vector<TendonCoupling> tendon_couplings{};
  std::vector<Actuator> actuators{};
  std::vector<Sensor> sensors{};
  std::vector<Geom> ground{};  // shapes that do not move, in the world
  std::vector<Remark> remarks{};
  std::vector<std::string> notes{};  // for the head of the mechanism file
};

/// Removes links that are fixed to others: their masses, shapes and sensors become those of the
/// holder.
void merge_fixed(Robot& robot);

struct ReadOptions {
  bool free_base = false;  // the first link of a URDF file moves freely instead of being the ground
  bool loops_by_points =
      // revolute joints that close loops constrain only points, for loops that do not close exactly
      false;
  bool motors = true;  // for formats without actuators: every joint gets one
  std::filesystem::path
      root{};  // folder of all files that the robot names; empty: the folder of its file
};

/// Adds motors along all joints that have a coordinate, for formats without actuators.
void add_motors(Robot& robot);

/// The folder that contains the other files of a robot: `root`, or that of its file if `root` is
/// empty.
std::filesystem::path root_folder(const std::filesystem::path& file,
                                  const std::filesystem::path& root);

/// The robot of a file, by its ending and its root element. Nullopt if the diagnostics have errors.
std::optional<Robot> read_robot(const std::filesystem::path& file, const ReadOptions& options,
                                Diagnostics& diagnostics);

}  // namespace mechfmu::robots
