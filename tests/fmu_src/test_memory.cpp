// Memory: nothing is allocated between two steps, and nothing is lost over many lives of an
// instance.

#include <gtest/gtest.h>

#include <vector>

#include "tests/fmu_src/importer.h"
#include "tests/solver/count_allocations.h"

namespace mechfmu::tests {
namespace {

template <class Fmi>
class Memory : public testing::Test {};
using Versions = testing::Types<Fmi2, Fmi3>;
TYPED_TEST_SUITE(Memory, Versions, );

constexpr double H = 0.005;

TYPED_TEST(Memory, NothingIsAllocatedBetweenSteps) {
  if (!allocations_are_counted()) GTEST_SKIP() << "sanitizers allocate in their own way";
  for (const char* name : {"slider_crank", "rolling_disk", "soi2_problem"}) {
    SCOPED_TRACE(name);
    const Model model(name);
    const Library library(library_path(name));
    const References outputs = tests::outputs(model);
    const References inputs = model.references(Causality::input);
    std::vector<double> values(outputs.size());

    const long before = allocations();
    TypeParam fmi(library, model);
    ASSERT_TRUE(fmi.exists());
    ASSERT_EQ(fmi.initialize(), ok);
    EXPECT_GT(allocations(), before + 100) << "allocations inside the FMU are not seen";

    struct {
      long set = 0, step = 0, get = 0, save = 0, restore = 0;
    } allocated;
    void* state = nullptr;
    ASSERT_EQ(fmi.save(&state), ok);
    for (int i = 0; i < 200; ++i) {
      const double t = i * H;
      long count = allocations();
      const auto since = [&count] {
        const long now = allocations();
        const long difference = now - count;
        count = now;
        return difference;
      };
      for (const std::uint32_t input : inputs) ASSERT_EQ(fmi.set(input, i % 20 < 10 ? 1 : -1), ok);
      allocated.set += since();
      ASSERT_EQ(fmi.step(t, H), ok);
      allocated.step += since();
      ASSERT_EQ(fmi.get(outputs, values.data()), ok);
      allocated.get += since();
      ASSERT_EQ(fmi.save(&state), ok);
      allocated.save += since();
      ASSERT_EQ(fmi.restore(state), ok);
      allocated.restore += since();
    }
    EXPECT_EQ(allocated.set, 0);
    EXPECT_EQ(allocated.step, 0);
    EXPECT_EQ(allocated.get, 0);
    EXPECT_EQ(allocated.save, 0) << "into a state that is there already";
    EXPECT_EQ(allocated.restore, 0);
    ASSERT_EQ(fmi.forget(&state), ok);
  }
}

/// Repeats a life and compares the memory of the process after the first third with that at the
/// end.
template <class Life>
void expect_flat_memory(int lives, Life life) {
  if (sanitized()) lives = 30;
  long after_warm_up = 0;
  for (int i = 0; i < lives; ++i) {
    if (i == lives / 3) after_warm_up = resident_memory();
    ASSERT_NO_FATAL_FAILURE(life());
  }
  if (!sanitized()) {
    EXPECT_LT(resident_memory() - after_warm_up, 256) << "kB";
  }
}

TYPED_TEST(Memory, ThousandsOfInstancesLeaveNothingBehind) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  expect_flat_memory(2000, [&] {
    TypeParam fmi(library, model);
    ASSERT_EQ(fmi.initialize(), ok);
    ASSERT_EQ(fmi.step(0, H), ok);
  });
}

TYPED_TEST(Memory, RefusedInstancesLeaveNothingBehind) {
  Model model("slider_crank");
  model.token = "of another model";
  const Library library(library_path(model.name));
  expect_flat_memory(2000, [&] {
    const TypeParam fmi(library, model);
    ASSERT_FALSE(fmi.exists());
    ASSERT_EQ(fmi.messages.size(), 1U);
  });
}

TYPED_TEST(Memory, ThousandsOfResetsLeaveNothingBehind) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  TypeParam fmi(library, model);
  expect_flat_memory(3000, [&] {
    ASSERT_EQ(fmi.reset(), ok);
    ASSERT_EQ(fmi.initialize(), ok);
    ASSERT_EQ(fmi.step(0, H), ok);
  });
}

TYPED_TEST(Memory, ThousandsOfSavedStatesLeaveNothingBehind) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  TypeParam fmi(library, model);
  ASSERT_EQ(fmi.initialize(), ok);
  std::vector<char> bytes;
  expect_flat_memory(3000, [&] {
    void* state = nullptr;
    void* copy = nullptr;
    ASSERT_EQ(fmi.save(&state), ok);
    ASSERT_EQ(fmi.serialize(state, bytes), ok);
    ASSERT_EQ(fmi.deserialize(bytes, &copy), ok);
    ASSERT_EQ(fmi.deserialize(bytes, &copy), ok);  // over an existing state
    ASSERT_EQ(fmi.step(0, H), ok);
    ASSERT_EQ(fmi.restore(copy), ok);
    ASSERT_EQ(fmi.forget(&state), ok);
    ASSERT_EQ(fmi.forget(&copy), ok);
    ASSERT_EQ(state, nullptr);
  });
}

TYPED_TEST(Memory, DamagedStatesLeaveNothingBehind) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  TypeParam fmi(library, model);
  ASSERT_EQ(fmi.initialize(), ok);
  void* state = nullptr;
  std::vector<char> bytes;
  ASSERT_EQ(fmi.save(&state), ok);
  ASSERT_EQ(fmi.serialize(state, bytes), ok);
  std::size_t place = 0;
  expect_flat_memory(3000, [&] {
    place = (place + 97) % bytes.size();
    std::vector<char> damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ 4);
    void* copy = nullptr;
    ASSERT_EQ(fmi.deserialize(damaged, &copy), error) << "byte " << place;
    ASSERT_EQ(copy, nullptr);
    damaged = bytes;
    damaged.resize(place);
    ASSERT_EQ(fmi.deserialize(damaged, &copy), error) << "length " << place;
    fmi.messages.clear();
  });
  ASSERT_EQ(fmi.forget(&state), ok);
}

}  // namespace
}  // namespace mechfmu::tests
