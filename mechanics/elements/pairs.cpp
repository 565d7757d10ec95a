#include "mechanics/elements/pairs.h"

#include <algorithm>
#include <stdexcept>

#include "mechanics/elements/common.h"
#include "mechanics/motion_along.h"

namespace mechfmu::mechanics {

namespace {

class Pairs final : public ElementPool {
 public:
  bool works(const Mechanism& m, const Layout&) const override { return !m.pairs.empty(); }
  void number(const Mechanism& m, Layout&, Doubts&) const override {
    for (const PairData& data : m.pairs) {
      require_two_bodies(m, "force", data.name, data.a, data.b);
      if (!data.function.value || !data.function.derive)
        throw std::invalid_argument("force '" + data.name +
                                    "': it has no function; make one with wrench_function(…)");
    }
  }
  void look(const Layout&, const Mechanism& m, std::vector<bool>& bodies) const override {
    for (const PairData& data : m.pairs) bodies[ix(data.a.index)] = bodies[ix(data.b.index)] = true;
  }
  void refresh(const Mechanism& m, const Layout&, InputValues u, Geometry& g,
               Doubts& doubts) const override {
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
    }
  }

  void load(const Parts& q) const override {
    for (std::size_t k = 0; k < q.d.pairs.size(); ++k) {
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
    using D = WrenchFunction::Wide;
    for (std::size_t k = 0; k < q.d.pairs.size(); ++k) {
      const PairData& data = q.d.pairs[k];
      const std::size_t bodies[2] = {ix(data.a.index), ix(data.b.index)};
      const Freedom* freedom[2] = {&q.layout.bodies[bodies[0]].freedom,
                                   &q.layout.bodies[bodies[1]].freedom};
      const int positions[2] = {0, freedom[0]->n()};
      const int velocities[2] = {positions[1] + freedom[1]->n(),
                                 positions[1] + freedom[1]->n() + freedom[0]->n()};
      Moving<D> moving[2];
      Mat<D, 3> axes[2];
      for (int s = 0; s < 2; ++s)
        seed(q, bodies[s], positions[s], velocities[s], moving[s], axes[s]);
      Wrench<D> on[2];
      for (Wrench<D>& w : on)
        for (int r = 0; r < 3; ++r) w.force[r] = w.moment[r] = D(0.0);
      data.function.derive(moving[0], moving[1], context_of(q, k), on[0], on[1]);
      for (int s = 0; s < 2; ++s) {
        D f[6];
        components<D>(*freedom[s], axes[s], on[s], f);
        for (int o = 0; o < 2; ++o)
          if (out.go(q.layout.bodies[bodies[s]].node, q.layout.bodies[bodies[o]].node,
                     layer::position | layer::velocity))
            for (int r = 0; r < freedom[s]->n(); ++r)
              for (int c = 0; c < freedom[o]->n(); ++c) {
                out.position(r, c) -= f[r].d[positions[o] + c];
                out.velocity(r, c) -= f[r].d[velocities[o] + c];
              }
      }
    }
  }

  bool vary(const Parts& q, const MotionAlong& along, Out, Out) const override {
    return !along.moves_settings() ||
           std::none_of(q.d.pairs.begin(), q.d.pairs.end(),
                        [](const PairData& pair) { return pair.function.reads_settings; });
  }

 private:
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

std::unique_ptr<ElementPool> make_pairs() { return std::make_unique<Pairs>(); }

}  // namespace mechfmu::mechanics
