#include "model_desc/documentation.h"

#include <cmath>

#include "model/format.h"
#include "model_desc/reference.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

constexpr const char* style = R"(
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { color: #1b3a5b; line-height: 1.2; }
h2 { margin-top: 2.2rem; border-bottom: 1px solid #d5dde5; padding-bottom: .2rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid #e3e8ee; }
th { background: #f2f5f8; }
td.number { text-align: right; }
td:first-child, td.number { overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, monospace; }
pre { background: #f2f5f8; padding: .8rem 1rem; overflow-x: auto; }
img { max-width: 100%; }
footer { margin-top: 3rem; color: #667; font-size: .85rem; }
)";

/// An HTML page under construction. It escapes text; only `raw` does not.
class Page {
 public:
  Page& raw(const std::string& html) { return html_ += html, *this; }
  Page& section(const char* title) { return raw("<h2>" + html_escape(title) + "</h2>\n"); }
  Page& paragraph(const std::string& text) { return raw("<p>" + html_escape(text) + "</p>\n"); }
  Page& formula(const std::string& text) { return raw("<pre>" + html_escape(text) + "</pre>\n"); }
  Page& begin_table(const std::vector<std::string>& heads) {
    raw("<table>\n<tr>");
    for (const std::string& head : heads) raw("<th>" + html_escape(head) + "</th>");
    return raw("</tr>\n");
  }
  Page& end_table() { return raw("</table>\n"); }
  Page& item(const std::string& what, const std::string& text) {
    return raw("<li><b>" + html_escape(what) + "</b> " + html_escape(text) + "</li>\n");
  }
  const std::string& text() const { return html_; }

 private:
  std::string html_;
};

std::string cell(const std::string& text) { return "<td>" + html_escape(text) + "</td>"; }
std::string code_cell(const std::string& text) {
  return "<td><code>" + html_escape(text) + "</code></td>";
}
std::string number_cell(const std::string& text) {
  return "<td class=\"number\">" + html_escape(text) + "</td>";
}

/// For readers: six digits are enough.
std::string readable(const Entry& e, double value) {
  return e.type == Type::real ? format(value) : value_text(e.type, value);
}

std::string range(const Entry& e) {
  if (e.type == Type::boolean || e.type == Type::enumeration) return "";
  std::string text;
  if (std::isfinite(e.min)) text += "≥ " + readable(e, e.min);
  if (std::isfinite(e.max)) text += (text.empty() ? "≤ " : ", ≤ ") + readable(e, e.max);
  return text;
}

std::string start(const Entry& e) {
  std::vector<std::string> values;
  for (const double value : e.start) {
    const auto item = static_cast<std::size_t>(std::llround(value));
    const bool named = e.type == Type::enumeration && item >= 1 && item <= e.items.size();
    values.push_back(named ? e.items[item - 1] : readable(e, value));
  }
  return joined(values, ", ");
}

/// One unit, or all units if the numbers of a vector differ.
std::string units(const Entry& e) {
  if (e.type != Type::real) return "";
  bool same = true;
  for (const std::string& unit : e.units) same = same && unit == e.units[0];
  if (same) return e.units.empty() ? "" : e.units[0];
  return joined(e.units, ", ");
}

std::string full_name(const Entry& e) {
  if (!e.vector) return e.name;
  return e.size == 1 ? e.name + "[1]" : e.name + "[1…" + std::to_string(e.size) + "]";
}

void write_equations(Page& page, const System& system) {
  const Sizes& s = system.sizes();
  page.section("Equations");
  std::string formula = "y' = z            M(t,y) a = f(t,y,z,λ,ψ,x,u)";
  if (s.m > 0) formula += "\n0 = g(t,y)        0 = g_t + G z,   G = g_y";
  if (s.k > 0) formula += "\n0 = k(t,y,z)";
  if (s.x > 0) formula += "\n0 = d(x',x,y,z,a,λ,ψ,t,u)";
  page.formula(formula);
  page.begin_table({"symbol", "meaning", "how many"});
  const auto row = [&](const char* symbol, const char* meaning, Index size) {
    page.raw("<tr>" + code_cell(symbol) + cell(meaning) + number_cell(std::to_string(size)) +
             "</tr>\n");
  };
  row("y", "positions", s.y);
  row("z, a", "velocities and accelerations", s.n);
  row("g, λ", "holonomic constraints and their multipliers", s.m);
  row("k, ψ", "nonholonomic constraints and their multipliers", s.k);
  row("x", "first-order states", s.x);
  row("u", "inputs and parameters", s.u);
  row("", "degrees of freedom (n − m − k, constraints independent)", s.n - s.m - s.k);
  page.end_table();

  page.begin_table({"part of the equations", "name"});
  for (Index i = 0; i < s.n; ++i)
    page.raw("<tr>" + code_cell("y[" + std::to_string(i + 1) + "]") +
             cell(system.coordinate_name(i)) + "</tr>\n");
  for (Index i = 0; i < s.m + s.k; ++i) {
    const Index row_of = i < s.m ? i : i - s.m;
    const std::string symbol = (i < s.m ? "lambda[" : "psi[") + std::to_string(row_of + 1) + "]";
    page.raw("<tr>" + code_cell(symbol) + cell(system.constraint_name(i)) + "</tr>\n");
  }
  for (Index i = 0; i < s.x; ++i)
    page.raw("<tr>" + code_cell("x[" + std::to_string(i + 1) + "]") + cell(system.state_name(i)) +
             "</tr>\n");
  page.end_table();
}

void write_signs(Page& page, const Sizes& s) {
  page.section("Signs");
  page.paragraph(
      "Generalized forces in f count positive in the direction of their coordinates; units are "
      "those of the table of variables.");
  if (s.m + s.k > 0)
    page.paragraph(
        "Unless the description of an output states otherwise, constraints act on the mechanism "
        "with the generalized forces −Gᵀλ and −k_zᵀψ; what the mechanism does to the constraint "
        "is the opposite.");
}

void write_variables(Page& page, const Description& d) {
  page.section("Variables");
  page.begin_table({"name", "unit", "causality", "variability", "start", "range", "description"});
  for (const Entry& e : d.entries)
    page.raw("<tr>" + code_cell(full_name(e)) + cell(units(e)) + cell(text(e.causality)) +
             cell(text(e.variability)) + number_cell(start(e)) + cell(range(e)) + cell(e.about) +
             "</tr>\n");
  page.end_table();
  page.paragraph(
      "Vectors are arrays in FMI 3.0 and scalars name[1], name[2], … in FMI 2.0. Tunable "
      "parameters may be changed at any communication point, like an input that jumps.");
}

void write_initialization(Page& page) {
  page.section("Initialization");
  page.paragraph(
      "The start values of y and z are a guess unless their attribute initial is exact. The FMU "
      "projects them onto the constraints and then solves for the accelerations and multipliers: "
      "all outputs are correct from the first communication point on. A warning names redundant "
      "constraints; the motion is correct, and the multipliers are the smallest possible. If the "
      "mechanism cannot be assembled, an error names the constraints.");
}

void write_solver(Page& page, const Description& d) {
  page.section("Solver");
  page.paragraph(
      "In each communication step the solver takes as many substeps as the tolerance requires, "
      "with a method of the generalized-α family. It keeps step size and history from one "
      "communication step to the next; variable steps and input jumps do not reduce the order.");
  const std::size_t method = d.find("solver.method");
  const auto item = [&](const std::string& name, const std::string& text) {
    const bool chosen = method < d.entries.size() && start(d.entries[method]) == name;
    page.item(name, (chosen ? "(default) " : "") + text);
  };
  page.raw("<ul>\n");
  item("soi2",
       "position and velocity constraints hold at every substep; second order in "
       "positions, velocities, accelerations and multipliers; damping by rho_inf.");
  item("hht_i3",
       "Hilber-Hughes-Taylor of index 3: position constraints hold; second order in "
       "positions and velocities; damping by alpha_hht.");
  item("arnold_bruls",
       "generalized-α of index 3: position constraints and equilibrium hold; second order in "
       "positions and velocities; damping by rho_inf.");
  page.raw("</ul>\n");
  page.begin_table({"setting", "default", "range", "unit", "meaning"});
  for (const Entry& e : d.entries)
    if (e.source == Source::setting)
      page.raw("<tr>" + code_cell(e.name) + number_cell(start(e)) + cell(range(e)) +
               cell(units(e)) + cell(e.about) + "</tr>\n");
  page.end_table();
  page.paragraph(
      "Settings are fixed parameters: set them before initialization. The tolerance bounds the "
      "local error of y and x in each substep, relative to the larger of the nominal value and "
      "the largest magnitude so far.");
}

void write_accuracy(Page& page, const Description& d) {
  page.section("Communication step and accuracy");
  page.paragraph("The default experiment runs from 0 to " + shortest(d.experiment.stop) +
                 " s with a communication step H of " + shortest(d.experiment.step) +
                 " s and a tolerance of " + shortest(d.experiment.tolerance) + ".");
  page.raw("<ul>\n");
  page.item("Constant inputs.",
            "The error is that of the substeps; it follows the tolerance and hardly depends on H.");
  page.item(
      "Inputs set at communication points",
      "are held until the next one. Against a smooth signal this is an error of first order in H.");
  page.item("Input derivatives",
            "(FMI 2.0: fmi2SetRealInputDerivatives) or inputs given during the step (FMI 3.0: "
            "intermediate update) raise the coupling to second order in H.");
  page.item("Jumps",
            "of inputs and tunable parameters are detected and do not reduce the order. In FMI 3.0 "
            "they may "
            "be announced by Event Mode.");
  page.item(
      "Outputs",
      "belong to the communication point that was reached. Accelerations and reactions at that "
      "point are those of the inputs of the step that ended there.");
  page.item("Output derivatives",
            "are available up to order " + std::to_string(d.max_output_derivative) + ".");
  page.raw("</ul>\n");
}

void write_failures(Page& page) {
  page.section("When a step fails");
  page.paragraph(
      "If the step equations cannot be solved even with the smallest substep, or max_substeps "
      "is exceeded, doStep returns Discard and one line in the log says when, why and what may "
      "help.");
  page.raw("<ul>\n");
  page.item("FMI 2.0:",
            "the last successful time can be asked for. Restore a saved state or reset, then "
            "take a smaller step; DoStep and Set are refused before that.");
  page.item(
      "FMI 3.0:",
      "the FMU is in the same state as before the call. Take a smaller step or give other inputs.");
  page.item("Wrong calls",
            "(steps beyond the stop time, from another time than the FMU's, values out of "
            "range) return Error or Discard, with the reason in the log.");
  page.raw("</ul>\n");
  page.paragraph(
      "The state of the FMU can be saved, restored and serialized at any time; a restored run "
      "continues bit for bit. Instances are independent of each other and may run in parallel.");
}

void write_statistics(Page& page, const Description& d) {
  page.section("Statistics");
  page.paragraph(
      "Counts are cumulative since initialization; the others belong to the last substep.");
  page.begin_table({"name", "unit", "meaning"});
  for (const Entry& e : d.entries)
    if (e.source == Source::statistic)
      page.raw("<tr>" + code_cell(e.name) + cell(units(e)) + cell(e.about) + "</tr>\n");
  page.end_table();
}

void write_reference(Page& page, const Description& d, double tolerance) {
  page.section("Reference result");
  page.paragraph(
      "extra/org.fmi-standard.fmi-ls-ref/" + reference_file_name(d) +
      " holds the default experiment with inputs and parameters at their start values, made "
      "with a tolerance of " +
      shortest(tolerance) +
      ". A run at the default tolerance must agree with it to within that tolerance.");
}

}  // namespace

std::string html_escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string documentation_html(const Description& d, const System& system, const Origin& origin,
                               double reference_tolerance, bool with_diagram) {
  Page page;
  const std::string name = html_escape(d.model);
  page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
  page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
  page.raw("<title>" + name + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n");
  page.raw("<h1>" + name + "</h1>\n");
  if (!d.about.empty()) page.paragraph(d.about);
  if (with_diagram) page.raw("<p><img src=\"diagram.png\" alt=\"" + name + "\"/></p>\n");
  write_equations(page, system);
  write_signs(page, system.sizes());
  write_variables(page, d);
  write_initialization(page);
  write_solver(page, d);
  write_accuracy(page, d);
  write_failures(page);
  write_statistics(page, d);
  write_reference(page, d, reference_tolerance);
  page.section("Licences");
  page.raw("<p>See <a href=\"licenses/license.txt\">licenses/license.txt</a>.</p>\n");
  page.raw("<footer>" + html_escape(origin.tool) + ", " + html_escape(origin.token) +
           "</footer>\n</body>\n</html>\n");
  return page.text();
}

}  // namespace mechfmu
