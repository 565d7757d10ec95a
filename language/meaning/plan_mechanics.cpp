// Mechanical items: bodies and their shapes, joints, measures, rolling, drivers, couplings,
// constraints.

#include <algorithm>
#include <cmath>

#include "language/meaning/planner.h"
#include "mechanics/law_value.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using expression::Expected;
using expression::Expression;
using expression::ValueType;

// Bodies

/// Lengths of the solid inside a mesh, as in mechanics/listing.h.
std::vector<Formula> mesh_size(Planner& planner, const Element& e) {
  const MeshSolid* solid = planner.mesh_solid(e);
  if (solid == nullptr) return {};
  std::vector<Formula> made = {planner.number(e, "scale")};
  const Eigen::Vector3d& c = solid->centre;
  const Eigen::Matrix3d J = solid->inertia / solid->volume;
  for (const double x : {std::abs(solid->volume), c.x(), c.y(), c.z(), J(0, 0), J(1, 1), J(2, 2),
                         J(0, 1), J(0, 2), J(1, 2)})
    made.push_back(constant_formula(x));
  return made;
}

SolidPlan solid(Planner& planner, const Element& e) {
  SolidPlan made;
  for (const char* shape : {"box", "cylinder", "sphere", "rod", "mesh"})
    if (e.has(shape)) made.shape = shape;
  if (made.shape == "sphere" || made.shape == "rod")
    made.size = {planner.number(e, made.shape)};
  else if (made.shape == "mesh")
    made.size = mesh_size(planner, e);
  else
    made.size = planner.numbers(e, made.shape);
  if (e.has("axis")) made.axis = planner.vector(e, "axis");
  made.by_density = e.has("density");
  made.amount = planner.number(e, made.by_density ? "density" : "mass");
  const char* middle = e.type->name == "shape" ? "at" : "centre";
  if (e.has(middle)) made.at = planner.vector(e, middle);
  if (e.type->name == "shape" && e.has("rotation")) made.rotation = planner.vector(e, "rotation");
  return made;
}

void inertia(Planner& planner, Item& item, const Element& e) {
  std::vector<Formula> moments = planner.numbers(e, "inertia");
  const bool planar = e.text("type") == "planar";
  if (moments.size() == 1 && !planar) {
    planner.attributes.error(
        e, "inertia",
        "one moment of inertia is for type=\"planar\"; a spatial body takes xx yy zz");
    return;
  }
  item.fields.push_back({"inertia", std::move(moments)});
}

void hold(Item& item, const Element& e, std::string_view which) {
  const std::string words = std::string(e.text("hold")) + " " + std::string(e.text(which));
  static constexpr std::string_view axes[] = {"x", "y", "z", "about_x", "about_y", "about_z"};
  std::array<bool, 6> held{};
  for (std::size_t i = 0; i < 6; ++i) held[i] = has_word(words, axes[i]) || has_word(words, "all");
  if (std::any_of(held.begin(), held.end(), [](bool h) { return h; }))
    item.fields.push_back({std::string(which), held});
}

// A node exists only if an element refers to it.
void node(Planner& planner, const Element& e) {
  if (!planner.is_named(e.name)) return;
  const Element& flexible = *planner.names.element(e.owner);
  const auto& numbers = planner.text.flexible.at(std::string(flexible.text("file")));
  if (numbers == nullptr) return;  // reported by the reader
  const std::string its_name = e.name.substr(e.owner.size() + 1);
  const auto found = std::find(numbers->nodes.begin(), numbers->nodes.end(), its_name);
  Item& item = planner.add(Phase::bodies, planner.item_of(e, "body"));
  item.fields.push_back({"type", Word{"node"}});
  item.fields.push_back({"of", planner.ref(e.owner)});
  item.fields.push_back({"node", static_cast<double>(found - numbers->nodes.begin())});
}

void flexible(Planner& planner, const Element& e) {
  const auto file = planner.text.flexible.find(std::string(e.text("file")));
  // reported by the reader
  if (file == planner.text.flexible.end() || file->second == nullptr) return;
  const mechanics::ModalBody& all = *file->second;
  const std::optional<int> kept = kept_modes(e, all);
  if (!kept)
    return planner.attributes.error(
        e, "modes",
        "'" + std::string(e.text("modes")) + "' selects none of its " + std::to_string(all.modes) +
            " modes; write all, a number, or a frequency limit such as below 2kHz");
  const std::string_view coupling = e.text("coupling");
  auto numbers = std::make_shared<const mechanics::ModalBody>(
      all.reduced(*kept, coupling != "constant", coupling == "full" ? all.second : 0));
  planner.check_nodes(e, all, *kept);
  const std::string id = planner.modal(e, std::move(numbers));
  Item& item = planner.add(Phase::bodies, planner.item_of(e, "body"));
  item.fields.push_back({"type", Word{"flexible"}});
  item.fields.push_back({"modal", Ref{id}});
  planner.fields(item, e, {"at", "rotation", "velocity", "angular_velocity", "damping"});
}

void mesh_fields(Planner& planner, Item& item, const Element& e, const char* file) {
  item.fields.push_back({"shape", std::string("mesh")});
  item.fields.push_back({"file", std::string(e.text(file))});
  item.fields.push_back({"size", std::vector<Formula>{planner.number(e, "scale")}});
}

/// The mesh that gives a body its mass is also its look.
void look_of_mesh(Planner& planner, const Element& body, const Element& e) {
  Item& item = planner.add(Phase::outputs, item_about(e, "look", ""));
  item.fields.push_back({"body", planner.ref(body.name)});
  mesh_fields(planner, item, e, "mesh");
  for (const char* attribute : {"at", "rotation"})
    item.fields.push_back({attribute, planner.vector(e, attribute)});
  item.fields.push_back({"local", true});
}

void body(Planner& planner, const Element& e) {
  if (e.text("type") == "node") return node(planner, e);
  Item& item = planner.add(Phase::bodies, planner.item_of(e, "body"));
  planner.field(item, e, "type");
  if (e.text("spins") == "true") item.fields.push_back({"spins", Word{"yes"}});
  if (e.text("spins") == "false") item.fields.push_back({"spins", Word{"no"}});
  std::vector<SolidPlan> solids;
  // The shapes of a body follow it.
  const std::vector<Element>& all = planner.text.elements;
  const Element* next = &e + 1;
  for (; next != all.data() + all.size() && next->type->name == "shape" && next->owner == e.name;
       ++next) {
    solids.push_back(solid(planner, *next));
    if (next->has("mesh")) look_of_mesh(planner, e, *next);
  }
  if (next == &e + 1 && (e.has("box") || e.has("cylinder") || e.has("sphere") || e.has("rod")))
    solids.push_back(solid(planner, e));
  if (solids.empty()) {
    planner.field(item, e, "mass");
    if (e.has("inertia")) inertia(planner, item, e);
  } else {
    item.fields.push_back({"solid", std::move(solids)});
  }
  planner.fields(item, e, {"at", "rotation"});
  if (item.find("solid") == nullptr) planner.field(item, e, "centre");
  planner.fields(item, e, {"velocity", "angular_velocity"});
  hold(item, e, "hold_position");
  hold(item, e, "hold_velocity");
}

/// For viewers.
void look(Planner& planner, const Element& e) {
  Item& item = planner.add(Phase::outputs, item_about(e, "look", ""));
  const std::string body(e.text("body"));
  item.fields.push_back({"body", planner.ref(body)});
  for (const char* shape :
       {"box", "sphere", "cylinder", "ellipsoid", "cone", "capsule", "torus", "plane", "frame"})
    if (e.has(shape)) {
      item.fields.push_back({"shape", std::string(shape)});
      item.fields.push_back({"size", planner.numbers(e, shape)});
    }
  if (e.has("text")) {
    item.fields.push_back({"shape", std::string("text")});
    item.fields.push_back({"text", std::string(e.text("text"))});
    item.fields.push_back({"size", std::vector<Formula>{planner.number(e, "height")}});
  }
  if (e.has("file")) mesh_fields(planner, item, e, "file");
  for (const char* attribute : {"at", "rotation", "axis"})
    item.fields.push_back({attribute, planner.vector(e, attribute)});
  if (e.is_true("local")) item.fields.push_back({"local", true});
  item.fields.push_back({"opacity", planner.number(e, "opacity")});
  const std::string color(e.text("color"));
  const bool is_color = color.size() == 7 && color[0] == '#' &&
                        color.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
  if (!color.empty() && !is_color)
    planner.attributes.error(e, "color",
                             "'color' is " + in_quotes(color) +
                                 "; it must be # and six hexadecimal digits, as in #2f6fdb");
  if (is_color) item.fields.push_back({"color", color});
}

// Joints and measures

void joint(Planner& planner, const Element& e) {
  Item& item = planner.add(Phase::joints, planner.item_of(e, "joint"));
  // revolute is the default of JointData
  item.fields.push_back({"type", Word{std::string(e.text("type"))}});
  planner.between(item, e);
  planner.fields(item, e, {"at", "axis", "axis2"});
  if (e.has("to")) {
    item.fields.push_back({"apart", true});
    planner.field(item, e, "to", "at_b");
  }
  planner.fields(item, e, {"length", "pitch", "local"});
  planner.fields(item, e, {"angle", "angle_rate", "displacement", "displacement_rate"});
}

void measure(Planner& planner, const Element& e) {
  const std::vector<std::string> pair = words_of(e.text("between"));
  const bool local = e.is_true("local");
  const std::string_view type = e.text("type");
  Item item = planner.item_of(e, "measure");
  item.fields.push_back({"type", Word{std::string(type)}});
  const bool of_points = type != "angle" && type != "alignment" && type != "torque";
  const auto side = [&](std::size_t i, const char* at) {
    SpotPlan spot{planner.ref(pair[i]), zero_vector()};
    if (of_points && (e.has(at) || i == 0)) {
      spot.at = planner.vector(e, at);
      spot.local = local;
    }
    return spot;
  };
  item.fields.push_back({"a", side(0, "from")});
  item.fields.push_back({"b", side(1, "to")});
  planner.fields(item, e, {"axis", "axis2", "local"});
  if (of_points && !e.has("to")) item.fields.push_back({"b_like_a", true});
  if (e.text("axis_in") == "b") item.fields.push_back({"axes_of_b", true});
  planner.fields(item, e, {"from_start", "offset"});
  planner.add(Phase::measures, std::move(item));
}

void rolling(Planner& planner, const Element& e) {
  Item& item = planner.add(Phase::joints, planner.item_of(e, "rolling"));
  item.fields.push_back({"type", Word{std::string(e.text("type"))}});
  planner.between(item, e);
  planner.fields(item, e, {"centre", "axle", "plane", "normal", "radius", "tube", "contact"});
}

// Constraints between coordinates

void driver(Planner& planner, const Element& e) {
  const Ref measure = planner.along(e);
  Formula value = planner.number(e, "value");
  Item& item = planner.add(Phase::forces, planner.item_of(e, "driver"));
  item.fields.push_back({"measure", measure});
  item.fields.push_back({"position", std::move(value)});
}

void relation(Planner& planner, const Element& e, bool nonholonomic) {
  Report said = planner.attributes.report(e, "value");
  LawPlan made;
  made.relation = true;
  if (const Expression parsed = expression::parse(e.text("value"), said)) {
    Expected wanted = planner.attributes.expected(e, *e.type->find("value"), ValueType::scalar);
    // add_arguments has better messages about forbidden names
    wanted.kinds = expression::kind::any;
    made.value = planner.formula(expression::check(parsed, planner.names, said, wanted).expression);
    if (made.value.expression) {
      const std::size_t errors = planner.diagnostics.errors();
      planner.add_arguments(e, "value", made.value, made, {nonholonomic, false, false, false});
      if (made.arguments.empty() && planner.diagnostics.errors() == errors)
        said.error(0, "it does not depend on the motion, so it constrains nothing");
    }
  }
  Item& item = planner.add(Phase::forces, planner.item_of(e, "constraint"));
  item.fields.push_back({"relation", std::move(made)});
  if (nonholonomic) item.fields.push_back({"nonholonomic", true});
}

void constraint(Planner& planner, const Element& e) {
  relation(planner, e, e.is_true("nonholonomic"));
}

Ref coordinate(Planner& planner, const std::string& name, std::string_view which) {
  const Element* e = planner.names.element(name);
  return e->type->name == "joint" ? planner.joint_measure(*e, which) : planner.ref(name);
}

Item& add_coupling(Planner& planner, const Element& e, Terms terms) {
  Item& item = planner.add(Phase::forces, planner.item_of(e, "coupling"));
  item.fields.push_back({"terms", std::move(terms)});
  return item;
}

void coupling(Planner& planner, const Element& e) {
  if (e.has("value")) return relation(planner, e, false);
  const std::vector<std::string> of = words_of(e.text("of"));
  std::vector<Formula> factors = planner.numbers(e, "factors");
  if (factors.size() != of.size()) {
    if (!factors.empty())
      planner.attributes.error(
          e, "factors",
          "'of' names " + std::to_string(of.size()) + " coordinates and 'factors' has " +
              counted(factors.size(), "number") + "; both need the same number of values");
    return;
  }
  constexpr std::size_t most = mechanics::LawValue::capacity;
  if (of.size() > most)
    return planner.attributes.error(e, "of",
                                    "it couples " + std::to_string(of.size()) +
                                        " coordinates; the limit is " + std::to_string(most));
  Terms terms;
  for (std::size_t i = 0; i < of.size(); ++i)
    terms.emplace_back(coordinate(planner, of[i], ""), std::move(factors[i]));
  Item& item = add_coupling(planner, e, std::move(terms));
  if (e.has("constant")) item.fields.push_back({"constant", planner.number(e, "constant")});
}

/// φ₁ + ratio φ₂ = 0, or s₁ − radius φ₂ = 0.
void gear(Planner& planner, const Element& e) {
  const std::vector<std::string> pair = words_of(e.text("joints"));
  const bool rack = e.type->name == "rack";
  Formula second = planner.number(e, rack ? "radius" : "ratio");
  if (rack) second.factor = -1;
  Terms terms;
  terms.emplace_back(coordinate(planner, pair[0], rack ? "displacement" : "angle"),
                     constant_formula(1));
  terms.emplace_back(coordinate(planner, pair[1], "angle"), std::move(second));
  add_coupling(planner, e, std::move(terms));
}

}  // namespace

Translators mechanics_translators() {
  return {
      {"body", body},         {"look", look},       {"joint", joint},   {"measure", measure},
      {"flexible", flexible}, {"rolling", rolling}, {"driver", driver}, {"constraint", constraint},
      {"coupling", coupling}, {"gear", gear},       {"rack", gear}};
}

}  // namespace mechfmu
