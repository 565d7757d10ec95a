#include "language/meaning/names.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "language/file/indices.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using expression::Dimension;
using expression::Expression;
using expression::Piece;
using expression::Symbol;
using expression::ValueType;
using mechanics::Quantity;

std::vector<Reading> make_readings() {
  constexpr auto vector = ValueType::vector;
  constexpr auto number = ValueType::scalar;
  std::vector<Reading> all;

  // Points of bodies
  const auto add_of_point = [&](std::string_view name, std::string_view unit, InLaw in_law,
                                Quantity quantity) {
    all.push_back({.of = "body",
                   .name = name,
                   .about = "of the reference point",
                   .type = vector,
                   .unit = unit,
                   .in_law = in_law,
                   .of_points = true,
                   .may_be_relative = true,
                   .quantity = quantity});
  };
  add_of_point("position", "m", InLaw::position, Quantity::position);
  add_of_point("velocity", "m/s", InLaw::velocity, Quantity::velocity);
  add_of_point("acceleration", "m/s2", InLaw::no, Quantity::acceleration);

  // … and their frames
  const auto add_of_frame = [&](std::string_view name, std::string_view about, ValueType type,
                                std::string_view unit, InLaw in_law, int axis, Quantity quantity) {
    all.push_back({.of = "body",
                   .name = name,
                   .about = about,
                   .type = type,
                   .unit = unit,
                   .in_law = in_law,
                   .may_be_relative = true,
                   .axis = axis,
                   .quantity = quantity});
  };
  add_of_frame("angular_velocity", "", vector, "rad/s", InLaw::turning, 0,
               Quantity::angular_velocity);
  add_of_frame("angular_acceleration", "", vector, "rad/s2", InLaw::no, 0,
               Quantity::angular_acceleration);
  add_of_frame("rotation", "Cardan angles about x, then y', then z''", vector, "rad", InLaw::no, 0,
               Quantity::rotation);
  const auto add_axis = [&](std::string_view name, int axis, Quantity quantity) {
    add_of_frame(name, "direction of this axis of the body", vector, "1", InLaw::direction, axis,
                 quantity);
  };
  add_axis("x_axis", 0, Quantity::x_axis);
  add_axis("y_axis", 1, Quantity::y_axis);
  add_axis("z_axis", 2, Quantity::z_axis);
  const auto add_quaternion = [&](std::string_view name, Quantity quantity) {
    add_of_frame(name, "component of the unit quaternion", number, "1", InLaw::no, 0, quantity);
  };
  add_quaternion("quaternion_w", Quantity::quaternion_w);
  add_quaternion("quaternion_x", Quantity::quaternion_x);
  add_quaternion("quaternion_y", Quantity::quaternion_y);
  add_quaternion("quaternion_z", Quantity::quaternion_z);

  // Flexible bodies: of the body, and of its nodes
  const auto add_numbered = [&](std::string_view name, std::string_view about,
                                std::string_view unit, Quantity quantity) {
    all.push_back({.of = "flexible",
                   .name = name,
                   .about = about,
                   .unit = unit,
                   .numbered = quantity != Quantity::strain_energy,
                   .quantity = quantity});
  };
  const auto add_of_axes = [&](std::string_view name, std::string_view about, ValueType type,
                               std::string_view unit, Quantity quantity) {
    all.push_back({.of = "flexible",
                   .name = name,
                   .about = about,
                   .type = type,
                   .unit = unit,
                   .quantity = quantity});
  };
  add_of_axes("position", "origin of the file, in mean axes", vector, "m", Quantity::position);
  add_of_axes("rotation", "orientation of the mean axes: Cardan angles about x, then y', then z''",
              vector, "rad", Quantity::rotation);
  for (const auto& [name, quantity] : {std::pair{"quaternion_w", Quantity::quaternion_w},
                                       {"quaternion_x", Quantity::quaternion_x},
                                       {"quaternion_y", Quantity::quaternion_y},
                                       {"quaternion_z", Quantity::quaternion_z}})
    add_of_axes(name, "component of the unit quaternion of the mean axes", number, "1", quantity);
  add_numbered("q", "q(3): amplitude of the third mode", "1", Quantity::mode);
  add_numbered("q_rate", "q_rate(3): its rate", "1/s", Quantity::mode_rate);
  add_numbered("stress", "stress(name): a stress recovered from the modes", "?", Quantity::stress);
  add_numbered("strain_energy", "", "J", Quantity::strain_energy);
  for (const Quantity quantity : {Quantity::interface_force, Quantity::interface_torque}) {
    const bool force = quantity == Quantity::interface_force;
    all.push_back({.of = "body",
                   .name = force ? "interface_force" : "interface_torque",
                   .about = "of a node: load on its flexible body",
                   .type = vector,
                   .unit = force ? "N" : "N.m",
                   .quantity = quantity});
  }

  // Coordinates: of joints, of measures, of springs
  const auto add_coordinate = [&](std::string_view of, Through through, std::string_view value_name,
                                  std::string_view rate_name, std::string_view acceleration_name,
                                  std::string_view about, std::string_view unit,
                                  std::string_view rate_unit, std::string_view acceleration_unit) {
    if (!value_name.empty())
      all.push_back({.of = of,
                     .name = value_name,
                     .about = about,
                     .through = through,
                     .unit = unit,
                     .in_law = InLaw::value,
                     .quantity = Quantity::value});
    all.push_back({.of = of,
                   .name = rate_name,
                   .about = "rate of change",
                   .through = through,
                   .unit = rate_unit,
                   .in_law = InLaw::rate,
                   .quantity = Quantity::rate});
    if (!acceleration_name.empty())
      all.push_back({.of = of,
                     .name = acceleration_name,
                     .about = "second derivative",
                     .through = through,
                     .unit = acceleration_unit,
                     .quantity = Quantity::second_rate});
  };
  add_coordinate("joint", Through::angle, "angle", "angle_rate", "angle_acceleration",
                 "0 at t = 0, counts turns", "rad", "rad/s", "rad/s2");
  add_coordinate("joint", Through::displacement, "displacement", "displacement_rate",
                 "displacement_acceleration", "0 at t = 0; of a distance joint, its length", "m",
                 "m/s", "m/s2");
  add_coordinate("joint", Through::coordinate, "", "rate", "acceleration", "", "", "", "");
  add_coordinate("measure", Through::self, "value", "rate", "acceleration",
                 "measured value; a `force` or `torque` has a rate only", "", "", "");
  add_coordinate("spring", Through::along, "length", "rate", "",
                 "distance, angle or displacement along which it acts", "", "", "");

  // Forces and reactions
  const auto add_vector = [&](std::string_view of, std::string_view name, std::string_view about,
                              std::string_view unit, Quantity quantity, InLaw in_law = InLaw::no,
                              bool second_half = false) {
    all.push_back({.of = of,
                   .name = name,
                   .about = about,
                   .type = vector,
                   .unit = unit,
                   .in_law = in_law,
                   .quantity = quantity,
                   .second_half = second_half});
  };
  const auto add_number = [&](std::string_view of, std::string_view name, std::string_view about,
                              Quantity quantity, std::string_view unit = "",
                              InLaw in_law = InLaw::no) {
    all.push_back({.of = of,
                   .name = name,
                   .about = about,
                   .unit = unit,
                   .in_law = in_law,
                   .quantity = quantity});
  };
  add_vector("joint", "force", "reaction on body b, at the joint's point", "N",
             Quantity::joint_force, InLaw::reaction);
  add_vector("joint", "torque", "reaction on body b, about the joint's point", "N.m",
             Quantity::joint_torque);
  add_vector("rolling", "force", "of the plane on body b, at the point of contact", "N",
             Quantity::rolling_force);
  add_vector("contact", "force", "on body b", "N", Quantity::pair_force);
  add_vector("contact", "torque", "on body b, about its centre of mass", "N.m",
             Quantity::pair_torque);
  add_number("spring", "force", "positive in tension", Quantity::tension);
  for (const std::string_view of : {"stop", "friction", "force", "torque"})
    add_number(of, of == "torque" ? "torque" : "force",
               "along its coordinate; positive if it tends to increase it", Quantity::force);
  for (const std::string_view of : {"force", "torque"})
    add_vector(of, of, "components of a vector, in its axes", of == "torque" ? "N.m" : "N",
               Quantity::three_forces);
  for (const std::string_view of : {"bushing", "beam"}) {
    const bool beam = of == "beam";
    add_vector(of, "force",
               beam ? "tension and shear at its middle, along its x, y, z"
                    : "along x, y, z of a; positive if it pulls back",
               "N", Quantity::three_tensions);
    add_vector(of, "torque",
               beam ? "torsion and bending moments at its middle, about its x, y, z"
                    : "about x, y, z of a; positive if it turns back",
               "N.m", Quantity::three_tensions, InLaw::no, true);
  }
  add_number("driver", "force", "along its coordinate; positive if it tends to increase it",
             Quantity::driving_force);
  for (const std::string_view of : {"coupling", "gear", "rack", "constraint"})
    add_number(of, "multiplier", "λ: it acts as −λ ∂value/∂φ along each coordinate φ",
               Quantity::multiplier, "?");

  // States
  add_number("state", "", "its value", Quantity::state, "", InLaw::state);
  add_number("state", "rate", "its time derivative", Quantity::state_rate);

  // The whole mechanism
  add_number("", "energy.kinetic", "", Quantity::kinetic_energy, "J");
  add_number("", "energy.potential", "of gravity, springs and contacts", Quantity::potential_energy,
             "J");
  add_number("", "energy.total", "kinetic and potential", Quantity::total_energy, "J");
  add_number("", "energy.dissipated_power", "dissipated by dampers and friction",
             Quantity::dissipated_power, "W");
  add_number("", "energy.supplied_power", "work done by forces and drives",
             Quantity::supplied_power, "W");
  add_number("", "mechanism.mass", "", Quantity::mass, "kg");
  add_vector("", "mechanism.centre", "centre of mass", "m", Quantity::centre_of_mass);
  add_vector("", "mechanism.momentum", "", "kg.m/s", Quantity::momentum);
  add_vector("", "mechanism.angular_momentum", "about the origin", "kg.m2/s",
             Quantity::angular_momentum);
  return all;
}

/// Whether the element has this reading: it depends on the type of a joint, and vector forces have
/// no scalar.
bool applies(const Reading& r, const Element& e) {
  if (r.of != e.type->name) return false;
  const std::string_view type = e.text("type");
  switch (r.through) {
    case Through::angle: return has_word(joint_coordinates(type), "angle");
    case Through::displacement: return has_word(joint_coordinates(type), "displacement");
    case Through::coordinate: return words_of(joint_coordinates(type)).size() == 1;
    case Through::along: return true;
    case Through::self: break;
  }
  if (r.quantity == Quantity::interface_force || r.quantity == Quantity::interface_torque)
    return type == "node";
  if (r.of == "measure" && r.name == "value") return type != "force" && type != "torque";
  if (r.of == "force" || r.of == "torque") return e.has("body") == (r.type == ValueType::vector);
  return true;
}

std::string unit_of_value(CoordinateKind kind) {
  switch (kind) {
    case CoordinateKind::length: return "m";
    case CoordinateKind::angle: return "rad";
    case CoordinateKind::cosine: break;
  }
  return "1";
}

/// The unit of a reading that depends on the element; "?" if unknown.
std::string unit_of(const Reading& r, const Element& e, const Names& names) {
  if (r.of == "state") {
    const std::string unit(e.text("unit"));
    return r.name.empty() ? unit : unit == "1" ? "1/s" : unit + "/s";
  }
  const CoordinateKind kind = coordinate_kind(e, names);
  std::string value = unit_of_value(kind);
  if (r.name == "rate") return value + "/s";
  if (r.name == "acceleration") return value + "/s2";
  if (r.name == "value" || r.name == "length") return value;
  return kind == CoordinateKind::length ? "N" : "N.m";
}

std::string either(std::string first, std::string otherwise) {
  return first.empty() ? std::move(otherwise) : std::move(first);
}

}  // namespace

const std::vector<Reading>& readings() {
  static const std::vector<Reading> all = make_readings();
  return all;
}

std::string_view joint_coordinate(const Element& joint, std::string_view coordinate) {
  return coordinate.empty() ? joint_coordinates(joint.text("type")) : coordinate;
}

std::set<std::string, std::less<>> names_in_attributes(const MechanismText& text) {
  std::set<std::string, std::less<>> found;
  for (const Element& e : text.elements)
    for (const Attribute& a : e.attributes) {
      if (a.name == "name" && e.type->name != "output") continue;
      const auto inside = [](char c) {
        return in_word(c) || c == '.' || c == '[' || c == ']' || c == ',';
      };
      const std::string& all = a.text;
      for (std::size_t begin = 0; begin < all.size();) {
        std::size_t end = begin;
        while (end < all.size() && inside(all[end])) ++end;
        const std::string_view word = std::string_view(all).substr(begin, end - begin);
        for (std::size_t dot = word.find('.'); dot != std::string_view::npos;
             dot = word.find('.', dot + 1))
          found.emplace(word.substr(0, dot));
        if (!word.empty()) found.emplace(word);
        begin = end + 1;
      }
    }
  return found;
}

std::optional<int> kept_modes(const Element& flexible, const mechanics::ModalBody& numbers) {
  const std::vector<std::string> words = words_of(flexible.text("modes"));
  if (words.size() == 1 && words[0] == "all") return numbers.modes;
  if (words.size() == 1) {
    const std::optional<double> count = parse_number(words[0]);
    if (!count || *count != std::floor(*count) || *count < 0 || *count > numbers.modes) return {};
    return static_cast<int>(*count);
  }
  if (words.size() < 2 || words[0] != "below") return {};
  // "2kHz" or "2 kHz"
  std::string text = words[1] + (words.size() > 2 ? words[2] : "");
  const std::size_t letters = text.find_first_not_of("0123456789.+-eE");
  const std::optional<double> limit = parse_number(text.substr(0, letters));
  if (!limit || words.size() > 3) return {};
  double factor = 1;
  if (letters != std::string::npos) {
    const std::optional<Dimension> unit = known_dimension(text.substr(letters));
    if (!unit || !expression::compatible(*unit, expression::dimension("Hz"))) return {};
    factor = unit_factor(text.substr(letters)) / unit_factor("Hz");
  }
  int kept = 0;
  while (kept < numbers.modes &&
         numbers.omega(static_cast<std::size_t>(kept)) / 2 / std::numbers::pi < *limit * factor)
    ++kept;
  return kept;
}

CoordinateKind coordinate_kind(const Element& e, const Names& names) {
  const std::string_view tag = e.type->name;
  const std::string_view type = e.text("type");
  if (tag == "measure")
    return type == "angle" || type == "torque" ? CoordinateKind::angle
           : type == "alignment"               ? CoordinateKind::cosine
                                               : CoordinateKind::length;
  if (tag == "joint")
    return joint_coordinates(type) == "angle" ? CoordinateKind::angle : CoordinateKind::length;
  if (const Attribute* a = e.find("joint")) {
    const Element* joint = names.element(a->text);
    return joint != nullptr &&
                   joint_coordinate(*joint, tag == "torque" ? "angle" : e.text("coordinate")) ==
                       "angle"
               ? CoordinateKind::angle
               : CoordinateKind::length;
  }
  if (const Attribute* a = e.find("measure")) {
    const Element* measure = names.element(a->text);
    return measure == nullptr ? CoordinateKind::length : coordinate_kind(*measure, names);
  }
  return CoordinateKind::length;
}

double unit_factor(std::string_view unit) { return parse_unit(unit).factor; }

std::optional<Dimension> known_dimension(std::string_view unit) {
  if (unit.empty()) return {};
  try {
    return expression::dimension(std::string(unit));
  } catch (const std::invalid_argument&) {
    return {};
  }
}

Names::Names(const MechanismText& mechanism) : text_(mechanism) {
  for (const Element& e : mechanism.elements)
    if (!e.name.empty() && e.type->name != "output") elements_.emplace(e.name, &e);
}

const Element* Names::element(const std::string& full_name) const {
  const auto found = elements_.find(full_name);
  return found == elements_.end() ? nullptr : found->second;
}

void Names::add_variable(const std::string& name, Symbol symbol) {
  variables_[name] = std::move(symbol);
}
void Names::add_table(const std::string& name, Symbol symbol) { tables_[name] = std::move(symbol); }

/// The element with the longest name at the beginning of a dotted name; its pieces are without
/// calls except the last of a function.
const Element* Names::longest(const expression::Node& name, std::size_t& pieces) const {
  std::size_t plain = 0;
  while (plain < name.pieces.size() && !name.pieces[plain].called) ++plain;
  if (plain == 0 && name.pieces.size() == 1) plain = 1;  // tyre(slip)
  std::string text;
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < plain; ++i) {
    text += (i > 0 ? "." : "") + name.pieces[i].word;
    ends.push_back(text.size());
  }
  for (pieces = plain; pieces > 0; --pieces)
    if (const auto found = elements_.find(std::string_view(text).substr(0, ends[pieces - 1]));
        found != elements_.end())
      return found->second;
  return nullptr;
}

std::optional<int> Names::number_in(const Element& flexible, const Piece& piece,
                                    const Expression& argument) const {
  const auto numbers = text_.flexible.find(std::string(flexible.text("file")));
  if (piece.arguments != 1 || !argument || numbers == text_.flexible.end() || !numbers->second)
    return {};
  if (piece.word == "stress") {
    const std::vector<std::string>& all = numbers->second->stresses;
    const auto found = std::find(all.begin(), all.end(), argument->text);
    if (argument->form != expression::Form::name || found == all.end()) return {};
    return static_cast<int>(found - all.begin());
  }
  const std::optional<double> k = expression::literal_value(argument);
  const int kept = kept_modes(flexible, *numbers->second).value_or(0);
  if (!k || *k != static_cast<int>(*k) || *k < 1 || *k > kept) return {};
  return static_cast<int>(*k) - 1;
}

std::optional<Meaning> Names::meaning(const expression::Node& name) const {
  using Kind = Meaning::Kind;
  if (name.text == "time") return Meaning{Kind::time};
  for (const Reading& r : readings())
    if (r.of.empty() && r.name == name.text) return Meaning{Kind::reading, nullptr, &r};
  std::size_t used = 0;
  const Element* e = longest(name, used);
  if (e == nullptr) return {};
  const std::string_view tag = e->type->name;
  const bool whole = used == name.pieces.size();
  const bool called = whole && name.pieces.back().called;
  if (called) return tag == "function" ? std::optional(Meaning{Kind::function, e}) : std::nullopt;
  if (whole) {
    if (tag == "parameter") return Meaning{Kind::parameter, e};
    if (tag == "input") return Meaning{Kind::input, e};
    if (tag == "variable") return Meaning{Kind::variable, e};
    if (tag == "table") return Meaning{Kind::table, e};
  }

  Meaning made{Kind::reading, e};
  std::size_t child = 0;
  if (used < name.pieces.size() && name.pieces[used].called && name.pieces[used].word == "point" &&
      tag == "body") {
    if (name.pieces[used].arguments != 3) return {};
    made.point.assign(name.children.begin(),
                      name.children.begin() + static_cast<long>(name.pieces[used].arguments));
    child = name.pieces[used].arguments;
    ++used;
  }
  const bool has_point = child > 0;
  if (used < name.pieces.size() && name.pieces[used].called &&
      name.pieces[used].word == "relative_to" && tag == "body") {
    if (name.pieces[used].arguments != 1 || child >= name.children.size() || !name.children[child])
      return {};
    made.relative_to = element(name.children[child]->text);
    if (made.relative_to == nullptr || made.relative_to->type->name != "body") return {};
    ++used;
  }
  if (used + 1 < name.pieces.size()) return {};
  const std::string_view quantity =
      used < name.pieces.size() ? std::string_view(name.pieces[used].word) : std::string_view();
  const bool numbered = used < name.pieces.size() && name.pieces[used].called;
  if (numbered) {
    if (tag != "flexible" || child >= name.children.size()) return {};
    const std::optional<int> number = number_in(*e, name.pieces[used], name.children[child]);
    if (!number) return {};
    made.number = *number;
  }
  for (const Reading& r : readings()) {
    if (r.numbered != numbered) continue;
    if (r.name != quantity || r.of.empty() || !applies(r, *e)) continue;
    if ((has_point && !r.of_points) || (made.relative_to != nullptr && !r.may_be_relative))
      continue;
    made.reading = &r;
    return made;
  }
  return {};
}

Symbol Names::symbol(const Meaning& meaning) const {
  namespace kind = expression::kind;
  using Kind = Meaning::Kind;
  Symbol symbol;
  const auto unit_attribute = [&] { return known_dimension(meaning.element->text("unit")); };
  switch (meaning.kind) {
    case Kind::time:
      symbol.kinds = kind::time;
      symbol.dimension = expression::dimension("s");
      break;
    case Kind::parameter:
      symbol.kinds = kind::parameter;
      symbol.dimension = unit_attribute();
      symbol.without_unit = !meaning.element->has("unit");
      break;
    case Kind::input:
      symbol.kinds = kind::input;
      symbol.dimension = unit_attribute();
      symbol.without_unit = !meaning.element->has("unit");
      break;
    case Kind::variable: return variables_.at(meaning.element->name);
    case Kind::table: return tables_.at(meaning.element->name);
    case Kind::function:
      symbol.kinds = 0;
      symbol.function = true;
      symbol.dimension = unit_attribute();
      for (const std::string& unit : words_of(meaning.element->text("arguments")))
        symbol.arguments.push_back({ValueType::scalar, known_dimension(unit)});
      break;
    case Kind::reading: {
      const Reading& r = *meaning.reading;
      symbol.type = r.type;
      const std::string unit =
          r.unit.empty() ? unit_of(r, *meaning.element, *this) : std::string(r.unit);
      if (unit != "?") symbol.dimension = known_dimension(unit);
      symbol.kinds = r.in_law == InLaw::no || r.in_law == InLaw::reaction ? kind::acceleration
                     : r.in_law == InLaw::state                           ? kind::state
                                                                          : kind::measure;
      for (std::size_t i = 0; i < meaning.point.size(); ++i)
        symbol.arguments.push_back(
            {ValueType::scalar, expression::dimension("m"), kind::parameter});
      if (meaning.relative_to != nullptr) symbol.arguments.push_back({ValueType::name, {}});
      if (r.quantity == Quantity::stress) symbol.arguments.push_back({ValueType::name, {}});
      if (r.numbered && r.quantity != Quantity::stress)
        symbol.arguments.push_back({ValueType::scalar, expression::dimension("1"), 0});
      break;
    }
  }
  return symbol;
}

std::optional<Symbol> Names::find(const expression::Node& name) const {
  const std::optional<Meaning> found = meaning(name);
  if (!found) return {};
  const std::string& full_name = found->element != nullptr ? found->element->name : name.text;
  if ((found->kind == Meaning::Kind::variable && !variables_.contains(full_name)) ||
      (found->kind == Meaning::Kind::table && !tables_.contains(full_name))) {
    Symbol broken;
    broken.broken = true;
    return broken;
  }
  return symbol(*found);
}

std::vector<std::string> Names::names() const {
  std::vector<std::string> all = {"time"};
  for (const auto& [name, e] : elements_) {
    const std::string_view tag = e->type->name;
    if (has_word("parameter input variable state function", tag)) all.push_back(name);
  }
  return all;
}

/// For names with wrong or missing indices: the existing ones. Empty for others.
std::string Names::explain_indices(const expression::Node& name) const {
  std::string text;
  std::size_t last = 0;
  for (; last < name.pieces.size(); ++last) {
    text += (text.empty() ? "" : ".") + name.pieces[last].word;
    const auto found = elements_.lower_bound(text + ".");
    if (found == elements_.end() || !found->first.starts_with(text + ".")) break;
  }
  if (last == name.pieces.size()) return {};
  const std::string copies = copies_text(elements_, text);
  if (!copies.empty()) return "there is no '" + text + "'" + copies;
  const std::string base = text.substr(0, text.rfind('['));
  const Element* e = text.ends_with(']') ? element(base) : nullptr;
  if (e == nullptr) return {};
  return "'" + text + "': there are no copies of " + std::string(e->type->name) + " '" + base +
         "'; components of vectors are .x .y .z";
}

std::string Names::explain(const expression::Node& name) const {
  std::size_t used = 0;
  const Element* e = longest(name, used);
  if (e == nullptr) {
    const std::string first = name.pieces.front().word;
    if (std::string copies = explain_indices(name); !copies.empty()) return copies;
    if (name.pieces.size() == 1 && !name.pieces[0].called) return Environment::explain(name);
    if (name.pieces.size() == 1)
      return "unknown function '" + first + "'" + suggestion(first, expression::function_names());
    std::vector<std::string> elements;
    for (const auto& [its_name, unused] : elements_) elements.push_back(its_name);
    if (first == "energy" || first == "mechanism") {
      elements.clear();
      for (const Reading& r : readings())
        if (r.of.empty()) elements.emplace_back(r.name);
      const std::string near = suggestion(name.text, elements);
      return "'" + name.text + "' is unknown" + (near.empty() ? "; use " + listed(elements) : near);
    }
    if (first == "ground")
      return "'" + name.text + "': the ground has no quantities; it does not move";
    return "'" + name.text + "': there is no element '" + first + "'" + suggestion(first, elements);
  }
  const std::string label = std::string(e->type->name) + " '" + e->name + "'";
  const bool whole = used == name.pieces.size();
  if (e->type->name == "variable" || e->type->name == "table")
    return label + " has nothing after a dot";
  for (std::size_t i = used; i < name.pieces.size(); ++i) {
    const Piece& piece = name.pieces[i];
    if (piece.word == "relative_to" && piece.called)
      for (const Expression& child : name.children)
        if (child && child->form == expression::Form::name &&
            (element(child->text) == nullptr || element(child->text)->type->name != "body")) {
          std::vector<std::string> bodies;
          for (const auto& [its_name, other] : elements_)
            if (other->type->name == "body") bodies.push_back(its_name);
          return "relative_to takes the name of a body; " +
                 (child->text == "ground" ? "leave it out for quantities relative to the ground"
                                          : "there is no body '" + child->text + "'" +
                                                either(copies_text(elements_, child->text),
                                                       suggestion(child->text, bodies)));
        }
    if (piece.word == "point" && piece.called && piece.arguments != 3)
      return "point needs three coordinates in the axes of the body, as in " + e->name +
             ".point(0.1, 0, 0).position";
  }
  if (e->type->name == "flexible" && !whole && name.pieces[used].called) {
    const auto numbers = text_.flexible.find(std::string(e->text("file")));
    if (numbers != text_.flexible.end() && numbers->second) {
      const std::string& word = name.pieces[used].word;
      if (word == "q" || word == "q_rate")
        return label + " has the modes " + word + "(1) to " + word + "(" +
               std::to_string(kept_modes(*e, *numbers->second).value_or(0)) + ")";
      if (word == "stress")
        return label + (numbers->second->stresses.empty()
                            ? ": its file recovers no stresses"
                            : " has the stresses " + listed(numbers->second->stresses, "and"));
    }
  }
  // the quantity: after point(…) and relative_to(…), before a component
  std::size_t last = used;
  bool of_point = false;
  for (; last < name.pieces.size() && name.pieces[last].called; ++last)
    of_point = of_point || name.pieces[last].word == "point";
  const std::string word = last < name.pieces.size() ? name.pieces[last].word : "";
  std::vector<std::string> has;
  for (const Reading& r : readings())
    if (!r.of.empty() && !r.name.empty() && applies(r, *e) && (!of_point || r.of_points))
      has.emplace_back(r.name);
  if (e->type->name == "function")
    return label + " is called with its arguments: " + e->name + "(…)";
  if (has.empty()) return label + " has no value that an expression could use";
  if (whole)
    return label + " is not a number; use one of its quantities: " + e->name + "." + has.front() +
           (has.size() > 1 ? ", or " + listed({has.begin() + 1, has.end()}) : "");
  const std::string who = of_point ? "a point of " + label : label;
  if (word.empty()) return who + " is not a number; use one of its quantities: " + listed(has);
  if (std::find(has.begin(), has.end(), word) != has.end())
    return label + ": '" + word + "' has no '" + name.pieces.back().word +
           "'; components of vectors are .x .y .z";
  if (word.ends_with(']') &&
      std::find(has.begin(), has.end(), word.substr(0, word.find('['))) != has.end())
    return label + ": '" + word.substr(0, word.find('[')) +
           "' has no indices; components of vectors are .x .y .z";
  std::string remedy = suggestion(word, has);
  if (remedy.empty()) remedy = "; it has " + listed(has, "and");
  return who + " has no '" + word + "'" + remedy;
}

std::string readings_reference() {
  struct Group {
    std::string of;                                              // "coupling, gear"
    std::vector<std::pair<std::string, std::string>> rows = {};  // names; meaning and unit
  };
  std::vector<std::string_view> kinds;
  for (const Reading& r : readings())
    if (std::find(kinds.begin(), kinds.end(), r.of) == kinds.end()) kinds.push_back(r.of);
  std::vector<Group> groups;
  for (const std::string_view of : kinds) {
    Group group{of.empty() ? "the whole mechanism" : std::string(of)};
    for (const Reading& r : readings()) {
      if (r.of != of) continue;
      const std::string name = "`" + std::string(of.empty() || r.name.empty() ? "" : ".") +
                               std::string(r.name.empty() ? "name" : r.name) + "`";
      const std::string unit = of == "state"    ? (r.name.empty() ? "its own" : "its own, per s")
                               : r.unit.empty() ? "by its coordinate"
                               : r.unit == "?"  ? "by its expression"
                                                : std::string(r.unit);
      const std::string rest = std::string(r.type == ValueType::vector ? "vector" : "number") +
                               (r.about.empty() ? "" : ": " + std::string(r.about)) +
                               (r.in_law == InLaw::no ? " *(for outputs)*" : "") + " | " + unit;
      if (!group.rows.empty() && group.rows.back().second == rest)
        group.rows.back().first += " " + name;
      else
        group.rows.emplace_back(name, rest);
    }
    if (!groups.empty() && groups.back().rows == group.rows)
      groups.back().of += ", " + group.of;
    else
      groups.push_back(std::move(group));
  }
  std::string page = "\n| of | name | meaning | unit |\n|---|---|---|---|\n";
  for (const Group& group : groups)
    for (const auto& [names, rest] : group.rows)
      page.append("| ")
          .append(&names == &group.rows.front().first ? "**" + group.of + "**" : "")
          .append(" | ")
          .append(names)
          .append(" | ")
          .append(rest)
          .append(" |\n");
  return page;
}

}  // namespace mechfmu
