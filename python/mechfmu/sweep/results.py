"""The folder of results: a description of the study, a file per finished chunk, and at the end one
table.

Each file is written under another name and then renamed, so that after a crash it is complete or
absent.
"""

import csv
import fcntl
import importlib.util
import json
import os
import shutil
from pathlib import Path

from .runs import Outcome
from .study import Study

FORMAT = 1  # of these files


class Occupied(Exception):
    """The folder contains other results; the text names them, and the remedy."""


def write(path: Path, text: str | bytes) -> None:
    """Write all or nothing; the file is on the disk on return."""
    new = path.with_name(path.name + ".new")
    with open(new, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


def identity(study: Study, fmu_digest: str) -> dict:
    """Return everything that results depend on, as it is read back from JSON."""
    e, v = study.experiment, study.variation
    varied = {name: vars(spec) for name, spec in v.varied.items()}
    parts = {
        "fmu": fmu_digest,
        "stop": e.time(e.last),
        "step": e.step,
        "warm_start": e.first,
        "tolerance": e.tolerance,
        "set": e.fixed,
        "vary": varied,
        "monte_carlo": [v.count, v.seed],
        "record": study.columns,
        "series": e.series,
        "format": FORMAT,
    }
    return json.loads(json.dumps(parts))


class Results:
    def __init__(self, folder: Path, study: Study, fmu_digest: str, fresh: bool = False):
        self.folder, self.study = folder, study
        self.outcomes: dict[int, Outcome] = {}
        about = folder / "study.json"
        if folder.exists() and any(folder.iterdir()) and not about.exists():
            raise Occupied(f"{folder} holds other files; name another folder with --results")
        (folder / "chunks").mkdir(parents=True, exist_ok=True)
        self._lock = self._locked()
        try:
            self._begin(about, identity(study, fmu_digest), fresh)
        except Exception:
            self.close()
            raise

    def _begin(self, about: Path, now: dict, fresh: bool) -> None:
        if fresh:
            self._clear()
        if about.exists():
            before = json.loads(about.read_text(encoding="utf-8"))["identity"]
            changed = [key for key in now if before.get(key) != now[key]]
            if changed:
                raise Occupied(
                    f"{self.folder} holds results of another study: {', '.join(changed)} changed. "
                    "Use --fresh to remove them and start again, or --results to name another folder"
                )
            self._load()
        write(about, json.dumps({"identity": now, "units": self.study.units}, indent=1))

    def _locked(self):
        file = open(self.folder / "lock", "w")  # noqa: SIM115, it stays open as long as the lock is held
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise Occupied(f"another sweep is writing to {self.folder}") from None
        return file

    def close(self) -> None:
        self._lock.close()

    def _clear(self) -> None:
        for name in ["chunks", "series"]:
            shutil.rmtree(self.folder / name, ignore_errors=True)
        for name in ["study.json", "warm_start.state", "table.csv", "table.parquet"]:
            (self.folder / name).unlink(missing_ok=True)
        (self.folder / "chunks").mkdir()

    def _load(self) -> None:
        for path in (self.folder / "chunks").glob("*.json"):
            for run, results, message in json.loads(path.read_text(encoding="utf-8")):
                self.outcomes[run] = Outcome(run, results, message)

    @property
    def missing(self) -> list[int]:
        return [run for run in range(len(self.study.variation)) if run not in self.outcomes]

    @property
    def failed(self) -> list[int]:
        return sorted(run for run, o in self.outcomes.items() if o.results is None)

    def warm_state(self, compute) -> bytes:
        """Return the state; a file stores it, so that all runs begin alike on all workers."""
        path = self.folder / "warm_start.state"
        if not path.exists():
            write(path, compute())
        return path.read_bytes()

    def add(self, chunk: list[Outcome]) -> None:
        for o in chunk:
            if o.series is not None:
                self._write_series(o)
                o.series = None
        rows = [[o.run, o.results, o.message] for o in chunk]
        write(self.folder / "chunks" / f"{chunk[0].run:07d}.json", json.dumps(rows))
        self.outcomes |= {o.run: o for o in chunk}

    def _write_series(self, o: Outcome) -> None:
        (self.folder / "series").mkdir(exist_ok=True)
        names = ["time", *self.study.experiment.series]
        units = {"time": "s", **self.study.units}
        header = ",".join(f"{name} [{units[name]}]" if name in units else name for name in names)
        lines = [header, *(",".join(map(repr, row)) for row in o.series)]
        write(self.folder / "series" / f"{o.run:07d}.csv", "\n".join(lines) + "\n")

    # --- the table ---

    @property
    def header(self) -> list[str]:
        return ["run", *self.study.variation.varied, *self.study.columns, "status", "message"]

    def rows(self):
        nothing = [None] * len(self.study.columns)
        for run in sorted(self.outcomes):
            o = self.outcomes[run]
            values = self.study.variation.values(run).values()
            status = "failed" if o.results is None else "ok"
            yield [run, *values, *(nothing if o.results is None else o.results), status, o.message]

    def write_table(self) -> list[Path]:
        rows = list(self.rows())
        paths = [self.folder / "table.csv"]
        new = self.folder / "table.csv.new"
        with open(new, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([self.header, *rows])
        os.replace(new, paths[0])
        if importlib.util.find_spec("pyarrow"):
            paths.append(self.folder / "table.parquet")
            self._write_parquet(paths[1], rows)
        return paths

    def _write_parquet(self, path: Path, rows: list) -> None:
        import pyarrow
        import pyarrow.parquet

        columns = dict(zip(self.header, map(list, zip(*rows))))
        new = path.with_name(path.name + ".new")
        pyarrow.parquet.write_table(pyarrow.table(columns), new)
        os.replace(new, path)
