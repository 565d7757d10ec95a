#include "language/backend/build.h"

#include <stdexcept>
#include <unordered_map>

#include "language/expression/evaluate.h"
#include "mechanics/contact.h"
#include "mechanics/motion.h"
#include "mechanics/placement.h"

namespace mechfmu {

namespace {

using namespace mechanics;
using expression::Expression;
using expression::Node;
using expression::ValueType;

/// What items made: handles by their ids.
struct Handles {
  std::map<std::string, Index> index;
  std::map<std::string, Spot> spots;
  std::map<std::string, Placement> placements;
};

/// A formula ready to be evaluated: each name in it is a use or a let.
class Interpreted {
 public:
  Interpreted(const Formula& formula, const Handles& handles)
      : expression_(formula.expression), lets_(formula.lets), factor_(formula.factor) {
    for (const Use& use : formula.uses) {
      Known known{use, 0, 1, {}};
      const auto index = handles.index.find(use.handle);
      if (index != handles.index.end()) known.index = index->second;
      using Kind = Meaning::Kind;
      if (use.meaning.kind == Kind::parameter || use.meaning.kind == Kind::input)
        known.factor = unit_factor(use.meaning.element->text("unit"));
      known.operand.index = known.index;
      if (!use.spot.empty()) known.operand.spot = handles.spots.at(use.spot);
      if (!use.from.empty()) known.operand.from = handles.spots.at(use.from);
      uses_.push_back(std::move(known));
    }
    for (const Let& let : lets_) find_names(let.value);
    find_names(expression_);
  }

  /// `read` gives the value of a use, of a component of it where that is not −1.
  template <class T, class Read>
  T value(Read&& read) const {
    std::vector<expression::Vector3<T>> lets;
    lets.reserve(lets_.size());
    const auto lookup = [&](const Node& name, int component) -> T {
      const Slot& slot = slots_.at(&name);
      if (!slot.is_let) return read(uses_[slot.index], component);
      const expression::Vector3<T>& v = lets[slot.index];
      return component <= 0 ? v.x : component == 1 ? v.y : v.z;
    };
    for (const Let& let : lets_) {
      if (let.value->type == ValueType::vector)
        lets.push_back(expression::evaluate_vector<T>(let.value, lookup));
      else
        lets.push_back({expression::evaluate<T>(let.value, lookup), T(0.0), T(0.0)});
    }
    return expression::evaluate<T>(expression_, lookup) * factor_;
  }

  struct Known {
    Use use;
    Index index;
    double factor;  // of a setting: from its unit to SI
    Operand operand;
  };

 private:
  struct Slot {
    bool is_let;
    std::size_t index;
  };

  void find_names(const Expression& e) {
    if (e->form == expression::Form::name && !slots_.contains(e.get())) {
      for (std::size_t i = 0; i < uses_.size(); ++i)
        if (uses_[i].use.text == e->text) slots_[e.get()] = {false, i};
      for (std::size_t i = 0; i < lets_.size(); ++i)
        if (lets_[i].name == e->text) slots_[e.get()] = {true, i};
    }
    for (const Expression& child : e->children) find_names(child);
  }

  Expression expression_;
  std::vector<Let> lets_;
  std::vector<Known> uses_;
  double factor_;
  std::unordered_map<const Node*, Slot> slots_;
};

double read_setting(const Interpreted::Known& k, const mechanics::InputValues& s) {
  return s(Parameter{k.index}) * k.factor;
}

template <class T>
T read_in_law(const Interpreted::Known& k, int component, const Scope<T>& s) {
  switch (k.use.meaning.kind) {
    case Meaning::Kind::time: return s.t;
    case Meaning::Kind::reading: {
      const std::size_t c = component < 0 ? 0 : static_cast<std::size_t>(component);
      const int argument = k.use.arguments[c];
      return argument < 0 ? T(0.0) : T(s[argument] * k.use.signs[c]);
    }
    default: return T(read_setting(k, s.settings));
  }
}

/// The law of a plan. Duals are as wide as the longest law, so that there is one instance of the interpreter.
Law interpreted_law(const LawPlan& plan, const Handles& handles) {
  Law made;
  for (const LawArgument& a : plan.arguments) {
    const Index index = handles.index.at(a.id);
    switch (a.kind) {
      case LawArgument::Kind::value:
        made.arguments.push_back(Mechanism::value(Measure{index}));
        break;
      case LawArgument::Kind::rate:
        made.arguments.push_back(Mechanism::rate(Measure{index}));
        break;
      case LawArgument::Kind::state:
        made.arguments.push_back(Mechanism::value(StateVariable{index}));
        break;
      case LawArgument::Kind::multiplier:
        made.arguments.push_back(Mechanism::multiplier(Joint{index}, a.row));
        break;
    }
  }
  const auto f = std::make_shared<const Interpreted>(plan.value, handles);
  const int n = static_cast<int>(plan.arguments.size());
  const auto evaluate = [f](const auto& s) {
    using T = std::decay_t<decltype(s.t)>;
    return f->value<T>([&](const Interpreted::Known& k, int component) {
      return read_in_law<T>(k, component, s);
    });
  };
  constexpr int width = LawValue::capacity + 1;  // the arguments and time
  made.value = [evaluate](const Scope<double>& s) { return evaluate(s); };
  made.derive = [evaluate, n](const Scope<double>& s, LawValue& out) {
    mechanics::detail::derive<width>(evaluate, s, n, out);
  };
  if (plan.relation)
    made.derive_twice = [evaluate, n](const Scope<double>& s, RelationValue& out) {
      mechanics::detail::derive_twice<width>(evaluate, s, n, out);
    };
  return made;
}

Number number(const Formula& formula, const Handles& handles) {
  if (const std::optional<double> value = constant_value(formula)) return *value;
  const auto f = std::make_shared<const Interpreted>(formula, handles);
  return of([f](mechanics::InputValues s) {
    return f->value<double>(
        [&](const Interpreted::Known& k, int /*component*/) { return read_setting(k, s); });
  });
}

Triple triple(const VectorFormula& v, const Handles& handles) {
  Triple made = {number(v.of[0], handles), number(v.of[1], handles), number(v.of[2], handles)};
  if (v.placement.empty()) return made;
  const Placement& placement = handles.placements.at(v.placement);
  switch (v.placed) {
    case Placed::point: return placement.point(made);
    case Placed::direction: return placement.direction(made);
    case Placed::rotation: return placement.turned(made);
    case Placed::no: break;
  }
  return made;
}

Solid make_solid(const SolidPlan& plan, const Handles& handles) {
  const auto size = [&](std::size_t i) { return number(plan.size[i], handles); };
  const Triple axis = plan.axis ? triple(*plan.axis, handles) : Triple(0, 0, 1);
  const Triple at = plan.at ? triple(*plan.at, handles) : Triple();
  const Triple rotation = plan.rotation ? triple(*plan.rotation, handles) : Triple();
  const Number amount = number(plan.amount, handles);
  const Amount how_much = plan.by_density ? density(amount) : mass(amount);
  if (plan.shape == "box") return solid(Box{{size(0), size(1), size(2)}, at, rotation}, how_much);
  if (plan.shape == "cylinder")
    return solid(Cylinder{size(0), size(1), axis, at, rotation}, how_much);
  if (plan.shape == "sphere") return solid(Sphere{size(0), at, rotation}, how_much);
  return solid(Rod{size(0), axis, at, rotation}, how_much);
}

/// Fields of an item into the members of a struct of mechanics/mechanism.h: set("mass", data.mass).
class Fields {
 public:
  Fields(const Item& item, const Handles& handles) : item_(item), handles_(handles) {}

  void operator()(const char* name, std::string& out) const { copy(name, out); }
  void operator()(const char* name, double& out) const { copy(name, out); }
  void operator()(const char* name, bool& out) const { copy(name, out); }
  void operator()(const char* name, std::array<bool, 6>& out) const { copy(name, out); }
  void operator()(const char* name, Number& out) const {
    if (const Formula* f = get<Formula>(name)) out = number(*f, handles_);
  }
  void operator()(const char* name, Triple& out) const {
    if (const VectorFormula* v = get<VectorFormula>(name)) out = triple(*v, handles_);
  }
  void operator()(const char* name, Law& out) const {
    if (const LawPlan* law = get<LawPlan>(name)) out = interpreted_law(*law, handles_);
  }
  void operator()(const char* name, std::array<Law, 3>& out) const {
    if (const auto* laws = get<std::array<LawPlan, 3>>(name))
      for (std::size_t k = 0; k < 3; ++k) out[k] = interpreted_law((*laws)[k], handles_);
  }
  void operator()(const char* name, Spot& out) const {
    if (const Ref* r = get<Ref>(name)) out = handles_.spots.at(r->id);
    if (const SpotPlan* spot = get<SpotPlan>(name))
      out = {Body{index(spot->body)}, triple(spot->at, handles_), spot->local};
  }
  void operator()(const char* name, Inertia& out) const {
    const auto* list = get<std::vector<Formula>>(name);
    if (list == nullptr) return;
    if (list->size() == 1) {
      out.zz = number((*list)[0], handles_);
      return;
    }
    Number* const members[] = {&out.xx, &out.yy, &out.zz, &out.xy, &out.xz, &out.yz};
    for (std::size_t i = 0; i < list->size(); ++i) *members[i] = number((*list)[i], handles_);
  }
  void operator()(const char* name, std::optional<Number>& out) const {
    if (get<Formula>(name) == nullptr) return;
    Number made;
    (*this)(name, made);
    out = std::move(made);
  }
  void operator()(const char* name, std::optional<Solid>& out) const {
    const auto* list = get<std::vector<SolidPlan>>(name);
    if (list == nullptr) return;
    std::vector<Solid> parts;
    for (const SolidPlan& plan : *list) parts.push_back(make_solid(plan, handles_));
    out = parts.size() == 1 ? parts[0] : together(parts);
  }
  template <class Enumeration>
  requires std::is_enum_v<Enumeration>
  void operator()(const char* name, Enumeration& out) const {
    if (const Word* w = get<Word>(name)) out = static_cast<Enumeration>(w->index);
  }
  template <class Handle>
  requires requires(Handle h) { h.index; }
  void operator()(const char* name, Handle& out) const {
    if (const Ref* r = get<Ref>(name)) out.index = index(*r);
  }

  template <class T>
  const T* get(std::string_view name) const {
    const FieldValue* value = item_.find(name);
    return value == nullptr ? nullptr : std::get_if<T>(value);
  }
  Index index(const Ref& ref) const { return ref.id == "ground" ? 0 : handles_.index.at(ref.id); }

 private:
  template <class T>
  void copy(const char* name, T& out) const {
    if (const T* value = get<T>(name)) out = *value;
  }
  const Item& item_;
  const Handles& handles_;
};

class Builder {
 public:
  explicit Builder(const Plan& plan) : plan_(plan), m_(plan.name) {}

  Mechanism run() {
    m_.about = plan_.about;
    m_.experiment = plan_.experiment;
    m_.track_energy = plan_.track_energy;
    Index states = 0;  // their laws refer to each other
    for (const Item& item : plan_.items)
      if (item.call == "state") handles_.index[item.id] = states++;
    for (const Item& item : plan_.items)
      if (item.call == "parameter" || item.call == "input") carry_out(item);
    m_.gravity = triple(plan_.gravity, handles_);
    m_.length_scale = number(plan_.length_scale, handles_);
    for (const auto& [name, value] : plan_.solver) set_solver(name, value);
    for (const Item& item : plan_.items)
      if (item.call != "parameter" && item.call != "input") carry_out(item);
    return std::move(m_);
  }

 private:
  void set_solver(const std::string& name, double value) {
    if (const SettingRow* row = find_setting(name)) row->set(m_.solver, value);
  }

  void carry_out(const Item& item) {
    const Fields set(item, handles_);
    Index& made = handles_.index[item.id];
    const std::string& call = item.call;
    if (call == "parameter" || call == "input") {
      made = setting(set, call == "input");
    } else if (call == "placement") {
      Placement placement;
      set("at", placement.at);
      set("rotation", placement.rotation);
      if (const Ref* outer = set.get<Ref>("inside"))
        placement = placement.inside(handles_.placements.at(outer->id));
      handles_.placements[item.id] = placement;
    } else if (call == "spot") {
      set("spot", handles_.spots[item.id]);
    } else if (call == "body") {
      BodyData d;
      set("name", d.name), set("type", d.type), set("mass", d.mass), set("inertia", d.inertia);
      set("solid", d.solid), set("at", d.at), set("rotation", d.rotation), set("centre", d.centre);
      set("velocity", d.velocity), set("angular_velocity", d.angular_velocity);
      set("spins", d.spins);
      set("hold_position", d.hold_position), set("hold_velocity", d.hold_velocity);
      made = m_.body(d).index;
    } else if (call == "joint") {
      JointData d;
      set("name", d.name), set("type", d.type), set("a", d.a), set("b", d.b), set("at", d.at);
      set("axis", d.axis), set("axis2", d.axis2), set("apart", d.apart), set("at_b", d.at_b);
      set("length", d.length), set("pitch", d.pitch), set("local", d.local);
      set("angle", d.angle), set("angle_rate", d.angle_rate);
      set("displacement", d.displacement), set("displacement_rate", d.displacement_rate);
      made = m_.joint(d).index;
    } else if (call == "angle" || call == "displacement") {
      const Joint joint{set.index(*set.get<Ref>("of"))};
      made = (call == "angle" ? m_.angle(joint) : m_.displacement(joint)).index;
    } else if (call == "measure") {
      MeasureData d;
      set("name", d.name), set("type", d.type), set("a", d.a), set("b", d.b);
      set("axis", d.axis), set("axis2", d.axis2), set("local", d.local);
      set("b_like_a", d.b_like_a), set("axes_of_b", d.axes_of_b), set("from_start", d.from_start);
      set("offset", d.offset);
      made = m_.measure(d).index;
    } else if (call == "rolling") {
      RollingData d;
      set("name", d.name), set("type", d.type), set("a", d.a), set("b", d.b);
      set("centre", d.centre), set("axle", d.axle), set("plane", d.plane), set("normal", d.normal);
      set("radius", d.radius), set("tube", d.tube), set("contact", d.contact);
      made = m_.rolling(d).index;
    } else if (call == "constraint") {
      ConstraintData d;
      set("name", d.name), set("relation", d.relation), set("nonholonomic", d.nonholonomic);
      made = m_.constraint(d).index;
    } else if (call == "driver") {
      made = driver(set);
    } else if (call == "coupling") {
      made = coupling(set);
    } else if (call == "state") {
      StateData d;
      set("name", d.name), set("start", d.start), set("rate", d.rate), set("nominal", d.nominal);
      m_.state(d);
    } else if (call == "output") {
      output(set);
    } else {
      made = force(set, call);
    }
  }

  Index force(const Fields& set, const std::string& call) {
    if (call == "force") {
      ForceData d;
      set("name", d.name), set("along", d.along), set("value", d.value), set("passive", d.passive);
      if (const LawPlan* law = set.get<LawPlan>("value"); law != nullptr && law->energy)
        d.energy = interpreted_law({law->arguments, *law->energy}, handles_).value;
      return m_.force(d).index;
    }
    if (call == "vector_force") {
      VectorForceData d;
      set("name", d.name), set("torque", d.torque), set("at", d.at), set("reaction", d.reaction);
      set("axes", d.axes), set("value", d.value);
      return m_.force(d)[0].index;
    }
    if (call == "spring") {
      SpringData d;
      set("name", d.name), set("along", d.along), set("stiffness", d.stiffness);
      set("damping", d.damping), set("length", d.length), set("preload", d.preload);
      return m_.spring(d).force.index;
    }
    if (call == "bushing") {
      BushingData d;
      set("name", d.name), set("a", d.a), set("b", d.b), set("at", d.at), set("axis", d.axis);
      set("axis2", d.axis2), set("stiffness", d.stiffness), set("damping", d.damping);
      set("torsion", d.torsion), set("torsion_damping", d.torsion_damping);
      return m_.bushing(d)[0].force.index;
    }
    if (call == "stop") {
      StopData d;
      set("name", d.name), set("along", d.along), set("lower", d.lower), set("upper", d.upper);
      set("stiffness", d.stiffness), set("damping", d.damping), set("exponent", d.exponent);
      return m_.stop(d).index;
    }
    if (call == "friction") {
      FrictionData d;
      set("name", d.name), set("along", d.along), set("coulomb", d.coulomb);
      set("breakaway", d.breakaway), set("viscous", d.viscous), set("stribeck", d.stribeck);
      set("regularization", d.regularization), set("load", d.load), set("arm", d.arm);
      return m_.friction(d).index;
    }
    if (call == "contact") {
      ContactData d;
      set("name", d.name), set("a", d.a), set("b", d.b), set("centre", d.centre);
      set("radius", d.radius), set("shape", d.shape), set("at", d.at), set("axis", d.axis);
      set("radius_a", d.radius_a), set("length", d.length), set("local", d.local);
      set("stiffness", d.stiffness), set("exponent", d.exponent), set("damping", d.damping);
      set("friction", d.friction), set("static_friction", d.static_friction);
      set("stribeck", d.stribeck), set("regularization", d.regularization);
      return m_.contact(d).index;
    }
    if (call == "table") return 0;
    throw std::logic_error("no such call: " + call);
  }

  Index setting(const Fields& set, bool input) {
    std::string name;
    std::string unit;
    std::string about;
    double value = 0;
    set("name", name), set("value", value), set("unit", unit), set("about", about);
    const Index made = input ? m_.input(name, value, unit, about).index
                             : m_.parameter(name, value, unit, about).index;
    range(set, m_.describe(made));
    if (set.get<bool>("fixed") != nullptr) m_.describe(made).only_at_start();
    return made;
  }
  static void range(const Fields& set, Variable& variable) {
    if (const double* bound = set.get<double>("min")) variable.min(*bound);
    if (const double* bound = set.get<double>("max")) variable.max(*bound);
  }

  Index driver(const Fields& set) {
    std::string name;
    Measure measure;
    set("name", name), set("measure", measure);
    const auto f = std::make_shared<const Interpreted>(*set.get<Formula>("position"), handles_);
    return m_
        .driver(name, measure,
                [f](const auto& s) {
                  using T = std::decay_t<decltype(s.t)>;
                  return f->value<T>([&](const Interpreted::Known& k, int component) {
                    return read_in_law<T>(k, component, s);
                  });
                })
        .index;
  }

  Index coupling(const Fields& set) {
    std::string name;
    Number constant = 0;
    set("name", name), set("constant", constant);
    std::vector<std::pair<Measure, Number>> terms;
    for (const auto& [measure, factor] : *set.get<Terms>("terms"))
      terms.emplace_back(Measure{set.index(measure)}, number(factor, handles_));
    return m_.coupling(name, terms, constant).index;
  }

  void output(const Fields& set) {
    std::string name;
    std::string unit;
    std::string about;
    set("name", name), set("unit", unit), set("about", about);
    const auto f = std::make_shared<const Interpreted>(*set.get<Formula>("value"), handles_);
    Variable& variable = m_.output(name, [f](const Motion& q) {
      return f->value<double>(
          [&](const Interpreted::Known& k, int component) { return read_motion(k, component, q); });
    });
    variable.unit(unit).about(about);
    range(set, variable);
  }

  static double read_motion(const Interpreted::Known& k, int component, const Motion& q) {
    switch (k.use.meaning.kind) {
      case Meaning::Kind::time: return q.time();
      case Meaning::Kind::reading: {
        const Reading& r = *k.use.meaning.reading;
        const auto read = k.use.from.empty() ? r.read : r.read_relative;
        return read(q, k.operand)[component < 0 ? 0 : component];
      }
      default: return q(Parameter{k.index}) * k.factor;
    }
  }

  const Plan& plan_;
  Mechanism m_;
  Handles handles_;
};

}  // namespace

Mechanism build_mechanism(const Plan& plan) { return Builder(plan).run(); }

}  // namespace mechfmu
