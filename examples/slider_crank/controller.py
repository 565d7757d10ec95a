from math import exp


class Controller:
    """PI control of the speed of a crank"""

    inputs = {"speed": "rad/s"}
    outputs = {"torque": "N.m", "wanted": "rad/s"}
    parameters = {
        "kp": (2.0, "N.m.s/rad"),
        "ki": (20.0, "N.m/rad"),
        "target": (12.0, "rad/s"),
        "rise": (0.3, "s"),
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
        self.wanted = self.target * (1 - exp(-self.now / self.rise))
        self.error = self.wanted - self.speed
        self.torque = self.kp * self.error + self.ki * self.integral
