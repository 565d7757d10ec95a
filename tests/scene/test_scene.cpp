// Appearance of mechanisms: places of parts, lengths of bars determined by mass and inertia alone,
// meshes from files.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "language/backend/listing.h"
#include "language/file/mesh_file.h"
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

TEST(Scene, SurfacesThatManyTouchAreDrawnOnceAndAsWideAsTheyNeed) {
  // A pulley of infinite length, touched 0.03 m in front of its middle and 0.02 m behind it
  const Scene scene = scene_of(
      R"(<body name="pulley" mass="1" inertia="1 1 1"/>
         <joint name="A" type="revolute" between="ground pulley"/>
         <body name="front" at="0.2 0 0.03" mass="1" inertia="1 1 1" free="true"/>
         <body name="back" at="0 0.2 -0.02" mass="1" inertia="1 1 1" free="true"/>
         <contact name="c1" between="pulley front" shape="cylinder" centre="0.2 0 0.03" radius_a="0.1"/>
         <contact name="c2" between="pulley back" shape="cylinder" centre="0 0.2 -0.02" radius_a="0.1"/>)");
  std::vector<Part> parts;
  for (const Part& part : find(scene, "pulley").parts)
    if (part.role == Role::body) parts.push_back(part);
  ASSERT_EQ(parts.size(), 1);
  EXPECT_EQ(parts[0].shape, ShapeKind::cylinder);
  EXPECT_NEAR(parts[0].size[0], 0.1, 1e-12);
  EXPECT_NEAR(parts[0].size[1], 0.06, 1e-12);
  EXPECT_TRUE(find(scene, "c1").parts.empty() && find(scene, "c2").parts.empty());
}

TEST(Scene, SphereThatTurnsOnAPinInItsMiddleIsAWheel) {
  const Scene scene = scene_of(
      R"(<body name="fork" at="0 0 0.3" mass="1" inertia="1 1 1" free="true"/>
         <body name="wheel" at="0 0 0.3" mass="1" inertia="1 1 1"/>
         <joint name="hub" type="revolute" between="fork wheel" at="0 0 0.3" axis="0 1 0"/>
         <contact name="tyre" between="ground wheel" centre="0 0 0.3" radius="0.3"/>)");
  const Part& tyre = find(scene, "wheel").parts.at(0);
  EXPECT_EQ(tyre.shape, ShapeKind::torus);
  EXPECT_NEAR(tyre.size[0] + tyre.size[1], 0.3, 1e-12);
  EXPECT_NEAR(std::abs(tyre.axes(1, 2)), 1, 1e-12);
}

TEST(Scene, SolidAwayFromItsJointIsHeldByABar) {
  const Scene scene = scene_of(
      R"(<body name="bob" at="1 0 0" mass="1" sphere="0.1"/>
         <body name="block" at="0 0 1" mass="1" box="0.2 0.2 0.2"/>
         <joint name="A" type="spherical" between="ground bob" at="0 0 0"/>
         <joint name="B" type="spherical" between="ground block" at="0 0 0.95"/>)");
  const auto& parts = find(scene, "bob").parts;
  ASSERT_EQ(parts.size(), 2);
  EXPECT_EQ(parts[1].shape, ShapeKind::capsule);
  EXPECT_NEAR(parts[1].size[1], 1, 1e-12);
  EXPECT_LT((parts[1].at - Vec3(-0.5, 0, 0)).norm(), 1e-12);
  EXPECT_EQ(find(scene, "block").parts.size(), 1);  // the joint is inside
}

TEST(Scene, SleeveIsWhereARodComesOutOfItsTube) {
  // The tube reaches from z = 0 to 0.8; the file has the joint at the far end of the rod.
  const Scene scene = scene_of(
      R"(<body name="tube" at="0 0 0.4" mass="1" cylinder="0.05 0.8"/>
         <body name="rod" at="0 0 1" mass="1" cylinder="0.02 0.8"/>
         <joint name="A" type="universal" between="ground tube" at="0 0 0" axis="1 0 0" axis2="0 1 0"/>
         <joint name="slide" type="prismatic" between="tube rod" at="0 0 1.4" axis="0 0 1"/>)");
  const Part& sleeve = find(scene, "slide").parts.at(0);
  EXPECT_EQ(sleeve.body, 1);
  const double end = sleeve.at.z() + 0.4 + sleeve.size[2] / 2;  // in world axes
  EXPECT_NEAR(end, 0.8, 1e-12);
  EXPECT_GT(sleeve.size[0], 2 * 0.05);  // around the tube
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

/// A tetrahedron with edges of 1 along the axes: its four corners, then the corners of its faces as
/// bytes.
std::string tetrahedron_json(const std::string& buffer, const std::string& node) {
  return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"children": [1], "translation": [10, 0, 0]}, {"mesh": 0)" +
         node +
         R"(}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                  {"bufferView": 1, "componentType": 5121, "count": 12, "type": "SCALAR"}],
    "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
    "buffers": [{"byteLength": 60)" +
         buffer + "}]}";
}
std::string tetrahedron_bytes() {
  const std::array<float, 12> points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::array<char, 12> faces = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  return std::string(reinterpret_cast<const char*>(points.data()), 48) +
         std::string(faces.data(), 12);
}
std::string glb(std::string json, const std::string& bytes) {
  while (json.size() % 4 != 0) json += ' ';
  std::string made = "glTF";
  const auto word = [&](std::size_t w) {
    const auto x = static_cast<std::uint32_t>(w);
    made.append(reinterpret_cast<const char*>(&x), 4);
  };
  word(2), word(28 + json.size() + bytes.size());
  word(json.size()), word(0x4E4F534A), made += json;
  word(bytes.size()), word(0x004E4942), made += bytes;
  return made;
}

TEST(Mesh, TetrahedronOfBinaryGltfIsWhereItsNodesPutIt) {
  // 90° about z, then 10 along x; scaled by 2 × 3 × 4: V = 1·2·3·4/6 = 4, the centre is at a
  // quarter of the edges
  const std::string node =
      R"(, "rotation": [0, 0, 0.70710678118654752, 0.70710678118654752], "scale": [2, 3, 4])";
  const MeshOrProblem read =
      mechfmu::read_mesh(glb(tetrahedron_json("", node), tetrahedron_bytes()), "GLB");
  ASSERT_EQ(read.problem, "");
  const MeshSolid solid = solid_inside(read.mesh);
  EXPECT_NEAR(solid.volume, 4, 1e-12);
  EXPECT_EQ(solid.open_edges, 0);
  EXPECT_LT((solid.centre - Vec3(10 - 0.75, 0.5, 1)).norm(), 1e-12);
}

TEST(Mesh, GltfWithItsBufferInsideAndMirroredFacesOutwards) {
  // The same bytes in base64, as coreutils' base64 writes them
  const std::string data =
      R"(, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAIBAAEDAAMCAQID")";
  const MeshOrProblem read =
      mechfmu::read_mesh(tetrahedron_json(data, R"(, "scale": [-1, 1, 1])"), "gltf");
  ASSERT_EQ(read.problem, "");
  EXPECT_NEAR(solid_inside(read.mesh).volume, 1.0 / 6, 1e-12);
}

TEST(Mesh, DamagedGltfIsRefusedWithTheReason) {
  const auto problem = [](const std::string& content) {
    return mechfmu::read_mesh(content, "glb").problem;
  };
  const std::string json = tetrahedron_json("", "");
  const std::string whole = glb(json, tetrahedron_bytes());
  ASSERT_EQ(problem(whole), "");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(problem(whole.substr(0, length)), "") << length;
  EXPECT_NE(problem(glb(json, tetrahedron_bytes().substr(0, 59))).find("beyond its buffer"),
            std::string::npos);
  std::string circle = json;
  circle.replace(circle.find("[1]"), 3, "[0]");
  EXPECT_NE(problem(glb(circle, tetrahedron_bytes())).find("cyclically"), std::string::npos);
  EXPECT_NE(problem(tetrahedron_json(R"(, "uri": "a.bin")", "")).find("save it as .glb"),
            std::string::npos);
  std::string vertex = tetrahedron_bytes();
  vertex[50] = 4;
  EXPECT_NE(problem(glb(json, vertex)).find("no vertex 4"), std::string::npos);
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
