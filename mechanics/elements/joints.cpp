// Joints: which rows each type has, and their geometry in body axes. Pins, coincidences and rows
// evaluate them.
//
//   joint types     rows
//   spherical       P_j − P_i = 0, along the world's axes                                    3
//   universal       + alignment of axis (in a) and axis2 (in b)                              4
//   revolute        spherical + n_a·u_b = n_a·v_b = 0                                        5
//   fixed           revolute + u_a·v_b = 0                                                   6
//   cylindrical     displacements along u_a, v_a; n_a·u_b = n_a·v_b = 0                      4
//   prismatic       cylindrical + u_a·v_b = 0;   screw: cylindrical + screw                  5
//   planar          displacement along n_a; n_a·u_b = n_a·v_b = 0                            3
//   point_in_plane  displacement along n_a: 1;   point_on_line: along u_a, v_a               2
//   distance 1;     constant_orientation: n_a·u_b = n_a·v_b = u_a·v_b = 0                    3
//
// u, v, n is a right-handed frame with n the joint's axis, fixed in both bodies at t = 0. Between
// planar bodies a revolute joint is P_j − P_i = 0 in x and y, a prismatic one a displacement and an
// angle, and so on.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "mechanics/elements/common.h"
#include "mechanics/words.h"
#include "model/format.h"

namespace mechfmu::mechanics {

namespace {

struct Plan {
  int point_rows = 0;
  std::vector<RowKind> rows;
  std::vector<const char*> names;  // of all rows, for messages
};

/// The rows of a joint. `plane`: both sides move in the plane.
Plan plan(JointType type, bool plane) {
  using K = RowKind;
  const K D = K::displacement;
  const K A = K::alignment;
  if (plane) switch (type) {
      case JointType::revolute:
      case JointType::spherical: return {2, {}, {"x", "y"}};
      case JointType::fixed: return {2, {K::angle}, {"x", "y", "rotation"}};
      case JointType::prismatic: return {0, {D, K::angle}, {"across", "rotation"}};
      case JointType::point_in_plane:
      case JointType::point_on_line: return {0, {D}, {"across"}};
      case JointType::distance: return {0, {K::distance}, {"length"}};
      case JointType::constant_orientation: return {0, {K::angle}, {"rotation"}};
      default: return {};
    }
  switch (type) {
    case JointType::spherical: return {3, {}, {"x", "y", "z"}};
    case JointType::universal: return {3, {A}, {"x", "y", "z", "angle between the axes"}};
    case JointType::revolute: return {3, {A, A}, {"x", "y", "z", "tilt about v", "tilt about u"}};
    case JointType::fixed:
      return {
          3, {A, A, A}, {"x", "y", "z", "tilt about v", "tilt about u", "rotation about the axis"}};
    case JointType::cylindrical:
      return {0, {D, D, A, A}, {"along u", "along v", "tilt about v", "tilt about u"}};
    case JointType::prismatic:
      return {0,
              {D, D, A, A, A},
              {"along u", "along v", "tilt about v", "tilt about u", "rotation about the axis"}};
    case JointType::screw:
      return {0,
              {D, D, A, A, K::screw},
              {"along u", "along v", "tilt about v", "tilt about u", "thread"}};
    case JointType::planar:
      return {0, {D, A, A}, {"along the normal", "tilt about v", "tilt about u"}};
    case JointType::point_in_plane: return {0, {D}, {"along the normal"}};
    case JointType::point_on_line: return {0, {D, D}, {"along u", "along v"}};
    case JointType::distance: return {0, {K::distance}, {"length"}};
    case JointType::constant_orientation:
      return {0, {A, A, A}, {"tilt about v", "tilt about u", "rotation about the axis"}};
  }
  return {};
}

class Joints final : public ElementPool {
 public:
  void number(const Mechanism& m, Layout& layout, Doubts& doubts) const override {
    for (const JointData& data : m.joints) {
      require_two_bodies(m, "joint", data.name, data.a, data.b);
      const Plan rows = plan(data.type, in_plane(layout, data.a, data.b));
      check(data, rows, m, layout, doubts);
      JointPlace joint;
      joint.i = static_cast<int>(data.a.index);
      joint.j = static_cast<int>(data.b.index);
      joint.first = layout.sizes.m;
      joint.rows = static_cast<int>(rows.names.size());
      joint.point_rows = rows.point_rows;
      joint.first_row = static_cast<int>(layout.rows.size());
      for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        RowPlace row;
        row.kind = rows.rows[r];
        row.i = joint.i;
        row.j = joint.j;
        row.local = rows.point_rows + static_cast<int>(r);
        row.mu = joint.first + row.local;
        if (row.kind == RowKind::angle || row.kind == RowKind::screw)
          row.turn = reserve_turn(layout);
        layout.rows.push_back(row);
      }
      joint.end_row = static_cast<int>(layout.rows.size());
      const auto number = static_cast<int>(layout.joints.size());
      if (rows.point_rows == 2)
        layout.pins.push_back({number, layout.bodies[ix(joint.i)].plane,
                               layout.bodies[ix(joint.j)].plane, static_cast<int>(joint.first)});
      if (rows.point_rows == 3) layout.coincidences.push_back(number);
      layout.sizes.m += joint.rows;
      layout.joints.push_back(joint);
    }
  }
  void make_room(const Mechanism& m, const Layout&, Geometry& g, Instant&) const override {
    g.points.resize(m.joints.size());
  }
  void add_nodes(const Mechanism&, Layout& layout, BlockPattern& pattern) const override {
    for (JointPlace& joint : layout.joints) {
      joint.node = pattern.add_node(NodeKind::holonomic, layout.sizes.n + joint.first, joint.rows);
      for (int r = joint.first_row; r < joint.end_row; ++r) layout.rows[ix(r)].node = joint.node;
    }
  }
  void name(const Mechanism& m, const Layout& layout, Variables& v) const override {
    for (std::size_t j = 0; j < m.joints.size(); ++j) {
      const JointData& data = m.joints[j];
      const Plan rows = plan(data.type, in_plane(layout, data.a, data.b));
      for (std::size_t r = 0; r < rows.names.size(); ++r)
        v.constraint(layout.joints[j].first + static_cast<Index>(r),
                     data.name + ": " + rows.names[r]);
    }
  }
  void violations(const Mechanism& m, const Layout& layout, const Geometry& geometry, In g,
                  std::vector<Violation>& all) const override {
    for (std::size_t j = 0; j < layout.joints.size(); ++j) {
      const JointPlace& joint = layout.joints[j];
      double way = g.segment(joint.first, joint.point_rows).squaredNorm();
      double angle = 0;
      for (int r = joint.first_row; r < joint.end_row; ++r) {
        const RowPlace& row = layout.rows[ix(r)];
        const bool turns = row.kind == RowKind::alignment || row.kind == RowKind::angle;
        (turns ? angle : way) += g[row.mu] * g[row.mu];
      }
      way = std::sqrt(way);
      angle = std::sqrt(angle);
      // The larger of the two, or both if they are comparable
      std::string amount;
      if (way >= 0.1 * geometry.length * angle) amount = format(way, 3) + " m";
      if (angle >= 0.1 * way / geometry.length)
        amount += (amount.empty() ? "" : " and ") + format(angle, 3) + " rad";
      all.push_back(
          {way / geometry.length + angle, "joint '" + m.joints[j].name + "' stays open", amount});
    }
  }
  void refresh(const Mechanism& m, const Layout& layout, InputValues u, Geometry& g,
               Doubts& doubts) const override {
    for (std::size_t j = 0; j < m.joints.size(); ++j)
      refresh(m.joints[j], layout.joints[j], in_plane(layout, m.joints[j].a, m.joints[j].b), layout,
              u, g, g.points[j], doubts);
  }

  double reach(const Layout& layout, const Geometry& g) const override {
    double largest = 0;
    for (std::size_t j = 0; j < layout.joints.size(); ++j) {
      if (layout.joints[j].i != 0) largest = std::max(largest, g.points[j].p_i.norm());
      if (layout.joints[j].j != 0) largest = std::max(largest, g.points[j].p_j.norm());
    }
    return largest;
  }

 private:
  static void check(const JointData& data, const Plan& rows, const Mechanism& m,
                    const Layout& layout, Doubts& doubts) {
    if (rows.names.empty())
      doubts.add("joint", data.name,
                 "a " + std::string(word(data.type)) +
                     " joint has no meaning between planar bodies; use revolute, prismatic, "
                     "fixed, point_on_line, distance or constant_orientation");
    const bool needs_axes = std::any_of(rows.rows.begin(), rows.rows.end(), [](RowKind k) {
      return k == RowKind::alignment || k == RowKind::angle || k == RowKind::screw;
    });
    for (const Body body : {data.a, data.b})
      if (needs_axes && body.index != 0 && !layout.bodies[ix(body.index)].freedom.turns())
        doubts.add("joint", data.name,
                   "body '" + m.bodies[ix(body.index)].name +
                       "' is a point mass and cannot rotate, so a " + std::string(word(data.type)) +
                       " joint has no meaning; use spherical, point_on_line, point_in_plane or "
                       "distance");
  }

  static void refresh(const JointData& data, const JointPlace& joint, bool plane,
                      const Layout& layout, InputValues settings, Geometry& g, PointPair& points,
                      Doubts& doubts) {
    const BodyGeometry& a = g.bodies[ix(joint.i)];
    const BodyGeometry& b = g.bodies[ix(joint.j)];
    const auto direction = [&](int body, const Triple& axis, const char* what = "axis") {
      return local_direction(g, body, axis, data.local, settings, doubts, "joint", data.name, what);
    };
    const auto doubt = [&](const char* what) { doubts.add("joint", data.name, what); };
    points.p_i = local_point(g, joint.i, data.at, data.local, settings);
    const Vec3 world = a.world(points.p_i);
    points.p_j =
        data.apart ? local_point(g, joint.j, data.at_b, data.local, settings) : b.local(world);
    if (const double start = data.angle ? (*data.angle)(settings) : 0;
        !(std::abs(start) < std::numbers::pi))
      doubts.add("joint", data.name,
                 "its initial angle is " + format(start * 180 / std::numbers::pi) +
                     " deg; it must lie between -180 and 180 deg" +
                     (std::abs(start) > 2 * std::numbers::pi ? "; a number without a unit is in rad"
                                                             : ""));
    const Vec3 n = a.R0 * direction(joint.i, data.axis);
    Vec3 u = across(n);
    if (plane) {
      const bool sliding = data.type == JointType::prismatic ||
                           data.type == JointType::point_on_line ||
                           data.type == JointType::point_in_plane;
      if (sliding && std::abs(n[2]) > 1e-9)
        doubt("between planar bodies the axis must lie in the x-y plane");
      if (data.type == JointType::revolute && std::abs(n[2]) < 1 - 1e-9)
        doubt("between planar bodies the axis must be 0 0 1");
      // The direction that a prismatic joint or a line blocks.
      if (sliding) u = data.type == JointType::point_in_plane ? n : Vec3::UnitZ().cross(n);
    } else if (data.type == JointType::point_in_plane || data.type == JointType::planar) {
      u = n;
    }
    Vec3 v = n.cross(u);
    if (data.type == JointType::planar)
      v = across(n);  // rows: along n, then tilts about two axes across it
    const Vec3 tilt = data.type == JointType::planar ? v : u;
    const Vec3 tilt2 = n.cross(tilt);

    const bool turns = data.type == JointType::revolute || data.type == JointType::cylindrical ||
                       data.type == JointType::screw || data.type == JointType::planar;
    const auto spins = [&](int body) {
      return turns && layout.bodies[ix(body)].freedom.spins() &&
             std::abs(n.dot(g.bodies[ix(body)].R0 * g.bodies[ix(body)].principal.col(2))) >
                 1 - 1e-9;
    };
    const bool b_spins = spins(joint.j);
    const bool a_spins = !b_spins && spins(joint.i) && data.type != JointType::planar;

    int alignments = 0;
    int displacements = 0;
    for (int r = joint.first_row; r < joint.end_row; ++r) {
      Row& row = g.rows[ix(r)];
      row.kind = layout.rows[ix(r)].kind;
      row.i = joint.i;
      row.j = joint.j;
      row.p_i = points.p_i;
      row.p_j = points.p_j;
      row.offset = 0;
      switch (row.kind) {
        case RowKind::displacement:
          row.a_i = a.R0.transpose() * (displacements++ == 0 ? u : v);
          // If a body spins about the axis, directions across the axis are fixed to the other body.
          if (a_spins) {
            row.a_i = b.R0.transpose() * a.R0 * row.a_i;
            std::swap(row.i, row.j);
            std::swap(row.p_i, row.p_j);
          }
          break;
        case RowKind::alignment:
          if (data.type == JointType::universal) {
            row.a_i = a.R0.transpose() * n;
            row.b_j = direction(joint.j, data.axis2, "axis2");
            row.offset = n.dot(b.R0 * row.b_j);
            if (std::abs(row.offset) > 0.99)
              doubt("its two axes are parallel; they should be perpendicular");
          } else {
            Vec3 on_a = alignments == 2 ? tilt : n;
            Vec3 on_b = alignments == 0 ? tilt : tilt2;
            if (b_spins) std::swap(on_a, on_b);
            row.a_i = a.R0.transpose() * on_a;
            row.b_j = b.R0.transpose() * on_b;
            ++alignments;
          }
          break;
        case RowKind::angle:
          row.a_i = a.R0.transpose() * Vec3::UnitX();
          row.c_i = a.R0.transpose() * Vec3::UnitY();
          row.b_j = b.R0.transpose() * Vec3::UnitX();
          break;
        case RowKind::screw:
          row.a_i = a.R0.transpose() * tilt;
          row.c_i = a.R0.transpose() * tilt2;
          row.b_j = b.R0.transpose() * tilt;
          row.radius = data.pitch(settings) / (2 * std::numbers::pi);
          break;
        case RowKind::distance: {
          const double placed = (b.world(points.p_j) - world).norm();
          row.offset = data.length ? (*data.length)(settings) : placed;
          if (!data.length && !(row.offset > 0))
            doubt(
                "its two points coincide; a distance joint needs a length above zero (else use "
                "spherical)");
          else if (!(row.offset > 0))
            doubts.add("joint", data.name,
                       "its length is " + format(row.offset) +
                           " m; it must be above zero (without length: as placed)");
          break;
        }
        default: break;
      }
    }
  }
};

}  // namespace

std::unique_ptr<ElementPool> make_joints() { return std::make_unique<Joints>(); }

}  // namespace mechfmu::mechanics
