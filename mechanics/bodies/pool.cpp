#include "mechanics/bodies/pool.h"

#include "mechanics/bodies/kinds.h"

namespace mechfmu::mechanics {

std::vector<std::unique_ptr<BodyPool>> make_body_pools() {
  std::vector<std::unique_ptr<BodyPool>> pools(rotors + 1);
  pools[static_cast<std::size_t>(BodyType::spatial)] = make_spatial_bodies();
  pools[rotors] = make_rotors();
  pools[static_cast<std::size_t>(BodyType::planar)] = make_planar_bodies();
  pools[static_cast<std::size_t>(BodyType::point)] = make_points();
  pools[static_cast<std::size_t>(BodyType::planar_point)] = make_planar_points();
  pools[static_cast<std::size_t>(BodyType::flexible)] = make_flexible_bodies();
  pools[static_cast<std::size_t>(BodyType::node)] = make_spatial_bodies();
  return pools;
}

}  // namespace mechfmu::mechanics
