#include "packaging/animate.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "importer/signals.h"
#include "language/meaning/check.h"
#include "model_desc/json.h"
#include "model_desc/read_description.h"
#include "model_desc/text.h"
#include "packaging/gltf.h"
#include "packaging/interrupt.h"
#include "packaging/options.h"
#include "packaging/terminal.h"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The mechanism file of an FMU, in the folder that it was unpacked to.
fs::path mechanism_in(const fs::path& folder) {
  return folder / mechanism_folder / "mechanism.xml";
}

void expect_poses(const Animation& animation, const fs::path& result) {
  std::size_t missing = 0;
  std::string first;
  std::size_t bodies = 0;
  for (const scene::Body& body : animation.parts.bodies)
    for (const std::string& variable : body.pose) {
      ++bodies;
      if (animation.recording.find(variable) >= 0) continue;
      if (missing++ == 0) first = variable;
    }
  if (missing > 0)
    throw WrongFile(result.string() + " does not hold the poses of the bodies: it has no column '" +
                    first + "'" +
                    (missing > 1 ? " and " + std::to_string(missing - 1) + " more" : "") +
                    "; export the FMU with --poses and record all of its outputs in the master");
  if (bodies == 0)
    throw WrongFile("no variable describes the motion of the bodies: export the FMU with --poses");
}

/// Reads rows that a master has written.
void read_result(const fs::path& result, Animation& animation) {
  Signals signals;
  try {
    signals = read_signals(result);
  } catch (const std::runtime_error& error) {
    throw WrongFile(error.what());
  }
  std::vector<Recording::Variable> variables = {{"time", "s", ""}};
  for (const std::string& name : signals.names) variables.push_back({name, "", ""});
  Recording& recording = animation.recording;
  if (signals.times.empty()) throw WrongFile(result.string() + " has no rows");
  recording.spacing =
      (signals.times.back() - signals.times.front()) / static_cast<double>(Recording::most_frames);
  recording.begin(std::move(variables));
  std::vector<double> row(signals.names.size() + 1);
  for (std::size_t i = 0; i < signals.times.size(); ++i) {
    row[0] = signals.times[i];
    for (std::size_t k = 0; k < signals.names.size(); ++k) row[k + 1] = signals.at(i, k);
    recording.add(row);
  }
  recording.end();
}

/// Takes units and descriptions from the FMU.
void describe(Recording& recording, const fs::path& folder) {
  const FmuDescription fmu = read_description(folder / "modelDescription.xml");
  for (Recording::Variable& v : recording.variables)
    if (const FmuVariable* known = fmu.find(v.name)) {
      v.unit = known->unit;
      v.about = known->about;
    }
}

}  // namespace

void expect_animation(const fs::path& file) {
  const std::string kind = file.extension().string();
  static const std::set<std::string> kinds = {".html", ".glb", ".png", ".svg",
                                              ".mp4",  ".gif", ".apng"};
  if (!kinds.contains(kind))
    throw WrongUsage(file.string() +
                     ": the name must end in .html, .glb, .png, .svg, .mp4, .gif or .apng");
  if (file.has_parent_path() && !fs::is_directory(file.parent_path()))
    throw std::runtime_error("cannot write " + file.string() + ": no such folder");
}

fs::path scene_inside(const fs::path& file, const fs::path& folder, Animation& animation) {
  if (fs::exists(mechanism_in(folder))) return mechanism_in(folder);
  animation.scene = text_of(folder / scene_file);
  if (animation.scene.empty())
    throw WrongFile(file.string() +
                    " holds neither a mechanism nor a scene: only FMUs that mechfmu exported from "
                    "a mechanism file can be animated");
  const FmuDescription fmu = read_description(folder / "modelDescription.xml");
  animation.parts.name = fmu.model;
  for (const FmuVariable& v : fmu.variables)
    if (v.causality == FmuVariable::Causality::output && v.name.starts_with("pose."))
      animation.hidden.push_back(v.name);
  if (animation.hidden.empty())
    throw WrongFile(file.string() +
                    " has no outputs with the poses of its bodies; export it with --poses");
  return {};
}

void write_animation(const Animation& animation, const fs::path& file,
                     const VideoOptions& options) {
  const std::string kind = file.extension().string();
  const Kit kit = find_kit();
  if (kind == ".html")
    write_text(file, page_of(animation, kit));
  else if (kind == ".glb" && animation.parts.bodies.empty())
    throw WrongFile(
        "glTF needs the mechanism file, which the FMU does not hold; write an .html page instead");
  else if (kind == ".glb")
    write_text(file, gltf_of(animation));
  else
    write_video(animation, kit, file, options);
}

void AnimateCommand::add_to(CLI::App& app) {
  app.add_option("file", simulate.file, "Mechanism file, or an FMU exported from one")
      ->required()
      ->check(existing_file());
  app.add_option("-o,--output", output,
                 "File to write: .html (default), .glb, .png, .svg, .mp4, .gif or .apng");
  app.add_option(
         "--result", result,
         "Animate this CSV file, recorded by a master from an FMU with poses, instead of a run")
      ->check(existing_file());
  simulate.add_run_options(app);
  app.add_option("--at", video.at, "Pictures: time to show, s");
  app.add_option("--size", size, "Pictures and videos: size in pixels")->capture_default_str();
  app.add_option("--fps", video.rate, "Videos: frames per second")
      ->check(positive_number())
      ->capture_default_str();
  app.add_option("--speed", video.speed, "Videos: seconds of motion per second of video")
      ->check(positive_number());
  app.add_option("--view", video.view, "Pictures and videos: direction of view")
      ->check(CLI::IsMember({"start", "front", "side", "top"}))
      ->capture_default_str();
  app.add_option("--show", video.show,
                 "Pictures and videos: also show forces, centres of mass, paths, names")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"forces", "centres", "paths", "names"}));
  app.add_flag("--dark", video.dark, "Pictures and videos: dark background");
  app.add_flag("-q,--quiet", simulate.quiet, "Print errors only");
}

int AnimateCommand::run() {
  if (simulate.file.extension() == ".csv")
    throw WrongUsage(simulate.file.string() +
                     " holds a motion but no mechanism; run mechfmu animate model.fmu --result " +
                     simulate.file.string());
  if (output.empty()) output = simulate.file.stem().string() + ".html";
  expect_animation(output);
  video.width = video.height = 0;
  if (const std::size_t x = size.find('x'); x != std::string::npos) {
    video.width = static_cast<int>(parse_number(size.substr(0, x)).value_or(0));
    video.height = static_cast<int>(parse_number(size.substr(x + 1)).value_or(0));
  }
  if (video.width < 16 || video.height < 16 || video.width > 8192 || video.height > 8192)
    throw WrongUsage("--size " + size + ": give width x height in pixels, such as 1280x720");
  refuse_to_overwrite({simulate.file, result, simulate.inputs}, {output});
  Animation animation;
  int code = fine;
  if (result.empty()) {
    const bool quiet = simulate.quiet;
    simulate.quiet = true;
    simulate.animation = &animation;
    code = simulate.run();
    simulate.quiet = quiet;
    if (animation.recording.frames() == 0) return code;
  } else {
    TemporaryFolder temporary;
    fs::path folder, mechanism = simulate.file;
    if (simulate.file.extension() == ".fmu") {
      folder = temporary.path() / "fmu";
      unpack(simulate.file, folder);
      mechanism = scene_inside(simulate.file, folder, animation);
    }
    if (!mechanism.empty()) {
      Diagnostics diagnostics;
      const LoadedMechanism loaded =
          load_mechanism(mechanism, diagnostics, scene::Wanted::poses_and_forces);
      std::cerr << diagnostics.text(true);
      if (diagnostics.has_errors()) return has_errors;
      std::vector<std::pair<std::string, std::string>> set;
      for (const std::string& text : simulate.set) set.push_back(assignment(text));
      animation.parts = scene_of(loaded, set);
      animation.scene = scene_json(animation.parts);
      animation.hidden = scene::variables_of(loaded.names);
    }
    read_result(result, animation);
    if (!mechanism.empty()) expect_poses(animation, result);
    if (!folder.empty()) describe(animation.recording, folder);
  }
  write_animation(animation, output, video);
  if (!simulate.quiet) std::cout << output.string() << "\n";
  return code;
}

}  // namespace mechfmu
