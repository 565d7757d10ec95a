#include "language/backend/build.h"

#include <map>
#include <stdexcept>

#include "language/backend/program.h"
#include "mechanics/contact.h"
#include "mechanics/motion.h"
#include "mechanics/placement.h"

namespace mechfmu {

namespace {

using namespace mechanics;

/// What items made: handles by their ids.
struct Handles {
  std::map<std::string, Index> index;
  std::map<std::string, Spot> spots;
  std::map<std::string, Placement> placements;
};

/// What names in formulas read, by the handles there are.
class Translator {
 public:
  explicit Translator(const Handles& handles) : handles_(handles) {}

  Calculation setting_formula(const Formula& f) {
    return programs_.compile(
        f, [&](const Use& use, int) { return setting(use); }, 0);
  }
  Calculation law_formula(const Formula& f, int arguments) {
    return programs_.compile(f, in_law(), arguments);
  }
  Calculation driver_formula(const Formula& f) { return programs_.compile_driver(f, in_law()); }

  /// What an output reads of the motion: the arguments of its calculation.
  struct Reads {
    Vec3 (*read)(const Motion&, const Operand&) = nullptr;
    Operand operand;
    int component = 0;
  };
  Calculation output_formula(const Formula& f, std::vector<Reads>& reads) {
    // One argument for each component that is used.
    std::map<std::pair<const Use*, int>, Index> known;
    std::vector<std::pair<const Use*, int>> order;
    const auto argument = [&](const Use& use, int component) -> Source {
      if (use.meaning.kind == Meaning::Kind::time) return {Source::Kind::time};
      if (use.meaning.kind != Meaning::Kind::reading) return setting(use);
      const auto key = std::pair(&use, component < 0 ? 0 : component);
      const auto [at, is_new] = known.emplace(key, static_cast<Index>(order.size()));
      if (is_new) order.push_back(key);
      return {Source::Kind::argument, at->second};
    };
    // Once to see how many there are, which the program has to know.
    Programs().compile(f, argument, most_arguments);
    Calculation made = programs_.compile(f, argument, static_cast<int>(order.size()));
    for (const auto& [use, component] : order) {
      const Reading& r = *use->meaning.reading;
      Operand operand;
      if (const auto index = handles_.index.find(use->handle); index != handles_.index.end())
        operand.index = index->second;
      if (!use->spot.empty()) operand.spot = handles_.spots.at(use->spot);
      if (!use->from.empty()) operand.from = handles_.spots.at(use->from);
      reads.push_back({use->from.empty() ? r.read : r.read_relative, operand, component});
    }
    return made;
  }

 private:
  static constexpr int most_arguments = 100'000;

  Source setting(const Use& use) const {
    if (use.meaning.kind == Meaning::Kind::time) return {Source::Kind::time};
    return {Source::Kind::setting, handles_.index.at(use.handle),
            unit_factor(use.meaning.element->text("unit"))};
  }
  Sources in_law() const {
    return [this](const Use& use, int component) -> Source {
      if (use.meaning.kind != Meaning::Kind::reading) return setting(use);
      const std::size_t c = component < 0 ? 0 : static_cast<std::size_t>(component);
      if (use.arguments[c] < 0) return {};
      return {Source::Kind::argument, use.arguments[c], use.signs[c]};
    };
  }

  const Handles& handles_;
  Programs programs_;
};

Law law_of(const LawPlan& plan, const Handles& handles, Translator& translate) {
  std::vector<Argument> arguments;
  for (const LawArgument& a : plan.arguments) {
    const Index index = handles.index.at(a.id);
    switch (a.kind) {
      case LawArgument::Kind::value: arguments.push_back(Mechanism::value(Measure{index})); break;
      case LawArgument::Kind::rate: arguments.push_back(Mechanism::rate(Measure{index})); break;
      case LawArgument::Kind::state:
        arguments.push_back(Mechanism::value(StateVariable{index}));
        break;
      case LawArgument::Kind::multiplier:
        arguments.push_back(Mechanism::multiplier(Joint{index}, a.row));
        break;
    }
  }
  const int n = static_cast<int>(arguments.size());
  return calculated_law(std::move(arguments), translate.law_formula(plan.value, n), plan.relation);
}

Number number(const Formula& formula, Translator& translate) {
  if (const std::optional<double> value = constant_value(formula)) return *value;
  return calculated_number(translate.setting_formula(formula));
}

Triple triple(const VectorFormula& v, const Handles& handles, Translator& translate) {
  Triple made = {number(v.of[0], translate), number(v.of[1], translate),
                 number(v.of[2], translate)};
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

Solid make_solid(const SolidPlan& plan, const Handles& handles, Translator& translate) {
  const auto size = [&](std::size_t i) { return number(plan.size[i], translate); };
  const Triple axis = plan.axis ? triple(*plan.axis, handles, translate) : Triple(0, 0, 1);
  const Triple at = plan.at ? triple(*plan.at, handles, translate) : Triple();
  const Triple rotation = plan.rotation ? triple(*plan.rotation, handles, translate) : Triple();
  const Number amount = number(plan.amount, translate);
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
  Fields(const Item& item, const Handles& handles, Translator& translate)
      : item_(item), handles_(handles), translate_(translate) {}

  void operator()(const char* name, std::string& out) const { copy(name, out); }
  void operator()(const char* name, double& out) const { copy(name, out); }
  void operator()(const char* name, bool& out) const { copy(name, out); }
  void operator()(const char* name, std::array<bool, 6>& out) const { copy(name, out); }
  void operator()(const char* name, Number& out) const {
    if (const Formula* f = get<Formula>(name)) out = number(*f, translate_);
  }
  void operator()(const char* name, Triple& out) const {
    if (const VectorFormula* v = get<VectorFormula>(name)) out = triple(*v, handles_, translate_);
  }
  void operator()(const char* name, Law& out) const {
    if (const LawPlan* law = get<LawPlan>(name)) out = law_of(*law, handles_, translate_);
  }
  void operator()(const char* name, std::array<Law, 3>& out) const {
    if (const auto* laws = get<std::array<LawPlan, 3>>(name))
      for (std::size_t k = 0; k < 3; ++k) out[k] = law_of((*laws)[k], handles_, translate_);
  }
  void operator()(const char* name, Spot& out) const {
    if (const Ref* r = get<Ref>(name)) out = handles_.spots.at(r->id);
    if (const SpotPlan* spot = get<SpotPlan>(name))
      out = {Body{index(spot->body)}, triple(spot->at, handles_, translate_), spot->local};
  }
  void operator()(const char* name, Inertia& out) const {
    const auto* list = get<std::vector<Formula>>(name);
    if (list == nullptr) return;
    if (list->size() == 1) {
      out.zz = number((*list)[0], translate_);
      return;
    }
    Number* const members[] = {&out.xx, &out.yy, &out.zz, &out.xy, &out.xz, &out.yz};
    for (std::size_t i = 0; i < list->size(); ++i) *members[i] = number((*list)[i], translate_);
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
    for (const SolidPlan& plan : *list) parts.push_back(make_solid(plan, handles_, translate_));
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
  Translator& translate_;
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
    m_.gravity = triple(plan_.gravity, handles_, translate_);
    m_.length_scale = number(plan_.length_scale, translate_);
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
    const Fields set(item, handles_, translate_);
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
        d.energy = law_of({law->arguments, *law->energy}, handles_, translate_).value;
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
    Law relation = calculated_law({Mechanism::value(measure)},
                                  translate_.driver_formula(*set.get<Formula>("position")), true);
    return m_.constraint({name, std::move(relation)}).index;
  }

  Index coupling(const Fields& set) {
    std::string name;
    Number constant = 0;
    set("name", name), set("constant", constant);
    std::vector<std::pair<Measure, Number>> terms;
    for (const auto& [measure, factor] : *set.get<Terms>("terms"))
      terms.emplace_back(Measure{set.index(measure)}, number(factor, translate_));
    return m_.coupling(name, terms, constant).index;
  }

  void output(const Fields& set) {
    std::string name;
    std::string unit;
    std::string about;
    set("name", name), set("unit", unit), set("about", about);
    std::vector<Translator::Reads> reads;
    const Calculation value = translate_.output_formula(*set.get<Formula>("value"), reads);
    Variable& variable = m_.output(name, [value, reads](const Motion& q) {
      std::vector<double> arguments;
      arguments.reserve(reads.size());
      for (const Translator::Reads& r : reads)
        arguments.push_back(r.read(q, r.operand)[r.component]);
      return value.value(q.time(), arguments.data(), q.inputs());
    });
    variable.unit(unit).about(about);
    range(set, variable);
  }

  const Plan& plan_;
  Mechanism m_;
  Handles handles_;
  Translator translate_{handles_};
};

}  // namespace

Mechanism build_mechanism(const Plan& plan) { return Builder(plan).run(); }

}  // namespace mechfmu
