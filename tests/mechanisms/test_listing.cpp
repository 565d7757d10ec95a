// Listings as bytes: reading them back gives the same listing, and changed bytes do no harm.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "language/backend/listing.h"
#include "mechanics/listing_bytes.h"
#include "tests/mechanisms/mechanisms.h"

namespace mechfmu::tests {
namespace {

using mechanics::from_bytes;
using mechanics::from_listing;
using mechanics::to_bytes;

class Listings : public testing::TestWithParam<MechanismFile> {
 protected:
  const Loaded loaded = load(GetParam());
  const std::string bytes = to_bytes(make_listing(loaded.plan));
};
INSTANTIATE_TEST_SUITE_P(Mechanism, Listings, testing::ValuesIn(mechanism_files()),
                         [](const auto& info) { return info.param.name; });

std::string refusal(const std::string& bytes) {
  try {
    (void)from_listing(from_bytes(bytes));
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

/// The bytes with a checksum that fits.
std::string sealed(std::string bytes) {
  constexpr std::size_t size = 20;
  constexpr std::size_t sum = 28;
  constexpr std::size_t begin = 36;
  std::uint64_t hash = 14695981039346656037ULL;
  for (std::size_t i = begin; i < bytes.size(); ++i)
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 1099511628211ULL;
  const std::uint64_t count = bytes.size() - begin;
  std::memcpy(&bytes[size], &count, 8);
  std::memcpy(&bytes[sum], &hash, 8);
  return bytes;
}

TEST_P(Listings, AreTheSameWhenTheyWereReadBack) {
  EXPECT_EQ(refusal(bytes), "");
  EXPECT_EQ(to_bytes(from_bytes(bytes)), bytes);
  EXPECT_EQ(sealed(bytes), bytes);
}

TEST_P(Listings, OfWhichAnythingIsMissingOrChangedAreRefused) {
  for (std::size_t n = 0; n < bytes.size(); n += n < 60 ? 1 : 97)
    EXPECT_NE(refusal(bytes.substr(0, n)), "") << n;
  for (std::size_t i = 0; i < bytes.size(); i += i < 60 ? 1 : 31) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    EXPECT_NE(refusal(changed), "") << i;
  }
  EXPECT_NE(refusal(bytes + "x"), "");
  EXPECT_NE(refusal(sealed(bytes + "x")), "");
}

TEST_P(Listings, ThatWereForgedAreRefusedOrDoNoHarm) {
  std::mt19937 random(3);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  int refused = 0;
  constexpr int count = 1500;
  for (int k = 0; k < count; ++k) {
    std::string forged = bytes;
    const std::size_t changes = 1 + below(3);
    for (std::size_t c = 0; c < changes; ++c) {
      const std::size_t at = 36 + below(forged.size() - 40);
      static const std::array odd = {-1, 0, 1, 2, 7, 255, 65536, 2147483647};
      switch (below(4)) {
        case 0: forged[at] = static_cast<char>(forged[at] ^ (1 << below(8))); break;
        case 1: std::memcpy(&forged[at], &odd[below(odd.size())], 4); break;
        case 2: forged.erase(at, 1 + below(8)); break;
        default: forged.insert(at, std::string(1 + below(8), '\1'));
      }
    }
    try {
      mechanics::MechanismSystem system(from_listing(from_bytes(sealed(forged))));
      Point p;
      p.resize(system.sizes());
      for (std::size_t i = 0; i < system.variables().outputs().size(); ++i) {
        system.at(p);
        (void)system.read(i);
      }
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, count / 4);
}

}  // namespace
}  // namespace mechfmu::tests
