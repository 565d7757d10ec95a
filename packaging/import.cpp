#include "packaging/import.h"

#include <algorithm>
#include <iostream>
#include <set>

#include "language/file/mesh_file.h"
#include "language/file/source_files.h"
#include "model_desc/text.h"
#include "model_desc/xml_tree.h"
#include "packaging/options.h"
#include "packaging/terminal.h"
#include "robots/robot.h"
#include "robots/write.h"

namespace mechfmu {

namespace {

namespace fs = std::filesystem;

/// name=value for joints, in the coordinates of the robot's file.
void set_starts(robots::Robot& robot, const std::vector<std::string>& starts) {
  for (const std::string& start : starts) {
    const auto [name, value] = assignment(start);
    const auto found =
        std::find_if(robot.joints.begin(), robot.joints.end(),
                     [&name = name](const robots::Joint& joint) { return joint.name == name; });
    if (found == robot.joints.end() || !found->has_coordinate()) {
      std::vector<std::string> names;
      for (const robots::Joint& joint : robot.joints)
        if (joint.has_coordinate()) names.push_back(joint.name);
      throw WrongUsage("--set: unknown joint '" + plain_line(name, 60) + "' with a coordinate" +
                       suggestion(name, names));
    }
    found->start = value;
  }
}

/// A mesh that is written to a new file.
struct MeshCopy {
  fs::path from, to;
  robots::Vec3 scale;  // of the copy's triangles; 1 1 1: it is the same file
};

/// Visible meshes must be below the folder of the mechanism file: others are copied into
/// <mechanism>_meshes there, and so are meshes that are mirrored or scaled differently along their
/// axes, which a look cannot express. Makes paths relative to that folder and returns the copies to
/// make.
std::vector<MeshCopy> place_meshes(robots::Robot& robot, const fs::path& mechanism) {
  const fs::path folder = fs::absolute(mechanism).lexically_normal().parent_path();
  const fs::path beside = mechanism.stem().string() + "_meshes";
  std::vector<MeshCopy> copies;
  std::set<fs::path> taken;
  const auto place = [&](robots::Geom& geom) {
    const fs::path below = geom.file.lexically_relative(folder);
    if (geom.is_even() && !below.empty() && *below.begin() != "..") {
      geom.file = below;
      return;
    }
    const robots::Vec3 scale = geom.is_even() ? robots::Vec3(robots::Vec3::Ones()) : geom.scale;
    auto copy = std::find_if(copies.begin(), copies.end(), [&](const MeshCopy& c) {
      return c.from == geom.file && c.scale == scale;
    });
    if (copy == copies.end()) {
      const std::string ending = geom.is_even() ? geom.file.extension().string() : ".stl";
      fs::path name = geom.file.stem().string() + ending;
      for (int i = 2; !taken.insert(name).second; ++i)
        name = geom.file.stem().string() + std::to_string(i) + ending;
      copies.push_back({geom.file, beside / name, scale});
      copy = copies.end() - 1;
    }
    if (!geom.is_even()) geom.scale.setOnes();
    geom.file = copy->to;
  };
  const auto place_all = [&](std::vector<robots::Geom>& geoms) {
    for (robots::Geom* geom : robots::drawn(geoms))
      if (!geom->file.empty()) place(*geom);
  };
  for (robots::Link& link : robot.links) place_all(link.geoms);
  place_all(robot.ground);
  return copies;
}

/// Reads a file in the root folder or below it, but none that a link leads to elsewhere.
void write_mesh(const fs::path& root, const MeshCopy& copy, const fs::path& to) {
  const reader::TextOrProblem content = reader::load_below(
      root, copy.from.lexically_relative(root).generic_string(), ReaderLimits().mesh_bytes);
  std::string problem = content.problem, bytes = content.text;
  if (problem.empty() && !copy.scale.isOnes()) {
    const std::string ending = copy.from.extension().string();
    MeshOrProblem read = read_mesh(bytes, ending.empty() ? ending : ending.substr(1));
    problem = read.problem;
    read.mesh.scale(copy.scale);
    bytes = stl(read.mesh);
  }
  if (!problem.empty())
    throw std::runtime_error("the mesh " + copy.from.string() + " cannot be copied: " + problem +
                             "; use --without-looks to leave meshes out");
  fs::create_directories(to.parent_path());
  write_text(to, bytes);
}

}  // namespace

void ImportCommand::add_to(CLI::App& app) {
  app.add_option("file", file, "Robot: URDF, MJCF or SDF file")->required()->check(existing_file());
  app.add_option("-o,--output", output,
                 "Mechanism file to write; default: <file>.xml in the current folder, or "
                 "<file>_mechanism.xml if that is the robot's file; -: to standard output");
  app.add_option("--set", starts,
                 "name=value: initial position of a joint, such as elbow=30deg; repeatable")
      ->allow_extra_args(false);
  app.add_flag("--free-base", free_base,
               "Let the first link of a URDF file move; default: it is fixed to the ground");
  app.add_flag("--loops-by-points", loops_by_points,
               "Close loops by points only, for loops that do not fit exactly");
  app.add_flag("--without-motors", without_motors,
               "Do not add motors to the joints of URDF and SDF files");
  app.add_flag("--without-looks", without_looks,
               "Leave out what is only seen; meshes are not copied");
  app.add_flag("--without-groups", without_groups,
               "Write every link and joint out, also where branches of the robot are equal");
  app.add_option("--root", root,
                 "Folder to search, with its subfolders, for the robot's other files, such as "
                 "package://arm/link.stl; default: the folder of the file")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--strict", strict, "Fail if anything in the file cannot be converted exactly");
  app.add_flag("-q,--quiet", quiet, "Print errors only");
}

int ImportCommand::run() {
  Diagnostics diagnostics;
  std::optional<robots::Robot> robot = robots::read_robot(file,
                                                          {.free_base = free_base,
                                                           .loops_by_points = loops_by_points,
                                                           .motors = !without_motors,
                                                           .root = root},
                                                          diagnostics);
  if (!robot) {
    std::cerr << diagnostics.text(true);
    return has_errors;
  }
  set_starts(*robot, starts);
  if (output.empty()) {
    output = fs::path(file.filename()).replace_extension(".xml");
    std::error_code none;
    if (fs::equivalent(output, file, none)) output = file.stem().string() + "_mechanism.xml";
  }
  const bool with_looks = !without_looks && output != "-";
  std::vector<MeshCopy> copies;
  if (with_looks) copies = place_meshes(*robot, output);
  const std::string text = robots::mechanism_file(*robot, file.filename().string(),
                                                  {.looks = with_looks, .groups = !without_groups});
  for (const robots::Remark& remark : robot->remarks)
    diagnostics.warning(remark.place, remark.element, {}, remark.message);
  if (!quiet) std::cerr << diagnostics.text(true);
  if (strict && !robot->remarks.empty()) return has_errors;

  std::vector<fs::path> sources = {file}, targets = {output};
  for (const MeshCopy& copy : copies) {
    sources.push_back(copy.from);
    targets.push_back(output.parent_path() / copy.to);
  }
  refuse_to_overwrite(sources, targets);
  const fs::path absolute_root = robots::root_folder(file, root);
  for (const MeshCopy& copy : copies)
    write_mesh(absolute_root, copy, output.parent_path() / copy.to);
  write_text(output, text);
  if (output == "-" || quiet) return fine;
  std::cout << output.string() << "\n";
  const std::size_t bodies = robot->links.size(), joints = robot->joints.size();
  const auto loops = std::ranges::count_if(robot->joints, &robots::Joint::closes_loop);
  std::cerr << "mechfmu: " << plain_line(robot->name, 60) << ": " << bodies
            << (bodies == 1 ? " body, " : " bodies, ") << joints
            << (joints == 1 ? " joint" : " joints");
  if (loops > 0)
    std::cerr << ", of which " << loops << (loops == 1 ? " closes a loop" : " close loops");
  std::cerr << "; next run mechfmu check " << output.string() << "\n";
  return fine;
}

}  // namespace mechfmu
