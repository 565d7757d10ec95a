#include "model_desc/expression.h"

#include <algorithm>
#include <array>
#include <map>
#include <numbers>
#include <set>

#include "model_desc/expression_build.h"

namespace mechfmu::expression {

// Diagnostics ---------------------------------------------------------------------------------------------------------

void Diagnostics::add(Diagnostic diagnostic) {
  failed_ = failed_ || !diagnostic.warning;
  if (all_.size() < capacity) all_.push_back(std::move(diagnostic));
}

std::string Diagnostics::text() const {
  std::string lines;
  for (const Diagnostic& d : all_) {
    if (!lines.empty()) lines += '\n';
    if (d.column > 0) lines += "column " + std::to_string(d.column) + ": ";
    lines += (d.warning ? "warning: " : "") + d.message;
  }
  return lines;
}

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 64;
  if (word.empty() || word.size() > longest) return {};
  std::string best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::array<std::array<std::size_t, longest + 1>, 3> rows{};  // distances of the beginnings
  for (const std::string& candidate : candidates) {
    const std::size_t n = candidate.size();
    if (n > longest) continue;
    for (std::size_t j = 0; j <= n; ++j) rows[0][j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      auto& row = rows[i % 3];
      const auto& above = rows[(i + 2) % 3];
      row[0] = i;
      for (std::size_t j = 1; j <= n; ++j) {
        const bool same = word[i - 1] == candidate[j - 1];
        row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0U : 1U)});
        const bool swapped =
            i > 1 && j > 1 && word[i - 1] == candidate[j - 2] && word[i - 2] == candidate[j - 1];
        if (swapped) row[j] = std::min(row[j], rows[(i + 1) % 3][j - 2] + 1);
      }
    }
    const std::size_t distance = rows[word.size() % 3][n];
    if (distance < least && distance < std::max(word.size(), n)) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string meant = closest(word, candidates);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

// Words ---------------------------------------------------------------------------------------------------------------

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

// Nodes ---------------------------------------------------------------------------------------------------------------

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
      if (node.function == Function::cross) return ValueType::vector;
      if (node.function == Function::conditional) return child(1);
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

Expression component(const Expression& vector, int i) {
  if (vector->form == Form::vector) return vector->children[static_cast<std::size_t>(i)];
  Node node;
  node.form = Form::component;
  node.column = vector->column;
  node.component = i;
  node.children = {vector};
  return finished(std::move(node));
}

// Names ---------------------------------------------------------------------------------------------------------------

namespace {

class Names {
 public:
  std::vector<Reference> found;

  void visit(const Expression& e) {
    if (e->form == Form::name) add(e, -1);
    if (e->form == Form::component && e->children[0]->form == Form::name) {
      add(e->children[0], e->component);
      for (const Expression& argument : e->children[0]->children) visit(argument);
      return;
    }
    if (e->literal) return;
    for (const Expression& child : e->children) visit(child);
  }

 private:
  void add(const Expression& name, int component) {
    if (seen_.emplace(name->text, component).second) found.push_back({name, component});
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

std::vector<std::size_t> order(const std::vector<Definition>& definitions,
                               Diagnostics& diagnostics) {
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

  // Those that wait for none come first, then those that waited for them.
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

  // Each of the others waits for another of the others: to follow them leads into a cycle.
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
    diagnostics.error(0, path.back() == at && uses[at].size() == 1
                             ? "'" + definitions[at].name + "' is defined by itself: " + cycle
                             : "definitions go round in a circle: " + cycle +
                                   "; one of them has to do without the others");
  }
  return sorted;
}

}  // namespace mechfmu::expression
