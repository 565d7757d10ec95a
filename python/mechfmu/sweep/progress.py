"""Runs done, rate, remaining time, failures: a line that changes on terminals, an occasional line
elsewhere."""

import sys
import time


def duration(seconds: float) -> str:
    minutes, s = divmod(round(seconds), 60)
    hours, m = divmod(minutes, 60)
    return f"{hours} h {m:02d} min" if hours else f"{m} min {s:02d} s" if m else f"{s} s"


class Progress:
    def __init__(self, total: int, done: int, failed: int, stream=sys.stderr, every: float = 10.0):
        self.total, self.done, self.failed, self.before = total, done, failed, done
        self.stream, self.begin = stream, time.monotonic()
        self.every = 0.1 if stream.isatty() else every
        self.shown = self.begin

    @property
    def rate(self) -> float:
        return (self.done - self.before) / max(time.monotonic() - self.begin, 1e-9)

    def line(self) -> str:
        left = duration((self.total - self.done) / self.rate) if self.rate > 0 else "?"
        return f"{self.done} of {self.total} runs, {self.rate:.4g}/s, {left} left, {self.failed} failed"

    def add(self, done: int, failed: int) -> None:
        self.done += done
        self.failed += failed
        now = time.monotonic()
        if now - self.shown >= self.every:
            self.shown = now
            begin, end = ("\r\x1b[K", "") if self.stream.isatty() else ("", "\n")
            print(begin + self.line(), end=end, file=self.stream, flush=True)

    def end(self) -> None:
        if self.stream.isatty():
            print("\r\x1b[K", end="", file=self.stream, flush=True)
