#include "mechanics/mechanism.h"

#include <stdexcept>

#include "mechanics/bodies/pool.h"

namespace mechfmu::mechanics {

namespace {

template <class Handle, class Data>
Handle append(std::vector<Data>& list, Data data) {
  list.push_back(std::move(data));
  return Handle{static_cast<Index>(list.size()) - 1};
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
  make_bodies(data.type)->complete(*this, data);
  return append<Body>(bodies, std::move(data));
}
Modal Mechanism::modal(ModalBody numbers) {
  if (const std::vector<std::string> wrong = numbers.problems(); !wrong.empty())
    throw std::invalid_argument("flexible body: " + wrong[0]);
  return append<Modal>(modals, std::make_shared<const ModalBody>(std::move(numbers)));
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
  // If a joint names one point only, that point belongs also to b.
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
