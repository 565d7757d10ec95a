// From parameters to geometry, and what is wrong with it.

#include <cmath>
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
  for (std::size_t b = 1; b < g_.bodies.size(); ++b) refresh_body(b);
  for (const auto& element : elements_) element->refresh(d_, layout_, inputs(), g_, doubts_);

  // The size of the largest body is what errors of positions are compared with.
  g_.length = d_.length_scale(inputs());
  if (g_.length <= 0) {
    double largest = 0;
    double box = 0;
    for (std::size_t j = 0; j < layout_.joints.size(); ++j) {
      if (layout_.joints[j].i != 0) largest = std::max(largest, g_.points[j].p_i.norm());
      if (layout_.joints[j].j != 0) largest = std::max(largest, g_.points[j].p_j.norm());
    }
    for (const WeldGeometry& weld : g_.welds) largest = std::max(largest, weld.p.norm());
    for (const BodyGeometry& body : g_.bodies) box = std::max(box, body.r0.norm());
    g_.length = largest > 0 ? largest : box > 0 ? box : 1;
  }
}

void MechanismSystem::refresh_body(std::size_t index) {
  const BodyData& data = d_.bodies[index];
  BodyGeometry& body = g_.bodies[index];
  const InputValues u = inputs();
  if (data.type == BodyType::node) return refresh_node(index);
  const auto doubt = [&](const char* what) { doubts_.add("body", data.name, what); };
  // What a wrong shape makes of mass and inertia is no news.
  bool sound = true;
  if (data.solid)
    for (const Requirement& requirement : data.solid->requirements)
      if (!requirement.met(u)) {
        doubts_.add("body", data.name, requirement.otherwise);
        sound = false;
      }
  body.mass = data.mass(u);
  body.J = data.inertia(u);
  if (const int plane = layout_.bodies[index].plane; plane > 0)
    g_.plane[ix(plane)] = {body.mass, body.J(2, 2)};
  if (sound) {
    if (!std::isfinite(body.mass))
      doubt("its mass is not finite");
    else if (!(body.mass >= 0))
      doubt("its mass must not be negative");
    if (!body.J.allFinite())
      doubt("its inertia is not finite");
    else
      pool_of(index).check(body, data.name, doubts_);
  }
  body.centre = data.centre(u);
  const Vec3 angles = data.rotation(u);
  body.theta0 = angles[2];
  body.w0 = data.angular_velocity(u);
  pool_of(index).pose_at_start(angles, body);
  body.r0 = data.at(u) + body.R0 * body.centre;
  body.v0 = data.velocity(u) + body.w0.cross(Vec3(body.R0 * body.centre));
  if (!(body.r0.allFinite() && body.R0.allFinite()))
    doubt("its initial position is not finite");
  else if (!(body.v0.allFinite() && body.w0.allFinite()))
    doubt("its initial velocity is not finite");
  if (data.type == BodyType::flexible) {
    FlexibleGeometry& flexible = g_.flexibles[ix(layout_.bodies[index].flexible)];
    const ModalBody& numbers = *flexible.numbers;
    const double ratio = data.damping ? (*data.damping)(u) : 0;
    if (!(ratio >= 0 && std::isfinite(ratio))) doubt("its damping must not be negative");
    for (Index k = 0; k < numbers.modes; ++k)
      flexible.damping[k] = 2 * (data.damping ? ratio : numbers.zeta(ix(k))) * numbers.omega(ix(k));
  }
}

// A node is where the body has it that it belongs to.
void MechanismSystem::refresh_node(std::size_t index) {
  const BodyData& data = d_.bodies[index];
  const BodyGeometry& whole = g_.bodies[ix(data.of.index)];
  BodyGeometry& node = g_.bodies[index];
  const ModalBody& numbers = *d_.modals[ix(d_.bodies[ix(data.of.index)].modal.index)];
  const Vec3 p = numbers.place(ix(data.node)) - numbers.centre();
  node.mass = 0;
  node.J.setZero();
  node.R0 = whole.R0;
  node.r0 = whole.world(p);
  node.w0 = whole.w0;
  node.v0 = whole.v0 + whole.w0.cross(Vec3(whole.R0 * p));
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
