// Vectors and matrices, named once.
//
//   Vector, Matrix   sized at run time, for the integrator
//   Vec<T,N>, Mat<T,R,C>   sized at compile time over any scalar T, for models
//   In, Out          run-time vectors as arguments, passed without a copy

#pragma once

#include <Eigen/Core>
#include <type_traits>

#include "model/index.h"

namespace mechfmu {

static_assert(std::is_same_v<Index, Eigen::Index>);
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

using In = const Eigen::Ref<const Vector>&;
using Out = Eigen::Ref<Vector>;

/// An index for standard containers.
constexpr std::size_t ix(Index i) { return static_cast<std::size_t>(i); }

template <class T, int N>
using Vec = Eigen::Matrix<T, N, 1>;
template <class T, int R, int C = R>
using Mat = Eigen::Matrix<T, R, C>;

}  // namespace mechfmu
