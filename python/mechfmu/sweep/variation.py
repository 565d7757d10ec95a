"""The values of a run: every combination of the grids, and for each of these `count` draws from the
distributions.

A draw depends on the seed, on its number and on the name of the variable only: not on workers, not
on `count`, not on other variations. Every point of the grid gets the same draws, so that
differences between points are differences of the points.
"""

import zlib
from dataclasses import dataclass
from math import isfinite, prod

import numpy as np

RANGES = {"linspace": np.linspace, "logspace": np.geomspace}
DISTRIBUTIONS = {  # of two numbers and a generator
    "normal": lambda mean, deviation, g: g.normal(mean, deviation),
    "uniform": lambda low, high, g: g.uniform(low, high),
    "lognormal": lambda median, sigma, g: median * np.exp(g.normal(0.0, sigma)),
}


@dataclass(frozen=True)
class Grid:
    values: tuple


@dataclass(frozen=True)
class Distribution:
    kind: str
    first: float
    second: float

    def draw(self, name: str, seed: int, sample: int) -> float:
        stream = np.random.SeedSequence(seed, spawn_key=(sample, zlib.crc32(name.encode())))
        return float(DISTRIBUTIONS[self.kind](self.first, self.second, np.random.default_rng(stream)))


def is_number(x) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool) and isfinite(x)


def parse(spec) -> Grid | Distribution:
    """Read a list, or a table with one key of RANGES or DISTRIBUTIONS. Raises ValueError."""
    if isinstance(spec, list):
        if not spec:
            raise ValueError("the list is empty")
        return Grid(tuple(spec))
    known = [*RANGES, *DISTRIBUTIONS]
    if not isinstance(spec, dict) or len(spec) != 1 or next(iter(spec)) not in known:
        raise ValueError(f"a list of values, or {{ {' | '.join(known)} = [...] }} is expected")
    [(kind, numbers)] = spec.items()
    wanted = 3 if kind in RANGES else 2
    if not isinstance(numbers, list) or len(numbers) != wanted or not all(map(is_number, numbers)):
        raise ValueError(f"{kind} takes {MEANINGS[kind]}")
    if kind in RANGES:
        first, last, count = numbers
        if count != int(count) or count < 2:
            raise ValueError(f"{kind}: the number of values is {count}, but must be 2 or more")
        if kind == "logspace" and not (first > 0 and last > 0):
            raise ValueError("logspace: both ends must be above 0")
        return Grid(tuple(float(x) for x in RANGES[kind](first, last, int(count))))
    first, second = map(float, numbers)
    if kind == "uniform" and not first < second:
        raise ValueError(f"uniform: {first:g} must be below {second:g}")
    if kind != "uniform" and not second > 0:
        raise ValueError(f"{kind}: the deviation is {second:g}, but must be above 0")
    if kind == "lognormal" and not first > 0:
        raise ValueError(f"lognormal: the median is {first:g}, but must be above 0")
    return Distribution(kind, first, second)


MEANINGS = {
    "linspace": "[first, last, how many]",
    "logspace": "[first, last, how many], with equal ratios between neighbours",
    "normal": "[mean, standard deviation]",
    "uniform": "[least, greatest]",
    "lognormal": "[median, standard deviation of the logarithm]",
}


@dataclass(frozen=True)
class Variation:
    varied: dict[str, Grid | Distribution]
    count: int = 1  # draws at each point of the grid
    seed: int = 0

    @property
    def grids(self) -> dict[str, Grid]:
        return {name: v for name, v in self.varied.items() if isinstance(v, Grid)}

    def __len__(self) -> int:
        return prod(len(grid.values) for grid in self.grids.values()) * self.count

    def values(self, run: int) -> dict[str, float]:
        """Return the values of a run: the last grid varies fastest, and draws faster than all
        grids."""
        point, sample = divmod(run, self.count)
        indices = np.unravel_index(point, [len(grid.values) for grid in self.grids.values()] or [1])
        on_grid = {name: grid.values[i] for (name, grid), i in zip(self.grids.items(), indices)}
        return {
            name: on_grid[name] if name in on_grid else v.draw(name, self.seed, sample)
            for name, v in self.varied.items()
        }
