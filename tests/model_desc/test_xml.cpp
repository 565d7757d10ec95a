#include <gtest/gtest.h>

#include <limits>

#include "model_desc/xml.h"
#include "tests/model_desc/parse.h"

namespace mechfmu {
namespace {

TEST(Xml, KeepsAnyText) {
  for (const std::string text : {"<a href=\"x\">&amp; 'y'</a>", "Brüls θ₁ ½ 機構 🙂",
                                 "two\nlines\tand a tab", "]]>", ""}) {
    const XmlDocument document("root");
    document.root().add("child").set("text", text);
    EXPECT_EQ(query_one(document.text(), "/root/child/@text"), text);
  }
}

TEST(Xml, RefusesValuesThatXmlCannotContain) {
  const XmlDocument document("root");
  EXPECT_THROW(document.root().set("a", "bell \a"), std::invalid_argument);
  EXPECT_THROW(document.root().set("a", "latin-1 \xfc"), std::invalid_argument);
  EXPECT_THROW(document.root().set("a", std::numeric_limits<double>::infinity()),
               std::invalid_argument);
  EXPECT_THROW(document.root().set("a", std::numeric_limits<double>::quiet_NaN()),
               std::invalid_argument);
}

TEST(Xml, NumbersReadBackAsTheSameNumber) {
  for (const double number : {0.1, 1e-300, -1.0 / 3, 6.02214076e23}) {
    const XmlDocument document("root");
    document.root().set("number", number);
    EXPECT_EQ(std::stod(query_one(document.text(), "/root/@number")), number);
  }
}

TEST(Xml, AttributesMayHaveANamespace) {
  const XmlDocument document("root");
  document.root().set("xmlns:p", "http://example.org/p").set("p:name", "value");
  EXPECT_EQ(query_one(document.text(),
                      "/root/@*[local-name()='name' and namespace-uri()='http://example.org/p']"),
            "value");
}

}  // namespace
}  // namespace mechfmu
