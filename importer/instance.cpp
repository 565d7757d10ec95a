#include "importer/instance.h"

#include <string_view>

#include "importer/versions.h"

namespace mechfmu {

void Instance::note(FmuMessage message) noexcept {
  try {
    while (!message.text.empty() && (message.text.back() == '\n' || message.text.back() == '\r'))
      message.text.pop_back();
    if (message.status != CallStatus::ok) problem_ = message.text;
    last_ = message.text;
    if (listener_) listener_(message);
  } catch (...) {  // a lost message is better than an exception in foreign code
  }
}

std::vector<const char*> problem_categories(const FmuDescription& fmu) {
  std::vector<const char*> found;
  for (const std::string& category : fmu.log_categories)
    for (const std::string_view name :
         {"logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal"})
      if (category == name) found.push_back(category.c_str());
  return found;
}

std::unique_ptr<Instance> instantiate(const Fmu& fmu, FmuListener listener, bool logging) {
  return fmu.description().major == 2 ? instantiate_fmi2(fmu, std::move(listener), logging)
                                      : instantiate_fmi3(fmu, std::move(listener), logging);
}

}  // namespace mechfmu
