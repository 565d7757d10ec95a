#include "packaging/simulate.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <mutex>
#include <set>

#include "importer/csv.h"
#include "importer/info.h"
#include "importer/run.h"
#include "language/meaning/check.h"
#include "model/format.h"
#include "model_desc/json.h"
#include "model_desc/text.h"
#include "packaging/animate.h"
#include "packaging/animation.h"
#include "packaging/interrupt.h"
#include "packaging/options.h"
#include "packaging/process.h"
#include "packaging/terminal.h"
#include "packaging/unpacked.h"

namespace mechfmu {

namespace {

namespace fs = std::filesystem;

std::vector<std::pair<std::string, std::string>> assignments(const SimulateCommand& command) {
  std::vector<std::pair<std::string, std::string>> made;
  for (const std::string& text : command.set) made.push_back(assignment(text));
  return made;
}

/// Data that a viewer shows beside the run.
void add_facts(Animation& animation, const LoadedMechanism& loaded, MechanismCheck check) {
  animation.hidden = scene::variables_of(loaded.names);
  const std::set<std::string> hidden(animation.hidden.begin(), animation.hidden.end());
  std::erase_if(check.outputs, [&](const auto& output) { return hidden.contains(output.name); });
  animation.facts.emplace_back("check", json(check));
}

/// The FMU of a mechanism file; empty if the file has errors, which are reported.
std::optional<UnpackedFmu> model_of(const SimulateCommand& command, const fs::path& file,
                                    StatusLine& status, Animation* animation) {
  Diagnostics diagnostics;
  std::optional<scene::Wanted> wanted;
  if (animation != nullptr) wanted = scene::Wanted::poses_and_forces;
  LoadedMechanism loaded = load_mechanism(file, diagnostics, wanted);
  loaded.plan.track_energy = loaded.plan.track_energy || command.energy;
  std::optional<MechanismCheck> check;
  if (!diagnostics.has_errors()) check = check_mechanism(loaded.plan, diagnostics);
  if (!command.silent) std::cerr << diagnostics.text(true);
  if (diagnostics.has_errors()) return {};
  if (animation != nullptr) {
    add_facts(*animation, loaded, std::move(*check));
    animation->parts = scene_of(loaded, assignments(command));
    animation->scene = scene_json(animation->parts);
    animation->tolerance = loaded.plan.experiment.tolerance;
  }
  refuse_to_overwrite({loaded.text.files.begin(), loaded.text.files.end()},
                      {command.output, command.plot, command.animate});
  ExportOptions options;
  options.sources = command.sources;
  options.on_stage = [&](const std::string& what) {
    status.show("mechfmu: " + loaded.plan.name + ": " + what + " …");
  };
  UnpackedFmu made = unpacked_fmu(loaded, find_kit(), options, command.fmi);
  status.clear();
  refuse_to_overwrite(made.sources, {command.output, command.plot, command.animate});
  return made;
}

Fmu load(const fs::path& folder) {
  try {
    return Fmu(folder);
  } catch (const std::runtime_error& error) {
    throw WrongFile(error.what());
  }
}

Signals signals_of(const fs::path& file) {
  try {
    return read_signals(file);
  } catch (const std::runtime_error& error) {
    throw WrongFile(error.what());
  }
}

/// Values of a variable over the run, for the table at its end.
struct Extremes {
  double first = 0, least = 0, greatest = 0, last = 0;

  explicit Extremes(double x) : first(x), least(x), greatest(x), last(x) {}
  void add(double x) {
    least = std::min(least, x);
    greatest = std::max(greatest, x);
    last = x;
  }
};

std::string rounded(double x) { return format(x, 7); }

std::string to_the_right(const std::string& text, std::size_t width) {
  return text.size() >= width ? " " + text : std::string(width - text.size(), ' ') + text;
}

std::string unit_of(const FmuDescription& fmu, const std::string& name) {
  if (name == "time") return "s";
  const FmuVariable* variable = fmu.find(name);
  if (variable == nullptr) variable = fmu.find(name.substr(0, name.rfind('[')));  // of an array
  return variable == nullptr ? std::string() : variable->unit;
}

/// name  start  minimum  maximum  end  unit, a line for each variable
std::string table(const std::vector<std::string>& names, const std::vector<Extremes>& extremes,
                  const FmuDescription& fmu) {
  constexpr std::size_t number = 15;
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  std::string text(width, ' ');
  for (const char* title : {"start", "minimum", "maximum", "end"})
    text += to_the_right(title, number);
  text += "\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Extremes& x = extremes[i];
    text += names[i] + std::string(width - names[i].size(), ' ');
    for (const double value : {x.first, x.least, x.greatest, x.last})
      text += to_the_right(rounded(value), number);
    const std::string unit = unit_of(fmu, names[i]);
    text += (unit.empty() ? "" : "  " + unit) + "\n";
  }
  return text;
}

/// Energy that the integration made or lost, and the exchanged energy; empty if the FMU does not
/// track it.
std::string balance(const std::vector<std::string>& names, const std::vector<Extremes>& extremes) {
  const auto of = [&](const std::string& name) -> const Extremes* {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? nullptr : &extremes[static_cast<std::size_t>(at - names.begin())];
  };
  const Extremes* imbalance = of("energy.imbalance");
  if (imbalance == nullptr) return {};
  double exchanged = 0;
  for (const char* part :
       {"energy.kinetic", "energy.potential", "energy.work", "energy.dissipated"})
    if (const Extremes* x = of(part)) exchanged = std::max(exchanged, x->greatest - x->least);
  const double worst = std::max(imbalance->greatest, -imbalance->least);
  std::string text = "energy: integration error of at most " + format(worst, 3) + " J";
  if (exchanged > 0)
    text += ", " + format(100 * worst / exchanged, 2) + " % of the " + format(exchanged, 3) +
            " J exchanged";
  return text + "\n";
}

std::string statistics(const RunResult& result) {
  std::string text = std::to_string(result.steps) + " communication steps";
  for (const auto& [name, value] : result.statistics)
    text +=
        (text.find(';') == std::string::npos ? "; " : ", ") + name + " " +
        (std::trunc(value) == value ? format(value, 17) : rounded(value));  // all digits of counts
  return text + "\n";
}

RunResult run_with(const Fmu& fmu, const RunOptions& options) {
  try {
    return mechfmu::run(fmu, options);
  } catch (const InvalidOptions& error) {
    throw WrongUsage(error.what());
  } catch (const InitializationFailed& error) {
    throw WrongFile(error.what());
  }
}

std::vector<Recording::Variable> described(const std::vector<std::string>& names,
                                           const FmuDescription& fmu) {
  std::vector<Recording::Variable> made;
  for (const std::string& name : names) {
    const FmuVariable* v = fmu.find(name);
    made.push_back({name, unit_of(fmu, name), v == nullptr ? std::string() : v->about});
  }
  return made;
}

/// For reports: statistics of the solver, and the values that were set.
std::string run_facts(const RunResult& result,
                      const std::vector<std::pair<std::string, std::string>>& set) {
  std::vector<std::pair<std::string, std::string>> numbers = {
      {"communication steps", std::to_string(result.steps)}};
  for (const auto& [name, value] : result.statistics) numbers.emplace_back(name, json(value));
  std::vector<std::pair<std::string, std::string>> values;
  values.reserve(set.size());
  for (const auto& [name, value] : set) values.emplace_back(name, json(value));
  return json_object({{"statistics", json_object(numbers)},
                      {"set", json_object(values)},
                      {"error", json(result.error)}});
}

void draw(const fs::path& csv, const fs::path& picture, const std::string& title) {
  const Kit kit = find_kit();
  std::string problem;
  try {
    const ProcessResult result =
        run_process({kit.python, kit.plot, csv.string(), operand(picture), "--title=" + title});
    if (result.status == 0) return;
    problem = result.output;
  } catch (const std::runtime_error& error) {
    problem = error.what();
  }
  while (problem.ends_with('\n')) problem.pop_back();
  throw std::runtime_error("the plot was not drawn: " + problem + " (Python: " + kit.python +
                           "; set MECHFMU_PYTHON to use another one)");
}

}  // namespace

void SimulateCommand::add_to(CLI::App& app) {
  app.add_option("file", file, "Mechanism file or FMU")->required()->check(existing_file());
  add_run_options(app);
  app.add_option("-o,--output", output,
                 "Write the results to this CSV file; -: to standard output");
  app.add_option("--plot", plot, "Plot the results to a PNG, SVG or PDF file");
  app.add_option("--animate", animate,
                 "Animate the run in an HTML page, or any format of mechfmu animate");
  app.add_option("--columns", columns, "Variables to record; default: all outputs")
      ->option_text("name,...")
      ->allow_extra_args(false);
  app.add_flag("--energy", energy, "Also report the energy error of the integration");
  app.add_flag("-q,--quiet", quiet, "Print errors only");
  app.add_flag("-v,--verbose", verbose, "Print what the FMU logs");
}

void SimulateCommand::add_run_options(CLI::App& app) {
  app.add_option("--input", inputs, "CSV file with a column time and one column per input")
      ->check(existing_file());
  app.add_option("--set", set, "Set a parameter, an input or a solver setting; repeatable")
      ->option_text("name=value")
      ->allow_extra_args(false);
  app.add_option("--start", start, "Start time, s");
  app.add_option("--stop", stop, "Stop time, s; default: that of the experiment");
  app.add_option("--step", step, "Communication step, s; default: that of the experiment")
      ->check(positive_number());
  app.add_option("--interval", interval, "Time between rows of the result, s; default: every step")
      ->check(positive_number());
  app.add_option("--tolerance", tolerance, "Relative error allowed per substep")
      ->check(positive_number());
  app.add_option("--fmi", fmi, "FMI version to run a mechanism file with: 2 or 3")
      ->check(CLI::IsMember({"2", "3"}))
      ->capture_default_str();
  app.add_option("--source", sources,
                 "C++ file that defines functions used in the mechanism file; repeatable")
      ->check(existing_file())
      ->allow_extra_args(false);
}

int SimulateCommand::run() {
  const Interruptible interruptible;
  std::vector<fs::path> read = sources;
  read.insert(read.end(), {file, inputs});
  refuse_to_overwrite(read, {output, plot, animate});
  Animation own_animation;
  Animation* const recorded = animation != nullptr ? animation
                              : animate.empty()    ? nullptr
                                                   : &own_animation;
  if (!animate.empty()) expect_animation(animate);
  StatusLine status;
  RunOptions options;
  options.set = assignments(*this);
  if (!inputs.empty()) options.inputs = signals_of(inputs);
  UnpackedFmu unpacked;
  std::unique_ptr<TemporaryFolder> fmu_folder;  // of the FMU whose mechanism is run
  fs::path inside = file;                       // mechanism file; empty: the FMU itself is run
  if (file.extension() == ".fmu") {
    inside.clear();
    unpacked.temporary = std::make_unique<TemporaryFolder>();
    unpacked.folder = unpacked.temporary->path() / "fmu";
    unpack(file, unpacked.folder);
    if (recorded != nullptr) inside = scene_inside(file, unpacked.folder, *recorded);
  }
  if (!inside.empty()) {
    std::optional<UnpackedFmu> made = model_of(*this, inside, status, recorded);
    if (!made) return has_errors;
    if (unpacked.temporary) fmu_folder = std::move(unpacked.temporary);
    unpacked = std::move(*made);
  }
  const Fmu fmu = load(unpacked.folder);
  if (energy && fmu.description().find("energy.imbalance") == nullptr)
    throw WrongUsage(file.string() +
                     " does not track its energy; --energy needs the mechanism file, or "
                     "track_energy=\"true\" in it");
  options.start = start;
  options.stop = stop;
  options.step = step;
  options.tolerance = tolerance;
  // A tolerance of the importer only makes FMUs of mechfmu more accurate; their parameter always
  // holds.
  if (tolerance && fmu.description().find("solver.tolerance") != nullptr)
    options.set.insert(options.set.begin(), {"solver.tolerance", shortest(*tolerance)});
  options.interval = interval;
  for (const std::string& list : columns)
    for (std::string& name : names_in(list)) options.outputs.push_back(std::move(name));
  if (energy && !options.outputs.empty() &&
      std::find(options.outputs.begin(), options.outputs.end(), "energy.imbalance") ==
          options.outputs.end())
    options.outputs.emplace_back("energy.imbalance");
  // Variables that only move parts are recorded as well, and shown nowhere else.
  std::size_t shown = std::string::npos;
  if (recorded != nullptr) {
    const std::set<std::string> hidden(recorded->hidden.begin(), recorded->hidden.end());
    if (options.outputs.empty())
      for (const FmuVariable& v : fmu.description().variables)
        if (v.causality == FmuVariable::Causality::output && !hidden.contains(v.name))
          options.outputs.push_back(v.name);
    shown = 1 + options.outputs.size();
    options.outputs.insert(options.outputs.end(), recorded->hidden.begin(), recorded->hidden.end());
    const FmuDescription& d = fmu.description();
    const double begin = start.value_or(d.start.value_or(0));
    const double end = stop.value_or(d.stop.value_or(begin + 1));
    recorded->recording.spacing = (end - begin) / static_cast<double>(Recording::most_frames);
  }
  options.keep_rows = false;
  options.logging = verbose;
  std::string refused;  // the first step that was refused and then repeated
  options.on_message = [&](const FmuMessage& message) {
    if (message.status == CallStatus::ok && !verbose) return;
    if (message.status == CallStatus::discard && !verbose) {
      if (refused.empty()) refused = message.text;
      return;
    }
    status.clear();
    std::cerr << message.text << "\n";
  };

  const bool to_terminal = output == "-";
  const TemporaryFolder temporary;
  const fs::path plot_csv = temporary.path() / "plot.csv";
  std::optional<CsvFile> results;
  std::optional<CsvFile> for_plot;
  std::vector<Extremes> extremes;
  std::vector<std::string> names;
  std::mutex row_in_use;
  // Files are opened when the run begins: one that cannot leaves the results of an earlier one
  // alone.
  options.on_names = [&](const std::vector<std::string>& recorded_names) {
    const std::scoped_lock lock(row_in_use);
    const std::vector<std::string> all(
        recorded_names.begin(), recorded_names.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                             shown, recorded_names.size())));
    shown = all.size();
    names = all;
    if (recorded != nullptr)
      recorded->recording.begin(described(recorded_names, fmu.description()));
    if (!output.empty()) results.emplace(to_terminal ? fs::path("/dev/stdout") : output);
    if (results) results->header(all);
    if (plot.empty()) return;
    std::vector<std::string> with_units = all;
    for (std::string& name : with_units)
      if (const std::string unit = unit_of(fmu.description(), name); !unit.empty())
        name += " [" + unit + "]";
    for_plot.emplace(plot_csv);
    for_plot->header(with_units);
  };
  options.on_row = [&](std::span<const double> whole) {
    const std::scoped_lock lock(row_in_use);
    if (recorded != nullptr) recorded->recording.add(whole);
    const std::span<const double> row = whole.first(shown);
    if (each_row) each_row(row);
    if (results) results->row(row);
    if (for_plot) for_plot->row(row);
    if (extremes.empty())
      for (const double x : row) extremes.emplace_back(x);
    for (std::size_t i = 0; i < row.size(); ++i) extremes[i].add(row[i]);
  };
  options.on_progress = [&](double fraction, double t) {
    status.show_progress(fraction, "t = " + rounded(t) + " s");
    return !interrupted();
  };
  RunResult result;
  {
    // A step may take longer than a second after Ctrl-C: the rows so far are written all the same.
    const LastWords last_words([&] {
      if (row_in_use.try_lock() && results) results->close();
    });
    result = run_with(fmu, options);
  }
  status.clear();
  if (each_result) {
    double steps = 0;
    for (const auto& [name, value] : result.statistics)
      if (name == "solver.steps") steps = value;
    each_result(names, steps);
  }
  if (recorded != nullptr) {
    recorded->recording.end();
    recorded->facts.emplace_back("run", run_facts(result, options.set));
  }
  if (results) results->close();
  if (for_plot) for_plot->close();

  if (!quiet && !to_terminal && !extremes.empty()) {
    std::cout << table(names, extremes, fmu.description()) << "\n"
              << statistics(result) << balance(names, extremes);
    if (!output.empty()) std::cout << "results: " << output.string() << "\n";
    std::cout << std::flush;
  }
  const std::string reached = "t = " + rounded(result.reached) + " s";
  if (result.terminated) {
    if (!refused.empty()) std::cerr << refused << "\n";
  } else if (!refused.empty() && result.error.empty()) {
    std::cerr << "mechfmu: warning: "
              << (result.discards == 1 ? "1 step was"
                                       : std::to_string(result.discards) + " steps were")
              << " rejected and repeated in halves; the first one: " << refused << "\n";
  }
  if (result.terminated) std::cerr << "mechfmu: the FMU ended the run at " << reached << "\n";
  if (result.cancelled) {
    if (!output_is_closed()) std::cerr << "mechfmu: stopped at " << reached << "\n";
    return stopped;
  }
  if (!result.error.empty())
    std::cerr << "mechfmu: the run ended at " << reached << ": " << result.error << "\n";
  if (!plot.empty()) {
    draw(plot_csv, plot, fmu.description().model);
    if (!quiet && !to_terminal) std::cout << "plot: " << plot.string() << "\n";
  }
  if (!animate.empty()) {
    write_animation(*recorded, animate);
    if (!quiet && !to_terminal) std::cout << "animation: " << animate.string() << "\n";
  }
  return result.error.empty() ? fine : has_errors;
}

void InfoCommand::add_to(CLI::App& app) {
  app.add_option("file", file, "FMU")->required()->check(existing_file());
}

int InfoCommand::run() const {
  if (file.extension() == ".xml")
    throw WrongUsage(file.string() + " is not an FMU; for a mechanism file: mechfmu check " +
                     file.string());
  const TemporaryFolder unpacked;
  const fs::path folder = unpacked.path() / "fmu";
  unpack(file, folder);
  try {
    std::cout << describe_text(folder, terminal_width(STDOUT_FILENO));
  } catch (const std::runtime_error& error) {
    throw WrongFile(error.what());
  }
  return fine;
}

}  // namespace mechfmu
