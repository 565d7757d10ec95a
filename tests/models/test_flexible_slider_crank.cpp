// The slider-crank with a rod as a flexible body, in mean axes and in space, against Simeon's
// equations of the same shapes in the axes of the chord: they differ by terms of second order in
// the deformation.

#include "models/flexible_slider_crank/flexible_slider_crank.h"
#include "tests/models/model_files.h"
#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

/// Has the modal masses of elongation that integration gives, and a crank that reaches its speed in
/// 50 ms.
struct FromRest : models::FlexibleSliderCrank {
  FromRest() { elongation_mass = 1; }

  template <class T>
  Vec<T, 3> g(T t, const Vec<T, 7>& y) const {
    const T x = t / 0.05;
    Vec<T, 3> gap = FlexibleSliderCrank::g(t, y);
    gap[2] = y[0] - Omega * 0.05 * x * x * x * x * (2.5 - 3.0 * x + x * x);
    return gap;
  }
  void variables(Variables& v) {
    FlexibleSliderCrank::variables(v);
    v.start({.y = {0, 0, l1 + l2, 0, 0, 0, 0}, .z = {0, 0, 0, 0, 0, 0, 0}});
  }
};

TEST(FlexibleSliderCrank, MovesByItsFileAsByTheEquationsOfItsShapes) {
  Diagnostics diagnostics;
  const std::filesystem::path file = std::filesystem::path(MECHFMU_MODELS).parent_path() /
                                     "tests/models/flexible_slider_crank.xml";
  const MechanismText text = read_mechanism_file(file, diagnostics);
  const Plan plan = make_plan(text, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << diagnostics.text();
  MechanismRun flexible(build_mechanism(plan), adaptive(1e-9));
  ModelRun<FromRest> equations(converged(1));
  // angle of the rod, slider, deflection in the middle, elongation; the largest of the last two
  const std::vector<std::string> names = {"phi2", "x3", "deflection", "elongation"};
  const double allowed[] = {1e-7, 1e-7, 1e-3 * 8.2e-4, 3e-3 * 8.5e-6};
  double bent = 0;
  for (int i = 1; i <= 50; ++i) {
    ASSERT_NO_FATAL_FAILURE(flexible.advance(1e-3 * i));
    for (int k = 0; k < 100; ++k) equations.step(1e-5);
    const Vector& y = equations.y();
    const Vector found = flexible.read(names);
    const double expected[] = {y[1], y[2], y[3], y[6]};
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(found[k], expected[k], allowed[k])
          << names[static_cast<std::size_t>(k)] << " at " << i << " ms";
    bent = std::max(bent, std::abs(y[3]));
  }
  EXPECT_GT(bent, 8e-4);
}

}  // namespace
}  // namespace mechfmu::tests
