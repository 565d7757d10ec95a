// SDF: links and joints of a model, each with a pose that is relative to the model, a link, a joint
// or a frame; a joint may close a loop.
//
//   pose of X in the world = pose of its reference · (x y z roll pitch yaw)
//
// Without relative_to, the reference of links, frames and nested models is their model, that of
// joints their child link.

#include <algorithm>
#include <map>
#include <memory>
#include <numbers>
#include <set>

#include "model/turn.h"
#include "model_desc/text.h"
#include "robots/attributes.h"
#include "robots/formats.h"

namespace mechfmu::robots {

namespace {

class Sdf {
 public:
  Sdf(const XmlNode& root, const Source& source)
      : root_(root), source_(source), read_(source.diagnostics) {}

  Robot robot() {
    made_.format = "SDF";
    made_.name = source_.file.stem().string();
    version_ = read_.number(root_, "version", 1.7);
    const XmlNode* scene = child(root_, "world");
    if (scene != nullptr) made_.name = read_.word(*scene, "name", made_.name);
    const XmlNode& all = scene != nullptr ? *scene : root_;
    if (const XmlNode* gravity = child(all, "gravity"))
      made_.gravity = vector(*gravity, made_.gravity);
    frames_["world"] = {.pose = Pose()};
    const auto models = children(all, "model");
    if (models.size() == 1) made_.name = read_.word(*models.front(), "name", made_.name);
    for (const XmlNode& node : all.children) {
      if (node.tag == "model")
        model(node, models.size() > 1 ? read_.word(node, "name") + "::" : "", "world", {}, {});
      else if (node.tag == "include")
        include(node, "", "world");
      else if (node.tag == "frame")
        frame(node, "", "world");
      else if (node.tag != "gravity" && !is_scenery(node.tag))
        leave_out(node);
    }
    if (made_.links.empty() && !read_.diagnostics().has_errors())
      read_.error(root_, "it has no model with links");
    place();
    if (!read_.diagnostics().has_errors()) hold();
    if (source_.options.motors) add_motors(made_);
    return std::move(made_);
  }

 private:
  static bool is_scenery(const std::string& tag) {
    static const std::set<std::string> known = {
        "light", "physics", "scene", "gui", "magnetic_field", "atmosphere", "spherical_coordinates",
        "audio", "wind",    "state", "road"};
    return known.contains(tag);
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void leave_out(const XmlNode& node, const std::string& why = {}) {
    made_.remarks.push_back(
        {node.place, label(node), "is left out" + (why.empty() ? "" : ": " + why)});
  }

  // Numbers are between the tags.
  std::vector<double> values(const XmlNode& node, std::size_t least, std::size_t most) {
    return read_.numbers(node, node.tag, node.text, node.place, least, most);
  }
  double number(const XmlNode& node, std::string_view tag, double otherwise) {
    const XmlNode* found = child(node, tag);
    if (found == nullptr) return otherwise;
    const auto list = values(*found, 1, 1);
    return list.empty() ? otherwise : list[0];
  }
  Vec3 vector(const XmlNode& node, const Vec3& otherwise) {
    const auto list = values(node, 3, 3);
    return list.empty() ? otherwise : Vec3(list[0], list[1], list[2]);
  }
  static std::string text(const XmlNode& node, std::string_view tag) {
    const XmlNode* found = child(node, tag);
    return found == nullptr ? std::string() : std::string(trimmed(found->text));
  }
  static bool is_true(const XmlNode& node, std::string_view tag) {
    const std::string word = text(node, tag);
    return word == "true" || word == "1";
  }

  Pose pose(const XmlNode& node) {
    const XmlNode* found = child(node, "pose");
    if (found == nullptr || trimmed(found->text).empty()) return {};
    if (read_.word(*found, "rotation_format", "euler_rpy") == "quat_xyzw") {
      const auto v = values(*found, 7, 7);
      if (v.empty()) return {};
      return {{v[0], v[1], v[2]}, from_quaternion(v[6], v[3], v[4], v[5])};
    }
    const auto v = values(*found, 6, 6);
    if (v.empty()) return {};
    const double unit = read_.word(*found, "degrees") == "true" ? std::numbers::pi / 180 : 1;
    return {{v[0], v[1], v[2]}, from_rpy(unit * Vec3(v[3], v[4], v[5]))};
  }
  std::string relative_to(const XmlNode& node, const std::string& scope,
                          const std::string& otherwise) {
    const XmlNode* found = child(node, "pose");
    const std::string name = found == nullptr ? std::string() : read_.word(*found, "relative_to");
    return name.empty() ? otherwise : scoped(scope, name);
  }
  static std::string scoped(const std::string& scope, const std::string& name) {
    return name == "world" ? name : scope + name;
  }

  struct Frame {
    std::optional<Pose> pose{};  // in the world, if known
    Pose raw{};
    std::string relative_to{};
    std::string attached_to{};  // of frames: the link they belong to
    const XmlNode* node = nullptr;
    bool in_progress = false;
  };

  void add_frame(const std::string& name, Frame frame) {
    const XmlNode& node = *frame.node;
    if (!frames_.emplace(name, std::move(frame)).second)
      read_.error(node, "two things have this name");
  }

  void include(const XmlNode& node, const std::string& scope, const std::string& around) {
    const std::string uri = text(node, "uri");
    const std::string path = source_.find(uri + "/model.sdf") ? uri + "/model.sdf" : uri;
    if (!source_.find(path))
      return leave_out(node, in_quotes(plain_line(uri, 80)) +
                                 " is not in the folder of the robot's file or below it");
    if (!included_.insert(path).second && included_.size() > 50)
      return read_.error(node, "too many files are included");
    if (++depth_ > 16) return read_.error(node, "files include each other cyclically");
    std::optional<XmlNode> tree = source_.tree(path, node.place);
    if (tree) {
      if (const XmlNode* found = child(*tree, "model")) {
        kept_.push_back(std::make_unique<XmlNode>(*found));
        const std::string own = text(node, "name");
        const std::string name = own.empty() ? read_.word(*found, "name") : own;
        model(*kept_.back(), scope + name + "::", around,
              child(node, "pose") != nullptr ? std::optional(pose(node)) : std::nullopt,
              is_true(node, "static"));
      } else {
        leave_out(node, "the file has no model");
      }
    }
    --depth_;
  }

  void frame(const XmlNode& node, const std::string& scope, const std::string& model) {
    const std::string attached = read_.word(node, "attached_to");
    const std::string base = attached.empty() ? model : scoped(scope, attached);
    add_frame(scope + read_.required(node, "name"), {.raw = pose(node),
                                                     .relative_to = relative_to(node, scope, base),
                                                     .attached_to = base,
                                                     .node = &node});
  }

  /// `scope` precedes the names of all parts of the model.
  void model(const XmlNode& node, const std::string& scope, const std::string& around,
             const std::optional<Pose>& placed, bool is_static) {
    const std::string own = scope + "__model__";
    const std::string outer =
        scope.empty() ? ""
                      : scope.substr(0, scope.rfind("::", scope.size() - 3) == std::string::npos
                                            ? 0
                                            : scope.rfind("::", scope.size() - 3) + 2);
    add_frame(own, {.raw = placed.value_or(pose(node)),
                    .relative_to = relative_to(node, outer, around),
                    .node = &node});
    if (!scope.empty())
      frames_[scope.substr(0, scope.size() - 2)] = {.relative_to = own, .node = &node};
    is_static = is_static || is_true(node, "static");
    for (const XmlNode& part : node.children) {
      if (part.tag == "link") {
        link(part, scope, own, is_static);
      } else if (part.tag == "joint") {
        joint(part, scope);
      } else if (part.tag == "frame") {
        frame(part, scope, own);
      } else if (part.tag == "model") {
        model(part, scope + read_.word(part, "name") + "::", own, {}, is_static);
      } else if (part.tag == "include") {
        include(part, scope, own);
      } else if (part.tag != "pose" && part.tag != "static" && part.tag != "self_collide" &&
                 part.tag != "allow_auto_disable" && part.tag != "enable_wind") {
        leave_out(part);
      }
    }
  }

  void link(const XmlNode& node, const std::string& scope, const std::string& model,
            bool is_static) {
    Link made{.name = scope + read_.required(node, "name"), .place = node.place};
    add_frame(made.name,
              {.raw = pose(node), .relative_to = relative_to(node, scope, model), .node = &node});
    link_numbers_[made.name] = static_cast<int>(made_.links.size());
    // Missing parts of <inertial> have defaults: 1 kg and 1 kg.m2.
    const XmlNode* inertial = child(node, "inertial");
    Inertial body{.mass = 1, .inertia = Mat3::Identity()};
    if (inertial != nullptr) {
      body.mass = number(*inertial, "mass", 1);
      if (const XmlNode* J = child(*inertial, "inertia")) {
        const auto part = [&](const char* tag, double otherwise) {
          return number(*J, tag, otherwise);
        };
        body.inertia = inertia_matrix(part("ixx", 1), part("iyy", 1), part("izz", 1),
                                      part("ixy", 0), part("ixz", 0), part("iyz", 0));
      }
      if (read_.word(*inertial, "auto") == "true")
        read_.error(*inertial, "masses by shape (auto=\"true\") are not read; give numbers");
      made.inertial = seen_from(pose(*inertial), body);
    } else {
      made.inertial = body;
      if (!is_static)
        made_.remarks.push_back(
            {node.place, label(node), "has no <inertial>: 1 kg and 1 kg.m2, as SDF has it"});
    }
    made.has_inertial = true;
    if (text(node, "gravity") == "false" || text(node, "gravity") == "0")
      made_.remarks.push_back({node.place, label(node), "gravity acts on it here as well"});
    if (is_true(node, "kinematic"))
      made_.remarks.push_back({node.place, label(node), "kinematic is left out"});
    for (const XmlNode& part : node.children) {
      if (part.tag == "collision" || part.tag == "visual")
        shape(part, made);
      else if (part.tag == "sensor")
        sensor(part, static_cast<int>(made_.links.size()));
      else if (part.tag == "projector" || part.tag == "plugin" || part.tag == "battery" ||
               part.tag == "fluid_added_mass")
        leave_out(part);
    }
    if (is_static)
      made_.joints.push_back({.name = made.name + "_to_ground",
                              .place = node.place,
                              .type = JointType::fixed,
                              .child = static_cast<int>(made_.links.size())});
    made_.links.push_back(std::move(made));
  }

  void shape(const XmlNode& node, Link& link) {
    const XmlNode* geometry = child(node, "geometry");
    if (geometry == nullptr || geometry->children.empty()) return;
    const XmlNode& given = geometry->children.front();
    Geom made{.pose = pose(node),
              .collides = node.tag == "collision",
              .visible = node.tag == "visual",
              .name = read_.word(node, "name"),
              .place = given.place};
    if (made.collides) made.friction = 1;
    if (const XmlNode* material = child(node, "material"))
      if (const XmlNode* diffuse = child(*material, "diffuse")) paint(made, values(*diffuse, 3, 4));
    if (const XmlNode* surface = child(node, "surface"))
      if (const XmlNode* friction = child(*surface, "friction"))
        if (const XmlNode* ode = child(*friction, "ode")) made.friction = number(*ode, "mu", 1);
    const double r = number(given, "radius", 1), l = number(given, "length", 1);
    if (given.tag == "box") {
      made.kind = GeomKind::box;
      const XmlNode* size = child(given, "size");
      made.size = size == nullptr ? Vec3(Vec3::Ones()) : vector(*size, Vec3::Ones());
    } else if (given.tag == "sphere") {
      made.kind = GeomKind::sphere;
      made.size = {r, 0, 0};
    } else if (given.tag == "cylinder" || given.tag == "capsule") {
      made.kind = given.tag == "cylinder" ? GeomKind::cylinder : GeomKind::capsule;
      made.size = {r, l, 0};
    } else if (given.tag == "ellipsoid") {
      made.kind = GeomKind::ellipsoid;
      const XmlNode* radii = child(given, "radii");
      made.size = radii == nullptr ? Vec3(Vec3::Ones()) : vector(*radii, Vec3::Ones());
    } else if (given.tag == "plane") {
      made.kind = GeomKind::plane;
      const XmlNode* normal = child(given, "normal");
      const Vec3 n = normal == nullptr ? Vec3(Vec3::UnitZ()) : vector(*normal, Vec3::UnitZ());
      if (n.norm() > 0)
        made.pose.R = made.pose.R * turn_between(Vec3::UnitZ(), n).toRotationMatrix();
    } else if (given.tag == "mesh") {
      made.kind = GeomKind::mesh;
      made.mesh = text(given, "uri");
      if (const XmlNode* scale = child(given, "scale")) made.scale = vector(*scale, Vec3::Ones());
    } else {
      return leave_out(given, "this shape has no counterpart");
    }
    link.geoms.push_back(std::move(made));
  }

  void sensor(const XmlNode& node, int link) {
    if (read_.word(node, "type") != "imu") return leave_out(node, "this sensor has no counterpart");
    const std::string name = read_.word(node, "name", "imu");
    made_.sensors.push_back(
        {name + "_gyro", node.place, SensorKind::local_angular_velocity, link, pose(node)});
    made_.sensors.push_back(
        {name + "_accelerometer", node.place, SensorKind::local_acceleration, link, pose(node)});
  }

  struct Given {
    const XmlNode* node;
    std::string scope, parent, child;
  };

  void joint(const XmlNode& node, const std::string& scope) {
    const std::string name = scope + read_.required(node, "name");
    Given given{&node, scope, scoped(scope, text(node, "parent")),
                scoped(scope, text(node, "child"))};
    if (text(node, "parent").empty() || text(node, "child").empty())
      return read_.error(node, "<parent> or <child> is missing");
    add_frame(
        name,
        {.raw = pose(node), .relative_to = relative_to(node, scope, given.child), .node = &node});
    given_.push_back(std::move(given));
  }

  /// The pose of a frame in the world; the origin, with an error, if it does not exist.
  Pose resolved(const std::string& name, const XmlNode& asked_by) {
    const auto found = frames_.find(name);
    if (found == frames_.end()) {
      std::vector<std::string> names;
      for (const auto& [known, frame] : frames_) names.push_back(known);
      read_.error(asked_by, "there is no link, joint, frame or model " +
                                in_quotes(plain_line(name, 80)) + suggestion(name, names));
      return {};
    }
    Frame& frame = found->second;
    if (frame.pose) return *frame.pose;
    if (frame.in_progress) {
      read_.error(asked_by, "poses are relative to each other cyclically, at " +
                                in_quotes(plain_line(name, 80)));
      frame.pose = Pose();
      return {};
    }
    frame.in_progress = true;
    Pose made = resolved(frame.relative_to, *frame.node) * frame.raw;
    frame.pose = made;
    frame.in_progress = false;
    return made;
  }

  /// The link that a name means: a link, a frame that is attached to one, or the first link of a
  /// model.
  std::optional<int> link_of(const std::string& name, const XmlNode& asked_by) {
    std::string at = name;
    for (int i = 0; i < 50; ++i) {
      if (at == "world") return world;
      const auto link = link_numbers_.find(at);
      if (link != link_numbers_.end()) return link->second;
      const auto frame = frames_.find(at);
      if (frame == frames_.end()) break;
      if (frame->second.attached_to.empty()) {  // a model: its first link
        const std::string prefix =
            at.ends_with("__model__") ? at.substr(0, at.size() - 9) : at + "::";
        const auto first = std::find_if(made_.links.begin(), made_.links.end(),
                                        [&](const Link& l) { return l.name.starts_with(prefix); });
        if (first == made_.links.end()) break;
        return static_cast<int>(first - made_.links.begin());
      }
      at = frame->second.attached_to;
    }
    std::vector<std::string> names;
    for (const auto& [known, number] : link_numbers_) names.push_back(known);
    read_.error(asked_by, "link " + in_quotes(plain_line(name, 80)) + " does not exist" +
                              suggestion(name, names));
    return {};
  }

  void place() {
    for (Link& link : made_.links) {
      const XmlNode* node = frames_.at(link.name).node;  // null: it has the name of the world
      link.pose = resolved(link.name, node != nullptr ? *node : root_);
    }
    for (const Given& given : given_) place_joint(given);
    for (const Given* given : gearboxes_) gearbox(*given);
  }

  /// θ₂ = −ratio θ₁: θ₁ is the angle from the reference body to the parent about axis, θ₂ that to
  /// the child about axis2.
  void gearbox(const Given& given) {
    const XmlNode& node = *given.node;
    const std::string reference = text(node, "gearbox_reference_body");
    if (reference.empty()) return read_.error(node, "<gearbox_reference_body> is missing");
    const auto base = link_of(scoped(given.scope, reference), node);
    const auto first = link_of(given.parent, node), second = link_of(given.child, node);
    if (!base || !first || !second) return;
    const Pose pose = resolved(given.scope + read_.word(node, "name"), node);
    struct Turn {
      int joint = -1;
      double sign = 1;
    };
    const auto turn = [&](int link, const char* tag) {
      const XmlNode* written = child(node, tag);
      for (std::size_t j = 0; j < made_.joints.size(); ++j) {
        const Joint& joint = made_.joints[j];
        const bool along = joint.parent == *base && joint.child == link;
        if (!joint.turns() || !(along || (joint.parent == link && joint.child == *base))) continue;
        const Vec3 axis =
            written == nullptr ? joint.axis : axis_in_world(*written, given.scope, pose);
        const double cosine = axis.dot(joint.axis);
        if (std::abs(std::abs(cosine) - 1) > 1e-6) continue;
        return Turn{static_cast<int>(j), (along ? 1 : -1) * (cosine > 0 ? 1.0 : -1.0)};
      }
      return Turn{};
    };
    const Turn a = turn(*first, "axis"), b = turn(*second, "axis2");
    if (a.joint < 0 || b.joint < 0)
      return leave_out(node,
                       "no joint turns " +
                           in_quotes(plain_line(text(node, a.joint < 0 ? "parent" : "child"), 60)) +
                           " in the reference body about the axis given here");
    const double ratio = number(node, "gearbox_ratio", 1);
    made_.couplings.push_back({.name = given.scope + read_.word(node, "name"),
                               .place = node.place,
                               .a = b.joint,
                               .b = a.joint,
                               .c = {0, -ratio * a.sign * b.sign, 0, 0, 0}});
  }

  void place_joint(const Given& given) {
    static const std::map<std::string, JointType> types = {
        {"revolute", JointType::revolute},   {"continuous", JointType::revolute},
        {"prismatic", JointType::prismatic}, {"ball", JointType::spherical},
        {"universal", JointType::universal}, {"revolute2", JointType::universal},
        {"screw", JointType::screw},         {"fixed", JointType::fixed}};
    const XmlNode& node = *given.node;
    const std::string name = given.scope + read_.word(node, "name"),
                      type = read_.required(node, "type");
    const auto found = types.find(type);
    if (type == "gearbox") return gearboxes_.push_back(&given);
    if (found == types.end()) {
      std::vector<std::string> known;
      known.reserve(types.size());
      for (const auto& [word, value] : types) known.push_back(word);
      return read_.error(node, "type=\"" + plain_line(type, 40) + "\" has no counterpart" +
                                   suggestion(type, known));
    }
    const auto parent = link_of(given.parent, node), child_link = link_of(given.child, node);
    if (!parent || !child_link) return;
    if (*parent == *child_link) return read_.error(node, "it joins a link to itself");
    const Pose pose = resolved(name, node);
    Joint made{.name = name,
               .place = node.place,
               .type = found->second,
               .parent = *parent,
               .child = *child_link,
               .point = pose.t};
    if (const XmlNode* axis = child(node, "axis")) {
      made.axis = axis_in_world(*axis, given.scope, pose);
      if (const XmlNode* limit = child(*axis, "limit")) {
        // ±1e16 means no limit in SDF.
        const double lower = number(*limit, "lower", -1e16), upper = number(*limit, "upper", 1e16);
        if (lower > -1e15 && type != "continuous") made.lower = lower;
        if (upper < 1e15 && type != "continuous") made.upper = upper;
        if (lower > upper) read_.error(node, "its lower limit is above the upper one");
        if (const double effort = number(*limit, "effort", -1); effort > 0) made.effort = effort;
      }
      if (const XmlNode* dynamics = child(*axis, "dynamics")) {
        made.damping = number(*dynamics, "damping", 0);
        made.friction = number(*dynamics, "friction", 0);
        made.stiffness = number(*dynamics, "spring_stiffness", 0);
        made.spring_at = number(*dynamics, "spring_reference", 0);
        if (made.damping < 0 || made.friction < 0 || made.stiffness < 0)
          read_.error(node, "damping, friction and stiffness must not be negative");
      }
      if (const XmlNode* mimic = child(*axis, "mimic")) {
        made.mimic = Mimic{given.scope + read_.word(*mimic, "joint"),
                           number(*mimic, "multiplier", 1), number(*mimic, "offset", 0)};
        made.mimic->offset -= made.mimic->multiplier * number(*mimic, "reference", 0);
      }
    } else if (made.type != JointType::fixed && made.type != JointType::spherical) {
      read_.error(node, "<axis> is missing");
    }
    if (made.type == JointType::universal) {
      if (const XmlNode* axis = child(node, "axis2"))
        made.axis2 = axis_in_world(*axis, given.scope, pose);
      if (std::abs(made.axis.dot(made.axis2)) > 1e-9) return split(node, made);
    }
    if (made.type == JointType::screw) {
      if (child(node, "screw_thread_pitch") == nullptr)
        read_.error(node,
                    "<screw_thread_pitch> is missing; the older <thread_pitch> is not read, as its "
                    "meaning differs between tools");
      made.pitch = number(node, "screw_thread_pitch", 1);
    }
    made.driven = made.has_coordinate() && !made.mimic;
    made_.joints.push_back(std::move(made));
  }

  /// Two axes that are not perpendicular: two joints, with a link without mass between them.
  void split(const XmlNode& node, const Joint& joint) {
    const int between = static_cast<int>(made_.links.size());
    made_.links.push_back(
        {.name = joint.name + "_cross", .place = {}, .pose = {joint.point, Mat3::Identity()}});
    Joint first = joint, second = joint;
    first.type = second.type = JointType::revolute;
    first.child = second.parent = between;
    second.name += "_2";
    second.axis = joint.axis2;
    second.lower = second.upper = std::nullopt;
    second.damping = second.friction = second.stiffness = 0;
    first.driven = second.driven = true;
    if (const XmlNode* axis2 = child(node, "axis2"))
      if (child(*axis2, "limit") != nullptr || child(*axis2, "dynamics") != nullptr)
        made_.remarks.push_back(
            {axis2->place, label(node), "limits and dynamics of axis2 are left out"});
    made_.joints.push_back(first);
    made_.joints.push_back(second);
  }

  Vec3 axis_in_world(const XmlNode& axis, const std::string& scope, const Pose& joint) {
    const XmlNode* xyz = child(axis, "xyz");
    Vec3 given = Vec3::UnitZ();
    Mat3 R = joint.R;
    if (xyz != nullptr) {
      given = vector(*xyz, given);
      const std::string in = read_.word(*xyz, "expressed_in");
      if (!in.empty()) R = resolved(scoped(scope, in), axis).R;
    }
    if (is_true(axis, "use_parent_model_frame") || version_ < 1.49)
      R = resolved(scope + "__model__", axis).R;
    if (!(given.norm() > 0)) {
      read_.error(axis, "the axis has length zero");
      return Vec3::UnitZ();
    }
    return R * given.normalized();
  }

  /// Finds joints that close loops, and links without joints.
  void hold() {
    const std::size_t n = made_.links.size();
    std::vector<std::size_t> group(n + 1);  // the last one is the world
    for (std::size_t i = 0; i <= n; ++i) group[i] = i;
    const auto root = [&](int link) {
      std::size_t i = link == world ? n : at(link);
      while (group[i] != i) i = group[i] = group[group[i]];
      return i;
    };
    // Fixed joints first: they make parts of one body.
    for (const bool fixed : {true, false})
      for (Joint& joint : made_.joints) {
        if ((joint.type == JointType::fixed) != fixed) continue;
        const std::size_t a = root(joint.parent), b = root(joint.child);
        if (a == b && !fixed) joint.closes_loop = true;
        group[a] = b;
      }
    std::set<std::size_t> held = {root(world)};
    for (std::size_t i = 0; i < n; ++i)
      if (held.insert(root(static_cast<int>(i))).second) made_.links[i].free = true;
  }

  const XmlNode& root_;
  const Source& source_;
  Attributes read_;
  Robot made_;
  double version_ = 1.7;
  int depth_ = 0;
  std::map<std::string, Frame> frames_;
  std::map<std::string, int> link_numbers_;
  std::vector<Given> given_;
  std::vector<const Given*> gearboxes_;
  std::set<std::string> included_;
  std::vector<std::unique_ptr<XmlNode>> kept_;  // models of included files
};

}  // namespace

Robot read_sdf(const XmlNode& root, const Source& source) { return Sdf(root, source).robot(); }

}  // namespace mechfmu::robots
