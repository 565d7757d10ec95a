from math import cos, exp, pi, sin


class Controller:
    """Turns the steering column of a vehicle to the wanted angle, against the loads of the road on its wheels"""

    inputs = {"angle": "rad", "rate": "rad/s"}
    outputs = {"torque": "N.m", "wanted": "rad"}
    parameters = {
        "stiffness": (1000.0, "N.m/rad"),
        "damping": (15.0, "N.m.s/rad"),
        "integral_gain": (8000.0, "N.m/(rad.s)"),
        "amplitude": (0.15, "rad"),
        "frequency": (1.0, "1/s"),
        "rise": (0.25, "s"),
    }
    states = ("integral", "error", "now")

    def start(self):
        self.integral = self.now = 0.0
        self.control()

    def step(self, t, h):
        """The integral by the trapezoidal rule: second order, like the plant."""
        before = self.error
        self.now = t + h
        self.control()
        self.integral += h / 2 * (before + self.error)
        self.control()

    def control(self):
        """The wanted angle is a sine that begins smoothly; torque from the errors of angle and rate."""
        t, w = self.now / self.rise, 2 * pi * self.frequency
        begun, begins = 1 - exp(-t * t), 2 * t / self.rise * exp(-t * t)
        s, c = sin(w * self.now), cos(w * self.now)
        self.wanted = self.amplitude * begun * s
        self.error = self.wanted - self.angle
        slower = self.amplitude * (begins * s + begun * w * c) - self.rate
        self.torque = self.stiffness * self.error + self.damping * slower + self.integral_gain * self.integral
