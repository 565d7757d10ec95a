// Apart from derived.h: every model that is compiled would instantiate it again.

#include "mechanics/derived.h"

namespace mechfmu::mechanics {

template <int N>
void Derived::derive(const Row& row, const BodyFacts& fi, const BodyFacts& fj, const BodyMotion& i,
                     const BodyMotion& j) {
  using D = Dual<double, N>;
  const Pose<D> pi = seeded<D>(fi, i, 0);
  const Pose<D> pj = seeded<D>(fj, j, fi.n);
  D phi;
  Wrench<D> on_i;
  Wrench<D> on_j;
  evaluate_row<D>(row, pi, pj, phi, on_i, on_j);
  D all[12];
  components<D>(fi, pi.R, on_i, all);
  components<D>(fj, pj.R, on_j, all + fi.n);
  const int n = fi.n + fj.n;
  for (int r = 0; r < n; ++r) {
    B[r] = all[r].v;
    for (int c = 0; c < n; ++c) B_y[r][c] = all[r].d[c];
  }
}

void Derived::at_point(const Row& row, const std::vector<BodyFacts>& facts,
                       const std::vector<BodyMotion>& now, In z) {
  const BodyFacts& fi = facts[static_cast<std::size_t>(row.i)];
  const BodyFacts& fj = facts[static_cast<std::size_t>(row.j)];
  body[0] = row.i;
  body[1] = row.j;
  first[1] = size[0] = fi.n;
  size[1] = fj.n;
  const BodyMotion& i = now[static_cast<std::size_t>(row.i)];
  const BodyMotion& j = now[static_cast<std::size_t>(row.j)];
  const int n = fi.n + fj.n;
  if (n <= 6)
    derive<6>(row, fi, fj, i, j);
  else
    derive<12>(row, fi, fj, i, j);
  double velocities[12];
  for (int k = 0; k < fi.n; ++k) velocities[k] = z[fi.z + k];
  for (int k = 0; k < fj.n; ++k) velocities[fi.n + k] = z[fj.z + k];
  rate = 0;
  for (int c = 0; c < n; ++c) {
    rate += B[c] * velocities[c];
    rate_y[c] = 0;
    for (int r = 0; r < n; ++r) rate_y[c] += velocities[r] * B_y[r][c];
  }
}

}  // namespace mechfmu::mechanics
