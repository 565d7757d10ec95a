// Cost of one large node, such as a flexible body with many modes, compared with a dense LU of the
// whole matrix.
//
// One body of --size velocities carries a few rigid bodies on joints with 5 rows; the matrix is the
// mass KKT matrix, random except for its structure. Both sides factor and solve the same matrix, in
// turns, in the same run.

#include <Eigen/LU>
#include <iostream>
#include <random>

#include "bench/arguments.h"
#include "bench/clock.h"
#include "bench/table.h"
#include "solver/block_lu.h"
#include "solver/block_ordering.h"

using namespace mechfmu;

namespace {
using namespace mechfmu::bench;

constexpr const char* help =
    "large_node [--size N] [--joints K] [--markdown]   factors and solves with one node of N "
    "unknowns (140) and K joints (4)\n";

int run(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  const int size = arguments.count("--size", 2000).value_or(140);
  const int joints = arguments.count("--joints", 100).value_or(4);
  const bool markdown = arguments.flag("--markdown");
  arguments.rest();
  constexpr int rigid = 6, rows = 5;

  BlockPattern pattern;
  const Index large = pattern.add_node(NodeKind::motion, 0, size);
  Index first = size;
  std::vector<Index> bodies, links;
  for (int k = 0; k < joints; ++k, first += rigid)
    bodies.push_back(pattern.add_node(NodeKind::motion, first, rigid));
  for (int k = 0; k < joints; ++k, first += rows)
    links.push_back(pattern.add_node(NodeKind::holonomic, first, rows));
  for (std::size_t k = 0; k < links.size(); ++k)
    for (const Index body : {large, bodies[k]}) pattern.block(links[k], body, layer::value);

  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&](Index r, Index c) -> Matrix {
    return Matrix::NullaryExpr(r, c, [&] { return uniform(generator); });
  };
  Vector values = Vector::Zero(pattern.value_count());
  const auto set_mass = [&](Index node) {
    const Matrix root = random(pattern.node(node).size, pattern.node(node).size);
    pattern.map(values, pattern.node(node).diagonal) =
        root * root.transpose() + Matrix::Identity(root.rows(), root.rows());
  };
  set_mass(large);
  for (std::size_t k = 0; k < links.size(); ++k) {
    set_mass(bodies[k]);
    for (const Index body : {large, bodies[k]}) {
      const Index id = pattern.block(links[k], body, layer::value);
      const Matrix C = random(rows, pattern.node(body).size);
      pattern.map(values, id) = C;
      pattern.map(values, pattern.at(id).mirror) = C.transpose();
    }
  }

  const Matrix A = pattern.dense(values);
  const Vector b = Vector::LinSpaced(A.rows(), -1, 1);
  std::vector<std::int32_t> order;
  const double ordering = 1e6 * seconds_of([&] { order = find_order(pattern, values).nodes; });
  const BlockElimination elimination(pattern, order);
  BlockLu blocks(elimination);
  bool done = true;
  const double factor = 1e6 * seconds_of([&] { done = blocks.factor(values) && done; });
  Vector x = b;
  const double solve = 1e6 * seconds_of([&] {
                         x = b;
                         blocks.solve(x);
                       });
  Eigen::PartialPivLU<Matrix> dense(A.rows());
  const double dense_factor = 1e6 * seconds_of([&] { dense.compute(A); });
  Vector y = b;
  const double dense_solve = 1e6 * seconds_of([&] { y = dense.solve(b); });
  const double difference = (x - y).norm() / y.norm();
  if (!done || !(difference < 1e-6))
    throw std::runtime_error("the two solutions differ by " + scientific(difference));

  Table table({"unknowns", "part", "blocks, µs", "Eigen's PartialPivLU of all, µs", "ratio"});
  const std::string unknowns = std::to_string(A.rows());
  table.row({unknowns, "order", fixed(ordering, 0), "-", "-"});
  table.row(
      {unknowns, "factor", fixed(factor, 1), fixed(dense_factor, 1), fixed(factor / dense_factor)});
  table.row(
      {unknowns, "solve", fixed(solve, 1), fixed(dense_solve, 1), fixed(solve / dense_solve)});
  table.print(std::cout, markdown);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("large_node", [&] { return run({argc, argv}); });
}
