"""Flexible bodies from matrices to motion: frequencies, deflections and rotating beams against exact answers."""

import importlib.util
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import mechfmu
import numpy as np
import pytest
from mechfmu import flex
from mechfmu.flex import readers

try:
    mechfmu.program()
except FileNotFoundError as missing:
    pytest.skip(str(missing), allow_module_level=True)

# E I = rho A = L = 1; along its axis it is practically rigid
UNIT = flex.Section(E=1e8, G=1e8, rho=1, A=1, Iy=1e-8, Iz=1e-8, J=1e-2, polar=1e-7)
THICK = replace(UNIT, polar=1e-2)  # in torsion only
ELEMENTS = 60
X = np.array([[k / ELEMENTS, 0, 0] for k in range(ELEMENTS + 1)])
CHAIN = [(k, k + 1) for k in range(ELEMENTS)]


@pytest.fixture(scope="module")
def beam() -> flex.Model:
    return flex.Model(*flex.beams(X, CHAIN, UNIT), X)


def tension_stiffness(X: np.ndarray, tension) -> np.ndarray:
    """∫ T(x) w' w' dx of both planes, on the numbers of the nodes."""
    G = np.zeros((6 * len(X), 6 * len(X)))
    for e in range(len(X) - 1):
        L = X[e + 1, 0] - X[e, 0]
        g = np.zeros((4, 4))
        for s, weight in zip(*np.polynomial.legendre.leggauss(4), strict=True):
            x = (s + 1) / 2
            d = np.array([-6 * x + 6 * x * x, L * (1 - 4 * x + 3 * x * x), 6 * x - 6 * x * x, L * (3 * x * x - 2 * x)]) / L
            g += weight / 2 * L * tension(X[e, 0] + x * L) * np.outer(d, d)
        for dofs, sign in (((1, 5, 7, 11), 1), ((2, 4, 8, 10), -1)):
            turn = np.diag([1, sign, 1, sign])
            at = 6 * e + np.array(dofs)
            G[np.ix_(at, at)] += turn @ g @ turn
    return G


def angular_frequencies(model: "mechfmu.LinearModel") -> np.ndarray:
    """Frequencies of all oscillations, ascending, once each."""
    imaginary = np.sort(np.linalg.eigvals(model.A).imag)
    return imaginary[imaginary > 1e-3]


def mechanism(folder: Path, text: str, head: str = "") -> Path:
    path = folder / "mechanism.xml"
    path.write_text(f'<mechanism name="Test" length_scale="1" {head}>\n{text}\n</mechanism>\n')
    return path


def test_a_beam_has_the_frequencies_of_the_textbook(beam):
    free = 2 * math.pi * beam.frequencies(4)
    assert free == pytest.approx([22.3733, 22.3733, 61.6728, 61.6728], rel=1e-5)
    body = beam.reduce({"root": 0}, modes=8, second_order=1e9)
    assert body.mass == pytest.approx(1, rel=1e-12)
    assert body.centre == pytest.approx([0.5, 0, 0], abs=1e-12)
    assert body.inertia[1, 1] == pytest.approx(1 / 12, rel=1e-9)


def test_poles_of_a_free_body_are_the_frequencies_of_its_file(beam, tmp_path):
    body = beam.reduce({"root": 0, "tip": ELEMENTS}, modes=12, damping=0)
    body.write(tmp_path / "beam.flex")
    kept = 10
    model = mechfmu.linearize(mechanism(tmp_path, f'<flexible name="beam" file="beam.flex" free="true" modes="{kept}"/>'))
    found = angular_frequencies(model)
    assert found == pytest.approx(2 * math.pi * body.frequency[:kept], rel=1e-9)
    # of the free beam, as accurately as twelve modes of the clamped one allow
    assert found[0] == pytest.approx(22.3733, rel=1e-3)


def test_a_clamped_beam_and_its_deflection_under_load(tmp_path):
    beam = flex.Model(*flex.beams(X, CHAIN, THICK), X)
    body = beam.reduce({"root": 0, "tip": ELEMENTS}, modes=16, damping=0)
    body.write(tmp_path / "beam.flex")
    file = mechanism(
        tmp_path,
        """<input name="load" unit="N"/>
        <flexible name="beam" file="beam.flex"/>
        <joint name="wall" type="fixed" between="ground beam.root"/>
        <force name="pull" body="beam.tip" at="1 0 0" value="0 0 load"/>
        <output name="deflection" value="beam.tip.position.z" unit="m"/>
        <output name="slope" value="beam.tip.rotation.y" unit="rad"/>
        <output name="wall" value="beam.root.interface_force.z" unit="N"/>""",
    )
    found = angular_frequencies(mechfmu.linearize(file))
    assert found[:4] == pytest.approx([3.51602, 3.51602, 22.0345, 22.0345], rel=1e-4)
    P = 1e-4  # P L^3/3EI and P L^2/2EI, to the order of the load squared
    held = mechfmu.linearize(file, parameters={"load": P}, trim=True)
    y = dict(zip(held.outputs, held.y0, strict=True))
    assert y["deflection"] == pytest.approx(P / 3, rel=1e-6)
    assert y["slope"] == pytest.approx(-P / 2, rel=1e-6)


# W: exact flap and lag with geometric stiffness; without it, in mean axes; lag without terms of second order
ROTATING = {
    1: ((3.68165, 3.54324), (3.64328, 3.50335), 3.50473),
    2: ((4.13732, 3.62180), (4.00029, 3.46444), 3.47022),
    3: ((4.79728, 3.74351), (4.53155, 3.39631), 3.41037),
    6: ((7.36037, 4.26323), (6.67980, 2.93593), 3.02502),
}


@pytest.mark.parametrize("speed", ROTATING)
def test_a_rotating_cantilever(beam, tmp_path, speed):
    stiffening = tension_stiffness(X, lambda x: (1 - x * x) / 2)
    beam.reduce({"root": 0}, modes=16, second_order=1e9, damping=0).write(tmp_path / "plain.flex")
    beam.reduce({"root": 0}, modes=16, second_order=1e9, damping=0, geometric={"zz": stiffening}).write(tmp_path / "stiff.flex")

    def flap_and_lag(file: str, coupling: str = "full") -> np.ndarray:
        path = mechanism(
            tmp_path,
            f"""<body name="hub" mass="1" inertia="1 1 1" angular_velocity="0 0 {speed}"/>
            <joint name="shaft" type="revolute" between="ground hub"/>
            <driver name="spin" joint="shaft" value="{speed}rad/s*time"/>
            <flexible name="beam" file="{file}" coupling="{coupling}" angular_velocity="0 0 {speed}"/>
            <joint name="clamp" type="fixed" between="hub beam.root"/>""",
        )
        return angular_frequencies(mechfmu.linearize(path))

    exact, plain, partial = ROTATING[speed]
    tolerance = 2e-5 if speed <= 3 else 1e-4
    found = flap_and_lag("stiff.flex")
    assert sorted(found)[:2] == pytest.approx(sorted(exact), rel=tolerance)
    found = flap_and_lag("plain.flex")
    assert sorted(found)[:2] == pytest.approx(sorted(plain), rel=tolerance)
    found = flap_and_lag("plain.flex", "partial")
    assert sorted(found)[:2] == pytest.approx(sorted((plain[0], partial)), rel=tolerance)


def test_spin_up_with_and_without_geometric_stiffness(tmp_path):
    """Simo and Vu-Quoc's beam without damping, at the default of numerical damping: the modes, up to 725 Hz, must not cost steps."""
    EA, EI, rhoA, L, n = 2.8e7, 1.4e4, 1.2, 10.0, 40
    places = np.array([[L * k / n, 0, 0] for k in range(n + 1)])
    section = flex.Section(E=EA, G=1e7, rho=rhoA, A=1, Iy=EI / EA, Iz=EI / EA, J=2e-3, polar=1e-3)
    model = flex.Model(*flex.beams(places, [(k, k + 1) for k in range(n)], section), places)
    stiffening = tension_stiffness(places, lambda x: rhoA * (L * L - x * x) / 2)
    for name, geometric in (("plain", {}), ("stiff", {"zz": stiffening})):
        model.reduce({"root": 0, "tip": n}, modes=24, second_order=60, damping=0, geometric=geometric).write(tmp_path / f"{name}.flex")
    angle = "6/15*if(t &lt; 15, t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1), 15*t - 112.5)"

    def run(name: str, modes: str) -> mechfmu.Result:
        file = mechanism(
            tmp_path,
            f"""<variable name="t" value="time/1s"/>
            <body name="hub" mass="1" inertia="1 1 1"/>
            <joint name="shaft" type="revolute" between="ground hub"/>
            <driver name="spin" joint="shaft" value="{angle}"/>
            <flexible name="beam" file="{name}.flex" modes="{modes}"/>
            <joint name="clamp" type="fixed" between="hub beam.root"/>
            <output name="u" value="beam.tip.relative_to(hub).position.x - 10m" unit="m"/>
            <output name="v" value="beam.tip.relative_to(hub).position.y" unit="m"/>
            <experiment stop="20" step="0.05" tolerance="1e-7"/>""",
        )
        return mechfmu.simulate(file)

    rigid, plain, stiff = run("stiff", "0"), run("plain", "all"), run("stiff", "all")
    turning = stiff.time > 15
    assert stiff["u"][turning].mean() == pytest.approx(5.1429e-4, rel=1e-3)
    assert np.ptp(stiff["u"][turning]) < 5e-6
    # a reference with 40 nonlinear lumps: -0.5737 m at 6.75 s
    lowest = stiff["v"].argmin()
    assert stiff.time[lowest] == pytest.approx(6.75, abs=0.05)
    assert stiff["v"][lowest] == pytest.approx(-0.5737, abs=2e-4)
    # without, it bends too far, and stays bounded
    assert -2 < plain["v"].min() < -0.6
    assert stiff.statistics["solver.rejected"] < 10
    assert stiff.statistics["solver.steps"] < 1.1 * rigid.statistics["solver.steps"]


@pytest.mark.parametrize(("coupling", "least", "most"), [("full", 0.001, 0.009), ("partial", 0.009, 0.046)])
def test_a_frame_in_free_spin_deforms_as_lumps_do(tmp_path, coupling, least, most):
    """150 modes at 8.4 rad/s against 106 nonlinear lumps. An independent program differs by 0.2 to 0.6 % and, without terms of
    second order, by 1 to 4.1 %."""
    here = Path(__file__).parent
    spec = importlib.util.spec_from_file_location("lumped_frame", here / "lumped_frame.py")
    lumped_frame = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(lumped_frame)
    lumps = np.genfromtxt(here / "spinning_frame.csv", delimiter=",", names=True)
    model, names = lumped_frame.model()
    held, *others = names
    body = model.reduce({held: names[held]}, modes=150, damping=0, outputs={name: names[name] for name in others})
    assert len(body.frequency) == 150
    body.write(tmp_path / "frame.flex")

    def places(modes: str, tolerance: str) -> dict[str, np.ndarray]:
        outputs = "".join(f'<output name="{name}" value="frame.{name}.position" unit="m"/>' for name in names)
        spin, velocity = lumped_frame.text(lumped_frame.SPIN), lumped_frame.text(np.cross(lumped_frame.SPIN, -body.centre))
        file = mechanism(
            tmp_path,
            f"""<flexible name="frame" file="frame.flex" free="true" modes="{modes}" coupling="{coupling}" angular_velocity="{spin}" velocity="{velocity}"/>
            {outputs}<experiment stop="0.05" step="0.001" tolerance="{tolerance}"/>""",
        )
        result = mechfmu.simulate(file)
        return {name: np.array([result[f"{name}.{axis}"] for axis in "xyz"]) for name in names}

    rigid, flexible = places("0", "1e-11"), places("all", "3e-11")
    errors = []
    for name in names:
        reference = np.array([lumps[f"{name}{axis}"] for axis in "xyz"])
        deformation = np.abs(reference - rigid[name]).max()
        assert deformation > 1e-5
        errors.append(np.abs(reference - flexible[name]).max() / deformation)
    assert min(errors) > least and max(errors) < most, errors
    if coupling == "partial":
        assert max(errors) > 0.04, errors


def test_errors_are_reported_with_numbers(beam, tmp_path):
    def message(change) -> str:
        K, M, places = beam.K.copy(), beam.M.copy(), beam.X.copy()
        with pytest.raises(flex.ModelError) as wrong:
            change(K, M, places)
        return str(wrong.value)

    def unsymmetric(K, M, places):
        K[3, 7] += 1e6
        flex.Model(K, M, places)

    def negative(K, M, places):
        M[6, 6] = -1
        flex.Model(K, M, places)

    def indefinite(K, M, places):
        # masses between neighbours that have no effect on rigid motions, on a diagonal that stays positive
        at = np.array([60, 66, 72])
        M[np.ix_(at, at)] -= 0.18 * M[66, 66] * np.outer([1, -2, 1], [1, -2, 1])
        flex.Model(K, M, places)

    def pulled(K, M, places):
        # an element that pushes its nodes apart
        at = np.array([60, 66])
        K[np.ix_(at, at)] -= 0.75 * K[60, 60] * np.array([[1, -1], [-1, 1]])
        flex.Model(K, M, places)

    def hinge(K, M, places):
        joint, _ = flex.beams(places, [(30, 31)], UNIT)
        flex.Model(K - joint, M, places).frequencies(2)

    def held(K, M, places):
        K[:6, :6] += 1e8 * np.eye(6)
        flex.Model(K, M, places)

    assert "stiffness matrix is not symmetric: (4, 8)" in message(unsymmetric)
    assert "mass matrix is not positive: number 7 of its diagonal is -1" in message(negative)
    assert "the mass matrix is not positive: its smallest eigenvalue is -" in message(indefinite)
    assert "stiffness matrix is not positive: " in message(pulled)
    assert "more than six rigid motions: without them its smallest eigenvalue is" in message(hinge)
    assert "the model is not free" in message(held)
    assert "a body of 1 kg that reaches 500 m" in message(lambda K, M, places: flex.Model(K, M, places * 1e3))
    assert "no rotations or does not exist" in message(lambda K, M, places: flex.Model(K, M, places).reduce({"root": 99}))
    assert "61 nodes" in message(lambda K, M, places: flex.Model(K[:-1, :-1], M[:-1, :-1], places))

    # in mm, t, N, s
    way = np.where(np.arange(len(beam.K)) % 6 < 3, 1e3, 1.0)
    in_millimetres = (1e3 * beam.K / way / way[:, None], 1e3 * beam.M / way / way[:, None], beam.X * 1e3)
    assert "a body of 0.001 kg that reaches 500 m from its centre of mass" in message(lambda *_: flex.Model(*in_millimetres))
    millimetres = flex.Model.from_millimetres(*in_millimetres)
    assert millimetres.frequencies(2) == pytest.approx(beam.frequencies(2), rel=1e-9)

    # modes that cannot hold a node, impossible numbers, unknown words: file and line
    body = beam.reduce({"root": 0, "tip": ELEMENTS}, modes=4)
    body.write(tmp_path / "beam.flex")
    text = (tmp_path / "beam.flex").read_text()
    file = mechanism(
        tmp_path,
        """<flexible name="beam" file="beam.flex" modes="3"/>
        <joint name="wall" type="fixed" between="ground beam.root"/>
        <joint name="end" type="spherical" between="ground beam.tip" at="1 0 0"/>""",
    )
    warnings = " ".join(map(str, mechfmu.check(file).warnings))
    assert "3 modes and 6 rigid motions move its 2 nodes in 9 of 12 ways" in warnings
    for old, new, said in (
        ("mass 1", "mass -1", "its mass is -1 kg"),
        ("nodes 2", "nodes 3", "this line has 1 numbers and takes 3: x y z of a node, after its name"),
        ("inertia_1", "inertia_one", "'inertia_one' is unknown"),
        ("\nend\n", "\ninertia_2\n1 2 0 0 7 0 0 0\n2 1 0 0 7.001 0 0 0\nend\n", "inertia_2 of modes 2 and 1 is not symmetric: it is given twice and differs by 7.001"),
        ("\nend\n", "\ngeometric\n1 2 0 0 7 0 0 0\n1 2 0 0 8 0 0 0\nend\n", "geometric of modes 1 and 2 is not symmetric: it is given twice and differs by 1"),
        ("\nend\n", "\ninertia_1\n1 0 0 7 0 0 0\n1 0 0 8 0 0 0\nend\n", "inertia_1 of mode 1 is given twice"),
        ("\nend\n", "\nresidual\ntop 1 1\nend\n", "there is no node 'top'"),
        ("\nend\n", "\n", "it may be cut off"),
    ):
        (tmp_path / "beam.flex").write_text(text.replace(old, new, 1))
        with pytest.raises(mechfmu.MechanismError) as wrong:
            mechfmu.check(file)
        assert said in wrong.value.problems[-1].message
        assert wrong.value.problems[-1].file.endswith("beam.flex")
    (tmp_path / "beam.flex").write_text(text)
    right = file.read_text()
    for change, said in (
        ('modes="some"', "a frequency limit such as below 2kHz"),
        ('modes="below 2kg"', "a frequency limit such as below 2kHz"),
        ('damping="-1"', "must not be negative"),
    ):
        file.write_text(right.replace('modes="3"', change, 1))
        with pytest.raises(mechfmu.MechanismError) as wrong:
            mechfmu.check(file)
        assert said in str(wrong.value)
    file.write_text(right.replace("beam.tip", "beam.top"))
    with pytest.raises(mechfmu.MechanismError) as wrong:
        mechfmu.check(file)
    assert "body 'beam.top' does not exist; did you mean 'beam.tip'?" in wrong.value.message
    file.write_text(right.replace("beam.tip", "beam"))
    with pytest.raises(mechfmu.MechanismError) as wrong:
        mechfmu.check(file)
    assert "'beam' is a flexible" in wrong.value.message


def clamped_frequency(body: flex.FlexibleBody, below: float) -> float:
    """The lowest frequency of a body that is held at its first node, in the plane xy, from the numbers of its file.

    Forces P at the node displace it by F(w) P, with (W, phi_k) its motions due to the rigid body and to the modes:
    F = -W Mr^-1 W'/w^2 + sum_k phi_k phi_k'/(w_k^2 - w^2). Held, it vibrates where F is singular.
    """
    r = next(iter(body.nodes.values())) - body.centre
    W = np.array([[1, 0, -r[1]], [0, 1, r[0]], [0, 0, 1]])
    masses = np.array([body.mass, body.mass, body.inertia[2, 2]])
    phi, squares = body.shapes[0][[0, 1, 5]], (2 * math.pi * body.frequency) ** 2

    def singular(w: float) -> float:
        return np.linalg.det((W / -masses / w**2) @ W.T + (phi / (squares - w**2)) @ phi.T)

    low, high = 0.5 * below, below
    assert singular(low) * singular(high) < 0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if singular(low) * singular(middle) > 0 else (low, middle)
    return low


def test_modes_that_cannot_hold_a_node_bring_a_warning(tmp_path):
    """Free modes, forty in each plane, move a clamped end in all six ways, but give 3.58605 instead of 3.51602."""
    beam = flex.Model(*flex.beams(X, CHAIN, THICK), X)

    def clamped(file: str, modes: str) -> tuple[float, str]:
        path = mechanism(
            tmp_path,
            f"""<flexible name="beam" file="{file}" modes="{modes}"/>
            <joint name="wall" type="fixed" between="ground beam.root"/>""",
        )
        return angular_frequencies(mechfmu.linearize(path))[0], " ".join(map(str, mechfmu.check(path).warnings))

    every = beam.reduce({"root": 0}, modes=10**6, second_order=0, damping=0)
    assert len(every.frequency) == 6 * ELEMENTS
    assert clamped_frequency(every, below=4.0) == pytest.approx(3.51602, rel=2e-6)
    every.write(tmp_path / "every.flex")
    frequency, warnings = clamped("every.flex", "80")
    assert frequency == pytest.approx(3.58605, rel=1e-5)
    assert "80 modes leave out 2.6 % of the flexibility of node 'root'" in warnings
    assert "keep all modes of a file that has this node as an interface node" in warnings
    frequency, warnings = clamped("every.flex", "all")
    # The fastest mode stretches an element in 5e-7 s. Beside its stiffness, rounding errors hide as much of the lowest one:
    hidden = np.finfo(float).eps * (2 * math.pi * every.frequency[-1] / 3.51602) ** 2
    assert frequency == pytest.approx(3.51602, rel=4 * hidden) and hidden < 1e-4
    assert not warnings
    # nodes that are only observed in the reduction: the file contains their missing flexibility
    beam.reduce({"tip": ELEMENTS}, modes=6, second_order=0, damping=0, outputs={"root": 0}).write(tmp_path / "observed.flex")
    frequency, warnings = clamped("observed.flex", "all")
    missing = float(warnings.split("leave out ")[1].split(" %")[0])
    assert frequency > 1.02 * 3.51602 and missing > 2
    beam.reduce({"root": 0}, modes=6, second_order=0, damping=0, outputs={"tip": ELEMENTS}).write(tmp_path / "held.flex")
    frequency, warnings = clamped("held.flex", "all")
    assert frequency == pytest.approx(3.51602, rel=1e-4)
    assert not warnings


def test_units_that_are_wrong_by_a_thousand(beam):
    """The vehicle's frame, 6.6 kg of thin tubes, and a straight beam: only mass, stiffness and places."""
    path = Path(__file__).resolve().parents[2] / "models/atv/frame.py"
    spec = importlib.util.spec_from_file_location("atv_frame", path)
    atv = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(atv)
    frame = atv.model()[0]
    assert not frame.notes and not beam.notes
    assert frame.speed_of_sound() == pytest.approx(math.sqrt(2.1e11 / 7850), rel=0.2)
    for stiffness, mass, said in (
        (1, 1e3, "a body of 6.6e+03 kg in a box of"),
        (1, 1e-3, "wrong by a factor of 1.1e+03"),
        (1e3, 1, "wrong by a factor of 1.1e+03"),
        (1e3, 1e3, "more than any material"),
    ):
        with pytest.raises(flex.ModelError) as wrong:
            flex.Model(stiffness * frame.K, mass * frame.M, frame.X)
        assert said in str(wrong.value) and "units must be m, kg, s" in str(wrong.value)
    soft = flex.Model(1e-3 * frame.K, frame.M, frame.X).notes
    assert len(soft) == 1 and "a speed of sound of about 1.6e+02 m/s; steel has 5000" in soft[0]
    with pytest.raises(flex.ModelError, match="speed of sound"):
        flex.Model(1e3 * beam.K, beam.M, beam.X)


def write_matrix_market(path: Path, A: np.ndarray) -> None:
    r, c = np.nonzero(np.tril(A))
    path.write_text(f"%%MatrixMarket matrix coordinate real symmetric\n% beam\n{len(A)} {len(A)} {len(r)}\n" + "".join(f"{i + 1} {j + 1} {A[i, j]:.17g}\n" for i, j in zip(r, c, strict=True)))


def test_the_command_reads_matrices_of_others(tmp_path):
    """The same body from Matrix Market, .npz and CalculiX."""
    last = 8
    places = X[: last + 1] * ELEMENTS / last
    flat = flex.Section(E=1e8, G=1e8, rho=1, A=1, Iy=1e-8, Iz=3e-8, J=1e-2, polar=1e-4)  # all modes differ
    beam = flex.Model(*flex.beams(places, CHAIN[:last], flat), places)
    beam.reduce({"root": 0, "tip": last}, modes=6).write(tmp_path / "own.flex")
    own = (tmp_path / "own.flex").read_text()
    np.savez(tmp_path / "beam.npz", K=beam.K, M=beam.M, X=beam.X)
    write_matrix_market(tmp_path / "K.mtx", beam.K)
    write_matrix_market(tmp_path / "M.mtx", beam.M)
    (tmp_path / "nodes.csv").write_text("# number, x, y, z\n" + "".join(f"{n + 1}, {x}, {y}, {z}\n" for n, (x, y, z) in enumerate(beam.X)))
    for name, A in (("sti", beam.K), ("mas", beam.M)):
        r, c = np.nonzero(np.triu(A))
        (tmp_path / f"job.{name}").write_text("".join(f"{i + 1} {j + 1} {A[i, j]:.17e}\n" for i, j in zip(r, c, strict=True)))
    (tmp_path / "job.dof").write_text("".join(f"{d // 6 + 1}.{d % 6 + 1}\n" for d in range(len(beam.K))))

    def made(*words: str) -> str:
        run = subprocess.run([sys.executable, "-m", "mechfmu.flex", *words, "--modes", "6", "-o", "made.flex"], cwd=tmp_path, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        assert "12 modes" in run.stdout
        return (tmp_path / "made.flex").read_text()

    def numbers(text: str) -> np.ndarray:
        return np.array([float(w) for line in text.splitlines() if not line.startswith("about") for w in line.split("#")[0].split() if w[0] in "-0123456789"])

    for text in (
        made("beam.npz", "--interface", "root=0", f"tip={last}"),
        made("--stiffness", "K.mtx", "--mass", "M.mtx", "--nodes", "nodes.csv", "--interface", "root=1", f"tip={last + 1}"),
        made("job.sti", "--nodes", "nodes.csv", "--interface", "root=1", f"tip={last + 1}"),
    ):
        assert numbers(text) == pytest.approx(numbers(own), rel=1e-6, abs=1e-6)
    run = subprocess.run([sys.executable, "-m", "mechfmu.flex", "nothing.npz", "-o", "x.flex"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1 and run.stderr.startswith("mechfmu.flex: ")


def test_a_spider_holds_nodes_of_a_solid():
    """Four corners of a square section, as in a solid: displacements only."""
    K, M = flex.beams(X, CHAIN, UNIT)
    whole = flex.Model(K, M, X)
    tied = whole.tied({"end": ([1.0, 0, 0], [ELEMENTS])})
    assert tied.frequencies(4) == pytest.approx(whole.frequencies(4), rel=1e-9)
    away = whole.tied({"end": ([1.2, 0, 0], [ELEMENTS])})
    assert away.frequencies(4) == pytest.approx(whole.frequencies(4), rel=1e-9)


def test_an_array_in_matrix_market_format(tmp_path):
    (tmp_path / "A.mtx").write_text("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n")
    assert readers.matrix_market(tmp_path / "A.mtx").tolist() == [[1, 3], [2, 4]]


def test_the_vehicle_moves_as_with_a_frame_of_lumps():
    """models/atv against a run with 106 rigid lumps instead of 134 modes, whose frequencies differ by up to 0.34 %."""
    root = Path(__file__).resolve().parents[2]
    with (Path(__file__).parent / "atv_lumped.csv").open() as file:
        next(file)
        names = next(file).strip().split(",")
        lumped = np.loadtxt(file, delimiter=",")
    result = mechfmu.simulate(root / "models/atv/atv.xml")
    at = [int(np.abs(result.time - t).argmin()) for t in lumped[:, 0]]
    for name, reference in zip(names[1:], lumped.T[1:], strict=True):
        apart = np.abs(result[name][at] - reference).max() / np.ptp(reference)
        assert apart < 0.01, f"{name} differs by {apart:.2%}"


@pytest.mark.parametrize("rho_inf", [0.8, 0.9])
def test_undamped_modes_of_the_vehicle_cost_no_steps(tmp_path, rho_inf):
    """4000 steps of 0.5 ms, as with lumps for its frame; an error estimate that includes accelerations of fast modes needs 7450
    and 35900."""
    models = Path(__file__).resolve().parents[2] / "models/atv"
    (tmp_path / "frame.flex").write_bytes((models / "frame.flex").read_bytes())
    flexible = '<flexible name="frame" '
    text = (models / "atv.xml").read_text()
    assert flexible in text
    (tmp_path / "atv.xml").write_text(text.replace(flexible, f'<solver rho_inf="{rho_inf}" h_max="5e-4"/>{flexible}damping="0" '))
    result = mechfmu.simulate(tmp_path / "atv.xml", tolerance=1e-5)
    assert 4000 <= result.statistics["solver.steps"] < 4040
    assert result.statistics["solver.rejected"] < 20
