"""The files that describe a model are valid: schemas of the FMI project, and rules of its text beyond the schemas.

The files are written by build/tests/model_desc_tests for every model of models/registry.cpp, and by every program
build/*/<name>_describe for the model it is linked with.
"""

import os
import re
import subprocess
import zipfile
from pathlib import Path

import fmpy
import pytest
from fmpy.validation import validate_fmu
from lxml import etree

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("MECHFMU_BUILD", ROOT / "build"))
SCHEMAS = Path(fmpy.__file__).parent / "schema"
REGISTRY = (ROOT / "models" / "registry.cpp").read_text(encoding="utf-8")
MODELS = sorted(set(re.findall(r'#include "models/(\w+)/\1\.h"', REGISTRY)))
VERSIONS = ["fmi2", "fmi3"]
LS_REF = "extra/org.fmi-standard.fmi-ls-ref"

# The manifest of FMI-LS-REF; the attributes of the root are those of any layered standard.
MANIFEST_SCHEMA = """
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:fmi-ls="http://fmi-standard.org/fmi-ls-manifest">
  <xs:import namespace="http://fmi-standard.org/fmi-ls-manifest" schemaLocation="{}"/>
  <xs:element name="fmiReferences">
    <xs:complexType>
      <xs:sequence>
        <xs:element name="Related" maxOccurs="unbounded">
          <xs:complexType>
            <xs:attribute name="type" type="xs:string"/>
            <xs:attribute name="source" type="xs:anyURI" use="required"/>
            <xs:attribute name="role" use="required">
              <xs:simpleType>
                <xs:restriction base="xs:string"><xs:enumeration value="result"/></xs:restriction>
              </xs:simpleType>
            </xs:attribute>
            <xs:attribute name="description" type="xs:string"/>
          </xs:complexType>
        </xs:element>
      </xs:sequence>
      <xs:attributeGroup ref="fmi-ls:ALayeredStandardManifest"/>
    </xs:complexType>
  </xs:element>
</xs:schema>
"""


def describe_programs() -> dict[str, Path]:
    return {
        path.name.removesuffix("_describe"): path
        for path in sorted(BUILD.glob("*/*_describe"))
        if path.is_file() and os.access(path, os.X_OK)
    }


@pytest.fixture(scope="session")
def trees(tmp_path_factory):
    """The files of every model, from the C++ tests."""
    program = BUILD / "tests" / "model_desc_tests"
    if not program.exists():
        pytest.skip(f"{program} is not built; run: cmake --preset release && cmake --build --preset release")
    folder = tmp_path_factory.mktemp("trees")
    environment = os.environ | {"MECHFMU_TREES": str(folder)}
    command = [program, "--gtest_filter=*EveryModel*"]
    subprocess.run(command, env=environment, capture_output=True, check=False)  # the test of each model reports its missing files
    return folder


@pytest.fixture(params=[f"{model}-{version}" for model in MODELS for version in VERSIONS])
def tree(request, trees):
    model, version = request.param.split("-")
    folder = trees / model / version
    assert folder.is_dir(), f"build/tests/model_desc_tests --gtest_filter='*EveryModel*/{model}' fails"
    return folder


def version_of(tree: Path) -> str:
    return tree.name


def description(tree: Path) -> etree._Element:
    return etree.parse(tree / "modelDescription.xml").getroot()


def validate(schema: etree.XMLSchema, file: Path):
    assert schema.validate(etree.parse(file)), "\n".join(str(error) for error in schema.error_log)


def schema(name: str) -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(SCHEMAS / name))


def variables(root: etree._Element) -> list[dict]:
    """Name, attributes and attributes of the value, the same for both versions."""
    found = []
    for element in root.find("ModelVariables"):
        value = element if root.get("fmiVersion") == "3.0" else element[0]
        found.append({**value.attrib, **element.attrib, "type": value.tag})
    return found


def unknowns(root: etree._Element, name: str) -> list[dict]:
    path = {"2.0": f"ModelStructure/{name}s/Unknown", "3.0": f"ModelStructure/{name}"}[root.get("fmiVersion")]
    return [dict(element.attrib) for element in root.iterfind(path)]


def reference(unknown: dict) -> int:
    """The identifier of an unknown in its version: the index, or the value reference."""
    return int(unknown.get("index", unknown.get("valueReference")))


def references(root: etree._Element) -> dict[int, dict]:
    is_fmi2 = root.get("fmiVersion") == "2.0"
    return {(i if is_fmi2 else int(v["valueReference"])): v for i, v in enumerate(variables(root), start=1)}


def test_model_description_follows_the_schema(tree):
    version = version_of(tree)
    validate(schema(f"{version}/{version}ModelDescription.xsd"), tree / "modelDescription.xml")


def test_terminals_follow_the_schema(tree):
    validate(schema("fmi3/fmi3TerminalsAndIcons.xsd"), tree / "terminalsAndIcons" / "terminalsAndIcons.xml")


def test_manifest_follows_the_schema(tree):
    location = (SCHEMAS / "fmi3" / "fmi3LayeredStandardManifest.xsd").as_uri()
    manifest = etree.XMLSchema(etree.fromstring(MANIFEST_SCHEMA.format(location)))
    validate(manifest, tree / LS_REF / "fmi-ls-manifest.xml")


def test_fmpy_finds_no_problem(tree, tmp_path):
    fmu = tmp_path / "model.fmu"
    with zipfile.ZipFile(fmu, "w") as archive:
        for file in sorted(tree.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(tree).as_posix())
    assert validate_fmu(str(fmu)) == []
    model = fmpy.read_model_description(str(fmu), validate=True)
    assert model.coSimulation.modelIdentifier == tree.parent.name


def test_names_and_references_are_unique(tree):
    root = description(tree)
    names = [v["name"] for v in variables(root)]
    values = [v["valueReference"] for v in variables(root)]
    types = [t.get("name") for t in root.find("TypeDefinitions")]
    assert len(set(names)) == len(names)
    assert len(set(values)) == len(values)
    assert not set(names) & set(types)
    # An array in FMI 3 is a family of scalars in FMI 2: no scalar may have its name.
    assert not {name.split("[")[0] for name in names if "[" in name} & set(names)


def test_start_values_are_there_when_they_have_to_and_only_then(tree):
    for v in variables(description(tree)):
        needed = v["causality"] == "input" or v.get("initial") in {"exact", "approx"}
        assert ("start" in v) == needed, v["name"]
        assert ("initial" in v) == (v["causality"] not in {"input", "independent"}), v["name"]
        for start in v.get("start", "").split():
            if v["type"] in {"Real", "Float64"}:
                assert float(v.get("min", "-inf")) <= float(start) <= float(v.get("max", "inf")), v["name"]


def test_numbers_are_finite(tree):
    for v in variables(description(tree)):
        for attribute in ["start", "min", "max", "nominal"]:
            assert not re.search("inf|nan", v.get(attribute, ""), re.IGNORECASE), v["name"]


def test_every_unit_and_type_is_defined_and_used(tree):
    root = description(tree)
    defined = {unit.get("name") for unit in root.iterfind("UnitDefinitions/Unit")}
    used = {element.get("unit") for element in root.iter() if element.get("unit")}
    assert used <= defined
    told = [v.get("description", "").split("units: ")[-1] for v in variables(root)]  # of arrays with several units
    assert defined <= used | {unit for units in told for unit in units.split(", ")}
    types = {t.get("name"): t for t in root.find("TypeDefinitions")}
    declared = {v["declaredType"] for v in variables(root) if "declaredType" in v}
    assert declared <= set(types)
    for name in types:
        real = types[name] if types[name].get("unit") else types[name].find("Real")
        if real is not None and real.get("displayUnit"):
            unit = root.find(f"UnitDefinitions/Unit[@name='{real.get('unit')}']")
            assert real.get("displayUnit") in {shown.get("name") for shown in unit.iterfind("DisplayUnit")}


def test_every_real_has_a_unit_or_tells_several(tree):
    # Only the model knows the units of constraints, and therefore of their multipliers and of states.
    unknown = re.compile(r"((method\.)?(lambda|psi)|x)(\[\d+\])?|constraint\.(position|velocity)")
    for v in variables(description(tree)):
        if v["type"] in {"Real", "Float64"} and not unknown.fullmatch(v["name"]):
            assert "unit" in v or "units: " in v.get("description", ""), v["name"]


def test_dependencies_are_knowns_in_ascending_order(tree):
    root = description(tree)
    known = references(root)
    allowed = {"input", "independent"} | ({"parameter"} if version_of(tree) == "fmi3" else set())
    for kind in ["Output", "InitialUnknown"]:
        for unknown in unknowns(root, kind):
            depends_on = [int(word) for word in unknown["dependencies"].split()]
            assert depends_on == sorted(set(depends_on)), unknown
            for k in depends_on:
                exact = kind == "InitialUnknown" and known[k].get("initial") == "exact"
                assert exact or known[k]["causality"] in allowed, (unknown, known[k]["name"])


def test_outputs_and_initial_unknowns_are_complete_and_in_order(tree):
    root = description(tree)
    outputs = [r for r, v in references(root).items() if v["causality"] == "output"]
    initial = [r for r in outputs if references(root)[r]["initial"] != "exact"]
    assert [reference(u) for u in unknowns(root, "Output")] == outputs
    assert [reference(u) for u in unknowns(root, "InitialUnknown")] == initial
    assert initial == sorted(initial)


def test_terminals_name_inputs_and_outputs_once(tree):
    root = etree.parse(tree / "terminalsAndIcons" / "terminalsAndIcons.xml").getroot()
    members = [member.get("variableName") for member in root.iter("TerminalMemberVariable")]
    ports = [v["name"] for v in variables(description(tree)) if v["causality"] in {"input", "output"}]
    assert sorted(members) == sorted(ports)
    terminals = [terminal.get("name") for terminal in root.iter("Terminal")]
    assert len(set(terminals)) == len(terminals)
    for terminal in root.iter("Terminal"):
        names = [member.get("memberName") for member in terminal]
        assert len(set(names)) == len(names)


def test_both_versions_have_the_same_numbers(trees):
    for model in MODELS:
        fmi2, fmi3 = (description(trees / model / version) for version in VERSIONS)
        scalars = [re.sub(r"\[\d+\]$", "", v["name"]) for v in variables(fmi2)]
        assert list(dict.fromkeys(scalars)) == [v["name"] for v in variables(fmi3)]
        arrays = fmi3.iterfind("ModelVariables/*[Dimension]")
        sizes = {array.get("name"): int(array.find("Dimension").get("start")) for array in arrays}
        for name in dict.fromkeys(scalars):
            assert scalars.count(name) == sizes.get(name, 1), name


def test_manifest_and_reference_result_belong_together(tree):
    root = etree.parse(tree / LS_REF / "fmi-ls-manifest.xml").getroot()
    file = tree / LS_REF / root.find("Related").get("source")
    head, *rows = file.read_text().splitlines()
    names = {v["name"] for v in variables(description(tree))}
    columns = head.split(",")
    if version_of(tree) == "fmi2":
        assert set(columns) <= names
    experiment = description(tree).find("DefaultExperiment").attrib
    times = [float(row.split(",")[0]) for row in rows]
    assert times[0] == float(experiment["startTime"])
    assert times[-1] == float(experiment["stopTime"])
    assert times == sorted(set(times))
    assert len(times) == round(times[-1] / float(experiment["stepSize"])) + 1
    for row in rows:
        assert len(row.split(",")) == len(columns)
        assert all(abs(float(word)) < float("inf") for word in row.split(","))


def test_documentation_is_well_formed_and_its_links_exist(tree):
    page = etree.parse(tree / "documentation" / "index.html").getroot()
    for link in [*page.xpath("//@href"), *page.xpath("//@src")]:
        assert (tree / "documentation" / link).is_file(), link
    for v in variables(description(tree)):
        assert re.sub(r"\[\d+\]$", "", v["name"]) in "".join(page.itertext())


@pytest.mark.parametrize("model", MODELS)
def test_program_writes_the_same_files_as_the_library(model, trees, tmp_path):
    if model not in describe_programs():
        pytest.skip(f"{model}_describe is not built; configure with -DMECHFMU_BUILD_FMUS=ON")
    subprocess.run([describe_programs()[model], tmp_path / "a b"], check=True)
    for version in VERSIONS:
        written, expected = tmp_path / "a b" / version, trees / model / version
        for file in sorted(path.relative_to(expected) for path in expected.rglob("*") if path.is_file()):
            if file.name in {"diagram.png", "index.html"}:  # the program received no diagram
                continue
            assert (written / file).read_bytes() == (expected / file).read_bytes(), file


PROGRAMS = pytest.mark.skipif(
    not describe_programs(), reason="no <name>_describe is built; configure with -DMECHFMU_BUILD_FMUS=ON"
)


def run_any(*arguments) -> subprocess.CompletedProcess:
    program = next(iter(describe_programs().values()))
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


@PROGRAMS
@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["--icon"], ["a", "--icon"], ["--what", "a"]])
def test_program_explains_its_arguments(arguments, tmp_path):
    run = run_any(*arguments)
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1
    assert "usage: describe <folder>" in run.stderr


@PROGRAMS
def test_program_refuses_pictures_that_are_none(tmp_path):
    text = tmp_path / "picture.png"
    text.write_text("no picture")
    for file, words in [(text, "is not a PNG"), (tmp_path / "missing.png", "cannot read")]:
        run = run_any(tmp_path / "out", "--icon", file)
        assert run.returncode == 1
        assert words in run.stderr and str(file) in run.stderr
        assert run.stderr.count("\n") == 1


@PROGRAMS
def test_program_names_the_place_it_cannot_write(tmp_path):
    (tmp_path / "file").write_text("in the way")
    run = run_any(tmp_path / "file")
    assert run.returncode == 1
    assert str(tmp_path / "file") in run.stderr


@PROGRAMS
def test_time_comes_from_the_environment_only(tmp_path):
    program = next(iter(describe_programs().values()))
    subprocess.run([program, tmp_path], check=True, env=os.environ | {"SOURCE_DATE_EPOCH": "1234567890"})
    for version in VERSIONS:
        assert description(tmp_path / version).get("generationDateAndTime") == "2009-02-13T23:31:30Z"
        assert "2009-02-13T23:31:30Z" in (tmp_path / version / "documentation/licenses/license.spdx").read_text()


