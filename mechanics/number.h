// A number in the description of an element: a constant, a parameter, or an expression of
// parameters.
//
//   Number mass = 1.2;
//   Number stiffness = k;
//   Number length = of([=](auto p) { return 2 * p(l); });
//
// Numbers are read when a mechanism is built and again whenever a parameter changes; a quantity
// that depends on inputs, time or the motion is a Law (mechanics/law.h).

#pragma once

#include <Eigen/Geometry>
#include <functional>
#include <memory>
#include <utility>

#include "model/types.h"

namespace mechfmu::mechanics {

using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3>;

/// Handles of parameters and inputs: positions in the vector u.
struct Parameter {
  Index index = -1;
};
struct Input {
  Index index = -1;
};

/// The present values of parameters and inputs.
struct InputValues {
  const double* u = nullptr;
  double* room = nullptr;  // of the system: for formulas too large for the stack
  double operator()(Parameter p) const { return u[p.index]; }
  double operator()(Input i) const { return u[i.index]; }
};

class Number {
 public:
  Number(double value = 0) : value_(value) {}  // NOLINT(google-explicit-constructor)
  Number(Parameter p)
      : Number([p](InputValues s) { return s(p); }) {}  // NOLINT(google-explicit-constructor)
  explicit Number(std::function<double(InputValues)> expression)
      : expression_(std::make_shared<std::function<double(InputValues)>>(std::move(expression))) {}

  double operator()(InputValues s) const { return expression_ ? (*expression_)(s) : value_; }
  bool constant() const { return !expression_; }

 private:
  double value_ = 0;
  std::shared_ptr<std::function<double(InputValues)>> expression_;
};

/// A parameter in another unit: reach * 0.001.
inline Number operator*(Parameter p, double factor) {
  return Number([p, factor](InputValues s) { return s(p) * factor; });
}

/// A number that follows the parameters: of([=](InputValues s) { return 2 * s(length); }).
inline Number of(std::function<double(InputValues)> expression) {
  return Number(std::move(expression));
}

/// Three numbers: a point, a direction, a triple of angles.
struct Triple {
  Number x, y, z;
  Triple() = default;
  Triple(Number x_, Number y_, Number z_) : x(std::move(x_)), y(std::move(y_)), z(std::move(z_)) {}
  Triple(const Vec3& v) : x(v[0]), y(v[1]), z(v[2]) {}  // NOLINT(google-explicit-constructor)
  Vec3 operator()(InputValues s) const { return {x(s), y(s), z(s)}; }
  bool constant() const { return x.constant() && y.constant() && z.constant(); }
};

/// A number made of others: computed once if they are constants, otherwise with them.
inline Number following(bool constant, std::function<double(InputValues)> expression) {
  return constant ? Number(expression({})) : Number(std::move(expression));
}
inline Triple following(bool constant, const std::function<Vec3(InputValues)>& expression) {
  if (constant) return expression({});
  const auto part = [&](int k) {
    return of([expression, k](InputValues s) { return expression(s)[k]; });
  };
  return {part(0), part(1), part(2)};
}

}  // namespace mechfmu::mechanics
