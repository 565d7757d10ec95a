#include "packaging/linear_files.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "model/format.h"
#include "model_desc/csv.h"
#include "model_desc/json.h"
#include "model_desc/text.h"
#include "packaging/temporary.h"
#include "packaging/terminal.h"
#include "packaging/zip.h"

namespace mechfmu {

namespace {

using Words = std::vector<std::string>;

Words names_of(const std::vector<NameAndUnit>& all) {
  Words words;
  for (const NameAndUnit& one : all) words.push_back(one.name);
  return words;
}
Words units_of(const std::vector<NameAndUnit>& all) {
  Words words;
  for (const NameAndUnit& one : all) words.push_back(one.unit);
  return words;
}

// JSON

using mechfmu::json;
std::string json(const std::complex<double>& x) {
  return "[" + json(x.real()) + ", " + json(x.imag()) + "]";
}
std::string json(const std::vector<std::complex<double>>& list) {
  Words parts;
  for (const std::complex<double>& part : list) parts.push_back(json(part));
  return "[" + joined(parts, ", ") + "]";
}
std::string json(const Matrix& m) {
  Words rows;
  for (Index i = 0; i < m.rows(); ++i) rows.push_back(json(Vector(m.row(i).transpose())));
  return "[" + joined(rows, ",\n        ") + "]";
}

// The format .npy of numpy, version 1.0: a header padded to 64 bytes, then the numbers as they are
// in memory.

static_assert(std::endian::native == std::endian::little);

template <class T>
std::string npy(const std::string& type, const std::string& shape, const T* data,
                std::size_t count) {
  // by columns, which for vectors makes no difference
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': True, 'shape': (" + shape + "), }";
  const std::size_t length = (10 + header.size() + 1 + 63) / 64 * 64 - 10;
  header.append(length - header.size() - 1, ' ');
  std::string made = "\x93NUMPY";
  made += {'\x01', '\0', static_cast<char>(length & 255U), static_cast<char>(length >> 8U)};
  made += header + '\n';
  return made.append(reinterpret_cast<const char*>(data), count * sizeof(T));
}
std::string npy(const Matrix& m) {
  return npy("<f8", std::to_string(m.rows()) + ", " + std::to_string(m.cols()), m.data(),
             static_cast<std::size_t>(m.size()));
}
std::string npy(const Vector& v) {
  return npy("<f8", std::to_string(v.size()) + ",", v.data(), static_cast<std::size_t>(v.size()));
}
std::string npy(double x) { return npy("<f8", "", &x, 1); }
std::string npy(const std::vector<std::complex<double>>& v) {
  return npy("<c16", std::to_string(v.size()) + ",", v.data(), v.size());
}
/// Names and units are ASCII.
std::string npy(const Words& words) {
  std::size_t width = 1;
  for (const std::string& word : words) width = std::max(width, word.size());
  std::u32string all;
  for (const std::string& word : words) {
    all.append(word.begin(), word.end());
    all.append(width - word.size(), U'\0');
  }
  return npy("<U" + std::to_string(width), std::to_string(words.size()) + ",", all.data(),
             all.size());
}

}  // namespace

std::string linear_model_json(const LinearModel& m, const std::string& name) {
  std::string units;
  for (const auto& [what, all] :
       {std::pair("states", &m.states), {"inputs", &m.inputs}, {"outputs", &m.outputs}})
    units += (units.empty() ? "" : ", ") + json(std::string(what)) + ": " + json(units_of(*all));
  return "{\n  \"model\": " + json(name) + ",\n  \"t\": " + json(m.t) +
         ",\n  \"states\": " + json(names_of(m.states)) +
         ",\n  \"inputs\": " + json(names_of(m.inputs)) +
         ",\n  \"outputs\": " + json(names_of(m.outputs)) + ",\n  \"units\": {" + units +
         "},\n  \"A\": " + json(m.A) + ",\n  \"B\": " + json(m.B) + ",\n  \"C\": " + json(m.C) +
         ",\n  \"D\": " + json(m.D) + ",\n  \"x0\": " + json(m.s0) +
         ",\n  \"dx0\": " + json(m.ds0) + ",\n  \"u0\": " + json(m.u0) +
         ",\n  \"y0\": " + json(m.o0) + ",\n  \"poles\": " + json(m.poles) + "\n}\n";
}

std::string linear_model_csv(const LinearModel& m) {
  std::string text;
  const auto block = [&](const char* name, const Matrix& matrix, const Words& rows,
                         const Words& columns) {
    text += name;
    for (const std::string& column : columns) text += "," + csv_name(column);
    text += "\n";
    for (Index i = 0; i < matrix.rows(); ++i) {
      text += csv_name(rows[static_cast<std::size_t>(i)]);
      for (const double x : matrix.row(i)) text += "," + shortest(x);
      text += "\n";
    }
  };
  const Words states = names_of(m.states);
  const Words inputs = names_of(m.inputs);
  const Words outputs = names_of(m.outputs);
  block("A", m.A, states, states);
  block("B", m.B, states, inputs);
  block("C", m.C, outputs, states);
  block("D", m.D, outputs, inputs);
  block("x0", m.s0.transpose(), {"value"}, states);
  block("u0", m.u0.transpose(), {"value"}, inputs);
  block("y0", m.o0.transpose(), {"value"}, outputs);
  return text;
}

void write_npz(const std::filesystem::path& file, const LinearModel& m) {
  const TemporaryFolder folder;
  std::vector<ArchiveFile> files;
  const auto add = [&](const std::string& name, const std::string& bytes) {
    files.push_back({name + ".npy", folder.path() / name});
    write_text(files.back().source, bytes);
  };
  for (const auto& [name, matrix] : {std::pair("A", &m.A), {"B", &m.B}, {"C", &m.C}, {"D", &m.D}})
    add(name, npy(*matrix));
  for (const auto& [name, vector] :
       {std::pair("x0", &m.s0), {"dx0", &m.ds0}, {"u0", &m.u0}, {"y0", &m.o0}})
    add(name, npy(*vector));
  for (const auto& [name, all] :
       {std::pair("state", &m.states), {"input", &m.inputs}, {"output", &m.outputs}}) {
    add(std::string(name) + "s", npy(names_of(*all)));
    add(std::string(name) + "_units", npy(units_of(*all)));
  }
  add("t", npy(m.t));
  add("poles", npy(m.poles));
  write_zip(file, std::move(files), entry_time(nullptr));
}

std::string poles_text(const LinearModel& m) {
  std::vector<TextRow> rows = {{"pole, 1/s", "frequency, Hz", "damping"}};
  const double largest = m.poles.empty() ? 0 : std::abs(m.poles.back());
  for (const std::complex<double>& pole : m.poles) {
    // Roundoff turns a multiple zero into roots of this size.
    const double size = std::abs(pole) <= 1e-6 * largest ? 0 : std::abs(pole);
    const auto part = [&](double x) { return std::abs(x) <= 1e-9 * size || size == 0 ? 0 : x; };
    const double real = part(pole.real());
    const double imaginary = part(pole.imag());
    if (imaginary < 0) continue;  // of a pair
    rows.push_back({format(real, 5)});
    if (imaginary > 0) rows.back()[0] += " ± " + format(imaginary, 5) + "i";
    if (size == 0) continue;
    rows.back().push_back(format(size / (2 * std::numbers::pi), 5));
    rows.back().push_back(format(-real / size + 0.0, 4));
  }
  return table(rows, 2);
}

}  // namespace mechfmu
