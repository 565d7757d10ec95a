#include "solver/block_ordering.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "solver/block_large.h"
#include "solver/block_pivot.h"
#include "solver/rank.h"

namespace mechfmu {

namespace {

/// Relative sizes of the smallest pivot: good, fair, poor; below the last one there is no pivot.
constexpr double levels[] = {1e-3, 1e-6, 1e-9, rank_tolerance};
constexpr int level_count = 4;
constexpr double negligible_coupling = row_tolerance;
/// Bound of the ratio of an unknown's scale in its own block to that in the whole matrix. A
/// coordinate without mass has only couplings of size 1 there; the roundoff of another constraint
/// in its place, 10⁻¹⁷ of these, is not a pivot.
constexpr double most_magnified = 1e6;

/// A node of the shrinking graph: one of the pattern, or several merged ones.
struct Part {
  std::vector<int> members;  // nodes of the pattern
  int size = 0;
  std::vector<double> diagonal;  // present A_vv
  std::vector<double> sums;      // sums of the absolute contributions to its diagonal
  std::vector<double> most;      // bounds of the scales of its unknowns
  std::vector<int> edges;        // includes edges to eliminated parts
  int degree = 0;                // edges to remaining parts
  int level = 0;                 // regularity of A_vv: an index into `levels`
  int fill = 0;                  // edges added by its elimination, at its last update
  bool gone = false;
};

/// A_ab and A_ba, in the arena.
struct Edge {
  int a = 0, b = 0;
  std::size_t ab = 0, ba = 0;
};

/// Scales s_i with s_i a_ij s_j at most about 1, and about 1 for the largest in row or column i
/// (Ruiz).
Vector equilibrated(const BlockPattern& pattern, const Vector& values) {
  constexpr int passes = 4;
  Vector s = Vector::Ones(pattern.unknown_count());
  Vector largest(s.size());
  for (int pass = 0; pass < passes; ++pass) {
    largest.setZero();
    for (Index id = 0; id < pattern.block_count(); ++id) {
      const Index rows = pattern.node(pattern.at(id).row).first;
      const Index columns = pattern.node(pattern.at(id).column).first;
      const auto A = pattern.map(values, id);
      for (Index j = 0; j < A.cols(); ++j)
        for (Index i = 0; i < A.rows(); ++i) {
          const double size = s[rows + i] * std::abs(A(i, j)) * s[columns + j];
          largest[rows + i] = std::max(largest[rows + i], size);
          largest[columns + j] = std::max(largest[columns + j], size);
        }
    }
    for (Index i = 0; i < s.size(); ++i)
      if (largest[i] > 0) s[i] /= std::sqrt(largest[i]);
  }
  return s;
}

class Ordering {
 public:
  Ordering(const BlockPattern& pattern, const Vector& values, const Vector& scale,
           const std::vector<char>& absent);
  void run();

  struct Step {
    int part = 0;
    std::vector<int> no_row;  // local unknowns without pivot
  };
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<Step>& steps() const { return steps_; }
  int rated() const { return rated_; }

 private:
  using Key = std::tuple<int, int, int, int>;  // level, degree, fill, index

  Key key(int v) const { return {parts_[v].level, parts_[v].degree, parts_[v].fill, v}; }
  static std::uint64_t pair(int a, int b) {
    return (static_cast<std::uint64_t>(std::min(a, b)) << 32) |
           static_cast<std::uint64_t>(std::max(a, b));
  }
  int other(const Edge& e, int v) const { return e.a == v ? e.b : e.a; }
  /// A_vw of an edge of v.
  double* out(const Edge& e, int v) { return arena_.data() + (e.a == v ? e.ab : e.ba); }
  double* in(const Edge& e, int v) { return arena_.data() + (e.a == v ? e.ba : e.ab); }
  PivotWork work(int n);
  double factor_large(const Part& part);
  void invert(int v);
  void solve(int n, const double* B, int columns);

  int edge(int a, int b);
  void forget_gone(Part& part, int v);
  int rate(int v);
  int count_fill(int v);
  bool uncoupled(int v, int i);
  void eliminate(int v);
  int merge(int a, int b);
  int best_partner(int v);

  std::vector<Part> parts_;
  std::vector<Edge> edges_;
  std::unordered_map<std::uint64_t, int> edge_of_;
  std::vector<double> arena_;
  std::set<Key> queue_;
  std::vector<Step> steps_;
  std::vector<double> numbers_, inverse_, product_;
  std::vector<int> pivots_;
  std::vector<double> large_, large_scale_;  // L and U of a large part, instead of an inverse
  std::vector<int> large_swap_;
  bool is_large_ = false;
  int rated_ = 0;
};

Ordering::Ordering(const BlockPattern& pattern, const Vector& values, const Vector& scale,
                   const std::vector<char>& absent) {
  parts_.resize(pattern.node_count());
  const Vector scales = equilibrated(pattern, values);
  for (int v = 0; v < pattern.node_count(); ++v) {
    const BlockPattern::Node& node = pattern.node(v);
    Part& part = parts_[v];
    part.members = {v};
    part.size = static_cast<int>(node.size);
    const double* a = values.data() + pattern.offset(node.diagonal);
    part.diagonal.assign(a, a + node.size * node.size);
    for (int i = 0; i < part.size; ++i) {
      part.most.push_back(most_magnified * scales[node.first + i]);
      part.sums.push_back(std::abs(part.diagonal[i * part.size + i]) +
                          (scale.size() > 0 ? scale[node.first + i] : 0));
    }
  }
  for (Index id = 0; id < pattern.block_count(); ++id) {
    const BlockPattern::Block& block = pattern.at(id);
    if (block.row >= block.column || (!absent.empty() && absent[ix(id)] != 0)) continue;
    const int a = static_cast<int>(block.row);
    const int b = static_cast<int>(block.column);
    const Edge& e = edges_[edge(a, b)];
    const int count = parts_[a].size * parts_[b].size;
    std::copy_n(values.data() + block.offset, count, out(e, a));
    std::copy_n(values.data() + pattern.offset(block.mirror), count, in(e, a));
  }
}

PivotWork Ordering::work(int n) {
  const std::size_t size = static_cast<std::size_t>(n) * n;
  if (numbers_.size() < size + n) numbers_.resize(size + n);
  if (pivots_.size() < 2 * static_cast<std::size_t>(n)) pivots_.resize(2 * n);
  return {numbers_.data(), numbers_.data() + size, pivots_.data(), pivots_.data() + n};
}

/// The edge between two parts; made of zeros if there is none.
int Ordering::edge(int a, int b) {
  const auto [place, is_new] = edge_of_.try_emplace(pair(a, b), static_cast<int>(edges_.size()));
  if (is_new) {
    const std::size_t count = static_cast<std::size_t>(parts_[a].size) * parts_[b].size;
    edges_.push_back({a, b, arena_.size(), arena_.size() + count});
    arena_.resize(arena_.size() + 2 * count);
    for (const int v : {a, b}) {
      parts_[v].edges.push_back(place->second);
      ++parts_[v].degree;
    }
  }
  return place->second;
}

void Ordering::forget_gone(Part& part, int v) {
  if (static_cast<int>(part.edges.size()) > part.degree)
    std::erase_if(part.edges, [&](int e) { return parts_[other(edges_[e], v)].gone; });
}

/// Whether row and column i of the block exchanged last have no coupling to any remaining part.
bool Ordering::uncoupled(int v, int i) {
  Part& part = parts_[v];
  forget_gone(part, v);
  const int n = part.size;
  for (const int id : part.edges) {
    const Edge& e = edges_[id];
    const Part& beyond = parts_[other(e, v)];
    const Rows rows{out(e, v), 1, n, beyond.size};
    const Rows columns{in(e, v), beyond.size, 1, beyond.size};
    const PivotWork w = work(n);
    const double* sums = part.sums.data();
    const double* beyond_sums = beyond.sums.data();
    if (w.pivot_of_row[i] < 0 &&
        coupling_left(w, n, true, i, rows, sums, beyond_sums) > negligible_coupling)
      return false;
    if (w.pivot_of_column[i] < 0 &&
        coupling_left(w, n, false, i, columns, sums, beyond_sums) > negligible_coupling)
      return false;
  }
  return true;
}

/// The smallest pivot of a large part without complete pivoting; 0 if complete pivoting is needed.
double Ordering::factor_large(const Part& part) {
  const int n = part.size;
  if (n < large::smallest_size) return 0;
  large_ = part.diagonal;
  large_scale_.resize(n);
  large_swap_.resize(n);
  const double pivot = large::factor(n, large_.data(), part.sums.data(), levels[1],
                                     large_scale_.data(), large_swap_.data());
  return pivot > levels[1] ? pivot : 0;
}

/// Level of a part; level_count if it cannot be eliminated now.
int Ordering::rate(int v) {
  ++rated_;
  const Part& part = parts_[v];
  const int n = part.size;
  if (const double pivot = factor_large(part); pivot > 0) return pivot > levels[0] ? 0 : 1;
  const PivotWork w = work(n);
  const Pivots pivots =
      exchange(part.diagonal.data(), part.sums.data(), n, levels[3], w, part.most.data());
  for (int i = 0; pivots.rank < n && i < n; ++i)
    if ((w.pivot_of_row[i] < 0 || w.pivot_of_column[i] < 0) && !uncoupled(v, i)) return level_count;
  int level = 0;
  while (pivots.smallest <= levels[level]) ++level;
  return level;
}

/// Number of pairs of neighbours of v that are not neighbours of each other; all pairs, if there
/// are many.
int Ordering::count_fill(int v) {
  constexpr int many = 6;
  Part& part = parts_[v];
  const int all = part.degree * (part.degree - 1) / 2;
  if (part.degree > many) return all;
  forget_gone(part, v);
  int present = 0;
  for (std::size_t i = 0; i < part.edges.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (edge_of_.contains(pair(other(edges_[part.edges[i]], v), other(edges_[part.edges[j]], v))))
        ++present;
  return all - present;
}

/// Computes A_vv⁻¹ on as many pivots as there are, and adds a step that names the rows without
/// pivot.
void Ordering::invert(int v) {
  const Part& part = parts_[v];
  const int n = part.size;
  steps_.push_back({v, {}});
  is_large_ = factor_large(part) > 0;
  if (is_large_) return;
  const PivotWork w = work(n);
  exchange(part.diagonal.data(), part.sums.data(), n, levels[3], w, part.most.data());
  inverse_.resize(static_cast<std::size_t>(n) * n);
  extract_inverse(w, n, inverse_.data());
  for (int i = 0; i < n; ++i)
    if (w.pivot_of_row[i] < 0) steps_.back().no_row.push_back(i);
}

/// product_ = X = A_vv⁻¹ B.
void Ordering::solve(int n, const double* B, int columns) {
  if (is_large_) {
    product_.assign(B, B + static_cast<std::size_t>(n) * columns);
    large::solve({n, large_.data(), large_scale_.data(), large_swap_.data()}, product_.data(),
                 columns);
    return;
  }
  product_.assign(static_cast<std::size_t>(n) * columns, 0.0);
  for (int j = 0; j < columns; ++j)
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i) product_[j * n + i] += inverse_[k * n + i] * B[j * n + k];
}

void Ordering::eliminate(int v) {
  const int n = parts_[v].size;
  invert(v);
  forget_gone(parts_[v], v);
  parts_[v].gone = true;
  const std::vector<int> around = parts_[v].edges;
  for (const int id : around) {
    const int w = other(edges_[id], v);
    queue_.erase(key(w));
    --parts_[w].degree;
  }
  // A redundant constraint that is left out as a whole changes no number of its neighbours. Of many
  // joints in parallel, most are redundant.
  const bool changes = is_large_ || static_cast<int>(steps_.back().no_row.size()) < n;
  for (const int id : around) {
    const int w = other(edges_[id], v);
    const int nw = parts_[w].size;
    if (!changes) {
      for (const int id_u : around)
        if (const int u = other(edges_[id_u], v); u < w) edge(u, w);
      continue;
    }
    solve(n, out(edges_[id], v), nw);
    for (const int id_u : around) {
      const int u = other(edges_[id_u], v);
      const int nu = parts_[u].size;
      const int between = u == w ? -1 : edge(u, w);
      const double* A_uv = in(edges_[id_u], v);
      double* target = u == w ? parts_[w].diagonal.data() : out(edges_[between], u);
      for (int j = 0; j < nw; ++j)
        for (int i = 0; i < nu; ++i) {
          double change = 0;
          for (int k = 0; k < n; ++k) change += A_uv[k * nu + i] * product_[j * n + k];
          target[j * nu + i] -= change;
          if (u == w && i == j) parts_[w].sums[i] += std::abs(change);
        }
    }
  }
  for (const int id : around) {
    const int w = other(edges_[id], v);
    if (changes || parts_[w].level == level_count) parts_[w].level = rate(w);
    parts_[w].fill = count_fill(w);
    queue_.insert(key(w));
  }
}

/// The neighbour that makes the most regular block together with v.
int Ordering::best_partner(int v) {
  constexpr int enough = 8;
  forget_gone(parts_[v], v);
  int best = -1;
  double best_pivot = -1;
  int tried = 0;
  for (const int id : parts_[v].edges) {
    const Edge& e = edges_[id];
    const int w = other(e, v);
    const int nv = parts_[v].size;
    const int n = nv + parts_[w].size;
    std::vector<double> block(static_cast<std::size_t>(n) * n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int nw = n - nv;
        block[j * n + i] =
            j < nv ? (i < nv ? parts_[v].diagonal[j * nv + i] : in(e, v)[j * nw + i - nv])
                   : (i < nv ? out(e, v)[(j - nv) * nv + i]
                             : parts_[w].diagonal[(j - nv) * nw + i - nv]);
      }
    std::vector<double> sums = parts_[v].sums;
    sums.insert(sums.end(), parts_[w].sums.begin(), parts_[w].sums.end());
    std::vector<double> most = parts_[v].most;
    most.insert(most.end(), parts_[w].most.begin(), parts_[w].most.end());
    const Pivots pivots = exchange(block.data(), sums.data(), n, levels[3], work(n), most.data());
    const double pivot = pivots.rank == n ? pivots.smallest : pivots.rank * 1e-12 / n;
    if (pivot > best_pivot) {
      best_pivot = pivot;
      best = w;
    }
    if (++tried == enough) break;
  }
  return best;
}

int Ordering::merge(int a, int b) {
  const int m = static_cast<int>(parts_.size());
  const int na = parts_[a].size;
  const int nb = parts_[b].size;
  const int n = na + nb;
  queue_.erase(key(a));
  queue_.erase(key(b));
  {
    Part part;
    part.size = n;
    part.diagonal.resize(static_cast<std::size_t>(n) * n);
    const Edge& e = edges_[edge(a, b)];
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        part.diagonal[j * n + i] =
            j < na ? (i < na ? parts_[a].diagonal[j * na + i] : in(e, a)[j * nb + i - na])
                   : (i < na ? out(e, a)[(j - na) * na + i]
                             : parts_[b].diagonal[(j - na) * nb + i - na]);
    for (const int v : {a, b}) {
      const Part& old = parts_[v];
      part.members.insert(part.members.end(), old.members.begin(), old.members.end());
      part.sums.insert(part.sums.end(), old.sums.begin(), old.sums.end());
      part.most.insert(part.most.end(), old.most.begin(), old.most.end());
    }
    parts_.push_back(std::move(part));
  }
  for (const int v : {a, b}) {
    forget_gone(parts_[v], v);
    parts_[v].gone = true;
  }
  for (const int v : {a, b}) {
    const std::vector<int> around = parts_[v].edges;
    const int shift = v == a ? 0 : na;
    const int nv = parts_[v].size;
    for (const int id : around) {
      const int w = other(edges_[id], v);
      if (w == a || w == b) continue;
      queue_.erase(key(w));
      const int nw = parts_[w].size;
      const Edge& to = edges_[edge(m, w)];
      const Edge& from = edges_[id];
      for (int j = 0; j < nw; ++j)
        for (int i = 0; i < nv; ++i) {
          out(to, m)[j * n + i + shift] = out(from, v)[j * nv + i];
          in(to, m)[(i + shift) * nw + j] = in(from, v)[i * nw + j];
        }
      --parts_[w].degree;
      queue_.insert(key(w));
    }
  }
  parts_[m].level = rate(m);
  parts_[m].fill = count_fill(m);
  queue_.insert(key(m));
  return m;
}

void Ordering::run() {
  const int count = static_cast<int>(parts_.size());
  for (int v = 0; v < count; ++v) {
    parts_[v].level = rate(v);
    parts_[v].fill = count_fill(v);
    queue_.insert(key(v));
  }
  while (!queue_.empty()) {
    const int v = std::get<3>(*queue_.begin());
    if (parts_[v].level < level_count) {
      queue_.erase(queue_.begin());
      eliminate(v);
    } else {
      merge(v, best_partner(v));
    }
  }
}

}  // namespace

BlockOrder find_order(const BlockPattern& pattern, const Vector& values, const Vector& scale,
                      const std::vector<char>& absent) {
  Ordering ordering(pattern, values, scale, absent);
  ordering.run();
  BlockOrder order;
  order.rated = ordering.rated();
  for (const auto& step : ordering.steps()) {
    const std::vector<int>& members = ordering.parts()[step.part].members;
    std::vector<Index> unknowns;
    for (const int member : members) {
      const bool first = member == members.front();
      order.nodes.push_back(first ? member + 1 : -(member + 1));
      const BlockPattern::Node& node = pattern.node(member);
      for (Index i = 0; i < node.size; ++i) unknowns.push_back(node.first + i);
      for (const int i : step.no_row) {
        const Index local = i - (static_cast<Index>(unknowns.size()) - node.size);
        if (local < 0 || local >= node.size) continue;
        (is_constraint(node.kind) ? order.redundant : order.undetermined)
            .push_back(node.first + local);
      }
    }
    order.merged += static_cast<int>(members.size()) - 1;
  }
  return order;
}

}  // namespace mechfmu
