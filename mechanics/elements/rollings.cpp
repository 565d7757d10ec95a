// Rolling without slip on a plane: wheels (thin discs and tori), spheres and blades.
//
//   wheel    height of its lowest point above the plane (holonomic), slip forwards and sideways
//   sphere   height of its centre, slip in two directions;     blade: no motion across it
//
// mechanics/rows.h defines the rows; in the plane a wheel and a sphere are discs that turn about z.

#include <cmath>

#include "mechanics/elements/common.h"
#include "model/format.h"

namespace mechfmu::mechanics {

namespace {

class Rollings final : public ElementPool {
 public:
  void number(const Mechanism& m, Layout& layout, Doubts& doubts) const override {
    for (const RollingData& data : m.rollings) {
      require_two_bodies(m, "rolling", data.name, data.a, data.b);
      const Freedom& wheel = layout.bodies[ix(data.b.index)].freedom;
      if (data.type != RollingType::knife_edge && !wheel.turns())
        doubts.add("rolling", data.name,
                   "body '" + m.bodies[ix(data.b.index)].name +
                       "' cannot rotate, so it cannot roll; b is the wheel");
      const bool plane = in_plane(layout, data.a, data.b) && data.b.index != 0;
      const auto add_row = [&] {
        RowPlace row;
        row.i = static_cast<int>(data.a.index);
        row.j = static_cast<int>(data.b.index);
        layout.rows.push_back(row);
        return static_cast<int>(layout.rows.size()) - 1;
      };
      RollingPlace rolling;
      if (data.contact && data.type != RollingType::knife_edge) {
        rolling.height = add_row();
        rolling.first_g = layout.rows.back().mu = layout.sizes.m++;
      }
      rolling.slips = data.type == RollingType::knife_edge || plane ? 1 : 2;
      rolling.slip = add_row();
      if (rolling.slips == 2) add_row();
      layout.rollings.push_back(rolling);
    }
  }
  void number_nonholonomic(const Mechanism&, Layout& layout) const override {
    for (RollingPlace& rolling : layout.rollings) {
      rolling.first_k = layout.sizes.m + layout.sizes.k;
      for (int r = 0; r < rolling.slips; ++r) {
        RowPlace& row = layout.rows[ix(rolling.slip + r)];
        row.mu = rolling.first_k + r;
        row.local = r;
      }
      layout.sizes.k += rolling.slips;
    }
  }
  void add_nodes(const Mechanism&, Layout& layout, BlockPattern& pattern) const override {
    const Index n = layout.sizes.n;
    for (RollingPlace& rolling : layout.rollings) {
      if (rolling.height >= 0)
        layout.rows[ix(rolling.height)].node = rolling.node_g =
            pattern.add_node(NodeKind::holonomic, n + rolling.first_g, 1);
      rolling.node_k = pattern.add_node(NodeKind::nonholonomic, n + rolling.first_k, rolling.slips);
      for (int r = 0; r < rolling.slips; ++r)
        layout.rows[ix(rolling.slip + r)].node = rolling.node_k;
    }
  }
  void name(const Mechanism& m, const Layout& layout, Variables& v) const override {
    for (std::size_t r = 0; r < m.rollings.size(); ++r) {
      const RollingPlace& rolling = layout.rollings[r];
      const std::string& name = m.rollings[r].name;
      if (rolling.height >= 0) v.constraint(rolling.first_g, name + ": contact");
      const bool sphere = m.rollings[r].type == RollingType::sphere;
      const bool edge = m.rollings[r].type == RollingType::knife_edge;
      for (int k = 0; k < rolling.slips; ++k)
        v.constraint(rolling.first_k + k, name + (edge               ? ": slip across the blade"
                                                  : sphere && k == 0 ? ": slip along u"
                                                  : sphere           ? ": slip along v"
                                                  : k == 0           ? ": slip forwards"
                                                                     : ": slip sideways"));
    }
  }
  void violations(const Mechanism& m, const Layout& layout, const Geometry& geometry, In g,
                  std::vector<Violation>& all) const override {
    for (std::size_t r = 0; r < m.rollings.size(); ++r) {
      if (layout.rollings[r].first_g < 0) continue;
      const double gap = std::abs(g[layout.rollings[r].first_g]);
      all.push_back({gap / geometry.length,
                     "rolling '" + m.rollings[r].name + "' stays off its plane",
                     format(gap, 3) + " m"});
    }
  }
  void refresh(const Mechanism& m, const Layout& layout, InputValues u, Geometry& g,
               Doubts& doubts) const override {
    for (std::size_t r = 0; r < m.rollings.size(); ++r)
      refresh(m.rollings[r], layout.rollings[r], u, g, doubts);
  }

 private:
  static void refresh(const RollingData& data, const RollingPlace& rolling, InputValues u,
                      Geometry& g, Doubts& doubts) {
    Row row;
    row.i = static_cast<int>(data.a.index);
    row.j = static_cast<int>(data.b.index);
    row.p_i = local_point(g, row.i, data.plane, false, u);
    row.p_j = local_point(g, row.j, data.centre, false, u);
    row.a_i =
        local_direction(g, row.i, data.normal, false, u, doubts, "rolling", data.name, "normal");
    row.b_j = local_direction(g, row.j, data.axle, false, u, doubts, "rolling", data.name, "axle");
    row.radius = data.radius(u);
    row.tube = data.tube(u);
    if (data.type != RollingType::knife_edge && !(row.radius > 0))
      doubts.add("rolling", data.name, "its radius must be above zero");
    if (!(row.tube >= 0))
      doubts.add("rolling", data.name, "the radius of its tube must not be negative");
    const Vec3 axle = g.bodies[ix(row.j)].R0 * row.b_j;
    const Vec3 normal = g.bodies[ix(row.i)].R0 * row.a_i;
    if (data.type == RollingType::wheel && rolling.slips == 2 &&
        std::abs(axle.dot(normal)) > 1 - 1e-9)
      doubts.add("rolling", data.name,
                 "the wheel lies flat: its axle points along the normal of the plane, so that no "
                 "point of its rim is the lowest");
    Vec3 along = across(row.a_i);
    // In the plane a wheel and a sphere are discs that turn about z.
    if (data.type != RollingType::knife_edge && rolling.slips == 1) {
      if (std::abs(row.a_i[2]) > 1e-9)
        doubts.add("rolling", data.name,
                   "between planar bodies the normal must lie in the x-y plane");
      row.b_j = Vec3::UnitZ();
      along = Vec3::UnitZ().cross(row.a_i);
    }
    if (rolling.height >= 0) {
      Row& height = g.rows[ix(rolling.height)] = row;
      height.kind = data.type == RollingType::wheel ? RowKind::height : RowKind::displacement;
      if (data.type == RollingType::sphere) height.offset = row.radius;
    }
    for (int r = 0; r < rolling.slips; ++r) {
      Row& slip = g.rows[ix(rolling.slip + r)] = row;
      switch (data.type) {
        case RollingType::knife_edge: slip.kind = RowKind::force_j; break;
        case RollingType::wheel:
          slip.kind = r == 0 ? RowKind::roll_forward : RowKind::roll_sideways;
          break;
        case RollingType::sphere:
          slip.kind = RowKind::roll_sphere;
          slip.c_i = r == 0 ? along : Vec3(row.a_i.cross(along));
          break;
      }
    }
  }
};

}  // namespace

std::unique_ptr<ElementPool> make_rollings() { return std::make_unique<Rollings>(); }

}  // namespace mechfmu::mechanics
