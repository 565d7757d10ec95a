#include "fmu_src/snapshot.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "fmu_src/refusal.h"
#include "model/checksum.h"
#include "model/format.h"

namespace mechfmu {

namespace {

/// The bytes before the numbers.
struct Header {
  std::array<char, 8> magic = {'m', 'e', 'c', 'h', 'f', 'm', 'u', '2'};
  std::array<char, 32> token{};
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Header) == 56, "no bytes between its members");

/// Checksum of the numbers, which follow the header.
std::uint64_t checksum_of(const unsigned char* bytes, std::size_t size) {
  return checksum({reinterpret_cast<const char*>(bytes + sizeof(Header)), size});
}

/// Calls visit(number) for a number, or for each of a vector, matrix or array.
template <class Member, class Visit>
void each_number(Member& member, Visit&& visit) {
  if constexpr (requires { member.data(), member.size(); })
    for (std::size_t i = 0; i < static_cast<std::size_t>(member.size()); ++i)
      visit(member.data()[i]);
  else
    visit(member);
}

/// Visits every number of a snapshot in a fixed order; settings as the numbers of their rows.
template <class Visit>
void visit_snapshot(Snapshot& s, std::vector<double>& settings, Visit&& visit) {
  const auto visitor = [&](auto& member) { each_number(member, visit); };
  visitor(s.phase), visitor(s.u), visitor(s.du), visitor(s.ddu), visitor(settings);
  visitor(s.start.y), visitor(s.start.z), visitor(s.start.x);
  visitor(s.t_start), visitor(s.t_stop), visitor(s.tolerance), visitor(s.initialized);
  visitor(s.last_successful_time);
  s.state.visit(visitor);
}

std::vector<double> numbers(const SolverSettings& settings) {
  std::vector<double> all;
  for (const SolverSettingRow& row : solver_setting_rows()) all.push_back(row.get(settings));
  return all;
}

// --- numbers as bytes ---

using Bits = std::uint64_t;

template <class T>
Bits to_bits(T number) {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<Bits>(number);
  else
    return static_cast<Bits>(number);
}

Refusal senseless(const std::string& why) {
  return error("the saved state makes no sense: " + why);
}

template <class T>
void from_bits(Bits bits, T& number) {
  if constexpr (std::is_floating_point_v<T>) {
    number = std::bit_cast<T>(bits);
  } else {
    number = static_cast<T>(bits);
    if (to_bits(number) != bits) throw senseless("a number does not fit its type");
  }
}

// --- checks of bytes ---

void take_settings(const std::vector<double>& numbers, SolverSettings& settings) {
  auto number = numbers.begin();
  for (const SolverSettingRow& row : solver_setting_rows()) {
    const double value = *number++;
    try {
      check_range(row, value);
    } catch (const std::invalid_argument& invalid) {
      throw senseless(invalid.what());
    }
    if (row.type != SolverSettingRow::Type::real && value != std::trunc(value))
      throw senseless("solver." + std::string(row.name) + " = " + format(value) + " is not whole");
    row.set(settings, value);
  }
}

void check_phase(const Snapshot& s) {
  constexpr std::array phases = {instantiated, initialization, event,
                                 stepping,     step_failed,    terminated};
  if (std::find(phases.begin(), phases.end(), s.phase) == phases.end())
    throw senseless("there is no phase " + std::to_string(s.phase) +
                    " that a state can be saved in");
  const bool must_be = (s.phase & running) != 0;
  if (s.initialized != must_be)
    throw senseless(std::string(phase_name(s.phase)) + " it " +
                    (must_be ? "must be" : "cannot be") + " initialized");
}

void check_times(const Snapshot& s) {
  const bool sound = std::isfinite(s.t_start) && s.t_stop >= s.t_start && s.tolerance >= 0 &&
                     std::isfinite(s.tolerance) && std::isfinite(s.last_successful_time);
  if (!sound) throw senseless("its times or its tolerance are invalid");
}

void check_state(State& state) {
  const Predictions& p = state.predictions;
  constexpr int most = Predictions::capacity;
  const auto in_range = [](int degree) { return degree >= 0 && degree <= most; };
  if (p.newest < 0 || p.newest >= most || p.count < 0 || p.count > most || !in_range(p.degree) ||
      !in_range(p.degree_apart))
    throw senseless("its predictor holds more than it has room for");
  state.visit([&](auto& member) {
    each_number(member, [&](auto& number) {
      using Number = std::remove_cvref_t<decltype(number)>;
      // Counters keep counting, and are shown as doubles.
      if constexpr (std::is_same_v<Number, std::int64_t>)
        if (number < 0 || number > (std::int64_t{1} << 53))
          throw senseless("a counter is " + std::to_string(number));
    });
  });
}

void check_finite(Snapshot& s) {
  const auto require_finite = [&](auto& member) {
    each_number(member, [&](auto& number) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(number)>, double>)
        // The error estimate may overflow; it is only shown.
        if (!std::isfinite(number) && &number != &s.state.error)
          throw senseless("a number is not finite");
    });
  };
  for (Vector* v : {&s.u, &s.du, &s.ddu}) require_finite(*v);
  for (std::vector<double>* v : {&s.start.y, &s.start.z, &s.start.x}) require_finite(*v);
  s.state.visit(require_finite);
}

}  // namespace

std::size_t serialized_size(const Snapshot& like) {
  std::size_t size = sizeof(Header);
  Snapshot copy = like;
  std::vector<double> settings = numbers(like.settings);
  visit_snapshot(copy, settings, [&](auto&) { size += sizeof(Bits); });
  return size;
}

void serialize(const Snapshot& snapshot, const std::string& token, unsigned char* bytes,
               std::size_t size) {
  const std::size_t needed = serialized_size(snapshot);
  if (size < needed)
    throw error("a saved state needs " + std::to_string(needed) + " bytes, not " +
                std::to_string(size));
  Header header;
  std::copy_n(token.begin(), header.token.size(), header.token.begin());
  unsigned char* to = bytes + sizeof(Header);
  Snapshot copy = snapshot;
  // Before the end of initialization the state follows from the values: it must not show whether it
  // was computed.
  if ((copy.phase & running) == 0) {
    copy.initialized = false;
    copy.last_successful_time = 0;
    copy.state.visit([](auto& member) { each_number(member, [](auto& number) { number = {}; }); });
  }
  std::vector<double> settings = numbers(snapshot.settings);
  visit_snapshot(copy, settings, [&](auto& number) {
    const Bits bits = to_bits(number);
    to = std::copy_n(reinterpret_cast<const unsigned char*>(&bits), sizeof(bits), to);
  });
  header.size = needed - sizeof(Header);
  header.checksum = checksum_of(bytes, header.size);
  std::copy_n(reinterpret_cast<const unsigned char*>(&header), sizeof(Header), bytes);
}

Snapshot deserialize(const unsigned char* bytes, std::size_t size, const std::string& token,
                     const Snapshot& like) {
  if (size < sizeof(Header))
    throw error("a saved state of " + std::to_string(size) + " bytes is too short");
  Header header;
  std::copy_n(bytes, sizeof(Header), reinterpret_cast<unsigned char*>(&header));
  if (header.magic != Header{}.magic)
    throw error("these bytes are not a saved state of this version of mechfmu");
  if (std::string(header.token.data(), header.token.size()) != token)
    throw error("the saved state belongs to another model or to another version of this one");
  const std::size_t needed = serialized_size(like);
  if (size < needed || header.size != needed - sizeof(Header))
    throw error("the saved state is truncated: " + std::to_string(size) + " bytes, " +
                std::to_string(needed) + " needed");
  if (size > needed)
    throw error("the saved state is too long: " + std::to_string(size) + " bytes, " +
                std::to_string(needed) + " needed");
  if (header.checksum != checksum_of(bytes, header.size))
    throw error("the saved state is damaged: its checksum does not fit");

  Snapshot s = like;
  std::vector<double> settings = numbers(like.settings);
  const unsigned char* from = bytes + sizeof(Header);
  visit_snapshot(s, settings, [&](auto& number) {
    Bits bits = 0;
    std::copy_n(from, sizeof(bits), reinterpret_cast<unsigned char*>(&bits));
    from += sizeof(bits);
    from_bits(bits, number);
  });
  take_settings(settings, s.settings);
  check_phase(s);
  check_times(s);
  // Unused parts may have any value: the state of a failed initialization, and derivatives that are
  // not finite.
  if (!s.initialized) s.state = like.state;
  if (KktRecord& record = s.state.kkt; !record.valid) {
    const bool redundant = record.redundant;
    record = like.state.kkt;
    record.redundant = redundant;
  }
  check_state(s.state);
  check_finite(s);
  return s;
}

}  // namespace mechfmu
