#include "tests/attack/hostile_zip.h"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>

namespace mechfmu::attack {

namespace {

constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50;

void put(std::string& to, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) to += static_cast<char>(value >> (8 * i) & 0xffU);
}

std::uint32_t checksum(const std::string& content) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
}

std::string deflated(const std::string& content) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflate does not start");
  std::string packed(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// A bomb of zeros; made once, since deflating it is slow.
const std::string& bomb(bool large) {
  static const std::string small_one = deflated(std::string(300'000, '\0'));
  static const std::string large_one = deflated(std::string(3'000'000, '\0'));
  return large ? large_one : small_one;
}

struct Header {
  std::string name;
  std::uint32_t version = 20, flags = 0, method = 0, time = 0x00210000;
  std::uint32_t checksum = 0, packed = 0, size = 0;
  std::string extra{};

  void write(std::string& to) const {
    put(to, version, 2);
    put(to, flags, 2);
    put(to, method, 2);
    put(to, time, 4);
    put(to, checksum, 4);
    put(to, packed, 4);
    put(to, size, 4);
    put(to, name.size(), 2);
    put(to, extra.size(), 2);
  }
};

struct Entry {
  Header central, local;
  std::string data{}, comment{};
  std::uint32_t made_by = 3 << 8 | 20, mode = 0100644;  // Unix
  std::uint32_t offset_error = 0;
  bool at_first = false;  // where the first entry is: they overlap
  bool descriptor = false;

  Entry(const std::string& name, const std::string& content, bool pack = false) {
    central.name = name;
    central.checksum = attack::checksum(content);
    central.size = static_cast<std::uint32_t>(content.size());
    central.method = pack ? Z_DEFLATED : 0;
    data = pack ? deflated(content) : content;
    central.packed = static_cast<std::uint32_t>(data.size());
    local = central;
  }
};

struct End {
  std::uint32_t disk = 0, first_disk = 0, more_here = 0, more = 0, size_error = 0, offset_error = 0;
  std::string comment{}, before{};
  bool zip64 = false;
};

std::string put_together(const std::vector<Entry>& entries, const End& end,
                         const std::string& rubbish = {}) {
  std::string bytes = rubbish;
  std::string table;
  for (const Entry& e : entries) {
    const std::size_t offset = e.at_first ? rubbish.size() : bytes.size();
    if (!e.at_first) {
      put(bytes, local_mark, 4);
      e.local.write(bytes);
      bytes += e.local.name + e.local.extra + e.data;
      if (e.descriptor) {
        put(bytes, 0x08074b50, 4);
        for (const std::uint32_t n : {e.central.checksum, e.central.packed, e.central.size})
          put(bytes, n, 4);
      }
    }
    put(table, central_mark, 4);
    put(table, e.made_by, 2);
    e.central.write(table);
    put(table, e.comment.size(), 2);
    put(table, 0, 4);
    put(table, static_cast<std::uint64_t>(e.mode) << 16, 4);
    put(table, offset - rubbish.size() + e.offset_error, 4);
    table += e.central.name + e.central.extra + e.comment;
  }
  const std::size_t begin = bytes.size() - rubbish.size();
  bytes += table + end.before;
  if (end.zip64) {
    const std::size_t record = bytes.size();
    put(bytes, 0x06064b50, 4);
    put(bytes, 44, 8);
    put(bytes, 45, 2);
    put(bytes, 45, 2);
    put(bytes, 0, 8);
    put(bytes, entries.size() + end.more_here, 8);
    put(bytes, entries.size() + end.more, 8);
    put(bytes, table.size() + end.size_error, 8);
    put(bytes, begin + end.offset_error, 8);
    put(bytes, 0x07064b50, 4);
    put(bytes, 0, 4);
    put(bytes, record, 8);
    put(bytes, 1, 4);
  }
  put(bytes, end_mark, 4);
  put(bytes, end.disk, 2);
  put(bytes, end.first_disk, 2);
  put(bytes, end.zip64 ? 0xffff : entries.size() + end.more_here, 2);
  put(bytes, end.zip64 ? 0xffff : entries.size() + end.more, 2);
  put(bytes, end.zip64 ? 0xffffffff : table.size() + end.size_error, 4);
  put(bytes, end.zip64 ? 0xffffffff : begin + end.offset_error, 4);
  put(bytes, end.comment.size(), 2);
  return bytes + end.comment;
}

std::uint32_t odd_number(std::uint32_t right, Dice& dice) {
  static constexpr std::array<std::uint32_t, 12> odd = {
      0, 1, 0xff, 0xfffe, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 8, 99};
  switch (dice.below(4)) {
    case 0: return right + 1;
    case 1: return right - 1;
    case 2: return static_cast<std::uint32_t>(dice.below(1U << 16));
    default: return dice.of(odd);
  }
}

std::string odd_name(const std::string& outside, Dice& dice) {
  using namespace std::string_literals;
  static const std::vector<std::string> names = {"../escaped"s,
                                                 "../../escaped"s,
                                                 "a/../../escaped"s,
                                                 "a/.."s,
                                                 "a/../b"s,
                                                 "./a"s,
                                                 "."s,
                                                 ".."s,
                                                 "../"s,
                                                 "/"s,
                                                 "//a"s,
                                                 "a//b"s,
                                                 "a/"s,
                                                 "a/b/"s,
                                                 "a/./b"s,
                                                 "..\\escaped"s,
                                                 "a\\..\\..\\escaped"s,
                                                 "c:escaped"s,
                                                 "C:\\escaped"s,
                                                 "\\\\host\\share\\a"s,
                                                 "a\0b"s,
                                                 "../escaped\0.txt"s,
                                                 "\0"s,
                                                 ""s,
                                                 "a\nb"s,
                                                 "a\rb"s,
                                                 "\x1b[2Ja"s,
                                                 "\x7f"s,
                                                 "\xc2\x9b"
                                                 "31ma"s,
                                                 "\xff\xfe"s,
                                                 "\xc0\xae\xc0\xae/escaped"s,
                                                 "\xe2\x80\xae"
                                                 "uml"s,
                                                 "gr\xc3\xb6\xc3\x9f"
                                                 "e"s,
                                                 "gr\x94\xe1"
                                                 "e"s,
                                                 "a"s,
                                                 "A"s,
                                                 "a/b"s,
                                                 "a/b/c"s,
                                                 "a/B"s,
                                                 "modelDescription.xml"s,
                                                 "ModelDescription.xml"s,
                                                 "modelDescription.xml/"s,
                                                 "modelDescription.xml/a"s,
                                                 "binaries"s,
                                                 "binaries/linux64/x.so"s,
                                                 "binaries/linux64"s,
                                                 "binaries/\xff\xfe/x.so"s,
                                                 "binaries/\x1b[2J/x.so"s,
                                                 "binaries/\xc2\x9b"
                                                 "31m/x.so"s,
                                                 "binaries/a b  c/x.so"s,
                                                 "resources/"s,
                                                 "con"s,
                                                 "nul.txt"s,
                                                 "a."s,
                                                 "a "s,
                                                 " "s,
                                                 "-rf"s,
                                                 "~"s,
                                                 "~/escaped"s,
                                                 "$HOME"s,
                                                 "%2e%2e/escaped"s,
                                                 "..;/a"s,
                                                 "...",
                                                 "../x/../x/a"s};
  switch (dice.below(12)) {
    case 0: return outside;
    case 1: return std::string(1 + dice.below(300), 'n');
    case 2: return dice.once_in(4) ? std::string(65535, 'n') : std::string(255, 'n');
    case 3: {  // deep
      std::string deep;
      for (std::size_t n = dice.once_in(8)   ? 30'000
                           : dice.once_in(4) ? 1500
                                             : dice.below(100);
           n > 0; --n)
        deep += "d/";
      return deep + "f";
    }
    case 4: {
      std::string letters;
      for (std::size_t n = 1 + dice.below(12); n > 0; --n)
        letters += static_cast<char>(dice.below(256));
      return letters;
    }
    default: return dice.of(names);
  }
}

std::string odd_content(Dice& dice) {
  switch (dice.below(6)) {
    case 0: return {};
    case 1: return std::string(dice.below(30'000), 'x');
    case 2: return "<fmiModelDescription/>";
    default: return "content " + std::to_string(dice.below(1000));
  }
}

/// Changes something about an entry to an unusual or wrong value.
void make_odd(Entry& e, Dice& dice) {
  static constexpr std::array<std::uint32_t, 14> modes = {
      0120777, 0020666, 0060666, 0010644, 0140777, 0040755, 0100777,
      0104755, 0,       0777,    0160000, 0170000, 0100000, 0177777};
  static constexpr std::array<std::uint32_t, 8> systems = {0, 3, 7, 10, 11, 14, 19, 255};
  static constexpr std::array<std::uint32_t, 12> methods = {0,  1,  6,  7,  8,  9,
                                                            12, 14, 93, 95, 99, 0xffff};
  static constexpr std::array<std::uint32_t, 8> flags = {1,     8,      9,      0x40,
                                                         0x800, 0x2000, 0x2041, 0xffff};
  switch (dice.below(14)) {
    case 0: e.mode = dice.of(modes); break;
    case 1:
      e.mode = dice.of(modes);
      e.made_by = dice.of(systems) << 8 | 20;
      break;
    case 2:
      e.mode = 0120777;
      e.data = "../../escaped";
      break;
    case 3: e.central.flags = e.local.flags = dice.of(flags); break;
    case 4: e.central.method = dice.of(methods); break;
    case 5: e.central.method = e.local.method = dice.of(methods); break;
    case 6: e.central.size = e.local.size = odd_number(e.central.size, dice); break;
    case 7: e.central.packed = e.local.packed = odd_number(e.central.packed, dice); break;
    case 8: e.central.checksum = e.local.checksum = odd_number(e.central.checksum, dice); break;
    case 9: {
      Header& header = dice.once_in(2) ? e.central : e.local;
      header.size = odd_number(header.size, dice);
      if (dice.once_in(2)) header.packed = odd_number(header.packed, dice);
      break;
    }
    case 10: e.local.name = dice.once_in(2) ? "../escaped" : e.local.name + "x"; break;
    case 11: {  // zip64, right or wrong
      std::string extra;
      put(extra, 1, 2);
      put(extra, dice.once_in(4) ? dice.below(65536) : 16, 2);
      put(extra, dice.once_in(2) ? e.central.size : dice.below(1UL << 40), 8);
      put(extra, dice.once_in(2) ? e.central.packed : dice.below(1UL << 40), 8);
      e.central.extra = extra;
      if (dice.once_in(2)) e.local.extra = extra;
      if (!dice.once_in(3)) e.central.size = e.central.packed = 0xffffffff;
      break;
    }
    case 12: {
      std::string& to = dice.once_in(2) ? e.central.extra : e.local.extra;
      to = std::string(dice.below(dice.once_in(5) ? 60'000 : 30),
                       static_cast<char>(dice.below(256)));
      break;
    }
    default:
      e.descriptor = true;
      e.central.flags |= 8U;
      e.local.flags |= 8U;
      e.local.checksum = e.local.size = e.local.packed = 0;
      break;
  }
}

End odd_end(Dice& dice) {
  End end;
  switch (dice.below(8)) {
    case 0: end.comment = "a comment"; break;
    case 1: end.comment = put_together({Entry("../escaped", "!")}, {}); break;
    case 2: end.comment = std::string(dice.below(65536), 'P'); break;
    case 3: end.more = end.more_here = odd_number(0, dice); break;
    case 4: (dice.once_in(2) ? end.size_error : end.offset_error) = odd_number(0, dice); break;
    case 5: (dice.once_in(2) ? end.disk : end.first_disk) = odd_number(0, dice); break;
    case 6: end.before = std::string(dice.below(100), '\0'); break;
    default: end.more = odd_number(0, dice); break;
  }
  if (dice.once_in(3)) end.zip64 = true;
  return end;
}

/// The reason to refuse an archive, by rules that do not come from the code.
std::string forbidden(const Entry& e) {
  const std::string& name = e.central.name;
  if (name.empty()) return "a name that is empty";
  if (name.front() == '/' || ("/" + name + "/").find("/../") != std::string::npos)
    return "a name that leads out of the folder";
  for (const char c : name)
    if (c == '\\' || c == ':' || (c >= 0 && c < ' ')) return "a name that others take otherwise";
  const std::uint32_t system = e.made_by >> 8;
  const std::uint32_t kind = e.mode >> 12 & 15U;
  if ((system == 3 || system == 19) && kind != 0 && kind != 010 && kind != 004)
    return "a link or device";
  if ((e.central.flags & 1U) != 0) return "encryption";
  if (e.central.method != 0 && e.central.method != Z_DEFLATED) return "its method";
  return {};
}

}  // namespace

std::string plain_archive(const std::string& description) {
  return put_together(
      {Entry("modelDescription.xml", description, true), Entry("binaries/linux64/x.so",
                                                               "\x7f"
                                                               "ELF")},
      {});
}

HostileArchive hostile_archive(const std::string& description, const std::string& outside,
                               Dice& dice) {
  std::vector<Entry> entries;
  if (!dice.once_in(8)) entries.emplace_back("modelDescription.xml", description, dice.once_in(4));
  if (!dice.once_in(4))
    entries.emplace_back("binaries/linux64/x.so",
                         "\x7f"
                         "ELF");
  // Half of the archives have no other entries: then the description is under test.
  if (!dice.once_in(2)) {
    for (std::size_t n = dice.below(4); n > 0; --n)
      entries.emplace_back(odd_name(outside, dice), odd_content(dice), dice.once_in(4));
    if (!entries.empty() && dice.once_in(2)) make_odd(dice.of_mutable(entries), dice);
    if (!entries.empty() && dice.once_in(4)) make_odd(dice.of_mutable(entries), dice);
  }
  if (dice.once_in(30)) {
    const bool large = dice.once_in(8);
    Entry zeros("zeros", "");
    zeros.data = bomb(large);
    zeros.central.method = Z_DEFLATED;
    zeros.central.packed = static_cast<std::uint32_t>(zeros.data.size());
    zeros.central.size = large ? 3'000'000 : 300'000;
    zeros.central.checksum = checksum(std::string(zeros.central.size, '\0'));
    if (dice.once_in(2)) zeros.central.size = dice.once_in(2) ? 10 : 0;
    zeros.local = zeros.central;
    entries.push_back(std::move(zeros));
  }
  if (dice.once_in(40)) {  // many, each beside or on top of the other
    const std::size_t many = dice.once_in(20) ? dice.below(5000) : dice.below(300);
    const bool overlap = dice.once_in(2);
    const bool in_folders = !overlap && dice.once_in(2);
    const std::string content(overlap ? 2000 : 3, 'x');
    entries.insert(entries.begin(), Entry("first", content));
    const Entry first("0123", content);
    for (std::size_t i = 0; i < many; ++i) {
      entries.push_back(first);
      std::string name = std::to_string(i);
      name.insert(0, 5 - std::min<std::size_t>(5, name.size()), '0');  // as long as "first"
      if (in_folders) name += "/f";
      entries.back().central.name = entries.back().local.name = name;
      entries.back().at_first = overlap;
    }
  }
  if (!entries.empty() && dice.once_in(20)) {
    Entry again = dice.of(entries);
    if (dice.once_in(2) && !again.central.name.empty()) again.central.name[0] ^= 0x20;
    if (dice.once_in(2)) again.at_first = true;
    entries.push_back(std::move(again));
  }
  if (!entries.empty() && dice.once_in(30))
    dice.of_mutable(entries).offset_error = odd_number(0, dice);
  if (entries.size() > 1 && dice.once_in(10)) std::swap(entries.front(), entries.back());
  HostileArchive made;
  const bool honest_end = !dice.once_in(8);
  const std::string rubbish(dice.once_in(15) ? dice.below(3000) : 0, 'M');
  made.bytes = put_together(entries, honest_end ? End() : odd_end(dice), rubbish);
  if (!honest_end) return made;
  for (const Entry& e : entries) {
    if (e.central.extra.size() > 3) return {made.bytes};  // it may contain other sizes
    if (const std::string why = forbidden(e); !why.empty()) made.forbidden = why;
    if (e.central.name.ends_with('/')) continue;
    if (!made.said.emplace(e.central.name, HostileArchive::Said{e.central.size, e.central.checksum})
             .second)
      made.forbidden = "a name that is there twice";
  }
  return made;
}

HostileArchive changed_archive(const std::string& good, Dice& dice) {
  // Positions of the numbers of a record, from its mark on, and their sizes.
  struct Number {
    std::size_t at;
    int size;
  };
  static constexpr std::array<Number, 10> in_local = {
      {{4, 2}, {6, 2}, {8, 2}, {10, 4}, {14, 4}, {18, 4}, {22, 4}, {26, 2}, {28, 2}, {0, 4}}};
  static constexpr std::array<Number, 15> in_central = {{{4, 2},
                                                         {6, 2},
                                                         {8, 2},
                                                         {10, 2},
                                                         {16, 4},
                                                         {20, 4},
                                                         {24, 4},
                                                         {28, 2},
                                                         {30, 2},
                                                         {32, 2},
                                                         {34, 2},
                                                         {36, 2},
                                                         {38, 4},
                                                         {42, 4},
                                                         {0, 4}}};
  static constexpr std::array<Number, 8> in_end = {
      {{4, 2}, {6, 2}, {8, 2}, {10, 2}, {12, 4}, {16, 4}, {20, 2}, {0, 4}}};
  HostileArchive made{good};
  if (dice.once_in(2)) {
    change_bytes(made.bytes, dice);
    return made;
  }
  for (std::size_t changes = 1 + dice.below(3); changes > 0; --changes) {
    std::vector<std::size_t> marks;
    for (std::size_t at = good.find("PK"); at != std::string::npos; at = good.find("PK", at + 1))
      if (at + 46 <= good.size() || good.compare(at, 4, "PK\5\6") == 0) marks.push_back(at);
    const std::size_t mark = dice.of(marks);
    const char kind = good[mark + 2];
    const Number number = kind == '\5'   ? dice.of(in_end)
                          : kind == '\1' ? dice.of(in_central)
                                         : dice.of(in_local);
    const std::size_t at = mark + number.at;
    if (at + static_cast<std::size_t>(number.size) > good.size()) continue;
    std::uint32_t right = 0;
    for (int i = number.size; i-- > 0;)
      right = right << 8 | static_cast<unsigned char>(good[at + static_cast<std::size_t>(i)]);
    std::string bytes;
    put(bytes, odd_number(right, dice), number.size);
    made.bytes.replace(at, bytes.size(), bytes);
  }
  return made;
}

}  // namespace mechfmu::attack
