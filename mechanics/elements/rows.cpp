// Rows of joints and rolling contacts that are not coincidences of points: 0 = φ(y), or 0 = B z for
// slip; reaction −μ B.

#include "mechanics/elements/common.h"
#include "mechanics/motion_along.h"

namespace mechfmu::mechanics {

namespace {

class Rows final : public ElementPool {
 public:
  bool works(const Mechanism&, const Layout& layout) const override { return !layout.rows.empty(); }
  void make_room(const Mechanism&, const Layout& layout, Geometry& g, Instant& now) const override {
    g.rows.resize(layout.rows.size());
    now.rows.resize(layout.rows.size());
  }
  void look(const Layout& layout, const Mechanism&, std::vector<bool>& bodies) const override {
    for (const RowPlace& row : layout.rows) bodies[ix(row.i)] = bodies[ix(row.j)] = true;
  }
  void move(const Parts& q) const override {
    for (std::size_t r = 0; r < q.layout.rows.size(); ++r)
      look_at(q.g.rows[r], q.layout.rows[r].turn, q.now, q.now.rows[r]);
  }
  void move_with_derivatives(const Parts&) const override {}
  void values(const Parts& q, Values& values) const override {
    for (std::size_t r = 0; r < q.layout.rows.size(); ++r) {
      const Index mu = q.layout.rows[r].mu;
      if (mu < q.layout.sizes.m) values.position[mu] = q.now.rows[r].phi;
      values.velocity[mu] = q.now.rows[r].rate;
    }
    react(q, q.now.p->mu);
  }
  void react(const Parts& q, In mu) const override {
    for (std::size_t r = 0; r < q.layout.rows.size(); ++r)
      push(q.g.rows[r], q.now.rows[r], -mu[q.layout.rows[r].mu], q.now);
  }
  void slip(const Parts& q, Out k) const override {
    const Index m = q.layout.sizes.m;
    for (std::size_t r = 0; r < q.layout.rows.size(); ++r) {
      const Index mu = q.layout.rows[r].mu;
      if (mu >= m) k[mu - m] = speed_along(q, r);
    }
  }
  void multiply(const Parts& q, In, Out Cv) const override {
    for (std::size_t r = 0; r < q.layout.rows.size(); ++r)
      Cv[q.layout.rows[r].mu] = speed_along(q, r);
  }
  void accelerate(const Parts& q, Out c) const override {
    for (std::size_t r = 0; r < q.layout.rows.size(); ++r)
      c[q.layout.rows[r].mu] = acceleration_of(q.g.rows[r], q.now.rows[r], q.now);
  }
  void derivatives(const Parts& q, BlockWriter& out) const override {
    Derived d;
    RowMotion unused;
    for (std::size_t r = 0; r < q.layout.rows.size(); ++r) {
      const RowPlace& row = q.layout.rows[r];
      derive(q.g.rows[r], q.layout.bodies, q.now, d, unused);
      add_row(q, d, row.node, row.local, 1, q.now.p->mu[row.mu], out);
    }
  }
  bool vary(const Parts& q, const MotionAlong& along, Out c, Out) const override {
    for (std::size_t r = 0; r < q.layout.rows.size(); ++r)
      c[q.layout.rows[r].mu] = along.row_acceleration(q.g.rows[r]).d[0];
    return true;
  }
  void remember(const Parts& q, Out memory) const override {
    for (std::size_t k = 0; k < q.layout.rows.size(); ++k)
      remember_turn(q.g.rows[k], q.layout.rows[k].turn, q.now, memory);
  }

 private:
  /// B z of a row, on the bodies of the geometry: a spinning body changes places with the other.
  static double speed_along(const Parts& q, std::size_t r) {
    const Row& row = q.g.rows[r];
    return speed(q.now.rows[r], q.now.bodies[ix(row.i)], q.now.bodies[ix(row.j)]);
  }
};

}  // namespace

std::unique_ptr<ElementPool> make_rows() { return std::make_unique<Rows>(); }

}  // namespace mechfmu::mechanics
