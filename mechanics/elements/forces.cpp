// Forces along measures, by laws: springs, motors, friction, stops.
//
//   F(φ, φ̇, x, μ, t, u) along B:   f += F B
//   f_y = F B_y + Bᵀ(F_φ φ_y + F_φ̇ (φ_y z)_y),   f_z = Bᵀ F_φ̇ φ_y,   f_x = Bᵀ F_x,   f_μ = Bᵀ F_μ

#include <algorithm>
#include <stdexcept>

#include "mechanics/elements/common.h"
#include "mechanics/motion_along.h"

namespace mechfmu::mechanics {

namespace {

class Forces final : public ElementPool {
 public:
  bool works(const Mechanism& m, const Layout&) const override { return !m.forces.empty(); }
  void number(const Mechanism& m, Layout& layout, Doubts&) const override {
    for (const ForceData& data : m.forces) {
      layout.force_arguments.push_back(places_of(m, layout, "force", data.name, data.value));
      for (const Place& a : layout.force_arguments.back())
        if (a.kind == Argument::Kind::multiplier) layout.forces_follow_reactions = true;
      if (data.along.index < 0 || ix(data.along.index) >= m.measures.size())
        throw std::invalid_argument("force '" + data.name +
                                    "': it acts along a measure that does not exist");
    }
  }
  void make_room(const Mechanism& m, const Layout&, Geometry& g, Instant& now) const override {
    g.forces.resize(m.forces.size());
    now.forces.resize(m.forces.size());
  }
  void link(Layout& layout) const override {
    for (std::vector<Place>& places : layout.force_arguments) add_nodes_of(layout, places);
  }
  void refresh(const Mechanism& m, const Layout&, InputValues u, Geometry& g,
               Doubts& doubts) const override {
    for (std::size_t f = 0; f < m.forces.size(); ++f) {
      const ForceData& data = m.forces[f];
      resolve(data.value.constants, u, g.forces[f]);
      if (const char* problem = data.check != nullptr ? data.check(g.forces[f]) : nullptr)
        doubts.add("force", data.name, problem);
    }
  }

  void load(const Parts& q) const override {
    double room[LawValue::capacity];
    for (std::size_t f = 0; f < q.d.forces.size(); ++f) {
      const ForceData& data = q.d.forces[f];
      const std::size_t along = ix(data.along.index);
      q.now.forces[f] =
          data.value.value(scope(q.layout.force_arguments[f], q.g.forces[f], q.now, room));
      push(q.g.measures[along], q.now.measures[along], q.now.forces[f], q.now);
    }
  }
  void reload(const Parts& q, In mu_tilde) const override {
    double room[LawValue::capacity];
    for (std::size_t f = 0; f < q.d.forces.size(); ++f) {
      const std::vector<Place>& arguments = q.layout.force_arguments[f];
      const auto is_multiplier = [](const Place& a) {
        return a.kind == Argument::Kind::multiplier;
      };
      if (std::none_of(arguments.begin(), arguments.end(), is_multiplier)) continue;
      const Law& law = q.d.forces[f].value;
      const Scope<double> s = scope(arguments, q.g.forces[f], q.now, room);
      const double before = law.value(s);
      for (std::size_t k = 0; k < arguments.size(); ++k)
        if (is_multiplier(arguments[k])) room[k] = mu_tilde[arguments[k].index];
      const std::size_t along = ix(q.d.forces[f].along.index);
      push(q.g.measures[along], q.now.measures[along], law.value(s) - before, q.now);
    }
  }
  void derivatives(const Parts& q, BlockWriter& out) const override {
    double room[LawValue::capacity];
    LawValue value;
    ForcesOfTwo sum;
    for (std::size_t f = 0; f < q.d.forces.size(); ++f) {
      const std::vector<Place>& arguments = q.layout.force_arguments[f];
      q.d.forces[f].value.derive(scope(arguments, q.g.forces[f], q.now, room), value);
      const Derived& e = q.now.derived[ix(q.d.forces[f].along.index)];
      const bool alone = depends_on_its_bodies(q, arguments, e);
      if (!sum.empty() && (!alone || !sum.are_of(e))) sum.write(q, out);
      if (alone) {
        if (sum.empty()) sum.begin(e);
        add(q, arguments, value, e, sum);
        continue;
      }
      add_curvature(q, e, -value.value, out);
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Place& a = arguments[k];
        const double slope = -value.gradient[k];
        if (a.kind == Argument::Kind::value || a.kind == Argument::Kind::rate) {
          const Derived& o = q.now.derived[ix(a.index)];
          const bool is_value = a.kind == Argument::Kind::value;
          add_outer(q, e, o, is_value ? o.B : o.rate_y, slope, layer::position, out);
          if (!is_value) add_outer(q, e, o, o.B, slope, layer::velocity, out);
          continue;
        }
        const bool state = a.kind == Argument::Kind::state;
        for (int s = 0; s < 2; ++s)
          if (out.go(node_of(q, e.body[s]), a.node, state ? layer::velocity : layer::value))
            for (int r = 0; r < e.size[s]; ++r)
              (state ? out.velocity(r, 0) : out.value(r, a.local)) += slope * e.B[e.first[s] + r];
      }
    }
    sum.write(q, out);
  }
  bool vary(const Parts& q, const MotionAlong& along, Out, Out) const override {
    if (!along.moves_settings()) return true;
    Along room[LawValue::capacity];
    for (std::size_t f = 0; f < q.d.forces.size(); ++f) {
      const ForceData& data = q.d.forces[f];
      if (!data.value.along) return false;
      const std::size_t measure = ix(data.along.index);
      const double change =
          data.value.along(along.scope(q.layout.force_arguments[f], q.g.forces[f], room, true))
              .d[0];
      push(q.g.measures[measure], q.now.measures[measure], change, q.now);
    }
    return true;
  }

  /// A force with an energy dissipates the part that comes from motion; the part without motion is
  /// stored.
  void add_power(const Parts& q, Powers& sum) const override {
    double room[LawValue::capacity];
    for (std::size_t f = 0; f < q.d.forces.size(); ++f) {
      const ForceData& data = q.d.forces[f];
      const double rate = q.now.measures[ix(data.along.index)].rate;
      double held = 0;
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
  }
  double potential_energy(const Parts& q) const override {
    double sum = 0;
    double room[LawValue::capacity];
    for (std::size_t f = 0; f < q.d.forces.size(); ++f)
      if (q.d.forces[f].energy)
        sum += q.d.forces[f].energy(scope(q.layout.force_arguments[f], q.g.forces[f], q.now, room));
    return sum;
  }
  bool vary_energy(const Parts& q, const MotionAlong& along, Along& sum) const override {
    Along room[LawValue::capacity];
    for (std::size_t f = 0; f < q.d.forces.size(); ++f) {
      const Energy& energy = q.d.forces[f].energy;
      if (!energy) continue;
      if (!energy.along) return false;
      sum += energy.along(along.scope(q.layout.force_arguments[f], q.g.forces[f], room));
    }
    return true;
  }

 private:
  /// Whether the force depends on measures of its own two bodies only.
  static bool depends_on_its_bodies(const Parts& q, const std::vector<Place>& arguments,
                                    const Derived& e) {
    return std::all_of(arguments.begin(), arguments.end(), [&](const Place& a) {
      if (a.kind != Argument::Kind::value && a.kind != Argument::Kind::rate) return false;
      const Derived& o = q.now.derived[ix(a.index)];
      return o.body[0] == e.body[0] && o.body[1] == e.body[1];
    });
  }
  static void add(const Parts& q, const std::vector<Place>& arguments, const LawValue& value,
                  const Derived& e, ForcesOfTwo& sum) {
    bool by_rates = false;
    for (std::size_t k = 0; k < arguments.size();) {
      const Index measure = arguments[k].index;
      double by_value = 0;
      double by_rate = 0;
      for (; k < arguments.size() && arguments[k].index == measure; ++k) {
        const bool is_value = arguments[k].kind == Argument::Kind::value;
        (is_value ? by_value : by_rate) += value.gradient[k];
        by_rates = by_rates || !is_value;
      }
      sum.add(e, q.now.derived[ix(measure)], by_value, by_rate);
    }
    sum.add(e, value.value, by_rates);
  }
};

}  // namespace

std::unique_ptr<ElementPool> make_forces() { return std::make_unique<Forces>(); }

}  // namespace mechfmu::mechanics
