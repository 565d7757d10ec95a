// First-order states: 0 = d = x' − rate(φ, φ̇, x, μ, t, u).

#include "mechanics/elements/common.h"
#include "mechanics/motion_along.h"

namespace mechfmu::mechanics {

namespace {

class States final : public ElementPool {
 public:
  bool works(const Mechanism& m, const Layout&) const override { return !m.states.empty(); }
  void number(const Mechanism& m, Layout& layout, Doubts&) const override {
    for (const StateData& data : m.states)
      layout.state_arguments.push_back(places_of(m, layout, "state", data.name, data.rate));
    layout.sizes.x += static_cast<Index>(m.states.size());
  }
  void make_room(const Mechanism& m, const Layout&, Geometry& g, Instant&) const override {
    g.states.resize(m.states.size());
  }
  void link(Layout& layout) const override {
    for (std::vector<Place>& places : layout.state_arguments) add_nodes_of(layout, places);
  }
  void refresh(const Mechanism& m, const Layout&, InputValues u, Geometry& g,
               Doubts&) const override {
    for (std::size_t x = 0; x < m.states.size(); ++x)
      resolve(m.states[x].rate.constants, u, g.states[x]);
  }
  void name(const Mechanism& m, const Layout&, Variables& v) const override {
    for (std::size_t x = 0; x < m.states.size(); ++x)
      v.state(static_cast<Index>(x), m.states[x].name, m.states[x].nominal);
  }

  void values(const Parts& q, Values& values) const override {
    double room[LawValue::capacity];
    for (std::size_t x = 0; x < q.d.states.size(); ++x) {
      const Index i = static_cast<Index>(x);
      values.d[i] = q.now.p->xdot[i] - q.d.states[x].rate.value(scope(q.layout.state_arguments[x],
                                                                      q.g.states[x], q.now, room));
    }
  }
  void derivatives(const Parts& q, BlockWriter& out) const override {
    double room[LawValue::capacity];
    LawValue value;
    for (std::size_t x = 0; x < q.d.states.size(); ++x) {
      const Index node = q.layout.state_node[x];
      if (out.go(node, node, layer::value)) out.value(0, 0) += 1;
      const std::vector<Place>& arguments = q.layout.state_arguments[x];
      q.d.states[x].rate.derive(scope(arguments, q.g.states[x], q.now, room), value);
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Place& a = arguments[k];
        const double slope = -value.gradient[k];
        switch (a.kind) {
          case Argument::Kind::value: {
            const Derived& o = q.now.derived[ix(a.index)];
            add_to_row(q, o, o.B, node, 0, slope, layer::position, out);
            break;
          }
          case Argument::Kind::rate: {
            const Derived& o = q.now.derived[ix(a.index)];
            add_to_row(q, o, o.rate_y, node, 0, slope, layer::position, out);
            add_to_row(q, o, o.B, node, 0, slope, layer::velocity, out);
            break;
          }
          case Argument::Kind::state:
            if (out.go(node, a.node, layer::velocity)) out.velocity(0, 0) += slope;
            break;
          case Argument::Kind::multiplier:
            if (out.go(node, a.node, layer::value)) out.value(0, a.local) += slope;
            break;
        }
      }
    }
  }
  bool vary(const Parts& q, const MotionAlong& along, Out, Out d) const override {
    if (!along.moves_settings()) return true;
    Along room[LawValue::capacity];
    for (std::size_t x = 0; x < q.d.states.size(); ++x) {
      const Law& rate = q.d.states[x].rate;
      if (!rate.along) return false;
      d[static_cast<Index>(x)] =
          -rate.along(along.scope(q.layout.state_arguments[x], q.g.states[x], room, true)).d[0];
    }
    return true;
  }
};

}  // namespace

std::unique_ptr<ElementPool> make_states() { return std::make_unique<States>(); }

}  // namespace mechfmu::mechanics
