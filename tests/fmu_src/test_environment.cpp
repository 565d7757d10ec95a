// State that belongs to the host: floating-point mode, traps and locale. Every call in every test
// of this program is checked to keep the floating-point mode (importer.h); here the host has set an
// unusual one.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <vector>

#include "tests/fmu_src/importer.h"

namespace mechfmu::tests {
namespace {

namespace fs = std::filesystem;

template <class Fmi>
class Environment : public testing::Test {};
using Versions = testing::Types<Fmi2, Fmi3>;
TYPED_TEST_SUITE(Environment, Versions, );

constexpr double H = 0.005;
constexpr const char* all_models[] = {"andrews",      "car_axis",     "nonholonomic_problem",
                                      "rolling_disk", "slider_crank", "soi2_problem"};

/// A run with saved states, reset and termination.
template <class Fmi>
std::vector<double> life(const Library& library, const Model& model) {
  const double h = std::min(H, model.description.experiment.stop / 200);
  Fmi fmi(library, model);
  void* state = nullptr;
  std::vector<char> bytes;
  if (fmi.initialize() != ok || trajectory(fmi, 0, 20, h).empty()) return {};
  if (fmi.save(&state) != ok || fmi.serialize(state, bytes) != ok) return {};
  if (trajectory(fmi, 20 * h, 20, h).empty()) return {};
  if (fmi.deserialize(bytes, &state) != ok || fmi.restore(state) != ok) return {};
  if (fmi.forget(&state) != ok) return {};
  if (trajectory(fmi, 20 * h, 20, h).empty() || fmi.terminate() != ok) return {};
  if (fmi.reset() != ok || fmi.initialize() != ok) return {};
  return trajectory(fmi, 0, 100, h);
}

TYPED_TEST(Environment, OtherRoundingModesAreKeptAndChangeLittle) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  const auto nearest = life<TypeParam>(library, model);
  ASSERT_FALSE(nearest.empty());
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    const auto other = life<TypeParam>(library, model);
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
    ASSERT_EQ(other.size(), nearest.size()) << "rounding mode " << mode;
    for (std::size_t i = 0; i < other.size(); ++i)
      ASSERT_NEAR(other[i], nearest[i], 1e-3 * (1 + std::abs(nearest[i])))
          << "rounding mode " << mode;
  }
}

TYPED_TEST(Environment, NormalRunsRaiseNoTrappedException) {
  if (sanitized()) GTEST_SKIP() << "sanitizers handle signals in their own way";
  for (const char* name : all_models) {
    const Model model(name);
    EXPECT_EQ(in_child([&] {
                std::signal(SIGFPE, SIG_DFL);
                feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
                const Library library(library_path(name));
                return life<TypeParam>(library, model).empty() ? 1 : 0;
              }),
              "0")
        << name;
  }
}

TYPED_TEST(Environment, FailuresRaiseNoTrappedException) {
  if (sanitized()) GTEST_SKIP() << "sanitizers handle signals in their own way";
  const Model model("slider_crank");
  EXPECT_EQ(in_child([&] {
              std::signal(SIGFPE, SIG_DFL);
              feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
              const Library library(library_path(model.name));
              TypeParam fmi(library, model);
              const auto torque = model.reference("torque");
              if (fmi.initialize() != ok) return 1;
              if (fmi.set(torque, std::nan("")) == ok) return 2;
              if (fmi.set(torque, HUGE_VAL) == ok) return 3;
              if (fmi.step(0, -1) != error || fmi.step(0, std::nan("")) != error) return 4;
              return fmi.step(0, H);
            }),
            "0");
}

/// A German locale for this program alone, from the definitions in Debian's package locales.
class MadeLocale {
 public:
  MadeLocale() {
    if (std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr) return;
    fs::create_directories(folder_);
    const std::string command = "localedef --no-archive -i de_DE -f UTF-8 " +
                                (folder_ / "de_DE.UTF-8").string() + " 2>/dev/null";
    if (std::system(command.c_str()) == 0) setenv("LOCPATH", folder_.c_str(), 1);
  }
  MadeLocale(const MadeLocale&) = delete;
  MadeLocale& operator=(const MadeLocale&) = delete;
  ~MadeLocale() {
    unsetenv("LOCPATH");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("mechfmu_locale_" + std::to_string(getpid()));
};

TYPED_TEST(Environment, ADecimalCommaChangesNothing) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  const auto expected = life<TypeParam>(library, model);
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const MadeLocale made;
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr)
    GTEST_SKIP() << "there is no locale with a decimal comma, and localedef cannot make one";
  EXPECT_EQ(std::localeconv()->decimal_point, std::string(","));
  EXPECT_EQ(life<TypeParam>(library, model), expected);
  TypeParam fmi(library, model);
  EXPECT_EQ(fmi.initialize(), ok);
  EXPECT_EQ(fmi.step(0.5, H), error);
  ASSERT_EQ(fmi.messages.size(), 1U);
  EXPECT_NE(fmi.messages[0].find("0.5"), std::string::npos) << fmi.messages[0];
  std::setlocale(LC_ALL, before.c_str());
}

}  // namespace
}  // namespace mechfmu::tests
