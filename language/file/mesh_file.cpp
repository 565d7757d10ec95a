#include "language/file/mesh_file.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "language/file/gltf_file.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

constexpr std::size_t most_triangles = 5'000'000;

/// Numbers vertices so that equal ones are one.
class Welder {
 public:
  explicit Welder(Mesh& mesh) : mesh_(mesh) {}

  std::uint32_t operator()(const Vec3& v) {
    const Key key{v.x() + 0.0, v.y() + 0.0, v.z() + 0.0};  // −0 is 0
    const auto [found, is_new] =
        numbers_.try_emplace(key, static_cast<std::uint32_t>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(v);
    return found->second;
  }

 private:
  using Key = std::array<double, 3>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::size_t h = 0;
      for (const double x : key) h = (h ^ std::bit_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ull;
      return h ^ (h >> 29);
    }
  };
  Mesh& mesh_;
  std::unordered_map<Key, std::uint32_t, Hash> numbers_;
};

/// Words of a text, and the line each is in.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::optional<std::string_view> next() {
    while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n' ? 1 : 0;
    if (at_ == text_.size()) return {};
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  std::optional<Vec3> vector() {
    Vec3 v;
    for (double& x : v) {
      const auto word = next();
      const auto number = word ? parse_number(*word) : std::nullopt;
      if (!number || !std::isfinite(*number)) return {};
      x = *number;
    }
    return v;
  }
  long line() const { return line_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  std::string_view text_;
  std::size_t at_ = 0;
  long line_ = 1;
};

std::string lower_case(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return made;
}

MeshOrProblem wrong(long line, const std::string& what) {
  return {{}, "line " + std::to_string(line) + ": " + what};
}

MeshOrProblem read_stl_text(std::string_view content) {
  MeshOrProblem made;
  Welder weld(made.mesh);
  Words words(content);
  words.next();
  words.skip_line();  // solid <name>
  std::array<std::uint32_t, 3> corners{};
  std::size_t have = 0;
  while (const auto word = words.next()) {
    if (*word == "vertex") {
      const auto v = words.vector();
      if (!v) return wrong(words.line(), "three numbers are expected after vertex");
      if (have == 3) return wrong(words.line(), "a facet has more than three vertices");
      corners[have++] = weld(*v);
    } else if (*word == "endfacet") {
      if (have != 3) return wrong(words.line(), "a facet has fewer than three vertices");
      if (made.mesh.triangles.size() == most_triangles) return {{}, "it has too many triangles"};
      made.mesh.triangles.push_back(corners);
      have = 0;
    } else if (*word == "facet" || *word == "solid" || *word == "endsolid") {
      words.skip_line();
    } else if (*word != "outer" && *word != "loop" && *word != "endloop") {
      return wrong(words.line(), "'" + plain_line(*word, 30) + "' has no meaning in an STL file");
    }
  }
  return made;
}

MeshOrProblem read_stl_binary(std::string_view content) {
  static_assert(std::endian::native == std::endian::little);
  if (content.size() < 84) return {{}, "it is too short for an STL file"};
  std::uint32_t count = 0;
  std::memcpy(&count, content.data() + 80, 4);
  if (count > most_triangles || content.size() < 84 + 50 * static_cast<std::size_t>(count))
    return {{}, "it ends before the " + std::to_string(count) + " triangles that it announces"};
  MeshOrProblem made;
  Welder weld(made.mesh);
  made.mesh.triangles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<float, 9> x;
    std::memcpy(x.data(), content.data() + 84 + 50 * i + 12, sizeof x);
    if (!std::all_of(x.begin(), x.end(), [](float v) { return std::isfinite(v); }))
      return {{}, "triangle " + std::to_string(i + 1) + " has a coordinate that is not a number"};
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k)
      corners[k] = weld(Vec3(x[3 * k], x[3 * k + 1], x[3 * k + 2]));
    made.mesh.triangles.push_back(corners);
  }
  return made;
}

MeshOrProblem read_obj(std::string_view content) {
  MeshOrProblem made;
  Welder weld(made.mesh);
  std::vector<std::uint32_t> numbers;  // of the file's vertices
  for (long line = 1; !content.empty(); ++line) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    Words words(content.substr(0, end));
    content.remove_prefix(std::min(end + 1, content.size()));
    const auto kind = words.next();
    if (!kind) continue;
    if (*kind == "v") {
      const auto v = words.vector();
      if (!v) return wrong(line, "three numbers are expected after v");
      numbers.push_back(weld(*v));
    } else if (*kind == "f") {
      std::vector<std::uint32_t> polygon;
      while (const auto corner = words.next()) {
        const auto index = parse_number(corner->substr(0, corner->find('/')));
        const double last = static_cast<double>(numbers.size());
        const double at = index && *index < 0 ? last + *index : index.value_or(0) - 1;
        if (!(at >= 0 && at < last) || at != std::floor(at))
          return wrong(line, "there is no vertex '" + plain_line(*corner, 30) + "'");
        polygon.push_back(numbers[static_cast<std::size_t>(at)]);
      }
      if (polygon.size() < 3) return wrong(line, "a face has fewer than three vertices");
      for (std::size_t k = 2; k < polygon.size(); ++k) {
        if (made.mesh.triangles.size() == most_triangles) return {{}, "it has too many triangles"};
        made.mesh.triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
      }
    }
  }
  return made;
}

}  // namespace

void Mesh::scale(const Vec3& factors) {
  for (Vec3& v : vertices) v = v.cwiseProduct(factors);
  if (factors.prod() < 0)
    for (auto& t : triangles) std::swap(t[1], t[2]);
}

double Mesh::size() const {
  if (vertices.empty()) return 0;
  Vec3 least = vertices.front(), most = least;
  for (const Vec3& v : vertices) {
    least = least.cwiseMin(v);
    most = most.cwiseMax(v);
  }
  return (most - least).maxCoeff();
}

bool is_mesh(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string kind = lower_case(path.substr(dot + 1));
  return kind == "stl" || kind == "obj" || kind == "glb" || kind == "gltf";
}

MeshOrProblem read_mesh(std::string_view content, std::string_view ending) {
  const std::string kind = lower_case(ending);
  MeshOrProblem made;
  if (kind == "obj") {
    made = read_obj(content);
  } else if (kind == "stl") {
    // Binary files may also begin with "solid"; in those the length follows from the number of
    // triangles.
    std::uint32_t count = 0;
    if (content.size() >= 84) std::memcpy(&count, content.data() + 80, 4);
    const bool binary =
        content.size() >= 84 && content.size() == 84 + 50 * static_cast<std::size_t>(count);
    made = !binary && trimmed(content.substr(0, 100)).starts_with("solid")
               ? read_stl_text(content)
               : read_stl_binary(content);
  } else if (kind == "glb" || kind == "gltf") {
    made = read_gltf(content);
  } else {
    return {{},
            "meshes are read from STL, OBJ and glTF files, not from ." + plain_line(ending, 10)};
  }
  if (made.problem.empty() && made.mesh.triangles.empty()) made.problem = "it has no triangles";
  return made;
}

std::string stl(const Mesh& mesh) {
  std::string made(80, ' ');
  const auto add = [&](const void* data, std::size_t size) {
    made.append(static_cast<const char*>(data), size);
  };
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  add(&count, sizeof count);
  constexpr std::uint16_t nothing = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vec3 normal = (b - a).cross(c - a).normalized();
    for (const Vec3& v : {normal, a, b, c}) {
      const Eigen::Vector3f x = v.cast<float>();
      add(x.data(), sizeof(float) * 3);
    }
    add(&nothing, sizeof nothing);
  }
  return made;
}

MeshSolid solid_inside(const Mesh& mesh) {
  MeshSolid made;
  Vec3 origin = Vec3::Zero();
  for (const Vec3& v : mesh.vertices) origin += v;
  origin /= static_cast<double>(std::max<std::size_t>(mesh.vertices.size(), 1));

  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  std::unordered_map<std::uint64_t, int>
      edges;  // from the smaller to the larger vertex; +1, −1 by direction
  edges.reserve(mesh.triangles.size() * 2);
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - origin, b = mesh.vertices[t[1]] - origin,
               c = mesh.vertices[t[2]] - origin;
    const Vec3 s = a + b + c;
    const double v = a.dot(b.cross(c)) / 6;
    made.volume += v;
    first += v / 4 * s;
    second +=
        v / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t from = t[k], to = t[(k + 1) % 3];
      if (from == to) continue;
      edges[from < to ? from << 32 | to : to << 32 | from] += from < to ? 1 : -1;
    }
  }
  for (const auto& [edge, sum] : edges) made.open_edges += sum != 0 ? 1 : 0;
  double size = 0;
  for (const Vec3& v : mesh.vertices) size = std::max(size, (v - origin).norm());
  if (!(std::abs(made.volume) > 1e-12 * size * size * size)) made.volume = 0;
  if (made.volume == 0) return made;
  const Vec3 d = first / made.volume;
  made.centre = origin + d;
  const Mat3 about_centre = second - made.volume * d * d.transpose();
  made.inertia = about_centre.trace() * Mat3::Identity() - about_centre;
  return made;
}

}  // namespace mechfmu
