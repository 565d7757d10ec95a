// A planner makes the items of a plan (plan.h) of the elements of a mechanism file. Only the parts
// of that translation share it:
//
//   plan.cpp            the translation as a whole
//   plan_names.cpp      functions, tables and variables in expressions of the elements
//   plan_mechanics.cpp  bodies, joints, measures and constraints, one function for each element
//   plan_forces.cpp     … springs, contacts, forces
//   plan_run.cpp        … parameters, inputs, states, outputs, experiment and solver
//   attribute_reader    texts of attributes → checked expressions
//   plan_formula.cpp    checked expressions → formulas, with items for the values of names
//   plan_law.cpp        formulas that depend on the motion → laws, with the measures they need
//   plan_items.cpp      items and their fields; poses, points and measures that elements share

#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "language/backend/cpp_names.h"
#include "language/file/mesh_file.h"
#include "language/meaning/attribute_reader.h"
#include "language/meaning/plan.h"

namespace mechfmu {

/// Items of a phase refer only to items of earlier phases.
enum class Phase {
  settings,
  tables,
  placements,
  bodies,
  joints,
  spots,
  measures,
  states,
  forces,
  outputs
};
constexpr std::size_t phase_count = static_cast<std::size_t>(Phase::outputs) + 1;

/// Allowed dependencies of a law of an element.
struct LawRules {
  bool rates = true, states = true, reactions = true, inputs = true;
};

class Planner {
 public:
  Planner(const MechanismText& mechanism, Diagnostics& complaints);
  Planner(const Planner&) = delete;  // its parts refer to each other

  const MechanismText& text;
  Diagnostics& diagnostics;
  Names names;
  AttributeReader attributes;
  Plan plan;                           // without its items
  std::set<std::string> output_names;  // all different

  /// Functions, tables and variables, before the elements.
  void declare_names();
  /// The plan with its items.
  Plan finish();

  // Formulas

  Formula formula(const expression::Expression& checked);
  Formula number(const Element& e, std::string_view attribute);
  std::vector<Formula> numbers(const Element& e, std::string_view attribute);
  /// A vector moved by the pose of the element's group.
  VectorFormula vector(const Element& e, std::string_view attribute);
  LawPlan law(const Element& e, std::string_view attribute, Formula value);
  /// The dependencies of a formula become arguments of the law.
  void add_arguments(const Element& e, std::string_view attribute, Formula& formula, LawPlan& law,
                     const LawRules& rules);

  // Items

  /// An item of an element, with its name; not in the plan yet.
  Item item_of(const Element& e, std::string call) const;
  Item& add(Phase phase, Item item);
  /// Adds the attribute as a field, if it is present or must be placed.
  void field(Item& item, const Element& e, std::string_view attribute, std::string name = {});
  void fields(Item& item, const Element& e, std::initializer_list<std::string_view> wanted);
  /// The two bodies.
  void between(Item& item, const Element& e) const;
  Ref ref(std::string_view name) const;
  /// The measure of a joint's coordinate.
  Ref joint_measure(const Element& joint, std::string_view coordinate);
  /// Whether an attribute names it: an element, or the element before a dot.
  bool is_named(const std::string& name);
  /// Whether a joint, a force or another element acts on this node.
  bool is_loaded(std::string_view node) const;
  /// The numbers of a flexible body: once for all that have the same.
  std::string modal(const Element& e, std::shared_ptr<const mechanics::ModalBody> numbers);
  /// Warns where the modes that are kept cannot move the nodes in use as these may have to move.
  void check_nodes(const Element& e, const mechanics::ModalBody& all, std::int32_t kept);
  /// The solid inside the mesh of a shape; null, and an error, if it has no volume or cannot be
  /// read.
  const MeshSolid* mesh_solid(const Element& e);
  /// The measure along which an element acts.
  Ref along(const Element& e);

 private:
  void declare_functions();
  void read_tables();
  void check_variables();

  void collect(const expression::Expression& whole, Formula& out) const;
  void resolve(Use& use);

  std::string law_measure(const Element& e, const Use& use, int component);

  std::string spot(const Element& body, const std::vector<expression::Expression>& point,
                   const std::string& use);
  std::string world_spot();
  std::string placement(const Element& e);
  std::string placement(const std::string& prefix, const std::vector<GroupPose>& poses,
                        std::size_t level);

  CppNames identifiers_;
  std::map<std::string, std::string> ids_;  // of elements, by full name
  std::map<std::string, expression::Expression> variables_;
  std::map<std::string, std::string> spot_ids_, placement_ids_, distances_, law_measures_;
  std::map<std::pair<std::string, std::string>, std::string> joint_measures_;
  std::array<std::vector<Item>, phase_count> phases_;
  std::set<std::string, std::less<>> used_;  // names in attributes
  std::map<std::string, std::string> modal_ids_;
  std::map<std::string, MeshSolid> mesh_solids_;  // by the paths of their files
};

/// An item that messages name after the element.
Item item_about(const Element& e, std::string call, std::string id);
VectorFormula zero_vector();

/// Functions that add the items of an element, by its type.
using Translators = std::map<std::string_view, void (*)(Planner&, const Element&)>;
Translators mechanics_translators();
Translators force_translators();
Translators run_translators();

}  // namespace mechfmu
