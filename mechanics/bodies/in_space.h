// The common part of bodies that move in space: y and z begin with the centre of mass r and ṙ, the
// weight is m g.

#pragma once

#include <algorithm>

#include "mechanics/bodies/pool.h"

namespace mechfmu::mechanics {

class BodiesInSpace : public BodyPool {
 public:
  void begin_loads(const Geometry& g, bool weight, Instant& now) const override {
    for (const Member& m : bodies_) {
      Load& load = now.loads[m.body];
      load.force = weight ? Vec3(g.bodies[m.body].mass * g.gravity) : Vec3(Vec3::Zero());
      load.moment.setZero();
    }
  }
  double farthest(In y) const override {
    double far = 0;
    for (const Member& m : bodies_) far = std::max(far, y.segment<3>(m.y).cwiseAbs().maxCoeff());
    return far;
  }
};

}  // namespace mechfmu::mechanics
