#include "language/expression/expression.h"

#include <algorithm>
#include <array>
#include <map>
#include <numbers>
#include <set>

#include "language/expression/build.h"

namespace mechfmu::expression {

// Words -------------------------------------------------------------------------------------------

const std::vector<FunctionInfo>& function_table() {
  using enum Function;
  constexpr std::size_t any = 1000;
  static const std::vector<FunctionInfo> all = {
      {"sin", sin_, 1, 1, "sin(x)"},
      {"cos", cos_, 1, 1, "cos(x)"},
      {"tan", tan_, 1, 1, "tan(x)"},
      {"asin", asin_, 1, 1, "asin(x)"},
      {"acos", acos_, 1, 1, "acos(x)"},
      {"atan", atan_, 1, 1, "atan(x)"},
      {"atan2", atan2_, 2, 2, "atan2(y, x)"},
      {"sinh", sinh_, 1, 1, "sinh(x)"},
      {"cosh", cosh_, 1, 1, "cosh(x)"},
      {"tanh", tanh_, 1, 1, "tanh(x)"},
      {"exp", exp_, 1, 1, "exp(x)"},
      {"log", log_, 1, 1, "log(x)"},
      {"sqrt", sqrt_, 1, 1, "sqrt(x)"},
      {"abs", abs_, 1, 1, "abs(x)"},
      {"sign", sign, 1, 1, "sign(x)"},
      {"floor", floor_, 1, 1, "floor(x)"},
      {"pow", pow_, 2, 2, "pow(x, exponent)"},
      {"min", min, 2, any, "min(a, b)"},
      {"max", max, 2, any, "max(a, b)"},
      {"norm", norm, 1, 1, "norm(vector)"},
      {"dot", dot, 2, 2, "dot(vector, vector)"},
      {"cross", cross, 2, 2, "cross(vector, vector)"},
      {"step", step, 5, 5, "step(x, x0, y0, x1, y1)"},
      {"smooth_max", smooth_max, 3, 3, "smooth_max(a, b, width)"},
      {"smooth_min", smooth_min, 3, 3, "smooth_min(a, b, width)"},
      {"smooth_abs", smooth_abs, 2, 2, "smooth_abs(x, width)"},
      {"table", Function::table, 2, 2, "table(name, x)"},
      {"if", conditional, 3, 3, "if(condition, a, b)"},
  };
  return all;
}

const FunctionInfo* find_function(std::string_view name) {
  for (const FunctionInfo& info : function_table())
    if (name == info.name) return &info;
  return nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const FunctionInfo& info : function_table()) names.emplace_back(info.name);
  std::sort(names.begin(), names.end());
  return names;
}

bool is_reserved(std::string_view name) {
  constexpr std::array<std::string_view, 7> words = {"and",  "or",    "not", "if",
                                                     "true", "false", "time"};
  return std::find(words.begin(), words.end(), name) != words.end();
}

const char* text(ValueType type) {
  switch (type) {
    case ValueType::vector: return "a vector";
    case ValueType::boolean: return "a condition";
    case ValueType::table: return "a table";
    case ValueType::name: return "the name of an element";
    case ValueType::scalar: break;
  }
  return "a number";
}

const char* text(Function function) {
  return function_table()[static_cast<std::size_t>(function)].name;
}

const char* text(Comparison comparison) {
  switch (comparison) {
    case Comparison::less: return "<";
    case Comparison::less_equal: return "<=";
    case Comparison::greater: return ">";
    case Comparison::greater_equal: return ">=";
    case Comparison::equal: return "==";
    case Comparison::not_equal: break;
  }
  return "!=";
}

// Nodes -------------------------------------------------------------------------------------------

namespace {

ValueType type_of(const Node& node) {
  const auto child = [&](std::size_t i) { return node.children[i]->type; };
  const auto has_vector = [&] {
    return std::any_of(node.children.begin(), node.children.end(),
                       [](const Expression& c) { return c->type == ValueType::vector; });
  };
  switch (node.form) {
    case Form::truth:
    case Form::compare:
    case Form::logical_and:
    case Form::logical_or:
    case Form::logical_not: return ValueType::boolean;
    case Form::vector: return ValueType::vector;
    case Form::name: return node.type;
    case Form::negate: return child(0);
    case Form::sum:
    case Form::product: return has_vector() ? ValueType::vector : ValueType::scalar;
    case Form::call:
      if (node.builtin == Function::cross) return ValueType::vector;
      if (node.builtin == Function::conditional) return child(1);
      return ValueType::scalar;
    case Form::number:
    case Form::power:
    case Form::component: break;
  }
  return ValueType::scalar;
}

}  // namespace

void complete(Node& node) {
  node.depth = 1;
  node.literal = node.form != Form::name;
  for (const Expression& child : node.children) {
    node.depth = std::max(node.depth, child->depth + 1);
    node.literal = node.literal && child->literal;
  }
  node.type = type_of(node);
}

Expression finished(Node node) {
  complete(node);
  return std::make_shared<const Node>(std::move(node));
}

Expression number(double value) {
  Node node;
  node.number = value;
  return finished(std::move(node));
}

Expression constant(std::string_view name, int column) {
  constexpr double standard_gravity = 9.80665;
  Node node;
  node.text = name;
  node.column = column;
  if (name == "pi") {
    node.number = std::numbers::pi;
  } else if (name == "e") {
    node.number = std::numbers::e;
  } else if (name == "g0") {
    node.number = standard_gravity;
    node.unit = "m/s2";
  } else {
    return nullptr;
  }
  return finished(std::move(node));
}

namespace {

bool is_short(const Node& e) { return e.form == Form::name || e.form == Form::vector; }

bool is_number(const Expression& e, double value) {
  return e->form == Form::number && e->text.empty() && e->number == value;
}

/// A sum without terms that are 0, a product without factors 1, or 0: components of [0, 0, 1]
/// produce these.
Expression simplified(Node node) {
  const bool sum = node.form == Form::sum;
  for (std::size_t i = 0; i < node.children.size() && !sum; ++i)
    if (node.signs[i] == '*' && is_number(node.children[i], 0)) return number(0);
  for (std::size_t i = node.children.size(); i-- > 0 && node.children.size() > 1;) {
    if (!is_number(node.children[i], sum ? 0 : 1)) continue;
    if (i == 0 && node.signs[1] != (sum ? '+' : '*')) continue;  // 0 - a, 1 / a
    node.children.erase(node.children.begin() + static_cast<std::ptrdiff_t>(i));
    node.signs.erase(i, 1);
  }
  return node.children.size() == 1 ? node.children[0] : finished(std::move(node));
}

/// a_j b_k − a_k b_j
Expression cross_component(const Node& cross, int j, int k) {
  const auto product = [&](int of_a, int of_b) {
    Node node;
    node.form = Form::product;
    node.column = cross.column;
    node.signs = "**";
    node.children = {component(cross.children[0], of_a), component(cross.children[1], of_b)};
    return simplified(std::move(node));
  };
  Node node;
  node.form = Form::sum;
  node.column = cross.column;
  node.signs = "+-";
  node.children = {product(j, k), product(k, j)};
  return simplified(std::move(node));
}

}  // namespace

Expression component(const Expression& vector, int i) {
  if (vector->form == Form::vector) return vector->children[static_cast<std::size_t>(i)];
  const bool is_cross = vector->form == Form::call && vector->builtin == Function::cross;
  if (is_cross && is_short(*vector->children[0]) && is_short(*vector->children[1]))
    return cross_component(*vector, (i + 1) % 3, (i + 2) % 3);
  if (vector->form != Form::name && !is_cross) {
    // −a, a + b, s a, if(c, a, b)
    Node node = *vector;
    for (Expression& child : node.children)
      if (child->type == ValueType::vector) child = component(child, i);
    const bool plain = node.form == Form::sum || node.form == Form::product;
    return plain ? simplified(std::move(node)) : finished(std::move(node));
  }
  Node node;
  node.form = Form::component;
  node.column = vector->column;
  node.component = i;
  node.children = {vector};
  return finished(std::move(node));
}

// Names -------------------------------------------------------------------------------------------

namespace {

class Names {
 public:
  std::vector<Reference> found;

  void visit(const Expression& e) {
    if (e->form == Form::name) return visit_name(e, -1);
    if (e->form == Form::component && e->children[0]->form == Form::name)
      return visit_name(e->children[0], e->component);
    if (e->literal) return;
    for (const Expression& child : e->children) visit(child);
  }

 private:
  void visit_name(const Expression& name, int component) {
    if (name->type == ValueType::name) return;
    if (!name->function && seen_.emplace(name->text, component).second)
      found.push_back({name, component});
    for (const Expression& argument : name->children) visit(argument);
  }
  std::set<std::pair<std::string, int>> seen_;
};

bool ends_in_component(const std::string& name) {
  const std::size_t n = name.size();
  return n > 2 && name[n - 2] == '.' && name[n - 1] >= 'x' && name[n - 1] <= 'z';
}

}  // namespace

std::vector<Reference> references(const Expression& expression) {
  Names names;
  if (expression) names.visit(expression);
  return std::move(names.found);
}

std::vector<std::size_t> order(const std::vector<Definition>& definitions, Report& report) {
  const std::size_t n = definitions.size();
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < n; ++i) index.emplace(definitions[i].name, i);
  std::vector<std::vector<std::size_t>> uses(n);
  std::vector<std::vector<std::size_t>> used_by(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (const Reference& r : references(definitions[i].value)) {
      const std::string& name = r.name->text;
      auto found = index.find(name);
      if (found == index.end() && ends_in_component(name))
        found = index.find(name.substr(0, name.size() - 2));
      if (found == index.end()) continue;
      uses[i].push_back(found->second);
      used_by[found->second].push_back(i);
    }
  }

  // First come definitions without dependencies, then those that depended on them.
  std::vector<std::size_t> waits(n);
  std::vector<std::size_t> sorted;
  std::vector<char> done(n, 0);
  const auto take = [&](std::size_t i) {
    sorted.push_back(i);
    done[i] = 1;
  };
  for (std::size_t i = 0; i < n; ++i) {
    waits[i] = uses[i].size();
    if (waits[i] == 0) take(i);
  }
  // NOLINTNEXTLINE(modernize-loop-convert): the list grows
  for (std::size_t k = 0; k < sorted.size(); ++k)
    for (const std::size_t user : used_by[sorted[k]])
      if (--waits[user] == 0) take(user);

  // Each of the remaining ones depends on another one of them: following these leads into a cycle.
  std::vector<std::size_t> visited(n, 0);
  for (std::size_t begin = 0; begin < n; ++begin) {
    std::vector<std::size_t> path;
    std::size_t at = begin;
    while (done[at] == 0 && visited[at] == 0) {
      visited[at] = begin + 1;
      path.push_back(at);
      at = *std::find_if(uses[at].begin(), uses[at].end(),
                         [&](std::size_t used) { return done[used] == 0; });
    }
    if (done[at] != 0 || visited[at] != begin + 1) continue;
    std::string cycle;
    for (auto i = std::find(path.begin(), path.end(), at); i != path.end(); ++i)
      cycle += definitions[*i].name + " -> ";
    cycle += definitions[at].name;
    Report here = report;
    if (!definitions[at].place.file.empty()) {
      here.place = definitions[at].place;
      here.element = definitions[at].element;
      here.prefix = definitions[at].prefix;
    }
    here.error(0, path.back() == at && uses[at].size() == 1
                      ? "'" + definitions[at].name + "' is defined by itself: " + cycle
                      : "circular definition: " + cycle + "; remove one of the references");
    report.has_failed = true;
  }
  return sorted;
}

}  // namespace mechfmu::expression
