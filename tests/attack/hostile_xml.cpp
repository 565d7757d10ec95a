#include "tests/attack/hostile_xml.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace mechfmu::attack {

namespace {

constexpr char raw = '\1';  // at the beginning of a value: it is written as it is, not escaped

constexpr std::array numbers = {"0",
                                "-1",
                                "1",
                                "0.5",
                                "1e308",
                                "-1e308",
                                "1e-300",
                                "5e-324",
                                "nan",
                                "inf",
                                "-inf",
                                "1e999",
                                "1e-999",
                                "1e15",
                                "1e-9",
                                "0x10",
                                "1e",
                                "--1",
                                "1,5",
                                "1.",
                                ".5",
                                "+1",
                                " 2 ",
                                "",
                                " ",
                                "1e16",
                                "2147483648",
                                "65536",
                                "4294967296",
                                "18446744073709551616",
                                "99999999999999999999999999",
                                "1e+0000000001",
                                "-0",
                                "1_000",
                                "٣",
                                "1e300 km",
                                "1kg",
                                "5mm/s",
                                "3furlong",
                                "1N.m/(kg.K)",
                                "1deg",
                                "1/0",
                                "0/0",
                                "(-1)^0.5",
                                "10^10^10",
                                "1e308*10",
                                "1e308-1e308*2",
                                "100000",
                                "1e5",
                                "1e-5"};

constexpr std::array vectors = {
    "0 0 0",   "1 0 0",       "0 0 1",      "1 1 1",         "1 2",
    "1 2 3 4", "nan nan nan", "1e200 0 0",  "1e-200 0 0",    "1e308 1e308 1e308",
    "-1 0 0",  "0 1e-9 0",    "180deg 0 0", "0 0 0 0 0 0 0", "1e9 -1e9 1",
    "(1 2 3)", "1;2;3",       "1, 2, 3"};

constexpr std::array words = {"true",        "false",     "TRUE",    "ground",
                              "time",        "all",       "none",    "world",
                              "pi",          "e",         "planar",  "revolute",
                              "prismatic",   "spherical", "fixed",   "free",
                              "point",       "m",         "kg.m2",   "N.s/m",
                              "deg",         "1",         "rad",     "Float64",
                              "Real",        "2.0",       "3.0",     "input",
                              "output",      "parameter", "local",   "structuralParameter",
                              "independent", "constant",  "tunable", "exact",
                              "calculated"};

constexpr std::array expressions = {"sqrt(-1)",
                                    "log(0)",
                                    "asin(2)",
                                    "pow(0,-1)",
                                    "1/(time-time)",
                                    "2^2^2^2^2",
                                    "-----1",
                                    "!true",
                                    "not not true",
                                    "1 < 2 < 3",
                                    "min()",
                                    "max(1,2,3,4,5,6,7,8,9)",
                                    "if(",
                                    ")",
                                    "((",
                                    "1+",
                                    "*1",
                                    "a.b.c.d.e.f",
                                    ".",
                                    "..",
                                    "@.angle",
                                    "@.position.x",
                                    "@.position",
                                    "@.rate",
                                    "@.velocity",
                                    "@.force",
                                    "@.torque.z",
                                    "@.length",
                                    "@.x",
                                    "@.y.z",
                                    "@",
                                    "@ @",
                                    "@ @ @",
                                    "2*@",
                                    "@+@",
                                    "@/@",
                                    "@^@",
                                    "sin(@)",
                                    "@(1)",
                                    "@(@)",
                                    "point(@, 0, 0, 0)",
                                    "@.at(0 0 1)",
                                    "point(@ 1 0 0).position.x",
                                    "relative_to(@)",
                                    "true ? 1 : 2",
                                    "time < 1s ? @ : 0",
                                    "@[0]",
                                    "@.@",
                                    "a:b",
                                    "1m+1s",
                                    "1m*1",
                                    "abs(-1m)",
                                    "atan2(0, 0)",
                                    "sign(0)",
                                    "sqrt(0)",
                                    "0^0",
                                    "exp(1e9)",
                                    "tan(90deg)",
                                    "1e308*time",
                                    "@ and @",
                                    "@ == @",
                                    "@ = 1",
                                    "'@'",
                                    "time",
                                    "time/1s",
                                    "sin(time/1s)",
                                    "1/time",
                                    "log(time)"};

constexpr std::array texts = {"\1a&#10;b",
                              "\1a&#13;&#9;b",
                              "\1&#0;",
                              "\1&#27;[31m",
                              "\1&#x9b;31m",
                              "\1&#xD800;",
                              "\1&#xFFFE;",
                              "\1&#1114112;",
                              "\1&unknown;",
                              "\1&a;",
                              "\1a & b",
                              "\1a < b",
                              "\1]]>",
                              "\1\"",
                              "\1\x07",
                              "\1\x7f",
                              "\1\xc2\x9b",
                              "\1\xff\xfe",
                              "\1\xc0\xaf",
                              "\1\xed\xa0\x80",
                              "\1\xf4\x90\x80\x80",
                              "\1\xe2\x80",
                              "\xe2\x80\xae"
                              "abc",
                              "\xef\xbb\xbf",
                              "${HOME}",
                              "%s%n%s%n",
                              "'); --",
                              "a b",
                              "a.b",
                              "a/b",
                              "..",
                              "../../x",
                              "a'b",
                              "x\ty",
                              "Ω",
                              "名前",
                              "0a",
                              "_",
                              "__",
                              "a-b",
                              "int",
                              "double",
                              "class",
                              "nullptr",
                              "main",
                              "operator",
                              "mechfmu",
                              "solver.tolerance",
                              "time",
                              "energy.kinetic",
                              "M\\",
                              "\\",
                              "\"",
                              "$"};

/// A node and where it hangs.
struct Found {
  XmlNode* parent;
  std::size_t child;
  XmlNode& node() const { return parent->children[child]; }
};

class Changes {
 public:
  Changes(XmlNode& root, const Vocabulary& vocabulary, Dice& dice)
      : root_(root), vocabulary_(vocabulary), dice_(dice) {}

  void make(std::size_t count) {
    for (; count > 0; --count) {
      look();
      make_one();
    }
  }

 private:
  void look() {
    found_.clear();
    all_.clear();
    names_.clear();
    look_at(root_);
  }
  void look_at(XmlNode& node) {
    all_.push_back(&node);
    if (const Attribute* name = node.find("name")) names_.push_back(name->text);
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      found_.push_back({&node, i});
      look_at(node.children[i]);
    }
  }

  XmlNode& any() { return *all_[dice_.below(all_.size())]; }
  XmlNode& with_attributes() {
    for (int i = 0; i < 20; ++i)
      if (XmlNode& node = any(); !node.attributes.empty()) return node;
    if (root_.attributes.empty()) root_.attributes.push_back({"name", "M", {}});
    return root_;
  }
  std::string name() { return names_.empty() || dice_.once_in(10) ? "nobody" : dice_.of(names_); }

  void put_in(XmlNode& node, XmlNode child) {
    const auto at = static_cast<std::ptrdiff_t>(dice_.below(node.children.size() + 1));
    node.children.insert(node.children.begin() + at, std::move(child));
  }

  void make_one() {
    switch (dice_.below(22)) {
      case 0:
        if (!found_.empty()) erase(dice_.of(found_));
        break;
      case 1: repeat(); break;
      case 2:
      case 3: move(); break;
      case 4: swap_elements(); break;
      case 5: nest(); break;
      case 6:
        if (!vocabulary_.elements.empty()) put_in(any(), dice_.of(vocabulary_.elements));
        break;
      case 7:
        if (!vocabulary_.elements.empty()) put_in(root_, dice_.of(vocabulary_.elements));
        break;
      case 8: {
        std::vector<Attribute>& all = with_attributes().attributes;
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(dice_.below(all.size())));
        break;
      }
      case 9: {
        XmlNode& node = with_attributes();
        node.attributes.push_back(dice_.of(node.attributes));
        break;
      }
      case 10: dice_.of_mutable(with_attributes().attributes).name = other_attribute(); break;
      case 11: {
        const Attribute taken = dice_.of(with_attributes().attributes);
        any().attributes.push_back(taken);
        break;
      }
      case 12: {
        std::string& a = dice_.of_mutable(with_attributes().attributes).text;
        std::string& b = dice_.of_mutable(with_attributes().attributes).text;
        std::swap(a, b);
        break;
      }
      case 13: any().tag = dice_.once_in(3) ? odd_tag() : any().tag; break;
      case 14: set_known(with_attributes(), false); break;
      case 15: set_known(any(), true); break;
      case 16: circle(); break;
      case 17: dice_.of_mutable(with_attributes().attributes).text = hard_value(); break;
      default: set_known(with_attributes(), dice_.once_in(3)); break;
    }
  }

  static void erase(const Found& at) {
    std::vector<XmlNode>& children = at.parent->children;
    children.erase(children.begin() + static_cast<std::ptrdiff_t>(at.child));
  }

  void repeat() {
    if (found_.empty()) return;
    const Found at = dice_.of(found_);
    const XmlNode copy = at.node();
    std::size_t times = dice_.once_in(40) ? 1 + dice_.below(300) : 1 + dice_.below(3);
    if (copy.children.size() > 3) times = 1;
    const bool renamed = dice_.once_in(2);
    for (std::size_t i = 0; i < times; ++i) {
      XmlNode next = copy;
      if (renamed)
        for (Attribute& a : next.attributes)
          if (a.name == "name") a.text += std::to_string(i);
      at.parent->children.push_back(std::move(next));
    }
  }

  void move() {
    if (found_.empty()) return;
    const Found at = dice_.of(found_);
    XmlNode taken = at.node();
    erase(at);
    look();
    put_in(dice_.once_in(2) ? root_ : any(), std::move(taken));
  }

  void swap_elements() {
    XmlNode& a = any();
    XmlNode& b = any();
    if (a.children.empty() && b.children.empty())
      std::swap(a, b);
    else
      std::swap(a.attributes, b.attributes);
  }

  void nest() {
    if (found_.empty()) return;
    XmlNode& node = dice_.of(found_).node();
    const std::string tag = dice_.once_in(2) ? node.tag : any().tag;
    const std::size_t depth = dice_.once_in(8) ? 1 + dice_.below(60) : 1;
    for (std::size_t i = 0; i < depth; ++i) {
      XmlNode outer;
      outer.tag = tag;
      if (dice_.once_in(2)) outer.attributes = node.attributes;
      outer.children.push_back(std::move(node));
      node = std::move(outer);
    }
  }

  /// Elements that are defined by each other.
  void circle() {
    std::vector<Attribute*> defined;
    std::vector<std::string> of;
    for (XmlNode* node : all_)
      for (Attribute& a : node->attributes)
        if (const Attribute* own = node->find("name");
            own != nullptr && (a.name == "value" || a.name == "mass" || a.name == "at")) {
          defined.push_back(&a);
          of.push_back(own->text);
        }
    if (defined.empty()) return;
    const std::size_t n = 1 + dice_.below(std::min<std::size_t>(defined.size(), 5));
    const std::size_t first = dice_.below(defined.size());
    for (std::size_t i = 0; i < n; ++i)
      defined[(first + i) % defined.size()]->text = of[(first + (i + 1) % n) % of.size()];
  }

  std::string odd_tag() {
    static constexpr std::array tags = {"x",       "mechanism", "part", "group",     "include",
                                        "use",     "body",      "a:b",  "xml",       "Ω",
                                        "default", "Alias",     "Item", "Dimension", "Unknown"};
    return dice_.of(tags);
  }
  std::string other_attribute() {
    const XmlNode& node = any();
    if (!node.attributes.empty() && !dice_.once_in(4)) return dice_.of(node.attributes).name;
    static constexpr std::array odd = {"x",   "name",      "xmlns", "xmlns:a",
                                       "a:b", "xml:space", "value"};
    return dice_.of(odd);
  }

  /// An attribute that the element may have, present or not.
  void set_known(XmlNode& node, bool another) {
    std::string attribute;
    if (!another && !node.attributes.empty()) attribute = dice_.of(node.attributes).name;
    std::string value;
    const auto known = vocabulary_.values.find(node.tag);
    if (known != vocabulary_.values.end() && !known->second.empty()) {
      auto chosen = known->second.find(attribute);
      if (chosen == known->second.end() && another)
        chosen = std::next(known->second.begin(),
                           static_cast<std::ptrdiff_t>(dice_.below(known->second.size())));
      if (chosen != known->second.end()) {
        attribute = chosen->first;
        if (!dice_.once_in(3) && !chosen->second.empty())
          value = with_names(dice_.of(chosen->second));
      }
    }
    if (attribute.empty()) return;
    if (value.empty()) value = odd_value();
    for (Attribute& a : node.attributes)
      if (a.name == attribute) {
        a.text = value;
        return;
      }
    node.attributes.push_back({attribute, value, {}});
  }

  std::string with_names(const std::string& text) {
    std::string made;
    for (const char c : text)
      if (c == '@')
        made += name();
      else
        made += c;
    return made;
  }

  std::string odd_value() {
    switch (dice_.below(9)) {
      case 0:
      case 1: return dice_.of(numbers);
      case 2: return dice_.of(vectors);
      case 3: return dice_.of(words);
      case 4:
      case 5: return with_names(dice_.of(expressions));
      case 6: {
        const Attribute& other = dice_.of(with_attributes().attributes);
        return other.text;
      }
      case 7: return dice_.once_in(3) ? file() : function();
      default: return dice_.once_in(4) ? hard_value() : std::string(dice_.of(texts));
    }
  }

  std::string file() { return vocabulary_.files.empty() ? "x" : dice_.of(vocabulary_.files); }

  std::string function() {
    if (vocabulary_.functions.empty()) return "f(1)";
    std::string call = dice_.of(vocabulary_.functions) + "(";
    const std::size_t n = dice_.below(4);
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) call += ", ";
      call += dice_.once_in(2) ? std::string(dice_.of(numbers)) : with_names("@.angle");
    }
    return call + ")";
  }

  /// Long and deep.
  std::string hard_value() {
    static constexpr std::array sizes = {50, 300, 2000, 20'000, 99'990, 100'010, 150'000};
    const auto n = static_cast<std::size_t>(dice_.of(sizes));
    const auto times = [&](std::string_view part, std::size_t count) {
      std::string all;
      for (std::size_t i = 0; i < count; ++i) all += part;
      return all;
    };
    switch (dice_.below(9)) {
      case 0: return times("a", n);
      case 1: return times("(", n / 2) + "1" + times(")", n / 2);
      case 2: return times("sin(", n / 5) + "1" + times(")", n / 5);
      case 3: return "1" + times("+1", n / 2);
      case 4: return times("-", n) + "1";
      case 5: return "2" + times("^2", n / 2);
      case 6: return times("1 ", n / 2);
      case 7: return times("true ? 1 : ", n / 11) + "1";
      default: return times(with_names("@") + ".", n / 10) + "x";
    }
  }

  XmlNode& root_;
  const Vocabulary& vocabulary_;
  Dice& dice_;
  std::vector<Found> found_;
  std::vector<XmlNode*> all_;
  std::vector<std::string> names_;
};

void write(const XmlNode& node, std::string& to) {
  to += '<' + node.tag;
  for (const Attribute& a : node.attributes) {
    to += ' ' + a.name + "=\"";
    if (a.text.starts_with(raw)) {
      to += a.text.substr(1);
    } else {
      for (const char c : a.text) switch (c) {
          case '&': to += "&amp;"; break;
          case '<': to += "&lt;"; break;
          case '"': to += "&quot;"; break;
          default: to += c;
        }
    }
    to += '"';
  }
  if (node.children.empty()) {
    to += "/>\n";
    return;
  }
  to += ">\n";
  for (const XmlNode& child : node.children) write(child, to);
  to += "</" + node.tag + ">\n";
}

std::string in_utf16(const std::string& text, bool big) {
  std::string made = big ? "\xfe\xff" : "\xff\xfe";
  for (const char c : text) {
    if (big) made += '\0';
    made += c;
    if (!big) made += '\0';
  }
  return made;
}

std::string entities(Dice& dice) {
  std::string text = "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\">";
  char last = 'a';
  for (std::size_t n = dice.below(12); n > 0; --n) {
    const char next = static_cast<char>(last + 1);
    text += std::string("<!ENTITY ") + next + " \"";
    for (int i = 0; i < 10; ++i) text += std::string("&") + last + ";";
    text += "\">";
    last = next;
  }
  if (dice.once_in(2)) text += "<!ENTITY x SYSTEM \"file:///etc/passwd\">";
  if (dice.once_in(3)) text += "<!ENTITY % p SYSTEM \"../secret.xml\"> %p;";
  return text + "]>\n";
}

/// Changes of the whole text.
void change_form(std::string& text, Dice& dice) {
  static constexpr std::array heads = {"<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n",
                                       "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n",
                                       "<?xml version=\"1.0\" encoding=\"UTF-7\"?>\n",
                                       "<?xml version=\"1.0\" encoding=\"EBCDIC-CP-US\"?>\n",
                                       "<?xml version=\"1.1\"?>\n",
                                       "<?xml version=\"9.9\" standalone=\"maybe\"?>\n",
                                       "<?xml-stylesheet href=\"file:///etc/passwd\"?>\n",
                                       "<?a b?><!-- c -->\n",
                                       "\xef\xbb\xbf",
                                       "\xef\xbb\xbf\xef\xbb\xbf",
                                       "  \n",
                                       "<!-- -- -->",
                                       "<!--",
                                       "<!DOCTYPE a SYSTEM \"http://127.0.0.1:1/a.dtd\">\n",
                                       "<!doctype a>",
                                       "<![CDATA[",
                                       "<?"};
  static constexpr std::array middles = {"<![CDATA[<body/>]]>",
                                         "<![CDATA[",
                                         "]]>",
                                         "<?pi ?>",
                                         "<!-- > -->",
                                         "text",
                                         "&a;",
                                         "&x;",
                                         "&lt;",
                                         "&#10;",
                                         "&#0;",
                                         "</mechanism>",
                                         "</x>",
                                         "<x>",
                                         "<",
                                         "<a b='\"'>",
                                         "<a b=\"1\" b=\"2\"/>",
                                         "<a b=1/>",
                                         "<xi:include href=\"../secret.xml\"/>",
                                         "\x1b[2J",
                                         "\xc2\x9b"
                                         "31m",
                                         "\r",
                                         "\r\n",
                                         "\xff"};
  const auto between = [&] {  // two elements
    const std::size_t at = text.find(">\n", dice.below(text.size() + 1));
    return at == std::string::npos ? text.size() : at + 2;
  };
  switch (dice.below(12)) {
    case 0: text = in_utf16(text, dice.once_in(2)); break;
    case 1: text = in_utf16(text, dice.once_in(2)).substr(2); break;
    case 2:
    case 3: text.insert(0, dice.of(heads)); break;
    case 4: {
      text.insert(0, entities(dice));
      const std::size_t value = text.find("=\"", dice.below(text.size()));
      if (value != std::string::npos)
        text.insert(value + 2, dice.once_in(2) ? "&x;"
                                               : std::string("&") +
                                                     static_cast<char>('a' + dice.below(12)) + ";");
      break;
    }
    case 5:
    case 6: text.insert(between(), dice.of(middles)); break;
    case 7: {
      const std::size_t depth = dice.once_in(10) ? 200'000 : 1 + dice.below(600);
      std::string deep;
      for (std::size_t i = 0; i < depth; ++i) deep += "<a>";
      if (dice.once_in(2))
        for (std::size_t i = 0; i < depth; ++i) deep += "</a>";
      text.insert(between(), deep);
      break;
    }
    case 8: {
      std::string many = "<body";
      for (std::size_t n = dice.below(1000); n > 0; --n)
        many += " a" + std::to_string(n) + "=\"1\"";
      text.insert(between(), many + "/>");
      break;
    }
    case 9: text += text; break;
    default: change_bytes(text, dice); break;
  }
}

}  // namespace

void Vocabulary::learn(const XmlNode& good) {
  auto& known = values[good.tag];
  for (const Attribute& a : good.attributes)
    if (auto& seen = known[a.name]; seen.size() < 30) seen.push_back(a.text);
  for (const XmlNode& child : good.children) learn(child);
}

XmlNode parse_good(const std::string& content, const std::string& file) {
  ReaderLimits limits;
  limits.depth = 100;
  Diagnostics diagnostics;
  // without the name of the file, which every node would hold
  std::optional<XmlNode> root = parse_xml(content, "", limits, diagnostics, {"file", "<…>", true});
  if (!root) throw std::runtime_error(file + diagnostics.text());
  return std::move(*root);
}

std::string as_text(const XmlNode& node) {
  std::string text;
  write(node, text);
  return text;
}

std::string hostile_xml(const XmlNode& good, const Vocabulary& vocabulary, Dice& dice) {
  XmlNode root = good;
  Changes(root, vocabulary, dice).make(dice.once_in(20) ? dice.below(40) : dice.below(4));
  std::string text = as_text(root);
  if (dice.once_in(6)) change_form(text, dice);
  if (dice.once_in(40)) change_form(text, dice);
  return text;
}

}  // namespace mechfmu::attack
