// A unit with a planted fault, to check that the attack finds it.

#pragma once

#include <limits>
#include <string>
#include <utility>

#include "tests/attack/unit.h"

namespace mechfmu::attack {

/// nan: a value that is not finite; changes: reading changes an input; accepts: a refused call
/// returns ok; silent: a refusal without a message; drifts: a restored state has moved; grows:
/// memory is never freed; crash: a null pointer is followed.
class Planted final : public Unit {
 public:
  Planted(std::unique_ptr<Unit> unit, std::string fault, std::uint32_t input)
      : unit_(std::move(unit)), fault_(std::move(fault)), input_(input) {}

  int enter_initialization(double start, bool has_stop, double stop, bool has_tolerance,
                           double tolerance) override {
    return done(unit_->enter_initialization(start, has_stop, stop, has_tolerance, tolerance));
  }
  int exit_initialization() override { return done(unit_->exit_initialization()); }
  int enter_event_mode() override { return done(unit_->enter_event_mode()); }
  int enter_step_mode() override { return done(unit_->enter_step_mode()); }
  int terminate() override { return done(unit_->terminate()); }
  int reset() override { return done(unit_->reset()); }
  int step(double t, double H) override {
    if (fault_ == "grows") lost_ = new std::vector<double>(2000, 1.0);  // NOLINT
    return done(unit_->step(t, H));
  }
  int get(const std::uint32_t* references, std::size_t n, double* values) override {
    const int status = done(unit_->get(references, n, values));
    if (++calls_ < 100 || status != ok) return status;
    if (fault_ == "nan") values[0] = std::numeric_limits<double>::quiet_NaN();
    if (fault_ == "changes") {
      const double other = static_cast<double>(calls_) * 1e-6;
      unit_->set(&input_, 1, &other);
    }
    return status;
  }
  int set(const std::uint32_t* references, std::size_t n, const double* values) override {
    if (fault_ == "crash" && ++calls_ > 100) *static_cast<volatile int*>(nullptr) = 0;  // NOLINT
    return done(unit_->set(references, n, values));
  }
  int get_whole(std::uint32_t reference, std::int64_t& value) override {
    return done(unit_->get_whole(reference, value));
  }
  int set_whole(std::uint32_t reference, std::int64_t value) override {
    return done(unit_->set_whole(reference, value));
  }
  int input_derivatives(const References& of, const std::vector<int>& orders,
                        const std::vector<double>& values) override {
    return done(unit_->input_derivatives(of, orders, values));
  }
  int output_derivatives(const References& of, const std::vector<int>& orders,
                         std::vector<double>& values) override {
    return done(unit_->output_derivatives(of, orders, values));
  }
  int directional_derivative(const References& unknowns, const References& knowns,
                             const std::vector<double>& seed,
                             std::vector<double>& sensitivity) override {
    return done(unit_->directional_derivative(unknowns, knowns, seed, sensitivity));
  }
  int save(void** state) override { return done(unit_->save(state)); }
  int restore(void* state) override {
    const int status = done(unit_->restore(state));
    const double other = static_cast<double>(++calls_) * 1e-9;
    if (fault_ == "drifts" && status == ok) unit_->set(&input_, 1, &other);
    return status;
  }
  int forget(void** state) override { return unit_->forget(state); }
  int serialized_size(void* state, std::size_t& size) override {
    return done(unit_->serialized_size(state, size));
  }
  int serialize(void* state, unsigned char* bytes, std::size_t size) override {
    return done(unit_->serialize(state, bytes, size));
  }
  int deserialize(const unsigned char* bytes, std::size_t size, void** state) override {
    return done(unit_->deserialize(bytes, size, state));
  }

 private:
  int done(int status) {
    if (fault_ != "silent") messages = unit_->messages;
    last_message = unit_->last_message;
    return fault_ == "accepts" && status == error ? static_cast<int>(ok) : status;
  }

  std::unique_ptr<Unit> unit_;
  std::string fault_;
  std::uint32_t input_;
  long calls_ = 0;
  std::vector<double>* lost_ = nullptr;
};

}  // namespace mechfmu::attack
