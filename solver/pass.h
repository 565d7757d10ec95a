// One pass over several vectors at a time, with two numbers in every operation.
//
// Per coordinate, memory access costs more than arithmetic: vectors used together are read in one
// pass.
//
//   Sum sum;
//   pass(n, [&](auto part) {
//     const auto da = part.of(a) - part.of(b);
//     part.of(c) += da;
//     sum.add(da * da);
//   });

#pragma once

#include <algorithm>
#include <cmath>

#include "model/types.h"

namespace mechfmu {

/// `Size` numbers, starting at number `first`.
template <int Size>
struct Part {
  static constexpr int size = Size;
  using Numbers = Eigen::Array<double, Size, 1>;
  Index first;
  Eigen::Map<const Numbers> of(const Vector& v) const {
    return Eigen::Map<const Numbers>(v.data() + first);
  }
  Eigen::Map<Numbers> of(Vector& v) const { return Eigen::Map<Numbers>(v.data() + first); }
  /// The same for a vector whose own numbers begin later.
  Eigen::Map<Numbers> of(Vector& v, Index begin) const {
    return Eigen::Map<Numbers>(v.data() + begin + first);
  }
};

template <class Body>
void pass(Index n, const Body& body) {
  Index i = 0;
  for (; i + 1 < n; i += 2) body(Part<2>{i});
  if (i < n) body(Part<1>{i});
}

class Sum {
 public:
  template <class Numbers>
  void add(const Eigen::ArrayBase<Numbers>& x) {
    if constexpr (Numbers::SizeAtCompileTime == 1)
      last_ += x.value();
    else
      pair_ += x;
  }
  double value() const { return pair_[0] + pair_[1] + last_; }

 private:
  Eigen::Array2d pair_ = Eigen::Array2d::Zero();
  double last_ = 0;
};

/// max |x_i|
class Largest {
 public:
  template <class Numbers>
  void add(const Eigen::ArrayBase<Numbers>& x) {
    if constexpr (Numbers::SizeAtCompileTime == 1)
      last_ = std::max(last_, std::abs(x.value()));
    else
      pair_ = pair_.max(x.abs());
  }
  double value() const { return std::max({pair_[0], pair_[1], last_}); }

 private:
  Eigen::Array2d pair_ = Eigen::Array2d::Zero();
  double last_ = 0;
};

}  // namespace mechfmu
