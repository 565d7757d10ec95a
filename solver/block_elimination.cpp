#include "solver/block_elimination.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "solver/block_kernels.h"

namespace mechfmu {

namespace {

using Place = BlockElimination::Room::Place;

void check_order(const BlockPattern& pattern, const std::vector<std::int32_t>& order,
                 std::vector<char>& seen) {
  seen.assign(ix(pattern.node_count()), 0);
  Index count = 0;
  for (; count < static_cast<Index>(order.size()) && order[ix(count)] != 0; ++count) {
    const Index node = std::abs(static_cast<Index>(order[ix(count)])) - 1;
    if (node >= pattern.node_count() || seen[ix(node)] != 0 || (count == 0 && order[0] < 0))
      throw std::invalid_argument("BlockElimination: this is not an order of the nodes");
    seen[ix(node)] = 1;
  }
  if (count != pattern.node_count())
    throw std::invalid_argument("BlockElimination: the order must name every node once");
}

}  // namespace

BlockElimination::BlockElimination(const BlockPattern& pattern,
                                   const std::vector<std::int32_t>& order,
                                   const std::vector<char>& absent) {
  Room room;
  make(pattern, order, absent, room);
}

void BlockElimination::make(const BlockPattern& pattern, const std::vector<std::int32_t>& order,
                            const std::vector<char>& absent, Room& room) {
  check_order(pattern, order, room.seen);
  nodes.clear();
  neighbours.clear();
  targets.clear();
  forward.clear();
  backward.clear();
  larger.clear();
  unknown.clear();
  for (Runs* runs : {&value, &velocity, &position, &holonomic_rows, &nonholonomic_rows, &zeros})
    runs->clear();
  in_place = true;
  largest_node = 0;
  const auto is_there = [&](Index id) { return absent.empty() || absent[ix(id)] == 0; };
  const auto count = static_cast<std::size_t>(pattern.node_count());
  std::vector<Place>& places = room.places;
  places.assign(count, {});

  // Nodes that share a pivot block, and the positions of the unknowns
  for (std::size_t i = 0; i < count; ++i)
    if (order[i] < 0) in_place = false;
  if (in_place) {
    unknown.resize(ix(pattern.unknown_count()));
    for (std::size_t i = 0; i < unknown.size(); ++i) unknown[i] = static_cast<int>(i);
  }
  Index covered = 0;
  bool holds_multipliers = false;  // the first member of the node
  for (std::size_t i = 0; i < count; ++i) {
    const int member = std::abs(order[i]) - 1;
    const BlockPattern::Node& of = pattern.node(member);
    const bool multiplier = is_constraint(of.kind);
    covered += of.size;
    if (order[i] > 0) {
      Node node;
      node.first = static_cast<int>(in_place ? of.first : static_cast<Index>(unknown.size()));
      holds_multipliers = multiplier;
      nodes.push_back(node);
    }
    Node& node = nodes.back();
    places[ix(member)] = {static_cast<int>(nodes.size()) - 1, node.size};
    node.size += static_cast<int>(of.size);
    node.mixed = node.mixed || holds_multipliers != multiplier;
    largest_node = std::max(largest_node, node.size);
    for (Index k = 0; k < of.size && !in_place; ++k)
      unknown.push_back(static_cast<int>(of.first + k));
  }
  if (covered != pattern.unknown_count())
    throw std::invalid_argument("BlockPattern: the nodes must cover all unknowns once");

  // Later neighbours: from the pattern, and by fill from the nodes whose first neighbour is this
  // node
  std::vector<std::vector<int>>& later = room.later;
  if (later.size() < nodes.size()) later.resize(nodes.size());
  for (std::vector<int>& list : later) list.clear();
  std::size_t original_pairs = 0;
  const auto tidy = [](std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  for (Index id = 0; id < pattern.block_count(); ++id) {
    if (!is_there(id)) continue;
    const int row = places[ix(pattern.at(id).row)].step;
    const int column = places[ix(pattern.at(id).column)].step;
    if (row < column) later[ix(row)].push_back(column);
  }
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    tidy(later[v]);
    original_pairs += later[v].size();
  }
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    tidy(later[v]);
    if (later[v].empty()) continue;
    std::vector<int>& first = later[ix(later[v].front())];
    if (first.size() + later[v].size() > first.capacity()) tidy(first);
    first.insert(first.end(), later[v].begin() + 1, later[v].end());
  }

  // Layout of the factors
  std::size_t offset = 0;
  const auto reserve = [&](int rows, int columns) {
    const std::size_t at = offset;
    offset += static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    if (offset > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw std::length_error("BlockElimination: too many couplings");
    return static_cast<int>(at);
  };
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    Node& node = nodes[v];
    node.diagonal = reserve(node.size, node.size);
    node.neighbours = static_cast<int>(neighbours.size());
    node.count = static_cast<int>(later[v].size());
    for (const int w : later[v]) {
      Neighbour neighbour;
      neighbour.first = nodes[ix(w)].first;
      neighbour.size = nodes[ix(w)].size;
      neighbour.lower = reserve(neighbour.size, node.size);
      neighbours.push_back(neighbour);
    }
  }
  second_part = static_cast<int>(offset);
  for (std::size_t v = nodes.size(); v-- > 0;)
    for (int i = 0; i < nodes[v].count; ++i) {
      Neighbour& neighbour = neighbours[ix(nodes[v].neighbours + i)];
      neighbour.upper = reserve(nodes[v].size, neighbour.size);
    }
  write_steps();
  factor_count = static_cast<int>(offset);
  fill = static_cast<int>(neighbours.size() - original_pairs);

  const auto coupling = [&](int earlier, int after) -> const Neighbour& {
    const auto& list = later[ix(earlier)];
    const auto found = std::lower_bound(list.begin(), list.end(), after);
    return neighbours[ix(nodes[ix(earlier)].neighbours + (found - list.begin()))];
  };
  const auto place_of = [&](int row, int column) {
    return row == column  ? nodes[ix(row)].diagonal
           : row < column ? coupling(row, column).upper
                          : coupling(column, row).lower;
  };

  // Targets of the updates
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    nodes[v].targets = static_cast<int>(targets.size());
    for (const int w : later[v])
      for (const int u : later[v]) targets.push_back(place_of(u, w));
  }

  // Numbers of the layers, column by column, joined if they stay consecutive
  const auto send = [&](Index id, Index from, Runs& runs) {
    const Place& row = places[ix(pattern.at(id).row)];
    const Place& column = places[ix(pattern.at(id).column)];
    const int rows = static_cast<int>(pattern.rows(id));
    const int stride = nodes[ix(row.step)].size;
    const int base = place_of(row.step, column.step) + column.local * stride + row.local;
    for (int j = 0; j < pattern.columns(id); ++j) {
      const Run run{static_cast<int>(from) + j * rows, base + j * stride, rows};
      if (!runs.empty() && runs.back().to + runs.back().length == run.to &&
          runs.back().from + runs.back().length == run.from)
        runs.back().length += rows;
      else
        runs.push_back(run);
    }
  };
  for (Index id = 0; id < pattern.block_count(); ++id) {
    if (!is_there(id)) continue;
    send(id, pattern.offset(id), value);
    const auto send_layer = [&](unsigned which, Runs& runs) {
      const Index from = pattern.offset(id, which);
      if (from >= 0) send(id, from, runs);
    };
    const bool of_k = pattern.node(pattern.at(id).row).kind == NodeKind::nonholonomic;
    send_layer(layer::velocity, velocity);
    send_layer(layer::position, position);
    send_layer(layer::rows, of_k ? nonholonomic_rows : holonomic_rows);
  }
  std::vector<char>& is_set = room.is_set;
  is_set.assign(static_cast<std::size_t>(factor_count), 0);
  for (const Run& run : value) std::fill_n(is_set.begin() + run.to, run.length, char{1});
  for (int at = 0; at < factor_count; ++at) {
    if (is_set[ix(at)] != 0) continue;
    if (!zeros.empty() && zeros.back().to + zeros.back().length == at)
      ++zeros.back().length;
    else
      zeros.push_back({-1, at, 1});
  }
}

void BlockElimination::reserve_runs(const BlockPattern& pattern) {
  std::size_t columns = 1;
  for (Index id = 0; id < pattern.block_count(); ++id) columns += ix(pattern.columns(id));
  for (Runs* runs : {&value, &velocity, &position, &holonomic_rows, &nonholonomic_rows, &zeros})
    runs->reserve(columns);
}

void BlockElimination::write_steps() {
  const auto larger_step = [&](int y, int b, std::size_t node) {
    larger.push_back({y, b, static_cast<int>(node)});
    return -static_cast<int>(larger.size());
  };
  // Forward: P_v and A_wv of every node and its neighbours
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    const Node& node = nodes[v];
    const int n = node.size;
    bool applied = false;
    const auto apply = [&] {
      if (!applied)
        forward.push_back(
            {node.first, node.first,
             n <= kernels::largest ? kernels::apply_number(n) : larger_step(n, 0, v)});
      applied = true;
    };
    for (int i = 0; i < node.count; ++i) {
      const Neighbour& w = neighbours[ix(node.neighbours + i)];
      const bool small = n <= kernels::largest && w.size <= kernels::largest;
      if (small && !applied) {
        forward.push_back({node.first, w.first, kernels::apply_and_subtract_number(n, w.size)});
        applied = true;
        continue;
      }
      apply();
      forward.push_back({node.first, w.first,
                         small ? kernels::subtract_number(n, w.size) : larger_step(n, w.size, v)});
    }
    apply();
  }
  // Backward: X_vw
  for (std::size_t v = nodes.size(); v-- > 0;) {
    const Node& node = nodes[v];
    for (int i = 0; i < node.count; ++i) {
      const Neighbour& w = neighbours[ix(node.neighbours + i)];
      const bool small = node.size <= kernels::largest && w.size <= kernels::largest;
      backward.push_back({w.first, node.first,
                          small ? kernels::subtract_number(w.size, node.size)
                                : larger_step(w.size, node.size, v)});
    }
  }
}

}  // namespace mechfmu
