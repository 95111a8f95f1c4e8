"""Compares the accelerations of robots, or the torques for given motions, with those of Pinocchio, at random states.

Usage: compare_robots.py COUNT TOLERANCE FILE.urdf FILE.fmu [FILE.urdf FILE.fmu ...]

Prints a line for each robot; exits with 1 if the accelerations of one differ by more than the tolerance, relative to the
largest one; or the torques, where motions are the inputs of the FMU. Pinocchio's articulated-body algorithm knows neither damping nor friction, which are added to its torques here,
and leaves joints that follow others independent: these are tied by the matrix of their multipliers. All states are between
the limits, where stops have no load.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

import fmpy
import numpy as np
import pinocchio
from fmpy.fmi2 import FMU2Model


class Robot:
    """A robot as an FMU and in Pinocchio."""

    def __init__(self, urdf, fmu):
        self.description = fmpy.read_model_description(fmu)
        self.references = {variable.name: variable.valueReference for variable in self.description.modelVariables}
        self.is_floating = self.has("floating_base.a_rel_a[1]")
        free = [pinocchio.JointModelFreeFlyer()] if self.is_floating else []
        self.model = pinocchio.buildModelFromUrdf(urdf, *free)
        self.is_inverse = any(name.endswith(("_motor.phi", "_motor.s")) for name in self.references)
        self.model.gravity.linear = np.array([0, 0, -9.80665])
        self.data = self.model.createData()
        robot = ElementTree.parse(urdf).getroot()
        elements = {joint.get("name"): joint for joint in robot.findall("joint")}
        self.joints = [
            Joint(self, number, elements[name])
            for number, name in enumerate(self.model.names)
            if name in elements and elements[name].get("type") != "floating"
        ]
        self.free = [
            (self.model.joints[number], self.part(name) if name in elements else "floating_base")
            for number, name in enumerate(self.model.names)
            if self.model.joints[number].nv == 6
        ]
        identifier = self.description.modelExchange.modelIdentifier
        self.fmu = FMU2Model(
            guid=self.description.guid,
            unzipDirectory=fmpy.extract(fmu),
            modelIdentifier=identifier,
            instanceName="robot",
        )
        self.fmu.instantiate()

    def has(self, name):
        return name in self.references

    def part(self, joint):
        """Returns the name of a joint's part."""
        name = re.sub("[^A-Za-z0-9]", "_", joint)
        return f"{name}_joint" if self.has(f"{name}_joint.frame_a.f[1]") else name

    def set(self, name, value):
        values = np.atleast_1d(value)
        names = [name] if np.ndim(value) == 0 else [f"{name}[{i + 1}]" for i in range(len(values))]
        self.fmu.setReal([self.references[name] for name in names], [float(value) for value in values])

    def get(self, *names):
        return np.array(self.fmu.getReal([self.references[name] for name in names]))

    def deviation(self, random):
        """Returns the largest difference at a random state, relative to the largest value."""
        model = self.model
        q, v, a, tau = pinocchio.neutral(model), *(np.zeros(model.nv) for _ in range(3))
        self.fmu.reset()
        self.fmu.setupExperiment()
        turns = {part: self.free_motion(random, joint, part, q, v) for joint, part in self.free}
        # The motion of all joints for a unit speed of each one that leads.
        columns = [np.eye(model.nv)[:, joint.idx_v + i] for joint, _ in self.free for i in range(6)]
        leaders = [joint for joint in self.joints if joint.follows is None]
        columns += [joint.lead(random, q, v, a, tau) for joint in leaders]
        ties = np.array(columns).T
        losses = np.zeros(model.nv)
        for joint in self.joints:
            losses[joint.index] = joint.damping * v[joint.index] + joint.friction * np.sign(v[joint.index])
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        if self.is_inverse:
            theirs = ties.T @ (pinocchio.rnea(model, self.data, q, v, a) + losses)
            ours = np.array([joint.torque() for joint in leaders])
            return relative(ours, theirs)
        ours = np.zeros(model.nv)
        for joint in self.joints:
            ours[joint.index] = self.get(f"{joint.part}.a")[0]
        for joint, part in self.free:
            first = joint.idx_v
            linear = turns[part].T @ self.get(*(f"{part}.a_rel_a[{i}]" for i in (1, 2, 3)))
            ours[first : first + 3] = linear - np.cross(v[first + 3 : first + 6], v[first : first + 3])
            ours[first + 3 : first + 6] = self.get(*(f"{part}.z_rel_b[{i}]" for i in (1, 2, 3)))
        if ties.shape[1] == model.nv:
            return relative(ours, pinocchio.aba(model, self.data, q, v, tau - losses))
        mass = pinocchio.crba(model, self.data, q)
        mass = np.triu(mass) + np.triu(mass, 1).T
        load = tau - losses - pinocchio.nonLinearEffects(model, self.data, q, v)
        return relative(ours, ties @ np.linalg.solve(ties.T @ mass @ ties, ties.T @ load))

    def free_motion(self, random, joint, part, q, v):
        """Chooses the motion of a part that moves freely; returns its orientation."""
        angles, place, velocity, turning = (random.uniform(-1, 1, 3) for _ in range(4))
        about = [pinocchio.utils.rotate(axis, angle) for axis, angle in zip("xyz", angles)]
        turn = about[0] @ about[1] @ about[2]
        q[joint.idx_q : joint.idx_q + 7] = np.r_[place, pinocchio.Quaternion(turn).coeffs()]
        v[joint.idx_v : joint.idx_v + 6] = np.r_[turn.T @ velocity, turn.T @ turning]
        self.set(f"{part}.r_rel_a_start", place)
        self.set(f"{part}.v_rel_a_start", velocity)
        self.set(f"{part}.angles_start", angles)
        self.set(f"{part}.w_rel_a_start", turning)
        return turn


def relative(ours, theirs):
    return np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs))


class Joint:
    """A joint with one coordinate."""

    def __init__(self, robot, number, element):
        self.robot = robot
        self.part = robot.part(element.get("name"))
        self.of_pinocchio = robot.model.joints[number]
        self.index = self.of_pinocchio.idx_v
        self.name = element.get("name")

        def number_of(part, attribute, default):
            found = element.find(part)
            return default if found is None else float(found.get(attribute) or default)

        self.damping = number_of("dynamics", "damping", 0.0)
        self.friction = number_of("dynamics", "friction", 0.0)
        mimic = element.find("mimic")
        self.follows = None if mimic is None else mimic.get("joint")
        self.multiplier = number_of("mimic", "multiplier", 1.0)
        self.offset = number_of("mimic", "offset", 0.0)
        lower, upper = number_of("limit", "lower", 0.0), number_of("limit", "upper", 0.0)
        if element.get("type") == "continuous" or lower >= upper:
            lower, upper = -np.pi, np.pi
        self.limits = max(lower, -np.pi), min(upper, np.pi)
        self.is_slide = element.get("type") == "prismatic"

    def range(self):
        """Returns the limits, within which all joints that follow this one are within theirs."""
        lower, upper = self.limits
        for other in self.robot.joints:
            if other.follows == self.name and other.multiplier != 0:
                ends = sorted((limit - other.offset) / other.multiplier for limit in other.range())
                lower, upper = max(lower, ends[0]), min(upper, ends[1])
        if lower > upper:
            sys.exit(f"{self.name}: no position is within the limits of all joints that follow it")
        # A range may be empty but for 0, which must not be -0 for the random numbers.
        return lower, upper + 0.0

    def lead(self, random, q, v, a, tau):
        """Chooses motion and torque, and gives them to the FMU; returns the motion of all joints for a unit speed."""
        robot, motor = self.robot, f"{self.part}_motor"
        position, velocity = random.uniform(*self.range()), random.uniform(-1, 1)
        acceleration, torque = random.uniform(-10, 10, 2)
        tau[self.index] = torque
        column = self.move(q, v, position, velocity, 1.0)
        a += acceleration * column
        if robot.is_inverse:
            names = ["phi", "w", "a"] if robot.has(f"{motor}.phi") else ["s", "v", "a"]
            for name, value in zip(names, [position, velocity, acceleration]):
                robot.set(f"{motor}.{name}", value * self.ratio())
        else:
            robot.set(f"{self.part}.s" if self.is_slide else f"{self.part}.phi", position)
            robot.set(f"{motor}.tau" if robot.has(f"{motor}.tau") else f"{motor}.f", torque / self.ratio())
        return column

    def ratio(self):
        """Returns the motion of the motor divided by that of the joint."""
        gear = f"{self.part}_gear.ratio"
        return self.robot.get(gear)[0] if self.robot.has(gear) else 1.0

    def torque(self):
        """Returns the torque or the force with which the motor drives the joint."""
        name = f"{self.part}_motor.tau"
        return self.robot.get(name if self.robot.has(name) else f"{self.part}_motor.f")[0] * self.ratio()

    def move(self, q, v, position, velocity, share):
        joint, robot = self.of_pinocchio, self.robot
        if joint.nq == 2:
            q[joint.idx_q : joint.idx_q + 2] = np.cos(position), np.sin(position)
        else:
            q[joint.idx_q] = position
        v[self.index] = velocity
        start = f"{self.part}.v_start" if self.is_slide else f"{self.part}.w_start"
        if robot.has(start):
            robot.set(start, velocity)
        column = np.zeros(robot.model.nv)
        column[self.index] = share
        for other in robot.joints:
            if other.follows == self.name:
                factor = other.multiplier
                column += other.move(q, v, factor * position + other.offset, factor * velocity, factor * share)
        return column


def main():
    count, tolerance = int(sys.argv[1]), float(sys.argv[2])
    failed = False
    for urdf, fmu in zip(sys.argv[3::2], sys.argv[4::2]):
        robot = Robot(urdf, fmu)
        random = np.random.default_rng(52)
        worst = max(robot.deviation(random) for _ in range(count))
        failed |= not worst <= tolerance
        base = "floating" if robot.is_floating else "fixed"
        what = "torques" if robot.is_inverse else "accelerations"
        print(f"{urdf.rsplit('/', 1)[-1]}: {base} base, {robot.model.nv} velocities, {what}: {worst:.1e}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
