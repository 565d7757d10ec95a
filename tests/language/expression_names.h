// Names for expressions to use: parameters, an input, joints, a body with points, a table and a
// function.

#pragma once

#include <memory>

#include "language/expression/check.h"

namespace mechfmu::expression {

inline Symbol quantity_in(const char* unit, unsigned kinds = kind::parameter,
                          ValueType type = ValueType::scalar) {
  Symbol s;
  s.type = type;
  s.dimension = dimension(unit);
  s.kinds = kinds;
  return s;
}

/// Names of bodies with points beside plain ones.
class Mechanism : public Environment {
 public:
  Mechanism() {
    Symbol unknown;
    Symbol map = quantity_in("N", 0, ValueType::table);
    map.table = std::make_shared<functions::Table>(std::vector<double>{0, 1, 2},
                                                   std::vector<double>{0, 10, 20});
    map.table_of = dimension("m");
    Symbol flag;
    flag.type = ValueType::boolean;
    flag.kinds = kind::input;
    Symbol tyre = quantity_in("N");
    tyre.function = true;
    tyre.arguments = {{ValueType::scalar, dimension("1")}, {ValueType::scalar, dimension("N")}};
    plain_.add("l", quantity_in("m"))
        .add("m", quantity_in("kg"))
        .add("k", quantity_in("N/m"))
        .add("F", quantity_in("N", kind::input))
        .add("n", quantity_in("1"))
        .add("free", unknown)
        .add("time", quantity_in("s", kind::time))
        .add("A.angle", quantity_in("rad", kind::measure))
        .add("A.rate", quantity_in("rad/s", kind::measure))
        .add("B.force", quantity_in("N", kind::acceleration, ValueType::vector))
        .add("crank.position", quantity_in("m", kind::measure, ValueType::vector))
        .add("crank.velocity", quantity_in("m/s", kind::measure, ValueType::vector))
        .add("crank.quaternion.w", quantity_in("1", kind::measure))
        .add("part.x", quantity_in("kg"))
        .add("map", map)
        .add("tyre", tyre)
        .add("on", flag);
  }
  std::optional<Symbol> find(const Node& name) const override {
    const auto& p = name.pieces;
    if (p.size() == 3 && p[0].word == "crank" && p[1].word == "point" && p[1].called &&
        p[2].word == "velocity") {
      Symbol s = quantity_in("m/s", kind::measure, ValueType::vector);
      s.arguments.assign(3, {ValueType::scalar, dimension("m"), kind::parameter});
      return s;
    }
    if (p.size() == 3 && p[0].word == "crank" && p[1].word == "relative_to" && p[1].called &&
        p[2].word == "position") {
      Symbol s = quantity_in("m", kind::measure, ValueType::vector);
      s.arguments = {{ValueType::name}};
      return s;
    }
    return plain_.find(name);
  }
  std::vector<std::string> names() const override { return plain_.names(); }

 private:
  Symbols plain_;
};

}  // namespace mechfmu::expression
