#include "solver/block_kkt.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "solver/block_ordering.h"
#include "solver/stamp.h"

namespace mechfmu {

namespace {

constexpr double small_pivot = 1e-4;   // below it, the backward error is computed …
constexpr double large_error = 1e-11;  // … and if that is above this number, solutions are refined
// With redundant constraints, a small pivot may belong to rows that others could replace by now.
// Another order is sought if pivots have become worse by this factor since the best pivots of the
// present one: not in every step.
constexpr double worse = 10;
// Factors may grow by this factor due to new blocks before another order of elimination is sought:
// that takes as long as some ten factorizations.
constexpr double outgrown = 1.3;
// Up to this number of nodes with blocks that come and go, memory for all of these blocks is
// reserved at initialization: in the worst case a full matrix, some ten megabytes.
constexpr Index most_with_room = 200;

/// max_i |b − A x|_i / (|A| |x| + |b|)_i: the smallest relative change of A and b that makes x
/// exact. Overwrites b.
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

/// Mean number of velocities of a body.
double mean_size_of_motion(const BlockPattern& pattern) {
  double sum = 0;
  double count = 0;
  for (Index v = 0; v < pattern.node_count(); ++v)
    if (pattern.node(v).kind == NodeKind::motion) {
      sum += static_cast<double>(pattern.node(v).size);
      ++count;
    }
  return count > 0 ? sum / count : 0;
}

double renewal_at_node_size(double size) {
  constexpr double in_plane = 3;
  constexpr double in_space = 8;
  return in_plane + (in_space - in_plane) * std::clamp((size - 3) / 3, 0.0, 1.0);
}

void set_zero(BlockLayers& layers) {
  for (Vector* layer : {&layers.value, &layers.velocity, &layers.position, &layers.rows})
    layer->setZero();
}

bool is_set(const std::vector<std::int32_t>& order) { return !order.empty() && order[0] != 0; }

}  // namespace

BlockKkt::BlockKkt(System& system)
    : system_(system), pattern_(*system.pattern()), passing_(system.passing()) {
  if (pattern_.unknown_count() != system.sizes().kkt())
    throw std::invalid_argument("BlockKkt: the pattern has " +
                                std::to_string(pattern_.unknown_count()) +
                                " unknowns, the system " + std::to_string(system.sizes().kkt()));
  layers_ = pattern_.make_layers();
  newton_values_ = Vector::Zero(pattern_.value_count());
  given_ = residual_ = size_ = Vector::Zero(pattern_.unknown_count());
  orders_.resize(system.sizes());
  cost_of_renewal_ = renewal_at_node_size(mean_size_of_motion(pattern_));
  if (passing_ != nullptr) {
    absent_.assign(ix(pattern_.block_count()), 0);
    for (const Index id : passing_->blocks) absent_[ix(id)] = 1;
    not_of_mass_ = absent_;
    std::vector<char> touched(ix(pattern_.node_count()), 0);
    for (const Index id : passing_->blocks)
      touched[ix(pattern_.at(id).row)] = touched[ix(pattern_.at(id).column)] = 1;
    has_room_ = std::count(touched.begin(), touched.end(), 1) <= most_with_room;
    for (std::vector<Entry>* list : {&value_, &position_, &holonomic_, &nonholonomic_, &velocity_})
      list->reserve(ix(pattern_.block_count()));
    for (std::vector<Range>& ranges : there_) ranges.reserve(ix(pattern_.block_count()));
    present_.assign(passing_->blocks.size(), 0);
  }
  list_entries();
}

void BlockKkt::list_entries() {
  for (std::vector<Entry>* list : {&value_, &position_, &holonomic_, &nonholonomic_, &velocity_})
    list->clear();
  for (std::vector<Range>& ranges : there_) ranges.clear();
  for (Index id = 0; id < pattern_.block_count(); ++id) {
    if (!absent_.empty() && absent_[ix(id)] != 0) continue;
    const Index count = pattern_.rows(id) * pattern_.columns(id);
    for (std::size_t l = 0; l < there_.size(); ++l) {
      std::vector<Range>& ranges = there_[l];
      const Index first = pattern_.offset(id, 1U << l);
      if (first < 0) continue;
      if (!ranges.empty() && ranges.back().first + ranges.back().count == first)
        ranges.back().count += count;
      else
        ranges.push_back({first, count});
    }
    const auto& row = pattern_.node(pattern_.at(id).row);
    const auto& column = pattern_.node(pattern_.at(id).column);
    Entry entry;
    entry.row = static_cast<int>(row.first);
    entry.column = static_cast<int>(column.first);
    entry.rows = static_cast<int>(row.size);
    entry.columns = static_cast<int>(column.size);
    if (entry.rows <= kernels::largest && entry.columns <= kernels::largest)
      entry.subtract = kernels::tables.scaled[entry.rows - 1][entry.columns - 1];
    const auto note = [&](std::vector<Entry>& entries, unsigned which) {
      entry.offset = static_cast<int>(pattern_.offset(id, which));
      if (entry.offset >= 0) entries.push_back(entry);
    };
    note(value_, layer::value);
    if (!is_constraint(row.kind)) note(velocity_, layer::velocity);
    if (column.kind != NodeKind::motion) continue;
    switch (row.kind) {
      case NodeKind::holonomic: note(holonomic_, layer::rows); break;
      case NodeKind::nonholonomic: note(nonholonomic_, layer::rows); break;
      default: note(position_, layer::position);
    }
  }
}

BlockKkt::~BlockKkt() = default;

void BlockKkt::evaluate(double kappa) {
  clear_layers();
  system_.derivatives(kappa, layers_);
  holds_ = Holds::derivatives;
  if (passing_ != nullptr) notice_blocks();
}

/// Updates the set of present blocks.
void BlockKkt::notice_blocks() {
  if (passing_->present == present_) return;
  present_ = passing_->present;
  for (std::size_t i = 0; i < present_.size(); ++i)
    absent_[ix(passing_->blocks[i])] = present_[i] != 0 ? 0 : 1;
  list_entries();
  newton_is_stale_ = true;
}

/// Makes the program of the Newton matrix for the present blocks.
void BlockKkt::renew_newton_program() {
  newton_is_stale_ = false;
  if (passing_ == nullptr || !newton_.lu) return;
  changing_->make(pattern_, orders_.newton, absent_, room_);
  newton_.lu->fit();
  newton_.lu->leave_out(orders_.left_out);
}

/// Sets the layers to zero; the numbers of absent blocks are zero already.
void BlockKkt::clear_layers() {
  Vector* const layers[] = {&layers_.value, &layers_.velocity, &layers_.position, &layers_.rows};
  for (std::size_t l = 0; l < there_.size(); ++l)
    for (const Range& range : there_[l]) layers[l]->segment(range.first, range.count).setZero();
}

bool BlockKkt::finite() const {
  // A sum is not finite if one of its terms is not; otherwise the sum overflowed.
  const auto all_finite = [](const auto& v) { return std::isfinite(v.sum()) || v.allFinite(); };
  const Vector* const layers[] = {&layers_.value, &layers_.velocity, &layers_.position,
                                  &layers_.rows};
  for (std::size_t l = 0; l < there_.size(); ++l)
    for (const Range& range : there_[l])
      if (!all_finite(layers[l]->segment(range.first, range.count))) return false;
  return true;
}

// --- orders of elimination ---

void BlockKkt::Factors::use(std::shared_ptr<const BlockElimination> order,
                            const std::vector<std::int32_t>& left_out) {
  if (elimination != order || !lu) {
    lu.reset();
    elimination = std::move(order);
    if (elimination) lu = std::make_unique<BlockLu>(*elimination);
  }
  if (lu) lu->leave_out(left_out);
}

void BlockKkt::note_order(std::vector<std::int32_t>& to, const std::vector<std::int32_t>& nodes) {
  std::fill(std::copy(nodes.begin(), nodes.end(), to.begin()), to.end(), 0);
  stamp_orders();
}

void BlockKkt::stamp_orders() {
  order_stamp_ = 0;
  if (!is_set(orders_.mass)) return;
  Stamp stamp;
  for (const auto* order : {&orders_.mass, &orders_.newton, &orders_.left_out,
                            &orders_.forces.nodes, &orders_.forces.left_out})
    for (const std::int32_t node : *order)
      stamp.add(std::uint64_t{static_cast<std::uint32_t>(node)});
  stamp.add(orders_.best_pivot);
  stamp.add(orders_.newton_numbers);
  order_stamp_ = stamp.value();
}

void BlockKkt::note_best_pivot(double pivot) {
  orders_.best_pivot = pivot;
  stamp_orders();
}

std::shared_ptr<const BlockElimination> BlockKkt::mass_program(
    const std::vector<std::int32_t>& order) const {
  return std::make_shared<const BlockElimination>(pattern_, order, not_of_mass_);
}
/// The program with all blocks, if there is memory for them; renewing it selects the present ones.
std::shared_ptr<BlockElimination> BlockKkt::newton_program(const std::vector<std::int32_t>& order) {
  auto made = std::make_shared<BlockElimination>();
  if (has_room_) made->reserve_runs(pattern_);
  made->make(pattern_, order, has_room_ ? std::vector<char>{} : absent_, room_);
  // If two lists are joined, each of them is a part of the result.
  if (has_room_)
    for (std::vector<int>& list : room_.later) list.reserve(2 * list.size());
  return made;
}

void BlockKkt::use_newton_program(std::shared_ptr<BlockElimination> program) {
  changing_ = std::move(program);
  newton_.use(changing_, orders_.left_out);
  newton_is_stale_ = true;
}

void BlockKkt::newton_order_from_mass() {
  if (passing_ == nullptr) {
    newton_.use(mass_.elimination, orders_.left_out);
  } else {
    use_newton_program(newton_program(orders_.mass));
    orders_.newton_numbers = mass_.elimination->factor_count;
  }
  note_order(orders_.newton, orders_.mass);
}

bool BlockKkt::has_outgrown_its_order() const {
  return passing_ != nullptr &&
         newton_.elimination->factor_count > outgrown * orders_.newton_numbers;
}

/// Finds an order from the present derivatives. False: the position is singular, and the order is
/// unchanged.
bool BlockKkt::find_mass_order() {
  const BlockOrder order = find_order(pattern_, layers_.value, {}, not_of_mass_);
  // Constraints that depend on each other only at a singular position are not left out: away from
  // it, nothing would enforce them.
  const auto marked = std::count(orders_.left_out.begin(), orders_.left_out.end(), 1);
  if (redundant_ && mass_.lu && static_cast<std::ptrdiff_t>(order.redundant.size()) > marked)
    return false;
  ++searches_;
  std::fill(orders_.left_out.begin(), orders_.left_out.end(), 0);
  if (redundant_)
    for (const Index unknown : order.redundant) orders_.left_out[ix(unknown)] = 1;
  mass_.use(mass_program(order.nodes), orders_.left_out);
  note_order(orders_.mass, order.nodes);
  if (redundant_ || !newton_.lu) newton_order_from_mass();
  return true;
}

/// Changes the numbers of a matrix in the same way as BlockLu.
void BlockKkt::mask(Vector& values) const {
  const auto& out = orders_.left_out;
  for (Index id = 0; id < pattern_.block_count(); ++id) {
    const auto& row = pattern_.node(pattern_.at(id).row);
    const auto& column = pattern_.node(pattern_.at(id).column);
    auto A = pattern_.map(values, id);
    for (Index i = 0; i < row.size; ++i)
      if (out[ix(row.first + i)] != 0) A.row(i).setZero();
    for (Index j = 0; j < column.size; ++j) {
      if (out[ix(column.first + j)] == 0) continue;
      A.col(j).setZero();
      if (&row == &column) A(j, j) = 1;
    }
  }
}

void BlockKkt::find_newton_order() {
  fill(newton_values_);
  mask(newton_values_);
  const BlockOrder order = find_order(pattern_, newton_values_, {}, absent_);
  use_newton_program(newton_program(order.nodes));
  note_order(orders_.newton, order.nodes);
  renew_newton_program();
  if (passing_ != nullptr) orders_.newton_numbers = newton_.elimination->factor_count;
  stamp_orders();
}

void BlockKkt::set_orders(const KktOrders& orders) {
  // All checks precede the change.
  if (is_set(orders.mass) != is_set(orders.newton))
    throw std::invalid_argument("BlockKkt: one of the two matrices has no order");
  const auto mass = orders.mass == orders_.mass ? mass_.elimination
                    : is_set(orders.mass)       ? mass_program(orders.mass)
                                                : nullptr;
  const bool shared = orders.newton == orders.mass && passing_ == nullptr;
  const auto newton = shared ? nullptr
                      : orders.newton == orders_.newton && newton_.elimination == changing_
                          ? changing_
                      : is_set(orders.newton) ? newton_program(orders.newton)
                                              : nullptr;
  if (is_set(orders.forces.nodes) && orders.forces != orders_.forces)
    distribution().use_order_of_forces(orders.forces);
  orders_.left_out = orders.left_out;
  mass_.use(mass, orders.left_out);
  if (shared)
    newton_.use(mass, orders.left_out);
  else
    use_newton_program(newton);
  orders_.mass = orders.mass;
  orders_.newton = orders.newton;
  orders_.best_pivot = orders.best_pivot;
  orders_.newton_numbers = orders.newton_numbers;
  orders_.forces = orders.forces;
  stamp_orders();
  holds_ = std::min(holds_, Holds::derivatives);
}

// --- factorizations ---

void BlockKkt::factored(bool mass, bool newton) {
  holds_ = mass && newton ? Holds::both
           : mass         ? Holds::mass
           : newton       ? Holds::newton
                          : Holds::derivatives;
}

/// Whether the order of the mass KKT matrix just factored leaves poor pivots that another order may
/// avoid.
bool BlockKkt::has_become_worse() {
  if (!redundant_) return false;
  const double pivot = mass_.lu->smallest_pivot();
  if (pivot > worse * orders_.best_pivot) note_best_pivot(pivot);
  return pivot < small_pivot && worse * pivot < orders_.best_pivot;
}

bool BlockKkt::factor_mass() {
  assert(holds_ != Holds::nothing);
  const int before = searches_;
  bool done = mass_.lu && mass_.lu->factor(layers_.value);
  if (!done || has_become_worse()) {
    if (find_mass_order()) done = mass_.lu->factor(layers_.value);
    if (done && redundant_) note_best_pivot(mass_.lu->smallest_pivot());
  }
  if (redundant_ && !is_set(orders_.forces.nodes)) {
    const ForcesOrder order = distribution().find_order_of_forces(layers_.value);
    distribution().use_order_of_forces(order);
    orders_.forces.left_out = order.left_out;
    note_order(orders_.forces.nodes, order.nodes);
  }
  factored(done, holds_newton() && searches_ == before);
  if (done) decide_refinement(mass_, layers_.value);
  return done;
}

bool BlockKkt::factor_newton(const NewtonWeights& weights) {
  assert(holds_ != Holds::nothing);
  weights_ = weights;
  // The mass KKT matrix determines the rows, and the order if there is none yet.
  if ((redundant_ && !holds_mass()) || !mass_.lu) {
    const bool mass = factor_mass();
    if (redundant_ && !mass) return false;
  }
  if (newton_is_stale_) renew_newton_program();
  if (has_outgrown_its_order()) find_newton_order();
  const auto factor = [&] {
    load_newton();
    return newton_.lu->factor();
  };
  bool done = factor();
  if (!done) {
    find_newton_order();
    done = factor();
  }
  factored(holds_mass(), done);
  if (done && newton_.lu->smallest_pivot() <= small_pivot) fill(newton_values_);
  if (done) decide_refinement(newton_, newton_values_);
  return done;
}

/// Loads the numbers of the Newton KKT matrix directly into the factors.
void BlockKkt::load_newton() {
  BlockLu& lu = *newton_.lu;
  const BlockElimination& e = *newton_.elimination;
  lu.load(layers_.value);
  lu.add(e.velocity, weights_.velocity, layers_.velocity);
  lu.add(e.position, weights_.position, layers_.position);
  lu.add(e.holonomic_rows, weights_.constraint, layers_.rows);
  lu.add(e.nonholonomic_rows, weights_.nonholonomic, layers_.rows);
}

/// Computes all numbers of the Newton KKT matrix in the layout of the pattern.
void BlockKkt::fill(Vector& values) const {
  values = layers_.value;
  for (Index id = 0; id < pattern_.block_count(); ++id) {
    const bool of_k = pattern_.node(pattern_.at(id).row).kind == NodeKind::nonholonomic;
    const auto add = [&](unsigned which, double weight, const Vector& layer) {
      const Index from = pattern_.offset(id, which);
      if (from < 0 || weight == 0) return;
      const Index count = pattern_.rows(id) * pattern_.columns(id);
      values.segment(pattern_.offset(id), count) += weight * layer.segment(from, count);
    };
    add(layer::velocity, weights_.velocity, layers_.velocity);
    add(layer::position, weights_.position, layers_.position);
    add(layer::rows, of_k ? weights_.nonholonomic : weights_.constraint, layers_.rows);
  }
}

Vector BlockKkt::newton_values() const {
  Vector values;
  fill(values);
  return values;
}

/// Small pivots need not be harmful; if they may be, the solution of a test system decides.
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

void BlockKkt::solve_mass(Vector& r) {
  assert(holds_mass());
  solve(mass_, layers_.value, r);
}
void BlockKkt::solve_newton(Vector& r) {
  assert(holds_newton());
  solve(newton_, newton_values_, r);
}

/// y −= factor A x with the blocks of a layer.
void BlockKkt::subtract(const std::vector<Entry>& entries, const Vector& layer, double factor, In x,
                        Vector& y) {
  if (factor == 0) return;
  for (const Entry& e : entries) {
    const double* a = layer.data() + e.offset;
    const double* from = x.data() + e.column;
    double* to = y.data() + e.row;
    if (e.subtract != nullptr) {
      e.subtract(a, factor, from, to);
      continue;
    }
    for (int j = 0; j < e.columns; ++j) {
      const double xj = factor * from[j];
      for (int i = 0; i < e.rows; ++i) to[i] -= *a++ * xj;
    }
  }
}

void BlockKkt::subtract_tilde(In w, Vector& r) const {
  assert(holds_ != Holds::nothing);
  subtract(position_, layers_.position, weights_.position, w, r);
  subtract(holonomic_, layers_.rows, weights_.constraint, w, r);
  subtract(nonholonomic_, layers_.rows, weights_.nonholonomic, w, r);
}

void BlockKkt::add_change(const Change& along, Vector& r) const {
  assert(holds_ != Holds::nothing);
  Vector rates(r.size());
  rates << along.z, Vector::Zero(along.mu.size()), along.x;
  subtract(position_, layers_.position, -1, along.y, r);
  subtract(velocity_, layers_.velocity, -1, rates, r);
}

void BlockKkt::multiply_mass(In v, Vector& r) const {
  assert(holds_ != Holds::nothing);
  r.setZero();
  subtract(value_, layers_.value, -1, v, r);
}

void BlockKkt::subtract_rates_of(In jump, Vector& r) const {
  assert(holds_ != Holds::nothing);
  subtract(velocity_, layers_.velocity, 1, jump, r);
  subtract(holonomic_, layers_.rows, 3, jump, r);
  subtract(nonholonomic_, layers_.rows, 1, jump, r);
}

// --- initialization ---

Vector BlockKkt::project(In r, const std::vector<bool>& held) const {
  assert(holds_ != Holds::nothing);
  if (!projection_) projection_ = std::make_unique<BlockConstraints>(pattern_, system_.sizes().n);
  return projection_->project(layers_.value, r, held);
}

std::vector<Redundancy> BlockKkt::find_redundant() const {
  assert(holds_ != Holds::nothing);
  if (system_.sizes().mu() == 0) return {};
  return BlockConstraints(pattern_, system_.sizes().n).find_redundant(layers_.value);
}

Index BlockKkt::undetermined_unknown() const {
  assert(holds_ != Holds::nothing);
  const BlockElimination elimination(pattern_, find_order(pattern_, layers_.value).nodes);
  BlockLu lu(elimination);
  Vector kernel = Vector::Zero(pattern_.unknown_count());
  if (!lu.factor(layers_.value, MissingPivots::drop)) return 0;
  const auto dropped = lu.dropped_columns();
  const Sizes& size = system_.sizes();
  const auto is_multiplier = [&](Index i) { return i >= size.n && i < size.n + size.mu(); };
  if (dropped.empty()) {
    // Nearly singular: inverse iteration.
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
  // Accelerations, multipliers and rates have different units: the largest of the same kind.
  const auto sort = [&](Index i) { return i < size.n ? 0 : is_multiplier(i) ? 1 : 2; };
  Index largest = free;
  for (Index i = 0; i < kernel.size(); ++i)
    if (sort(i) == sort(free) && std::abs(kernel[i]) > (1 + 1e-9) * std::abs(kernel[largest]))
      largest = i;
  return largest;
}

// --- redundant constraints ---

void BlockKkt::set_redundant(bool redundant) {
  projection_.reset();  // an initialization begins or ends: the next one must not depend on it
  if (redundant != redundant_) holds_ = std::min(holds_, Holds::derivatives);
  redundant_ = redundant;
}

BlockConstraints& BlockKkt::distribution() {
  if (!distribution_) {
    distribution_ = std::make_unique<BlockConstraints>(pattern_, system_.sizes().n);
    elsewhere_ = pattern_.make_layers();
  }
  return *distribution_;
}

void BlockKkt::smallest_multipliers(Vector& mu) {
  if (!redundant_ || !is_set(orders_.forces.nodes)) return;
  set_zero(elsewhere_);
  system_.derivatives(0, elsewhere_);
  distribution_->smallest_multipliers(elsewhere_.value, mu);
}

}  // namespace mechfmu
