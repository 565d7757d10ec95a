// Entries of the cache are whole whenever somebody finds them, however many programs make them at the same time.

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "packaging/cache_entry.h"
#include "packaging/temporary.h"

namespace mechfmu {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

TEST(CacheEntry, IsWholeForAllWhoKeepItAtTheSameTime) {
  const TemporaryFolder folder;
  const fs::path cache = folder.path() / "cache", made = folder.path() / "made";
  fs::create_directory(cache);
  for (int i = 0; i < 10; ++i) write(made / "fmi2" / std::to_string(i), std::string(5000, 'x'));
  std::atomic<int> broken = 0, lost = 0;
  {
    std::vector<std::jthread> programs;
    programs.reserve(4);
    for (int program = 0; program < 4; ++program)
      programs.emplace_back([&] {
        for (int i = 0; i < 50; ++i) {
          if (!keep_entry(cache, "name", made, {}, 20)) ++lost;
          for (int file = 0; file < 10; ++file)
            if (content_of(cache / "name" / "fmi2" / std::to_string(file)).size() != 5000) ++broken;
        }
      });
  }
  EXPECT_EQ(broken, 0);
  EXPECT_EQ(lost, 0);
  // nothing is left but the entry and the lock
  EXPECT_EQ(std::distance(fs::directory_iterator(cache), {}), 2);
}

TEST(CacheEntry, IsReplacedWhereASourceHasChanged) {
  const TemporaryFolder folder;
  const fs::path cache = folder.path() / "cache", made = folder.path() / "made";
  const fs::path source = folder.path() / "law.h";
  fs::create_directory(cache);
  write(made / "library", "old");
  write(source, "1");
  ASSERT_TRUE(keep_entry(cache, "name", made, {source}, 20));
  write(source, "2");
  EXPECT_FALSE(is_current(cache / "name"));
  write(made / "library", "new");
  ASSERT_TRUE(keep_entry(cache, "name", made, {source}, 20));
  EXPECT_EQ(content_of(cache / "name" / "library"), "new");
}

TEST(CacheEntry, TheOldestGoFirst) {
  const TemporaryFolder folder;
  const fs::path cache = folder.path() / "cache", made = folder.path() / "made";
  fs::create_directory(cache);
  write(made / "library", "code");
  for (const char* name : {"a", "b", "c", "d"}) {
    ASSERT_TRUE(keep_entry(cache, name, made, {}, 3));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_FALSE(is_current(cache / "a"));
  for (const char* name : {"b", "c", "d"}) EXPECT_TRUE(is_current(cache / name));
}

}  // namespace
}  // namespace mechfmu
