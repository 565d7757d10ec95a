// The messages about mechanism files and expressions, word by word: tests/messages, whose README
// describes the format of its files.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/language/complaints.h"
#include "tests/language/expression_names.h"
#include "tests/language/problems.h"

namespace mechfmu {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

constexpr const char* here = "<!-- each case below stands here -->";

struct Source {
  std::string name;
  Lines lines;
};
/// The first source is the mechanism file, the others are beside it.
using Case = std::vector<Source>;

/// Paragraphs are separated by blank lines.
std::vector<Lines> paragraphs(std::istream& text) {
  std::vector<Lines> all(1);
  for (std::string line; std::getline(text, line);)
    if (!line.empty())
      all.back().push_back(line);
    else if (!all.back().empty())
      all.emplace_back();
  if (all.back().empty()) all.pop_back();
  return all;
}

Case without_messages(const Lines& paragraph) {
  constexpr std::string_view file = "<!-- file ", end = " -->";
  Case sources = {{"m.xml", {}}};
  for (const std::string& line : paragraph)
    if (line.starts_with(file) && line.ends_with(end))
      sources.push_back({line.substr(file.size(), line.size() - file.size() - end.size()), {}});
    else if (!line.starts_with("<!--~ "))
      sources.back().lines.push_back(line);
  return sources;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

Lines lines_of(const std::string& text) {
  Lines all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

/// The case with the messages below the lines they refer to; those about other lines are at its
/// end.
std::string with_messages(const Case& sources, std::size_t lines_before, Lines messages) {
  const auto comment = [](const std::string& message) { return "<!--~ " + message + " -->\n"; };
  std::string text;
  for (const Source& source : sources) {
    const bool first = &source == sources.data();
    if (!first) text += "<!-- file " + source.name + " -->\n";
    std::size_t number = first ? lines_before : 0;
    for (const std::string& line : source.lines) {
      text += line + '\n';
      const std::string place = source.name + ":" + std::to_string(++number) + ": ";
      std::erase_if(messages, [&](const std::string& message) {
        if (!message.starts_with(place)) return false;
        text += comment(message.substr(place.size()));
        return true;
      });
    }
  }
  for (const std::string& message : messages) text += comment(message);
  return text;
}

/// A frame has lines before and after each case.
struct Frame {
  Lines before, after;
};

std::string reported(const Case& sources, const Frame& frame) {
  Files files;
  for (const Source& source : sources)
    if (&source != sources.data()) files[source.name] = joined(source.lines);
  return complaints(joined(frame.before) + joined(sources[0].lines) + joined(frame.after), files);
}

std::string reported_about_expression(const std::string& text, bool list) {
  Problems problems;
  if (list)
    (void)expression::parse_list(text, problems);
  else if (const expression::Expression e = expression::parse(text, problems))
    (void)check(e, expression::Mechanism(), problems);
  return problems.text();
}

/// The required content of a file of tests/messages.
std::string now(const fs::path& path) {
  std::ifstream stream(path);
  std::vector<Lines> all = paragraphs(stream);
  std::string text = joined(all.at(0));
  std::size_t next = 1;
  Frame frame;
  const auto place = std::find(all.at(1).begin(), all.at(1).end(), here);
  if (place != all[1].end()) {
    frame = {{all[1].begin(), place}, {place + 1, all[1].end()}};
    text += '\n' + joined(all[1]);
    next = 2;
  }
  for (; next < all.size(); ++next) {
    const Case sources = without_messages(all[next]);
    const std::string messages =
        path.extension() == ".txt"
            ? reported_about_expression(sources[0].lines.at(0), path.stem() == "lists")
            : reported(sources, frame);
    text += '\n' + with_messages(sources, frame.before.size(), lines_of(messages));
  }
  return text;
}

std::vector<fs::path> message_files() {
  std::vector<fs::path> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(MESSAGES))
    if (entry.path().extension() != ".md") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

class Messages : public testing::TestWithParam<fs::path> {};

TEST_P(Messages, AreTheseWords) {
  const std::string text = now(GetParam());
  if (const char* update = std::getenv("MECHFMU_UPDATE"); update && std::string_view(update) == "1")
    std::ofstream(GetParam()) << text;
  std::ostringstream content;
  content << std::ifstream(GetParam()).rdbuf();
  EXPECT_EQ(text, content.str()) << "MECHFMU_UPDATE=1 writes it into " << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Of, Messages, testing::ValuesIn(message_files()),
                         [](const auto& file) { return file.param.stem().string(); });

/// A text that cannot stand between blank lines.
TEST(MechanismFile, IsEmpty) { EXPECT_EQ(complaints(" \n"), "m.xml: the file is empty\n"); }

TEST(MechanismFile, FaultsAreReportedInTheOrderOfTheLines) {
  const std::string text = complaints(
      "<mechanism name='M'><body name='a' mass='1'/>\n<joint name='C' type='fixed' between='a "
      "b'/>\n"
      "<bodi/>\n<joint name='A' type='fixd'\n between='ground a'\n axes='1'/></mechanism>");
  std::vector<int> numbers;
  for (const std::string& line : lines_of(text)) numbers.push_back(std::stoi(line.substr(6)));
  EXPECT_EQ(numbers, (std::vector<int>{2, 3, 4, 6})) << text;
}

TEST(MechanismFile, ManyFaultsAreCounted) {
  std::string elements;
  for (int i = 0; i < 1000; ++i) elements += "<bodi/>\n";
  const std::string text = complaints("<mechanism name='M'>" + elements + "</mechanism>");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 201);
  EXPECT_TRUE(text.ends_with("\nand 800 more errors\n")) << text.substr(text.size() - 100);
}

}  // namespace
}  // namespace mechfmu
