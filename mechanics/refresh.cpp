// From parameters to geometry, and the problems found on the way.

#include <utility>

#include "mechanics/motion.h"
#include "mechanics/system.h"

namespace mechfmu::mechanics {

InvalidMechanism::InvalidMechanism(const std::vector<std::string>& problems)
    : std::invalid_argument([&] {
        std::string text;
        for (const std::string& problem : problems) text += (text.empty() ? "" : "; ") + problem;
        return text;
      }()),
      problems_(std::make_shared<const std::vector<std::string>>(problems)) {}

void MechanismSystem::check() {
  doubts_.on = true;
  refresh();
  doubts_.on = false;
  if (const std::vector<std::string> all = doubts_.take(); !all.empty())
    throw InvalidMechanism(all);
}

void MechanismSystem::refresh() {
  now_.stage = Instant::Stage::nothing;
  loaded_ = accelerated_ = false;
  g_.gravity = d_.gravity(inputs());
  for (std::size_t b = 1; b < g_.bodies.size(); ++b)
    pool_of(b).refresh(d_, layout_, b, inputs(), g_, doubts_);
  for (const auto& element : elements_) element->refresh(d_, layout_, inputs(), g_, doubts_);

  // The scale of errors of positions is the size of the largest body.
  g_.length = d_.length_scale(inputs());
  if (g_.length <= 0) {
    double largest = 0;
    double box = 0;
    for (const auto& element : elements_) largest = std::max(largest, element->reach(layout_, g_));
    for (const BodyGeometry& body : g_.bodies) box = std::max(box, body.r0.norm());
    g_.length = largest > 0 ? largest : box > 0 ? box : 1;
  }
}

Start MechanismSystem::start() const {
  Start start;
  start.y.assign(ix(sizes_.y), 0);
  start.z.assign(ix(sizes_.n), 0);
  for (const BodyPool* pool : bodies_) pool->start(g_, start.y, start.z);
  for (const StateData& state : d_.states) start.x.push_back(state.start(inputs()));
  start.x.resize(ix(sizes_.x), 0);
  return start;
}

void MechanismSystem::set_inputs(In u) {
  bool parameters = false;
  bool inputs = false;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const double value = u[static_cast<Index>(i)];
    if (value == u_[i]) continue;
    u_[i] = value;
    (d_.settings[i].variable.kind() == Variable::Kind::parameter ? parameters : inputs) = true;
  }
  if (parameters) refresh();
  if (inputs) {
    // Bodies and their motion do not depend on inputs.
    follow_inputs_ = true;
    loaded_ = false;
  }
}

void MechanismSystem::get_inputs(Out u) const {
  for (std::size_t i = 0; i < u_.size(); ++i) u[static_cast<Index>(i)] = u_[i];
}

}  // namespace mechfmu::mechanics
