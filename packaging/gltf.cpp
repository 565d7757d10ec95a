#include "packaging/gltf.h"

#include <Eigen/Geometry>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>

#include "model/turn.h"
#include "model_desc/json.h"
#include "model_desc/origin.h"

namespace mechfmu {

namespace {

using scene::Mat3;
using scene::Part;
using scene::ShapeKind;
using scene::Vec3;
using Members = std::vector<std::pair<std::string, std::string>>;

static_assert(std::endian::native == std::endian::little);  // as glTF is

constexpr int of_float = 5126, of_index = 5125;

struct Triangles {
  std::vector<std::array<float, 3>> points{}, normals{};
  std::vector<std::uint32_t> indices{};

  std::uint32_t add(const Vec3& p, const Vec3& n) {
    const auto three = [](const Vec3& v) {
      return std::array{static_cast<float>(v[0]), static_cast<float>(v[1]),
                        static_cast<float>(v[2])};
    };
    points.push_back(three(p));
    normals.push_back(three(n.normalized()));
    return static_cast<std::uint32_t>(points.size() - 1);
  }
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    indices.insert(indices.end(), {a, b, c, a, c, d});
  }
};

/// The surface p(u, v), n(u, v) of [0, 1]², with as many pieces.
template <class Surface>
void patch(Triangles& to, int along_u, int along_v, const Surface& surface) {
  const auto first = static_cast<std::uint32_t>(to.points.size());
  for (int i = 0; i <= along_u; ++i)
    for (int k = 0; k <= along_v; ++k) {
      const auto [p, n] =
          surface(static_cast<double>(i) / along_u, static_cast<double>(k) / along_v);
      to.add(p, n);
    }
  const auto at = [&](int i, int k) {
    return first + static_cast<std::uint32_t>(i * (along_v + 1) + k);
  };
  for (int i = 0; i < along_u; ++i)
    for (int k = 0; k < along_v; ++k)
      to.quad(at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
}

using PointAndNormal = std::pair<Vec3, Vec3>;

void add_sphere(Triangles& to, double r, double z) {
  patch(to, 24, 14, [=](double u, double v) {
    const double a = 2 * M_PI * u, b = M_PI * (v - 0.5);
    const Vec3 n(std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b));
    return PointAndNormal(r * n + Vec3(0, 0, z), n);
  });
}

/// A cone from radius r0 at z0 to r1 at z1, with lids.
void add_cone(Triangles& to, double r0, double z0, double r1, double z1) {
  patch(to, 28, 1, [=](double u, double v) {
    const double a = 2 * M_PI * u, r = r0 + v * (r1 - r0);
    const Vec3 n(std::cos(a) * (z1 - z0), std::sin(a) * (z1 - z0), r0 - r1);
    return PointAndNormal(Vec3(r * std::cos(a), r * std::sin(a), z0 + v * (z1 - z0)), n);
  });
  for (const auto& [r, z, side] : {std::tuple{r0, z0, -1.0}, {r1, z1, 1.0}}) {
    if (r == 0) continue;
    patch(to, 28, 1, [r = r, z = z, side = side](double u, double v) {
      const double a = side * 2 * M_PI * u, s = r * (1 - v);
      return PointAndNormal(Vec3(s * std::cos(a), s * std::sin(a), z), Vec3(0, 0, side));
    });
  }
}

void add_box(Triangles& to) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-0.5, 0.5}) {
      const int second = (axis + 1) % 3, third = (axis + 2) % 3;
      patch(to, 1, 1, [=](double u, double v) {
        Vec3 p;
        p[axis] = side;
        p[second] = side > 0 ? u - 0.5 : 0.5 - u;
        p[third] = v - 0.5;
        return PointAndNormal(p, Vec3::Unit(axis) * side);
      });
    }
}

void add_torus(Triangles& to, double r) {
  patch(to, 48, 12, [=](double u, double v) {
    const double a = 2 * M_PI * u, b = 2 * M_PI * v;
    const Vec3 n(std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b));
    return PointAndNormal(Vec3(std::cos(a), std::sin(a), 0) + r * n, n);
  });
}

/// A spring of round wire from z = 0 to 1, at a length of as many radii.
void add_coil(Triangles& to, double turns, double wire, double length) {
  patch(to, static_cast<int>(turns) * 18, 6, [=](double u, double v) {
    const double ramp = std::min({1.0, u / 0.1, (1 - u) / 0.1});
    const double a = 2 * M_PI * turns * u, b = -2 * M_PI * v;
    const Vec3 out(std::cos(a), std::sin(a), 0);
    const Vec3 along =
        Vec3(-2 * M_PI * turns * std::sin(a), 2 * M_PI * turns * std::cos(a), length).normalized();
    const Vec3 n = std::cos(b) * out + std::sin(b) * along.cross(out);
    Vec3 p = ramp * out + Vec3(0, 0, length * u) + wire * n;
    p[2] /= length;
    return PointAndNormal(p, Vec3(n[0], n[1], n[2] * length));
  });
}

/// Base color and opacity of a part.
std::string color_of(const Part& part) {
  if (!part.color.empty()) return part.color;
  switch (part.role) {
    case scene::Role::joint: return "#3f4a5a";
    case scene::Role::spring: return "#d97a2b";
    case scene::Role::contact: return "#c9d2dc";
    case scene::Role::ground: return "#5a6472";
    case scene::Role::load: return "#39414d";
    case scene::Role::body:
    case scene::Role::look: break;
  }
  return "#9aa5b4";
}

class Gltf {
 public:
  explicit Gltf(const Animation& animation) : animation_(animation) {}

  std::string run() {
    for (std::size_t b = 0; b < parts().bodies.size(); ++b) add_body(static_cast<int>(b));
    for (const scene::Element& element : parts().elements)
      for (const Part& part : element.parts) add_part(part, element.name);
    for (std::size_t b = 0; b < parts().bodies.size(); ++b)
      if (!children_[b].empty())
        nodes_[static_cast<std::size_t>(node_of_[b])].emplace_back("children", list(children_[b]));
    return binary(document());
  }

 private:
  struct Pose {
    Vec3 p;
    Eigen::Quaterniond q;
  };
  const scene::Scene& parts() const { return animation_.parts; }

  // Numbers

  template <class T>
  int accessor(const std::vector<T>& numbers, int component, const char* type, int target,
               Members more = {}) {
    while (bytes_.size() % 4 != 0) bytes_ += '\0';
    const std::size_t at = bytes_.size(), size = numbers.size() * sizeof(T);
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), size);
    Members view = {
        {"buffer", "0"}, {"byteOffset", std::to_string(at)}, {"byteLength", std::to_string(size)}};
    if (target != 0) view.emplace_back("target", std::to_string(target));
    views_.push_back(json_object(view));
    Members made = {{"bufferView", std::to_string(views_.size() - 1)},
                    {"componentType", std::to_string(component)},
                    {"count", std::to_string(numbers.size())},
                    {"type", json(std::string(type))}};
    made.insert(made.end(), more.begin(), more.end());
    accessors_.push_back(json_object(made));
    return static_cast<int>(accessors_.size() - 1);
  }
  template <std::size_t N>
  static Members bounds(const std::vector<std::array<float, N>>& all) {
    std::array<float, N> least = all.front(), most = all.front();
    for (const auto& v : all)
      for (std::size_t k = 0; k < N; ++k)
        least[k] = std::min(least[k], v[k]), most[k] = std::max(most[k], v[k]);
    const auto text = [](const auto& v) {
      return json_list(v, [](float x) { return json(static_cast<double>(x)); });
    };
    return {{"min", text(least)}, {"max", text(most)}};
  }
  static std::string list(const std::vector<int>& all) {
    return json_list(all, [](int i) { return std::to_string(i); });
  }
  template <class V>
  static std::string numbers(const V& all) {
    return json_list(all, [](double x) { return json(x); });
  }

  // Motion

  std::size_t frames() const { return animation_.recording.frames(); }

  Pose pose(int body, std::size_t frame) const {
    const scene::Body& b = parts().bodies[static_cast<std::size_t>(body)];
    Pose made{b.position, Eigen::Quaterniond(b.axes)};
    const auto& columns = columns_[static_cast<std::size_t>(body)];
    if (columns.size() < 3 || frames() == 0) return made;
    const auto value = [&](std::size_t k) {
      return static_cast<double>(
          animation_.recording.values[static_cast<std::size_t>(columns[k])][frame]);
    };
    made.p = {value(0), value(1), value(2)};
    if (columns.size() == 7)
      made.q = Eigen::Quaterniond(value(3), value(4), value(5), value(6)).normalized();
    return made;
  }

  /// Σ φ_k q_k
  Vec3 deformation(const scene::Anchor& a, std::size_t frame) const {
    Vec3 sum = Vec3::Zero();
    if (a.point < 0 || frames() == 0) return sum;
    const scene::Body& b = parts().bodies[static_cast<std::size_t>(a.body)];
    const auto& shapes = b.points[static_cast<std::size_t>(a.point)].shapes;
    const auto& columns = modes_[static_cast<std::size_t>(a.body)];
    for (std::size_t k = 0; k < columns.size(); ++k)
      sum +=
          shapes[k] * static_cast<double>(
                          animation_.recording.values[static_cast<std::size_t>(columns[k])][frame]);
    return sum;
  }

  void animate(int node, const char* path, int output) {
    if (times_ < 0) {
      std::vector<std::array<float, 1>> times;
      const auto& recorded = animation_.recording.values[0];
      for (const float t : recorded) times.push_back({t - recorded.front()});
      times_ = accessor(times, of_float, "SCALAR", 0, bounds(times));
    }
    samplers_.push_back(
        json_object({{"input", std::to_string(times_)}, {"output", std::to_string(output)}}));
    channels_.push_back(json_object(
        {{"sampler", std::to_string(samplers_.size() - 1)},
         {"target",
          json_object({{"node", std::to_string(node)}, {"path", json(std::string(path))}})}}));
  }
  void move(int node, const std::vector<Pose>& poses, const std::vector<double>& lengths) {
    std::vector<std::array<float, 3>> places, scales;
    std::vector<std::array<float, 4>> turns;
    Eigen::Quaterniond before = Eigen::Quaterniond::Identity();
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Vec3& p = poses[i].p;
      places.push_back(
          {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
      Eigen::Quaterniond q = poses[i].q;
      if (q.dot(before) < 0) q.coeffs() = -q.coeffs();  // the shorter way
      before = q;
      turns.push_back({static_cast<float>(q.x()), static_cast<float>(q.y()),
                       static_cast<float>(q.z()), static_cast<float>(q.w())});
      if (!lengths.empty()) scales.push_back({1, 1, static_cast<float>(lengths[i])});
    }
    animate(node, "translation", accessor(places, of_float, "VEC3", 0));
    animate(node, "rotation", accessor(turns, of_float, "VEC4", 0));
    if (!scales.empty()) animate(node, "scale", accessor(scales, of_float, "VEC3", 0));
  }

  static void place(Members& node, const Vec3& p, const Eigen::Quaterniond& q) {
    node.emplace_back("translation", numbers(p));
    node.emplace_back("rotation", numbers(std::array{q.x(), q.y(), q.z(), q.w()}));
  }

  /// Empty if one of them was not recorded.
  std::vector<int> columns_of(const std::vector<std::string>& names) const {
    std::vector<int> columns;
    for (const std::string& name : names)
      if (const int column = animation_.recording.find(name); column >= 0)
        columns.push_back(column);
    if (columns.size() != names.size()) columns.clear();
    return columns;
  }

  void add_body(int body) {
    const scene::Body& b = parts().bodies[static_cast<std::size_t>(body)];
    const std::vector<int> columns = columns_of(b.pose);
    columns_.push_back(columns);
    modes_.push_back(columns_of(b.modes));
    children_.emplace_back();
    node_of_.push_back(-1);
    if (!holds_something(body)) return;
    const int number = node_of_.back() = static_cast<int>(nodes_.size());
    Members node = {{"name", json(b.name)}};
    const Pose start = pose(body, 0);
    place(node, start.p, start.q);
    nodes_.push_back(std::move(node));
    roots_.push_back(number);
    if (columns.empty() || frames() < 2) return;
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < frames(); ++i) poses.push_back(pose(body, i));
    move(number, poses, {});
  }
  bool holds_something(int body) const {
    for (const scene::Element& element : parts().elements)
      for (const Part& part : element.parts)
        if (part.body == body && !part.between && part.shape != ShapeKind::frame &&
            part.shape != ShapeKind::text)
          return true;
    return false;
  }

  // Shapes

  int material(const Part& part) {
    const std::string color = color_of(part);
    const double opacity = part.opacity != 1                   ? part.opacity
                           : part.role == scene::Role::contact ? 0.55
                                                               : 1;
    const auto [found, is_new] =
        materials_.try_emplace({color, opacity}, static_cast<int>(materials_.size()));
    if (!is_new) return found->second;
    std::vector<double> factor;
    for (const std::size_t at : {1U, 3U, 5U}) {
      const double s = std::stoi(color.substr(at, 2), nullptr, 16) / 255.0;
      factor.push_back(s <= 0.04045 ? s / 12.92
                                    : std::pow((s + 0.055) / 1.055, 2.4));  // sRGB → linear
    }
    factor.push_back(opacity);
    Members made = {{"pbrMetallicRoughness", json_object({{"baseColorFactor", numbers(factor)},
                                                          {"metallicFactor", "0.15"},
                                                          {"roughnessFactor", "0.55"}})}};
    if (opacity < 1) made.emplace_back("alphaMode", json(std::string("BLEND")));
    if (part.shape == ShapeKind::plane || part.shape == ShapeKind::mesh)
      made.emplace_back("doubleSided", "true");
    material_texts_.push_back(json_object(made));
    return found->second;
  }

  /// Geometry of unit size, and the scale that makes the part of it.
  std::pair<Triangles, Vec3> shape(const Part& part, double length) const {
    Triangles made;
    const auto& s = part.size;
    switch (part.shape) {
      case ShapeKind::box: add_box(made); return {made, {s[0], s[1], s[2]}};
      case ShapeKind::sphere: add_sphere(made, 1, 0); return {made, {s[0], s[0], s[0]}};
      case ShapeKind::ellipsoid: add_sphere(made, 1, 0); return {made, {s[0], s[1], s[2]}};
      case ShapeKind::cylinder: add_cone(made, 1, -0.5, 1, 0.5); return {made, {s[0], s[0], s[1]}};
      case ShapeKind::cone: add_cone(made, 1, -0.5, 0, 0.5); return {made, {s[0], s[0], s[1]}};
      case ShapeKind::capsule:
        add_cone(made, s[0], -s[1] / 2, s[0], s[1] / 2);
        add_sphere(made, s[0], -s[1] / 2);
        add_sphere(made, s[0], s[1] / 2);
        return {made, {1, 1, 1}};
      case ShapeKind::torus: add_torus(made, s[1] / s[0]); return {made, {s[0], s[0], s[0]}};
      case ShapeKind::plane:
        patch(made, 1, 1, [](double u, double v) {
          return PointAndNormal(Vec3(u - 0.5, v - 0.5, 0), Vec3(0, 0, 1));
        });
        return {made, {s[0], s[1], 1}};
      case ShapeKind::coil:
        add_coil(made, s[2], s[1] / s[0], length / s[0]);
        return {made, {s[0], s[0], 1}};
      case ShapeKind::tube: add_cone(made, 1, 0, 1, 1); return {made, {s[0], s[0], 1}};
      case ShapeKind::mesh: {
        const scene::Mesh& mesh = parts().meshes.at(static_cast<std::size_t>(part.mesh));
        for (const auto& t : mesh.triangles) {
          std::array<Vec3, 3> p;
          for (std::size_t k = 0; k < 3; ++k)
            p[k] = Vec3(mesh.points[t[k]][0], mesh.points[t[k]][1], mesh.points[t[k]][2]);
          const Vec3 n = (p[1] - p[0]).cross(p[2] - p[0]);
          if (n.norm() == 0) continue;
          for (const Vec3& corner : p) made.indices.push_back(made.add(corner, n));
        }
        return {made, {s[0], s[0], s[0]}};
      }
      case ShapeKind::frame:
      case ShapeKind::text: break;
    }
    return {made, {1, 1, 1}};
  }

  std::optional<std::pair<int, Vec3>> mesh(const Part& part, double length) {
    const auto [triangles, scale] = shape(part, length);
    if (triangles.indices.empty()) return {};
    const int of = material(part);
    // Meshes of unit size are shared; the others depend on their sizes.
    std::string key =
        std::string(word(part.shape)) + " " + std::to_string(of) + " " + std::to_string(part.mesh);
    if (part.shape == ShapeKind::capsule || part.shape == ShapeKind::torus ||
        part.shape == ShapeKind::coil)
      for (const double s : part.size) key += " " + shortest(s);
    if (part.shape == ShapeKind::coil) key += " " + shortest(length);
    const auto [found, is_new] = meshes_.try_emplace(key, static_cast<int>(meshes_.size()));
    if (is_new) {
      constexpr int vertices = 34962, elements = 34963;
      const std::string attributes = json_object(
          {{"POSITION", std::to_string(accessor(triangles.points, of_float, "VEC3", vertices,
                                                bounds(triangles.points)))},
           {"NORMAL", std::to_string(accessor(triangles.normals, of_float, "VEC3", vertices))}});
      const int indices = accessor(triangles.indices, of_index, "SCALAR", elements);
      mesh_texts_.push_back(
          json_object({{"primitives", "[" +
                                          json_object({{"attributes", attributes},
                                                       {"indices", std::to_string(indices)},
                                                       {"material", std::to_string(of)}}) +
                                          "]"}}));
    }
    return std::pair(found->second, scale);
  }

  void add_part(const Part& part, const std::string& name) {
    const auto place_of = [&](const scene::Anchor& a, std::size_t frame) {
      const Pose at = pose(a.body, frame);
      return Vec3(at.p + at.q * (a.at + deformation(a, frame)));
    };
    double length = 1;
    if (part.between)
      length = std::max((place_of((*part.between)[1], 0) - place_of((*part.between)[0], 0)).norm(),
                        1e-9);
    const auto made = mesh(part, length);
    if (!made) return;
    const auto& [of, scale] = *made;
    Members node = {{"name", json(name)}, {"mesh", std::to_string(of)}};
    if (!part.between) {
      place(node, part.at, Eigen::Quaterniond(part.axes));
      node.emplace_back("scale", numbers(scale));
      children_[static_cast<std::size_t>(part.body)].push_back(static_cast<int>(nodes_.size()));
      nodes_.push_back(std::move(node));
      return;
    }
    std::vector<Pose> poses;
    std::vector<double> lengths;
    for (std::size_t i = 0; i < std::max<std::size_t>(frames(), 1); ++i) {
      const Vec3 a = place_of((*part.between)[0], i);
      const Vec3 way = place_of((*part.between)[1], i) - a;
      lengths.push_back(std::max(way.norm(), 1e-9));
      poses.push_back({a, turn_between(Vec3(0, 0, 1), way.norm() > 0 ? way : Vec3(0, 0, 1))});
    }
    const int holder = static_cast<int>(nodes_.size());
    Members outer = {{"name", json(name)}, {"children", "[" + std::to_string(holder + 1) + "]"}};
    place(outer, poses[0].p, poses[0].q);
    outer.emplace_back("scale", numbers(Vec3(1, 1, lengths[0])));
    node.emplace_back("scale", numbers(scale));
    nodes_.push_back(std::move(outer));
    nodes_.push_back(std::move(node));
    roots_.push_back(holder);
    if (frames() > 1) move(holder, poses, lengths);
  }

  // The file

  std::string document() {
    // glTF has y up: the whole scene is turned.
    const Vec3 up =
        parts().gravity.norm() > 0 ? Vec3(-parts().gravity.normalized()) : Vec3(0, 0, 1);
    const Eigen::Quaterniond turn = turn_between(up, Vec3(0, 1, 0));
    Members root = {{"name", json(parts().name)}, {"children", list(roots_)}};
    root.emplace_back("rotation", numbers(std::array{turn.x(), turn.y(), turn.z(), turn.w()}));
    nodes_.push_back(std::move(root));
    std::vector<std::string> nodes;
    for (const Members& node : nodes_) nodes.push_back(json_object(node));
    while (bytes_.size() % 4 != 0) bytes_ += '\0';
    const auto all = [](const std::vector<std::string>& texts) {
      return "[" + joined(texts, ", ") + "]";
    };
    Members made = {
        {"asset",
         json_object({{"version", json(std::string("2.0"))}, {"generator", json(tool_name())}})},
        {"scene", "0"},
        {"scenes",
         "[" + json_object({{"nodes", "[" + std::to_string(nodes_.size() - 1) + "]"}}) + "]"},
        {"nodes", all(nodes)},
        {"meshes", all(mesh_texts_)},
        {"materials", all(material_texts_)},
        {"accessors", all(accessors_)},
        {"bufferViews", all(views_)},
        {"buffers", "[" + json_object({{"byteLength", std::to_string(bytes_.size())}}) + "]"}};
    std::erase_if(made, [](const auto& member) { return member.second == "[]"; });
    if (!channels_.empty())
      made.emplace_back("animations", "[" +
                                          json_object({{"name", json(std::string("run"))},
                                                       {"channels", all(channels_)},
                                                       {"samplers", all(samplers_)}}) +
                                          "]");
    return json_object(made);
  }

  std::string binary(std::string text) const {
    while (text.size() % 4 != 0) text += ' ';
    std::string made;
    const auto word = [&](std::uint32_t w) { made.append(reinterpret_cast<const char*>(&w), 4); };
    word(0x46546C67), word(2),
        word(static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + bytes_.size()));
    word(static_cast<std::uint32_t>(text.size())), word(0x4E4F534A);
    made += text;
    word(static_cast<std::uint32_t>(bytes_.size())), word(0x004E4942);
    return made + bytes_;
  }

  const Animation& animation_;
  std::string bytes_;
  std::vector<Members> nodes_;
  std::vector<std::vector<int>> columns_, modes_, children_;  // of bodies
  std::vector<int> node_of_;  // of bodies; −1: it holds nothing that is drawn
  std::vector<int> roots_;
  std::vector<std::string> views_, accessors_, samplers_, channels_, mesh_texts_, material_texts_;
  std::map<std::pair<std::string, double>, int> materials_;
  std::map<std::string, int> meshes_;
  int times_ = -1;
};

}  // namespace

std::string gltf_of(const Animation& animation) { return Gltf(animation).run(); }

}  // namespace mechfmu
