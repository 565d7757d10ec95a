// Dissipation and work since the start, as two states where a mechanism tracks its energy: x' = power.

#include "mechanics/elements/energies.h"

#include <limits>

#include "mechanics/elements/common.h"
#include "mechanics/elements/pairs.h"

namespace mechfmu::mechanics {

Powers powers(const Parts& q) {
  Powers sum;
  double room[LawValue::capacity];
  for (std::size_t f = 0; f < q.d.forces.size(); ++f) {
    const ForceData& data = q.d.forces[f];
    const double rate = q.now.measures[ix(data.along.index)].rate;
    double held = 0;  // force at the same place without motion
    if (data.energy) {
      const std::vector<Place>& arguments = q.layout.force_arguments[f];
      const Scope<double> s = scope(arguments, q.g.forces[f], q.now, room);
      for (std::size_t k = 0; k < arguments.size(); ++k)
        if (arguments[k].kind == Argument::Kind::rate) room[k] = 0;
      held = data.value.value(s);
    }
    if (data.energy || data.passive)
      sum.dissipated -= (q.now.forces[f] - held) * rate;
    else
      sum.supplied += q.now.forces[f] * rate;
  }
  for_near_pairs(q, [&](std::size_t k) {
    const PairData& data = q.d.pairs[k];
    const BodyMotion& a = q.now.bodies[ix(data.a.index)];
    const BodyMotion& b = q.now.bodies[ix(data.b.index)];
    const auto power = [&](const Moving<double>& qa, const Moving<double>& qb) {
      Wrench<double> on_a;
      Wrench<double> on_b;
      wrenches(q, k, qa, qb, on_a, on_b);
      return on_a.force.dot(a.v) + on_a.moment.dot(a.w) + on_b.force.dot(b.v) +
             on_b.moment.dot(b.w);
    };
    double held = 0;
    if (data.function.energy)
      held = power({a.r, a.R, Vec3::Zero(), Vec3::Zero()}, {b.r, b.R, Vec3::Zero(), Vec3::Zero()});
    sum.dissipated -= power(moving(a), moving(b)) - held;
  });
  // Constraints that depend on time do work: −λ G z = λ g_t.
  for (std::size_t c = 0; c < q.d.constraints.size(); ++c) {
    const std::vector<Place>& arguments = q.layout.relation_arguments[c];
    double along = 0;
    for (std::size_t k = 0; k < arguments.size(); ++k)
      if (arguments[k].kind == Argument::Kind::rate || !q.d.constraints[c].nonholonomic)
        along += q.now.relations[c].gradient[k] * q.now.measures[ix(arguments[k].index)].rate;
    sum.supplied -= q.now.p->mu[q.layout.relation_mu[c]] * along;
  }
  return sum;
}

double potential_energy(const Parts& q) {
  double sum = 0;
  double room[LawValue::capacity];
  for (std::size_t f = 0; f < q.d.forces.size(); ++f)
    if (q.d.forces[f].energy)
      sum += q.d.forces[f].energy(scope(q.layout.force_arguments[f], q.g.forces[f], q.now, room));
  for_near_pairs(q, [&](std::size_t k) {
    const PairData& data = q.d.pairs[k];
    if (data.function.energy)
      sum += data.function.energy(moving(q.now.bodies[ix(data.a.index)]),
                                  moving(q.now.bodies[ix(data.b.index)]), context_of(q, k));
  });
  return sum;
}

namespace {

class Energies final : public ElementPool {
 public:
  bool works(const Mechanism& m, const Layout&) const override { return m.track_energy; }
  void number(const Mechanism& m, Layout& layout, Doubts&) const override {
    if (m.track_energy) layout.sizes.x += 2;
  }
  void name(const Mechanism& m, const Layout& layout, Variables& v) const override {
    if (!m.track_energy) return;
    // A look at the run shall not change it: their own error is part of energy.imbalance.
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
  // Energies follow the motion, nothing follows them: of the derivatives the diagonal is enough.
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
