// Texts in a mechanism file: numbers without roundoff, angles in degrees if these are rounder,
// allowed names, tags.

#pragma once

#include <set>
#include <string>
#include <string_view>

#include "robots/robot.h"

namespace mechfmu::robots {

/// A number without the roundoff of rotations; `scale` is the size of the vector or matrix that
/// contains it.
std::string number(double x, double scale = 0);
std::string numbers(const Vec3& v, double scale = 0);
/// The three numbers, separated by commas.
std::string arguments(const Vec3& v);
/// An angle, in degrees if that is the rounder number.
std::string angle(double radians);
/// Angles about x, then y', then z'': R = R_x R_y R_z.
std::string rotation(const Mat3& R);
/// A text for an attribute.
std::string escaped(std::string_view text);
/// A text for a comment, in which two hyphens are not allowed.
std::string in_comment(std::string_view text);
/// The name with _ in place of forbidden characters.
std::string letters_and_digits(std::string_view name);

/// Allowed and unique names: other characters become _, a name that does not begin with a letter
/// gets the kind as prefix, and a name that is taken gets the kind, or a number, as suffix.
class Names {
 public:
  std::string unique(const std::string& wanted, const std::string& kind, const Place& place,
                     Robot& robot);
  bool is_taken(const std::string& name) const { return taken_.contains(name); }

 private:
  std::set<std::string> taken_ = {
      "ground", "time", "pi",   "e",      "g0",        "true",       "false",      "and",
      "or",     "not",  "if",   "energy", "mechanism", "table",      "sin",        "cos",
      "tan",    "asin", "acos", "atan",   "atan2",     "sinh",       "cosh",       "tanh",
      "exp",    "log",  "sqrt", "pow",    "abs",       "sign",       "floor",      "min",
      "max",    "step", "norm", "dot",    "cross",     "smooth_abs", "smooth_max", "smooth_min"};
};

/// <tag name="…" …/>, broken into lines if it is too long.
class Tag {
 public:
  explicit Tag(const std::string& tag) : line_("  <" + tag), indent_(tag.size() + 4, ' ') {}
  Tag& set(const std::string& name, const std::string& value) {
    const std::string word = " " + name + "=\"" + escaped(value) + "\"";
    if (line_.size() + word.size() > 118) {
      text_ += line_ + "\n";
      line_ = indent_.substr(1);
    }
    line_ += word;
    return *this;
  }
  std::string end() const { return text_ + line_ + "/>\n"; }

 private:
  std::string text_, line_, indent_;
};

}  // namespace mechfmu::robots
