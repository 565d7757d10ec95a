// One instance of an FMU as an attacker sees it: every function of both versions, with any
// arguments.
//
// Statuses have the same numbers in FMI 2.0 and 3.0; a function that a version lacks returns
// `absent`.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "importer/fmu.h"

namespace mechfmu::attack {

enum : int { ok = 0, warning = 1, discard = 2, error = 3, fatal = 4, absent = 9 };

using Bytes = std::vector<unsigned char>;
using References = std::vector<std::uint32_t>;

class Unit {
 public:
  Unit() = default;
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;
  virtual ~Unit() = default;

  virtual int enter_initialization(double start, bool has_stop, double stop, bool has_tolerance,
                                   double tolerance) = 0;
  virtual int exit_initialization() = 0;
  virtual int enter_event_mode() { return absent; }
  virtual int enter_step_mode() { return absent; }
  virtual int terminate() = 0;
  virtual int reset() = 0;
  virtual int step(double t, double H) = 0;

  // Null pointers and wrong counts are passed on.
  virtual int get(const std::uint32_t* references, std::size_t n, double* values) = 0;
  virtual int set(const std::uint32_t* references, std::size_t n, const double* values) = 0;
  virtual int get_whole(std::uint32_t reference, std::int64_t& value) = 0;
  virtual int set_whole(std::uint32_t reference, std::int64_t value) = 0;
  virtual int input_derivatives(const References&, const std::vector<int>& /*orders*/,
                                const std::vector<double>&) {
    return absent;
  }
  virtual int output_derivatives(const References& of, const std::vector<int>& orders,
                                 std::vector<double>& values) = 0;
  virtual int directional_derivative(const References& unknowns, const References& knowns,
                                     const std::vector<double>& seed,
                                     std::vector<double>& sensitivity) = 0;

  virtual int save(void** state) = 0;
  virtual int restore(void* state) = 0;
  virtual int forget(void** state) = 0;
  virtual int serialized_size(void* state, std::size_t& size) = 0;
  virtual int serialize(void* state, unsigned char* bytes, std::size_t size) = 0;
  virtual int deserialize(const unsigned char* bytes, std::size_t size, void** state) = 0;

  /// The whole state, through save and serialize; empty if that is refused.
  Bytes bytes();
  /// Continues from such bytes.
  int go_on_from(const Bytes& bytes);

  long messages = 0;  // logged with a status above ok
  std::string last_message;
};

/// Returns null if the FMU refuses.
std::unique_ptr<Unit> make_unit(const Fmu& fmu, bool event_mode);

}  // namespace mechfmu::attack
