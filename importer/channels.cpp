#include "importer/channels.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "model_desc/diagnostics.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using C = FmuVariable::Causality;
using T = FmuVariable::Type;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  fail("'" + name + "' cannot be set: " + why);
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  while (true) {
    text = text.substr(std::min(text.find_first_not_of(" \t\r\n,"), text.size()));
    if (text.empty()) return found;
    found.push_back(text.substr(0, text.find_first_of(" \t\r\n,")));
    text.remove_prefix(found.back().size());
  }
}

/// The element "2,3" of an array with these dimensions; nullopt if the index is invalid.
std::optional<std::size_t> element_of(const FmuVariable& variable, std::string_view indices) {
  const std::vector<std::string_view> parts = words(indices);
  if (parts.size() != variable.dimensions.size()) return {};
  std::size_t element = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    std::size_t index = 0;
    const char* end = parts[k].data() + parts[k].size();
    const auto read = std::from_chars(parts[k].data(), end, index);
    if (read.ec != std::errc() || read.ptr != end || index < 1 || index > variable.dimensions[k])
      return {};
    element = element * variable.dimensions[k] + (index - 1);
  }
  return element;
}

/// Variables that can be set before a run: FMI 2.0, 2.2.7, and FMI 3.0, 2.4.7.5.
std::string objection(const FmuVariable& v) {
  if (v.causality == C::structural_parameter)
    return "it sets the size of arrays, which is fixed here";
  if (v.type == T::binary || v.type == T::clock)
    return "variables of type " + std::string(text(v.type)) + " cannot be set";
  if (v.variability == FmuVariable::Variability::constant) return "it is a constant";
  if (v.causality == C::independent) return "it is the time";
  if (v.causality == C::input || v.initial == Initial::exact || v.initial == Initial::approx)
    return {};
  if (v.causality == C::output) return "it is an output, which the FMU computes";
  return "the FMU computes it";
}

double largest_of(T type) {
  switch (type) {
    case T::int8: return std::numeric_limits<std::int8_t>::max();
    case T::uint8: return std::numeric_limits<std::uint8_t>::max();
    case T::int16: return std::numeric_limits<std::int16_t>::max();
    case T::uint16: return std::numeric_limits<std::uint16_t>::max();
    case T::int32: return std::numeric_limits<std::int32_t>::max();
    case T::uint32: return std::numeric_limits<std::uint32_t>::max();
    default: return 9007199254740992.0;  // 2⁵³: up to this limit every whole number is a double
  }
}

}  // namespace

double number_for(const FmuVariable& v, std::string_view word) {
  const std::string shown = "'" + std::string(word) + "'";
  const std::string whom = " for '" + v.name + "'";
  if (v.type == T::boolean) {
    if (word == "true" || word == "1") return 1;
    if (word == "false" || word == "0") return 0;
    fail(shown + " is not a valid value" + whom + "; write true or false");
  }
  if (v.type == T::enumeration && !v.items.empty()) {
    std::vector<std::string> names;
    for (const FmuVariable::Item& item : v.items) {
      if (item.name == word || std::to_string(item.value) == word)
        return static_cast<double>(item.value);
      names.push_back(item.name);
    }
    const std::string near = suggestion(word, names);
    fail(shown + " is not a valid value" + whom +
         (near.empty() ? "; it has " + joined(names, ", ") : near));
  }
  const std::optional<double> x = parse_number(word);
  if (!x || !std::isfinite(*x))
    fail(shown + " is not a number" + whom + "; write the number alone" +
         (v.unit.empty() ? "" : ", in " + v.unit));
  if (!fits(v, *x))
    fail(shown + " is not a whole number" + whom + " that fits into " + text(v.type));
  if ((v.min && *x < *v.min) || (v.max && *x > *v.max)) {
    const std::string from = v.min ? "from " + shortest(*v.min) : "";
    const std::string until = v.max ? "up to " + shortest(*v.max) : "";
    fail(shown + " is out of range" + whom + ", which goes " + from +
         (from.empty() || until.empty() ? "" : " ") + until);
  }
  return *x;
}

bool fits(const FmuVariable& variable, double x) {
  const T type = variable.type;
  if (variable.is_real()) return true;
  if (type == T::boolean) return x == 0 || x == 1;
  const bool has_sign =
      type != T::uint8 && type != T::uint16 && type != T::uint32 && type != T::uint64;
  return x == std::floor(x) && x <= largest_of(type) && x >= (has_sign ? -largest_of(type) : 0);
}

std::string name_of(const Channel& channel) {
  const FmuVariable& v = *channel.variable;
  if (v.dimensions.empty()) return v.name;
  std::vector<std::string> indices(v.dimensions.size());
  std::size_t rest = channel.element;
  for (std::size_t k = indices.size(); k-- > 0;) {
    indices[k] = std::to_string(rest % v.dimensions[k] + 1);
    rest /= v.dimensions[k];
  }
  return v.name + "[" + joined(indices, ",") + "]";
}

std::vector<Channel> find_channels(const FmuDescription& fmu, const std::string& name,
                                   const std::vector<std::string>& likely) {
  if (const FmuVariable* variable = fmu.find(name)) {
    std::vector<Channel> all;
    for (std::size_t i = 0; i < variable->size(); ++i) all.push_back({variable, i});
    return all;
  }
  const std::size_t bracket = name.rfind('[');
  if (bracket != std::string::npos && name.ends_with(']')) {
    const FmuVariable* variable = fmu.find(std::string_view(name).substr(0, bracket));
    if (variable != nullptr && !variable->dimensions.empty()) {
      const auto indices = std::string_view(name).substr(bracket + 1, name.size() - bracket - 2);
      if (const auto element = element_of(*variable, indices)) return {{variable, *element}};
      fail("'" + variable->name + "' has no element [" + std::string(indices) +
           "]; the last one is '" + name_of({variable, variable->size() - 1}) + "'");
    }
  }
  constexpr std::size_t few = 12;
  std::string help = suggestion(name, likely);
  if (help.empty() && !likely.empty()) {
    std::vector<std::string> first = likely;
    first.resize(std::min(few, likely.size()));
    help = "; there are " + joined(first, ", ");
    if (likely.size() > few) help += " and " + std::to_string(likely.size() - few) + " more";
  }
  fail("unknown variable '" + name + "'" + help);
}

Recorder::Recorder(const std::vector<Channel>& channels) {
  std::vector<std::pair<const FmuVariable*, std::size_t>> known;  // with the offset of its numbers
  for (std::size_t column = 0; column < channels.size(); ++column) {
    const FmuVariable& v = *channels[column].variable;
    auto group = std::ranges::find(groups_, v.type, &Group::type);
    if (group == groups_.end()) group = groups_.insert(group, Group{v.type});
    // elements of an array follow each other
    if (known.empty() || known.back().first != &v) {
      known.emplace_back(&v, group->values.size());
      group->references.push_back(v.reference);
      group->values.resize(group->values.size() + v.size());
    }
    group->picks.emplace_back(known.back().second + channels[column].element, column);
  }
}

CallStatus Recorder::read(Instance& instance, std::span<double> values) {
  CallStatus worst = CallStatus::ok;
  for (Group& group : groups_) {
    const CallStatus status = instance.get(group.type, group.references, group.values);
    if (!succeeded(status)) return status;
    worst = std::max(worst, status);
    for (const auto& [from, to] : group.picks) values[to] = group.values[from];
  }
  return worst;
}

CallStatus Assignment::apply(Instance& instance) const {
  return variable->type == T::string
             ? instance.set_string(variable->reference, text)
             : instance.set(variable->type, std::span(&variable->reference, 1), numbers);
}

std::vector<double> start_values(const FmuVariable& variable) {
  std::vector<double> values(variable.size(), 0.0);
  const std::vector<std::string_view> starts = words(variable.start);
  for (std::size_t i = 0; i < values.size() && !starts.empty(); ++i) {
    const std::string_view word = starts[std::min(i, starts.size() - 1)];
    values[i] = word == "true" ? 1 : parse_number(word).value_or(0);
  }
  return values;
}

std::vector<Assignment> assignments(const FmuDescription& fmu,
                                    const std::vector<std::pair<std::string, std::string>>& set) {
  std::vector<std::string> settable;
  for (const FmuVariable& v : fmu.variables)
    if (objection(v).empty()) settable.push_back(v.name);

  std::vector<Assignment> made;
  for (const auto& [name, value] : set) {
    const std::vector<Channel> channels = find_channels(fmu, name, settable);
    if (channels.empty()) refuse(name, "it has no elements");
    const FmuVariable& v = *channels.front().variable;
    if (const std::string why = objection(v); !why.empty()) refuse(name, why);
    auto known = std::ranges::find(made, &v, &Assignment::variable);
    if (known == made.end()) known = made.insert(known, {&v, start_values(v)});
    if (v.type == T::string) {
      if (!v.dimensions.empty()) refuse(name, "it is an array of strings");
      known->text = value;
      continue;
    }
    const std::vector<std::string_view> numbers = words(value);
    if (numbers.size() != channels.size() && channels.size() > 1)
      fail("'" + name + "' has " + std::to_string(channels.size()) + " numbers, and " +
           std::to_string(numbers.size()) + " are given");
    for (std::size_t i = 0; i < channels.size(); ++i)
      known->numbers[channels[i].element] =
          number_for(v, channels.size() > 1 ? numbers[i] : trimmed(value));
  }
  return made;
}

}  // namespace mechfmu
