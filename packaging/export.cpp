#include "packaging/export.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "language/backend/cpp.h"
#include "model_desc/text.h"
#include "packaging/animation.h"
#include "packaging/listed.h"
#include "packaging/options.h"
#include "packaging/process.h"
#include "packaging/terminal.h"
#include "packaging/zip.h"

namespace mechfmu {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

constexpr const char* mechanism_name = "mechanism.xml";

/// The first lines of the output of a compiler are the important ones.
std::string beginning(const std::string& output) {
  constexpr std::size_t most = 4000;
  return output.size() <= most ? output : output.substr(0, most) + "\n…\n";
}

std::string model_name_source(const std::string& name) {
  return "namespace mechfmu {\nconst char* model_name();\nconst char* model_name() { return \"" +
         name + "\"; }\n}  // namespace mechfmu\n";
}

/// Makes the folder. An error is found before anything is compiled.
void expect_writable(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (!problem && access(folder.c_str(), W_OK) != 0)
    problem = std::error_code(errno, std::generic_category());
  if (!problem && fs::is_directory(file)) problem = std::make_error_code(std::errc::is_a_directory);
  if (problem) throw std::runtime_error("cannot write " + file.string() + ": " + problem.message());
}

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// The files after the colon of a make rule.
std::vector<fs::path> read_rule(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<fs::path> paths;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) paths.emplace_back(word);
    word.clear();
  };
  const std::size_t colon = text.find(": ");
  for (std::size_t i = colon == std::string::npos ? text.size() : colon + 1; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\n';
    if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$')) {
      word += next;
      ++i;
    } else if (c == '\\' && next == '\n') {
      ++i;
      end_word();
    } else if (c == ' ' || c == '\n') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return paths;
}

/// A library for the folder binaries/ of an FMU.
struct Binary {
  ArchiveFile file;
  std::string fmi2, fmi3;  // the name of its folder
  std::string suffix = ".so";
};

class Export {
 public:
  Export(const LoadedMechanism& mechanism, const Kit& kit, const ExportOptions& options)
      : mechanism_(mechanism),
        text_(mechanism.text),
        plan_(mechanism.plan),
        kit_(kit),
        options_(options) {
    compiles_ = options.compile == Compile::always || !plan_.functions.empty() ||
                (options.compile == Compile::automatic && options.platforms.empty() &&
                 can_be_run(kit.compiler.front()));
    if (!plan_.functions.empty() && options.compile == Compile::never)
      throw WrongUsage("function '" + plan_.functions[0].name +
                       "' is written in C++, which needs a compiler: omit --compile never");
    if (!options.platforms.empty()) expect_libraries();
    if (!plan_.functions.empty() && options.sources.empty())
      throw WrongUsage("function '" + plan_.functions[0].name +
                       "' is written in C++: name the file that defines it with --source");
    for (const fs::path& path : {options.fmi2, options.fmi3})
      if (!path.empty()) expect_writable(path);
    if (options.keep.empty()) temporary_.emplace();
    work_ = temporary_ ? temporary_->path() : fs::path(operand(options.keep));
    fs::create_directories(work_);
  }

  std::vector<fs::path> run() {
    tree_ = work_ / "files";
    // files of an earlier export with --keep; everything else there belongs to the user
    for (const char* version : {"fmi2", "fmi3"}) fs::remove_all(tree_ / version);
    if (compiles_) {
      if (!temporary_ && !options_.sources.empty()) spare_headers();
      compile();
      refuse_to_overwrite(read_, {options_.fmi2, options_.fmi3});
      link();
    }
    if (options_.with_sources) collect_sources();
    // Only the compiled model knows the functions in C++.
    stage("describing");
    if (!plan_.functions.empty())
      describe();
    else
      write_fmu_files(mechanism_, options_, !compiles_, Purpose::travel, tree_, to_compile_);
    if (options_.with_mechanism)
      for (const char* version : {"fmi2", "fmi3"})
        copy_mechanism(text_, tree_ / version / mechanism_folder);
    if (options_.with_scene) {
      const std::string scene = scene_json(scene_of(mechanism_));
      for (const char* version : {"fmi2", "fmi3"}) {
        const fs::path to = tree_ / version / scene_file;
        fs::create_directories(to.parent_path());
        write_file(to, scene);
      }
    }
    stage("packing");
    pack(options_.fmi2, tree_ / "fmi2", &Binary::fmi2);
    pack(options_.fmi3, tree_ / "fmi3", &Binary::fmi3);
    return std::move(read_);
  }

 private:
  void expect_libraries() const {
    if (!plan_.functions.empty())
      throw WrongUsage("function '" + plan_.functions[0].name +
                       "' is written in C++, which is compiled for this machine only: omit "
                       "--platform");
    if (compiles_)
      throw WrongUsage(
          "FMUs for given platforms hold the mechanism as data: omit --compile always");
    for (const Platform& platform : options_.platforms) {
      const fs::path file = deflated_library(kit_, platform).source;
      const std::string about = std::string(platform.name) + " (" + file.string() + ")",
                        builds = "packaging/platforms.py " + std::string(platform.name) +
                                 " builds it, in the folder of mechfmu's sources";
      if (!fs::exists(file))
        throw std::runtime_error("there is no library for " + about + "; " + builds);
      if (first_line(file.parent_path() / "mechfmu_sources.sha256") !=
          first_line(kit_.sources_hash))
        throw std::runtime_error("the library for " + about +
                                 " was built from other sources than this program; " + builds);
    }
  }

  std::vector<Binary> binaries() const {
    std::vector<Binary> made;
    for (const Platform& platform : options_.platforms)
      made.push_back(
          {deflated_library(kit_, platform), platform.fmi2, platform.fmi3, platform.suffix});
    if (made.empty())
      made.push_back({compiles_ ? ArchiveFile{{}, binary_} : deflated_library(kit_), kit_.platform2,
                      kit_.platform3});
    return made;
  }

  void pack(const fs::path& to, const fs::path& tree, std::string Binary::*folder) const {
    if (to.empty()) return;
    std::vector<ArchiveFile> files = files_below(tree);
    files.insert(files.end(), sources_.begin(), sources_.end());
    for (const Binary& binary : binaries()) {
      files.push_back(binary.file);
      files.back().name = "binaries/" + binary.*folder + "/" + plan_.name + binary.suffix;
    }
    write_zip(to, std::move(files), entry_time(std::getenv("SOURCE_DATE_EPOCH")));
  }

  /// sources/: those of mechfmu with the headers they need, the mechanism as tables, and in own/
  /// those of its functions.
  void collect_sources() {
    stage("collecting sources");
    const fs::path folder = work_ / "sources";
    const std::vector<fs::path> generated = generated_files(plan_, folder);
    write_file(generated[0], mechanism_cpp(plan_));
    write_file(generated[1], model_name_source(plan_.name));
    sources_ = files_in(kit_.sources);
    for (const fs::path& file : generated)
      sources_.push_back({"sources/" + file.filename().string(), file});
    for (const ArchiveFile& file : own_sources()) sources_.push_back(file);
    const std::string prefix = "sources/";
    for (const ArchiveFile& file : sources_)
      if (file.name.ends_with(".cpp") &&
          (!file.name.starts_with("sources/own/") || is_own_source(file.source)))
        to_compile_.push_back(file.name.substr(prefix.size()));
    std::sort(to_compile_.begin(), to_compile_.end());
  }
  static void write_file(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    write_text(file, text);
  }
  bool is_own_source(const fs::path& file) const {
    return std::find(options_.sources.begin(), options_.sources.end(), file) !=
           options_.sources.end();
  }

  /// The files of user-defined functions, with their folders.
  std::vector<ArchiveFile> own_sources() const {
    std::vector<ArchiveFile> made;
    if (options_.sources.empty()) return made;
    const fs::path home = fs::absolute(options_.sources[0]).lexically_normal().parent_path();
    for (const fs::path& path : read_) {
      const fs::path file = fs::absolute(path).lexically_normal();
      if (is_of_mechfmu(file) ||
          std::any_of(made.begin(), made.end(),
                      [&](const ArchiveFile& known) { return known.source == path; }))
        continue;
      const std::string name = file.lexically_relative(home).generic_string();
      if (name.empty() || name.starts_with(".."))
        throw WrongUsage(
            path.string() + " is not below " + home.string() +
            ", the folder of the first --source; --sources packs only files in that folder");
      made.push_back({"sources/own/" + name, path});
    }
    return made;
  }
  bool is_of_mechfmu(const fs::path& file) const {
    return std::any_of(kit_.compile.begin(), kit_.compile.end(), [&](const std::string& word) {
      if (!word.starts_with("-I")) return false;
      const std::string inside =
          file.lexically_relative(fs::path(word.substr(2)).lexically_normal()).generic_string();
      return !inside.empty() && !inside.starts_with("..") && in_archive(inside);
    });
  }
  bool in_archive(const std::string& name) const {
    return std::any_of(sources_.begin(), sources_.end(),
                       [&](const ArchiveFile& file) { return file.name == "sources/" + name; });
  }

  void stage(const std::string& what) const {
    if (options_.on_stage) options_.on_stage(what);
  }

  std::vector<ProcessResult> run_all(const std::vector<Words>& commands) const {
    if (options_.on_command)
      for (const Words& words : commands) options_.on_command(command_line(words));
    try {
      return run_processes(commands);
    } catch (const std::runtime_error& error) {
      const bool of_wheel = kit_.compiler.front() == "zig";
      throw std::runtime_error(error.what() + std::string("; a C++ compiler is needed: ") +
                               (of_wheel ? "pip install 'mechfmu[compiler]'"
                                         : "install g++, or set CXX to another one"));
    }
  }

  /// A full disk is not an error in the mechanism or in a source.
  void expect_space(const ProcessResult& result) const {
    if (result.status == 0) return;
    for (const char* sign :
         {"No space left on device", "Disk quota exceeded", "File too large", "is the disk full?"})
      if (result.output.find(sign) != std::string::npos)
        throw std::runtime_error("no space for the output of the compiler in " +
                                 (temporary_ ? temporary_place() : work_).string() +
                                 (temporary_ ? "; set TMPDIR to another folder" : ""));
  }

  Words compiler_with(const Words& words) const {
    Words all = kit_.compiler;
    append(all, words);
    return all;
  }

  fs::path object_of(std::size_t index, const fs::path& source) const {
    return work_ / (std::to_string(index) + "_" + source.stem().string() + ".o");
  }

  /// The files that the compiler reads are known only after it has run. With --keep it has
  /// overwritten some of them by then, so it lists them first.
  void spare_headers() {
    stage("looking for headers");
    const TemporaryFolder rules;
    const auto rule = [&](std::size_t i) { return rules.path() / std::to_string(i); };
    std::vector<Words> commands;
    for (const fs::path& source : options_.sources) {
      const std::string file = rule(commands.size()).string();
      commands.push_back(compiler_with(kit_.compile));
      append(commands.back(), {"-MM", "-MG", "-MF", file, operand(source)});
    }
    const std::vector<ProcessResult> results = run_all(commands);
    std::vector<fs::path> outputs = generated_files(plan_, work_);
    for (const char* end : {".so", "_describe"}) outputs.push_back(work_ / (plan_.name + end));
    std::vector<fs::path> read;
    const std::size_t generated = 2;
    for (std::size_t i = 0; i < generated; ++i) outputs.push_back(object_of(i, outputs[i]));
    for (std::size_t i = 0; i < commands.size(); ++i) {
      expect_space(results[i]);
      if (results[i].status != 0) throw does_not_compile(options_.sources[i], results[i]);
      for (fs::path& path : read_rule(rule(i))) read.push_back(std::move(path));
      const fs::path object = object_of(generated + i, options_.sources[i]);
      outputs.insert(outputs.end(), {object, object.string() + ".d"});
    }
    refuse_to_overwrite(read, outputs);
  }

  static WrongFile does_not_compile(const fs::path& source, const ProcessResult& result) {
    return WrongFile(source.string() + " does not compile:\n" + beginning(result.output));
  }

  /// All sources at once: the generated one takes longest.
  void compile() {
    stage("compiling");
    std::vector<fs::path> sources = generated_files(plan_, work_);
    const fs::path model = sources[0];
    const fs::path name = sources[1];
    sources.insert(sources.end(), options_.sources.begin(), options_.sources.end());
    write_text(model, mechanism_cpp(plan_));
    write_text(name, model_name_source(plan_.name));
    std::vector<Words> commands;
    for (const fs::path& source : sources) {
      const std::string object = object_of(objects_.size(), source).string();
      objects_.push_back(object);
      commands.push_back(compiler_with(kit_.compile));
      if (commands.size() > 2) append(commands.back(), {"-MMD", "-MF", object + ".d"});
      append(commands.back(), {"-c", operand(source), "-o", object});
    }
    const std::vector<ProcessResult> results = run_all(commands);
    for (const ProcessResult& result : results) expect_space(result);
    // user-defined sources first: they are the likely cause
    for (std::size_t i = sources.size(); i-- > 2;) {
      if (results[i].status != 0) throw does_not_compile(sources[i], results[i]);
      for (fs::path& path : read_rule(objects_[i] + ".d")) read_.push_back(std::move(path));
    }
    for (std::size_t i = 0; i < 2; ++i)
      if (results[i].status != 0)
        throw std::runtime_error(
            "the generated " + sources[i].filename().string() +
            " does not compile, which is a bug in mechfmu; --keep <folder> keeps it:\n" +
            beginning(results[i].output) + command_line(commands[i]));
  }

  void link() {
    stage("linking");
    binary_ = work_ / (plan_.name + ".so");
    describe_ = work_ / (plan_.name + "_describe");
    std::vector<Words> commands = {compiler_with({"-shared", "-o", binary_.string()})};
    append(commands[0], objects_);
    for (const Words* more : {&kit_.tabled, &kit_.objects, &kit_.archives, &kit_.link})
      append(commands[0], *more);
    if (!plan_.functions.empty()) {
      commands.push_back(compiler_with({"-o", describe_.string()}));
      append(commands[1], objects_);
      for (const Words* more :
           {&kit_.tabled, &kit_.describe_objects, &kit_.describe_archives, &kit_.describe_link})
        append(commands[1], *more);
    }
    const std::vector<ProcessResult> results = run_all(commands);
    for (std::size_t i = 0; i < commands.size(); ++i) {
      if (results[i].status == 0) continue;
      expect_space(results[i]);
      for (const FunctionPlan& f : plan_.functions)
        if (results[i].output.find("undefined reference to `" + f.name + "'") != std::string::npos)
          throw WrongFile("function '" + f.name +
                          "' is declared in the mechanism file, but no source defines it; add\n"
                          "  mechfmu::Function<" +
                          std::to_string(f.arguments) + "> " + f.name +
                          "([](const auto& …) { return …; });");
      const std::string message = plan_.name + " does not link:\n" + beginning(results[i].output);
      if (!options_.sources.empty()) throw WrongFile(message);
      throw std::runtime_error(message + command_line(commands[i]));
    }
  }

  void describe() {
    Words words = {fs::absolute(describe_).string(), tree_.string()};
    if (!options_.icon.empty()) append(words, {"--icon", operand(options_.icon)});
    if (!options_.diagram.empty()) append(words, {"--diagram", operand(options_.diagram)});
    if (!to_compile_.empty()) {
      const fs::path list = work_ / "sources.txt";
      write_text(list, joined(to_compile_, "\n"));
      append(words, {"--sources", list.string()});
    }
    ProcessResult result = run_all({words}).front();
    expect_space(result);
    while (result.output.ends_with('\n')) result.output.pop_back();
    if (result.status != 0) throw WrongFile(result.output);
  }

  const LoadedMechanism& mechanism_;
  const MechanismText& text_;
  const Plan& plan_;
  const Kit& kit_;
  const ExportOptions& options_;
  bool compiles_ = true;
  std::optional<TemporaryFolder> temporary_;
  fs::path work_, binary_, describe_, tree_;
  std::vector<ArchiveFile> sources_;     // of the FMU
  std::vector<std::string> to_compile_;  // in sources/
  Words objects_;
  std::vector<fs::path> read_;
};

}  // namespace

LoadedMechanism load_mechanism(const fs::path& file, Diagnostics& diagnostics,
                               std::optional<scene::Wanted> wanted) {
  LoadedMechanism made;
  made.text = read_mechanism_file(file, diagnostics);
  if (made.text.root.type == nullptr || diagnostics.has_errors()) return made;
  made.names = scene::name_variables(made.text, wanted.value_or(scene::Wanted::poses));
  if (wanted)
    scene::add_outputs(made.text, made.names);
  else
    made.names.poses.clear(), made.names.modes.clear();
  made.plan = make_plan(made.text, diagnostics);
  return made;
}

std::vector<fs::path> generated_files(const Plan& plan, const fs::path& folder) {
  return {folder / (plan.name + ".cpp"), folder / (plan.name + "_model_name.cpp")};
}

std::vector<fs::path> export_fmus(const LoadedMechanism& mechanism, const Kit& kit,
                                  const ExportOptions& options) {
  return Export(mechanism, kit, options).run();
}

void copy_mechanism(const MechanismText& text, const fs::path& folder) {
  const fs::path main = fs::path(text.files.front()).lexically_normal();
  for (const std::string& file : text.files) {
    const fs::path from = fs::path(file).lexically_normal();
    fs::path to = from.lexically_relative(main.parent_path());
    if (from == main) {
      to = mechanism_name;
    } else if (to == mechanism_name) {
      throw WrongFile(file + ": the FMU keeps the mechanism file by this name; rename the " +
                      "included file, or use --without-mechanism");
    }
    fs::create_directories((folder / to).parent_path());
    fs::copy_file(from, folder / to, fs::copy_options::overwrite_existing);
  }
}

void unpack(const fs::path& file, const fs::path& folder) {
  try {
    extract(file, folder);
  } catch (const CannotUnpack&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw WrongFile(error.what());
  }
}

UnpackedMechanism::UnpackedMechanism(const fs::path& file) : file_(file) {
  if (file.extension() != ".fmu") return;
  folder_.emplace();
  unpack(file, folder_->path() / "fmu");
  file_ = folder_->path() / "fmu" / mechanism_folder / mechanism_name;
  if (!fs::exists(file_))
    throw WrongFile(file.string() +
                    " does not hold the mechanism file it was exported from; name that file");
}

}  // namespace mechfmu
