// JSON of other programs: its content, and texts that are not JSON.

#include <gtest/gtest.h>

#include "model_desc/json_value.h"

namespace mechfmu {
namespace {

TEST(JsonValue, ReturnsTheContentOfTheText) {
  const auto read = read_json(
      " {\"a\": [1, -2.5e3, true, null], \"b\": {\"c\": \"x\\n\\u00e9\\ud83d\\ude00\\\"\"}, \"n\": "
      "7} ");
  ASSERT_TRUE(read);
  const JsonValue& value = *read;
  EXPECT_EQ(value["a"][std::size_t{0}].number, 1);
  EXPECT_EQ(value["a"][std::size_t{1}].number, -2500);
  EXPECT_EQ(value["a"][std::size_t{2}].kind, JsonValue::Kind::boolean);
  EXPECT_EQ(value["a"][std::size_t{3}].kind, JsonValue::Kind::null);
  EXPECT_EQ(value["a"][std::size_t{4}].kind, JsonValue::Kind::null);
  EXPECT_EQ(value["b"]["c"].text, "x\n\u00e9\U0001F600\"");
  EXPECT_EQ(value["n"].count(), 7);
  EXPECT_FALSE(value["a"][std::size_t{1}].count());
  EXPECT_EQ(value["missing"]["too"].kind, JsonValue::Kind::null);
}

TEST(JsonValue, RefusesWhatIsNotJson) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "[1] 2", "\"\\x\"", "\"\\ud800\"", "nul",
                           "\"a", "01x", "[1 2]", "{1: 2}", "\"\n\""})
    EXPECT_FALSE(read_json(text)) << text;
  EXPECT_TRUE(read_json(std::string(90, '[') + std::string(90, ']')));
  EXPECT_FALSE(read_json(std::string(100'000, '[')));
}

}  // namespace
}  // namespace mechfmu
