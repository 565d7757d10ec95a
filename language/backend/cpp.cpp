#include "language/backend/cpp.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "language/backend/cpp_formula.h"
#include "language/backend/cpp_names.h"
#include "language/backend/cpp_text.h"
#include "language/backend/listing.h"
#include "mechanics/fields.h"
#include "mechanics/words.h"
#include "model_desc/origin.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using namespace mechanics;

/// The number of shapes of formulas that are compiled, the first ones. A compiler takes some 40 ms
/// for one with derivatives; in a mechanism with hundreds of different ones, the others remain
/// programs.
constexpr std::size_t most_compiled = 60;

/// The use of a formula; with several uses, the last of them.
enum class Asked { values, output, law, relation };

/// Constants that have a name: handles and formulas.
class Names {
 public:
  explicit Names(CppNames& taken) : taken_(taken) {}

  /// The name of the object with this number, which from now on counts as used.
  const std::string& operator()(Index index) {
    used_.insert(index);
    return name_.at(index);
  }
  void add(Index index, const std::string& wanted) { name_.emplace(index, taken_.take(wanted)); }

  /// constexpr Body crank{1}, rod{2};
  std::string declared(const char* type) const {
    std::string text;
    for (const Index index : used_)
      text += (text.empty() ? "" : ", ") + name_.at(index) + "{" + std::to_string(index) + "}";
    return text.empty() ? "" : filled("constexpr " + std::string(type) + " " + text + ";", 0);
  }

 private:
  CppNames& taken_;
  std::map<Index, std::string> name_;
  std::set<Index> used_;
};

class Writer {
 public:
  Writer(const Plan& plan, const Listing& listing) : plan_(plan), l_(listing) {
    for (const FunctionPlan& f : plan.functions) taken_.reserve(f.name);
    const auto name_all = [](Names& names, const auto& rows, Index first = 0) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        names.add(static_cast<Index>(i) + first, rows[i].name);
    };
    name_all(settings_, l_.settings);
    name_all(bodies_, l_.bodies, 1);
    name_all(joints_, l_.joints);
    name_all(rollings_, l_.rollings);
    name_all(states_, l_.states);
    for (std::size_t i = 0; i < l_.poses.size(); ++i)
      poses_.add(static_cast<Index>(i), "pose" + std::to_string(i + 1));
    for (std::size_t i = 0; i < l_.measures.size(); ++i)
      measures_.add(static_cast<Index>(i), measure_name(l_.measures[i]));
    for (std::size_t i = 0; i < l_.actions.size(); ++i)
      actions_.add(static_cast<Index>(i),
                   std::visit([](const auto& row) { return row.name; }, l_.actions[i]));
    compare_calculations();
  }

  std::string run() {
    sections();  // to find the names in use and the uses of formulas
    formula_names_.clear();
    calculation_names_.clear();
    const std::string body = sections();
    const std::string file = std::filesystem::path(plan_.file).filename().string();
    std::string text = cpp_comment(plan_.name + ", made by " + tool_name() + " from " + file +
                                   ": change that file, not this one.");
    if (!plan_.about.empty()) text += "//\n" + cpp_comment(plan_.about);
    text += "\n";
    if (!plan_.functions.empty()) text += "#include \"mechanics/function.h\"\n";
    text += "#include \"mechanics/tables.h\"\n\n";
    for (const FunctionPlan& f : plan_.functions)
      text += "extern mechfmu::Function<" + std::to_string(f.arguments) + "> " + f.name + ";\n";
    if (!plan_.functions.empty()) text += "\n";
    return text + "namespace mechfmu::tables {\n\nnamespace {\n\n" + body + "}  // namespace\n\n" +
           definition() + "\n}  // namespace mechfmu::tables\n";
  }

 private:
  // Constants and settings of a program that are the same in all of its uses

  struct Shape {
    const Calculation* first = nullptr;
    std::vector<bool> same_constants, same_settings;
    Asked asked = Asked::values;
    bool compiled = true;
    bool numbers() const {  // some are not constants
      return !compiled || std::count(same_constants.begin(), same_constants.end(), false) > 0 ||
             std::count(same_settings.begin(), same_settings.end(), false) > 0 ||
             !first->tables.empty();
    }
  };
  void compare_calculations() {
    for (const Calculation& c : l_.calculations) {
      Shape& shape = shapes_[c.program.get()];
      if (shape.first == nullptr) {
        const bool compiled = shapes_.size() <= most_compiled || !c.program->calls.empty();
        shape = {&c, std::vector<bool>(c.constants.size(), compiled),
                 std::vector<bool>(c.settings.size(), compiled)};
        shape.compiled = compiled;
        continue;
      }
      for (std::size_t i = 0; i < c.constants.size(); ++i)
        if (c.constants[i] != shape.first->constants[i]) shape.same_constants[i] = false;
      for (std::size_t i = 0; i < c.settings.size(); ++i)
        if (c.settings[i] != shape.first->settings[i]) shape.same_settings[i] = false;
    }
  }

  /// The places of those that differ, from 0.
  static std::int32_t place(const std::vector<bool>& same, std::int32_t i) {
    return static_cast<std::int32_t>(std::count(same.begin(), same.begin() + i, false));
  }

  // Formulas and calculations: declared before their first use

  std::string formula_name(const Calculation& c, const std::string& wanted) {
    const auto [at, is_new] = formula_names_.emplace(c.program.get(), "");
    if (!is_new) return at->second;
    const Shape& shape = shapes_.at(c.program.get());
    at->second = name_once(formula_ids_, c.program.get(), wanted);
    if (!shape.compiled) {
      formulas_ += operations(*c.program, at->second);
      return at->second;
    }
    const FormulaNames names = {
        [&](std::int32_t i) {
          return shape.same_constants[static_cast<std::size_t>(i)]
                     ? cpp_number(shape.first->constants[static_cast<std::size_t>(i)])
                     : "s.constant(" + std::to_string(place(shape.same_constants, i)) + ")";
        },
        [&](std::int32_t i) {
          return shape.same_settings[static_cast<std::size_t>(i)]
                     ? "s(" + settings_(shape.first->settings[static_cast<std::size_t>(i)]) + ")"
                     : "s.setting(" + std::to_string(place(shape.same_settings, i)) + ")";
        }};
    const std::string text = "constexpr Formula " + at->second + " = " +
                             maker(*c.program, shape.asked) + "(" + cpp_lambda(*c.program, names) +
                             ");";
    const std::size_t end = text.find('\n');  // the lines after it already have their layout
    formulas_ += end == std::string::npos
                     ? filled(text, 0)
                     : filled(text.substr(0, end), 0) + text.substr(end + 1) + "\n";
    return at->second;
  }

  std::string operations(const Program& p, const std::string& formula) {
    const std::string name = name_once(operation_ids_, &p, formula + "_operations");
    const auto number = [](std::int32_t n) { return std::to_string(n); };
    std::string list;
    for (const Operation& o : p.operations)
      list += (list.empty() ? "{" : ", {") + text("", o.code) + ", " + number(o.to) + ", " +
              number(o.a) + ", " + number(o.b) + ", " + number(o.c) + "}";
    std::string results;
    for (const std::int32_t slot : p.results)
      results += (results.empty() ? "" : ", ") + number(slot);
    const std::string counts = designated({{"constants", number(p.constants)},
                                           {"settings", number(p.settings)},
                                           {"fixed", number(p.fixed)},
                                           {"arguments", number(p.arguments)},
                                           {"moving", number(p.moving)},
                                           {"tables", number(p.tables)}},
                                          "0");
    return filled("constexpr Operations " + name + "{" + (counts.empty() ? "" : counts + ", ") +
                      ".operations = {" + list + "}, .results = {" + results + "}};",
                  0) +
           filled("constexpr Formula " + formula + " = interpreted(" + name + ");", 0);
  }

  /// The call that makes a formula of a lambda: formula, output<2>, law<1>, relation<3>.
  static std::string maker(const Program& p, Asked asked) {
    const std::string count = "<" + std::to_string(p.arguments) + ">";
    switch (asked) {
      case Asked::values: break;
      case Asked::output: return "output" + count;
      case Asked::law: return "law" + count;
      case Asked::relation:
        return p.calls.empty() ? "relation" + count
                               : "relation<" + std::to_string(p.arguments) + ", false>";
    }
    return "formula";
  }

  template <class Key>
  std::string name_once(std::map<Key, std::string>& names, const Key& key,
                        const std::string& wanted) {
    const auto [at, is_new] = names.emplace(key, "");
    if (is_new) at->second = taken_.take(wanted);
    return at->second;
  }

  static bool is_setting_alone(const Calculation& c) {
    return c.program->operations.empty() && c.program->results.size() == 1 &&
           c.program->settings == 1 && c.program->results[0] == c.program->constants;
  }

  /// The reference to a calculation: a setting, a formula, or a formula with its numbers.
  std::string calculation(std::int32_t index, const std::string& wanted,
                          Asked asked = Asked::values) {
    const Calculation& c = l_.calculations[static_cast<std::size_t>(index)];
    if (is_setting_alone(c)) return settings_(c.settings[0]);
    Shape& shape = shapes_.at(c.program.get());
    shape.asked = std::max(shape.asked, asked);
    if (!shape.numbers()) return formula_name(c, wanted);
    const auto [at, is_new] = calculation_names_.emplace(index, "");
    if (!is_new) return at->second;
    std::string name = at->second = name_once(calculation_ids_, index, wanted);
    const std::string formula = formula_name(c, wanted + "_of");
    std::vector<std::string> parts;
    const auto list = [&](std::size_t count, const auto& entry) {
      std::string text;
      for (std::size_t i = 0; i < count; ++i)
        if (const std::string one = entry(i); !one.empty())
          text += (text.empty() ? "" : ", ") + one;
      parts.push_back("{" + text + "}");
    };
    list(c.constants.size(),
         [&](std::size_t i) { return shape.same_constants[i] ? "" : tidy(c.constants[i]); });
    list(c.settings.size(), [&](std::size_t i) {
      return shape.same_settings[i] ? std::string() : settings_(c.settings[i]);
    });
    list(c.tables.size(), [&](std::size_t i) { return "&" + points(c.tables[i]); });
    while (!parts.empty() && parts.back() == "{}") parts.pop_back();
    formulas_ += filled(
        "constexpr Calculation " + name + "{" + formula + ", " + joined(parts, ", ") + "};", 0);
    return name;
  }

  std::string points(const std::shared_ptr<const functions::Table>& table) {
    const auto [at, is_new] = points_.emplace(table.get(), "");
    if (!is_new) return at->second;
    at->second = taken_.take("points" + std::to_string(points_.size()));
    const auto list = [](const std::vector<double>& numbers) {
      std::string text;
      for (const double x : numbers) text += (text.empty() ? "" : ", ") + tidy(x);
      return "{" + text + "}";
    };
    std::string text =
        "constexpr Points " + at->second + "{" + list(table->x()) + ", " + list(table->y());
    using functions::Beyond;
    using functions::Interpolation;
    if (table->interpolation() == Interpolation::linear)
      text += ", .interpolation = Interpolation::linear";
    if (table->beyond() == Beyond::extend) text += ", .beyond = Beyond::extend";
    // all members are designated, beginning with the first
    text.replace(text.find('{') + 1, 0, ".x = ");
    text.replace(text.find("}, {") + 3, 0, ".y = ");
    point_texts_ += filled(text + "};", 0);
    return at->second;
  }

  // Values

  std::string label_;  // of the row: names of its formulas begin with it
  Asked asked_ = Asked::law;

  std::string text(const char* /*field*/, const std::string& value) { return cpp_string(value); }
  std::string text(const char* /*field*/, bool value) { return value ? "true" : "false"; }
  std::string text(const char* /*field*/, double value) { return tidy(value); }
  template <class T>
  requires std::is_enum_v<T> std::string text(const char* /*field*/, T value) {
    return std::string(Words<T>::type) + "::" + std::string(word(value));
  }
  std::string text(const char* /*field*/, Body b) {
    return b.index == 0 ? "ground" : bodies_(b.index);
  }
  std::string text(const char* /*field*/, Modal m) {
    return m.index < 0 ? "{}" : "{" + std::to_string(m.index) + "}";
  }
  std::string text(const char* /*field*/, Index number) { return std::to_string(number); }
  std::string text(const char* /*field*/, Joint j) { return j.index < 0 ? "{}" : joints_(j.index); }
  std::string text(const char* /*field*/, Measure m) {
    return m.index < 0 ? "{}" : measures_(m.index);
  }
  std::string text(const char* field, const Listed::Number& n) {
    return n.calculation < 0 ? tidy(n.value) : calculation(n.calculation, label_ + "_" + field);
  }
  template <class T>
  std::string text(const char* field, const std::optional<T>& value) {
    if (!value) return "{}";
    std::string made = text(field, *value);
    // braces do not initialize an optional
    return made.starts_with('{') ? "Triple" + made : made;
  }
  std::string text(const char* field, const Listed::Triple& t) {
    const std::string name = label_ + "_" + field;
    std::string made;
    if (t.calculation >= 0) {
      made = calculation(t.calculation, name);
    } else {
      const std::string end = field;
      made = "{" + text((end + "_x").c_str(), t.x) + ", " + text((end + "_y").c_str(), t.y) + ", " +
             text((end + "_z").c_str(), t.z) + "}";
    }
    switch (t.placed) {
      case Placed::point: return "point(" + poses_(t.placement) + ", " + made + ")";
      case Placed::direction: return "direction(" + poses_(t.placement) + ", " + made + ")";
      case Placed::rotation: return "turned(" + poses_(t.placement) + ", " + made + ")";
      case Placed::no: break;
    }
    return made;
  }
  std::string text(const char* /*field*/, const Listed::Inertia& i) {
    return "{" +
           designated({{"xx", text("xx", i.xx)},
                       {"yy", text("yy", i.yy)},
                       {"zz", text("zz", i.zz)},
                       {"xy", text("xy", i.xy)},
                       {"xz", text("xz", i.xz)},
                       {"yz", text("yz", i.yz)}},
                      "0") +
           "}";
  }
  std::string text(const char* /*field*/, const Listed::Solid& shapes) {
    std::string made;
    for (const Listed::Shape& s : shapes) made += (made.empty() ? "" : ", ") + text(s);
    return "{" + made + "}";
  }
  std::string text(const char* field, const Listed::NumberList& list) {
    std::string made;
    for (std::size_t i = 0; i < list.size(); ++i)
      made += (i > 0 ? ", " : "") +
              text((std::string(field) + "_" + std::to_string(i + 1)).c_str(), list[i]);
    return "{" + made + "}";
  }
  std::string text(const Listed::Shape& s) {
    const Listed::Shape usual;
    std::string size;
    for (std::size_t i = 0; i < s.size.size(); ++i)
      size += (i > 0 ? ", " : "") + text(("size_" + std::to_string(i + 1)).c_str(), s.size[i]);
    std::string made = "{.type = " + text("", s.type) + ", .size = {" + size + "}";
    const auto add = [&](const char* name, const Listed::Triple& t, const Listed::Triple& other) {
      if (const std::string said = text(name, t); said != text(name, other))
        made += std::string(", .") + name + " = " + said;
    };
    add("axis", s.axis, usual.axis), add("at", s.at, usual.at);
    add("rotation", s.rotation, usual.rotation);
    if (s.by_density) made += ", .by_density = true";
    return made + ", .amount = " + text("amount", s.amount) + "}";
  }
  std::string text(const Argument& a) {
    switch (a.kind) {
      case Argument::Kind::value: return "value(" + measures_(a.index) + ")";
      case Argument::Kind::rate: return "rate(" + measures_(a.index) + ")";
      case Argument::Kind::state: return "value(" + states_(a.index) + ")";
      case Argument::Kind::multiplier: break;
    }
    return "multiplier(" + joints_(a.joint) + ", " + std::to_string(a.index) + ")";
  }
  std::string text(const char* field, const Listed::Law& law) {
    if (law.calculation < 0) return tidy(law.constant);
    std::string of = calculation(law.calculation, label_ + "_" + field, asked_);
    if (law.arguments.empty()) return of;
    std::string arguments;
    for (const Argument& a : law.arguments) arguments += (arguments.empty() ? "" : ", ") + text(a);
    return "{" + of + ", {" + arguments + "}}";
  }
  std::string text(const char* field, const std::array<Listed::Law, 3>& laws) {
    std::string made;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string name = std::string(field) + "_" + "xyz"[k];
      made += (k > 0 ? ", Law(" : "Law(") + unbraced(text(name.c_str(), laws[k])) + ")";
    }
    return "{" + made + "}";
  }
  static std::string unbraced(const std::string& text) {
    return text.starts_with('{') ? text.substr(1, text.size() - 2) : text;
  }
  std::string text(const char* field, const Listed::Energy& energy) {
    if (energy.calculation < 0) return "{}";
    return calculation(energy.calculation, label_ + "_" + field, Asked::output);
  }
  std::string text(const char* field, const Listed::Spot& s) {
    std::string made = "{" + text("", s.body);
    const std::string at = text(field, s.at);
    if (at != "{0, 0, 0}" || s.local) made += ", " + at;
    return made + (s.local ? ", true}" : "}");
  }
  std::string text(const char* /*field*/, const std::array<bool, 6>& held) {
    std::string made;
    for (const bool one : held)
      made += (made.empty() ? "" : ", ") + std::string(one ? "true" : "false");
    return "{" + made + "}";
  }

  static std::string designated(const std::vector<std::pair<std::string, std::string>>& parts,
                                const std::string& left_out) {
    std::string made;
    for (const auto& [name, value] : parts)
      if (value != left_out)
        made.append(made.empty() ? "." : ", .").append(name).append(" = ").append(value);
    return made;
  }

  // Rows: fields that differ from their default

  template <class Row>
  std::string row(Row of) {
    label_ = of.name;
    Row usual;
    std::string made;
    fields(
        [&](const char* name, auto& field, auto& other) {
          const std::string said = text(name, field);
          if (said == text(name, other)) return;
          made += (made.empty() ? "." : ", .") + std::string(name) + " = " + said;
        },
        of, usual);
    return "{" + made + "}";
  }
  std::string row(const Listing::Coupling& c) {
    label_ = c.name;
    std::string terms;
    for (const auto& [measure, factor] : c.terms)
      terms += (terms.empty() ? "{" : ", {") + measures_(measure.index) + ", " +
               text("factor", factor) + "}";
    std::string made = "{.name = " + cpp_string(c.name) + ", .terms = {" + terms + "}";
    if (const std::string constant = text("constant", c.constant); constant != "0")
      made += ", .constant = " + constant;
    return made + "}";
  }
  std::string row(const Listing::Setting& s) {
    std::string made = "{.name = " + cpp_string(s.name) + ", .value = " + tidy(s.value);
    if (s.unit != "1") made += ", .unit = " + cpp_string(s.unit);
    if (!s.about.empty()) made += ", .about = " + cpp_string(s.about);
    if (s.input) made += ", .input = true";
    if (s.fixed) made += ", .fixed = true";
    return made + bounds(s.min, s.max) + "}";
  }
  static std::string bounds(const std::optional<double>& min, const std::optional<double>& max) {
    return (min ? ", .min = " + tidy(*min) : "") + (max ? ", .max = " + tidy(*max) : "");
  }
  std::string row(const Listing::Pose& p) {
    label_ = "pose";
    std::string made = designated(
        {{"at", text("at", p.at)}, {"rotation", text("rotation", p.rotation)}}, "{0, 0, 0}");
    if (p.inside >= 0) made += (made.empty() ? ".inside = " : ", .inside = ") + poses_(p.inside);
    return "{" + made + "}";
  }
  std::string row(const Listing::Output& o) {
    label_ = o.name;
    std::string made = "{.name = " + cpp_string(o.name);
    if (o.unit != "1") made += ", .unit = " + cpp_string(o.unit);
    if (!o.about.empty()) made += ", .about = " + cpp_string(o.about);
    std::string reads;
    for (const Listing::Read& r : o.reads) reads += (reads.empty() ? "" : ", ") + text(r);
    if (!reads.empty()) made += ", .reads = {" + reads + "}";
    return made + ", .value = " + calculation(o.calculation, o.name + "_value", Asked::output) +
           bounds(o.min, o.max) + "}";
  }
  std::string text(const Listing::Read& r) {
    std::string made = "{.quantity = " + text("", r.quantity);
    if (const std::string of = read_of(r); !of.empty()) made += ", .of = at(" + of + ")";
    if ((r.quantity == Quantity::mode || r.quantity == Quantity::mode_rate ||
         r.quantity == Quantity::stress) &&
        r.of != 0)
      made += ", .of = " + std::to_string(r.of);
    const Listed::Spot nowhere;
    if (const std::string spot = text("point", r.spot); spot != text("point", nowhere))
      made += ", .spot = " + spot;
    if (const std::string from = text("from", r.from); from != text("from", nowhere))
      made += ", .from = " + from;
    if (r.relative) made += ", .relative = true";
    if (r.second_half) made += ", .second_half = true";
    if (r.component != 0) made += ", .component = " + std::to_string(r.component);
    if (r.vector != 0) made += ", .vector = " + std::to_string(r.vector);
    return made + "}";
  }
  std::string read_of(const Listing::Read& r) {
    switch (r.quantity) {
      case Quantity::value:
      case Quantity::rate:
      case Quantity::second_rate: return measures_(r.of);
      case Quantity::joint_force:
      case Quantity::joint_torque: return joints_(r.of);
      case Quantity::rolling_force: return rollings_(r.of);
      case Quantity::state:
      case Quantity::state_rate: return states_(r.of);
      case Quantity::pair_force:
      case Quantity::pair_torque:
      case Quantity::multiplier:
      case Quantity::driving_force:
      case Quantity::three_forces:
      case Quantity::three_tensions:
      case Quantity::force:
      case Quantity::tension: return actions_(r.of);
      default: return {};
    }
  }

  std::string measure_name(const Listing::MeasureEntry& entry) const {
    if (const auto* c = std::get_if<Listing::Coordinate>(&entry))
      return l_.joints[static_cast<std::size_t>(c->joint.index)].name +
             (c->angle ? "_angle" : "_displacement");
    const auto& row = std::get<MeasureRow<Listed>>(entry);
    return row.name.empty() ? "measure" : row.name;
  }

  // Sections: formulas first, then handles, then the table

  std::string section(const char* title, const std::string& handles, const std::string& tables) {
    if (handles.empty() && tables.empty() && formulas_.empty()) return "";
    std::string text = std::string("// ") + title + "\n\n" + std::exchange(formulas_, "");
    text += handles + tables;
    return text + "\n";
  }

  static std::string table(const char* type, const std::string& name,
                           const std::vector<std::string>& rows) {
    if (rows.empty()) return "";
    std::string text = std::string("constexpr ") + type + " " + name + "[] = {\n";
    for (const std::string& row : rows) text += filled(row + ",", 4, 1);
    return text + "};\n";
  }
  template <class List>
  std::vector<std::string> rows(const List& list) {
    std::vector<std::string> made;
    made.reserve(list.size());
    for (const auto& entry : list) made.push_back(row(entry));
    return made;
  }

  std::string sections() {
    formulas_.clear();
    const std::string settings = table("SettingRow", "settings", rows(l_.settings));
    // Rows first: they determine the necessary handles and formulas.
    std::vector<std::pair<const char*, std::string>> made;
    const auto add = [&](const char* title, const std::string& handles, const std::string& tables) {
      made.emplace_back(title, section(title, handles, tables));
    };
    label_ = plan_.name;
    general_ = designated({{"gravity", text("gravity", l_.gravity)}}, "{0, 0, 0}");
    const std::string scale =
        designated({{"length_scale", text("length_scale", l_.length_scale)}}, "0");
    if (!scale.empty()) general_ += (general_.empty() ? "" : ", ") + scale;
    std::string t = table("PoseRow", "poses", rows(l_.poses));
    add("Poses of groups", poses_.declared("Pose"), t);
    add("Flexible bodies", "", modals());
    t = table("BodyRow", "bodies", rows(l_.bodies));
    add("Bodies", bodies_.declared("Body"), t);
    t = table("JointRow", "joints", rows(l_.joints)) +
        table("RollingRow", "rollings", rows(l_.rollings));
    add("Joints", joints_.declared("Joint") + rollings_.declared("Rolling"), t);
    t = measures();
    add("Measures", measures_.declared("Measure"), t);
    t = table("StateRow", "states", rows(l_.states));
    add("First-order states", states_.declared("StateVariable"), t);
    t = actions();
    add("What acts", actions_.declared("Acting"), t);
    t = table("OutputRow", "outputs", rows(l_.outputs));
    add("Outputs", "", t);
    std::string text = section("Parameters and inputs", settings_.declared("Setting"), settings);
    if (!point_texts_.empty()) text += "// Tables\n\n" + point_texts_ + "\n";
    for (const auto& [title, section] : made) text += section;
    text += run_settings();
    return text;
  }

  std::string modals() {
    std::string text;
    std::vector<std::string> rows;
    const auto quoted = [](const std::vector<std::string>& names) {
      std::vector<std::string> all;
      all.reserve(names.size());
      for (const std::string& name : names) all.push_back(cpp_string(name));
      return "{" + joined(all, ", ") + "}";
    };
    for (const ModalBody& body : l_.modals) {
      const std::string name = "numbers_of_modes_" + std::to_string(rows.size() + 1);
      std::vector<std::string> numbers;
      numbers.reserve(body.numbers.size());
      for (const double x : body.numbers) numbers.push_back(tidy(x));
      text += listed("double", name.c_str(), numbers);
      rows.push_back("{.nodes = " + quoted(body.nodes) + ", .stresses = " + quoted(body.stresses) +
                     ", .modes = " + std::to_string(body.modes) +
                     ", .second = " + std::to_string(body.second) + ", .numbers = " + name + "}");
    }
    return text + table("ModalRow", "modals", rows);
  }

  std::string measures() {
    std::vector<std::string> measured, entries;
    for (const Listing::MeasureEntry& entry : l_.measures) {
      if (const auto* c = std::get_if<Listing::Coordinate>(&entry)) {
        entries.push_back((c->angle ? "angle(" : "displacement(") + joints_(c->joint.index) + ")");
      } else {
        entries.push_back("measured[" + std::to_string(measured.size()) + "]");
        measured.push_back(row(std::get<MeasureRow<Listed>>(entry)));
      }
    }
    return table("MeasureRow", "measured", measured) + listed("MeasureEntry", "measures", entries);
  }

  /// Short entries, several per line.
  static std::string listed(const char* type, const char* name,
                            const std::vector<std::string>& entries) {
    if (entries.empty()) return "";
    return filled(
        "constexpr " + std::string(type) + " " + name + "[] = {" + joined(entries, ", ") + "};", 0);
  }

  std::string actions() {
    struct Kind {
      const char *type, *table;
      std::vector<std::string> rows;
    };
    Kind kinds[] = {{"ConstraintRow", "constraints", {}},
                    {"CouplingRow", "couplings", {}},
                    {"SpringRow", "springs", {}},
                    {"BushingRow", "bushings", {}},
                    {"StopRow", "stops", {}},
                    {"FrictionRow", "frictions", {}},
                    {"ContactRow", "contacts", {}},
                    {"ForceRow", "forces", {}},
                    {"VectorForceRow", "vector_forces", {}},
                    {"BeamRow", "beams", {}}};
    std::vector<std::string> entries;
    for (const Listing::Action& action : l_.actions) {
      Kind& kind = kinds[action.index()];
      entries.push_back(kind.table + ("[" + std::to_string(kind.rows.size()) + "]"));
      asked_ = action.index() == 0 ? Asked::relation : Asked::law;
      kind.rows.push_back(std::visit([this](const auto& of) { return row(of); }, action));
    }
    asked_ = Asked::law;
    std::string text;
    for (const Kind& kind : kinds) text += table(kind.type, kind.table, kind.rows);
    return text + listed("Action", "actions", entries);
  }

  /// Settings of the solver and functions in C++.
  std::string run_settings() const {
    std::vector<std::string> solver, functions;
    const SolverSettings usual;
    for (const SolverSettingRow& setting : solver_setting_rows())
      if (setting.get(l_.solver) != setting.get(usual))
        solver.push_back("{" + cpp_string(setting.name) + ", " + tidy(setting.get(l_.solver)) +
                         "}");
    for (const FunctionPlan& f : plan_.functions)
      functions.push_back("{" + cpp_string(f.name) + ", " + std::to_string(f.arguments) +
                          ", [] { return ::" + f.name + ".arguments(); }}");
    std::string text = table("SolverSetting", "solver", solver);
    text += table("FunctionUse", "functions_used", functions);
    return text.empty() ? "" : text + "\n";
  }

  std::string definition() const {
    const Experiment& x = l_.experiment;
    std::vector<std::string> parts = {".name = " + cpp_string(l_.name)};
    if (!l_.about.empty()) parts.push_back(".about = " + cpp_string(l_.about));
    parts.push_back(".stop = " + tidy(x.stop) + ", .step = " + tidy(x.step) +
                    ", .tolerance = " + tidy(x.tolerance));
    if (x.start == StartPosition::equilibrium)
      parts.emplace_back(".start = StartPosition::equilibrium");
    if (l_.track_energy) parts.emplace_back(".track_energy = true");
    if (!general_.empty()) parts.push_back(general_);
    const auto add = [&](const char* field, const char* table, bool there) {
      if (there) parts.push_back(std::string(".") + field + " = " + table);
    };
    const SolverSettings usual;
    add("solver", "solver",
        std::any_of(solver_setting_rows().begin(), solver_setting_rows().end(),
                    [&](const SolverSettingRow& s) { return s.get(l_.solver) != s.get(usual); }));
    add("functions", "functions_used", !plan_.functions.empty());
    add("settings", "settings", !l_.settings.empty());
    add("poses", "poses", !l_.poses.empty());
    add("modals", "modals", !l_.modals.empty());
    add("bodies", "bodies", !l_.bodies.empty());
    add("joints", "joints", !l_.joints.empty());
    add("rollings", "rollings", !l_.rollings.empty());
    add("measures", "measures", !l_.measures.empty());
    add("states", "states", !l_.states.empty());
    add("actions", "actions", !l_.actions.empty());
    add("outputs", "outputs", !l_.outputs.empty());
    return filled("constexpr Tables mechanism_tables = {" + joined(parts, ", ") + "};", 0);
  }

  const Plan& plan_;
  const Listing& l_;
  CppNames taken_;
  Names settings_{taken_}, poses_{taken_}, bodies_{taken_}, joints_{taken_}, rollings_{taken_},
      measures_{taken_}, states_{taken_}, actions_{taken_};
  std::map<const Program*, Shape> shapes_;
  std::map<const Program*, std::string> formula_names_, formula_ids_, operation_ids_;
  std::map<std::int32_t, std::string> calculation_names_, calculation_ids_;
  std::map<const functions::Table*, std::string> points_;
  std::string formulas_, point_texts_, general_;
};

}  // namespace

std::string mechanism_cpp(const Plan& plan) {
  const Listing listing = make_listing(plan);
  return Writer(plan, listing).run();
}

}  // namespace mechfmu
