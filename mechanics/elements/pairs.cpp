#include "mechanics/elements/pairs.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "mechanics/elements/common.h"
#include "mechanics/motion_along.h"

namespace mechfmu::mechanics {

namespace {

/// Up to this number, couplings of bodies that may touch are always in the Newton matrix: that
/// costs less than tracking them.
constexpr std::size_t few_couplings = 16;
/// Distance of the tip of an axis from P_a. The larger it is, the less the axis turns before its
/// tip has moved by the slack.
constexpr double tip_of_reach = 10;

void place_anchors(const Parts& q) {
  for (std::size_t i = 0; i < q.g.anchors.size(); ++i)
    q.now.anchors[i] = q.now.bodies[ix(q.g.anchors[i].body)].point(q.g.anchors[i].p);
}

class Pairs final : public ElementPool {
 public:
  bool works(const Mechanism& m, const Layout&) const override { return !m.pairs.empty(); }
  bool comes_and_goes() const override { return true; }
  void number(const Mechanism& m, Layout& layout, Doubts&) const override {
    for (const PairData& data : m.pairs) {
      require_two_bodies(m, "force", data.name, data.a, data.b);
      if (!data.function.value || (!data.function.derive && !data.function.derive_relative))
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
    if (layout.couplings.size() > few_couplings) {
      layout.first_neighbour = reserve_memory(layout, neighbour_numbers(layout));
      return;
    }
    layout.couplings.clear();
    std::fill(layout.pair_coupling.begin(), layout.pair_coupling.end(), -1);
  }
  void make_room(const Mechanism& m, const Layout&, Geometry& g, Instant& now) const override {
    g.pairs.resize(m.pairs.size());
    g.reaches.resize(m.pairs.size());
    g.anchors.reserve(3 * m.pairs.size());
    g.first_anchor.resize(m.bodies.size());
    now.anchors.assign(3 * m.pairs.size(), Vec3::Zero());
    now.near.pairs.reserve(m.pairs.size());
    now.near.neighbours.reserve(m.pairs.size());
    now.near.anchors.reserve(3 * m.pairs.size());
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
      if (reach.kind != PairReach::Kind::ball && data.a.index != 0) {
        to.tip = tip_of_reach * (to.reach + to.margin);
        anchor(g, data.a, reach.P_a + to.tip * reach.e);
      }
      margins += to.margin;
    }
    g.slack = margins / static_cast<double>(std::max<std::size_t>(1, m.pairs.size()));
    ++g.version;
  }

  void move(const Parts& q) const override { place_anchors(q); }

  void load(const Parts& q) const override {
    for_near_pairs(q, [&](std::size_t k) {
      const std::size_t a = ix(q.d.pairs[k].a.index);
      const std::size_t b = ix(q.d.pairs[k].b.index);
      Wrench<double> on_a;
      Wrench<double> on_b;
      wrenches(q, k, moving(q.now.bodies[a]), moving(q.now.bodies[b]), on_a, on_b);
      q.now.loads[a].force += on_a.force;
      q.now.loads[a].moment += on_a.moment;
      q.now.loads[b].force += on_b.force;
      q.now.loads[b].moment += on_b.moment;
    });
  }

  void derivatives(const Parts& q, BlockWriter& out) const override {
    if (out.is_first_pass()) {
      for (std::size_t k = 0; k < q.d.pairs.size(); ++k) derivatives(q, k, out);
      return;
    }
    std::size_t next = 0;  // pairs before it have been visited or skipped
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

  void add_power(const Parts& q, Powers& sum) const override {
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
        held =
            power({a.r, a.R, Vec3::Zero(), Vec3::Zero()}, {b.r, b.R, Vec3::Zero(), Vec3::Zero()});
      sum.dissipated -= power(moving(a), moving(b)) - held;
    });
  }
  double potential_energy(const Parts& q) const override {
    double sum = 0;
    for_near_pairs(q, [&](std::size_t k) {
      const PairData& data = q.d.pairs[k];
      if (data.function.energy)
        sum += data.function.energy(moving(q.now.bodies[ix(data.a.index)]),
                                    moving(q.now.bodies[ix(data.b.index)]), context_of(q, k));
    });
    return sum;
  }
  bool vary_energy(const Parts& q, const MotionAlong& along, Along& sum) const override {
    for (std::size_t k = 0; k < q.d.pairs.size(); ++k) {
      const PairData& data = q.d.pairs[k];
      if (!data.function.energy) continue;
      if (!data.function.energy_along || (along.moves_settings() && data.function.reads_settings))
        return false;
      sum += data.function.energy_along(along.moving_body(data.a.index),
                                        along.moving_body(data.b.index), context_of(q, k));
    }
    return true;
  }

  /// Notes which bodies are neighbours.
  void remember(const Parts& q, Out memory) const override {
    const Layout& layout = q.layout;
    if (layout.couplings.empty()) return;
    place_anchors(q);
    memory.segment(layout.first_neighbour, neighbour_numbers(layout)).setZero();
    for (const std::size_t k : shortlists(q).neighbours) {
      const std::size_t coupling = ix(layout.pair_coupling[k]);
      // Neighbours stay so up to a larger distance, so that blocks do not come and go in turn.
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

 private:
  /// Planes and lines of a body turn with it. While neither P_a nor the tip moves by more than the
  /// slack, e changes by no more than 2 slack/tip, and the distance of P_b by that value times |d|.
  static double turning_slack(const Parts& q, const ReachGeometry& reach) {
    if (reach.kind == PairReach::Kind::ball || q.g.anchors[ix(reach.a)].body == 0) return 0;
    const double slack = q.g.slack;
    const double d = (q.now.anchors[ix(reach.b)] - q.now.anchors[ix(reach.a)]).norm() + 2 * slack;
    return reach.tip > 0 ? 2 * slack / reach.tip * d : std::numeric_limits<double>::infinity();
  }

  static const std::vector<std::size_t>& shortlist(const Parts& q) { return shortlists(q).pairs; }

  /// Calls act(k) for all pairs near enough to act.
  template <class F>
  static void for_near_pairs(const Parts& q, const F& act) {
    for (const std::size_t k : shortlist(q))
      if (!far(q, k)) act(k);
  }

  static const Shortlist& shortlists(const Parts& q) {
    Shortlist& list = q.now.near;
    const double slack = q.g.slack;
    const Vec3* const now = q.now.anchors.data();
    const std::size_t count = q.g.anchors.size();
    bool good = list.made_for == q.g.version;
    for (std::size_t i = 0; i < count && good; ++i)
      good = (now[i] - list.anchors[i]).squaredNorm() <= slack * slack;
    if (good) return list;
    list.anchors.assign(now, now + count);
    list.pairs.clear();
    list.neighbours.clear();
    for (std::size_t k = 0; k < q.d.pairs.size(); ++k) {
      const ReachGeometry& reach = q.g.reaches[k];
      const double moved = 2 * slack + turning_slack(q, reach);
      if (!farther(q, reach, moved)) list.pairs.push_back(k);
      if (q.layout.pair_coupling[k] >= 0 && !farther(q, reach, 2 * reach.margin + moved))
        list.neighbours.push_back(k);
    }
    list.made_for = q.g.version;
    return list;
  }

  /// Number of blocks that the pair visits.
  static Index blocks_of(const Parts& q, std::size_t k) {
    return q.d.pairs[k].a.index != 0 && q.d.pairs[k].b.index != 0 ? 4 : 1;
  }

  /// Derivatives of the components of the wrenches on a and b with respect to the bodies'
  /// velocities, as changes of position and of velocity.
  struct Slopes {
    int first[2];  // of the components of a and b
    double position[12][12], velocity[12][12];
  };

  static void derivatives(const Parts& q, std::size_t k, BlockWriter& out) {
    const PairData& data = q.d.pairs[k];
    const std::size_t bodies[2] = {ix(data.a.index), ix(data.b.index)};
    const Freedom* freedom[2] = {&q.layout.bodies[bodies[0]].freedom,
                                 &q.layout.bodies[bodies[1]].freedom};
    const int coupling = q.layout.pair_coupling[k];
    // Bodies that have touched only since the last accepted step are not coupled in the Newton
    // matrix yet; it still converges.
    const bool coupled = out.is_first_pass() || coupling < 0 ||
                         were_neighbours(q.layout, q.now.p->memory, ix(coupling));
    Slopes slopes;
    slopes.first[0] = 0;
    slopes.first[1] = freedom[0]->n();
    if (data.function.round_b >= 0)
      slopes_of_round(q, k, slopes);
    else
      slopes_by_duals(q, k, slopes);
    for (int s = 0; s < 2; ++s)
      for (int o = 0; o < 2; ++o)
        if (s != o && !coupled) {
          out.skip(1);
        } else if (out.go(q.layout.bodies[bodies[s]].node, q.layout.bodies[bodies[o]].node,
                          layer::position | layer::velocity)) {
          const int row = slopes.first[s];
          const int column = slopes.first[o];
          out.subtract_position(&slopes.position[row][column], 12, freedom[s]->n(),
                                freedom[o]->n());
          out.subtract_velocity(&slopes.velocity[row][column], 12, freedom[s]->n(),
                                freedom[o]->n());
        }
  }

  static void slopes_by_duals(const Parts& q, std::size_t k, Slopes& slopes) {
    using D = WrenchFunction::Wide;
    const PairData& data = q.d.pairs[k];
    const std::size_t bodies[2] = {ix(data.a.index), ix(data.b.index)};
    const Freedom* freedom[2] = {&q.layout.bodies[bodies[0]].freedom,
                                 &q.layout.bodies[bodies[1]].freedom};
    const int n = freedom[0]->n() + freedom[1]->n();
    Moving<D> moving[2];
    Mat<D, 3> axes[2];
    for (int s = 0; s < 2; ++s)
      seed(q, bodies[s], slopes.first[s], n + slopes.first[s], moving[s], axes[s]);
    Wrench<D> on[2];
    for (Wrench<D>& w : on)
      for (int r = 0; r < 3; ++r) w.force[r] = w.moment[r] = D(0.0);
    data.function.derive(moving[0], moving[1], context_of(q, k), on[0], on[1]);
    for (int s = 0; s < 2; ++s) {
      D f[6];
      components<D>(*freedom[s], axes[s], on[s], f);
      for (int r = 0; r < freedom[s]->n(); ++r)
        for (int c = 0; c < n; ++c) {
          slopes.position[slopes.first[s] + r][c] = f[r].d[c];
          slopes.velocity[slopes.first[s] + r][c] = f[r].d[n + c];
        }
    }
  }

  /// The force F on b and its moment M about C, with derivatives with respect to (D, U, W) of
  /// wrench.h.
  struct Push {
    Vec3 F, M;
    Mat3 F_D, F_U, F_W, M_D, M_U, M_W;
    Vec3 D, U, W;
    Vec3 s;  // from the centre of mass of b to C
  };

  static Push push_of(const Parts& q, std::size_t k) {
    using T = WrenchFunction::Relative;
    const PairData& data = q.d.pairs[k];
    const BodyMotion& a = q.now.bodies[ix(data.a.index)];
    const BodyMotion& b = q.now.bodies[ix(data.b.index)];
    Push made;
    made.s = b.R * q.g.pairs[k].vectors[ix(data.function.round_b)];
    made.D = b.r + made.s - a.r;
    made.U = b.v + b.w.cross(made.s) - a.v - a.w.cross(made.D);
    made.W = b.w - a.w;
    Moving<T> held;
    Moving<T> moves;
    Vec<T, 3> at_C;
    Vec<T, 3> arm;
    for (int i = 0; i < 3; ++i) {
      held.r[i] = held.v[i] = held.w[i] = T(0.0);
      for (int j = 0; j < 3; ++j) {
        held.R(i, j) = T(a.R(i, j));
        moves.R(i, j) = T(b.R(i, j));
      }
      moves.r[i] = T::seed(made.D[i] - made.s[i], i);
      at_C[i] = T::seed(made.U[i], 3 + i);
      moves.w[i] = T::seed(made.W[i], 6 + i);
      arm[i] = T(made.s[i]);
    }
    moves.v = at_C - cross<T>(moves.w, arm);
    Wrench<T> on_a;
    Wrench<T> on_b;
    for (Wrench<T>* w : {&on_a, &on_b})
      for (int i = 0; i < 3; ++i) w->force[i] = w->moment[i] = T(0.0);
    data.function.derive_relative(held, moves, context_of(q, k), on_a, on_b);
    const Vec<T, 3> about_C = on_b.moment - cross<T>(arm, on_b.force);
    for (int i = 0; i < 3; ++i) {
      made.F[i] = on_b.force[i].v;
      made.M[i] = about_C[i].v;
      for (int c = 0; c < 3; ++c) {
        made.F_D(i, c) = on_b.force[i].d[c];
        made.F_U(i, c) = on_b.force[i].d[3 + c];
        made.F_W(i, c) = on_b.force[i].d[6 + c];
        made.M_D(i, c) = about_C[i].d[c];
        made.M_U(i, c) = about_C[i].d[3 + c];
        made.M_W(i, c) = about_C[i].d[6 + c];
      }
    }
    return made;
  }

  /// Uses nine numbers instead of 24. A rotation of a turns its shape; D, U and W stay, but for
  /// ω_a:
  ///
  ///   δF = δ × F − F_D (δ × D) − F_U (δ × U) − F_W (δ × W)
  static void slopes_of_round(const Parts& q, std::size_t k, Slopes& slopes) {
    const PairData& data = q.d.pairs[k];
    const std::size_t bodies[2] = {ix(data.a.index), ix(data.b.index)};
    const Freedom* freedom[2] = {&q.layout.bodies[bodies[0]].freedom,
                                 &q.layout.bodies[bodies[1]].freedom};
    const Mat3* axes[2] = {&q.now.axes[bodies[0]], &q.now.axes[bodies[1]]};
    const Push p = push_of(q, k);
    const Vec3 w_a = q.now.bodies[bodies[0]].w;
    const Vec3 w_b = q.now.bodies[bodies[1]].w;
    const Vec3 total[2] = {-(p.M + p.D.cross(p.F)), p.M + p.s.cross(p.F)};  // moments on a and b

    // A column: changes of F, M, D and s
    const auto put = [&](double(&to)[12][12], int column, const Vec3& dF, const Vec3& dM,
                         const Vec3& dD, const Vec3& ds) {
      const Vec3 change[2] = {-(dM + dD.cross(p.F) + p.D.cross(dF)),
                              dM + ds.cross(p.F) + p.s.cross(dF)};
      for (int s = 0; s < 2; ++s) {
        const int row = slopes.first[s];
        const int translations = freedom[s]->translations;
        for (int r = 0; r < translations; ++r) to[row + r][column] = s == 0 ? -dF[r] : dF[r];
        for (int r = 0; r < freedom[s]->rotations; ++r)
          to[row + translations + r][column] = axes[s]->col(r).dot(change[s]);
      }
    };
    const auto put_position = [&](int column, const Vec3& dD, const Vec3& dU, const Vec3& dW,
                                  const Vec3& ds) {
      put(slopes.position, column, p.F_D * dD + p.F_U * dU + p.F_W * dW,
          p.M_D * dD + p.M_U * dU + p.M_W * dW, dD, ds);
    };
    const auto put_velocity = [&](int column, const Vec3& dU, const Vec3& dW) {
      put(slopes.velocity, column, p.F_U * dU + p.F_W * dW, p.M_U * dU + p.M_W * dW, Vec3::Zero(),
          Vec3::Zero());
    };
    const Vec3 none = Vec3::Zero();
    for (int s = 0; s < 2; ++s) {
      const double sign = s == 0 ? -1 : 1;
      for (int c = 0; c < freedom[s]->translations; ++c) {
        const Vec3 e = sign * Vec3::Unit(c);
        put_position(slopes.first[s] + c, e, -w_a.cross(e), none, none);
        put_velocity(slopes.first[s] + c, e, none);
      }
      for (int c = 0; c < freedom[s]->rotations; ++c) {
        const int column = slopes.first[s] + freedom[s]->translations + c;
        const Vec3 axis = axes[s]->col(c);
        const bool turning = c < freedom[s]->turning;
        if (s == 0) {
          const Vec3 dw = turning ? Vec3(axis.cross(w_a)) : none;
          const Vec3 dD = -axis.cross(p.D);
          const Vec3 dU = -axis.cross(p.U) - dw.cross(p.D);
          const Vec3 dW = -axis.cross(p.W) - dw;
          put(slopes.position, column, axis.cross(p.F) + p.F_D * dD + p.F_U * dU + p.F_W * dW,
              axis.cross(p.M) + p.M_D * dD + p.M_U * dU + p.M_W * dW, none, none);
          put_velocity(column, -axis.cross(p.D), -axis);
        } else {
          const Vec3 dw = turning ? Vec3(axis.cross(w_b)) : none;
          const Vec3 ds = axis.cross(p.s);
          put_position(column, ds, dw.cross(p.s) + p.W.cross(ds), dw, ds);
          put_velocity(column, ds, axis);
        }
        // The axes of the components turn
        if (!turning) continue;
        for (int r = 0; r < freedom[s]->rotations; ++r)
          slopes.position[slopes.first[s] + freedom[s]->translations + r][column] +=
              axis.cross(Vec3(axes[s]->col(r))).dot(total[s]);
      }
    }
  }

  /// The index of a point of a body among the anchors.
  static int anchor(Geometry& g, Body body, const Vec3& p) {
    int& first = g.first_anchor[ix(body.index)];
    for (int i = first; i >= 0; i = g.anchors[ix(i)].next)
      if (g.anchors[ix(i)].p == p) return i;
    g.anchors.push_back({static_cast<int>(body.index), p, first});
    return first = static_cast<int>(g.anchors.size()) - 1;
  }

  /// Whether pair k, which is not far apart, acts, or would with the least motion.
  static bool acts(const Parts& q, std::size_t k) {
    const PairData& data = q.d.pairs[k];
    return !data.function.touches ||
           data.function.touches(moving(q.now.bodies[ix(data.a.index)]),
                                 moving(q.now.bodies[ix(data.b.index)]), context_of(q, k));
  }

  /// A moving body with derivatives with respect to its velocities as changes of position (from
  /// `position` on) and of velocity.
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
