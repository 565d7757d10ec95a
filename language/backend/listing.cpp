#include "language/backend/listing.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "language/backend/program.h"
#include "mechanics/fields.h"
#include "mechanics/words.h"

namespace mechfmu {

namespace {

using namespace mechanics;
using Number = Listed::Number;
using Triple = Listed::Triple;

/// The places of items in the tables, by the ids of the plan.
struct Handles {
  std::map<std::string, Index> index;
  std::map<std::string, Listed::Spot> spots;
};

class Lister {
 public:
  Lister(const Plan& plan, Looks looks) : plan_(plan), looks_(looks) {}

  Listing run() {
    made_.name = plan_.name;
    made_.about = plan_.about;
    made_.experiment = plan_.experiment;
    made_.track_energy = plan_.track_energy;
    for (const auto& [name, value] : plan_.solver)
      if (const SolverSettingRow* row = find_solver_setting(name)) row->set(made_.solver, value);
    Index states = 0;  // their laws refer to each other
    for (const Item& item : plan_.items)
      if (item.call == "state") handles_.index[item.id] = states++;
    for (const Item& item : plan_.items)
      if (item.call == "parameter" || item.call == "input") setting(item);
    made_.gravity = triple(plan_.gravity);
    made_.length_scale = number(plan_.length_scale);
    for (const Item& item : plan_.items) add(item);
    return std::move(made_);
  }

 private:
  // Expressions

  /// Each calculation once.
  std::int32_t keep(Calculation calculation) {
    const auto [at, is_new] = kept_.emplace(Key{calculation.program.get(), calculation.constants,
                                                calculation.settings, calculation.tables},
                                            static_cast<std::int32_t>(made_.calculations.size()));
    if (is_new) made_.calculations.push_back(std::move(calculation));
    return at->second;
  }

  Source setting_source(const Use& use) const {
    if (use.meaning.kind == Meaning::Kind::time) return {Source::Kind::time};
    return {Source::Kind::setting, handles_.index.at(use.handle),
            unit_factor(use.meaning.element->text("unit"))};
  }
  Sources in_law() const {
    return [this](const Use& use, int component) -> Source {
      if (use.meaning.kind != Meaning::Kind::reading) return setting_source(use);
      const std::size_t c = component < 0 ? 0 : static_cast<std::size_t>(component);
      if (use.arguments[c] < 0) return {};
      return {Source::Kind::argument, use.arguments[c], use.signs[c]};
    };
  }

  Number number(const Formula& f) {
    if (const std::optional<double> value = constant_value(f)) return *value;
    return Number::of(keep(programs_.compile(
        f, [&](const Use& use, int) { return setting_source(use); }, 0)));
  }
  Triple triple(const VectorFormula& v) {
    Triple made;
    if (std::none_of(v.of.begin(), v.of.end(), constant_value))
      made.calculation =
          keep(programs_.compile(v.of, [&](const Use& use, int) { return setting_source(use); }));
    else
      made = {number(v.of[0]), number(v.of[1]), number(v.of[2])};
    if (v.placement.empty()) return made;
    made.placement = static_cast<std::int32_t>(handles_.index.at(v.placement));
    made.placed = v.placed;
    return made;
  }
  Listed::Spot spot(const SpotPlan& s) {
    Listed::Spot made;
    made.body.index = index(s.body);
    made.at = triple(s.at);
    made.local = s.local;
    return made;
  }
  Listed::Law law(const LawPlan& plan) {
    Listed::Law made;
    for (const LawArgument& a : plan.arguments) {
      const Index index = handles_.index.at(a.id);
      switch (a.kind) {
        case LawArgument::Kind::value:
          made.arguments.push_back({Argument::Kind::value, index, -1});
          break;
        case LawArgument::Kind::rate:
          made.arguments.push_back({Argument::Kind::rate, index, -1});
          break;
        case LawArgument::Kind::state:
          made.arguments.push_back({Argument::Kind::state, index, -1});
          break;
        case LawArgument::Kind::multiplier:
          made.arguments.push_back({Argument::Kind::multiplier, a.row, index});
          break;
      }
    }
    made.calculation =
        keep(programs_.compile(plan.value, in_law(), static_cast<int>(made.arguments.size())));
    return made;
  }
  Listed::Shape shape(const SolidPlan& plan) {
    Listed::Shape made;
    made.type = by_word<ShapeType>(plan.shape);
    for (const Formula& f : plan.size) made.size.push_back(number(f));
    if (plan.axis) made.axis = triple(*plan.axis);
    if (plan.at) made.at = triple(*plan.at);
    if (plan.rotation) made.rotation = triple(*plan.rotation);
    made.by_density = plan.by_density;
    made.amount = number(plan.amount);
    return made;
  }

  // Fields

  Index index(const Ref& ref) const { return ref.id == "ground" ? 0 : handles_.index.at(ref.id); }

  template <class T>
  static const T* get(const Item& item, std::string_view name) {
    const FieldValue* value = item.find(name);
    return value == nullptr ? nullptr : std::get_if<T>(value);
  }

  /// The value of a field, if the plan has it.
  template <class T>
  void set(const Item& item, const char* name, T& out) {
    if constexpr (std::is_same_v<T, Number>) {
      if (const Formula* f = get<Formula>(item, name)) out = number(*f);
    } else if constexpr (std::is_same_v<T, std::optional<Number>>) {
      if (const Formula* f = get<Formula>(item, name)) out = number(*f);
    } else if constexpr (std::is_same_v<T, Triple> || std::is_same_v<T, std::optional<Triple>>) {
      if (const VectorFormula* v = get<VectorFormula>(item, name)) out = triple(*v);
    } else if constexpr (std::is_same_v<T, Listed::Law>) {
      if (const LawPlan* plan = get<LawPlan>(item, name)) out = law(*plan);
    } else if constexpr (std::is_same_v<T, std::array<Listed::Law, 3>>) {
      if (const auto* plans = get<std::array<LawPlan, 3>>(item, name))
        for (std::size_t k = 0; k < 3; ++k) out[k] = law((*plans)[k]);
    } else if constexpr (std::is_same_v<T, Listed::Spot>) {
      if (const Ref* r = get<Ref>(item, name)) out = handles_.spots.at(r->id);
      if (const SpotPlan* s = get<SpotPlan>(item, name)) out = spot(*s);
    } else if constexpr (std::is_same_v<T, Listed::NumberList>) {
      if (const auto* list = get<std::vector<Formula>>(item, name))
        for (const Formula& f : *list) out.push_back(number(f));
    } else if constexpr (std::is_same_v<T, Listed::Inertia>) {
      if (const auto* list = get<std::vector<Formula>>(item, name)) out = inertia(*list);
    } else if constexpr (std::is_same_v<T, Listed::Solid>) {
      if (const auto* list = get<std::vector<SolidPlan>>(item, name))
        for (const SolidPlan& plan : *list) out.push_back(shape(plan));
    } else if constexpr (std::is_enum_v<T>) {
      if (const Word* w = get<Word>(item, name)) out = by_word<T>(w->word);
    } else if constexpr (requires { out.index; }) {
      if (const Ref* r = get<Ref>(item, name)) out.index = index(*r);
    } else if constexpr (std::is_same_v<T, Index>) {
      if (const double* value = get<double>(item, name)) out = static_cast<Index>(*value);
    } else if constexpr (std::is_same_v<T, Listed::Energy>) {
      // belongs to the law
    } else {
      if (const T* value = get<T>(item, name)) out = *value;
    }
  }
  Listed::Inertia inertia(const std::vector<Formula>& list) {
    Listed::Inertia made;
    if (list.size() == 1) {
      made.zz = number(list[0]);
      return made;
    }
    Number* const members[] = {&made.xx, &made.yy, &made.zz, &made.xy, &made.xz, &made.yz};
    for (std::size_t i = 0; i < list.size(); ++i) *members[i] = number(list[i]);
    return made;
  }

  template <class T>
  static T by_word(const std::string& word) {
    if (const std::optional<T> found = find_word<T>(word)) return *found;
    throw std::logic_error("no such word: " + word);
  }

  template <class Row>
  Row row(const Item& item) {
    Row made;
    fields([&](const char* name, auto& field) { set(item, name, field); }, made);
    return made;
  }

  /// The place in the table, counted from `first`.
  template <class List, class Row>
  void append(const Item& item, List& list, Row row, Index first = 0) {
    list.push_back(std::move(row));
    handles_.index[item.id] = static_cast<Index>(list.size()) - 1 + first;
  }

  void add(const Item& item) {
    const std::string& call = item.call;
    if (call == "placement") {
      Listing::Pose pose;
      set(item, "at", pose.at), set(item, "rotation", pose.rotation);
      if (const Ref* outer = get<Ref>(item, "inside"))
        pose.inside = static_cast<std::int32_t>(handles_.index.at(outer->id));
      append(item, made_.poses, pose);
    } else if (call == "spot") {
      set(item, "spot", handles_.spots[item.id]);
    } else if (call == "modal") {
      append(item, made_.modals, **get<std::shared_ptr<const ModalBody>>(item, "numbers"));
    } else if (call == "body") {
      append(item, made_.bodies, row<BodyRow<Listed>>(item), 1);
    } else if (call == "joint") {
      append(item, made_.joints, row<JointRow<Listed>>(item));
    } else if (call == "rolling") {
      append(item, made_.rollings, row<RollingRow<Listed>>(item));
    } else if (call == "angle" || call == "displacement") {
      const Joint joint{index(*get<Ref>(item, "of"))};
      append(item, made_.measures, Listing::Coordinate{joint, call == "angle"});
    } else if (call == "measure") {
      append(item, made_.measures, row<MeasureRow<Listed>>(item));
    } else if (call == "state") {
      made_.states.push_back(row<StateRow<Listed>>(item));
    } else if (call == "output") {
      output(item);
    } else if (call == "look") {
      if (looks_ == Looks::with) look(item);
    } else if (call != "parameter" && call != "input" && call != "table") {
      append(item, made_.actions, action(item));
    }
  }

  Listing::Action action(const Item& item) {
    const std::string& call = item.call;
    if (call == "constraint") return row<ConstraintRow<Listed>>(item);
    if (call == "driver") return driver(item);
    if (call == "coupling") return coupling(item);
    if (call == "spring") return row<SpringRow<Listed>>(item);
    if (call == "bushing") return row<BushingRow<Listed>>(item);
    if (call == "beam") return row<BeamRow<Listed>>(item);
    if (call == "stop") return row<StopRow<Listed>>(item);
    if (call == "friction") return row<FrictionRow<Listed>>(item);
    if (call == "contact") return row<ContactRow<Listed>>(item);
    if (call == "vector_force") return row<VectorForceRow<Listed>>(item);
    if (call != "force") throw std::logic_error("no such call: " + call);
    auto made = row<ForceRow<Listed>>(item);
    if (const LawPlan* plan = get<LawPlan>(item, "value"); plan != nullptr && plan->energy)
      made.energy.calculation = keep(
          programs_.compile(*plan->energy, in_law(), static_cast<int>(plan->arguments.size())));
    return made;
  }

  ConstraintRow<Listed> driver(const Item& item) {
    ConstraintRow<Listed> made;
    Measure measure;
    set(item, "name", made.name), set(item, "measure", measure);
    made.relation.arguments = {{Argument::Kind::value, measure.index, -1}};
    made.relation.calculation =
        keep(programs_.compile_driver(*get<Formula>(item, "position"), in_law()));
    return made;
  }

  Listing::Coupling coupling(const Item& item) {
    Listing::Coupling made;
    set(item, "name", made.name), set(item, "constant", made.constant);
    for (const auto& [measure, factor] : *get<Terms>(item, "terms"))
      made.terms.emplace_back(Measure{index(measure)}, number(factor));
    return made;
  }

  static void range(const Item& item, std::optional<double>& min, std::optional<double>& max) {
    if (const double* bound = get<double>(item, "min")) min = *bound;
    if (const double* bound = get<double>(item, "max")) max = *bound;
  }

  void setting(const Item& item) {
    Listing::Setting made;
    made.input = item.call == "input";
    set(item, "name", made.name), set(item, "value", made.value);
    set(item, "unit", made.unit), set(item, "about", made.about);
    range(item, made.min, made.max);
    made.fixed = get<bool>(item, "fixed") != nullptr;
    append(item, made_.settings, made);
  }

  void look(const Item& item) {
    Listing::Look made;
    set(item, "body", made.body), set(item, "shape", made.shape);
    if (const auto* sizes = get<std::vector<Formula>>(item, "size"))
      for (const Formula& size : *sizes) made.size.push_back(number(size));
    set(item, "at", made.at), set(item, "rotation", made.rotation), set(item, "axis", made.axis);
    set(item, "local", made.local), set(item, "opacity", made.opacity);
    set(item, "color", made.color), set(item, "text", made.text), set(item, "file", made.file);
    made_.looks.push_back(std::move(made));
  }

  void output(const Item& item) {
    Listing::Output made;
    set(item, "name", made.name), set(item, "unit", made.unit), set(item, "about", made.about);
    range(item, made.min, made.max);
    const Formula& f = *get<Formula>(item, "value");
    // First the components that each use needs; those of a vector follow each other.
    std::map<std::pair<std::size_t, int>, Index> arguments;
    const auto key = [&](const Use& use, int component) {
      return std::pair(static_cast<std::size_t>(&use - f.uses.data()), std::max(component, 0));
    };
    const auto reads = [](const Use& use) { return use.meaning.kind == Meaning::Kind::reading; };
    Programs().compile(
        f,
        [&](const Use& use, int component) -> Source {
          if (!reads(use)) return setting_source(use);
          arguments.emplace(key(use, component), 0);
          return {};
        },
        0);
    for (auto& [of, argument] : arguments) {
      argument = static_cast<Index>(made.reads.size());
      made.reads.push_back(read(f.uses[of.first], of.second));
      made.reads.back().vector = static_cast<std::int32_t>(of.first);
    }
    made.calculation = keep(programs_.compile(
        f,
        [&](const Use& use, int component) -> Source {
          if (!reads(use)) return setting_source(use);
          return {Source::Kind::argument, arguments.at(key(use, component))};
        },
        static_cast<int>(made.reads.size())));
    made_.outputs.push_back(std::move(made));
  }
  Listing::Read read(const Use& use, int component) const {
    const Reading& r = *use.meaning.reading;
    Listing::Read made;
    made.quantity = r.quantity;
    made.second_half = r.second_half;
    if (const auto of = handles_.index.find(use.handle); of != handles_.index.end())
      made.of = static_cast<std::int32_t>(of->second);
    if (!use.spot.empty()) made.spot = handles_.spots.at(use.spot);
    made.relative = !use.from.empty();
    if (made.relative) made.from = handles_.spots.at(use.from);
    made.component = component;
    if (r.of == "flexible") made.of = use.meaning.number;
    return made;
  }

  using Key = std::tuple<const Program*, std::vector<double>, std::vector<Index>,
                         std::vector<std::shared_ptr<const functions::Table>>>;

  const Plan& plan_;
  const Looks looks_;
  Handles handles_;
  Programs programs_;
  std::map<Key, std::int32_t> kept_;
  Listing made_;
};

}  // namespace

Listing make_listing(const Plan& plan, Looks looks) { return Lister(plan, looks).run(); }

}  // namespace mechfmu
