// URDF: a tree of links. The pose of a joint refers to its parent link, and the frame of its child
// link is that of the joint:
//
//   pose of child = pose of parent · (xyz, rpy) at q = 0,   rpy: R = R_z(yaw) R_y(pitch) R_x(roll)
//
// The first link is the ground, unless the options let it move freely. A second joint to a link
// closes a loop, which URDF itself cannot describe.

#include <algorithm>
#include <map>
#include <numbers>

#include "model_desc/text.h"
#include "robots/attributes.h"
#include "robots/formats.h"

namespace mechfmu::robots {

namespace {

class Urdf {
 public:
  Urdf(const XmlNode& root, const Source& source)
      : root_(root), source_(source), read_(source.diagnostics) {}

  Robot robot() {
    made_.format = "URDF";
    made_.name = read_.word(root_, "name", "Robot");
    for (const XmlNode* material : children(root_, "material"))
      if (const XmlNode* color = child(*material, "color"))
        colors_[read_.word(*material, "name")] = color;
    for (const XmlNode& node : root_.children) {
      if (node.tag == "link")
        link(node);
      else if (node.tag == "joint")
        joint(node);
      else if (node.tag == "transmission")
        transmissions_.push_back(&node);
      else if (node.tag != "material" && !node.tag.starts_with("xacro:"))
        leave_out(node, "");
    }
    if (made_.links.empty()) read_.error(root_, "the robot has no links");
    if (!read_.diagnostics().has_errors()) place();
    if (!read_.diagnostics().has_errors()) actuators();
    return std::move(made_);
  }

 private:
  void leave_out(const XmlNode& node, const std::string& why) {
    made_.remarks.push_back(
        {node.place, label(node), "is left out" + (why.empty() ? "" : ": " + why)});
  }

  Pose origin(const XmlNode& node) {
    const XmlNode* at = child(node, "origin");
    if (at == nullptr) return {};
    return {read_.vector(*at, "xyz", Vec3::Zero()),
            from_rpy(read_.vector(*at, "rpy", Vec3::Zero()))};
  }

  void link(const XmlNode& node) {
    Link made{.name = read_.required(node, "name"), .place = node.place};
    if (!link_numbers_.emplace(made.name, static_cast<int>(made_.links.size())).second)
      read_.error(node, "two links have this name");
    if (const XmlNode* inertial = child(node, "inertial")) {
      const XmlNode* mass = child(*inertial, "mass");
      const XmlNode* J = child(*inertial, "inertia");
      Inertial body;
      if (mass == nullptr)
        read_.error(*inertial,
                    "of link " + in_quotes(made.name) + ": <mass value=\"…\"/> is missing");
      else
        body.mass = read_.number(*mass, "value", 0);
      if (J != nullptr) {
        const auto part = [&](const char* name) { return read_.number(*J, name, 0); };
        body.inertia = inertia_matrix(part("ixx"), part("iyy"), part("izz"), part("ixy"),
                                      part("ixz"), part("iyz"));
      }
      made.inertial = seen_from(origin(*inertial), body);
      made.has_inertial = true;
    }
    for (const XmlNode& part : node.children)
      if (part.tag == "visual" || part.tag == "collision") geometry(part, made);
    made_.links.push_back(std::move(made));
  }

  void geometry(const XmlNode& node, Link& link) {
    const XmlNode* geometry = child(node, "geometry");
    if (geometry == nullptr || geometry->children.empty()) return;
    const XmlNode& shape = geometry->children.front();
    Geom made{.pose = origin(node),
              .collides = node.tag == "collision",
              .visible = node.tag == "visual",
              .place = shape.place};
    if (const XmlNode* material = child(node, "material")) {
      const XmlNode* color = child(*material, "color");
      if (const auto named = colors_.find(read_.word(*material, "name"));
          color == nullptr && named != colors_.end())
        color = named->second;
      if (color != nullptr) paint(made, read_.list(*color, "rgba", 4, 4));
    }
    if (shape.tag == "box") {
      made.kind = GeomKind::box;
      made.size = read_.vector(shape, "size", Vec3::Zero());
    } else if (shape.tag == "cylinder" || shape.tag == "capsule") {
      made.kind = shape.tag == "cylinder" ? GeomKind::cylinder : GeomKind::capsule;
      made.size = {read_.number(shape, "radius", 0), read_.number(shape, "length", 0), 0};
    } else if (shape.tag == "sphere") {
      made.kind = GeomKind::sphere;
      made.size = {read_.number(shape, "radius", 0), 0, 0};
    } else if (shape.tag == "mesh") {
      made.kind = GeomKind::mesh;
      made.scale = read_.vector(shape, "scale", Vec3::Ones());
      made.mesh = read_.required(shape, "filename");
    } else {
      made_.remarks.push_back(
          {shape.place, label(shape), "this shape is not known, and is left out"});
      return;
    }
    link.geoms.push_back(std::move(made));
  }

  struct Held {
    std::string parent, child;
    Pose in_parent;
    Vec3 axis;  // in the axes of the joint
    const XmlNode* node;
  };

  void joint(const XmlNode& node) {
    static const std::map<std::string, JointType> types = {
        {"revolute", JointType::revolute},   {"continuous", JointType::revolute},
        {"prismatic", JointType::prismatic}, {"fixed", JointType::fixed},
        {"planar", JointType::planar},       {"floating", JointType::fixed},
        {"spherical", JointType::spherical}};
    Joint made{.name = read_.required(node, "name"), .place = node.place};
    const std::string type = read_.required(node, "type");
    const auto found = types.find(type);
    if (found == types.end()) {
      std::vector<std::string> known;
      known.reserve(types.size());
      for (const auto& [name, value] : types) known.push_back(name);
      read_.error(node,
                  "type=\"" + plain_line(type, 40) + "\" is not known" + suggestion(type, known));
      return;
    }
    made.type = found->second;
    if (!joint_numbers_.emplace(made.name, static_cast<int>(made_.joints.size())).second)
      read_.error(node, "two joints have this name");
    const auto end = [&](const char* tag) {
      const XmlNode* of = child(node, tag);
      if (of == nullptr) {
        read_.error(node, std::string("<") + tag + " link=\"…\"/> is missing");
        return std::string();
      }
      return read_.required(*of, "link");
    };
    Held held{end("parent"), end("child"), origin(node), Vec3::UnitX(), &node};
    if (const XmlNode* axis = child(node, "axis"))
      if (made.type != JointType::fixed) held.axis = read_.direction(*axis, "xyz", Vec3::UnitX());
    if (const XmlNode* limit = child(node, "limit")) {
      if (type == "revolute" || type == "prismatic") {
        made.lower = read_.number(*limit, "lower", 0);
        made.upper = read_.number(*limit, "upper", 0);
        if (*made.lower > *made.upper) read_.error(node, "its lower limit is above the upper one");
        if (*made.lower == *made.upper) {  // files without limits have equal ones
          if (*made.lower == 0) made.lower = made.upper = std::nullopt;
        }
      }
      if (const double effort = read_.number(*limit, "effort", 0); effort > 0) made.effort = effort;
    }
    if (const XmlNode* dynamics = child(node, "dynamics")) {
      made.damping = read_.number(*dynamics, "damping", 0);
      made.friction = read_.number(*dynamics, "friction", 0);
      if (made.damping < 0 || made.friction < 0)
        read_.error(node, "damping and friction must not be negative");
    }
    if (const XmlNode* mimic = child(node, "mimic"))
      made.mimic = Mimic{read_.required(*mimic, "joint"), read_.number(*mimic, "multiplier", 1),
                         read_.number(*mimic, "offset", 0)};
    for (const XmlNode& part : node.children)
      if (part.tag == "safety_controller")
        leave_out(part, "of joint " + in_quotes(made.name) +
                            ", controllers are not a part of the mechanism");
    if (type == "floating") floating_.push_back(held.child);
    made_.joints.push_back(std::move(made));
    held_.push_back(std::move(held));
  }

  /// Links in the world, parents first.
  void place() {
    std::vector<int> parent_of(made_.links.size(), world);
    std::vector<std::vector<std::size_t>> below(made_.links.size());
    std::vector<bool> has_parent(made_.links.size());
    for (std::size_t j = 0; j < made_.joints.size(); ++j) {
      Joint& joint = made_.joints[j];
      for (const auto& [name, index] :
           {std::pair{&held_[j].parent, &joint.parent}, {&held_[j].child, &joint.child}}) {
        const auto found = link_numbers_.find(*name);
        if (found == link_numbers_.end()) {
          std::vector<std::string> names;
          for (const auto& [link, number] : link_numbers_) names.push_back(link);
          read_.error(*held_[j].node, "link " + in_quotes(plain_line(*name, 60)) +
                                          " does not exist" + suggestion(*name, names));
        } else {
          *index = found->second;
        }
      }
      if (read_.diagnostics().has_errors()) continue;
      if (joint.parent == joint.child) read_.error(*held_[j].node, "it joins a link to itself");
      has_parent[static_cast<std::size_t>(joint.child)] = true;
      below[static_cast<std::size_t>(joint.parent)].push_back(j);
    }
    if (read_.diagnostics().has_errors()) return;

    std::vector<bool> placed(made_.links.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < made_.links.size(); ++i)
      if (!has_parent[i]) {
        placed[i] = true;
        order.push_back(i);
      }
    if (order.empty())
      return read_.error(root_, "there is no root link: every link is the child of a joint");
    const std::size_t roots = order.size();
    for (std::size_t at = 0; at < order.size(); ++at)
      for (const std::size_t j : below[order[at]]) {
        Joint& joint = made_.joints[j];
        const Pose pose = made_.links[order[at]].pose * held_[j].in_parent;
        joint.point = pose.t;
        joint.axis = pose.R * held_[j].axis;
        const std::size_t child = static_cast<std::size_t>(joint.child);
        if (placed[child]) {
          joint.closes_loop = true;
          made_.remarks.push_back({joint.place, "joint " + in_quotes(joint.name),
                                   "link " + in_quotes(made_.links[child].name) +
                                       " already has a parent joint: this one closes a loop"});
          continue;
        }
        placed[child] = true;
        made_.links[child].pose = pose;
        order.push_back(child);
      }
    for (std::size_t i = 0; i < made_.links.size(); ++i)
      if (!placed[i]) {
        read_.diagnostics().error(made_.links[i].place, "link " + in_quotes(made_.links[i].name),
                                  {},
                                  "it is in a loop of joints that is connected to no other link");
        return;
      }
    for (const std::string& name : floating_)
      made_.links[static_cast<std::size_t>(link_numbers_.at(name))].free = true;
    std::erase_if(made_.joints, [&](const Joint& j) {
      return j.type == JointType::fixed && made_.links[static_cast<std::size_t>(j.child)].free;
    });
    for (std::size_t r = 0; r < roots; ++r) {
      Link& first = made_.links[order[r]];
      if (source_.options.free_base && first.has_inertial) {
        first.free = true;
      } else {
        made_.joints.push_back({.name = first.name + "_to_ground",
                                .place = first.place,
                                .type = JointType::fixed,
                                .child = static_cast<int>(order[r])});
        if (first.has_inertial)
          made_.notes.push_back(
              "the first link, " + first.name +
              ", is fixed to the ground; mechfmu import --free-base lets it move");
      }
    }
    for (Joint& joint : made_.joints)
      if (joint.mimic && !joint_numbers_.contains(joint.mimic->joint)) {
        made_.remarks.push_back({joint.place, "joint " + in_quotes(joint.name),
                                 "mimics " + in_quotes(plain_line(joint.mimic->joint, 60)) +
                                     ", which does not exist; it moves independently"});
        joint.mimic.reset();
      }
  }

  /// Motors: those of the transmissions, or of all joints if there are none.
  void actuators() {
    std::vector<std::string> driven;
    for (const XmlNode* node : transmissions_)
      for (const XmlNode* joint : children(*node, "joint")) {
        const std::string name = read_.word(*joint, "name");
        if (joint_numbers_.contains(name))
          driven.push_back(name);
        else
          made_.remarks.push_back(
              {joint->place, label(*joint), "of a transmission: there is no such joint"});
      }
    for (Joint& joint : made_.joints) {
      const bool listed = std::find(driven.begin(), driven.end(), joint.name) != driven.end();
      joint.driven = driven.empty() ? !joint.mimic && !joint.closes_loop : listed;
    }
    if (source_.options.motors) add_motors(made_);
  }

  const XmlNode& root_;
  const Source& source_;
  Attributes read_;
  Robot made_;
  std::map<std::string, int> link_numbers_, joint_numbers_;
  std::vector<Held> held_;
  std::vector<std::string> floating_;
  std::vector<const XmlNode*> transmissions_;
  std::map<std::string, const XmlNode*> colors_;  // of materials
};

}  // namespace

Robot read_urdf(const XmlNode& root, const Source& source) { return Urdf(root, source).robot(); }

}  // namespace mechfmu::robots
