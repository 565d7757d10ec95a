// Units against the SI brochure and the table of examples in the FMI standard.

#include <gtest/gtest.h>

#include <numbers>

#include "model_desc/units.h"

namespace mechfmu {
namespace {

constexpr double pi = std::numbers::pi;

struct Row {
  const char* symbol;
  std::array<int, 8> exponents;  // kg m s A K mol cd rad
  double factor;
  double offset;
};

TEST(Units, HaveTheExponentsOfTheSi) {
  const Row table[] = {
      {"1", {}, 1, 0},
      {"kg", {1}, 1, 0},
      {"m", {0, 1}, 1, 0},
      {"s", {0, 0, 1}, 1, 0},
      {"A", {0, 0, 0, 1}, 1, 0},
      {"K", {0, 0, 0, 0, 1}, 1, 0},
      {"mol", {0, 0, 0, 0, 0, 1}, 1, 0},
      {"cd", {0, 0, 0, 0, 0, 0, 1}, 1, 0},
      {"rad", {0, 0, 0, 0, 0, 0, 0, 1}, 1, 0},
      {"m/s", {0, 1, -1}, 1, 0},
      {"m/s2", {0, 1, -2}, 1, 0},
      {"rad/s", {0, 0, -1, 0, 0, 0, 0, 1}, 1, 0},
      {"rad/s2", {0, 0, -2, 0, 0, 0, 0, 1}, 1, 0},
      {"kg.m2", {1, 2}, 1, 0},
      {"N", {1, 1, -2}, 1, 0},
      {"N.m", {1, 2, -2}, 1, 0},
      {"N.s", {1, 1, -1}, 1, 0},
      {"N/m", {1, 0, -2}, 1, 0},
      {"N.s/m", {1, 0, -1}, 1, 0},
      {"N.m/rad", {1, 2, -2, 0, 0, 0, 0, -1}, 1, 0},
      {"N.m.s/rad", {1, 2, -1, 0, 0, 0, 0, -1}, 1, 0},
      {"J", {1, 2, -2}, 1, 0},
      {"W", {1, 2, -3}, 1, 0},
      {"Pa", {1, -1, -2}, 1, 0},
      {"V", {1, 2, -3, -1}, 1, 0},
      {"Ohm", {1, 2, -3, -2}, 1, 0},
      {"H", {1, 2, -2, -2}, 1, 0},
      {"F", {-1, -2, 4, 2}, 1, 0},
      {"Wb", {1, 2, -2, -1}, 1, 0},
      {"T", {1, 0, -2, -1}, 1, 0},
      {"kg/m3", {1, -3}, 1, 0},
      {"1/s", {0, 0, -1}, 1, 0},
      {"J/(kg.K)", {0, 2, -2, 0, -1}, 1, 0},
      {"m.s-2", {0, 1, -2}, 1, 0},
      {"m^2", {0, 2}, 1, 0},
      {"N.m/rad/s", {1, 2, -3, 0, 0, 0, 0, -1}, 1, 0},
      {"%", {}, 0.01, 0},
      {"ppm", {}, 1e-6, 0},
      {"%/m", {0, -1}, 0.01, 0},
      {"g", {1}, 1e-3, 0},
      {"t", {1}, 1000, 0},
      {"mm", {0, 1}, 1e-3, 0},
      {"mm2", {0, 2}, 1e-6, 0},
      {"N/mm2", {1, -1, -2}, 1e6, 0},
      {"km/h", {0, 1, -1}, 1000.0 / 3600, 0},
      {"km", {0, 1}, 1000, 0},
      {"min", {0, 0, 1}, 60, 0},
      {"bar", {1, -1, -2}, 1e5, 0},
      {"MPa", {1, -1, -2}, 1e6, 0},
      {"kN.m", {1, 2, -2}, 1000, 0},
      {"deg", {0, 0, 0, 0, 0, 0, 0, 1}, pi / 180, 0},
      {"mrad", {0, 0, 0, 0, 0, 0, 0, 1}, 1e-3, 0},
      {"rpm", {0, 0, -1, 0, 0, 0, 0, 1}, 2 * pi / 60, 0},
      {"rev/min", {0, 0, -1, 0, 0, 0, 0, 1}, 2 * pi / 60, 0},
      {"Hz", {0, 0, -1, 0, 0, 0, 0, 1}, 2 * pi, 0},
      {"degC", {0, 0, 0, 0, 1}, 1, 273.15},
      {"W/degC", {1, 2, -3, 0, -1}, 1, 0},
  };
  for (const Row& row : table) {
    const Unit unit = parse_unit(row.symbol);
    EXPECT_EQ(unit.exponents, row.exponents) << row.symbol;
    EXPECT_DOUBLE_EQ(unit.factor, row.factor) << row.symbol;
    EXPECT_EQ(unit.offset, row.offset) << row.symbol;
  }
}

TEST(Units, PowersOfTenAreExact) {
  EXPECT_EQ(parse_unit("mm2").factor, 1e-6);
  EXPECT_EQ(parse_unit("mm4").factor, 1e-12);
  EXPECT_EQ(parse_unit("kg").factor, 1);
  EXPECT_EQ(parse_unit("kg.mm2").factor, 1e-6);
}

TEST(Units, UnknownOnesAreNamedWithTheirVariable) {
  for (const char* symbol :
       {"Nm", "furlong", "", "m/", "N..m", "m2x", "kkg", "J/kg.K", "m^", "(m", "2m", "m s"}) {
    try {
      (void)parse_unit(symbol, "crank.angle");
      ADD_FAILURE() << "\"" << symbol << "\" was accepted";
    } catch (const std::invalid_argument& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("\"" + std::string(symbol) + "\""), std::string::npos) << text;
      EXPECT_NE(text.find("crank.angle"), std::string::npos) << text;
    }
  }
}

TEST(Units, BeyondAllMeasureAreRefused) {
  const auto message = [](const std::string& symbol) -> std::string {
    try {
      (void)parse_unit(symbol);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_NE(message(std::string(100'000, '(')).find("has more than 100 characters"),
            std::string::npos);
  EXPECT_LT(message(std::string(100'000, '(')).size(), 200U);
  EXPECT_EQ(message("Tm99"), "unit \"Tm99\" is out of range");
  EXPECT_EQ(message("1/Tm99"), "unit \"1/Tm99\" is out of range");
}

TEST(Units, AreShownInUnitsThatPeopleRead) {
  const auto angle = display_units("rad");
  ASSERT_FALSE(angle.empty());
  EXPECT_EQ(angle[0].name, "deg");
  EXPECT_DOUBLE_EQ(angle[0].factor, 57.29577951308232);  // FMI 3.0, 2.4.3
  const auto speed = display_units("rad/s");
  ASSERT_EQ(speed.size(), 2U);
  EXPECT_EQ(speed[0].name, "rpm");
  EXPECT_DOUBLE_EQ(speed[0].factor, 9.549296585513721);
  EXPECT_EQ(speed[1].name, "deg/s");
  EXPECT_EQ(display_units("m")[0].factor, 1000);
  EXPECT_EQ(display_units("m/s")[1].factor, 3.6);
  const auto temperature = display_units("K");
  EXPECT_EQ(temperature[0].name, "degC");
  EXPECT_EQ(temperature[0].offset, -273.15);
  EXPECT_EQ(preferred_display_unit("rad"), "deg");
  EXPECT_EQ(preferred_display_unit("m"), "mm");
  EXPECT_EQ(preferred_display_unit("s"), "");
  EXPECT_TRUE(display_units("kg.m2").empty());
}

TEST(Units, OfTheSameDimensionCanMeanDifferentQuantities) {
  EXPECT_EQ(quantity("N.m"), "Torque");
  EXPECT_EQ(quantity("J"), "Energy");
  EXPECT_EQ(quantity("1"), "");
}

}  // namespace
}  // namespace mechfmu
