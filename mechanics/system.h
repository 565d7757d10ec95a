// The equations of motion of a mechanism in absolute coordinates.
//
//   M a = f(t,y,z,μ,x,u)    f = (F, axesᵀτ − gyroscopic torques) of all bodies (mechanics/bodies/)
//                           with forces of elements and reactions −Gᵀλ of joints, −Bᵀψ of rolling
//                           (mechanics/elements/)
//
// Four structs hold all numbers: the description and the Layout of unknowns, which do not change;
// the Geometry, which follows from parameters; the Instant, which follows from a point. Pools of
// bodies and elements fill their parts of them. The mass matrix is constant except for flexible
// bodies. Derivatives are blocks on the graph of bodies, joints and states (model/block_pattern.h).
// A rotation does not show whole turns of angles; the memory of a point counts them.

#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "mechanics/elements/pool.h"
#include "mechanics/geometry.h"
#include "mechanics/instant.h"
#include "mechanics/layout.h"
#include "mechanics/mechanism.h"
#include "model/block_writer.h"
#include "model/system.h"

namespace mechfmu::mechanics {

/// Thrown for impossible elements or numbers, with all problems: "body 'drum': its mass …".
class InvalidMechanism : public std::invalid_argument {
 public:
  explicit InvalidMechanism(const std::vector<std::string>& problems);
  const std::vector<std::string>& problems() const { return *problems_; }

 private:
  std::shared_ptr<const std::vector<std::string>> problems_;  // copying does not throw
};

class MechanismSystem final : public System {
 public:
  explicit MechanismSystem(Mechanism description);
  ~MechanismSystem() override;

  const Mechanism& description() const { return d_; }
  const Layout& layout() const { return layout_; }
  const Geometry& geometry() const { return g_; }
  /// The motion at the present point, for outputs.
  const Motion& motion() const { return *motion_; }
  /// … at p: the system moves there and keeps p.
  const Motion& motion(Point p) {
    kept_ = std::move(p);
    at(kept_);
    return *motion_;
  }

  const Variables& variables() const override { return *variables_; }
  Start start() const override;
  void check() override;
  void set_inputs(In u) override;
  void get_inputs(Out u) const override;
  void displace(In y0, In delta, Out y1) const override;
  void scales(Out y_scale, Out x_scale) const override;
  void grow_scales(In y, Out scales) const override;
  double resolution(In y, In scales) const override;
  void mass(double t, In y, Out numbers) const override;
  void multiply_mass(In numbers, In v, Out Mv) const override;
  void values(Values& values) override;
  void tilde(In z_tilde, In mu_tilde, Out f_difference, Out k_tilde) override;
  void constraint_acceleration(In a, Out c) override;
  void multiply_constraints(In v, Out Cv) override;
  void derivatives(double kappa, DenseBlocks& blocks) override;
  const BlockPattern* pattern() const override { return &pattern_; }
  const Passing* passing() const override { return passing_.blocks.empty() ? nullptr : &passing_; }
  void derivatives(double kappa, BlockLayers& layers) override;
  bool vary(const Change& change, Vector& r) override;
  bool vary(std::size_t output, const Change& change, double& slope) override;
  bool energies(Energies& now) override;
  void begin_memory(Out memory) const override;
  void start_memory(double t, Out memory) const override;
  void remember(Out memory) override;
  /// Computes only what the output needs, accelerations only for outputs that depend on them.
  double read(std::size_t output) override { return read_here(output); }
  std::string describe_violation(In g) const override;
  /// Start values of joints.
  System* with_start_values(StartLevel level, double part) override;

 protected:
  void moved(Moved how) override;

 private:
  friend class Motion;
  friend class MotionAlong;
  template <class T>
  friend class Readings;

  // number.cpp
  void choose_pools();
  void number();
  void make_pattern();
  void find_passing_blocks(const std::vector<std::size_t>& ends);
  void make_room();
  // refresh.cpp
  void refresh();
  // declare.cpp
  void declare_variables();

  InputValues inputs() const { return {u_.data(), room_.data()}; }
  Parts parts() { return {d_, layout_, g_, now_}; }
  const BodyPool& pool_of(std::size_t body) const { return *pools_[layout_.bodies[body].pool]; }
  /// Computes a stage unless it is known.
  void require(Instant::Stage stage);
  /// Whether the computed values also hold at the point.
  bool still_there() const;
  /// Loads of all forces, and their values.
  void load_forces();
  void begin_no_loads();
  /// Powers of all forces and drives, which have been evaluated.
  Powers powers();
  /// `ends`: the numbers of blocks visited after the bodies and after each working element.
  void write(BlockWriter& out, std::vector<std::size_t>* ends = nullptr);

  // The model
  Mechanism d_;
  Layout layout_;
  std::vector<std::unique_ptr<BodyPool>> pools_;        // BodyPlace::pool
  std::vector<BodyPool*> bodies_;                       // those that have bodies
  std::vector<std::unique_ptr<ElementPool>> elements_;  // all kinds
  std::vector<ElementPool*> working_;                   // those with work at a point
  BlockPattern pattern_;
  std::vector<Index> block_ids_;               // blocks in the order write() visits them
  Passing passing_;                            // blocks of bodies that only contact couples
  std::vector<std::size_t> passing_coupling_;  // Layout::couplings, of each of them
  std::unique_ptr<Variables> variables_;
  std::vector<std::function<Along(const MotionAlong&)>> outputs_along_;  // of all; empty: unknown

  // From parameters and inputs
  std::vector<double> u_;
  mutable std::vector<double> room_;  // InputValues::room
  Geometry g_;
  Doubts doubts_;

  // From the point
  Instant now_;
  struct {
    double t = 0;
    Vector y, z, memory;
  } seen_;                      // the point that Instant::stage was reached at
  bool follow_inputs_ = false;  // inputs have changed since it was
  bool loaded_ = false;         // Instant::forces are known
  bool accelerated_ = false;    // Instant::accelerations are those of the point
  Vector mu_difference_, remembered_;
  std::unique_ptr<Motion> motion_;
  Point kept_;  // of motion(p)

  // with_start_values(): made when first asked for
  std::unique_ptr<MechanismSystem> start_positions_, start_velocities_;
};

}  // namespace mechfmu::mechanics
