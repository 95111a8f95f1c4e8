"""The oscillator in UniFMU's Python backend."""

from fmi2 import Fmi2FMU, Fmi2Status


class Model(Fmi2FMU):
    def __init__(self, reference_to_attr=None):
        super().__init__(reference_to_attr)
        self.J, self.c, self.d = 0.1, 100.0, 0.1001
        self.tau = 1.0
        self.phi, self.w, self.a = 0.0, 0.0, 0.0

    def do_step(self, current_time, step_size, no_step_prior):
        a = (self.tau - self.c * self.phi - self.d * self.w) / self.J
        self.phi += step_size * self.w
        self.w += step_size * a
        self.a = (self.tau - self.c * self.phi - self.d * self.w) / self.J
        return Fmi2Status.ok
