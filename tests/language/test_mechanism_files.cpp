// Files from anywhere: no mechanism file makes the reader hang, grow, or read where it should not.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "language/file/reader.h"

namespace mechfmu {
namespace {

namespace fs = std::filesystem;

std::string complaints(const std::string& content, const ReaderLimits& limits = {}) {
  Diagnostics diagnostics;
  (void)read_mechanism_text(content, "m.xml", diagnostics, {}, limits);
  return diagnostics.text();
}

class MechanismFolder : public testing::Test {
 protected:
  MechanismFolder()
      : folder_(fs::path(testing::TempDir()) /
                ("mechfmu_" +
                 std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "model" / "parts");
  }
  ~MechanismFolder() override { fs::remove_all(folder_); }

  void write(const fs::path& path, const std::string& content) const {
    std::ofstream(folder_ / path, std::ios::binary) << content;
  }
  /// The messages about model/m.xml, with the folder left out.
  std::string complaints() const {
    Diagnostics diagnostics;
    (void)read_mechanism_file(folder_ / "model" / "m.xml", diagnostics);
    std::string text = diagnostics.text();
    const std::string start = (folder_ / "model").generic_string() + "/";
    for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start))
      text.erase(at, start.size());
    return text;
  }
  void include(const std::string& file) const {
    write("model/m.xml",
          "<mechanism name='M'><body name='b' mass='1' free='true'/><include file='" + file +
              "'/></mechanism>");
  }

  fs::path folder_;
};

TEST_F(MechanismFolder, IncludesAndTablesAreFoundBesideTheFile) {
  include("parts/leg.xml");
  write("model/parts/leg.xml",
        "<part><body name='leg' mass='1' free='true'/><table name='t' file='t.csv'/></part>");
  write("model/parts/t.csv", "0 1\n");
  Diagnostics diagnostics;
  const MechanismText m = read_mechanism_file(folder_ / "model" / "m.xml", diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  ASSERT_EQ(m.elements.size(), 3U);
  EXPECT_EQ(m.elements[1].place.file, (folder_ / "model/parts/leg.xml").generic_string());
  EXPECT_EQ(m.elements[2].text("file"), "parts/t.csv");
  EXPECT_EQ(m.data.at("parts/t.csv"), "0 1\n");
}

TEST_F(MechanismFolder, MissingFilesAndFolders) {
  EXPECT_EQ(complaints(), "m.xml: the file does not exist\n");
  fs::create_directory(folder_ / "model" / "m.xml");
  EXPECT_EQ(complaints(), "m.xml: this is a folder, not a file\n");
  fs::remove(folder_ / "model" / "m.xml");
  include("parts");
  EXPECT_EQ(complaints(), "m.xml:1: include: \"parts\": this is a folder, not a file\n");
  include("nowhere/x.xml");
  EXPECT_EQ(complaints(), "m.xml:1: include: \"nowhere/x.xml\": the file does not exist\n");
}

TEST_F(MechanismFolder, LinksAreNotFollowed) {
  write("secret.xml", "<part/>");
  fs::create_symlink(folder_ / "secret.xml", folder_ / "model" / "leg.xml");
  fs::create_directory_symlink(folder_, folder_ / "model" / "up");
  for (const std::string file : {"leg.xml", "up/secret.xml"}) {
    include(file);
    EXPECT_EQ(complaints(), "m.xml:1: include: \"" + file +
                                "\": a symbolic link is on its path; only files in the folder of "
                                "the mechanism file are read\n");
  }
}

TEST_F(MechanismFolder, PipesAreNotOpened) {
  ASSERT_EQ(mkfifo((folder_ / "model" / "pipe.xml").c_str(), 0600), 0);
  include("pipe.xml");
  EXPECT_EQ(complaints(), "m.xml:1: include: \"pipe.xml\": this is not a regular file\n");
}

TEST_F(MechanismFolder, AFileOf100MegabytesIsNotRead) {
  write("model/m.xml", "<mechanism name='M'>");
  fs::resize_file(folder_ / "model" / "m.xml", 100'000'000);
  EXPECT_EQ(complaints(), "m.xml: the file is larger than the limit of 10 MB\n");
  include("big.xml");
  write("model/big.xml", "");
  fs::resize_file(folder_ / "model" / "big.xml", 100'000'000);
  EXPECT_EQ(complaints(),
            "m.xml:1: include: \"big.xml\": the file is larger than the limit of 10 MB\n");
}

TEST(MechanismHostile, Entities) {
  EXPECT_EQ(complaints("<?xml version='1.0'?>\n<!DOCTYPE m [<!ENTITY a 'ha'><!ENTITY b "
                       "'&a;&a;'>]>\n<mechanism name='M'/>"),
            "m.xml:2: DOCTYPE and entities are not allowed in a mechanism file; remove <!…>\n");
  EXPECT_EQ(complaints("<!DOCTYPE m SYSTEM 'file:///etc/passwd'><mechanism name='M'/>"),
            "m.xml:1: DOCTYPE and entities are not allowed in a mechanism file; remove <!…>\n");
}

TEST(MechanismHostile, DepthAndSize) {
  std::string deep = "<mechanism name='M'>";
  for (int i = 0; i < 100000; ++i) deep += "<body>";
  EXPECT_EQ(complaints(deep), "m.xml:1: elements are nested more than 32 deep\n");
  std::string wide = "<mechanism name='M'>";
  for (int i = 0; i < 200001; ++i) wide += "<a/>";
  EXPECT_EQ(complaints(wide + "</mechanism>"), "m.xml:1: the file has more than 200000 elements\n");
  std::string long_tag = "<mechanism name='M'";
  for (int i = 0; i < 1000; ++i) long_tag += " a" + std::to_string(i) + "=''";
  EXPECT_EQ(complaints(long_tag + "/>"), "m.xml:1: an element has more than 200 attributes\n");
  EXPECT_EQ(complaints(deep + wide, {.bytes = 1'000'000}),
            "m.xml: the file is larger than the limit of 1 MB\n");
}

TEST(MechanismHostile, Garbage) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(complaints(bytes), "m.xml:1: this is not UTF-8 text; save the file as UTF-8\n");
  EXPECT_EQ(complaints(std::string("<\0m\0", 4)),
            "m.xml:1: this is not UTF-8 text; save the file as UTF-8\n");
  EXPECT_EQ(complaints("<mechanism name='M'\n about='latin-1 \xfc'/>"),
            "m.xml:2: this is not UTF-8 text; save the file as UTF-8\n");
  for (const char* broken : {"<", "<a", "<a b", "<a b=", "<a b='", "<a b='c'", "<!--", "<?", "</",
                             "</a>", "<a/", "<![CDATA[", "<mechanism name='M'><![CDATA["})
    EXPECT_NE(complaints(broken), "") << broken;
}

TEST(MechanismHostile, EncodingIsUtf8WhateverTheFileStates) {
  Diagnostics diagnostics;
  const MechanismText m = read_mechanism_text(
      "<?xml version='1.0' encoding='ISO-8859-1'?><mechanism name='M' about='ü'><body name='b' "
      "mass='1' free='true'/></mechanism>",
      "m.xml", diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  EXPECT_EQ(m.root.text("about"), "ü");
}

/// Groups of groups: 10 uses of 10 uses of …
TEST(MechanismHostile, ManyWrongWordsTakeNoTime) {
  std::string words;
  for (int i = 0; i < 30'000; ++i) words += "w" + std::to_string(i) + " ";
  const std::string text = complaints(R"(<mechanism name="M"><body name="a" mass="1" hold=")" +
                                      words + R"("/></mechanism>)");
  EXPECT_LT(text.size(), 300'000U);
}

TEST(MechanismHostile, GroupsThatMultiply) {
  std::ostringstream content;
  content << "<mechanism name='M'><body name='b' mass='1' free='true'/>";
  for (int level = 0; level < 12; ++level) {
    content << "<group name='g" << level << "'>";
    for (int i = 0; i < 10; ++i)
      content << "<use name='u" << i << "' group='g" << level + 1 << "'/>";
    content << "</group>";
  }
  content << "<group name='g12'/><use name='u' group='g0'/></mechanism>";
  EXPECT_EQ(complaints(content.str()), "m.xml:1: the mechanism has more than 200000 elements\n");
}

TEST(MechanismHostile, GroupsThatNest) {
  std::ostringstream content;
  content << "<mechanism name='M'><body name='b' mass='1' free='true'/>\n";
  for (int level = 0; level < 1000; ++level)
    content << "<group name='g" << level << "'><use name='u' group='g" << level + 1
            << "'/></group>\n";
  content << "<group name='g1000'/><use name='u' group='g0'/></mechanism>";
  const std::string text = complaints(content.str());
  EXPECT_TRUE(text.find("use 'u': more than 16 groups use each other in a chain\n") !=
              std::string::npos)
      << text.substr(0, 500);
}

/// Parameters of parameters: twice as long at each level.
TEST(MechanismHostile, ParametersThatGrow) {
  std::ostringstream content;
  content << "<mechanism name='M'><group name='g' a0='1'";
  for (int i = 1; i < 60; ++i) content << " a" << i << "='a" << i - 1 << "+a" << i - 1 << "'";
  content << "><body name='b' mass='a59'/></group>\n<use group='g' name='u'/></mechanism>";
  const std::string text = complaints(content.str());
  EXPECT_TRUE(text.find("is longer than 100000 characters\n") != std::string::npos) << text;
}

TEST(MechanismHostile, IncludesThatMultiply) {
  std::map<std::string, std::string> files;
  for (int level = 0; level < 15; ++level) {
    std::string content = "<part>";
    for (int i = 0; i < 2; ++i)
      content.append("<include file='f").append(std::to_string(level + 1)).append(".xml'/>");
    files["f" + std::to_string(level) + ".xml"] = content.append("</part>");
  }
  files["f15.xml"] = "<part/>";
  Diagnostics diagnostics;
  (void)read_mechanism_text(
      "<mechanism name='M'><body name='b' mass='1' free='true'/><include "
      "file='f0.xml'/></mechanism>",
      "m.xml", diagnostics, files);
  EXPECT_TRUE(diagnostics.text().find("more than 200 files are included") != std::string::npos)
      << diagnostics.text();
}

TEST(MechanismHostile, ALargeMechanismIsRead) {
  std::ostringstream content;
  content << "<mechanism name='M'>\n<body name='b0' mass='1'/>\n";
  for (int i = 1; i < 40000; ++i)
    content << "<body name='b" << i << "' mass='1' at='" << i << " 0 0'/>\n<joint name='j" << i
            << "' type='revolute' between='b" << i - 1 << " b" << i << "'/>\n";
  content << "</mechanism>";
  Diagnostics diagnostics;
  const MechanismText mechanism = read_mechanism_text(content.str(), "m.xml", diagnostics);
  EXPECT_EQ(diagnostics.text(), "");
  ASSERT_EQ(mechanism.elements.size(), 79999U);
  EXPECT_EQ(mechanism.elements.back().text("between"), "b39998 b39999");
}

}  // namespace
}  // namespace mechfmu
