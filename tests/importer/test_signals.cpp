// Inputs over time: the values of a table at any time, and the one-line message about a wrong
// table.

#include <gtest/gtest.h>

#include "importer/csv.h"
#include "importer/points.h"
#include "importer/signals.h"
#include "model_desc/csv.h"
#include "tests/importer/folders.h"

namespace mechfmu::tests {
namespace {

constexpr const char* table =
    "\xef\xbb\xbftime, u ,\"a,\"\"b\"\"\"\r\n1,0,7\r\n\r\n2,+4,8\n2,1e0,9\n4,2.0,9\n";

TEST(Signals, NamesAndRowsAreRead) {
  const Signals s = read_signals(table, "u.csv");
  EXPECT_EQ(s.names, (std::vector<std::string>{"u", "a,\"b\""}));
  EXPECT_EQ(s.times, (std::vector<double>{1, 2, 2, 4}));
  EXPECT_EQ(s.values, (std::vector<double>{0, 7, 4, 8, 1, 9, 2, 9}));
}

TEST(Signals, ValuesLieOnLinesWithLimitsAtJumpsAndAreHeldOutside) {
  const Signals s = read_signals(table, "u.csv");
  const auto expect = [&](double t, double before, double after) {
    EXPECT_EQ(s.before(0, t), before) << t;
    EXPECT_EQ(s.after(0, t), after) << t;
  };
  expect(0, 0, 0);
  expect(1, 0, 0);
  expect(1.25, 1, 1);
  expect(2, 4, 1);
  expect(3, 1.5, 1.5);
  expect(4, 2, 2);
  expect(9, 2, 2);
}

TEST(Signals, HeldValuesAreThoseOfTheLastRow) {
  const Signals s = read_signals(table, "u.csv");
  EXPECT_EQ(s.held(1, 0), 7);
  EXPECT_EQ(s.held(1, 1.999), 7);
  EXPECT_EQ(s.held(1, 2), 9);
  EXPECT_EQ(s.held(1, 5), 9);
}

TEST(Signals, MeansAreIntegralsOverTheLength) {
  const Signals s = read_signals(table, "u.csv");
  EXPECT_DOUBLE_EQ(s.mean(0, 1, 2), 2);
  EXPECT_DOUBLE_EQ(s.mean(0, 2, 4), 1.5);
  EXPECT_DOUBLE_EQ(s.mean(0, 0, 5), (0 + 2 + 3 + 2) / 5.0);
  EXPECT_DOUBLE_EQ(s.mean(0, 1.5, 3), (1.5 + 1.25) / 1.5);
}

TEST(Signals, WhatIsWrongIsNamedWithItsLine) {
  const auto message = [](const char* text) {
    return message_of([&] { read_signals(text, "u.csv"); });
  };
  EXPECT_EQ(message(""), "u.csv: the file is empty; it should begin with a line like time,u1,u2");
  EXPECT_EQ(message("time,u\n"), "u.csv: there are no rows below the header");
  EXPECT_EQ(message("u,time\n0,0"), "u.csv:1: the first column is 'u', not 'time'");
  EXPECT_EQ(message("0,1\n1,2"), "u.csv:1: the first column is '0', not 'time'");
  EXPECT_EQ(message("time;u\n0;1,5"), "u.csv:2: '1,5' in column 'u' is not a finite number");
  EXPECT_EQ(message("time\n0"), "u.csv:1: there is no column besides time");
  EXPECT_EQ(message("time,u,u\n0,0,0"), "u.csv:1: two columns are named 'u'");
  EXPECT_EQ(message("time,u,\n0,0,0"), "u.csv:1: column 3 has no name");
  EXPECT_EQ(message("time,\"u\n0,0"), "u.csv:1: a quote is not closed");
  EXPECT_EQ(message("time,u\n0,0\n1"), "u.csv:3: this row has 1 columns, the header has 2");
  EXPECT_EQ(message("time,u\n0,0,5\n"), "u.csv:2: this row has 3 columns, the header has 2");
  EXPECT_EQ(message("time,u\n0,nan\n"), "u.csv:2: 'nan' in column 'u' is not a finite number");
  EXPECT_EQ(message("time,u\n-inf,0\n"), "u.csv:2: '-inf' in column 'time' is not a finite number");
  EXPECT_EQ(message("time,u\n0,\n"), "u.csv:2: '' in column 'u' is not a finite number");
  EXPECT_EQ(message("time,u\n0,1.5 N\n"), "u.csv:2: '1.5 N' in column 'u' is not a finite number");
  EXPECT_EQ(message("time,u\n0,0\n0.3,0\n0.2,0\n"), "u.csv:4: time goes back from 0.3 to 0.2");
  EXPECT_EQ(message_of([] { read_signals(std::filesystem::path("/nowhere/u.csv")); }),
            "cannot read '/nowhere/u.csv'");
}

TEST(Signals, ColumnsAreSeparatedAsInTables) {
  for (const char* text : {"time,u,v w\n0,1,2\n", "time;u;\"v w\"\n0;1;2", "time\tu\tv w\n0\t1\t2",
                           "# by hand\ntime u \"v w\"  # names\n\n 0   1 2\n"}) {
    const Signals read = read_signals(text, "u.csv");
    EXPECT_EQ(read.names, (std::vector<std::string>{"u", "v w"})) << text;
    EXPECT_EQ(read.values, (std::vector<double>{1, 2})) << text;
  }
}

// --- points ---

std::vector<double> all(Points points, double stop, std::vector<double>* rows = nullptr) {
  std::vector<double> times;
  while (times.empty() || times.back() < stop) {
    const Points::Point point = points.next();
    times.push_back(point.time);
    if (point.row && rows != nullptr) rows->push_back(point.time);
  }
  return times;
}

TEST(Points, AreMultiplesOfTheStepWithoutAccumulation) {
  const std::vector<double> tenths = all(Points(0, 1, 0.1, {}, {}), 1);
  EXPECT_EQ(tenths, (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}));
  const std::vector<double> many = all(Points(0, 600, 1.0 / 60, {}, {}), 600);
  ASSERT_EQ(many.size(), 36000U);
  for (std::size_t i = 0; i < many.size(); ++i) EXPECT_EQ(many[i], static_cast<double>(i + 1) / 60);
}

TEST(Points, LastOneIsTheStopTime) {
  EXPECT_EQ(all(Points(1, 2, 0.4, {}, {}), 2), (std::vector<double>{1.4, 1.8, 2}));
  EXPECT_EQ(all(Points(0, 0.3, 0.1, {}, {}), 0.3), (std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(all(Points(0, 1, 1, {}, {}), 1), (std::vector<double>{1}));
}

TEST(Points, JumpsArePointsButNoRows) {
  std::vector<double> rows;
  EXPECT_EQ(all(Points(0, 1, 0.25, {}, {0, 0.1, 0.5000000000001, 0.6, 1}), 1, &rows),
            (std::vector<double>{0.1, 0.25, 0.5000000000001, 0.6, 0.75, 1}));
  EXPECT_EQ(rows, (std::vector<double>{0.25, 0.5000000000001, 0.75, 1}));
}

TEST(Points, RowsHaveASeparateInterval) {
  std::vector<double> rows;
  EXPECT_EQ(all(Points(0, 1, 0.25, 0.5, {}), 1, &rows), (std::vector<double>{0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(rows, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(all(Points(0, 1, 0.5, 0.3, {}), 1), (std::vector<double>{0.3, 0.5, 0.6, 0.9, 1}));
}

// --- results ---

TEST(Csv, NamesAreQuotedOnlyWhereNeeded) {
  EXPECT_EQ(csv_name("body.x [m]"), "body.x [m]");
  EXPECT_EQ(csv_name("a[1,2]"), "\"a[1,2]\"");
  EXPECT_EQ(csv_name("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_name(" x"), "\" x\"");
  EXPECT_EQ(csv_name("a;b"), "\"a;b\"");
  EXPECT_EQ(csv_name("no. #1"), "\"no. #1\"");
}

TEST(Csv, NumbersAreShortAndExactAndRowsAreThereAtOnce) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "out.csv";
  CsvFile file(path);
  file.header({"time", "x", "a[1,2]"});
  EXPECT_EQ(read_file(path), "time,x,\"a[1,2]\"\n");
  file.row(std::vector<double>{0.1, 1.0 / 3, -5e-324});
  file.row(std::vector<double>{0.30000000000000004, 5, 1e22});
  file.close();
  EXPECT_EQ(read_file(path),
            "time,x,\"a[1,2]\"\n0.1,0.3333333333333333,-5e-324\n0.30000000000000004,5,1e+22\n");
  EXPECT_EQ(read_signals(path).values, (std::vector<double>{1.0 / 3, -5e-324, 5, 1e22}));
}

TEST(Csv, FileThatCannotBeWrittenIsNamed) {
  EXPECT_EQ(message_of([] { CsvFile("/nowhere/out.csv"); }), "cannot write '/nowhere/out.csv'");
  EXPECT_EQ(message_of([] {
              CsvFile file("/dev/full");
              file.header({"time"});
            }),
            "cannot write '/dev/full'; is the disk full?");
}

}  // namespace
}  // namespace mechfmu::tests
