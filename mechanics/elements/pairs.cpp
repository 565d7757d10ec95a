#include "mechanics/elements/pairs.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>

#include "mechanics/elements/common.h"
#include "mechanics/motion_along.h"

namespace mechfmu::mechanics {

namespace {

/// So few couplings of bodies that may touch are always in the Newton matrix: they cost less than looking after them.
constexpr std::size_t few_couplings = 16;

class Pairs final : public ElementPool {
 public:
  bool works(const Mechanism& m, const Layout&) const override { return !m.pairs.empty(); }
  bool comes_and_goes() const override { return true; }
  void number(const Mechanism& m, Layout& layout, Doubts&) const override {
    for (const PairData& data : m.pairs) {
      require_two_bodies(m, "force", data.name, data.a, data.b);
      if (!data.function.value || !data.function.derive)
        throw std::invalid_argument("force '" + data.name +
                                    "': it has no function; make one with wrench_function(…)");
    }
    layout.pair_coupling.assign(m.pairs.size(), -1);
    std::map<std::pair<Index, Index>, int> couplings;
    for (std::size_t k = 0; k < m.pairs.size(); ++k) {
      const PairData& data = m.pairs[k];
      if (!data.function.touches || data.a.index == 0 || data.b.index == 0) continue;
      const auto two = std::minmax(data.a.index, data.b.index);
      const auto [known, is_new] =
          couplings.try_emplace({two.first, two.second}, static_cast<int>(couplings.size()));
      if (is_new)
        layout.couplings.push_back({static_cast<int>(two.first), static_cast<int>(two.second)});
      layout.pair_coupling[k] = known->second;
    }
    if (layout.couplings.size() > few_couplings) return;
    layout.couplings.clear();
    std::fill(layout.pair_coupling.begin(), layout.pair_coupling.end(), -1);
  }
  void look(const Layout&, const Mechanism& m, std::vector<bool>& bodies) const override {
    for (const PairData& data : m.pairs) bodies[ix(data.a.index)] = bodies[ix(data.b.index)] = true;
  }
  void refresh(const Mechanism& m, const Layout&, InputValues u, Geometry& g,
               Doubts& doubts) const override {
    double margins = 0;
    g.anchors.clear();
    std::fill(g.first_anchor.begin(), g.first_anchor.end(), -1);
    for (std::size_t k = 0; k < m.pairs.size(); ++k) {
      const PairData& data = m.pairs[k];
      PairGeometry& pair = g.pairs[k];
      resolve(data.constants, u, pair.constants);
      if (data.check && doubts.on)
        if (const std::string problem = data.check(pair.constants); !problem.empty())
          doubts.add("contact", data.name, problem);
      pair.vectors.resize(data.geometry.size());
      for (std::size_t v = 0; v < data.geometry.size(); ++v) {
        const PairData::Item& item = data.geometry[v];
        pair.vectors[v] = item.direction
                              ? local_direction(g, item.body.index, item.value, item.local, u,
                                                doubts, "force", data.name)
                              : local_point(g, item.body.index, item.value, item.local, u);
      }
      ReachGeometry& to = g.reaches[k];
      to = {};
      if (!data.function.reach) continue;
      const PairReach reach =
          data.function.reach({0, pair.vectors.data(), pair.constants.data(), u});
      to.kind = reach.kind;
      to.e = reach.e;
      to.reach = reach.reach;
      to.margin = 0.25 * reach.reach + 0.01 * (reach.P_a.norm() + reach.P_b.norm());
      to.a = anchor(g, data.a, reach.P_a);
      to.b = anchor(g, data.b, reach.P_b);
      margins += to.margin;
    }
    g.slack = margins / static_cast<double>(std::max<std::size_t>(1, m.pairs.size()));
    ++g.version;
  }

  void move(const Parts& q) const override {
    for (std::size_t i = 0; i < q.g.anchors.size(); ++i)
      q.now.anchors[i] = q.now.bodies[ix(q.g.anchors[i].body)].point(q.g.anchors[i].p);
  }

  void load(const Parts& q) const override {
    for (const std::size_t k : shortlist(q)) {
      if (far(q, k)) continue;
      const std::size_t a = ix(q.d.pairs[k].a.index);
      const std::size_t b = ix(q.d.pairs[k].b.index);
      Wrench<double> on_a;
      Wrench<double> on_b;
      wrenches(q, k, moving(q.now.bodies[a]), moving(q.now.bodies[b]), on_a, on_b);
      q.now.loads[a].force += on_a.force;
      q.now.loads[a].moment += on_a.moment;
      q.now.loads[b].force += on_b.force;
      q.now.loads[b].moment += on_b.moment;
    }
  }

  void derivatives(const Parts& q, BlockWriter& out) const override {
    if (out.is_first_pass()) {
      for (std::size_t k = 0; k < q.d.pairs.size(); ++k) derivatives(q, k, out);
      return;
    }
    std::size_t next = 0;  // all before have been visited or left out
    const auto skip_to = [&](std::size_t k) {
      for (; next < k; ++next) out.skip(blocks_of(q, next));
      ++next;
    };
    for (const std::size_t k : shortlist(q)) {
      if (far(q, k) || !acts(q, k)) continue;
      skip_to(k);
      derivatives(q, k, out);
    }
    skip_to(q.d.pairs.size());
  }

  bool vary(const Parts& q, const MotionAlong& along, Out, Out) const override {
    return !along.moves_settings() ||
           std::none_of(q.d.pairs.begin(), q.d.pairs.end(),
                        [](const PairData& pair) { return pair.function.reads_settings; });
  }

 private:
  static const std::vector<std::size_t>& shortlist(const Parts& q) {
    Shortlist& list = q.now.near;
    const double slack = q.g.slack;
    const Vec3* const now = q.now.anchors.data();
    const std::size_t count = q.g.anchors.size();
    bool good = list.made_for == q.g.version;
    for (std::size_t i = 0; i < count && good; ++i)
      good = (now[i] - list.anchors[i]).squaredNorm() <= slack * slack;
    if (good) return list.pairs;
    list.anchors.assign(now, now + count);
    list.pairs.clear();
    for (std::size_t k = 0; k < q.d.pairs.size(); ++k) {
      const ReachGeometry& reach = q.g.reaches[k];
      // Planes and lines of a body turn with it.
      const bool turns = reach.kind != PairReach::Kind::ball && q.d.pairs[k].a.index != 0;
      if (turns || !farther(q, reach, 2 * slack)) list.pairs.push_back(k);
    }
    list.made_for = q.g.version;
    return list.pairs;
  }

  /// Blocks that the pair visits.
  static Index blocks_of(const Parts& q, std::size_t k) {
    return q.d.pairs[k].a.index != 0 && q.d.pairs[k].b.index != 0 ? 4 : 1;
  }

  static void derivatives(const Parts& q, std::size_t k, BlockWriter& out) {
    using D = WrenchFunction::Wide;
    const PairData& data = q.d.pairs[k];
    const std::size_t bodies[2] = {ix(data.a.index), ix(data.b.index)};
    const Freedom* freedom[2] = {&q.layout.bodies[bodies[0]].freedom,
                                 &q.layout.bodies[bodies[1]].freedom};
    const int coupling = q.layout.pair_coupling[k];
    // Bodies that have come into touch since the last accepted step are not coupled in the Newton matrix yet: it still converges.
    const bool coupled = out.is_first_pass() || coupling < 0 ||
                         were_neighbours(q.layout, q.now.p->memory, ix(coupling));
    const int positions[2] = {0, freedom[0]->n()};
    const int velocities[2] = {positions[1] + freedom[1]->n(),
                               positions[1] + freedom[1]->n() + freedom[0]->n()};
    Moving<D> moving[2];
    Mat<D, 3> axes[2];
    for (int s = 0; s < 2; ++s) seed(q, bodies[s], positions[s], velocities[s], moving[s], axes[s]);
    Wrench<D> on[2];
    for (Wrench<D>& w : on)
      for (int r = 0; r < 3; ++r) w.force[r] = w.moment[r] = D(0.0);
    data.function.derive(moving[0], moving[1], context_of(q, k), on[0], on[1]);
    for (int s = 0; s < 2; ++s) {
      D f[6];
      components<D>(*freedom[s], axes[s], on[s], f);
      for (int o = 0; o < 2; ++o)
        if (s != o && !coupled) {
          out.skip(1);
        } else if (out.go(q.layout.bodies[bodies[s]].node, q.layout.bodies[bodies[o]].node,
                          layer::position | layer::velocity)) {
          for (int r = 0; r < freedom[s]->n(); ++r)
            for (int c = 0; c < freedom[o]->n(); ++c) {
              out.position(r, c) -= f[r].d[positions[o] + c];
              out.velocity(r, c) -= f[r].d[velocities[o] + c];
            }
        }
    }
  }

  /// The place of a point of a body among the anchors.
  static int anchor(Geometry& g, Body body, const Vec3& p) {
    int& first = g.first_anchor[ix(body.index)];
    for (int i = first; i >= 0; i = g.anchors[ix(i)].next)
      if (g.anchors[ix(i)].p == p) return i;
    g.anchors.push_back({static_cast<int>(body.index), p, first});
    return first = static_cast<int>(g.anchors.size()) - 1;
  }

  /// Whether pair k, which is not far, does anything, or may with the least motion.
  static bool acts(const Parts& q, std::size_t k) {
    const PairData& data = q.d.pairs[k];
    return !data.function.touches ||
           data.function.touches(moving(q.now.bodies[ix(data.a.index)]),
                                 moving(q.now.bodies[ix(data.b.index)]), context_of(q, k));
  }

  /// A moving body with derivatives by its velocities as changes of position (from `position` on) and of velocity.
  template <class D>
  static void seed(const Parts& q, std::size_t body, int position, int velocity, Moving<D>& m,
                   Mat<D, 3>& axes) {
    const BodyPlace& place = q.layout.bodies[body];
    const Freedom& freedom = place.freedom;
    const BodyMotion& now = q.now.bodies[body];
    const Pose<D> pose = seeded<D>(freedom, now, q.now.axes[body], position);
    axes = seeded_axes<D>(freedom, q.now.axes[body], position);
    m.r = pose.r;
    m.R = pose.R;
    for (int r = 0; r < 3; ++r) {
      m.v[r] = D(now.v[r]);
      m.w[r] = D(0.0);
    }
    for (int k = 0; k < freedom.translations; ++k) m.v[k].d[velocity + k] = 1;
    for (int k = 0; k < freedom.rotations; ++k) {
      const int at = freedom.translations + k;
      const D z = D::seed(q.now.p->z[place.z + at], velocity + at);
      for (int r = 0; r < 3; ++r) m.w[r] += axes(r, k) * z;
    }
  }
};

}  // namespace

void remember_neighbours(const Parts& q, Vector& memory) {
  const Layout& layout = q.layout;
  memory.segment(layout.first_neighbour, neighbour_numbers(layout)).setZero();
  for (std::size_t k = 0; k < q.d.pairs.size(); ++k) {
    if (layout.pair_coupling[k] < 0) continue;
    const std::size_t coupling = ix(layout.pair_coupling[k]);
    // Who was a neighbour stays one for a while, so that blocks do not come and go in turn.
    const ReachGeometry& reach = q.g.reaches[k];
    if (farther(q, reach, 2 * reach.margin)) continue;
    double& word =
        memory[layout.first_neighbour + static_cast<Index>(coupling / neighbours_per_number)];
    const auto bits = static_cast<std::uint32_t>(word);
    const std::uint32_t bit = 1U << (coupling % neighbours_per_number);
    if (were_neighbours(layout, q.now.p->memory, coupling) || !farther(q, reach, reach.margin))
      word = static_cast<double>(bits | bit);
  }
}

std::unique_ptr<ElementPool> make_pairs() { return std::make_unique<Pairs>(); }

}  // namespace mechfmu::mechanics
