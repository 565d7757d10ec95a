// Which format a file is in, and the other files that it names.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <set>

#include "language/file/source_files.h"
#include "model/format.h"
#include "model_desc/text.h"
#include "robots/attributes.h"
#include "robots/formats.h"

namespace mechfmu::robots {

namespace {

namespace fs = std::filesystem;

/// Masses that no body has: of links as they are after those that are fixed to each other have become one.
void check_masses(Robot& robot, Diagnostics& diagnostics) {
  for (const Link& link : robot.links) {
    const std::string element = "link " + in_quotes(plain_line(link.name, 80));
    const Inertial& body = link.inertial;
    const Vec3 moments =
        Eigen::SelfAdjointEigenSolver<Mat3>(body.inertia, Eigen::EigenvaluesOnly).eigenvalues();
    const double roundoff = 1e-14 * std::abs(body.mass);  // m² times a mass: that of a point
    const auto all = [&] {
      return format(moments[0]) + ", " + format(moments[1]) + " and " + format(moments[2]) +
             " kg.m2";
    };
    if (body.mass < 0)
      diagnostics.error(link.place, element, {},
                        "its mass is negative, " + format(body.mass) + " kg");
    else if (moments[0] < -1e-9 * moments.cwiseAbs().maxCoeff() - roundoff)
      diagnostics.error(link.place, element, {},
                        "its inertia has a negative principal moment: they are " + all());
    else if (moments[2] > (1 + 1e-6) * (moments[0] + moments[1]) + roundoff)
      robot.remarks.push_back({link.place, element,
                               "no solid has its inertia: of the principal moments " + all() +
                                   ", the largest is more than the sum of the others"});
  }
}

constexpr std::size_t most_bytes_of_a_mesh = 300'000'000;

ReaderLimits limits() {
  ReaderLimits made;
  made.bytes = 50'000'000;
  made.depth = 200;  // bodies of MJCF stand in each other
  return made;
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

}  // namespace

std::optional<std::string> Source::find(const std::string& written) const {
  std::string path = written;
  bool by_package = false;
  for (const char* scheme : {"package://", "model://", "file://"})
    if (path.starts_with(scheme)) {
      path = path.substr(std::string_view(scheme).size());
      by_package = true;
    }
  std::replace(path.begin(), path.end(), '\\', '/');
  const fs::path folder = folder_of(file);
  // package://arm/meshes/a.stl is looked for as arm/meshes/a.stl and as meshes/a.stl.
  for (std::string at = path;;) {
    const reader::TextOrProblem found =
        reader::SourceFiles::path_from(file.filename().string(), at);
    if (found.problem.empty() && fs::is_regular_file(folder / found.text)) return found.text;
    const std::size_t slash = at.find('/');
    if (!by_package || slash == std::string::npos) return {};
    at = at.substr(slash + 1);
  }
}

std::optional<XmlNode> Source::tree(const std::string& path, const Place& named_at) const {
  const std::optional<std::string> found = find(path);
  const reader::TextOrProblem content =
      found ? reader::load_below(folder_of(file), *found, limits().bytes)
            : reader::TextOrProblem{
                  {},
                  in_quotes(plain_line(path, 80)) +
                      " is not a file in the folder of the robot's file or below it"};
  if (!content.problem.empty()) {
    diagnostics.error(named_at, {}, {}, content.problem);
    return {};
  }
  return parse_xml(content.text, (folder_of(file) / *found).string(), limits(), diagnostics, kind);
}

std::optional<Mesh> Source::mesh(const std::string& path, const Place& named_at,
                                 const std::string& element) const {
  const std::optional<std::string> found = find(path);
  const reader::TextOrProblem content =
      found ? reader::load_below(folder_of(file), *found, most_bytes_of_a_mesh)
            : reader::TextOrProblem{
                  {},
                  "the mesh " + in_quotes(plain_line(path, 80)) +
                      " is not a file in the folder of the robot's file or below it"};
  MeshOrProblem made;
  made.problem = content.problem;
  if (made.problem.empty()) {
    made = read_mesh(content.text, fs::path(*found).extension().string().erase(0, 1));
    if (!made.problem.empty())
      made.problem = "the mesh " + in_quotes(plain_line(path, 80)) + ": " + made.problem;
  }
  if (made.problem.empty()) return std::move(made.mesh);
  diagnostics.error(named_at, element, {}, made.problem);
  return {};
}

std::optional<Robot> read_robot(const fs::path& file, const ReadOptions& options,
                                Diagnostics& diagnostics) {
  Source source{file,
                diagnostics,
                options,
                {.name = "robot's file",
                 .root = "<robot>, <mujoco> or <sdf>",
                 .skip_text = true,
                 .keep_text = true}};
  diagnostics.announce(file.string());
  const reader::TextOrProblem content = reader::load_file(file, limits().bytes);
  if (!content.problem.empty()) {
    diagnostics.error({file.string()}, {}, {}, content.problem);
    return {};
  }
  const std::optional<XmlNode> root =
      parse_xml(content.text, file.string(), limits(), diagnostics, source.kind);
  if (!root) return {};
  Robot robot;
  const auto is_macro = [](const XmlNode& node) {
    return node.tag.starts_with("xacro:") && node.tag != "xacro:property" &&
           node.tag != "xacro:arg";
  };
  if (std::any_of(root->children.begin(), root->children.end(), is_macro)) {
    diagnostics.error(
        root->place, {}, {},
        "this is a xacro file, which makes URDF files; run xacro on it, and import what it writes");
  } else if (root->tag == "robot") {
    robot = read_urdf(*root, source);
  } else if (root->tag == "mujoco") {
    robot = read_mjcf(*root, source);
  } else if (root->tag == "sdf") {
    robot = read_sdf(*root, source);
  } else {
    diagnostics.error(root->place, {}, {},
                      "<" + plain_line(root->tag, 40) +
                          "> is not the root of a robot's file: URDF begins with <robot>, MJCF "
                          "with <mujoco>, SDF with <sdf>");
  }
  if (diagnostics.has_errors()) return {};
  merge_fixed(robot);
  if (options.loops_by_points)
    for (Joint& joint : robot.joints)
      if (joint.closes_loop && joint.type == JointType::revolute) {
        joint.type = JointType::spherical;
        robot.remarks.push_back({joint.place, "joint " + in_quotes(plain_line(joint.name, 80)),
                                 "closes a loop, and holds a point only"});
      }
  std::erase_if(robot.actuators, [&](const Actuator& a) {
    return !robot.joints[static_cast<std::size_t>(a.joint)].has_coordinate();
  });
  check_masses(robot, diagnostics);
  if (diagnostics.has_errors()) return {};
  return robot;
}

}  // namespace mechfmu::robots
