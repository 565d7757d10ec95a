// What people get wrong in mechanism files, and the very words they read then.

#include <gtest/gtest.h>

#include <algorithm>

#include "language/file/reader.h"

namespace mechfmu {
namespace {

using Files = std::map<std::string, std::string>;

std::string complaints(const std::string& content, const Files& files = {}) {
  Diagnostics diagnostics;
  (void)read_mechanism_text(content, "m.xml", diagnostics, files);
  return diagnostics.text();
}

/// About elements in line 6, after parts a, b joined by A, and a cylindrical joint Z.
std::string about(const std::string& elements) {
  return complaints(R"xml(<mechanism name="M">
<body name="a" mass="1"/>
<body name="b" mass="1"/>
<joint name="A" type="revolute" between="ground a"/>
<joint name="Z" type="cylindrical" between="a b"/>
)xml" + elements + "</mechanism>");
}

struct Case {
  const char* elements;
  const char* message;
};

void expect(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(about(c.elements), c.message) << c.elements;
}

TEST(MechanismErrors, UnknownElements) {
  expect({{"<bodi name='c'/>", "m.xml:6: unknown element 'bodi'; did you mean 'body'?\n"},
          {"<Joint name='c'/>", "m.xml:6: unknown element 'Joint'; did you mean 'joint'?\n"},
          {"<shape sphere='1' mass='1'/>",
           "m.xml:6: shape: it cannot stand in mechanism 'M'; it belongs in body\n"},
          {"<spring name='s' joint='A'><body name='c' mass='1'/></spring>",
           "m.xml:6: body 'c': it cannot stand in spring 's'; it belongs in mechanism, part, "
           "group or repeat\n"},
          {"<mechanism name='N'/>",
           "m.xml:6: mechanism 'N': it is the root of a file and cannot stand inside another "
           "element\n"},
          {"<body name='c' free='true'><gearbox/></body>",
           "m.xml:6: unknown element 'gearbox'; body holds shape\n"}});
}

TEST(MechanismErrors, UnknownAttributes) {
  expect({{"<body name='c' mas='1' mass='1' free='true'/>",
           "m.xml:6: body 'c': unknown attribute 'mas'; did you mean 'mass'?\n"},
          {"<spring name='c' joint='A' pitch='1'/>",
           "m.xml:6: spring 'c': unknown attribute 'pitch'; it belongs to joint\n"},
          {"<rack name='c' joints='A Z' radius='1' coulomb='3'/>",
           "m.xml:6: rack 'c': unknown attribute 'coulomb'; it belongs to friction\n"
           "m.xml:6: rack 'c': joint 'A' is revolute and has no displacement\n"},
          {"<gear name='c' joints='A Z' ratio='1' xyzzy='3'/>",
           "m.xml:6: gear 'c': unknown attribute 'xyzzy'; gear has name, joints, ratio and "
           "about\n"}});
}

TEST(MechanismErrors, MissingAttributes) {
  expect({{"<joint name='C'/>",
           "m.xml:6: joint 'C': attribute 'type' is missing: what motion it leaves\n"
           "m.xml:6: joint 'C': attribute 'between' is missing: the two bodies, a and b\n"},
          {"<joint type='fixed' between='a b'/>",
           "m.xml:6: joint: attribute 'name' is missing: name of the element, unique in the "
           "mechanism\n"},
          {"<joint name='C' type='screw' between='a b'/>",
           "m.xml:6: joint 'C': attribute 'pitch' is missing: type=\"screw\" needs it\n"},
          {"<spring name='s' between='a b' from='0 0 0'/>",
           "m.xml:6: spring 's': attribute 'to' is missing: 'between' needs it\n"},
          {"<spring name='s' stiffness='1'/>",
           "m.xml:6: spring 's': one of the attributes 'joint', 'measure' or 'between' is "
           "missing\n"},
          {"<body name='c' free='true'/>",
           "m.xml:6: body 'c': one of the attributes 'mass' or 'density' is missing\n"},
          {"<body name='c' free='true' mass=' '/>",
           "m.xml:6: body 'c': attribute 'mass' is empty\n"}});
}

TEST(MechanismErrors, AttributesThatDoNotGoTogether) {
  expect(
      {{"<spring name='s' joint='A'\n between='a b' from='0 0 0' to='0 0 0'/>",
        "m.xml:7: spring 's': 'joint' and 'between' exclude each other; keep one of them\n"},
       {"<body name='c' free='true' mass='1' box='1 1 1' sphere='2'/>",
        "m.xml:6: body 'c': 'box' and 'sphere' exclude each other; keep one of them\n"},
       {"<body name='c' free='true' mass='1'><shape sphere='2' mass='1'/></body>",
        "m.xml:6: body 'c': attribute 'mass' and shapes exclude each other: the shapes determine "
        "mass and inertia\n"},
       {"<spring name='s' joint='A' from='0 0 0'/>",
        "m.xml:6: spring 's': attribute 'from' has no meaning without 'between'\n"},
       {"<body name='c' free='true' mass='1' axis='1 0 0'/>",
        "m.xml:6: body 'c': attribute 'axis' has no meaning without 'cylinder' or 'rod'\n"},
       {"<joint name='C' type='revolute' between='a b' pitch='1'/>",
        "m.xml:6: joint 'C': attribute 'pitch' is for type=\"screw\", not for \"revolute\"\n"},
       {"<rolling name='r' type='knife_edge' between='ground a' radius='1'/>",
        "m.xml:6: rolling 'r': attribute 'radius' is for type=\"wheel\" or \"sphere\", not for "
        "\"knife_edge\"\n"}});
}

TEST(MechanismErrors, WrongWords) {
  expect(
      {{"<joint name='C' type='revolut' between='a b'/>",
        "m.xml:6: joint 'C': type=\"revolut\": 'revolut' is not known; did you mean "
        "'revolute'?\n"},
       // as they stand beside each other in the list of what is known
       {"<joint name='C' type='fixed revolute' between='a b'/>",
        "m.xml:6: joint 'C': type=\"fixed revolute\": 'fixed revolute' is not known; use fixed, "
        "revolute, prismatic, cylindrical, spherical, universal, planar, point_in_plane, "
        "point_on_line, distance, constant_orientation or screw\n"},
       {"<rolling name='r' type='tank' between='ground a' radius='1'/>",
        "m.xml:6: rolling 'r': type=\"tank\": 'tank' is not known; use knife_edge, wheel or "
        "sphere\n"},
       {"<body name='c' mass='1' free='yes'/>",
        "m.xml:6: body 'c': free=\"yes\" is neither true nor false\n"},
       {"<body name='c' mass='1' free='true' hold='x v'/>",
        "m.xml:6: body 'c': hold=\"x v\": 'v' is not known; use x, y, z, about_x, about_y, about_z "
        "or all\n"},
       {"<joint name='C' type='fixed' between='a'/>",
        "m.xml:6: joint 'C': between=\"a\" has 1 word; it takes two, the names of bodies, as in "
        "\"ground crank\"\n"},
       {"<joint name='C' type='fixed' between='a b ground'/>",
        "m.xml:6: joint 'C': between=\"a b ground\" has 3 words; it takes two, the names of "
        "bodies, as in \"ground crank\"\n"},
       {"<gear name='g' joints='A' ratio='1'/>",
        "m.xml:6: gear 'g': joints=\"A\" has 1 word; it takes two, the names of joints, as in "
        "\"A B\"\n"},
       {"<spring name='s' joint='A Z'/>",
        "m.xml:6: spring 's': joint=\"A Z\" has 2 words; it takes one joint\n"},
       {"<coupling name='c' of='' factors='1'/>", "m.xml:6: coupling 'c': of=\"\" names nothing\n"},
       {"<joint name='C' type='fixed' between='a b'/>stray words",
        "m.xml:6: the text \"stray words\" has no meaning here; values are written as "
        "attributes\n"}});
}

TEST(MechanismErrors, Names) {
  expect({{"<body name='2nd' mass='1' free='true'/>",
           "m.xml:6: body '2nd': the name \"2nd\" is not allowed: use letters, digits and _, "
           "beginning with a letter\n"},
          {"<body name='left leg' mass='1' free='true'/>",
           "m.xml:6: body 'left leg': the name \"left leg\" is not allowed: use letters, digits "
           "and _, beginning with a letter\n"},
          {"<output name='x..y' value='1'/>",
           "m.xml:6: output 'x..y': the name \"x..y\" is not allowed: use letters, digits and _, "
           "beginning with a letter\n"},
          {"<body name='ground' mass='1' free='true'/>",
           "m.xml:6: body 'ground': the name 'ground' has a meaning of its own; use another one\n"},
          {"<body name='b' mass='1'/>",
           "m.xml:6: body 'b': the name 'b' is already that of body 'b' in line 3\n"},
          {"<parameter name='A' value='1'/>",
           "m.xml:6: parameter 'A': the name 'A' is already that of joint 'A' in line 4\n"},
          {"<parameter name='p' value='1'/>\n<output name='p' value='1'/>",
           "m.xml:7: output 'p': the name 'p' is already that of parameter 'p' in line 6\n"},
          {"<output name='p' value='1'/>\n<input name='p'/>",
           "m.xml:7: input 'p': the name 'p' is already that of output 'p' in line 6\n"},
          {"<experiment stop='1'/>\n<experiment stop='2'/>",
           "m.xml:7: experiment: there is one already, in line 6\n"}});
}

TEST(MechanismErrors, Functions) {
  expect(
      {{"<function name='tyre' arguments='1 N'/><variable name='F' value='tyre(0.1, 2)'/>", ""},
       {"<function name='tyre'/>",
        "m.xml:6: function 'tyre': attribute 'arguments' is missing: the units of its arguments, "
        "one for each\n"},
       {"<function name='tyre' arguments=' '/>",
        "m.xml:6: function 'tyre': attribute 'arguments' is empty\n"},
       {"<function name='tyre' arguments='1 1 1 1 1 1 N'/>",
        "m.xml:6: function 'tyre': arguments=\"1 1 1 1 1 1 N\" has 7 units; it takes at most "
        "6\n"},
       {"<function name='step' arguments='1'/>",
        "m.xml:6: function 'step': 'step' is a function already; use another name\n"},
       {"<group name='g'><function name='tyre' arguments='1'/></group><use group='g' name='u'/>",
        "m.xml:6: function 'tyre': it cannot stand in group 'g'; it belongs in mechanism or "
        "part\n"}});
}

TEST(MechanismErrors, References) {
  expect({{"<body name='coupler' mass='1'/><joint name='B' type='fixed' between='coupler a'/>"
           "\n<joint name='C' type='fixed' between='copler b'/>",
           "m.xml:7: joint 'C': body 'copler' does not exist; did you mean 'coupler'?\n"},
          {"<joint name='C' type='fixed' between='b world'/>",
           "m.xml:6: joint 'C': body 'world' does not exist; did you mean 'ground'?\n"},
          {"<joint name='C' type='fixed' between='b gearbox'/>",
           "m.xml:6: joint 'C': body 'gearbox' does not exist\n"},
          {"<joint name='C' type='fixed' between='b A'/>",
           "m.xml:6: joint 'C': 'A' is a joint, but 'between' takes a body\n"},
          {"<joint name='C' type='fixed' between='b b'/>",
           "m.xml:6: joint 'C': between=\"b b\" names the same body twice\n"},
          {"<spring name='s' joint='B'/>", "m.xml:6: spring 's': joint 'B' does not exist\n"},
          {"<input name='u'/><spring name='s' measure='u'/>",
           "m.xml:6: spring 's': 'u' is an input, but 'measure' takes a measure\n"},
          {"<coupling name='s' of='a' factors='1'/>",
           "m.xml:6: coupling 's': 'a' is a body, but 'of' takes a joint or measure\n"}});
}

TEST(MechanismErrors, CoordinatesThatJointsDoNotHave) {
  expect({{"<spring name='s' joint='Z'/>",
           "m.xml:6: spring 's': joint 'Z' is cylindrical and has two coordinates; say which by "
           "coordinate=\"angle\" or \"displacement\"\n"},
          {"<spring name='s' joint='Z' coordinate='angle'/><torque name='t' joint='Z' value='1'/>",
           ""},
          {"<coupling name='s' of='A Z' factors='1 1'/>",
           "m.xml:6: coupling 's': joint 'Z' is cylindrical and has two coordinates; use a measure "
           "instead\n"},
          {"<stop name='s' joint='A' coordinate='displacement' stiffness='1'/>",
           "m.xml:6: stop 's': joint 'A' is revolute and has no displacement\n"},
          {"<joint name='S' type='spherical' between='a b'/><driver name='s' joint='S' value='1'/>",
           "m.xml:6: driver 's': joint 'S' is spherical and has no coordinate; use a measure "
           "instead\n"},
          {"<measure name='d' type='force' between='a b'/><spring name='s' measure='d'/>",
           "m.xml:6: spring 's': measure 'd' is a direction: it has a rate and no value\n"}});
}

TEST(MechanismErrors, Defaults) {
  expect({{"<default element='bodi' mass='1'/>",
           "m.xml:6: default: element=\"bodi\": 'bodi' is not known; did you mean 'body'?\n"},
          {"<default element='body' stiffness='1'/>",
           "m.xml:6: default body: unknown attribute 'stiffness'; it belongs to spring, bushing, "
           "stop and contact\n"},
          {"<default element='body' name='x'/>", "m.xml:6: default: a name cannot be a default\n"},
          {"<default element='joint' type='x'/>",
           "m.xml:6: default joint: type=\"x\": 'x' is not known; use fixed, revolute, prismatic, "
           "cylindrical, spherical, universal, planar, point_in_plane, point_on_line, distance, "
           "constant_orientation or screw\n"},
          {"<default element='body' mass='1' density='1'/>",
           "m.xml:6: default body: 'mass' and 'density' exclude each other; keep one of them\n"},
          {"<default mass='1'/>",
           "m.xml:6: default: attribute 'element' is missing: the type of elements they are "
           "for\n"}});
}

TEST(MechanismErrors, Groups) {
  const std::string leg =
      "<group name='leg' base='' length='1'><body name='foot' mass='length'/>\n"
      "<joint name='J' type='fixed' between='base fot'/></group>\n";
  const std::string good =
      "<group name='leg' base='' length='1'><body name='foot' mass='length'/>"
      "<joint name='J' type='fixed' between='base foot'/></group>";
  EXPECT_EQ(
      about(leg + "<use group='leg' name='l1' base='a'/><use group='leg' name='l2' base='b'/>"),
      "m.xml:7: joint 'J': body 'fot' does not exist; did you mean 'foot'?\n");
  EXPECT_EQ(about(good + "<use group='lge' name='l1' base='a'/>"),
            "m.xml:6: use 'l1': group 'lge' does not exist; did you mean 'leg'?\n"
            "m.xml:6: warning: group 'leg': it is never used\n");
  EXPECT_EQ(about(good + "<use group='leg' name='l1'/>"),
            "m.xml:6: use 'l1': parameter 'base' of group 'leg' is missing\n");
  EXPECT_EQ(about(good + "<use group='leg' name='l1' base='a' lenght='2'/>"),
            "m.xml:6: use 'l1': group 'leg' has no parameter 'lenght'; did you mean 'length'?\n");
  EXPECT_EQ(about(good + "<use group='leg' name='l1' base='a' colour='2'/>"),
            "m.xml:6: use 'l1': group 'leg' has no parameter 'colour'; it has base and length\n");
  EXPECT_EQ(about(good + "<use group='leg' name='l1' base='frame'/>"),
            "m.xml:6: joint 'J': body 'frame' does not exist\n");
  EXPECT_EQ(about(good + "<use group='leg' name='b' base='a'/>"),
            "m.xml:6: use 'b': the name 'b' is already that of body 'b' in line 3\n");
  EXPECT_EQ(about(good + "\n" + good + "<use group='leg' name='l' base='a'/>"),
            "m.xml:7: group 'leg': the name 'leg' is already that of group 'leg' in line 6\n");
  expect(
      {{"<group name='g'><use group='g' name='u'/></group><use group='g' name='v'/>",
        "m.xml:6: use 'u': group 'g' uses itself\n"},
       {"<group name='g' at='1'/><use group='g' name='v'/>",
        "m.xml:6: group 'g': the name of the parameter 'at' is that of an attribute of use; use "
        "another one\n"},
       {"<group name='g' time='1'/><use group='g' name='v'/>",
        "m.xml:6: group 'g': the name of the parameter 'time' has a meaning of its own; use "
        "another one\n"},
       {"<group name='g' k='1'><parameter name='k' value='1'/></group><use group='g' name='v'/>",
        "m.xml:6: group 'g': the name of the parameter 'k' is also that of an element in the "
        "group; use another one\n"},
       {"<group name='g'><experiment stop='1'/></group><use group='g' name='v'/>",
        "m.xml:6: experiment: it cannot stand in group 'g'; it belongs in mechanism or part\n"}});
}

TEST(MechanismErrors, Includes) {
  const auto include = [](const std::string& file, const Files& files = {}) {
    return complaints("<mechanism name='M'><body name='b' mass='1' free='true'/>\n<include file='" +
                          file + "'/></mechanism>",
                      files);
  };
  EXPECT_EQ(include("leg.xml"), "m.xml:2: include: \"leg.xml\": the file does not exist\n");
  EXPECT_EQ(include("../leg.xml"),
            "m.xml:2: include: \"../leg.xml\": '..' is not allowed; only files in the folder of "
            "the mechanism file are read\n");
  EXPECT_EQ(include("a/../../leg.xml"),
            "m.xml:2: include: \"a/../../leg.xml\": '..' is not allowed; only files in the folder "
            "of the mechanism file are read\n");
  for (const char* file : {"/etc/passwd", "C:/x.xml", "a\\x.xml", "http://x/y.xml"})
    EXPECT_EQ(include(file), "m.xml:2: include: \"" + std::string(file) +
                                 "\": it has to be a path from this file, with / between "
                                 "folders\n");
  EXPECT_EQ(include("m.xml"),
            "m.xml:2: include: \"m.xml\": the file includes itself: m.xml → m.xml\n");
  EXPECT_EQ(include("p/a.xml", {{"p/a.xml", "<part><include file='b.xml'/></part>"},
                                {"p/b.xml", "<part>\n<include file='./a.xml'/></part>"}}),
            "p/b.xml:2: include: \"./a.xml\": the file includes itself: p/a.xml → p/b.xml → "
            "p/a.xml\n");
  EXPECT_EQ(include("a.xml", {{"a.xml", "<mechanism name='N'/>"}}),
            "a.xml:1: the root is <mechanism>; that of an included file has to be <part>\n");
  EXPECT_EQ(include("a.xml", {{"a.xml", "<part>\n<body name='b' mass='1' free='true'/></part>"}}),
            "a.xml:2: body 'b': the name 'b' is already that of body 'b' in m.xml:1\n");
  EXPECT_EQ(include("a.xml", {{"a.xml", "<part><bodi/>"}}),
            "a.xml:1: the file ends before <part> of line 1 is closed\n");
  EXPECT_EQ(include("a.xml", {{"a.xml", "<part><bodi/></part>"}}),
            "a.xml:1: unknown element 'bodi'; did you mean 'body'?\n");
}

TEST(MechanismErrors, BodiesThatNothingHolds) {
  EXPECT_EQ(about("<body name='ballast' mass='1'/>"),
            "m.xml:6: warning: body 'ballast': it is connected to nothing and moves freely; "
            "free=\"true\" says that this is meant\n");
  EXPECT_EQ(complaints("<mechanism name='M'/>"),
            "m.xml:1: mechanism 'M': it has no body; add one, as in <body name=\"crank\" "
            "mass=\"1\"/>\n");
}

TEST(MechanismErrors, AllInOneRunInTheOrderOfTheLines) {
  EXPECT_EQ(about("<joint name='C' type='fixed' between='b wrld'/>\n"
                  "<bodi/>\n"
                  "<joint name='A' type='fixd'\n between='a b'\n axes='1'/>"),
            "m.xml:6: joint 'C': body 'wrld' does not exist\n"
            "m.xml:7: unknown element 'bodi'; did you mean 'body'?\n"
            "m.xml:8: joint 'A': type=\"fixd\": 'fixd' is not known; did you mean 'fixed'?\n"
            "m.xml:8: joint 'A': the name 'A' is already that of joint 'A' in line 4\n"
            "m.xml:10: joint 'A': unknown attribute 'axes'; did you mean 'axis'?\n");
}

TEST(MechanismErrors, ManyAreCounted) {
  std::string elements;
  for (int i = 0; i < 1000; ++i) elements += "<bodi/>\n";
  const std::string text = about(elements);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 201);
  EXPECT_TRUE(text.ends_with("\nand 800 more errors\n")) << text.substr(text.size() - 100);
}

TEST(MechanismErrors, XmlThatIsNotWellFormed) {
  const auto body = [](const std::string& inner) {
    return complaints("<mechanism name='M'>\n" + inner + "\n</mechanism>");
  };
  EXPECT_EQ(body("<body name='b' mass='if(a<b,1,2)'/>"),
            "m.xml:2: an attribute holds '<'; write &lt; for it, or turn the comparison around\n");
  EXPECT_EQ(body("<body name='b' about='R & D'/>"),
            "m.xml:2: a name is missing; write &amp; for '&'\n");
  EXPECT_EQ(body("<body name='b' about='&uuml;'/>"),
            "m.xml:2: the entity &uuml; is not known; write &amp; for '&'\n");
  EXPECT_EQ(body("<body name='b' mass='1' mass='2'/>"),
            "m.xml:2: attribute 'mass' is given twice\n");
  EXPECT_EQ(body("<body name='b' mass='1'>"),
            "m.xml:3: </mechanism> does not close <body> of line 2\n");
  EXPECT_EQ(complaints("<mechanism name='M'>\n\n"),
            "m.xml:3: the file ends before <mechanism> of line 1 is closed\n");
  EXPECT_EQ(complaints("mass = 1"),
            "m.xml:1: this is not an XML file; it should begin with <mechanism name=\"…\">\n");
  EXPECT_EQ(complaints("<mechanism name='M'/>\n<more/>"),
            "m.xml:2: there is something after the end of the root element\n");
  EXPECT_EQ(complaints("<html/>"),
            "m.xml:1: the root is <html>; it has to be <mechanism name=\"…\">\n");
  EXPECT_EQ(complaints("<part/>"),
            "m.xml:1: the root is <part>; it has to be <mechanism name=\"…\">: a part is for other "
            "files to include\n");
  EXPECT_EQ(complaints(" \n"), "m.xml: the file is empty\n");
}

}  // namespace
}  // namespace mechfmu
