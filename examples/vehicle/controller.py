from math import asin, atan, atan2, cos, exp, hypot, sin, sqrt


class Controller:
    """Drives a vehicle along a figure of eight, at a speed"""

    inputs = {"x": "m", "y": "m", "heading": "rad", "speed": "m/s"}
    outputs = {
        "steering": "rad",
        "torque": "N.m",
        "path_x": "m",
        "path_y": "m",
        "lateral_error": "m",
        "heading_error": "rad",
        "wanted": "m/s",
    }
    parameters = {
        "length": (8.0, "m"),  # of the eight, half
        "width": (2.5, "m"),  # half
        "wheelbase": (1.2, "m"),
        "trail": (0.0, "m"),
        "preview": (0.0835, "s"),  # lag of the servo
        "k_lateral": (1.2, "rad/m"),
        "k_heading": (2.4, "1"),
        "k_along": (5.0, "1/s"),
        "kp": (70.6, "N.s"),
        "ki": (72.6, "N"),
        "speed_start": (1.0, "m/s"),
        "target": (2.0, "m/s"),
        "rise": (1.5, "s"),
    }
    states = ("parameter", "parameter_rate", "integral", "speed_error", "now")

    def start(self):
        self.parameter = self.integral = self.now = 0.0
        self.control()

    def step(self, t, h):
        """The path's parameter and the integral by the trapezoidal rule: second order, like the
        plant."""
        begin, rate, error = self.parameter, self.parameter_rate, self.speed_error
        self.now = t + h
        self.parameter = begin + h * rate
        self.control()
        self.parameter = begin + h / 2 * (rate + self.parameter_rate)
        self.integral += h / 2 * (error + self.speed_error)
        self.control()

    def control(self):
        p = self.parameter
        self.path_x, self.path_y = self.length * sin(p), self.width * sin(2 * p)
        dx, dy, _ = self.path(p)
        ds = hypot(dx, dy)
        # Errors relative to the point of the path, which moves with the vehicle.
        along = ((self.x - self.path_x) * dx + (self.y - self.path_y) * dy) / ds
        self.lateral_error = ((self.y - self.path_y) * dx - (self.x - self.path_x) * dy) / ds
        across, forwards = (
            sin(self.heading) * dx - cos(self.heading) * dy,
            cos(self.heading) * dx + sin(self.heading) * dy,
        )
        self.heading_error = atan2(across, forwards)
        self.parameter_rate = (self.speed * forwards / ds + self.k_along * along) / ds
        # The steering angle for the curvature at the time when the servo reaches it, and feedback.
        _, _, curvature = self.path(p + self.preview * self.speed / ds)
        needed = atan(self.wheelbase * curvature) - asin(
            self.trail * curvature / sqrt(1 + (self.wheelbase * curvature) ** 2)
        )
        self.steering = needed - self.k_lateral * self.lateral_error - self.k_heading * self.heading_error
        # Speed
        self.wanted = self.target + (self.speed_start - self.target) * exp(-self.now / self.rise)
        self.speed_error = self.wanted - self.speed
        self.torque = self.kp * self.speed_error + self.ki * self.integral

    def path(self, p):
        """The derivatives of x and y with respect to the parameter, and the curvature."""
        dx, dy = self.length * cos(p), 2 * self.width * cos(2 * p)
        ddx, ddy = -self.length * sin(p), -4 * self.width * sin(2 * p)
        return dx, dy, (dx * ddy - dy * ddx) / hypot(dx, dy) ** 3
