"""The processes that run chunks: the workers of a Dask cluster, by default a local one on this
machine, or in this process.

Chunks are handed out as workers become free, and the duration of runs determines their size: a
crash loses about a second of each worker's work, and short runs do not need a message each, which
takes longer than the run.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from . import runs as fmu_runs
from .runs import Outcome

CHUNK_SECONDS = (0.05, 1.0)  # shortest and longest; the first one is a single run, to measure its duration
LARGEST_CHUNK = 1000
CONNECT_SECONDS = 10
AHEAD = 2  # chunks per worker: one in work and one that waits


class NoCluster(Exception):
    pass


class Chunks:
    """Takes runs from a list, as many as fit the time of the runs before them."""

    def __init__(self, runs: list[int], workers: int, size: int | None):
        self.runs, self.workers, self.fixed_size = runs, workers, size
        self.taken, self.seconds, self.done = 0, 0.0, 0

    def measured(self, seconds: float, runs: int) -> None:
        self.seconds += seconds
        self.done += runs

    def next(self) -> list[int]:
        """Return the next chunk: chunks are smaller towards the end, so that all workers end
        together."""
        left = len(self.runs) - self.taken
        rate = self.done / max(self.seconds, 1e-9)
        longest = min(int(CHUNK_SECONDS[1] * rate), LARGEST_CHUNK)
        size = min(longest, max(int(CHUNK_SECONDS[0] * rate), ceil(left / (AHEAD * self.workers))))
        size = self.fixed_size or max(size, 1)
        self.taken += size
        return self.runs[self.taken - size : self.taken]


class Here:
    """This process, without Dask: for debuggers."""

    workers = 1

    def __init__(self, key: str, data: bytes):
        self.key = key
        fmu_runs.provide(key, data)

    def call(self, function, *arguments):
        return function(self.key, *arguments)

    def outcomes(self, experiment, warm, values, runs: list[int], size: int | None) -> Iterator[list[Outcome]]:
        chunks = Chunks(runs, self.workers, size)
        while chunk := chunks.next():
            seconds, outcomes = fmu_runs.run_chunk(self.key, experiment, warm, [(run, values(run)) for run in chunk])
            chunks.measured(seconds, len(chunk))
            yield outcomes

    def close(self) -> None:
        fmu_runs.withdraw(self.key)


def model_plugin(key: str, data: bytes, ours: bool):
    """Gives the FMU to each worker, also to workers that come later or restart."""
    from distributed import WorkerPlugin

    class ModelPlugin(WorkerPlugin):
        def setup(self, worker):
            import signal

            from mechfmu.sweep import runs

            if ours:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started the workers
            runs.provide(key, data, worker.local_directory)  # which Dask removes, even after a crash

        def teardown(self, worker):
            from mechfmu.sweep import runs

            runs.withdraw(key)

    return ModelPlugin()


class OnDask:
    def __init__(self, client, key: str, data: bytes, ours: bool):
        self.client, self.key = client, key
        client.register_plugin(model_plugin(key, data, ours), name=key)

    @property
    def workers(self) -> int:
        """Return the present number of workers: on a cluster they come and go."""
        return max(1, sum(self.client.nthreads().values()))

    def call(self, function, *arguments):
        return self.client.submit(function, self.key, *arguments, pure=False).result()

    def outcomes(self, experiment, warm, values, runs: list[int], size: int | None) -> Iterator[list[Outcome]]:
        from distributed import KilledWorker, as_completed

        def submit(chunk: list[int]):
            pairs = [(run, values(run)) for run in chunk]
            return self.client.submit(fmu_runs.run_chunk, self.key, experiment, warm, pairs, pure=False)

        chunks = Chunks(runs, self.workers, size)
        waiting, of, suspects = as_completed(), {}, []

        def fill() -> None:
            chunks.workers = self.workers
            while len(of) < AHEAD * chunks.workers and (chunk := chunks.next()):
                future = submit(chunk)
                of[future.key] = chunk
                waiting.add(future)

        fill()
        for future in waiting:
            chunk = of.pop(future.key)
            try:
                seconds, outcomes = future.result()
            except KilledWorker:
                suspects += chunk
            else:
                chunks.measured(seconds, len(chunk))
                yield outcomes
            fill()

        # A process ended: its runs and those that waited for it are repeated one at a time, to find the cause.
        for run in suspects:
            try:
                yield submit([run]).result()[1]
            except KilledWorker:
                yield [Outcome(run, None, "the process that ran this ended")]

    def close(self) -> None:
        self.client.unregister_worker_plugin(self.key)


@contextmanager
def open_pool(key: str, data: bytes, workers: int, cluster: str | None):
    """Open a pool. workers = 0: this process; `cluster`: the address of a scheduler."""
    if cluster is None and workers == 0:
        pool = Here(key, data)
        try:
            yield pool
        finally:
            pool.close()
        return

    import logging

    from distributed import Client, LocalCluster

    if cluster is None:
        local = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=0,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,  # the table reports that a process ended
            scheduler_kwargs={"allowed_failures": 0},
        )
        with local, Client(local) as client:
            yield OnDask(client, key, data, ours=True)
        return
    try:
        client = Client(cluster, timeout=CONNECT_SECONDS)
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise NoCluster(f"no Dask cluster with workers at {cluster}: {error}") from None
    with client:
        pool = OnDask(client, key, data, ours=False)
        try:
            yield pool
        finally:
            pool.close()
