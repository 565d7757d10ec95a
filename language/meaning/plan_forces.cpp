// Items of force elements: springs, bushings, stops, friction, contact, forces and torques.

#include "language/expression/csv.h"
#include "language/meaning/planner.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using expression::Expression;

/// x, y and bulge of the points of a profile.
std::vector<Formula> profile(Planner& planner, const Element& e) {
  if (!e.has("file")) {
    if (!e.has("outline")) {
      planner.attributes.error(e, "",
                               "a profile needs 'outline', its points, or 'file', where they are");
      return {};
    }
    std::vector<Formula> made = planner.numbers(e, "outline");
    if (made.size() % 3 != 0)
      planner.attributes.error(e, "outline",
                               "it has " + std::to_string(made.size()) +
                                   " numbers; each point has three, x, y and the bulge of the arc "
                                   "to the next point (0: a straight line)");
    return made;
  }
  const auto data = planner.text.data.find(std::string(e.text("file")));
  if (data == planner.text.data.end()) return {};  // reported by the reader
  Report said = planner.attributes.report(e, "");
  said.place = {data->first, 0};
  std::vector<Formula> made;
  for (const double number : expression::read_outline(data->second, said))
    made.push_back(constant_formula(number));
  return made;
}

void contact(Planner& planner, const Element& e) {
  Item& item = planner.add(Phase::forces, planner.item_of(e, "contact"));
  planner.between(item, e);
  planner.fields(item, e, {"centre",        "radius",   "shape",           "at",
                           "axis",          "axis2",    "radius_a",        "length",
                           "size",          "side",     "local",           "law",
                           "stiffness",     "exponent", "damping",         "damping_depth",
                           "friction_law",  "friction", "static_friction", "stribeck",
                           "regularization"});
  if (e.text("law") == "linear" && !e.has("exponent"))
    item.fields.push_back({"exponent", constant_formula(1)});
  if (e.text("shape") == "profile") {
    std::vector<Formula> outline = profile(planner, e);
    outline.insert(outline.begin(), planner.number(e, "periods"));
    item.fields.push_back({"profile", std::move(outline)});
  }
}

void bushing(Planner& planner, const Element& e) {
  Item& item = planner.add(Phase::forces, planner.item_of(e, "bushing"));
  planner.between(item, e);
  planner.fields(
      item, e,
      {"at", "axis", "axis2", "to", "axis_b", "axis2_b", "stiffness", "damping", "torsion",
       "torsion_damping", "length", "angle", "preload", "preload_torque", "matrix_damping"});
  if (e.has("matrix")) item.fields.push_back({"matrix", planner.numbers(e, "matrix")});
}

void beam(Planner& planner, const Element& e) {
  Item& item = planner.add(Phase::forces, planner.item_of(e, "beam"));
  planner.between(item, e);
  planner.fields(
      item, e,
      {"from", "to", "across", "E", "G", "area", "i_y", "i_z", "torsion", "density", "damping"});
}

/// An element that acts along a coordinate, with plain numbers.
Item& acting(Planner& planner, const Element& e, const char* call,
             std::initializer_list<std::string_view> attributes) {
  const Ref measure = planner.along(e);
  Item& item = planner.add(Phase::forces, planner.item_of(e, call));
  item.fields.push_back({"along", measure});
  planner.fields(item, e, attributes);
  return item;
}

void spring(Planner& planner, const Element& e) {
  acting(planner, e, "spring", {"stiffness", "damping", "length", "preload"});
}

void stop(Planner& planner, const Element& e) {
  if (!e.has("lower") && !e.has("upper"))
    planner.attributes.error(e, "", "it stops nothing; add 'lower' or 'upper', or both");
  const Item& item =
      acting(planner, e, "stop", {"lower", "upper", "stiffness", "damping", "exponent"});
  const auto known = [&](std::string_view bound) {
    const FieldValue* value = item.find(bound);
    return value == nullptr ? std::nullopt : constant_value(std::get<Formula>(*value));
  };
  const std::optional<double> lower = known("lower");
  const std::optional<double> upper = known("upper");
  if (lower && upper && *lower > *upper)
    planner.attributes.error(
        e, "lower", "lower is " + shortest(*lower) + ", above upper = " + shortest(*upper));
}

void friction(Planner& planner, const Element& e) {
  const Element* load =
      e.has("load") ? planner.names.element(std::string(e.text("load"))) : nullptr;
  if (load != nullptr && load->text("type") == "constant_orientation")
    planner.attributes.error(e, "load",
                             "joint " + in_quotes(load->name) +
                                 " transmits no force; use the load of a joint that does");
  acting(planner, e, "friction",
         {"coulomb", "breakaway", "viscous", "stribeck", "regularization", "law", "presliding",
          "bristle_damping", "load", "arm"});
}

/// Three components at a point of a body.
void vector_force(Planner& planner, const Element& e) {
  const bool torque = e.type->name == "torque";
  const std::array<Expression, 3> parts = planner.attributes.vector(e, "value");
  SpotPlan at{planner.ref(e.text("body")), zero_vector(), true};
  if (!torque) {
    at.at = planner.vector(e, "at");
    at.local = e.is_true("local");
  }
  std::array<LawPlan, 3> value;
  for (std::size_t k = 0; k < 3; ++k) value[k] = planner.law(e, "value", planner.formula(parts[k]));
  Item& item = planner.add(Phase::forces, planner.item_of(e, "vector_force"));
  if (torque) item.fields.push_back({"torque", true});
  item.fields.push_back({"at", std::move(at)});
  planner.field(item, e, "reaction");
  const std::string_view axes = e.text("axes");
  if (e.text("reaction") == e.text("body"))
    planner.attributes.error(e, "reaction",
                             "the reaction is on the body itself; it must be on another one");
  else if (axes == "world" && e.has("reaction") && e.text("reaction") != "ground")
    planner.attributes.error(
        e, "axes",
        "with a reaction on a moving body the axes must be those of a body: axes=\"body\" or "
        "\"reaction\"");
  if (axes != "world")
    item.fields.push_back({"axes", Word{axes == "body" ? "body" : "reaction_body"}});
  item.fields.push_back({"value", std::move(value)});
}

/// One number; three are for bodies.
Formula scalar_value(Planner& planner, const Element& e) {
  Report said = planner.attributes.report(e, "value");
  const std::vector<Expression> parsed = expression::parse_list(e.text("value"), said);
  if (said.failed()) return {};
  if (parsed.size() == 3) {
    said.error(0, "three components need a body: along a joint, a measure or two points a " +
                      std::string(e.type->name) + " is one number");
    return {};
  }
  return planner.number(e, "value");
}

void force(Planner& planner, const Element& e) {
  if (e.has("body")) return vector_force(planner, e);
  const Ref measure = planner.along(e);
  LawPlan value = planner.law(e, "value", scalar_value(planner, e));
  if (e.has("energy")) {
    value.energy = planner.number(e, "energy");
    planner.add_arguments(e, "energy", *value.energy, value, {});
  }
  Item& item = planner.add(Phase::forces, planner.item_of(e, "force"));
  item.fields.push_back({"along", measure});
  item.fields.push_back({"value", std::move(value)});
  planner.field(item, e, "passive");
}

}  // namespace

Translators force_translators() {
  return {{"contact", contact}, {"bushing", bushing},   {"beam", beam},   {"spring", spring},
          {"stop", stop},       {"friction", friction}, {"force", force}, {"torque", force}};
}

}  // namespace mechfmu
