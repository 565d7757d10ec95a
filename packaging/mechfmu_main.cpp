// mechfmu: the command-line tool. Every command is a function below that calls the libraries.
// Exit codes are in packaging/terminal.h.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>

#include "language/backend/cpp.h"
#include "language/file/schema.h"
#include "language/meaning/check.h"
#include "model_desc/origin.h"
#include "model_desc/text.h"
#include "packaging/animate.h"
#include "packaging/completion.h"
#include "packaging/export.h"
#include "packaging/import.h"
#include "packaging/interrupt.h"
#include "packaging/linearize.h"
#include "packaging/options.h"
#include "packaging/simulate.h"
#include "packaging/templates.h"
#include "packaging/terminal.h"
#include "packaging/view.h"

namespace {

namespace fs = std::filesystem;
using namespace mechfmu;

std::string seconds(std::chrono::steady_clock::time_point begin) {
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  return shortest(std::round(taken.count() * 100) / 100) + " s";
}

/// Reads the file and assembles the mechanism.
std::optional<LoadedMechanism> load_and_check(const fs::path& file,
                                              std::optional<MechanismCheck>* check = nullptr,
                                              bool strict = false,
                                              std::optional<scene::Wanted> wanted = {}) {
  Diagnostics diagnostics;
  LoadedMechanism loaded = load_mechanism(file, diagnostics, wanted);
  std::optional<MechanismCheck> result;
  if (!diagnostics.has_errors()) result = check_mechanism(loaded.plan, diagnostics);
  std::cerr << diagnostics.text(true);
  if (check != nullptr) *check = std::move(result);
  if (diagnostics.has_errors() || (strict && !diagnostics.sorted().empty())) return {};
  return loaded;
}

/// A picture of the same name beside the mechanism file.
fs::path picture_of(const fs::path& file) {
  const fs::path picture = fs::path(file).replace_extension(".png");
  return fs::exists(picture) ? picture : fs::path();
}

// Commands

/// A path as make and Ninja read it.
std::string in_rule(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

/// A make rule: these files are made of those.
void write_rule(const fs::path& rule, const std::vector<fs::path>& made,
                const std::vector<fs::path>& read) {
  std::string text;
  for (const fs::path& path : made)
    if (!path.empty()) text += (text.empty() ? "" : " ") + in_rule(path.string());
  text += ":";
  for (const fs::path& path : read)
    if (!path.empty()) text += " " + in_rule(path.string());
  write_text(rule, text + "\n");
}

struct ExportCommand {
  fs::path file, output, icon, diagram, keep, dependencies;
  std::vector<fs::path> sources;
  std::vector<std::string> platforms;
  std::string fmi = "both", compile = "auto";
  bool with_sources = false, without_mechanism = false, poses = false, quiet = false,
       verbose = false;

  void add_to(CLI::App& app) {
    app.add_option("file", file, "Mechanism file")->required()->check(existing_file());
    app.add_option("-o,--output", output,
                   "FMU to write, or a folder for it; default: <file>.fmu in the current folder, "
                   "FMI 3.0 as <file>.fmi3.fmu");
    app.add_option("--fmi", fmi, "FMI version: 2, 3 or both")
        ->check(CLI::IsMember({"2", "3", "both"}))
        ->capture_default_str();
    app.add_option(
           "--compile", compile,
           "Compile the mechanism as C++ (always), store it as data that the FMU reads, which "
           "needs no compiler (never), or compile if a compiler is found (auto)")
        ->check(CLI::IsMember({"never", "auto", "always"}))
        ->capture_default_str();
    std::string names = "all or any of";
    for (const Platform& platform : all_platforms()) names += std::string(" ") + platform.name;
    app.add_option("--platform", platforms,
                   "Platforms the FMU runs on, separated by commas: " + names +
                       "; default: the platform of this machine")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--source", sources,
                   "C++ file that defines functions used in the mechanism file; repeatable")
        ->check(existing_file())
        ->allow_extra_args(false);
    app.add_option("--icon", icon, "PNG that importers show; default: <file>.png")
        ->check(existing_file());
    app.add_option("--diagram", diagram, "PNG for the documentation; default: <file>.png")
        ->check(existing_file());
    app.add_flag("--sources", with_sources,
                 "Include all sources needed to compile the FMU on another machine");
    app.add_flag("--poses", poses, "Add outputs with the poses of the bodies, for mechfmu animate");
    app.add_flag("--without-mechanism", without_mechanism,
                 "Leave the mechanism file out of the FMU; mechfmu linearize and animate need it");
    app.add_option("--dependencies", dependencies,
                   "Write a make rule that lists the files the FMUs depend on");
    app.add_option("--keep", keep,
                   "Keep the generated C++ and all intermediate files in this folder");
    app.add_flag("-q,--quiet", quiet, "Print errors and warnings only");
    app.add_flag("-v,--verbose", verbose,
                 "Print the commands that are run and the time each stage takes");
  }

  /// Places of the FMUs.
  void place(ExportOptions& options) const {
    fs::path path = output;
    if (output.empty() || fs::is_directory(output) || !output.has_filename())
      path /= file.stem().string() + ".fmu";
    if (path.extension() != ".fmu") path += ".fmu";
    if (fmi != "3") options.fmi2 = path;
    if (fmi == "3") options.fmi3 = path;
    if (fmi == "both") options.fmi3 = fs::path(path).replace_extension(".fmi3.fmu");
  }

  int run() {
    const Interruptible interruptible;
    const auto begin = std::chrono::steady_clock::now();
    const std::optional<LoadedMechanism> loaded = load_and_check(
        file, nullptr, false, poses ? std::optional(scene::Wanted::poses) : std::nullopt);
    if (!loaded) return has_errors;
    ExportOptions options;
    place(options);
    options.compile = compile == "never"    ? Compile::never
                      : compile == "always" ? Compile::always
                                            : Compile::automatic;
    options.platforms = find_platforms(platforms);
    options.sources = sources;
    options.icon = icon.empty() ? picture_of(file) : icon;
    options.diagram = diagram.empty() ? picture_of(file) : diagram;
    options.keep = keep;
    options.with_sources = with_sources;
    options.with_mechanism = !without_mechanism;
    options.with_scene = poses || !without_mechanism;
    std::vector<fs::path> read(loaded->text.files.begin(), loaded->text.files.end());
    read.insert(read.end(), sources.begin(), sources.end());
    read.insert(read.end(), {options.icon, options.diagram});
    refuse_to_overwrite(read, {options.fmi2, options.fmi3, dependencies});
    if (!keep.empty()) refuse_to_overwrite(read, generated_files(loaded->plan, keep));
    StatusLine status;
    std::string stage = "reading";
    auto since = begin;
    const auto end_stage = [&] {
      if (verbose) std::cerr << "mechfmu: " << stage << " " << seconds(since) << "\n";
      since = std::chrono::steady_clock::now();
    };
    options.on_stage = [&](const std::string& next) {
      end_stage();
      stage = next;
      if (!verbose && !quiet) status.show("mechfmu: " + loaded->plan.name + ": " + next + " …");
    };
    if (verbose)
      options.on_command = [](const std::string& command) { std::cerr << command << "\n"; };
    const Kit kit = find_kit();
    if (std::any_of(kit.compile.begin(), kit.compile.end(),
                    [](const std::string& word) { return word.starts_with("-fsanitize"); }))
      std::cerr
          << "mechfmu: warning: this build of mechfmu uses sanitizers, and so does the FMU: only "
             "programs built with them can load it\n";
    export_fmus(*loaded, kit, options);
    end_stage();
    status.clear();
    if (!dependencies.empty()) write_rule(dependencies, {options.fmi2, options.fmi3}, read);
    for (const auto& [path, version] :
         {std::pair{options.fmi2, "FMI 2.0"}, {options.fmi3, "FMI 3.0"}})
      if (!path.empty() && !quiet) std::cout << path.string() << "  (" << version << ")\n";
    if (!quiet)
      std::cerr << "mechfmu: " << loaded->plan.name << " exported in " << seconds(begin) << "\n";
    return fine;
  }
};

struct CheckCommand {
  std::vector<fs::path> files;
  bool strict = false, as_json = false, quiet = false;

  void add_to(CLI::App& app) {
    app.add_option("file", files, "Mechanism files")->required()->check(existing_file());
    app.add_flag("--strict", strict, "Treat warnings as errors");
    app.add_flag("--json", as_json, "Print one line of JSON per file");
    app.add_flag("-q,--quiet", quiet, "Print errors and warnings only");
  }

  int run() {
    int code = fine;
    for (const fs::path& file : files) {
      std::optional<MechanismCheck> check;
      if (!load_and_check(file, &check, strict)) code = has_errors;
      if (!check || quiet) continue;
      if (as_json)
        std::cout << json(*check) << "\n";
      else
        std::cout << text(*check) << (files.size() > 1 ? "\n" : "");
    }
    return code;
  }
};

struct GenerateCommand {
  fs::path file, output, dependencies, copy, scene;

  void add_to(CLI::App& app) {
    app.add_option("file", file, "Mechanism file")->required()->check(existing_file());
    CLI::Option* to =
        app.add_option("-o,--output", output, "C++ file to write; default: standard output");
    app.add_option("--dependencies", dependencies,
                   "Write a make rule that lists the files the output depends on")
        ->needs(to);
    app.add_option("--copy", copy,
                   "Copy these files to a folder, as FMUs hold them for mechfmu linearize");
    app.add_option("--scene", scene,
                   "Write a JSON file that describes what the mechanism looks like");
  }

  int run() {
    const std::optional<LoadedMechanism> loaded = load_and_check(file);
    if (!loaded) return has_errors;
    refuse_to_overwrite({loaded->text.files.begin(), loaded->text.files.end()},
                        {output, dependencies, scene});
    write_text(output, mechanism_cpp(loaded->plan));
    if (!scene.empty()) write_text(scene, scene_json(scene_of(*loaded)));
    if (!dependencies.empty())
      write_rule(dependencies, {output}, {loaded->text.files.begin(), loaded->text.files.end()});
    if (!copy.empty()) copy_mechanism(loaded->text, copy);
    return fine;
  }
};

struct NewCommand {
  std::string name;
  fs::path output;

  void add_to(CLI::App& app) {
    app.add_option("template", name, "Template to start from; without it, list all templates");
    app.add_option("-o,--output", output,
                   "File to write; default: <template>.xml in the current folder");
  }

  int run() {
    const std::vector<Template> all = templates();
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const Template& t : all) names.emplace_back(t.name);
    if (name.empty()) {
      std::size_t width = 0;
      for (const std::string& n : names) width = std::max(width, n.size());
      for (const Template& t : all)
        std::cout << t.name << std::string(width + 2 - t.name.size(), ' ') << t.about() << "\n";
      return fine;
    }
    const auto found =
        std::find_if(all.begin(), all.end(), [this](const Template& t) { return t.name == name; });
    if (found == all.end())
      throw WrongUsage("unknown template '" + name + "'" + suggestion(name, names) +
                       " (mechfmu new lists all)");
    if (output.empty()) output = name + ".xml";
    for (const auto& [path, content] : found->files_at(output)) {
      if (fs::exists(path))
        throw WrongUsage(path.string() + " exists already; name another file with -o");
    }
    for (const auto& [path, content] : found->files_at(output)) {
      if (path.has_parent_path()) fs::create_directories(path.parent_path());
      write_text(path, std::string(content));
      std::cout << path.string() << "\n";
    }
    std::cerr << "mechfmu: next run mechfmu check " << output.string() << ", then mechfmu simulate "
              << output.string() << " --plot out.png\n";
    return fine;
  }
};

struct TextCommand {
  std::string (*make)() = nullptr;
  fs::path output;

  void add_to(CLI::App& app) {
    app.add_option("-o,--output", output, "File to write; default: standard output");
  }
  int run() const {
    write_text(output, make());
    return fine;
  }
};

/// A command with its description, and how to run it when it was chosen.
template <class Command>
void add_command(CLI::App& app, const char* name, const char* about, Command& command,
                 std::function<int()>& chosen) {
  CLI::App* sub = app.add_subcommand(name, about);
  command.add_to(*sub);
  sub->callback([&command, &chosen] { chosen = [&command] { return command.run(); }; });
}

int run(int count, char** words) {
  CLI::App app{
      "mechfmu turns a mechanism file into an FMU that any co-simulation master can import.\n"
      "Get started: mechfmu new four_bar; mechfmu check four_bar.xml; mechfmu export four_bar.xml",
      "mechfmu"};
  app.set_version_flag("--version", tool_name());
  app.require_subcommand(1);
  app.footer(
      "\nRun mechfmu COMMAND --help for the options of a command.\n"
      "Exit codes: 0 success, 1 error in a file or a run, 2 wrong command line, 3 any other "
      "failure "
      "(no compiler, disk full).\n"
      "Environment: CXX (compiler), MECHFMU_PYTHON (for --plot), MECHFMU_BROWSER (for pictures and "
      "videos).");
  std::function<int()> chosen;
  ExportCommand to_fmu;
  CheckCommand check;
  SimulateCommand simulate;
  AnimateCommand animate;
  ViewCommand view;
  ReportCommand report;
  LinearizeCommand linear;
  InfoCommand info;
  NewCommand make_new;
  ImportCommand from_robot;
  GenerateCommand generate;
  TextCommand schema{mechanism_schema, {}};
  TextCommand reference{mechanism_reference, {}};
  CompletionCommand completion{app};
  add_command(app, "export", "Export a mechanism file as an FMU", to_fmu, chosen);
  add_command(app, "check",
              "Check a mechanism file and report its degrees of freedom or its errors", check,
              chosen);
  add_command(app, "simulate", "Simulate a mechanism file or an FMU as a master would", simulate,
              chosen);
  add_command(app, "animate", "Animate a mechanism in a web page, picture or video", animate,
              chosen);
  add_command(app, "view", "Show a mechanism file in the browser while it is edited", view, chosen);
  add_command(app, "report", "Write a report on a run: animation, facts, plots, accuracy", report,
              chosen);
  add_command(app, "linearize", "Linearize a mechanism at an operating point (A, B, C, D)", linear,
              chosen);
  add_command(app, "info", "Show the contents of an FMU", info, chosen);
  add_command(app, "new", "Create a mechanism file from a template", make_new, chosen);
  add_command(app, "import", "Convert a URDF, MJCF or SDF robot into a mechanism file", from_robot,
              chosen);
  add_command(app, "generate", "Generate C++ from a mechanism file", generate, chosen);
  add_command(app, "schema", "Write the RELAX NG schema of mechanism files, for editors", schema,
              chosen);
  add_command(app, "reference", "Write the reference of all elements of mechanism files", reference,
              chosen);
  add_command(app, "completion", "Write shell completions", completion, chosen);
  for (CLI::App* command : app.get_subcommands({})) command->footer("");
  if (count < 2) {
    std::cerr << app.help();
    return wrong_usage;
  }
  try {
    app.parse(count, words);
  } catch (const CLI::Success& help_or_version) {
    chosen = [&app, help_or_version] { return app.exit(help_or_version); };
  } catch (const CLI::ParseError& error) {
    throw WrongUsage(explain(app, error, count, words));
  }
  const int code = chosen();
  std::cout.flush();
  if (!std::cout) throw std::runtime_error("cannot write to the output; is the disk full?");
  return code;
}

int run_and_explain(int count, char** words) {
  try {
    return run(count, words);
  } catch (const Interrupted&) {
    if (!output_is_closed()) std::cerr << "mechfmu: stopped\n";
    return stopped;
  } catch (const std::exception& error) {
    if (output_is_closed()) return failed;
    std::cerr << "mechfmu: " << error.what() << "\n";
    if (dynamic_cast<const WrongUsage*>(&error) != nullptr) return wrong_usage;
    return dynamic_cast<const WrongFile*>(&error) != nullptr ? has_errors : failed;
  }
}

}  // namespace

int main(int count, char** words) {
  watch_signals();
  const int code = run_and_explain(count, words);
  if (output_is_closed()) end_by_signal();
  return code;
}
