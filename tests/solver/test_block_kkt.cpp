// The block linear algebra against the dense one, on a system that offers both.

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cstring>

#include "model/variables.h"
#include "solver/block_kkt.h"
#include "solver/dense_kkt.h"
#include "solver/solver.h"
#include "tests/solver/count_allocations.h"
#include "tests/solver/state_bytes.h"

namespace mechfmu::tests {
namespace {

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

/// Point masses in a plane, rods (|d|² = L²) and damped springs between them or to fixed points.
/// The last mass may be a skate that moves along (1, slope·x), and a force that follows its
/// position with a delay may pull it.
struct Frame {
  struct Link {
    int a = -1, b = -1;  // masses, −1: the fixed point `at`
    Vec2 at = Vec2::Zero();
    double stiffness = 0, damping = 0, length = 0;  // of springs
  };
  std::vector<double> masses{};
  std::vector<Vec2> places{};
  std::vector<Link> rods{}, springs{};
  bool skate = false, delay = false;
};

class FrameSystem final : public System {
 public:
  FrameSystem(Frame frame, bool blocks) : frame_(std::move(frame)), blocks_(blocks) {
    sizes_.n = sizes_.y = 2 * static_cast<Index>(frame_.masses.size());
    sizes_.m = static_cast<Index>(frame_.rods.size());
    sizes_.k = frame_.skate ? 1 : 0;
    sizes_.x = frame_.delay ? 1 : 0;
    variables_ = std::make_unique<Variables>(sizes_);
    mu_difference_ = Vector::Zero(sizes_.mu());
    Start start;
    for (const Vec2& place : frame_.places) start.y.insert(start.y.end(), {place.x(), place.y()});
    start.z.assign(start.y.size(), 0.1);
    start.x = {0.2};
    variables_->start(start);
    last_ = static_cast<int>(frame_.masses.size()) - 1;
    for (const auto& rod : frame_.rods)
      squares_.push_back(
          (place(start.y, rod.b) - (rod.a < 0 ? rod.at : place(start.y, rod.a))).squaredNorm());
    make_pattern();
  }

  const Variables& variables() const override { return *variables_; }
  void set_inputs(In) override {}
  void get_inputs(Out) const override {}
  void mass(double, In, Out) const override {}
  void multiply_mass(In, In v, Out Mv) const override {
    for (Index i = 0; i < sizes_.n; ++i) Mv[i] = frame_.masses[i / 2] * v[i];
  }
  void values(Values& values) override {
    const Point& p = point();
    values.f.setZero();
    for (Index i = 0; i < sizes_.n / 2; ++i) values.f[2 * i + 1] = -9.81 * frame_.masses[i];
    for (std::size_t r = 0; r < frame_.rods.size(); ++r) {
      const auto& rod = frame_.rods[r];
      const Vec2 d = across(p.y, rod, true);
      values.position[r] = (d.squaredNorm() - squares_[r]) / 2;
      values.velocity[r] = d.dot(across(p.z, rod, false));
    }
    add_reactions(p.y, p.mu, values.f);
    for (const auto& s : frame_.springs) {
      const Vec2 d = across(p.y, s, true);
      const Vec2 v = across(p.z, s, false);
      const double length = d.norm();
      const Vec2 force = -s.stiffness * (1 - s.length / length) * d - s.damping * v;
      values.f.segment<2>(2 * s.b) += force;
      if (s.a >= 0) values.f.segment<2>(2 * s.a) -= force;
    }
    if (frame_.skate) values.velocity[sizes_.m] = skate(p.y, p.z);
    if (frame_.delay) {
      values.f[2 * last_] += 3 * p.x[0];
      values.d[0] = p.xdot[0] - p.y[2 * last_] + 2 * p.x[0] - 0.1 * p.z[2 * last_] -
                    0.01 * p.a[2 * last_] - 0.02 * p.mu[0];
    }
  }
  void tilde(In z_tilde, In mu_tilde, Out f_difference, Out k_tilde) override {
    const Point& p = point();
    f_difference.setZero();
    mu_difference_ = mu_tilde - p.mu;
    add_reactions(p.y, mu_difference_, f_difference);
    if (frame_.skate) k_tilde[0] = skate(p.y, z_tilde);
  }
  void multiply_constraints(In v, Out Cv) override {
    const Vector& y = point().y;
    for (std::size_t r = 0; r < frame_.rods.size(); ++r)
      Cv[r] = across(y, frame_.rods[r], true).dot(across(v, frame_.rods[r], false));
    if (frame_.skate) Cv[sizes_.m] = v[2 * last_ + 1] - slope * y[2 * last_] * v[2 * last_];
  }
  void constraint_acceleration(In a, Out c) override {
    const Vector& y = point().y;
    const Vector& z = point().z;
    for (std::size_t r = 0; r < frame_.rods.size(); ++r)
      c[r] = across(y, frame_.rods[r], true).dot(across(a, frame_.rods[r], false)) +
             across(z, frame_.rods[r], false).squaredNorm();
    if (frame_.skate) {
      const Index x = 2 * last_;
      c[sizes_.m] = a[x + 1] - slope * (z[x] * z[x] + y[x] * a[x]);
    }
  }
  void derivatives(double, DenseBlocks& b) override {
    b.resize(sizes_);
    each_derivative(point(), [&](Part part, Index row, Index column, const Matrix& value) {
      Matrix* const whole[] = {&b.M,      &b.K,   &b.D,   &b.F,   &b.X,   &b.C,   &b.C_y,
                               &b.d_xdot, &b.d_x, &b.d_y, &b.d_z, &b.d_a, &b.d_mu};
      whole[static_cast<int>(part)]->block(row, column, value.rows(), value.cols()) += value;
    });
  }
  const BlockPattern* pattern() const override { return blocks_ ? &pattern_ : nullptr; }
  void derivatives(double, BlockLayers& l) override {
    each_derivative(point(), [&](Part part, Index row, Index column, const Matrix& value) {
      const auto [r, c] = corner(part);
      const Index id = pattern_.block(node_of_[r + row], node_of_[c + column], layer_of(part));
      const unsigned which = layer_of(part);
      pattern_.map(numbers(which, l), id, which) += sign(part) * value;
    });
  }

 private:
  void make_pattern() {
    node_of_.resize(sizes_.kkt());
    for (Index i = 0; i < sizes_.n; ++i) node_of_[i] = i / 2;
    for (Index i = 0; i < sizes_.n; i += 2) pattern_.add_node(NodeKind::motion, i, 2);
    for (Index i = sizes_.n; i < sizes_.kkt(); ++i) {
      const NodeKind kind = i < sizes_.n + sizes_.m      ? NodeKind::holonomic
                            : i < sizes_.n + sizes_.mu() ? NodeKind::nonholonomic
                                                         : NodeKind::state;
      node_of_[i] = pattern_.add_node(kind, i, 1);
    }
    // Computes every derivative once, to find the blocks.
    Point p;
    p.resize(sizes_);
    p.y = Vector::Random(sizes_.n);
    each_derivative(p, [&](Part part, Index row, Index column, const Matrix&) {
      const auto [r, c] = corner(part);
      pattern_.block(node_of_[r + row], node_of_[c + column], layer_of(part));
    });
  }

  enum class Part { M, K, D, F, X, C, C_y, d_xdot, d_x, d_y, d_z, d_a, d_mu };
  static constexpr double slope = 0.3;

  std::pair<Index, Index> corner(Part part) const {
    const Index mu = sizes_.n;
    const Index x = sizes_.n + sizes_.mu();
    switch (part) {
      case Part::M:
      case Part::K:
      case Part::D: return {0, 0};
      case Part::F: return {0, mu};
      case Part::X: return {0, x};
      case Part::C:
      case Part::C_y: return {mu, 0};
      case Part::d_xdot:
      case Part::d_x: return {x, x};
      case Part::d_mu: return {x, mu};
      default: return {x, 0};
    }
  }
  static double sign(Part part) {
    return part == Part::K || part == Part::D || part == Part::F || part == Part::X ? -1 : 1;
  }
  static unsigned layer_of(Part part) {
    switch (part) {
      case Part::D:
      case Part::X:
      case Part::d_z:
      case Part::d_x: return layer::velocity;
      case Part::K:
      case Part::d_y: return layer::position;
      case Part::C_y: return layer::rows;
      default: return layer::value;
    }
  }
  static Vector& numbers(unsigned which, BlockLayers& l) {
    return which == layer::velocity   ? l.velocity
           : which == layer::position ? l.position
           : which == layer::rows     ? l.rows
                                      : l.value;
  }
  static Vec2 place(const std::vector<double>& y, int i) { return {y[2 * i], y[2 * i + 1]}; }
  Vec2 across(In y, const Frame::Link& link, bool positions) const {
    Vec2 d = y.segment<2>(2 * link.b);
    if (link.a >= 0)
      d -= y.segment<2>(2 * link.a);
    else if (positions)
      d -= link.at;
    return d;
  }
  double skate(In y, In z) const { return z[2 * last_ + 1] - slope * y[2 * last_] * z[2 * last_]; }
  /// f −= Cᵀ μ.
  void add_reactions(In y, In mu, Out f) const {
    for (std::size_t r = 0; r < frame_.rods.size(); ++r) {
      const auto& rod = frame_.rods[r];
      const Vec2 force = -mu[r] * across(y, rod, true);
      f.segment<2>(2 * rod.b) += force;
      if (rod.a >= 0) f.segment<2>(2 * rod.a) -= force;
    }
    if (frame_.skate) {
      f[2 * last_ + 1] -= mu[sizes_.m];
      f[2 * last_] += slope * y[2 * last_] * mu[sizes_.m];
    }
  }
  template <class Add>
  void each_derivative(const Point& p, Add&& add) const {
    const auto both = [&](const Frame::Link& link, auto&& act) {
      act(2 * link.b, 1.0);
      if (link.a >= 0) act(2 * link.a, -1.0);
    };
    for (Index i = 0; i < sizes_.n / 2; ++i)
      add(Part::M, 2 * i, 2 * i, frame_.masses[i] * Mat2::Identity());
    for (std::size_t r = 0; r < frame_.rods.size(); ++r) {
      const auto& rod = frame_.rods[r];
      const auto row = static_cast<Index>(r);
      const Vec2 d = across(p.y, rod, true);
      both(rod, [&](Index i, double s) {
        add(Part::C, row, i, s * d.transpose());
        add(Part::C_y, row, i, s * across(p.z, rod, false).transpose());
        add(Part::F, i, row, -s * d);
        both(rod,
             [&](Index j, double t) { add(Part::K, i, j, -s * t * p.mu[row] * Mat2::Identity()); });
      });
    }
    for (const auto& spring : frame_.springs) {
      const Vec2 d = across(p.y, spring, true);
      const double length = d.norm();
      const Vec2 e = d / length;
      const double ratio = spring.length / length;
      const Mat2 K =
          -spring.stiffness * ((1 - ratio) * Mat2::Identity() + ratio * e * e.transpose());
      both(spring, [&](Index i, double s) {
        both(spring, [&](Index j, double t) {
          add(Part::K, i, j, s * t * K);
          add(Part::D, i, j, -s * t * spring.damping * Mat2::Identity());
        });
      });
    }
    const Index x = 2 * last_;
    if (frame_.skate) {
      const Vec2 c(-slope * p.y[x], 1);
      add(Part::C, sizes_.m, x, c.transpose());
      add(Part::C_y, sizes_.m, x, Vec2(-slope * p.z[x], 0).transpose());
      add(Part::F, x, sizes_.m, -c);
      Mat2 K = Mat2::Zero();
      K(0, 0) = slope * p.mu[sizes_.m];
      add(Part::K, x, x, K);
    }
    if (frame_.delay) {
      const auto one = [](double value) { return Matrix::Constant(1, 1, value); };
      add(Part::X, x, 0, Vec2(3, 0));
      add(Part::d_xdot, 0, 0, one(1));
      add(Part::d_x, 0, 0, one(2));
      add(Part::d_y, 0, x, Vec2(-1, 0).transpose());
      add(Part::d_z, 0, x, Vec2(-0.1, 0).transpose());
      add(Part::d_a, 0, x, Vec2(-0.01, 0).transpose());
      add(Part::d_mu, 0, 0, one(-0.02));
    }
  }

  Frame frame_;
  bool blocks_;
  BlockPattern pattern_;
  std::vector<Index> node_of_;
  int last_ = 0;
  std::vector<double> squares_;
  Vector mu_difference_;
  std::unique_ptr<Variables> variables_;
};

/// A hanging chain with springs between every third mass.
Frame chain(int count) {
  Frame f;
  for (int i = 0; i < count; ++i) {
    f.masses.push_back(1 + 0.5 * (i % 3));
    f.places.emplace_back(0.8 * (i + 1), -0.5 * (i % 2));
    f.rods.push_back({.a = i - 1, .b = i});
    if (i % 3 == 2)
      f.springs.push_back({.a = i - 2, .b = i, .stiffness = 200, .damping = 1, .length = 1});
  }
  return f;
}

/// A truss of `cells` cells of two masses, with one diagonal rod in each (two: redundant).
Frame truss(int cells, int diagonals) {
  Frame f;
  for (int i = 0; i < cells; ++i) {
    for (const double y : {0.0, 1.0}) {
      f.masses.push_back(1 + y);
      f.places.emplace_back(i + 1.0, y);
    }
    const int low = 2 * i;
    const auto rod = [&](int a, int b, double fixed_y) {
      f.rods.push_back({.a = i == 0 && a < 0 ? -1 : a, .b = b, .at = Vec2(0, fixed_y)});
    };
    rod(i == 0 ? -1 : low - 2, low, 0);
    rod(i == 0 ? -1 : low - 1, low + 1, 1);
    if (i % 2 == 1 || diagonals > 1) f.rods.push_back({.a = low, .b = low + 1});
    if (diagonals > 0 && i % 2 == 1) rod(low - 2, low + 1, 0);
    if (diagonals > 1 && i % 2 == 1) rod(low - 1, low, 0);
  }
  return f;
}

/// A triangle of rods that hangs on three parallel rods of the same length: one of the six follows
/// from the others at every position of its swing, but not at positions next to these.
Frame swing() {
  Frame f;
  const Vec2 corners[] = {{0, -1}, {1, -1}, {0.4, -0.2}};
  for (const Vec2& corner : corners) {
    f.masses.push_back(1);
    f.places.emplace_back(corner + Vec2(0.3, 0));
    f.rods.push_back({.b = static_cast<int>(f.masses.size()) - 1, .at = corner + Vec2(-0.2, 1)});
  }
  f.rods.push_back({.a = 0, .b = 1});
  f.rods.push_back({.a = 1, .b = 2});
  f.rods.push_back({.a = 0, .b = 2});
  return f;
}

Frame rich_chain(int count) {
  Frame f = chain(count);
  f.skate = f.delay = true;
  return f;
}

Point random_point(const Sizes& sizes, const Variables& variables) {
  std::srand(5);
  Point p;
  p.resize(sizes);
  for (Index i = 0; i < sizes.n; ++i) p.y[i] = variables.start().y[i];
  p.y += 0.05 * Vector::Random(sizes.n);
  p.z = Vector::Random(sizes.n);
  p.a = Vector::Random(sizes.n);
  p.mu = 10 * Vector::Random(sizes.mu());
  p.x = Vector::Random(sizes.x);
  p.xdot = Vector::Random(sizes.x);
  return p;
}

constexpr NewtonWeights weights{0.02, 0.0001, 0.013, 0.017};

TEST(BlockKkt, MatricesAreThoseOfTheDenseOne) {
  for (const Frame& frame : {rich_chain(7), truss(6, 1)}) {
    FrameSystem system(frame, true);
    const Sizes& s = system.sizes();
    const Point p = random_point(s, system.variables());
    DenseKkt dense(system);
    const auto blocks = std::make_unique<BlockKkt>(system);
    system.at(p);
    dense.evaluate(0);
    system.at(p);
    blocks->evaluate(0);
    EXPECT_TRUE(blocks->finite());
    ASSERT_TRUE(dense.factor_mass());
    ASSERT_TRUE(blocks->factor_mass());
    ASSERT_TRUE(dense.factor_newton(weights));
    ASSERT_TRUE(blocks->factor_newton(weights));
    for (int i = 0; i < 5; ++i) {
      const Vector b = Vector::Random(s.kkt());
      Vector x = b, y = b;
      dense.solve_mass(x);
      blocks->solve_mass(y);
      EXPECT_LT((x - y).norm(), 1e-10 * x.norm());
      x = y = b;
      dense.solve_newton(x);
      blocks->solve_newton(y);
      EXPECT_LT((x - y).norm(), 1e-10 * x.norm());
      const Vector w = Vector::Random(s.n);
      x = y = b;
      dense.subtract_tilde(w, x);
      blocks->subtract_tilde(w, y);
      EXPECT_LT((x - y).norm(), 1e-13);
      const Vector jump = Vector::Random(s.kkt());
      x = y = b;
      dense.subtract_rates_of(jump, x);
      blocks->subtract_rates_of(jump, y);
      EXPECT_LT((x - y).norm(), 1e-12 * x.norm());
    }
  }
}

TEST(BlockKkt, SeesNumbersThatAreNotFinite) {
  FrameSystem system(rich_chain(3), true);
  const auto blocks = std::make_unique<BlockKkt>(system);
  Point p = random_point(system.sizes(), system.variables());
  p.mu[0] = std::nan("");
  system.at(p);
  blocks->evaluate(0);
  EXPECT_FALSE(blocks->finite());
}

TEST(BlockKkt, ProjectsLikeThePseudoInverse) {
  for (const Frame& frame : {rich_chain(9), truss(6, 1), truss(6, 2)}) {
    FrameSystem system(frame, true);
    const Sizes& s = system.sizes();
    const Point p = random_point(s, system.variables());
    DenseKkt dense(system);
    const auto blocks = std::make_unique<BlockKkt>(system);
    system.at(p);
    dense.evaluate(0);
    system.at(p);
    blocks->evaluate(0);
    std::vector<bool> held(s.n, false);
    for (int round = 0; round < 3; ++round) {
      for (const Index rows : {s.m, s.mu()}) {
        // Consistent rows, so that the answer does not depend on the threshold for small numbers.
        Matrix C = dense.blocks().C.topRows(rows);
        for (Index j = 0; j < s.n; ++j)
          if (held[j]) C.col(j).setZero();
        const Vector r = C * Vector::Random(s.n);
        const Vector expected = dense.project(r, held);
        const Vector found = blocks->project(r, held);
        EXPECT_LT((found - expected).norm(), 1e-9 * expected.norm()) << round;
      }
      held[2 * round] = held[3] = true;
    }
  }
}

TEST(BlockKkt, ProjectsContradictingRowsInTheMean) {
  // Two equal rods that want different lengths.
  Frame frame = chain(3);
  frame.rods.push_back(frame.rods[1]);
  FrameSystem system(frame, true);
  const Sizes& s = system.sizes();
  const Point p = random_point(s, system.variables());
  DenseKkt dense(system);
  const auto blocks = std::make_unique<BlockKkt>(system);
  system.at(p);
  dense.evaluate(0);
  system.at(p);
  blocks->evaluate(0);
  const std::vector<bool> held(s.n, false);
  const Vector r = Vector::Random(s.m);
  const Vector expected = dense.project(r, held);
  EXPECT_LT((blocks->project(r, held) - expected).norm(), 1e-4 * expected.norm());
}

TEST(BlockKkt, FindsTheConstraintsThatImplyRedundantOnes) {
  Frame frame = chain(6);
  FrameSystem plain(frame, true);
  const auto none = std::make_unique<BlockKkt>(plain);
  const Point at_plain = random_point(plain.sizes(), plain.variables());
  plain.at(at_plain);
  none->evaluate(0);
  EXPECT_TRUE(none->find_redundant().empty());

  frame.rods.push_back(frame.rods[2]);
  FrameSystem twice(frame, true);
  const auto one = std::make_unique<BlockKkt>(twice);
  const Point at_twice = random_point(twice.sizes(), twice.variables());
  twice.at(at_twice);
  one->evaluate(0);
  const auto found = one->find_redundant();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].row, 6);
  EXPECT_EQ(found[0].of, std::vector<Index>{2});

  // One rod too many in a cell that is not fixed otherwise: it follows from the others of the cell.
  FrameSystem system(truss(6, 2), true);
  const Point p = random_point(system.sizes(), system.variables());
  DenseKkt dense(system);
  const auto blocks = std::make_unique<BlockKkt>(system);
  system.at(p);
  dense.evaluate(0);
  system.at(p);
  blocks->evaluate(0);
  EXPECT_GT(dense.find_redundant().size(), 0U);
  EXPECT_EQ(blocks->find_redundant().size(), dense.find_redundant().size());
}

TEST(BlockKkt, RedundantConstraintsLeaveTheMotionAlone) {
  Frame frame = rich_chain(8);
  frame.delay = false;  // d may depend on μ, of which there is more than one
  frame.rods.push_back(frame.rods[2]);
  frame.rods.push_back({.a = 4, .b = 5});
  FrameSystem system(frame, true);
  const Sizes& s = system.sizes();
  const Point p = random_point(s, system.variables());
  DenseKkt dense(system);
  const auto blocks = std::make_unique<BlockKkt>(system);
  for (KktMatrices* linear :
       {static_cast<KktMatrices*>(&dense), static_cast<KktMatrices*>(blocks.get())}) {
    system.at(p);
    linear->evaluate(0);
    linear->set_redundant(true);
    ASSERT_TRUE(linear->factor_newton(weights));
    ASSERT_TRUE(linear->factor_mass());
  }
  Vector b = Vector::Random(s.kkt());
  b.segment(s.n, s.mu()) = dense.blocks().C * Vector::Random(s.n);
  Vector x = b, y = b;
  dense.solve_mass(x);
  blocks->solve_mass(y);
  const Matrix& F = dense.blocks().F;
  EXPECT_LT((x - y).head(s.n).norm(), 1e-10 * x.norm());
  EXPECT_LT((F * (x - y).segment(s.n, s.mu())).norm(), 1e-10 * x.norm());
  // The smallest multipliers are those of the pseudo-inverse.
  Vector mu = y.segment(s.n, s.mu());
  const Vector expected = F.completeOrthogonalDecomposition().solve(F * mu);
  EXPECT_GT((mu - expected).norm(), 1e-3);
  blocks->smallest_multipliers(mu);
  EXPECT_LT((mu - expected).norm(), 1e-10 * expected.norm());
  // Newton: the ranks are those of the mass matrix; rows of equal constraints stay equal.
  const Matrix C = dense.blocks().C;
  Matrix R = dense.blocks().C_y;
  R.topRows(s.m) *= weights.constraint;
  R.bottomRows(s.k) *= weights.nonholonomic;
  b.segment(s.n, s.mu()) = (C + R) * Vector::Random(s.n);
  x = y = b;
  dense.solve_newton(x);
  blocks->solve_newton(y);
  EXPECT_LT((x - y).head(s.n).norm(), 1e-9 * x.norm());
}

TEST(BlockKkt, TheMassMatrixDecidesOnRanks) {
  // Velocities that the constraints do not allow make the rows of the Newton matrix independent.
  FrameSystem system(swing(), true);
  const Sizes& s = system.sizes();
  Point p = random_point(s, system.variables());
  for (Index i = 0; i < s.n; ++i) p.y[i] = system.variables().start().y[i];
  const auto blocks = std::make_unique<BlockKkt>(system);
  system.at(p);
  blocks->evaluate(0);
  ASSERT_EQ(blocks->find_redundant().size(), 1U);
  blocks->set_redundant(true);
  ASSERT_TRUE(blocks->factor_newton(weights));
  Vector r = Vector::Random(s.kkt());
  blocks->solve_newton(r);
  EXPECT_EQ((r.segment(s.n, s.m).array() == 0).count(), 1);
}

TEST(BlockKkt, NamesUndeterminedUnknowns) {
  Frame frame = chain(5);
  frame.masses[4] = 0;
  FrameSystem system(frame, true);
  const auto blocks = std::make_unique<BlockKkt>(system);
  const Point at_system = random_point(system.sizes(), system.variables());
  system.at(at_system);
  blocks->evaluate(0);
  EXPECT_FALSE(blocks->factor_mass());
  EXPECT_EQ(blocks->undetermined_unknown() / 2, 4);
}

TEST(BlockKkt, FindsANewOrderWhereAPivotVanishes) {
  // A massless point held by three rods: any two will do unless they are in line.
  Frame frame = chain(5);
  frame.masses[1] = 0;
  frame.rods[4].a = 1;
  FrameSystem system(frame, true);
  const Point start = random_point(system.sizes(), system.variables());
  DenseKkt dense(system);
  const auto blocks = std::make_unique<BlockKkt>(system);
  system.at(start);
  blocks->evaluate(0);
  ASSERT_TRUE(blocks->factor_mass());
  const BlockElimination* order = blocks->elimination();
  bool renewed = false;
  for (const auto& [one, other] : {std::pair{0, 2}, {0, 4}, {2, 4}}) {
    Point p = start;
    p.y.segment<2>(2) = 0.5 * (p.y.segment<2>(2 * one) + p.y.segment<2>(2 * other));
    system.at(p);
    blocks->evaluate(0);
    ASSERT_TRUE(blocks->factor_mass());
    renewed = renewed || blocks->elimination() != order;
    system.at(p);
    dense.evaluate(0);
    ASSERT_TRUE(dense.factor_mass());
    Vector x = Vector::Random(system.sizes().kkt());
    Vector y = x;
    dense.solve_mass(x);
    blocks->solve_mass(y);
    EXPECT_LT((x - y).norm(), 1e-9 * x.norm());
  }
  EXPECT_TRUE(renewed);
}

TEST(BlockKkt, ReportsAPositionThatIsSingularInAnyOrder) {
  Frame frame = chain(4);
  frame.masses[1] = 0;
  FrameSystem system(frame, true);
  Point p = random_point(system.sizes(), system.variables());
  const auto blocks = std::make_unique<BlockKkt>(system);
  system.at(p);
  blocks->evaluate(0);
  ASSERT_TRUE(blocks->factor_mass());
  p.y.segment<2>(2) = 0.5 * (p.y.segment<2>(0) + p.y.segment<2>(4));
  system.at(p);
  blocks->evaluate(0);
  EXPECT_FALSE(blocks->factor_mass());
  EXPECT_EQ(blocks->undetermined_unknown() / 2, 1);
}

TEST(BlockKkt, AllocatesNothingAfterTheFirstFactorization) {
  if (!allocations_are_counted()) GTEST_SKIP();
  Frame frame = rich_chain(20);
  frame.rods.push_back(frame.rods[7]);
  FrameSystem system(frame, true);
  const Sizes& s = system.sizes();
  const Point p = random_point(s, system.variables());
  const auto blocks = std::make_unique<BlockKkt>(system);
  system.at(p);
  blocks->evaluate(0);
  blocks->set_redundant(true);
  bool done = blocks->factor_mass();
  done = blocks->factor_newton(weights) && done;
  Vector r = Vector::Random(s.kkt());
  const Vector w = Vector::Random(s.n);
  Vector mu = Vector::Random(s.mu());
  const long before_filling = allocations();  // the blocks of this test's system allocate
  system.at(p);
  blocks->evaluate(0);
  const long filling = allocations() - before_filling;
  const long before = allocations();
  done = blocks->factor_mass() && done;
  done = blocks->factor_newton(weights) && done;
  blocks->subtract_tilde(w, r);
  blocks->solve_mass(r);
  blocks->solve_newton(r);
  EXPECT_EQ(allocations() - before, 0);
  blocks->smallest_multipliers(mu);
  EXPECT_EQ(allocations() - before, filling);
  EXPECT_TRUE(done);
}

Vector end_of_run(const Frame& frame, bool blocks, Method method) {
  FrameSystem system(frame, blocks);
  Options options;
  options.method = method;
  options.coefficients = default_coefficients(method);
  options.tolerance = 1e-6;
  options.experiments.newton_fraction = 1e-6;
  options.fixed_step = 2e-3;
  Solver solver(system, options);
  State state;
  Result result = solver.initialize(state, 0);
  EXPECT_TRUE(result.ok()) << result.message;
  result = solver.advance(state, 0.5);
  EXPECT_TRUE(result.ok()) << result.message;
  Vector end(2 * system.sizes().n + system.sizes().x);
  end << state.point.y, state.point.z, state.point.x;
  return end;
}

TEST(BlockKkt, RunsLikeTheDenseOne) {
  Frame redundant = chain(5);
  redundant.rods.push_back(redundant.rods[2]);
  for (const Frame& frame : {rich_chain(5), truss(5, 1), redundant, swing()})
    for (const Method method : {Method::soi2, Method::hht_i3, Method::arnold_bruls}) {
      const Vector dense = end_of_run(frame, false, method);
      const Vector blocks = end_of_run(frame, true, method);
      const double tolerance = method == Method::soi2 ? 1e-9 : 1e-8;
      EXPECT_LT((dense - blocks).norm(), tolerance * dense.norm()) << static_cast<int>(method);
    }
}

TEST(BlockKkt, RunsLongChains) {
  FrameSystem system(chain(2000), true);
  Options options;
  options.fixed_step = 2e-3;
  Solver solver(system, options);
  State state;
  Result result = solver.initialize(state, 0);
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_TRUE(solver.warnings().empty());
  result = solver.advance(state, 0.02);
  ASSERT_TRUE(result.ok()) << result.message;
  double position = 0, velocity = 0;
  solver.constraint_residuals(state, position, velocity);
  EXPECT_LT(position, 1e-10);
  EXPECT_LT(velocity, 1e-8);
}

// --- orders of elimination, as states keep them ---

/// Restores a state of the same system from these bytes.
State from_bytes(const Sizes& sizes, const std::vector<unsigned char>& all) {
  State s;
  s.resize(sizes);
  std::size_t at = 0;
  const auto take = [&](void* data, std::size_t size) {
    if (size > 0) std::memcpy(data, all.data() + at, size);
    at += size;
  };
  s.visit([&](auto& member) {
    if constexpr (requires { member.data(), member.size(); })
      take(member.data(), static_cast<std::size_t>(member.size()) * sizeof(*member.data()));
    else
      take(&member, sizeof(member));
  });
  EXPECT_EQ(at, all.size());
  return s;
}

/// A massless point held by three rods, any two of which will do unless they are in line.
Frame held_point() {
  Frame frame = chain(5);
  frame.masses[1] = 0;
  frame.rods[4].a = 1;
  frame.places[4].y() += 0.7;
  return frame;
}

/// The same with rods `one` and `other` of the point in line at t = 0.
Frame held_in_line(int one, int other) {
  Frame frame = held_point();
  frame.places[1] = 0.5 * (frame.places[one] + frame.places[other]);
  return frame;
}

TEST(SavedOrders, ContinueBitForBitOnAFreshSolver) {
  Frame redundant = rich_chain(8);
  redundant.delay = false;
  redundant.rods.push_back(redundant.rods[2]);
  redundant.rods.push_back({.a = 4, .b = 5});
  const Frame frames[] = {rich_chain(7),      held_in_line(0, 2), held_in_line(0, 4),
                          held_in_line(2, 4), redundant,          swing()};
  for (std::size_t k = 0; k < std::size(frames); ++k) {
    SCOPED_TRACE(k);
    Options options;
    options.tolerance = 1e-5;
    FrameSystem system(frames[k], true);
    Solver solver(system, options);
    State state;
    Result result = solver.initialize(state, 0);
    ASSERT_TRUE(result.ok()) << result.message;
    const auto saved_at_start = bytes(state);
    result = solver.advance(state, 0.05);
    ASSERT_TRUE(result.ok()) << result.message;
    const auto saved = bytes(state);
    EXPECT_EQ(saved.size(), saved_at_start.size());
    Point seen, seen_again;
    ASSERT_TRUE(solver.output(state, seen).ok());
    ASSERT_TRUE(solver.advance(state, 0.1).ok());
    const auto end = bytes(state);

    FrameSystem again(frames[k], true);
    Solver fresh(again, options);
    State restored = from_bytes(again.sizes(), saved);
    ASSERT_TRUE(fresh.output(restored, seen_again).ok());
    EXPECT_EQ(seen.mu, seen_again.mu);
    EXPECT_EQ(seen.a, seen_again.a);
    ASSERT_TRUE(fresh.advance(restored, 0.1).ok());
    EXPECT_EQ(bytes(restored), end);
    // An earlier state is used in between.
    State other = from_bytes(again.sizes(), saved_at_start);
    ASSERT_TRUE(fresh.advance(other, 0.1).ok());
    restored = from_bytes(again.sizes(), saved);
    ASSERT_TRUE(fresh.advance(restored, 0.1).ok());
    EXPECT_EQ(bytes(restored), end);
  }
}

TEST(SavedOrders, OfAnEarlierRunDoNotMatterToANewStart) {
  Frame redundant = chain(5);
  redundant.rods.push_back(redundant.rods[2]);
  for (const Frame& frame : {rich_chain(7), held_in_line(0, 2), held_in_line(0, 4),
                             held_in_line(2, 4), redundant, truss(5, 1)}) {
    FrameSystem system(frame, true);
    Options options;
    options.tolerance = 1e-5;
    Solver used(system, options), fresh(system, options);
    State state, again, first;
    ASSERT_TRUE(used.initialize(state, 0).ok());
    ASSERT_TRUE(used.advance(state, 0.05).ok());
    // The present position would not lead to the order of the first start.
    Start start = system.variables().start();
    start.y.assign(state.point.y.begin(), state.point.y.end());
    start.z.assign(state.point.z.begin(), state.point.z.end());
    ASSERT_TRUE(used.initialize(again, 0, start).ok());
    ASSERT_TRUE(fresh.initialize(first, 0, start).ok());
    EXPECT_EQ(bytes(again), bytes(first));
    ASSERT_TRUE(used.advance(again, 0.05).ok());
    ASSERT_TRUE(fresh.advance(first, 0.05).ok());
    EXPECT_EQ(bytes(again), bytes(first));
  }
}

TEST(SavedOrders, AreThoseFoundWhereAPivotVanished) {
  FrameSystem system(held_point(), true);
  const Point start = random_point(system.sizes(), system.variables());
  bool renewed = false;
  for (const auto& [one, other] : {std::pair{0, 2}, {0, 4}, {2, 4}}) {
    BlockKkt first(system), second(system);
    const auto solution_at = [&](BlockKkt& blocks, const Point& p) {
      system.at(p);
      blocks.evaluate(0);
      EXPECT_TRUE(blocks.factor_mass());
      EXPECT_TRUE(blocks.factor_newton(weights));
      Vector x = Vector::LinSpaced(system.sizes().kkt(), 1, 2);
      Vector y = x;
      blocks.solve_mass(x);
      blocks.solve_newton(y);
      return std::pair{x, y};
    };
    Point p = start;
    p.y.segment<2>(2) = 0.5 * (p.y.segment<2>(2 * one) + p.y.segment<2>(2 * other));
    solution_at(first, start);
    const KktOrders before = first.orders();
    solution_at(first, p);  // with another order, if the previous one relies on these two
    const auto there = solution_at(first, start);
    second.set_orders(first.orders());
    EXPECT_EQ(first.order_stamp(), second.order_stamp());
    const auto here = solution_at(second, start);
    EXPECT_EQ(here, there);
    renewed = renewed || first.orders().mass != before.mass;
    // … and back to the previous order
    second.set_orders(before);
    const auto back = solution_at(second, start);
    first.set_orders(before);
    EXPECT_EQ(back, solution_at(first, start));
    // No order: it is found anew, as in a fresh object.
    KktOrders none;
    none.resize(system.sizes());
    second.set_orders(none);
    EXPECT_EQ(second.order_stamp(), 0U);
    EXPECT_EQ(solution_at(second, start), back);
  }
  EXPECT_TRUE(renewed);
}

TEST(SavedOrders, ThatAreInvalidAreRefused) {
  FrameSystem system(chain(3), true);
  BlockKkt blocks(system);
  KktOrders orders;
  orders.resize(system.sizes());
  orders.mass[0] = 1;
  EXPECT_THROW(blocks.set_orders(orders), std::invalid_argument);
  for (std::size_t i = 0; i < orders.mass.size(); ++i) orders.mass[i] = 1000 + static_cast<int>(i);
  EXPECT_THROW(blocks.set_orders(orders), std::invalid_argument);
  // One matrix without an order, the other with one: there would be nothing to factor.
  for (std::size_t i = 0; i < orders.mass.size(); ++i) orders.mass[i] = 0;
  const Point start = random_point(system.sizes(), system.variables());
  system.at(start);
  blocks.evaluate(0);
  ASSERT_TRUE(blocks.factor_mass());
  orders.newton = blocks.orders().newton;
  ASSERT_NE(orders.newton, orders.mass);
  EXPECT_THROW(blocks.set_orders(orders), std::invalid_argument);
  std::swap(orders.newton, orders.mass);
  EXPECT_THROW(blocks.set_orders(orders), std::invalid_argument);
}

TEST(BlockLayers, HoldOnlyWhatBlocksName) {
  BlockPattern p;
  const Index body = p.add_node(NodeKind::motion, 0, 3);
  const Index joint = p.add_node(NodeKind::holonomic, 3, 2);
  p.block(joint, body, layer::value | layer::rows);
  p.block(body, body, layer::value);
  p.block(body, body, layer::position);
  const BlockLayers layers = p.make_layers();
  EXPECT_EQ(layers.value.size(), 9 + 4 + 6 + 6);
  EXPECT_EQ(layers.velocity.size(), 0);
  EXPECT_EQ(layers.position.size(), 9);
  EXPECT_EQ(layers.rows.size(), 6);
  EXPECT_EQ(p.offset(p.block(body, joint, layer::value), layer::rows), -1);
}

}  // namespace
}  // namespace mechfmu::tests
