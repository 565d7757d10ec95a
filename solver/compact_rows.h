// The nonzero numbers of a small matrix, row by row, for substitutions and products.
//
// KKT matrices and their factors consist mostly of zeros, even small ones. Nothing allocates after
// resize().

#pragma once

#include <cstdint>
#include <vector>

#include "model/types.h"

namespace mechfmu {

class CompactRows {
 public:
  /// Allocates memory for every number of a rows × columns matrix.
  void resize(Index rows, Index columns) {
    entries_.resize(ix(rows * columns));
    begin_.assign(ix(rows + 1), 0);
    clear();
  }
  void clear() { rows_ = 0; }

  /// Appends a row: `numbers`, the first of which is in column `first`.
  template <class Numbers>
  void append(const Numbers& numbers, Index first = 0) {
    std::int32_t end = begin_[ix(rows_)];
    for (Index j = 0; j < numbers.size(); ++j)
      if (numbers[j] != 0) entries_[ix(end++)] = {numbers[j], first + j};
    begin_[ix(++rows_)] = end;
  }

  Index rows() const { return rows_; }

  /// Σ_j A_ij x_j.
  double times(Index i, const double* x) const {
    double sum = 0;
    const Entry* const end = entries_.data() + begin_[ix(i + 1)];
    for (const Entry* e = entries_.data() + begin_[ix(i)]; e != end; ++e)
      sum += e->number * x[e->column];
    return sum;
  }

 private:
  struct Entry {
    double number;
    Index column;
  };
  std::vector<Entry> entries_;
  std::vector<std::int32_t> begin_;  // start of every row, and the end of the last one
  Index rows_ = 0;
};

}  // namespace mechfmu
