#include "scene/mesh.h"

#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>

#include "model_desc/text.h"

namespace mechfmu::scene {

namespace {

constexpr std::size_t most_triangles = 2'000'000;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw std::invalid_argument(file + " is not a mesh that can be read: " + why);
}

/// Points that are the same are one.
class Collector {
 public:
  explicit Collector(const std::string& file) { mesh.file = file; }
  std::uint32_t point(const std::array<float, 3>& p) {
    for (const float x : p)
      if (!std::isfinite(x)) refuse(mesh.file, "a coordinate is not a number");
    const auto [known, is_new] =
        places_.try_emplace(p, static_cast<std::uint32_t>(mesh.points.size()));
    if (is_new) mesh.points.push_back(p);
    return known->second;
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (mesh.triangles.size() >= most_triangles)
      refuse(mesh.file, "it has more than two million triangles");
    mesh.triangles.push_back({a, b, c});
  }
  Mesh mesh;

 private:
  std::map<std::array<float, 3>, std::uint32_t> places_;
};

/// The words of a text, line by line.
template <class Line>
void for_lines(std::string_view text, const Line& line) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::vector<std::string_view> words;
    for (std::size_t at = begin; at < end;) {
      const auto blank = [&](std::size_t i) {
        return text[i] == ' ' || text[i] == '\t' || text[i] == '\r';
      };
      while (at < end && blank(at)) ++at;
      const std::size_t from = at;
      while (at < end && !blank(at)) ++at;
      if (at > from) words.push_back(text.substr(from, at - from));
    }
    if (!words.empty()) line(words);
    begin = end + 1;
  }
}

std::array<float, 3> three(const std::vector<std::string_view>& words, const std::string& file) {
  std::array<float, 3> made{};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::optional<double> x =
        k + 1 < words.size() ? parse_number(words[k + 1]) : std::nullopt;
    if (!x) refuse(file, "a vertex has no three numbers");
    made[k] = static_cast<float>(*x);
  }
  return made;
}

Mesh read_obj(std::string_view content, const std::string& file) {
  Collector to(file);
  std::vector<std::uint32_t> points;
  for_lines(content, [&](const std::vector<std::string_view>& words) {
    if (words[0] == "v") points.push_back(to.point(three(words, file)));
    if (words[0] != "f") return;
    std::vector<std::uint32_t> corners;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::optional<double> number = parse_number(words[i].substr(0, words[i].find('/')));
      // from 1, or back from the last one
      const double at = !number       ? 0
                        : *number < 0 ? static_cast<double>(points.size()) + *number
                                      : *number - 1;
      if (!number || !(at >= 0 && at < static_cast<double>(points.size())))
        refuse(file, "a face has a vertex that is not there");
      corners.push_back(points[static_cast<std::size_t>(at)]);
    }
    for (std::size_t i = 2; i < corners.size(); ++i)
      to.triangle(corners[0], corners[i - 1], corners[i]);
  });
  return std::move(to.mesh);
}

Mesh read_stl(std::string_view content, const std::string& file) {
  Collector to(file);
  std::uint32_t count = 0;
  if (content.size() >= 84) std::memcpy(&count, content.data() + 80, 4);
  if (content.size() >= 84 && content.size() == 84 + 50 * static_cast<std::size_t>(count)) {
    for (std::uint32_t t = 0; t < count; ++t) {
      std::array<std::uint32_t, 3> corner{};
      for (std::size_t k = 0; k < 3; ++k) {
        std::array<float, 3> p{};
        std::memcpy(p.data(), content.data() + 84 + 50 * static_cast<std::size_t>(t) + 12 + 12 * k,
                    12);
        corner[k] = to.point(p);
      }
      to.triangle(corner[0], corner[1], corner[2]);
    }
    return std::move(to.mesh);
  }
  std::vector<std::uint32_t> corners;
  for_lines(content, [&](const std::vector<std::string_view>& words) {
    if (words[0] == "vertex") corners.push_back(to.point(three(words, file)));
    if (words[0] != "endloop") return;
    for (std::size_t i = 2; i < corners.size(); ++i)
      to.triangle(corners[0], corners[i - 1], corners[i]);
    corners.clear();
  });
  return std::move(to.mesh);
}

}  // namespace

Mesh read_mesh(std::string_view content, const std::string& file) {
  const auto ends_in = [&](std::string_view end) {
    return file.size() >= end.size() &&
           std::equal(end.begin(), end.end(), file.end() - static_cast<std::ptrdiff_t>(end.size()),
                      [](char a, char b) { return a == b || a == (b | 32); });
  };
  if (!ends_in(".stl") && !ends_in(".obj")) refuse(file, "its name has to end in .stl or .obj");
  Mesh made = ends_in(".obj") ? read_obj(content, file) : read_stl(content, file);
  if (made.triangles.empty()) refuse(file, "it has no triangles");
  return made;
}

}  // namespace mechfmu::scene
