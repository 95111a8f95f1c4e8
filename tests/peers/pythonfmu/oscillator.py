"""The oscillator in PythonFMU."""

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Oscillator(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.J, self.c, self.d = 0.1, 100.0, 0.1001
        self.tau = 1.0
        self.phi, self.w, self.a = 0.0, 0.0, 0.0
        for name in ["J", "c", "d"]:
            self.register_variable(Real(name, causality=Fmi2Causality.parameter, variability=Fmi2Variability.tunable))
        self.register_variable(Real("tau", causality=Fmi2Causality.input))
        for name in ["phi", "w", "a"]:
            self.register_variable(Real(name, causality=Fmi2Causality.output))

    def do_step(self, current_time, step_size):
        a = (self.tau - self.c * self.phi - self.d * self.w) / self.J
        self.phi += step_size * self.w
        self.w += step_size * a
        self.a = (self.tau - self.c * self.phi - self.d * self.w) / self.J
        return True
