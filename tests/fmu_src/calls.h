// Shared by the tables of calls that test every function of a version: in every phase of an
// instance's life, and with missing arguments.

#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/fmu_src/any_call.h"
#include "tests/fmu_src/importer.h"

namespace mechfmu::tests {

/// A communication step.
constexpr double H = 0.005;

// --- phases ---

template <class Fmi>
struct Row {
  const char* function;
  const char*
      phases;  // a letter per phase in which it is carried out; in all others it is an error
  std::function<int(const Fmi&)> call;
};

template <class Fmi>
void check(const Row<Fmi>& row, Fmi& fmi, char phase) {
  fmi.messages.clear();
  const bool allowed = std::string(row.phases).find(phase) != std::string::npos;
  EXPECT_EQ(row.call(fmi), allowed ? ok : error);
  EXPECT_EQ(fmi.messages.size(), allowed ? 0U : 1U) << testing::PrintToString(fmi.messages);
}

/// Status if another function than the one in question fails.
constexpr int elsewhere = 99;

template <class Fmi>
int save_a_state(const Fmi& fmi) {
  void* state = nullptr;
  const int status = fmi.save(&state);
  return fmi.forget(&state) == ok ? status : elsewhere;
}

/// A saved state of another instance.
template <class Fmi>
int with_state(const Fmi& fmi, const std::function<int(void*)>& use) {
  Fmi other(fmi.library, fmi.model);
  void* state = nullptr;
  if (other.initialize() != ok || other.save(&state) != ok) return elsewhere;
  const int status = use(state);
  return other.forget(&state) == ok ? status : elsewhere;
}

template <class Fmi>
int restore_a_state(const Fmi& fmi) {
  return with_state(fmi, [&](void* state) { return fmi.restore(state); });
}

template <class Fmi>
int serialize_a_state(const Fmi& fmi) {
  std::vector<char> bytes;
  return with_state(fmi, [&](void* state) { return fmi.serialize(state, bytes); });
}

template <class Fmi>
int deserialize_a_state(const Fmi& fmi) {
  return with_state(fmi, [&](void* state) {
    std::vector<char> bytes;
    void* copy = nullptr;
    if (fmi.serialize(state, bytes) != ok) return elsewhere;
    const int status = fmi.deserialize(bytes, &copy);
    return fmi.forget(&copy) == ok ? status : elsewhere;
  });
}

// --- missing arguments ---

/// A function that any_call() can call.
struct Target {
  std::string name;
  int pointers;
  std::function<int(void* instance, void* saved, int null)> call;
};

template <class Type>
Target target(const Library& library, const char* name) {
  Type* function = library.function<Type>(name).address();
  return {name, pointers(function), [function](void* instance, void* saved, int null) {
            return any_call(function, instance, saved, null);
          }};
}

inline void expect_errors_without_an_instance(const std::vector<Target>& targets) {
  for (const Target& target : targets)
    for (const int null : {all, none})
      EXPECT_EQ(in_child([&] { return target.call(nullptr, nullptr, null); }), "3") << target.name;
}

/// Calls every target without each of its pointers and without all of them, each time on a new
/// instance.
template <class Fmi>
void expect_without_arguments(const std::vector<Target>& targets,
                              const std::function<std::unique_ptr<Fmi>()>& make,
                              const std::function<int(const std::string& target)>& expected) {
  for (const Target& target : targets)
    for (int null = target.pointers > 1 ? all : 0; null < target.pointers; ++null) {
      if (null == none) continue;
      const std::string end = in_child([&] {
        const std::unique_ptr<Fmi> fmi = make();
        void* saved = nullptr;
        fmi->save(&saved);
        return target.call(fmi->instance, saved, null);
      });
      EXPECT_EQ(end, std::to_string(expected(target.name)))
          << target.name << " without pointer " << null;
    }
}

}  // namespace mechfmu::tests
