// A model that the tests of this program export themselves, without loading a library.

#pragma once

#include <string>

#include "fmu_src/instance.h"

namespace mechfmu::tests {

/// Makes the functions of the model throw an int, which no standard library throws; or replaces the
/// model.
struct Misbehaviour {
  bool when_made = false;
  bool in_f = false;
  bool passes_a_singular_position = false;  // another model, tests/solver/toggle.h
};
Misbehaviour& misbehaviour();

/// While this object lives, the functions of the model throw.
struct Misbehaves {
  explicit Misbehaves(bool Misbehaviour::*how) : how_(how) { misbehaviour().*how_ = true; }
  Misbehaves(const Misbehaves&) = delete;
  Misbehaves& operator=(const Misbehaves&) = delete;
  ~Misbehaves() { misbehaviour().*how_ = false; }

 private:
  bool Misbehaviour::*how_;
};

/// Variables by their names.
std::uint32_t reference(const Instance& instance, const std::string& name);
double read(Instance& instance, const std::string& name);
void write(Instance& instance, const std::string& name, double value);

/// Up to the end of initialization.
void start(Instance& instance);

}  // namespace mechfmu::tests
