// Hostile archives and hostile mechanism files from a seed, and the rules that hold for all of
// them.
//
//   hostile archives <good.fmu> --count 100000 --seed 1
//   hostile files <mechanism files, or folders of them> --count 100000 --seed 1
//
// archives: a good FMU with changed bytes, and archives put together as no honest program writes
// them. They are unpacked; if that succeeds, the description is read and shown. No library is
// loaded.
//   - It ends within a minute; only std::runtime_error is thrown, with one line that names the
//     archive or the file.
//   - Nothing is written outside of the folder, and no link in it; a refusal leaves the folder
//     as it was.
//   - The written files stay within the limits and agree with the table of contents.
// files: good mechanism files with changed elements, attributes and values, and constructs meant to
// do harm. Each takes the path of `mechfmu check`.
//   - It ends within 20 s; nothing is thrown.
//   - There are facts, or errors: one line each, with file and line number.
//   - Nothing outside of the folder of the file is read.
// Both: memory does not grow.
//
// --plant <fault> makes the attacked code faulty: the attack has to fail then. --failures N
// continues until that many were found.
//
// A failure prints its seed and the name of the file that it has written; --seed with that number
// and --count 1 repeats it.

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>

#include "importer/fmu.h"
#include "importer/info.h"
#include "language/backend/cpp.h"
#include "language/expression/check.h"
#include "language/meaning/check.h"
#include "model_desc/read_description.h"
#include "packaging/export.h"
#include "packaging/leftovers.h"
#include "packaging/temporary.h"
#include "packaging/zip.h"
#include "tests/attack/hostile_xml.h"
#include "tests/attack/hostile_zip.h"

namespace mechfmu::attack {
namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_is_known = false;  // sanitizers replace malloc
#else
constexpr bool memory_is_known = true;
#endif

struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Attack {
  std::string mode, fault;
  std::uint64_t seed = 1;
  long count = 100'000, failures = 1;
  unsigned patience = 60;  // s; 190 joints between two bodies take 6 s on an idle machine

  bool plants(const char* name) const { return fault == name; }
};

// For the report, also of a crash.
std::uint64_t seed_now = 0;
std::string content_now;
std::string file_now = "hostile";

void report(const char* what) {
  std::string name = file_now;
  name.insert(name.find('.'), "_" + std::to_string(seed_now));
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file >= 0) {
    (void)!write(file, content_now.data(), content_now.size());
    close(file);
  }
  std::fprintf(stderr, "hostile: %s\n  --seed %llu --count 1 repeats it; it is in %s\n", what,
               static_cast<unsigned long long>(seed_now), name.c_str());
}

void crashed(int signal) {
  report(signal == SIGALRM ? "it does not end" : "crash");
  std::signal(SIGALRM, SIG_DFL);  // in case this does not end either
  alarm(5);
  clear_leftovers();
  std::_Exit(3);
}

/// Works also when the stack is full.
void watch_crashes() {
  static std::vector<char> stack(1 << 17);
  stack_t other{};
  other.ss_sp = stack.data();
  other.ss_size = stack.size();
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_handler = crashed;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM})
    sigaction(signal, &action, nullptr);
}

/// Number of bytes allocated and not freed.
std::size_t memory_in_use() {
  if (!memory_is_known) return 0;
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void lose_memory() {
  static char* volatile lost = nullptr;
  lost = new char[1000];
  lost[0] = 0;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

void require(bool good, const std::string& otherwise) {
  if (!good) throw Failed(otherwise);
}

/// No text that a terminal would obey: UTF-8 without control characters, including those beyond
/// ASCII.
bool is_printable(std::string_view text, bool lines = false) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
    };
    const unsigned c = byte(0);
    std::size_t size = 1;
    if (c < 0x80) {
      if ((c < ' ' && !(lines && c == '\n')) || c == 0x7f) return false;
    } else {
      size = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
      if (c < 0xc2 || c > 0xf4 || (c == 0xc2 && byte(1) < 0xa0)) return false;
      for (std::size_t k = 1; k < size; ++k)
        if ((byte(k) & 0xc0U) != 0x80) return false;
    }
    i += size;
  }
  return true;
}

constexpr std::size_t longest_message = 5000;

void check_message(const std::string& message, const std::string& of) {
  const std::string shown = message.substr(0, 300);
  require(message.find(of) != std::string::npos, "the message does not name " + of + ": " + shown);
  require(is_printable(message), "the message is not one line of plain text: " + shown);
  require(message.size() < longest_message,
          "the message has " + std::to_string(message.size()) + " characters: " + shown);
}

// --- archives ---

constexpr const char* description_2 =
    R"(<fmiModelDescription fmiVersion="2.0" modelName="M" guid="{1}"
  description="a" generationTool="t" generationDateAndTime="2020-01-01T00:00:00Z" author="a" license="l" version="1">
<CoSimulation modelIdentifier="M" canHandleVariableCommunicationStepSize="true" canInterpolateInputs="true" maxOutputDerivativeOrder="1"
  canGetAndSetFMUstate="true" needsExecutionTool="false"/>
<UnitDefinitions><Unit name="m"><BaseUnit m="1"/></Unit></UnitDefinitions>
<TypeDefinitions><SimpleType name="E"><Enumeration><Item name="a" value="1" description="x"/><Item name="b" value="2"/></Enumeration></SimpleType>
<SimpleType name="L"><Real unit="m" min="0" max="10"/></SimpleType></TypeDefinitions>
<LogCategories><Category name="logAll"/></LogCategories>
<DefaultExperiment startTime="0" stopTime="1" tolerance="1e-6" stepSize="0.01"/>
<ModelVariables>
<ScalarVariable name="x" valueReference="1" causality="output" variability="continuous" initial="calculated" description="position"><Real unit="m"/></ScalarVariable>
<ScalarVariable name="u" valueReference="2" causality="input"><Real start="0" min="-1" max="1"/></ScalarVariable>
<ScalarVariable name="l" valueReference="3" causality="parameter" variability="fixed"><Real declaredType="L" start="1"/></ScalarVariable>
<ScalarVariable name="e" valueReference="4" causality="parameter" variability="tunable"><Enumeration declaredType="E" start="2"/></ScalarVariable>
<ScalarVariable name="n" valueReference="5" causality="local"><Integer start="3"/></ScalarVariable>
<ScalarVariable name="s" valueReference="6" causality="parameter"><String start="text"/></ScalarVariable>
<ScalarVariable name="b" valueReference="7" causality="input"><Boolean start="true"/></ScalarVariable>
</ModelVariables>
<ModelStructure><Outputs><Unknown index="1" dependencies="2 3" dependenciesKind="dependent fixed"/></Outputs></ModelStructure>
</fmiModelDescription>)";

constexpr const char* description_3 =
    R"(<fmiModelDescription fmiVersion="3.0" modelName="M" instantiationToken="{1}" description="a">
<CoSimulation modelIdentifier="M" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUState="true" fixedInternalStepSize="0.1"/>
<UnitDefinitions><Unit name="m"/></UnitDefinitions>
<TypeDefinitions><EnumerationType name="E"><Item name="a" value="1"/></EnumerationType><Float64Type name="L" unit="m" min="0"/></TypeDefinitions>
<DefaultExperiment startTime="0" stopTime="1" stepSize="0.01"/>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<UInt64 name="n" valueReference="1" causality="structuralParameter" start="3"/>
<Float64 name="v" valueReference="2" causality="output" declaredType="L"><Dimension valueReference="1"/><Dimension start="2"/><Alias name="w" description="again"/></Float64>
<Float64 name="u" valueReference="3" causality="input" start="0"/>
<Int32 name="i" valueReference="4" causality="parameter" start="1" min="0" max="5"/>
<Enumeration name="e" valueReference="5" causality="parameter" declaredType="E" start="1"/>
<String name="s" valueReference="6" causality="parameter"><Start value="text"/></String>
<Binary name="d" valueReference="7" causality="input"><Start value="00ff"/></Binary>
<Clock name="c" valueReference="8" causality="input" intervalVariability="triggered"/>
</ModelVariables>
<ModelStructure><Output valueReference="2" dependencies="3 4"/></ModelStructure>
</fmiModelDescription>)";

class Archives {
 public:
  Archives(const Attack& attack, const fs::path& good) : attack_(attack) {
    fs::create_directories(place_);
    for (const fs::path& folder : {base_.path(), base_.path() / "a"})
      write(folder / canary, canary);
    if (!good.empty()) {
      extract(good, place_ / "good");
      descriptions_.push_back(read(place_ / "good/modelDescription.xml"));
      write(place_ / "library",
            "\x7f"
            "ELF");
      write_zip(archive_,
                {{"modelDescription.xml", place_ / "good/modelDescription.xml"},
                 {"binaries/linux64/x.so", place_ / "library"}},
                entry_time(nullptr));
      archives_.push_back(read(archive_));
      fs::remove_all(place_ / "good");
      fs::remove(place_ / "library");
    }
    for (const char* text : {description_2, description_3}) {
      descriptions_.emplace_back(text);
      archives_.push_back(plain_archive(text));
    }
    for (const std::string& text : descriptions_) {
      trees_.push_back(parse_good(text, "description"));
      vocabulary_.learn(trees_.back());
      for (const XmlNode& part : trees_.back().children) {
        vocabulary_.elements.push_back(part);
        const std::size_t some = std::min<std::size_t>(part.children.size(), 10);
        vocabulary_.elements.insert(vocabulary_.elements.end(), part.children.begin(),
                                    part.children.begin() + static_cast<std::ptrdiff_t>(some));
      }
    }
    vocabulary_.files = {"../x", "/etc/passwd", "file:///etc/passwd"};
  }

  void attack_one(std::uint64_t seed) {
    fs::remove_all(folder_);  // of one that failed
    Dice dice(seed);
    const HostileArchive made = make(dice);
    content_now = made.bytes;
    write(archive_, made.bytes);
    UnpackLimits limits;
    if (!dice.once_in(10))
      limits = {.bytes = 100'000, .entries = 200, .depth = 20, .ratio = 20, .any_ratio = 30'000};
    const bool existed = dice.once_in(2);
    if (existed) fs::create_directory(folder_);

    bool refused = false;
    try {
      call_extract(limits);
    } catch (const CannotUnpack& problem) {
      throw Failed(std::string("it is not blamed on the archive: ") + problem.what());
    } catch (const std::runtime_error& problem) {
      refused = true;
      check_message(problem.what(), "'" + archive_.string() + "'");
    }
    check_outside(existed || !refused);
    if (refused) {
      ++refused_;
      if (existed) require(fs::is_empty(folder_), "a refused archive has left something");
    } else {
      require(made.forbidden.empty(), "it was unpacked in spite of " + made.forbidden);
      check_inside(made, limits);
      describe();
    }
    fs::remove_all(folder_);
  }

  void tell(long count) const {
    std::printf("%ld archives, %ld refused, %ld unpacked, %ld of them with a description\n", count,
                refused_, count - refused_, described_);
  }

 private:
  static constexpr const char* canary = "canary";

  HostileArchive make(Dice& dice) {
    if (dice.once_in(3)) return changed_archive(dice.of(archives_), dice);
    const std::size_t which = dice.below(trees_.size());
    const std::string description =
        dice.once_in(4) ? descriptions_[which] : hostile_xml(trees_[which], vocabulary_, dice);
    return hostile_archive(description, (base_.path() / "escaped").string(), dice);
  }

  void call_extract(const UnpackLimits& limits) {
    if (attack_.plants("escape")) write(base_.path() / "a" / "escaped", "!");
    if (attack_.plants("canary")) write(base_.path() / canary, "!");
    if (attack_.plants("crash")) std::raise(SIGSEGV);
    if (attack_.plants("hang"))
      while (true) pause();
    if (attack_.plants("exception")) throw std::logic_error("planted");
    if (attack_.plants("leak")) lose_memory();
    try {
      extract(archive_, folder_, limits);
    } catch (const std::runtime_error& problem) {
      if (attack_.plants("accepts")) {
        fs::create_directory(folder_);
        return;
      }
      if (attack_.plants("nameless")) throw std::runtime_error("it is damaged");
      if (attack_.plants("lines")) throw std::runtime_error(std::string(problem.what()) + "\nand");
      if (attack_.plants("leftover")) {
        fs::create_directory(folder_);
        write(folder_ / "left", "!");
      }
      throw;
    }
    if (attack_.plants("link")) fs::create_symlink("/etc/passwd", folder_ / "link");
    if (attack_.plants("beyond")) {
      const std::uintmax_t most =
          std::max(limits.any_ratio, limits.ratio * fs::file_size(archive_)) + 1;
      write(folder_ / "more", std::string(most, 'x'));
    }
    if (attack_.plants("changed"))
      for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
        if (entry.is_regular_file()) write(entry.path(), "changed");
  }

  /// Checks the folders around the one that was written to.
  void check_outside(bool has_folder) {
    const auto lists = [](const fs::path& folder, const std::set<std::string>& expected) {
      std::size_t found = 0;
      DIR* listing = opendir(folder.c_str());
      require(listing != nullptr, "a folder around the target is gone");
      std::string strange;
      while (const dirent* entry = readdir(listing)) {
        const std::string name = entry->d_name;
        if (name == "." || name == "..") continue;
        ++found;
        if (!expected.contains(name)) strange = name;
      }
      closedir(listing);
      require(strange.empty(), "outside of the folder, or left by a refusal: '" + strange + "'");
      require(found == expected.size(), "something outside of the folder is gone");
    };
    lists(base_.path(), {canary, "a"});
    lists(base_.path() / "a", {canary, "b"});
    lists(place_,
          has_folder ? std::set<std::string>{"x.fmu", "x"} : std::set<std::string>{"x.fmu"});
    for (const fs::path& folder : {base_.path(), base_.path() / "a"})
      require(read(folder / canary) == canary, "a file outside of the folder was written to");
  }

  void check_inside(const HostileArchive& made, const UnpackLimits& limits) {
    std::size_t count = 0;
    std::uintmax_t bytes = 0;
    std::vector<fs::path> files;
    for (auto at = fs::recursive_directory_iterator(folder_); at != end(at); ++at) {
      struct stat status {};
      require(lstat(at->path().c_str(), &status) == 0, "what was unpacked cannot be looked at");
      const bool is_file = S_ISREG(status.st_mode);
      require((is_file && status.st_nlink == 1) || S_ISDIR(status.st_mode),
              "neither a file nor a folder was made: " + at->path().string());
      ++count;
      if (!is_file) continue;
      bytes += static_cast<std::uintmax_t>(status.st_size);
      files.push_back(at->path());
    }
    require(count <= limits.entries, std::to_string(count) + " files and folders were made");
    require(bytes <= std::min(limits.bytes,
                              std::max(limits.any_ratio, limits.ratio * made.bytes.size())),
            std::to_string(bytes) + " bytes were written");
    if (!made.said.empty())
      for (const fs::path& file : files) check_content(file, made);
  }

  void check_content(const fs::path& file, const HostileArchive& made) const {
    const auto said = made.said.find(file.lexically_relative(folder_).string());
    require(said != made.said.end(), "there is no such entry: " + file.string());
    const std::string content = read(file);
    require(content.size() == said->second.size,
            "the table of contents says another size than that of " + file.string());
    const auto checksum =
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    require(checksum == said->second.checksum,
            "the table of contents says another checksum than that of " + file.string());
  }

  void describe() {
    const fs::path file = folder_ / "modelDescription.xml";
    FmuDescription read;
    try {
      read = read_description(file);
    } catch (const std::runtime_error& problem) {
      return check_message(problem.what(), file.string());
    }
    ++described_;
    std::size_t seen = 0;
    for (const FmuVariable& v : read.variables)
      if (++seen < 10)
        require(read.find(v.name) == &v, "variable '" + v.name + "' is not found by its name");
    for (const FmuOutput& output : read.outputs) {
      require(output.variable < read.variables.size(), "there is no variable of an output");
      if (output.dependencies)
        for (const std::size_t i : *output.dependencies)
          require(i < read.variables.size(), "there is no variable that an output depends on");
    }
    require(is_printable(describe_text(read, platforms(folder_)), true),
            "what is shown of the FMU is not plain text");
  }

  const Attack& attack_;
  const TemporaryFolder base_;
  const fs::path place_ = base_.path() / "a" / "b", archive_ = place_ / "x.fmu",
                 folder_ = place_ / "x";
  std::vector<std::string> archives_, descriptions_;
  std::vector<XmlNode> trees_;
  Vocabulary vocabulary_;
  long refused_ = 0, described_ = 0;
};

// --- mechanism files ---

std::vector<std::string> values_of(const AttributeType& type) {
  const std::string unit(type.unit);
  switch (type.kind) {
    case AttributeKind::number:
    case AttributeKind::value:
      return {"0",       "-1",       "1",           "1e308",     "1e-300",       "1e9",
              "1e-9",    "nan",      "@",           "@.angle",   "2*@",          "1/0",
              "time/1s", "1" + unit, "1e-3" + unit, "-5" + unit, "@.position.x", "1e308" + unit};
    case AttributeKind::vector:
      return {"0 0 0",
              "1 0 0",
              "0 1 0",
              "0 0 1",
              "1 1 1",
              "1e200 0 0",
              "1e-200 0 0",
              "-1 2 -3",
              "@.position",
              "0 0 @",
              "time/1s 0 0",
              "nan 0 0",
              "1e308 1e308 1e308"};
    case AttributeKind::numbers:
      return {"1 2 3", "1", "1e308 1", "0 0", "3 2 1", "1 1 1", "-1 nan"};
    case AttributeKind::word:
    case AttributeKind::word_list: {
      std::vector<std::string> words = words_of(type.words);
      words.emplace_back(type.words);
      return words;
    }
    case AttributeKind::boolean: return {"true", "false", "maybe"};
    case AttributeKind::unit:
    case AttributeKind::units:
      return {"m", "N.m", "kg.m2", "furlong", "m/", "1", "m100000", "N/(m/s)", "rad", "m s", "%"};
    case AttributeKind::name:
    case AttributeKind::output_name: return {"@", "x", "a.b", "time", "ground", "@.x", "M1"};
    case AttributeKind::reference:
    case AttributeKind::references: return {"@", "@ @", "ground", "@ @ @", "nobody"};
    default: return {};
  }
}

class MechanismFiles {
 public:
  MechanismFiles(const Attack& attack, const std::vector<fs::path>& given) : attack_(attack) {
    fs::create_directory(folder_);
    for (const fs::path& path : given) {
      if (!fs::is_directory(path)) {
        take(path);
        continue;
      }
      std::vector<fs::path> found;
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
        if (entry.path().extension() == ".xml") found.push_back(entry.path());
      std::sort(found.begin(), found.end());
      for (const fs::path& file : found) take(file);
    }
    if (good_.empty()) throw std::runtime_error("there are no mechanism files");
    for (const ElementType& element : mechanism_elements()) {
      for (const AttributeType& attribute : element.attributes)
        for (const std::string& value : values_of(attribute))
          vocabulary_.values[std::string(element.name)][std::string(attribute.name)].push_back(
              value);
      if (element.parents.empty()) continue;
      const XmlNode example =
          parse_good("<mechanism>" + std::string(element.example) + "</mechanism>", "example");
      vocabulary_.elements.insert(vocabulary_.elements.end(), example.children.begin(),
                                  example.children.end());
    }
    vocabulary_.functions = expression::function_names();
    // Files that must not be read: beside the folder, behind a link, or endless.
    write(base_.path() / "secret.xml",
          "<part><body name=\"secret\" mass=\"1\" sphere=\"1\"/></part>");
    write(base_.path() / "secret.csv", "0 4711\n1 4711\n");
    fs::create_symlink("../secret.xml", folder_ / "link.xml");
    fs::create_directory_symlink("..", folder_ / "linked");
    if (mkfifo((folder_ / "pipe").c_str(), S_IRUSR | S_IWUSR) != 0)
      throw std::runtime_error("cannot make a pipe");
    write(folder_ / "loop.xml", "<part><include file=\"loop.xml\"/></part>");
    write(folder_ / "ring.xml",
          "<part><include file=\"m.xml\"/><include file=\"ring.xml\"/></part>");
    vocabulary_.files = {"../secret.xml",
                         "parts/../../secret.xml",
                         "link.xml",
                         "linked/secret.xml",
                         "linked/secret.csv",
                         "../secret.csv",
                         (base_.path() / "secret.xml").string(),
                         "/etc/passwd",
                         "/dev/zero",
                         "/dev/stdin",
                         "pipe",
                         "loop.xml",
                         "ring.xml",
                         "m.xml",
                         ".",
                         "parts",
                         "parts/leg.xml",
                         "parts/damper.csv",
                         "C:\\x",
                         "./m.xml",
                         "file:///etc/passwd",
                         "",
                         "a\\b",
                         "parts//leg.xml",
                         std::string(5000, 'a')};
    for (const char* element : {"include", "table"})
      vocabulary_.values[element]["file"] = vocabulary_.files;
  }

  void attack_one(std::uint64_t seed) {
    Dice dice(seed);
    // Large files take long and find little more: takes the smaller of two.
    const std::size_t one = dice.below(good_.size());
    const std::size_t other = dice.below(good_.size());
    const bool first = sizes_[one] < sizes_[other];
    content_now = hostile_xml(good_[first ? one : other], vocabulary_, dice);
    write(file_, content_now);
    Diagnostics diagnostics;
    const LoadedMechanism loaded = call_load(diagnostics);
    check_read(loaded.text);
    std::optional<MechanismCheck> check;
    if (!diagnostics.has_errors()) check = check_mechanism(loaded.plan, diagnostics);
    if (attack_.plants("silent")) check.reset(), diagnostics = {};
    require(check.has_value() != diagnostics.has_errors(),
            check ? "there are facts and errors" : "there are neither facts nor errors");
    for (const Diagnostic& d : diagnostics.sorted()) {
      const std::string message = text(d, true) + (attack_.plants("lines") ? "\nand" : "");
      check_message(message, folder_.string() + "/");
      // only messages such as "the file is empty" belong to no line
      require(d.place.line > 0 || d.message.starts_with("the file "),
              "the message has no line number: " + message);
    }
    require(is_printable(diagnostics.text(true), true), "the messages are not plain text");
    if (!check) return;
    ++facts_;
    require(is_printable(text(*check), true), "the facts are not plain text");
    (void)mechanism_cpp(loaded.plan);
  }

  void tell(long count) const {
    std::printf("%ld mechanism files, %ld with facts, %ld with errors\n", count, facts_,
                count - facts_);
  }

 private:
  void take(const fs::path& path) {
    XmlNode root = parse_good(read(path), path.string());
    if (root.tag != "mechanism") return;
    vocabulary_.learn(root);
    sizes_.push_back(as_text(root).size());
    good_.push_back(std::move(root));
    const fs::path parts = path.parent_path() / "parts";
    if (fs::is_directory(parts))
      fs::copy(parts, folder_ / "parts",
               fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }

  LoadedMechanism call_load(Diagnostics& diagnostics) const {
    if (attack_.plants("crash")) std::raise(SIGSEGV);
    if (attack_.plants("hang"))
      while (true) pause();
    if (attack_.plants("exception")) throw std::logic_error("planted");
    if (attack_.plants("leak")) lose_memory();
    if (attack_.plants("nameless")) diagnostics.error({}, {}, {}, "it is wrong");
    if (attack_.plants("lineless")) diagnostics.error({file_.string(), 0}, {}, {}, "it is wrong");
    LoadedMechanism loaded = load_mechanism(file_, diagnostics);
    if (attack_.plants("escape"))
      loaded.text.files.push_back((base_.path() / "secret.xml").string());
    return loaded;
  }

  void check_read(const MechanismText& text) const {
    for (const std::string& file : text.files) {
      require(file.starts_with(folder_.string() + "/") && file.find("..") == std::string::npos &&
                  file.find("link") == std::string::npos,
              "a file outside of the folder was read: " + file);
    }
    for (const auto& [file, content] : text.data)
      require(content.find("4711") == std::string::npos, "a table outside was read: " + file);
  }

  const Attack& attack_;
  const TemporaryFolder base_;
  const fs::path folder_ = base_.path() / "in", file_ = folder_ / "m.xml";
  std::vector<XmlNode> good_;
  std::vector<std::size_t> sizes_;
  Vocabulary vocabulary_;
  long facts_ = 0;
};

// --- both ---

template <class Target>
int run(const Attack& attack, Target& target) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
  };
  constexpr std::size_t most_growth = 200'000;  // bytes
  constexpr long few = 500;                     // caches fill up at first
  const auto begin = Clock::now();
  std::size_t memory = 0;
  long failures = 0;
  double slowest = 0;
  std::uint64_t slowest_seed = attack.seed;
  for (long i = 0; i < attack.count; ++i) {
    seed_now = attack.seed + static_cast<std::uint64_t>(i);
    const auto start = Clock::now();
    std::string failure;
    alarm(attack.patience);
    try {
      target.attack_one(seed_now);
    } catch (const Failed& failed) {
      failure = failed.what();
    } catch (const std::exception& problem) {
      failure = std::string("thrown: ") + problem.what();
    }
    alarm(0);
    if (!failure.empty()) {
      report(failure.c_str());
      if (++failures >= attack.failures) return 1;
    }
    if (const double taken = seconds(start); taken > slowest) {
      slowest = taken;
      slowest_seed = seed_now;
    }
    if (i == attack.count / 4) memory = memory_in_use();
  }
  content_now.clear();
  content_now.shrink_to_fit();
  const std::size_t now = memory_in_use();
  if (attack.count >= few && now > memory + most_growth) {
    std::fprintf(stderr, "hostile: memory has grown by %zu bytes\n", now - memory);
    return 1;
  }
  target.tell(attack.count);
  std::printf("in %.1f s, the slowest in %.2f s (seed %llu)\n", seconds(begin), slowest,
              static_cast<unsigned long long>(slowest_seed));
  return failures > 0 ? 1 : 0;
}

int hostile(int count, char** words) {
  Attack attack;
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (!word.starts_with("--")) {
      if (attack.mode.empty())
        attack.mode = word;
      else
        files.emplace_back(word);
      continue;
    }
    if (++i == count) throw std::runtime_error(word + " needs a value");
    if (word == "--count")
      attack.count = std::strtol(words[i], nullptr, 10);
    else if (word == "--seed")
      attack.seed = std::strtoull(words[i], nullptr, 10);
    else if (word == "--failures")
      attack.failures = std::strtol(words[i], nullptr, 10);
    else if (word == "--plant")
      attack.fault = words[i];
    else
      throw std::runtime_error("there is no option " + word);
  }
  if (files.empty() || (attack.mode != "archives" && attack.mode != "files"))
    throw std::runtime_error(
        "hostile archives <good.fmu>, or hostile files <mechanism files or folders>; [--count N] "
        "[--seed N] [--failures N] [--plant fault]");
  const rlimit memory{2'000'000'000, 2'000'000'000};
  if (memory_is_known) setrlimit(RLIMIT_AS, &memory);
  const rlimit open_files{200, 200};
  setrlimit(RLIMIT_NOFILE, &open_files);
  watch_crashes();
  file_now = attack.mode == "archives" ? "hostile.fmu" : "hostile.xml";
  if (attack.plants("hang")) attack.patience = 1;
  if (attack.mode == "archives") {
    Archives target(attack, files.front());
    return run(attack, target);
  }
  MechanismFiles target(attack, files);
  return run(attack, target);
}

}  // namespace
}  // namespace mechfmu::attack

int main(int count, char** words) {
  try {
    return mechfmu::attack::hostile(count, words);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "hostile: %s\n", problem.what());
    return 2;
  }
}
