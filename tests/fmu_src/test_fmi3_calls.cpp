// FMI 3.0: every function in every phase of an instance's life, and with missing arguments.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/fmu_src/calls.h"

namespace mechfmu::tests {
namespace {

#define FMI3(NAME) fmi.library.function<fmi3##NAME##TYPE>("fmi3" #NAME)

/// Instances in the phases of the standard's state machine; `asked` and `inside` are in
/// callbacks of a step, before and after a substep.
enum Phase3 : char {
  instantiated = 'I',
  initialization = 'N',
  event = 'E',
  stepping = 'S',
  asked = 'A',
  inside = 'M',
  terminated = 'T'
};

void bring_to(Fmi3& fmi, char phase) {
  ASSERT_TRUE(fmi.exists());
  if (phase == instantiated) return;
  ASSERT_EQ(fmi.enter_initialization(), ok);
  if (phase == initialization) return;
  ASSERT_EQ(fmi.exit_initialization(), ok);
  if (phase == event) return;
  ASSERT_EQ(FMI3(EnterStepMode)(fmi.instance), ok);
  ASSERT_EQ(fmi.step(0, H), ok);
  if (phase == terminated) {
    ASSERT_EQ(fmi.terminate(), ok);
  }
}

std::vector<Row<Fmi3>> rows(const Model& model) {
  const std::uint32_t torque = model.reference("torque");
  const std::uint32_t angle = model.reference("theta1");
  const std::uint32_t length = model.reference("l1");
  const std::uint32_t method = model.reference("solver.method");
  const std::uint32_t substeps = model.reference("solver.max_substeps");
  const std::uint32_t rescale = model.reference("solver.rescale");
  return {
      {"fmi3SetDebugLogging", "INESAMT",
       [](const Fmi3& fmi) {
         return FMI3(SetDebugLogging)(fmi.instance, fmi3False, size_t{0}, nullptr);
       }},
      {"fmi3EnterInitializationMode", "I",
       [](const Fmi3& fmi) {
         return FMI3(EnterInitializationMode)(fmi.instance, fmi3True, 1e-6, 0.0, fmi3True, 10.0);
       }},
      {"fmi3ExitInitializationMode", "N",
       [](const Fmi3& fmi) { return FMI3(ExitInitializationMode)(fmi.instance); }},
      {"fmi3EnterEventMode", "S",
       [](const Fmi3& fmi) { return FMI3(EnterEventMode)(fmi.instance); }},
      {"fmi3EnterStepMode", "E", [](const Fmi3& fmi) { return FMI3(EnterStepMode)(fmi.instance); }},
      {"fmi3UpdateDiscreteStates", "E",
       [](const Fmi3& fmi) {
         fmi3Boolean b = fmi3False;
         double time = 0;
         return FMI3(UpdateDiscreteStates)(fmi.instance, &b, &b, &b, &b, &b, &time);
       }},
      {"fmi3Terminate", "ES", [](const Fmi3& fmi) { return FMI3(Terminate)(fmi.instance); }},
      {"fmi3Reset", "INEST", [](const Fmi3& fmi) { return FMI3(Reset)(fmi.instance); }},
      {"fmi3DoStep", "S", [](const Fmi3& fmi) { return fmi.step(H, H); }},
      {"fmi3GetFloat64 of a parameter", "INEST",
       [=](const Fmi3& fmi) {
         double value = 0;
         return fmi.get({length}, &value);
       }},
      {"fmi3GetFloat64 of an output", "NESMT",
       [=](const Fmi3& fmi) {
         double value = 0;
         return fmi.get({angle}, &value);
       }},
      {"fmi3GetInt64", "INEST",
       [=](const Fmi3& fmi) {
         fmi3Int64 value = 0;
         return FMI3(GetInt64)(fmi.instance, &method, size_t{1}, &value, size_t{1});
       }},
      {"fmi3GetBoolean", "INEST",
       [=](const Fmi3& fmi) {
         fmi3Boolean value = fmi3False;
         return FMI3(GetBoolean)(fmi.instance, &rescale, size_t{1}, &value, size_t{1});
       }},
      {"fmi3SetFloat64 of an input", "INESAM",
       [=](const Fmi3& fmi) { return fmi.set(torque, 0.5); }},
      {"fmi3SetFloat64 of a tunable parameter", "INES",
       [=](const Fmi3& fmi) { return fmi.set(fmi.model.reference("m4"), 0.8); }},
      {"fmi3SetFloat64 of an output", "", [=](const Fmi3& fmi) { return fmi.set(angle, 0.5); }},
      {"fmi3SetInt64 of a setting", "IN",
       [=](const Fmi3& fmi) { return fmi.set_integer(substeps, 1000); }},
      {"fmi3SetBoolean of a setting", "IN",
       [=](const Fmi3& fmi) {
         const fmi3Boolean value = fmi3True;
         return FMI3(SetBoolean)(fmi.instance, &rescale, size_t{1}, &value, size_t{1});
       }},
      {"fmi3GetOutputDerivatives", "ESMT",
       [=](const Fmi3& fmi) {
         const fmi3Int32 order = 1;
         double value = 0;
         return FMI3(GetOutputDerivatives)(fmi.instance, &angle, size_t{1}, &order, &value,
                                           size_t{1});
       }},
      {"fmi3GetDirectionalDerivative", "NES",
       [=](const Fmi3& fmi) {
         const double seed = 1;
         double value = 0;
         return FMI3(GetDirectionalDerivative)(fmi.instance, &angle, size_t{1}, &torque, size_t{1},
                                               &seed, size_t{1}, &value, size_t{1});
       }},
      {"fmi3GetAdjointDerivative", "NES",
       [=](const Fmi3& fmi) {
         const double seed = 1;
         double value = 0;
         return FMI3(GetAdjointDerivative)(fmi.instance, &angle, size_t{1}, &torque, size_t{1},
                                           &seed, size_t{1}, &value, size_t{1});
       }},
      // A state belongs to a communication point: none can be saved or restored inside a step.
      {"fmi3GetFMUState", "INEST", save_a_state<Fmi3>},
      {"fmi3SetFMUState", "INEST", restore_a_state<Fmi3>},
      {"fmi3SerializeFMUState", "INESAMT", serialize_a_state<Fmi3>},
      {"fmi3DeserializeFMUState", "INESAMT", deserialize_a_state<Fmi3>},
      {"fmi3EnterConfigurationMode", "",
       [](const Fmi3& fmi) { return FMI3(EnterConfigurationMode)(fmi.instance); }},
      {"fmi3EnterContinuousTimeMode", "",
       [](const Fmi3& fmi) { return FMI3(EnterContinuousTimeMode)(fmi.instance); }},
      {"fmi3SetTime", "", [](const Fmi3& fmi) { return FMI3(SetTime)(fmi.instance, 0.0); }},
  };
}

void expect_usable(Fmi3& fmi) {
  EXPECT_EQ(fmi.reset(), ok);
  EXPECT_EQ(fmi.initialize(), ok);
  EXPECT_EQ(FMI3(EnterStepMode)(fmi.instance), ok);
  EXPECT_EQ(fmi.step(0, H), ok);
}

TEST(Fmi3Calls, AreCarriedOutInTheirPhasesAndAreErrorsInOthers) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  for (const Row<Fmi3>& row : rows(model))
    for (const char phase : {instantiated, initialization, event, stepping, terminated}) {
      SCOPED_TRACE(std::string(row.function) + " in phase " + phase);
      Fmi3 fmi(library, model, "instance", true);
      ASSERT_NO_FATAL_FAILURE(bring_to(fmi, phase));
      check(row, fmi, phase);
      expect_usable(fmi);
    }
}

TEST(Fmi3Calls, InsideAStepDoNoHarm) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  for (const Row<Fmi3>& row : rows(model))
    for (const char phase : {asked, inside}) {
      SCOPED_TRACE(std::string(row.function) + " in phase " + phase);
      const std::string end = in_child([&] {
        bool active = false;
        Fmi3* self = nullptr;
        Fmi3 fmi(library, model, "instance", true, [&](bool finished) {
          if (active && finished == (phase == inside)) {
            active = false;
            check(row, *self, phase);
          }
        });
        self = &fmi;
        bring_to(fmi, stepping);
        active = true;
        EXPECT_EQ(fmi.step(H, H), ok);
        EXPECT_FALSE(active);
        EXPECT_EQ(fmi.step(2 * H, H), ok);
        expect_usable(fmi);
        return 0;
      });
      EXPECT_EQ(end, "0");
    }
}

TEST(Fmi3Calls, EventModeIsForInstancesThatWereMadeForIt) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  Fmi3 fmi(library, model);
  ASSERT_EQ(fmi.initialize(), ok);
  EXPECT_EQ(FMI3(EnterStepMode)(fmi.instance), error);
  EXPECT_EQ(fmi.step(0, H), ok);
  EXPECT_EQ(FMI3(EnterEventMode)(fmi.instance), error);
  EXPECT_EQ(fmi.step(H, H), ok);
}

// --- missing arguments ---

std::vector<Target> targets(const Library& library) {
  std::vector<Target> all;
#define ADD(NAME) all.push_back(target<fmi3##NAME##TYPE>(library, "fmi3" #NAME));
#define ADD_VARIABLES(TYPE) ADD(Get##TYPE) ADD(Set##TYPE)
  ADD_VARIABLES(Float32)
  ADD_VARIABLES(Float64)
  ADD_VARIABLES(Int8)
  ADD_VARIABLES(UInt8)
  ADD_VARIABLES(Int16)
  ADD_VARIABLES(UInt16)
  ADD_VARIABLES(Int32)
  ADD_VARIABLES(UInt32)
  ADD_VARIABLES(Int64)
  ADD_VARIABLES(UInt64)
  ADD_VARIABLES(Boolean)
  ADD_VARIABLES(String)
  ADD_VARIABLES(Binary)
  ADD_VARIABLES(Clock)
  ADD_VARIABLES(IntervalDecimal)
  ADD_VARIABLES(IntervalFraction)
  ADD_VARIABLES(ShiftDecimal)
  ADD_VARIABLES(ShiftFraction)
  ADD_VARIABLES(FMUState)
  ADD_VARIABLES(ContinuousStates)
  ADD(SetDebugLogging)
  ADD(EnterInitializationMode)
  ADD(ExitInitializationMode)
  ADD(EnterEventMode)
  ADD(Terminate)
  ADD(Reset)
  ADD(GetNumberOfVariableDependencies)
  ADD(GetVariableDependencies)
  ADD(FreeFMUState)
  ADD(SerializedFMUStateSize)
  ADD(SerializeFMUState)
  ADD(DeserializeFMUState)
  ADD(GetDirectionalDerivative)
  ADD(GetAdjointDerivative)
  ADD(EnterConfigurationMode)
  ADD(ExitConfigurationMode)
  ADD(EvaluateDiscreteStates)
  ADD(UpdateDiscreteStates)
  ADD(EnterContinuousTimeMode)
  ADD(CompletedIntegratorStep)
  ADD(SetTime)
  ADD(GetContinuousStateDerivatives)
  ADD(GetEventIndicators)
  ADD(GetNominalsOfContinuousStates)
  ADD(GetNumberOfEventIndicators)
  ADD(GetNumberOfContinuousStates)
  ADD(EnterStepMode)
  ADD(GetOutputDerivatives)
  ADD(DoStep)
  ADD(ActivateModelPartition)
#undef ADD_VARIABLES
#undef ADD
  return all;
}

TEST(Fmi3Calls, WithoutAnInstanceAreErrors) {
  const Library library(library_path("slider_crank"));
  expect_errors_without_an_instance(targets(library));
  EXPECT_EQ(in_child([&] {
              library.function<fmi3FreeInstanceTYPE>("fmi3FreeInstance")(nullptr);
              return 0;
            }),
            "0");
}

TEST(Fmi3Calls, WithAMissingArgumentAreErrors) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  for (const char phase : {initialization, event, stepping}) {
    SCOPED_TRACE(phase);
    const auto make = [&] {
      auto fmi = std::make_unique<Fmi3>(library, model, "instance", true);
      bring_to(*fmi, phase);
      return fmi;
    };
    expect_without_arguments<Fmi3>(targets(library), make, [&](const std::string& target) {
      // The importer may omit results of an event: their pointers may be null.
      const bool may_be_null =
          target == "fmi3FreeFMUState" || (target == "fmi3UpdateDiscreteStates" && phase == event);
      return may_be_null ? ok : error;
    });
  }
}

TEST(Fmi3Calls, InstantiateNeedsANameAndATokenOnly) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  const auto instantiate =
      library.function<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation");
  const auto free = library.function<fmi3FreeInstanceTYPE>("fmi3FreeInstance");
  const char* token = model.token.c_str();
  const auto made = [&](const char* name, const char* guid, const char* resources,
                        const fmi3ValueReference* intermediate, size_t n) {
    return in_child([&] {
      void* instance = instantiate(name, guid, resources, fmi3False, fmi3True, fmi3False, fmi3False,
                                   intermediate, n, nullptr, nullptr, nullptr);
      free(instance);
      return instance == nullptr ? 1 : 0;
    });
  };
  const fmi3ValueReference known = 0;
  const fmi3ValueReference unknown = 1'000'000;
  EXPECT_EQ(made("a", token, nullptr, nullptr, 0), "0");
  EXPECT_EQ(made("a", token, "no folder", &known, 1), "0");
  EXPECT_EQ(made(nullptr, token, nullptr, nullptr, 0), "1");
  EXPECT_EQ(made("", token, nullptr, nullptr, 0), "1");
  EXPECT_EQ(made("a", nullptr, nullptr, nullptr, 0), "1");
  EXPECT_EQ(made("a", "", nullptr, nullptr, 0), "1");
  EXPECT_EQ(made("a", token, nullptr, nullptr, 1), "1");
  EXPECT_EQ(made("a", token, nullptr, &unknown, 1), "1");
  EXPECT_EQ(in_child([&] {
              const auto exchange = library.function<fmi3InstantiateModelExchangeTYPE>(
                  "fmi3InstantiateModelExchange");
              const auto scheduled = library.function<fmi3InstantiateScheduledExecutionTYPE>(
                  "fmi3InstantiateScheduledExecution");
              return exchange(nullptr, nullptr, nullptr, fmi3False, fmi3False, nullptr, nullptr) ==
                                 nullptr &&
                             scheduled(nullptr, nullptr, nullptr, fmi3False, fmi3False, nullptr,
                                       nullptr, nullptr, nullptr, nullptr) == nullptr
                         ? 0
                         : 1;
            }),
            "0");
}

}  // namespace
}  // namespace mechfmu::tests
