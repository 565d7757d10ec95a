#include "mechanics/listing.h"

#include <algorithm>
#include <stdexcept>

#include "mechanics/bodies/pool.h"
#include "mechanics/fields.h"
#include "mechanics/motion_along.h"
#include "mechanics/placement.h"

namespace mechfmu::mechanics {

namespace {

template <class T>
const T& at(const std::vector<T>& list, std::int64_t index, const char* what) {
  if (index < 0 || index >= static_cast<std::int64_t>(list.size()))
    throw std::invalid_argument(std::string("Listing: ") + what + " " + std::to_string(index) +
                                " is not there");
  return list[static_cast<std::size_t>(index)];
}

class Maker {
 public:
  explicit Maker(const Listing& listing) : l_(listing), m_(listing.name) {}

  Mechanism run() {
    m_.about = l_.about;
    m_.experiment = l_.experiment;
    m_.solver = l_.solver;
    m_.track_energy = l_.track_energy;
    begin();
    m_.gravity = made(l_.gravity);
    m_.length_scale = made(l_.length_scale);
    for (const ModalBody& numbers : l_.modals) m_.modal(numbers);
    for (const auto& row : l_.bodies) m_.body(described<BodyData>(row));
    for (const auto& row : l_.joints) m_.joint(described<JointData>(row));
    for (const auto& row : l_.rollings) m_.rolling(described<RollingData>(row));
    for (const Listing::MeasureEntry& entry : l_.measures)
      std::visit([&](const auto& row) { measures_.push_back(add(row)); }, entry);
    for (const auto& row : l_.states) m_.state(described<StateData>(row));
    for (const Listing::Action& action : l_.actions)
      std::visit([&](const auto& row) { made_.push_back(add(row)); }, action);
    for (const Listing::Output& output : l_.outputs) add(output);
    return std::move(m_);
  }

  /// The values to which all numbers may refer.
  void begin() {
    for (const Listing::Setting& setting : l_.settings) add(setting);
    for (const Calculation& c : l_.calculations) check(c);
    for (const Listing::Pose& pose : l_.poses) add(pose);
  }
  /// A number or a triple for given values of the settings.
  template <class T>
  auto value(const T& of, const std::vector<double>& settings) {
    const auto number = made(of);
    std::vector<double> room(m_.room);
    return number({settings.data(), room.data()});
  }

 private:
  // Values

  const Calculation& calculation(std::int32_t index) const {
    return at(l_.calculations, index, "calculation");
  }
  void check(const Calculation& c) const {
    const bool fits = c.program &&
                      c.constants.size() == static_cast<std::size_t>(c.program->constants) &&
                      c.settings.size() == static_cast<std::size_t>(c.program->settings) &&
                      c.tables.size() == static_cast<std::size_t>(c.program->tables);
    if (!fits) throw std::invalid_argument("Listing: a calculation does not fit its program");
    for (const Index setting : c.settings) at(l_.settings, setting, "setting");
    for (const auto& table : c.tables)
      if (!table) throw std::invalid_argument("Listing: a table is not there");
  }
  void require_arguments(std::int32_t index, std::size_t count) const {
    if (calculation(index).program->arguments != static_cast<std::int32_t>(count))
      throw std::invalid_argument("Listing: a calculation has another number of arguments");
  }

  /// Reserves the room in the system that the calculation needs.
  const Calculation& used(std::int32_t index, Calculation::Wanted wanted) {
    const Calculation& c = calculation(index);
    m_.room = std::max(m_.room, c.room(wanted));
    return c;
  }

  Number made(const Listed::Number& n) {
    if (n.calculation < 0) return n.value;
    require_arguments(n.calculation, 0);
    return calculated_number(used(n.calculation, Calculation::Wanted::value));
  }
  Triple made(const Listed::Triple& t) {
    Triple plain = t.calculation < 0 ? Triple(made(t.x), made(t.y), made(t.z)) : whole(t);
    if (t.placement < 0) return plain;
    const Placement& pose = at(poses_, t.placement, "pose");
    switch (t.placed) {
      case Placed::point: return pose.point(plain);
      case Placed::direction: return pose.direction(plain);
      case Placed::rotation: return pose.turned(plain);
      case Placed::no: break;
    }
    return plain;
  }
  Triple whole(const Listed::Triple& t) {
    require_arguments(t.calculation, 0);
    if (calculation(t.calculation).program->results.size() != 3)
      throw std::invalid_argument("Listing: a vector has another number of results");
    return calculated_triple(used(t.calculation, Calculation::Wanted::value));
  }
  std::vector<Number> made(const Listed::NumberList& list) {
    std::vector<Number> all;
    for (const Listed::Number& n : list) all.push_back(made(n));
    return all;
  }
  Inertia made(const Listed::Inertia& i) {
    return {made(i.xx), made(i.yy), made(i.zz), made(i.xy), made(i.xz), made(i.yz)};
  }
  std::optional<Solid> made(const Listed::Solid& shapes) {
    if (shapes.empty()) return {};
    std::vector<Solid> parts;
    for (const Listed::Shape& shape : shapes) parts.push_back(made(shape));
    return parts.size() == 1 ? parts[0] : together(parts);
  }
  Solid made(const Listed::Shape& shape) {
    const Amount amount = shape.by_density ? density(made(shape.amount)) : mass(made(shape.amount));
    const Triple at_ = made(shape.at);
    const Triple rotation = made(shape.rotation);
    const auto size = [&](std::int64_t i) { return made(at(shape.size, i, "length")); };
    switch (shape.type) {
      case ShapeType::box: return solid(Box{{size(0), size(1), size(2)}, at_, rotation}, amount);
      case ShapeType::cylinder:
        return solid(Cylinder{size(0), size(1), made(shape.axis), at_, rotation}, amount);
      case ShapeType::sphere: return solid(Sphere{size(0), at_, rotation}, amount);
      case ShapeType::mesh:
        return solid(Polyhedron{size(0),
                                size(1),
                                {size(2), size(3), size(4)},
                                {size(5), size(6), size(7), size(8), size(9), size(10)},
                                at_,
                                rotation},
                     amount);
      case ShapeType::rod: break;
    }
    return solid(Rod{size(0), made(shape.axis), at_, rotation}, amount);
  }

  std::vector<Argument> made(const std::vector<Argument>& arguments) const {
    std::vector<Argument> all = arguments;
    if (all.size() > static_cast<std::size_t>(LawValue::capacity))
      throw std::invalid_argument("Listing: a law has too many arguments");
    for (Argument& a : all) {
      switch (a.kind) {
        case Argument::Kind::value:
        case Argument::Kind::rate: a.index = at(measures_, a.index, "measure").index; break;
        case Argument::Kind::state: at(l_.states, a.index, "state"); break;
        case Argument::Kind::multiplier:
          at(l_.joints, a.joint, "joint");
          if (a.index < 0 || a.index > 5) throw std::invalid_argument("Listing: no such row");
          break;
      }
    }
    return all;
  }
  Law made(const Listed::Law& law, bool relation) {
    if (law.calculation < 0) return law.constant;
    require_arguments(law.calculation, law.arguments.size());
    const auto wanted = relation ? Calculation::Wanted::hessian : Calculation::Wanted::gradient;
    return calculated_law(made(law.arguments), used(law.calculation, wanted), relation);
  }
  Spot made(const Listed::Spot& s) { return {made(s.body), made(s.at), s.local}; }
  Body made(Body b) const {
    if (b.index != 0) at(l_.bodies, b.index - 1, "body");
    return b;
  }
  Joint made(Joint j) const {
    if (j.index != Joint{}.index) at(l_.joints, j.index, "joint");  // none, or one that is there
    return j;
  }
  Modal made(Modal m) const {
    if (m.index != Modal{}.index) at(l_.modals, m.index, "flexible body");
    return m;
  }
  Measure made(Measure m) const { return at(measures_, m.index, "measure"); }

  /// A row with numbers that follow the parameters.
  template <class Data, class Row>
  Data described(Row row) {
    Data data;
    fields(
        [&](const char*, auto& to, auto& from) {
          using To = std::decay_t<decltype(to)>;
          using From = std::decay_t<decltype(from)>;
          if constexpr (std::is_same_v<From, Listed::Law>) {
            to = made(from, std::is_same_v<Data, ConstraintData>);
          } else if constexpr (std::is_same_v<From, std::array<Listed::Law, 3>>) {
            for (std::size_t k = 0; k < 3; ++k) to[k] = made(from[k], false);
          } else if constexpr (std::is_same_v<To, Described::Energy>) {
            if (from.calculation >= 0) to = energy(row, from.calculation);
          } else if constexpr (
              requires { to = from; } && !requires { from.index; }) {
            to = from;
          } else if constexpr (requires { from.has_value(); }) {
            if (from) to = made(*from);
          } else {
            to = made(from);
          }
        },
        data, row);
    return data;
  }
  template <class Row>
  Described::Energy energy(const Row& row, std::int32_t index) {
    if constexpr (std::is_same_v<Row, ForceRow<Listed>>) {
      require_arguments(index, row.value.arguments.size());
      const auto shared =
          std::make_shared<const Calculation>(used(index, Calculation::Wanted::value));
      Described::Energy made([shared](const Scope<double>& s) { return shared->value(s); });
      if (shared->knows_changes())
        made.along = [shared](const ScopeAlong& s) { return shared->along(s); };
      return made;
    }
    return {};
  }

  // Elements

  void add(const Listing::Setting& s) {
    const Index index = s.input ? m_.input(s.name, s.value, s.unit, s.about).index
                                : m_.parameter(s.name, s.value, s.unit, s.about).index;
    Variable& variable = m_.describe(index);
    if (s.min) variable.min(*s.min);
    if (s.max) variable.max(*s.max);
    if (s.fixed) variable.only_at_start();
  }
  void add(const Listing::Pose& pose) {
    Placement placement{made(pose.at), made(pose.rotation)};
    if (pose.inside >= 0) placement = placement.inside(at(poses_, pose.inside, "pose"));
    poses_.push_back(std::move(placement));
  }
  Measure add(const MeasureRow<Listed>& row) { return m_.measure(described<MeasureData>(row)); }
  Measure add(const Listing::Coordinate& c) {
    at(l_.joints, c.joint.index, "joint");
    const Joint joint = c.joint;
    return c.angle ? m_.angle(joint) : m_.displacement(joint);
  }

  // Each returns the index of the new element in the mechanism.
  Index add(const ConstraintRow<Listed>& row) {
    return m_.constraint(described<ConstraintData>(row)).index;
  }
  Index add(const Listing::Coupling& c) {
    std::vector<std::pair<Measure, Number>> terms;
    for (const auto& [measure, factor] : c.terms) terms.emplace_back(made(measure), made(factor));
    return m_.coupling(c.name, terms, made(c.constant)).index;
  }
  Index add(const SpringRow<Listed>& row) {
    return m_.spring(described<SpringData>(row)).force.index;
  }
  Index add(const BushingRow<Listed>& row) {
    return m_.bushing(described<BushingData>(row))[0].force.index;
  }
  Index add(const BeamRow<Listed>& row) { return m_.beam(described<BeamData>(row))[0].force.index; }
  Index add(const StopRow<Listed>& row) { return m_.stop(described<StopData>(row)).index; }
  Index add(const FrictionRow<Listed>& row) {
    return m_.friction(described<FrictionData>(row)).index;
  }
  Index add(const ContactRow<Listed>& row) { return m_.contact(described<ContactData>(row)).index; }
  Index add(const ForceRow<Listed>& row) { return m_.force(described<ForceData>(row)).index; }
  Index add(const VectorForceRow<Listed>& row) {
    return m_.force(described<VectorForceData>(row))[0].index;
  }

  /// The index in the mechanism of the element that is read.
  Index place(const Listing::Read& r) const {
    switch (r.quantity) {
      case Quantity::value:
      case Quantity::rate:
      case Quantity::second_rate: return at(measures_, r.of, "measure").index;
      case Quantity::joint_force:
      case Quantity::joint_torque: at(l_.joints, r.of, "joint"); return r.of;
      case Quantity::rolling_force: at(l_.rollings, r.of, "rolling"); return r.of;
      case Quantity::state:
      case Quantity::state_rate: at(l_.states, r.of, "state"); return r.of;
      case Quantity::mode:
      case Quantity::mode_rate:
      case Quantity::stress: {
        const ModalBody& numbers = flexible(r.spot.body);
        if (r.of < 0 || r.of >= (r.quantity == Quantity::stress
                                     ? static_cast<std::int32_t>(numbers.stresses.size())
                                     : numbers.modes))
          throw std::invalid_argument("Listing: a flexible body has no such mode or stress");
        return r.of;
      }
      case Quantity::strain_energy: flexible(r.spot.body); return 0;
      case Quantity::pair_force:
      case Quantity::pair_torque:
        require_action<ContactRow<Listed>>(r.of);
        return made_[static_cast<std::size_t>(r.of)];
      case Quantity::multiplier:
      case Quantity::driving_force:
        require_action<ConstraintRow<Listed>, Listing::Coupling>(r.of);
        return made_[static_cast<std::size_t>(r.of)];
      case Quantity::three_forces:
        require_action<VectorForceRow<Listed>>(r.of);
        return made_[static_cast<std::size_t>(r.of)];
      case Quantity::three_tensions:
        require_action<BushingRow<Listed>, BeamRow<Listed>>(r.of);
        // its torques are the second half
        return made_[static_cast<std::size_t>(r.of)] + (r.second_half ? 3 : 0);
      case Quantity::force:
      case Quantity::tension:
        require_action<SpringRow<Listed>, StopRow<Listed>, FrictionRow<Listed>, ForceRow<Listed>>(
            r.of);
        return made_[static_cast<std::size_t>(r.of)];
      default: return 0;
    }
  }
  const ModalBody& flexible(Body b) const {
    const BodyRow<Listed>& row = at(l_.bodies, b.index - 1, "body");
    if (!make_bodies(row.type)->deforms())
      throw std::invalid_argument("Listing: an output reads modes of a body that is not flexible");
    return at(l_.modals, row.modal.index, "flexible body");
  }
  template <class... Row>
  void require_action(std::int32_t index) const {
    const Listing::Action& action = at(l_.actions, index, "action");
    if (!(std::holds_alternative<Row>(action) || ...))
      throw std::invalid_argument("Listing: an output reads what its element does not have");
  }

  void add(const Listing::Output& output) {
    struct Reader {
      Quantity quantity;
      Operand operand;
    };
    struct Part {
      std::size_t reader;
      int component;
    };
    std::vector<Reader> readers;
    std::vector<Part> parts;
    const Listing::Read* last = nullptr;
    for (const Listing::Read& r : output.reads) {
      if (r.quantity >= Quantity::count || r.component < 0 || r.component > 2)
        throw std::invalid_argument("Listing: an output reads nothing that there is");
      // Components of one vector stand side by side and are read together.
      if (last == nullptr || !r.same_vector(*last))
        readers.push_back({r.quantity, {place(r), made(r.spot), made(r.from), r.relative}});
      last = &r;
      parts.push_back({readers.size() - 1, r.component});
    }
    require_arguments(output.calculation, parts.size());
    const auto shared =
        std::make_shared<const Calculation>(used(output.calculation, Calculation::Wanted::value));
    /// The arguments in `room`.
    const auto reading = [readers, parts](const auto& q, auto* room) {
      std::size_t known = static_cast<std::size_t>(-1);
      Vec<std::decay_t<decltype(*room)>, 3> value;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto [reader, component] = parts[i];
        if (reader != known) value = read(q, readers[reader].quantity, readers[reader].operand);
        known = reader;
        room[i] = value[component];
      }
    };
    std::vector<double> room(parts.size());  // one per system
    const auto here = [shared, reading, room](const Motion& q) mutable {
      reading(q, room.data());
      return shared->value(q.time(), room.data(), q.inputs());
    };
    std::function<Along(const MotionAlong&)> along;
    if (shared->knows_changes())
      along = [shared, reading, count = parts.size()](const MotionAlong& q) {
        std::vector<Along> changing(count);
        reading(q, changing.data());
        return q.calculate(*shared, changing.data());
      };
    Variable& variable = m_.output(output.name, here, along);
    variable.unit(output.unit).about(output.about);
    if (output.min) variable.min(*output.min);
    if (output.max) variable.max(*output.max);
  }

  const Listing& l_;
  Mechanism m_;
  std::vector<Placement> poses_;
  std::vector<Measure> measures_;
  std::vector<Index> made_;  // by actions
};

}  // namespace

Mechanism from_listing(const Listing& listing) { return Maker(listing).run(); }

struct ListingValues::Parts {
  Maker maker;
  std::vector<double> settings;
};
ListingValues::ListingValues(const Listing& listing, std::vector<double> settings)
    : parts_(new Parts{Maker(listing), std::move(settings)}) {
  parts_->maker.begin();
}
ListingValues::~ListingValues() = default;
double ListingValues::operator()(const Listed::Number& n) const {
  return parts_->maker.value(n, parts_->settings);
}
Vec3 ListingValues::operator()(const Listed::Triple& t) const {
  return parts_->maker.value(t, parts_->settings);
}

}  // namespace mechfmu::mechanics
