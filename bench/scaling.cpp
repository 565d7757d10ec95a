// Cost of a step against the size of a mechanism: planar chain, tree and ladder of 3 to 10,000
// bodies, arm and tree in space of 3 to 1000 (bench/structures.h).
//
// Every mechanism falls from rest with steps of 1 ms; after 30 steps, 50 more are timed, the same
// for every size, in the CPU time of this process, repeated if they are short. Then the Newton
// matrix of the last step is factored and solved, as often as the timing needs, by the block LU and
// by Eigen's SparseLU (without its analysis of the pattern, which is done once).

#include <malloc.h>

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <limits>

#include "bench/arguments.h"
#include "bench/clock.h"
#include "bench/structures.h"
#include "bench/table.h"
#include "mechanics/system.h"
#include "solver/block_kkt.h"
#include "solver/solver.h"
#include "tests/solver/count_allocations.h"

using namespace mechfmu;
using namespace mechfmu::bench;

namespace {

constexpr const char* help =
    "scaling [options]   cost of a step and of its linear algebra against the number of bodies\n"
    "\n"
    "  --structure S   only this one of: chain tree ladder spatial_arm spatial_tree\n"
    "  --bodies N      only this size (default 3 10 100 1000 10000; in space 3 10 30 100 1000)\n"
    "  --steps K       timed steps (default 50)\n"
    "  --csv FILE      results as CSV\n"
    "  --markdown      table for a Markdown page\n"
    "  --plain         runs the steps and nothing else: for counting instructions\n";

/// Planar mechanisms get larger than those in space, which have twice the unknowns per body.
std::vector<int> sizes_of(const std::string& structure) {
  if (structure.starts_with("spatial")) return {3, 10, 30, 100, 1000};
  return {3, 10, 100, 1000, 10000};
}

struct Row {
  std::string structure;
  double bodies = 0;
  double step = 0;    // seconds per step and body
  double newton = 0;  // iterations per step
  double factor = 0;  // seconds per body
  double solve = 0;
  double sparse_factor = 0;  // SparseLU relative to the block LU
  double sparse_solve = 0;
  double memory = 0;       // kB per body, solver and mechanism
  double allocations = 0;  // in the timed steps
};

/// The memory in use.
double allocated_kilobytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / 1024;
}

Eigen::SparseMatrix<double> sparse(const BlockPattern& pattern, const Vector& values) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index id = 0; id < pattern.block_count(); ++id) {
    const auto block = pattern.map(values, id);
    const Index row = pattern.node(pattern.at(id).row).first;
    const Index column = pattern.node(pattern.at(id).column).first;
    for (Index c = 0; c < block.cols(); ++c)
      for (Index r = 0; r < block.rows(); ++r)
        if (block(r, c) != 0) entries.emplace_back(row + r, column + c, block(r, c));
  }
  Eigen::SparseMatrix<double> A(pattern.unknown_count(), pattern.unknown_count());
  A.setFromTriplets(entries.begin(), entries.end());
  A.makeCompressed();
  return A;
}

Row measure(const std::string& structure, int n, long steps, bool plain) {
  const double before = allocated_kilobytes();
  mechanics::MechanismSystem system(make_structure(structure, n));
  const double bodies = static_cast<double>(system.description().bodies.size() - 1);
  Options options;
  options.tolerance = 1e-6;
  Solver solver(system, options);
  State state;
  const auto check = [](const Result& result) {
    if (!result.ok()) throw std::runtime_error(result.message);
  };
  check(solver.initialize(state, 0));
  constexpr double h = 1e-3;
  constexpr long warm_up = 30;
  for (long k = 0; k < warm_up; ++k) check(solver.step(state, h));

  Row row;
  row.structure = structure;
  row.bodies = bodies;
  // The same part of the fall, as often as the clock needs
  if (steps == 0) steps = 50;
  const long passes =
      plain ? 1 : std::max(1L, static_cast<long>(3e5 / bodies / static_cast<double>(steps)));
  const State start = state;
  const Statistics statistics = state.statistics;
  double spent = 0;
  for (long pass = 0; pass < passes; ++pass) {
    state = start;
    const long allocated = tests::allocations();
    const double begin = cpu_seconds();
    for (long k = 0; k < steps; ++k) check(solver.step(state, h));
    spent += cpu_seconds() - begin;
    row.allocations += static_cast<double>(tests::allocations() - allocated);
  }
  row.step = spent / static_cast<double>(steps * passes) / bodies;
  row.newton =
      static_cast<double>(state.statistics.newton_iterations - statistics.newton_iterations) /
      static_cast<double>(steps);
  row.memory = (allocated_kilobytes() - before) / bodies;
  if (plain) return row;

  // The linear algebra alone, at the last point
  BlockKkt blocks(system);
  system.at(state.point);
  blocks.evaluate(0);
  const double beta = options.coefficients.beta;
  const double gamma = options.coefficients.gamma;
  const double s = options.coefficients.end_weight();
  const NewtonWeights weights{h * gamma / s, h * h * beta / s, h * beta / gamma, h * beta / gamma};
  if (!blocks.factor_mass() || !blocks.factor_newton(weights))
    throw std::runtime_error("the matrix is singular");
  const Index size = system.sizes().kkt();
  const Vector right = Vector::LinSpaced(size, -1, 1);
  Vector x = right;
  bool done = true;
  row.factor = seconds_of([&] { done = blocks.factor_newton(weights) && done; }) / bodies;
  row.solve = seconds_of([&] {
                x = right;
                blocks.solve_newton(x);
              }) /
              bodies;

  const Eigen::SparseMatrix<double> A = sparse(blocks.pattern(), blocks.newton_values());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  lu.analyzePattern(A);
  lu.factorize(A);
  Vector y = right;
  row.sparse_factor = seconds_of([&] { lu.factorize(A); }) / bodies / row.factor;
  row.sparse_solve = seconds_of([&] { y = lu.solve(right); }) / bodies / row.solve;
  const double difference = (x - y).norm() / y.norm();
  if (!done || !(difference < 1e-6))
    throw std::runtime_error(structure + " of " + std::to_string(n) +
                             ": the two solutions differ by " + scientific(difference));
  return row;
}

int scaling(Arguments arguments) {
  if (arguments.flag("--help")) {
    std::cout << help;
    return 0;
  }
  const auto only = arguments.one_of("--structure", structure_names());
  const auto one = arguments.count("--bodies", 1'000'000);
  const long steps = arguments.count("--steps", 1'000'000'000).value_or(0);
  const std::string csv = arguments.text("--csv").value_or("");
  const bool markdown = arguments.flag("--markdown");
  const bool plain = arguments.flag("--plain");
  arguments.rest();

  Table table({"mechanism", "bodies", "step, µs per body", "Newton iterations",
               "factor, ns per body", "solve, ns per body", "SparseLU factor, ×", "solve, ×",
               "memory, kB per body", "allocations", "exponent"});
  std::vector<std::vector<std::string>> lines;
  lines.push_back({"mechanism", "bodies", "step", "newton", "factor", "solve", "sparse_factor",
                   "sparse_solve", "memory", "allocations"});
  for (const std::string& structure : structure_names()) {
    if (only && *only != structure) continue;
    const std::vector<int> sizes = one ? std::vector<int>{*one} : sizes_of(structure);
    double last_step = 0;
    double last_bodies = 0;
    for (const int n : sizes) {
      const Row r = measure(structure, n, steps, plain);
      if (plain) continue;
      // Exponent of the cost of a whole step between this size and the one before
      const std::string exponent =
          last_bodies > 0
              ? fixed(1 + std::log(r.step / last_step) / std::log(r.bodies / last_bodies))
              : "-";
      table.row({structure, fixed(r.bodies, 0), fixed(r.step * 1e6), fixed(r.newton),
                 fixed(r.factor * 1e9, 0), fixed(r.solve * 1e9, 0), fixed(r.sparse_factor, 1),
                 fixed(r.sparse_solve, 1), fixed(r.memory, 1), fixed(r.allocations, 0), exponent});
      std::vector<std::string> line{structure};
      for (const double value : {r.bodies, r.step, r.newton, r.factor, r.solve, r.sparse_factor,
                                 r.sparse_solve, r.memory, r.allocations})
        line.push_back(exactly(value));
      lines.push_back(line);
      last_step = r.step;
      last_bodies = r.bodies;
    }
  }
  if (plain) return 0;
  table.print(std::cout, markdown);
  if (!csv.empty()) write_csv(csv, lines);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("scaling", [&] { return scaling({argc, argv}); });
}
