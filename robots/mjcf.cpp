// MJCF: nested bodies, each placed in the axes of the outer one, with the joints that connect it
// inside.
//
//   pose of body = pose of the outer body · (pos, orientation)
//   several joints of a body: links without mass between them, the first joint at the outer body
//   a body without joints is a part of the outer body
//   a joint's coordinate is `ref` in the placed position
//   mass and inertia of a body: <inertial>, or those of its geoms

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "model/format.h"
#include "model/turn.h"
#include "model_desc/text.h"
#include "robots/mjcf_tree.h"

namespace mechfmu::robots {

namespace {

constexpr double pi = std::numbers::pi;
constexpr std::size_t most_copies = 100'000;  // of elements, by replicates

struct Compiler {
  double angle = pi / 180;  // rad in a unit of angles
  std::string sequence = "xyz";
  bool autolimits = true;
  std::string inertia_from_geoms = "auto";
  std::string mesh_folder;
  int first_group = 0, last_group = 5;
  double total_mass = 0;
};

struct Site {
  int link;
  Pose pose;
};

class Mjcf {
 public:
  Mjcf(const XmlNode& root, const Source& source)
      : root_(with_includes(root, source)),
        source_(source),
        read_(source.diagnostics),
        defaults_(root_, read_) {}

  Robot robot() {
    made_.format = "MJCF";
    made_.name = read_.word(root_, "model", source_.file.stem().string());
    for (const XmlNode* node : children(root_, "compiler")) compiler(*node);
    for (const XmlNode* node : children(root_, "option")) option(*node);
    for (const XmlNode* node : children(root_, "asset")) assets(*node);
    for (const XmlNode* node : children(root_, "worldbody")) {
      std::vector<Later> bodies;
      suffix_.clear();
      inside(*node, world, {}, {}, nullptr, bodies);
      for (const Later& later : bodies) body(later, world);
    }
    suffix_.clear();
    for (const XmlNode* node : children(root_, "tendon"))
      for (const XmlNode& e : node->children)
        for_each_copy(e, [&](const XmlNode& n) { tendon(n); });
    for (const XmlNode& node : root_.children) {
      if (node.tag == "equality")
        for (const XmlNode& e : node.children)
          for_each_copy(e, [&](const XmlNode& n) { equality(n); });
      else if (node.tag == "actuator")
        for (const XmlNode& e : node.children)
          for_each_copy(e, [&](const XmlNode& n) { actuator(n); });
      else if (node.tag == "sensor")
        for (const XmlNode& e : node.children)
          for_each_copy(e, [&](const XmlNode& n) { sensor(n); });
      else if (node.tag == "keyframe" || node.tag == "deformable" || node.tag == "extension")
        for (const XmlNode& e : node.children) leave_out(e);
      else if (node.tag == "contact") {
        if (!node.children.empty()) leave_out(node, "pairs and exclusions of contacts");
      } else if (std::find(read_elsewhere.begin(), read_elsewhere.end(), node.tag) ==
                 read_elsewhere.end())
        leave_out(node);
    }
    if (made_.links.empty() && !read_.diagnostics().has_errors())
      read_.error(root_, "there are no bodies in its <worldbody>");
    if (compiler_.total_mass > 0) scale_masses();
    return std::move(made_);
  }

 private:
  static constexpr std::array<std::string_view, 10> read_elsewhere = {
      "compiler", "option", "asset",     "worldbody", "default",
      "tendon",   "visual", "statistic", "size",      "custom"};

  static XmlNode with_includes(const XmlNode& root, const Source& source) {
    XmlNode whole = root;
    put_in_includes(whole, source);
    return whole;
  }

  void leave_out(const XmlNode& node, const std::string& why = {}) {
    made_.remarks.push_back(
        {node.place, label(node), "is left out" + (why.empty() ? "" : ": " + why)});
  }
  void remark(const XmlNode& node, const std::string& message) {
    made_.remarks.push_back({node.place, label(node), message});
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void compiler(const XmlNode& node) {
    const std::string unit = read_.word(node, "angle", compiler_.angle == 1 ? "radian" : "degree");
    if (unit != "degree" && unit != "radian") read_.error(node, "angle must be degree or radian");
    compiler_.angle = unit == "radian" ? 1 : pi / 180;
    compiler_.sequence = read_.word(node, "eulerseq", compiler_.sequence);
    if (compiler_.sequence.size() != 3 ||
        compiler_.sequence.find_first_not_of("xyzXYZ") != std::string::npos) {
      read_.error(node, "eulerseq must be three letters of x, y, z, X, Y, Z");
      compiler_.sequence = "xyz";
    }
    compiler_.autolimits =
        read_.word(node, "autolimits", compiler_.autolimits ? "true" : "false") == "true";
    compiler_.inertia_from_geoms =
        read_.word(node, "inertiafromgeom", compiler_.inertia_from_geoms);
    compiler_.mesh_folder =
        read_.word(node, "meshdir", read_.word(node, "assetdir", compiler_.mesh_folder));
    if (const auto groups = read_.list(node, "inertiagrouprange", 2, 2); !groups.empty()) {
      compiler_.first_group = static_cast<int>(groups[0]);
      compiler_.last_group = static_cast<int>(groups[1]);
    }
    compiler_.total_mass = read_.number(node, "settotalmass", compiler_.total_mass);
    for (const char* other : {"boundmass", "boundinertia"})
      if (read_.number(node, other, 0) > 0)
        remark(node,
               std::string(other) + " is left out: masses and inertias are those of the file");
    if (read_.word(node, "balanceinertia") == "true")
      remark(node, "balanceinertia is left out: inertias are those of the file");
    if (read_.word(node, "coordinate", "local") != "local")
      read_.error(
          node,
          "global coordinates are not read; let an older MuJoCo save the file with local ones");
  }

  void option(const XmlNode& node) {
    made_.gravity = read_.vector(node, "gravity", made_.gravity);
    if (const XmlNode* flag = child(node, "flag"))
      if (read_.word(*flag, "gravity") == "disable") made_.gravity.setZero();
    for (const char* medium : {"density", "viscosity"})
      if (read_.number(node, medium, 0) > 0)
        remark(node, std::string("the ") + medium +
                         " of the air is left out: nothing here moves through a fluid");
  }

  struct MeshAsset {
    std::string file;
    Vec3 scale = Vec3::Ones();
    Place place;
  };

  void assets(const XmlNode& node) {
    for (const XmlNode& plain : node.children) {
      if (plain.tag == "material") {
        const XmlNode material = defaults_.filled(plain, {}, read_);
        materials_[read_.word(material, "name")] = read_.list(material, "rgba", 4, 4);
      }
      if (plain.tag != "mesh") continue;
      const XmlNode mesh = defaults_.filled(plain, {}, read_);
      const std::string file = read_.word(mesh, "file");
      const std::string name =
          read_.word(mesh, "name", std::filesystem::path(file).stem().string());
      if (file.empty()) {
        leave_out(mesh, "it has no file");
        continue;
      }
      if (read_.word(mesh, "inertia") == "exact")
        exact_.insert(compiler_.mesh_folder.empty() ? file : compiler_.mesh_folder + "/" + file);
      meshes_[name] = {compiler_.mesh_folder.empty() ? file : compiler_.mesh_folder + "/" + file,
                       read_.vector(mesh, "scale", Vec3::Ones()), mesh.place};
    }
  }

  /// pos, and one of quat, axisangle, euler, xyaxes and zaxis.
  Pose pose(const XmlNode& node) {
    Pose made{read_.vector(node, "pos", Vec3::Zero()), Mat3::Identity()};
    if (const auto q = read_.list(node, "quat", 4, 4); !q.empty())
      made.R = from_quaternion(q[0], q[1], q[2], q[3]);
    if (const auto a = read_.list(node, "axisangle", 4, 4); !a.empty()) {
      const Vec3 axis(a[0], a[1], a[2]);
      if (axis.norm() > 0)
        made.R = Eigen::AngleAxisd(a[3] * compiler_.angle, axis.normalized()).toRotationMatrix();
      else
        read_.error(node, "the axis of axisangle has length zero");
    }
    if (const auto e = read_.vector(node, "euler")) made.R = euler(*e);
    if (const auto v = read_.list(node, "xyaxes", 6, 6); !v.empty()) {
      const Vec3 x = Vec3(v[0], v[1], v[2]).normalized();
      Vec3 y(v[3], v[4], v[5]);
      y -= y.dot(x) * x;
      if (!(y.norm() > 1e-12) || !x.allFinite()) {
        read_.error(node, "the two axes of xyaxes are parallel, or zero");
      } else {
        made.R.col(0) = x;
        made.R.col(1) = y.normalized();
        made.R.col(2) = x.cross(made.R.col(1));
      }
    }
    if (const auto z = read_.vector(node, "zaxis")) {
      if (z->norm() > 0)
        made.R = turn_between(Vec3::UnitZ(), *z).toRotationMatrix();
      else
        read_.error(node, "zaxis has length zero");
    }
    return made;
  }

  /// Small letters rotate about moving axes, capital ones about fixed axes.
  Mat3 euler(const Vec3& angles) const {
    Mat3 R = Mat3::Identity();
    for (std::size_t i = 0; i < 3; ++i) {
      const char letter = compiler_.sequence[i];
      const bool along = letter >= 'x';
      const Vec3 axis = Vec3::Unit(letter - (along ? 'x' : 'X'));
      const Mat3 turn =
          Eigen::AngleAxisd(angles[static_cast<Eigen::Index>(i)] * compiler_.angle, axis)
              .toRotationMatrix();
      R = along ? Mat3(R * turn) : Mat3(turn * R);
    }
    return R;
  }

  /// A body in another one, which follows all other content of that body.
  struct Later {
    const XmlNode* node;
    Pose frame;
    std::string child_class;
    std::string suffix;  // of its name, in a replicate
  };

  /// The name of an element in the present copy; empty if it has none.
  std::string own_name(const XmlNode& node) {
    std::string written = read_.word(node, "name");
    if (written.empty() || suffix_.empty()) return written;
    std::vector<std::string>& suffixes = copies_of_[written];
    if (std::find(suffixes.begin(), suffixes.end(), suffix_) == suffixes.end())
      suffixes.push_back(suffix_);
    return written + suffix_;
  }

  static std::size_t elements_in(const XmlNode& node) {
    std::size_t sum = 1;
    for (const XmlNode& part : node.children) sum += elements_in(part);
    return sum;
  }

  /// Copies of the content of a replicate, each moved by (offset, euler) from the one before: T₀ =
  /// 1, Tᵢ₊₁ = Tᵢ · (offset, euler).
  void replicate(const XmlNode& node, int link, const Pose& frame, const std::string& child_class,
                 std::vector<Later>& bodies) {
    const double count = read_.number(node, "count", 1);
    if (!(count >= 1 && count <= 1e5 && count == std::floor(count)))
      return read_.error(node, "count is a whole number from 1 to 100000");
    Pose step{read_.vector(node, "offset", Vec3::Zero()), Mat3::Identity()};
    if (const auto e = read_.vector(node, "euler")) step.R = euler(*e);
    const std::string separator = read_.word(node, "sep"), outer = suffix_;
    const std::size_t digits = std::to_string(static_cast<int>(count) - 1).size();
    Pose at;
    for (int i = 0; i < static_cast<int>(count); ++i) {
      if (copies_ > most_copies) break;
      copies_ += elements_in(node);
      if (copies_ > most_copies)
        return read_.error(node, "replicates make more than " + std::to_string(most_copies) +
                                     " elements; give it a smaller count");
      const std::string index = std::to_string(i);
      suffix_ = separator;
      suffix_.append(digits - index.size(), '0').append(index).append(outer);
      inside(node, link, frame * at, child_class, nullptr, bodies);
      at = at * step;
    }
    suffix_ = outer;
  }

  /// An element that refers to a copied element of a replicate is repeated for each of the copies.
  template <class Use>
  void for_each_copy(const XmlNode& node, const Use& use) {
    static constexpr std::array<const char*, 11> references = {
        "joint", "joint1", "joint2", "site",    "site1",  "site2",
        "body1", "body2",  "tendon", "tendon1", "tendon2"};
    const auto suffixes_of = [&](const XmlNode& element) -> const std::vector<std::string>* {
      for (const Attribute& attribute : element.attributes)
        if (attribute.name == "objname" ||
            std::find(references.begin(), references.end(), attribute.name) != references.end())
          if (const auto copies = copies_of_.find(attribute.text); copies != copies_of_.end())
            return &copies->second;
      return nullptr;
    };
    const std::vector<std::string>* found = suffixes_of(node);
    for (const XmlNode& part : node.children)
      if (found == nullptr) found = suffixes_of(part);
    if (found == nullptr) return use(node);
    const std::vector<std::string> suffixes = *found;
    for (const std::string& suffix : suffixes) {
      XmlNode copy = node;
      const auto rename = [&](XmlNode& element) {
        for (Attribute& attribute : element.attributes) {
          const auto copies = copies_of_.find(attribute.text);
          const bool refers =
              attribute.name == "objname" ||
              std::find(references.begin(), references.end(), attribute.name) != references.end();
          if (refers && copies != copies_of_.end() &&
              std::find(copies->second.begin(), copies->second.end(), suffix) !=
                  copies->second.end())
            attribute.text += suffix;
        }
      };
      rename(copy);
      for (XmlNode& part : copy.children) rename(part);
      suffix_ = suffix;
      for (Attribute& attribute : copy.attributes)
        if (attribute.name == "name") attribute.text = own_name(node);
      suffix_.clear();
      use(copy);
    }
  }

  /// The content of a body or of the world: `link` is the body, `frame` the pose in it of enclosing
  /// frames.
  void inside(const XmlNode& node, int link, const Pose& frame, const std::string& outer_class,
              std::vector<std::pair<XmlNode, Pose>>* joints, std::vector<Later>& bodies) {
    const std::string child_class = read_.word(node, "childclass", outer_class);
    for (const XmlNode& plain : node.children) {
      if (plain.tag == "body") {
        bodies.push_back({&plain, frame, child_class, suffix_});
      } else if (plain.tag == "frame") {
        inside(plain, link, frame * pose(plain), child_class, joints, bodies);
      } else if (plain.tag == "replicate") {
        replicate(plain, link, frame, child_class, bodies);
      } else if (plain.tag == "geom") {
        geom(defaults_.filled(plain, child_class, read_), link, frame);
      } else if (plain.tag == "site") {
        const XmlNode site = defaults_.filled(plain, child_class, read_);
        Pose made = pose(site);
        if (const auto ends = read_.list(site, "fromto", 6, 6); !ends.empty())
          made = between(ends).first;
        sites_[own_name(site)] = {link, frame * made};
      } else if (plain.tag == "joint" || plain.tag == "freejoint") {
        if (joints == nullptr)
          read_.error(plain, "a joint must be inside a body");
        else
          joints->emplace_back(defaults_.filled(plain, child_class, read_), frame);
      } else if (plain.tag == "inertial" || plain.tag == "light" || plain.tag == "camera") {
        continue;
      } else {
        leave_out(plain);
      }
    }
  }

  /// The pose and the length of a shape from one point to another, along its z axis.
  static std::pair<Pose, double> between(const std::vector<double>& ends) {
    const Vec3 from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
    const Vec3 way = to - from;
    Pose made{(from + to) / 2, Mat3::Identity()};
    if (way.norm() > 0) made.R = turn_between(Vec3::UnitZ(), way).toRotationMatrix();
    return {made, way.norm()};
  }

  void body(const Later& later, int parent) {
    const XmlNode& node = *later.node;
    suffix_ = later.suffix;
    const std::string name = own_name(node);
    const int number = static_cast<int>(made_.links.size());
    const Pose parent_pose = parent == world ? Pose() : made_.links[at(parent)].pose;
    Link link{.name = name.empty() ? "body" + std::to_string(number + 1) : name,
              .place = node.place,
              .pose = parent_pose * later.frame * pose(node)};
    if (!link_numbers_.emplace(link.name, number).second)
      read_.error(node, "two bodies have this name");
    made_.links.push_back(link);
    if (read_.word(node, "mocap") == "true") remark(node, "a mocap body is fixed here");
    if (read_.number(node, "gravcomp", 0) != 0)
      remark(node, "gravcomp is left out: gravity acts on all of it");

    std::vector<std::pair<XmlNode, Pose>> joints;
    from_geoms_.emplace_back();
    std::vector<Later> bodies;
    weighs_ = child(node, "inertial") == nullptr || compiler_.inertia_from_geoms == "true";
    inside(node, number, {}, later.child_class, &joints, bodies);
    inertia(node, number);
    hold(node, parent, number, joints);
    for (const Later& inner : bodies) body(inner, number);
  }

  void inertia(const XmlNode& node, int number) {
    Link& link = made_.links[at(number)];
    const XmlNode* given = child(node, "inertial");
    if (given == nullptr || compiler_.inertia_from_geoms == "true") {
      if (compiler_.inertia_from_geoms != "false") {
        link.inertial = from_geoms_[at(number)].inertial;
        link.has_inertial = link.inertial.mass > 0;
        if (const auto& wanting = from_geoms_[at(number)].wanting;
            !wanting.empty() && given == nullptr)
          for (const auto& [place, what] : wanting)
            read_.diagnostics().error(place, what.first, {}, what.second);
      }
      return;
    }
    Inertial body{.mass = read_.number(*given, "mass", 0)};
    if (given->find("mass") == nullptr)
      read_.error(*given, "of body " + in_quotes(link.name) + ": the attribute mass is missing");
    if (const auto J = read_.list(*given, "fullinertia", 6, 6); !J.empty())
      body.inertia = inertia_matrix(J[0], J[1], J[2], J[3], J[4], J[5]);
    else
      body.inertia = read_.vector(*given, "diaginertia", Vec3::Zero()).asDiagonal();
    Pose frame = pose(*given);
    link.inertial = seen_from(frame, body);
    link.has_inertial = true;
  }

  /// The joints of a body, with links without mass between several of them.
  void hold(const XmlNode& node, int parent, int number,
            const std::vector<std::pair<XmlNode, Pose>>& joints) {
    const Pose pose = made_.links[at(number)].pose;
    const std::string name = made_.links[at(number)].name;
    if (joints.empty()) {
      made_.joints.push_back({.name = name + "_to_parent",
                              .place = node.place,
                              .type = JointType::fixed,
                              .parent = parent,
                              .child = number});
      return;
    }
    int before = parent;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const XmlNode& given = joints[i].first;
      const Pose frame = pose * joints[i].second;
      const std::string type =
          given.tag == "freejoint" ? "free" : read_.word(given, "type", "hinge");
      if (type == "free") {
        if (joints.size() > 1) read_.error(given, "a free joint is the only one of its body");
        if (parent != world) read_.error(given, "a free joint belongs to a body of the world");
        made_.links[at(number)].free = true;
        for (const char* resists : {"armature", "damping", "stiffness", "frictionloss"})
          if (const auto list = read_.list(given, resists, 1, 3); !list.empty() && list[0] > 0)
            remark(given, std::string(resists) + " of a free joint is left out");
        return;
      }
      int after = number;
      if (i + 1 < joints.size()) {
        after = static_cast<int>(made_.links.size());
        made_.links.push_back(
            {.name = name + "_" + std::to_string(i + 1), .place = {}, .pose = pose});
        from_geoms_.emplace_back();
      }
      joint(given, type, before, after, frame, name, i);
      before = after;
    }
  }

  void joint(const XmlNode& node, const std::string& type, int parent, int child, const Pose& frame,
             const std::string& body, std::size_t i) {
    static const std::map<std::string, JointType> types = {{"hinge", JointType::revolute},
                                                           {"slide", JointType::prismatic},
                                                           {"ball", JointType::spherical}};
    const auto found = types.find(type);
    if (found == types.end())
      return read_.error(node,
                         "type=\"" + plain_line(type, 40) +
                             "\" is not known: joints are of type hinge, slide, ball or free");
    const double unit = type == "slide" ? 1 : compiler_.angle;
    const auto first = [&](const char* attribute) {
      const auto list = read_.list(node, attribute, 1, 3);
      return list.empty() ? 0.0 : list[0];
    };
    const std::string own = own_name(node);
    Joint made{.name = own.empty() ? body + "_joint" + (i == 0 ? "" : std::to_string(i + 1)) : own,
               .place = node.place,
               .type = found->second,
               .parent = parent,
               .child = child,
               .point = frame * read_.vector(node, "pos", Vec3::Zero())};
    if (type != "ball") made.axis = frame.R * read_.direction(node, "axis", Vec3::UnitZ());
    made.damping = first("damping");
    made.stiffness = first("stiffness");
    made.friction = read_.number(node, "frictionloss", 0);
    made.armature = read_.number(node, "armature", 0);
    made.zero = read_.number(node, "ref", 0) * unit;
    made.spring_at = read_.number(node, "springref", 0) * unit;
    if (made.damping < 0 || made.stiffness < 0 || made.friction < 0 || made.armature < 0)
      read_.error(node, "damping, stiffness, frictionloss and armature must not be negative");
    if (made.friction > 0)
      made_.notes.push_back("dry friction of " + made.name +
                            " is smooth below 1e-3 rad/s or m/s here");
    const std::string limited = read_.word(node, "limited", "auto");
    const auto range = read_.list(node, "range", 2, 2);
    if (!range.empty() && (limited == "true" || (limited == "auto" && compiler_.autolimits))) {
      if (type == "ball") {
        remark(node, "the limit of a ball joint is left out");
      } else {
        made.lower = range[0] * unit;
        made.upper = range[1] * unit;
        if (*made.lower >= *made.upper) read_.error(node, "its range is empty");
      }
    }
    if (type == "ball" &&
        (made.damping > 0 || made.stiffness > 0 || made.armature > 0 || made.friction > 0))
      remark(node, "stiffness, damping, friction and armature of a ball joint are left out");
    if (!joint_numbers_.emplace(made.name, static_cast<int>(made_.joints.size())).second)
      read_.error(node, "two joints have this name");
    made_.joints.push_back(std::move(made));
  }

  struct FromGeoms {
    Inertial inertial;
    std::vector<std::pair<Place, std::pair<std::string, std::string>>>
        wanting{};  // geoms of unknown mass, with the reason
  };

  void geom(const XmlNode& node, int link, const Pose& frame) {
    static const std::map<std::string, GeomKind> kinds = {{"box", GeomKind::box},
                                                          {"sphere", GeomKind::sphere},
                                                          {"capsule", GeomKind::capsule},
                                                          {"cylinder", GeomKind::cylinder},
                                                          {"ellipsoid", GeomKind::ellipsoid},
                                                          {"plane", GeomKind::plane},
                                                          {"mesh", GeomKind::mesh}};
    const std::string type = read_.word(node, "type", "sphere");
    const auto found = kinds.find(type);
    if (found == kinds.end())
      return leave_out(node, "type=\"" + plain_line(type, 40) + "\" has no counterpart");
    Geom made{
        .kind = found->second, .pose = pose(node), .name = own_name(node), .place = node.place};
    const std::vector<double> size = read_.list(node, "size", 1, 3);
    const auto half = [&](std::size_t i) { return i < size.size() ? size[i] : 0.0; };
    const auto ends = read_.list(node, "fromto", 6, 6);
    double length = 0;
    if (!ends.empty()) std::tie(made.pose, length) = between(ends);
    switch (made.kind) {
      case GeomKind::box:
        made.size = 2 * Vec3(half(0), ends.empty() ? half(1) : half(0),
                             ends.empty() ? half(2) : length / 2);
        break;
      case GeomKind::sphere: made.size = {half(0), 0, 0}; break;
      case GeomKind::capsule:
      case GeomKind::cylinder: made.size = {half(0), ends.empty() ? 2 * half(1) : length, 0}; break;
      case GeomKind::ellipsoid:
        made.size = {half(0), ends.empty() ? half(1) : half(0),
                     ends.empty() ? half(2) : length / 2};
        break;
      default: break;
    }
    if (made.kind == GeomKind::mesh) {
      const std::string name = read_.word(node, "mesh");
      const auto mesh = meshes_.find(name);
      if (mesh != meshes_.end()) {
        made.mesh = mesh->second.file;
        made.scale = mesh->second.scale;
      }
    }
    made.pose = frame * made.pose;
    made.collides =
        read_.number(node, "contype", 1) != 0 || read_.number(node, "conaffinity", 1) != 0;
    if (const auto friction = read_.list(node, "friction", 1, 3); !friction.empty())
      made.friction = friction[0];
    else
      made.friction = 1;
    const int group = static_cast<int>(std::clamp(read_.number(node, "group", 0), -1.0, 100.0));
    made.visible = group <= 2;  // as in MuJoCo's viewer
    if (const auto material = materials_.find(read_.word(node, "material"));
        material != materials_.end())
      paint(made, material->second);
    if (made.kind == GeomKind::plane) made.size = 2 * Vec3(half(0), half(1), 0);
    paint(made, read_.list(node, "rgba", 4, 4));
    if (link == world) {
      made_.ground.push_back(std::move(made));
      return;
    }
    if (weighs_ && group >= compiler_.first_group && group <= compiler_.last_group &&
        made.kind != GeomKind::plane)
      weigh(node, made, link);
    made_.links[at(link)].geoms.push_back(std::move(made));
  }

  /// Adds the mass of a geom to that of its body's geoms.
  void weigh(const XmlNode& node, const Geom& geom, int link) {
    FromGeoms& sum = from_geoms_[at(link)];
    const std::optional<double> mass = read_.number(node, "mass");
    const double density = read_.number(node, "density", 1000);
    if (mass ? *mass == 0 : density == 0) return;
    const auto want = [&](const std::string& what) {
      sum.wanting.push_back({node.place, {label(node), what}});
    };
    if (read_.word(node, "shellinertia") == "true")
      return want("its mass is that of a shell, which is not read; give the body an <inertial>");
    double volume = 0;
    Vec3 moments = Vec3::Zero();  // of density 1, about its middle
    Vec3 centre = Vec3::Zero();
    std::optional<Mat3> J;
    const double r = geom.size.x(), l = geom.size.y();
    switch (geom.kind) {
      case GeomKind::box: {
        volume = geom.size.prod();
        const Vec3 squares = geom.size.cwiseAbs2();
        moments = volume / 12 * (Vec3::Constant(squares.sum()) - squares);
        break;
      }
      case GeomKind::sphere:
        volume = 4.0 / 3 * pi * r * r * r;
        moments = Vec3::Constant(0.4 * volume * r * r);
        break;
      case GeomKind::cylinder:
        volume = pi * r * r * l;
        moments = volume * Vec3((3 * r * r + l * l) / 12, (3 * r * r + l * l) / 12, r * r / 2);
        break;
      case GeomKind::capsule: {  // a cylinder and two halves of a sphere
        const double middle = pi * r * r * l, caps = 4.0 / 3 * pi * r * r * r;
        volume = middle + caps;
        const double across =
            middle * (3 * r * r + l * l) / 12 + caps * (0.4 * r * r + l * l / 4 + 3 * l * r / 8);
        moments = {across, across, middle * r * r / 2 + caps * 0.4 * r * r};
        break;
      }
      case GeomKind::ellipsoid: {
        volume = 4.0 / 3 * pi * geom.size.prod();
        const Vec3 squares = geom.size.cwiseAbs2();
        moments = volume / 5 * (Vec3::Constant(squares.sum()) - squares);
        break;
      }
      case GeomKind::mesh: {
        if (geom.mesh.empty())
          return want("its mesh " + in_quotes(plain_line(read_.word(node, "mesh"), 60)) +
                      " is not one with a file; give the body an <inertial>");
        const MeshSolid* solid = solid_of(geom, node);
        if (solid == nullptr) return;
        volume = std::abs(solid->volume);
        centre = solid->centre;
        J = solid->volume < 0 ? Mat3(-solid->inertia) : solid->inertia;
        break;
      }
      case GeomKind::plane: return;
    }
    if (!(volume > 0)) return want("it has no volume; give it a size");
    if (!J) J = moments.asDiagonal();
    const double rho = mass ? *mass / volume : density;
    if (rho < 0) return read_.error(node, "mass and density must not be negative");
    sum.inertial = together(sum.inertial, seen_from(geom.pose, {rho * volume, centre, rho * *J}));
  }

  const MeshSolid* solid_of(const Geom& geom, const XmlNode& node) {
    const std::string key = geom.mesh + " " + format(geom.scale.x(), 17) + " " +
                            format(geom.scale.y(), 17) + " " + format(geom.scale.z(), 17);
    const auto known = solids_.find(key);
    if (known != solids_.end()) return &known->second;
    std::optional<Mesh> mesh = source_.mesh(geom.mesh, node.place, label(node));
    if (!mesh) return nullptr;
    mesh->scale(geom.scale);
    const MeshSolid solid = solid_inside(*mesh);
    if (!exact_.contains(geom.mesh))
      remark(node, "the mass of the mesh " + in_quotes(plain_line(geom.mesh, 80)) +
                       " is that of the solid inside it; MuJoCo's is another where the mesh is not "
                       "convex, unless its inertia is \"exact\"");
    if (solid.open_edges > 0)
      remark(node, "the surface of " + in_quotes(plain_line(geom.mesh, 80)) + " is open at " +
                       std::to_string(solid.open_edges) +
                       " edges: its mass is that of the volume that the triangles cut off");
    else if (solid.volume < 0)
      remark(node, "the triangles of " + in_quotes(plain_line(geom.mesh, 80)) +
                       " face inwards; its mass is that of the solid inside, all the same");
    if (const double size = mesh->size(); size > unlikely_size)
      remark(node,
             "the mesh " + in_quotes(plain_line(geom.mesh, 80)) + " is " +
                 format(std::round(size), 6) +
                 " m long; give it scale=\"0.001 0.001 0.001\" where its numbers are millimetres");
    return &solids_.emplace(key, solid).first->second;
  }

  /// The element that an attribute names; nullopt, with an error, if it does not exist.
  template <class T>
  std::optional<T> named(const XmlNode& node, const char* attribute, const char* kind,
                         const std::map<std::string, T>& all) {
    const std::string name = read_.word(node, attribute);
    const auto found = all.find(name);
    if (found != all.end() && !name.empty()) return found->second;
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const auto& [known, value] : all) names.push_back(known);
    read_.error(node, kind + (" " + in_quotes(plain_line(name, 60))) + " does not exist" +
                          suggestion(name, names));
    return {};
  }
  std::optional<int> joint_named(const XmlNode& node, const char* attribute) {
    return named(node, attribute, "joint", joint_numbers_);
  }
  std::optional<Site> site_named(const XmlNode& node, const char* attribute) {
    return named(node, attribute, "site", sites_);
  }
  std::optional<int> body_named(const XmlNode& node, const char* attribute) {
    const std::string name = read_.word(node, attribute);
    if (name.empty() || name == "world") return world;
    return named(node, attribute, "body", link_numbers_);
  }

  Pose pose_of(int link) const { return link == world ? Pose() : made_.links[at(link)].pose; }

  void equality(const XmlNode& plain) {
    const XmlNode all = [&] {  // the defaults of all kinds are under "equality"
      XmlNode named = plain;
      named.tag = "equality";
      named = defaults_.filled(named, {}, read_);
      named.tag = plain.tag;
      return named;
    }();
    const XmlNode& node = all;
    if (read_.word(node, "active", "true") == "false") return leave_out(node, "it is not active");
    const std::string name = read_.word(node, "name", node.tag + std::to_string(++equalities_));
    if (node.tag == "connect" || node.tag == "weld") {
      Joint made{.name = name,
                 .place = node.place,
                 .type = node.tag == "weld" ? JointType::fixed : JointType::spherical,
                 .closes_loop = true};
      if (node.find("site1") != nullptr) {
        const auto a = site_named(node, "site1"), b = site_named(node, "site2");
        if (!a || !b) return;
        made.parent = a->link;
        made.child = b->link;
        made.point = pose_of(a->link) * a->pose.t;
        const Vec3 other = pose_of(b->link) * b->pose.t;
        if ((other - made.point).norm() > 1e-9) made.to = other;
        if (node.tag == "weld" &&
            !(pose_of(a->link).R * a->pose.R).isApprox(pose_of(b->link).R * b->pose.R, 1e-9))
          read_.error(node,
                      "its sites are turned against each other; give bodies and anchor instead");
      } else {
        if (node.find("body1") == nullptr) return read_.error(node, "body1 is missing");
        const auto a = body_named(node, "body1"), b = body_named(node, "body2");
        if (!a || !b) return;
        made.parent = *a;
        made.child = *b;
        made.point = pose_of(*a) * read_.vector(node, "anchor", Vec3::Zero());
        if (node.tag == "weld") {
          made.point = pose_of(*b) * read_.vector(node, "anchor", Vec3::Zero());
          const auto relative = read_.list(node, "relpose", 7, 7);
          if (!relative.empty() &&
              std::any_of(relative.begin() + 3, relative.end(), [](double x) { return x != 0; })) {
            const Pose wanted{{relative[0], relative[1], relative[2]},
                              from_quaternion(relative[3], relative[4], relative[5], relative[6])};
            const Pose placed = pose_of(*a).inverse() * pose_of(*b);
            if (!wanted.R.isApprox(placed.R, 1e-6) || (wanted.t - placed.t).norm() > 1e-6)
              read_.error(node,
                          "relpose is not the pose in which the bodies are placed; place them as "
                          "they are to be welded");
          }
        }
      }
      if (made.parent == made.child) return read_.error(node, "it joins a body to itself");
      made_.notes.push_back(name + " holds exactly here, as a joint");
      made_.joints.push_back(std::move(made));
    } else if (node.tag == "joint") {
      const auto a = joint_named(node, "joint1");
      std::optional<int> b = -1;
      if (node.find("joint2") != nullptr) b = joint_named(node, "joint2");
      if (!a || !b) return;
      Coupling made{.name = name, .place = node.place, .a = *a, .b = *b};
      const auto c = read_.list(node, "polycoef", 1, 5);
      if (!c.empty()) {
        made.c.fill(0);
        std::copy(c.begin(), c.end(), made.c.begin());
      }
      made_.couplings.push_back(made);
    } else if (node.tag == "tendon") {
      if (is_left_out(node, "tendon1") || is_left_out(node, "tendon2"))
        return leave_out(node, "its tendon is");
      const auto a = named(node, "tendon1", "tendon", tendon_numbers_);
      std::optional<int> b = -1;
      if (node.find("tendon2") != nullptr) b = named(node, "tendon2", "tendon", tendon_numbers_);
      if (!a || !b) return;
      TendonCoupling made{.name = name, .place = node.place, .a = *a, .b = *b};
      if (const auto c = read_.list(node, "polycoef", 1, 5); !c.empty()) {
        made.c.fill(0);
        std::copy(c.begin(), c.end(), made.c.begin());
      }
      made_.tendon_couplings.push_back(made);
    } else {
      leave_out(node, node.tag == "flex" ? "flexible bodies are not read" : "");
    }
  }

  bool is_left_out(const XmlNode& node, const char* attribute) {
    return left_out_tendons_.contains(read_.word(node, attribute));
  }

  /// L = Σ cᵢ qᵢ; tendons over sites and around geoms are left out.
  void tendon(const XmlNode& plain) {
    XmlNode filled = plain;
    filled.tag = "tendon";  // the defaults of both kinds
    filled = defaults_.filled(filled, {}, read_);
    filled.tag = plain.tag;
    const XmlNode& node = filled;
    const int number = static_cast<int>(made_.tendons.size());
    const std::string name = read_.word(node, "name", "tendon" + std::to_string(number + 1));
    if (node.tag != "fixed") {
      left_out_tendons_.insert(name);
      return leave_out(node,
                       "tendons over sites and around shapes have no counterpart; those of "
                       "joints, <fixed>, are read");
    }
    Tendon made{.name = name, .place = node.place};
    double relaxed = 0;  // its length with relaxed springs of joints
    for (const XmlNode* part : children(node, "joint")) {
      const auto joint = joint_named(*part, "joint");
      if (!joint) return;
      if (!made_.joints[at(*joint)].has_coordinate())
        return read_.error(*part, "its joint has no coordinate");
      const double factor = read_.number(*part, "coef", 0);
      if (factor != 0) made.joints.emplace_back(*joint, factor);
      relaxed += factor * made_.joints[at(*joint)].spring_at;
    }
    if (made.joints.empty()) {
      left_out_tendons_.insert(name);
      return leave_out(node, "no joint moves it");
    }
    const auto first = [&](const char* attribute) {
      const auto list = read_.list(node, attribute, 1, 3);
      return list.empty() ? 0.0 : list[0];
    };
    made.stiffness = first("stiffness");
    made.damping = first("damping");
    if (made.stiffness < 0 || made.damping < 0)
      read_.error(node, "stiffness and damping must not be negative");
    const auto length = read_.list(node, "springlength", 1, 2);
    made.shortest = length.empty() || length[0] == -1 ? relaxed : length[0];
    made.longest = length.size() > 1 ? length[1] : made.shortest;
    if (made.shortest > made.longest) read_.error(node, "its springlength begins above its end");
    const std::string limited = read_.word(node, "limited", "auto");
    if (node.find("range") != nullptr &&
        (limited == "true" || (limited == "auto" && compiler_.autolimits)))
      remark(node, "the limit of a tendon is left out");
    for (const char* other : {"frictionloss", "armature"})
      if (first(other) > 0) remark(node, std::string(other) + " of a tendon is left out");
    if (!tendon_numbers_.emplace(name, number).second)
      read_.error(node, "there are two tendons of this name");
    made_.tendons.push_back(std::move(made));
  }

  void actuator(const XmlNode& plain) {
    const XmlNode node = defaults_.filled(plain, {}, read_);
    const bool of_tendon = node.find("tendon") != nullptr;
    if (node.find("joint") == nullptr && !of_tendon)
      return leave_out(node, "only actuators of joints and of fixed tendons are taken over");
    if (of_tendon && is_left_out(node, "tendon")) return leave_out(node, "its tendon is");
    const auto what =
        of_tendon ? named(node, "tendon", "tendon", tendon_numbers_) : joint_named(node, "joint");
    if (!what) return;
    if (!of_tendon && !made_.joints[at(*what)].has_coordinate())
      return leave_out(node, "its joint has no coordinate");
    const std::string moves =
        of_tendon ? made_.tendons[at(*what)].name : made_.joints[at(*what)].name;
    Actuator made{.name = read_.word(node, "name", moves + "_" + node.tag),
                  .place = node.place,
                  .joint = of_tendon ? 0 : *what,
                  .tendon = of_tendon ? *what : -1};
    const auto gear = read_.list(node, "gear", 1, 6);
    if (!gear.empty()) made.gear = gear[0];
    const auto first = [&](const char* attribute, double otherwise) {
      const auto list = read_.list(node, attribute, 1, 3);
      return list.empty() ? otherwise : list[0];
    };
    if (node.tag == "position") {
      const double kp = first("kp", 1);
      made.gain = kp;
      made.bias = {0, -kp, -first("kv", 0)};
      made.is_target = true;
      made.about = "position that the motor of " + moves + " is to reach";
      if (read_.number(node, "dampratio", 0) != 0)
        remark(node, "dampratio is left out; give kv instead");
    } else if (node.tag == "velocity") {
      const double kv = first("kv", 1);
      made.gain = kv;
      made.bias = {0, 0, -kv};
      made.is_target = made.of_rate = true;
      made.about = "speed that the motor of " + moves + " is to reach";
    } else if (node.tag == "general") {
      if (const std::string type = read_.word(node, "gaintype", "fixed"); type != "fixed")
        return leave_out(node, "gaintype " + plain_line(type, 30) + " is not known");
      const std::string bias = read_.word(node, "biastype", "none");
      if (bias != "none" && bias != "affine")
        return leave_out(node, "biastype " + plain_line(bias, 30) + " is not known");
      const auto gain = read_.list(node, "gainprm", 1, 10);
      if (!gain.empty()) made.gain = gain[0];
      const auto prm = read_.list(node, "biasprm", 1, 10);
      if (bias == "affine")
        for (std::size_t i = 0; i < std::min<std::size_t>(3, prm.size()); ++i)
          made.bias[i] = prm[i];
      made.is_target = made.bias[1] != 0 || made.bias[2] != 0;
      made.of_rate = made.is_target && made.bias[1] == 0;
    } else if (node.tag == "damper") {
      return leave_out(node, "a damper with a variable constant has no counterpart");
    } else if (node.tag != "motor") {
      return leave_out(node);
    }
    const std::string type = read_.word(node, "dyntype", "none");
    made.lag = read_.number(node, "timeconst", 0);
    if (type == "filter" || type == "filterexact") {
      const auto prm = read_.list(node, "dynprm", 1, 10);
      made.lag = prm.empty() ? 1 : prm[0];
    } else if (type != "none") {
      remark(node, "its dynamics, dyntype=\"" + plain_line(type, 30) +
                       "\", are left out: it acts at once");
    }
    if (made.lag < 0) return read_.error(node, "its time constant must not be negative");
    const auto range = [&](const char* name, const char* limited, std::optional<double>& least,
                           std::optional<double>& most) {
      const auto given = read_.list(node, name, 2, 2);
      const std::string is = read_.word(node, limited, "auto");
      if (given.empty() || !(is == "true" || (is == "auto" && compiler_.autolimits))) return;
      least = given[0];
      most = given[1];
    };
    range("ctrlrange", "ctrllimited", made.least, made.most);
    range("forcerange", "forcelimited", made.least_force, made.most_force);
    made_.actuators.push_back(std::move(made));
  }

  void sensor(const XmlNode& node) {
    static const std::map<std::string, SensorKind> kinds = {
        {"jointpos", SensorKind::joint_position},
        {"jointvel", SensorKind::joint_velocity},
        {"framepos", SensorKind::position},
        {"framelinvel", SensorKind::velocity},
        {"frameangvel", SensorKind::angular_velocity},
        {"gyro", SensorKind::local_angular_velocity},
        {"velocimeter", SensorKind::local_velocity},
        {"accelerometer", SensorKind::local_acceleration},
        {"framequat", SensorKind::quaternion}};
    const auto found = kinds.find(node.tag);
    if (found == kinds.end()) return leave_out(node, "this sensor has no counterpart");
    if (node.find("reftype") != nullptr) return leave_out(node, "it is seen from another frame");
    Sensor made{
        .name = read_.word(node, "name", node.tag + std::to_string(made_.sensors.size() + 1)),
        .place = node.place,
        .kind = found->second};
    if (made.kind == SensorKind::joint_position || made.kind == SensorKind::joint_velocity) {
      const auto joint = joint_named(node, "joint");
      if (!joint) return;
      if (!made_.joints[at(*joint)].has_coordinate())
        return leave_out(node, "its joint has no coordinate");
      made.index = *joint;
    } else if (const std::string object = read_.word(node, "objtype", "site"); object == "site") {
      const auto site = site_named(node, node.find("site") != nullptr ? "site" : "objname");
      if (!site) return;
      made.index = site->link;
      made.pose = site->pose;
    } else if (object == "xbody" || object == "body") {
      const auto body = body_named(node, "objname");
      if (!body) return;
      made.index = *body;
      if (object == "body" && *body != world) {  // the frame of its centre of mass
        made.pose.t = made_.links[at(*body)].inertial.centre;
        if (made.kind == SensorKind::quaternion || made.kind == SensorKind::local_velocity ||
            made.kind == SensorKind::local_angular_velocity)
          return leave_out(node, "it is in the principal axes of its body; use objtype=\"xbody\"");
      }
    } else {
      return leave_out(node, "objtype=\"" + plain_line(object, 30) + "\" has no counterpart");
    }
    made_.sensors.push_back(std::move(made));
  }

  void scale_masses() {
    double mass = 0;
    for (const Link& link : made_.links) mass += link.inertial.mass;
    if (!(mass > 0)) return;
    for (Link& link : made_.links) {
      link.inertial.mass *= compiler_.total_mass / mass;
      link.inertial.inertia *= compiler_.total_mass / mass;
    }
  }

  XmlNode root_;
  const Source& source_;
  Attributes read_;
  Defaults defaults_;
  Compiler compiler_;
  Robot made_;
  std::map<std::string, int> link_numbers_, joint_numbers_;
  std::map<std::string, MeshAsset> meshes_;
  std::map<std::string, std::vector<double>> materials_;  // red, green, blue, opacity
  std::set<std::string> exact_;  // meshes whose mass MuJoCo also takes from the solid inside
  std::map<std::string, MeshSolid> solids_;
  std::map<std::string, Site> sites_;
  std::vector<FromGeoms> from_geoms_;  // of each link
  std::map<std::string, int> tendon_numbers_;
  std::set<std::string> left_out_tendons_;
  std::string suffix_;  // of names, in the copy that a replicate makes
  std::map<std::string, std::vector<std::string>> copies_of_;  // suffixes of the copies of a name
  std::size_t copies_ = 0;                                     // of elements, by all replicates
  bool weighs_ = true;  // geoms give the present body its mass
  int equalities_ = 0;
};

}  // namespace

Robot read_mjcf(const XmlNode& root, const Source& source) { return Mjcf(root, source).robot(); }

}  // namespace mechfmu::robots
