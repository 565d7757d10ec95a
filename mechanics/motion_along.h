// The exact change of the motion along a change of its point: each reading with its derivative.
//
// Vectors fixed in the frame of a body turn with it; components change separately. With δφ the
// rotation of the frame, δθ that of the body (they differ where the body spins in its frame), and
// axes e_k of the rotations:
//
//   R + δθ × R,    δω = δφ × ω + Σ e_k δz_k,    ω̇ = Σ e_k a_k + ω_F × ω
//   δω̇ = δφ × ω̇ + Σ e_k δa_k + δ'ω_F × ω + ω_F × δ'ω
//
// where ω_F is the angular velocity of the frame and δ' the change by components alone. The
// templates of rows, laws and contacts give their derivatives. A law in C++ of settings, and power,
// have none: known() reports whether everything that was read has a derivative.

#pragma once

#include "mechanics/motion.h"

namespace mechfmu::mechanics {

struct Calculation;

class MotionAlong final : public Readings<Along> {
 public:
  /// The system is at a point with accelerations. The change must outlive this.
  MotionAlong(MechanismSystem& system, const Change& change);
  using Readings::acceleration;

  bool known() const { return known_; }
  const Change& change() const { return change_; }

  Along state(StateVariable x) const override;
  Along state_rate(StateVariable x) const override;
  Along acceleration(Measure m) const override;
  Along force(Force f) const override;
  ReactionOf<Along> pair(Pair k) const override;
  Along dissipated_power() const override { return unknown(); }
  Along supplied_power() const override { return unknown(); }
  /// A calculation of these readings.
  Along calculate(const Calculation& calculation, const Along* arguments) const;

  // For elements
  RowMotionOf<Along> measure(Measure m) const override;
  RowMotionOf<Along> row(int index) const override;
  /// φ̈, or the rate of a speed.
  Along row_acceleration(const Row& row) const;
  Moving<Along> moving_body(Index index) const { return body(index); }
  Vec<Along, 6> body_accelerations(Index index) const { return accelerations(index); }
  /// Of the point p in body axes, from the centre of mass.
  Vec<Along, 3> point_acceleration(Index body, const Vec3& p) const;
  /// The arguments of a law with their slopes, or without them (`still`); `room` holds them.
  ScopeAlong scope(const std::vector<Place>& arguments, const std::vector<double>& constants,
                   Along* room, bool still = false) const;
  /// Whether time, inputs or parameters change.
  bool moves_settings() const { return moves_settings_; }

 private:
  Moving<Along> body(Index index) const override;
  Vec<Along, 6> accelerations(Index index) const override;
  Along reaction_number(Index i) const override;
  Along mode_number(Index body, Index mode) const override;
  Along mode_rate_number(Index body, Index mode) const override;
  Along mode_acceleration_number(Index body, Index mode) const override;
  Along elastic_energy() const override;
  Along unknown() const {
    known_ = false;
    return {};
  }
  RowMotionOf<Along> look(const Row& row, int turn) const;

  const Change& change_;
  bool moves_settings_;
  mutable bool known_ = true;
};

}  // namespace mechfmu::mechanics
