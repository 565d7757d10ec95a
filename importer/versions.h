// The parts of the two versions that instance.cpp needs.

#pragma once

#include "importer/instance.h"

namespace mechfmu {

std::unique_ptr<Instance> instantiate_fmi2(const Fmu& fmu, FmuListener listener, bool logging);
std::unique_ptr<Instance> instantiate_fmi3(const Fmu& fmu, FmuListener listener, bool logging);

/// The log categories of an FMU with reasons of failures, for last_problem() if other logging is
/// off.
std::vector<const char*> problem_categories(const FmuDescription& fmu);

/// The values in the type of the FMU, for a call with a pointer.
template <class Native, class Call>
CallStatus get_as(std::span<double> values, const Call& call) {
  if constexpr (std::is_same_v<Native, double>) {
    return call(values.data());
  } else {
    const auto buffer = std::make_unique<Native[]>(values.size());
    const CallStatus status = call(buffer.get());
    if (succeeded(status))
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(buffer[i]);
    return status;
  }
}

template <class Native, class Call>
CallStatus set_as(std::span<const double> values, const Call& call) {
  if constexpr (std::is_same_v<Native, double>) {
    return call(values.data());
  } else {
    const auto buffer = std::make_unique<Native[]>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) buffer[i] = static_cast<Native>(values[i]);
    return call(buffer.get());
  }
}

}  // namespace mechfmu
