// Duals (model/dual_number.h) as scalars of Eigen's vectors and matrices.

#pragma once

#include <Eigen/Core>
#include <limits>

#include "model/dual_number.h"

namespace Eigen {

template <class T, int N>
struct NumTraits<mechfmu::Dual<T, N>> : GenericNumTraits<mechfmu::Dual<T, N>> {
  using Real = mechfmu::Dual<T, N>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1 + N,
    AddCost = 1 + N,
    MulCost = 3 * (1 + N)
  };
  static Real epsilon() { return Real(std::numeric_limits<double>::epsilon()); }
  static Real dummy_precision() { return Real(1e-12); }
  static int digits10() { return std::numeric_limits<double>::digits10; }
};

// double ∘ dual inside Eigen expressions: `2.0 * y`, `R * y` with a matrix R of doubles.
template <class T, int N, class Op>
struct ScalarBinaryOpTraits<mechfmu::Dual<T, N>, double, Op> {
  using ReturnType = mechfmu::Dual<T, N>;
};
template <class T, int N, class Op>
struct ScalarBinaryOpTraits<double, mechfmu::Dual<T, N>, Op> {
  using ReturnType = mechfmu::Dual<T, N>;
};

}  // namespace Eigen
