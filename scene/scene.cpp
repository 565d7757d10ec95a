#include "scene/scene.h"

#include <Eigen/Geometry>
#include <cmath>

#include "model/format.h"
#include "model_desc/json.h"

namespace mechfmu::scene {

const char* word(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::box: return "box";
    case ShapeKind::sphere: return "sphere";
    case ShapeKind::cylinder: return "cylinder";
    case ShapeKind::cone: return "cone";
    case ShapeKind::capsule: return "capsule";
    case ShapeKind::torus: return "torus";
    case ShapeKind::ellipsoid: return "ellipsoid";
    case ShapeKind::plane: return "plane";
    case ShapeKind::coil: return "coil";
    case ShapeKind::tube: return "tube";
    case ShapeKind::frame: return "frame";
    case ShapeKind::text: return "text";
    case ShapeKind::mesh: break;
  }
  return "mesh";
}

const char* word(Role role) {
  switch (role) {
    case Role::body: return "body";
    case Role::joint: return "joint";
    case Role::spring: return "spring";
    case Role::contact: return "contact";
    case Role::ground: return "ground";
    case Role::load: return "load";
    case Role::look: break;
  }
  return "look";
}

Quaternion quaternion_of(const Mat3& R) {
  Eigen::Quaterniond q(R);
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  return {q.w(), q.x(), q.y(), q.z()};
}

Mat3 axes_along(const Vec3& z, const Vec3& x) {
  Mat3 R;
  R.col(2) = z.normalized();
  Vec3 across = x - x.dot(R.col(2)) * R.col(2);
  if (across.norm() < 1e-6 * x.norm() || across.norm() == 0) across = R.col(2).unitOrthogonal();
  R.col(0) = across.normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

Mat3 axes_along(const Vec3& z) {
  // A direction along an axis of the body keeps the axes of the body.
  return axes_along(z, std::abs(z.normalized()[0]) < 0.9 ? Vec3(1, 0, 0) : Vec3(0, 1, 0));
}

namespace {

using Members = std::vector<std::pair<std::string, std::string>>;

std::string number(double x) {
  if (!std::isfinite(x)) return "null";
  const std::string text = format(std::abs(x) < 1e-12 ? 0 : x, 7);
  return text == "-0" ? "0" : text;
}
template <class List>
std::string numbers(const List& list) {
  return json_list(list, [](double x) { return number(x); });
}
std::string whole(const std::vector<int>& list) {
  return json_list(list, [](int i) { return std::to_string(i); });
}
bool is_turned(const Mat3& R) { return !R.isIdentity(1e-9); }

std::string json_of(const Anchor& a) {
  Members made = {{"body", std::to_string(a.body)}, {"at", numbers(a.at)}};
  if (a.point >= 0) made.emplace_back("point", std::to_string(a.point));
  return json_object(made);
}

std::string json_of(const Part& p) {
  Members made = {{"shape", json(std::string(word(p.shape)))}, {"size", numbers(p.size)}};
  made.emplace_back("role", json(std::string(word(p.role))));
  if (!p.color.empty()) made.emplace_back("color", json(p.color));
  if (p.opacity != 1) made.emplace_back("opacity", number(p.opacity));
  if (p.between) {
    made.emplace_back("between", json_list(*p.between, [](const Anchor& a) { return json_of(a); }));
  } else {
    made.emplace_back("body", std::to_string(p.body));
    if (!p.at.isZero()) made.emplace_back("at", numbers(p.at));
    if (is_turned(p.axes)) made.emplace_back("quaternion", numbers(quaternion_of(p.axes)));
  }
  if (!p.text.empty()) made.emplace_back("text", json(p.text));
  if (p.mesh >= 0) made.emplace_back("mesh", std::to_string(p.mesh));
  return json_object(made);
}

std::string json_of(const Arrow& a) {
  Members made = {{"of", json(std::string(a.torque ? "torque" : "force"))},
                  {"variables", json(a.variables)},
                  {"at", json_of(a.at)}};
  if (!a.axis.isZero()) made.emplace_back("axis", numbers(a.axis));
  if (a.towards) made.emplace_back("from", json_of(*a.towards));
  if (a.axes != 0) made.emplace_back("axes", std::to_string(a.axes));
  if (a.reverse) made.emplace_back("reverse", "true");
  return json_object(made);
}

std::string json_of(const Element& e) {
  Members made = {{"kind", json(e.kind)}, {"name", json(e.name)}};
  if (!e.type.empty()) made.emplace_back("type", json(e.type));
  if (!e.about.empty()) made.emplace_back("about", json(e.about));
  made.emplace_back("bodies", whole(e.bodies));
  made.emplace_back("parts", json_list(e.parts, [](const Part& p) { return json_of(p); }));
  if (!e.arrows.empty())
    made.emplace_back("arrows", json_list(e.arrows, [](const Arrow& a) { return json_of(a); }));
  return json_object(made);
}

std::string json_of(const Body& b) {
  Members made = {{"name", json(b.name)}};
  if (!b.about.empty()) made.emplace_back("about", json(b.about));
  if (b.mass > 0) {
    made.emplace_back("mass", number(b.mass));
    made.emplace_back("centre", numbers(b.centre));
    made.emplace_back("moments", numbers(b.moments));
  }
  made.emplace_back("position", numbers(b.position));
  if (is_turned(b.axes)) made.emplace_back("quaternion", numbers(quaternion_of(b.axes)));
  if (!b.pose.empty()) made.emplace_back("pose", json(b.pose));
  if (!b.points.empty()) {
    made.emplace_back("modes", json(b.modes));
    made.emplace_back(
        "points", json_list(b.points, [](const FlexiblePoint& p) {
          std::vector<std::string> shapes;
          for (const Vec3& shape : p.shapes)
            for (const double x : shape) shapes.push_back(format(x, 4));
          return json_object({{"at", numbers(p.at)}, {"shapes", "[" + joined(shapes, ", ") + "]"}});
        }));
  }
  return json_object(made);
}

std::string json_of(const Mesh& m) {
  std::vector<double> points;
  for (const auto& p : m.points) points.insert(points.end(), p.begin(), p.end());
  return json_object(
      {{"points", numbers(points)}, {"triangles", json_list(m.triangles, [](const auto& t) {
                                       return std::to_string(t[0]) + ", " + std::to_string(t[1]) +
                                              ", " + std::to_string(t[2]);
                                     })}});
}

}  // namespace

std::string scene_json(const Scene& s) {
  return json_object(
      {{"format", json(std::string("mechfmu scene"))},
       {"version", "1"},
       {"name", json(s.name)},
       {"about", json(s.about)},
       {"gravity", numbers(s.gravity)},
       {"size", number(s.size)},
       {"bodies", json_list(s.bodies, [](const Body& b) { return json_of(b); })},
       {"elements", json_list(s.elements, [](const Element& e) { return json_of(e); })},
       {"meshes", json_list(s.meshes, [](const Mesh& m) { return json_of(m); })}});
}

}  // namespace mechfmu::scene
