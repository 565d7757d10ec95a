"""The C++ example of docs/cpp_models.md compiles, links and runs."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/cpp_models.md").read_text(encoding="utf-8")

# The example makes a model; this runs it.
RUN_IT = """
int main() {
  const auto system = mechfmu::make_model();
  mechfmu::Solver solver(*system);
  mechfmu::State state;
  return solver.initialize(state, 0).ok() && solver.advance(state, 1).ok() ? 0 : 1;
}
"""


def test_the_cpp_example_compiles_and_runs(tmp_path):
    example = re.search(r"```cpp\n(.*?)```", PAGE, re.S).group(1)
    assert len(example.splitlines()) < 40
    source = tmp_path / "example.cpp"
    source.write_text('#include "solver/solver.h"\n' + example + RUN_IT, encoding="utf-8")
    program = tmp_path / "example"
    eigen = "/usr/include/eigen3"
    libraries = [ROOT / "build" / folder / f"libmechfmu_{folder}.a" for folder in ("solver", "model")]
    subprocess.run(
        ["c++", "-std=c++20", "-O1", f"-I{ROOT}", "-isystem", eigen, source, *libraries, "-o", program], check=True
    )
    subprocess.run([program], check=True, timeout=60)
