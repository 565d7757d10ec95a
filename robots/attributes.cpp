#include "robots/attributes.h"

#include <algorithm>
#include <cmath>

#include "model_desc/text.h"

namespace mechfmu::robots {

std::string label(const XmlNode& node) {
  const Attribute* name = node.find("name");
  return name != nullptr ? node.tag + " " + in_quotes(plain_line(name->text, 80))
                         : "<" + node.tag + ">";
}

const XmlNode* child(const XmlNode& node, std::string_view tag) {
  const auto found = std::find_if(node.children.begin(), node.children.end(),
                                  [&](const XmlNode& c) { return c.tag == tag; });
  return found == node.children.end() ? nullptr : &*found;
}

std::vector<const XmlNode*> children(const XmlNode& node, std::string_view tag) {
  std::vector<const XmlNode*> found;
  for (const XmlNode& c : node.children)
    if (c.tag == tag) found.push_back(&c);
  return found;
}

void paint(Geom& geom, const std::vector<double>& rgba) {
  if (rgba.size() < 3) return;
  constexpr std::string_view digits = "0123456789abcdef";
  geom.color = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    const auto byte = static_cast<std::size_t>(std::lround(255 * std::clamp(rgba[i], 0.0, 1.0)));
    geom.color += {digits[byte / 16], digits[byte % 16]};
  }
  if (rgba.size() > 3) geom.opacity = std::clamp(rgba[3], 0.0, 1.0);
}

std::vector<double> Attributes::numbers(const XmlNode& node, const std::string& attribute,
                                        const std::string& text, const Place& place,
                                        std::size_t least, std::size_t most) {
  std::vector<double> values;
  const std::string_view all = text;
  const auto complain = [&](const std::string& message) {
    diagnostics_.error(place, label(node), attribute,
                       attribute + "=\"" + plain_line(all, 60) + "\": " + message);
    return std::vector<double>();
  };
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t begin = all.find_first_not_of(" \t\r\n", at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(all.find_first_of(" \t\r\n", begin), all.size());
    const std::optional<double> value = parse_number(all.substr(begin, end - begin));
    if (!value || !std::isfinite(*value))
      return complain("'" + plain_line(all.substr(begin, end - begin), 30) + "' is not a number");
    values.push_back(*value);
    if (values.size() > most) break;
    at = end;
  }
  if (values.size() < least || values.size() > most)
    return complain(
        least == most
            ? std::to_string(least) + (least == 1 ? " number is" : " numbers are") + " expected"
            : std::to_string(least) + " to " + std::to_string(most) + " numbers are expected");
  return values;
}

std::vector<double> Attributes::list(const XmlNode& node, std::string_view attribute,
                                     std::size_t least, std::size_t most) {
  const Attribute* found = node.find(attribute);
  if (found == nullptr) return {};
  return numbers(node, found->name, found->text, found->place, least, most);
}

std::optional<double> Attributes::number(const XmlNode& node, std::string_view attribute) {
  const std::vector<double> values = list(node, attribute, 1, 1);
  return values.empty() ? std::nullopt : std::optional(values[0]);
}

std::optional<Vec3> Attributes::vector(const XmlNode& node, std::string_view attribute) {
  const std::vector<double> values = list(node, attribute, 3, 3);
  return values.empty() ? std::nullopt : std::optional(Vec3(values[0], values[1], values[2]));
}

Vec3 Attributes::direction(const XmlNode& node, std::string_view attribute, const Vec3& otherwise) {
  const Vec3 given = vector(node, attribute, otherwise);
  const double length = given.norm();
  if (length > 0) return given / length;
  error(node, std::string(attribute) + " has length zero; give a direction such as 0 0 1");
  return Vec3::UnitZ();
}

std::string Attributes::word(const XmlNode& node, std::string_view attribute,
                             std::string_view otherwise) const {
  const Attribute* found = node.find(attribute);
  return std::string(found == nullptr ? otherwise : trimmed(found->text));
}

std::string Attributes::required(const XmlNode& node, std::string_view attribute) {
  std::string found = word(node, attribute);
  if (found.empty()) error(node, "the attribute " + std::string(attribute) + " is missing");
  return found;
}

void Attributes::error(const XmlNode& node, std::string message) {
  diagnostics_.error(node.place, label(node), {}, std::move(message));
}

void Attributes::warning(const XmlNode& node, std::string message) {
  diagnostics_.warning(node.place, label(node), {}, std::move(message));
}

Mat3 from_rpy(const Vec3& angles) {
  using Eigen::AngleAxisd;
  return (AngleAxisd(angles.z(), Vec3::UnitZ()) * AngleAxisd(angles.y(), Vec3::UnitY()) *
          AngleAxisd(angles.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

Mat3 from_quaternion(double w, double x, double y, double z) {
  const Eigen::Quaterniond q(w, x, y, z);
  return q.norm() > 0 ? q.normalized().toRotationMatrix() : Mat3(Mat3::Identity());
}

Mat3 inertia_matrix(double xx, double yy, double zz, double xy, double xz, double yz) {
  Mat3 J;
  J << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return J;
}

}  // namespace mechfmu::robots
