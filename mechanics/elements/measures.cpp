// Measures: lengths, angles and directions that laws and outputs refer to. They have no unknowns.

#include "mechanics/elements/common.h"

namespace mechfmu::mechanics {

namespace {

RowKind kind_of(const MeasureData& data) {
  switch (data.type) {
    case MeasureType::distance: return RowKind::distance;
    case MeasureType::displacement: return RowKind::displacement;
    case MeasureType::angle: return RowKind::angle;
    case MeasureType::alignment: return RowKind::alignment;
    case MeasureType::force: return data.axes_of_b ? RowKind::force_j : RowKind::force_i;
    case MeasureType::torque: return data.axes_of_b ? RowKind::torque_j : RowKind::torque_i;
  }
  return RowKind::displacement;
}

class Measures final : public ElementPool {
 public:
  bool works(const Mechanism& m, const Layout&) const override { return !m.measures.empty(); }
  void number(const Mechanism& m, Layout& layout, Doubts& doubts) const override {
    for (const MeasureData& data : m.measures) {
      require_two_bodies(m, "measure", data.name, data.a.body, data.b.body);
      MeasurePlace place;
      place.i = static_cast<int>(data.a.body.index);
      place.j = static_cast<int>(data.b.body.index);
      place.kind = kind_of(data);
      const bool rotation = data.type == MeasureType::angle ||
                            data.type == MeasureType::alignment || data.type == MeasureType::torque;
      for (const Body body : {data.a.body, data.b.body})
        if (rotation && body.index != 0 && !layout.bodies[ix(body.index)].freedom.turns())
          doubts.add("measure", data.name,
                     "body '" + m.bodies[ix(body.index)].name +
                         "' is a point mass, which cannot rotate or carry a torque; use bodies "
                         "that rotate, or the ground");
      if (place.kind == RowKind::angle) place.turn = reserve_turn(layout);
      layout.measures.push_back(place);
    }
    std::vector<bool> active(m.measures.size(), false);
    const auto use = [&](const Law& law) {
      for (const Argument& a : law.arguments)
        if ((a.kind == Argument::Kind::value || a.kind == Argument::Kind::rate) && a.index >= 0 &&
            ix(a.index) < active.size())
          active[ix(a.index)] = true;
    };
    for (const ForceData& data : m.forces) {
      use(data.value);
      if (data.along.index >= 0 && ix(data.along.index) < active.size())
        active[ix(data.along.index)] = true;
    }
    for (const ConstraintData& data : m.constraints) use(data.relation);
    for (const StateData& data : m.states) use(data.rate);
    for (std::size_t k = 0; k < active.size(); ++k)
      if (active[k]) layout.active.push_back(k);
  }
  void make_room(const Mechanism& m, const Layout&, Geometry& g, Instant& now) const override {
    g.measures.resize(m.measures.size());
    now.measures.resize(m.measures.size());
    now.measured.assign(m.measures.size(), 0);
    now.derived.resize(m.measures.size());
  }
  void look(const Layout& layout, const Mechanism&, std::vector<bool>& bodies) const override {
    const auto use = [&](const MeasurePlace& measure) {
      bodies[ix(measure.i)] = bodies[ix(measure.j)] = true;
    };
    for (const std::size_t k : layout.active) use(layout.measures[k]);
    for (const MeasurePlace& measure : layout.measures)
      if (measure.turn >= 0) use(measure);  // turns count even if nothing reads them
  }

  void refresh(const Mechanism& m, const Layout& layout, InputValues u, Geometry& g,
               Doubts& doubts) const override {
    for (std::size_t k = 0; k < m.measures.size(); ++k)
      refresh(m.measures[k], k, layout, u, g, doubts);
  }

  void move(const Parts& q) const override {
    std::fill(q.now.measured.begin(), q.now.measured.end(), char{0});
    for (const std::size_t k : q.layout.active) {
      look_at(q.g.measures[k], q.layout.measures[k].turn, q.now, q.now.measures[k]);
      q.now.measured[k] = 1;
    }
  }
  void move_with_derivatives(const Parts& q) const override {
    for (const std::size_t k : q.layout.active) {
      RowMotion& motion = q.now.measures[k];
      derive(q.g.measures[k], q.layout.bodies, q.now, q.now.derived[k], motion);
      add_turns(q.g.measures[k], q.layout.measures[k].turn, q.now, motion.rate, motion.phi);
    }
  }

  bool vary(const Parts&, const MotionAlong&, Out, Out) const override { return true; }
  void remember(const Parts& q, Out memory) const override {
    for (std::size_t k = 0; k < q.layout.measures.size(); ++k)
      remember_turn(q.g.measures[k], q.layout.measures[k].turn, q.now, memory);
  }

 private:
  static void refresh(const MeasureData& data, std::size_t k, const Layout& layout, InputValues u,
                      Geometry& g, Doubts& doubts) {
    Row& row = g.measures[k];
    row.kind = layout.measures[k].kind;
    row.i = layout.measures[k].i;
    row.j = layout.measures[k].j;
    const BodyGeometry& a = g.bodies[ix(row.i)];
    const BodyGeometry& b = g.bodies[ix(row.j)];
    const auto direction = [&](int body, const Triple& axis, const char* what = "axis") {
      return local_direction(g, body, axis, data.local, u, doubts, "measure", data.name, what);
    };
    row.p_i = local_point(g, row.i, data.a.at, data.a.local, u);
    row.p_j = data.b_like_a ? b.local(a.world(row.p_i))
                            : local_point(g, row.j, data.b.at, data.b.local, u);
    row.offset = 0;
    const Vec3 gap = b.world(row.p_j) - a.world(row.p_i);
    switch (data.type) {
      case MeasureType::distance:
        if (!(gap.norm() > 0))
          doubts.add("measure", data.name,
                     "its two points coincide at t = 0, where a distance has no direction; use "
                     "displacements");
        break;
      case MeasureType::displacement:
        row.a_i = direction(row.i, data.axis);
        if (data.from_start) row.offset = (a.R0 * row.a_i).dot(gap) - data.offset(u);
        break;
      case MeasureType::angle: {
        const Vec3 n = a.R0 * direction(row.i, data.axis);
        // No axis of the world is used: results do not depend on how the mechanism is turned.
        const Mat3& axes = row.i == 0 ? b.R0 : a.R0;
        Vec3 across_n = axes * across(axes.transpose() * n);
        if (data.reference) {
          const Vec3 given = (*data.reference)(u);
          across_n = (given - n * n.dot(given)).normalized();
        }
        row.a_i = a.R0.transpose() * across_n;
        row.c_i = a.R0.transpose() * n.cross(across_n);
        row.b_j = data.reference_b ? direction(row.j, *data.reference_b, "reference_b")
                                   : Vec3(b.R0.transpose() * across_n);
        row.offset = -data.offset(u);
        break;
      }
      case MeasureType::alignment:
        row.a_i = direction(row.i, data.axis);
        row.b_j = direction(row.j, data.axis2, "axis2");
        break;
      case MeasureType::force:
      case MeasureType::torque:
        (data.axes_of_b ? row.b_j : row.a_i) = direction(data.axes_of_b ? row.j : row.i, data.axis);
        break;
    }
  }
};

}  // namespace

std::unique_ptr<ElementPool> make_measures() { return std::make_unique<Measures>(); }

}  // namespace mechfmu::mechanics
