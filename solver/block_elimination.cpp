#include "solver/block_elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "solver/block_pivot.h"

namespace mechfmu {

namespace {

/// Relative sizes of the smallest pivot that are good, fair, poor; below the last there is no pivot.
constexpr double levels[] = {1e-3, 1e-6, 1e-9, 1e-10};
constexpr int level_count = 4;
constexpr double negligible_coupling = 1e-9;

/// A node of the graph that shrinks: one of the pattern, or several that were merged.
struct Part {
  std::vector<int> members;  // nodes of the pattern
  int size = 0;
  std::vector<double> diagonal;  // A_vv as it is by now
  std::vector<double> sums;      // of absolute contributions to its diagonal
  std::vector<int> edges;        // some of them to parts that are gone
  int degree = 0;                // those to parts still there
  int level = 0;                 // how regular A_vv is: an index into `levels`
  int fill = 0;                  // edges that its elimination makes, when it was touched last
  bool gone = false;
  int merged_into = -1;
};

/// A_ab and A_ba, in the arena.
struct Edge {
  int a = 0, b = 0;
  std::size_t ab = 0, ba = 0;
};

class Ordering {
 public:
  Ordering(const BlockPattern& pattern, const Vector& values, const Vector& scale);
  void run();

  struct Step {
    int part = 0;
    std::vector<int> later;   // parts it was coupled to
    std::vector<int> no_row;  // local unknowns without pivot
  };
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<Step>& steps() const { return steps_; }
  int representative(int part) const {
    while (parts_[part].merged_into >= 0) part = parts_[part].merged_into;
    return part;
  }
  int edge_count() const { return static_cast<int>(edges_.size()); }
  int merges() const { return merges_; }

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
  int merges_ = 0;
};

Ordering::Ordering(const BlockPattern& pattern, const Vector& values, const Vector& scale) {
  parts_.resize(pattern.node_count());
  for (int v = 0; v < pattern.node_count(); ++v) {
    const BlockPattern::Node& node = pattern.node(v);
    Part& part = parts_[v];
    part.members = {v};
    part.size = static_cast<int>(node.size);
    const double* a = values.data() + pattern.offset(node.diagonal);
    part.diagonal.assign(a, a + node.size * node.size);
    for (int i = 0; i < part.size; ++i)
      part.sums.push_back(std::abs(part.diagonal[i * part.size + i]) +
                          (scale.size() > 0 ? scale[node.first + i] : 0));
  }
  for (Index id = 0; id < pattern.block_count(); ++id) {
    const BlockPattern::Block& block = pattern.at(id);
    if (block.row >= block.column) continue;
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

/// The edge between two parts, made of zeros if there is none.
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

/// No coupling of row and column i of the block exchanged last to any part still there.
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

/// Level of a part; level_count if it cannot be eliminated now.
int Ordering::rate(int v) {
  const Part& part = parts_[v];
  const int n = part.size;
  const PivotWork w = work(n);
  const Pivots pivots = exchange(part.diagonal.data(), part.sums.data(), n, levels[3], n, w);
  if (pivots.rank == n) {
    int level = 0;
    while (pivots.smallest <= levels[level]) ++level;
    return level;
  }
  for (int i = 0; i < n; ++i)
    if ((w.pivot_of_row[i] < 0 || w.pivot_of_column[i] < 0) && !uncoupled(v, i)) return level_count;
  return 0;
}

/// Pairs of neighbours of v that are not neighbours of each other; all, where there are many.
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

void Ordering::eliminate(int v) {
  const int n = parts_[v].size;
  {
    const PivotWork w = work(n);
    exchange(parts_[v].diagonal.data(), parts_[v].sums.data(), n, levels[3], n, w);
    inverse_.resize(static_cast<std::size_t>(n) * n);
    extract_inverse(w, n, inverse_.data());
    Step step{v, {}, {}};
    for (int i = 0; i < n; ++i)
      if (w.pivot_of_row[i] < 0) step.no_row.push_back(i);
    steps_.push_back(std::move(step));
  }
  forget_gone(parts_[v], v);
  parts_[v].gone = true;
  const std::vector<int> around = parts_[v].edges;
  for (const int id : around) {
    const int w = other(edges_[id], v);
    steps_.back().later.push_back(w);
    queue_.erase(key(w));
    --parts_[w].degree;
  }
  for (const int id : around) {
    const int w = other(edges_[id], v);
    const int nw = parts_[w].size;
    product_.assign(static_cast<std::size_t>(n) * nw, 0.0);  // X = A_vv⁻¹ A_vw
    const double* A_vw = out(edges_[id], v);
    for (int j = 0; j < nw; ++j)
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i) product_[j * n + i] += inverse_[k * n + i] * A_vw[j * n + k];
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
  for (const int w : steps_.back().later) {
    parts_[w].level = rate(w);
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
    const Pivots pivots = exchange(block.data(), sums.data(), n, levels[3], n, work(n));
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
  ++merges_;
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
    }
    parts_.push_back(std::move(part));
  }
  for (const int v : {a, b}) {
    forget_gone(parts_[v], v);
    parts_[v].gone = true;
    parts_[v].merged_into = m;
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

// --- the program ---

/// Where a node of the pattern has come to lie.
struct Place {
  int step = 0;   // node of the elimination
  int local = 0;  // first of its unknowns there
};

}  // namespace

BlockElimination::BlockElimination(const BlockPattern& pattern, const Vector& values,
                                   const Vector& scale) {
  Ordering ordering(pattern, values, scale);
  ordering.run();
  merged = ordering.merges();
  const auto& parts = ordering.parts();
  const auto& steps = ordering.steps();

  // Positions of the unknowns
  std::vector<int> step_of(parts.size(), -1);
  std::vector<Place> places(pattern.node_count());
  std::vector<int> members(steps.size());
  for (const auto& step : steps) {
    const Part& part = parts[step.part];
    const int index = static_cast<int>(nodes.size());
    step_of[step.part] = index;
    members[index] = static_cast<int>(part.members.size());
    Node node;
    node.first = static_cast<int>(order.size());
    node.size = part.size;
    largest_node = std::max(largest_node, part.size);
    for (const int member : part.members) {
      const BlockPattern::Node& of = pattern.node(member);
      places[member] = {index, static_cast<int>(order.size()) - node.first};
      node.may_drop = node.may_drop || is_constraint(of.kind);
      for (Index i = 0; i < of.size; ++i) {
        order.push_back(static_cast<int>(of.first + i));
        is_multiplier.push_back(is_constraint(of.kind));
      }
    }
    for (const int i : step.no_row) {
      const int position = node.first + i;
      (is_multiplier[position] ? redundant : undetermined).push_back(order[position]);
    }
    nodes.push_back(node);
  }
  if (static_cast<Index>(order.size()) != pattern.unknown_count())
    throw std::invalid_argument("BlockPattern: the nodes must cover all unknowns once");

  // Later neighbours, as parts are merged in the end, and the layout of the factors
  std::vector<std::vector<int>> later(nodes.size());
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    for (const int part : steps[v].later)
      later[v].push_back(step_of[ordering.representative(part)]);
    std::sort(later[v].begin(), later[v].end());
    later[v].erase(std::unique(later[v].begin(), later[v].end()), later[v].end());
  }
  std::size_t offset = 0;
  const auto reserve = [&](std::size_t count) {
    const std::size_t at = offset;
    offset += count;
    if (offset > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw std::length_error("BlockElimination: too many couplings");
    return static_cast<int>(at);
  };
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    Node& node = nodes[v];
    node.diagonal = reserve(static_cast<std::size_t>(node.size) * node.size);
    node.neighbours = static_cast<int>(neighbours.size());
    node.count = static_cast<int>(later[v].size());
    for (const int w : later[v]) {
      Neighbour neighbour;
      neighbour.first = nodes[w].first;
      neighbour.size = nodes[w].size;
      neighbour.lower = reserve(static_cast<std::size_t>(node.size) * neighbour.size);
      neighbours.push_back(neighbour);
    }
  }
  for (const Node& node : nodes)
    for (int i = 0; i < node.count; ++i) {
      Neighbour& neighbour = neighbours[node.neighbours + i];
      neighbour.upper = reserve(static_cast<std::size_t>(node.size) * neighbour.size);
    }
  factor_count = static_cast<int>(offset);

  const auto coupling = [&](int earlier, int after) -> const Neighbour& {
    const auto& list = later[earlier];
    const auto found = std::lower_bound(list.begin(), list.end(), after);
    return neighbours[nodes[earlier].neighbours + (found - list.begin())];
  };

  // Targets of the updates
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    nodes[v].targets = static_cast<int>(targets.size());
    for (const int w : later[v])
      for (const int u : later[v])
        targets.push_back(u == w  ? nodes[u].diagonal
                          : u < w ? coupling(u, w).upper
                                  : coupling(w, u).lower);
  }

  // Numbers of the pattern, column by column, joined where they stay consecutive
  std::size_t original_pairs = 0;
  for (Index id = 0; id < pattern.block_count(); ++id) {
    const BlockPattern::Block& block = pattern.at(id);
    const Place& row = places[block.row];
    const Place& column = places[block.column];
    const int rows = static_cast<int>(pattern.rows(id));
    const int columns = static_cast<int>(pattern.columns(id));
    const int stride = nodes[row.step].size;
    const int base = row.step == column.step  ? nodes[row.step].diagonal
                     : row.step < column.step ? coupling(row.step, column.step).upper
                                              : coupling(column.step, row.step).lower;
    if (row.step < column.step) ++original_pairs;
    for (int j = 0; j < columns; ++j) {
      const Run run{static_cast<int>(block.offset) + j * rows,
                    base + (column.local + j) * stride + row.local, rows};
      if (j > 0 && gather.back().to + gather.back().length == run.to)
        gather.back().length += rows;
      else
        gather.push_back(run);
    }
  }
  std::vector<char> is_set(static_cast<std::size_t>(factor_count), 0);
  for (const Run& run : gather) std::fill_n(is_set.begin() + run.to, run.length, char{1});
  for (int at = 0; at < factor_count; ++at) {
    if (is_set[at] != 0) continue;
    if (!zeros.empty() && zeros.back().to + zeros.back().length == at)
      ++zeros.back().length;
    else
      zeros.push_back({-1, at, 1});
  }
  fill = static_cast<int>(neighbours.size()) -
         static_cast<int>(std::min(original_pairs, neighbours.size()));
}

}  // namespace mechfmu
