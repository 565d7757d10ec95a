#include "model_desc/read_description.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "model_desc/text.h"
#include "model_desc/xml_tree.h"

namespace mechfmu {

namespace {

using Type = FmuVariable::Type;

constexpr std::array<const char*, 15> types = {
    "Float64", "Float32", "Int8",    "UInt8",       "Int16",  "UInt16", "Int32", "UInt32",
    "Int64",   "UInt64",  "Boolean", "Enumeration", "String", "Binary", "Clock"};
constexpr std::array<const char*, 7> causalities = {
    "independent", "parameter", "calculatedParameter", "structuralParameter", "input",
    "output",      "local"};
constexpr std::array<const char*, 5> variabilities = {"constant", "fixed", "tunable", "discrete",
                                                      "continuous"};
constexpr std::array<const char*, 4> initials = {"", "exact", "approx", "calculated"};

constexpr std::size_t largest_size = 100'000'000;  // numbers of one array

/// Programs write model descriptions; some are large.
constexpr ReaderLimits limits = {.bytes = 500'000'000, .depth = 200, .elements = 10'000'000};
constexpr XmlKind kind = {"model description", "<fmiModelDescription …>", true};

/// The attributes that variables inherit from a type definition.
struct DeclaredType {
  std::string unit;
  std::optional<double> min, max;
  std::vector<FmuVariable::Item> items;
};

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  FmuDescription read(std::string_view content) {
    Diagnostics diagnostics;
    const std::optional<XmlNode> root = parse_xml(content, "", limits, diagnostics, kind);
    if (!root) {
      const Diagnostic first = diagnostics.sorted().front();
      fail(first.place.line, first.message);
    }
    if (root->tag != "fmiModelDescription")
      fail(root->place.line, "the root is <" + root->tag + ">; a model description has " +
                                 std::string(kind.root) + ". Is this an FMU?");
    header(*root);
    for (const XmlNode& part : root->children) {
      if (part.tag == "CoSimulation") co_simulation(part);
      if (part.tag == "ModelExchange") made_.model_exchange = true;
      if (part.tag == "ScheduledExecution") made_.scheduled_execution = true;
      if (part.tag == "UnitDefinitions")
        for (const XmlNode& unit : part.children)
          if (unit.tag == "Unit") made_.units.push_back(required(unit, "name"));
      if (part.tag == "LogCategories")
        for (const XmlNode& category : part.children)
          if (category.tag == "Category")
            made_.log_categories.push_back(required(category, "name"));
      if (part.tag == "TypeDefinitions")
        for (const XmlNode& type : part.children) declare_type(type);
      if (part.tag == "DefaultExperiment") {
        made_.start = number(part, "startTime");
        made_.stop = number(part, "stopTime");
        made_.tolerance = number(part, "tolerance");
        made_.step = number(part, "stepSize");
      }
    }
    // Variables need the types, which come first in the file; the structure needs the variables.
    for (const XmlNode& part : root->children)
      if (part.tag == "ModelVariables")
        for (const XmlNode& variable : part.children) add_variable(variable);
    for (const auto& [variable, node] : arrays_) measure(made_.variables[variable], *node);
    for (const XmlNode& part : root->children)
      if (part.tag == "ModelStructure") structure(part);
    made_.by_name.resize(made_.variables.size());
    std::iota(made_.by_name.begin(), made_.by_name.end(), std::size_t{0});
    std::ranges::stable_sort(made_.by_name, {}, [&](std::size_t i) -> const std::string& {
      return made_.variables[i].name;
    });
    return std::move(made_);
  }

 private:
  [[noreturn]] void fail(long line, const std::string& what) const {
    constexpr std::size_t longest = 1500;
    throw std::runtime_error(
        text(Diagnostic{Severity::error, {file_, line}, {}, {}, plain_line(what, longest)}));
  }

  // --- attributes ---

  static std::string optional(const XmlNode& node, const char* name) {
    const Attribute* attribute = node.find(name);
    return attribute != nullptr ? attribute->text : std::string();
  }

  static std::string label(const XmlNode& node) {
    const Attribute* name = node.find("name");
    return "<" + node.tag + (name != nullptr ? " name=\"" + name->text + "\"" : "") + ">";
  }

  const std::string& required(const XmlNode& node, const char* name) const {
    const Attribute* attribute = node.find(name);
    if (attribute == nullptr || attribute->text.empty())
      fail(node.place.line, label(node) + " has no attribute '" + name + "'");
    return attribute->text;
  }

  [[noreturn]] void refuse(const XmlNode& node, const Attribute& attribute,
                           const char* what) const {
    fail(attribute.place.line, label(node) + ": " + attribute.name + "=\"" +
                                   attribute.text.substr(0, 40) + "\" is not " + what);
  }

  std::optional<double> number(const XmlNode& node, const char* name) const {
    const Attribute* attribute = node.find(name);
    if (attribute == nullptr) return {};
    const std::optional<double> value = parse_number(attribute->text);
    if (!value || std::isnan(*value)) refuse(node, *attribute, "a number");
    return value;
  }

  bool flag(const XmlNode& node, const char* name) const {
    const Attribute* attribute = node.find(name);
    if (attribute == nullptr) return false;
    const std::string_view value = trimmed(attribute->text);
    if (value == "true" || value == "1") return true;
    if (value != "false" && value != "0") refuse(node, *attribute, "true or false");
    return false;
  }

  /// A nonnegative whole number.
  std::uint64_t whole(const XmlNode& node, const Attribute& attribute, std::string_view word,
                      std::uint64_t largest) const {
    std::uint64_t value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    if (read.ec != std::errc() || read.ptr != word.data() + word.size() || value > largest)
      refuse(node, attribute, "a whole number that fits");
    return value;
  }

  std::uint32_t reference(const XmlNode& node) const {
    required(node, "valueReference");
    const Attribute& attribute = *node.find("valueReference");
    return static_cast<std::uint32_t>(
        whole(node, attribute, trimmed(attribute.text), std::numeric_limits<std::uint32_t>::max()));
  }

  /// The word that is the value of an attribute.
  template <class Words>
  std::optional<std::size_t> which(const XmlNode& node, const char* name,
                                   const Words& words) const {
    const Attribute* attribute = node.find(name);
    if (attribute == nullptr) return {};
    const auto found = std::ranges::find(words, attribute->text);
    if (found == words.end()) refuse(node, *attribute, "a word that FMI has there");
    return static_cast<std::size_t>(found - words.begin());
  }

  // --- parts of the file ---

  void header(const XmlNode& root) {
    made_.version = required(root, "fmiVersion");
    if (made_.version.starts_with("2.")) {
      made_.major = 2;
    } else if (made_.version.starts_with("3.")) {
      made_.major = 3;
    } else {
      fail(root.place.line,
           "this is FMI " + made_.version.substr(0, 20) + "; FMI 2.0 and 3.0 can be read");
    }
    made_.model = required(root, "modelName");
    made_.token = required(root, made_.major == 2 ? "guid" : "instantiationToken");
    made_.about = optional(root, "description");
    made_.tool = optional(root, "generationTool");
    made_.date = optional(root, "generationDateAndTime");
    made_.author = optional(root, "author");
    made_.model_version = optional(root, "version");
    made_.copyright = optional(root, "copyright");
    made_.license = optional(root, "license");
  }

  void co_simulation(const XmlNode& node) {
    CoSimulation cs;
    cs.identifier = required(node, "modelIdentifier");
    // The identifier becomes part of a path.
    const auto is_bad = [](char c) { return c == '/' || c == '\\' || (c >= 0 && c < ' '); };
    if (std::ranges::any_of(cs.identifier, is_bad) || cs.identifier.starts_with('.'))
      refuse(node, *node.find("modelIdentifier"), "a name for a binary");
    for (const Attribute& attribute : node.attributes)
      if (attribute.name != "modelIdentifier")
        cs.capabilities.emplace_back(attribute.name, attribute.text);
    cs.variable_step = flag(node, "canHandleVariableCommunicationStepSize");
    cs.input_derivatives = flag(node, "canInterpolateInputs");
    cs.saves_state = flag(node, made_.major == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
    cs.needs_tool = flag(node, "needsExecutionTool");
    cs.internal_step = number(node, "fixedInternalStepSize").value_or(0);
    made_.co_simulation = std::move(cs);
  }

  void declare_type(const XmlNode& node) {
    // FMI 2.0: <SimpleType name><Real unit …/></SimpleType>; FMI 3.0: <Float64Type name unit …/>
    const XmlNode* body = &node;
    if (node.tag == "SimpleType") {
      if (node.children.empty()) return;
      body = &node.children.front();
    }
    DeclaredType type;
    type.unit = optional(*body, "unit");
    type.min = number(*body, "min");
    type.max = number(*body, "max");
    for (const XmlNode& item : body->children)
      if (item.tag == "Item") {
        required(item, "value");
        const double value = *number(item, "value");
        if (!(std::abs(value) < 1e15) || value != std::floor(value))
          refuse(item, *item.find("value"), "a whole number that fits");
        type.items.push_back(
            {required(item, "name"), optional(item, "description"), std::llround(value)});
      }
    types_[required(node, "name")] = std::move(type);
  }

  void add_variable(const XmlNode& node) {
    // FMI 2.0: <ScalarVariable name …><Real start …/></ScalarVariable>; FMI 3.0: <Float64 name …
    // start …/>
    const XmlNode* body = &node;
    FmuVariable v;
    if (made_.major == 2) {
      constexpr std::array<const char*, 5> old = {"Real", "Integer", "Boolean", "String",
                                                  "Enumeration"};
      constexpr std::array<Type, 5> now = {Type::float64, Type::int32, Type::boolean, Type::string,
                                           Type::enumeration};
      if (node.tag != "ScalarVariable") return;
      const auto is_type = [&](const XmlNode& c) { return std::ranges::count(old, c.tag) > 0; };
      const auto found = std::ranges::find_if(node.children, is_type);
      if (found == node.children.end())
        fail(node.place.line, label(node) + " has no type: Real, Integer, Boolean, …");
      body = &*found;
      v.type = now[static_cast<std::size_t>(std::ranges::find(old, body->tag) - old.begin())];
    } else {
      const auto found = std::ranges::find(types, node.tag);
      if (found == types.end()) return;  // of a later version
      v.type = static_cast<Type>(found - types.begin());
    }
    v.name = required(node, "name");
    if (!names_.insert(v.name).second)
      fail(node.place.line, "two variables are named '" + v.name + "'");
    v.about = optional(node, "description");
    v.reference = reference(node);
    v.start = optional(*body, "start");
    if (const auto i = which(node, "causality", causalities))
      v.causality = static_cast<FmuVariable::Causality>(*i);
    attributes_by_default(node, v);
    typed(*body, v);
    for (const XmlNode& child : node.children)
      if (child.tag == "Start") v.start += (v.start.empty() ? "" : " ") + optional(child, "value");

    const std::size_t index = made_.variables.size();
    index_.try_emplace(v.reference, index);
    const auto is_dimension = [](const XmlNode& c) { return c.tag == "Dimension"; };
    const bool is_array = std::ranges::any_of(node.children, is_dimension);
    if (is_array) arrays_.emplace_back(index, &node);
    made_.variables.push_back(v);
    for (const XmlNode& child : node.children) {
      if (child.tag != "Alias" || made_.major == 2) continue;
      v.name = required(child, "name");
      if (!names_.insert(v.name).second)
        fail(child.place.line, "two variables are named '" + v.name + "'");
      v.about = optional(child, "description");
      v.alias = true;
      if (is_array) arrays_.emplace_back(made_.variables.size(), &node);
      made_.variables.push_back(v);
    }
  }

  /// Default variability and initial, from the tables of the standard.
  void attributes_by_default(const XmlNode& node, FmuVariable& v) const {
    using C = FmuVariable::Causality;
    using V = FmuVariable::Variability;
    const bool is_parameter = v.causality == C::parameter ||
                              v.causality == C::calculated_parameter ||
                              v.causality == C::structural_parameter;
    if (const auto i = which(node, "variability", variabilities))
      v.variability = static_cast<V>(*i);
    else
      v.variability = is_parameter ? V::fixed : v.is_real() ? V::continuous : V::discrete;
    if (const auto i = which(node, "initial", initials))
      v.initial = static_cast<Initial>(*i);
    else if (v.causality == C::input || v.causality == C::independent)
      v.initial = Initial::none;
    else if (v.causality == C::parameter || v.causality == C::structural_parameter ||
             v.variability == V::constant)
      v.initial = Initial::exact;
    else
      v.initial = Initial::calculated;
  }

  void typed(const XmlNode& body, FmuVariable& v) const {
    if (const auto found = types_.find(optional(body, "declaredType")); found != types_.end()) {
      v.unit = found->second.unit;
      v.min = found->second.min;
      v.max = found->second.max;
      v.items = found->second.items;
    }
    if (const Attribute* unit = body.find("unit")) v.unit = unit->text;
    if (!v.is_number()) return;
    if (const auto min = number(body, "min")) v.min = min;
    if (const auto max = number(body, "max")) v.max = max;
  }

  /// Dimensions are numbers or structural parameters, which may follow the array.
  void measure(FmuVariable& v, const XmlNode& node) const {
    std::size_t total = 1;
    for (const XmlNode& child : node.children) {
      if (child.tag != "Dimension") continue;
      std::uint64_t size = 0;
      if (const Attribute* fixed = child.find("start")) {
        size = whole(child, *fixed, trimmed(fixed->text), largest_size);
      } else {
        const auto found = index_.find(reference(child));
        if (found == index_.end())
          fail(child.place.line, label(node) + ": no variable has the reference of its dimension");
        const Attribute start{"start", made_.variables[found->second].start, child.place};
        size = whole(child, start, trimmed(start.text), largest_size);
      }
      v.dimensions.push_back(size);
      total = size == 0 || total <= largest_size / size ? total * size : largest_size + 1;
    }
    if (total > largest_size) fail(node.place.line, label(node) + " has too many elements");
  }

  void structure(const XmlNode& part) {
    for (const XmlNode& child : part.children) {
      if (made_.major == 3 && child.tag == "Output") add_output(child, by_reference(child));
      if (made_.major != 2 || child.tag != "Outputs") continue;
      for (const XmlNode& unknown : child.children)
        if (unknown.tag == "Unknown") {
          required(unknown, "index");
          const Attribute& index = *unknown.find("index");
          add_output(unknown, by_index(unknown, index, trimmed(index.text)));
        }
    }
  }

  std::size_t by_index(const XmlNode& node, const Attribute& attribute,
                       std::string_view word) const {
    const std::uint64_t index = whole(node, attribute, word, made_.variables.size());
    if (index == 0) refuse(node, attribute, "the index of a variable, which are counted from 1");
    return index - 1;
  }

  std::size_t by_reference(const XmlNode& node) const {
    const auto found = index_.find(reference(node));
    if (found == index_.end())
      refuse(node, *node.find("valueReference"), "the reference of a variable");
    return found->second;
  }

  void add_output(const XmlNode& node, std::size_t variable) {
    FmuOutput output{variable};
    if (const Attribute* dependencies = node.find("dependencies")) {
      output.dependencies.emplace();
      std::string_view rest = trimmed(dependencies->text);
      while (!rest.empty()) {
        const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n"));
        rest = trimmed(rest.substr(word.size()));
        if (made_.major == 2) {
          output.dependencies->push_back(by_index(node, *dependencies, word));
          continue;
        }
        const auto found = index_.find(static_cast<std::uint32_t>(
            whole(node, *dependencies, word, std::numeric_limits<std::uint32_t>::max())));
        if (found == index_.end()) refuse(node, *dependencies, "a list of references of variables");
        output.dependencies->push_back(found->second);
      }
    }
    made_.outputs.push_back(std::move(output));
  }

  const std::string& file_;
  FmuDescription made_;
  std::map<std::string, DeclaredType, std::less<>> types_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::uint32_t, std::size_t> index_;  // of the first variable of a reference
  std::vector<std::pair<std::size_t, const XmlNode*>> arrays_;
};

}  // namespace

const char* text(FmuVariable::Type type) { return types[static_cast<std::size_t>(type)]; }

const char* text(FmuVariable::Causality causality) {
  return causalities[static_cast<std::size_t>(causality)];
}

const char* text(FmuVariable::Variability variability) {
  return variabilities[static_cast<std::size_t>(variability)];
}

std::size_t FmuVariable::size() const {
  std::size_t product = 1;
  for (const std::size_t n : dimensions) product *= n;
  return product;
}

const FmuVariable* FmuDescription::find(std::string_view name) const {
  if (by_name.size() != variables.size()) {
    const auto found = std::ranges::find(variables, name, &FmuVariable::name);
    return found != variables.end() ? &*found : nullptr;
  }
  const auto name_of = [this](std::size_t i) -> std::string_view { return variables[i].name; };
  const auto found = std::ranges::lower_bound(by_name, name, {}, name_of);
  return found != by_name.end() && name_of(*found) == name ? &variables[*found] : nullptr;
}

FmuDescription read_description(std::string_view content, const std::string& file) {
  return Reader(file).read(content);
}

FmuDescription read_description(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input || std::filesystem::is_directory(file))
    throw std::runtime_error("cannot read '" + file.string() + "'");
  const std::string content{std::istreambuf_iterator<char>(input), {}};
  return read_description(content, file.string());
}

}  // namespace mechfmu
