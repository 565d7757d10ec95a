"""Directional and adjoint derivatives, output derivatives, and the dependencies the model description declares."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from plant import Fmu, Plant, Refused, Status

BUILD = Path(__file__).resolve().parents[2] / "build"
FMI3 = pytest.mark.parametrize("version", [3], ids=["fmi3"])
WITH_INPUT = ["slider_crank", "pendulum", "andrews"]
RUN = {"slider_crank": 0.2, "pendulum": 0.5, "andrews": 0.01}


def moving(plants, model, **options):
    plant = plants(model, **options).start(tolerance=1e-8)
    if options.get("event_mode"):
        plant.enter_step_mode()
    return plant.run(RUN[model], RUN[model] / 5)


def unknowns_of(plant):
    return [*plant.fmu.names("output"), "a", "lambda"]


def differences(plant, unknowns, known, step):
    """Central differences in a phase where reading follows setting."""
    value = plant.get(known)
    sides = []
    for side in [-1, 1]:
        plant.set(known, value + side * step)
        sides.append(plant.get_all(unknowns))
    plant.set(known, value)
    return (sides[1] - sides[0]) / (2 * step)


def close(actual, expected, rtol):
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol * max(np.abs(expected).max(), 1e-3))


@FMI3
@pytest.mark.parametrize("model", WITH_INPUT)
def test_derivatives_by_inputs_are_the_differences_seen_in_event_mode(plants, model):
    plant = moving(plants, model, event_mode=True)
    plant.enter_event_mode()
    unknowns, known = unknowns_of(plant), plant.fmu.names("input")[0]
    expected = differences(plant, unknowns, known, 1e-3 * max(1, abs(plant.get(known))))
    assert np.abs(expected).max() > 0.1
    close(plant.jacobian(unknowns, [known])[:, 0], expected, 1e-6)


@FMI3
@pytest.mark.parametrize("parameter", ["m1", "m4", "stiffness"])
def test_derivatives_by_tunable_parameters_are_the_differences_seen_in_event_mode(plants, parameter):
    plant = moving(plants, "slider_crank", event_mode=True)
    plant.enter_event_mode()
    unknowns = unknowns_of(plant)
    expected = differences(plant, unknowns, parameter, 1e-4 * plant.get(parameter))
    assert np.abs(expected).max() > 1e-4
    close(plant.jacobian(unknowns, [parameter])[:, 0], expected, 1e-5)


@pytest.mark.parametrize("model", WITH_INPUT)
def test_derivatives_between_steps_are_the_same_in_both_versions(plants, model):
    jacobians = []
    for version in [2, 3]:
        plant = moving(plants, model, version=version)
        jacobians.append(plant.jacobian(unknowns_of(plant), plant.fmu.names("input")))
    np.testing.assert_array_equal(*jacobians)


def test_derivatives_of_the_pendulum_are_those_of_mechanics(plants):
    """With the unit vector e along the rod: da = (1 − e eᵀ) dF/m and d(rod force) = eᵀ dF."""
    plant = moving(plants, "pendulum")
    e = plant.get("y") / np.linalg.norm(plant.get("y"))
    J = plant.jacobian(["a", "rod.force", "y", "z"], ["F"])[:, 0]
    np.testing.assert_allclose(J[:2], [1 - e[0] ** 2, -e[0] * e[1]], atol=1e-8)
    assert J[2] == pytest.approx(e[0], abs=1e-8)
    np.testing.assert_array_equal(J[3:], 0)


PENDULUM = """<mechanism name="pendulum" gravity="0 -9.81 0">
  <input name="force" start="1.5" unit="N"/><input name="torque" start="1000" unit="N.m"/>
  <body name="bob" mass="2" inertia="0.03 0.01 0.03" at="0 -0.5 0"/>
  <joint name="pin" type="revolute" between="ground bob" at="0 0 0" angle="0.7" angle_rate="3"/>
  <force name="push" body="bob" at="0 -0.5 0" value="force*cos(0.001*force) 0 0"/><torque name="motor" joint="pin" value="torque"/>
  <output name="fx" value="pin.force.x" unit="N"/><output name="fy" value="pin.force.y" unit="N"/>
  <output name="acceleration" value="pin.acceleration" unit="rad/s2"/>
  <output name="power" value="force*bob.velocity.x + torque*pin.rate" unit="W"/>
</mechanism>"""


@pytest.mark.skipif(not (BUILD / "mechfmu").exists(), reason="the tool is not built")
def test_derivatives_by_inputs_of_a_mechanism_file_are_exact(tmp_path, version):
    """I φ'' = P l cos φ − m g l sin φ + T with P = F cos(F/1000), reaction m (x'', y'') − (P, −m g): to the last digits."""
    (tmp_path / "pendulum.xml").write_text(PENDULUM)
    subprocess.run([BUILD / "mechfmu", "export", "pendulum.xml", "--compile", "never", "-q"], cwd=tmp_path, check=True)
    name = "pendulum.fmu" if version == 2 else "pendulum.fmi3.fmu"
    plant = Plant(Fmu(tmp_path / name, tmp_path / "unpacked")).start()
    m, l, F, w = 2, 0.5, 1.5, 3
    s, c, inertia = np.sin(0.7), np.cos(0.7), 0.03 + m * l**2
    pushed = np.cos(F / 1000) - F / 1000 * np.sin(F / 1000)
    alpha = np.array([pushed * l * c, 1]) / inertia
    expected = np.array([
        m * l * c * alpha - [pushed, 0],
        m * l * s * alpha,
        alpha,
        [l * w * c, w],
    ])  # fmt: skip
    outputs, inputs = ["fx", "fy", "acceleration", "power"], ["force", "torque"]
    np.testing.assert_allclose(plant.jacobian(outputs, inputs), expected, rtol=1e-13, atol=1e-14)
    seed = [3.0, -0.2]
    np.testing.assert_allclose(plant.directional(outputs, inputs, seed), expected @ seed, rtol=1e-13)
    # Computing derivatives has changed nothing, and outputs still belong to the present point.
    before = plant.get_all(outputs)
    plant.jacobian(outputs, inputs)
    np.testing.assert_array_equal(plant.get_all(outputs), before)
    if version == 3:
        weights = [1.0, -2.0, 0.5, 0.1]
        np.testing.assert_allclose(plant.adjoint(outputs, inputs, weights), weights @ expected, rtol=1e-13)
    plant.free()


INITIAL = {  # knowns at initialization with steps for differences
    "slider_crank": {"torque": 1e-3, "l1": 1e-5, "l2": 1e-5, "m1": 1e-4, "m2": 1e-4, "stiffness": 1.0},
    "pendulum": {"F": 1e-3, "m": 1e-4, "l": 1e-4, "g": 1e-4},
    "car_axis": {"L": 1e-5, "L0": 1e-5, "eps": 1e-6, "M": 1e-4, "r": 1e-5},
}


@pytest.mark.parametrize(("model", "known"), [(m, k) for m, knowns in INITIAL.items() for k in knowns])
def test_derivatives_at_initialization_are_those_of_a_repeated_initialization(plants, model, known):
    plant = plants(model)
    plant.enter_initialization()
    unknowns = [*unknowns_of(plant), "y", "z"]
    expected = differences(plant, unknowns, known, INITIAL[model][known])
    close(plant.jacobian(unknowns, [known])[:, 0], expected, 1e-5)
    plant.exit_initialization()


def test_derivatives_by_start_values(plants):
    """Turning the crank by dθ moves the slider by dx₃/dθ."""
    plant = plants("slider_crank")
    plant.enter_initialization()
    y = plant.get("y")
    y[2] = 1.0
    plant.set("y", y)
    seed = np.zeros(10)
    seed[2] = 1
    s, c = np.sin(1.0), np.cos(1.0)
    slope = -0.3 * s - 0.6 * (0.5 * s) * (0.5 * c) / np.sqrt(1 - (0.5 * s) ** 2)
    np.testing.assert_allclose(plant.directional(["theta1", "x3"], ["y"], seed), [1, slope], rtol=1e-8)


def test_derivatives_at_the_bounds_of_possible_inertias(plants):
    """A flat disc: no body has a larger inertia about its axis, or a smaller one across it. Its energy is linear in both."""
    plant = plants("heavy_top")
    plant.enter_initialization()
    energy = plant.get("energy.kinetic")
    derived = plant.jacobian(["energy.kinetic"], ["J1", "J2"])[0]
    for name, factor, made in [("J1", 1.25, derived[0]), ("J2", 0.75, derived[1])]:
        value = plant.get(name)
        plant.set(name, factor * value)
        slope = (plant.get("energy.kinetic") - energy) / (factor * value - value)
        plant.set(name, value)
        assert made == pytest.approx(slope, rel=1e-9)
    assert abs(derived).min() > 1


def test_derivative_in_a_direction_of_knowns_of_very_different_size(plants):
    plant = plants("slider_crank")
    plant.enter_initialization()
    unknowns, knowns = ["pin.x", "pin.y", "x3"], ["l1", "stiffness", "m2"]
    J = plant.jacobian(unknowns, knowns)
    for seed in [[1, 1, 1], [1e-3, 100.0, -1], [0, 0, 0]]:
        close(plant.directional(unknowns, knowns, seed), J @ seed, 1e-6)


def test_derivatives_leave_initialization_mode_as_it_was(plants):
    plant, other = plants("slider_crank"), plants("slider_crank")
    for p in [plant, other]:
        p.enter_initialization()
        if p is plant:
            p.jacobian(["pin.x"], ["l1", "torque"])
        p.exit_initialization()
        p.step(0.01)
    np.testing.assert_array_equal(plant.everything(), other.everything())


@pytest.mark.parametrize(
    ("model", "unknown", "known", "factor"),
    [
        ("heavy_top", None, "J1", 0.5),  # no body has an axial moment of inertia above the sum of the others
        ("rolling_wheel", None, "I1", 0.5),
        ("slider_crank", "solver.steps", "stiffness", 1),  # has another type
    ],
)
def test_refused_derivatives_leave_initialization_mode_as_it_was(plants, model, unknown, known, factor):
    plant, other = plants(model), plants(model)
    for p in [plant, other]:
        p.enter_initialization()
    value = plant.get(known)
    plant.set(known, factor * value)
    with pytest.raises(Refused):
        plant.directional([unknown or plant.fmu.names("output")[0]], [known], [1])
    assert plant.get(known) == factor * value
    plant.set(known, value)
    for p in [plant, other]:
        p.exit_initialization()
        p.step(0.01)
    np.testing.assert_array_equal(plant.everything(), other.everything())


@FMI3
@pytest.mark.parametrize("phase", ["initialization", "stepping"])
@pytest.mark.parametrize("model", ["slider_crank", "pendulum"])
def test_adjoint_derivatives_are_the_transpose(plants, model, phase):
    if phase == "stepping":
        plant = moving(plants, model)
    else:
        plant = plants(model)
        plant.enter_initialization()
    unknowns = unknowns_of(plant)
    knowns = [n for n in plant.fmu.variables if plant.fmu.variables[n].description.variability == "tunable"]
    knowns += plant.fmu.names("input")
    random = np.random.default_rng(5)
    J = plant.jacobian(unknowns, knowns)
    for _ in range(5):
        s, v = random.standard_normal(plant.size(unknowns)), random.standard_normal(len(knowns))
        adjoint = plant.adjoint(unknowns, knowns, s)
        scale = np.abs(s) @ np.abs(J) @ np.abs(v)
        assert abs(s @ J @ v - adjoint @ v) <= 1e-10 * scale
        assert abs(s @ plant.directional(unknowns, knowns, v) - adjoint @ v) <= 1e-8 * scale


def test_derivatives_that_do_not_exist_are_refused(plants):
    plant = moving(plants, "slider_crank")
    with plant.refuses(Status.ERROR, "'x3'"):
        plant.directional(["pin.x"], ["x3"], [1])
    with plant.refuses(Status.ERROR, "solver.rho_inf"):
        plant.directional(["pin.x"], ["solver.rho_inf"], [1])
    with plant.refuses(Status.ERROR, "type"):
        plant.directional(["solver.steps"], ["torque"], [1])


@FMI3
def test_wrong_number_of_seeds_is_refused(plants):
    plant = moving(plants, "slider_crank")
    with plant.refuses(Status.ERROR, "1 values"):
        plant.directional(["pin.x"], ["torque"], [1, 2])
    with plant.refuses(Status.ERROR, "values"):
        plant.adjoint(["pin.x", "a"], ["torque"], [1, 2])


# --- dependencies ---


def declared(fmu, section):
    """Outputs with the knowns they are declared to depend on."""
    by_reference = {v.references[0]: name for name, v in fmu.variables.items()}
    result = {}
    for unknown in getattr(fmu.description, section):
        dependencies = unknown.dependencies
        assert dependencies is not None, f"{unknown.variable.name}: left out means on everything"
        result[unknown.variable.name] = {by_reference[v.valueReference] for v in dependencies}
    return result


def test_outputs_follow_just_the_inputs_they_are_declared_to_depend_on(any_fmu):
    plant = Plant(any_fmu, logging=False).start()
    plant.step(any_fmu.experiment[0] / 7)
    inputs, outputs = any_fmu.names("input"), any_fmu.names("output")
    table = declared(any_fmu, "outputs")
    assert set(table) == set(outputs)
    for known in inputs:
        J = plant.jacobian(outputs, [known])[:, 0] if outputs else []
        following = {o for o, d in zip(outputs, J, strict=True) if abs(d) > 1e-9}
        assert following == {o for o in outputs if known in table[o]}
    knowns = set(inputs) | ({"time", *any_fmu.names("parameter")} if any_fmu.version == 3 else {"time"})
    assert all(d <= knowns for d in table.values())
    plant.free()


def test_start_values_of_outputs_follow_just_the_knowns_they_are_declared_to_depend_on(any_fmu):
    """Undeclared dependencies do not exist; declared ones may vanish by symmetry at the default start values."""
    plant = Plant(any_fmu, logging=False)
    plant.enter_initialization()
    table = declared(any_fmu, "initialUnknowns")
    outputs = any_fmu.names("output")
    assert set(outputs) <= set(table)
    knowns = any_fmu.names("input") + [
        n for n in any_fmu.names("parameter") if not n.startswith("solver.")
    ]
    for known in knowns:
        value = plant.get(known)
        before = plant.get_all(outputs)
        plant.set(known, value * 0.98 if value else 0.05)
        try:
            after = plant.get_all(outputs)
        except Refused:  # no body has an axial moment of inertia above the sum of the others
            plant.set(known, value * 1.02)
            after = plant.get_all(outputs)
        changed = np.abs(after - before) > 1e-8 * np.maximum(1, np.abs(before))
        plant.set(known, value)
        for output, followed in zip(outputs, changed, strict=True):
            assert not followed or known in table[output], f"{output} follows {known}, which is not declared"
    plant.free()


# --- output derivatives ---


def test_first_derivatives_of_positions_are_velocities_and_those_of_velocities_accelerations(plants):
    plant = moving(plants, "slider_crank")
    z, a = plant.get("z"), plant.get("a")
    for name, i in [("theta1", 2), ("x3", 6), ("x4", 7)]:
        assert plant.output_derivative(name, 1) == pytest.approx(z[i], rel=1e-7)
        with plant.refuses(Status.ERROR, "order"):
            plant.output_derivative(name, 2)
    assert plant.output_derivative("theta1.rate", 1) == pytest.approx(a[2], rel=1e-7)


OUTPUTS = {
    "slider_crank": ["theta1.rate", "pin.x", "pin.y", "energy.kinetic", "energy.potential"],
    "pendulum": ["rod.force", "energy.kinetic", "energy.potential"],
    "andrews": ["beta", "beta.rate", "energy.kinetic", "energy.potential"],
}


@pytest.mark.parametrize(("model", "output"), [(m, o) for m, outputs in OUTPUTS.items() for o in outputs])
@pytest.mark.parametrize("order", [1, 2])
def test_output_derivatives_are_the_differences_along_the_run(plants, model, output, order):
    """Differences of fourth order through five points in time. Derivatives that are not available are refused."""
    plant = plants(model, logging=False).start(tolerance=1e-10)
    H = RUN[model] / 100
    plant.run(RUN[model] - 2 * H, H)
    values, derivative = [plant.get(output)], 0.0
    for k in range(4):
        plant.step(H)
        values.append(plant.get(output))
        if k == 1:
            try:
                derivative = plant.output_derivative(output, order)
            except Refused as refused:
                assert order == 2 and refused.status == Status.ERROR
                return
    v = np.array(values)
    if order == 1:
        expected, size = np.array([1, -8, 0, 8, -1]) @ v / (12 * H), np.abs(v).max() / H
    else:
        expected, size = np.array([-1, 16, -30, 16, -1]) @ v / (12 * H**2), np.abs(v).max() / H**2
    assert derivative == pytest.approx(expected, rel=0.01, abs=1e-6 * size)


def test_output_derivatives_of_other_orders_and_variables_are_refused(plants):
    plant = moving(plants, "slider_crank")
    for order in [-1, 0, 3]:
        with plant.refuses(Status.ERROR, "order"):
            plant.output_derivative("theta1", order)
    with plant.refuses(Status.ERROR, "torque.*not an output"):
        plant.output_derivative("torque", 1)
