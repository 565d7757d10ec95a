from math import cos, pi, sin, sqrt

LEGS = range(1, 7)
# On the left or right of a sector about 0°, 120°, 240°, as in the mechanism file.
SECTORS = (0, 2 * pi / 3, 2 * pi / 3, 4 * pi / 3, 4 * pi / 3, 0)
SIDES = (1, -1, 1, -1, 1, -1)


class Controller:
    """PID control of six legs that carry a platform along a lift and then around a circle, leaning"""

    inputs = {f"length{i}": "m" for i in LEGS} | {f"speed{i}": "m/s" for i in LEGS}
    outputs = (
        {f"f{i}": "N" for i in LEGS}
        | {f"error{i}": "m" for i in LEGS}
        | {"x": "m", "y": "m", "z": "m", "tilt_x": "rad", "tilt_y": "rad"}
    )
    parameters = {
        "kp": (2e5, "N/m"),
        "ki": (1e6, "N/(m.s)"),
        "kd": (8e3, "N.s/m"),
        "weight": (528.5545059035501, "N"),  # load of a leg at t = 0
        "lift": (0.08, "m"),
        "radius": (0.08, "m"),
        "lean": (0.1, "rad"),
        "rise": (0.4, "s"),  # time for the lift
        "turn": (2.0, "s"),  # time for the circle
        "base_radius": (1.0, "m"),
        "platform_radius": (0.6, "m"),
        "height": (1.2, "m"),
    }
    states = ("now", *(f"integral{i}" for i in LEGS))

    def start(self):
        self.now = 0.0
        for i in LEGS:
            setattr(self, f"integral{i}", 0.0)
        self.compare()
        self.push()

    def step(self, t, h):
        """The integrals by the trapezoidal rule: second order, like the plant."""
        before = [getattr(self, f"error{i}") for i in LEGS]
        self.now = t + h
        self.compare()
        for i, error in zip(LEGS, before):
            integral = getattr(self, f"integral{i}") + h / 2 * (error + getattr(self, f"error{i}"))
            setattr(self, f"integral{i}", integral)
        self.push()

    def compare(self):
        """Wanted lengths and speeds with the actual ones."""
        for i, (length, speed) in zip(LEGS, self.legs()):
            setattr(self, f"error{i}", length - getattr(self, f"length{i}"))
            setattr(self, f"slower{i}", speed - getattr(self, f"speed{i}"))

    def push(self):
        for i in LEGS:
            error, integral, slower = (getattr(self, f"{name}{i}") for name in ("error", "integral", "slower"))
            setattr(self, f"f{i}", self.weight + self.kp * error + self.ki * integral + self.kd * slower)

    def legs(self):
        """Wanted lengths and speeds: of the platform at p with the axes u, v, the leg a + l = p +
        bᵤu + bᵥv."""
        p, dp, (u, v), omega = self.pose()
        du, dv = cross(omega, u), cross(omega, v)
        for sector, side in zip(SECTORS, SIDES):
            foot, head = sector + side * pi / 18, sector + side * 5 * pi / 18
            a = (self.base_radius * cos(foot), self.base_radius * sin(foot), 0.0)
            bu, bv = self.platform_radius * cos(head), self.platform_radius * sin(head)
            leg = [p[k] + bu * u[k] + bv * v[k] - a[k] for k in range(3)]
            rate = [dp[k] + bu * du[k] + bv * dv[k] for k in range(3)]
            length = sqrt(dot(leg, leg))
            yield length, dot(leg, rate) / length

    def pose(self):
        """Wanted position, velocity, x and y axis and angular velocity, as functions of lift and
        phase."""
        up, up_rate = smooth(self.now / self.rise)
        round, round_rate = smooth((self.now - self.rise) / self.turn)
        phase, phase_rate = 2 * pi * round, 2 * pi * round_rate / self.turn
        s, c = sin(phase), cos(phase)
        self.x, self.y, self.z = self.radius * s, self.radius * (c - 1), self.height + self.lift * up
        self.tilt_x, self.tilt_y = self.lean * s, self.lean * (1 - c)  # Cardan angles
        velocity = (self.radius * c * phase_rate, -self.radius * s * phase_rate, self.lift * up_rate / self.rise)
        sx, cx, sy, cy = sin(self.tilt_x), cos(self.tilt_x), sin(self.tilt_y), cos(self.tilt_y)
        axes = (cy, sx * sy, -cx * sy), (0.0, cx, sx)
        rate_x, rate_y = self.lean * c * phase_rate, self.lean * s * phase_rate
        return (self.x, self.y, self.z), velocity, axes, (rate_x, rate_y * cx, rate_y * sx)


def smooth(s):
    """From 0 to 1 and its derivative, without jumps of the acceleration."""
    s = min(max(s, 0.0), 1.0)
    return s**3 * (10 - 15 * s + 6 * s**2), 30 * s**2 * (1 - s) ** 2


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
