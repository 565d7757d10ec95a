// The interface between the integrator and a model; the integrator knows nothing else of it.
//
//   y' = z            M(t,y) a = f(t,y,z,λ,ψ,x,u)
//   0 = g(t,y)        0 = g_t + G z,  G = g_y        0 = k(t,y,z)
//   0 = d(x',x,y,z,a,λ,ψ,t,u)
//
// λ and ψ form one vector μ = (λ, ψ), and the rows that act on velocities one matrix C = (G; k_z).
// Positions may lie on a manifold: `displace` moves y by an increment of the size of z (for
// plain coordinates y + Δ).
//
//   system.at(point);                 // once
//   system.values(v);                 // then any of these, in any order, any number of times
//   system.derivatives(κ, blocks);
//   system.read(0);                   // an output
//
// model/model.h makes a System of a C++ model written as templates. A model of many parts gives its
// derivatives as blocks (pattern() and the second derivatives()).

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/types.h"

namespace mechfmu {

class BlockPattern;
struct BlockLayers;
class Variables;
struct Start;

struct Sizes {
  Index y = 0;       // numbers that describe a position (≥ n)
  Index n = 0;       // velocities z, accelerations a, equations of motion
  Index m = 0;       // holonomic constraints g, multipliers λ
  Index k = 0;       // nonholonomic constraints k, multipliers ψ
  Index x = 0;       // first-order states
  Index u = 0;       // inputs and parameters
  Index mass = 0;    // numbers of M that change with t and y
  Index memory = 0;  // numbers that the system keeps from one accepted step to the next

  Index mu() const { return m + k; }
  Index kkt() const { return n + m + k + x; }
};

/// A point of the motion: the arguments of the model functions and of outputs.
struct Point {
  double t = 0;
  Vector y, z;     // position, velocity
  Vector a;        // acceleration at t
  Vector mu;       // multipliers (λ, ψ)
  Vector x, xdot;  // first-order states and their rates
  Vector memory;   // noted by the system at the last accepted step: System::remember
  Index m = 0;     // number of multipliers in μ that belong to g

  void resize(const Sizes& s);
  auto lambda() const { return mu.head(m); }
  auto psi() const { return mu.tail(mu.size() - m); }
};

/// A direction for derivatives: a change of t, y (as an increment, of the size of z), z … and of
/// the inputs.
struct Change {
  double t = 0;
  Vector y, z, a, mu, x, xdot, u;

  void resize(const Sizes& s);  // all zero
};

/// Values of the model functions at one point.
struct Values {
  Vector f;         // right-hand side of the equations of motion            n
  Vector position;  // g(t,y)                                                 m
  Vector velocity;  // g_t + G z, then k(t,y,z)                               m + k
  Vector d;         // residual of the first-order states                     x

  void resize(const Sizes& s);
};

/// Derivatives of the model functions as dense blocks (rows × columns by the sizes above).
struct DenseBlocks {
  Matrix M;        // mass
  Matrix K;        // f_y − κ (M a)_y
  Matrix D, F, X;  // f_z, f_μ, f_x
  Matrix C, C_y;   // (G; k_z) and the y-derivative of (g_t + G z; k)
  Matrix d_xdot, d_x, d_y, d_z, d_a, d_mu;

  void resize(const Sizes& s);
};

/// A constraint, or several of one element, that cannot be satisfied.
struct Violation {
  double size = 0;     // for comparison with other violations
  std::string what;    // "joint 'D' stays open"
  std::string amount;  // "0.12 m"
};
/// "joint 'D' stays open by 0.12 m, …": at most three, without those much smaller than the largest.
std::string worst(std::vector<Violation> all);

/// The kind of start values.
enum class StartLevel { positions, velocities };

/// The difference between a point and the one before.
enum class Moved {
  anywhere,
  accelerations  // only a, μ and x' differ
};

/// Solves for the accelerations of the point when an output asks for them; null: they are known.
class AccelerationSource {
 public:
  virtual ~AccelerationSource() = default;
  /// Moves the system to the same point with a, μ and x' that solve its equations, and returns it.
  virtual const Point& solved() = 0;
};

/// The energies of a mechanism, and the power that enters it minus the losses.
struct Energies {
  double kinetic = 0, potential = 0, power = 0;
};

class System {
 public:
  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  virtual ~System() = default;

  const Sizes& sizes() const { return sizes_; }
  /// Names, start values and scales.
  virtual const Variables& variables() const = 0;
  /// Start values with the present parameters; those of variables() unless overridden.
  virtual Start start() const;
  /// Throws std::invalid_argument, naming the element, where parameters make no sense. Called
  /// before a run.
  virtual void check() {}

  /// Sets inputs and parameters, as one vector; all functions below use the values set last.
  virtual void set_inputs(In u) = 0;
  virtual void get_inputs(Out u) const = 0;

  // --- anywhere ---
  /// Reference sizes for errors of y (as increments, of the size of z) and x at t = 0, with the
  /// present parameters; the nominal values of variables() unless overridden.
  virtual void scales(Out y_scale, Out x_scale) const;

  /// y₁ = y₀ ⊕ Δ.
  virtual void displace(In y0, In delta, Out y1) const { y1 = y0 + delta; }

  /// Y_i = max(Y_i, |y_i|), the scales of the error norm; they start at scales().
  virtual void grow_scales(In y, Out scales) const { scales = scales.cwiseMax(y.cwiseAbs()); }

  /// Largest |y_i| divided by its scale, at least 1: the digits of the scales that roundoff takes.
  virtual double resolution(In, In) const { return 1; }

  /// The numbers of M(t,y), Sizes::mass of them.
  virtual void mass(double t, In y, Out numbers) const = 0;
  /// The product of that M with a vector.
  virtual void multiply_mass(In numbers, In v, Out Mv) const = 0;

  // --- at a point ---
  /// Moves to p. The system keeps a reference: p must stay unchanged while it is in use. After a
  /// change of p, call at() again. Inputs are those at the time of use.
  void at(const Point& p, Moved how = Moved::anywhere) {
    point_ = &p;
    source_ = nullptr;
    ++stamp_;
    moved(how);
  }
  void at(Point&&, Moved = Moved::anywhere) = delete;
  const Point& point() const { return *point_; }
  /// Accelerations, multipliers and x' of the point are unknown: outputs get them from the source,
  /// until the next at().
  void on_demand(AccelerationSource* source) { source_ = source; }
  /// The point for outputs that need more than t, y, z and x.
  const Point& with_accelerations() { return source_ == nullptr ? *point_ : source_->solved(); }
  /// Changes with every at(): a caller that has kept it can see whether the system has moved since.
  std::uint64_t stamp() const { return stamp_; }

  virtual void values(Values& values) = 0;
  /// f with μ̃ in place of μ, minus f; and k(t,y,z̃).
  virtual void tilde(In z_tilde, In mu_tilde, Out f_difference, Out k_tilde) = 0;
  /// d²g/dt² and dk/dt along a motion with acceleration a:  C a + (terms without a).
  virtual void constraint_acceleration(In a, Out c) = 0;
  /// C v.
  virtual void multiply_constraints(In v, Out Cv) = 0;
  /// Derivatives as dense blocks; κ weighs (M a)_y in K.
  virtual void derivatives(double kappa, DenseBlocks& blocks) = 0;
  /// The pattern of blocks of a system of many parts; null: it has only dense blocks.
  virtual const BlockPattern* pattern() const { return nullptr; }
  /// Blocks of the pattern that appear and disappear: they have no numbers in `value`, and none in
  /// other layers when they are absent.
  struct Passing {
    std::vector<Index> blocks;
    std::vector<char> present;  // whether each of them was present at the last derivatives()
  };
  /// Null: all blocks are always present.
  virtual const Passing* passing() const { return nullptr; }
  /// Derivatives as blocks of the pattern, added to layers that are zero.
  virtual void derivatives(double /*kappa*/, BlockLayers& /*layers*/) {}
  /// Derivative of R = (M a − f; d²g/dt², dk/dt with a; d) along a change of t, y, z, x and u with
  /// constant a, μ, x', as far as the blocks do not contain it. That is the whole derivative of the
  /// second part, and the direct effect of t and u on f and d. Multipliers that are NaN are
  /// unknown: only reactions may depend on them. False: not known exactly.
  virtual bool vary(const Change& /*along*/, Vector& /*r*/) { return false; }
  /// Derivative of an output along a change of u and of the point, which has its accelerations.
  /// False: not known exactly.
  virtual bool vary(std::size_t /*output*/, const Change& /*along*/, double& /*slope*/) {
    return false;
  }
  /// Energies at the present point; false: the system does not know them.
  virtual bool energies(Energies& /*now*/) { return false; }
  /// The memory with which a run begins at time t.
  virtual void start_memory(double /*t*/, Out memory) const { memory.setZero(); }
  /// A run begins with this memory: the system forgets the course before it, and keeps the present
  /// turns of angles.
  virtual void begin_memory(Out /*memory*/) const {}  // NOLINT(performance-unnecessary-value-param)
  /// Notes in `memory` the data of this accepted point that evaluations at later points need.
  virtual void remember(Out /*memory*/) {}  // NOLINT(performance-unnecessary-value-param)
  /// Output number i of variables(), with the accelerations of the point unless the system knows
  /// that it does not need them.
  virtual double read(std::size_t output);

  /// Names for messages: y[1], g[1], k[1], x[1] unless the model gives better ones.
  std::string coordinate_name(Index i) const;
  std::string constraint_name(Index i) const;  // of row i of C
  std::string state_name(Index i) const;
  /// The constraints that the values of g show to be violated, and by how much, worst first.
  virtual std::string describe_violation(In g) const;
  /// If elements other than coordinates have start values: the same system with constraints that
  /// hold them, for initialization only, with the present inputs. `part` is the fraction of the way
  /// from the placed positions to the start values. Null: there are no such start values.
  virtual System* with_start_values(StartLevel /*level*/, double /*part*/) { return nullptr; }

 protected:
  /// The point has changed: results of the previous one are invalid.
  virtual void moved(Moved /*how*/) {}

  /// Output number i at the present point, whether its accelerations are known or not.
  double read_here(std::size_t output) const;

  Sizes sizes_;

 private:
  const Point* point_ = nullptr;
  AccelerationSource* source_ = nullptr;
  std::uint64_t stamp_ = 0;
};

}  // namespace mechfmu
