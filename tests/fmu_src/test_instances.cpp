// Instances do not affect each other: in threads, beside other models, beside a copy of their
// library.

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "tests/fmu_src/importer.h"

namespace mechfmu::tests {
namespace {

namespace fs = std::filesystem;

template <class Fmi>
class Instances : public testing::Test {};
using Versions = testing::Types<Fmi2, Fmi3>;
TYPED_TEST_SUITE(Instances, Versions, );

constexpr double H = 0.005;
const int steps = sanitized() ? 40 : 200;

/// A whole life of an instance.
template <class Fmi>
std::vector<double> run(const Library& library, const Model& model, double phase) {
  Fmi fmi(library, model);
  if (fmi.initialize() != ok) return {};
  return trajectory(fmi, 0, steps, H, phase);
}

TYPED_TEST(Instances, InEightThreadsEqualThoseOneAfterTheOther) {
  constexpr std::size_t threads = 8;
  constexpr int rounds = 3;
  const Model models[] = {Model("slider_crank"), Model("rolling_disk")};
  const Library libraries[] = {Library(library_path(models[0].name)),
                               Library(library_path(models[1].name))};
  std::vector<std::vector<double>> serial(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    serial[i] = run<TypeParam>(libraries[i % 2], models[i % 2], static_cast<double>(i));
    ASSERT_FALSE(serial[i].empty());
  }
  std::vector<int> equal(threads, 0);
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < threads; ++i)
    workers.emplace_back([&, i] {
      for (int round = 0; round < rounds; ++round)
        if (run<TypeParam>(libraries[i % 2], models[i % 2], static_cast<double>(i)) == serial[i])
          ++equal[i];
    });
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(equal, std::vector<int>(threads, rounds));
}

TYPED_TEST(Instances, TakingTurnsDoNotDisturbEachOther) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  const auto alone = run<TypeParam>(library, model, 0);
  TypeParam first(library, model, "first");
  TypeParam second(library, model, "second");
  ASSERT_EQ(first.initialize(), ok);
  ASSERT_EQ(second.set(model.reference("m4"), 0.9), ok);
  ASSERT_EQ(second.initialize(0.5), ok);
  std::vector<double> both;
  for (int i = 0; i < steps; ++i) {
    const auto row = trajectory(first, i * H, 1, H);
    both.insert(both.end(), row.begin(), row.end());
    ASSERT_FALSE(trajectory(second, 0.5 + i * 2 * H, 1, 2 * H, 1.0).empty());
  }
  ASSERT_EQ(both.size(), alone.size());
  // Inputs of `first` are those of `alone`, as far as i·H is the same number.
  for (std::size_t i = 0; i < both.size(); ++i) ASSERT_EQ(both[i], alone[i]) << i;
}

TYPED_TEST(Instances, AStateMovesToAnotherInstance) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  auto first = std::make_unique<TypeParam>(library, model, "first");
  ASSERT_EQ(first->initialize(), ok);
  ASSERT_FALSE(trajectory(*first, 0, 50, H).empty());
  void* state = nullptr;
  std::vector<char> bytes;
  ASSERT_EQ(first->save(&state), ok);
  ASSERT_EQ(first->serialize(state, bytes), ok);
  ASSERT_EQ(first->forget(&state), ok);
  const auto expected = trajectory(*first, 50 * H, 50, H);
  first.reset();

  TypeParam second(library, model, "second");
  ASSERT_EQ(second.deserialize(bytes, &state), ok);
  ASSERT_EQ(second.restore(state), ok);
  ASSERT_EQ(second.forget(&state), ok);
  EXPECT_EQ(trajectory(second, 50 * H, 50, H), expected);
}

bool is_mapped(const fs::path& file) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(file.string()) != std::string::npos) return true;
  return false;
}

/// A copy of a library that is removed at the end.
class Copy {
 public:
  explicit Copy(const std::string& model)
      : file_(fs::temp_directory_path() / ("mechfmu_" + std::to_string(getpid()) + model + ".so")) {
    fs::copy_file(library_path(model), file_, fs::copy_options::overwrite_existing);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  ~Copy() {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  const fs::path& file() const { return file_; }

 private:
  fs::path file_;
};

TYPED_TEST(Instances, OfTwoCopiesOfALibraryAreIndependent) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  const Copy copy(model.name);
  const Library other(copy.file());
  EXPECT_NE(library.function<fmi2DoStepTYPE>("fmi2DoStep").address(),
            other.function<fmi2DoStepTYPE>("fmi2DoStep").address());
  const auto expected = run<TypeParam>(library, model, 0);
  TypeParam first(library, model);
  TypeParam second(other, model);
  ASSERT_EQ(first.initialize(), ok);
  ASSERT_EQ(second.initialize(), ok);
  ASSERT_FALSE(trajectory(first, 0, 20, H, 2.0).empty());
  EXPECT_EQ(trajectory(second, 0, steps, H), expected);
}

TYPED_TEST(Instances, OfSeveralModelsLiveInOneProcess) {
  std::vector<std::unique_ptr<Model>> models;
  std::vector<std::unique_ptr<Library>> libraries;
  std::vector<std::unique_ptr<TypeParam>> instances;
  for (const char* name : {"slider_crank", "rolling_disk", "car_axis", "soi2_problem"}) {
    models.push_back(std::make_unique<Model>(name));
    libraries.push_back(std::make_unique<Library>(library_path(name)));
    instances.push_back(std::make_unique<TypeParam>(*libraries.back(), *models.back()));
    ASSERT_TRUE(instances.back()->exists());
    ASSERT_EQ(instances.back()->initialize(), ok);
  }
  for (int i = 0; i < 20; ++i)
    for (const auto& instance : instances)
      ASSERT_FALSE(trajectory(*instance, i * H, 1, H).empty()) << instance->model.name;
  // One model's token does not fit another's binary.
  const TypeParam wrong(*libraries[0], *models[1]);
  EXPECT_FALSE(wrong.exists());
}

TYPED_TEST(Instances, ALibraryCanBeUnloaded) {
  const Model model("slider_crank");
  const Copy copy(model.name);
  for (int i = 0; i < 3; ++i) {
    {
      const Library library(copy.file());
      ASSERT_TRUE(is_mapped(copy.file()));
      ASSERT_FALSE(run<TypeParam>(library, model, 0).empty());
    }
    ASSERT_FALSE(is_mapped(copy.file())) << "something keeps the library";
  }
}

TYPED_TEST(Instances, UnloadingALibraryGivesItsMemoryBack) {
  if (sanitized()) GTEST_SKIP() << "the leak sanitizer sees more";
  const Model model("slider_crank");
  const Copy copy(model.name);
  std::size_t before = 0;
  constexpr int loads = 20;
  for (int i = 0; i < loads + 3; ++i) {
    if (i == 3) before = mallinfo2().uordblks;
    const Library library(copy.file());
    const TypeParam fmi(library, model);
    ASSERT_TRUE(fmi.exists());
  }
  EXPECT_LT(static_cast<double>(mallinfo2().uordblks) - static_cast<double>(before),
            loads * 4096.0);
}

}  // namespace
}  // namespace mechfmu::tests
