// Numbers and words in the attributes of a robot's file. An invalid value becomes an error with its
// line and a default value.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model_desc/xml_tree.h"
#include "robots/robot.h"

namespace mechfmu::robots {

/// "joint 'elbow'", or "<joint>" without a name.
std::string label(const XmlNode& node);

const XmlNode* child(const XmlNode& node, std::string_view tag);
std::vector<const XmlNode*> children(const XmlNode& node, std::string_view tag);

/// Gives a shape the color with this red, green, blue and opacity from 0 to 1; none without
/// numbers.
void paint(Geom& geom, const std::vector<double>& rgba);

class Attributes {
 public:
  explicit Attributes(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// The finite numbers in a text; none, with an error, if it contains anything else or another
  /// count of numbers.
  std::vector<double> numbers(const XmlNode& node, const std::string& attribute,
                              const std::string& text, const Place& place, std::size_t least,
                              std::size_t most);

  std::optional<double> number(const XmlNode& node, std::string_view attribute);
  double number(const XmlNode& node, std::string_view attribute, double otherwise) {
    return number(node, attribute).value_or(otherwise);
  }
  std::optional<Vec3> vector(const XmlNode& node, std::string_view attribute);
  Vec3 vector(const XmlNode& node, std::string_view attribute, const Vec3& otherwise) {
    return vector(node, attribute).value_or(otherwise);
  }
  std::vector<double> list(const XmlNode& node, std::string_view attribute, std::size_t least,
                           std::size_t most);
  /// A direction of length 1.
  Vec3 direction(const XmlNode& node, std::string_view attribute, const Vec3& otherwise);
  std::string word(const XmlNode& node, std::string_view attribute,
                   std::string_view otherwise = {}) const;
  /// A required attribute; an empty text, with an error, if it is missing.
  std::string required(const XmlNode& node, std::string_view attribute);

  void error(const XmlNode& node, std::string message);
  void warning(const XmlNode& node, std::string message);

  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  Diagnostics& diagnostics_;
};

/// Roll, pitch and yaw about axes that do not turn: R = R_z R_y R_x.
Mat3 from_rpy(const Vec3& angles);
/// The rotation of a quaternion w x y z; the identity if it is zero.
Mat3 from_quaternion(double w, double x, double y, double z);

/// An inertia matrix from the order xx yy zz xy xz yz.
Mat3 inertia_matrix(double xx, double yy, double zz, double xy, double xz, double yz);
}  // namespace mechfmu::robots
