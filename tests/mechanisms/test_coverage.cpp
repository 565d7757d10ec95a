// The files of this folder use everything that mechanism files offer. This test fails for a new
// entry in the tables of elements, readings and functions until a file uses it; test_equality.cpp
// then compares it automatically.

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "language/expression/build.h"
#include "model_desc/xml_tree.h"
#include "tests/mechanisms/mechanisms.h"

namespace mechfmu::tests {

namespace {

using expression::Expression;
using expression::Form;
using Words = std::set<std::string>;

std::string joined(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

std::string missing(const Words& wanted, const Words& used) {
  std::string text;
  for (const std::string& word : wanted)
    if (!used.contains(word)) text += "  " + word + "\n";
  return text;
}

// Elements

/// "body", "body mass", "body type planar", "body inertia 6": the entries that the files use.
void add_elements(const XmlNode& node, Words& used) {
  used.insert(node.tag);
  const ElementType* type = find_element_type(node.tag);
  for (const Attribute& a : node.attributes) {
    used.insert(joined({node.tag, a.name}));
    const AttributeType* attribute = type == nullptr ? nullptr : type->find(a.name);
    // An attribute set by a default counts for its element.
    const std::string of = node.tag == "default" ? node.find("element")->text : node.tag;
    used.insert(joined({of, a.name}));
    if (attribute == nullptr && node.tag == "default")
      attribute = find_element_type(of)->find(a.name);
    if (attribute == nullptr) continue;
    for (const std::string& word : words_of(a.text)) used.insert(joined({of, a.name, word}));
    if (attribute->kind == AttributeKind::numbers)
      used.insert(joined({of, a.name, std::to_string(words_of(a.text).size())}));
  }
  for (const XmlNode& child : node.children) add_elements(child, used);
}

/// Entries of the table; a word that is the default of its attribute need not be written.
Words all_elements() {
  Words all;
  for (const ElementType& e : mechanism_elements()) {
    all.emplace(e.name);
    for (const AttributeType& a : e.attributes) {
      all.insert(joined({e.name, a.name}));
      if (e.name == "default" && a.name == "element") continue;  // the elements it applies to
      if (a.kind == AttributeKind::word || a.kind == AttributeKind::word_list)
        for (const std::string& word : words_of(a.words)) {
          if (word == a.fallback) continue;
          all.insert(joined({e.name, a.name, word}));
        }
      if (a.kind == AttributeKind::boolean)
        all.insert(joined({e.name, a.name, a.fallback == "true" ? "false" : "true"}));
      if (a.kind == AttributeKind::numbers)
        for (const std::string& count : words_of(a.counts))
          all.insert(joined({e.name, a.name, count}));
    }
  }
  return all;
}

// Expressions

/// Calls use(formula, in_law) for all formulas that depend on the motion.
void visit_formulas(const Plan& plan, const std::function<void(const Formula&, bool)>& use) {
  for (const Item& item : plan.items)
    for (const Field& field : item.fields) {
      if (const auto* f = std::get_if<Formula>(&field.value))
        if (item.call == "output") use(*f, false);
      const auto law = [&](const LawPlan& l) {
        use(l.value, true);
        if (l.energy) use(*l.energy, true);
      };
      if (const auto* l = std::get_if<LawPlan>(&field.value)) law(*l);
      if (const auto* three = std::get_if<std::array<LawPlan, 3>>(&field.value))
        for (const LawPlan& l : *three) law(l);
    }
}

/// "output body position of a point, relative"
std::string reading_text(bool in_law, const Reading& r, bool point, bool relative) {
  return joined({in_law ? "law" : "output", r.of, r.name.empty() ? "its name" : r.name}) +
         (point ? " of a point" : "") + (relative ? ", relative" : "");
}

void add_readings(const Formula& f, bool in_law, Words& used) {
  for (const Use& use : f.uses) {
    if (use.meaning.kind != Meaning::Kind::reading) continue;
    const Reading& r = *use.meaning.reading;
    used.insert(
        reading_text(in_law, r, !use.meaning.point.empty(), use.meaning.relative_to != nullptr));
    if (r.type != expression::ValueType::vector) continue;
    const std::string name = reading_text(in_law, r, false, false);
    if (use.whole) used.insert(name + ", whole");
    for (const bool component : use.components)
      if (component) used.insert(name + ", a component");
  }
}

Words all_readings() {
  Words all;
  for (const Reading& r : readings())
    for (const bool in_law : {false, true}) {
      if (in_law && r.in_law == InLaw::no) continue;
      for (const bool point : {false, true})
        for (const bool relative : {false, true})
          if ((!point || r.of_points) && (!relative || r.may_be_relative))
            all.insert(reading_text(in_law, r, point, relative));
      if (r.type != expression::ValueType::vector) continue;
      all.insert(reading_text(in_law, r, false, false) + ", whole");
      all.insert(reading_text(in_law, r, false, false) + ", a component");
    }
  return all;
}

/// "law sin", "output if", "form 3": functions and operators whose operands are not all constant.
void add_functions(const Expression& e, bool in_law, Words& used) {
  used.insert(joined({"form", std::to_string(static_cast<int>(e->form))}));
  if (e->form == Form::compare)
    used.insert(joined({"comparison", std::to_string(static_cast<int>(e->comparison))}));
  if (e->form == Form::call && !e->literal)
    used.insert(joined({in_law ? "law" : "output", text(e->builtin)}));
  for (const Expression& child : e->children)
    if (child) add_functions(child, in_law, used);
}

Words all_functions() {
  Words all;
  for (const std::string& name : expression::function_names())
    for (const char* where : {"law", "output"}) all.insert(joined({where, name}));
  for (int form = 0; form <= static_cast<int>(Form::call); ++form)
    all.insert(joined({"form", std::to_string(form)}));
  for (int c = 0; c <= static_cast<int>(expression::Comparison::not_equal); ++c)
    all.insert(joined({"comparison", std::to_string(c)}));
  return all;
}

}  // namespace

TEST(Coverage, EveryElementWithEveryAttribute) {
  Words used;
  for (const char* file : {"joints.xml", "forces.xml", "rest.xml", "parts/leg.xml"}) {
    Diagnostics diagnostics;
    const std::optional<XmlNode> root = parse_xml(read(file), file, {}, diagnostics);
    ASSERT_TRUE(root) << diagnostics.text();
    add_elements(*root, used);
  }
  EXPECT_EQ(missing(all_elements(), used), "");
}

TEST(Coverage, EveryReadingInOutputsAndInLaws) {
  Words used;
  for (const MechanismFile& file : mechanism_files())
    visit_formulas(load(file).plan,
                   [&](const Formula& f, bool in_law) { add_readings(f, in_law, used); });
  EXPECT_EQ(missing(all_readings(), used), "");
}

TEST(Coverage, EveryFunctionInOutputsAndInLaws) {
  Words used;
  for (const MechanismFile& file : mechanism_files())
    visit_formulas(load(file).plan, [&](const Formula& f, bool in_law) {
      add_functions(f.expression, in_law, used);
      for (const Let& let : f.lets) add_functions(let.value, in_law, used);
    });
  EXPECT_EQ(missing(all_functions(), used), "");
}

}  // namespace mechfmu::tests
