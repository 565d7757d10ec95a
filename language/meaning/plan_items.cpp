// Items of a plan and their fields; poses of groups, points of bodies and measures, each made once
// for all of its uses.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "language/meaning/planner.h"
#include "model/format.h"
#include "model_desc/text.h"

namespace mechfmu {

using expression::Expression;

namespace {

bool is_zero(const VectorFormula& v) {
  return std::all_of(v.of.begin(), v.of.end(),
                     [](const Formula& f) { return constant_value(f) == 0; });
}

}  // namespace

Planner::Planner(const MechanismText& mechanism, Diagnostics& complaints)
    : text(mechanism), diagnostics(complaints), names(mechanism), attributes(names, complaints) {
  for (const Element& e : text.elements)
    if (!e.name.empty() && e.type->name != "output" && e.type->name != "function")
      ids_[e.name] = identifiers_.take(e.name);
}

Plan Planner::finish() {
  for (std::vector<Item>& items : phases_)
    for (Item& item : items) plan.items.push_back(std::move(item));
  return std::move(plan);
}

Item item_about(const Element& e, std::string call, std::string id) {
  Item item{std::move(call), std::move(id)};
  item.place = e.place;
  item.label = e.label();
  item.prefix = e.prefix;
  return item;
}

Item Planner::item_of(const Element& e, std::string call) const {
  Item made = item_about(e, std::move(call), ids_.at(e.name));
  made.fields.push_back({"name", e.name});
  return made;
}

Item& Planner::add(Phase phase, Item item) {
  std::vector<Item>& items = phases_[static_cast<std::size_t>(phase)];
  items.push_back(std::move(item));
  return items.back();
}

bool Planner::is_named(const std::string& name) {
  if (used_.empty()) used_ = names_in_attributes(text);
  return used_.contains(name);
}

std::string Planner::modal(const Element& e, std::shared_ptr<const mechanics::ModalBody> numbers) {
  const std::string key = std::string(e.text("file")) + "|" + std::to_string(numbers->modes) + "|" +
                          std::string(e.text("coupling"));
  std::string& id = modal_ids_[key];
  if (id.empty()) {
    id = identifiers_.take(e.name + "_modes");
    add(Phase::tables, item_about(e, "modal", id)).fields = {{"numbers", std::move(numbers)}};
  }
  return id;
}

void Planner::check_nodes(const Element& e, const mechanics::ModalBody& all, std::int32_t kept) {
  if (kept == 0) return;
  const auto warn = [&](const std::string& what) {
    diagnostics.warning(e.place, e.label(), e.has("modes") ? "modes" : "file",
                        counted(static_cast<std::size_t>(kept), "mode") + what);
  };
  std::vector<std::size_t> used;
  for (std::size_t n = 0; n < all.nodes.size(); ++n)
    if (is_named(e.name + "." + all.nodes[n])) used.push_back(n);
  const int missing = all.reduced(kept, false, 0).missing_motions(used);
  if (missing > 0)
    warn(" and 6 rigid motions move its " + counted(used.size(), "node") + " in " +
         std::to_string(6 * used.size() - static_cast<std::size_t>(missing)) + " of " +
         std::to_string(6 * used.size()) +
         " ways: it is rigid in the others, so that joints at these nodes may be redundant; keep "
         "all modes of a file with constraint modes of these nodes, " +
         std::to_string(6 * used.size() - 6) + " at least");
  // Free modes move a node in all directions, but hardly represent the bending due to a joint or a
  // force at it.
  constexpr double most = 0.02;
  double worst = most;
  std::string node;
  for (const std::size_t n : used) {
    const double part = all.missing_flexibility(n, kept);
    if (part <= worst || !is_loaded(e.name + "." + all.nodes[n])) continue;
    worst = part;
    node = all.nodes[n];
  }
  if (missing > 0 || node.empty()) return;
  warn(" leave out " + format(100 * worst, 2) + " % of the flexibility of node '" + node +
       "', so that the body is too stiff where it is held or loaded there; keep all modes of a "
       "file that has this node as an interface node");
}

bool Planner::is_loaded(std::string_view node) const {
  return std::any_of(text.elements.begin(), text.elements.end(), [&](const Element& e) {
    if (e.type->name == "look" || e.type->name == "measure") return false;
    for (const char* attribute : {"between", "body"})
      if (has_word(e.text(attribute), node)) return true;
    return false;
  });
}

const MeshSolid* Planner::mesh_solid(const Element& e) {
  const std::string file(e.text("mesh"));
  const auto known = mesh_solids_.find(file);
  if (known != mesh_solids_.end()) return &known->second;
  const auto content = text.data.find(file);
  if (content == text.data.end()) return nullptr;  // reported by the reader
  const std::size_t dot = file.rfind('.');
  const MeshOrProblem read =
      read_mesh(content->second, dot == std::string::npos ? "" : file.substr(dot + 1));
  const auto wrong = [&](const std::string& why) {
    attributes.error(e, "mesh", in_quotes(plain_line(file, 80)) + ": " + why);
    return nullptr;
  };
  if (!read.problem.empty()) return wrong(read.problem);
  const MeshSolid solid = solid_inside(read.mesh);
  if (solid.volume == 0)
    return wrong(
        "its triangles enclose no volume; give the body mass and inertia as numbers, and "
        "draw the mesh with <look file=…>");
  const auto warn = [&](const std::string& what) {
    diagnostics.warning(e.place, e.label(), "mesh", in_quotes(plain_line(file, 80)) + what);
  };
  if (solid.open_edges > 0)
    warn(" is open at " + counted(solid.open_edges, "edge") +
         ": mass, centre and inertia depend on its position; close its surface");
  else if (solid.volume < 0)
    warn(" has triangles that face inwards; it is treated as the solid inside");
  if (const double size = read.mesh.size(); size > unlikely_size && !e.has("scale"))
    warn(" is " + format(std::round(size), 6) +
         " m long; write scale=\"0.001\" if its numbers are millimetres, scale=\"1\" if they are "
         "not");
  return &mesh_solids_.emplace(file, solid).first->second;
}

Ref Planner::ref(std::string_view name) const {
  if (name == "ground") return {"ground"};
  const auto found = ids_.find(std::string(name));
  return {found == ids_.end() ? "" : found->second};
}

void Planner::field(Item& item, const Element& e, std::string_view attribute, std::string name) {
  const AttributeType& type = *e.type->find(attribute);
  if (name.empty()) name = attribute;
  if (!e.has(attribute)) {
    const bool applies = type.only_for.empty() || has_word(type.only_for, e.text(e.type->selector));
    const bool is_zero = type.placed == Placed::direction && type.fallback == "0 0 0";
    const bool moves = type.placed != Placed::no && !type.fallback.empty() && applies && !is_zero &&
                       !e.is_true("local") && !placement(e).empty();
    if (!moves) return;
  }
  switch (type.kind) {
    case AttributeKind::number: item.fields.push_back({name, number(e, attribute)}); break;
    case AttributeKind::vector: item.fields.push_back({name, vector(e, attribute)}); break;
    case AttributeKind::boolean:
      if (e.text(attribute) != type.fallback) item.fields.push_back({name, e.is_true(attribute)});
      break;
    case AttributeKind::reference: item.fields.push_back({name, ref(e.text(attribute))}); break;
    case AttributeKind::word: {
      if (e.text(attribute) == type.fallback) break;
      item.fields.push_back({name, Word{std::string(e.text(attribute))}});
      break;
    }
    default: throw std::logic_error("no field is made of " + std::string(attribute));
  }
  if (const Attribute* a = e.find(attribute); a != nullptr && !item.fields.empty())
    item.fields.back().place = a->place;
}

void Planner::fields(Item& item, const Element& e, std::initializer_list<std::string_view> wanted) {
  for (const std::string_view attribute : wanted) field(item, e, attribute);
}

void Planner::between(Item& item, const Element& e) const {
  const std::vector<std::string> pair = words_of(e.text("between"));
  item.fields.push_back({"a", ref(pair[0])});
  item.fields.push_back({"b", ref(pair[1])});
}

/// The pose of the groups that contain an element; empty if it moves nothing.
std::string Planner::placement(const Element& e) { return placement(e.prefix, e.poses, 0); }

std::string Planner::placement(const std::string& prefix, const std::vector<GroupPose>& poses,
                               std::size_t level) {
  if (level >= poses.size()) return {};
  const auto found = placement_ids_.find(prefix);
  if (found != placement_ids_.end()) return found->second;
  // "leg1.foot." is inside "leg1."
  const std::size_t dot =
      prefix.size() < 2 ? std::string::npos : prefix.rfind('.', prefix.size() - 2);
  const std::string outer =
      placement(dot == std::string::npos ? "" : prefix.substr(0, dot + 1), poses, level + 1);
  const GroupPose& pose = poses[level];
  if (words_of(pose.at).empty() && words_of(pose.rotation).empty())
    return placement_ids_[prefix] = outer;
  Element use;  // for the check of its attributes
  use.type = find_element_type("use");
  use.name = prefix.substr(0, prefix.size() - 1);
  use.place = pose.place;
  if (!pose.at.empty()) use.attributes.push_back({"at", pose.at, pose.place});
  if (!pose.rotation.empty()) use.attributes.push_back({"rotation", pose.rotation, pose.place});
  VectorFormula at = vector(use, "at");
  VectorFormula rotation = vector(use, "rotation");
  if (is_zero(at) && is_zero(rotation)) return placement_ids_[prefix] = outer;
  Item& item = add(Phase::placements, item_about(use, "placement", identifiers_.take(use.name)));
  if (!is_zero(at)) item.fields.push_back({"at", std::move(at)});
  if (!is_zero(rotation)) item.fields.push_back({"rotation", std::move(rotation)});
  if (!outer.empty()) item.fields.push_back({"inside", Ref{outer}});
  return placement_ids_[prefix] = item.id;
}

VectorFormula zero_vector() {
  return {{constant_formula(0), constant_formula(0), constant_formula(0)}};
}

/// A point of a body that an expression uses: its reference point, or `point` in its axes.
std::string Planner::spot(const Element& body, const std::vector<Expression>& point,
                          const std::string& use) {
  std::string key = body.name + "|";
  if (!point.empty()) {
    const std::size_t begin = use.find("point(");
    key += use.substr(begin, use.find(").", begin) - begin);
  }
  const auto found = spot_ids_.find(key);
  if (found != spot_ids_.end()) return found->second;
  VectorFormula at = zero_vector();
  for (std::size_t i = 0; i < point.size() && i < 3; ++i) at.of[i] = formula(point[i]);
  const std::string id = identifiers_.take(body.name + (point.empty() ? "_origin" : "_point"));
  add(Phase::spots, {"spot", id, {{"spot", SpotPlan{{ids_.at(body.name)}, std::move(at), true}}}});
  return spot_ids_[key] = id;
}

std::string Planner::world_spot() {
  std::string& id = spot_ids_["ground|"];
  if (id.empty()) {
    id = identifiers_.take("world_origin");
    add(Phase::spots, {"spot", id, {{"spot", SpotPlan{{"ground"}, zero_vector(), true}}}});
  }
  return id;
}

Ref Planner::joint_measure(const Element& joint, std::string_view coordinate) {
  const std::string which(joint_coordinate(joint, coordinate));
  std::string& id = joint_measures_[{joint.name, which}];
  if (id.empty()) {
    id = identifiers_.take(joint.name + "_" + which);
    add(Phase::measures, {which, id, {{"of", Ref{ids_.at(joint.name)}}}});
  }
  return {id};
}

Ref Planner::along(const Element& e) {
  if (e.has("joint")) {
    const Element* joint = names.element(std::string(e.text("joint")));
    return joint_measure(*joint, e.type->name == "torque" ? "angle" : e.text("coordinate"));
  }
  if (e.has("measure")) return ref(e.text("measure"));
  std::string& id = distances_[e.name];
  if (id.empty()) {
    id = identifiers_.take(e.name + "_length");
    Item item = item_about(e, "measure", id);
    const std::vector<std::string> pair = words_of(e.text("between"));
    item.fields = {{"name", e.name},
                   {"type", Word{"distance"}},
                   {"a", SpotPlan{ref(pair[0]), vector(e, "from"), e.is_true("local")}},
                   {"b", SpotPlan{ref(pair[1]), vector(e, "to"), e.is_true("local")}}};
    add(Phase::measures, std::move(item));
  }
  return {id};
}

}  // namespace mechfmu
