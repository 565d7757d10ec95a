// Repeats: their expansion, their possible contents, and the messages about them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "language/backend/cpp.h"
#include "language/backend/cpp_names.h"
#include "language/meaning/plan.h"
#include "tests/language/allocated_bytes.h"
#include "tests/language/complaints.h"

namespace mechfmu {
namespace {

MechanismText read(const std::string& elements, const Files& files = {}) {
  Diagnostics diagnostics;
  MechanismText made = read_mechanism_text("<mechanism name='M'>" + elements + "</mechanism>",
                                           "m.xml", diagnostics, files);
  EXPECT_EQ(diagnostics.text(), "") << elements;
  return made;
}

/// "joint J[2] between=link[1] link[2] at=0.1*(2) 0 0", one string per element.
std::vector<std::string> lines(const MechanismText& mechanism) {
  std::vector<std::string> all;
  for (const Element& e : mechanism.elements) {
    std::string line = std::string(e.type->name) + " " + (e.name.empty() ? e.owner : e.name);
    for (const Attribute& a : e.attributes)
      if (a.name != "name") line += " " + a.name + "=" + a.text;
    all.push_back(line);
  }
  return all;
}
using Lines = std::vector<std::string>;

std::string cpp(const std::string& elements) {
  Diagnostics diagnostics;
  const MechanismText text = read(elements);
  const Plan plan = make_plan(text, diagnostics);
  EXPECT_EQ(diagnostics.text(), "") << elements;
  return mechanism_cpp(plan);
}

std::string body(const std::string& name, const std::string& more = {}) {
  return "<body name='" + name + "' mass='1' inertia='1 1 1' " + more + "/>";
}

// Written by hand: gcc 12 with sanitizers warns about std::regex without cause.
std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

// Expansion

TEST(Repeat, PutsNumbersForItsIndexInNamesReferencesAndExpressions) {
  EXPECT_EQ(lines(read("<body name='link[0]' mass='1'/>"
                       "<joint name='J[0]' type='fixed' between='ground link[0]'/>"
                       "<repeat name='i' from='1' to='2'>"
                       "<body name='link[i]' mass='i' at='0.1*i -i 2*(i - 1)'/>"
                       "<joint name='J[i]' type='fixed' between='link[i-1] link[ i ]'/>"
                       "<output name='rope.link[i].x' value='link[2*i - i].position.x*i'/>"
                       "</repeat>")),
            (Lines{"body link[0] mass=1", "joint J[0] type=fixed between=ground link[0]",
                   "body link[1] mass=1 at=0.1*(1) -(1) 2*((1) - 1)",
                   "joint J[1] type=fixed between=link[0] link[1]",
                   "output rope.link[1].x value=link[1].position.x*(1)",
                   "body link[2] mass=2 at=0.1*(2) -(2) 2*((2) - 1)",
                   "joint J[2] type=fixed between=link[1] link[2]",
                   "output rope.link[2].x value=link[2].position.x*(2)"}));
}

TEST(Repeat, EqualsTheFileWrittenOutByHand) {
  const std::string repeated = cpp(
      body("link[1]", "at='0.1 0 0'") +
      "<joint name='J[1]' type='revolute' between='ground link[1]'/>"
      "<repeat name='i' from='2' to='4'>" +
      body("link[i]", "at='0.1*i 0 0'") +
      "<joint name='J[i]' type='revolute' between='link[i-1] link[i]' at='0.1*i - 0.05 0 0'/>"
      "<spring name='s[i]' joint='J[i]' stiffness='10*i'/>"
      "<parameter name='k[i]' value='i^2'/>"
      "<variable name='v[i]' value='k[i]*link[i].position.x - J[i-1].angle*1m'/>"
      "<force name='f[i]' between='link[i-1] link[i]' from='0 1 0' to='1 0 0' value='v[i]*1N/1m'/>"
      "<output name='y[i]' value='v[i]' unit='m'/>"
      "</repeat>");
  std::string by_hand = body("link_1", "at='0.1 0 0'") +
                        "<joint name='J_1' type='revolute' between='ground link_1'/>";
  const std::string copy =
      body("link_#", "at='0.1*# 0 0'") +
      "<joint name='J_#' type='revolute' between='link_% link_#' at='0.1*# - 0.05 0 0'/>"
      "<spring name='s_#' joint='J_#' stiffness='10*#'/>"
      "<parameter name='k_#' value='#^2'/>"
      "<variable name='v_#' value='k_#*link_#.position.x - J_%.angle*1m'/>"
      "<force name='f_#' between='link_% link_#' from='0 1 0' to='1 0 0' value='v_#*1N/1m'/>"
      "<output name='y_#' value='v_#' unit='m'/>";
  for (int n = 2; n <= 4; ++n)
    by_hand += replaced(replaced(copy, "#", std::to_string(n)), "%", std::to_string(n - 1));
  // Identifiers are already the same, names in quotes are not; line breaks depend on the length of
  // names.
  std::string renamed = repeated;
  for (int n = 1; n <= 4; ++n)
    renamed = replaced(renamed, "[" + std::to_string(n) + "]\"", "_" + std::to_string(n) + "\"");
  EXPECT_EQ(without_spaces(renamed), without_spaces(cpp(by_hand)));
  EXPECT_NE(repeated.find("\"link[3]\""), std::string::npos);
  EXPECT_NE(repeated.find(" link_3{"), std::string::npos);
}

TEST(Repeat, OfARingGoesRound) {
  const MechanismText text =
      read("<repeat name='i' from='1' to='3' ring='true'>" + body("shoe[i]") +
           "<joint name='pin[2*i]' type='revolute' between='shoe[i-1] shoe[i]'/>"
           "<joint name='pin[2*i+1]' type='revolute' between='shoe[i] shoe[i+7]'/>"
           "<gear name='g[i]' joints='pin[2*i-1] pin[2*i+2]' ratio='1'/>"
           "<output name='y[i]' value='shoe[i+1].position.x - shoe[5].mass'/></repeat>");
  Lines found;
  for (const Element& e : text.elements)
    for (const char* attribute : {"between", "joints", "value"})
      if (e.has(attribute)) found.emplace_back(e.text(attribute));
  // shoes are 1 to 3, pins 2 to 7
  EXPECT_EQ(found,
            (Lines{"shoe[3] shoe[1]", "shoe[1] shoe[2]", "pin[7] pin[4]",
                   "shoe[2].position.x - shoe[2].mass", "shoe[1] shoe[2]", "shoe[2] shoe[3]",
                   "pin[3] pin[6]", "shoe[3].position.x - shoe[2].mass", "shoe[2] shoe[3]",
                   "shoe[3] shoe[1]", "pin[5] pin[2]", "shoe[1].position.x - shoe[2].mass"}));
}

TEST(Repeat, OfRepeatsMakesGrids) {
  const MechanismText text = read(
      "<repeat name='i' from='0' to='1' ring='true'><repeat name='j' from='i + 1' to='2'>" +
      body("node[i, j]", "at='i j 0'") +
      "<joint name='J[i,j]' type='fixed' between='node[i+1, 2] node[ i , j ]'/></repeat></repeat>");
  Lines found;
  for (const Element& e : text.elements)
    found.push_back(e.name + " " + std::string(e.text(e.has("at") ? "at" : "between")));
  EXPECT_EQ(found, (Lines{"node[0,1] (0) (1) 0", "J[0,1] node[1,2] node[0,1]",
                          "node[0,2] (0) (2) 0", "J[0,2] node[1,2] node[0,2]",
                          "node[1,2] (1) (2) 0", "J[1,2] node[0,2] node[1,2]"}));
}

TEST(Repeat, HoldsUsesOfGroupsAndStandsInGroups) {
  const MechanismText text = read(
      "<group name='leg' base='' n='2' last='2*n'>"
      "<repeat name='k' from='n' to='last'>" +
      body("bone[k]", "at='k*n 0 0'") +
      "<joint name='J[k]' type='fixed' between='base bone[k]'/></repeat>"
      "<output name='tip' value='bone[last].position.x + trunk[n].mass*s/n'/>"
      "<variable name='s' value='bone[n].velocity.x/n'/></group>"
      "<repeat name='i' from='1' to='2'>" +
      body("trunk[i]") +
      "<use group='leg' name='leg[i]' base='trunk[i]' n='i' last='i' at='i 0 0'/>"
      "<output name='t[i]' value='leg[i].bone[i].position.x'/></repeat>");
  EXPECT_EQ(
      lines(text),
      (Lines{"body trunk[1] mass=1 inertia=1 1 1",
             "body leg[1].bone[1] mass=1 inertia=1 1 1 at=(1)*(1) 0 0",
             "joint leg[1].J[1] type=fixed between=trunk[1] leg[1].bone[1]",
             "output leg[1].tip value=leg[1].bone[1].position.x + trunk[1].mass*leg[1].s/(1)",
             "variable leg[1].s value=leg[1].bone[1].velocity.x/(1)",
             "output t[1] value=leg[1].bone[1].position.x", "body trunk[2] mass=1 inertia=1 1 1",
             "body leg[2].bone[2] mass=1 inertia=1 1 1 at=(2)*(2) 0 0",
             "joint leg[2].J[2] type=fixed between=trunk[2] leg[2].bone[2]",
             "output leg[2].tip value=leg[2].bone[2].position.x + trunk[2].mass*leg[2].s/(2)",
             "variable leg[2].s value=leg[2].bone[2].velocity.x/(2)",
             "output t[2] value=leg[2].bone[2].position.x"}));
  EXPECT_EQ(text.elements[1].poses.at(0).at, "(1) 0 0");
}

TEST(Repeat, HoldsDefaultsIncludesAndShapes) {
  EXPECT_EQ(
      lines(read("<repeat name='i' from='4' to='5'><default element='body' free='true'/>"
                 "<include file='p.xml'/></repeat>" +
                     body("last", "free='true'"),
                 {{"p.xml",
                   "<part><body name='b[i]'><shape sphere='0.1*i' mass='1'/></body>"
                   "</part>"}})),
      (Lines{"body b[4] free=true", "shape b[4] sphere=0.1*(4) mass=1", "body b[5] free=true",
             "shape b[5] sphere=0.1*(5) mass=1", "body last mass=1 inertia=1 1 1 free=true"}));
}

TEST(Repeat, MayMakeNoCopies) {
  EXPECT_EQ(lines(read("<repeat name='i' from='2' to='1'>" + body("b[i]") + "</repeat>" +
                       body("c", "free='true'"))),
            (Lines{"body c mass=1 inertia=1 1 1 free=true"}));
}

TEST(Repeat, CountsByExpressions) {
  const MechanismText text =
      read("<repeat name='i' from='-2 + 2' to='floor(7/4)'><repeat name='j' from='i' to='2*i'>" +
           body("b[i+j,2*(i - j) + 3]", "free='true'") + "</repeat></repeat>");
  Lines found;
  for (const Element& e : text.elements) found.push_back(e.name);
  EXPECT_EQ(found, (Lines{"b[0,3]", "b[2,3]", "b[3,1]"}));
}

TEST(Repeat, VectorsInBracketsStayVectors) {
  EXPECT_EQ(lines(read("<repeat name='i' from='1' to='1'>" + body("b[i]", "free='true'") +
                       "<output name='y[i]' value='dot(b[i].position, [i, 2, 3])'/>"
                       "<output name='z[i]' value='norm(2*[i, 0, 0] - [0, 0, i])'/></repeat>"))[2],
            "output z[1] value=norm(2*[(1), 0, 0] - [0, 0, (1)])");
}

TEST(Repeat, NamesWithIndicesMayBeWrittenWithoutIt) {
  EXPECT_EQ(complaints("<mechanism name='M'>" + body("b[3]") + body("c[1,2]", "at='1 0 0'") +
                       "<joint name='J[1]' type='spherical' between='ground b[1 + 2]'/>"
                       "<joint name='J[2]' type='spherical' between='b[3] c[1, 2]' at='1 0 0'/>"
                       "<output name='y' value='c[1,2].relative_to(b[3]).position.x' unit='m'/>"
                       "</mechanism>"),
            "");
}

TEST(Repeat, NamesThatAreAlikeInCppAreToldApart) {
  CppNames names;
  for (const auto& [name, identifier] : {std::pair("link[3]", "link_3"),
                                         {"node[2,5]", "node_2_5"},
                                         {"node_2[5]", "node_2_5_2"},
                                         {"node_2_5", "node_2_5_3"},
                                         {"leg[1].knee", "leg_1_knee"}})
    EXPECT_EQ(names.take(name), identifier);
}

/// A word after a component is not a unit: here it is a parameter.
TEST(Repeat, IndicesAndParametersMayBeNamedLikeUnits) {
  EXPECT_EQ(
      lines(read("<group name='g' s='2'><repeat name='m' to='1'>" + body("b[m]", "free='true'") +
                 "<output name='y[m]' value='b[m].position.x/s + 5m/s*m'/></repeat></group>"
                 "<use group='g' name='u'/>"))[1],
      "output u.y[1] value=u.b[1].position.x/(2) + 5m/s*(1)");
}

// Size

TEST(Repeat, ReadsLongChainsWithMemoryInProportion) {
  const auto bytes = [](int links) {
    const std::size_t before = allocated_bytes();
    const MechanismText text = read(
        body("link[0]") +
        "<joint name='J[0]' type='fixed' between='ground link[0]'/>"
        "<repeat name='i' to='" +
        std::to_string(links) + "'>" + body("link[i]", "at='0.1*i 0 0'") +
        "<joint name='J[i]' type='revolute' between='link[i-1] link[i]' at='0.1*i - 0.05 0 0'/>"
        "</repeat>");
    EXPECT_EQ(text.elements.size(), static_cast<std::size_t>(2 * links + 2));
    return allocated_bytes() - before;
  };
  EXPECT_LT(bytes(10'000), 20 * bytes(1000));  // 100 would be quadratic; vectors double
}

}  // namespace
}  // namespace mechfmu
