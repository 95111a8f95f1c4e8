"""A bushing in an optimisation with CasADi, by derivatives that the FMU computes exactly: python casadi_bushing.py"""

from typing import Any

import casadi
import mechanical_fmus
import numpy as np


class ModelFunction(casadi.Callback):
    """Values of an open model as a function of others, all by names of scalars, and of its Jacobian matrix."""

    def __init__(self, model: mechanical_fmus.Model, of: list[str], by: list[str], is_jacobian: bool = False) -> None:
        casadi.Callback.__init__(self)
        self.model, self.of, self.by, self.is_jacobian = model, of, by, is_jacobian
        # CasADi holds functions of Python no longer than Python does.
        self.derivative = None if is_jacobian else ModelFunction(model, of, by, is_jacobian=True)
        self.construct("jacobian" if is_jacobian else "values")

    def get_n_in(self) -> int:
        return 2 if self.is_jacobian else 1

    def get_sparsity_in(self, number: int) -> casadi.Sparsity:
        # CasADi gives the values to their Jacobian matrix, too.
        return casadi.Sparsity.dense(len(self.of if number else self.by), 1)

    def get_sparsity_out(self, number: int) -> casadi.Sparsity:
        return casadi.Sparsity.dense(len(self.of), len(self.by) if self.is_jacobian else 1)

    def eval(self, arguments: Any) -> list[Any]:
        self.model.set(dict(zip(self.by, arguments[0].full().ravel())))
        if self.is_jacobian:
            return [self.model.derivatives(self.of, self.by).matrix]
        return [list(self.model.get(self.of).values())]

    def has_jacobian(self) -> bool:
        return not self.is_jacobian

    def get_jacobian(self, *_: Any) -> Any:
        return self.derivative


# The shortest way of the sleeve at which the forces along x and y are 3000 N together.
bushing = mechanical_fmus.build("bushing", TS=[1e6, 2e6, 1e6], name="Sleeve")
with mechanical_fmus.open(bushing) as model:
    forces, places = ([f"frame_b.{name}[{axis}]" for axis in (1, 2, 3)] for name in ("f", "r_0"))
    load = ModelFunction(model, forces, places)
    way = casadi.MX.sym("way", 3)
    force = load(1e-3 * way)
    problem: dict[str, Any] = {"x": way, "f": casadi.sumsqr(way), "g": force[0] + force[1]}
    # The FMU has no second derivatives.
    options: dict[str, Any] = {"hessian_approximation": "limited-memory", "print_level": 0, "sb": "yes"}
    solver = casadi.nlpsol("solver", "ipopt", problem, {"ipopt": options, "print_time": False})
    found = solver(x0=np.zeros(3), lbg=3000.0, ubg=3000.0)
    assert solver.stats()["success"]

# A spring that is stiffer by a factor moves further by it.
print("way along x and y: {:.3f} and {:.3f} mm".format(*found["x"].full().ravel()))
