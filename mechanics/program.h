// A formula as a list of operations on numbered slots, for expressions that are not compiled.
//
//   slots    constants │ settings │ fixed │ arguments │ time │ moving
//
//   value         v = φ(v_a, v_b), one operation after the other
//   derivatives   ∂ᵢv = φ_a ∂ᵢa + φ_b ∂ᵢb, of moving slots; fixed ones depend on no argument
//   second ones   ∂ᵢ∂ⱼv = φ_a ∂ᵢ∂ⱼa + φ_b ∂ᵢ∂ⱼb
//                         + φ_aa ∂ᵢa ∂ⱼa + φ_ab (∂ᵢa ∂ⱼb + ∂ⱼa ∂ᵢb) + φ_bb ∂ᵢb ∂ⱼb
//   along         all of these on numbers that carry a derivative along one change, of settings too
//
// There are no jumps: both sides of a condition are computed and one is selected. Every operation
// runs once, and check() verifies in one pass that a program stays within its slots. Laws that
// differ in their numbers only have the same program; a Calculation holds the numbers. A compiled
// program has a formula in place of operations (mechanics/formula.h).

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mechanics/formula.h"
#include "mechanics/law.h"
#include "mechanics/operation.h"
#include "mechanics/table.h"

namespace mechfmu::mechanics {

struct Program {
  std::int32_t constants = 0, settings = 0, fixed = 0, arguments = 0, moving = 0;  // slots
  std::int32_t tables = 0;
  std::vector<Operation> operations;  // those of fixed slots first
  std::vector<std::int32_t> results;  // slots
  struct Call {
    std::string function;
    std::vector<std::int32_t> arguments;  // slots
    friend bool operator==(const Call&, const Call&) = default;
  };
  std::vector<Call> calls{};                 // of functions in C++
  const tables::Formula* formula = nullptr;  // if compiled: in place of operations
  friend bool operator==(const Program&, const Program&) = default;

  std::int32_t first_argument() const { return constants + settings + fixed; }
  std::int32_t time() const { return first_argument() + arguments; }
  std::int32_t slots() const { return time() + 1 + moving; }
  /// Throws std::invalid_argument where an operation reads or writes a slot that it may not.
  void check() const;
};

/// A program with its numbers, the settings it reads and its tables.
struct Calculation {
  std::shared_ptr<const Program> program;
  std::vector<double> constants{};
  std::vector<Index> settings{};
  std::vector<std::shared_ptr<const functions::Table>> tables{};

  /// Writes as many values as the program has results.
  void values(double t, const double* arguments, InputValues u, double* results) const;
  double value(double t, const double* arguments, InputValues u) const;
  double value(const Scope<double>& s) const { return value(s.t, s.arguments, s.settings); }
  /// … with derivatives with respect to the arguments
  void derive(const Scope<double>& s, LawValue& out) const;
  /// … and second ones, time being the last argument
  void derive_twice(const Scope<double>& s, RelationValue& out) const;
  // Along one change of time, arguments and settings, where it is known
  bool knows_changes() const {
    const tables::Formula* f = program->formula;
    return f == nullptr ? program->calls.empty() : f->along != nullptr;
  }
  bool knows_changes_of_derivatives() const {
    const tables::Formula* f = program->formula;
    return f == nullptr ? program->calls.empty() : f->derive_twice_along != nullptr;
  }
  Along along(const ScopeAlong& s) const;
  void derive_twice_along(const ScopeAlong& s, RelationAlong& out) const;

  /// Numbers of InputValues::room that these need; without it they allocate. 0: the stack is
  /// enough.
  enum class Wanted { value, gradient, hessian };
  std::size_t room(Wanted wanted) const;
};

/// The law of a calculation with one result.
Law calculated_law(std::vector<Argument> arguments, const Calculation& calculation, bool relation);
Number calculated_number(const Calculation& calculation);
/// … with three results.
Triple calculated_triple(const Calculation& calculation);

}  // namespace mechfmu::mechanics
