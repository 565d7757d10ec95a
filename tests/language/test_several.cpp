// Elements of several bodies: their expansion. Faults: tests/messages/several_bodies.xml.

#include <gtest/gtest.h>

#include "language/file/reader.h"

namespace mechfmu {
namespace {

const std::string bodies =
    "<repeat name='i' from='1' to='3'><body name='shoe[i]' mass='1' inertia='1 1 1' "
    "free='true'/></repeat>"
    "<body name='sun' mass='1' inertia='1 1 1' free='true'/><body name='moon' mass='1' inertia='1 "
    "1 1' free='true'/>";

/// "floor[1]: ground shoe[1]", for each contact.
std::vector<std::string> contacts(const std::string& elements) {
  Diagnostics diagnostics;
  const MechanismText text = read_mechanism_text(
      "<mechanism name='M'>" + bodies + elements + "</mechanism>", "m.xml", diagnostics);
  EXPECT_EQ(diagnostics.text(), "") << elements;
  std::vector<std::string> all;
  for (const Element& e : text.elements)
    if (e.type->name == "contact") all.push_back(e.name + ": " + std::string(e.text("between")));
  return all;
}

using Lines = std::vector<std::string>;

TEST(Several, AStarIsAllBodiesThatBeginLikeThat) {
  EXPECT_EQ(
      contacts("<contact name='floor' between='ground shoe*' local='true'/>"),
      (Lines{"floor[1]: ground shoe[1]", "floor[2]: ground shoe[2]", "floor[3]: ground shoe[3]"}));
  EXPECT_EQ(contacts("<contact name='floor' between='s* moon' local='true'/>"),
            (Lines{"floor[1]: shoe[1] moon", "floor[2]: shoe[2] moon", "floor[3]: shoe[3] moon",
                   "floor[4]: sun moon"}));
}

TEST(Several, ListsAreNamedByTheIndicesOfTheirBodiesOrCounted) {
  EXPECT_EQ(contacts("<contact name='c' between='ground shoe[3],shoe[1]' local='true'/>"),
            (Lines{"c[3]: ground shoe[3]", "c[1]: ground shoe[1]"}));
  EXPECT_EQ(contacts("<contact name='c' between='sun,moon shoe[2],shoe[3]' local='true'/>"),
            (Lines{"c[1,2]: sun shoe[2]", "c[1,3]: sun shoe[3]", "c[2,2]: moon shoe[2]",
                   "c[2,3]: moon shoe[3]"}));
}

TEST(Several, EachTwoOfAListOnce) {
  EXPECT_EQ(
      contacts(
          "<contact name='c' between='shoe* shoe*' local='true' shape='sphere' radius_a='1'/>"),
      (Lines{"c[1,2]: shoe[1] shoe[2]", "c[1,3]: shoe[1] shoe[3]", "c[2,3]: shoe[2] shoe[3]"}));
}

TEST(Several, TheElementThatExceedsTheLimitIsNamed) {
  ReaderLimits limits;
  limits.elements = 8;  // five bodies and three contacts
  const std::string contact = "<contact name='c' between='ground shoe*' local='true'/>";
  for (const auto& [elements, named] :
       {std::pair{contact + "\n<variable name='last' value='1'/>", "m.xml:2: variable 'last'"},
        std::pair{"<variable name='first' value='1'/>\n" + contact, "m.xml:2: contact 'c'"}}) {
    Diagnostics diagnostics;
    (void)read_mechanism_text("<mechanism name='M'>" + bodies + elements + "</mechanism>", "m.xml",
                              diagnostics, {}, limits);
    EXPECT_EQ(diagnostics.text(),
              named + std::string(": with its copies there are more than 8 elements\n"));
  }
}

TEST(Several, InAGroupItsOwnBodiesAreMeant) {
  EXPECT_EQ(contacts("<group name='g'><body name='shoe[7]' mass='1' inertia='1 1 1' "
                     "free='true'/><contact name='c' "
                     "between='ground shoe*' "
                     "local='true'/></group><use group='g' name='left'/>"),
            (Lines{"left.c[7]: ground left.shoe[7]"}));
}

}  // namespace
}  // namespace mechfmu
