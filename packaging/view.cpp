#include "packaging/view.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>

#include "language/meaning/check.h"
#include "model_desc/json.h"
#include "packaging/animate.h"
#include "packaging/interrupt.h"
#include "packaging/options.h"
#include "packaging/process.h"
#include "packaging/server.h"
#include "packaging/terminal.h"

namespace mechfmu {

namespace {

namespace fs = std::filesystem;

using Times = std::map<fs::path, fs::file_time_type>;

/// Times of the last changes; a file may be missing for a moment while it is written.
Times changes(const std::vector<fs::path>& files) {
  Times made;
  for (const fs::path& file : files) {
    std::error_code ignored;
    made[file] = fs::last_write_time(file, ignored);
  }
  return made;
}

std::string json_of(const std::vector<Diagnostic>& all) {
  return json_list(all, [](const Diagnostic& d) {
    return json_object(
        {{"file", json(d.place.file)},
         {"line", std::to_string(d.place.line)},
         {"severity", json(std::string(d.severity == Severity::error ? "error" : "warning"))},
         {"text", json((d.element.empty() ? "" : d.element + ": ") + d.message)}});
  });
}

/// A run of the current file; if it has errors, the last successful run with these errors.
class View {
 public:
  explicit View(const SimulateCommand& simulate) : simulate_(simulate) { update(); }

  bool changed() const { return changes(files_) != times_; }

  void update() {
    ++version_;
    Diagnostics diagnostics;
    std::vector<Diagnostic> said;
    try {
      const LoadedMechanism loaded = load_mechanism(simulate_.file, diagnostics);
      files_.assign(loaded.text.files.begin(), loaded.text.files.end());
      if (std::find(files_.begin(), files_.end(), simulate_.file) == files_.end())
        files_.push_back(simulate_.file);
      times_ = changes(files_);
      if (!diagnostics.has_errors()) (void)check_mechanism(loaded.plan, diagnostics);
      said = diagnostics.sorted();
      if (!diagnostics.has_errors()) {
        SimulateCommand run = simulate_;
        Animation made;
        run.quiet = true;
        run.silent = true;
        run.animation = &made;
        (void)run.run();
        good_ = std::move(made);
      }
    } catch (const std::exception& error) {
      said.push_back({Severity::error, {simulate_.file.string(), 0}, "", "", error.what()});
    }
    for (const Diagnostic& d : said) std::cerr << text(d, true) << "\n";
    shown_ = good_;
    if (shown_.scene.empty()) {
      shown_.parts.name = simulate_.file.stem().string();
      shown_.scene = scene_json(shown_.parts);
    }
    shown_.facts.emplace_back("errors", json_of(said));
    shown_.facts.emplace_back("version", std::to_string(version_));
  }

  const Animation& shown() const { return shown_; }
  int version() const { return version_; }

 private:
  SimulateCommand simulate_;
  std::vector<fs::path> files_;
  Times times_;
  Animation good_, shown_;
  int version_ = 0;
};

}  // namespace

void ViewCommand::add_to(CLI::App& app) {
  app.add_option("file", simulate.file, "Mechanism file")->required()->check(existing_file());
  simulate.add_run_options(app);
  app.add_option("--port", port, "Port to listen on; default: any free port")
      ->check(CLI::Range(0, 65535));
  app.add_flag("--no-browser", no_browser,
               "Print the address of the page and do not open a browser");
}

int ViewCommand::run() {
  if (simulate.file.extension() == ".fmu")
    throw WrongUsage(
        "view shows a mechanism file while it is edited; for an FMU use mechfmu animate " +
        simulate.file.string());
  const Interruptible interruptible;
  const Kit kit = find_kit();
  View view(simulate);
  Server server(
      [&](const Request& request) -> Answer {
        if (request.method != "GET") return {404};
        if (request.path.empty())
          return {200, "text/html; charset=utf-8", page_of(view.shown(), kit, {.live = true})};
        if (request.path == "version") return {200, "text/plain", std::to_string(view.version())};
        return {404};
      },
      port);
  std::cout << server.address() << "\n" << std::flush;
  std::cerr << "mechfmu: the page follows changes of " << simulate.file.string()
            << "; stop with Ctrl-C\n";
  if (!no_browser && can_be_run("xdg-open")) (void)run_process({"xdg-open", server.address()});
  auto looked = std::chrono::steady_clock::now();
  while (!interrupted()) {
    server.serve(std::chrono::milliseconds(200));
    const auto now = std::chrono::steady_clock::now();
    if (now - looked < std::chrono::milliseconds(200)) continue;
    looked = now;
    if (view.changed()) view.update();
  }
  return fine;
}

void ReportCommand::add_to(CLI::App& app) {
  app.add_option("file", simulate.file, "Mechanism file, or an FMU exported from one")
      ->required()
      ->check(existing_file());
  app.add_option("-o,--output", output,
                 "HTML file to write; default: <file>.report.html in the current folder");
  simulate.add_run_options(app);
  app.add_flag("-q,--quiet", simulate.quiet, "Print errors only");
}

namespace {

struct Outcome {
  double tolerance = 0;
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  double steps = 0;
};

Outcome run_with_tolerance(SimulateCommand command, double tolerance) {
  Outcome made;
  made.tolerance = tolerance;
  command.tolerance = tolerance;
  command.quiet = command.silent = true;
  command.animation = nullptr;
  command.each_row = [&](std::span<const double> row) {
    made.rows.emplace_back(row.begin(), row.end());
  };
  command.each_result = [&](const std::vector<std::string>& names, double steps) {
    made.names = names;
    made.steps = steps;
  };
  (void)command.run();
  return made;
}

/// The largest difference of a column from the reference, relative to the range of the reference;
/// NaN if there is no range.
double difference(const Outcome& one, const Outcome& reference, std::size_t column) {
  if (one.rows.size() != reference.rows.size()) return std::nan("");
  double most = -INFINITY, least = INFINITY, worst = 0;
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    const double x = reference.rows[i][column];
    most = std::max(most, x), least = std::min(least, x);
    worst = std::max(worst, std::abs(one.rows[i][column] - x));
  }
  return most > least ? worst / (most - least) : worst == 0 ? 0 : std::nan("");
}

}  // namespace

int ReportCommand::run() {
  if (output.empty()) output = simulate.file.stem().string() + ".report.html";
  if (output.extension() != ".html")
    throw WrongUsage(output.string() + ": the name must end in .html");
  expect_animation(output);
  refuse_to_overwrite({simulate.file, simulate.inputs}, {output});
  Animation animation;
  SimulateCommand nominal = simulate;
  nominal.quiet = true;
  nominal.energy = simulate.file.extension() != ".fmu";
  nominal.animation = &animation;
  const int code = nominal.run();
  if (animation.recording.frames() == 0) return code;

  // How the result changes with the tolerance: against a run that is a hundred times as accurate
  const double usual = simulate.tolerance.value_or(animation.tolerance);
  const Outcome reference = run_with_tolerance(simulate, usual / 100);
  std::vector<std::string> rows;
  for (const double factor : {100.0, 10.0, 1.0, 0.1}) {
    const Outcome one = run_with_tolerance(simulate, usual * factor);
    std::vector<double> differences;
    for (std::size_t k = 1; k < reference.names.size(); ++k)
      differences.push_back(difference(one, reference, k));
    rows.push_back(json_object({{"tolerance", json(one.tolerance)},
                                {"steps", json(one.steps)},
                                {"differences", json(differences)}}));
  }
  const std::vector<std::string> outputs(
      reference.names.begin() + std::min<std::ptrdiff_t>(1, std::ssize(reference.names)),
      reference.names.end());
  animation.facts.emplace_back("report",
                               json_object({{"tolerances", "[" + joined(rows, ", ") + "]"},
                                            {"outputs", json(outputs)},
                                            {"used", json(usual)}}));
  write_animation(animation, output);
  if (!simulate.quiet) std::cout << output.string() << "\n";
  return code;
}

}  // namespace mechfmu
