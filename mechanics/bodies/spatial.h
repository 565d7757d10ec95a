// Bodies that move and turn in space (spatial.cpp); other kinds build on them.

#pragma once

#include "mechanics/bodies/in_space.h"

namespace mechfmu::mechanics {

class SpatialBodies : public BodiesInSpace {
 public:
  Freedom freedom() const override {
    return {.translations = 3, .rotations = 3, .turning = 3, .positions = 7};
  }
  bool may_spin() const override { return true; }
  int axis(const BodyGeometry&, int k) const override { return k; }

  void check(const BodyGeometry& body, const std::string& name, Doubts& doubts) const override;
  void pose_at_start(const Vec3& angles, BodyGeometry& body) const override;
  void start(const Geometry& g, std::vector<double>& y, std::vector<double>& z) const override;

  void place(const Geometry& g, In y, Instant& now) const override;
  void move(In z, Instant& now) const override;
  void collect(const Geometry& g, const Instant& now, bool gyroscopic, Out f) const override;
  void axes(Instant& now) const override;
  void accelerate(In a, Instant& now) const override;
  void derivatives(const Geometry& g, const Instant& now, const std::vector<BodyPlace>& places,
                   BlockWriter& out) const override;

  void displace(In y0, In delta, Out y1) const override;
  void multiply_mass(const Geometry& g, In numbers, In v, Out Mv) const override;
};

}  // namespace mechfmu::mechanics
