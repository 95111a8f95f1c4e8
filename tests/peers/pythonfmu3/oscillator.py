"""The oscillator in PythonFMU3."""

from pythonfmu3 import Fmi3Causality, Fmi3Slave, Fmi3Variability, Float64


class Oscillator(Fmi3Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.time = 0.0
        self.J, self.c, self.d = 0.1, 100.0, 0.1001
        self.tau = 1.0
        self.phi, self.w, self.a = 0.0, 0.0, 0.0
        self.register_variable(Float64("time", causality=Fmi3Causality.independent, variability=Fmi3Variability.continuous))
        for name in ["J", "c", "d"]:
            self.register_variable(Float64(name, causality=Fmi3Causality.parameter, variability=Fmi3Variability.tunable))
        self.register_variable(Float64("tau", causality=Fmi3Causality.input))
        for name in ["phi", "w", "a"]:
            self.register_variable(Float64(name, causality=Fmi3Causality.output))

    def do_step(self, current_time, step_size):
        a = (self.tau - self.c * self.phi - self.d * self.w) / self.J
        self.phi += step_size * self.w
        self.w += step_size * a
        self.a = (self.tau - self.c * self.phi - self.d * self.w) / self.J
        return True
