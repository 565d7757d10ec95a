#include "mechanics/program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "mechanics/functions.h"

namespace mechfmu::mechanics {

namespace {

bool of_two(Code code) { return code >= Code::add && code <= Code::logical_or; }

template <class T>
T unary(Code code, const T& x) {
  switch (code) {
    case Code::copy: return x;
    case Code::negate: return -x;
    case Code::sin_: return sin(x);
    case Code::cos_: return cos(x);
    case Code::tan_: return tan(x);
    case Code::asin_: return asin(x);
    case Code::acos_: return acos(x);
    case Code::atan_: return atan(x);
    case Code::sinh_: return sinh(x);
    case Code::cosh_: return cosh(x);
    case Code::tanh_: return tanh(x);
    case Code::exp_: return exp(x);
    case Code::log_: return log(x);
    case Code::sqrt_: return sqrt(x);
    case Code::norm: return functions::root_of_squares(x);
    case Code::abs_: return abs(x);
    case Code::sign: return functions::sign(x);
    case Code::floor_: return functions::floor(x);
    case Code::logical_not: return T(mechfmu::value(x) == 0 ? 1.0 : 0.0);
    default: return T(0.0);
  }
}

template <class T>
T binary(Code code, const T& a, const T& b) {
  const auto truth = [](bool holds) { return T(holds ? 1.0 : 0.0); };
  switch (code) {
    case Code::add: return a + b;
    case Code::subtract: return a - b;
    case Code::multiply: return a * b;
    case Code::divide: return a / b;
    case Code::power: return functions::power(a, b);
    case Code::atan2_: return atan2(a, b);
    case Code::less: return truth(a < b);
    case Code::less_equal: return truth(a <= b);
    case Code::equal: return truth(a == b);
    case Code::not_equal: return truth(a != b);
    case Code::logical_and: return truth(mechfmu::value(a) != 0 && mechfmu::value(b) != 0);
    case Code::logical_or: return truth(mechfmu::value(a) != 0 || mechfmu::value(b) != 0);
    default: return T(0.0);
  }
}

/// Numbers on the stack; if there are too many, in the room of the system, or on the heap along a
/// change, which no step needs.
template <class T>
class Room {
 public:
  static constexpr std::size_t few = std::is_same_v<T, double> ? 2000 : 200;

  explicit Room(std::size_t size, T* of_system = nullptr) {
    if (size <= few) return;
    if (of_system == nullptr) many_.resize(size);
    data_ = of_system == nullptr ? many_.data() : of_system;
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  T* data() { return data_; }

 private:
  std::array<T, few> few_;  // NOLINT(cppcoreguidelines-pro-type-member-init): written first
  std::vector<T> many_;     // of formulas that belong to no system
  T* data_ = few_.data();
};

/// a·b, and 0 if a constant meets an infinite slope.
template <class T>
T chained(const T& slope, const T& change) {
  return isfinite(slope) ? T(slope * change) : steep_product(slope, change);
}

/// Partial derivatives of an operation with respect to its one or two operands.
template <class T>
struct Partials {
  T value{}, a{}, b{}, aa{}, ab{}, bb{};
};

/// On doubles, or on numbers with a derivative along a change.
template <class T>
class Run {
 public:
  /// Derivatives with respect to the first n of arguments and time, of first or second order.
  Run(const Calculation& of, T* values, T* first, T* second, int n)
      : c_(of), p_(*of.program), v_(values), d_(first), dd_(second), n_(n) {}

  template <class Settings>
  void start(const T& t, const T* arguments, const Settings& setting) {
    T* to = v_;
    for (const double constant : c_.constants) *to++ = constant;
    for (const Index index : c_.settings) *to++ = setting(index);
    to += p_.fixed;
    for (int i = 0; i < p_.arguments; ++i) *to++ = arguments[i];
    *to = t;
  }

  void values() {
    for (const Operation& o : p_.operations) v_[o.to] = value(o);
  }

  void derivatives() {
    const int n = n_;
    const std::int32_t begin = p_.first_argument();
    for (std::int32_t i = begin; i <= p_.time(); ++i) {
      for (int k = 0; k < n; ++k) first(i)[k] = i - begin == k ? 1.0 : 0.0;
      if (dd_ != nullptr) std::fill_n(second(i), n * n, T(0.0));
    }
    for (const Operation& o : p_.operations) {
      if (o.to < begin)
        v_[o.to] = value(o);
      else
        move(o);
    }
  }

  T* first(std::int32_t slot) { return d_ + (slot - p_.first_argument()) * n_; }
  T* second(std::int32_t slot) { return dd_ + (slot - p_.first_argument()) * n_ * n_; }
  bool moves(std::int32_t slot) const { return slot >= p_.first_argument(); }

 private:
  T value(const Operation& o) const {
    if (o.code == Code::select) return v_[o.a] != 0 ? v_[o.c] : v_[o.b];
    if (o.code == Code::table) return (*c_.tables[static_cast<std::size_t>(o.b)])(v_[o.a]);
    if (o.code == Code::call) return T(0.0);
    return of_two(o.code) ? binary(o.code, v_[o.a], v_[o.b]) : unary(o.code, v_[o.a]);
  }

  void same(std::int32_t to, std::int32_t from) {
    v_[to] = v_[from];
    if (to == from) return;
    const bool moving = moves(from);
    for (int k = 0; k < n_; ++k) first(to)[k] = moving ? first(from)[k] : T(0.0);
    if (dd_ == nullptr) return;
    for (int k = 0; k < n_ * n_; ++k) second(to)[k] = moving ? second(from)[k] : T(0.0);
  }

  void move(const Operation& o) {
    switch (o.code) {
      case Code::copy: return same(o.to, o.a);
      case Code::select: return same(o.to, v_[o.a] != 0 ? o.c : o.b);
      case Code::sign:
      case Code::floor_:
      case Code::less:
      case Code::less_equal:
      case Code::equal:
      case Code::not_equal:
      case Code::logical_and:
      case Code::logical_or:
      case Code::logical_not:
      case Code::call:
        v_[o.to] = value(o);
        std::fill_n(first(o.to), n_, T(0.0));
        if (dd_ != nullptr) std::fill_n(second(o.to), n_ * n_, T(0.0));
        return;
      default: break;
    }
    const bool two = of_two(o.code);
    const bool a = moves(o.a);
    const bool b = two && moves(o.b);
    const Partials<T> p = two ? partials(o, a, b) : partials(o);
    v_[o.to] = p.value;
    // Its slot may be that of an operand: second derivatives first, which need the old ones.
    const T* da = a ? first(o.a) : nullptr;
    const T* db = b ? first(o.b) : nullptr;
    if (dd_ != nullptr) chain_twice(o, p, da, db);
    T* d = first(o.to);
    for (int k = 0; k < n_; ++k)
      d[k] = (a ? chained(p.a, da[k]) : T(0.0)) + (b ? chained(p.b, db[k]) : T(0.0));
  }

  void chain_twice(const Operation& o, const Partials<T>& p, const T* da, const T* db) {
    const T* daa = da != nullptr ? second(o.a) : nullptr;
    const T* dbb = db != nullptr ? second(o.b) : nullptr;
    T* to = second(o.to);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        const int ij = i * n_ + j;
        T sum(0.0);
        if (da != nullptr) sum += chained(p.a, daa[ij]) + chained(p.aa, T(da[i] * da[j]));
        if (db != nullptr) sum += chained(p.b, dbb[ij]) + chained(p.bb, T(db[i] * db[j]));
        if (da != nullptr && db != nullptr) sum += chained(p.ab, T(da[i] * db[j] + da[j] * db[i]));
        to[ij] = sum;
      }
  }

  Partials<T> partials(const Operation& o) const {
    const auto apply = [&](const auto& x) {
      using X = std::decay_t<decltype(x)>;
      return o.code == Code::table ? X((*c_.tables[static_cast<std::size_t>(o.b)])(x))
                                   : unary(o.code, x);
    };
    using Once = Dual<T, 1>;
    if (dd_ == nullptr) {
      const Once y = apply(Once::seed(v_[o.a], 0));
      return {y.v, y.d[0]};
    }
    using Twice = Dual<Once, 1>;
    const Twice y = apply(Twice::seed(Once::seed(v_[o.a], 0), 0));
    return {y.v.v, y.v.d[0], T(0.0), y.d[0].d[0]};
  }

  /// An operand that does not move is not a variable: aᵇ with a constant b needs no logarithm of a.
  Partials<T> partials(const Operation& o, bool a_moves, bool b_moves) const {
    const T& a = v_[o.a];
    const T& b = v_[o.b];
    const T zero(0.0);
    const T one(1.0);
    switch (o.code) {
      case Code::add: return {a + b, one, one};
      case Code::subtract: return {a - b, one, -one};
      case Code::multiply: return {a * b, b, a, zero, one, zero};
      case Code::divide: {
        const T inverse = one / b;
        const T quotient = a / b;
        const T by_b = -quotient * inverse;
        return {quotient, inverse, by_b, zero, -inverse * inverse, -2.0 * by_b * inverse};
      }
      default: break;
    }
    using Once = Dual<T, 2>;
    const auto once = [](const T& x, bool moves, int i) {
      Once made;
      made.v = x;
      if (moves) made.d[i] = T(1.0);
      return made;
    };
    const Once a_once = once(a, a_moves, 0);
    const Once b_once = once(b, b_moves, 1);
    if (dd_ == nullptr) {
      const Once y = binary(o.code, a_once, b_once);
      return {y.v, y.d[0], y.d[1]};
    }
    using Twice = Dual<Once, 2>;
    Twice a_twice;
    Twice b_twice;
    a_twice.v = a_once;
    b_twice.v = b_once;
    if (a_moves) a_twice.d[0] = Once(1.0);
    if (b_moves) b_twice.d[1] = Once(1.0);
    const Twice y = binary(o.code, a_twice, b_twice);
    return {y.v.v, y.v.d[0], y.v.d[1], y.d[0].d[0], y.d[0].d[1], y.d[1].d[1]};
  }

  const Calculation& c_;
  const Program& p_;
  T *v_, *d_, *dd_;
  int n_;
};

std::size_t size(std::int32_t n) { return static_cast<std::size_t>(n); }

const functions::Table& table_of(const void* tables, int i) {
  return *(*static_cast<const decltype(Calculation::tables)*>(tables))[size(i)];
}
tables::FormulaScope<double> scope(const Calculation& c, double t, const double* arguments,
                                   InputValues u) {
  return {t, arguments, u.u, c.settings.data(), c.constants.data(), &c.tables, table_of, nullptr};
}
tables::FormulaScopeAlong scope(const Calculation& c, const ScopeAlong& s) {
  return {s.t,       s.arguments, s.settings.u, c.settings.data(), c.constants.data(),
          &c.tables, table_of,    s.change};
}

/// Values of all slots, and derivatives of the moving ones.
std::size_t numbers(const Program& p, Calculation::Wanted wanted) {
  const std::size_t moving = size(p.slots() - p.first_argument());
  const std::size_t n = size(p.arguments);
  switch (wanted) {
    case Calculation::Wanted::value: break;
    case Calculation::Wanted::gradient: return size(p.slots()) + moving * n;
    case Calculation::Wanted::hessian: return size(p.slots()) + moving * (n + 1) * (n + 2);
  }
  return size(p.slots());
}

}  // namespace

void Program::check() const {
  const auto require = [](bool good, const char* otherwise) {
    if (!good) throw std::invalid_argument(std::string("Program: ") + otherwise);
  };
  constexpr std::int32_t most = 1'000'000;
  for (const std::int32_t n : {constants, settings, fixed, arguments, moving, tables})
    require(n >= 0 && n <= most, "a number of slots is out of range");
  require(arguments <= most && slots() <= most, "there are too many slots");
  require(size(fixed) + size(moving) <= operations.size(), "there are slots that nothing writes");
  const std::int32_t begin = first_argument();
  std::vector<bool> written(size(slots()), false);
  std::fill_n(written.begin(), constants + settings, true);
  std::fill_n(written.begin() + begin, arguments + 1, true);
  const auto readable = [&](std::int32_t slot) {
    return slot >= 0 && slot < slots() && written[size(slot)];
  };
  bool fixed_part = true;
  for (const Operation& o : operations) {
    require(o.code < Code::count, "an operation is none");
    require((o.to >= constants + settings && o.to < begin) || (o.to > time() && o.to < slots()),
            "an operation writes where it may not");
    const bool is_fixed = o.to < begin;
    require(fixed_part || !is_fixed, "fixed slots are written after moving ones");
    fixed_part = is_fixed;
    if (o.code == Code::call) {
      require(o.a >= 0 && size(o.a) < calls.size(), "a call is not there");
      for (const std::int32_t slot : calls[size(o.a)].arguments)
        require(readable(slot) && (!is_fixed || slot < begin), "a call reads what is not there");
      written[size(o.to)] = true;
      continue;
    }
    const bool two = of_two(o.code) || o.code == Code::select;
    require(readable(o.a) && (!two || readable(o.b)) && (o.code != Code::select || readable(o.c)),
            "an operation reads what is not there");
    if (o.code == Code::table) require(o.b >= 0 && o.b < tables, "a table is not there");
    if (is_fixed)
      require(o.a < begin && (!two || o.b < begin) && (o.code != Code::select || o.c < begin),
              "a fixed slot depends on moving ones");
    written[size(o.to)] = true;
  }
  require(!results.empty() && results.size() <= 3, "it has no result, or more than three");
  for (const std::int32_t slot : results) require(readable(slot), "a result is not there");
}

std::size_t Calculation::room(Wanted wanted) const {
  const std::size_t needed = numbers(*program, wanted);
  return needed > Room<double>::few ? needed : 0;
}

void Calculation::values(double t, const double* arguments, InputValues u, double* results) const {
  if (program->formula != nullptr)
    return program->formula->values(scope(*this, t, arguments, u), results);
  Room<double> room(numbers(*program, Wanted::value), u.room);
  double* const v = room.data();
  Run<double> run(*this, v, nullptr, nullptr, 0);
  run.start(t, arguments, [&](Index i) { return u.u[i]; });
  run.values();
  for (const std::int32_t slot : program->results) *results++ = v[slot];
}

double Calculation::value(double t, const double* arguments, InputValues u) const {
  double all[3] = {};
  values(t, arguments, u, all);
  return all[0];
}

void Calculation::derive(const Scope<double>& s, LawValue& out) const {
  const Program& p = *program;
  if (p.formula != nullptr)
    return p.formula->derive(scope(*this, s.t, s.arguments, s.settings), out);
  const int n = p.arguments;
  Room<double> room(numbers(p, Wanted::gradient), s.settings.room);
  double* const v = room.data();
  Run<double> run(*this, v, v + p.slots(), nullptr, n);
  run.start(s.t, s.arguments, [&](Index i) { return s.settings.u[i]; });
  run.derivatives();
  const std::int32_t result = p.results[0];
  out.value = v[result];
  for (int k = 0; k < n; ++k) out.gradient[k] = run.moves(result) ? run.first(result)[k] : 0;
}

namespace {

template <class T, class Settings>
void second_derivatives(const Calculation& of, const T& t, const T* arguments,
                        const Settings& setting, T* of_system, RelationValueOf<T>& out) {
  const Program& p = *of.program;
  const int n = p.arguments + 1;
  const std::size_t moving = size(p.slots() - p.first_argument());
  Room<T> room(numbers(p, Calculation::Wanted::hessian), of_system);
  T* const v = room.data();
  T* const d = v + p.slots();
  Run<T> run(of, v, d, d + moving * size(n), n);
  run.start(t, arguments, setting);
  run.derivatives();
  const std::int32_t result = p.results[0];
  const bool moves = run.moves(result);
  out.value = v[result];
  for (int i = 0; i < n; ++i) {
    out.gradient[i] = moves ? run.first(result)[i] : T(0.0);
    for (int j = 0; j < n; ++j) out.hessian[i][j] = moves ? run.second(result)[i * n + j] : T(0.0);
  }
}

}  // namespace

void Calculation::derive_twice(const Scope<double>& s, RelationValue& out) const {
  if (program->formula != nullptr)
    return program->formula->derive_twice(scope(*this, s.t, s.arguments, s.settings), out);
  second_derivatives(
      *this, s.t, s.arguments, [&](Index i) { return s.settings.u[i]; }, s.settings.room, out);
}

void Calculation::derive_twice_along(const ScopeAlong& s, RelationAlong& out) const {
  if (program->formula != nullptr)
    return program->formula->derive_twice_along(scope(*this, s), out);
  second_derivatives(
      *this, s.t, s.arguments, [&](Index i) { return s.setting(i); }, static_cast<Along*>(nullptr),
      out);
}

Along Calculation::along(const ScopeAlong& s) const {
  if (program->formula != nullptr) return program->formula->along(scope(*this, s));
  Room<Along> room(size(program->slots()));
  Along* const v = room.data();
  Run<Along> run(*this, v, nullptr, nullptr, 0);
  run.start(s.t, s.arguments, [&](Index i) { return s.setting(i); });
  run.values();
  return v[program->results[0]];
}

Law calculated_law(std::vector<Argument> arguments, const Calculation& calculation, bool relation) {
  const auto shared = std::make_shared<const Calculation>(calculation);
  Law made;
  made.arguments = std::move(arguments);
  made.value = [shared](const Scope<double>& s) { return shared->value(s); };
  made.derive = [shared](const Scope<double>& s, LawValue& out) { shared->derive(s, out); };
  if (shared->knows_changes())
    made.along = [shared](const ScopeAlong& s) { return shared->along(s); };
  if (relation)
    made.derive_twice = [shared](const Scope<double>& s, RelationValue& out) {
      shared->derive_twice(s, out);
    };
  if (relation && shared->knows_changes_of_derivatives())
    made.derive_twice_along = [shared](const ScopeAlong& s, RelationAlong& out) {
      shared->derive_twice_along(s, out);
    };
  return made;
}

Number calculated_number(const Calculation& calculation) {
  static constexpr double none = 0;  // it has no arguments
  return of([calculation](InputValues u) { return calculation.value(0, &none, u); });
}

Triple calculated_triple(const Calculation& calculation) {
  static constexpr double none = 0;
  return following(false, [calculation](InputValues u) {
    Vec3 all;
    calculation.values(0, &none, u, all.data());
    return all;
  });
}

}  // namespace mechfmu::mechanics
