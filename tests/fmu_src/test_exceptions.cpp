// Exceptions of any type, thrown by the model, by a callback of the importer or by its logger,
// become an error, and the instance continues from its previous state.

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "fmu_src/guard.h"
#include "tests/fmu_src/importer.h"
#include "tests/fmu_src/own_model.h"

namespace mechfmu::tests {
namespace {

constexpr double H = 0.01;
constexpr mechfmu::Function function{"function", any_phase};

using Bytes = std::vector<unsigned char>;

Bytes saved(const Instance& instance) {
  Bytes bytes(instance.serialized_size());
  instance.serialize(instance.snapshot(), bytes.data(), bytes.size());
  return bytes;
}

struct Messages {
  std::vector<std::string> all;
  Instance::Logger logger() {
    return [this](Status, const char*, const std::string& message) { all.push_back(message); };
  }
};

TEST(Exceptions, OfAnyKindBecomeAnErrorWithOneMessage) {
  Messages messages;
  Instance instance("pendulum", messages.logger(), false);
  const std::vector<std::function<void()>> kinds = {
      [] { throw mechfmu::error("refused"); },
      [] { throw std::runtime_error("failed"); },
      [] { throw std::bad_alloc(); },
      [] { throw 1; },
  };
  for (const auto& kind : kinds)
    EXPECT_EQ(guard(&instance, function, [&](Instance&) { kind(); }), Status::error);
  ASSERT_EQ(messages.all.size(), kinds.size());
  EXPECT_EQ(messages.all[0], "refused");
  EXPECT_EQ(messages.all[1], "function: failed");
  EXPECT_EQ(messages.all[2], "function: out of memory");
  EXPECT_NE(messages.all[3].find("function: "), std::string::npos);
}

TEST(Exceptions, OfTheLoggerDoNotLeaveTheFmu) {
  Instance instance(
      "pendulum", [](Status, const char*, const std::string&) { throw 1; }, true);
  EXPECT_EQ(guard(&instance, function, [](Instance&) { throw 2; }), Status::error);
  start(instance);
  const Bytes before = saved(instance);
  const auto step = [](Instance& i) { i.do_step(0, H, false); };
  EXPECT_EQ(guard(&instance, function, step), Status::error);  // it logs the statistics
  EXPECT_EQ(saved(instance), before);
  instance.set_logging(false, {});
  EXPECT_EQ(guard(&instance, function, step), Status::ok);
}

void count2(fmi2ComponentEnvironment environment, fmi2String, fmi2Status, fmi2String, fmi2String,
            ...) {
  ++*static_cast<int*>(environment);
}
void count3(fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String) {
  ++*static_cast<int*>(environment);
}
void throw3(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String) { throw 1; }

TEST(Exceptions, OfAModelThatCannotBeMadeMeanNoInstance) {
  const Misbehaves misbehaves(&Misbehaviour::when_made);
  int messages = 0;
  const fmi2CallbackFunctions callbacks = {count2, nullptr, nullptr, nullptr, &messages};
  EXPECT_EQ(fmi2Instantiate("a", fmi2CoSimulation, "", "", &callbacks, fmi2False, fmi2False),
            nullptr);
  EXPECT_EQ(messages, 1);
  for (const fmi3LogMessageCallback log : {count3, throw3})
    EXPECT_EQ(fmi3InstantiateCoSimulation("a", "", "", fmi3False, fmi3False, fmi3False, fmi3False,
                                          nullptr, 0, &messages, log, nullptr),
              nullptr);
  EXPECT_EQ(messages, 2);
}

TEST(Exceptions, OfAModelFunctionUndoAStep) {
  for (const bool keep_substeps : {false, true}) {
    Messages messages;
    Instance instance("pendulum", messages.logger(), false);
    Instance other("pendulum", {}, false);
    for (Instance* i : {&instance, &other}) {
      start(*i);
      i->do_step(0, H, keep_substeps);
      write(*i, "F", 3);
    }
    const Bytes before = saved(instance);
    const auto step = [&](Instance& i) { i.do_step(H, H, keep_substeps); };
    {
      const Misbehaves misbehaves(&Misbehaviour::in_f);
      EXPECT_EQ(guard(&instance, function, step), Status::error);
      EXPECT_EQ(messages.all.size(), 1U);
      EXPECT_EQ(saved(instance), before);
    }
    EXPECT_EQ(guard(&instance, function, step), Status::ok);
    step(other);
    EXPECT_EQ(saved(instance), saved(other));
    EXPECT_EQ(read(instance, "acceleration"), read(other, "acceleration"));
  }
}

/// Reads an output after every substep, of a model that then throws.
class Curious final : public StepObserver {
 public:
  explicit Curious(Instance& instance) : instance_(instance) {}
  bool accepted(State&) override {
    instance_.enter_intermediate();
    {
      const Misbehaves misbehaves(&Misbehaviour::in_f);
      EXPECT_EQ(guard(&instance_, function, [](Instance& i) { read(i, "acceleration"); }),
                Status::error);
    }
    instance_.leave_intermediate();
    return true;
  }

 private:
  Instance& instance_;
};

TEST(Exceptions, OfAModelFunctionInACallbackUndoTheStep) {
  Instance instance("pendulum", {}, false);
  Instance other("pendulum", {}, false);
  for (Instance* i : {&instance, &other}) start(*i);
  const Bytes before = saved(instance);
  Curious curious(instance);
  EXPECT_EQ(guard(&instance, function, [&](Instance& i) { i.do_step(0, H, false, &curious); }),
            Status::error);
  EXPECT_EQ(saved(instance), before);
  for (Instance* i : {&instance, &other}) i->do_step(0, H, false);
  EXPECT_EQ(saved(instance), saved(other));
}

TEST(Exceptions, OfAnImportersCallbackUndoAStep) {
  const Model model("slider_crank");
  const Library library(library_path(model.name));
  const std::uint32_t torque = model.reference("torque");
  for (const bool after_substep : {false, true})
    for (const bool standard : {false, true}) {
      SCOPED_TRACE(std::string(after_substep ? "after" : "before") + " a substep");
      int calls = 0;
      bool active = false;
      Fmi3* self = nullptr;
      Fmi3 fmi(library, model, "instance", false, [&](bool finished) {
        if (!active || finished != after_substep || ++calls < 3) return;
        self->set(torque, 5);
        if (standard) throw std::runtime_error("of the importer");
        throw 1;
      });
      self = &fmi;
      Fmi3 quiet(library, model, "quiet", false, [](bool) {});
      for (Fmi3* f : {&fmi, &quiet}) {
        ASSERT_EQ(f->initialize(), ok);
        ASSERT_EQ(f->step(0, 0.05), ok);
      }
      active = true;
      EXPECT_EQ(fmi.step(0.05, 0.05), error);
      EXPECT_EQ(fmi.messages.size(), 1U);
      EXPECT_GE(calls, 3);
      active = false;
      double t = 0;
      EXPECT_EQ(fmi.get({model.reference("time")}, &t), ok);
      EXPECT_EQ(t, 0.05);
      EXPECT_EQ(trajectory(fmi, 0.05, 10, H), trajectory(quiet, 0.05, 10, H));
    }
}

TEST(Exceptions, InDerivativesLeaveInitializationModeAsItWas) {
  Messages messages;
  Instance instance("pendulum", messages.logger(), false);
  instance.setup(false, 0, 0, false, 0);
  instance.enter_initialization();
  const double energy = read(instance, "energy.total");
  const auto derive = [&](const char* unknown, const char* known) {
    return guard(&instance, function, [&](Instance& i) {
      std::vector<double> sensitivity;
      i.directional_derivative({reference(i, unknown)}, {reference(i, known)}, {1}, sensitivity);
    });
  };
  EXPECT_EQ(derive("solver.steps", "m"), Status::error);  // has another type
  EXPECT_EQ(read(instance, "m"), 1);
  {
    const Misbehaves misbehaves(&Misbehaviour::in_f);
    EXPECT_EQ(derive("energy.total", "l"), Status::error);
    EXPECT_EQ(derive("energy.total", "y"), Status::error);
  }
  EXPECT_EQ(messages.all.size(), 3U);
  EXPECT_EQ(read(instance, "l"), 1);
  EXPECT_EQ(read(instance, "energy.total"), energy);
  EXPECT_EQ(derive("energy.total", "l"), Status::ok);
  Instance other("pendulum", {}, false);
  start(other);
  instance.exit_initialization();
  EXPECT_EQ(saved(instance), saved(other));
}

}  // namespace
}  // namespace mechfmu::tests
