// Operator precedence parsing (Pratt: Top down operator precedence, POPL 1973). Chains of one
// level, a + b - c, are one node with many children, so that only brackets, signs and powers make a
// tree deep.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "language/expression/build.h"
#include "language/expression/expression.h"
#include "model_desc/text.h"
#include "model_desc/units.h"

namespace mechfmu::expression {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool begins_word(char c) { return is_letter(c) || c == '_'; }
bool continues_word(char c) { return begins_word(c) || is_digit(c); }

enum Level : int {
  lowest,
  either,
  both,
  opposite,
  relation,
  addition,
  multiplication,
  sign,
  raising
};

struct Operator {
  Form form = Form::sum;
  Level level = lowest;
  char sign = ' ';
  Comparison comparison = Comparison::less;
  std::size_t length = 1;
};

/// Ends the parsing of a text.
struct Failure {
  std::size_t at;
  std::string message;
};

/// Replacements for characters that word processors and physicists use.
struct Foreign {
  std::string_view text;
  const char* instead;
};
constexpr Foreign foreign[] = {
    {"\u2212", "write -"},
    {"\u2013", "write -"},
    {"\u00b7", "write *"},
    {"\u22c5", "write *"},
    {"\u00d7", "write *"},
    {"\u00f7", "write /"},
    {"\u00b2", "write ^2"},
    {"\u00b3", "write ^3"},
    {"\u03c0", "write pi"},
    {"\u00b0", "write deg"},
    {"\u00b5", "write u"},
    {"\u03bc", "write u"},
    {"\u2264", "write <="},
    {"\u2265", "write >="},
    {"\u2260", "write !="},
    {"\u221a", "write sqrt(x)"},
    {"\u00a0", "write a space"},
    {"&", "write and"},
    {"|", "write or"},
    {"!", "write not, or != to compare"},
    {"=", "write == to compare"},
    {"{", "write ("},
    {"}", "write )"},
    {";", "write , between arguments"},
};

class Parser {
 public:
  Parser(std::string_view text, bool list, std::size_t& looks)
      : text_(text), list_(list), looks_(looks) {
    if (text.size() > length_limit)
      throw Failure{0, "an expression has at most " + std::to_string(length_limit) +
                           " characters, this text has " + std::to_string(text.size())};
  }

  Expression single() {
    skip();
    Expression e = operation(lowest);
    skip();
    if (more()) fail_at_rest();
    return e;
  }

  std::vector<Expression> list() {
    std::vector<Expression> elements;
    for (skip(); more() || elements.empty(); skip()) {
      elements.push_back(operation(lowest));
      if (!more() || is_space(text_[at_])) continue;
      if (text_[at_] == ',') fail(at_, "separate the values of a list with spaces, not with ','");
      fail_at_rest();
    }
    return elements;
  }

 private:
  // Text

  [[noreturn]] static void fail(std::size_t at, std::string message) {
    throw Failure{at, std::move(message)};
  }
  bool more() const { return at_ < text_.size(); }
  char look(std::size_t ahead = 0) const {
    ++looks_;
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool skip() {
    const std::size_t begin = at_;
    while (more() && is_space(text_[at_])) ++at_;
    looks_ += at_ - begin;
    return at_ > begin;
  }
  bool looking_at(std::string_view word) const {
    looks_ += word.size();
    return text_.substr(at_).starts_with(word);
  }
  bool looking_at_word(std::string_view word) const {
    return looking_at(word) && !continues_word(look(word.size()));
  }
  static int column(std::size_t at) { return static_cast<int>(at) + 1; }
  /// A piece of the text for a message.
  std::string quote(std::size_t begin, std::size_t end) const {
    constexpr std::size_t longest = 40;
    std::string piece(text_.substr(begin, std::min(end - begin, longest)));
    if (end - begin > longest) piece += "...";
    return "'" + piece + "'";
  }

  [[noreturn]] void fail_at_strange() const {
    for (const Foreign& f : foreign)
      if (looking_at(f.text))
        fail(at_, "'" + std::string(f.text) + "' is not allowed: " + f.instead);
    const auto c = static_cast<unsigned char>(look());
    if (c > 0x20 && c < 0x7f) fail(at_, quote(at_, at_ + 1) + " is not allowed");
    fail(at_, "a character that is neither letter, digit nor operator is not allowed");
  }

  /// Reports why an expression cannot continue here.
  [[noreturn]] void fail_at_rest() const {
    const char c = look();
    if (c == ')' || c == ']')
      fail(at_, quote(at_, at_ + 1) +
                    " has no matching opening bracket: remove it, or add one before it");
    if (c == ',')
      fail(at_, "',' can only separate arguments: remove it, or add the missing bracket before it");
    if (continues_word(c) || c == '(' || c == '[' || c == '.') {
      const std::size_t end = std::max(at_ + 1, word_end(at_));
      const std::string here = quote(at_, end);
      if (at_ > 0 && is_space(text_[at_ - 1]) && after_number_ &&
          is_unit(text_.substr(at_, end - at_)))
        fail(at_, "a unit directly follows its number: remove the space before " + here);
      fail(at_, "an operator is missing before " + here + ": write * to multiply");
    }
    fail_at_strange();
  }

  // Nodes

  /// Counts brackets, signs and powers that are open.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > depth_limit) fail_too_deep(parser_.at_);
    }
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };
  [[noreturn]] static void fail_too_deep(std::size_t at) {
    fail(at, "the expression is nested deeper than " + std::to_string(depth_limit) +
                 " levels: give parts of it a name");
  }

  static std::shared_ptr<Node> node(Form form, std::size_t at, std::vector<Expression> children) {
    auto made = std::make_shared<Node>();
    made->form = form;
    made->column = column(at);
    made->children = std::move(children);
    finish(*made, at);
    return made;
  }
  static void finish(Node& node, std::size_t at) {
    complete(node);
    if (node.depth > depth_limit) fail_too_deep(at);
  }

  // Operators

  std::optional<Operator> find_operator() {
    const std::size_t begin = at_;
    const bool space = skip();
    std::optional<Operator> found = operator_here();
    if (found && found->level == addition && space && ends_element()) found.reset();
    if (!found) at_ = begin;
    return found;
  }

  std::optional<Operator> operator_here() const {
    using enum Comparison;
    switch (look()) {
      case '+':
      case '-': return Operator{.form = Form::sum, .level = addition, .sign = look()};
      case '*':
        if (look(1) == '*') fail(at_, "'**' is not allowed: write ^ for a power");
        return Operator{.form = Form::product, .level = multiplication, .sign = '*'};
      case '/': return Operator{.form = Form::product, .level = multiplication, .sign = '/'};
      case '^': return Operator{.form = Form::power, .level = raising};
      case '<':
        if (look(1) == '>') fail(at_, "'<>' is not allowed: write !=");
        return compared(look(1) == '=' ? less_equal : less);
      case '>': return compared(look(1) == '=' ? greater_equal : greater);
      case '=':
        if (look(1) == '=') return compared(equal);
        return {};
      case '!':
        if (look(1) == '=') return compared(not_equal);
        return {};
      default: break;
    }
    if (looking_at_word("and"))
      return Operator{.form = Form::logical_and, .level = both, .length = 3};
    if (looking_at_word("or"))
      return Operator{.form = Form::logical_or, .level = either, .length = 2};
    return {};
  }
  Operator compared(Comparison comparison) const {
    const bool two = look(1) == '=';
    return {.form = Form::compare,
            .level = relation,
            .comparison = comparison,
            .length = two ? 2U : 1U};
  }

  /// Whether the sign here, which follows whitespace, begins the next value of a list.
  bool ends_element() const {
    const char next = look(1);
    if (!list_ || brackets_ > 0 || next == '\0' || is_space(next)) return false;
    if (is_digit(next) || (next == '.' && is_digit(look(2)))) return true;
    const std::string sign(1, look());
    fail(at_, "'" + sign + "' after a space and before a name is ambiguous: write 'a " + sign +
                  " b' with spaces on both sides for one value, 'a (" + sign + "b)' for two");
  }

  Expression operation(Level least) {
    Expression left = prefix();
    std::shared_ptr<Node> chain;  // `left`, as long as it can grow
    while (more()) {
      const std::size_t before = at_;
      const std::optional<Operator> op = find_operator();
      if (!op) break;
      if (op->level < least) {
        at_ = before;
        break;
      }
      const std::size_t at = at_;
      at_ += op->length;
      after_ = {at, at_};
      skip();
      if (op->form == Form::power) {
        const Nesting nesting(*this);
        const int first = left->column;
        std::shared_ptr<Node> power = node(Form::power, at, {left, operation(raising)});
        power->column = first;
        left = power;
        continue;
      }
      Expression right = operation(static_cast<Level>(op->level + 1));
      if (op->form == Form::compare) {
        if (left->form == Form::compare && chain)
          fail(at, "comparisons cannot be chained: write a < b and b < c");
        chain = node(Form::compare, at, {left, right});
        chain->comparison = op->comparison;
      } else if (chain && chain->form == op->form) {
        chain->children.push_back(std::move(right));
        if (op->sign != ' ') chain->signs += op->sign;
        const int deeper = chain->children.back()->depth + 1;
        chain->depth = std::max(chain->depth, deeper);
        chain->literal = chain->literal && chain->children.back()->literal;
        if (chain->children.back()->type == ValueType::vector) chain->type = ValueType::vector;
        if (chain->depth > depth_limit) fail_too_deep(at);
      } else {
        chain = node(op->form, at, {left, right});
        if (op->form == Form::sum) chain->signs = "+";
        if (op->form == Form::product) chain->signs = "*";
        if (op->sign != ' ') chain->signs += op->sign;
      }
      chain->column = chain->children[0]->column;
      left = chain;
    }
    return left;
  }

  Expression prefix() {
    const std::size_t at = at_;
    if (look() == '-' || look() == '+') {
      const bool minus = look() == '-';
      ++at_;
      after_ = {at, at_};
      skip();
      const Nesting nesting(*this);
      Expression operand = operation(Level::sign);
      if (!minus) return operand;
      if (operand->form == Form::number && operand->unit == "degC")
        fail(at, "write a temperature below 0 degC in K: 263.15K for -10 degC");
      return node(Form::negate, at, {std::move(operand)});
    }
    if (looking_at_word("not")) {
      at_ += 3;
      after_ = {at, at_};
      skip();
      const Nesting nesting(*this);
      return node(Form::logical_not, at, {operation(relation)});
    }
    return components(primary());
  }

  // Values

  Expression primary() {
    after_number_ = false;
    const char c = look();
    if (is_digit(c) || (c == '.' && is_digit(look(1)))) return number();
    if (looking_at_word("and") || looking_at_word("or")) fail_missing();
    if (begins_word(c)) return word();
    if (c == '(') {
      const Nesting nesting(*this);
      const std::size_t open = at_;
      std::vector<Expression> inside = bracket(')', open);
      if (inside.size() != 1) fail(open, "a vector is written in square brackets: [x, y, z]");
      return inside[0];
    }
    if (c == '[') {
      const Nesting nesting(*this);
      const std::size_t open = at_;
      std::vector<Expression> inside = bracket(']', open);
      if (inside.size() != 3)
        fail(open, "a vector has three components, [x, y, z]; this one has " +
                       std::to_string(inside.size()));
      return node(Form::vector, open, std::move(inside));
    }
    fail_missing();
  }

  [[noreturn]] void fail_missing() const {
    const char c = look();
    const bool ends = !more();
    const bool known = ends || c == ')' || c == ']' || c == ',' || operator_here();
    if (!known) fail_at_strange();
    const std::string before =
        after_.second > after_.first ? " after " + quote(after_.first, after_.second) : "";
    if (!ends)
      fail(at_, "a value is missing" + before + (before.empty() ? "" : " and") + " before " +
                    quote(at_, at_ + 1));
    fail(at_, "a value is missing" + before + ": the text ends here");
  }

  /// Expressions separated by commas, up to the closing bracket.
  std::vector<Expression> bracket(char close, std::size_t open) {
    ++brackets_;
    after_ = {at_, at_ + 1};
    ++at_;
    std::vector<Expression> inside;
    skip();
    const bool call = open > 0 && text_[open] == '(' && continues_word(text_[open - 1]);
    if (look() == close && call) {
      ++at_;
      --brackets_;
      return inside;
    }
    while (true) {
      skip();
      inside.push_back(operation(lowest));
      skip();
      if (look() == ',') {
        after_ = {at_, at_ + 1};
        ++at_;
        continue;
      }
      if (look() == close) break;
      const std::string opened = quote(open, open + 1) + " of column " +
                                 std::to_string(column(open)) + " is not closed: '" + close +
                                 "' is missing";
      if (!more() || look() == ')' || look() == ']') fail(at_, opened);
      if (text_[open] == '[' && inside.size() < 3) {
        fail(at_, "separate the components of a vector with commas: [x, y, z]");
      }
      fail_at_rest();
    }
    ++at_;
    --brackets_;
    after_number_ = false;
    return inside;
  }

  /// .x .y .z after a value.
  Expression components(Expression value) {
    while (look() == '.' && value->form != Form::number) {
      const char c = look(1);
      if (c < 'x' || c > 'z' || continues_word(look(2)))
        fail(at_, "only .x, .y and .z can follow a value");
      at_ += 2;
      Node made;
      made.form = Form::component;
      made.column = value->column;
      made.component = c - 'x';
      made.children = {std::move(value)};
      finish(made, at_);
      value = std::make_shared<const Node>(std::move(made));
    }
    return value;
  }

  // Numbers

  Expression number() {
    const std::size_t begin = at_;
    Node made;
    made.column = column(begin);
    const char* const first = text_.data() + at_;
    const auto read = std::from_chars(first, text_.data() + text_.size(), made.number);
    at_ += static_cast<std::size_t>(read.ptr - first);
    const std::string digits = quote(begin, at_);
    if (read.ec != std::errc() || !std::isfinite(made.number))
      fail(begin, "the number " + digits +
                      " is out of range: its magnitude must be between 2.3e-308 and 1.7e308");
    if (begins_word(look()) || look() == '%') {
      const std::size_t unit = at_;
      take_unit(begin);
      made.unit = text_.substr(unit, at_ - unit);
      const Unit known = parse_unit(made.unit);
      made.number = known.factor == 1 ? made.number
                    : known.factor < 1 && known.inverse == std::round(known.inverse)
                        ? made.number / known.inverse
                        : made.number * known.factor;
      made.number += known.offset;
      if (!std::isfinite(made.number))
        fail(begin, "the number " + quote(begin, at_) +
                        " is out of range: its magnitude must be between 2.3e-308 and 1.7e308");
    }
    after_number_ = made.unit.empty();
    return finished(std::move(made));
  }

  bool is_unit(std::string_view symbol) const { return symbol.size() <= 40 && !unit_error(symbol); }
  /// The message of parse_unit about a symbol that is not a unit.
  std::optional<std::string> unit_error(std::string_view symbol) const {
    looks_ += symbol.size();
    try {
      (void)parse_unit(symbol);
      return {};
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  }

  /// The end of a word that begins at `at`.
  std::size_t word_end(std::size_t at) const {
    const std::size_t begin = at;
    while (at < text_.size() && continues_word(text_[at])) ++at;
    looks_ += at - begin;
    return at;
  }

  /// Moves behind the unit that begins here; its number began at `number`.
  void take_unit(std::size_t number) {
    constexpr std::size_t longest = 40;
    const std::size_t begin = at_;
    if (look() == '%') {
      ++at_;
    } else {
      at_ = word_end(at_);
    }
    while (look() == '.' && begins_word(look(1))) at_ = word_end(at_ + 1);
    while (at_ - begin <= longest && look() == '/' && take_divisor(begin)) {
    }
    const std::string_view symbol = text_.substr(begin, at_ - begin);
    if (symbol.size() > longest) fail(begin, "the unit " + quote(begin, at_) + " is too long");
    const std::optional<std::string> error = unit_error(symbol);
    if (!error) {
      if (look() == '^')
        fail(at_, "a power of a unit is ambiguous: write " + std::string(symbol) +
                      "2 for the unit, (" + std::string(text_.substr(number, at_ - number)) +
                      ")^2 for the value");
      return;
    }
    if (symbol.find_first_of("./%") != std::string_view::npos) fail(begin, *error);
    const std::string digits(text_.substr(number, std::min<std::size_t>(begin - number, longest)));
    const std::string name(symbol);
    const std::vector<std::string> usual = {"m",  "mm",  "km",  "s",    "ms",  "min", "kg",  "g",
                                            "N",  "kN",  "N.m", "kN.m", "J",   "kJ",  "W",   "kW",
                                            "Pa", "MPa", "bar", "rad",  "deg", "rev", "rpm", "Hz"};
    std::string meant;
    for (std::size_t i = 1; i < name.size() && meant.empty(); ++i) {
      const std::string dotted = name.substr(0, i) + "." + name.substr(i);  // Nm: N.m
      if (is_unit(dotted)) meant = dotted;
    }
    if (meant.empty()) meant = did_you_mean(symbol, usual);
    fail(begin, "'" + name + "' is not a unit: write " +
                    (meant.empty() ? "" : digits + meant + " if you mean that unit, ") + digits +
                    "*" + name + " to multiply");
  }

  /// Skips "/s" or "/(kg.K)" if it belongs to the unit; otherwise it is a quotient.
  bool take_divisor(std::size_t begin) {
    const std::size_t slash = at_;
    std::size_t end = slash + 1;
    if (look(1) == '(') {
      constexpr std::size_t longest = 40;
      bool dotted = false;
      for (++end; end < text_.size() && end - slash < longest; ++end) {
        if (text_[end] == '.') dotted = true;
        if (!is_letter(text_[end]) && !is_digit(text_[end]) && text_[end] != '.') break;
      }
      if (end >= text_.size() || text_[end] != ')' || !dotted) return false;
      ++end;
    } else if (begins_word(look(1))) {
      end = word_end(end);
      while (end + 1 < text_.size() && text_[end] == '.' && begins_word(text_[end + 1]))
        end = word_end(end + 1);
      if (end < text_.size() && text_[end] == '(') return false;  // 5m/min(a, b)
    } else {
      return false;
    }
    if (end - begin > 40) return false;
    std::string divisor(text_.substr(slash + 1, end - slash - 1));
    const bool unbracketed = divisor.front() != '(' && divisor.find('.') != std::string::npos;
    if (!is_unit(divisor)) return false;
    if (unbracketed && !is_unit(text_.substr(begin, end - begin)))
      fail(slash, "'/" + divisor + "' is ambiguous: write /(" + divisor + ") for the unit, ' / " +
                      divisor + "' with spaces for a quotient");
    at_ = end;
    return true;
  }

  // Words

  Expression word() {
    const std::size_t begin = at_;
    Node made;
    made.form = Form::name;
    made.column = column(begin);
    while (true) {
      const std::size_t from = at_;
      at_ = word_end(at_);
      const std::string_view name = text_.substr(from, at_ - from);
      const FunctionInfo* info = from == begin && look() == '(' ? find_function(name) : nullptr;
      if (info != nullptr) return call(begin, *info);
      if (from == begin && look() != '.') {
        if (name == "true" || name == "false") return truth(begin, name == "true");
        if (name == "if") fail(begin, "'if' is a function: write if(condition, a, b)");
        fail_at_spaced_call(begin, name);
      }
      made.pieces.push_back({std::string(name), false, 0});
      if (look() == '[') made.pieces.back().word += indices();
      if (look() == '(') {
        const Nesting nesting(*this);
        std::vector<Expression> arguments = bracket(')', at_);
        made.pieces.back().called = true;
        made.pieces.back().arguments = arguments.size();
        for (Expression& argument : arguments) made.children.push_back(std::move(argument));
      }
      if (look() == '[')
        fail(at_, "only names can have indices; write .x, .y or .z for a component of a vector");
      if (look() != '.') break;
      if (!begins_word(look(1))) fail(at_ + 1, "a name is missing after '.'");
      ++at_;
    }
    made.text = without_space(text_.substr(begin, at_ - begin));
    finish(made, begin);
    return std::make_shared<const Node>(std::move(made));
  }

  /// [2,5] of a name
  std::string indices() {
    const std::size_t open = at_++;
    while (true) {
      skip();
      if (look() == '-') ++at_;
      if (!is_digit(look()))
        fail(open,
             "an index is a whole number, as in link[3] or node[2,5]; write .x, .y or .z for "
             "a component of a vector");
      while (is_digit(look())) ++at_;
      skip();
      if (look() == ']') break;
      if (look() != ',')
        fail(open,
             "'[' of column " + std::to_string(column(open)) + " is not closed: ']' is missing");
      ++at_;
    }
    ++at_;
    return without_space(text_.substr(open, at_ - open));
  }

  static std::string without_space(std::string_view text) {
    std::string kept;
    bool space = false;
    for (const char c : text) {
      if (!is_space(c)) {
        if (space && continues_word(c) && continues_word(kept.back())) kept += ' ';
        kept += c;
      }
      space = is_space(c);
    }
    return kept;
  }

  static Expression truth(std::size_t at, bool value) {
    Node made;
    made.form = Form::truth;
    made.column = column(at);
    made.number = value ? 1 : 0;
    return finished(std::move(made));
  }

  /// sin (x): a function name followed by a separate bracket.
  void fail_at_spaced_call(std::size_t begin, std::string_view name) {
    const std::size_t end = at_;
    const bool space = skip();
    const bool bracket = look() == '(';
    at_ = end;
    if (space && bracket && find_function(name) != nullptr)
      fail(begin, "no space is allowed between a function and its bracket: write " +
                      std::string(name) + "(...)");
  }

  Expression call(std::size_t begin, const FunctionInfo& info) {
    const Nesting nesting(*this);
    auto made = std::make_shared<Node>();
    made->form = Form::call;
    made->builtin = info.function;
    made->column = column(begin);
    made->children = bracket(')', at_);
    const std::size_t given = made->children.size();
    if (given < info.least || given > info.most)
      fail(begin, std::string(info.name) + " has " + std::to_string(given) + " argument" +
                      (given == 1 ? "" : "s") + "; it is used as " + info.usage);
    finish(*made, begin);
    return made;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::pair<std::size_t, std::size_t> after_{0, 0};  // the last operator or bracket, for messages
  bool list_ = false;
  std::size_t& looks_;
  bool after_number_ = false;  // the last value was a number without unit
  int nesting_ = 0;            // open brackets, signs and powers
  int brackets_ = 0;
};

}  // namespace

Expression parse(std::string_view text, Report& report) {
  report.length = text.size();
  try {
    return Parser(text, false, report.looks).single();
  } catch (const Failure& failure) {
    report.error(static_cast<int>(failure.at) + 1, failure.message);
    return nullptr;
  }
}

std::vector<Expression> parse_list(std::string_view text, Report& report) {
  report.length = text.size();
  try {
    return Parser(text, true, report.looks).list();
  } catch (const Failure& failure) {
    report.error(static_cast<int>(failure.at) + 1, failure.message);
    return {};
  }
}

}  // namespace mechfmu::expression
