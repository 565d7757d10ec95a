// The table of elements: its examples, the schema and the reference page made from it.

#include <gtest/gtest.h>
#include <libxml/parser.h>
#include <libxml/relaxng.h>

#include <algorithm>
#include <memory>
#include <set>

#include "language/file/reader.h"
#include "language/file/schema.h"
#include "language/meaning/check.h"
#include "language/meaning/plan.h"
#include "tests/model_desc/parse.h"

namespace mechfmu {
namespace {

/// A mechanism that contains an element's example, and the files that it includes.
std::string example_file(const ElementType& type) {
  std::string example(type.example);
  if (type.name == "mechanism") return example;
  return "<mechanism name=\"Example\">\n" + std::string(example_parts()) +
         (type.name == "part" ? "<include file=\"parts/leg.xml\"/>" : example) + "\n</mechanism>\n";
}

TEST(MechanismTable, EveryExampleIsAMechanism) {
  const std::map<std::string, std::string> files = {
      {"parts/leg.xml", std::string(find_element_type("part")->example)},
      {"beam.flex",
       "flexible_body 1\nmass 2\ncentre 0.5 0 0\ninertia 0.01 0.2 0.2 0 0 0\nnodes 1\nroot 0 0 0\n"
       "modes 1\nmode 12.5 0.01\n0 0 0.9 0 2.1 0\nend\n"}};
  for (const ElementType& type : mechanism_elements()) {
    ASSERT_FALSE(type.example.empty()) << type.name;
    EXPECT_NE(type.example.find("<" + std::string(type.name)), std::string_view::npos) << type.name;
    Diagnostics diagnostics;
    const MechanismText text =
        read_mechanism_text(example_file(type), "example.xml", diagnostics, files);
    if (!diagnostics.has_errors()) {
      const Plan plan = make_plan(text, diagnostics);
      if (!diagnostics.has_errors()) (void)check_mechanism(plan, diagnostics);
    }
    // The included bracket, and the parts that an example does not need, are not connected to
    // anything.
    EXPECT_FALSE(diagnostics.has_errors()) << type.name << "\n" << diagnostics.text();
  }
}

TEST(MechanismTable, IsConsistent) {
  for (const ElementType& type : mechanism_elements()) {
    std::string selector_words;
    if (!type.selector.empty()) {
      ASSERT_NE(type.find(type.selector), nullptr) << type.name;
      selector_words = type.find(type.selector)->words;
    }
    for (const std::string& parent : words_of(type.parents))
      EXPECT_NE(find_element_type(parent), nullptr) << type.name;
    for (const Choice& choice : type.choices)
      for (const std::string& name : words_of(choice.of))
        EXPECT_NE(type.find(name), nullptr) << type.name << " " << name;
    std::set<std::string_view> names;
    for (const AttributeType& a : type.attributes) {
      const std::string where = std::string(type.name) + " " + std::string(a.name);
      EXPECT_TRUE(names.insert(a.name).second) << where;
      EXPECT_FALSE(a.about.empty()) << where;
      for (const std::string& word : words_of(a.only_for))
        EXPECT_TRUE(has_word(selector_words, word)) << where;
      for (const std::string& word : words_of(a.required_for))
        EXPECT_TRUE(has_word(selector_words, word)) << where;
      for (const std::string_view list : {a.needs, a.required_with})
        for (const std::string& name : words_of(list)) EXPECT_NE(type.find(name), nullptr) << where;
      const bool refers = a.kind == AttributeKind::reference || a.kind == AttributeKind::references;
      if (refers) {
        for (const std::string& target : words_of(a.words))
          EXPECT_NE(find_element_type(target), nullptr) << where;
      }
      if (a.kind == AttributeKind::word && !a.fallback.empty()) {
        EXPECT_TRUE(has_word(a.words, a.fallback)) << where;
      }
    }
  }
}

class Schema {
 public:
  Schema() : text_(mechanism_schema()) {
    const std::unique_ptr<xmlRelaxNGParserCtxt, void (*)(xmlRelaxNGParserCtxt*)> parser(
        xmlRelaxNGNewMemParserCtxt(text_.data(), static_cast<int>(text_.size())),
        xmlRelaxNGFreeParserCtxt);
    schema_.reset(xmlRelaxNGParse(parser.get()));
    if (!schema_) throw std::runtime_error("not a RELAX NG schema");
  }

  bool accepts(const std::string& xml) const {
    const std::unique_ptr<xmlDoc, void (*)(xmlDoc*)> document(
        xmlReadMemory(xml.data(), static_cast<int>(xml.size()), nullptr, nullptr, XML_PARSE_NONET),
        [](xmlDoc* d) { xmlFreeDoc(d); });
    if (!document) throw std::runtime_error("not well-formed:\n" + xml);
    const std::unique_ptr<xmlRelaxNGValidCtxt, void (*)(xmlRelaxNGValidCtxt*)> context(
        xmlRelaxNGNewValidCtxt(schema_.get()), xmlRelaxNGFreeValidCtxt);
    xmlRelaxNGSetValidStructuredErrors(
        context.get(), [](void*, auto*) {}, nullptr);
    return xmlRelaxNGValidateDoc(context.get(), document.get()) == 0;
  }

 private:
  std::string text_;
  std::unique_ptr<xmlRelaxNG, void (*)(xmlRelaxNG*)> schema_{nullptr, xmlRelaxNGFree};
};

TEST(MechanismSchema, AcceptsAFileOfEveryElement) {
  const Schema schema;
  std::string all = "<mechanism name=\"All\" gravity=\"0 0 -9.81\">" + std::string(example_parts());
  for (const ElementType& type : mechanism_elements()) {
    if (type.parents.empty()) {
      EXPECT_TRUE(schema.accepts(std::string(type.example))) << type.name;
    } else {
      EXPECT_TRUE(schema.accepts(example_file(type))) << type.name;
      all += type.example;
    }
  }
  EXPECT_TRUE(schema.accepts(all + "</mechanism>"));
}

TEST(MechanismSchema, RefusesTheSameAsTheReader) {
  const Schema schema;
  EXPECT_TRUE(schema.accepts("<mechanism name='M'><body name='b' mass='1'/></mechanism>"));
  for (const char* wrong :
       {"<mechanism/>",
        "<body name='b'/>",
        "<mechanism name='M'>text</mechanism>",
        "<mechanism name='M'><bodi name='b'/></mechanism>",
        "<mechanism name='M'><body name='b' mas='1'/></mechanism>",
        "<mechanism name='M'><body mass='1'/></mechanism>",
        "<mechanism name='M'><body name='1b' mass='1'/></mechanism>",
        "<mechanism name='M'><body name='b' free='yes'/></mechanism>",
        "<mechanism name='M'><body name='b' hold='x w'/></mechanism>",
        "<mechanism name='M'><shape sphere='1' mass='1'/></mechanism>",
        "<mechanism name='M'><joint name='J' type='revolut' between='a b'/></mechanism>",
        "<mechanism name='M'><joint name='J' type='fixed' between='a'/></mechanism>",
        "<mechanism name='M'><function name='f'/></mechanism>",
        "<mechanism name='M'><function name='f' arguments=''/></mechanism>",
        "<mechanism name='M'><function name='f' arguments='1 1 1 1 1 1 N'/></mechanism>",
        "<mechanism name='M'><default element='body' stiffness='1'/></mechanism>",
        "<mechanism name='M'><default element='use'/></mechanism>",
        "<mechanism name='M'><group name='g'><group name='h'/></group></mechanism>",
        "<mechanism name='M'><repeat to='2'/></mechanism>",
        "<mechanism name='M'><repeat name='i[1]' to='2'/></mechanism>",
        "<mechanism name='M'><repeat name='i' to='2' ring='yes'/></mechanism>",
        "<mechanism name='M'><repeat name='i' to='2'><group name='h'/></repeat></mechanism>",
        "<mechanism name='M'><body name='b[' mass='1'/></mechanism>",
        "<mechanism name='M'><body name='b[1]c' mass='1'/></mechanism>",
        "<mechanism name='M'><joint name='J' type='fixed' between='a[1, 2]'/></mechanism>"}) {
    EXPECT_FALSE(schema.accepts(wrong)) << wrong;
    Diagnostics diagnostics;
    (void)read_mechanism_text(wrong, "wrong.xml", diagnostics);
    EXPECT_TRUE(diagnostics.has_errors()) << wrong;
  }
}

TEST(MechanismSchema, AcceptsIndices) {
  const Schema schema;
  EXPECT_TRUE(schema.accepts(
      "<mechanism name='M'><repeat name='i' to='2'><repeat name='j' from='2*i' to='2' ring='true'>"
      "<body name='b[i, j-1]'><shape sphere='1' mass='1'/></body>"
      "<joint name='J[i,j]' type='fixed' between=' b[i, j]  leg[2*(i + 1)].b[1] '/>"
      "<coupling name='c[i,j]' of='J[i, j]' factors='1'/>"
      "<output name='b[i].x.y[j]' value='i'/><use group='g' name='u[i,j]' n='i'/>"
      "<spring name='s[i,j]' joint='J[i - 1, j]'/></repeat></repeat></mechanism>"));
}

TEST(MechanismSchema, DocumentsEveryAttribute) {
  const std::string schema = mechanism_schema();
  for (const ElementType& type : mechanism_elements()) {
    if (type.name == "default") continue;
    const std::string path = "//*[local-name()='define'][@name='" + std::string(type.name) + "']";
    std::size_t known = 0;
    for (const AttributeType& a : type.attributes)
      known += count(schema, path + "//*[local-name()='attribute'][@name='" + std::string(a.name) +
                                 "']/*[local-name()='documentation']");
    EXPECT_EQ(known, type.attributes.size()) << type.name;
  }
}

/// With one space for every line break.
std::string unwrapped(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

TEST(MechanismReference, ShowsEverythingInTheTable) {
  const std::string page = mechanism_reference();
  const std::string prose = unwrapped(page);
  for (const ElementType& type : mechanism_elements()) {
    EXPECT_NE(page.find("\n### " + std::string(type.name) + "\n"), std::string::npos) << type.name;
    EXPECT_NE(page.find(type.example), std::string::npos) << type.name;
    EXPECT_NE(prose.find(unwrapped(std::string(type.equation))), std::string::npos) << type.name;
    for (const AttributeType& a : type.attributes) {
      EXPECT_NE(page.find("`" + std::string(a.name) + "`"), std::string::npos) << a.name;
      EXPECT_NE(page.find(a.about), std::string::npos) << a.name;
    }
  }
}

}  // namespace
}  // namespace mechfmu
