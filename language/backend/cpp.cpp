#include "language/backend/cpp.h"

#include <algorithm>
#include <filesystem>

#include "language/backend/cpp_layout.h"
#include "language/backend/cpp_names.h"
#include "language/expression/build.h"
#include "language/expression/cpp.h"
#include "model_desc/origin.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using expression::Binding;
using expression::Code;
using expression::Expression;
using expression::Form;
using expression::Node;
using expression::ValueType;
using Lines = std::vector<std::string>;

constexpr std::size_t width = 100;

std::string cpp_string(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    if (c == '\n') {
      made += "\\n";
    } else if (static_cast<unsigned char>(c) < 32 || c == '?') {
      // ?: trigraphs, and what no source should hold
      static constexpr char digits[] = "01234567";
      const auto code = static_cast<unsigned char>(c);
      made += {'\\', digits[code >> 6], digits[(code >> 3) & 7], digits[code & 7]};
    } else {
      made += c;
    }
  }
  return made + "\"";
}

/// A comment of lines that fit.
std::string comment(const std::string& text) {
  std::string made;
  std::size_t column = 0;
  for (const std::string& word : words_of(text)) {
    if (made.empty() || column + 1 + word.size() > width) {
      made += made.empty() ? "//" : "\n//";
      column = 2;
    }
    made += " " + word;
    column += 1 + word.size();
  }
  return made + "\n";
}

/// How often an expression uses a name, a component of it or all of it.
std::size_t count_uses(const Expression& e, const std::string& text) {
  std::size_t count = e->form == Form::name && e->text == text ? 1 : 0;
  for (const Expression& child : e->children) count += count_uses(child, text);
  return count;
}

/// Where an expression stands decides how its names are written.
enum class Context { number, law, output };

/// The body of a lambda: local names, and what is returned.
struct Body {
  Lines locals{};
  std::string result{};
  bool uses_scope = false;  // s or q
};

class Writer {
 public:
  explicit Writer(const Plan& plan) : plan_(plan) {
    for (const Item& item : plan.items) {
      const std::string& call = item.call;
      outer_.reserve(item.id);
      if (call == "parameter" || call == "input" || call == "table") inner_.reserve(item.id);
      if (call == "spot") bodies_[item.id] = std::get<SpotPlan>(*item.find("spot")).body.id;
    }
    for (const auto& [name, id] : plan.variables) {
      outer_.reserve(id);
      inner_.reserve(id);
    }
    for (const FunctionPlan& f : plan.functions) {
      outer_.reserve(f.name);
      inner_.reserve(f.name);
    }
  }

  std::string run() {
    const std::string body = description();
    const std::string file = std::filesystem::path(plan_.file).filename().string();
    std::string text = comment(plan_.name + ", made by " + tool_name() + " from " + file +
                               ": change that file, not this one.");
    if (!plan_.about.empty()) text += "//\n" + comment(one_line(plan_.about));
    text += "\n" + includes(body) + "\n";
    text +=
        "using namespace mechfmu;\nusing namespace mechfmu::mechanics;\n"
        "using namespace mechfmu::functions;\n\n";
    for (const FunctionPlan& f : plan_.functions)
      text += "extern mechfmu::Function<" + std::to_string(f.arguments) + "> " + f.name + ";\n";
    if (!plan_.functions.empty()) text += "\n";
    text += "namespace {\n\nMechanism describe_mechanism() {\n" + body +
            "  return m;\n}\n\n}  // namespace\n\n"
            "std::unique_ptr<System> mechfmu::make_model() {\n";
    for (const FunctionPlan& f : plan_.functions)
      text += "  expect_arguments(::" + f.name + ", " + cpp_string(f.name) + ");\n";
    return text + "  return std::make_unique<MechanismSystem>(describe_mechanism());\n}\n";
  }

 private:
  std::string description() {
    Lines settings = {"Mechanism m(" + cpp_string(plan_.name) + ");"};
    if (!plan_.about.empty()) settings.push_back("m.about = " + cpp_string(plan_.about) + ";");
    const Experiment& x = plan_.experiment;
    settings.push_back("m.experiment = {.stop = " + tidy(x.stop) + ", .step = " + tidy(x.step) +
                       ", .tolerance = " + tidy(x.tolerance) + "};");
    for (const auto& [name, value] : plan_.solver)
      settings.push_back("m.solver." + name + " = " + solver_value(name, value) + ";");
    if (plan_.track_energy) settings.emplace_back("m.track_energy = true;");
    std::string text = laid_out(settings);
    text += items_of({"parameter", "input"}, "Parameters and inputs");
    text += general();
    text += items_of({"table"}, "Tables");
    text += items_of({"placement"}, "Poses of groups");
    text += items_of({"body"}, "Bodies");
    text += items_of({"joint", "rolling"}, "Joints");
    text += items_of({"spot"}, "Points");
    text += items_of({"angle", "displacement", "measure"}, "Measures");
    text += states();
    text += items_of({"driver", "coupling", "constraint"}, "Drivers and constraints");
    text += items_of({"spring", "bushing", "stop", "friction", "contact", "force", "vector_force"},
                     "Forces");
    return text + items_of({"output"}, "Outputs") + "\n";
  }

  static std::string laid_out(const Lines& statements) {
    std::string text;
    for (const std::string& statement : statements) text += mechfmu::laid_out(statement, 2, width);
    return text;
  }

  static std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return static_cast<unsigned char>(c) < 32 || c == '\\'; }, ' ');
    return text;
  }

  std::string includes(const std::string& body) const {
    const auto has = [&](const char* text) { return body.find(text) != std::string::npos; };
    std::string text = "#include <memory>\n";
    if (has("std::numbers")) text += "#include <numbers>\n";
    text += "\n";
    if (!plan_.functions.empty()) text += "#include \"mechanics/function.h\"\n";
    text += "#include \"mechanics/functions.h\"\n#include \"mechanics/motion.h\"\n";
    if (has("const Placement ")) text += "#include \"mechanics/placement.h\"\n";
    if (has("<const Table>")) text += "#include \"mechanics/table.h\"\n";
    return text + "#include \"model/factory.h\"\n";
  }

  static std::string solver_value(const std::string& name, double value) {
    if (name == "rescale" || name == "jump_shift") return value != 0 ? "true" : "false";
    if (name != "method") return tidy(value);
    return value == 1 ? "Method::soi2" : value == 2 ? "Method::hht_i3" : "Method::arnold_bruls";
  }

  // Expressions

  Body body(const Formula& f, Context context) {
    Body made;
    std::map<std::string, Code> known;  // what names are written as
    CppNames taken = context == Context::law ? inner_ : outer_;
    for (const Use& use : f.uses) {
      if (use.meaning.kind != Meaning::Kind::reading) continue;
      made.uses_scope = true;
      if (context == Context::law)
        law_locals(use, taken, made, known);
      else
        output_locals(f, use, taken, made, known);
    }
    const expression::Naming naming = [&](const Node& name, int component) {
      return written(f, name, component, context, known, made);
    };
    for (const Let& let : f.lets)
      made.locals.push_back("const auto " + plan_.variables.at(let.name) + " = " +
                            expression::to_cpp(let.value, naming) + ";");
    made.result = expression::to_cpp(scaled(f), naming);
    return made;
  }

  /// The expression times the factor of its formula.
  static Expression scaled(const Formula& f) {
    if (f.factor == 1) return f.expression;
    Node node;
    node.form = f.factor == -1 ? Form::negate : Form::product;
    node.children = {f.expression};
    if (node.form == Form::product) {
      node.signs = "**";
      node.children.push_back(expression::number(f.factor));
    }
    return expression::finished(std::move(node));
  }

  /// crank_velocity, coupler_point_position, crank_relative_to_rocker_position
  static std::string local_name(const Use& use) {
    const Meaning& m = use.meaning;
    if (m.point.empty() && m.relative_to == nullptr) return use.text;
    return (m.point.empty() ? m.element->name : use.spot) +
           (m.relative_to == nullptr ? "" : "_relative_to_" + m.relative_to->name) + "_" +
           std::string(m.reading->name);
  }

  /// In a law: const auto& A_rate = s[0]; const auto v = vec(s[1], s[2], s[3]);
  static void law_locals(const Use& use, CppNames& taken, Body& made,
                         std::map<std::string, Code>& known) {
    const auto argument = [&](std::size_t c) {
      const int i = use.arguments[c];
      if (i < 0) return std::string("0.0");
      return (use.signs[c] < 0 ? "-s[" : "s[") + std::to_string(i) + "]";
    };
    const auto add = [&](const std::string& name, std::size_t c, const std::string& key) {
      const std::string local = taken.take(name);
      const std::string value = argument(c);
      made.locals.push_back((value[0] == 's' ? "const auto& " : "const auto ") + local + " = " +
                            value + ";");
      known.emplace(key, local);
    };
    const std::string name = local_name(use);
    if (use.type != ValueType::vector) {
      add(name, 0, use.text);
    } else if (use.whole) {
      const std::string local = taken.take(name);
      made.locals.push_back("const auto " + local + " = vec(" + argument(0) + ", " + argument(1) +
                            ", " + argument(2) + ");");
      known.emplace(use.text, local);
    } else {
      for (std::size_t c = 0; c < 3; ++c)
        if (use.components[c]) add(name + "_" + "xyz"[c], c, use.text + "." + "xyz"[c]);
    }
  }

  /// In an output: written where it is used, or a local where it is used several times.
  void output_locals(const Formula& f, const Use& use, CppNames& taken, Body& made,
                     std::map<std::string, Code>& known) {
    std::size_t count = count_uses(f.expression, use.text);
    for (const Let& let : f.lets) count += count_uses(let.value, use.text);
    const Reading& r = *use.meaning.reading;
    const Code code = reading_code(r, use);
    if (count > 1) {
      const std::string local = taken.take(local_name(use));
      made.locals.push_back("const auto " + local + " = " + code.text + ";");
      known.emplace(use.text, local);
      return;
    }
    known.emplace(use.text, code);
    // a component alone: of vec(a, b, c) its argument, of vec(v) what Eigen has
    if (!code.text.starts_with("vec(")) return;
    const std::vector<std::string> parts = arguments_of(code.text);
    for (std::size_t c = 0; c < 3; ++c)
      known.emplace(use.text + "." + "xyz"[c],
                    parts.size() == 3 ? parts[c] : parts[0] + "." + "xyz"[c] + "()");
  }

  Code reading_code(const Reading& r, const Use& use) const {
    const std::string_view pattern = use.from.empty() ? r.cpp : r.cpp_relative;
    std::string made;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] != '$') {
        made += pattern[i];
        continue;
      }
      switch (pattern[++i]) {
        case 'h': made += use.handle; break;
        case 's': made += use.spot; break;
        case 'f': made += use.from; break;
        case 'b': made += bodies_.at(use.spot); break;
        default: made += bodies_.at(use.from); break;
      }
    }
    if (made.starts_with('-')) return {made, Binding::sign};
    const bool is_sum = made.find(" + ") != std::string::npos;
    return {made, is_sum ? Binding::addition : Binding::atom};
  }

  /// Of "vec(a, b(c, d))": a, b(c, d).
  static std::vector<std::string> arguments_of(const std::string& call) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (std::size_t i = call.find('(') + 1; i + 1 < call.size(); ++i) {
      const char c = call[i];
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (depth > 0 || c != ',')
        parts.back() += c;
      else
        parts.emplace_back(), ++i;  // and its blank
    }
    return parts;
  }

  static Code scaled(const std::string& value, double factor) {
    if (factor == 1) return value;
    return {value + " * " + tidy(factor), Binding::multiplication};
  }

  Code written(const Formula& f, const Node& name, int component, Context context,
               const std::map<std::string, Code>& known, Body& made) const {
    const std::string part = component < 0 ? "" : std::string(".") + "xyz"[component];
    const auto use = std::find_if(f.uses.begin(), f.uses.end(),
                                  [&](const Use& u) { return u.text == name.text; });
    const std::string scope = context == Context::output ? "q" : "s";
    switch (use->meaning.kind) {
      case Meaning::Kind::parameter:
      case Meaning::Kind::input:
        made.uses_scope = true;
        return scaled(scope + "(" + use->handle + ")",
                      unit_factor(use->meaning.element->text("unit")));
      case Meaning::Kind::time:
        made.uses_scope = true;
        return std::string(context == Context::output ? "q.time()" : "s.t");
      case Meaning::Kind::variable: return use->handle + part;
      case Meaning::Kind::table: return "(*" + use->handle + ")";
      case Meaning::Kind::function: return "::" + use->meaning.element->name;
      case Meaning::Kind::reading: break;
    }
    if (const auto found = known.find(name.text + part); found != known.end()) return found->second;
    return known.at(name.text).text + part;
  }

  /// [=](const auto& s) { … }; the parameter has a name where it is used.
  static std::string lambda(const Body& body, const std::string& type, const std::string& name) {
    std::string text = "[=](" + type + (body.uses_scope ? " " + name : "") + ") {";
    if (body.locals.empty()) return text + " return " + body.result + "; }";
    for (const std::string& local : body.locals) text += "\n" + local;
    return text + "\nreturn " + body.result + ";\n}";
  }

  /// The handle, where a formula is a parameter or input and nothing else.
  static std::string single_setting(const Formula& f) {
    if (f.factor != 1 || f.uses.size() != 1 || f.expression->form != Form::name) return {};
    const Use& use = f.uses[0];
    using Kind = Meaning::Kind;
    if (use.meaning.kind != Kind::parameter && use.meaning.kind != Kind::input) return {};
    return unit_factor(use.meaning.element->text("unit")) == 1 ? use.handle : "";
  }

  std::string number(const Formula& f) {
    if (const std::optional<double> value = constant_value(f)) return tidy(*value);
    if (const std::string handle = single_setting(f); !handle.empty()) return handle;
    const Body code = body(f, Context::number);
    // a parameter in another unit: reach * 0.001
    if (f.uses.size() == 1 && f.factor == 1 && f.expression->form == Form::name &&
        f.uses[0].meaning.kind == Meaning::Kind::parameter)
      return scaled(f.uses[0].handle, unit_factor(f.uses[0].meaning.element->text("unit"))).text;
    return "of(" + lambda(code, "const auto&", "s") + ")";
  }

  std::string vector(const VectorFormula& v) {
    const std::string three =
        "{" + number(v.of[0]) + ", " + number(v.of[1]) + ", " + number(v.of[2]) + "}";
    if (v.placement.empty()) return three;
    const bool zero = std::all_of(v.of.begin(), v.of.end(),
                                  [](const Formula& f) { return constant_value(f) == 0; });
    switch (v.placed) {
      case Placed::point: return v.placement + (zero ? ".at" : ".point(" + three + ")");
      case Placed::rotation: return v.placement + (zero ? ".rotation" : ".turned(" + three + ")");
      case Placed::direction:
      case Placed::no: break;
    }
    return v.placement + ".direction(" + three + ")";
  }

  std::string spot(const SpotPlan& s) {
    const bool at_zero = s.at.placement.empty() &&
                         std::all_of(s.at.of.begin(), s.at.of.end(),
                                     [](const Formula& f) { return constant_value(f) == 0; });
    return "{" + s.body.id + (at_zero ? s.local ? ", {}" : "" : ", " + vector(s.at)) +
           (s.local ? ", true}" : "}");
  }

  static bool is_number(const Formula& f) {
    return std::all_of(f.uses.begin(), f.uses.end(), [](const Use& use) {
      using Kind = Meaning::Kind;
      return use.meaning.kind == Kind::parameter || use.meaning.kind == Kind::variable ||
             use.meaning.kind == Kind::table || use.meaning.kind == Kind::function;
    });
  }

  std::string law(const LawPlan& l) {
    if (!l.relation && l.arguments.empty() && !l.energy) {
      // an input alone, or what changes with parameters only
      if (const std::string handle = single_setting(l.value); !handle.empty()) return handle;
      if (is_number(l.value)) return number(l.value);
    }
    std::string text =
        (l.relation ? "relation<" : "law<") + std::to_string(l.arguments.size()) + ">({";
    for (std::size_t i = 0; i < l.arguments.size(); ++i) {
      const LawArgument& a = l.arguments[i];
      text += i > 0 ? ", " : "";
      switch (a.kind) {
        case LawArgument::Kind::value:
        case LawArgument::Kind::state: text += "m.value(" + a.id + ")"; break;
        case LawArgument::Kind::rate: text += "m.rate(" + a.id + ")"; break;
        case LawArgument::Kind::multiplier:
          text += "m.multiplier(" + a.id + ", " + std::to_string(a.row) + ")";
          break;
      }
    }
    return text + "}, " + lambda(body(l.value, Context::law), "const auto&", "s") + ")";
  }

  // Fields

  std::string inertia(const std::vector<Formula>& list) {
    static constexpr const char* names[] = {
        ".xx = ", ".yy = ", ".zz = ", ".xy = ", ".xz = ", ".yz = "};
    if (list.size() == 1) return "{.zz = " + number(list[0]) + "}";
    std::string text = "{";
    for (std::size_t i = 0; i < list.size(); ++i)
      text += (i > 0 ? ", " : "") + std::string(names[i]) + number(list[i]);
    return text + "}";
  }

  std::string solid(const SolidPlan& s) {
    std::string text = "solid(";
    if (s.shape == "box")
      text += "Box{.size = {" + number(s.size[0]) + ", " + number(s.size[1]) + ", " +
              number(s.size[2]) + "}";
    else if (s.shape == "cylinder")
      text += "Cylinder{.radius = " + number(s.size[0]) + ", .length = " + number(s.size[1]);
    else if (s.shape == "sphere")
      text += "Sphere{.radius = " + number(s.size[0]);
    else
      text += "Rod{.length = " + number(s.size[0]);
    if (s.axis) text += ", .axis = " + vector(*s.axis);
    if (s.at) text += ", .at = " + vector(*s.at);
    if (s.rotation) text += ", .rotation = " + vector(*s.rotation);
    return text + "}, " + (s.by_density ? "{.density = " : "{.mass = ") + number(s.amount) + "})";
  }

  struct FieldText {
    Writer& w;
    std::string operator()(const std::string& text) const { return cpp_string(text); }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(double value) const { return tidy(value); }
    std::string operator()(const Word& word) const {
      return std::string(word.type) + "::" + word.word;
    }
    std::string operator()(const Ref& ref) const { return ref.id; }
    std::string operator()(const Formula& f) const { return w.number(f); }
    std::string operator()(const VectorFormula& v) const { return w.vector(v); }
    std::string operator()(const SpotPlan& s) const { return w.spot(s); }
    std::string operator()(const std::array<bool, 6>& held) const {
      std::size_t last = 6;
      while (last > 0 && !held[last - 1]) --last;
      std::string text = "{";
      for (std::size_t i = 0; i < last; ++i)
        text += std::string(i > 0 ? ", " : "") + (held[i] ? "true" : "false");
      return text + "}";
    }
    std::string operator()(const std::vector<Formula>& list) const { return w.inertia(list); }
    std::string operator()(const LawPlan& law) const { return w.law(law); }
    std::string operator()(const std::array<LawPlan, 3>& laws) const {
      return "{" + w.law(laws[0]) + ", " + w.law(laws[1]) + ", " + w.law(laws[2]) + "}";
    }
    std::string operator()(const std::vector<SolidPlan>& solids) const {
      if (solids.size() == 1) return w.solid(solids[0]);
      std::string text = "together({";
      for (std::size_t i = 0; i < solids.size(); ++i)
        text += (i > 0 ? ", " : "") + w.solid(solids[i]);
      return text + "})";
    }
    std::string operator()(const Terms& terms) const {
      std::string text = "{";
      for (std::size_t i = 0; i < terms.size(); ++i)
        text += (i > 0 ? ", {" : "{") + terms[i].first.id + ", " + w.number(terms[i].second) + "}";
      return text + "}";
    }
    std::string operator()(const std::shared_ptr<const functions::Table>& table) const {
      const auto list = [](const std::vector<double>& numbers) {
        std::string text = "std::vector<double>{";
        for (std::size_t i = 0; i < numbers.size(); ++i)
          text += (i > 0 ? ", " : "") + tidy(numbers[i]);
        return text + "}";
      };
      using functions::Beyond;
      using functions::Interpolation;
      std::string options;
      if (table->interpolation() != Interpolation::smooth || table->beyond() != Beyond::hold)
        options = std::string(", ") + (table->interpolation() == Interpolation::smooth
                                           ? "Interpolation::smooth"
                                           : "Interpolation::linear");
      if (table->beyond() != Beyond::hold) options += ", Beyond::extend";
      return list(table->x()) + ", " + list(table->y()) + options;
    }
  };
  std::string text_of(const FieldValue& value) { return std::visit(FieldText{*this}, value); }

  /// m.body({.name = value, …});
  std::string designated(const Item& item) {
    std::string text;
    for (const Field& field : item.fields) {
      text += (text.empty() ? "." : ", .") + field.name + " = " + text_of(field.value);
      if (const LawPlan* l = std::get_if<LawPlan>(&field.value); l != nullptr && l->energy)
        text +=
            ", .energy = " + lambda(body(*l->energy, Context::law), "const Scope<double>&", "s");
    }
    const char* type = item.call == "vector_force" ? "VectorForceData{" : "{";
    return handle_text(item) + "m." + method(item) + "(" + type + text + "});";
  }
  static std::string method(const Item& item) {
    return item.call == "vector_force" ? "force" : item.call;
  }
  static std::string handle_text(const Item& item) {
    if (!item.used || item.id.empty() || item.call == "state") return "";
    const bool is_array = item.type.starts_with("std::");
    return "const " + (is_array ? std::string("auto") : item.type) + " " + item.id + " = ";
  }

  // Sections

  static std::string section(const Lines& statements, const std::string& title) {
    return statements.empty() ? "" : "\n  // " + title + "\n" + laid_out(statements);
  }

  std::string items_of(const std::vector<std::string_view>& calls, const std::string& title) {
    Lines statements;
    for (const Item& item : plan_.items)
      if (std::find(calls.begin(), calls.end(), item.call) != calls.end())
        statement(item, statements);
    return section(statements, title);
  }

  std::string general() {
    Lines statements;
    const bool weightless = std::all_of(plan_.gravity.of.begin(), plan_.gravity.of.end(),
                                        [](const Formula& f) { return constant_value(f) == 0; });
    if (!weightless) statements.push_back("m.gravity = " + vector(plan_.gravity) + ";");
    if (constant_value(plan_.length_scale) != 0)
      statements.push_back("m.length_scale = " + number(plan_.length_scale) + ";");
    return statements.empty() ? "" : "\n" + laid_out(statements);
  }

  std::string states() {
    Lines statements;
    int count = 0;
    for (const Item& item : plan_.items)
      if (item.call == "state") {
        if (item.used)
          statements.push_back("const StateVariable " + item.id + "{" + std::to_string(count) +
                               "};");
        ++count;
      }
    for (const Item& item : plan_.items)
      if (item.call == "state") statement(item, statements);
    return section(statements, "First-order states");
  }

  void statement(const Item& item, Lines& out) {
    const std::string& call = item.call;
    const auto part = [&](std::string_view name) {
      const FieldValue* value = item.find(name);
      return value == nullptr ? std::string() : text_of(*value);
    };
    if (call == "parameter" || call == "input") {
      const std::string about = part("about");
      std::string range = bounds(item);
      if (item.find("fixed") != nullptr) range += ".only_at_start()";
      // its description needs the handle
      const std::string handle =
          item.used || !range.empty() ? "const " + item.type + " " + item.id + " = " : "";
      out.push_back(handle + "m." + call + "(" + part("name") + ", " + part("value") + ", " +
                    part("unit") + (about == "\"\"" ? "" : ", " + about) + ");");
      if (!range.empty()) out.push_back("m.describe(" + item.id + ".index)" + range + ";");
    } else if (call == "table") {
      if (item.used)
        out.push_back("const auto " + item.id + " = std::make_shared<const Table>(" +
                      part("table") + ");");
    } else if (call == "placement") {
      std::string text = "{";
      if (item.find("at") != nullptr) text += ".at = " + part("at");
      if (item.find("rotation") != nullptr)
        text += (text.size() > 1 ? ", .rotation = " : ".rotation = ") + part("rotation");
      text += "}";
      if (item.find("inside") == nullptr)
        out.push_back("const Placement " + item.id + text + ";");
      else
        out.push_back("const Placement " + item.id + " = Placement" + text + ".inside(" +
                      part("inside") + ");");
    } else if (call == "spot") {
      if (item.used) out.push_back("const Spot " + item.id + part("spot") + ";");
    } else if (call == "angle" || call == "displacement") {
      if (item.used)
        out.push_back("const Measure " + item.id + " = m." + call + "(" + part("of") + ");");
    } else if (call == "driver") {
      const auto& formula = std::get<Formula>(*item.find("position"));
      out.push_back(handle_text(item) + "m.driver(" + part("name") + ", " + part("measure") + ", " +
                    lambda(body(formula, Context::law), "const auto&", "s") + ");");
    } else if (call == "coupling") {
      const std::string constant = part("constant");
      out.push_back(handle_text(item) + "m.coupling(" + part("name") + ", " + part("terms") +
                    (constant.empty() ? "" : ", " + constant) + ");");
    } else if (call == "output") {
      const auto& formula = std::get<Formula>(*item.find("value"));
      std::string tail;
      if (part("unit") != "\"1\"") tail += ".unit(" + part("unit") + ")";
      if (part("about") != "\"\"") tail += ".about(" + part("about") + ")";
      out.push_back("m.output(" + part("name") + ", " +
                    lambda(body(formula, Context::output), "const Motion&", "q") + ")" + tail +
                    bounds(item) + ";");
    } else {
      out.push_back(designated(item));
    }
  }

  static std::string bounds(const Item& item) {
    std::string text;
    for (const char* bound : {"min", "max"})
      if (const FieldValue* value = item.find(bound))
        text += std::string(".") + bound + "(" + tidy(std::get<double>(*value)) + ")";
    return text;
  }

  const Plan& plan_;
  CppNames outer_, inner_;  // names of the function, and of settings, which laws use
  std::map<std::string, std::string> bodies_;  // of points
};

}  // namespace

std::string mechanism_cpp(const Plan& plan) { return Writer(plan).run(); }

}  // namespace mechfmu
