// Words of a mechanism file: numbers without roundoff, angles in degrees where they are rounder, names that are allowed, tags.

#pragma once

#include <set>
#include <string>
#include <string_view>

#include "robots/robot.h"

namespace mechfmu::robots {

/// A number without the roundoff of turning frames; `scale` is the size of what it is a part of.
std::string number(double x, double scale = 0);
std::string numbers(const Vec3& v, double scale = 0);
/// The same with commas.
std::string arguments(const Vec3& v);
/// In degrees where that is the rounder number.
std::string angle(double radians);
/// Angles about x, then y', then z'': R = R_x R_y R_z.
std::string rotation(const Mat3& R);
/// In an attribute.
std::string escaped(std::string_view text);
/// In a comment, which two hyphens would end.
std::string in_comment(std::string_view text);
/// With _ in place of what names cannot have.
std::string letters_and_digits(std::string_view name);

/// Names that the format allows and nothing else has: other characters become _, a name that begins with none gets the kind before it, and one
/// that is taken already gets the kind, or a number, behind it.
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

/// <tag name="…" …/>, broken where it gets too long.
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
