from math import exp


class Controller:
    """Makes a trolley feel heavier than it is: a force against its acceleration, and a push to see the effect"""

    inputs = {"acceleration": "m/s2"}
    outputs = {"force": "N"}
    parameters = {"virtual_mass": (3.0, "kg"), "push": (10.0, "N")}
    states = ("now",)

    def start(self):
        self.force = self.push * (1 - exp(-self.now / 0.1)) - self.virtual_mass * self.acceleration

    def step(self, t, h):
        self.now = t + h
        self.start()
