class Controller:
    """State feedback that balances a pole on a cart, for a sample time of 10 ms and with one sample of delay"""

    inputs = {"position": "m", "speed": "m/s", "angle": "rad", "rate": "rad/s"}
    outputs = {"force": "N"}
    parameters = {
        "k_position": (-3.77, "N/m"),
        "k_speed": (-5.53, "N.s/m"),
        "k_angle": (-44.45, "N/rad"),
        "k_rate": (-11.45, "N.s/rad"),
        "target": (0.0, "m"),
    }
    states = ()

    def start(self):
        self.force = -(
            self.k_position * (self.position - self.target)
            + self.k_speed * self.speed
            + self.k_angle * self.angle
            + self.k_rate * self.rate
        )

    def step(self, t, h):
        self.start()
