// Separate from derived.h, whose functions every compiled model would instantiate again.

#include "mechanics/derived.h"

namespace mechfmu::mechanics {

namespace {

Vec<double, 3> values_of(const auto& v) { return {v[0].v, v[1].v, v[2].v}; }

template <int N>
void by_duals(const Row& row, const Freedom& fi, const Freedom& fj, const Instant& now, Derived& d,
              RowMotion& motion) {
  using D = Dual<double, N>;
  const Mat3& axes_i = now.axes[ix(row.i)];
  const Mat3& axes_j = now.axes[ix(row.j)];
  const Pose<D> pi = seeded<D>(fi, now.bodies[ix(row.i)], axes_i, 0);
  const Pose<D> pj = seeded<D>(fj, now.bodies[ix(row.j)], axes_j, fi.n());
  D phi;
  Wrench<D> on_i;
  Wrench<D> on_j;
  evaluate_row<D>(row, pi, pj, phi, on_i, on_j);
  D all[12];
  components<D>(fi, seeded_axes<D>(fi, axes_i, 0), on_i, all);
  components<D>(fj, seeded_axes<D>(fj, axes_j, fi.n()), on_j, all + fi.n());
  const int n = fi.n() + fj.n();
  for (int r = 0; r < n; ++r) {
    d.B[r] = all[r].v;
    for (int c = 0; c < n; ++c) d.B_y[r][c] = all[r].d[c];
  }
  motion.phi = phi.v;
  motion.on_i = {values_of(on_i.force), values_of(on_i.moment)};
  motion.on_j = {values_of(on_j.force), values_of(on_j.moment)};
}

/// ε_{crk} m_k = (e_c × e_r)·m for c ≠ r.
double turned_component(int c, int r, const double* m) {
  if (c == r) return 0;
  const int k = 3 - c - r;
  return (c + 1) % 3 == r ? m[k] : -m[k];
}

void clear(Derived& d, int n) {
  for (int r = 0; r < n; ++r) {
    d.B[r] = 0;
    for (int c = 0; c < n; ++c) d.B_y[r][c] = 0;
  }
}

/// The two bodies of a row: i, j.
struct Sides {
  const Freedom* freedom[2];
  const Mat3* axes[2];
  int rotation[2];  // the first component of their rotations

  Sides(const Row& row, const Freedom& fi, const Freedom& fj, const Instant& now, const Derived& d)
      : freedom{&fi, &fj},
        axes{&now.axes[ix(row.i)], &now.axes[ix(row.j)]},
        rotation{d.first[0] + fi.translations, d.first[1] + fj.translations} {}

  int rotations(int s) const { return freedom[s]->rotations; }
  Vec3 axis(int s, int k) const { return axes[s]->col(k); }
  /// Components of the moments, into B; adds to B_y the effect of turning their axes.
  void add_moment(int s, const Vec3& moment, Derived& d) const {
    double m[3] = {};
    for (int r = 0; r < rotations(s); ++r) {
      m[r] = axes[s]->col(r).dot(moment);
      d.B[rotation[s] + r] = m[r];
    }
    for (int r = 0; r < rotations(s); ++r)
      for (int c = 0; c < freedom[s]->turning; ++c)
        d.B_y[rotation[s] + r][rotation[s] + c] += turned_component(c, r, m);
  }
  /// Column `column` of B_y += a change of the moment on s.
  void add_change(int s, const Vec3& change, int column, Derived& d) const {
    for (int r = 0; r < rotations(s); ++r)
      d.B_y[rotation[s] + r][column] += axes[s]->col(r).dot(change);
  }
};

void alignment(const Row& row, const Sides& sides, const Instant& now, Derived& d,
               const RowMotion& motion) {
  const Vec3 a = now.bodies[ix(row.i)].R * row.a_i;
  const Vec3 b = now.bodies[ix(row.j)].R * row.b_j;
  const double cosine = a.dot(b);
  // Components of a and b along the axes of both bodies
  double on_a[2][3];
  double on_b[2][3];
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < sides.rotations(s); ++k) {
      on_a[s][k] = sides.axes[s]->col(k).dot(a);
      on_b[s][k] = sides.axes[s]->col(k).dot(b);
    }
  for (int s = 0; s < 2; ++s)
    for (int r = 0; r < sides.rotations(s); ++r) {
      const double sign = s == 0 ? -1 : 1;
      double* B_y = d.B_y[sides.rotation[s] + r];
      for (int o = 0; o < 2; ++o)
        for (int c = 0; c < sides.rotations(o); ++c) {
          const double overlap =
              s == o ? (r == c ? 1 : 0) : sides.axes[s]->col(r).dot(sides.axes[o]->col(c));
          // for a rotation of j: b (δ·a) − δ (a·b); of i: δ (a·b) − a (δ·b)
          const double change = o == 1 ? on_b[s][r] * on_a[o][c] - overlap * cosine
                                       : overlap * cosine - on_a[s][r] * on_b[o][c];
          B_y[sides.rotation[o] + c] = sign * change;
        }
    }
  sides.add_moment(0, motion.on_i.moment, d);
  sides.add_moment(1, motion.on_j.moment, d);
}

void displacement(const Row& row, const Sides& sides, const Instant& now, Derived& d,
                  const RowMotion& motion) {
  const Vec3& n = motion.on_j.force;
  const Vec3 s_j = now.bodies[ix(row.j)].R * row.p_j;
  const Vec3 D = now.bodies[ix(row.j)].r + s_j - now.bodies[ix(row.i)].r;
  for (int k = 0; k < sides.freedom[0]->translations; ++k) d.B[d.first[0] + k] = -n[k];
  for (int k = 0; k < sides.freedom[1]->translations; ++k) d.B[d.first[1] + k] = n[k];
  // P_j moves: n × δ on i
  for (int r = 0; r < sides.rotations(0); ++r) {
    const Vec3 change = sides.axis(0, r).cross(n);
    double* B_y = d.B_y[sides.rotation[0] + r];
    for (int k = 0; k < sides.freedom[0]->translations; ++k) B_y[d.first[0] + k] = -change[k];
    for (int k = 0; k < sides.freedom[1]->translations; ++k) B_y[d.first[1] + k] = change[k];
  }
  for (int c = 0; c < sides.rotations(1); ++c) {
    const Vec3 change = sides.axis(1, c).cross(s_j).cross(n);
    sides.add_change(1, change, sides.rotation[1] + c, d);
    sides.add_change(0, -change, sides.rotation[1] + c, d);
  }
  // n turns with i
  for (int c = 0; c < sides.rotations(0); ++c) {
    const int column = sides.rotation[0] + c;
    const Vec3 change = sides.axis(0, c).cross(n);
    for (int k = 0; k < sides.freedom[0]->translations; ++k)
      d.B_y[d.first[0] + k][column] = -change[k];
    for (int k = 0; k < sides.freedom[1]->translations; ++k)
      d.B_y[d.first[1] + k][column] = change[k];
    sides.add_change(1, s_j.cross(change), column, d);
    sides.add_change(0, change.cross(D), column, d);
  }
  sides.add_moment(0, motion.on_i.moment, d);
  sides.add_moment(1, motion.on_j.moment, d);
}

void angle(const Row& row, const Sides& sides, const Instant& now, Derived& d,
           const RowMotion& motion) {
  const Vec3 a = now.bodies[ix(row.i)].R * row.a_i;
  const Vec3 c = now.bodies[ix(row.i)].R * row.c_i;
  const Vec3 b = now.bodies[ix(row.j)].R * row.b_j;
  const double x = a.dot(b);
  const double y = c.dot(b);
  const double square = x * x + y * y;
  const Vec3 g = (c * x - a * y) / square;
  const auto by_b = [&](const Vec3& db) -> Vec3 {
    const double dx = a.dot(db);
    const double dy = c.dot(db);
    const Vec3 dg = (c * dx - a * dy - g * (2 * (x * dx + y * dy))) / square;
    return db.cross(g) + b.cross(dg);
  };
  for (int o = 0; o < 2; ++o)
    for (int k = 0; k < sides.rotations(o); ++k) {
      const Vec3 axis = sides.axis(o, k);
      Vec3 change = by_b(axis.cross(b));
      if (o == 0) change = axis.cross(motion.on_j.moment) - change;
      sides.add_change(1, change, sides.rotation[o] + k, d);
      sides.add_change(0, -change, sides.rotation[o] + k, d);
    }
  sides.add_moment(0, motion.on_i.moment, d);
  sides.add_moment(1, motion.on_j.moment, d);
}

/// Returns false for kinds of rows that need duals.
bool by_hand(const Row& row, const Freedom& fi, const Freedom& fj, const Instant& now, Derived& d,
             RowMotion& motion) {
  if (row.kind != RowKind::alignment && row.kind != RowKind::displacement &&
      row.kind != RowKind::angle)
    return false;
  evaluate_row<double>(row, {now.bodies[ix(row.i)].r, now.bodies[ix(row.i)].R},
                       {now.bodies[ix(row.j)].r, now.bodies[ix(row.j)].R}, motion.phi, motion.on_i,
                       motion.on_j);
  clear(d, fi.n() + fj.n());
  const Sides sides(row, fi, fj, now, d);
  switch (row.kind) {
    case RowKind::alignment: alignment(row, sides, now, d, motion); break;
    case RowKind::displacement: displacement(row, sides, now, d, motion); break;
    default: angle(row, sides, now, d, motion);
  }
  return true;
}

}  // namespace

void derive(const Row& row, const std::vector<BodyPlace>& places, const Instant& now, Derived& d,
            RowMotion& motion) {
  const BodyPlace& i = places[ix(row.i)];
  const BodyPlace& j = places[ix(row.j)];
  d.body[0] = row.i;
  d.body[1] = row.j;
  d.first[1] = d.size[0] = i.freedom.n();
  d.size[1] = j.freedom.n();
  const int n = d.size[0] + d.size[1];
  if (!by_hand(row, i.freedom, j.freedom, now, d, motion)) {
    if (n <= 6)
      by_duals<6>(row, i.freedom, j.freedom, now, d, motion);
    else
      by_duals<12>(row, i.freedom, j.freedom, now, d, motion);
  }

  double velocities[12] = {};
  for (int k = 0; k < d.size[0]; ++k) velocities[k] = now.p->z[i.z + k];
  for (int k = 0; k < d.size[1]; ++k) velocities[d.size[0] + k] = now.p->z[j.z + k];
  motion.rate = 0;
  for (int c = 0; c < n; ++c) d.rate_y[c] = 0;
  for (int r = 0; r < n; ++r) {
    motion.rate += d.B[r] * velocities[r];
    for (int c = 0; c < n; ++c) d.rate_y[c] += velocities[r] * d.B_y[r][c];
  }
}

}  // namespace mechfmu::mechanics
