// Apart from derived.h: every model that is compiled would instantiate it again.

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

void alignment(const Row& row, const Freedom& fi, const Freedom& fj, const Instant& now, Derived& d,
               RowMotion& motion) {
  evaluate_row<double>(row, {now.bodies[ix(row.i)].r, now.bodies[ix(row.i)].R},
                       {now.bodies[ix(row.j)].r, now.bodies[ix(row.j)].R}, motion.phi, motion.on_i,
                       motion.on_j);
  const Vec3 a = now.bodies[ix(row.i)].R * row.a_i;
  const Vec3 b = now.bodies[ix(row.j)].R * row.b_j;
  const double cosine = a.dot(b);
  const int n = fi.n() + fj.n();
  for (int r = 0; r < n; ++r) {
    d.B[r] = 0;
    for (int c = 0; c < n; ++c) d.B_y[r][c] = 0;
  }
  // Components of a, b and the moment on j along the axes of both bodies
  const Freedom* freedom[2] = {&fi, &fj};
  const Mat3* axes[2] = {&now.axes[ix(row.i)], &now.axes[ix(row.j)]};
  double on_a[2][3];
  double on_b[2][3];
  double moment[2][3];
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < freedom[s]->rotations; ++k) {
      const auto axis = axes[s]->col(k);
      on_a[s][k] = axis.dot(a);
      on_b[s][k] = axis.dot(b);
      moment[s][k] = (s == 0 ? -1 : 1) * axis.dot(motion.on_j.moment);
      d.B[d.first[s] + freedom[s]->translations + k] = moment[s][k];
    }
  for (int s = 0; s < 2; ++s)
    for (int r = 0; r < freedom[s]->rotations; ++r) {
      const double sign = s == 0 ? -1 : 1;
      double* B_y = d.B_y[d.first[s] + freedom[s]->translations + r];
      for (int o = 0; o < 2; ++o)
        for (int c = 0; c < freedom[o]->rotations; ++c) {
          const double overlap = s == o ? (r == c ? 1 : 0) : axes[s]->col(r).dot(axes[o]->col(c));
          // by a rotation of j: b (δ·a) − δ (a·b); of i: δ (a·b) − a (δ·b)
          double change = o == 1 ? on_b[s][r] * on_a[o][c] - overlap * cosine
                                 : overlap * cosine - on_a[s][r] * on_b[o][c];
          change *= sign;
          if (s == o && c < freedom[o]->turning) change += turned_component(c, r, moment[s]);
          B_y[d.first[o] + freedom[o]->translations + c] = change;
        }
    }
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
  if (row.kind == RowKind::alignment)
    alignment(row, i.freedom, j.freedom, now, d, motion);
  else if (n <= 6)
    by_duals<6>(row, i.freedom, j.freedom, now, d, motion);
  else
    by_duals<12>(row, i.freedom, j.freedom, now, d, motion);

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
