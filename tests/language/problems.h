// Messages about an expression, with the columns that short texts omit.

#pragma once

#include <string>

#include "model_desc/diagnostics.h"

namespace mechfmu {

class Problems {
 public:
  Problems() = default;
  Problems(const Problems&) = delete;
  Problems& operator=(const Problems&) = delete;

  operator Report&() { return report_; }  // NOLINT(google-explicit-constructor)
  bool failed() const { return report_.failed(); }
  std::size_t looks() const { return report_.looks; }
  std::vector<Diagnostic> all() const { return list_.sorted(); }

  /// "column 5: …", one per line.
  std::string text() const {
    std::string lines;
    for (const Diagnostic& d : all()) {
      if (!lines.empty()) lines += '\n';
      if (d.place.line > 0) lines += "line " + std::to_string(d.place.line) + ": ";
      if (d.column > 0) lines += "column " + std::to_string(d.column) + ": ";
      if (d.severity == Severity::warning) lines += "warning: ";
      const std::string in_text = " (column " + std::to_string(d.column) + ")";
      lines += d.message.substr(
          0, d.message.size() - (d.message.ends_with(in_text) ? in_text.size() : 0));
    }
    return lines;
  }

 private:
  Diagnostics list_;
  Report report_{list_};
};

}  // namespace mechfmu
