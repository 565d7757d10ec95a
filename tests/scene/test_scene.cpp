// What mechanisms look like: where parts are, how long bars are that only mass and inertia tell of, meshes of files.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "language/backend/listing.h"
#include "language/file/reader.h"
#include "scene/build.h"
#include "scene/mesh.h"
#include "scene/poses.h"

namespace mechfmu::scene {
namespace {

Scene scene_of(const std::string& inside, const std::vector<double>& settings = {},
               Wanted wanted = Wanted::poses_and_forces) {
  Diagnostics diagnostics;
  MechanismText text =
      read_mechanism_text("<mechanism name=\"m\" gravity=\"0 0 -9.81\">" + inside + "</mechanism>",
                          "m.xml", diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  const Names names = name_variables(text, wanted);
  add_outputs(text, names);
  const Plan plan = make_plan(text, diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  return make_scene(make_listing(plan, Looks::with), settings, names);
}

const Element& find(const Scene& scene, const std::string& name) {
  const auto found = std::find_if(scene.elements.begin(), scene.elements.end(),
                                  [&](const Element& e) { return e.name == name; });
  if (found == scene.elements.end()) throw std::runtime_error("there is no " + name);
  return *found;
}

TEST(Scene, UniformBarThatOnlyItsInertiaTellsOfHasItsLength) {
  // m L²/12 with m = 3, L = 2, held at one end
  const Scene scene = scene_of(
      R"(<body name="bar" at="1 0 0" mass="3" inertia="1e-3 1 1"/>
         <joint name="A" type="revolute" between="ground bar" at="0 0 0" axis="0 1 0"/>)");
  const Part& bar = find(scene, "bar").parts.at(0);
  EXPECT_EQ(bar.shape, ShapeKind::capsule);
  EXPECT_NEAR(bar.size[1], 2, 1e-12);
  EXPECT_LT((bar.at - Vec3(0, 0, 0)).norm(), 1e-12);  // its middle is the centre of mass
  EXPECT_NEAR(std::abs(bar.axes(0, 2)), 1, 1e-12);    // along x
}

TEST(Scene, PointsAreInTheAxesOfTheirBodies) {
  // Turned by 90° about z: the world's x is the body's −y.
  const Scene scene = scene_of(
      R"(<body name="arm" at="1 0 0" rotation="0 0 90deg" mass="1" box="0.1 0.2 0.3"/>
         <joint name="A" type="revolute" between="ground arm" at="0 0 0" axis="1 0 0"/>)");
  const Part& pin = find(scene, "A").parts.at(0);
  EXPECT_EQ(pin.body, 1);
  EXPECT_LT((pin.at - Vec3(0, 1, 0)).norm(), 1e-12);
  EXPECT_NEAR(std::abs(pin.axes(1, 2)), 1, 1e-12);
}

TEST(Scene, SpringIsStretchedBetweenItsPointsAndFollowsParameters) {
  const std::string text = R"xml(<parameter name="l" value="0.5" unit="m"/>
      <body name="bob" at="0 0 (-l)" mass="1" sphere="0.1"/>
      <joint name="rail" type="prismatic" between="ground bob" axis="0 0 1"/>
      <spring name="s" between="ground bob" from="0 0 0" to="0 0 (-l)" stiffness="100" length="0.4"/>)xml";
  for (const double l : {0.5, 2.0}) {
    const Scene scene = scene_of(text, {l});
    EXPECT_NEAR(scene.bodies[1].position[2], -l, 1e-12);
    const Part& coil = find(scene, "s").parts.at(0);
    EXPECT_EQ(coil.shape, ShapeKind::coil);
    ASSERT_TRUE(coil.between);
    EXPECT_EQ((*coil.between)[0].body, 0);
    EXPECT_EQ((*coil.between)[1].body, 1);
    EXPECT_LT((*coil.between)[1].at.norm(), 1e-12);
  }
}

TEST(Scene, VariablesAvoidNamesThatTheFileHas) {
  const Scene scene = scene_of(
      R"(<body name="bob" at="1 0 0" mass="1" sphere="0.1"/>
         <joint name="A" type="spherical" between="ground bob" at="0 0 0"/>
         <output name="pose.bob" value="1" unit="1"/>)");
  EXPECT_EQ(scene.bodies[1].pose.front(), "pose_.bob.x");
  EXPECT_EQ(scene.bodies[1].pose.size(), 7);
  EXPECT_EQ(find(scene, "A").arrows.at(0).variables.at(2), "load.A.z");
}

TEST(Scene, LooksTakeThePlaceOfAutomaticShapesAndAreWhereTheyWerePut) {
  const Scene scene = scene_of(
      R"(<body name="bob" at="1 0 0" mass="1" inertia="1 1 1"/>
         <joint name="A" type="spherical" between="ground bob" at="0 0 0"/>
         <look body="bob" cylinder="0.1 0.5" axis="1 0 0" at="1 0 0.25" color="#ff0000"/>
         <look plane="3 2" at="0 0 -1"/>)");
  const Element& look = find(scene, "bob");
  ASSERT_EQ(look.parts.size(), 1);
  EXPECT_EQ(look.parts[0].shape, ShapeKind::cylinder);
  EXPECT_EQ(look.parts[0].color, "#ff0000");
  EXPECT_LT((look.parts[0].at - Vec3(0, 0, 0.25)).norm(), 1e-12);
  std::size_t parts = 0;
  for (const Element& e : scene.elements)
    if (e.name == "bob") parts += e.parts.size();
  EXPECT_EQ(parts, 1);
}

TEST(Mesh, SquareOfAnObjFileIsTwoTriangles) {
  const Mesh mesh =
      read_mesh("# square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2 -2 4\n", "a.obj");
  EXPECT_EQ(mesh.points.size(), 4);
  ASSERT_EQ(mesh.triangles.size(), 2);
  EXPECT_EQ(mesh.triangles[1], (std::array<std::uint32_t, 3>{0, 2, 3}));
}

TEST(Mesh, BinaryStlSharesItsPoints) {
  std::string bytes(84, ' ');
  const std::uint32_t count = 2;
  std::memcpy(bytes.data() + 80, &count, 4);
  const auto triangle = [&](std::array<float, 9> corners) {
    bytes.append(12, '\0');
    bytes.append(reinterpret_cast<const char*>(corners.data()), 36);
    bytes.append(2, '\0');
  };
  triangle({0, 0, 0, 1, 0, 0, 0, 1, 0});
  triangle({1, 0, 0, 1, 1, 0, 0, 1, 0});
  const Mesh mesh = read_mesh(bytes, "a.STL");
  EXPECT_EQ(mesh.points.size(), 4);
  EXPECT_EQ(mesh.triangles.size(), 2);
}

TEST(Mesh, DamagedFilesAreRefused) {
  for (const auto& [content, file] : {std::pair{"v 0 0\n", "a.obj"},
                                      {"v 0 0 0\nf 1 2 3\n", "a.obj"},
                                      {"", "a.stl"},
                                      {"f", "a.step"},
                                      {"vertex nan 0 0\n", "a.stl"}})
    EXPECT_THROW(read_mesh(content, file), std::invalid_argument) << content;
}

}  // namespace
}  // namespace mechfmu::scene
