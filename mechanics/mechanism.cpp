#include "mechanics/mechanism.h"

#include <algorithm>
#include <stdexcept>

namespace mechfmu::mechanics {

namespace {

template <class Handle, class Data>
Handle append(std::vector<Data>& list, Data data) {
  list.push_back(std::move(data));
  return Handle{static_cast<Index>(list.size()) - 1};
}

const ModalBody& modes_of(const BodyData& body,
                          const std::vector<std::shared_ptr<const ModalBody>>& modals) {
  const std::size_t k = ix(body.modal.index);
  if (k >= modals.size())
    throw std::invalid_argument("body '" + body.name +
                                "' is flexible, but its modal is not one of the mechanism's; make "
                                "it with Mechanism::modal()");
  return *modals[k];
}

}  // namespace

Mechanism::Mechanism(std::string name_) : name(std::move(name_)) {
  bodies.push_back({.name = "ground", .mass = 0});
}

Parameter Mechanism::parameter(const std::string& name_, double value, const std::string& unit,
                               const std::string& about_) {
  settings.push_back({Variable(Variable::Kind::parameter, name_).unit(unit).about(about_), value});
  return {static_cast<Index>(settings.size()) - 1};
}

Input Mechanism::input(const std::string& name_, double start, const std::string& unit,
                       const std::string& about_) {
  settings.push_back({Variable(Variable::Kind::input, name_).unit(unit).about(about_), start});
  return {static_cast<Index>(settings.size()) - 1};
}

Variable& Mechanism::output(const std::string& name_, std::function<double(const Motion&)> read,
                            std::function<Along(const MotionAlong&)> along) {
  outputs.push_back({Variable(Variable::Kind::output, name_), std::move(read), std::move(along)});
  return outputs.back().variable;
}

Body Mechanism::body(BodyData data) {
  if (data.solid) {
    data.mass = data.solid->mass;
    data.inertia = data.solid->inertia;
    data.centre = data.solid->centre;
  }
  if (data.type == BodyType::flexible) {
    const ModalBody& numbers = modes_of(data, modals);
    const Mat3 J = numbers.inertia();
    data.mass = numbers.mass();
    data.inertia = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
    data.centre = numbers.centre();
  }
  if (data.type == BodyType::node) data.mass = 0;
  return append<Body>(bodies, std::move(data));
}
Modal Mechanism::modal(ModalBody numbers) {
  if (const std::vector<std::string> wrong = numbers.problems(); !wrong.empty())
    throw std::invalid_argument("flexible body: " + wrong[0]);
  return append<Modal>(modals, std::make_shared<const ModalBody>(std::move(numbers)));
}
Body Mechanism::node(Body flexible, std::string_view name_) {
  const BodyData& whole = bodies.at(ix(flexible.index));
  if (whole.type != BodyType::flexible)
    throw std::invalid_argument("body '" + whole.name + "' is not flexible and has no nodes");
  const std::vector<std::string>& nodes = modes_of(whole, modals).nodes;
  const auto found = std::find(nodes.begin(), nodes.end(), name_);
  if (found == nodes.end())
    throw std::invalid_argument("flexible body '" + whole.name + "' has no node '" +
                                std::string(name_) + "'");
  const auto number = static_cast<Index>(found - nodes.begin());
  for (std::size_t b = 1; b < bodies.size(); ++b)
    if (bodies[b].type == BodyType::node && bodies[b].of.index == flexible.index &&
        bodies[b].node == number)
      return {static_cast<Index>(b)};
  BodyData data;
  data.name = whole.name + "." + *found;
  data.type = BodyType::node;
  data.of = flexible;
  data.node = number;
  return body(std::move(data));
}
Joint Mechanism::joint(JointData data) { return append<Joint>(joints, std::move(data)); }
Rolling Mechanism::rolling(RollingData data) { return append<Rolling>(rollings, std::move(data)); }
Measure Mechanism::measure(MeasureData data) { return append<Measure>(measures, std::move(data)); }
Constraint Mechanism::constraint(ConstraintData data) {
  return append<Constraint>(constraints, std::move(data));
}
Force Mechanism::force(ForceData data) { return append<Force>(forces, std::move(data)); }
StateVariable Mechanism::state(StateData data) {
  return append<StateVariable>(states, std::move(data));
}
Pair Mechanism::pair(PairData data) { return append<Pair>(pairs, std::move(data)); }

Mechanism::Coordinates& Mechanism::coordinates(Joint joint) {
  coordinates_.resize(joints.size());
  return coordinates_.at(static_cast<std::size_t>(joint.index));
}

Measure Mechanism::angle(Joint joint) {
  Measure& made = coordinates(joint).angle;
  if (made.index >= 0) return made;
  const JointData& data = joints.at(static_cast<std::size_t>(joint.index));
  switch (data.type) {
    case JointType::revolute:
    case JointType::cylindrical:
    case JointType::screw:
    case JointType::planar: break;
    default:
      throw std::invalid_argument(
          "joint '" + data.name +
          "' has no angle; revolute, cylindrical, screw and planar joints have");
  }
  MeasureData m;
  m.name = data.name + ".angle";
  m.type = MeasureType::angle;
  m.a = {data.a, data.at, data.local};
  m.b.body = data.b;
  m.axis = data.axis;
  m.local = data.local;
  return made = measure(m);
}

Measure Mechanism::displacement(Joint joint) {
  Measure& made = coordinates(joint).displacement;
  if (made.index >= 0) return made;
  const JointData& data = joints.at(static_cast<std::size_t>(joint.index));
  MeasureData m;
  m.name = data.name + ".displacement";
  m.a = {data.a, data.at, data.local};
  // Where a joint names one point, b has it too, wherever it is given.
  m.b = data.apart ? Spot{data.b, data.at_b, data.local} : Spot{data.b, data.at, data.local};
  m.b_like_a = data.local && !data.apart;
  m.axis = data.axis;
  m.local = data.local;
  switch (data.type) {
    case JointType::prismatic:
    case JointType::cylindrical:
    case JointType::screw:
      m.type = MeasureType::displacement;
      m.from_start = true;
      break;
    case JointType::distance: m.type = MeasureType::distance; break;
    default:
      throw std::invalid_argument(
          "joint '" + data.name +
          "' has no displacement; prismatic, cylindrical, screw and distance joints have");
  }
  return made = measure(m);
}

Measure Mechanism::distance(const Spot& a, const Spot& b) {
  MeasureData m;
  m.name = "distance";
  m.a = a;
  m.b = b;
  return measure(m);
}

}  // namespace mechfmu::mechanics
