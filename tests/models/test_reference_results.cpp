// Every mechanism file of models/ meets its reference.csv and keeps its balance of energy.

#include "tests/models/model_files.h"

namespace mechfmu::tests {
namespace {

class ModelFiles : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, ModelFiles, testing::ValuesIn(file_models()),
                         [](const auto& test) { return test.param; });

TEST_P(ModelFiles, MeetTheirReferenceResultWithTheDefaultTolerance) {
  const std::string name = GetParam();
  const ReferenceRun reference = reference_run(name);
  const Csv csv = read_csv(model_folder(name) / "reference.csv");
  const mechanics::Mechanism mechanism = from_file(name);
  MechanismRun run(mechanism, adaptive(mechanism.experiment.tolerance), reference.settings);
  const double stop = reference.stop > 0 ? reference.stop : mechanism.experiment.stop;
  ASSERT_GE(csv.rows.size(), 11U);
  EXPECT_DOUBLE_EQ(csv.rows.back()[0], stop);
  ASSERT_EQ(csv.names.size(), run.system.variables().outputs().size() + 1);
  const std::vector<std::string> outputs(csv.names.begin() + 1, csv.names.end());
  std::vector<double> largest(outputs.size(), 0.1), worst(outputs.size(), 0);
  for (const std::vector<double>& row : csv.rows) {
    // with communication steps, as in the command
    const double begin = run.state.point.t,
                 steps = std::round((row[0] - begin) / mechanism.experiment.step);
    for (int i = 1; i <= steps; ++i)
      ASSERT_NO_FATAL_FAILURE(run.advance(begin + (row[0] - begin) * i / steps));
    const Vector now = run.read(outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      largest[i] = std::max(largest[i], std::abs(row[i + 1]));
      worst[i] = std::max(worst[i], std::abs(row[i + 1] - now[static_cast<Index>(i)]));
    }
  }
  double greatest = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_LT(worst[i], reference.tolerance * largest[i]) << outputs[i];
    greatest = std::max(greatest, worst[i] / largest[i]);
  }
  EXPECT_GT(greatest, reference.tolerance / 10);  // the README does not understate the accuracy
}

/// The kinetic and potential energy and the dissipated energy equal the initial energy and the work
/// of inputs.
TEST_P(ModelFiles, KeepTheBalanceOfEnergy) {
  const ReferenceRun reference = reference_run(GetParam());
  mechanics::Mechanism mechanism = from_file(GetParam());
  mechanism.track_energy = true;
  MechanismRun run(mechanism, adaptive(1e-8), reference.settings);
  const double stop = reference.stop > 0 ? reference.stop : mechanism.experiment.stop;
  const double start = run.read("energy.total");
  double exchanged = 0, worst = 0;
  for (int i = 1; i <= 10; ++i) {
    ASSERT_NO_FATAL_FAILURE(run.advance(stop / 10 * i));
    exchanged =
        std::max({exchanged, run.read("energy.kinetic"), std::abs(run.read("energy.work"))});
    worst = std::max(worst, std::abs(run.read("energy.total") + run.read("energy.dissipated") -
                                     run.read("energy.work") - start));
  }
  EXPECT_LT(worst, 1e-4 * exchanged);
}

}  // namespace
}  // namespace mechfmu::tests
