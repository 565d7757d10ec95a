// Detects the format of a file, and finds the other files that it names.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>

#include "language/file/source_files.h"
#include "model/format.h"
#include "model_desc/text.h"
#include "robots/attributes.h"
#include "robots/formats.h"
#include "robots/loops.h"

namespace mechfmu::robots {

namespace {

namespace fs = std::filesystem;

/// Reports impossible masses of links, after links that are fixed to each other are merged.
void check_masses(Robot& robot, Diagnostics& diagnostics) {
  for (const Link& link : robot.links) {
    const std::string element = "link " + in_quotes(plain_line(link.name, 80));
    const Inertial& body = link.inertial;
    const Vec3 moments =
        Eigen::SelfAdjointEigenSolver<Mat3>(body.inertia, Eigen::EigenvaluesOnly).eigenvalues();
    const double roundoff = 1e-14 * std::abs(body.mass);  // m² times a mass: inertia of a point
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
    else if (moments[2] > (1 + 1e-8) * (moments[0] + moments[1]) + roundoff)
      robot.remarks.push_back(
          {link.place, element,
           "no solid has its inertia: of the principal moments " + all() +
               ", the largest is more than the sum of the others; mechfmu check refuses "
               "it: correct the robot's file"});
  }
}

ReaderLimits limits() {
  ReaderLimits made;
  made.bytes = 50'000'000;
  made.depth = 200;  // bodies of MJCF are nested
  return made;
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

fs::path tidy_absolute(const fs::path& path) {
  const fs::path made = fs::absolute(path).lexically_normal();
  return made.has_filename() ? made : made.parent_path();  // no / behind it
}

std::string not_found(const std::string& path) {
  return in_quotes(plain_line(path, 80)) +
         " is not a file in the folder of the robot's file or below it; --root names another "
         "folder to look in";
}

/// Finds the files of visible meshes. Missing ones and other formats are reported once.
void find_meshes(Robot& robot, const Source& source) {
  std::map<std::string, std::size_t> unread;  // reason, and number of meshes
  const auto look = [&](Geom& geom) {
    if (geom.kind != GeomKind::mesh || geom.mesh.empty()) return;
    const std::optional<std::string> found = source.find(geom.mesh);
    const std::string ending = fs::path(geom.mesh).extension().string();
    if (!found)
      ++unread["not in the folder of the robot's file or below it (--root names another)"];
    else if (!is_mesh(*found))
      ++unread["not STL, OBJ or glTF but " + (ending.empty() ? "without an ending" : ending)];
    else
      geom.file = source.root / *found;
  };
  for (Link& link : robot.links)
    for (Geom& geom : link.geoms) look(geom);
  for (Geom& geom : robot.ground) look(geom);
  for (const auto& [why, count] : unread)
    robot.notes.push_back(std::to_string(count) + (count == 1 ? " mesh is" : " meshes are") +
                          " not drawn: " + why);
}

}  // namespace

fs::path root_folder(const fs::path& file, const fs::path& root) {
  return tidy_absolute(root.empty() ? folder_of(file) : root);
}

std::optional<std::string> Source::find(const std::string& written) const {
  std::string path = written;
  bool by_package = false;
  for (const char* scheme : {"package://", "model://", "file://"})
    if (path.starts_with(scheme)) {
      path = path.substr(std::string_view(scheme).size());
      by_package = true;
    }
  std::replace(path.begin(), path.end(), '\\', '/');
  const fs::path folder = tidy_absolute(folder_of(file));
  std::error_code none;
  // package://arm/meshes/a.stl is looked for as arm/meshes/a.stl and as meshes/a.stl.
  for (std::string at = path;;) {
    for (const fs::path& from : {folder, root}) {
      const fs::path below = (from / at).lexically_normal().lexically_relative(root);
      if (!at.empty() && !below.empty() && *below.begin() != ".." &&
          fs::is_regular_file(root / below, none))
        return below.generic_string();
    }
    const std::size_t slash = at.find('/');
    if (!by_package || slash == std::string::npos) return {};
    at = at.substr(slash + 1);
  }
}

std::optional<XmlNode> Source::tree(const std::string& path, const Place& named_at) const {
  const std::optional<std::string> found = find(path);
  const reader::TextOrProblem content = found ? reader::load_below(root, *found, limits().bytes)
                                              : reader::TextOrProblem{{}, not_found(path)};
  if (!content.problem.empty()) {
    diagnostics.error(named_at, {}, {}, content.problem);
    return {};
  }
  const fs::path shown = options.root.empty() ? folder_of(file) : options.root;
  return parse_xml(content.text, (shown / *found).string(), limits(), diagnostics, kind);
}

std::optional<Mesh> Source::mesh(const std::string& path, const Place& named_at,
                                 const std::string& element) const {
  const std::optional<std::string> found = find(path);
  const reader::TextOrProblem content =
      found ? reader::load_below(root, *found, limits().mesh_bytes)
            : reader::TextOrProblem{{}, "the mesh " + not_found(path)};
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
                root_folder(file, options.root),
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
        "this is a xacro file, which generates URDF; run xacro on it and import the result");
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
  find_meshes(robot, source);
  merge_fixed(robot);
  if (options.loops_by_points) hold_by_points(robot);
  std::erase_if(robot.actuators, [&](const Actuator& a) {
    return a.tendon < 0 && !robot.joints[static_cast<std::size_t>(a.joint)].has_coordinate();
  });
  check_masses(robot, diagnostics);
  if (diagnostics.has_errors()) return {};
  return robot;
}

}  // namespace mechfmu::robots
