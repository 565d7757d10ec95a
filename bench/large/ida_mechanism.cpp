#include "bench/large/ida_mechanism.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>
#include <stdexcept>

namespace mechfmu::bench {

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

namespace {

constexpr double loose = 1e20;  // tolerance of components without effect
constexpr double rounding =
    1e-13;  // bound of zeros after rounding, relative to the largest number of a block

void check(int flag, const char* what) {
  if (flag < 0)
    throw std::runtime_error(std::string(what) + " of IDA failed: " + IDAGetReturnFlagName(flag));
}

double* data(N_Vector v) { return N_VGetArrayPointer(v); }

/// The linear solver of SUNDIALS with a clock around it.
struct Timed {
  int (*setup)(SUNLinearSolver, SUNMatrix) = nullptr;
  int (*solve)(SUNLinearSolver, SUNMatrix, N_Vector, N_Vector, realtype) = nullptr;
  double in_setup = 0, in_solve = 0;
  long repeated = 0;
} timed;  // NOLINT: its callbacks have no user data

int timed_setup(SUNLinearSolver S, SUNMatrix A) {
  const double begin = processor_time();
  int flag = timed.setup(S, A);
  if (flag != 0) {  // the old order of pivots does not suit the new numbers
    SUNLinSol_KLUReInit(S, A, SUNSparseMatrix_NNZ(A), SUNKLU_REINIT_PARTIAL);
    flag = timed.setup(S, A);
    ++timed.repeated;
  }
  timed.in_setup += processor_time() - begin;
  return flag;
}

int timed_solve(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b, realtype tolerance) {
  const double begin = processor_time();
  const int flag = timed.solve(S, A, x, b, tolerance);
  timed.in_solve += processor_time() - begin;
  return flag;
}

/// ½ q ∘ (0, W).
void rate_of(const double* q, const double* W, double* rate) {
  rate[0] = (-q[1] * W[0] - q[2] * W[1] - q[3] * W[2]) / 2;
  rate[1] = (q[0] * W[0] + q[2] * W[2] - q[3] * W[1]) / 2;
  rate[2] = (q[0] * W[1] + q[3] * W[0] - q[1] * W[2]) / 2;
  rate[3] = (q[0] * W[2] + q[1] * W[1] - q[2] * W[0]) / 2;
}

/// N of a quaternion, 4 × 3: ½ q ∘ (0, e_k).
void map_of(const double* q, double N[4][3]) {
  for (int k = 0; k < 3; ++k) {
    double W[3] = {0, 0, 0};
    double rate[4];
    W[k] = 1;
    rate_of(q, W, rate);
    for (int i = 0; i < 4; ++i) N[i][k] = rate[i];
  }
}

}  // namespace

IdaMechanism::IdaMechanism(mechanics::MechanismSystem& system, const IdaOptions& options)
    : system_(system),
      options_(options),
      s_(system.sizes()),
      pattern_(*static_cast<const System&>(system).pattern()) {
  if (s_.x > 0) throw std::runtime_error("first-order states are not known to this comparison");
  if (system.layout().forces_follow_reactions)
    throw std::runtime_error("forces that depend on reactions are not known to this comparison");
  find_positions();
  nu_ = s_.y;
  z_ = nu_ + static_cast<Index>(quaternions_.size());
  mu_ = z_ + s_.n;
  eta_ = mu_ + s_.mu();
  size_ = eta_ + (options_.index == 2 ? s_.m : 0);

  p_.resize(s_);
  values_.resize(s_);
  mass_ = Vector::Zero(s_.mass);
  Ma_ = f_difference_ = Vector::Zero(s_.n);
  mu_tilde_ = Vector::Zero(s_.mu());
  k_tilde_ = Vector::Zero(s_.k);
  layers_ = pattern_.make_layers();
  memory_ = memory_before_ = Vector::Zero(s_.memory);
  absent_.assign(ix(pattern_.block_count()), 0);
  make_solver();
}

IdaMechanism::~IdaMechanism() {
  IDAFree(&ida_);
  SUNLinSolFree(linear_);
  SUNMatDestroy(matrix_);
  for (N_Vector vector : {Y_, Yp_, tolerances_, at_}) N_VDestroy(vector);
  SUNContext_Free(&context_);
}

void IdaMechanism::find_positions() {
  const mechanics::Layout& layout = system_.layout();
  std::vector<Index> y_of(ix(s_.n), -1);
  std::vector<int> quaternion_of(ix(s_.n), -1);
  for (const mechanics::BodyPlace& body : layout.bodies) {
    if (body.ground()) continue;
    const mechanics::Freedom& f = body.freedom;
    const auto pair = [&](Index z, Index y) { y_of[ix(z)] = y; };
    for (int i = 0; i < f.translations; ++i) pair(body.z + i, body.y + i);
    if (f.in_plane() && f.turns()) pair(body.z + 2, body.y + 2);
    if (!f.in_plane() && f.turns()) {
      for (int k = 0; k < f.turning; ++k)
        quaternion_of[ix(body.z + 3 + k)] = static_cast<int>(quaternions_.size());
      quaternions_.push_back({body.y + 3, body.z + 3, f.turning});
      if (f.spins()) pair(body.z + 5, body.y + 7);
    }
    for (int k = 0; k < body.modes; ++k) pair(body.q_rate() + k, body.q() + k);
  }
  for (Index i = 0; i < s_.n; ++i)
    if (y_of[ix(i)] >= 0) {
      simple_z_.push_back(i);
      simple_y_.push_back(y_of[ix(i)]);
    } else if (quaternion_of[ix(i)] < 0) {
      throw std::runtime_error("velocity '" + system_.coordinate_name(i) + "' moves no position");
    }

  columns_.resize(ix(pattern_.node_count()));
  for (Index node = 0; node < pattern_.node_count(); ++node) {
    const BlockPattern::Node& n = pattern_.node(node);
    if (n.kind != NodeKind::motion) continue;
    Columns& c = columns_[ix(node)];
    for (Index k = 0; k < n.size; ++k) {
      const Index z = n.first + k;
      if (const int quaternion = quaternion_of[ix(z)]; quaternion >= 0) {
        if (c.quaternion == quaternion) continue;
        c.quaternion = quaternion;
        c.q_in_z = k;
        c.q_in_y = static_cast<Index>(c.y.size());
        for (int i = 0; i < 4; ++i) c.y.push_back(quaternions_[ix(quaternion)].y + i);
      } else {
        c.first.push_back(k);
        c.with.push_back(static_cast<Index>(c.y.size()));
        c.y.push_back(y_of[ix(z)]);
      }
    }
  }
}

void IdaMechanism::make_solver() {
#if SUNDIALS_VERSION_MAJOR >= 7
  check(SUNContext_Create(SUN_COMM_NULL, &context_), "SUNContext_Create");
#else
  check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
#endif
  Y_ = N_VNew_Serial(size_, context_);
  Yp_ = N_VClone(Y_);
  at_ = N_VClone(Y_);
  tolerances_ = N_VClone(Y_);

  Vector scale(s_.n);
  Vector none(s_.x);
  system_.scales(scale, none);
  N_VConst(loose, tolerances_);
  double* tolerance = data(tolerances_);
  for (std::size_t i = 0; i < simple_y_.size(); ++i)
    tolerance[simple_y_[i]] = options_.tolerance * scale[simple_z_[i]];
  for (const Quaternion& q : quaternions_)
    for (int i = 0; i < 4; ++i) tolerance[q.y + i] = options_.tolerance * scale[q.z] / 2;
  for (Index i = 0; i < s_.n; ++i)
    tolerance[z_ + i] = options_.velocity_weight * options_.tolerance * scale[i];
}

void IdaMechanism::start(const Point& p) {
  N_VConst(0, Y_);
  N_VConst(0, Yp_);
  double* Y = data(Y_);
  double* Yp = data(Yp_);
  std::copy_n(p.y.data(), s_.y, Y);
  std::copy_n(p.z.data(), s_.n, Y + z_);
  std::copy_n(p.mu.data(), s_.mu(), Y + mu_);
  std::copy_n(p.a.data(), s_.n, Yp + z_);
  for (std::size_t i = 0; i < simple_y_.size(); ++i) Yp[simple_y_[i]] = p.z[simple_z_[i]];
  for (const Quaternion& q : quaternions_) {
    double W[3] = {0, 0, 0};
    for (int k = 0; k < q.axes; ++k) W[k] = p.z[q.z + k];
    rate_of(Y + q.y, W, Yp + q.y);
  }
  memory_ = memory_before_ = p.memory;
  reached_ = p.t;
  if (started_) {
    collect_counts();
    ++counts_.restarts;
    check(IDAReInit(ida_, p.t, Y_, Yp_), "IDAReInit");
    return;
  }

  started_ = true;
  ida_ = IDACreate(context_);
  const auto residual_of = [](double t, N_Vector y, N_Vector yp, N_Vector r, void* user) {
    return static_cast<IdaMechanism*>(user)->residual(t, data(y), data(yp), data(r));
  };
  const auto jacobian_of = [](double t, double cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J,
                              void* user, N_Vector, N_Vector, N_Vector) {
    return static_cast<IdaMechanism*>(user)->jacobian(t, cj, data(y), data(yp), J);
  };
  check(IDAInit(ida_, residual_of, p.t, Y_, Yp_), "IDAInit");
  check(IDASVtolerances(ida_, 0, tolerances_), "IDASVtolerances");
  check(IDASetUserData(ida_, this), "IDASetUserData");
  check(IDASetMaxOrd(ida_, options_.order), "IDASetMaxOrd");
  check(IDASetMaxNumSteps(ida_, -1), "IDASetMaxNumSteps");

  // The pattern at t = 0.
  move(p.t, Y, Yp);
  number_entries();
  matrix_ = SUNSparseMatrix(size_, size_, size_, CSC_MAT, context_);
  jacobian(p.t, 1e3, Y, Yp, matrix_);
  linear_ = SUNLinSol_KLU(Y_, matrix_, context_);
  if (linear_ == nullptr) throw std::runtime_error("SUNLinSol_KLU failed");
  check(SUNLinSol_KLUSetOrdering(linear_, options_.ordering), "SUNLinSol_KLUSetOrdering");
  timed = {linear_->ops->setup, linear_->ops->solve};
  linear_->ops->setup = timed_setup;
  linear_->ops->solve = timed_solve;
  check(IDASetLinearSolver(ida_, linear_, matrix_), "IDASetLinearSolver");
  check(IDASetJacFn(ida_, jacobian_of), "IDASetJacFn");
}

void IdaMechanism::stop_at(double t) { check(IDASetStopTime(ida_, t), "IDASetStopTime"); }

void IdaMechanism::advance(double t) {
  while (reached_ < t) {
    double now = 0;
    const int flag = IDASolve(ida_, t, &now, Y_, Yp_, IDA_ONE_STEP);
    if (flag < 0) {
      double h = 0;
      IDAGetCurrentStep(ida_, &h);
      throw std::runtime_error(std::string("IDA gives up after t = ") + std::to_string(reached_) +
                               " s: " + IDAGetReturnFlagName(flag) + ", step " +
                               std::to_string(1e6 * h) + " µs");
    }
    reached_ = now;
    memory_before_ = memory_;
    if (s_.memory == 0) continue;
    move(now, data(Y_), data(Yp_));
    system_.remember(memory_);
  }
}

void IdaMechanism::look(double t, Point& p) const {
  check(IDAGetDky(ida_, t, 0, at_), "IDAGetDky");
  const double* Y = data(at_);
  p.t = t;
  p.y = Eigen::Map<const Vector>(Y, s_.y);
  p.z = Eigen::Map<const Vector>(Y + z_, s_.n);
  for (const Quaternion& q : quaternions_) p.y.segment(q.y, 4).normalize();
  p.memory = t < reached_ ? memory_before_ : memory_;
}

void IdaMechanism::move(double t, const double* Y, const double* Yp) {
  p_.t = t;
  std::copy_n(Y, s_.y, p_.y.data());
  std::copy_n(Y + z_, s_.n, p_.z.data());
  std::copy_n(Y + mu_, s_.mu(), p_.mu.data());
  std::copy_n(Yp + z_, s_.n, p_.a.data());
  p_.memory = memory_;
  system_.at(p_);
}

int IdaMechanism::residual(double t, const double* Y, const double* Yp, double* r) {
  const double begin = processor_time();
  move(t, Y, Yp);
  system_.values(values_);
  system_.mass(t, p_.y, mass_);
  system_.multiply_mass(mass_, p_.a, Ma_);
  Eigen::Map<Vector>(r + z_, s_.n) = Ma_ - values_.f;
  Eigen::Map<Vector>(r + mu_, s_.m) = values_.position;
  Eigen::Map<Vector>(r + mu_ + s_.m, s_.k) = values_.velocity.tail(s_.k);

  // z + F η
  Vector& v = f_difference_;
  if (options_.index == 2) {
    Eigen::Map<Vector>(r + eta_, s_.m) = values_.velocity.head(s_.m);
    mu_tilde_ = p_.mu;
    mu_tilde_.head(s_.m) += Eigen::Map<const Vector>(Y + eta_, s_.m);
    system_.tilde(p_.z, mu_tilde_, v, k_tilde_);
    v += p_.z;
  } else {
    v = p_.z;
  }
  for (std::size_t i = 0; i < simple_y_.size(); ++i)
    r[simple_y_[i]] = Yp[simple_y_[i]] - v[simple_z_[i]];
  for (std::size_t i = 0; i < quaternions_.size(); ++i) {
    const Quaternion& place = quaternions_[i];
    const double* q = Y + place.y;
    double W[3] = {0, 0, 0};
    double rate[4];
    for (int k = 0; k < place.axes; ++k) W[k] = v[place.z + k];
    rate_of(q, W, rate);
    double square = 0;
    for (int k = 0; k < 4; ++k) {
      r[place.y + k] = Yp[place.y + k] - rate[k] - q[k] * Y[nu_ + static_cast<Index>(i)];
      square += q[k] * q[k];
    }
    r[nu_ + static_cast<Index>(i)] = (square - 1) / 2;
  }
  counts_.in_residuals += processor_time() - begin;
  return Eigen::Map<const Vector>(r, size_).allFinite() ? 0 : 1;
}

/// Entries of a block, by columns, times P: rows first_row …, columns of y.
template <class Emit>
void IdaMechanism::emit_through_P(const double* block, Index rows, Index first_row,
                                  const Columns& columns, Emit&& emit) {
  for (std::size_t k = 0; k < columns.first.size(); ++k)
    for (Index r = 0; r < rows; ++r)
      emit(first_row + r, columns.y[ix(columns.with[k])], block[columns.first[k] * rows + r]);
  if (columns.quaternion < 0) return;
  const Quaternion& place = quaternions_[ix(columns.quaternion)];
  const double* q = p_.y.data() + place.y;
  double N[4][3];
  map_of(q, N);
  // P = 4 Nᵀ for |q| = 1
  for (int i = 0; i < 4; ++i)
    for (Index r = 0; r < rows; ++r) {
      double sum = 0;
      for (int k = 0; k < place.axes; ++k)
        sum += block[(columns.q_in_z + k) * rows + r] * 4 * N[i][k];
      emit(first_row + r, columns.y[ix(columns.q_in_y + i)], sum);
    }
}

template <class Emit>
void IdaMechanism::emit_kinematics(double cj, Emit&& emit) {
  for (std::size_t i = 0; i < simple_y_.size(); ++i) {
    emit(simple_y_[i], simple_y_[i], cj);
    emit(simple_y_[i], z_ + simple_z_[i], -1.0);
  }
  for (std::size_t i = 0; i < quaternions_.size(); ++i) {
    const Quaternion& place = quaternions_[i];
    const double* q = p_.y.data() + place.y;
    double W[3] = {0, 0, 0};
    for (int k = 0; k < place.axes; ++k) W[k] = p_.z[place.z + k];
    double N[4][3];
    map_of(q, N);
    const Index nu = nu_ + static_cast<Index>(i);
    for (int c = 0; c < 4; ++c) {
      double unit[4] = {0, 0, 0, 0};
      double rate[4];
      unit[c] = 1;
      rate_of(unit, W, rate);  // N(q) W is linear in q
      for (int r = 0; r < 4; ++r) emit(place.y + r, place.y + c, (r == c ? cj : 0.0) - rate[r]);
      for (int k = 0; k < place.axes; ++k) emit(place.y + c, z_ + place.z + k, -N[c][k]);
      emit(place.y + c, nu, -q[c]);
      emit(nu, place.y + c, q[c]);
    }
  }
}

template <class Emit>
void IdaMechanism::emit_block(Index id, double cj, Emit&& emit) {
  double N[4][3];
  const BlockPattern::Block& b = pattern_.at(id);
  const BlockPattern::Node& row = pattern_.node(b.row);
  const BlockPattern::Node& column = pattern_.node(b.column);
  const auto numbers = [&](const Vector& layer, unsigned which) -> const double* {
    return (b.layers & which) == 0 ? nullptr
                                   : layer.data() + pattern_.offsets(which, layer.size())[id];
  };
  const double* value = numbers(layers_.value, layer::value);
  if (!is_constraint(row.kind) && !is_constraint(column.kind)) {
    const double* velocity = numbers(layers_.velocity, layer::velocity);
    const double* position = numbers(layers_.position, layer::position);
    for (Index c = 0; c < column.size && (value != nullptr || velocity != nullptr); ++c)
      for (Index r = 0; r < row.size; ++r)
        emit(z_ + row.first + r, z_ + column.first + c,
             (value != nullptr ? cj * value[c * row.size + r] : 0.0) +
                 (velocity != nullptr ? velocity[c * row.size + r] : 0.0));
    if (position != nullptr)
      emit_through_P(position, row.size, z_ + row.first, columns_[ix(b.column)], emit);
  } else if (is_constraint(row.kind) && !is_constraint(column.kind)) {
    const bool holonomic = row.kind == NodeKind::holonomic;
    const double* rows = numbers(layers_.rows, layer::rows);
    const Columns& columns = columns_[ix(b.column)];
    const Index constraint = row.first - s_.n;  // number of its first row in C
    if (holonomic && value != nullptr)
      emit_through_P(value, row.size, mu_ + constraint, columns, emit);
    if (holonomic && options_.index == 3) return;
    const Index first = holonomic ? eta_ + constraint : mu_ + constraint;
    for (Index c = 0; c < column.size && value != nullptr; ++c)
      for (Index r = 0; r < row.size; ++r)
        emit(first + r, z_ + column.first + c, value[c * row.size + r]);
    if (rows != nullptr) emit_through_P(rows, row.size, first, columns, emit);
  } else if (!is_constraint(row.kind) && value != nullptr) {
    const Index constraint = column.first - s_.n;
    const Columns& columns = columns_[ix(b.row)];
    const bool stabilized = options_.index == 2 && column.kind == NodeKind::holonomic;
    for (Index c = 0; c < column.size; ++c) {
      const double* minus_F = value + c * row.size;
      for (Index r = 0; r < row.size; ++r)
        emit(z_ + row.first + r, mu_ + constraint + c, minus_F[r]);
      if (!stabilized) continue;
      for (std::size_t k = 0; k < columns.first.size(); ++k)
        emit(columns.y[ix(columns.with[k])], eta_ + constraint + c, minus_F[columns.first[k]]);
      if (columns.quaternion < 0) continue;
      const Quaternion& place = quaternions_[ix(columns.quaternion)];
      map_of(p_.y.data() + place.y, N);
      for (int i = 0; i < 4; ++i) {
        double sum = 0;
        for (int k = 0; k < place.axes; ++k) sum += N[i][k] * minus_F[columns.q_in_z + k];
        emit(place.y + i, eta_ + constraint + c, sum);
      }
    }
  }
}

/// Visits all blocks once, to number their entries.
void IdaMechanism::number_entries() {
  const auto note = [&](Index row, Index column, double) {
    rows_.push_back(row);
    entry_columns_.push_back(column);
  };
  emit_kinematics(1, note);
  for (Index id = 0; id < pattern_.block_count(); ++id) {
    first_entry_.push_back(rows_.size());
    emit_block(id, 1, note);
  }
  first_entry_.push_back(rows_.size());
  kept_.assign(rows_.size(), 0);
  numbers_.assign(rows_.size(), 0);
}

/// True: other blocks than before.
bool IdaMechanism::note_present() {
  const System::Passing* passing = system_.passing();
  if (passing == nullptr || passing->present == present_) return false;
  present_ = passing->present;
  for (std::size_t i = 0; i < passing->blocks.size(); ++i)
    absent_[ix(passing->blocks[i])] = present_[i] != 0 ? 0 : 1;
  return true;
}

/// Compressed columns of all entries of present blocks that were ever different from zero by more
/// than rounding.
void IdaMechanism::make_pattern() {
  std::vector<std::size_t> order;
  const auto take = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      if (kept_[k] != 0) order.push_back(k);
  };
  take(0, first_entry_[0]);
  for (std::size_t id = 0; id < absent_.size(); ++id)
    if (absent_[id] == 0) take(first_entry_[id], first_entry_[id + 1]);
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return std::pair(entry_columns_[i], rows_[i]) < std::pair(entry_columns_[j], rows_[j]);
  });
  const auto count = [&] { return static_cast<sunindextype>(pattern_rows_.size()); };
  starts_.assign(static_cast<std::size_t>(size_) + 1, 0);
  pattern_rows_.clear();
  slots_.clear();
  std::size_t column = 0;
  for (const std::size_t k : order) {
    while (column < static_cast<std::size_t>(entry_columns_[k])) starts_[++column] = count();
    if (count() == starts_[column] || pattern_rows_.back() != rows_[k])
      pattern_rows_.push_back(rows_[k]);
    slots_.emplace_back(k, count() - 1);
  }
  while (column < static_cast<std::size_t>(size_)) starts_[++column] = count();
  ++counts_.analyses;
}

int IdaMechanism::jacobian(double t, double cj, const double* Y, const double* Yp, SUNMatrix J) {
  const double begin = processor_time();
  move(t, Y, Yp);
  for (Vector* layer : {&layers_.value, &layers_.velocity, &layers_.position, &layers_.rows})
    layer->setZero();
  static_cast<System&>(system_).derivatives(1, layers_);

  bool anew = note_present();
  std::size_t k = 0;
  const auto note = [&](Index, Index, double value) { numbers_[k++] = value; };
  const auto keep = [&](std::size_t begin, std::size_t end) {
    double largest = 0;
    for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::abs(numbers_[i]));
    for (std::size_t i = begin; i < end; ++i)
      if (kept_[i] == 0 && std::abs(numbers_[i]) > rounding * largest) {
        kept_[i] = 1;
        anew = true;
      }
  };
  emit_kinematics(cj, note);
  keep(0, k);
  for (std::size_t id = 0; id < absent_.size(); ++id) {
    if (absent_[id] != 0) continue;
    k = first_entry_[id];
    emit_block(static_cast<Index>(id), cj, note);
    keep(first_entry_[id], first_entry_[id + 1]);
  }
  if (anew) {
    make_pattern();
    check(SUNSparseMatrix_Reallocate(J, entries()), "SUNSparseMatrix_Reallocate");
  }
  // IDA passes an empty matrix.
  std::copy(starts_.begin(), starts_.end(), SUNSparseMatrix_IndexPointers(J));
  std::copy(pattern_rows_.begin(), pattern_rows_.end(), SUNSparseMatrix_IndexValues(J));
  double* values = SUNSparseMatrix_Data(J);
  std::fill_n(values, entries(), 0.0);
  for (const auto& [entry, slot] : slots_) values[slot] += numbers_[entry];
  if (anew && linear_ != nullptr)
    check(SUNLinSol_KLUReInit(linear_, J, entries(), SUNKLU_REINIT_PARTIAL), "SUNLinSol_KLUReInit");
  counts_.in_jacobians += processor_time() - begin;
  return 0;
}

/// IDA resets its counters at IDAReInit.
void IdaMechanism::collect_counts() {
  const auto add = [&](auto getter, long& sum) {
    long value = 0;
    check(getter(ida_, &value), "a counter");
    sum += value;
  };
  add(IDAGetNumSteps, counts_.steps);
  add(IDAGetNumResEvals, counts_.residuals);
  add(IDAGetNumNonlinSolvIters, counts_.iterations);
  add(IDAGetNumJacEvals, counts_.jacobians);
  add(IDAGetNumErrTestFails, counts_.error_failures);
  add(IDAGetNumNonlinSolvConvFails, counts_.newton_failures);
}

const IdaCounts& IdaMechanism::counts() {
  since_start_ = counts_;
  collect_counts();
  std::swap(since_start_, counts_);
  since_start_.analyses += timed.repeated;
  since_start_.in_factors = timed.in_setup;
  since_start_.in_solves = timed.in_solve;
  return since_start_;
}

double IdaMechanism::factor_entries() const {
  const auto* numeric = SUNLinSol_KLUGetNumeric(linear_);
  return numeric == nullptr ? 0 : static_cast<double>(numeric->lnz + numeric->unz);
}

}  // namespace mechfmu::bench
