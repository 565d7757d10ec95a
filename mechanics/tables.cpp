#include "mechanics/tables.h"

#include <map>
#include <stdexcept>
#include <string>

#include "mechanics/fields.h"
#include "mechanics/listing.h"

namespace mechfmu::tables {

namespace {

using mechanics::Listed;
using mechanics::Listing;
using mechanics::Program;

constexpr Formula itself = law<0>([](const auto& s) { return s.setting(0); });

class Lister {
 public:
  explicit Lister(const Tables& tables) : t_(tables) {}

  Listing run() {
    for (const FunctionUse& f : t_.functions)
      if (f.defined() != f.arguments)
        throw std::invalid_argument("function '" + std::string(f.name) + "' is declared with " +
                                    std::to_string(f.arguments) +
                                    " arguments and defined as mechfmu::Function<" +
                                    std::to_string(f.defined()) + ">");
    l_.name = t_.name;
    l_.about = t_.about;
    l_.experiment = {t_.stop, t_.step, t_.tolerance, t_.start};
    for (const SolverSetting& s : t_.solver)
      if (const SolverSettingRow* row = find_solver_setting(s.name)) row->set(l_.solver, s.value);
    l_.track_energy = t_.track_energy;
    for (const SettingRow& s : t_.settings)
      l_.settings.push_back({s.name, s.unit, s.about, s.input, s.fixed, s.value, s.min, s.max});
    l_.gravity = listed(t_.gravity);
    l_.length_scale = listed(t_.length_scale);
    for (const PoseRow& p : t_.poses)
      l_.poses.push_back(
          {listed(p.at), listed(p.rotation), static_cast<std::int32_t>(p.inside.index)});
    for (const ModalRow& row : t_.modals)
      l_.modals.push_back({{row.nodes.begin(), row.nodes.end()},
                           {row.stresses.begin(), row.stresses.end()},
                           row.modes,
                           row.second,
                           {row.numbers.begin(), row.numbers.end()}});
    for (const BodyRow& row : t_.bodies) l_.bodies.push_back(listed(row));
    for (const JointRow& row : t_.joints) l_.joints.push_back(listed(row));
    for (const RollingRow& row : t_.rollings) l_.rollings.push_back(listed(row));
    for (const MeasureEntry& m : t_.measures) {
      if (m.row != nullptr)
        l_.measures.emplace_back(listed(*m.row));
      else
        l_.measures.emplace_back(Listing::Coordinate{m.joint, m.angle});
    }
    for (const StateRow& row : t_.states) l_.states.push_back(listed(row));
    for (const Action& action : t_.actions) l_.actions.push_back(listed(action));
    for (const OutputRow& row : t_.outputs) l_.outputs.push_back(listed(row));
    return std::move(l_);
  }

 private:
  // Formulas and their numbers, each once

  std::int32_t keep(mechanics::Calculation made) {
    l_.calculations.push_back(std::move(made));
    return static_cast<std::int32_t>(l_.calculations.size()) - 1;
  }
  std::shared_ptr<const Program> program(const Formula& formula, const Calculation* numbers) {
    std::shared_ptr<const Program>& known = programs_[&formula];
    if (known) return known;
    Program made;
    if (const Operations* o = formula.operations) {
      made.constants = o->constants, made.settings = o->settings, made.fixed = o->fixed;
      made.arguments = o->arguments, made.moving = o->moving, made.tables = o->tables;
      made.operations = o->operations;
      made.results = o->results;
      made.check();
      return known = std::make_shared<const Program>(std::move(made));
    }
    made.formula = &formula;
    made.arguments = formula.arguments;
    made.results.resize(static_cast<std::size_t>(formula.results));
    if (numbers != nullptr) {
      made.constants = static_cast<std::int32_t>(numbers->constants.size());
      made.settings = static_cast<std::int32_t>(numbers->settings.size());
      made.tables = static_cast<std::int32_t>(numbers->tables.size());
    }
    return known = std::make_shared<const Program>(std::move(made));
  }
  std::shared_ptr<const functions::Table> table(const Points& points) {
    std::shared_ptr<const functions::Table>& known = points_[&points];
    if (!known)
      known = std::make_shared<const functions::Table>(std::vector<double>(points.x),
                                                       std::vector<double>(points.y),
                                                       points.interpolation, points.beyond);
    return known;
  }
  std::int32_t calculation(const Calculated& c) {
    if (c.formula == nullptr) {
      static constexpr Calculation one{itself, {}, {Setting{}}};  // keep() gets the setting
      const auto [at, is_new] = alone_.emplace(c.setting.index, -1);
      if (is_new) at->second = keep({program(itself, &one), {}, {c.setting.index}, {}});
      return at->second;
    }
    const void* key = c.numbers == nullptr ? static_cast<const void*>(c.formula) : c.numbers;
    const auto [at, is_new] = calculations_.emplace(key, -1);
    if (!is_new) return at->second;
    mechanics::Calculation made;
    made.program = program(*c.formula, c.numbers);
    if (c.numbers != nullptr) {
      made.constants = c.numbers->constants;
      for (const Setting s : c.numbers->settings) made.settings.push_back(s.index);
      for (const Points* points : c.numbers->tables) made.tables.push_back(table(*points));
    }
    return at->second = keep(std::move(made));
  }

  // Values

  Listed::Number listed(const Number& n) {
    return n.of.there() ? Listed::Number::of(calculation(n.of)) : Listed::Number(n.value);
  }
  Listed::Triple listed(const Triple& t) {
    Listed::Triple made = {listed(t.x), listed(t.y), listed(t.z)};
    if (t.whole.there()) made.calculation = calculation(t.whole);
    made.placed = t.placed;
    made.placement = static_cast<std::int32_t>(t.pose.index);
    return made;
  }
  Listed::Inertia listed(const Tabled::Inertia& i) {
    return {listed(i.xx), listed(i.yy), listed(i.zz), listed(i.xy), listed(i.xz), listed(i.yz)};
  }
  Listed::Solid listed(const Tabled::Solid& shapes) {
    Listed::Solid made;
    for (const Tabled::Shape& s : shapes) {
      Listed::Shape shape;
      shape.type = s.type;
      for (const Number& length : s.size) shape.size.push_back(listed(length));
      shape.axis = listed(s.axis), shape.at = listed(s.at), shape.rotation = listed(s.rotation);
      shape.by_density = s.by_density;
      shape.amount = listed(s.amount);
      made.push_back(std::move(shape));
    }
    return made;
  }
  Listed::NumberList listed(const List<Number>& numbers) {
    Listed::NumberList made;
    for (const Number& n : numbers) made.push_back(listed(n));
    return made;
  }
  Listed::Law listed(const Law& law) {
    Listed::Law made = law.constant;
    if (law.of.there()) made.calculation = calculation(law.of);
    made.arguments.assign(law.arguments, law.arguments + law.count);
    return made;
  }
  Listed::Energy listed(const Calculated& energy) {
    return {energy.there() ? calculation(energy) : -1};
  }
  Listed::Spot listed(const Tabled::Spot& s) { return {s.body, listed(s.at), s.local}; }

  // Rows

  template <template <class> class Row>
  Row<Listed> listed(const Row<Tabled>& from) {
    Row<Listed> made;
    Row<Tabled> row = from;
    mechanics::fields(
        [&](const char*, auto& to, auto& field) {
          if constexpr (requires { this->listed(field); })
            to = listed(field);
          else if constexpr (requires { to = field; })
            to = field;
          else if constexpr (requires { field.has_value(); })
            to = field ? std::make_optional(listed(*field)) : std::nullopt;
          else  // the three laws of a vector of force
            for (std::size_t k = 0; k < field.size(); ++k) to[k] = listed(field[k]);
        },
        made, row);
    return made;
  }
  Listing::Coupling listed(const CouplingRow& c) {
    Listing::Coupling made;
    made.name = c.name;
    for (const CouplingRow::Term& term : c.terms)
      made.terms.emplace_back(term.measure, listed(term.factor));
    made.constant = listed(c.constant);
    return made;
  }
  Listing::Action listed(const Action& action) {
    const auto row = [&]<class Row>(const Row*) {
      return listed(*static_cast<const Row*>(action.row));
    };
    using Kind = Action::Kind;
    switch (action.kind) {
      case Kind::constraint: return row(static_cast<const ConstraintRow*>(nullptr));
      case Kind::coupling: return row(static_cast<const CouplingRow*>(nullptr));
      case Kind::spring: return row(static_cast<const SpringRow*>(nullptr));
      case Kind::bushing: return row(static_cast<const BushingRow*>(nullptr));
      case Kind::stop: return row(static_cast<const StopRow*>(nullptr));
      case Kind::friction: return row(static_cast<const FrictionRow*>(nullptr));
      case Kind::contact: return row(static_cast<const ContactRow*>(nullptr));
      case Kind::force: return row(static_cast<const ForceRow*>(nullptr));
      case Kind::beam: return row(static_cast<const BeamRow*>(nullptr));
      case Kind::vector_force: break;
    }
    return row(static_cast<const VectorForceRow*>(nullptr));
  }
  Listing::Output listed(const OutputRow& o) {
    Listing::Output made;
    made.name = o.name, made.unit = o.unit, made.about = o.about;
    made.min = o.min, made.max = o.max;
    for (const Read& r : o.reads)
      made.reads.push_back({r.quantity, r.of, listed(r.spot), listed(r.from), r.relative,
                            r.second_half, r.component, r.vector});
    made.calculation = calculation(o.value);
    return made;
  }

  const Tables& t_;
  Listing l_;
  std::map<const Formula*, std::shared_ptr<const Program>> programs_;
  std::map<const Points*, std::shared_ptr<const functions::Table>> points_;
  std::map<const void*, std::int32_t> calculations_;
  std::map<Index, std::int32_t> alone_;  // of settings
};

}  // namespace

Listing from_tables(const Tables& tables) { return Lister(tables).run(); }

}  // namespace mechfmu::tables
