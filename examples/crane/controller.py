from math import cos, pi, sin


class Controller:
    """Valve of a lifting cylinder: along a smooth stroke, against swing of the load and vibration of the oil"""

    inputs = {"stroke": "m", "swing": "rad", "force": "N"}
    outputs = {"valve": "1", "wanted": "m"}
    parameters = {
        "begin": (0.4, "m"),
        "way": (0.25, "m"),
        "duration": (5.7, "s"),  # two swings of the load
        "forward": (8.0, "s/m"),  # opening for a speed
        "gain": (6.0, "1/m"),
        "calm": (3.0, "1/rad"),
        "damp": (4e-6, "1/N"),
        "washout": (0.3, "s"),  # forces that last longer are due to the load
        "carried": (54145.522172, "N"),  # at t = 0
    }
    states = ("slow", "before", "now")

    def start(self):
        self.now, self.slow, self.before = 0.0, self.carried, self.force
        self.control()

    def step(self, t, h):
        """slow' = (force - slow)/washout by the trapezoidal rule: second order, like the plant."""
        a = h / (2 * self.washout)
        self.slow = ((1 - a) * self.slow + a * (self.before + self.force)) / (1 + a)
        self.now, self.before = t + h, self.force
        self.control()

    def control(self):
        x = min(self.now / self.duration, 1.0)
        self.wanted = self.begin + self.way * (x - sin(2 * pi * x) / (2 * pi))
        pace = self.way / self.duration * (1 - cos(2 * pi * x))
        asked = self.forward * pace + self.gain * (self.wanted - self.stroke)
        asked -= self.calm * self.swing + self.damp * (self.force - self.slow)
        self.valve = max(-1.0, min(1.0, asked))
