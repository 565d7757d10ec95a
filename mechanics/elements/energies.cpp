// Dissipation and work since the run began, as two states of a mechanism that tracks its energy:
// x' = power.

#include <limits>

#include "mechanics/elements/pool.h"

namespace mechfmu::mechanics {

namespace {

class Energies final : public ElementPool {
 public:
  bool works(const Mechanism& m, const Layout&) const override { return m.track_energy; }
  void number(const Mechanism& m, Layout& layout, Doubts&) const override {
    if (!m.track_energy) return;
    layout.sizes.x += 2;
    layout.energy = reserve_memory(layout, 2);
  }
  void name(const Mechanism& m, const Layout& layout, Variables& v) const override {
    if (!m.track_energy) return;
    // Tracking must not change the run: the error of these states is part of energy.imbalance.
    constexpr double does_not_count = std::numeric_limits<double>::infinity();
    v.state(layout.sizes.x - 2, "energy.dissipated", does_not_count);
    v.state(layout.sizes.x - 1, "energy.work", does_not_count);
  }
  void values(const Parts& q, Values& values) const override {
    if (!q.d.track_energy) return;
    const Powers& power = q.now.power;
    const Index first = q.layout.sizes.x - 2;
    values.d[first] = q.now.p->xdot[first] - power.dissipated;
    values.d[first + 1] = q.now.p->xdot[first + 1] - power.supplied;
  }
  // Energies follow the motion and nothing depends on them: the diagonal of the derivatives is
  // enough.
  void derivatives(const Parts& q, BlockWriter& out) const override {
    for (std::size_t x = q.d.states.size(); x < q.layout.state_node.size(); ++x) {
      const Index node = q.layout.state_node[x];
      if (out.go(node, node, layer::value)) out.value(0, 0) += 1;
    }
  }
  bool vary(const Parts& q, const MotionAlong&, Out, Out) const override {
    return !q.d.track_energy;  // power has no derivatives
  }
};

}  // namespace

std::unique_ptr<ElementPool> make_energies() { return std::make_unique<Energies>(); }

}  // namespace mechfmu::mechanics
