// What the integrator asks of a model, and all it knows about one.
//
//   y' = z            M(t,y) a = f(t,y,z,λ,ψ,x,u)
//   0 = g(t,y)        0 = g_t + G z,  G = g_y        0 = k(t,y,z)
//   0 = d(x',x,y,z,a,λ,ψ,t,u)
//
// λ and ψ are kept in one vector μ = (λ, ψ), and the rows that act on velocities in one matrix
// C = (G; k_z). Positions may live on a manifold: `displace` moves y by an increment of the size
// of z (for plain coordinates y + Δ).
//
//   system.at(point);                 // once
//   system.values(v);                 // then whatever is wanted there, in any order, as often as it is needed
//   system.derivatives(κ, blocks);
//   system.read(0);                   // an output
//
// A C++ model written as templates becomes a System by model/model.h; a model made of many parts gives its derivatives as
// blocks (pattern() and the second derivatives()).

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
  Index memory = 0;  // numbers that the system remembers from one accepted step to the next

  Index mu() const { return m + k; }
  Index kkt() const { return n + m + k + x; }
};

/// A point of the motion: arguments of the model functions, and what outputs are made of.
struct Point {
  double t = 0;
  Vector y, z;     // position, velocity
  Vector a;        // acceleration at t
  Vector mu;       // multipliers (λ, ψ)
  Vector x, xdot;  // first-order states and their rates
  Vector memory;   // what the system noted at the last accepted step: System::remember
  Index m = 0;     // how many of μ belong to g

  void resize(const Sizes& s);
  auto lambda() const { return mu.head(m); }
  auto psi() const { return mu.tail(mu.size() - m); }
};

/// A change of a point and of the inputs, that derivatives are taken along: of t, y (as an increment, of the size of z), z …
struct Change {
  double t = 0;
  Vector y, z, a, mu, x, xdot, u;

  void resize(const Sizes& s);  // to nothing that changes
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
  Matrix K;        // f_y − κ (M a)_y, κ as asked for
  Matrix D, F, X;  // f_z, f_μ, f_x
  Matrix C, C_y;   // (G; k_z) and the y-derivative of (g_t + G z; k)
  Matrix d_xdot, d_x, d_y, d_z, d_a, d_mu;

  void resize(const Sizes& s);
};

/// A constraint, or several of one element, that cannot be met.
struct Violation {
  double size = 0;     // to compare it with others
  std::string what;    // "joint 'D' stays open"
  std::string amount;  // "0.12 m"
};
/// "joint 'D' stays open by 0.12 m, …": at most three, those not much smaller than the largest.
std::string worst(std::vector<Violation> all);

/// What start values are about.
enum class StartLevel { positions, velocities };

/// How a point differs from the one before.
enum class Moved {
  anywhere,
  accelerations  // only a, μ and x' differ
};

/// Who solves for the accelerations of the point when an output asks for them; null: they are there.
class AccelerationSource {
 public:
  virtual ~AccelerationSource() = default;
  /// Moves the system to the same point with a, μ and x' that solve its equations, and returns it.
  virtual const Point& solved() = 0;
};

/// What a mechanism has, and the power that comes in, less what is lost.
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
  /// Throws std::invalid_argument, naming the element, where parameters make no sense. Called before a run.
  virtual void check() {}

  /// Inputs and parameters, as one vector; all functions below use the values set last.
  virtual void set_inputs(In u) = 0;
  virtual void get_inputs(Out u) const = 0;

  // --- anywhere ---
  /// What errors of y (as increments, of the size of z) and x are measured against at the start of a run, with the present
  /// parameters; the nominal values of variables() unless overridden.
  virtual void scales(Out y_scale, Out x_scale) const;

  /// y₁ = y₀ ⊕ Δ.
  virtual void displace(In y0, In delta, Out y1) const { y1 = y0 + delta; }

  /// Y_i = max(Y_i, |y_i|), the scales of the error norm; they start at scales().
  virtual void grow_scales(In y, Out scales) const { scales = scales.cwiseMax(y.cwiseAbs()); }

  /// Largest |y_i| over its scale, at least 1: how much of the scales' digits roundoff takes.
  virtual double resolution(In, In) const { return 1; }

  /// The numbers of M(t,y), Sizes::mass of them, …
  virtual void mass(double t, In y, Out numbers) const = 0;
  /// … and the product of that M with a vector.
  virtual void multiply_mass(In numbers, In v, Out Mv) const = 0;

  // --- at a point ---
  /// Moves to p. It is not copied: it has to stay as it is while it is used; where it has changed, at() has to be
  /// called again. Inputs are those at the time of use.
  void at(const Point& p, Moved how = Moved::anywhere) {
    point_ = &p;
    source_ = nullptr;
    ++stamp_;
    moved(how);
  }
  void at(Point&&, Moved = Moved::anywhere) = delete;
  const Point& point() const { return *point_; }
  /// Accelerations, multipliers and x' of the point are not known yet: outputs get them from the source, until the next at().
  void on_demand(AccelerationSource* source) { source_ = source; }
  /// The point for outputs that need more than t, y, z and x.
  const Point& with_accelerations() { return source_ == nullptr ? *point_ : source_->solved(); }
  /// Another number after every at(): whoever has kept it knows whether the system is still where it was.
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
  /// Where the blocks of a system of many parts are; null: it has dense ones only.
  virtual const BlockPattern* pattern() const { return nullptr; }
  /// Blocks of the pattern that come and go: they have no numbers in `value`, and none at all where they are not present.
  struct Passing {
    std::vector<Index> blocks;
    std::vector<char> present;  // each of them, where derivatives were taken last
  };
  /// Null: all blocks stay.
  virtual const Passing* passing() const { return nullptr; }
  /// Derivatives as blocks of the pattern, added to layers that are zero.
  virtual void derivatives(double /*kappa*/, BlockLayers& /*layers*/) {}
  /// Of R = (M a − f; d²g/dt², dk/dt with a; d) along a change of t, y, z, x and u, where a, μ, x' stay: all that the blocks do not
  /// tell. That is the whole derivative of the second part; of f and d, what t and u do directly. μ that are no numbers are not known:
  /// nothing may depend on them but reactions. False: not known exactly.
  virtual bool vary(const Change& /*along*/, Vector& /*r*/) { return false; }
  /// Derivative of an output along a change of the point, which has its accelerations, and of u. False: not known exactly.
  virtual bool vary(std::size_t /*output*/, const Change& /*along*/, double& /*slope*/) {
    return false;
  }
  /// Energies where the system is; false: it does not know them.
  virtual bool energies(Energies& /*now*/) { return false; }
  /// The memory that a run begins with at time t.
  virtual void start_memory(double /*t*/, Out memory) const { memory.setZero(); }
  /// A run begins with this memory: it forgets the course of what was before, and keeps where angles are.
  virtual void begin_memory(Out /*memory*/) const {}  // NOLINT(performance-unnecessary-value-param)
  /// Notes in `memory` what evaluations at later points have to know of this one, which was accepted.
  virtual void remember(Out /*memory*/) {}  // NOLINT(performance-unnecessary-value-param)
  /// Output number i of variables(); with the accelerations of the point, unless the system knows that it needs none.
  virtual double read(std::size_t output);

  /// Names for messages: y[1], g[1], k[1], x[1] unless the model gives better ones.
  std::string coordinate_name(Index i) const;
  std::string constraint_name(Index i) const;  // of row i of C
  std::string state_name(Index i) const;
  /// Which constraints the values of g show to be violated, and by how much, worst first.
  virtual std::string describe_violation(In g) const;
  /// Where more than coordinates has start values: the same system with constraints that hold them, for the start alone, with the present
  /// inputs. `part` of the way to positions from where they are as placed. Null: there is nothing of the kind.
  virtual System* with_start_values(StartLevel /*level*/, double /*part*/) { return nullptr; }

 protected:
  /// The point has changed: what was computed at the last one is void.
  virtual void moved(Moved /*how*/) {}

  /// Output number i with the point at hand, whether its accelerations are there or not.
  double read_here(std::size_t output) const;

  Sizes sizes_;

 private:
  const Point* point_ = nullptr;
  AccelerationSource* source_ = nullptr;
  std::uint64_t stamp_ = 0;
};

}  // namespace mechfmu
