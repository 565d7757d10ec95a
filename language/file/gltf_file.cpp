#include "language/file/gltf_file.h"

#include <Eigen/Geometry>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>

#include "model_desc/json_value.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

static_assert(std::endian::native == std::endian::little);  // like glTF

struct Problem : std::runtime_error {
  using runtime_error::runtime_error;
};

std::string decoded(std::string_view base64) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string made;
  made.reserve(base64.size() / 4 * 3);
  unsigned bits = 0;
  int have = 0;
  for (const char c : base64) {
    if (c == '=') break;
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) throw Problem("a buffer of it is not base64");
    bits = bits << 6 | static_cast<unsigned>(digit);
    have += 6;
    if (have >= 8) made += static_cast<char>(bits >> (have -= 8) & 255);
  }
  return made;
}

class Gltf {
 public:
  explicit Gltf(std::string_view content) {
    if (content.starts_with("glTF")) {
      open(content);
    } else {
      auto read = read_json(content);
      if (!read) throw Problem("it is neither binary glTF nor JSON");
      json_ = std::move(*read);
    }
    if (!json_["asset"]["version"].text.starts_with("2"))
      throw Problem("it is not marked as glTF 2.0");
    for (const JsonValue& extension : json_["extensionsRequired"].list)
      if (!extension.text.starts_with("KHR_materials") &&
          !extension.text.starts_with("KHR_texture"))
        throw Problem("it needs the extension " + plain_line(extension.text, 40) +
                      ", which is not read: save it without compression");
  }

  Mesh run() {
    const std::size_t scene = json_["scene"].count().value_or(0);
    const JsonValue& nodes = json_["scenes"][scene]["nodes"];
    for (const JsonValue& node : nodes.list) add_node(node, Eigen::Affine3d::Identity(), 0);
    return std::move(made_);
  }

 private:
  static constexpr int deepest = 100;
  static constexpr std::size_t most_triangles = 5'000'000;
  static constexpr std::size_t most_nodes = 100'000;

  /// The two chunks of a binary file.
  void open(std::string_view content) {
    const auto word = [&](std::size_t at) {
      std::uint32_t w = 0;
      std::memcpy(&w, content.data() + at, 4);
      return w;
    };
    if (content.size() < 20 || word(4) != 2) throw Problem("it is not glTF 2.0");
    for (std::size_t at = 12; at + 8 <= content.size();) {
      const std::size_t length = word(at), kind = word(at + 4);
      if (length > content.size() - at - 8) throw Problem("it ends within a chunk");
      const std::string_view chunk = content.substr(at + 8, length);
      if (kind == 0x4E4F534A) {
        auto read = read_json(chunk);
        if (!read) throw Problem("its JSON cannot be read");
        json_ = std::move(*read);
      } else if (kind == 0x004E4942) {
        binary_ = chunk;
      }
      at += 8 + length;
    }
  }

  std::string_view buffer(std::size_t number) {
    const JsonValue& buffer = json_["buffers"][number];
    const std::string& uri = buffer["uri"].text;
    if (uri.empty() && number == 0) return binary_;
    if (!uri.starts_with("data:"))
      throw Problem("its numbers are in another file" +
                    (uri.empty() ? "" : ", " + plain_line(uri, 60)) +
                    ": save it as .glb, or with its buffers embedded");
    const auto [found, is_new] = decoded_.try_emplace(number);
    const std::size_t comma = uri.find(',');
    if (is_new && comma != std::string::npos)
      found->second = decoded(std::string_view(uri).substr(comma + 1));
    return found->second;
  }

  /// Numbers of an accessor: `width` of each entry.
  std::vector<double> numbers(const JsonValue& reference, std::size_t width, const char* type) {
    const auto place = reference.count();
    const JsonValue& accessor = json_["accessors"][place.value_or(SIZE_MAX)];
    const auto count = accessor["count"].count(), view_place = accessor["bufferView"].count();
    if (!place || !count || accessor["type"].text != type)
      throw Problem(std::string("an accessor of ") + type + " is missing");
    if (!view_place || accessor["sparse"].kind != JsonValue::Kind::null)
      throw Problem("it has sparse accessors, which are not read");
    const JsonValue& view = json_["bufferViews"][*view_place];
    const std::string_view bytes = buffer(view["buffer"].count().value_or(SIZE_MAX));
    const std::size_t component = accessor["componentType"].count().value_or(0);
    const std::size_t size = component == 5121 ? 1 : component == 5123 ? 2 : 4;
    if (component != 5121 && component != 5123 && component != 5125 && component != 5126)
      throw Problem("an accessor has numbers of the type " + std::to_string(component));
    const std::size_t stride = view["byteStride"].count().value_or(size * width);
    const std::size_t first =
        view["byteOffset"].count().value_or(0) + accessor["byteOffset"].count().value_or(0);
    if (*count > 3 * most_triangles || stride < size * width || stride > 252 ||
        first > bytes.size() ||
        (*count > 0 && (*count - 1) * stride + size * width > bytes.size() - first))
      throw Problem("an accessor reaches beyond its buffer");
    std::vector<double> made;
    made.reserve(*count * width);
    for (std::size_t i = 0; i < *count; ++i)
      for (std::size_t k = 0; k < width; ++k)
        made.push_back(number(bytes.data() + first + i * stride + k * size, component));
    return made;
  }
  static double number(const char* at, std::size_t component) {
    const auto as = [&]<class T>(T x) {
      std::memcpy(&x, at, sizeof x);
      return static_cast<double>(x);
    };
    switch (component) {
      case 5121: return as(std::uint8_t{});
      case 5123: return as(std::uint16_t{});
      case 5125: return as(std::uint32_t{});
      default: return as(float{});
    }
  }

  static Eigen::Affine3d placed(const JsonValue& node) {
    const auto numbers = [&](const char* name, std::size_t count) {
      std::vector<double> made;
      for (const JsonValue& x : node[name].list) made.push_back(x.number);
      if (!made.empty() && made.size() != count)
        throw Problem(std::string("the ") + name + " of a node does not have " +
                      std::to_string(count) + " numbers");
      return made;
    };
    Eigen::Affine3d made = Eigen::Affine3d::Identity();
    if (const auto m = numbers("matrix", 16); !m.empty()) {
      made.matrix() = Eigen::Map<const Eigen::Matrix4d>(m.data());  // by columns, as in the file
      return made;
    }
    if (const auto t = numbers("translation", 3); !t.empty())
      made.translate(Eigen::Vector3d(t[0], t[1], t[2]));
    if (const auto q = numbers("rotation", 4); !q.empty())
      made.rotate(Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized());
    if (const auto s = numbers("scale", 3); !s.empty())
      made.scale(Eigen::Vector3d(s[0], s[1], s[2]));
    return made;
  }

  void add_node(const JsonValue& reference, const Eigen::Affine3d& parent, int depth) {
    if (depth > deepest || ++nodes_ > most_nodes)
      throw Problem("its nodes are nested too deeply, or cyclically");
    const JsonValue& node = json_["nodes"][reference.count().value_or(SIZE_MAX)];
    const Eigen::Affine3d at = parent * placed(node);
    if (const auto mesh = node["mesh"].count())
      for (const JsonValue& primitive : json_["meshes"][*mesh]["primitives"].list)
        add_primitive(primitive, at);
    for (const JsonValue& child : node["children"].list) add_node(child, at, depth + 1);
  }

  void add_primitive(const JsonValue& primitive, const Eigen::Affine3d& at) {
    constexpr std::size_t triangles = 4, strip = 5, fan = 6;
    const std::size_t mode = primitive["mode"].kind == JsonValue::Kind::null
                                 ? triangles
                                 : primitive["mode"].count().value_or(0);
    if (mode != triangles && mode != strip && mode != fan) return;  // points and lines
    const std::vector<double> points = numbers(primitive["attributes"]["POSITION"], 3, "VEC3");
    const auto first = static_cast<std::uint32_t>(made_.vertices.size());
    const std::size_t count = points.size() / 3;
    if (made_.vertices.size() + count > 3 * most_triangles)
      throw Problem("it has too many vertices");
    for (std::size_t i = 0; i < count; ++i) {
      const Eigen::Vector3d v =
          at * Eigen::Vector3d(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
      if (!v.allFinite())
        throw Problem("vertex " + std::to_string(i + 1) + " of a mesh is not a number");
      made_.vertices.push_back(v);
    }
    std::vector<double> order;
    if (primitive["indices"].kind == JsonValue::Kind::null)
      for (std::size_t i = 0; i < count; ++i) order.push_back(static_cast<double>(i));
    else
      order = numbers(primitive["indices"], 1, "SCALAR");
    const auto corner = [&](std::size_t i) {
      if (!(order[i] < static_cast<double>(count)))
        throw Problem("there is no vertex " + std::to_string(static_cast<long>(order[i])));
      return first + static_cast<std::uint32_t>(order[i]);
    };
    const bool mirrored = at.linear().determinant() < 0;
    for (std::size_t i = 2; i < order.size(); i += mode == triangles ? 3 : 1) {
      if (made_.triangles.size() == most_triangles) throw Problem("it has too many triangles");
      // In a strip, every second triangle has the opposite orientation.
      const bool turned = mirrored != (mode == strip && i % 2 == 1);
      const std::uint32_t a = corner(mode == fan ? 0 : i - 2), b = corner(i - 1), c = corner(i);
      made_.triangles.push_back(turned ? std::array{a, c, b} : std::array{a, b, c});
    }
  }

  JsonValue json_;
  std::string_view binary_;
  std::map<std::size_t, std::string> decoded_;
  std::size_t nodes_ = 0;
  Mesh made_;
};

}  // namespace

MeshOrProblem read_gltf(std::string_view content) {
  try {
    return {Gltf(content).run(), {}};
  } catch (const Problem& problem) {
    return {{}, problem.what()};
  }
}

}  // namespace mechfmu
