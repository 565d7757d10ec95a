// Any bytes as an expression, a list of expressions, a table: nothing may crash, hang or leak.
//
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -I. -isystem /usr/include/eigen3
//     -o fuzz_expression tests/fuzz/fuzz_expression.cpp language/expression/*.cpp
//     model_desc/{diagnostics,units}.cpp mechanics/table.cpp
//   ./fuzz_expression -max_len=4096 -timeout=5

#include <cstdint>
#include <cstdlib>

#include "language/expression/check.h"
#include "language/expression/csv.h"
#include "language/expression/evaluate.h"

namespace {

using namespace mechfmu;
using namespace mechfmu::expression;

/// Every name is known: its first letter determines its meaning.
class Names : public Environment {
 public:
  std::optional<Symbol> find(const Node& name) const override {
    Symbol symbol;
    symbol.arguments.resize(name.children.size());
    if (name.pieces.size() == 1 && name.pieces[0].called) symbol.function = true;
    for (Quantity& argument : symbol.arguments) {
      if (name.text[0] == 'r') argument.type = ValueType::name;
      if (name.text[0] == 'p') argument.kinds = kind::input;
    }
    switch (name.text[0]) {
      case 'v': symbol.type = ValueType::vector; break;
      case 'b': symbol.type = ValueType::boolean; break;
      case 'l': symbol.dimension = dimension("m"); break;
      case 'f': symbol.dimension = dimension("N"); break;
      case 'u': return {};
      case 't':
        symbol.type = ValueType::table;
        symbol.table = std::make_shared<functions::Table>(std::vector<double>{0, 1, 2},
                                                          std::vector<double>{0, 1, 4});
        break;
      default: break;
    }
    return symbol;
  }
  std::vector<std::string> names() const override { return {"length", "force"}; }
};

void use(const Expression& parsed) {
  Diagnostics list;
  Report problems{list};
  const Checked checked = check(parsed, Names(), problems);
  if ((checked.expression == nullptr) != problems.failed()) std::abort();
  if (!checked.expression) return;
  using D = Dual<Dual<double, 2>, 2>;
  const auto lookup = [](const Node& name, int component) {
    return D::seed(Dual<double, 2>(0.5 + 0.1 * component), static_cast<int>(name.text.size() % 2));
  };
  switch (checked.quantity.type) {
    case ValueType::vector: (void)evaluate_vector<D>(checked.expression, lookup); break;
    case ValueType::boolean: (void)evaluate_condition<D>(checked.expression, lookup); break;
    default: (void)evaluate<D>(checked.expression, lookup); break;
  }
  (void)references(checked.expression);
  (void)order({{"a", parsed}, {"v", parsed}}, problems);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Diagnostics list;
  Report problems{list};
  const Expression one = parse(text, problems);
  if ((one == nullptr) != problems.failed()) std::abort();
  if (one) use(one);
  for (const Expression& element : parse_list(text, problems)) use(element);
  for (const auto interpolation :
       {functions::Interpolation::smooth, functions::Interpolation::linear}) {
    const auto table = read_table(text, problems, 2, interpolation, functions::Beyond::extend);
    if (table) (void)(*table)(0.5);
  }
  (void)list.text();
  return 0;
}
