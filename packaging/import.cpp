#include "packaging/import.h"

#include <algorithm>
#include <iostream>

#include "model_desc/text.h"
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
      throw WrongUsage("--set: there is no joint '" + plain_line(name, 60) + "' with a coordinate" +
                       suggestion(name, names));
    }
    found->start = value;
  }
}

}  // namespace

void ImportCommand::add_to(CLI::App& app) {
  app.add_option("file", file, "robot: URDF, MJCF or SDF")->required()->check(existing_file());
  app.add_option("-o,--output", output,
                 "mechanism file; by default <file>.xml here, <file>_mechanism.xml where that is "
                 "the robot's; - writes it to the terminal");
  app.add_option("--set", starts,
                 "name=value: where a joint starts, such as elbow=30deg; once for each joint")
      ->allow_extra_args(false);
  app.add_flag("--free-base", free_base,
               "let the first link of a URDF file move; by default it is the ground");
  app.add_flag(
      "--loops-by-points", loops_by_points,
      "let revolute joints that close loops hold points only, for loops that do not fit exactly");
  app.add_flag("--without-motors", without_motors,
               "add no motors to the joints of URDF and SDF files");
  app.add_flag("--strict", strict, "refuse files that are not taken over as they stand");
  app.add_flag("-q,--quiet", quiet, "print errors only");
}

int ImportCommand::run() {
  Diagnostics diagnostics;
  std::optional<robots::Robot> robot = robots::read_robot(
      file, {.free_base = free_base, .loops_by_points = loops_by_points, .motors = !without_motors},
      diagnostics);
  if (!robot) {
    std::cerr << diagnostics.text(true);
    return has_errors;
  }
  set_starts(*robot, starts);
  const std::string text = robots::mechanism_file(*robot, file.filename().string());
  for (const robots::Remark& remark : robot->remarks)
    diagnostics.warning(remark.place, remark.element, {}, remark.message);
  if (!quiet) std::cerr << diagnostics.text(true);
  if (strict && !robot->remarks.empty()) return has_errors;

  if (output.empty()) {
    output = fs::path(file.filename()).replace_extension(".xml");
    std::error_code none;
    if (fs::equivalent(output, file, none)) output = file.stem().string() + "_mechanism.xml";
  }
  refuse_to_overwrite({file}, {output});
  write_text(output, text);
  if (output == "-" || quiet) return fine;
  std::cout << output.string() << "\n";
  std::cerr << "mechfmu: " << plain_line(robot->name, 60) << ": " << robot->links.size()
            << " bodies, " << robot->joints.size() << " joints, of which "
            << std::count_if(robot->joints.begin(), robot->joints.end(),
                             [](const robots::Joint& j) { return j.closes_loop; })
            << " close loops; next: mechfmu check " << output.string() << "\n";
  return fine;
}

}  // namespace mechfmu
