// Drivers, gears and user-defined constraints: relations between measures.
//
//   0 = g(φ₁ … φ_K, t):   G = Σ g_k φ_k,y     (Gᵀλ)_y = λ Σ (g_k φ_k,yy + Σ g_kl φ_k,yᵀ φ_l,y)
//   nonholonomic: 0 = k(φ, φ̇, t), reaction along the rates

#include <stdexcept>

#include "mechanics/elements/common.h"
#include "mechanics/motion_along.h"
#include "model/format.h"

namespace mechfmu::mechanics {

namespace {

class Relations final : public ElementPool {
 public:
  bool works(const Mechanism& m, const Layout&) const override { return !m.constraints.empty(); }
  void number(const Mechanism& m, Layout& layout, Doubts&) const override {
    layout.relation_mu.assign(m.constraints.size(), -1);
    for (std::size_t c = 0; c < m.constraints.size(); ++c) {
      const ConstraintData& data = m.constraints[c];
      const auto refuse = [&](const char* what) {
        throw std::invalid_argument("constraint '" + data.name + "': " + what);
      };
      if (!data.relation.derive_twice)
        refuse(
            "its law has no second derivatives; make it with relation<K>(…) instead of law<K>(…)");
      for (const Argument& a : data.relation.arguments) {
        if (a.kind == Argument::Kind::state || a.kind == Argument::Kind::multiplier)
          refuse("a constraint may depend on measures and time, not on states or multipliers");
        if (a.kind == Argument::Kind::rate && !data.nonholonomic)
          refuse("it depends on a rate; mark it as nonholonomic");
      }
      layout.relation_arguments.push_back(
          places_of(m, layout, "constraint", data.name, data.relation));
      if (!data.nonholonomic) layout.relation_mu[c] = layout.sizes.m++;
    }
  }
  void number_nonholonomic(const Mechanism& m, Layout& layout) const override {
    for (std::size_t c = 0; c < m.constraints.size(); ++c)
      if (m.constraints[c].nonholonomic) layout.relation_mu[c] = layout.sizes.m + layout.sizes.k++;
  }
  void make_room(const Mechanism& m, const Layout&, Geometry& g, Instant& now) const override {
    g.relations.resize(m.constraints.size());
    now.relations.resize(m.constraints.size());
  }
  void add_nodes(const Mechanism& m, Layout& layout, BlockPattern& pattern) const override {
    for (std::size_t c = 0; c < m.constraints.size(); ++c)
      layout.relation_node.push_back(pattern.add_node(
          m.constraints[c].nonholonomic ? NodeKind::nonholonomic : NodeKind::holonomic,
          layout.sizes.n + layout.relation_mu[c], 1));
  }
  void name(const Mechanism& m, const Layout& layout, Variables& v) const override {
    for (std::size_t c = 0; c < m.constraints.size(); ++c)
      v.constraint(layout.relation_mu[c], m.constraints[c].name);
  }
  void violations(const Mechanism& m, const Layout& layout, const Geometry&, In g,
                  std::vector<Violation>& all) const override {
    for (std::size_t c = 0; c < m.constraints.size(); ++c) {
      if (m.constraints[c].nonholonomic) continue;
      const double gap = std::abs(g[layout.relation_mu[c]]);
      all.push_back(
          {gap, "constraint '" + m.constraints[c].name + "' is still violated", format(gap, 3)});
    }
  }
  void refresh(const Mechanism& m, const Layout&, InputValues u, Geometry& g,
               Doubts&) const override {
    for (std::size_t c = 0; c < m.constraints.size(); ++c)
      resolve(m.constraints[c].relation.constants, u, g.relations[c]);
  }

  void move(const Parts& q) const override {
    for (std::size_t c = 0; c < q.d.constraints.size(); ++c) evaluate(q, c);
  }
  void follow_inputs(const Parts& q) const override { move(q); }
  void values(const Parts& q, Values& values) const override {
    for (std::size_t c = 0; c < q.d.constraints.size(); ++c) {
      const RelationValue& relation = q.now.relations[c];
      const Index mu = q.layout.relation_mu[c];
      if (q.d.constraints[c].nonholonomic) {
        values.velocity[mu] = relation.value;
        continue;
      }
      const std::vector<Place>& arguments = q.layout.relation_arguments[c];
      values.position[mu] = relation.value;
      double rate = relation.gradient[arguments.size()];
      for (std::size_t k = 0; k < arguments.size(); ++k)
        rate += relation.gradient[k] * q.now.measures[ix(arguments[k].index)].rate;
      values.velocity[mu] = rate;
    }
    react(q, q.now.p->mu);
  }
  void react(const Parts& q, In mu) const override {
    for (std::size_t c = 0; c < q.d.constraints.size(); ++c)
      react(q, c, -mu[q.layout.relation_mu[c]],
            [&](std::size_t k) { return q.now.relations[c].gradient[k]; });
  }
  void slip(const Parts& q, Out k_tilde) const override {
    double room[LawValue::capacity];
    for (std::size_t c = 0; c < q.d.constraints.size(); ++c) {
      if (!q.d.constraints[c].nonholonomic) continue;
      const std::vector<Place>& arguments = q.layout.relation_arguments[c];
      const Scope<double> s = scope(arguments, q.g.relations[c], q.now, room);
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (arguments[k].kind != Argument::Kind::rate) continue;
        const std::size_t m = ix(arguments[k].index);
        const Row& row = q.g.measures[m];
        room[k] = speed(q.now.measures[m], q.now.bodies[ix(row.i)], q.now.bodies[ix(row.j)]);
      }
      k_tilde[q.layout.relation_mu[c] - q.layout.sizes.m] = q.d.constraints[c].relation.value(s);
    }
  }
  void multiply(const Parts& q, In, Out Cv) const override {
    for (std::size_t c = 0; c < q.d.constraints.size(); ++c) {
      const std::vector<Place>& arguments = q.layout.relation_arguments[c];
      double sum = 0;
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (q.d.constraints[c].nonholonomic && arguments[k].kind != Argument::Kind::rate) continue;
        const std::size_t m = ix(arguments[k].index);
        const Row& row = q.g.measures[m];
        sum += q.now.relations[c].gradient[k] *
               speed(q.now.measures[m], q.now.bodies[ix(row.i)], q.now.bodies[ix(row.j)]);
      }
      Cv[q.layout.relation_mu[c]] = sum;
    }
  }
  void accelerate(const Parts& q, Out c_to) const override {
    for (std::size_t c = 0; c < q.d.constraints.size(); ++c) {
      const RelationValue& relation = q.now.relations[c];
      const std::vector<Place>& arguments = q.layout.relation_arguments[c];
      const auto rate = [&](std::size_t k) { return q.now.measures[ix(arguments[k].index)].rate; };
      const auto acceleration = [&](std::size_t k) {
        const std::size_t m = ix(arguments[k].index);
        return acceleration_of(q.g.measures[m], q.now.measures[m], q.now);
      };
      const double sum =
          second_rate(relation, q.d.constraints[c].nonholonomic, arguments, rate, acceleration);
      c_to[q.layout.relation_mu[c]] = sum;
    }
  }
  bool vary(const Parts& q, const MotionAlong& along, Out c_to, Out) const override {
    Along room[LawValue::capacity];
    RelationAlong relation;
    for (std::size_t c = 0; c < q.d.constraints.size(); ++c) {
      const ConstraintData& data = q.d.constraints[c];
      if (!data.relation.derive_twice_along) return false;
      const std::vector<Place>& arguments = q.layout.relation_arguments[c];
      if (along.moves_settings()) {
        // −μ g_k B_k changes with g_k.
        data.relation.derive_twice_along(along.scope(arguments, q.g.relations[c], room, true),
                                         relation);
        react(q, c, -q.now.p->mu[q.layout.relation_mu[c]],
              [&](std::size_t k) { return relation.gradient[k].d[0]; });
      }
      data.relation.derive_twice_along(along.scope(arguments, q.g.relations[c], room), relation);
      const auto measure = [&](std::size_t k) { return Measure{arguments[k].index}; };
      const auto rate = [&](std::size_t k) { return along.rate(measure(k)); };
      const auto acceleration = [&](std::size_t k) { return along.acceleration(measure(k)); };
      c_to[q.layout.relation_mu[c]] =
          second_rate(relation, data.nonholonomic, arguments, rate, acceleration).d[0];
    }
    return true;
  }
  void derivatives(const Parts& q, BlockWriter& out) const override {
    for (std::size_t n = 0; n < q.d.constraints.size(); ++n) {
      evaluate(q, n);
      const RelationValue& relation = q.now.relations[n];
      const std::vector<Place>& arguments = q.layout.relation_arguments[n];
      const auto last = arguments.size();
      const Index node = q.layout.relation_node[n];
      const double mu = q.now.p->mu[q.layout.relation_mu[n]];
      const bool holonomic = !q.d.constraints[n].nonholonomic;
      for (std::size_t k = 0; k < last; ++k) {
        const Derived& e = q.now.derived[ix(arguments[k].index)];
        const bool is_value = arguments[k].kind == Argument::Kind::value;
        if (holonomic || !is_value) add_row(q, e, node, 0, relation.gradient[k], mu, out);
        if (holonomic) {
          double change = relation.hessian[k][last];
          for (std::size_t l = 0; l < last; ++l)
            change += relation.hessian[k][l] * q.now.measures[ix(arguments[l].index)].rate;
          add_to_row(q, e, e.B, node, 0, change, layer::rows, out);
        } else if (is_value) {
          add_to_row(q, e, e.B, node, 0, relation.gradient[k], layer::rows, out);
        }
        if (!holonomic && is_value) continue;
        for (std::size_t l = 0; l < last; ++l) {
          const Derived& o = q.now.derived[ix(arguments[l].index)];
          const bool o_value = arguments[l].kind == Argument::Kind::value;
          const double amount = mu * relation.hessian[k][l];
          add_outer(q, e, o, o_value ? o.B : o.rate_y, amount, layer::position, out);
          if (!o_value) add_outer(q, e, o, o.B, amount, layer::velocity, out);
        }
      }
    }
  }

  /// Constraints that depend on time do work: −λ G z = λ g_t.
  void add_power(const Parts& q, Powers& sum) const override {
    for (std::size_t c = 0; c < q.d.constraints.size(); ++c) {
      const std::vector<Place>& arguments = q.layout.relation_arguments[c];
      double along = 0;
      for (std::size_t k = 0; k < arguments.size(); ++k)
        if (arguments[k].kind == Argument::Kind::rate || !q.d.constraints[c].nonholonomic)
          along += q.now.relations[c].gradient[k] * q.now.measures[ix(arguments[k].index)].rate;
      sum.supplied -= q.now.p->mu[q.layout.relation_mu[c]] * along;
    }
  }

 private:
  /// Loads += amount Σ g_k B_k.
  template <class Gradient>
  static void react(const Parts& q, std::size_t c, double amount, const Gradient& gradient) {
    const std::vector<Place>& arguments = q.layout.relation_arguments[c];
    const Argument::Kind acting =
        q.d.constraints[c].nonholonomic ? Argument::Kind::rate : Argument::Kind::value;
    for (std::size_t k = 0; k < arguments.size(); ++k)
      if (arguments[k].kind == acting) {
        const std::size_t m = ix(arguments[k].index);
        push(q.g.measures[m], q.now.measures[m], amount * gradient(k), q.now);
      }
  }
  /// d²g/dt², or dk/dt, from the derivatives of g or k and the motion of its arguments.
  template <class T, class Rate, class Acceleration>
  static T second_rate(const RelationValueOf<T>& relation, bool nonholonomic,
                       const std::vector<Place>& arguments, const Rate& rate,
                       const Acceleration& acceleration) {
    const auto last = arguments.size();
    T sum(0.0);
    if (nonholonomic) {
      sum = relation.gradient[last];
      for (std::size_t k = 0; k < last; ++k)
        sum += relation.gradient[k] *
               (arguments[k].kind == Argument::Kind::value ? rate(k) : acceleration(k));
      return sum;
    }
    sum = relation.hessian[last][last];
    for (std::size_t k = 0; k < last; ++k) {
      sum += relation.gradient[k] * acceleration(k) + 2.0 * relation.hessian[k][last] * rate(k);
      for (std::size_t l = 0; l < last; ++l) sum += relation.hessian[k][l] * rate(k) * rate(l);
    }
    return sum;
  }
  static void evaluate(const Parts& q, std::size_t c) {
    double room[LawValue::capacity];
    q.d.constraints[c].relation.derive_twice(
        scope(q.layout.relation_arguments[c], q.g.relations[c], q.now, room), q.now.relations[c]);
  }
};

}  // namespace

std::unique_ptr<ElementPool> make_relations() { return std::make_unique<Relations>(); }

}  // namespace mechfmu::mechanics
