// Any mechanism solved by IDA of SUNDIALS: variable-order BDF on the equations, derivatives and
// pattern of a MechanismSystem, with KLU.
//
//   0 = y' − N(y)(z + F η) − Σ q ν      kinematics: N maps velocities to y', F = f_λ = −Gᵀ
//   0 = (q·q − 1)/2                     of every quaternion q in y, with its multiplier ν
//   0 = M(t,y) z' − f(t,y,z,μ,u)
//   0 = g(t,y),   0 = k(t,y,z)
//   0 = g_t + G z                      multipliers η: stabilized index 2 (Gear, Gupta & Leimkuhler)
//
// Without η and the last row this is the form of index 3. N is 1 except for quaternions, q' = ½ q ∘
// (0, Ω): positions are those of the system, so that rotations need no new reference. Derivatives
// are by increments of the size of z, P dy with the left inverse P of N. ν and η vanish in the
// exact solution; loose absolute tolerances exclude them and μ from the tests of error and
// convergence (IDASetSuppressAlg would do the same for the error, but costs a tenth of the run).
//
// The Jacobian has all entries that were ever different from zero, and blocks of contacts only
// while bodies are neighbours; for new ones, KLU analyses the pattern anew.

#pragma once

#include <ida/ida.h>
#include <sundials/sundials_linearsolver.h>

#include <utility>
#include <vector>

#include "mechanics/system.h"
#include "model/block_pattern.h"

namespace mechfmu::bench {

/// Processor time of this process, in seconds.
double processor_time();

struct IdaOptions {
  double tolerance = 1e-6;      // of y, in the scales of the system
  double velocity_weight = 10;  // factor of the tolerance of z (1/s)
  int order = 5;                // at most
  int index = 2;                // or 3
  int ordering = 0;             // of KLU: AMD 0, COLAMD 1, natural 2
};

struct IdaCounts {
  long steps = 0, residuals = 0, iterations = 0, jacobians = 0, error_failures = 0,
       newton_failures = 0, restarts = 0, analyses = 0;
  // Processor time in parts of the work, s
  double in_residuals = 0, in_jacobians = 0, in_factors = 0, in_solves = 0;
};

class IdaMechanism {
 public:
  IdaMechanism(mechanics::MechanismSystem& system, const IdaOptions& options);
  ~IdaMechanism();
  IdaMechanism(const IdaMechanism&) = delete;
  IdaMechanism& operator=(const IdaMechanism&) = delete;

  /// Starts or restarts at a consistent point: at order 1, with a step that IDA chooses.
  void start(const Point& p);
  /// No step passes t before it is reached.
  void stop_at(double t);
  /// Integrates to t or beyond.
  void advance(double t);
  /// Sets t, y, z and memory of a point at t, which advance() must have reached.
  void look(double t, Point& p) const;

  const IdaCounts& counts();
  sunindextype unknowns() const { return size_; }
  /// Entries of the Jacobian, and of its factors.
  sunindextype entries() const { return static_cast<sunindextype>(pattern_rows_.size()); }
  double factor_entries() const;

 private:
  /// The places of the numbers of a position and of the velocities of a quaternion.
  struct Quaternion {
    Index y = 0, z = 0;  // the first of four numbers, and of `axes` angular velocities
    int axes = 3;
  };
  struct Columns {             // of a node of motion
    std::vector<Index> y;      // numbers of its position
    std::vector<Index> first;  // simple pairs: velocity (in the node) …
    std::vector<Index> with;   // … and place in y of this struct
    int quaternion = -1;       // its number
    Index q_in_y = 0;          // its place in y of this struct
    Index q_in_z = 0;          // of its angular velocities in the node
  };

  void find_positions();
  void make_solver();
  int residual(double t, const double* Y, const double* Yp, double* r);
  int jacobian(double t, double cj, const double* Y, const double* Yp, SUNMatrix J);
  void move(double t, const double* Y, const double* Yp);
  void number_entries();
  template <class Emit>
  void emit_block(Index id, double cj, Emit&& emit);
  template <class Emit>
  void emit_kinematics(double cj, Emit&& emit);
  template <class Emit>
  void emit_through_P(const double* block, Index rows, Index first_row, const Columns& columns,
                      Emit&& emit);
  void make_pattern();
  bool note_present();
  void collect_counts();

  mechanics::MechanismSystem& system_;
  IdaOptions options_;
  Sizes s_;
  const BlockPattern& pattern_;
  std::vector<Quaternion> quaternions_;
  std::vector<Index> simple_y_, simple_z_;
  std::vector<Columns> columns_;  // of nodes
  Index nu_ = 0, z_ = 0, mu_ = 0, eta_ = 0;
  sunindextype size_ = 0;

  // At a point
  Point p_;
  Values values_;
  Vector mass_, Ma_, f_difference_, mu_tilde_, k_tilde_;
  BlockLayers layers_;
  Vector memory_, memory_before_;
  double reached_ = 0;

  // Jacobian: entries of the kinematics, then of all blocks, numbered once
  std::vector<char> absent_, present_;    // blocks; System::Passing
  std::vector<std::size_t> first_entry_;  // of blocks
  std::vector<sunindextype> rows_, entry_columns_;
  std::vector<char> kept_;  // was ever different from zero
  std::vector<double> numbers_;
  // Compressed columns of the entries in use, with their places there
  std::vector<sunindextype> starts_, pattern_rows_;
  std::vector<std::pair<std::size_t, sunindextype>> slots_;

  SUNContext context_ = nullptr;
  N_Vector Y_ = nullptr, Yp_ = nullptr, tolerances_ = nullptr;
  mutable N_Vector at_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  void* ida_ = nullptr;
  bool started_ = false;
  IdaCounts counts_;
  IdaCounts since_start_;
};

}  // namespace mechfmu::bench
