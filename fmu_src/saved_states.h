// FMU states as importers hold them: a pointer to an opaque Snapshot. The same in both versions.

#pragma once

#include "fmu_src/instance.h"

namespace mechfmu {

/// Existing memory is used again.
inline void get_state(const Instance& instance, void** state) {
  require(state != nullptr, "the address for the FMU state is missing");
  if (*state == nullptr)
    *state = new Snapshot(instance.snapshot());
  else
    *static_cast<Snapshot*>(*state) = instance.snapshot();
}

/// `phases`: the possible phases of an instance of this version that was made like this one.
inline void set_state(Instance& instance, const void* state, unsigned phases) {
  require(state != nullptr, "the FMU state is missing");
  const auto& snapshot = *static_cast<const Snapshot*>(state);
  if ((snapshot.phase & phases) == 0)
    throw error(std::string("the FMU state was saved ") + phase_name(snapshot.phase) +
                ", where this instance cannot be");
  instance.restore(snapshot);
}

inline void free_state(void** state) {
  if (state == nullptr) return;
  delete static_cast<Snapshot*>(*state);
  *state = nullptr;
}

inline void state_size(const Instance& instance, const void* state, std::size_t* size) {
  require(state != nullptr && size != nullptr,
          "the FMU state or the address for its size is missing");
  *size = instance.serialized_size();
}

inline void serialize_state(const Instance& instance, const void* state, void* bytes,
                            std::size_t size) {
  require(state != nullptr && bytes != nullptr,
          "the FMU state or the memory for its bytes is missing");
  instance.serialize(*static_cast<const Snapshot*>(state), static_cast<unsigned char*>(bytes),
                     size);
}

inline void deserialize_state(const Instance& instance, const void* bytes, std::size_t size,
                              void** state) {
  require(state != nullptr && bytes != nullptr,
          "the bytes or the address for the FMU state are missing");
  auto loaded = std::make_unique<Snapshot>(
      instance.deserialize(static_cast<const unsigned char*>(bytes), size));
  delete static_cast<Snapshot*>(*state);
  *state = loaded.release();
}

}  // namespace mechfmu
