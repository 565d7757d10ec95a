// The chain of chain.h solved by IDA of SUNDIALS: variable-order BDF, KLU, analytic Jacobian.
//
//   ida_chain --bodies n --tolerance e [--jump h [--first-step s]] [--end t]
//
// Absolute coordinates q = (x, y, θ) of each rod, stabilized index 2 (Gear, Gupta & Leimkuhler):
//
//   0 = q' − v + Gᵀμ,    0 = M v' − f + Gᵀλ,    0 = g(q),    0 = G v,
//   g_i = c_i − (l/2) u_i − c_{i−1} − (l/2) u_{i−1},     G = ∂g/∂q.
//
// The multipliers are excluded from the error test (IDASetSuppressAlg) and, by a loose absolute
// tolerance, from the test of convergence; the tolerance of q and v is absolute. The unknowns and
// the equations of a rod are adjacent, which keeps the Jacobian banded. With --jump the integration
// restarts every h seconds, as it must if an input jumps there: at order 1, with the step s or, by
// default, one that IDA chooses. Initial values of v' and λ come from chain.h in O(n).

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/arguments.h"
#include "bench/peers/chain.h"
#include "bench/table.h"

namespace {

using namespace mechfmu::bench;
using peers::gravity, peers::inertia, peers::length, peers::mass;
using V = peers::Vec2<double>;

constexpr double half = length / 2;

// Places of the unknowns of rod i in a vector; the equations have the same places.
constexpr std::size_t block = 10;
enum Place : std::size_t { X, Y, Theta, Vx, Vy, Omega, Lambda, Mu = 8 };  // λ_i, μ_i: joint i

void check(int flag, const char* what) {
  if (flag < 0)
    throw std::runtime_error(std::string(what) + " of IDA failed: " + std::to_string(flag));
}

/// The unknowns of a rod in a vector; beyond the free end there is no joint and no force.
struct Rods {
  const double* y;
  std::size_t n;

  double at(std::size_t i, std::size_t place) const { return y[block * i + place]; }
  V vector(std::size_t i, std::size_t place) const { return {at(i, place), at(i, place + 1)}; }
  V along(std::size_t i) const { return peers::along(at(i, Theta)); }
  /// p_i + p_{i+1} of a multiplier
  V sum(std::size_t i, std::size_t p) const {
    return i + 1 < n ? vector(i, p) + vector(i + 1, p) : vector(i, p);
  }
  V difference(std::size_t i, std::size_t p) const {
    return i + 1 < n ? vector(i, p) - vector(i + 1, p) : vector(i, p);
  }
};

/// The residual; user data is the number of rods.
int residual(double, N_Vector y_vector, N_Vector yp_vector, N_Vector r_vector, void* user) {
  const std::size_t n = *static_cast<std::size_t*>(user);
  const Rods rods{N_VGetArrayPointer(y_vector), n};
  const double* yp = N_VGetArrayPointer(yp_vector);
  V end, end_velocity;  // of rod i−1; first of the ground
  for (std::size_t i = 0; i < n; ++i) {
    double* r = N_VGetArrayPointer(r_vector) + block * i;
    const double* slope = yp + block * i;
    const V u = rods.along(i), across{-u.y, u.x};
    const double omega = rods.at(i, Omega);

    // Gᵀp of a rod: p_i − p_{i+1} on the centre, −(l/2) n·(p_i + p_{i+1}) on the angle
    const V mu = rods.difference(i, Mu), lambda = rods.difference(i, Lambda);
    r[X] = slope[X] - rods.at(i, Vx) + mu.x;
    r[Y] = slope[Y] - rods.at(i, Vy) + mu.y;
    r[Theta] = slope[Theta] - omega - half * dot(across, rods.sum(i, Mu));
    r[Vx] = mass * slope[Vx] + lambda.x;
    r[Vy] = mass * slope[Vy] + lambda.y + mass * gravity;
    r[Omega] = inertia * slope[Omega] - half * dot(across, rods.sum(i, Lambda));

    const V centre = rods.vector(i, X), velocity = rods.vector(i, Vx);
    const V g = centre - half * u - end, Gv = velocity - (half * omega) * across - end_velocity;
    r[Lambda] = g.x;
    r[Lambda + 1] = g.y;
    r[Mu] = Gv.x;
    r[Mu + 1] = Gv.y;
    end = centre + half * u;
    end_velocity = velocity + (half * omega) * across;
  }
  return 0;
}

/// ∂F/∂y + cj ∂F/∂y', column by column. `entry(row, value)` is called with rising rows.
template <class Entry>
void jacobian_of_rod(const Rods& rods, std::size_t i, double cj, Entry&& entry) {
  const std::size_t here = block * i, next = here + block;
  const bool last = i + 1 == rods.n;
  const V u = rods.along(i), across{-u.y, u.x};
  const double omega = rods.at(i, Omega);
  const V turned = (half * omega) * u;

  for (std::size_t k = 0; k < 2; ++k) {  // c_i
    entry.column(here + X + k);
    entry(here + X + k, cj);
    entry(here + Lambda + k, 1.0);
    if (!last) entry(next + Lambda + k, -1.0);
  }
  entry.column(here + Theta);
  entry(here + Theta, cj + half * dot(u, rods.sum(i, Mu)));
  entry(here + Omega, half * dot(u, rods.sum(i, Lambda)));
  entry(here + Lambda, -half * across.x);
  entry(here + Lambda + 1, -half * across.y);
  entry(here + Mu, turned.x);
  entry(here + Mu + 1, turned.y);
  if (!last) {
    entry(next + Lambda, -half * across.x);
    entry(next + Lambda + 1, -half * across.y);
    entry(next + Mu, turned.x);
    entry(next + Mu + 1, turned.y);
  }
  for (std::size_t k = 0; k < 2; ++k) {  // c_i'
    entry.column(here + Vx + k);
    entry(here + X + k, -1.0);
    entry(here + Vx + k, cj * mass);
    entry(here + Mu + k, 1.0);
    if (!last) entry(next + Mu + k, -1.0);
  }
  entry.column(here + Omega);
  entry(here + Theta, -1.0);
  entry(here + Omega, cj * inertia);
  entry(here + Mu, -half * across.x);
  entry(here + Mu + 1, -half * across.y);
  if (!last) {
    entry(next + Mu, -half * across.x);
    entry(next + Mu + 1, -half * across.y);
  }
  for (const std::size_t p :
       {Lambda, Mu}) {  // forces and velocities that joint i puts on rods i−1 and i
    const std::size_t on = p == Lambda ? Vx : X;
    for (std::size_t k = 0; k < 2; ++k) {
      entry.column(here + p + k);
      if (i > 0) {
        const V before = rods.along(i - 1);
        entry(here - block + on + k, -1.0);
        entry(here - block + on + 2, -half * (k == 0 ? -before.y : before.x));
      }
      entry(here + on + k, 1.0);
      entry(here + on + 2, -half * (k == 0 ? across.x : across.y));
    }
  }
}

/// Fills a compressed-column matrix in the order of its columns.
struct Filler {
  sunindextype *starts, *rows;
  double* values;
  sunindextype count = 0;

  void column(std::size_t j) { starts[j] = count; }
  void operator()(std::size_t row, double value) {
    rows[count] = static_cast<sunindextype>(row);
    values[count++] = value;
  }
};

int jacobian(double, double cj, N_Vector y_vector, N_Vector, N_Vector, SUNMatrix J, void* user,
             N_Vector, N_Vector, N_Vector) {
  const std::size_t n = *static_cast<std::size_t*>(user);
  const Rods rods{N_VGetArrayPointer(y_vector), n};
  Filler fill{SUNSparseMatrix_IndexPointers(J), SUNSparseMatrix_IndexValues(J),
              SUNSparseMatrix_Data(J)};
  for (std::size_t i = 0; i < n; ++i) jacobian_of_rod(rods, i, cj, fill);
  fill.column(block * n);
  return 0;
}

class Ida {
 public:
  Ida(std::size_t n, double tolerance, double first_step)
      : n_(n), accelerations_(n), theta_(n), omega_(n) {
#if SUNDIALS_VERSION_MAJOR >= 7
    check(SUNContext_Create(SUN_COMM_NULL, &context_), "SUNContext_Create");
#else
    check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
#endif
    const auto size = static_cast<sunindextype>(block * n);
    y_ = N_VNew_Serial(size, context_);
    yp_ = N_VClone(y_);
    id_ = N_VClone(y_);
    tolerances_ = N_VClone(y_);
    matrix_ = SUNSparseMatrix(size, size, 46 * static_cast<sunindextype>(n), CSC_MAT, context_);
    linear_ = SUNLinSol_KLU(y_, matrix_, context_);
    // 2: columns in their order, rod after rod; with 1000 rods faster than AMD and COLAMD.
    check(SUNLinSol_KLUSetOrdering(linear_, 2), "SUNLinSol_KLUSetOrdering");

    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < block; ++k) {
        at(id_, i, k) = k < Lambda ? 1 : 0;
        at(tolerances_, i, k) = k < Lambda ? tolerance : 1e6;
      }
    start();
    ida_ = IDACreate(context_);
    check(IDAInit(ida_, residual, 0, y_, yp_), "IDAInit");
    check(IDASVtolerances(ida_, 0, tolerances_), "IDASVtolerances");
    check(IDASetUserData(ida_, &n_), "IDASetUserData");
    check(IDASetId(ida_, id_), "IDASetId");
    check(IDASetSuppressAlg(ida_, SUNTRUE), "IDASetSuppressAlg");
    check(IDASetInitStep(ida_, first_step), "IDASetInitStep");
    check(IDASetMaxNumSteps(ida_, -1), "IDASetMaxNumSteps");
    check(IDASetLinearSolver(ida_, linear_, matrix_), "IDASetLinearSolver");
    check(IDASetJacFn(ida_, jacobian), "IDASetJacFn");
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;
  ~Ida() {
    IDAFree(&ida_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    for (N_Vector vector : {y_, yp_, id_, tolerances_}) N_VDestroy(vector);
    SUNContext_Free(&context_);
  }

  /// From 0 to `end`, with restarts every `jump` seconds.
  void run(double end, double jump) {
    const int pieces = static_cast<int>(std::ceil(end / jump - 1e-9));
    double t = 0;
    for (int k = 1; k <= pieces; ++k) {
      const double stop = k == pieces ? end : k * jump;
      if (k > 1) {
        consistent();
        check(IDAReInit(ida_, t, y_, yp_), "IDAReInit");
      }
      check(IDASetStopTime(ida_, stop), "IDASetStopTime");
      check(IDASolve(ida_, stop, &t, y_, yp_, IDA_NORMAL), "IDASolve");
      t = stop;
      count();
    }
  }

  double x() const { return at(y_, n_ - 1, X); }
  double y() const { return at(y_, n_ - 1, Y); }

  long steps = 0, residuals = 0, iterations = 0, jacobians = 0, error_failures = 0,
       newton_failures = 0;

 private:
  double& at(N_Vector vector, std::size_t i, std::size_t place) const {
    return N_VGetArrayPointer(vector)[block * i + place];
  }

  void start() {
    N_VConst(0, y_);
    for (std::size_t i = 0; i < n_; ++i) at(y_, i, X) = (static_cast<double>(i) + 0.5) * length;
    consistent();
  }

  /// q', v', λ and μ that belong to q and v.
  void consistent() {
    for (std::size_t i = 0; i < n_; ++i) {
      theta_[i] = at(y_, i, Theta);
      omega_[i] = at(y_, i, Omega);
    }
    accelerations_.solve(theta_.data(), omega_.data());
    N_VConst(0, yp_);
    for (std::size_t i = 0; i < n_; ++i) {
      const V F = accelerations_.F[i], pull = F - accelerations_.F[i + 1];
      for (std::size_t k = 0; k < 3; ++k) at(yp_, i, X + k) = at(y_, i, Vx + k);
      at(yp_, i, Vx) = pull.x / mass;
      at(yp_, i, Vy) = pull.y / mass - gravity;
      at(yp_, i, Omega) = accelerations_.alpha[i];
      at(y_, i, Lambda) = -F.x;
      at(y_, i, Lambda + 1) = -F.y;
      at(y_, i, Mu) = at(y_, i, Mu + 1) = 0;
    }
  }

  /// IDA resets its counters at IDAReInit.
  void count() {
    long value = 0;
    const auto add = [&](auto getter, long& sum) {
      check(getter(ida_, &value), "a counter");
      sum += value;
    };
    add(IDAGetNumSteps, steps);
    add(IDAGetNumResEvals, residuals);
    add(IDAGetNumNonlinSolvIters, iterations);
    add(IDAGetNumJacEvals, jacobians);
    add(IDAGetNumErrTestFails, error_failures);
    add(IDAGetNumNonlinSolvConvFails, newton_failures);
  }

  std::size_t n_;
  peers::Accelerations<double> accelerations_;
  std::vector<double> theta_, omega_;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr, yp_ = nullptr, id_ = nullptr, tolerances_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  void* ida_ = nullptr;
};

int program(int argc, char** argv) {
  Arguments arguments(argc, argv);
  const auto bodies = arguments.count("--bodies", 1'000'000);
  const auto tolerance = arguments.positive("--tolerance");
  const auto jump = arguments.positive("--jump");
  const double first_step = arguments.positive("--first-step").value_or(0);
  const double end = arguments.positive("--end").value_or(1);
  if (!arguments.rest().empty() || !bodies || !tolerance)
    throw BadArgument("ida_chain --bodies n --tolerance e [--jump h [--first-step s]] [--end t]");

  const auto n = static_cast<std::size_t>(*bodies);
  Ida ida(n, *tolerance, first_step);
  const auto begin = std::chrono::steady_clock::now();
  ida.run(end, jump.value_or(end));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  const double steps = static_cast<double>(ida.steps);
  std::cout << R"({"solver": "ida", "n": )" << n << R"(, "tolerance": )" << exactly(*tolerance)
            << R"(, "h": )" << exactly(end / steps) << R"(, "jump": )"
            << (jump ? exactly(*jump) : "null") << R"(, "end": )" << exactly(end)
            << R"(, "steps": )" << ida.steps << R"(, "newton": )" << ida.iterations
            << R"(, "residuals": )" << ida.residuals << R"(, "jacobians": )" << ida.jacobians
            << R"(, "rejected": )" << ida.error_failures + ida.newton_failures << R"(, "seconds": )"
            << exactly(seconds) << R"(, "seconds_per_step_and_body": )"
            << scientific(seconds / steps / static_cast<double>(n)) << R"(, "x": )"
            << scientific(ida.x(), 14) << R"(, "y": )" << scientific(ida.y(), 14) << "}\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return guarded("ida_chain", [&] { return program(argc, argv); });
}
