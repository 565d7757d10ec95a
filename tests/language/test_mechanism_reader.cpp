// Mechanism files become flat lists of elements: places, defaults, groups, includes.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "language/file/reader.h"
#include "model_desc/text.h"

namespace mechfmu {
namespace {

using Files = std::map<std::string, std::string>;

MechanismText read(const std::string& content, const Files& files = {}) {
  Diagnostics diagnostics;
  MechanismText mechanism = read_mechanism_text(content, "m.xml", diagnostics, files);
  EXPECT_EQ(diagnostics.text(), "");
  return mechanism;
}

const Element& element(const MechanismText& mechanism, const std::string& name) {
  for (const Element& e : mechanism.elements)
    if (e.name == name) return e;
  throw std::out_of_range("no element " + name);
}

TEST(MechanismReader, ReadsTheFourBarOfTheDesign) {
  const MechanismText m = read(R"xml(<?xml version="1.0" encoding="UTF-8"?>
<mechanism name="FourBar" gravity="0 -9.81 0">
  <!-- a comment -->
  <parameter name="k" value="800" unit="N/m" min="0"/>
  <input name="torque" start="0" unit="N.m"/>
  <body name="crank" at="0 0.1 0" mass="1.2" inertia="4e-3 1e-4 4e-3"/>
  <body name="rocker" at="0.5 0.2 0" mass="1" inertia="4e-3 1e-4 4e-3"/>
  <joint name="A" type="revolute" between="ground crank" at="0 0 0" axis="0 0 1"/>
  <spring name="tie" between="ground rocker" from="1 0.4 0" to="0.5 0.4 0"
          stiffness="k" damping="15"
          length="0.45"/>
  <torque name="motor" joint="A" value="torque - 0.02*A.rate"/>
  <output name="phi" value="A.angle" unit="rad"/>
</mechanism>
)xml");
  EXPECT_EQ(m.root.name, "FourBar");
  EXPECT_EQ(m.root.text("gravity"), "0 -9.81 0");
  ASSERT_EQ(m.elements.size(), 8U);
  const Element& tie = element(m, "tie");
  EXPECT_EQ(tie.label(), "spring 'tie'");
  EXPECT_EQ(tie.place.line, 9);
  EXPECT_EQ(tie.find("from")->place.line, 9);
  EXPECT_EQ(tie.find("damping")->place.line, 10);
  EXPECT_EQ(tie.find("length")->place.line, 11);
  EXPECT_EQ(tie.text("stiffness"), "k");
  EXPECT_FALSE(tie.has("preload"));
  EXPECT_EQ(tie.text("preload"), "0");  // of the table
  EXPECT_EQ(element(m, "A").text("local"), "false");
}

TEST(MechanismReader, KeepsTextAsWritten) {
  const MechanismText m = read(
      "\xef\xbb\xbf<mechanism name='M' about='Brüls &amp; θ₁'>"
      "<body name='b' mass='if(1 &lt; 2, 3, 4)' free='true' at='0\n\t1 2'/></mechanism>");
  EXPECT_EQ(m.root.text("about"), "Brüls & θ₁");
  EXPECT_EQ(m.elements[0].text("mass"), "if(1 < 2, 3, 4)");
  EXPECT_EQ(words_of(m.elements[0].text("at")), (std::vector<std::string>{"0", "1", "2"}));
}

TEST(MechanismReader, LinesAreRightFarDown) {
  std::string content = "<mechanism name='M'>";
  for (int i = 0; i < 70000; ++i) content += "\n";
  content += "<body name='b' mass='1' free='true'/>\n<bodi/></mechanism>";
  Diagnostics diagnostics;
  const MechanismText m = read_mechanism_text(content, "m.xml", diagnostics);
  EXPECT_EQ(element(m, "b").place.line, 70001);
  EXPECT_EQ(diagnostics.text(), "m.xml:70002: unknown element 'bodi'; did you mean 'body'?\n");
}

TEST(MechanismReader, ShapesFollowTheirBody) {
  const MechanismText m = read(R"xml(<mechanism name="M">
  <body name="hammer" free="true">
    <shape box="0.1 0.03 0.03" density="7850" at="0 0 0.3"/>
    <shape cylinder="0.015 0.3" mass="0.2"/>
  </body>
  <body name="nail" free="true" mass="0.1"/>
</mechanism>)xml");
  ASSERT_EQ(m.elements.size(), 4U);
  EXPECT_EQ(m.elements[1].owner, "hammer");
  EXPECT_EQ(m.elements[2].owner, "hammer");
  EXPECT_EQ(m.elements[2].place.line, 4);
  EXPECT_EQ(m.elements[2].text("axis"), "0 0 1");
}

TEST(MechanismDefaults, ReachTheFollowingElementsOfTheirType) {
  const MechanismText m = read(R"xml(<mechanism name="M">
  <body name="a" mass="1" free="true"/>
  <default element="body" mass="2" free="true"/>
  <body name="b"/>
  <body name="c" mass="3"/>
  <default element="body" mass="4"/>
  <body name="d"/>
</mechanism>)xml");
  EXPECT_EQ(element(m, "a").text("mass"), "1");
  EXPECT_EQ(element(m, "b").text("mass"), "2");
  EXPECT_EQ(element(m, "c").text("mass"), "3");
  EXPECT_EQ(element(m, "d").text("mass"), "4");
  EXPECT_TRUE(element(m, "d").is_true("free"));
  EXPECT_TRUE(element(m, "d").find("mass")->by_default);
  EXPECT_EQ(element(m, "d").find("mass")->place.line, 6);
}

TEST(MechanismDefaults, GiveWayToAttributesThatExcludeThem) {
  const MechanismText m = read(R"xml(<mechanism name="M">
  <default element="body" mass="2" inertia="1 1 1" free="true"/>
  <body name="ball" density="1000" sphere="0.1"/>
  <body name="dot" type="point"/>
  <body name="sum"><shape sphere="0.1" mass="1"/></body>
  <default element="joint" type="screw" pitch="0.01" axis="1 0 0"/>
  <joint name="J" between="ball dot"/>
  <joint name="K" type="spherical" between="ball sum"/>
  <default element="spring" joint="J" coordinate="angle" stiffness="7"/>
  <spring name="s" between="ball dot" from="0 0 0" to="1 0 0"/>
</mechanism>)xml");
  EXPECT_FALSE(element(m, "ball").has("mass"));
  EXPECT_FALSE(element(m, "ball").has("inertia"));
  EXPECT_TRUE(element(m, "dot").has("mass"));
  EXPECT_FALSE(element(m, "dot").has("inertia"));
  EXPECT_FALSE(element(m, "sum").has("mass"));
  EXPECT_EQ(element(m, "J").text("pitch"), "0.01");
  EXPECT_FALSE(element(m, "K").has("pitch"));
  EXPECT_EQ(element(m, "K").text("axis"), "1 0 0");
  EXPECT_FALSE(element(m, "s").has("joint"));
  EXPECT_FALSE(element(m, "s").has("coordinate"));
  EXPECT_EQ(element(m, "s").text("stiffness"), "7");
}

TEST(MechanismDefaults, EndWithTheirGroup) {
  const MechanismText m = read(R"xml(<mechanism name="M">
  <default element="body" free="true" mass="1"/>
  <group name="g">
    <default element="body" mass="2"/>
    <body name="inside"/>
  </group>
  <use group="g" name="u"/>
  <body name="outside"/>
</mechanism>)xml");
  EXPECT_EQ(element(m, "u.inside").text("mass"), "2");
  EXPECT_TRUE(element(m, "u.inside").is_true("free"));
  EXPECT_EQ(element(m, "outside").text("mass"), "1");
}

constexpr const char* walker = R"xml(<mechanism name="Walker" gravity="0 0 -9.81">
  <parameter name="k" value="100"/>
  <body name="trunk" at="0 0 1" mass="20" box="1 0.4 0.2"/>
  <group name="leg" base="" length="0.4" side="1" foot="length/10" lift="0">
    <parameter name="gain" value="3"/>
    <body name="thigh" at="0 0 -length/2" mass="2" rod="length"/>
    <body name="shin" at="0 0 -1.5*length" mass="1" rod="length" centre="foot 0 0"/>
    <joint name="hip" type="revolute" between="base thigh" axis="0 side 0"/>
    <joint name="knee" type="revolute" between="thigh shin" at="0 0 -length"/>
    <spring name="tendon" joint="knee" stiffness="k*gain" length="30deg + lift"/>
    <torque name="drive" joint="hip" value="-gain*hip.angle - base.position.length + 5mm + sin(knee.rate)"/>
    <output name="angle" value="hip.angle" unit="rad"/>
  </group>
  <use group="leg" name="leg1" base="trunk" at="0.4 0.2 0"/>
  <use group="leg" name="leg2" base="trunk" at="0.0 0.2 0" length="0.5"/>
  <use group="leg" name="leg3" base="trunk" at="-0.4 0.2 0" lift="2*k"/>
  <use group="leg" name="leg4" base="trunk" at="0.4 -0.2 0" side="-1" rotation="0 0 180deg"/>
  <use group="leg" name="leg5" base="trunk" at="0.0 -0.2 0" side="-1"/>
  <use group="leg" name="leg6" base="leg5.shin" at="-0.4 -0.2 0" side="-1"/>
  <output name="sum" value="leg1.hip.angle + leg2.angle_" unit="rad"/>
</mechanism>)xml";

TEST(MechanismGroups, ALegIsUsedSixTimes) {
  const MechanismText m = read(walker);
  ASSERT_EQ(m.elements.size(), 2 + 6 * 8 + 1U);
  const Element& shin = element(m, "leg2.shin");
  EXPECT_EQ(shin.label(), "body 'shin'");
  EXPECT_EQ(shin.prefix, "leg2.");
  EXPECT_EQ(shin.text("at"), "0 0 -1.5*(0.5)");
  EXPECT_EQ(shin.text("rod"), "0.5");                // alone: no parentheses
  EXPECT_EQ(shin.text("centre"), "((0.5)/10) 0 0");  // parameters of parameters
  EXPECT_EQ(element(m, "leg1.shin").text("centre"), "((0.4)/10) 0 0");
  EXPECT_EQ(element(m, "leg2.hip").text("between"), "trunk leg2.thigh");
  EXPECT_EQ(element(m, "leg6.hip").text("between"), "leg5.shin leg6.thigh");
  EXPECT_EQ(element(m, "leg4.hip").text("axis"), "0 (-1) 0");
  EXPECT_EQ(element(m, "leg3.tendon").text("stiffness"), "k*leg3.gain");
  EXPECT_EQ(element(m, "leg3.tendon").text("length"), "30deg + (2*k)");
  EXPECT_EQ(element(m, "leg1.drive").text("value"),
            "-leg1.gain*leg1.hip.angle - trunk.position.length + 5mm + sin(leg1.knee.rate)");
  EXPECT_EQ(element(m, "leg1.angle").text("value"), "leg1.hip.angle");
  EXPECT_EQ(element(m, "sum").text("value"), "leg1.hip.angle + leg2.angle_");
}

TEST(MechanismGroups, RecordThePoseOfEachUse) {
  const MechanismText m = read(walker);
  EXPECT_TRUE(element(m, "trunk").poses.empty());
  const std::vector<GroupPose>& poses = element(m, "leg4.knee").poses;
  ASSERT_EQ(poses.size(), 1U);
  EXPECT_EQ(poses[0].at, "0.4 -0.2 0");
  EXPECT_EQ(poses[0].rotation, "0 0 180deg");
  EXPECT_EQ(element(m, "leg5.knee").poses[0].rotation, "0 0 0");
}

TEST(MechanismGroups, UseOtherGroups) {
  const MechanismText m = read(R"xml(<mechanism name="M">
  <group name="robot" scale="1">
    <body name="trunk" mass="scale"/>
    <use group="arm" name="left" at="0 scale 0" base="trunk" l="2*scale"/>
    <torque name="t" joint="left.elbow" value="left.elbow.angle*scale"/>
  </group>
  <group name="arm" base="" l="">
    <body name="hand" mass="l" free="true"/>
    <joint name="elbow" type="revolute" between="base hand"/>
    <output name="reach" value="norm(hand.position - base.position) + l"/>
  </group>
  <use group="robot" name="r1" at="1 0 0" scale="3+1"/>
</mechanism>)xml");
  EXPECT_EQ(element(m, "r1.left.hand").text("mass"), "2*(3+1)");
  EXPECT_EQ(element(m, "r1.left.elbow").text("between"), "r1.trunk r1.left.hand");
  EXPECT_EQ(element(m, "r1.left.reach").text("value"),
            "norm(r1.left.hand.position - r1.trunk.position) + (2*(3+1))");
  EXPECT_EQ(element(m, "r1.t").text("joint"), "r1.left.elbow");
  EXPECT_EQ(element(m, "r1.t").text("value"), "r1.left.elbow.angle*(3+1)");
  const std::vector<GroupPose>& poses = element(m, "r1.left.hand").poses;
  ASSERT_EQ(poses.size(), 2U);
  EXPECT_EQ(poses[0].at, "0 (3+1) 0");  // the inner group first
  EXPECT_EQ(poses[1].at, "1 0 0");
}

TEST(MechanismGroups, PutVectorsInWhereTheyAreAlone) {
  const MechanismText m = read(R"xml(<mechanism name="M">
  <group name="g" where="0 0 0" axis_="0 0 1">
    <body name="b" mass="1" at=" where " free="true"/>
    <joint name="j" type="revolute" between="ground b" axis="axis_"/>
  </group>
  <use group="g" name="u" where="1 2 3"/>
</mechanism>)xml");
  EXPECT_EQ(element(m, "u.b").text("at"), " 1 2 3 ");
  EXPECT_EQ(element(m, "u.j").text("axis"), "0 0 1");
}

TEST(MechanismIncludes, StandWhereTheyAreIncluded) {
  const Files files = {{"parts/leg.xml",
                        "<part><default element='body' mass='5'/><body name='leg'/>"
                        "<include file='deeper/foot.xml'/></part>"},
                       {"parts/deeper/foot.xml", "<part>\n<body name='foot'/></part>"}};
  const MechanismText m = read(R"xml(<mechanism name="M">
  <default element="body" free="true" mass="1"/>
  <include file="./parts/leg.xml"/>
  <body name="last"/>
</mechanism>)xml",
                               files);
  ASSERT_EQ(m.elements.size(), 3U);
  EXPECT_EQ(m.elements[0].name, "leg");
  EXPECT_EQ(m.elements[1].name, "foot");
  EXPECT_EQ(m.elements[1].text("mass"), "5");
  EXPECT_EQ(m.elements[1].place.file, "parts/deeper/foot.xml");
  EXPECT_EQ(m.elements[1].place.line, 2);
  EXPECT_EQ(m.elements[2].text("mass"), "1");  // defaults apply only within their file
}

TEST(MechanismIncludes, BringGroups) {
  const Files files = {{"g.xml",
                        "<part><group name='g'><body name='b' mass='1' free='true'/>"
                        "</group><group name='spare'/></part>"}};
  const MechanismText m = read(
      "<mechanism name='M'><include file='g.xml'/><use group='g' name='u'/></mechanism>", files);
  EXPECT_EQ(m.elements.at(0).name, "u.b");
}

TEST(MechanismTables, BringTheirFiles) {
  const Files files = {{"data/cam.csv", "0,1\n"},
                       {"data/part.xml", "<part><table name='u' file='cam.csv'/></part>"}};
  const MechanismText m = read(
      "<mechanism name='M'><body name='b' mass='1' free='true'/><table name='t' "
      "file='data/cam.csv'/><include file='data/part.xml'/></mechanism>",
      files);
  EXPECT_EQ(m.data.at("data/cam.csv"), "0,1\n");
  EXPECT_EQ(element(m, "t").text("file"), "data/cam.csv");
  EXPECT_EQ(element(m, "u").text("file"), "data/cam.csv");
}

TEST(MechanismNames, OutputsMayHaveTheNamesOfElements) {
  const MechanismText m = read(R"xml(<mechanism name="M">
  <body name="b" mass="1" free="true"/>
  <measure name="phi" type="angle" between="ground b"/>
  <output name="phi" value="phi.value"/>
  <output name="b.speed.x" value="b.velocity.x"/>
</mechanism>)xml");
  EXPECT_EQ(m.elements.size(), 4U);
}

TEST(DidYouMean, FindsTheNearest) {
  const std::vector<std::string> names = {"crank", "coupler", "rocker", "A", "B", "left_foot"};
  EXPECT_EQ(did_you_mean("copler", names), "coupler");
  EXPECT_EQ(did_you_mean("croank", names), "crank");
  EXPECT_EQ(did_you_mean("carnk", names), "crank");
  EXPECT_EQ(did_you_mean("Rocker", names), "rocker");
  EXPECT_EQ(did_you_mean("a", names), "A");
  EXPECT_EQ(did_you_mean("leftfoot", names), "left_foot");
  EXPECT_EQ(did_you_mean("C", names), "");
  EXPECT_EQ(did_you_mean("AA", names), "A");
  EXPECT_EQ(did_you_mean("C1", names), "");
  EXPECT_EQ(did_you_mean("gearbox", names), "");
  EXPECT_EQ(did_you_mean("", names), "");
  EXPECT_EQ(did_you_mean(std::string(1000, 'x'), names), "");
}

TEST(MechanismDiagnostics, AreSortedByFileAndLineAndKeptOnce) {
  Diagnostics diagnostics;
  diagnostics.announce("main.xml");
  diagnostics.error({"part.xml", 3}, "body 'a'", "mass", "second");
  diagnostics.error({"main.xml", 7}, "body 'b'", "mass", "first");
  diagnostics.warning({"main.xml", 7}, "", "", "after it");
  diagnostics.error({"main.xml", 7}, "body 'b'", "mass", "first");
  EXPECT_EQ(diagnostics.errors(), 2U);
  EXPECT_EQ(diagnostics.text(),
            "main.xml:7: body 'b': first\n"
            "main.xml:7: warning: after it\n"
            "part.xml:3: body 'a': second\n");
}

TEST(MechanismDiagnostics, AreLinesThatATerminalDoesNotObey) {
  Diagnostics diagnostics;
  diagnostics.error({"m.xml", 1}, "body 'a\nb\x1b[2J'", "",
                    "\xc2\x9b"
                    "31m \xff ü…");
  EXPECT_EQ(diagnostics.text(), "m.xml:1: body 'a b [2J':  31m ? ü…\n");
  const std::string many(100'000, 'x');
  diagnostics.error({"m.xml", 2}, "body '" + many + "'", "", "begin " + many + " end");
  const std::string text = diagnostics.text();
  EXPECT_LT(text.size(), 2000U);
  EXPECT_NE(text.find("xx … xx"), std::string::npos);
  EXPECT_TRUE(text.ends_with("xx end\n"));
}

TEST(PlainLine, LosesItsMiddleBetweenCharacters) {
  EXPECT_EQ(plain_line("ääää", 8), "ääää");
  for (std::size_t most = 0; most < 8; ++most) {
    const std::string cut = plain_line("ääää", most);
    EXPECT_EQ(plain_line(cut), cut);  // no character is cut in half
    EXPECT_NE(cut.find(" … "), std::string::npos);
  }
}

}  // namespace
}  // namespace mechfmu
