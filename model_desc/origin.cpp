#include "model_desc/origin.h"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

namespace mechfmu {

namespace {

std::string two_digits(long long n) { return (n < 10 ? "0" : "") + std::to_string(n); }

}  // namespace

std::string format_time(const std::string& seconds_since_1970) {
  long long seconds = 0;
  const char* end = seconds_since_1970.data() + seconds_since_1970.size();
  const auto [at, error] = std::from_chars(seconds_since_1970.data(), end, seconds);
  constexpr long long year_10000 = 253402300800;
  if (error != std::errc() || at != end || seconds < 0 || seconds >= year_10000)
    throw std::invalid_argument("SOURCE_DATE_EPOCH = \"" + seconds_since_1970 +
                                "\" is not a number of seconds since 1970");
  const std::chrono::sys_days day(std::chrono::days(seconds / 86400));
  const std::chrono::year_month_day date(day);
  const long long of_day = seconds % 86400;
  return std::to_string(static_cast<int>(date.year())) + "-" +
         two_digits(static_cast<unsigned>(date.month())) + "-" +
         two_digits(static_cast<unsigned>(date.day())) + "T" + two_digits(of_day / 3600) + ":" +
         two_digits(of_day / 60 % 60) + ":" + two_digits(of_day % 60) + "Z";
}

std::string tool_name() { return "mechfmu " MECHFMU_VERSION; }

Origin make_origin(const Description& description) {
  Origin origin;
  origin.token = token(description);
  origin.tool = tool_name();
  const char* seconds = std::getenv("SOURCE_DATE_EPOCH");
  if (seconds != nullptr && *seconds != '\0') origin.time = format_time(seconds);
  return origin;
}

}  // namespace mechfmu
