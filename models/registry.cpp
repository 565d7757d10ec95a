#include "models/registry.h"

#include <algorithm>
#include <stdexcept>

#include "models/andrews/andrews.h"
#include "models/car_axis/car_axis.h"
#include "models/flexible_slider_crank/flexible_slider_crank.h"
#include "models/nonholonomic_problem/nonholonomic_problem.h"
#include "models/pendulum/pendulum.h"
#include "models/rolling_disk/rolling_disk.h"
#include "models/slider_crank/slider_crank.h"
#include "models/soi2_problem/soi2_problem.h"

namespace mechfmu::models {

namespace {

struct Entry {
  const char* name;
  std::unique_ptr<System> (*make)();
};

template <class ModelT>
std::unique_ptr<System> make_model() {
  return std::make_unique<ModelSystem<ModelT>>();
}

constexpr Entry entries[] = {
    {"andrews", make_model<Andrews>},
    {"car_axis", make_model<CarAxis>},
    {"flexible_slider_crank", make_model<FlexibleSliderCrank>},
    {"nonholonomic_problem", make_model<NonholonomicProblem>},
    {"pendulum", make_model<Pendulum>},
    {"rolling_disk", make_model<RollingDisk>},
    {"slider_crank", make_model<SliderCrank>},
    {"soi2_problem", make_model<Soi2Problem>},
};

}  // namespace

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    for (const Entry& entry : entries) list.emplace_back(entry.name);
    return list;
  }();
  return all;
}

std::unique_ptr<System> make(const std::string& name) {
  const auto* found = std::find_if(std::begin(entries), std::end(entries),
                                   [&](const Entry& entry) { return name == entry.name; });
  if (found != std::end(entries)) return found->make();
  std::string known;
  for (const Entry& entry : entries) known += (known.empty() ? "" : ", ") + std::string(entry.name);
  throw std::out_of_range("there is no model '" + name + "'; there are: " + known);
}

}  // namespace mechfmu::models
