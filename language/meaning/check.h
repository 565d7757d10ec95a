// Checks of a mechanism before it is compiled: whether it can be built and assembled, and its
// degrees of freedom.
//
//   Diagnostics diagnostics;
//   const std::optional<MechanismCheck> check = check_mechanism(plan, diagnostics);
//   std::cout << text(*check);

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/meaning/plan.h"
#include "mechanics/start_moves.h"

namespace mechfmu {

struct MechanismCheck {
  std::string name, about, file;
  mechanics::Mobility mobility;
  std::vector<std::string> redundant;      // constraints that follow from others: "D: z"
  std::vector<mechanics::BodyMove> moves;  // bodies that initialization had to move
  bool joints_start = false;               // some joint has a start value
  bool in_equilibrium = false;             // it starts in an equilibrium
  struct BodyRow {
    std::string name;
    double mass;
    Vec<double, 3> centre;   // of mass, in the world at t = 0
    Vec<double, 3> inertia;  // principal moments
  };
  std::vector<BodyRow> bodies;
  double mass = 0;
  struct VariableRow {
    std::string name, unit, about;
    double value;  // at t = 0
  };
  std::vector<VariableRow> parameters, inputs, outputs;
  std::vector<std::string> states;
  std::vector<std::string> functions;  // user-defined, which count as 0 here
};

/// Builds the mechanism and finds consistent positions, velocities and reactions at t = 0. Nullopt,
/// with errors at the lines of the elements, if that fails.
std::optional<MechanismCheck> check_mechanism(const Plan& plan, Diagnostics& diagnostics);

/// For the terminal.
std::string text(const MechanismCheck& check);
/// For programs: an object in one line.
std::string json(const MechanismCheck& check);

}  // namespace mechfmu
