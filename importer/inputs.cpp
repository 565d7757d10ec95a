#include "importer/inputs.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "model_desc/text.h"

namespace mechfmu {

namespace {

using C = FmuVariable::Causality;

}  // namespace

Inputs::Inputs(const FmuDescription& fmu, const Signals& signals)
    : signals_(signals), derivatives_(fmu.co_simulation && fmu.co_simulation->input_derivatives) {
  const auto fail = [&](const std::string& what) {
    throw std::runtime_error((signals.file.empty() ? "inputs" : signals.file) + ": " + what);
  };
  std::vector<std::string> likely;
  for (const FmuVariable& v : fmu.variables)
    if (v.causality == C::input) likely.push_back(v.name);

  for (std::size_t column = 0; column < signals.names.size(); ++column) {
    const std::string& name = signals.names[column];
    std::vector<Channel> channels;
    try {
      channels = find_channels(fmu, name, likely);
    } catch (const std::runtime_error& error) {
      fail(error.what() + (likely.empty() ? std::string("; the FMU has no inputs") : ""));
    }
    if (channels.size() != 1)
      fail("'" + name + "' is an array; name its elements, with [1] and so on behind it");
    const FmuVariable& v = *channels.front().variable;
    if (v.causality != C::input)
      fail("'" + name + "' is not an input but a variable of causality " + text(v.causality));
    if (!v.is_number())
      fail("'" + name + "' is a " + text(v.type) + "; only numbers can be inputs");
    for (std::size_t row = 0; row < signals.times.size(); ++row)
      if (!fits(v, signals.at(row, column)))
        fail("column '" + name + "' holds " + shortest(signals.at(row, column)) +
             ", which is not a value of type " + text(v.type));

    auto group = std::ranges::find(groups_, v.type, &Group::type);
    if (group == groups_.end()) group = groups_.insert(group, Group{v.type});
    auto known = std::ranges::find(group->variables, &v);
    if (known == group->variables.end()) {
      group->variables.push_back(&v);
      known = std::prev(group->variables.end());
      group->references.push_back(v.reference);
      const std::vector<double> start = start_values(v);
      group->values.insert(group->values.end(), start.begin(), start.end());
    }
    const auto add = [](std::size_t sum, const FmuVariable* before) {
      return sum + before->size();
    };
    const std::size_t first = std::accumulate(group->variables.begin(), known, std::size_t{0}, add);
    const bool continuous = v.is_real() && v.variability == FmuVariable::Variability::continuous;
    group->columns.push_back({column, first + channels.front().element, continuous});
    if (continuous && derivatives_) sloped_.push_back(v.reference);
  }
  slopes_.resize(sloped_.size());
}

bool Inputs::drives(const FmuVariable& variable) const {
  return std::ranges::any_of(groups_, [&](const Group& group) {
    return std::ranges::find(group.variables, &variable) != group.variables.end();
  });
}

std::vector<double> Inputs::points(double start, double stop, double steps) const {
  const std::vector<double>& times = signals_.times;
  const auto begin = std::ranges::upper_bound(times, start) - times.begin();
  const auto end = std::ranges::lower_bound(times, stop) - times.begin();
  const bool all = static_cast<double>(end - begin) <= steps;
  std::vector<double> found;
  for (auto i = std::max<std::ptrdiff_t>(begin, 1); i < end; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const bool same_time = times[row] == times[row - 1];
    bool jumps = all;
    for (const Group& group : groups_)
      for (const Column& c : group.columns)
        jumps = jumps || ((same_time || !c.continuous) &&
                          signals_.at(row, c.column) != signals_.at(row - 1, c.column));
    if (jumps && (found.empty() || found.back() != times[row])) found.push_back(times[row]);
  }
  if (all && begin == 0 && end > 0 && (found.empty() || found.front() != times.front()))
    found.insert(found.begin(), times.front());
  return found;
}

CallStatus Inputs::apply(Instance& instance, double t) {
  for (Group& group : groups_) {
    for (const Column& c : group.columns)
      group.values[c.position] =
          c.continuous ? signals_.after(c.column, t) : signals_.held(c.column, t);
    const CallStatus status = instance.set(group.type, group.references, group.values);
    if (!succeeded(status)) return status;
  }
  return CallStatus::ok;
}

CallStatus Inputs::apply(Instance& instance, double t, double t_end) {
  std::size_t sloped = 0;
  for (Group& group : groups_) {
    for (const Column& c : group.columns) {
      double& value = group.values[c.position];
      if (!c.continuous) {
        value = signals_.held(c.column, t);
      } else if (derivatives_) {
        value = signals_.after(c.column, t);
        slopes_[sloped++] = (signals_.before(c.column, t_end) - value) / (t_end - t);
      } else {
        value = signals_.mean(c.column, t, t_end);
      }
    }
    const CallStatus status = instance.set(group.type, group.references, group.values);
    if (!succeeded(status)) return status;
  }
  return sloped_.empty() ? CallStatus::ok : instance.set_derivatives(sloped_, slopes_);
}

}  // namespace mechfmu
