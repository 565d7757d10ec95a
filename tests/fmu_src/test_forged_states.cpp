// Bytes of saved states that were changed, with a checksum that fits: they are refused with a
// message, or do no harm.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "tests/fmu_src/importer.h"
#include "tests/fmu_src/own_model.h"

namespace mechfmu::tests {
namespace {

constexpr double H = 0.005;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t header = 56;  // magic 8, token 32, size 8, checksum 8
constexpr std::size_t checksum_at = 48;

template <class Byte>
void correct_checksum(std::vector<Byte>& bytes) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (std::size_t i = header; i < bytes.size(); ++i)
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 1099511628211ULL;
  std::memcpy(bytes.data() + checksum_at, &hash, sizeof(hash));
}

template <class Byte>
void put(std::vector<Byte>& bytes, std::size_t at, std::uint64_t word) {
  std::memcpy(bytes.data() + at, &word, sizeof(word));
  correct_checksum(bytes);
}

using Bytes = std::vector<unsigned char>;

Bytes bytes_of(const Instance& instance, const Snapshot& snapshot) {
  Bytes bytes(instance.serialized_size());
  instance.serialize(snapshot, bytes.data(), bytes.size());
  return bytes;
}

/// The reason for refusing the bytes; empty if they are accepted.
std::string refusal(const Instance& instance, const Bytes& bytes) {
  try {
    (void)instance.deserialize(bytes.data(), bytes.size());
  } catch (const Refusal& refused) {
    return refused.message;
  }
  return "";
}

class ForgedStates : public testing::Test {
 protected:
  ForgedStates() : instance("pendulum", {}, false) {
    start(instance);
    instance.do_step(0, H, false);
  }
  /// The reason for refusing a state with this change.
  std::string with(const std::function<void(Snapshot&)>& change) {
    Snapshot forged = instance.snapshot();
    change(forged);
    return refusal(instance, bytes_of(instance, forged));
  }

  Instance instance;
};

TEST_F(ForgedStates, AreTakenWhenNothingIsChanged) {
  EXPECT_EQ(with([](Snapshot&) {}), "");
}

TEST_F(ForgedStates, WithAPhaseThatNoStateHasAreRefused) {
  for (const unsigned phase : {0U, 3U, 16U, 32U, 255U, 256U, 4294967295U})
    EXPECT_NE(with([=](Snapshot& s) { s.phase = static_cast<Phase>(phase); }), "") << phase;
}

TEST_F(ForgedStates, NotInitializedWhereRequiredAreRefused) {
  EXPECT_NE(with([](Snapshot& s) { s.initialized = false; }), "");
  for (const Phase phase : {instantiated, initialization}) {
    Snapshot early = instance.snapshot();
    early.phase = phase;
    const Bytes good = bytes_of(instance, early);
    EXPECT_EQ(refusal(instance, good), "");
    // Before the end of initialization, only this flag indicates whether there is a state.
    Snapshot later = instance.snapshot();
    const Bytes with_state = bytes_of(instance, later);
    later.initialized = false;
    const Bytes without = bytes_of(instance, later);
    std::size_t at = header;
    while (std::memcmp(&with_state[at], &without[at], 8) == 0) at += 8;
    Bytes forged = good;
    put(forged, at, 1);
    EXPECT_NE(refusal(instance, forged), "");
  }
}

TEST_F(ForgedStates, WithInvalidBooleansAreRefused) {
  const Bytes good = bytes_of(instance, instance.snapshot());
  // A change of the Boolean reveals its position.
  Snapshot changed = instance.snapshot();
  int booleans = 0;
  const auto visit = [&](auto& member) {
    if constexpr (std::is_same_v<decltype(member), bool&>) {
      member = !member;
      const Bytes other = bytes_of(instance, changed);
      member = !member;
      std::size_t at = header;
      while (std::memcmp(&good[at], &other[at], 8) == 0) at += 8;
      for (const std::uint64_t word : {std::uint64_t{2}, std::uint64_t{256}, ~std::uint64_t{0}}) {
        Bytes forged = good;
        put(forged, at, word);
        EXPECT_NE(refusal(instance, forged), "") << "byte " << at << " = " << word;
      }
      ++booleans;
    }
  };
  visit(changed.initialized);
  changed.state.visit(visit);
  EXPECT_GE(booleans, 10);
}

TEST_F(ForgedStates, WithNonFiniteNumbersAreRefused) {
  Snapshot forged = instance.snapshot();
  const auto visit = [&](auto& member) {
    const auto refused = [&](double& number) {
      for (const double wrong : {nan, infinity, -infinity}) {
        const double right = number;
        number = wrong;
        if (&number != &forged.state.error) {
          EXPECT_NE(refusal(instance, bytes_of(instance, forged)), "") << wrong;
        }
        number = right;
      }
    };
    if constexpr (std::is_same_v<decltype(member), double&>)
      refused(member);
    else if constexpr (std::is_same_v<decltype(member), Vector&> ||
                       std::is_same_v<decltype(member), Matrix&>)
      for (Index i = 0; i < member.size(); ++i) refused(member.data()[i]);
  };
  visit(forged.u), visit(forged.du), visit(forged.ddu);
  visit(forged.t_start), visit(forged.tolerance), visit(forged.last_successful_time);
  forged.state.visit(visit);
  EXPECT_NE(with([](Snapshot& s) { s.start.y[0] = nan; }), "");
  EXPECT_NE(with([](Snapshot& s) { s.t_stop = nan; }), "");
  EXPECT_NE(with([](Snapshot& s) { s.t_stop = s.t_start - 1; }), "");
}

TEST_F(ForgedStates, WithCountsAndSettingsOutOfRangeAreRefused) {
  for (const int wrong : {-1, 5, 1000000}) {
    EXPECT_NE(with([=](Snapshot& s) { s.state.predictions.newest = wrong; }), "");
    EXPECT_NE(with([=](Snapshot& s) { s.state.predictions.count = wrong; }), "");
    EXPECT_NE(with([=](Snapshot& s) { s.state.predictions.degree = wrong; }), "");
    EXPECT_NE(with([=](Snapshot& s) { s.state.predictions.degree_apart = wrong; }), "");
  }
  EXPECT_NE(with([](Snapshot& s) { s.state.statistics.steps = -1; }), "");
  EXPECT_NE(with([](Snapshot& s) {
              s.state.statistics.jacobians = std::numeric_limits<std::int64_t>::max();
            }),
            "");
  EXPECT_NE(with([](Snapshot& s) { s.settings.method = static_cast<Method>(7); }), "");
  EXPECT_NE(with([](Snapshot& s) { s.settings.rho_inf = 2; }), "");
  EXPECT_NE(with([](Snapshot& s) { s.settings.h_max = nan; }), "");
  EXPECT_NE(with([](Snapshot& s) { s.settings.max_substeps = -1; }), "");
  EXPECT_NE(with([](Snapshot& s) { s.u[0] = -1; }), "");  // a negative mass
  EXPECT_NE(with([](Snapshot& s) { s.state.input.value[0] = -1; }), "");
}

TEST_F(ForgedStates, OfAnotherLengthAreRefused) {
  Bytes longer = bytes_of(instance, instance.snapshot());
  longer.push_back(0);
  EXPECT_NE(refusal(instance, longer), "");
}

template <class Fmi>
class AnyForgedState : public testing::Test {};
using Versions = testing::Types<Fmi2, Fmi3>;
TYPED_TEST_SUITE(AnyForgedState, Versions, );

TYPED_TEST(AnyForgedState, IsRefusedOrDoesNoHarm) {
  const std::vector<double> doubles = {nan, infinity, 0.0, -1.0, 1e-300, 1e300};
  std::vector<std::uint64_t> words = {
      1, 2, 4, 255, std::uint64_t{1} << 31, ~std::uint64_t{0}, ~std::uint64_t{0} >> 1};
  for (const double number : doubles) words.push_back(std::bit_cast<std::uint64_t>(number));

  const Model model("slider_crank");
  const Library library(library_path(model.name));
  const References outputs = tests::outputs(model);
  std::vector<double> values(outputs.size());
  TypeParam fmi(library, model);
  ASSERT_EQ(fmi.initialize(), ok);
  ASSERT_EQ(fmi.step(0, H), ok);
  void* state = nullptr;
  std::vector<char> good;
  ASSERT_EQ(fmi.save(&state), ok);
  ASSERT_EQ(fmi.serialize(state, good), ok);

  int taken = 0;
  int refused = 0;
  const std::size_t every = sanitized() ? 5 : 1;
  for (std::size_t at = header; at < good.size(); at += 8 * every)
    for (const std::uint64_t word : words) {
      std::vector<char> forged = good;
      put(forged, at, word);
      void* loaded = nullptr;
      fmi.messages.clear();
      if (fmi.deserialize(forged, &loaded) != ok) {
        ++refused;
        ASSERT_EQ(fmi.messages.size(), 1U);
        ASSERT_EQ(loaded, nullptr);
        continue;
      }
      if (fmi.restore(loaded) == ok) {
        ++taken;
        double t = 0;
        ASSERT_EQ(fmi.get({model.reference("time")}, &t), ok);
        fmi.get(outputs, values.data());
        fmi.step(t, 1e-4);
        fmi.get(outputs, values.data());
      }
      ASSERT_EQ(fmi.forget(&loaded), ok);
    }
  EXPECT_GT(taken, 0);
  EXPECT_GT(refused, 0);
  // The instance continues from its unchanged state.
  ASSERT_EQ(fmi.restore(state), ok);
  TypeParam other(library, model);
  ASSERT_EQ(other.initialize(), ok);
  ASSERT_EQ(other.step(0, H), ok);
  EXPECT_EQ(trajectory(fmi, H, 20, H), trajectory(other, H, 20, H));
  ASSERT_EQ(fmi.forget(&state), ok);
}

// --- states of instances with other options ---

TEST(SavedStates, OfEventModeAreRefusedByInstancesWithoutIt) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  Fmi3 with(library, model, "with", true);
  Fmi3 without(library, model, "without", false);
  Fmi2 older(library, model);
  ASSERT_EQ(with.initialize(), ok);  // is in event mode then
  void* state = nullptr;
  std::vector<char> bytes;
  ASSERT_EQ(with.save(&state), ok);
  ASSERT_EQ(with.serialize(state, bytes), ok);
  EXPECT_EQ(with.restore(state), ok);
  EXPECT_EQ(without.restore(state), error);
  EXPECT_EQ(without.messages.size(), 1U);
  void* copy = nullptr;
  ASSERT_EQ(older.deserialize(bytes, &copy), ok);
  EXPECT_EQ(older.restore(copy), error);
  EXPECT_EQ(older.initialize(), ok);
  EXPECT_EQ(without.initialize(), ok);
  EXPECT_EQ(without.step(0, H), ok);
  EXPECT_EQ(older.forget(&copy), ok);
  EXPECT_EQ(with.forget(&state), ok);
}

}  // namespace
}  // namespace mechfmu::tests
