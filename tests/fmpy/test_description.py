"""Model descriptions: the names in every FMU, the verdict of validators, the reference results inside."""

import csv
import re
import zipfile

import numpy as np
import pytest
from fmpy.validation import validate_fmu
from fmu_names import SOURCES
from lxml import etree
from plant import Plant

REAL, INTEGER, BOOLEAN = "Real", "Integer", "Boolean"
COMMON = {  # name: type, causality, variability, unit
    "time": (REAL, "independent", "continuous", "s"),
    "solver.method": (INTEGER, "parameter", "fixed", None),
    "solver.rho_inf": (REAL, "parameter", "fixed", "1"),
    "solver.alpha_hht": (REAL, "parameter", "fixed", "1"),
    "solver.tolerance": (REAL, "parameter", "fixed", "1"),
    "solver.fixed_step": (REAL, "parameter", "fixed", "s"),
    "solver.h_min": (REAL, "parameter", "fixed", "s"),
    "solver.h_max": (REAL, "parameter", "fixed", "s"),
    "solver.h_init": (REAL, "parameter", "fixed", "s"),
    "solver.max_substeps": (INTEGER, "parameter", "fixed", None),
    "solver.rescale": (BOOLEAN, "parameter", "fixed", None),
    "solver.jump_shift": (BOOLEAN, "parameter", "fixed", None),
    "solver.steps": (INTEGER, "local", "discrete", None),
    "solver.rejected": (INTEGER, "local", "discrete", None),
    "solver.newton_iterations": (INTEGER, "local", "discrete", None),
    "solver.jacobians": (INTEGER, "local", "discrete", None),
    "solver.factorizations": (INTEGER, "local", "discrete", None),
    "solver.restarts": (INTEGER, "local", "discrete", None),
    "solver.step_size": (REAL, "local", "continuous", "s"),
    "solver.error": (REAL, "local", "continuous", "1"),
    "constraint.position": (REAL, "local", "continuous", None),
    "constraint.velocity": (REAL, "local", "continuous", None),
}
FILES = {name for name, source in SOURCES.items() if source.suffix == ".xml"}
MECHANISMS = FILES | {"andrews", "heavy_top", "pendulum", "rolling_disk", "slider_crank"}
LETTERS = {"andrews": (7, 6, 0), "car_axis": (4, 2, 0), "flexible_slider_crank": (7, 3, 0), "nonholonomic_problem": (2, 0, 1),
           "pendulum": (2, 1, 0), "rolling_disk": (5, 0, 2), "slider_crank": (10, 8, 0), "soi2_problem": (2, 1, 1)}  # fmt: skip
CAPABILITIES = {
    2: {
        "canHandleVariableCommunicationStepSize": "true", "canInterpolateInputs": "true",
        "maxOutputDerivativeOrder": "1", "canRunAsynchronuously": "false",
        "canBeInstantiatedOnlyOncePerProcess": "false", "canNotUseMemoryManagementFunctions": "true",
        "canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true", "providesDirectionalDerivative": "true",
        "needsExecutionTool": "false",
    },
    3: {
        "canHandleVariableCommunicationStepSize": "true", "maxOutputDerivativeOrder": "1",
        "canBeInstantiatedOnlyOncePerProcess": "false", "canGetAndSetFMUState": "true",
        "canSerializeFMUState": "true", "providesDirectionalDerivatives": "true",
        "providesAdjointDerivatives": "true", "providesIntermediateUpdate": "true",
        "mightReturnEarlyFromDoStep": "true", "canReturnEarlyAfterIntermediateUpdate": "true",
        "hasEventMode": "true", "needsExecutionTool": "false", "recommendedIntermediateInputSmoothness": "1",
    },
}  # fmt: skip


def test_fmpy_finds_nothing_to_complain_about(any_fmu):
    assert validate_fmu(str(any_fmu.path)) == []


def test_every_common_name_is_there_with_its_type_causality_and_unit(any_fmu):
    for name, (kind, causality, variability, unit) in COMMON.items():
        v = any_fmu.variables[name]
        d = v.description
        assert (v.kind, d.causality, d.variability, v.vector) == (kind, causality, variability, False), name
        if kind == REAL:
            assert (d.unit or getattr(d.declaredType, "unit", None)) == unit, name
    n, m, k = LETTERS.get(any_fmu.model, (0, 0, 0))  # mechanisms of bodies show their measures only
    sizes = {name: v.size for name, v in any_fmu.variables.items() if v.vector}
    expected = {"y": n, "z": n, "a": n, "method.a": n, "lambda": m, "psi": k}
    expected |= {"method.lambda": m, "method.psi": k}
    assert sizes == {name: size for name, size in expected.items() if size}
    if any_fmu.model in MECHANISMS:
        for name in ["energy.kinetic", "energy.potential", "energy.total"]:
            d = any_fmu.variables[name].description
            assert d.causality == "output" and d.unit == "J"


def test_capabilities_are_declared(any_fmu):
    element = etree.fromstring(any_fmu.xml.encode()).find("CoSimulation")
    assert {k: v for k, v in element.attrib.items() if k != "modelIdentifier"} == CAPABILITIES[any_fmu.version]


def test_unknowns_and_their_dependencies_are_in_order(any_fmu):
    root = etree.fromstring(any_fmu.xml.encode())
    for section in ["Outputs/Unknown", "InitialUnknowns/Unknown", "Output", "InitialUnknown"]:
        unknowns = root.findall(f"ModelStructure/{section}")
        numbers = [int(u.get("index") or u.get("valueReference")) for u in unknowns]
        assert numbers == sorted(set(numbers))
    for unknown in root.find("ModelStructure").iter():
        if unknown.get("dependencies"):
            numbers = [int(n) for n in unknown.get("dependencies").split()]
            assert numbers == sorted(set(numbers))


def test_start_values_in_the_description_are_those_of_the_binary(any_fmu):
    plant = Plant(any_fmu)
    for name, v in any_fmu.variables.items():
        start = v.description.start
        if start is None or v.kind == BOOLEAN:
            continue
        first = float(str(start).split()[0]) if not isinstance(start, list) else float(start[0])
        assert np.atleast_1d(plant.get(name))[0] == first, name
    plant.free()


def test_default_experiment_runs_within_its_tolerance_and_ends_exactly(any_fmu):
    stop, step, tolerance = any_fmu.experiment
    assert 0 < step <= stop and 0 < tolerance < 1e-3
    plant = Plant(any_fmu).start(stop=stop, tolerance=tolerance).run(stop, step)
    assert plant.get("time") == pytest.approx(stop, rel=1e-14)
    assert np.isfinite(plant.everything()).all()
    assert plant.get("solver.restarts") <= 2
    assert plant.get("constraint.position") < 1e-6 and plant.get("constraint.velocity") < 1e-5
    assert not [m for m in plant.messages if m.status > 0]
    plant.free()


def test_reference_results_inside_the_fmu_are_reproduced(any_fmu):
    """Compared at another tolerance, as exact results; for large models at the tolerance with which they were made, by the
    same steps."""
    folder = "extra/org.fmi-standard.fmi-ls-ref/"
    with zipfile.ZipFile(any_fmu.path) as archive:
        manifest = etree.fromstring(archive.read(folder + "fmi-ls-manifest.xml"))
        source, about = next((e.get("source"), e.get("description")) for e in manifest.iter() if e.get("role") == "result")
        rows = list(csv.reader(archive.read(folder + source).decode().splitlines()))
    names, table = rows[0], np.array(rows[1:], dtype=float)
    assert names[0] == "time" and table[0, 0] == 0
    if len(names) == 1:
        assert not any_fmu.names("output")
        return
    own = float(re.search(r"tolerance of the solver ([0-9.e+-]+)", about)[1])
    bound = 1e-3 if own < 1e-9 else 1e-6
    plant = Plant(any_fmu, logging=False).start({"solver.tolerance": 1e-10 if own < 1e-9 else own})
    seen = [[plant.get_number(name) for name in names]]
    for t in table[1:, 0]:
        plant.step(t - plant.time)
        seen.append([plant.get_number(name) for name in names])
    plant.free()
    scale = np.maximum(np.abs(table).max(axis=0), 1)
    np.testing.assert_allclose(np.array(seen) / scale, table / scale, rtol=0, atol=bound)
