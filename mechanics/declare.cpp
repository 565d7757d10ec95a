// Names, units and outputs of a mechanism.

#include <algorithm>

#include "mechanics/motion_along.h"
#include "mechanics/system.h"

namespace mechfmu::mechanics {

namespace {

/// Outputs of every mechanism, after the user's outputs.
struct EnergyOutput {
  const char* name;
  const char* about;
  bool tracked;
  double (*read)(const Motion&);
  Along (*along)(const MotionAlong&);
};
template <class F>
constexpr EnergyOutput energy_output(const char* name, const char* about, bool tracked, F read) {
  return {name, about, tracked, read, read};
}
constexpr EnergyOutput energy_outputs[] = {
    energy_output("energy.kinetic", "kinetic energy of all bodies", false,
                  [](const auto& q) { return q.kinetic_energy(); }),
    energy_output("energy.potential", "energy of weight, springs and contacts", false,
                  [](const auto& q) { return q.potential_energy(); }),
    energy_output("energy.total", "kinetic and potential energy", false,
                  [](const auto& q) { return q.kinetic_energy() + q.potential_energy(); }),
    energy_output("energy.dissipated",
                  "energy dissipated by dampers, friction and contacts since t = 0", true,
                  [](const auto& q) { return q.dissipated_energy(); }),
    energy_output("energy.work", "work done by forces, drives and inputs since t = 0", true,
                  [](const auto& q) { return q.work(); }),
    energy_output("energy.imbalance",
                  "energy created (positive) or lost by the integration since t = 0", true,
                  [](const auto& q) { return q.energy_imbalance(); }),
};

}  // namespace

MechanismSystem::MechanismSystem(Mechanism description)
    : d_(std::move(description)), pools_(make_body_pools()), elements_(make_elements()) {
  for (const Mechanism::Setting& s : d_.settings) u_.push_back(s.start);
  doubts_.on = true;
  number();
  make_room();
  check();
  motion_ = std::make_unique<Motion>(*this);
  declare_variables();
  make_pattern();
}

MechanismSystem::~MechanismSystem() = default;

void MechanismSystem::declare_variables() {
  variables_ = std::make_unique<Variables>(sizes_);
  Variables& v = *variables_;
  v.about(d_.about);
  v.experiment(d_.experiment);
  v.solver(d_.solver);
  v.start(start());
  v.hide_letters();
  for (std::size_t i = 0; i < u_.size(); ++i) v.declare(d_.settings[i].variable, u_[i]);
  // An output reads the point at which the system is: System::read.
  for (const Mechanism::OutputData& output : d_.outputs) {
    v.declare(output.variable, [this, &output](const Point&) { return output.read(*motion_); });
    outputs_along_.push_back(output.along);
  }
  for (const EnergyOutput& energy : energy_outputs) {
    const bool own = std::any_of(
        d_.outputs.begin(), d_.outputs.end(),
        [&](const Mechanism::OutputData& output) { return output.variable.name() == energy.name; });
    if (own || (energy.tracked && !d_.track_energy)) continue;
    v.declare(Variable(Variable::Kind::output, energy.name).unit("J").about(energy.about),
              [this, read = energy.read](const Point&) { return read(*motion_); });
    outputs_along_.emplace_back(energy.along);
  }

  for (std::size_t b = 1; b < layout_.bodies.size(); ++b) pool_of(b).name(d_, layout_, g_, b, v);
  for (const auto& element : elements_) element->name(d_, layout_, v);
}

}  // namespace mechfmu::mechanics
