// From a robot to the text of a mechanism file:
//
//   link                 <body>, placed in the world with all coordinates at zero
//   joint                <joint>, with <friction> for damping and dry friction, <spring>, <stop> for limits
//   rotor of a motor     a body that turns as the joint does: ½ I q'² more, which is what armature means
//   mimic, equality      <coupling>
//   actuator             <input> with <torque> or <force> along the joint
//   sensor               <output>
//   shapes on a plane    <contact> of spheres and points
//   shapes to see        <look>

#include "robots/write.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "model/format.h"
#include "model_desc/text.h"
#include "robots/loops.h"

namespace mechfmu::robots {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double roundoff = 1e-15;

/// A number without the roundoff of turning frames; `scale` is the size of what it is a part of.
std::string number(double x, double scale = 0) {
  if (std::abs(x) <= roundoff * std::max(scale, 1e-3)) return "0";
  const double rounded = parse_number(format(x, 15)).value_or(x);
  return tidy(std::abs(rounded - std::round(rounded)) <= roundoff * std::abs(rounded)
                  ? std::round(rounded)
                  : rounded);
}

std::string numbers(const Vec3& v, double scale = 0) {
  const double size = std::max(scale, v.cwiseAbs().maxCoeff());
  return number(v.x(), size) + " " + number(v.y(), size) + " " + number(v.z(), size);
}

std::string arguments(const Vec3& v) {
  const double size = v.cwiseAbs().maxCoeff();
  return number(v.x(), size) + ", " + number(v.y(), size) + ", " + number(v.z(), size);
}

/// In degrees where that is the rounder number.
std::string angle(double radians) {
  const double degrees = radians * 180 / pi;
  const double rounded = std::round(degrees * 100) / 100;
  if (std::abs(degrees) < 1e-13) return "0";
  if (std::abs(degrees - rounded) < 1e-13 * std::max(1.0, std::abs(degrees)))
    return tidy(rounded) + "deg";
  return number(radians, 1);
}

/// Angles about x, then y', then z'': R = R_x R_y R_z.
Vec3 cardan(const Mat3& R) {
  const double z = std::atan2(-R(0, 1), R(0, 0));
  // What is left is R_x R_y, also where x and z turn about the same axis and z is anything.
  const Mat3 left = R * Eigen::AngleAxisd(-z, Vec3::UnitZ()).toRotationMatrix();
  return {std::atan2(left(2, 1), left(1, 1)), std::atan2(left(0, 2), left(0, 0)), z};
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

/// In a comment, which two hyphens would end.
std::string in_comment(std::string_view text) {
  std::string made;
  for (const char c : plain_line(text)) {
    if (c == '-' && !made.empty() && made.back() == '-') made += ' ';
    made += c;
  }
  return made;
}

/// Names that the format allows and nothing else has: other characters become _, a name that begins with none gets the kind before it, and one
/// that is taken already gets the kind, or a number, behind it.
class Names {
 public:
  std::string unique(const std::string& wanted, const std::string& kind, const Place& place,
                     Robot& robot) {
    std::string name;
    for (const char c : wanted) name += is_letter(c) || is_digit(c) || c == '_' ? c : '_';
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

class Writer {
 public:
  Writer(Robot& robot, bool with_looks) : robot_(robot), with_looks_(with_looks) {}

  std::string text(const std::string& from) {
    name_all();
    for (const Joint& joint : robot_.joints) has_loops_ = has_loops_ || joint.closes_loop;
    groups_ = loop_groups(robot_);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j)
      if (!robot_.joints[j].start.empty()) started_.insert(groups_[j]);
    for (std::size_t i = 0; i < robot_.links.size(); ++i) body(i);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) joint(j);
    mimics();
    for (const Coupling& coupling : robot_.couplings) couple(coupling);
    for (const Actuator& actuator : robot_.actuators) actuate(actuator);
    contacts();
    if (with_looks_) looks();
    outputs();

    std::string made = head(from);
    made += "<mechanism name=\"" + model_name() + "\" gravity=\"" + numbers(robot_.gravity) + "\"" +
            " about=\"" + escaped(robot_.name + ", from " + from) + "\">\n";
    made += parameters_;
    const std::pair<const char*, const std::string*> parts[] = {
        {"Inputs", &inputs_},
        {"Links", &bodies_},
        {"Joints", &joints_},
        {"Springs, friction and limits", &along_},
        {"Rotors of motors: they turn as their joints do", &rotors_},
        {"Couplings", &couplings_},
        {"Motors", &motors_},
        {"Contacts", &contacts_},
        {"Appearance", &looks_},
        {"Outputs", &outputs_}};
    for (const auto& [title, part] : parts)
      if (!part->empty()) made += "\n  <!-- " + std::string(title) + " -->\n" + *part;
    return made + "\n  <experiment stop=\"1\" step=\"1e-3\"/>\n</mechanism>\n";
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::string body_name(int link) const { return link == world ? "ground" : links_[at(link)]; }
  Pose pose_of(int link) const { return link == world ? Pose() : robot_.links[at(link)].pose; }

  std::string model_name() const {
    std::string name;
    for (const char c : robot_.name) name += is_letter(c) || is_digit(c) || c == '_' ? c : '_';
    if (name.empty() || !is_letter(name.front())) name = "Robot" + name;
    return name;
  }

  std::string head(const std::string& from) const {
    std::string made = "<!-- " + in_comment(from) + ", a " + robot_.format +
                       " file, as mechfmu import reads it.\n";
    for (const std::string& note : robot_.notes) made += "     " + in_comment(note) + "\n";
    if (!robot_.remarks.empty()) made += "     Not as in that file:\n";
    for (const Remark& remark : robot_.remarks)
      made += "       line " + std::to_string(remark.place.line) + ": " +
              in_comment(remark.element + ": " + remark.message) + "\n";
    return made.substr(0, made.size() - 1) + " -->\n";
  }

  void name_all() {
    for (const Link& link : robot_.links)
      links_.push_back(names_.unique(link.name, "link", link.place, robot_));
    for (const Joint& joint : robot_.joints)
      joint_names_.push_back(names_.unique(joint.name, "joint", joint.place, robot_));
  }

  void body(std::size_t i) {
    const Link& link = robot_.links[i];
    const Mat3& J = link.inertial.inertia;
    double size = J.cwiseAbs().maxCoeff();
    if (size < 1e-14 * link.inertial.mass) size = 0;  // roundoff of a point mass
    Tag tag("body");
    tag.set("name", links_[i]).set("at", numbers(link.pose.t, 1));
    if (!link.pose.R.isIdentity(1e-12)) tag.set("rotation", rotation(link.pose.R));
    tag.set("mass", number(link.inertial.mass));
    if (!link.inertial.centre.isZero(1e-15)) tag.set("centre", numbers(link.inertial.centre));
    if (size > 0) {
      std::string moments = numbers(J.diagonal(), size);
      if (std::max({std::abs(J(0, 1)), std::abs(J(0, 2)), std::abs(J(1, 2))}) > roundoff * size)
        moments += " " + numbers({J(0, 1), J(0, 2), J(1, 2)}, size);
      tag.set("inertia", moments);
    }
    if (link.free) tag.set("free", "true");
    bodies_ += tag.end();
  }

  /// The text of the coordinate of a joint as the robot's file counts it.
  std::string coordinate(int j) const {
    const Joint& joint = robot_.joints[at(j)];
    std::string q = placed(j);
    if (joint.zero == 0) return q;
    return q + (joint.zero > 0 ? " + " : " - ") + number(std::abs(joint.zero));
  }
  /// The same, zero where links are placed.
  std::string placed(int j) const {
    return joint_names_[at(j)] + (robot_.joints[at(j)].turns() ? ".angle" : ".displacement");
  }
  std::string rate(int j) const { return joint_names_[at(j)] + ".rate"; }

  void joint(std::size_t j) {
    const Joint& joint = robot_.joints[j];
    const std::string& name = joint_names_[j];
    const auto value = [&](double q) { return joint.turns() ? angle(q) : number(q); };
    Tag tag("joint");
    tag.set("name", name)
        .set("type", robots::text(joint.type))
        .set("between", body_name(joint.parent) + " " + body_name(joint.child));
    tag.set("at", numbers(joint.point, 1));
    if (joint.type != JointType::spherical && joint.type != JointType::fixed)
      tag.set("axis", numbers(joint.axis));
    if (joint.to) tag.set("to", numbers(*joint.to, 1));
    if (joint.type == JointType::universal) tag.set("axis2", numbers(joint.axis2));
    if (joint.type == JointType::screw) tag.set("pitch", number(joint.pitch));
    std::string start = joint.start;
    if (start.empty() && joint.has_coordinate() &&
        !joint.closes_loop) {  // a position that its limits allow
      if (joint.lower && *joint.lower > joint.zero) start = value(*joint.lower);
      if (joint.upper && *joint.upper < joint.zero) start = value(*joint.upper);
      const bool follows = !start.empty() && groups_[j] >= 0 && !started_.insert(groups_[j]).second;
      if (!start.empty())
        robot_.remarks.push_back({joint.place, "joint " + in_quotes(joint.name),
                                  follows
                                      ? "zero is beyond its limit, " + start +
                                            "; it starts where another joint of its loop makes it"
                                      : "starts at its limit, " + start + ": zero is beyond it"});
      if (follows) start.clear();
    }
    if (!start.empty() && joint.zero != 0)
      start += (joint.zero > 0 ? " - " : " + ") + value(std::abs(joint.zero));
    if (!start.empty()) tag.set(joint.turns() ? "angle" : "displacement", start);
    joints_ += tag.end();
    if (!joint.has_coordinate()) return;

    if (joint.damping > 0 || joint.friction > 0) {
      Tag friction("friction");
      friction.set("name", names_.unique(name + "_friction", "friction", {}, robot_))
          .set("joint", name);
      if (joint.damping > 0) friction.set("viscous", number(joint.damping));
      if (joint.friction > 0) friction.set("coulomb", number(joint.friction));
      along_ += friction.end();
    }
    if (joint.stiffness > 0)
      along_ += Tag("spring")
                    .set("name", names_.unique(name + "_spring", "spring", {}, robot_))
                    .set("joint", name)
                    .set("stiffness", number(joint.stiffness))
                    .set("length", value(joint.spring_at - joint.zero))
                    .end();
    if (joint.lower || joint.upper) {
      const char* stiffness = joint.turns() ? "limit_torsion" : "limit_stiffness";
      if (!names_.is_taken(stiffness)) {
        names_.unique(stiffness, "parameter", {}, robot_);
        parameters_ += Tag("parameter")
                           .set("name", stiffness)
                           .set("value", joint.turns() ? "1e4" : "1e6")
                           .set("unit", joint.turns() ? "N.m/rad" : "N/m")
                           .set("min", "0")
                           .set("about", std::string("stiffness of the limits of joints that ") +
                                             (joint.turns() ? "turn" : "slide"))
                           .end();
      }
      Tag stop("stop");
      stop.set("name", names_.unique(name + "_limits", "stop", {}, robot_)).set("joint", name);
      if (joint.lower) stop.set("lower", value(*joint.lower - joint.zero));
      if (joint.upper) stop.set("upper", value(*joint.upper - joint.zero));
      along_ += stop.set("stiffness", stiffness).set("damping", "0.5").set("exponent", "1").end();
    }
    if (joint.armature > 0) rotor(j);
  }

  void rotor(std::size_t j) {
    const Joint& joint = robot_.joints[j];
    const std::string& name = joint_names_[j];
    const std::string body = names_.unique(name + "_rotor", "body", {}, robot_);
    const std::string bearing = names_.unique(name + "_bearing", "joint", {}, robot_);
    const std::string I = number(joint.armature);
    Tag made("body");
    made.set("name", body).set("at", numbers(joint.point, 1));
    if (joint.turns())
      made.set("mass", "0").set("inertia", I + " " + I + " " + I);
    else
      made.set("mass", I);
    // A rotor that slides does so across gravity, which then does no work on it.
    Vec3 axis = joint.axis;
    if (!joint.turns()) {
      const Vec3 down =
          robot_.gravity.norm() > 0 ? Vec3(robot_.gravity.normalized()) : Vec3(-Vec3::UnitZ());
      axis = std::abs(down.x()) < 0.9 ? down.cross(Vec3::UnitX()).normalized()
                                      : down.cross(Vec3::UnitY()).normalized();
    }
    rotors_ += made.end();
    if (with_looks_)  // a rotor is in its motor
      looks_ += Tag("look").set("body", body).set("sphere", "0.01").set("opacity", "0").end();
    rotors_ += Tag("joint")
                   .set("name", bearing)
                   .set("type", joint.turns() ? "revolute" : "prismatic")
                   .set("between", "ground " + body)
                   .set("at", numbers(joint.point, 1))
                   .set("axis", numbers(axis))
                   .end();
    rotors_ += Tag("coupling")
                   .set("name", names_.unique(name + "_shaft", "coupling", {}, robot_))
                   .set("of", name + " " + bearing)
                   .set("factors", "1 -1")
                   .end();
  }

  void mimics() {
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const Joint& joint = robot_.joints[j];
      if (!joint.mimic) continue;
      const auto followed =
          std::find_if(robot_.joints.begin(), robot_.joints.end(),
                       [&](const Joint& other) { return other.name == joint.mimic->joint; });
      if (followed == robot_.joints.end() || !joint.has_coordinate() ||
          !followed->has_coordinate()) {
        robot_.remarks.push_back({joint.place, "joint " + in_quotes(joint.name),
                                  "mimics a joint without a coordinate, which is left out"});
        continue;
      }
      couple({.name = joint.name + "_mimic",
              .a = static_cast<int>(j),
              .b = static_cast<int>(followed - robot_.joints.begin()),
              .c = {joint.mimic->offset, joint.mimic->multiplier, 0, 0, 0}});
    }
  }

  void couple(const Coupling& coupling) {
    Tag tag("coupling");
    tag.set("name", names_.unique(coupling.name, "coupling", coupling.place, robot_));
    if (coupling.b < 0) {
      tag.set("of", joint_names_[at(coupling.a)])
          .set("factors", "1")
          .set("constant", number(coupling.c[0]));
    } else if (coupling.c[2] == 0 && coupling.c[3] == 0 && coupling.c[4] == 0) {
      tag.set("of", joint_names_[at(coupling.a)] + " " + joint_names_[at(coupling.b)])
          .set("factors", "1 " + number(-coupling.c[1]));
      if (coupling.c[0] != 0) tag.set("constant", number(coupling.c[0]));
    } else {
      const std::string q = placed(coupling.b);
      std::string value = placed(coupling.a) + " - (" + number(coupling.c[0]);
      for (std::size_t k = 1; k < 5; ++k)
        if (coupling.c[k] != 0)
          value += " + " + number(coupling.c[k]) + "*" + q + (k > 1 ? "^" + std::to_string(k) : "");
      tag.set("value", value + ")");
    }
    couplings_ += tag.end();
  }

  void actuate(const Actuator& actuator) {
    const Joint& joint = robot_.joints[at(actuator.joint)];
    const bool turns = joint.turns();
    const std::string input = names_.unique(actuator.name, "input", actuator.place, robot_);
    const char* unit = !actuator.is_target ? (turns ? "N.m" : "N")
                       : actuator.of_rate  ? (turns ? "rad/s" : "m/s")
                                           : (turns ? "rad" : "m");
    Tag tag("input");
    tag.set("name", input).set("unit", unit);
    if (actuator.least) tag.set("min", number(*actuator.least));
    if (actuator.most) tag.set("max", number(*actuator.most));
    if (!actuator.about.empty()) tag.set("about", actuator.about);
    inputs_ += tag.end();

    const auto times = [](double factor, const std::string& what) {
      return factor == 1 ? what : factor == -1 ? "-" + what : number(factor) + "*" + what;
    };
    std::string value = actuator.gain != 0 ? times(actuator.gain, input) : "";
    const auto add = [&](double factor, const std::string& what) {
      if (factor == 0) return;
      const std::string term =
          what.empty() ? number(std::abs(factor)) : times(std::abs(factor), what);
      value += value.empty() ? (factor < 0 ? "-" : "") + term : (factor < 0 ? " - " : " + ") + term;
    };
    const std::string q = coordinate(actuator.joint);
    add(actuator.bias[0], "");
    add(actuator.bias[1] * actuator.gear, q.find(' ') == std::string::npos ? q : "(" + q + ")");
    add(actuator.bias[2] * actuator.gear, rate(actuator.joint));
    if (actuator.most_force) value = "min(" + value + ", " + number(*actuator.most_force) + ")";
    if (actuator.least_force) value = "max(" + value + ", " + number(*actuator.least_force) + ")";
    const bool simple = value.find(' ') == std::string::npos && value.front() != '-';
    if (actuator.gear != 1)
      value = number(actuator.gear) + "*" + (simple ? value : "(" + value + ")");
    motors_ += Tag(turns ? "torque" : "force")
                   .set("name", names_.unique(joint_names_[at(actuator.joint)] + "_motor", "motor",
                                              {}, robot_))
                   .set("joint", joint_names_[at(actuator.joint)])
                   .set("value", value)
                   .end();
  }

  /// Spheres and points of links on planes of the ground.
  void contacts() {
    std::size_t others = 0, shapes = 0, obstacles = 0;
    double mass = 0;
    for (const Link& link : robot_.links) mass += link.inertial.mass;
    for (const Geom& plane : robot_.ground) {
      if (!plane.collides) continue;
      if (plane.kind != GeomKind::plane) {
        ++obstacles;
        continue;
      }
      for (std::size_t i = 0; i < robot_.links.size(); ++i)
        for (const Geom& geom : robot_.links[i].geoms)
          if (geom.collides) touch(i, geom, plane, mass);
    }
    for (const Link& link : robot_.links)
      for (const Geom& geom : link.geoms) {
        shapes += geom.collides ? 1 : 0;
        others +=
            geom.collides && (geom.kind == GeomKind::mesh || geom.kind == GeomKind::cylinder ||
                              geom.kind == GeomKind::ellipsoid)
                ? 1
                : 0;
      }
    if (shapes > 1) robot_.notes.emplace_back("links do not touch each other here");
    if (obstacles > 0)
      robot_.notes.push_back(std::to_string(obstacles) +
                             " shapes of the ground that are not planes are not touched here");
    if (others > 0 && !contacts_.empty())
      robot_.notes.push_back(std::to_string(others) +
                             " meshes, cylinders and ellipsoids do not touch the ground here");
  }

  void touch(std::size_t i, const Geom& geom, const Geom& plane, double mass) {
    struct Ball {
      Vec3 centre;
      double radius;
    };
    std::vector<Ball> balls;
    const Pose pose = robot_.links[i].pose * geom.pose;
    if (geom.kind == GeomKind::sphere) balls.push_back({pose.t, geom.size.x()});
    if (geom.kind == GeomKind::capsule)
      for (const double end : {-0.5, 0.5})
        balls.push_back({pose * Vec3(0, 0, end * geom.size.y()), geom.size.x()});
    if (geom.kind == GeomKind::box)
      for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
          for (const double z : {-0.5, 0.5})
            balls.push_back({pose * geom.size.cwiseProduct(Vec3(x, y, z)), 0});
    if (balls.empty()) return;
    if (!names_.is_taken("contact_stiffness")) {
      names_.unique("contact_stiffness", "parameter", {}, robot_);
      // A millimetre deep where four contacts carry the weight.
      const double k = std::max(mass, 1e-3) * std::max(robot_.gravity.norm(), 1.0) / 4 / 1e-3;
      parameters_ += Tag("parameter")
                         .set("name", "contact_stiffness")
                         .set("value", tidy(parse_number(format(k, 2)).value_or(k)))
                         .set("unit", "N/m")
                         .set("min", "0")
                         .set("about", "stiffness of contacts with the ground")
                         .end();
    }
    for (const Ball& ball : balls) {
      Tag tag("contact");
      tag.set("name", names_.unique((geom.name.empty() ? links_[i] : geom.name) + "_contact" +
                                        std::to_string(++touching_[i]),
                                    "contact", {}, robot_))
          .set("between", "ground " + links_[i])
          .set("centre", numbers(ball.centre, 1));
      if (ball.radius > 0) tag.set("radius", number(ball.radius));
      tag.set("at", numbers(plane.pose.t, 1))
          .set("axis", numbers(plane.pose.R.col(2)))
          .set("stiffness", "contact_stiffness")
          .set("exponent", "1")
          .set("damping", "0.5");
      if (const double mu = std::max(geom.friction, plane.friction); mu > 0)
        tag.set("friction", number(mu));
      contacts_ += tag.end();
    }
  }

  void looks() {
    for (std::size_t i = 0; i < robot_.links.size(); ++i)
      for (const Geom* geom : drawn(robot_.links[i].geoms)) look(links_[i], *geom);
    for (const Geom* geom :
         drawn(robot_.ground))  // planes that are touched are drawn with the contacts
      if (geom->kind != GeomKind::plane || contacts_.empty()) look("", *geom);
  }

  void look(const std::string& body, const Geom& geom) {
    Tag tag("look");
    if (!body.empty()) tag.set("body", body);
    const std::string two = number(geom.size.x()) + " " + number(geom.size.y());
    switch (geom.kind) {
      case GeomKind::box: tag.set("box", numbers(geom.size)); break;
      case GeomKind::sphere: tag.set("sphere", number(geom.size.x())); break;
      case GeomKind::cylinder: tag.set("cylinder", two); break;
      case GeomKind::capsule: tag.set("capsule", two); break;
      case GeomKind::ellipsoid: tag.set("ellipsoid", numbers(geom.size)); break;
      case GeomKind::plane: {  // an endless one is drawn around the robot
        double size = 1;
        for (const Link& link : robot_.links) size = std::max(size, 2 * link.pose.t.norm());
        tag.set("plane", geom.size.x() > 0 && geom.size.y() > 0
                             ? two
                             : number(std::ceil(size)) + " " + number(std::ceil(size)));
        break;
      }
      case GeomKind::mesh: {
        tag.set("file", geom.file.generic_string());
        if (geom.scale.x() != 1) tag.set("scale", number(geom.scale.x()));
        break;
      }
    }
    if (!geom.pose.t.isZero(1e-15)) tag.set("at", numbers(geom.pose.t));
    if (!geom.pose.R.isIdentity(1e-12)) tag.set("rotation", rotation(geom.pose.R));
    if (!body.empty()) tag.set("local", "true");
    if (!geom.color.empty()) tag.set("color", geom.color);
    if (geom.opacity < 1) tag.set("opacity", number(geom.opacity));
    looks_ += tag.end();
  }

  void output(const std::string& name, const std::string& value, const char* unit) {
    std::string unique = name;
    for (int i = 2; !output_names_.insert(unique).second; ++i)
      unique = name + "_" + std::to_string(i);
    outputs_ += Tag("output").set("name", unique).set("value", value).set("unit", unit).end();
  }

  void outputs() {
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const Joint& joint = robot_.joints[j];
      if (!joint.has_coordinate()) continue;
      output(joint_names_[j] + (joint.turns() ? ".angle" : ".displacement"),
             coordinate(static_cast<int>(j)), joint.turns() ? "rad" : "m");
    }
    for (const Sensor& sensor : robot_.sensors) sense(sensor);
  }

  void sense(const Sensor& sensor) {
    std::string name;
    for (const char c : sensor.name) name += is_letter(c) || is_digit(c) || c == '_' ? c : '_';
    if (name.empty() || !is_letter(name.front())) name = "sensor_" + name;
    const auto point = [&] {
      const std::string body = body_name(sensor.index);
      return sensor.pose.t.isZero(1e-14) ? body : body + ".point(" + arguments(sensor.pose.t) + ")";
    };
    const auto local = [&](const std::string& vector) {  // its components along the sensor's axes
      std::string made = "[";
      for (int k = 0; k < 3; ++k) {
        std::string axis;
        for (int i = 0; i < 3; ++i) {
          const double part = sensor.pose.R(i, k);
          if (std::abs(part) < 1e-12) continue;
          const std::string own = body_name(sensor.index) + "." + "xyz"[i] + "_axis";
          const std::string size =
              std::abs(std::abs(part) - 1) < 1e-12 ? own : number(std::abs(part)) + "*" + own;
          axis += axis.empty() ? (part < 0 ? "-" : "") + size : (part < 0 ? " - " : " + ") + size;
        }
        made += k > 0 ? ", dot(" : "dot(";
        made += vector;
        made += ", ";
        made += axis;
        made += ")";
      }
      return made + "]";
    };
    if (sensor.index == world) {
      robot_.remarks.push_back({sensor.place, "sensor " + in_quotes(sensor.name),
                                "stands on the ground, and is left out"});
      return;
    }
    switch (sensor.kind) {
      case SensorKind::joint_position:
        return output(name, coordinate(sensor.index),
                      robot_.joints[at(sensor.index)].turns() ? "rad" : "m");
      case SensorKind::joint_velocity:
        return output(name, rate(sensor.index),
                      robot_.joints[at(sensor.index)].turns() ? "rad/s" : "m/s");
      case SensorKind::position: return output(name, point() + ".position", "m");
      case SensorKind::velocity: return output(name, point() + ".velocity", "m/s");
      case SensorKind::local_velocity: return output(name, local(point() + ".velocity"), "m/s");
      case SensorKind::angular_velocity:
        return output(name, body_name(sensor.index) + ".angular_velocity", "rad/s");
      case SensorKind::local_angular_velocity:
        return output(name, local(body_name(sensor.index) + ".angular_velocity"), "rad/s");
      case SensorKind::local_acceleration:
        return output(name,
                      local("(" + point() + ".acceleration - [" + arguments(robot_.gravity) + "])"),
                      "m/s2");
      case SensorKind::quaternion: {
        if (!sensor.pose.R.isIdentity(1e-12)) {
          robot_.remarks.push_back(
              {sensor.place, "sensor " + in_quotes(sensor.name),
               "is turned against its link, and is left out; the link's quaternion is at hand"});
          return;
        }
        for (const char* part : {"w", "x", "y", "z"})
          output(name + "." + part, body_name(sensor.index) + ".quaternion_" + part, "1");
        return;
      }
    }
  }

  Robot& robot_;
  bool has_loops_ = false, with_looks_;
  Names names_;
  std::vector<std::string> links_, joint_names_;
  std::vector<int> groups_;              // of loops, for each joint
  std::set<int> started_;                // groups with a joint whose start is given
  std::map<std::size_t, int> touching_;  // contacts of each link
  std::set<std::string> output_names_;
  std::string parameters_, inputs_, bodies_, joints_, along_, rotors_, couplings_, motors_,
      contacts_, looks_, outputs_;
};

}  // namespace

std::vector<Geom*> drawn(std::vector<Geom>& geoms) {
  std::vector<Geom*> found;
  for (const bool visible : {true, false}) {
    for (Geom& geom : geoms)
      if (geom.visible == visible && geom.opacity > 0 &&
          (geom.kind == GeomKind::mesh ? !geom.file.empty()
                                       : geom.kind == GeomKind::plane || geom.size.x() > 0))
        found.push_back(&geom);
    if (!found.empty()) break;
  }
  return found;
}

std::string mechanism_file(Robot& robot, const std::string& from, bool with_looks) {
  return Writer(robot, with_looks).text(from);
}

}  // namespace mechfmu::robots
