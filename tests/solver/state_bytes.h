// Every number of a state, as bytes: equal runs have equal bytes.

#pragma once

#include <vector>

#include "solver/state.h"

namespace mechfmu::tests {

inline std::vector<unsigned char> bytes(State s) {
  std::vector<unsigned char> all;
  const auto append = [&](const void* data, std::size_t size) {
    const auto* first = static_cast<const unsigned char*>(data);
    all.insert(all.end(), first, first + size);
  };
  s.visit([&](auto& member) {
    if constexpr (requires { member.data(), member.size(); })
      append(member.data(), static_cast<std::size_t>(member.size()) * sizeof(*member.data()));
    else
      append(&member, sizeof(member));
  });
  return all;
}

}  // namespace mechfmu::tests
