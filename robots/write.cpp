// From a robot to the text of a mechanism file:
//
//   link               <body>, placed in the world with all coordinates at zero
//   joint              <joint>, with <friction> (also damping), <spring>, and <stop> for limits
//   rotor of a motor   a body that turns with the joint: armature, additional energy ½ I q'²
//   mimic, equality    <coupling>
//   actuator           <input> with <torque> or <force> along the joint
//   sensor             <output>
//   shapes on a plane  <contact> of spheres and points
//   shapes to see      <look>

#include "robots/write.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/format.h"
#include "model_desc/text.h"
#include "robots/group_names.h"
#include "robots/loops.h"
#include "robots/repeats.h"
#include "robots/write_text.h"

namespace mechfmu::robots {

namespace {

constexpr double roundoff = 1e-15;

class Writer {
 public:
  Writer(Robot& robot, const WriteOptions& options) : robot_(robot), options_(options) {}

  std::string text(const std::string& from) {
    name_all();
    starts();
    if (options_.groups) repeats();
    for (std::size_t i = 0; i < robot_.links.size(); ++i)
      if (!link_is_in_group_[i]) body(i);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j)
      if (!joint_is_in_group_[j]) joint(j);
    mimics();
    for (const Coupling& coupling : robot_.couplings) couple(coupling);
    for (std::size_t i = 0; i < robot_.tendons.size(); ++i) tendon(i);
    for (const TendonCoupling& coupling : robot_.tendon_couplings) couple(coupling);
    for (const Actuator& actuator : robot_.actuators) actuate(actuator);
    contacts();
    if (options_.looks) looks();
    outputs();

    std::string made = head(from);
    made += "<mechanism name=\"" + model_name() + "\" gravity=\"" + numbers(robot_.gravity) + "\"" +
            " about=\"" + escaped(robot_.name + ", from " + from) + "\">\n";
    made += parameters_;
    const std::pair<const char*, const std::string*> parts[] = {
        {"Inputs", &inputs_},
        {"Links", &whole_.bodies},
        {"Joints", &whole_.joints},
        {"What is there several times: a group, and where its copies stand", &repeats_},
        {"Springs, friction and limits", &whole_.along},
        {"Rotors of motors: they turn as their joints do", &whole_.rotors},
        {"Couplings", &couplings_},
        {"Tendons: sums of joint coordinates", &tendons_},
        {"Motors", &motors_},
        {"Contacts", &contacts_},
        {"Appearance", &whole_.looks},
        {"Outputs", &outputs_}};
    for (const auto& [title, part] : parts)
      if (!part->empty()) made += "\n  <!-- " + std::string(title) + " -->\n" + *part;
    return made + "\n  <experiment stop=\"1\" step=\"1e-3\"/>\n</mechanism>\n";
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::string body_name(int link) const { return link == world ? "ground" : link_refs_[at(link)]; }

  /// A place, a direction and an orientation of the world, in the frame of the present group.
  /// There, places are rounded to 1e-13 because a rotation was applied.
  static Vec3 tidied(const Vec3& v) { return (v * 1e13).array().round() / 1e13; }
  Vec3 place(const Vec3& p) const { return frame_ ? tidied(*frame_ * p) : p; }
  Vec3 direction(const Vec3& n) const { return frame_ ? tidied(frame_->R * n) : n; }
  Mat3 orientation(const Mat3& R) const { return frame_ ? Mat3(frame_->R * R) : R; }

  std::string model_name() const {
    std::string name = letters_and_digits(robot_.name);
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
    for (const char* kept : {"limit_torsion", "limit_stiffness", "contact_stiffness"})
      parameter_names_[kept] = names_.unique(kept, "parameter", {}, robot_);
    link_refs_ = links_;
    joint_refs_ = joint_names_;
    link_is_in_group_.resize(links_.size());
    joint_is_in_group_.resize(joint_names_.size());
  }

  /// Start values of joints whose limits do not allow zero. In a loop, one of them determines the
  /// others.
  void starts() {
    const std::vector<int> loops = loop_groups(robot_);
    std::set<int> started;  // loops with a joint with a start value
    for (std::size_t j = 0; j < robot_.joints.size(); ++j)
      if (!robot_.joints[j].start.empty()) started.insert(loops[j]);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      Joint& joint = robot_.joints[j];
      if (!joint.start.empty() || !joint.has_coordinate() || joint.closes_loop) continue;
      std::string start;
      if (joint.lower && *joint.lower > joint.zero) start = value(joint, *joint.lower);
      if (joint.upper && *joint.upper < joint.zero) start = value(joint, *joint.upper);
      if (start.empty()) continue;
      const bool follows = loops[j] >= 0 && !started.insert(loops[j]).second;
      robot_.remarks.push_back({joint.place, "joint " + in_quotes(joint.name),
                                follows ? "zero is beyond its limit, " + start +
                                              "; it starts where another joint of its loop makes it"
                                        : "starts at its limit, " + start + ": zero is beyond it"});
      if (!follows) joint.start = start;
    }
  }

  static std::string value(const Joint& joint, double q) {
    return joint.turns() ? angle(q) : number(q);
  }

  /// Elements of the mechanism, or of a group.
  struct Parts {
    std::string bodies, joints, along, rotors, looks;
  };

  /// Writes equal branches as groups: elements outside refer to their elements by the names of the
  /// copies, LF.HIP. Inputs, outputs and couplings stay outside, with the names of the file.
  void repeats() {
    const std::vector<Repeat> found = find_repeats(robot_);
    std::vector<CommonName> firsts;
    std::map<std::string, int> labels;
    for (const Repeat& repeat : found) {
      std::vector<std::string> names;
      for (const Branch& copy : repeat.copies) names.push_back(links_[copy.links.front()]);
      firsts.push_back(common_name(names));
      const std::set<std::string> own(firsts.back().each.begin(), firsts.back().each.end());
      for (const std::string& label : own) ++labels[label];
    }
    for (std::size_t r = 0; r < found.size(); ++r) {
      const Repeat& repeat = found[r];
      const std::string group = group_names_.unique(
          firsts[r].common.empty() ? "branch" : firsts[r].common, "group", {}, robot_);
      std::vector<std::string> uses;
      for (std::size_t i = 0; i < repeat.copies.size(); ++i) {
        // A copy without a unique label has the name of its first link, which differs between
        // copies.
        std::string label = firsts[r].each[i];
        if (label.empty() || !is_letter(label.front()) || firsts[r].common.empty()) {
          uses.push_back(links_[repeat.copies[i].links.front()]);
          continue;
        }
        if (labels[label] > 1) label += "_" + group;
        uses.push_back(names_.unique(label, "copy", {}, robot_));
      }
      write_group(repeat, group, uses);
    }
  }

  void write_group(const Repeat& repeat, const std::string& group,
                   const std::vector<std::string>& uses) {
    const Branch& first = repeat.copies.front();
    // Names in the group differ from those outside, to which it refers.
    Names inner = names_;
    std::vector<std::string> inner_links, inner_joints;
    const auto common = [&](const std::vector<std::string>& names, const char* kind) {
      const std::string name = common_name(names).common;
      return inner.unique(name.empty() ? kind : name, kind, {}, robot_);
    };
    for (std::size_t k = 0; k < first.links.size(); ++k) {
      std::vector<std::string> names;
      for (const Branch& copy : repeat.copies) names.push_back(links_[copy.links[k]]);
      inner_links.push_back(common(names, "link"));
    }
    for (std::size_t k = 0; k < first.joints.size(); ++k) {
      std::vector<std::string> names;
      for (const Branch& copy : repeat.copies) names.push_back(joint_names_[copy.joints[k]]);
      inner_joints.push_back(common(names, "joint"));
    }
    const bool one_host = std::all_of(repeat.copies.begin(), repeat.copies.end(),
                                      [&](const Branch& copy) { return copy.host == first.host; });
    const std::string host = one_host ? "" : inner.unique("host", "body", {}, robot_);

    for (std::size_t k = 0; k < first.links.size(); ++k)
      link_refs_[first.links[k]] = inner_links[k];
    for (std::size_t k = 0; k < first.joints.size(); ++k)
      joint_refs_[first.joints[k]] = inner_joints[k];
    const std::string host_name = body_name(first.host);
    if (!one_host && first.host != world) link_refs_[at(first.host)] = host;
    frame_ = robot_.links[first.links.front()].pose.inverse();
    Parts parts;
    parts_ = &parts;
    inner_names_ = &inner;
    for (const std::size_t i : first.links) body(i);
    for (const std::size_t j : first.joints) joint(j, one_host ? "" : host);
    if (options_.looks)
      for (std::size_t k = 0; k < first.links.size(); ++k)
        if (repeat.looks_alike[k])
          for (const Geom* geom : drawn(robot_.links[first.links[k]].geoms))
            look(inner_links[k], *geom);
    parts_ = &whole_;
    inner_names_ = nullptr;
    frame_.reset();
    if (!one_host && first.host != world) link_refs_[at(first.host)] = host_name;

    std::string inside = parts.bodies + parts.joints + parts.along + parts.rotors + parts.looks;
    std::string indented;
    for (std::size_t from = 0; from < inside.size();) {
      const std::size_t end = inside.find('\n', from) + 1;
      indented += "  " + inside.substr(from, end - from);
      from = end;
    }
    repeats_ += "  <group name=\"" + group + "\"" + (one_host ? "" : " " + host + "=\"\"") + ">\n" +
                indented + "  </group>\n";
    for (std::size_t i = 0; i < repeat.copies.size(); ++i) {
      const Branch& copy = repeat.copies[i];
      const Pose& pose = robot_.links[copy.links.front()].pose;
      Tag use("use");
      use.set("group", group).set("name", uses[i]).set("at", numbers(tidied(pose.t), 1));
      if (!pose.R.isIdentity(1e-12)) use.set("rotation", rotation(pose.R));
      if (!one_host) use.set(host, body_name(copy.host));
      repeats_ += use.end();
      std::string note = "copy " + uses[i] + " of the group " + group + ":";
      for (std::size_t k = 0; k < copy.links.size(); ++k) {
        link_refs_[copy.links[k]] = uses[i] + "." + inner_links[k];
        link_is_in_group_[copy.links[k]] = true;
        looks_are_in_group_[copy.links[k]] = repeat.looks_alike[k];
        tell(note, link_refs_[copy.links[k]] + " is " + links_[copy.links[k]], k > 0);
      }
      for (std::size_t k = 0; k < copy.joints.size(); ++k) {
        joint_refs_[copy.joints[k]] = uses[i] + "." + inner_joints[k];
        joint_is_in_group_[copy.joints[k]] = true;
        tell(note, joint_refs_[copy.joints[k]] + " is " + joint_names_[copy.joints[k]], true);
      }
      robot_.notes.push_back(note);
    }
  }

  /// Adds an entry to a note, which continues in a new one if it gets long.
  void tell(std::string& note, const std::string& what, bool is_next) {
    if (is_next) note += ",";
    if (note.size() + what.size() > 110) {
      robot_.notes.push_back(note);
      note = " ";
    }
    note += " " + what;
  }

  /// A name for a part of the present element: unique in the group, or in the file.
  std::string unique(const std::string& wanted, const char* kind) {
    return (inner_names_ != nullptr ? *inner_names_ : names_).unique(wanted, kind, {}, robot_);
  }

  void body(std::size_t i) {
    const Link& link = robot_.links[i];
    const Mat3& J = link.inertial.inertia;
    double size = J.cwiseAbs().maxCoeff();
    if (size < 1e-14 * link.inertial.mass) size = 0;  // roundoff of a point mass
    Tag tag("body");
    tag.set("name", link_refs_[i]).set("at", numbers(place(link.pose.t), 1));
    if (const Mat3 R = orientation(link.pose.R); !R.isIdentity(1e-12))
      tag.set("rotation", rotation(R));
    tag.set("mass", number(link.inertial.mass));
    if (!link.inertial.centre.isZero(1e-15)) tag.set("centre", numbers(link.inertial.centre));
    if (size > 0) {
      std::string moments = numbers(J.diagonal(), size);
      if (std::max({std::abs(J(0, 1)), std::abs(J(0, 2)), std::abs(J(1, 2))}) > roundoff * size)
        moments += " " + numbers({J(0, 1), J(0, 2), J(1, 2)}, size);
      tag.set("inertia", moments);
    }
    if (link.free) tag.set("free", "true");
    parts_->bodies += tag.end();
  }

  /// The text of the coordinate of a joint as counted in the robot's file.
  std::string coordinate(int j) const {
    const Joint& joint = robot_.joints[at(j)];
    std::string q = placed(j);
    if (joint.zero == 0) return q;
    return q + (joint.zero > 0 ? " + " : " - ") + number(std::abs(joint.zero));
  }
  /// The same, zero in the placed position.
  std::string placed(int j) const {
    return joint_refs_[at(j)] + (robot_.joints[at(j)].turns() ? ".angle" : ".displacement");
  }
  std::string rate(int j) const { return joint_refs_[at(j)] + ".rate"; }

  /// `host`, if given, is the parent body of a branch, which differs between copies.
  void joint(std::size_t j, const std::string& host = {}) {
    const Joint& joint = robot_.joints[j];
    const std::string& name = joint_refs_[j];
    const auto end = [&](int link) {
      return link == world && !host.empty() ? host : body_name(link);
    };
    Tag tag("joint");
    tag.set("name", name)
        .set("type", robots::text(joint.type))
        .set("between", end(joint.parent) + " " + end(joint.child));
    tag.set("at", numbers(place(joint.point), 1));
    if (joint.type != JointType::spherical && joint.type != JointType::fixed)
      tag.set("axis", numbers(direction(joint.axis)));
    if (joint.to) tag.set("to", numbers(place(*joint.to), 1));
    if (joint.type == JointType::universal) tag.set("axis2", numbers(direction(joint.axis2)));
    if (joint.type == JointType::screw) tag.set("pitch", number(joint.pitch));
    std::string start = joint.start;
    if (!start.empty() && joint.zero != 0)
      start += (joint.zero > 0 ? " - " : " + ") + value(joint, std::abs(joint.zero));
    if (!start.empty()) tag.set(joint.turns() ? "angle" : "displacement", start);
    parts_->joints += tag.end();
    if (!joint.has_coordinate()) return;

    if (joint.damping > 0 || joint.friction > 0) {
      Tag friction("friction");
      friction.set("name", unique(name + "_friction", "friction")).set("joint", name);
      if (joint.damping > 0) friction.set("viscous", number(joint.damping));
      if (joint.friction > 0) friction.set("coulomb", number(joint.friction));
      parts_->along += friction.end();
    }
    if (joint.stiffness > 0)
      parts_->along += Tag("spring")
                           .set("name", unique(name + "_spring", "spring"))
                           .set("joint", name)
                           .set("stiffness", number(joint.stiffness))
                           .set("length", value(joint, joint.spring_at - joint.zero))
                           .end();
    if (joint.lower || joint.upper) {
      const char* kind = joint.turns() ? "limit_torsion" : "limit_stiffness";
      const std::string& stiffness = parameter_names_[kind];
      if (parameters_written_.insert(kind).second)
        parameters_ += Tag("parameter")
                           .set("name", stiffness)
                           .set("value", joint.turns() ? "1e4" : "1e6")
                           .set("unit", joint.turns() ? "N.m/rad" : "N/m")
                           .set("min", "0")
                           .set("about", std::string("stiffness of the limits of joints that ") +
                                             (joint.turns() ? "turn" : "slide"))
                           .end();
      Tag stop("stop");
      stop.set("name", unique(name + "_limits", "stop")).set("joint", name);
      if (joint.lower) stop.set("lower", value(joint, *joint.lower - joint.zero));
      if (joint.upper) stop.set("upper", value(joint, *joint.upper - joint.zero));
      parts_->along +=
          stop.set("stiffness", stiffness).set("damping", "0.5").set("exponent", "1").end();
    }
    if (joint.armature > 0) rotor(j);
  }

  void rotor(std::size_t j) {
    const Joint& joint = robot_.joints[j];
    const std::string& name = joint_refs_[j];
    const std::string body = unique(name + "_rotor", "body");
    const std::string bearing = unique(name + "_bearing", "joint");
    const std::string I = number(joint.armature);
    Tag made("body");
    made.set("name", body).set("at", numbers(place(joint.point), 1));
    if (joint.turns())
      made.set("mass", "0").set("inertia", I + " " + I + " " + I);
    else
      made.set("mass", I);
    // A sliding rotor moves perpendicular to gravity, which then does no work on it.
    Vec3 axis = joint.axis;
    if (!joint.turns()) {
      const Vec3 down =
          robot_.gravity.norm() > 0 ? Vec3(robot_.gravity.normalized()) : Vec3(-Vec3::UnitZ());
      axis = std::abs(down.x()) < 0.9 ? down.cross(Vec3::UnitX()).normalized()
                                      : down.cross(Vec3::UnitY()).normalized();
    }
    parts_->rotors += made.end();
    if (options_.looks)  // a rotor is hidden in its motor
      parts_->looks +=
          Tag("look").set("body", body).set("sphere", "0.01").set("opacity", "0").end();
    parts_->rotors += Tag("joint")
                          .set("name", bearing)
                          .set("type", joint.turns() ? "revolute" : "prismatic")
                          .set("between", "ground " + body)
                          .set("at", numbers(place(joint.point), 1))
                          .set("axis", numbers(direction(axis)))
                          .end();
    parts_->rotors += Tag("coupling")
                          .set("name", unique(name + "_shaft", "coupling"))
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
      couple(Coupling{.name = joint.name + "_mimic",
                      .a = static_cast<int>(j),
                      .b = static_cast<int>(followed - robot_.joints.begin()),
                      .c = {joint.mimic->offset, joint.mimic->multiplier, 0, 0, 0}});
    }
  }

  void couple(const Coupling& coupling) {
    Tag tag("coupling");
    tag.set("name", names_.unique(coupling.name, "coupling", coupling.place, robot_));
    if (coupling.b < 0) {
      tag.set("of", joint_refs_[at(coupling.a)])
          .set("factors", "1")
          .set("constant", number(coupling.c[0]));
    } else if (coupling.c[2] == 0 && coupling.c[3] == 0 && coupling.c[4] == 0) {
      tag.set("of", joint_refs_[at(coupling.a)] + " " + joint_refs_[at(coupling.b)])
          .set("factors", "1 " + number(-coupling.c[1]));
      if (coupling.c[0] != 0) tag.set("constant", number(coupling.c[0]));
    } else {
      tag.set("value", polynomial(placed(coupling.a), placed(coupling.b), coupling.c));
    }
    couplings_ += tag.end();
  }

  /// a − (c₀ + c₁ b + … + c₄ b⁴)
  static std::string polynomial(const std::string& a, const std::string& b,
                                const std::array<double, 5>& c) {
    std::string value = a + " - (" + number(c[0]);
    for (std::size_t k = 1; k < 5; ++k)
      if (c[k] != 0)
        value += " + " + number(c[k]) + "*" + b + (k > 1 ? "^" + std::to_string(k) : "");
    return value + ")";
  }

  static std::string times(double factor, const std::string& what) {
    return factor == 1 ? what : factor == -1 ? "-" + what : number(factor) + "*" + what;
  }

  /// Adds factor · `what` to a sum.
  static void add(std::string& sum, double factor, const std::string& what) {
    if (factor == 0) return;
    const std::string term =
        what.empty() ? number(std::abs(factor)) : times(std::abs(factor), what);
    sum += sum.empty() ? (factor < 0 ? "-" : "") + term : (factor < 0 ? " - " : " + ") + term;
  }

  /// For a tendon with sliding and turning joints, whose length has no unit.
  std::string without_unit(const Tendon& tendon, int j, const std::string& what,
                           const char* unit) const {
    const auto turns = [&](const auto& part) { return robot_.joints[at(part.first)].turns(); };
    const bool mixed = std::any_of(tendon.joints.begin(), tendon.joints.end(), turns) &&
                       !std::all_of(tendon.joints.begin(), tendon.joints.end(), turns);
    return mixed && !robot_.joints[at(j)].turns() ? what + "/1" + unit : what;
  }

  /// The length of a tendon as counted in the file, its rate, and the spring and damper along it.
  void tendon(std::size_t i) {
    const Tendon& tendon = robot_.tendons[i];
    const std::string name = names_.unique(tendon.name, "tendon", tendon.place, robot_);
    const std::string name_of_rate = names_.unique(name + "_rate", "tendon", {}, robot_);
    std::string length, rate_of_length;
    for (const auto& [j, factor] : tendon.joints) {
      const std::string q = coordinate(j);
      add(length, factor,
          without_unit(tendon, j, q.find(' ') == std::string::npos ? q : "(" + q + ")", "m"));
      add(rate_of_length, factor, without_unit(tendon, j, rate(j), "m"));
    }
    tendon_names_.emplace_back(name, name_of_rate);
    tendons_ += Tag("variable")
                    .set("name", name)
                    .set("value", length)
                    .set("about", "length of a tendon")
                    .end();
    tendons_ += Tag("variable").set("name", name_of_rate).set("value", rate_of_length).end();
    std::string force;
    if (tendon.stiffness > 0) {
      const auto past = [&](double end) {
        return end == 0 ? name : name + (end < 0 ? " + " : " - ") + number(std::abs(end));
      };
      force = tendon.shortest == tendon.longest
                  ? times(-tendon.stiffness, "(" + past(tendon.longest) + ")")
                  : times(-tendon.stiffness, "(max(" + past(tendon.longest) + ", 0) + min(" +
                                                 past(tendon.shortest) + ", 0))");
    }
    add(force, -tendon.damping, name_of_rate);
    if (!force.empty()) pull(tendon, name + "_spring", force, tendons_);
  }

  /// A force along a tendon: a variable, and cᵢ times its value at every joint.
  void pull(const Tendon& tendon, const std::string& name, const std::string& force,
            std::string& to) {
    const std::string sum = names_.unique(name + "_force", "variable", {}, robot_);
    to += Tag("variable").set("name", sum).set("value", force).end();
    for (const auto& [j, factor] : tendon.joints)
      to += Tag(robot_.joints[at(j)].turns() ? "torque" : "force")
                .set("name", names_.unique(name + "_" + joint_names_[at(j)], "force", {}, robot_))
                .set("joint", joint_refs_[at(j)])
                .set("value", times(factor, sum))
                .end();
  }

  void couple(const TendonCoupling& coupling) {
    std::array<double, 5> c = coupling.c;
    // From the placed position, as MuJoCo counts lengths here.
    const auto from_placed = [&](int i) {
      double sum = 0;
      for (const auto& [j, factor] : robot_.tendons[at(i)].joints)
        sum += factor * robot_.joints[at(j)].zero;
      const std::string& name = tendon_names_[at(i)].first;
      return sum == 0 ? name : "(" + name + (sum > 0 ? " - " : " + ") + number(std::abs(sum)) + ")";
    };
    if (coupling.b < 0) std::fill(c.begin() + 1, c.end(), 0);
    tendons_ += Tag("coupling")
                    .set("name", names_.unique(coupling.name, "coupling", coupling.place, robot_))
                    .set("value", polynomial(from_placed(coupling.a),
                                             coupling.b < 0 ? "" : from_placed(coupling.b), c))
                    .end();
  }

  void actuate(const Actuator& actuator) {
    const bool of_tendon = actuator.tendon >= 0;
    const bool turns =
        of_tendon
            ? robot_.joints[at(robot_.tendons[at(actuator.tendon)].joints.front().first)].turns()
            : robot_.joints[at(actuator.joint)].turns();
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

    std::string moves = input;
    if (actuator.lag > 0) {
      moves = names_.unique(input + "_lag", "state", {}, robot_);
      motors_ += Tag("state")
                     .set("name", moves)
                     .set("rate", "(" + input + " - " + moves + ")/" + number(actuator.lag) + "s")
                     .set("unit", unit)
                     .end();
    }
    std::string value = actuator.gain != 0 ? times(actuator.gain, moves) : "";
    const std::string q =
        of_tendon ? tendon_names_[at(actuator.tendon)].first : coordinate(actuator.joint);
    add(value, actuator.bias[0], "");
    add(value, actuator.bias[1] * actuator.gear,
        q.find(' ') == std::string::npos ? q : "(" + q + ")");
    add(value, actuator.bias[2] * actuator.gear,
        of_tendon ? tendon_names_[at(actuator.tendon)].second : rate(actuator.joint));
    if (value.empty()) value = "0";
    if (actuator.most_force) value = "min(" + value + ", " + number(*actuator.most_force) + ")";
    if (actuator.least_force) value = "max(" + value + ", " + number(*actuator.least_force) + ")";
    const bool simple = value.find(' ') == std::string::npos && value.front() != '-';
    if (actuator.gear != 1)
      value = number(actuator.gear) + "*" + (simple ? value : "(" + value + ")");
    if (of_tendon) return pull(robot_.tendons[at(actuator.tendon)], input, value, motors_);
    motors_ += Tag(turns ? "torque" : "force")
                   .set("name", names_.unique(joint_names_[at(actuator.joint)] + "_motor", "motor",
                                              {}, robot_))
                   .set("joint", joint_refs_[at(actuator.joint)])
                   .set("value", value)
                   .end();
  }

  /// Spheres and points of links on planes of the ground.
  void contacts() {
    std::size_t others = 0, shapes = 0, obstacles = 0;
    const Geom *other = nullptr, *obstacle = nullptr, *shape = nullptr;  // the first ones
    bool has_plane = false;
    double mass = 0;
    for (const Link& link : robot_.links) mass += link.inertial.mass;
    for (const Geom& plane : robot_.ground) {
      if (!plane.collides) continue;
      if (plane.kind != GeomKind::plane) {
        if (obstacles++ == 0) obstacle = &plane;
        continue;
      }
      has_plane = true;
      for (std::size_t i = 0; i < robot_.links.size(); ++i)
        for (const Geom& geom : robot_.links[i].geoms)
          if (geom.collides) touch(i, geom, plane, mass);
    }
    for (const Link& link : robot_.links)
      for (const Geom& geom : link.geoms) {
        if (geom.collides && shapes++ == 0) shape = &geom;
        if (geom.collides && (geom.kind == GeomKind::mesh || geom.kind == GeomKind::cylinder ||
                              geom.kind == GeomKind::ellipsoid))
          if (others++ == 0) other = &geom;
      }
    const auto tell = [&](const Geom* first, std::size_t count, const std::string& what) {
      if (first == nullptr) return;
      robot_.remarks.push_back(
          {first->place,
           "shape" + (first->name.empty() ? "" : " " + in_quotes(plain_line(first->name, 80))),
           what + (count > 1 ? "; so are " + std::to_string(count - 1) + " more like it" : "")});
    };
    tell(obstacle, obstacles,
         "its contacts are left out: moving bodies touch only planes of the ground");
    if (!contacts_.empty() || obstacles > 0 || has_plane)
      tell(other, others,
           "its contacts are left out: spheres, capsules and boxes touch the ground");
    // URDF has no rule that shapes of links touch each other; the other formats have one.
    if (shapes > 1 && robot_.format == "URDF")
      robot_.notes.emplace_back("links do not touch each other here");
    else if (shapes > 1)
      tell(shape, 1, "links do not touch each other here");
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
    const std::string& stiffness = parameter_names_["contact_stiffness"];
    if (parameters_written_.insert("contact_stiffness").second) {
      // One millimetre deep if four contacts carry the weight.
      const double k = std::max(mass, 1e-3) * std::max(robot_.gravity.norm(), 1.0) / 4 / 1e-3;
      parameters_ += Tag("parameter")
                         .set("name", stiffness)
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
          .set("between", "ground " + link_refs_[i])
          .set("centre", numbers(ball.centre, 1));
      if (ball.radius > 0) tag.set("radius", number(ball.radius));
      tag.set("at", numbers(plane.pose.t, 1))
          .set("axis", numbers(plane.pose.R.col(2)))
          .set("stiffness", stiffness)
          .set("exponent", "1")
          .set("damping", "0.5");
      if (const double mu = std::max(geom.friction, plane.friction); mu > 0)
        tag.set("friction", number(mu));
      contacts_ += tag.end();
    }
  }

  void looks() {
    for (std::size_t i = 0; i < robot_.links.size(); ++i)
      if (!looks_are_in_group_[i])
        for (const Geom* geom : drawn(robot_.links[i].geoms)) look(link_refs_[i], *geom);
    for (const Geom* geom : drawn(robot_.ground))  // the contacts draw the planes that they touch
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
    parts_->looks += tag.end();
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
    std::string name = letters_and_digits(sensor.name);
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
  WriteOptions options_;
  Names names_, group_names_;
  std::vector<std::string> links_, joint_names_;  // names of inputs, outputs and motors
  std::vector<std::string> link_refs_,
      joint_refs_;  // names of joints at the present place of the file
  std::map<std::string, std::string> parameter_names_;
  std::set<std::string> parameters_written_;
  std::vector<bool> link_is_in_group_, joint_is_in_group_;
  std::map<std::size_t, bool> looks_are_in_group_;
  std::map<std::size_t, int> touching_;  // contacts of each link
  std::set<std::string> output_names_;
  std::vector<std::pair<std::string, std::string>> tendon_names_;  // of lengths and rates
  Parts whole_;
  Parts* parts_ = &whole_;        // destination of elements: the file or a group
  Names* inner_names_ = nullptr;  // of the group
  std::optional<Pose> frame_;     // the world in the frame of the group
  std::string parameters_, inputs_, repeats_, couplings_, tendons_, motors_, contacts_, outputs_;
};

}  // namespace

std::string mechanism_file(Robot& robot, const std::string& from, const WriteOptions& options) {
  return Writer(robot, options).text(from);
}

}  // namespace mechfmu::robots
