#include "solver/block_kkt.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace mechfmu {

namespace {

constexpr double small_pivot = 1e-4;          // below it, the backward error is looked at …
constexpr double large_error = 1e-11;         // … and above this one, solutions are refined
constexpr double regularization = 1e-10;      // ε of the matrices of constraints alone
constexpr int proximal_steps = 10;            // at most, to remove its effect
constexpr std::size_t redundant_named = 100;  // of at most so many, what they depend on is found

/// max_i |b − A x|_i / (|A| |x| + |b|)_i: the smallest relative change of A and b that makes x exact.
/// b is overwritten.
double backward_error(const BlockPattern& pattern, const Vector& values, const Vector& x, Vector& b,
                      Vector& size) {
  size = b.cwiseAbs();
  for (Index id = 0; id < pattern.block_count(); ++id) {
    const auto& row = pattern.node(pattern.at(id).row);
    const auto& column = pattern.node(pattern.at(id).column);
    const double* a = values.data() + pattern.offset(id);
    for (Index j = column.first; j < column.first + column.size; ++j)
      for (Index i = row.first; i < row.first + row.size; ++i) {
        const double part = *a++ * x[j];
        b[i] -= part;
        size[i] += std::abs(part);
      }
  }
  double worst = 0;
  for (Index i = 0; i < b.size(); ++i)
    if (size[i] > 0) worst = std::max(worst, std::abs(b[i]) / size[i]);
  return worst;
}

}  // namespace

// --- matrices of the constraints alone ---

/// [D Aᵀ; A −E] with A = C (D = I, E small) or [D A; Aᵀ −E] with A = F (D small, E = I).
struct BlockKkt::Constraints {
  struct Link {
    Index full = 0;  // block of the whole pattern
    Index own = 0;   // A_rc of the pattern of constraints
    Index mirror = 0;
  };
  BlockPattern pattern;
  std::vector<Link> links;  // constraint × motion blocks of the whole pattern
  Vector values, scale;     // of the matrix; what pivots are compared with
  Vector rhs, rest, size;
  std::unique_ptr<BlockElimination> elimination;
  std::unique_ptr<BlockLu> lu;
  std::vector<bool> held;  // for which the elimination was made
  Index rows = -1;

  explicit Constraints(const BlockPattern& whole) {
    // States come last in the KKT vector, so that the other unknowns keep their numbers.
    std::vector<Index> number(static_cast<std::size_t>(whole.node_count()), -1);
    for (Index v = 0; v < whole.node_count(); ++v) {
      const auto& node = whole.node(v);
      if (node.kind != NodeKind::state)
        number[static_cast<std::size_t>(v)] = pattern.add_node(node.kind, node.first, node.size);
    }
    for (Index id = 0; id < whole.block_count(); ++id) {
      const auto& block = whole.at(id);
      if (!is_constraint(whole.node(block.row).kind) ||
          whole.node(block.column).kind != NodeKind::motion)
        continue;
      const Index own = pattern.block(number[static_cast<std::size_t>(block.row)],
                                      number[static_cast<std::size_t>(block.column)]);
      links.push_back({id, own, pattern.at(own).mirror});
    }
    values = Vector::Zero(pattern.value_count());
    scale = rhs = rest = size = Vector::Zero(pattern.unknown_count());
  }

  /// Diagonals: 1, or for nodes that `small` selects, ∓ε |row|².
  template <class Select>
  void set_diagonals(Select&& small, double epsilon) {
    for (Index v = 0; v < pattern.node_count(); ++v) {
      const auto& node = pattern.node(v);
      const double sign = is_constraint(node.kind) ? -1 : 1;
      auto D = pattern.map(values, node.diagonal);
      for (Index i = 0; i < node.size; ++i) {
        const double size2 = scale[node.first + i];
        const double if_small = size2 > 0 || epsilon == 0 ? epsilon * size2 : 1;
        D(i, i) = sign * (small(node.kind) ? if_small : 1);
        if (!small(node.kind)) scale[node.first + i] = 0;
      }
    }
  }

  void order() {
    lu.reset();
    elimination = std::make_unique<BlockElimination>(pattern, values, scale);
    lu = std::make_unique<BlockLu>(*elimination);
  }
  /// Factors in the order at hand, or in one that suits the present numbers.
  [[nodiscard]] bool factor() {
    if (lu && lu->factor(values) && lu->smallest_pivot() > 1e-3 * regularization) return true;
    order();
    return lu->factor(values);
  }

  /// A = the first `count` rows of C without the columns held.
  void set_rows(const BlockPattern& whole, const Vector& value, Index n, Index count,
                const std::vector<bool>& is_held, double epsilon) {
    values.setZero();
    scale.setZero();
    for (const Link& link : links) {
      auto A = pattern.map(values, link.own);
      A = whole.map(value, link.full);
      const auto& row = pattern.node(pattern.at(link.own).row);
      const auto& column = pattern.node(pattern.at(link.own).column);
      for (Index j = 0; j < A.cols(); ++j)
        if (!is_held.empty() && is_held[static_cast<std::size_t>(column.first + j)])
          A.col(j).setZero();
      for (Index i = 0; i < A.rows(); ++i)
        if (row.first + i >= n + count) A.row(i).setZero();
      pattern.map(values, link.mirror) = A.transpose();
      scale.segment(row.first, row.size) += A.rowwise().squaredNorm();
    }
    set_diagonals([](NodeKind kind) { return is_constraint(kind); }, epsilon);
  }

  /// A = F.
  void set_forces(const BlockPattern& whole, const Vector& value) {
    values.setZero();
    scale.setZero();
    for (const Link& link : links) {
      auto A = pattern.map(values, link.mirror);
      A = -whole.map(value, whole.at(link.full).mirror);
      pattern.map(values, link.own) = A.transpose();
      const auto& row = pattern.node(pattern.at(link.mirror).row);
      scale.segment(row.first, row.size) += A.rowwise().squaredNorm();
    }
    set_diagonals([](NodeKind kind) { return kind == NodeKind::motion; }, regularization);
  }

  /// y = A x or y = Aᵀ x from the off-diagonal blocks: rows of constraints or rows of motion.
  void multiply(bool rows_of_constraints, const Vector& x, Vector& y) const {
    y.setZero();
    for (const Link& link : links) {
      const Index id = rows_of_constraints ? link.own : link.mirror;
      const auto& row = pattern.node(pattern.at(id).row);
      const auto& column = pattern.node(pattern.at(id).column);
      y.segment(row.first, row.size).noalias() +=
          pattern.map(values, id).lazyProduct(x.segment(column.first, column.size));
    }
  }
};

// --- the KKT matrices ---

BlockKkt::BlockKkt(System& system) : system_(system), pattern_(*system.pattern()) {
  if (pattern_.unknown_count() != system.sizes().kkt())
    throw std::invalid_argument("BlockKkt: the pattern has " +
                                std::to_string(pattern_.unknown_count()) +
                                " unknowns, the system " + std::to_string(system.sizes().kkt()));
  layers_.value = layers_.velocity = layers_.position = layers_.rows = newton_values_ =
      Vector::Zero(pattern_.value_count());
  given_ = residual_ = size_ = Vector::Zero(pattern_.unknown_count());

  for (Index id = 0; id < pattern_.block_count(); ++id) {
    const auto& row = pattern_.node(pattern_.at(id).row);
    const auto& column = pattern_.node(pattern_.at(id).column);
    if (column.kind != NodeKind::motion) continue;
    const Index offset = pattern_.offset(id);
    const int group = row.kind == NodeKind::holonomic      ? 1
                      : row.kind == NodeKind::nonholonomic ? 2
                                                           : 0;
    motion_columns_[group].push_back({offset, row.first, column.first, row.size, column.size});
    if (group == 1) holonomic_.push_back({offset, row.size * column.size});
    if (group == 2) nonholonomic_.push_back({offset, row.size * column.size});
  }
}

BlockKkt::~BlockKkt() = default;

void BlockKkt::evaluate(double kappa) {
  layers_.value.setZero();
  layers_.velocity.setZero();
  layers_.position.setZero();
  layers_.rows.setZero();
  system_.derivatives(kappa, layers_);
  mass_is_current_ = false;
}

bool BlockKkt::finite() const {
  return layers_.value.allFinite() && layers_.velocity.allFinite() &&
         layers_.position.allFinite() && layers_.rows.allFinite();
}

void BlockKkt::Factors::use(std::shared_ptr<const BlockElimination> order) {
  if (elimination == order && lu) return;
  lu.reset();
  elimination = std::move(order);
  lu = std::make_unique<BlockLu>(*elimination);
}

bool BlockKkt::factor_mass_in_order() {
  return mass_.lu->factor(layers_.value,
                          redundant_ ? MissingPivots::drop_redundant : MissingPivots::fail);
}

bool BlockKkt::factor_mass() {
  bool done = mass_.lu && factor_mass_in_order();
  if (!done) {
    mass_.use(std::make_shared<BlockElimination>(pattern_, layers_.value));
    done = factor_mass_in_order();
  }
  mass_is_current_ = done;
  if (done) decide_refinement(mass_, layers_.value);
  return done;
}

bool BlockKkt::factor_newton(const NewtonWeights& weights) {
  assemble(weights);
  // The mass KKT matrix decides on ranks, and on the order while there is none.
  if ((redundant_ && !mass_is_current_) || !mass_.lu) {
    const bool mass = factor_mass();
    if (redundant_ && !mass) return false;
  }
  bool done = false;
  if (redundant_) {
    newton_.use(mass_.elimination);
    done = newton_.lu->factor_with_ranks(newton_values_, *mass_.lu);
    if (!done) {
      mass_.use(std::make_shared<BlockElimination>(pattern_, layers_.value));
      mass_is_current_ = factor_mass_in_order();
      newton_.use(mass_.elimination);
      done = mass_is_current_ && newton_.lu->factor_with_ranks(newton_values_, *mass_.lu);
    }
  } else {
    if (!newton_.lu) newton_.use(mass_.elimination);
    done = newton_.lu->factor(newton_values_);
    if (!done) {
      newton_.use(std::make_shared<BlockElimination>(pattern_, newton_values_));
      done = newton_.lu->factor(newton_values_);
    }
  }
  if (done) decide_refinement(newton_, newton_values_);
  return done;
}

void BlockKkt::assemble(const NewtonWeights& w) {
  newton_values_ = layers_.value + w.velocity * layers_.velocity + w.position * layers_.position;
  const auto add_rows = [&](const std::vector<Run>& runs, double c) {
    if (c == 0) return;
    for (const Run& run : runs)
      for (Index i = run.offset; i < run.offset + run.length; ++i)
        newton_values_[i] += c * layers_.rows[i];
  };
  add_rows(holonomic_, w.constraint);
  add_rows(nonholonomic_, w.nonholonomic);
}

/// Small pivots need not do harm; where they may, the solution of a test tells.
void BlockKkt::decide_refinement(Factors& factors, const Vector& values) {
  factors.refine = false;
  if (factors.lu->smallest_pivot() > small_pivot) return;
  for (Index i = 0; i < given_.size(); ++i)
    given_[i] = (i % 2 == 0 ? 1 : -1) * (1 + 0.1 * static_cast<double>(i % 7));
  pattern_.multiply(values, given_, residual_);
  given_ = residual_;
  factors.lu->solve(residual_);
  factors.refine = !(backward_error(pattern_, values, residual_, given_, size_) < large_error);
}

void BlockKkt::solve(Factors& factors, const Vector& values, Vector& r) {
  if (!factors.refine) {
    factors.lu->solve(r);
    return;
  }
  given_ = r;
  factors.lu->solve(r);
  pattern_.multiply(values, r, residual_);
  residual_ = given_ - residual_;
  factors.lu->solve(residual_);
  r += residual_;
}

void BlockKkt::solve_mass(Vector& r) { solve(mass_, layers_.value, r); }
void BlockKkt::solve_newton(Vector& r) { solve(newton_, newton_values_, r); }

void BlockKkt::subtract_tilde(In w, const NewtonWeights& weights, Vector& r) const {
  const auto subtract = [&](const std::vector<Entry>& entries, double factor, const Vector& layer) {
    if (factor == 0) return;
    for (const Entry& e : entries) {
      const double* a = layer.data() + e.offset;
      for (Index j = 0; j < e.columns; ++j) {
        const double wj = factor * w[e.column + j];
        for (Index i = 0; i < e.rows; ++i) r[e.row + i] -= *a++ * wj;
      }
    }
  };
  subtract(motion_columns_[0], weights.position, layers_.position);
  subtract(motion_columns_[1], weights.constraint, layers_.rows);
  subtract(motion_columns_[2], weights.nonholonomic, layers_.rows);
}

// --- initialization ---

Vector BlockKkt::project(In r, const std::vector<bool>& held) const {
  // [I Aᵀ; A −E] (δ, λ) = (0, r − A δ) until nothing is left that can be removed: the proximal
  // iteration for the smallest least-squares solution of A δ = r.
  if (!projection_) projection_ = std::make_unique<Constraints>(pattern_);
  Constraints& c = *projection_;
  const Index n = system_.sizes().n;
  c.set_rows(pattern_, layers_.value, n, r.size(), held, regularization);
  if (c.rows != r.size() || c.held != held) c.lu.reset();
  c.rows = r.size();
  c.held = held;
  Vector delta = Vector::Zero(c.pattern.unknown_count());
  if (!c.factor()) return delta.head(n);

  double left = r.norm();
  for (int step = 0; step < proximal_steps && left > 0; ++step) {
    c.multiply(true, delta, c.rest);
    c.rhs.setZero();
    c.rhs.segment(n, r.size()) = r - c.rest.segment(n, r.size());
    const double before = left;
    left = c.rhs.norm();
    if (step > 0 && (left <= 1e-15 * r.norm() || left > 0.5 * before)) break;
    c.lu->solve(c.rhs);
    delta.head(n) += c.rhs.head(n);
  }
  return delta.head(n);
}

std::vector<Redundancy> BlockKkt::find_redundant() const {
  // [I Cᵀ; C 0] has the kernel (0, κ) with Cᵀκ = 0.
  std::vector<Redundancy> found;
  const Index n = system_.sizes().n;
  if (system_.sizes().mu() == 0) return found;
  Constraints c(pattern_);
  c.set_rows(pattern_, layers_.value, n, system_.sizes().mu(), {}, 0);
  c.scale.setZero();
  c.order();
  if (!c.lu->factor(c.values, MissingPivots::drop_all)) return found;
  for (const Index unknown : c.lu->dropped_columns()) {
    found.push_back({unknown - n, {}});
    if (found.size() > redundant_named) continue;
    Vector kernel = Vector::Zero(c.rhs.size());
    kernel[unknown] = 1;
    c.multiply(false, kernel, c.rhs);
    c.rhs *= -1;
    c.lu->solve(c.rhs);
    for (Index i = n; i < c.rhs.size(); ++i)
      if (std::abs(c.rhs[i]) > 1e-6) found.back().of.push_back(i - n);
  }
  return found;
}

Index BlockKkt::undetermined_unknown() const {
  const BlockElimination elimination(pattern_, layers_.value);
  BlockLu lu(elimination);
  Vector kernel = Vector::Zero(pattern_.unknown_count());
  if (!lu.factor(layers_.value, MissingPivots::drop_all)) return 0;
  const auto dropped = lu.dropped_columns();
  const Sizes& size = system_.sizes();
  const auto is_multiplier = [&](Index i) { return i >= size.n && i < size.n + size.mu(); };
  if (dropped.empty()) {
    // Not quite singular: inverse iteration.
    kernel.setOnes();
    for (int step = 0; step < 3; ++step) {
      lu.solve(kernel);
      kernel.normalize();
    }
    Index largest = 0;
    kernel.cwiseAbs().maxCoeff(&largest);
    return largest;
  }
  const auto first = std::find_if_not(dropped.begin(), dropped.end(), is_multiplier);
  const Index free = first != dropped.end() ? *first : dropped.front();
  Vector unit = Vector::Zero(kernel.size());
  unit[free] = 1;
  pattern_.multiply(layers_.value, unit, kernel);
  kernel *= -1;
  lu.solve(kernel);
  kernel[free] = 1;
  // Accelerations, multipliers and rates have units of their own: the largest of the same sort.
  const auto sort = [&](Index i) { return i < size.n ? 0 : is_multiplier(i) ? 1 : 2; };
  Index largest = free;
  for (Index i = 0; i < kernel.size(); ++i)
    if (sort(i) == sort(free) && std::abs(kernel[i]) > (1 + 1e-9) * std::abs(kernel[largest]))
      largest = i;
  return largest;
}

// --- redundant constraints ---

void BlockKkt::set_redundant(bool redundant) {
  if (redundant != redundant_) mass_is_current_ = false;
  redundant_ = redundant;
  if (redundant && !distribution_) {
    distribution_ = std::make_unique<Constraints>(pattern_);
    distribution_->set_forces(pattern_, layers_.value);
    distribution_->order();
    elsewhere_ = layers_;
  }
}

void BlockKkt::smallest_multipliers(Vector& mu) {
  // [D F; Fᵀ −I] (w, δμ) = (F (μ₀ − μ), 0) from μ = 0, so that μ = Fᵀ Σ w.
  if (!distribution_) return;
  for (Vector* layer :
       {&elsewhere_.value, &elsewhere_.velocity, &elsewhere_.position, &elsewhere_.rows})
    layer->setZero();
  system_.derivatives(0, elsewhere_);
  Constraints& c = *distribution_;
  c.set_forces(pattern_, elsewhere_.value);
  if (!c.factor()) return;
  c.size.setZero();
  c.size.tail(mu.size()) = mu;
  mu.setZero();
  double left = 0;
  double first = 0;
  for (int step = 0; step < proximal_steps; ++step) {
    c.multiply(false, c.size, c.rhs);
    const double before = left;
    left = c.rhs.norm();
    if (step == 0) first = left;
    if (left <= 1e-15 * first || (step > 0 && left > 0.5 * before)) break;
    c.rhs.tail(mu.size()).setZero();
    c.lu->solve(c.rhs);
    mu += c.rhs.tail(mu.size());
    c.size.tail(mu.size()) -= c.rhs.tail(mu.size());
  }
}

}  // namespace mechfmu
