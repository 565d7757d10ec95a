// Calls any FMI function with made-up arguments, to see whether it checks them before it uses them.
//
//   any_call(f, instance, saved, k):  pointer number k (from 0) is null, all others are as good
//   as possible: references 1, values 0, a count of 1, a saved state. k = none: no null; k = all.

#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace mechfmu::tests {

constexpr int none = -1;
constexpr int all = -2;

class Arguments {
 public:
  Arguments(void* instance, void* saved, int null)
      : instance_(instance), saved_(saved), null_(null) {}

  template <class T>
  T next() {
    if constexpr (std::is_pointer_v<T>) {
      const int position = position_++;
      if constexpr (std::is_same_v<T, void*>) {
        if (position == 0) return instance_;
        return is_null(position) ? nullptr : saved_;
      } else if constexpr (std::is_same_v<T, void**>) {
        return is_null(position) ? nullptr : &written_state_;
      } else {
        // References and orders of derivatives are ones, all other values are zero.
        constexpr bool is_one = std::is_same_v<T, const unsigned*> || std::is_same_v<T, const int*>;
        if (is_null(position)) return nullptr;
        if constexpr (is_one)
          return reinterpret_cast<T>(ones_.data());
        else
          return reinterpret_cast<T>(zeros_.data());
      }
    } else if constexpr (std::is_same_v<T, std::size_t>) {
      return 1;
    } else {
      return T{};
    }
  }
  void* written_state() const { return written_state_; }

 private:
  // The instance is pointer 0 of the signature; those after it count from 0.
  bool is_null(int position) const { return null_ == all || null_ == position - 1; }

  void* instance_;
  void* saved_;
  int null_;
  int position_ = 0;
  void* written_state_ = nullptr;
  alignas(16) std::array<char, 4096> zeros_{};
  alignas(16) std::array<int, 4> ones_{1, 1, 1, 1};
};

template <class Status, class... T>
int any_call(Status (*function)(T...), void* instance, void* saved, int null) {
  Arguments arguments(instance, saved, null);
  // Values in braces are evaluated from left to right.
  struct Call {
    int status;
    Call(Status (*f)(T...), T... values) : status(static_cast<int>(f(values...))) {}
  };
  return Call{function, arguments.next<T>()...}.status;
}

/// Pointers after the instance.
template <class Status, class... T>
constexpr int pointers(Status (*)(T...)) {
  return (0 + ... + static_cast<int>(std::is_pointer_v<T>)) - 1;
}

}  // namespace mechfmu::tests
