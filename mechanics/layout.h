// The unknowns of a mechanism, and the bodies and elements that they belong to. Made once from its
// description; it does not depend on parameters.
//
// Order of the unknowns: velocities of the bodies; multipliers of joints, of rolling contacts
// (heights) and of holonomic constraints; of rolling contacts (slip) and of nonholonomic
// constraints; states.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mechanics/bodies/pool.h"
#include "model/system.h"

namespace mechfmu::mechanics {

/// Constraints of one joint: coincidence of two points (rows along the world's axes), then single
/// rows.
struct JointPlace {
  Index first = 0;  // of its multipliers
  int rows = 0;
  Index node = -1;
  int i = 0, j = 0;
  int point_rows = 0;              // 0, 2 (a pin in the plane) or 3
  int first_row = 0, end_row = 0;  // in the list of rows
};

/// Rolling: the height above the plane (holonomic, optional) and one or two slip speeds.
struct RollingPlace {
  Index first_g = -1, first_k = -1;  // of its multipliers λ and ψ
  Index node_g = -1, node_k = -1;
  int height = -1;          // in the list of rows
  int slip = 0, slips = 0;  // …
};

/// A row of a joint or a rolling contact.
struct RowPlace {
  int i = 0, j = 0;
  RowKind kind = RowKind::displacement;
  Index mu = -1;    // its multiplier
  Index node = -1;  // and where that is in the block matrix
  int local = 0;
  int turn = -1;  // where the memory counts its turns; −1: turns are not counted
};

/// A measure.
struct MeasurePlace {
  int i = 0, j = 0;
  RowKind kind = RowKind::displacement;
  int turn = -1;
};

/// An argument of a law, by its numbers in the equations.
struct Place {
  Argument::Kind kind = Argument::Kind::value;
  Index index = 0;  // of the measure, the state or the multiplier
  Index node = -1;  // of the state or the multiplier,
  int local = 0;    // and its place in the node
};

/// The coincidence of two points in the plane.
struct PinPlace {
  int joint = 0;
  int i = 0, j = 0;  // in Instant::plane
  int first = 0;     // of its multipliers
};

/// Two bodies that may touch. Their blocks are in the Newton matrix only while they are near.
struct Coupling {
  int a = 0, b = 0;
};

/// A node of a flexible body, held at the place that body and modes determine.
struct WeldPlace {
  int body = 0, flexible = 0;  // the node, and the body it belongs to
  Index number = 0;            // its number among the nodes of the body
  Index first = 0;             // of its multipliers
  Index node = -1;             // of the block matrix
};

struct Layout {
  Sizes sizes;
  std::vector<BodyPlace> bodies;  // [0] is the ground
  std::vector<JointPlace> joints;
  std::vector<RollingPlace> rollings;
  std::vector<PinPlace> pins;
  std::vector<int> coincidences;  // joints that hold two points together in space
  std::vector<WeldPlace> welds;
  std::vector<RowPlace> rows;
  std::vector<MeasurePlace> measures;
  std::vector<std::size_t> active;  // measures that forces, constraints or states depend on
  std::vector<Index> relation_mu, relation_node, state_node;
  std::vector<std::vector<Place>> force_arguments, relation_arguments, state_arguments;
  bool forces_follow_reactions = false;  // a law depends on a multiplier
  std::vector<Coupling> couplings;       // none if there are few: then their blocks stay
  std::vector<int> pair_coupling;        // [pairs] −1: its blocks are always there
  Index first_neighbour = 0;             // where the memory notes couplings
  Index energy = 0;                      // where it notes the initial energy
  std::size_t planar = 1;                // entries of Instant::plane
  std::size_t flexibles = 0;             // flexible bodies
};

/// The memory of a mechanism: the time of the last accepted step, then the parts reserved by
/// elements. Angles whose turns are counted store an angle and a rate. Pairs store which couplings
/// were neighbours, 32 of them per number. Energies store whether the initial energy is known, and
/// its value.
inline Index reserve_memory(Layout& layout, Index numbers) {
  if (layout.sizes.memory == 0) layout.sizes.memory = 1;
  return std::exchange(layout.sizes.memory, layout.sizes.memory + numbers);
}
inline int reserve_turn(Layout& layout) { return static_cast<int>(reserve_memory(layout, 2)); }
constexpr std::size_t neighbours_per_number = 32;
inline Index neighbour_numbers(const Layout& layout) {
  return static_cast<Index>((layout.couplings.size() + neighbours_per_number - 1) /
                            neighbours_per_number);
}
inline bool were_neighbours(const Layout& layout, const Vector& memory, std::size_t coupling) {
  const double word =
      memory[layout.first_neighbour + static_cast<Index>(coupling / neighbours_per_number)];
  if (!(word >= 0 && word < 4294967296.0)) return false;
  return (static_cast<std::uint32_t>(word) >> (coupling % neighbours_per_number) & 1U) != 0;
}

}  // namespace mechfmu::mechanics
