// The equations of motion of a mechanism in absolute coordinates.
//
//   spatial body    y = (r, q): centre of mass and unit quaternion     z = (ṙ, Ω): Ω in body axes
//                   m r̈ = F,   J Ω̇ = Rᵀτ − Ω × JΩ,   y ⊕ (δ, φ) = (r + δ, q ∘ exp(φ/2))
//   planar body     y = (x, y, θ), z = y';    point mass: y = r, z = ṙ
//   reactions       −Gᵀλ of joints, −Bᵀψ of rolling, with G, B in the order: joints, rolling contacts, constraints
//
// y also counts the turns of joint angles of spatial bodies: one number for each, after those of the bodies. The mass
// matrix is constant. Derivatives are blocks on the graph of bodies, joints and states (solver/block_kkt.h).

#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "mechanics/derived.h"
#include "mechanics/facts.h"
#include "mechanics/mechanism.h"
#include "mechanics/rows.h"
#include "model/block_writer.h"
#include "model/system.h"

namespace mechfmu::mechanics {

struct BodyMove;  // mechanics/assembly.h

/// Thrown where elements or their numbers make no sense: all there is to say, "body 'drum': its mass …".
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
  /// Everything about the motion at p that is not an unknown: for outputs.
  const Motion& motion(const Point& p);

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
  void derivatives(double kappa, DenseBlocks& blocks) override;
  const BlockPattern* pattern() const override { return &pattern_; }
  void derivatives(double kappa, BlockLayers& layers) override;
  std::string describe_violation(In g) const override;

 private:
  friend class Motion;
  friend std::vector<BodyMove> moves(const MechanismSystem& system, const Point& after);

  // building (build.cpp)
  void number_unknowns();
  void refresh();
  void refresh_body(std::size_t index);
  void check_mass(const BodyFacts& body, const std::string& who);
  void refresh_joint(std::size_t index);
  void refresh_rolling(std::size_t index);
  void refresh_measure(std::size_t index);
  void declare_variables();
  void doubt(const std::string& who, const std::string& what);
  Settings settings() const { return {u_.data()}; }
  Vec3 local_point(Index body, const Triple& where, bool local) const;
  Vec3 local_direction(Index body, const Triple& direction, bool local, const std::string& who,
                       const char* what = "axis");

  // evaluation (evaluate.cpp)
  void place(In y, std::vector<BodyMotion>& bodies) const;
  /// now_ at y, unless it is there already.
  void place_now(In y);
  void move(In z, std::vector<BodyMotion>& bodies) const;
  static Pose<double> pose(const BodyMotion& b) { return {b.r, b.R}; }
  void evaluate_single(const Row& row, In y, const std::vector<BodyMotion>& bodies,
                       RowMotion& now) const;
  static double speed(const Row& row, const RowMotion& now, const std::vector<BodyMotion>& bodies);
  void push(const Row& row, const RowMotion& now, double amount);
  double argument(const Argument& a, const Point& p) const;
  Scope<double> scope(const Law& law, const std::vector<double>& constants, const Point& p,
                      double* arguments) const;
  void apply_forces(const Point& p);
  void apply_reactions(In mu);
  void collect(Out f, bool gyroscopic) const;
  void evaluate_relation(std::size_t c, const Point& p);
  /// Power that springs, dampers, friction and contact take away, and that all other forces and drives bring.
  struct Powers {
    double dissipated = 0, supplied = 0;
  };
  Powers powers(const Point& p) const;
  /// Ḃ·z of a row: the part of its acceleration that bodies have without accelerating.
  static double rate_without_acceleration(const Row& row, const std::vector<BodyMotion>& bodies);
  void accelerate(In a);
  Index multiplier_index(const Argument& a) const;

  // derivatives (linearize.cpp)
  BlockPattern make_pattern();
  void add_coincidence(BlockWriter& out, const JointFacts& joint, int body, const Vec3& point,
                       double sign, const Point& p);
  void add_pair(BlockWriter& out, std::size_t k, const Point& p);
  void fill(const Point& p, BlockWriter& out);

  Mechanism d_;
  std::vector<double> u_;
  std::unique_ptr<Variables> variables_;
  Vec3 gravity_ = Vec3::Zero();
  double length_ = 1;

  std::vector<BodyFacts> bodies_;
  std::vector<JointFacts> joints_;
  std::vector<RollingFacts> rollings_;
  std::vector<Row> singles_;      // rows of joints and rolling contacts
  std::vector<Index> single_mu_;  // their multipliers
  std::vector<Row> measures_;
  std::vector<Index> relation_mu_, relation_node_, state_node_;
  std::vector<const Row*> turning_;  // rows whose turns y counts
  std::vector<std::vector<double>> force_constants_, relation_constants_, state_constants_,
      pair_constants_;
  std::vector<std::vector<Vec3>> pair_geometry_;
  std::vector<std::size_t> loaded_forces_;  // forces whose law depends on multipliers
  std::vector<std::size_t>
      active_measures_;  // measures that forces, constraints or states depend on
  BlockPattern pattern_;
  std::vector<Index> block_ids_;  // blocks in the order fill() visits them
  bool track_energy_ = false;
  bool checking_ = false;
  std::vector<std::string> doubts_;  // while checking

  // At the point evaluated last
  std::vector<BodyMotion> now_;
  Vector placed_y_;  // where now_ is
  bool placed_ = false;
  std::vector<RowMotion> single_now_, measure_now_;
  std::vector<double> force_now_;
  std::vector<RelationValue> relation_now_;
  std::vector<Vec<double, 6>> acceleration_;  // (v̇, ω̇) in world axes
  std::vector<BodyMotion> scratch_;
  std::vector<Derived> derived_;  // measures
  Vector mu_difference_;
  std::unique_ptr<Motion> motion_;
};

}  // namespace mechfmu::mechanics
