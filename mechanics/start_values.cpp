// Start values of joints: a mechanism with constraints that hold only where a run begins.
//
//   φ = part · φ₀   of joints with an angle or a displacement       (positions)
//   φ̇ = φ̇₀          of those with a rate                            (velocities)
//
// The numbers φ₀, φ̇₀ may follow from parameters. They become parameters of the other mechanism,
// behind those it has.

#include <optional>
#include <string>
#include <vector>

#include "mechanics/system.h"

namespace mechfmu::mechanics {

namespace {

/// Calls use(joint, whether it is the angle, number) for all start values of a level, in a fixed
/// order.
template <class Use>
void for_each_start_value(const Mechanism& m, StartLevel level, Use&& use) {
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const JointData& data = m.joints[j];
    const bool positions = level == StartLevel::positions;
    const std::optional<Number>& angle = positions ? data.angle : data.angle_rate;
    const std::optional<Number>& way = positions ? data.displacement : data.displacement_rate;
    if (angle) use(Joint{static_cast<Index>(j)}, true, *angle);
    if (way) use(Joint{static_cast<Index>(j)}, false, *way);
  }
}

std::unique_ptr<MechanismSystem> held(const Mechanism& original, StartLevel level) {
  Mechanism m = original;
  m.outputs.clear();
  for_each_start_value(original, level, [&](Joint joint, bool angle, const Number&) {
    const std::string name = original.joints[ix(joint.index)].name;
    const Measure measure = angle ? m.angle(joint) : m.displacement(joint);
    const bool positions = level == StartLevel::positions;
    const Parameter value = m.parameter("start of " + name + (angle ? ": angle" : ": way"), 0);
    m.constraint(
        {name + (angle ? ".angle" : ".displacement") + (positions ? "" : "_rate") + " at t = 0",
         relation<1>({positions ? Mechanism::value(measure) : Mechanism::rate(measure)},
                     [value](const auto& s) { return s[0] - s(value); }),
         !positions});
  });
  for (JointData& data : m.joints)
    data.angle = data.angle_rate = data.displacement = data.displacement_rate = {};
  return std::make_unique<MechanismSystem>(std::move(m));
}

}  // namespace

System* MechanismSystem::with_start_values(StartLevel level, double part) {
  std::vector<double> u = u_;
  for_each_start_value(d_, level, [&](Joint, bool, const Number& number) {
    u.push_back((level == StartLevel::positions ? part : 1) * number(inputs()));
  });
  if (u.size() == u_.size()) return nullptr;
  auto& system = level == StartLevel::positions ? start_positions_ : start_velocities_;
  if (!system) system = held(d_, level);
  system->set_inputs(Eigen::Map<const Vector>(u.data(), static_cast<Index>(u.size())));
  return system.get();
}

}  // namespace mechfmu::mechanics
