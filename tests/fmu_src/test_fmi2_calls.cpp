// FMI 2.0: every function in every phase of an instance's life, and with missing arguments.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tests/fmu_src/calls.h"

namespace mechfmu::tests {
namespace {

#define FMI2(NAME) fmi.library.function<fmi2##NAME##TYPE>("fmi2" #NAME)

/// Instances in the phases of the standard's state machine.
enum Phase2 : char {
  instantiated = 'I',
  initialization = 'N',
  stepping = 'S',
  failed = 'F',
  terminated = 'T'
};

void bring_to(Fmi2& fmi, char phase) {
  ASSERT_TRUE(fmi.exists());
  if (phase == instantiated) return;
  if (phase == failed) {
    ASSERT_EQ(fmi.set_integer(fmi.model.reference("solver.max_substeps"), 1), ok);
  }
  ASSERT_EQ(fmi.enter_initialization(), ok);
  if (phase == initialization) return;
  ASSERT_EQ(fmi.exit_initialization(), ok);
  if (phase == failed) {
    ASSERT_EQ(fmi.step(0, 0.5), discard);
    return;
  }
  ASSERT_EQ(fmi.step(0, H), ok);
  if (phase == terminated) {
    ASSERT_EQ(fmi.terminate(), ok);
  }
}

std::vector<Row<Fmi2>> rows(const Model& model) {
  const std::uint32_t torque = model.reference("torque");
  const std::uint32_t angle = model.reference("theta1");
  const std::uint32_t length = model.reference("l1");
  const std::uint32_t method = model.reference("solver.method");
  const std::uint32_t substeps = model.reference("solver.max_substeps");
  const std::uint32_t rescale = model.reference("solver.rescale");
  return {
      {"fmi2SetDebugLogging", "INSFT",
       [](const Fmi2& fmi) {
         return FMI2(SetDebugLogging)(fmi.instance, fmi2False, size_t{0}, nullptr);
       }},
      {"fmi2SetupExperiment", "I",
       [](const Fmi2& fmi) {
         return FMI2(SetupExperiment)(fmi.instance, fmi2True, 1e-6, 0.0, fmi2True, 10.0);
       }},
      {"fmi2EnterInitializationMode", "I",
       [](const Fmi2& fmi) { return FMI2(EnterInitializationMode)(fmi.instance); }},
      {"fmi2ExitInitializationMode", "N",
       [](const Fmi2& fmi) { return FMI2(ExitInitializationMode)(fmi.instance); }},
      {"fmi2Terminate", "SF", [](const Fmi2& fmi) { return FMI2(Terminate)(fmi.instance); }},
      {"fmi2Reset", "INSFT", [](const Fmi2& fmi) { return FMI2(Reset)(fmi.instance); }},
      {"fmi2DoStep", "S", [](const Fmi2& fmi) { return fmi.step(H, H); }},
      {"fmi2GetReal of a parameter", "INSFT",
       [=](const Fmi2& fmi) {
         double value = 0;
         return fmi.get({length}, &value);
       }},
      {"fmi2GetReal of an output", "NSFT",
       [=](const Fmi2& fmi) {
         double value = 0;
         return fmi.get({angle}, &value);
       }},
      {"fmi2GetInteger", "INSFT",
       [=](const Fmi2& fmi) {
         int value = 0;
         return FMI2(GetInteger)(fmi.instance, &method, size_t{1}, &value);
       }},
      {"fmi2GetBoolean", "INSFT",
       [=](const Fmi2& fmi) {
         int value = 0;
         return FMI2(GetBoolean)(fmi.instance, &rescale, size_t{1}, &value);
       }},
      {"fmi2SetReal of an input", "INS", [=](const Fmi2& fmi) { return fmi.set(torque, 0.5); }},
      {"fmi2SetReal of a tunable parameter", "INS",
       [=](const Fmi2& fmi) { return fmi.set(fmi.model.reference("m4"), 0.8); }},
      {"fmi2SetReal of an output", "", [=](const Fmi2& fmi) { return fmi.set(angle, 0.5); }},
      {"fmi2SetInteger of a setting", "IN",
       [=](const Fmi2& fmi) { return fmi.set_integer(substeps, 1000); }},
      {"fmi2SetBoolean of a setting", "IN",
       [=](const Fmi2& fmi) {
         const fmi2Boolean value = fmi2True;
         return FMI2(SetBoolean)(fmi.instance, &rescale, size_t{1}, &value);
       }},
      {"fmi2SetRealInputDerivatives", "INS",
       [=](const Fmi2& fmi) {
         const int order = 1;
         const double value = 0.1;
         return FMI2(SetRealInputDerivatives)(fmi.instance, &torque, size_t{1}, &order, &value);
       }},
      {"fmi2GetRealOutputDerivatives", "SFT",
       [=](const Fmi2& fmi) {
         const int order = 1;
         double value = 0;
         return FMI2(GetRealOutputDerivatives)(fmi.instance, &angle, size_t{1}, &order, &value);
       }},
      {"fmi2GetDirectionalDerivative", "NSF",
       [=](const Fmi2& fmi) {
         const double seed = 1;
         double value = 0;
         return FMI2(GetDirectionalDerivative)(fmi.instance, &angle, size_t{1}, &torque, size_t{1},
                                               &seed, &value);
       }},
      {"fmi2GetFMUstate", "INSFT", save_a_state<Fmi2>},
      {"fmi2SetFMUstate", "INSFT", restore_a_state<Fmi2>},
      {"fmi2SerializeFMUstate", "INSFT", serialize_a_state<Fmi2>},
      {"fmi2DeSerializeFMUstate", "INSFT", deserialize_a_state<Fmi2>},
      {"fmi2GetRealStatus", "INSFT",
       [](const Fmi2& fmi) {
         double value = 0;
         return FMI2(GetRealStatus)(fmi.instance, fmi2LastSuccessfulTime, &value);
       }},
      {"fmi2GetBooleanStatus", "INSFT",
       [](const Fmi2& fmi) {
         int value = 0;
         return FMI2(GetBooleanStatus)(fmi.instance, fmi2Terminated, &value);
       }},
      {"fmi2CancelStep", "", [](const Fmi2& fmi) { return FMI2(CancelStep)(fmi.instance); }},
      {"fmi2EnterEventMode", "",
       [](const Fmi2& fmi) { return FMI2(EnterEventMode)(fmi.instance); }},
      {"fmi2SetTime", "", [](const Fmi2& fmi) { return FMI2(SetTime)(fmi.instance, 0.0); }},
  };
}

TEST(Fmi2Calls, AreCarriedOutInTheirPhasesAndAreErrorsInOthers) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  for (const Row<Fmi2>& row : rows(model))
    for (const char phase : {instantiated, initialization, stepping, failed, terminated}) {
      SCOPED_TRACE(std::string(row.function) + " in phase " + phase);
      Fmi2 fmi(library, model);
      ASSERT_NO_FATAL_FAILURE(bring_to(fmi, phase));
      check(row, fmi, phase);
      // After any of these calls the instance can be used again.
      EXPECT_EQ(fmi.reset(), ok);
      EXPECT_EQ(fmi.initialize(), ok);
      EXPECT_EQ(fmi.step(0, H), ok);
    }
}

// --- missing arguments ---

std::vector<Target> targets(const Library& library) {
  std::vector<Target> all;
#define ADD(NAME) all.push_back(target<fmi2##NAME##TYPE>(library, "fmi2" #NAME));
  ADD(SetDebugLogging)
  ADD(SetupExperiment)
  ADD(EnterInitializationMode)
  ADD(ExitInitializationMode)
  ADD(Terminate)
  ADD(Reset)
  ADD(GetReal)
  ADD(GetInteger)
  ADD(GetBoolean)
  ADD(GetString)
  ADD(SetReal)
  ADD(SetInteger)
  ADD(SetBoolean)
  ADD(SetString)
  ADD(GetFMUstate)
  ADD(SetFMUstate)
  ADD(FreeFMUstate)
  ADD(SerializedFMUstateSize)
  ADD(SerializeFMUstate)
  ADD(DeSerializeFMUstate)
  ADD(GetDirectionalDerivative)
  ADD(EnterEventMode)
  ADD(NewDiscreteStates)
  ADD(EnterContinuousTimeMode)
  ADD(CompletedIntegratorStep)
  ADD(SetTime)
  ADD(SetContinuousStates)
  ADD(GetDerivatives)
  ADD(GetEventIndicators)
  ADD(GetContinuousStates)
  ADD(GetNominalsOfContinuousStates)
  ADD(SetRealInputDerivatives)
  ADD(GetRealOutputDerivatives)
  ADD(DoStep)
  ADD(CancelStep)
  ADD(GetStatus)
  ADD(GetRealStatus)
  ADD(GetIntegerStatus)
  ADD(GetBooleanStatus)
  ADD(GetStringStatus)
#undef ADD
  return all;
}

TEST(Fmi2Calls, WithoutAnInstanceAreErrors) {
  const Library library(library_path("slider_crank"));
  expect_errors_without_an_instance(targets(library));
  EXPECT_EQ(in_child([&] {
              library.function<fmi2FreeInstanceTYPE>("fmi2FreeInstance")(nullptr);
              return 0;
            }),
            "0");
}

TEST(Fmi2Calls, WithAMissingArgumentAreErrors) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  for (const char phase : {initialization, stepping}) {
    SCOPED_TRACE(phase);
    const auto make = [&] {
      auto fmi = std::make_unique<Fmi2>(library, model);
      bring_to(*fmi, phase);
      return fmi;
    };
    expect_without_arguments<Fmi2>(targets(library), make, [](const std::string& target) {
      if (target == "fmi2FreeFMUstate") return ok;
      return target.ends_with("Status") ? discard : error;
    });
  }
}

TEST(Fmi2Calls, InstantiateNeedsANameAndATokenOnly) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  const auto instantiate = library.function<fmi2InstantiateTYPE>("fmi2Instantiate");
  const auto free = library.function<fmi2FreeInstanceTYPE>("fmi2FreeInstance");
  const fmi2CallbackFunctions no_callbacks{};
  const char* token = model.token.c_str();
  const auto made = [&](const char* name, fmi2Type type, const char* guid, const char* resources,
                        const fmi2CallbackFunctions* callbacks) {
    return in_child([&] {
      void* instance = instantiate(name, type, guid, resources, callbacks, fmi2False, fmi2True);
      free(instance);
      return instance == nullptr ? 1 : 0;
    });
  };
  EXPECT_EQ(made("a", fmi2CoSimulation, token, nullptr, &no_callbacks), "0");
  EXPECT_EQ(made("a", fmi2CoSimulation, token, "not a URI", nullptr), "0");
  EXPECT_EQ(made(nullptr, fmi2CoSimulation, token, nullptr, nullptr), "1");
  EXPECT_EQ(made("", fmi2CoSimulation, token, nullptr, nullptr), "1");
  EXPECT_EQ(made("a", fmi2CoSimulation, nullptr, nullptr, nullptr), "1");
  EXPECT_EQ(made("a", fmi2CoSimulation, "", nullptr, nullptr), "1");
  EXPECT_EQ(made("a", fmi2ModelExchange, token, nullptr, nullptr), "1");
}

}  // namespace
}  // namespace mechfmu::tests
