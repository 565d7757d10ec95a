#include "mechanics/listing_bytes.h"

#include <bit>
#include <map>
#include <stdexcept>

#include "mechanics/fields.h"
#include "mechanics/words.h"
#include "model/checksum.h"

namespace mechfmu::mechanics {

namespace {

constexpr std::string_view magic = "mechfmu listing\n";

[[noreturn]] void refuse(const char* why) {
  throw std::invalid_argument(std::string("the listing of the mechanism ") + why);
}

/// Appends.
class Writer {
 public:
  static constexpr bool reads = false;
  std::string bytes;

  void whole(std::uint64_t number, int size) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xffU);
  }
  void raw(std::uint8_t& byte) { whole(byte, 1); }
  void raw(std::int32_t& number) { whole(static_cast<std::uint32_t>(number), 4); }
  void raw(double& number) { whole(std::bit_cast<std::uint64_t>(number), 8); }
  void raw(std::string& text) {
    count(text);
    bytes += text;
  }
  template <class List>
  std::size_t count(List& list) {
    if (list.size() > 0x7fffffffU) refuse("is too large");
    whole(list.size(), 4);
    return list.size();
  }

  // Programs and tables are written once, and referred to by their places.
  template <class T>
  struct Known {
    std::vector<std::shared_ptr<const T>> list;
    std::map<const T*, std::uint32_t> places;

    void note(const std::shared_ptr<const T>& one) {
      if (places.emplace(one.get(), static_cast<std::uint32_t>(list.size())).second)
        list.push_back(one);
    }
  };
  Known<Program> programs;
  Known<functions::Table> tables;
  void shared(const std::shared_ptr<const Program>& p) { whole(programs.places.at(p.get()), 4); }
  void shared(const std::shared_ptr<const functions::Table>& t) {
    whole(tables.places.at(t.get()), 4);
  }
};

/// Takes from the front, never more than there is.
class Reader {
 public:
  static constexpr bool reads = true;
  explicit Reader(std::string_view from) : left(from) {}
  std::string_view left;

  std::uint64_t whole(int size) {
    if (left.size() < static_cast<std::size_t>(size)) refuse("is cut off");
    std::uint64_t number = 0;
    for (int i = 0; i < size; ++i)
      number |= std::uint64_t{static_cast<unsigned char>(left[static_cast<std::size_t>(i)])}
                << (8 * i);
    left.remove_prefix(static_cast<std::size_t>(size));
    return number;
  }
  void raw(std::uint8_t& byte) { byte = static_cast<std::uint8_t>(whole(1)); }
  void raw(std::int32_t& number) {
    number = static_cast<std::int32_t>(static_cast<std::uint32_t>(whole(4)));
  }
  void raw(double& number) { number = std::bit_cast<double>(whole(8)); }
  void raw(std::string& text) {
    const std::size_t size = whole(4);
    if (size > left.size()) refuse("is cut off");
    text = left.substr(0, size);
    left.remove_prefix(size);
  }
  /// Each entry has at least one byte, so there are no more entries than bytes. Room is made as
  /// they come.
  template <class List>
  std::size_t count(List& list) {
    const std::size_t size = whole(4);
    if (size > left.size()) refuse("is cut off");
    list.clear();
    return size;
  }

  void shared(std::shared_ptr<const Program>& p) { p = at(programs); }
  void shared(std::shared_ptr<const functions::Table>& t) { t = at(tables); }
  std::vector<std::shared_ptr<const Program>> programs;
  std::vector<std::shared_ptr<const functions::Table>> tables;

 private:
  template <class T>
  T at(const std::vector<T>& list) {
    const std::size_t i = whole(4);
    if (i >= list.size()) refuse("refers to what is not there");
    return list[i];
  }
};

// --- one list of fields, for reading and writing ---

template <class>
constexpr bool is_row = false;
template <template <class> class Row>
constexpr bool is_row<Row<Listed>> = true;

template <class A>
class Transfer {
 public:
  explicit Transfer(A& archive) : a_(archive) {}

  void listing(Listing& l) {
    (*this)(l.name, l.about, l.experiment.stop, l.experiment.step, l.experiment.tolerance,
            l.experiment.start);
    settings(l.solver);
    (*this)(l.track_energy, l.gravity, l.length_scale, l.calculations, l.settings, l.poses,
            l.modals, l.bodies, l.joints, l.rollings, l.measures, l.states, l.actions, l.outputs);
  }
  void program(Program& p) {
    (*this)(p.constants, p.settings, p.fixed, p.arguments, p.moving, p.tables, p.operations,
            p.results);
  }

  template <class... T>
  void operator()(T&... all) {
    (one(all), ...);
  }

 private:
  void one(std::int32_t& number) { a_.raw(number); }
  void one(double& number) { a_.raw(number); }
  void one(std::string& text) { a_.raw(text); }
  void one(bool& truth) {
    std::uint8_t byte = truth ? 1 : 0;
    a_.raw(byte);
    if (byte > 1) refuse("has an invalid truth value");
    truth = byte == 1;
  }
  void one(Index& index) {
    auto number = static_cast<std::int32_t>(index);
    a_.raw(number);
    index = number;
  }
  template <class T>
  requires std::is_enum_v<T>
  void one(T& word) {
    auto byte = static_cast<std::uint8_t>(word);
    a_.raw(byte);
    if (byte >= words<T>().size()) refuse("has an invalid word");
    word = static_cast<T>(byte);
  }
  template <class Handle>
  requires requires(Handle h) {
    h.index;
  } &&(sizeof(Handle) == sizeof(Index)) void one(Handle& handle) {
    one(handle.index);
  }

  template <class T, std::size_t N>
  void one(std::array<T, N>& list) {
    for (T& entry : list) one(entry);
  }
  template <class T>
  void one(std::vector<T>& list) {
    const std::size_t n = a_.count(list);
    for (std::size_t i = 0; i < n; ++i) one(entry(list, i));
  }
  template <class T, class U>
  void one(std::pair<T, U>& two) {
    one(two.first), one(two.second);
  }
  template <class T>
  void one(std::optional<T>& maybe) {
    bool there = maybe.has_value();
    one(there);
    if (!there) maybe.reset();
    if (there && !maybe) maybe.emplace();
    if (there) one(*maybe);
  }
  template <class... T>
  void one(std::variant<T...>& choice) {
    auto which = static_cast<std::uint8_t>(choice.index());
    a_.raw(which);
    if (which >= sizeof...(T)) refuse("has an element of unknown kind");
    if constexpr (A::reads) {
      std::uint8_t i = 0;
      ((i++ == which ? void(choice.template emplace<T>()) : void()), ...);
    }
    std::visit([this](auto& row) { this->one(row); }, choice);
  }
  template <class Row>
  requires is_row<Row>
  void one(Row& row) {
    fields([this](const char*, auto& field) { this->one(field); }, row);
  }

  /// Most numbers are 0 or constants.
  void one(Listed::Number& n) {
    enum : std::uint8_t { zero, constant, calculation, count };
    std::uint8_t kind = n.calculation >= 0                           ? calculation
                        : std::bit_cast<std::uint64_t>(n.value) == 0 ? zero
                                                                     : constant;
    a_.raw(kind);
    if (kind >= count) refuse("has an invalid number");
    if constexpr (A::reads) n = {};  // a default of the field must not remain
    if (kind == constant) one(n.value);
    if (kind == calculation) one(n.calculation);
  }
  void one(Listed::Triple& t) {
    bool whole = t.calculation >= 0;
    one(whole);
    if (whole)
      one(t.calculation);
    else
      (*this)(t.x, t.y, t.z);
    one(t.placed);
    if (t.placed != Placed::no) one(t.placement);
  }
  void one(Listed::Inertia& i) { (*this)(i.xx, i.yy, i.zz, i.xy, i.xz, i.yz); }
  void one(Listed::Shape& s) {
    (*this)(s.type, s.size, s.axis, s.at, s.rotation, s.by_density, s.amount);
  }
  void one(Listed::Law& l) { (*this)(l.arguments, l.calculation, l.constant); }
  void one(Listed::Energy& e) { one(e.calculation); }
  void one(Listed::Spot& s) { (*this)(s.body, s.at, s.local); }
  void one(Argument& a) { (*this)(a.kind, a.index, a.joint); }
  void one(Operation& o) { (*this)(o.code, o.to, o.a, o.b, o.c); }
  void one(Calculation& c) {
    a_.shared(c.program);
    (*this)(c.constants, c.settings);
    const std::size_t n = a_.count(c.tables);
    for (std::size_t i = 0; i < n; ++i) a_.shared(entry(c.tables, i));
  }
  template <class T>
  static T& entry(std::vector<T>& list, std::size_t i) {
    if constexpr (A::reads) list.emplace_back();
    return list[i];
  }
  void one(Listing::Setting& s) {
    (*this)(s.name, s.unit, s.about, s.input, s.fixed, s.value, s.min, s.max);
  }
  void one(ModalBody& b) { (*this)(b.nodes, b.stresses, b.modes, b.second, b.numbers); }
  void one(Listing::Pose& p) { (*this)(p.at, p.rotation, p.inside); }
  void one(Listing::Coordinate& c) { (*this)(c.joint, c.angle); }
  void one(Listing::Coupling& c) { (*this)(c.name, c.terms, c.constant); }
  void one(Listing::Read& r) {
    (*this)(r.quantity, r.of, r.spot, r.from, r.relative, r.second_half, r.component, r.vector);
  }
  void one(Listing::Output& o) {
    (*this)(o.name, o.unit, o.about, o.min, o.max, o.reads, o.calculation);
  }

  /// By name, so that a listing does not depend on the order of the settings.
  void settings(SolverSettings& s) {
    const SolverSettings usual;
    std::vector<std::pair<std::string, double>> set;
    for (const SolverSettingRow& row : solver_setting_rows())
      if (row.get(s) != row.get(usual)) set.emplace_back(row.name, row.get(s));
    one(set);
    if constexpr (A::reads)
      for (const auto& [name, value] : set) {
        const SolverSettingRow* row = find_solver_setting(name);
        if (row == nullptr) refuse("has an unknown solver setting");
        check_range(*row, value);
        row->set(s, value);
      }
  }

  A& a_;
};

}  // namespace

std::string to_bytes(Listing listing) {
  Writer writer;
  for (const Calculation& c : listing.calculations) {
    if (c.program->formula != nullptr || !c.program->calls.empty())
      throw std::logic_error("a formula that was compiled cannot be written as data");
    writer.programs.note(c.program);
    for (const auto& table : c.tables) writer.tables.note(table);
  }
  Transfer transfer(writer);
  writer.count(writer.tables.list);
  for (const auto& table : writer.tables.list) {
    std::vector<double> x = table->x();
    std::vector<double> y = table->y();
    bool linear = table->interpolation() == functions::Interpolation::linear;
    bool extend = table->beyond() == functions::Beyond::extend;
    transfer(x, y, linear, extend);
  }
  writer.count(writer.programs.list);
  for (const auto& program : writer.programs.list) {
    Program copy = *program;
    transfer.program(copy);
  }
  transfer.listing(listing);

  Writer whole;
  whole.bytes = magic;
  whole.whole(listing_version, 4);
  whole.whole(writer.bytes.size(), 8);
  whole.whole(checksum(writer.bytes), 8);
  return whole.bytes + writer.bytes;
}

Listing from_bytes(std::string_view bytes) {
  if (!bytes.starts_with(magic)) refuse("does not begin like one");
  Reader reader(bytes.substr(magic.size()));
  if (reader.whole(4) != listing_version) refuse("is of another version; export the FMU again");
  if (reader.whole(8) != reader.left.size() - 8) refuse("is cut off, or longer than it announces");
  if (reader.whole(8) != checksum(reader.left)) refuse("was changed: its checksum is wrong");

  Transfer transfer(reader);
  for (std::size_t n = reader.count(reader.tables); n > 0; --n) {
    std::vector<double> x;
    std::vector<double> y;
    bool linear = false;
    bool extend = false;
    transfer(x, y, linear, extend);
    reader.tables.push_back(std::make_shared<const functions::Table>(
        x, y, linear ? functions::Interpolation::linear : functions::Interpolation::smooth,
        extend ? functions::Beyond::extend : functions::Beyond::hold));
  }
  for (std::size_t n = reader.count(reader.programs); n > 0; --n) {
    Program made;
    transfer.program(made);
    made.check();
    reader.programs.push_back(std::make_shared<const Program>(std::move(made)));
  }
  Listing listing;
  transfer.listing(listing);
  if (!reader.left.empty()) refuse("is longer than it announces");
  return listing;
}

}  // namespace mechfmu::mechanics
