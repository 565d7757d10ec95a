// Archives have the same bytes for the same files, and contain only names that stay inside them.
// test_pack.py tests what other programs read from them.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <thread>

#include "packaging/zip.h"

namespace mechfmu {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds some_time = std::chrono::sys_days(2024y / 2 / 29) + 12h + 34min;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A separate folder for each test, with a small tree in it.
class Zip : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    write(tree_ / "modelDescription.xml", "<xml/>");
    write(tree_ / "documentation/index.html", std::string(100000, 'x'));
    write(tree_ / "empty.txt", "");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string message_of_failure(std::vector<ArchiveFile> files) const {
    try {
      write_zip(archive_, std::move(files), some_time);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  const fs::path tree_ = folder_ / "tree", archive_ = folder_ / "out" / "a.fmu";
};

TEST_F(Zip, FilesAreNamedRelativeToTheirFolder) {
  std::vector<std::string> names;
  for (const ArchiveFile& file : files_below(tree_)) names.push_back(file.name);
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"documentation/index.html", "empty.txt",
                                             "modelDescription.xml"}));
  EXPECT_EQ(files_below(tree_ / "").size(), 3U);
}

TEST_F(Zip, AnEntryThatWasDeflatedBeforeIsTheSameBytes) {
  // random enough to need several blocks, and more than one buffer
  std::string text;
  for (unsigned i = 0; i < 300000; ++i)
    text += static_cast<char>('a' + (i * i * 2654435761U >> 27));
  write(folder_ / "once" / "library.so", text);
  write_zip(folder_ / "once.zip", files_below(folder_ / "once"), some_time - 48h);

  std::vector<ArchiveFile> files = files_below(tree_);
  files.push_back({"binaries/model.so", folder_ / "once" / "library.so"});
  write_zip(archive_, files, some_time);
  const std::string deflated_again = read(archive_);
  files.back() = {"binaries/model.so", folder_ / "once.zip", "library.so"};
  write_zip(archive_, files, some_time);
  EXPECT_TRUE(read(archive_) == deflated_again);
  extract(archive_, folder_ / "out" / "unpacked");
  EXPECT_EQ(read(folder_ / "out/unpacked/binaries/model.so"), text);

  files.back().entry = "Library.so";
  EXPECT_NE(message_of_failure(files).find("has no entry 'Library.so'"), std::string::npos);
  const std::string whole = read(folder_ / "once.zip");
  write(folder_ / "once.zip", whole.substr(0, whole.size() / 2));
  files.back().entry = "library.so";
  EXPECT_NE(message_of_failure(files).find("is damaged"), std::string::npos);
  EXPECT_TRUE(read(archive_) == deflated_again);
}

TEST_F(Zip, AllEntriesOfAnArchiveAreCopied) {
  write_zip(folder_ / "once.zip", files_below(tree_), some_time);
  write_zip(archive_, files_in(folder_ / "once.zip"), some_time);
  EXPECT_TRUE(read(archive_) == read(folder_ / "once.zip"));

  const std::string whole = read(folder_ / "once.zip");
  write(folder_ / "once.zip", whole.substr(0, whole.size() / 2));
  EXPECT_THROW(files_in(folder_ / "once.zip"), std::runtime_error);
  EXPECT_THROW(files_in(folder_ / "none.zip"), std::runtime_error);
}

TEST_F(Zip, BytesDependNeitherOnTheOrderNorOnTheDatesOfTheFiles) {
  std::vector<ArchiveFile> files = files_below(tree_);
  write_zip(archive_, files, some_time);
  const std::string first = read(archive_);
  EXPECT_LT(first.size(), 2000U);

  std::ranges::reverse(files);
  for (const ArchiveFile& file : files) {
    fs::last_write_time(file.source, fs::file_time_type::clock::now() - 48h);
    fs::permissions(file.source, fs::perms::owner_all);
  }
  write_zip(archive_, files, some_time);
  EXPECT_EQ(read(archive_), first);

  write_zip(archive_, files, some_time + 1h);
  EXPECT_NE(read(archive_), first);
}

TEST_F(Zip, NamesThatLeadOutOfTheArchiveAreRefused) {
  const fs::path file = tree_ / "modelDescription.xml";
  for (const char* name : {"", "/etc/passwd", "../a", "a/../../b", "a/..", "./a", "a//b", "a/",
                           "a\\b", "c:/a", "t\xc3\xa4.txt", "a\nb"})
    EXPECT_NE(message_of_failure({{name, file}}).find("in the archive"), std::string::npos) << name;
  EXPECT_FALSE(fs::exists(archive_));
  EXPECT_EQ(message_of_failure({{"...a/b..c-d_e+f g.so", file}}), "");
}

TEST_F(Zip, TwoFilesOfOneNameAreRefused) {
  std::vector<ArchiveFile> files = files_below(tree_);
  files.push_back({"empty.txt", tree_ / "modelDescription.xml"});
  EXPECT_NE(message_of_failure(files).find("two files would become 'empty.txt'"),
            std::string::npos);
}

TEST_F(Zip, LinksAndFoldersAreRefused) {
  EXPECT_NE(message_of_failure({{"a", tree_}}).find("not a regular file"), std::string::npos);
  const fs::path link = tree_ / "link.xml";
  fs::create_symlink(tree_ / "modelDescription.xml", link);
  EXPECT_NE(message_of_failure({{"a", link}}).find("not a regular file"), std::string::npos);
  EXPECT_THROW(files_below(tree_), std::runtime_error);
}

TEST_F(Zip, FailureLeavesTheOldArchiveAndNothingElse) {
  write(archive_, "old");
  write(tree_ / "zzz.txt", "last");
  std::vector<ArchiveFile> files = files_below(tree_);
  files.push_back({"missing", tree_ / "missing"});
  EXPECT_NE(message_of_failure(files).find("does not exist"), std::string::npos);
  EXPECT_EQ(read(archive_), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(archive_.parent_path()), {}), 1);
}

TEST_F(Zip, FailureToReplaceTheOldArchiveLeavesNoRest) {
  fs::create_directories(archive_ / "in the way");
  EXPECT_NE(message_of_failure(files_below(tree_)), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(archive_.parent_path()), {}), 1);
}

TEST_F(Zip, TwoProgramsThatWriteOneArchiveDoNotMix) {
  std::vector<std::string> whole;
  for (const char letter : {'a', 'b'}) {
    write(folder_ / std::string(1, letter), std::string(300'000, letter));
    write_zip(archive_, {{"file", folder_ / std::string(1, letter)}}, some_time);
    whole.push_back(read(archive_));
  }
  for (int i = 0; i < 100; ++i) {
    {
      std::vector<std::jthread> programs;
      for (const char letter : {'a', 'b'})
        programs.emplace_back([&, letter] {
          write_zip(archive_, {{"file", folder_ / std::string(1, letter)}}, some_time);
        });
    }
    const std::string found = read(archive_);
    ASSERT_TRUE(found == whole[0] || found == whole[1]);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(archive_.parent_path()), {}), 1);
}

TEST_F(Zip, LinksBesideTheArchiveAreNotFollowed) {
  write(folder_ / "precious", "precious");
  fs::create_directories(archive_.parent_path());
  fs::create_symlink(folder_ / "precious", archive_.string() + ".part");
  write_zip(archive_, files_below(tree_), some_time);
  EXPECT_EQ(read(folder_ / "precious"), "precious");
  EXPECT_FALSE(fs::is_symlink(archive_));
}

TEST_F(Zip, EmptyArchiveIsRefused) {
  EXPECT_NE(message_of_failure({}).find("no files"), std::string::npos);
}

TEST(ZipArguments, FileAndNameAreSplitAtTheLastEqualsSign) {
  const ArchiveFile file = parse_archive_file("/tmp/a=b/x.so=binaries/linux64/x.so");
  EXPECT_EQ(file.source, "/tmp/a=b/x.so");
  EXPECT_EQ(file.name, "binaries/linux64/x.so");
  EXPECT_THROW(parse_archive_file("x.so"), std::runtime_error);
  EXPECT_THROW(parse_archive_file("=x.so"), std::runtime_error);
}

TEST(ZipArguments, TimeIsThatOfSourceDateEpochWithinWhatZipCanExpress) {
  const std::chrono::sys_seconds earliest = std::chrono::sys_days(1980y / 1 / 1);
  EXPECT_EQ(entry_time(nullptr), earliest);
  EXPECT_EQ(entry_time("0"), earliest);
  EXPECT_EQ(entry_time("1709210040"), some_time);
  EXPECT_EQ(entry_time("9999999999999"),
            std::chrono::sys_seconds(std::chrono::sys_days(2107y / 12 / 31)));
  for (const char* bad : {"", "now", "1.5", "1 ", "99999999999999999999999"})
    EXPECT_THROW(entry_time(bad), std::runtime_error) << bad;
}

}  // namespace
}  // namespace mechfmu
