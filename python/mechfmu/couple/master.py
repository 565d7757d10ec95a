"""A small master: everything that FMI offers for an accurate coupling, in one readable file.

At each communication point t_n it has the values y_n of all connected outputs, and steps every unit
to t_{n+1} = t_n + H. In between, there are three choices for the inputs of a unit:

    hold      u(t) = y_n                          order 1 in H; the scheme of most masters
    slope     u(t_{n+1}) = y_n + H y'_n           order 2: a straight line from the present input. y' from the unit
                                                  (output derivatives), otherwise from the last two values; passed on as
                                                  input derivatives (FMI 2.0) or by the intermediate update (3.0)
    implicit  u(t_{n+1}) = y_{n+1}                order 2, and the only one that solves algebraic loops: the values at
                                                  t_{n+1} are iterated by Newton's method, with states saved and restored

Units that cannot take slopes (controllers that read their inputs once per step) get the value at
t_{n+1} instead. With `sequential` a unit sees the new outputs of those stepped before it in the
same step. With a `tolerance` the step is chosen such that the inputs assumed at t_{n+1} agree with
the outputs there; a step for which they do not, or that a unit discards, is repeated. Units are
then stepped one after the other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..fmu import Discarded, Instance
from .system import Port, Result, System

MOST_ITERATIONS = 20


class NotConverged(Exception):
    pass


@dataclass
class Work:
    """Cost of a run."""

    steps: int = 0
    rejected: int = 0
    iterations: int = 0
    jacobians: int = 0


class Master:
    """Runs a system of FMUs: step() or run(), with inputs 'hold', 'slope' or 'implicit' as
    above."""

    def __init__(
        self,
        system: System,
        signals: Sequence[str] = (),
        *,
        inputs: str = "hold",
        sequential: bool = False,
        tolerance: float | None = None,
        unit_tolerance: float | None = None,
    ) -> None:
        if inputs not in ("hold", "slope", "implicit"):
            raise ValueError(f"inputs are 'hold', 'slope' or 'implicit', not '{inputs}'")
        # Outputs of a unit that gets a guess are as wrong as the guess, at any step: units get none if steps are chosen.
        sequential = sequential or (tolerance is not None and inputs != "implicit")
        self.system, self.scheme, self.sequential, self.tolerance = system, inputs, sequential, tolerance
        self.signals = list(signals)
        self.units = {name: Instance(fmu, name, slopes=True) for name, fmu in system.fmus.items()}
        self.work = Work()
        self.t, self.H = 0.0, system.step
        # One number per connection: the value of the output, and thus of the input.
        self.begins = [begin for begin, _ in system.connections]
        self.ends = [end for _, end in system.connections]
        self.ends_of = {n: [i for i, end in enumerate(self.ends) if end.component == n] for n in self.units}
        self.begins_of = {n: [i for i, begin in enumerate(self.begins) if begin.component == n] for n in self.units}
        if inputs == "implicit" or tolerance is not None:
            for name, unit in self.units.items():
                if not unit.fmu.has_states:
                    raise ValueError(f"{name} cannot save its state, which '{inputs}' coupling with these options needs")
        self.jacobian = None
        self._initialize(unit_tolerance)

    # --- values on the connections ---

    def _read(self, names=None) -> np.ndarray:
        """Return the outputs at the beginnings of all connections."""
        values = np.zeros(len(self.begins))
        for name in names or self.units:
            which = self.begins_of[name]
            values[which] = self.units[name].get([self.begins[i].variable for i in which])
        return values

    def _give(self, name: str, values: np.ndarray):
        which = self.ends_of[name]
        self.units[name].set({self.ends[i].variable: values[i] for i in which})

    # --- initialization: all outputs agree with all inputs ---

    def _initialize(self, unit_tolerance):
        system = self.system
        for name, unit in self.units.items():
            unit.enter_initialization(system.values_of(name), tolerance=unit_tolerance)
        self.y = self._solve(self._read(), self._outputs_in_initialization)
        for unit in self.units.values():
            unit.exit_initialization()
        self.before = None  # the values and the time of the previous point, for slopes
        self.dy = np.zeros_like(self.y)
        self.scale = np.maximum(np.abs(self.y), 1e-3)  # the largest values so far: signals pass through zero
        self.arrived = self.y  # the inputs: a straight line continues where the last one ended, so that nothing jumps

    def _outputs_in_initialization(self, u: np.ndarray) -> np.ndarray:
        for name in self.units:
            self._give(name, u)
        return self._read()

    def _solve(self, u: np.ndarray, outputs) -> np.ndarray:
        """Solve u = outputs(u) by Newton's method, with differences for the derivatives; without a
        loop it takes as many sweeps as there are units in a row."""
        scale = np.maximum(np.abs(u), 1e-3)
        residual = outputs(u) - u
        jacobian = None
        for _ in range(MOST_ITERATIONS):
            if np.all(np.abs(residual) <= 1e-11 * np.maximum(scale, np.abs(u))):
                return u
            if jacobian is None:
                jacobian = np.empty((len(u), len(u)))
                for j, delta in enumerate(1e-6 * scale):
                    moved = u.copy()
                    moved[j] += delta
                    jacobian[:, j] = (outputs(moved) - moved - residual) / delta
                self.work.jacobians += 1
            u = u - np.linalg.solve(jacobian, residual)
            residual = outputs(u) - u
        raise NotConverged("the initial values do not converge: the connections form an algebraic loop without a solution")

    # --- slopes of the outputs ---

    def _slopes(self) -> np.ndarray:
        dy = np.zeros_like(self.y)
        if self.before is not None:
            dy = (self.y - self.before[0]) / (self.t - self.before[1])
        for name, unit in self.units.items():
            which = self.begins_of[name]
            if which and unit.fmu.gives_slopes:
                dy[which] = unit.output_slopes([self.begins[i].variable for i in which])
        return dy

    # --- one step ---

    def _step_units(self, H: float, end: np.ndarray) -> np.ndarray:
        """Step all units by H, with inputs on straight lines from their values to `end`; return the
        outputs then."""
        assumed, self.given = end.copy(), end.copy()
        for name, unit in self.units.items():
            self.given[self.ends_of[name]] = assumed[self.ends_of[name]]
            self._step_unit(name, H, assumed)
            if self.sequential:
                done = self.begins_of[name]
                assumed[done] = unit.get([self.begins[i].variable for i in done])
        return self._read()

    def _step_unit(self, name: str, H: float, end: np.ndarray):
        unit, which = self.units[name], self.ends_of[name]
        names = [self.ends[i].variable for i in which]
        if self.scheme != "hold" and unit.takes_slopes:
            unit.set_slopes(names, self.arrived[which], (end[which] - self.arrived[which]) / H)
        else:
            unit.set(dict(zip(names, end[which])))
        unit.step(self.t, H)

    def _try(self, H: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the outputs after a step of H, and the values assumed for them."""
        if self.scheme == "hold":
            return self._step_units(H, self.y), self.y
        end = self.y + H * self.dy
        if self.scheme == "slope":
            return self._step_units(H, end), end
        return self._iterate(H, end), end

    def _iterate(self, H: float, end: np.ndarray) -> np.ndarray:
        """Solve end = outputs(end) by Newton's method. The derivatives are the direct feedthrough
        of the units: directional derivatives, or differences for units without them, kept from step
        to step. If that converges slowly, inputs matter by their effect during the step, and all
        derivatives are differences."""
        accuracy = 1e-8 if self.tolerance is None else 0.01 * self.tolerance
        last = np.inf
        for k in range(MOST_ITERATIONS):
            outputs = self._step_units(H, end)
            self.work.iterations += 1
            residual = outputs - end
            size = float(np.max(np.abs(residual) / np.maximum(self.scale, np.abs(outputs)), initial=0))
            if size <= accuracy:
                return outputs
            slow = k > 1 and size > 0.2 * last
            if self.jacobian is None or slow:
                self.jacobian = self._through(H, end, outputs, over_step=slow) - np.eye(len(end))
                self.work.jacobians += 1
            last = size
            end = end - np.linalg.solve(self.jacobian, residual)
            self._restore()
        raise NotConverged(f"t = {self.t:.9g}: the values at t + {H:.3g} do not converge in {MOST_ITERATIONS} iterations")

    def _through(self, H: float, end: np.ndarray, outputs: np.ndarray, over_step: bool) -> np.ndarray:
        """Return ∂outputs/∂inputs over the connections at t + H; with `over_step`, for inputs that
        arrive at `end`."""
        made = np.zeros((len(end), len(end)))
        for name, unit in self.units.items():
            rows, columns = self.begins_of[name], self.ends_of[name]
            y = [self.begins[i].variable for i in rows]
            u = [self.ends[i].variable for i in columns]
            if not rows or not columns:
                continue
            if unit.fmu.has_jacobian and not over_step:
                made[np.ix_(rows, columns)] = unit.jacobian(y, u)
                continue
            for column in columns:
                moved = end.copy()
                moved[column] += 1e-6 * max(1e-3, abs(moved[column]))
                unit.restore(self.states[name])
                self._step_unit(name, H, moved)
                made[rows, column] = (unit.get(y) - outputs[rows]) / (moved[column] - end[column])
        return made

    def _save(self):
        self.states = {name: unit.save() for name, unit in self.units.items() if unit.fmu.has_states}

    def _restore(self):
        for name, state in self.states.items():
            self.units[name].restore(state)

    def _forget(self):
        for name, state in self.states.items():
            self.units[name].forget(state)

    def step(self, until: float) -> None:
        """Take one step, of H or as long as the tolerance allows, at most to `until`."""
        # The rest is divided evenly: no tiny last step.
        rest = until - self.t
        pieces = max(1, round(rest / self.H)) if self.tolerance is None else max(1, int(np.ceil(rest / self.H - 1e-9)))
        H, last = rest / pieces, pieces == 1
        if self.scheme != "hold":
            self.dy = self._slopes()
        careful = self.scheme == "implicit" or self.tolerance is not None
        if careful:
            self._save()
        while True:
            try:
                outputs, assumed = self._try(H)
                defect = np.abs(outputs - assumed) / np.maximum(self.scale, np.abs(outputs))
                error = 0.0 if self.tolerance is None else float(np.max(defect)) / self.tolerance
                if error <= 1:
                    break
                shorter = H * max(0.2, 0.8 * error ** (-1 / self._order))
            except Discarded as discarded:
                if not careful:
                    raise
                shorter = discarded.reached - self.t if self.t < discarded.reached < self.t + H else H / 2
            except NotConverged:
                shorter = H / 2
            self.work.rejected += 1
            self._restore()
            H, last = shorter, False
            if H < 1e-9 * self.system.step:
                raise NotConverged(f"t = {self.t:.9g}: the coupling error does not fall below the tolerance with steps down to {H:.3g} s")
        if careful:
            self._forget()
        self.before = (self.y, self.t)
        self.y, self.t, self.arrived = outputs, until if last else self.t + H, self.given
        self.scale = np.maximum(self.scale, np.abs(self.y))
        self.work.steps += 1
        if self.tolerance is not None:
            growth = 2.0 if error == 0 else min(2.0, max(0.2, 0.8 * error ** (-1 / self._order)))
            self.H = H * growth if growth > 1.2 or growth < 1 else H

    @property
    def _order(self) -> int:
        """Return the order in H of the difference between assumed and real outputs."""
        return 1 if self.scheme == "hold" else 2

    # --- a run ---

    def run(self, observe: "Callable[[Master], object] | None" = None) -> Result:
        """Run to the stop time; call `observe(master)` at every communication point."""
        made = Result(self.signals)
        made.add(self.t, self._value)
        while self.t < self.system.stop:
            self.step(self.system.stop)
            made.add(self.t, self._value)
            if observe is not None:
                observe(self)
        return made

    def _value(self, port: Port) -> float:
        return self.units[port.component].get([port.variable])[0]

    def close(self) -> None:
        """Free all units."""
        for unit in self.units.values():
            unit.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
