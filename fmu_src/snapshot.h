// Everything that changes during the life of an instance: the content of an FMU state, and its
// conversion to bytes.
//
//   bytes = header (program and model, sizes, a checksum), then every number of the snapshot in a
//           fixed order
//
// Each number has eight bytes: doubles as they are, all others as a 64-bit integer, Booleans 0 or
// 1. Reading checks every number: an attacker can make a checksum fit.

#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "fmu_src/phase.h"
#include "model/variables.h"
#include "solver/state.h"

namespace mechfmu {

struct Snapshot {
  Phase phase = instantiated;
  Vector u, du, ddu;  // inputs and parameters as set, and their time derivatives
  SolverSettings settings;
  Start start;  // start values of y, z, x
  double t_start = 0;
  double t_stop = std::numeric_limits<double>::infinity();
  double tolerance = 0;      // of the importer; 0: none
  bool initialized = false;  // `state` belongs to the values above
  double last_successful_time = 0;
  State state;
};

/// Bytes of a snapshot with the sizes of this one.
std::size_t serialized_size(const Snapshot& like);
/// Writes them; `token` names the model. Throws Refusal when `size` is too small.
void serialize(const Snapshot& snapshot, const std::string& token, unsigned char* bytes,
               std::size_t size);
/// A snapshot from bytes, with the sizes of `like`. Throws Refusal with the reason for bytes that
/// are not a state of this model.
Snapshot deserialize(const unsigned char* bytes, std::size_t size, const std::string& token,
                     const Snapshot& like);

}  // namespace mechfmu
