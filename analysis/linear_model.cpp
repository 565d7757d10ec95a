#include "analysis/linear_model.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "model/differences.h"
#include "model/format.h"

namespace mechfmu {

namespace {

/// An orthonormal basis of {v: A v = 0}.
Matrix null_space(const Matrix& A) {
  if (A.rows() == 0) return Matrix::Identity(A.cols(), A.cols());
  Eigen::ColPivHouseholderQR<Matrix> qr(A.transpose());
  qr.setThreshold(1e-9);
  const Matrix Q = qr.householderQ();
  return Q.rightCols(A.cols() - qr.rank());
}

/// Changes of the state along the constraints, and of the inputs: one column per change.
struct Changes {
  Matrix dy, dz, dx, du;
  Index positions = 0, velocities = 0;  // columns: positions first, then velocities, x, inputs
  Index states() const { return positions + velocities + dx.rows(); }
  Index inputs() const { return dy.cols() - states(); }
};

/// Changes of x and of inputs have the size of their values, those of motion the size 1.
Changes changes_at(System& system, const State& state, const Point& p,
                   const std::vector<Index>& inputs) {
  const Sizes& size = system.sizes();
  DenseBlocks blocks;
  Values values;
  blocks.resize(size);
  values.resize(size);
  system.at(p);
  system.values(values);
  system.derivatives(0, blocks);
  const Matrix free = null_space(blocks.C.topRows(size.m));
  const Matrix moving = null_space(blocks.C);
  Changes made;
  made.positions = free.cols();
  made.velocities = moving.cols();
  const Index states = made.states() + size.x;
  const Index count = states + static_cast<Index>(inputs.size());
  made.dy = made.dz = Matrix::Zero(size.n, count);
  made.dx = Matrix::Zero(size.x, count);
  made.du = Matrix::Zero(size.u, count);
  made.dy.leftCols(free.cols()) = free;
  // the velocity that satisfies the constraints at the changed position
  if (size.mu() > 0) {
    const Matrix needed = -blocks.C_y * free;
    const Matrix found = blocks.C.completeOrthogonalDecomposition().solve(needed);
    if (needed.size() > 0 && (blocks.C * found - needed).norm() > 1e-6 * (1 + needed.norm()))
      throw std::runtime_error(
          "the mechanism passes through a position where its ways of moving change; it has no "
          "linear model there");
    made.dz.leftCols(free.cols()) = found;
  }
  made.dz.middleCols(free.cols(), moving.cols()) = moving;
  made.dx.middleCols(states - size.x, size.x).diagonal() =
      state.x_scale.unaryExpr([](double scale) { return std::isinf(scale) ? 1 : scale; });
  Vector u(size.u);
  system.get_inputs(u);
  for (std::size_t j = 0; j < inputs.size(); ++j)
    made.du(inputs[j], states + static_cast<Index>(j)) = std::max(1.0, std::abs(u[inputs[j]]));
  return made;
}

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// Derivatives of functions of a point with respect to the changes of the state: exact if the
/// system knows the derivatives of its accelerations and of the function (System::vary), otherwise
/// central differences of sixth order with several steps. Each number comes from the step at which
/// it differs least from the number of the next shorter step: a long step for smooth functions, a
/// short one where friction or contact have bends within thousandths.
class Differentiation {
 public:
  using Function = std::function<Vector(const Point&)>;
  /// Writes the derivatives of the function along a change, except for unknown ones.
  using Slopes = std::function<void(const Change&, Vector&)>;

  Differentiation(Solver& solver, const State& state) : solver_(solver), state_(state) {
    // With matrices of another point, the solution would lack the last digits, which differences
    // magnify.
    state_.kkt.valid = false;
    if (const Result result = solver_.output(state_, p_); !result.ok())
      throw std::runtime_error(result.message);
  }
  Point point() const { return p_; }

  /// One column per change; `error` is a bound of its error.
  Matrix by(const Changes& changes, const Function& f, const Slopes& slopes, Matrix& error) {
    const Vector here = f(p_);
    Matrix made = exact(changes, slopes, here.size());
    error = Matrix::Zero(made.rows(), made.cols());
    for (Index i = 0; i < made.rows(); ++i) {
      double largest = 0;
      for (const double known : made.row(i))
        if (!std::isnan(known)) largest = std::max(largest, std::abs(known));
      error.row(i).setConstant(roundoff * largest);
    }
    for (Index j = 0; j < made.cols(); ++j) {
      if (!made.col(j).hasNaN()) continue;
      Vector column;
      Vector column_error;
      difference(changes, j, f, here.size(), column, column_error);
      for (Index i = 0; i < made.rows(); ++i)
        if (std::isnan(made(i, j))) {
          made(i, j) = column[i];
          error(i, j) = column_error[i];
        }
    }
    solver_.system().set_inputs(state_.input.value);
    return made;
  }

  /// The reason for numbers that are not finite.
  const std::string& trouble() const { return trouble_; }

 private:
  static constexpr double roundoff = 4e-16;

  /// One column of known derivatives per change; unknown ones are not changed.
  Matrix exact(const Changes& changes, const Slopes& slopes, Index rows) {
    Matrix made = Matrix::Constant(rows, changes.dy.cols(), not_known);
    Change along;
    for (Index j = 0; j < made.cols(); ++j) {
      along.resize(solver_.system().sizes());
      along.y = changes.dy.col(j);
      along.z = changes.dz.col(j);
      along.x = changes.dx.col(j);
      along.u = changes.du.col(j);
      bool known = false;
      if (!solver_.sensitivity(state_, p_, along, known).ok() || !known) continue;
      Vector column = made.col(j);
      slopes(along, column);
      made.col(j) = column;
    }
    return made;
  }

  void difference(const Changes& changes, Index j, const Function& f, Index rows, Vector& made,
                  Vector& error) {
    made = Vector::Constant(rows, not_known);
    error = Vector::Constant(rows, std::numeric_limits<double>::infinity());
    Vector before;
    for (const double step : {0.1, 2e-3, 1e-4, 5e-6, 2.5e-7}) {
      // Long steps suit inputs, in which most functions are linear; in angles hardly any function
      // is.
      if (step > 0.01 && changes.du.col(j).isZero(0)) continue;
      Vector now = Vector::Zero(rows);
      mechfmu::difference(step,
                          [&](double by, double weight) { now += weight * at(changes, j, by, f); });
      for (Index i = 0; i < before.size(); ++i)
        if (const double e = std::abs(now[i] - before[i]); e < error[i]) {
          made[i] = before[i];
          error[i] = e;
        }
      before = now;
    }
  }

  Vector at(const Changes& c, Index j, double amount, const Function& f) {
    State moved = state_;
    solver_.system().displace(state_.point.y, amount * c.dy.col(j), moved.point.y);
    moved.point.z += amount * c.dz.col(j);
    moved.point.x += amount * c.dx.col(j);
    moved.input.value += amount * c.du.col(j);
    Point p;
    const Result result = solver_.output(moved, p);
    Vector values = f(p);
    if (!result.ok()) {
      trouble_ = result.message;
      values.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
    return values;
  }

  Solver& solver_;
  State state_;
  Point p_;
  std::string trouble_ = "a function of the model is not finite near the operating point";
};

/// The first `wanted` independent rows; clearly independent ones are taken before nearly dependent
/// ones.
std::vector<Index> independent_rows(const Matrix& rows, Index wanted) {
  std::vector<Index> chosen;
  Matrix basis(rows.cols(), wanted);
  for (const double least : {0.3, 1e-2, 1e-5}) {
    for (Index i = 0; i < rows.rows() && static_cast<Index>(chosen.size()) < wanted; ++i) {
      const double size = rows.row(i).norm();
      if (!(size > 1e-9) || std::find(chosen.begin(), chosen.end(), i) != chosen.end()) continue;
      Vector rest = rows.row(i).transpose() / size;
      const auto have = static_cast<Index>(chosen.size());
      rest -= basis.leftCols(have) * (basis.leftCols(have).transpose() * rest);
      if (rest.norm() < least) continue;
      basis.col(have) = rest.normalized();
      chosen.push_back(i);
    }
  }
  if (static_cast<Index>(chosen.size()) < wanted)
    throw std::runtime_error("the coordinates to choose from do not determine the motion");
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// The shortest decimal number within the error: 1 for 0.99999999999987, 0 for its roundoff.
double rounded(double x, double error) {
  if (!std::isfinite(x) || !(error > 0)) return x + 0.0;
  const double digits = -std::floor(std::log10(error));
  const double unit = std::pow(10, std::abs(digits));
  const double whole = digits > 0 ? x * unit : x / unit;
  if (!(std::abs(whole) < 1e15)) return x;
  return (digits > 0 ? std::round(whole) / unit : std::round(whole) * unit) + 0.0;
}
/// Rounds to the error, and sets the error to that of the rounded numbers.
void round_to(Matrix& matrix, Matrix& error) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    const double largest = matrix.cols() == 0 ? 0 : matrix.row(i).cwiseAbs().maxCoeff();
    for (Index j = 0; j < matrix.cols(); ++j) {
      error(i, j) = 10 * error(i, j) + 1e-14 * largest;
      matrix(i, j) = rounded(matrix(i, j), error(i, j));
    }
  }
}

std::vector<Index> inputs_of(const Variables& variables) {
  std::vector<Index> inputs;
  for (std::size_t i = 0; i < variables.inputs().size(); ++i)
    if (variables.inputs()[i].kind() == Variable::Kind::input)
      inputs.push_back(static_cast<Index>(i));
  return inputs;
}

/// The smallest x that minimizes |A x − b|, for A known up to the error.
Matrix smallest_solution(const Matrix& A, const Matrix& b, double error) {
  if (A.size() == 0 || A.cwiseAbs().maxCoeff() <= 100 * error)
    return Matrix::Zero(A.cols(), b.cols());
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition(A.rows(), A.cols());
  decomposition.setThreshold(100 * error / A.cwiseAbs().maxCoeff());
  decomposition.compute(A);
  return decomposition.solve(b);
}

CandidateCoordinates::Values values_of(const CandidateCoordinates& candidates) {
  CandidateCoordinates::Values values;
  for (Vector* v : {&values.q, &values.dq, &values.v, &values.dv})
    v->resize(static_cast<Index>(candidates.q.size()));
  return values;
}

Vector picked(const Vector& from, const std::vector<Index>& rows) { return from(rows); }

}  // namespace

LinearModel linearize(Solver& solver, const State& state, const CandidateCoordinates& candidates) {
  System& system = solver.system();
  const Variables& variables = system.variables();
  Differentiation differentiation(solver, state);
  const Point p = differentiation.point();
  const std::vector<Index> inputs = inputs_of(variables);
  const Changes changes = changes_at(system, state, p, inputs);

  // (q, q', v, v', x', o), all candidates
  CandidateCoordinates::Values values = values_of(candidates);
  const auto nc = static_cast<Index>(candidates.q.size());
  const auto no = static_cast<Index>(variables.outputs().size());
  const Index nx = system.sizes().x;
  const auto read = [&](const Point& at) {
    candidates.read(at, values);
    system.at(at);
    Vector all(4 * nc + nx + no);
    all << values.q, values.dq, values.v, values.dv, at.xdot, Vector(no);
    for (Index i = 0; i < no; ++i) all[4 * nc + nx + i] = system.read(static_cast<std::size_t>(i));
    return all;
  };
  CandidateCoordinates::Values slopes = values_of(candidates);
  const auto vary = [&](const Change& along, Vector& column) {
    column.segment(4 * nc, nx) = along.xdot;
    for (Index i = 0; i < no; ++i)
      if (double slope = 0; system.vary(static_cast<std::size_t>(i), along, slope))
        column[4 * nc + nx + i] = slope;
    if (candidates.vary && candidates.vary(p, along, slopes))
      column.head(4 * nc) << slopes.q, slopes.dq, slopes.v, slopes.dv;
  };
  Matrix error;
  const Matrix d = differentiation.by(changes, read, vary, error);
  if (!d.topRows(4 * nc + nx).allFinite()) throw std::runtime_error(differentiation.trouble());

  // derivatives of s, s' and the outputs with respect to the changes
  const Index np = changes.positions;
  const Index nv = changes.velocities;
  const Index ns = np + nv + nx;
  const std::vector<Index> q = independent_rows(d.block(0, 0, nc, np), np);
  const std::vector<Index> v = independent_rows(d.block(2 * nc, np, nc, nv), nv);
  std::vector<Index> of_s;
  std::vector<Index> of_rate;
  for (const Index i : q) of_s.push_back(i), of_rate.push_back(nc + i);
  for (const Index i : v) of_s.push_back(2 * nc + i), of_rate.push_back(3 * nc + i);
  for (Index i = 0; i < nx; ++i) of_rate.push_back(4 * nc + i);
  std::vector<Index> of_output;
  for (Index i = 0; i < no; ++i) of_output.push_back(4 * nc + nx + i);
  Matrix T(ns, ns);
  Matrix T_error = Matrix::Zero(ns, ns);
  T << d(of_s, Eigen::seqN(0, ns)), changes.dx.leftCols(ns);
  T_error.topRows(np + nv) = error(of_s, Eigen::seqN(0, ns));
  const Matrix inverse = ns == 0 ? T : Matrix(T.partialPivLu().inverse());

  LinearModel made;
  made.t = p.t;
  Matrix unsure;
  const auto by_states = [&](const std::vector<Index>& rows) -> Matrix {
    Matrix matrix = d(rows, Eigen::seqN(0, ns)) * inverse;
    unsure = (error(rows, Eigen::seqN(0, ns)) + matrix.cwiseAbs() * T_error) * inverse.cwiseAbs();
    round_to(matrix, unsure);
    return matrix;
  };
  const auto nu = static_cast<Index>(inputs.size());
  const auto by_inputs = [&](const std::vector<Index>& rows) -> Matrix {
    Matrix matrix = d(rows, Eigen::seqN(ns, nu));
    unsure = error(rows, Eigen::seqN(ns, nu));
    for (Index j = 0; j < nu; ++j) {
      const double size = changes.du(inputs[static_cast<std::size_t>(j)], ns + j);
      matrix.col(j) /= size;
      unsure.col(j) /= size;
    }
    round_to(matrix, unsure);
    return matrix;
  };
  made.A = by_states(of_rate);
  made.poles = poles_of(made.A, unsure);
  made.B = by_inputs(of_rate);
  made.C = by_states(of_output);
  made.D = by_inputs(of_output);

  const Vector here = read(p);
  made.s0.resize(ns);
  made.s0 << picked(here, of_s), p.x;
  made.ds0 = picked(here, of_rate);
  made.o0 = picked(here, of_output);
  Vector u(system.sizes().u);
  system.get_inputs(u);
  made.u0 = picked(u, inputs);
  for (const Index i : q) made.states.push_back(candidates.q[static_cast<std::size_t>(i)]);
  for (const Index i : v) made.states.push_back(candidates.v[static_cast<std::size_t>(i)]);
  for (Index i = 0; i < nx; ++i) made.states.push_back({system.state_name(i), {}});
  for (const Index i : inputs) {
    const Variable& input = variables.inputs()[static_cast<std::size_t>(i)];
    made.inputs.push_back({input.name(), input.unit()});
  }
  for (const Variable& output : variables.outputs())
    made.outputs.push_back({output.name(), output.unit()});
  return made;
}

namespace {

using Poles = std::vector<std::complex<double>>;

Poles eigenvalues(const Matrix& A) {
  const Eigen::VectorXcd found = Eigen::EigenSolver<Matrix>(A, false).eigenvalues();
  return {found.begin(), found.end()};
}

/// `others` in the order of the nearest poles.
Poles matched(const Poles& poles, Poles others) {
  Poles sorted;
  for (const auto& pole : poles) {
    const auto nearest = std::min_element(
        others.begin(), others.end(),
        [&](const auto& a, const auto& b) { return std::abs(a - pole) < std::abs(b - pole); });
    sorted.push_back(*nearest);
    others.erase(nearest);
  }
  return sorted;
}

/// Eigenvalues; they are equal if changes of A by the errors move them as far as they are apart.
Poles certain_eigenvalues(const Matrix& A, const Matrix& errors) {
  const Poles poles = eigenvalues(A);
  const std::size_t n = poles.size();
  constexpr int trials = 16;
  std::minstd_rand numbers;  // the same ones in every run
  std::vector<Poles> moved;
  for (int trial = 0; trial < trials; ++trial) {
    const Matrix changed = A.binaryExpr(errors, [&](double entry, double error) {
      return entry + (numbers() % 2 == 0 ? -error : error);
    });
    moved.push_back(matched(poles, eigenvalues(changed)));
  }
  const auto reach = [&](const std::vector<std::size_t>& group) {
    double far = 0;  // of the mean of a group
    for (const Poles& other : moved) {
      std::complex<double> change = 0;
      for (const std::size_t k : group) change += other[k] - poles[k];
      far = std::max(far, std::abs(change) / static_cast<double>(group.size()));
    }
    return far;
  };
  Poles made(n);
  std::vector<bool> done(n, false);
  for (std::size_t first = 0; first < n; ++first) {
    if (done[first]) continue;
    std::vector<std::size_t> group = {first};
    done[first] = true;
    for (std::size_t at = 0; at < group.size(); ++at)
      for (std::size_t k = 0; k < n; ++k) {
        const double distance = std::abs(poles[k] - poles[group[at]]);
        if (done[k] || distance > 2 * (reach({k}) + reach({group[at]}))) continue;
        group.push_back(k);
        done[k] = true;
      }
    std::complex<double> mean = 0;
    for (const std::size_t k : group) mean += poles[k] / static_cast<double>(group.size());
    const double error = 2 * reach(group) + 1e-15 * std::abs(mean);
    for (const std::size_t k : group)
      made[k] = {rounded(mean.real(), error), rounded(mean.imag(), error)};
  }
  return made;
}

}  // namespace

std::vector<std::complex<double>> poles_of(const Matrix& A, const Matrix& errors) {
  std::vector<std::complex<double>> poles;
  // A row or column with only a diagonal entry gives a pole, and leaves a smaller matrix.
  std::vector<Index> rest;
  for (Index i = 0; i < A.rows(); ++i) rest.push_back(i);
  const auto alone = [&](Index i) {
    bool row = true;
    bool column = true;
    for (const Index j : rest) {
      if (i != j && A(i, j) != 0) row = false;
      if (i != j && A(j, i) != 0) column = false;
    }
    return row || column;
  };
  for (auto found = rest.begin();
       (found = std::find_if(rest.begin(), rest.end(), alone)) != rest.end();) {
    poles.emplace_back(A(*found, *found));
    rest.erase(found);
  }
  if (!rest.empty()) {
    const Poles coupled = certain_eigenvalues(A(rest, rest), errors(rest, rest));
    poles.insert(poles.end(), coupled.begin(), coupled.end());
  }
  std::stable_sort(poles.begin(), poles.end(),
                   [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); });
  return poles;
}

namespace {

/// The state with z = 0, or as near to it as drivers allow; or the equilibrium that it sinks to.
Result come_to_rest(Solver& solver, State& state, StartPosition where = StartPosition::placed) {
  Start start;
  start.y.assign(state.point.y.begin(), state.point.y.end());
  start.z.assign(static_cast<std::size_t>(solver.system().sizes().n), 0);
  start.x.assign(state.point.x.begin(), state.point.x.end());
  return solver.initialize(state, state.point.t, start, where);
}

Result newton_trim(Solver& solver, State& state, const CandidateCoordinates& candidates,
                   const std::vector<Index>& adapt) {
  System& system = solver.system();
  const Sizes& size = system.sizes();
  const double t = state.point.t;
  double left = 0;
  Vector q_start;
  double change_before = std::numeric_limits<double>::infinity();
  constexpr int most = 100;
  for (int iteration = 0; iteration < most; ++iteration) {
    if (Result result = come_to_rest(solver, state); !result.ok()) return result;
    if (size.n > 0 && state.point.z.cwiseAbs().maxCoeff() > 1e-9)
      return {Failure::inconsistent_velocity, t,
              "there is no equilibrium at rest: a driver moves the mechanism"};

    // r = (accelerations along the constraints, x'), and its derivatives with respect to positions,
    // x and inputs
    Differentiation differentiation(solver, state);
    const Point p = differentiation.point();
    const Changes changes = changes_at(system, state, p, adapt);
    const Index np = changes.positions;
    const Index nv = changes.velocities;
    const Matrix along = changes.dz.middleCols(np, nv);
    CandidateCoordinates::Values values = values_of(candidates);
    const Index nr = nv + size.x;
    const auto read = [&](const Point& at) {
      candidates.read(at, values);
      Vector all(nr + values.q.size());
      all << along.transpose() * at.a, at.xdot.cwiseQuotient(state.x_scale), values.q;
      return all;
    };
    const auto vary = [&](const Change& change, Vector& column) {
      column.head(nr) << along.transpose() * change.a, change.xdot.cwiseQuotient(state.x_scale);
      if (candidates.vary && candidates.vary(p, change, values))
        column.tail(values.q.size()) = values.q;
    };
    Matrix error;
    const Matrix d = differentiation.by(changes, read, vary, error);
    if (!d.allFinite()) return {Failure::non_finite, t, differentiation.trouble()};
    const Vector r = read(p).head(nr);
    left = r.size() == 0 ? 0 : r.cwiseAbs().maxCoeff();
    // derivatives with respect to coordinates instead of changes, and distance from the start
    const Vector q_now = read(p).tail(values.q.size());
    if (iteration == 0) q_start = q_now;
    const Matrix by_q = d.bottomRows(values.q.size()).leftCols(np);
    const std::vector<Index> chosen = independent_rows(by_q, np);
    Matrix from_q = by_q(chosen, Eigen::all);
    if (np > 0) from_q = from_q.partialPivLu().inverse().eval();
    const Vector back = picked(q_start - q_now, chosen);
    const Matrix J = d.topLeftCorner(nr, np) * from_q;
    const Index others = size.x + changes.inputs();
    const Matrix Jo = d.topRightCorner(nr, others);

    // x and inputs come first; δ brings the rest to zero. Among all solutions, take the one nearest
    // to the start, so that irrelevant coordinates keep their values.
    const double unsure =
        std::max(error.topRows(nr).maxCoeff(), 1e-14 * d.topRows(nr).cwiseAbs().maxCoeff());
    const auto out_of_reach = [&](const Matrix& m) -> Matrix {
      return m - Jo * smallest_solution(Jo, m, unsure);
    };
    Vector delta = back - smallest_solution(out_of_reach(J), out_of_reach(r + J * back), unsure);
    Vector delta_others = -smallest_solution(Jo, r + J * delta, unsure);
    const double remains = (r + J * delta + Jo * delta_others).norm();
    const double change = delta.norm() + delta_others.norm();
    // The steps are tiny, or small and roundoff prevents them from shrinking further
    const bool at_the_end = change < 1e-9 || (change < 1e-5 && change > change_before / 2);
    if (at_the_end && (remains <= 1e-3 * r.norm() || left < 1e-9)) return {};
    if (at_the_end || !(left < 1e15)) break;
    change_before = change;

    // Far from the solution, steps are short: a mechanism has many equilibria, and the nearest is
    // wanted.
    constexpr double longest = 0.2;
    if (delta.norm() > longest) {
      delta_others *= longest / delta.norm();
      delta *= longest / delta.norm();
    }
    Vector y(size.y);
    system.displace(p.y, changes.dy.leftCols(np) * from_q * delta, y);
    state.point.y = y;
    state.point.x += changes.dx.rightCols(others) * delta_others;
    Vector u(size.u);
    system.get_inputs(u);
    system.set_inputs(u + changes.du.rightCols(others) * delta_others);
  }
  return {Failure::cannot_assemble, t,
          "no equilibrium was found near the start: accelerations of " + format(left, 3) +
              " remain; give inputs that hold the mechanism, let them adapt, or start nearer to "
              "where it can rest"};
}

}  // namespace

Result trim(Solver& solver, State& state, const CandidateCoordinates& candidates,
            const std::vector<Index>& adapt) {
  const State start = state;
  Vector u(solver.system().sizes().u);
  solver.system().get_inputs(u);
  Result nearest = newton_trim(solver, state, candidates, adapt);
  if (nearest.ok()) return nearest;
  // Newton's method may have diverged; the position in which the mechanism would come to rest is
  // another good start.
  state = start;
  solver.system().set_inputs(u);
  if (!come_to_rest(solver, state, StartPosition::equilibrium).ok() ||
      !newton_trim(solver, state, candidates, adapt).ok())
    return nearest;
  return {};
}

}  // namespace mechfmu
