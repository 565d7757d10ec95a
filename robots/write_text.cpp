#include "robots/write_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/format.h"
#include "model_desc/text.h"

namespace mechfmu::robots {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double roundoff = 1e-15;

/// Angles about x, then y', then z'': R = R_x R_y R_z.
Vec3 cardan(const Mat3& R) {
  const double z = std::atan2(-R(0, 1), R(0, 0));
  // The rest is R_x R_y, also if x and z turn about the same axis and z is arbitrary.
  const Mat3 left = R * Eigen::AngleAxisd(-z, Vec3::UnitZ()).toRotationMatrix();
  return {std::atan2(left(2, 1), left(1, 1)), std::atan2(left(0, 2), left(0, 0)), z};
}

}  // namespace

std::string number(double x, double scale) {
  if (std::abs(x) <= roundoff * std::max(scale, 1e-3)) return "0";
  const double rounded = parse_number(format(x, 15)).value_or(x);
  return tidy(std::abs(rounded - std::round(rounded)) <= roundoff * std::abs(rounded)
                  ? std::round(rounded)
                  : rounded);
}

std::string numbers(const Vec3& v, double scale) {
  const double size = std::max(scale, v.cwiseAbs().maxCoeff());
  return number(v.x(), size) + " " + number(v.y(), size) + " " + number(v.z(), size);
}

std::string arguments(const Vec3& v) {
  const double size = v.cwiseAbs().maxCoeff();
  return number(v.x(), size) + ", " + number(v.y(), size) + ", " + number(v.z(), size);
}

std::string angle(double radians) {
  const double degrees = radians * 180 / pi;
  const double rounded = std::round(degrees * 100) / 100;
  if (std::abs(degrees) < 1e-13) return "0";
  if (std::abs(degrees - rounded) < 1e-13 * std::max(1.0, std::abs(degrees)))
    return tidy(rounded) + "deg";
  return number(radians, 1);
}

std::string rotation(const Mat3& R) {
  const Vec3 angles = cardan(R);
  return angle(angles.x()) + " " + angle(angles.y()) + " " + angle(angles.z());
}

std::string escaped(std::string_view text) {
  std::string made;
  for (const char c : plain_line(text)) switch (c) {
      case '&': made += "&amp;"; break;
      case '<': made += "&lt;"; break;
      case '>': made += "&gt;"; break;
      case '"': made += "&quot;"; break;
      default: made += c;
    }
  return made;
}

std::string in_comment(std::string_view text) {
  std::string made;
  for (const char c : plain_line(text)) {
    if (c == '-' && !made.empty() && made.back() == '-') made += ' ';
    made += c;
  }
  return made;
}

std::string letters_and_digits(std::string_view name) {
  std::string made;
  for (const char c : name) made += is_letter(c) || is_digit(c) || c == '_' ? c : '_';
  return made;
}

std::string Names::unique(const std::string& wanted, const std::string& kind, const Place& place,
                          Robot& robot) {
  std::string name = letters_and_digits(wanted);
  if (name.empty()) name = kind;
  if (!is_letter(name.front())) name = kind + (name.front() == '_' ? "" : "_") + name;
  if (!taken_.insert(name).second) {
    const std::string base = name + "_" + kind;
    name = base;
    for (int i = 2; !taken_.insert(name).second; ++i) name = base + std::to_string(i);
  }
  if (name != wanted && !wanted.empty() && place.line > 0)
    robot.remarks.push_back({place, kind + " " + in_quotes(plain_line(wanted, 80)),
                             "is called " + name + " in the mechanism file"});
  return name;
}
}  // namespace mechfmu::robots
