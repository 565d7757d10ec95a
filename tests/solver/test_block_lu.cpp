// Block elimination of matrices like those of mechanisms, against Eigen's dense decompositions.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <random>

#include "solver/block_lu.h"
#include "solver/block_ordering.h"
#include "tests/solver/count_allocations.h"

namespace mechfmu::tests {
namespace {

constexpr int ground = -1;

/// Bodies, joints, states and couplings by forces, with random numbers.
struct Mechanism {
  struct Joint {
    int a, b, rows;
  };
  std::vector<int> bodies;  // number of coordinates of each
  std::vector<Joint> joints{};
  std::vector<int> states{};                   // size of each group …
  std::vector<std::pair<int, int>> sensors{};  // … and (state, body) that act on each other
  std::vector<std::pair<int, int>> forces{};   // between two bodies
  std::vector<int> massless{};
  bool symmetric = true;
  unsigned seed = 1;

  BlockPattern pattern{};
  Vector values{};
  std::vector<Index> body_nodes{}, joint_nodes{}, state_nodes{};
  Index n = 0, m = 0;

  void build();
  Matrix dense() const { return pattern.dense(values); }
};

void Mechanism::build() {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&](Index rows, Index columns) -> Matrix {
    return Matrix::NullaryExpr(rows, columns, [&] { return uniform(generator); });
  };
  Index first = 0;
  for (const int size : bodies) {
    body_nodes.push_back(pattern.add_node(NodeKind::motion, first, size));
    first += size;
  }
  n = first;
  for (const Joint& joint : joints) {
    joint_nodes.push_back(pattern.add_node(NodeKind::holonomic, first, joint.rows));
    first += joint.rows;
  }
  m = first - n;
  for (const int size : states) {
    state_nodes.push_back(pattern.add_node(NodeKind::state, first, size));
    first += size;
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (const int body : {joints[j].a, joints[j].b})
      if (body != ground) pattern.block(joint_nodes[j], body_nodes[body]);
  for (const auto& [state, body] : sensors) pattern.block(state_nodes[state], body_nodes[body]);
  for (const auto& [a, b] : forces) pattern.block(body_nodes[a], body_nodes[b]);

  values = Vector::Zero(pattern.value_count());
  const auto set = [&](Index row, Index column, const Matrix& numbers) {
    pattern.map(values, pattern.block(row, column)) = numbers;
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const int size = bodies[b];
    if (std::find(massless.begin(), massless.end(), b) != massless.end()) continue;
    const Matrix root = random(size, size);
    Matrix M = 2 * Matrix::Identity(size, size) + root * root.transpose();
    if (!symmetric) M += 0.3 * random(size, size);
    set(body_nodes[b], body_nodes[b], M);
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (const int body : {joints[j].a, joints[j].b}) {
      if (body == ground) continue;
      // Like a joint: a point or direction seen from either side, and an arm.
      Matrix C = 0.3 * random(joints[j].rows, bodies[body]);
      for (Index i = 0; i < std::min(C.rows(), C.cols()); ++i)
        C(i, i) += body == joints[j].a ? 1 : -1;
      set(joint_nodes[j], body_nodes[body], C);
      Matrix F = C.transpose();
      if (!symmetric) F += 0.1 * random(F.rows(), F.cols());
      set(body_nodes[body], joint_nodes[j], F);
    }
  for (std::size_t s = 0; s < states.size(); ++s)
    set(state_nodes[s], state_nodes[s],
        Matrix::Identity(states[s], states[s]) + 0.2 * random(states[s], states[s]));
  for (const auto& [state, body] : sensors) {
    set(state_nodes[state], body_nodes[body], random(states[state], bodies[body]));
    set(body_nodes[body], state_nodes[state], 0.1 * random(bodies[body], states[state]));
  }
  for (const auto& [a, b] : forces) {
    const Matrix K = 0.2 * random(bodies[a], bodies[b]);
    set(body_nodes[a], body_nodes[b], K);
    set(body_nodes[b], body_nodes[a],
        symmetric ? Matrix(K.transpose()) : 0.2 * random(bodies[b], bodies[a]));
  }
}

Mechanism chain(int count, int body, int rows) {
  Mechanism c;
  c.bodies.assign(count, body);
  for (int i = 0; i < count; ++i) c.joints.push_back({i - 1, i, rows});
  return c;
}

Mechanism tree(int count, int body, int rows) {
  Mechanism c;
  c.bodies.assign(count, body);
  for (int i = 0; i < count; ++i) c.joints.push_back({i == 0 ? ground : (i - 1) / 2, i, rows});
  return c;
}

/// Two chains with rungs between them: a loop for every rung but the first.
Mechanism ladder(int rungs, int body, int rows) {
  Mechanism c;
  c.bodies.assign(3 * rungs, body);
  for (int i = 0; i < rungs; ++i) {
    const int left = 3 * i, right = left + 1, rung = left + 2;
    c.joints.push_back({i == 0 ? ground : left - 3, left, rows});
    c.joints.push_back({i == 0 ? ground : right - 3, right, rows});
    c.joints.push_back({left, rung, rows});
    c.joints.push_back({rung, right, 1});
  }
  return c;
}

Mechanism star(int arms, int body, int rows) {
  Mechanism c;
  c.bodies.assign(2 * arms + 1, body);
  c.joints.push_back({ground, 0, rows});
  for (int i = 0; i < arms; ++i) {
    c.joints.push_back({0, 2 * i + 1, rows});
    c.joints.push_back({2 * i + 1, 2 * i + 2, rows});
  }
  return c;
}

Mechanism net(int count, unsigned seed) {
  std::mt19937 generator(seed);
  Mechanism c;
  c.seed = seed;
  const int sizes[] = {3, 6, 1, 2, 5, 8};
  for (int i = 0; i < count; ++i) c.bodies.push_back(sizes[generator() % 6]);
  for (int i = 0; i < count; ++i) {
    const int parent = i == 0 ? ground : static_cast<int>(generator() % i);
    const int most = parent == ground ? c.bodies[i] : std::min(c.bodies[i], c.bodies[parent]);
    c.joints.push_back({parent, i, std::max(1, most - 1)});
  }
  for (int i = 0; i < count / 2; ++i) {
    const int a = static_cast<int>(generator() % count);
    const int b = static_cast<int>(generator() % count);
    if (a != b) c.forces.emplace_back(a, b);
  }
  c.states = {1, 2, 3};
  c.sensors = {{0, 0}, {1, count / 2}, {2, count - 1}, {2, 0}};
  return c;
}

Vector random_vector(Index size) {
  std::srand(7);
  return Vector::Random(size);
}

/// Leaves out the rows that the order found redundant.
void leave_out_redundant(BlockLu& lu, const BlockOrder& order, Index size) {
  std::vector<std::int32_t> marks(ix(size), 0);
  for (const Index unknown : order.redundant) marks[ix(unknown)] = 1;
  lu.leave_out(marks);
}

void expect_solution(Mechanism c, double tolerance = 1e-10) {
  c.build();
  const BlockOrder order = find_order(c.pattern, c.values);
  const BlockElimination elimination(c.pattern, order.nodes);
  BlockLu lu(elimination);
  ASSERT_TRUE(lu.factor(c.values));
  EXPECT_TRUE(order.redundant.empty());
  EXPECT_TRUE(order.undetermined.empty());
  const Matrix A = c.dense();
  const Vector b = random_vector(A.rows());
  const Vector expected = A.fullPivLu().solve(b);
  Vector x = b;
  lu.solve(x);
  EXPECT_LT((x - expected).norm(), tolerance * expected.norm());
  // The same order with other numbers.
  Mechanism other = c;
  other.pattern = {};
  other.body_nodes.clear();
  other.joint_nodes.clear();
  other.state_nodes.clear();
  other.seed = c.seed + 100;
  other.build();
  ASSERT_TRUE(lu.factor(other.values));
  x = b;
  lu.solve(x);
  const Vector expected2 = other.dense().fullPivLu().solve(b);
  EXPECT_LT((x - expected2).norm(), 100 * tolerance * expected2.norm());
}

TEST(BlockPattern, KeepsBlocksWithTheirMirrors) {
  BlockPattern p;
  const Index body = p.add_node(NodeKind::motion, 0, 3);
  const Index joint = p.add_node(NodeKind::holonomic, 3, 2);
  EXPECT_EQ(p.block_count(), 2);
  const Index C = p.block(joint, body);
  EXPECT_EQ(p.block_count(), 4);
  EXPECT_EQ(p.block(joint, body), C);
  EXPECT_EQ(p.block(body, joint), p.at(C).mirror);
  EXPECT_EQ(p.block_count(), 4);
  EXPECT_EQ(p.rows(C), 2);
  EXPECT_EQ(p.columns(C), 3);
  EXPECT_EQ(p.value_count(), 9 + 4 + 6 + 6);
  EXPECT_EQ(p.unknown_count(), 5);
}

TEST(BlockPattern, MultipliesLikeTheMatrix) {
  Mechanism c = net(12, 3);
  c.symmetric = false;
  c.build();
  const Vector x = random_vector(c.pattern.unknown_count());
  Vector y(x.size());
  c.pattern.multiply(c.values, x, y);
  EXPECT_LT((y - c.dense() * x).norm(), 1e-13);
}

TEST(BlockLu, SolvesLikeADenseDecomposition) {
  for (const int body : {1, 3, 6, 7}) {
    SCOPED_TRACE(body);
    const int rows = std::max(1, body - 1);
    const int most = body == 1 ? 1 : 30;
    expect_solution(chain(most, body, rows));
    if (body > 1) expect_solution(tree(31, body, rows));
    if (body > 1) expect_solution(ladder(8, body, rows));
    if (body > 1) expect_solution(star(10, body, rows));
  }
}

TEST(BlockLu, SolvesForNetsOfBodiesForcesAndStates) {
  for (unsigned seed = 1; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    Mechanism c = net(20, seed);
    expect_solution(c, 1e-8);
    c.symmetric = false;
    expect_solution(c, 1e-8);
  }
}

TEST(BlockLu, EliminatesMasslessBodiesWithTheirJoints) {
  // A massless rod between two bodies, one on the ground (with two joints), one at the end.
  Mechanism rod = chain(5, 3, 2);
  rod.massless = {2};
  expect_solution(rod);
  Mechanism crank = chain(5, 3, 2);
  crank.massless = {0};
  expect_solution(crank);
  Mechanism both = chain(5, 3, 2);
  both.massless = {0, 3};
  expect_solution(both);
  Mechanism tip = chain(4, 3, 2);
  tip.massless = {3};
  tip.joints[3].rows = 3;
  expect_solution(tip);
}

TEST(BlockLu, ReportsASingularMatrix) {
  // A massless body at the end of a chain may turn freely.
  Mechanism c = chain(6, 3, 2);
  c.massless = {5};
  c.build();
  const BlockOrder order = find_order(c.pattern, c.values);
  const BlockElimination elimination(c.pattern, order.nodes);
  EXPECT_EQ(order.undetermined.size(), 1U);
  BlockLu lu(elimination);
  EXPECT_FALSE(lu.factor(c.values));
  ASSERT_TRUE(lu.factor(c.values, MissingPivots::drop));
  const auto free = lu.dropped_columns();
  ASSERT_EQ(free.size(), 1U);
  EXPECT_GE(free[0], 15);
  EXPECT_LT(free[0], 18);
}

/// Joint `copy` restricts the same bodies as `of`, by linear combinations of its rows.
void repeat(Mechanism& c, int of, int copy, const Matrix& T) {
  for (const int body : {c.joints[of].a, c.joints[of].b}) {
    if (body == ground) continue;
    const Index node = c.body_nodes[body];
    c.pattern.map(c.values, c.pattern.block(c.joint_nodes[copy], node)) =
        T * c.pattern.map(c.values, c.pattern.block(c.joint_nodes[of], node));
    c.pattern.map(c.values, c.pattern.block(node, c.joint_nodes[copy])) =
        c.pattern.map(c.values, c.pattern.block(node, c.joint_nodes[of])) * T.transpose();
  }
}

TEST(BlockLu, LeavesOutRedundantConstraints) {
  Mechanism c = chain(10, 6, 5);
  c.joints.push_back({3, 4, 3});
  c.joints.push_back({6, 7, 2});
  c.build();
  std::srand(3);
  repeat(c, 4, 10, Matrix::Random(3, 5));
  repeat(c, 7, 11, Matrix::Random(2, 5));
  const Matrix A = c.dense();
  const Vector b = A * random_vector(A.rows());
  const BlockOrder order = find_order(c.pattern, c.values);
  const BlockElimination elimination(c.pattern, order.nodes);
  EXPECT_EQ(order.redundant.size(), 5U);
  BlockLu lu(elimination);
  EXPECT_FALSE(lu.factor(c.values));
  leave_out_redundant(lu, order, A.rows());
  ASSERT_TRUE(lu.factor(c.values));
  Vector x = b;
  lu.solve(x);
  const Vector expected = A.completeOrthogonalDecomposition().solve(b);
  EXPECT_LT((x - expected).head(c.n).norm(), 1e-10 * expected.norm());
  const Matrix F = A.topRightCorner(c.n, c.m);
  EXPECT_LT((F * (x - expected).tail(c.m)).norm(), 1e-10 * expected.norm());
}

TEST(BlockLu, LeavesOutParallelJointsOneByOneWithoutALookAtTheOthers) {
  constexpr int parallel = 60;
  Mechanism c;
  c.bodies = {6, 6};
  c.joints = {{ground, 0, 5}, {0, 1, 5}};
  for (int i = 1; i < parallel; ++i) c.joints.push_back({0, 1, 5});
  c.build();
  std::srand(5);
  for (int i = 1; i < parallel; ++i) repeat(c, 1, 1 + i, Matrix::Random(5, 5));
  const BlockOrder order = find_order(c.pattern, c.values);
  EXPECT_EQ(order.redundant.size(), 5U * (parallel - 1));
  // Initially, and after each of the two bodies and joints that have pivots; checking all the
  // others each time would be 60·60/2 checks.
  EXPECT_LE(order.rated, 6 * parallel);
  Vector x = random_vector(c.n + c.m);
  const Matrix A = c.dense();
  const Vector b = A * x;
  const BlockElimination elimination(c.pattern, order.nodes);
  BlockLu lu(elimination);
  leave_out_redundant(lu, order, A.rows());
  ASSERT_TRUE(lu.factor(c.values));
  Vector y = b;
  lu.solve(y);
  EXPECT_LT((y - x).head(c.n).norm(), 1e-9 * x.norm());
}

/// A planar ladder of rods in space: revolute joints about z, three of whose rows are redundant in
/// every loop.
Mechanism planar_loops(int rungs) {
  Mechanism c = ladder(rungs, 6, 5);
  for (auto& joint : c.joints) joint.rows = 5;
  c.build();
  const auto place = [](int body) {
    const int rung = body / 3;
    const double x = rung;
    const double bend = 0.1 * std::sin(2.0 * x);
    if (body % 3 == 0) return Eigen::Vector3d(x + 0.5, bend, 0);
    if (body % 3 == 1) return Eigen::Vector3d(x + 0.5, 1 + 2 * bend, 0);
    return Eigen::Vector3d(x + 1, 0.5 + bend, 0);
  };
  c.values.setZero();
  for (std::size_t b = 0; b < c.bodies.size(); ++b) {
    auto M = c.pattern.map(c.values, c.pattern.node(c.body_nodes[b]).diagonal);
    M.diagonal() << 1, 1, 1, 0.1, 0.08, 0.05;
  }
  for (std::size_t j = 0; j < c.joints.size(); ++j) {
    const auto& [a, b, rows] = c.joints[j];
    const Eigen::Vector3d point =
        a == ground ? Eigen::Vector3d(0, b, 0) : Eigen::Vector3d(0.5 * (place(a) + place(b)));
    for (const int body : {a, b}) {
      if (body == ground) continue;
      const Eigen::Vector3d r = point - place(body);
      Matrix C = Matrix::Zero(5, 6);
      C.topLeftCorner(3, 3).setIdentity();
      C.block(0, 3, 3, 3) << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;
      C(3, 3) = C(4, 4) = 1;
      if (body == b) C = -C;
      c.pattern.map(c.values, c.pattern.block(c.joint_nodes[j], c.body_nodes[body])) = C;
      c.pattern.map(c.values, c.pattern.block(c.body_nodes[body], c.joint_nodes[j])) =
          C.transpose();
    }
  }
  return c;
}

TEST(BlockLu, PlanarLoopsOfSpatialJointsHaveThreeRedundantRowsEach) {
  for (const int rungs : {1, 2, 5, 20}) {
    SCOPED_TRACE(rungs);
    const Mechanism c = planar_loops(rungs);
    const BlockOrder order = find_order(c.pattern, c.values);
    const BlockElimination elimination(c.pattern, order.nodes);
    BlockLu lu(elimination);
    const Matrix A = c.dense();
    leave_out_redundant(lu, order, A.rows());
    ASSERT_TRUE(lu.factor(c.values));
    const Matrix C = A.bottomLeftCorner(c.m, c.n);
    const Index rank = Eigen::ColPivHouseholderQR<Matrix>(C).setThreshold(1e-9).rank();
    EXPECT_EQ(c.m - rank, 3 * rungs);
    EXPECT_EQ(static_cast<Index>(order.redundant.size()), c.m - rank);
    const Vector b = A * random_vector(A.rows());
    Vector x = b;
    lu.solve(x);
    Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition(A.rows(), A.rows());
    decomposition.setThreshold(1e-11);
    const Vector expected = decomposition.compute(A).solve(b);
    EXPECT_LT((x - expected).head(c.n).norm(), 1e-9 * expected.norm());
    EXPECT_LT((C.transpose() * (x - expected).tail(c.m)).norm(), 1e-9 * expected.norm());
  }
}

TEST(BlockLu, LeavesOutRowsAndColumns) {
  // Perturbed by 1e-3, the rows that an order found redundant look independent; the matrix without
  // them remains.
  Mechanism c = ladder(4, 6, 5);
  c.joints.push_back({3, 4, 2});
  c.joints.push_back({3, 4, 2});
  c.build();
  repeat(c, static_cast<int>(c.joints.size()) - 2, static_cast<int>(c.joints.size()) - 1,
         Matrix::Identity(2, 2));
  Vector perturbed = c.values;
  std::srand(5);
  for (Index id = 0; id < c.pattern.block_count(); ++id)
    if (c.pattern.at(id).row != c.pattern.at(id).column) {
      auto block = c.pattern.map(perturbed, id);
      block += 1e-3 * block.cwiseProduct(Matrix::Random(block.rows(), block.cols()));
    }
  const BlockOrder order = find_order(c.pattern, c.values);
  const BlockElimination elimination(c.pattern, order.nodes);
  ASSERT_EQ(order.redundant.size(), 2U);
  const Matrix A = c.pattern.dense(perturbed);
  const Vector b = random_vector(A.rows());
  BlockLu lu(elimination);
  const auto solution = [&] {
    EXPECT_TRUE(lu.factor(perturbed));
    Vector x = b;
    lu.solve(x);
    return x;
  };
  leave_out_redundant(lu, order, A.rows());
  const Vector x = solution();
  std::vector<Index> kept;
  for (Index i = 0; i < A.rows(); ++i)
    if (std::find(order.redundant.begin(), order.redundant.end(), i) == order.redundant.end())
      kept.push_back(i);
  const Vector expected = A(kept, kept).fullPivLu().solve(b(kept));
  EXPECT_LT((x(kept) - expected).norm(), 1e-9 * expected.norm());
  for (const Index i : order.redundant) EXPECT_EQ(x[i], 0);
  // … and all of this again, with pivots of 1e-6.
  lu.leave_out({});
  const Vector whole = A.fullPivLu().solve(b);
  EXPECT_LT((solution() - whole).norm(), 1e-6 * whole.norm());
}

TEST(BlockLu, SolvesWithLargeNodes) {
  for (const int size : {17, 33, 140}) {
    SCOPED_TRACE(size);
    Mechanism c = star(3, 6, 5);
    c.bodies[0] = size;
    expect_solution(c);
    c.symmetric = false;
    expect_solution(c);
    Mechanism row = chain(4, size, 5);  // large ones beside each other
    row.forces = {{0, 1}, {2, 3}};
    expect_solution(row);
  }
}

TEST(BlockLu, SolvesWithLargeNodesOfNumbersOfAllSizes) {
  // Coordinates in units that differ by ten powers of ten
  Mechanism c = star(3, 6, 5);
  c.bodies[0] = 60;
  c.build();
  const auto unit = [](Index i) {
    return i < 60 ? std::pow(10.0, static_cast<double>(i % 11) - 5) : 1;
  };
  for (Index id = 0; id < c.pattern.block_count(); ++id) {
    auto block = c.pattern.map(c.values, id);
    const Index row = c.pattern.node(c.pattern.at(id).row).first;
    const Index column = c.pattern.node(c.pattern.at(id).column).first;
    for (Index j = 0; j < block.cols(); ++j)
      for (Index i = 0; i < block.rows(); ++i) block(i, j) *= unit(row + i) * unit(column + j);
  }
  const BlockElimination elimination(c.pattern, find_order(c.pattern, c.values).nodes);
  BlockLu lu(elimination);
  ASSERT_TRUE(lu.factor(c.values));
  EXPECT_GT(lu.smallest_pivot(), 1e-4);
  Matrix A = c.dense();
  Vector b = random_vector(A.rows());
  Vector x = b;
  lu.solve(x);
  for (Index i = 0; i < A.rows(); ++i) {
    A.row(i) /= unit(i);
    A.col(i) /= unit(i);
    b[i] /= unit(i);
    x[i] *= unit(i);
  }
  const Vector expected = A.fullPivLu().solve(b);
  EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
}

TEST(BlockLu, FindsTheUndeterminedUnknownsOfALargeNode) {
  // A mode without mass, and one that is a copy of another
  for (const bool copy : {false, true}) {
    Mechanism c = star(3, 6, 5);
    c.bodies[0] = 40;
    c.build();
    for (Index id = 0; id < c.pattern.block_count(); ++id) {
      auto block = c.pattern.map(c.values, id);
      if (c.pattern.at(id).row == c.body_nodes[0]) {
        if (copy)
          block.row(20) = block.row(21);
        else
          block.row(20).setZero();
      }
      if (c.pattern.at(id).column == c.body_nodes[0]) {
        if (copy)
          block.col(20) = block.col(21);
        else
          block.col(20).setZero();
      }
    }
    const BlockOrder order = find_order(c.pattern, c.values);
    EXPECT_EQ(order.undetermined.size(), 1U);
    const BlockElimination elimination(c.pattern, order.nodes);
    BlockLu lu(elimination);
    EXPECT_FALSE(lu.factor(c.values));
    ASSERT_TRUE(lu.factor(c.values, MissingPivots::drop));
    ASSERT_EQ(lu.dropped_columns().size(), 1U);
    EXPECT_EQ(lu.dropped_columns()[0] == 20 || lu.dropped_columns()[0] == 21, true);
  }
}

TEST(BlockElimination, HasNoFillOnTrees) {
  for (Mechanism c : {chain(1000, 3, 2), tree(1023, 3, 2), star(500, 3, 2), chain(500, 6, 5)}) {
    c.build();
    const BlockOrder order = find_order(c.pattern, c.values);
    const BlockElimination elimination(c.pattern, order.nodes);
    EXPECT_EQ(elimination.fill, 0);
    EXPECT_EQ(order.merged, 0);
  }
}

TEST(BlockElimination, HasBoundedFillInLoops) {
  for (const int rungs : {10, 100, 1000}) {
    Mechanism c = ladder(rungs, 3, 2);
    c.build();
    const BlockOrder order = find_order(c.pattern, c.values);
    const BlockElimination elimination(c.pattern, order.nodes);
    EXPECT_LT(elimination.fill, 8 * rungs) << rungs;
    int most = 0;
    for (const auto& node : elimination.nodes) most = std::max(most, node.count);
    EXPECT_LE(most, 5) << rungs;
  }
}

TEST(BlockElimination, NeedsNoFillForAJointThatIsRedundantInPart) {
  // A chain that ends with body 0, which a second joint connects to body 1: two combinations of its
  // rows follow from the first joint, a third does not.
  Mechanism c;
  c.bodies.assign(9, 6);
  for (int i = 0; i < 9; ++i) c.joints.push_back({i == 8 ? ground : i + 1, i, 4});
  c.joints.push_back({1, 0, 3});
  c.build();
  std::srand(4);
  const Matrix follows = Matrix::Random(3, 2) * Matrix::Random(2, 4);
  const Matrix own = Matrix::Random(3, 1);
  for (const int body : {0, 1}) {
    const Index id = c.pattern.block(c.joint_nodes[9], c.body_nodes[body]);
    const auto first =
        c.pattern.map(c.values, c.pattern.block(c.joint_nodes[0], c.body_nodes[body]));
    const Matrix C = follows * first + own * Matrix::Random(1, 6);
    c.pattern.map(c.values, id) = C;
    c.pattern.map(c.values, c.pattern.at(id).mirror) = C.transpose();
  }
  const BlockOrder order = find_order(c.pattern, c.values);
  const BlockElimination elimination(c.pattern, order.nodes);
  EXPECT_EQ(order.redundant.size(), 2U);
  EXPECT_EQ(elimination.fill, 1);  // between the two joints
  EXPECT_EQ(order.merged, 0);
}

TEST(BlockLu, AllocatesNothing) {
  if (!allocations_are_counted()) GTEST_SKIP();
  Mechanism c = net(30, 4);
  c.joints.push_back({c.joints[5].a, c.joints[5].b, c.joints[5].rows});
  c.build();
  repeat(c, 5, static_cast<int>(c.joints.size()) - 1,
         Matrix::Identity(c.joints[5].rows, c.joints[5].rows));
  const BlockOrder order = find_order(c.pattern, c.values);
  const BlockElimination elimination(c.pattern, order.nodes);
  BlockLu with(elimination), without(elimination);
  leave_out_redundant(with, order, c.pattern.unknown_count());
  Vector b = random_vector(c.pattern.unknown_count());
  const long before = allocations();
  const bool done = with.factor(c.values);
  const bool singular = !without.factor(c.values);
  with.solve(b);
  EXPECT_EQ(allocations() - before, 0);
  EXPECT_TRUE(done);
  EXPECT_TRUE(singular);
}

TEST(BlockLu, BackwardErrorStaysSmallWithLightBodiesAndStiffSprings) {
  // A planar chain of rods with masses from 1e-3 to 1e3 and springs of 1e8 between neighbours.
  const int count = 1000;
  Mechanism c = chain(count, 3, 2);
  for (int i = 1; i < count; ++i) c.forces.emplace_back(i - 1, i);
  c.build();
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double stiff = 1e8 * 1e-6;  // p k with h = 1e-3
  c.values.setZero();
  const auto block = [&](Index row, Index column) {
    return c.pattern.map(c.values, c.pattern.block(row, column));
  };
  Matrix previous;
  for (int i = 0; i < count; ++i) {
    const double mass = std::pow(10.0, 3 * uniform(generator));
    const double angle = 3 * uniform(generator);
    const Index body = c.body_nodes[i];
    const Index joint = c.joint_nodes[i];
    block(body, body).diagonal() += Eigen::Vector3d(mass, mass, mass / 12);
    Matrix C(2, 3);
    C << 1, 0, std::sin(angle) / 2, 0, 1, -std::cos(angle) / 2;
    block(joint, body) = C;
    block(body, joint) = C.transpose();
    if (i > 0) {
      Matrix P(2, 3);
      P << -1, 0, previous(0, 2), 0, -1, previous(1, 2);
      const Index parent = c.body_nodes[i - 1];
      block(joint, parent) = P;
      block(parent, joint) = P.transpose();
      Eigen::Matrix<double, 3, 2> direction;  // along a line between points of the two
      direction << std::cos(angle), -std::cos(angle), std::sin(angle), -std::sin(angle), 0.3, 0.2;
      block(parent, parent) += stiff * direction.col(0) * direction.col(0).transpose();
      block(parent, body) += stiff * direction.col(0) * direction.col(1).transpose();
      block(body, parent) += stiff * direction.col(1) * direction.col(0).transpose();
      block(body, body) += stiff * direction.col(1) * direction.col(1).transpose();
    }
    previous = C;
  }
  const BlockOrder order = find_order(c.pattern, c.values);
  const BlockElimination elimination(c.pattern, order.nodes);
  BlockLu lu(elimination);
  ASSERT_TRUE(lu.factor(c.values));
  const Vector b = random_vector(c.pattern.unknown_count());
  Vector x = b, r(b.size());
  lu.solve(x);
  c.pattern.multiply(c.values, x, r);
  const Matrix A = c.dense();
  const auto error = [&] {
    return ((b - r).array().abs() / (A.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs()).array())
        .maxCoeff();
  };
  const double once = error();
  Vector rest = b - r;
  lu.solve(rest);
  x += rest;
  c.pattern.multiply(c.values, x, r);
  const double refined = error();
  RecordProperty("once", std::to_string(once * 1e15));
  RecordProperty("refined", std::to_string(refined * 1e15));
  EXPECT_LT(once, 1e-10) << elimination.fill << " " << lu.smallest_pivot();
  EXPECT_LT(refined, 1e-14);
}

}  // namespace
}  // namespace mechfmu::tests
