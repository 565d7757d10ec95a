// Archives from anywhere are unpacked inside their folder or refused with the name of the entry.
// The archives here are put together byte by byte, as no honest program writes them.

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>

#include "packaging/zip.h"

namespace mechfmu {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct RawEntry {
  std::string name, content;
  std::uint32_t mode = 0100644;  // as on Unix
  std::uint16_t flags = 0;
  std::uint16_t method = 0;  // stored
};

std::uint32_t checksum(const std::string& content) {
  std::uint32_t crc = ~0U;
  for (const char c : content) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1 ^ 0xedb88320U : crc >> 1;
  }
  return ~crc;
}

/// The layout of PKWARE's APPNOTE, 4.3.7, 4.3.12 and 4.3.16.
std::string raw_zip(const std::vector<RawEntry>& entries) {
  std::string bytes;
  std::string directory;
  const auto put = [](std::string& to, std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) to += static_cast<char>(value >> (8 * i) & 0xffU);
  };
  const auto size = [](const std::string& text) { return static_cast<std::uint32_t>(text.size()); };
  const auto common = [&](std::string& to, const RawEntry& e) {
    put(to, 20, 2);
    put(to, e.flags, 2);
    put(to, e.method, 2);
    put(to, 0x00210000, 4);  // 1980-01-01
    put(to, checksum(e.content), 4);
    put(to, size(e.content), 4);
    put(to, size(e.content), 4);
    put(to, size(e.name), 2);
    put(to, 0, 2);
  };
  for (const RawEntry& e : entries) {
    const std::uint32_t offset = size(bytes);
    put(bytes, 0x04034b50, 4);
    common(bytes, e);
    bytes += e.name + e.content;
    put(directory, 0x02014b50, 4);
    put(directory, 3 << 8 | 20, 2);
    common(directory, e);
    put(directory, 0, 2);
    put(directory, 0, 4);
    put(directory, e.mode << 16, 4);
    put(directory, offset, 4);
    directory += e.name;
  }
  const std::uint32_t begin = size(bytes);
  bytes += directory;
  put(bytes, 0x06054b50, 4);
  put(bytes, 0, 4);
  put(bytes, static_cast<std::uint32_t>(entries.size()), 2);
  put(bytes, static_cast<std::uint32_t>(entries.size()), 2);
  put(bytes, size(directory), 4);
  put(bytes, begin, 4);
  put(bytes, 0, 2);
  return bytes;
}

class Unpack : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(base_);
    fs::create_directories(base_);
  }
  void TearDown() override { fs::remove_all(base_); }

  void write(const std::string& bytes) const { std::ofstream(archive_, std::ios::binary) << bytes; }

  std::string limited(const UnpackLimits& limits = {}) const {
    try {
      extract(archive_, folder_, limits);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }
  std::string message(const std::vector<RawEntry>& entries) const {
    write(raw_zip(entries));
    return limited();
  }
  std::string about(const std::string& rest) const { return "'" + archive_.string() + "'" + rest; }

  const fs::path base_ =
      fs::path(testing::TempDir()) /
      (std::string("unpack_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const fs::path archive_ = base_ / "x.fmu", folder_ = base_ / "in" / "x";
};

TEST_F(Unpack, ReturnsThePackedFiles) {
  const fs::path tree = base_ / "tree";
  fs::create_directories(tree / "a/b");
  const std::string large(300'000, 'x');
  std::ofstream(tree / "a/b/large.txt", std::ios::binary) << large;
  std::ofstream(tree / "empty.txt", std::ios::binary) << "";
  write_zip(archive_, files_below(tree), entry_time(nullptr));
  extract(archive_, folder_);
  EXPECT_EQ(read(folder_ / "a/b/large.txt"), large);
  EXPECT_TRUE(fs::exists(folder_ / "empty.txt"));
  EXPECT_EQ(files_below(folder_).size(), 2U);
}

TEST_F(Unpack, FoldersAndNamesInUnicodeAreUnpacked) {
  EXPECT_EQ(message({{"b/", "", 040755},
                     {"b/gr\xc3\xb6\xc3\x9f"
                      "e.txt",
                      "5"},
                     {"c/d/e", "6"}}),
            "");
  EXPECT_EQ(read(folder_ / "b/gr\xc3\xb6\xc3\x9f"
                           "e.txt"),
            "5");
  EXPECT_EQ(read(folder_ / "c/d/e"), "6");
}

TEST_F(Unpack, NamesThatLeadOutOfTheFolderAreRefused) {
  const std::string component = "has an empty, '.' or '..' component";
  EXPECT_EQ(message({{"../up", "!"}}), about(": entry '../up' " + component));
  EXPECT_EQ(message({{"a/../../up", "!"}}), about(": entry 'a/../../up' " + component));
  EXPECT_EQ(message({{"a/..", "!"}}), about(": entry 'a/..' " + component));
  EXPECT_EQ(message({{"../", ""}}), about(": entry '../' " + component));
  EXPECT_EQ(message({{"/tmp/up", "!"}}), about(": entry '/tmp/up' is absolute"));
  EXPECT_EQ(message({{"..\\up", "!"}}),
            about(": entry '..\\up' contains a backslash; separate folders by '/'"));
  EXPECT_NE(message({{"c:up", "!"}}).find("contains a colon"), std::string::npos);
  EXPECT_NE(message({{std::string("a\0b", 3), "!"}}).find("not printable"), std::string::npos);
  EXPECT_NE(message({{"", "!"}}).find("is empty"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_));
  EXPECT_FALSE(fs::exists(base_ / "in" / "up"));
}

TEST_F(Unpack, LinksAndDevicesAreRefused) {
  EXPECT_EQ(message({{"binaries", "/etc", 0120777}}),
            about(": entry 'binaries' is a symbolic link"));
  EXPECT_EQ(message({{"zero", "", 0020666}}),
            about(": entry 'zero' is neither a file nor a folder"));
}

TEST_F(Unpack, TwoEntriesOfOneNameAreRefusedAndNothingIsLeft) {
  EXPECT_EQ(message({{"a", "1"}, {"a", "2"}}), about(": entry 'a' appears twice"));
  EXPECT_EQ(message({{"a", "1"}, {"a/", ""}}), about(": entry 'a/' appears twice"));
  EXPECT_NE(message({{"a", "1"}, {"a/b", "2"}}).find("entry 'a/b' cannot be unpacked: "),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Unpack, EncryptionAndOtherMethodsAreRefused) {
  EXPECT_EQ(message({{"a", "1", 0100644, 1}}), about(": entry 'a' is encrypted"));
  EXPECT_EQ(message({{"a", "1", 0100644, 0, 14}}),
            about(": entry 'a' is packed by method 14; FMUs are packed by 'deflate'"));
}

TEST_F(Unpack, DamageIsFound) {
  std::string bytes = raw_zip({{"a", "content"}});
  bytes[bytes.find("content")] = 'C';
  write(bytes);
  EXPECT_EQ(limited(), about(": entry 'a' is damaged: its checksum is wrong"));

  for (const std::string& broken : {std::string(), std::string("no zip"), bytes.substr(0, 40)}) {
    write(broken);
    EXPECT_EQ(limited(), about(" is not a zip archive, or is cut off"));
  }
  fs::remove(archive_);
  EXPECT_EQ(limited(), about(" does not exist"));
  fs::create_directory(archive_);
  EXPECT_EQ(limited(), about(" is not a file"));
}

/// minizip checks the checksum only if the number of bytes agrees with the table of contents.
TEST_F(Unpack, SizesThatLieAreDamage) {
  const fs::path file = base_ / "a";
  std::ofstream(file, std::ios::binary) << std::string(1000, 'x');
  write_zip(archive_, {{"a", file}}, entry_time(nullptr));
  std::string bytes = read(archive_);
  for (const std::size_t size_at : {bytes.find("PK\3\4") + 22, bytes.find("PK\1\2") + 24})
    bytes[size_at] = static_cast<char>(bytes[size_at] + 1);
  write(bytes);
  EXPECT_EQ(limited(), about(": entry 'a' is damaged: its size is wrong"));
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Unpack, FoldersCountAndAreNotDeep) {
  EXPECT_EQ(message({{"a/b/c/d", "1"}}), "");
  fs::remove_all(folder_);
  EXPECT_EQ(limited({.entries = 3}),
            about(": entry 'a/b/c/d' makes more than the 3 files and folders allowed"));
  EXPECT_EQ(limited({.entries = 4}), "");
  fs::remove_all(folder_);
  EXPECT_EQ(limited({.depth = 2}),
            about(": entry 'a/b/c/d' lies in more than the 2 folders allowed"));
  std::string deep;
  for (int i = 0; i < 1500; ++i) deep += "d/";
  EXPECT_NE(message({{deep + "f", "1"}}).find("lies in more than the 100 folders"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Unpack, MessagesAreOneLineThatATerminalDoesNotObey) {
  EXPECT_EQ(message({{"a\n\xc2\x9b"
                      "2J\xff/../b",
                      "1"}}),
            about(": entry 'a  2J?/../b' contains a character that is not printable ASCII"));
  EXPECT_LT(message({{std::string(65'535, 'n'), "1"}}).size(), 1000U);
}

TEST_F(Unpack, EverySingleWrongByteEndsInFilesOrInAMessage) {
  const std::string good = raw_zip({{"a/b", "content"}, {"c", "more"}});
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bytes = good;
    bytes[i] = static_cast<char>(~bytes[i]);
    write(bytes);
    if (limited().empty())
      fs::remove_all(folder_);
    else
      EXPECT_FALSE(fs::exists(folder_)) << i;
  }
}

TEST_F(Unpack, LimitsHold) {
  write(raw_zip({{"a", std::string(600, 'x')}, {"b", std::string(600, 'x')}}));
  EXPECT_EQ(limited({.bytes = 1000}),
            about(": entry 'b' unpacks to more than the 1000 bytes allowed"));
  EXPECT_EQ(limited({.entries = 1}), about(" has 2 entries, more than the 1 allowed"));
  EXPECT_FALSE(fs::exists(folder_));
  EXPECT_EQ(limited({.bytes = 1200, .entries = 2}), "");

  const fs::path zeros = base_ / "zeros";
  std::ofstream(zeros) << std::string(2'000'000, '\0');
  write_zip(archive_, {{"zeros", zeros}}, entry_time(nullptr));
  fs::remove_all(folder_);
  EXPECT_EQ(limited({.ratio = 200, .any_ratio = 100'000}),
            about(": entry 'zeros' unpacks to more than 200 times the size of the archive"));
  EXPECT_EQ(limited(), "");  // small enough to be harmless
}

TEST_F(Unpack, FolderInUseIsLeftAlone) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "mine") << "1";
  EXPECT_EQ(message({{"a", "1"}}),
            "'" + folder_.string() + "' is not an empty folder to unpack " + about(" in"));
  EXPECT_EQ(read(folder_ / "mine"), "1");
  fs::remove(folder_ / "mine");
  EXPECT_EQ(message({{"a", "1"}, {"../b", "1"}}).empty(), false);
  EXPECT_TRUE(fs::exists(folder_) && fs::is_empty(folder_));
}

}  // namespace
}  // namespace mechfmu
