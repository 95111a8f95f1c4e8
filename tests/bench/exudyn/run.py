"""Solves problems of the IFToMM's multibody benchmark with Exudyn.

    python run.py PROBLEM LIMIT

Takes the longest step, of 10, 5, 2, 1 ms and so on, or the largest tolerance, of 3e-3, 1e-3, 3e-4 and so on, whose error is below
the limit. Prints that error, the processor time of the solver in s, the least of three runs, in one thread, and the step or the
tolerance. The error is that of the energy in J every 0.1 s, for A03 that of angles in rad at 0.03 s, and for A05 that of the
height of the slider in m.
"""

import math
import sys
import time

# Without checks of ranges.
sys.exudynFast = True
import exudyn as exu
import numpy as np
from exudyn.utilities import *

G = 9.81
VALUES = exu.OutputVariableType


def system():
    container = exu.SystemContainer()
    return container, container.AddSystem()


def sensors(mbs, nodes, kind):
    return [mbs.AddSensor(SensorNode(nodeNumber=n, storeInternal=True, outputVariableType=kind)) for n in nodes]


def stored(mbs, sensors):
    """Values of sensors by sensor, time and component."""
    return np.array([mbs.GetSensorStoredData(sensor)[:, 1:] for sensor in sensors])


def tree(mbs, joints, parents, bodies, placements, speeds, gravity):
    """A tree of links, each with its rigid body about its joint, and the rotation and place of that; returns it and its node."""
    count = len(joints)
    node = mbs.AddNode(
        NodeGenericODE2(
            referenceCoordinates=[0] * count, initialCoordinates=[0] * count, initialCoordinates_t=speeds,
            numberOfODE2Coordinates=count,
        )
    )
    rotations, offsets, inertias, centres = exu.Matrix3DList(), exu.Vector3DList(), exu.Matrix3DList(), exu.Vector3DList()
    for body, (rotation, offset) in zip(bodies, placements):
        rotations.Append(rotation)
        offsets.Append(offset)
        inertias.Append(body.InertiaCOM())
        centres.Append(body.COM())
    links = ObjectKinematicTree(
        nodeNumber=node, jointTypes=joints, linkParents=parents, jointTransformations=rotations, jointOffsets=offsets,
        linkInertiasCOM=inertias, linkCOMs=centres, linkMasses=[body.Mass() for body in bodies], baseOffset=[0, 0, 0],
        gravity=gravity,
    )
    return mbs.AddObject(links), node


def at_link(mbs, links, link, place):
    return mbs.AddMarker(MarkerKinematicTreeRigid(objectNumber=links, linkNumber=link, localPosition=place))


def pendulum(mbs):
    """A01: a tree of one link."""
    body = InertiaMassPoint(mass=1).Translated([-1, 0, 0])
    placement = (np.eye(3), [0, 0, 0])
    _, node = tree(mbs, [exu.JointType.RevoluteZ], [-1], [body], [placement], [0], [0, -G, 0])
    [angle], [speed] = [sensors(mbs, [node], kind) for kind in (VALUES.Coordinates, VALUES.Coordinates_t)]

    def error():
        [phi], [w] = stored(mbs, [angle]), stored(mbs, [speed])
        return drift(w[:, 0] ** 2 / 2 - G * np.sin(phi[:, 0]))

    return error


def windows(mbs, count):
    """A02: bars in a plane with revolute joints between points."""
    ground, nodes = mbs.AddObject(ObjectGround()), []

    def bar(x, y, angle, v, w):
        nodes.append(mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[x, y, angle], initialVelocities=[v, 0, w])))
        body = mbs.AddObject(ObjectRigidBody2D(mass=1, inertia=1 / 12, nodeNumber=nodes[-1]))
        middle = mbs.AddMarker(MarkerBodyMass(bodyNumber=body))
        mbs.AddLoad(LoadMassProportional(markerNumber=middle, loadVector=[0, -G, 0]))
        return body

    def joint(*ends):
        markers = [mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0, 0])) for body, x in ends]
        mbs.AddObject(RevoluteJoint2D(markerNumbers=markers))

    cranks = [bar(i, 0.5, math.pi / 2, 0.5, -1) for i in range(count + 1)]
    for i, crank in enumerate(cranks):
        joint((ground, i), (crank, -0.5))
    for i in range(count):
        coupler = bar(i + 0.5, 1, 0, 1, 0)
        joint((cranks[i], 0.5), (coupler, -0.5))
        joint((coupler, 0.5), (cranks[i + 1], 0.5))
    places, speeds = [sensors(mbs, nodes, kind) for kind in (VALUES.Coordinates, VALUES.Coordinates_t)]

    def error():
        # Coordinates are displacements; where bars begin adds a constant.
        r, v = stored(mbs, places), stored(mbs, speeds)
        return drift(np.sum((v[..., 0] ** 2 + v[..., 1] ** 2 + v[..., 2] ** 2 / 12) / 2 + G * r[..., 1], axis=0))

    return error


def squeezer(mbs):
    """A03: seven bodies in a plane with revolute joints between points."""
    # The published angles at the beginning.
    beta, gamma, phi = -0.0617138900142764, 0.45527981916307, 0.222668390165886
    delta, epsilon = 0.487364979543843, 1.230547444549821
    centre_a, centre_b, centre_c = np.array([[-0.06934, -0.00227], [-0.03635, 0.03273], [0.014, 0.072]])
    ground, nodes = mbs.AddObject(ObjectGround()), []

    def along(angle, length):
        return length * np.array([math.cos(angle), math.sin(angle)])

    def body(start, angle, mass, inertia, centre):
        """A body whose x axis begins at a place, with its centre of mass from there, in its axes; returns it and the centre."""
        middle = start + along(angle, centre[0]) + along(angle + math.pi / 2, centre[1])
        nodes.append(mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[*middle, angle])))
        return mbs.AddObject(ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=nodes[-1])), centre

    def at(body, x, y=0.0):
        number, centre = body
        return mbs.AddMarker(MarkerBodyPosition(bodyNumber=number, localPosition=[x - centre[0], y - centre[1], 0]))

    def fixed(place):
        return mbs.AddMarker(MarkerBodyPosition(bodyNumber=ground, localPosition=[*place, 0]))

    def joint(*ends):
        mbs.AddObject(RevoluteJoint2D(markerNumbers=list(ends)))

    place_f, place_g, place_h = along(beta, 0.007), centre_a + along(delta, 0.04), centre_a + along(epsilon - math.pi / 2, 0.04)
    of = body([0, 0], beta, 0.04325, 2.194e-6, [0.00092, 0])
    # Theta is 0 at the beginning.
    fe = body(place_f, beta + math.pi, 0.00365, 4.41e-7, [0.0115, 0])
    be = body(centre_b, gamma - math.pi / 2, 0.02373, 5.255e-6, [0.01874, 0.01043])
    ge = body(place_g, phi + delta - math.pi / 2, 0.00706, 5.667e-7, [0.00579, 0])
    ag = body(centre_a, delta, 0.0705, 1.169e-5, [0.02308, 0.00916])
    he = body(place_h, epsilon - phi, 0.00706, 5.667e-7, [0.00579, 0])
    ah = body(centre_a, epsilon - math.pi / 2, 0.05498, 1.912e-5, [0.01228, -0.00449])
    joint(fixed([0, 0]), at(of, 0))
    joint(at(of, 0.007), at(fe, 0))
    joint(fixed(centre_b), at(be, 0))
    joint(fixed(centre_a), at(ag, 0))
    joint(fixed(centre_a), at(ah, 0))
    joint(at(ag, 0.04), at(ge, 0))
    joint(at(ah, 0.04), at(he, 0))
    for rod, length in ((be, 0.035), (ge, 0.02), (he, 0.02)):
        joint(at(fe, 0.028), at(rod, length))
    ends = [fixed(centre_c), at(be, 0.018, 0.02)]
    mbs.AddObject(SpringDamper(markerNumbers=ends, stiffness=4530, referenceLength=0.07785))
    turned = mbs.AddMarker(MarkerBodyRigid(bodyNumber=of[0]))
    mbs.AddLoad(LoadTorqueVector(markerNumber=turned, loadVector=[0, 0, 0.033]))
    angles = sensors(mbs, [nodes[k] for k in (0, 2, 4, 6)], VALUES.Coordinates)

    def error():
        # Coordinates are displacements.
        found = [start + turn for start, turn in zip((beta, gamma, delta, epsilon), stored(mbs, angles)[:, 3, 2])]
        published = [15.81077119629904, 0.04082224013073, 0.52440996588053, 1.04808074104226]
        return np.max(np.abs(np.subtract(found, published)))

    return error


def bricard(mbs):
    """A04: a tree of five rods, closed by four independent ones of the five conditions of a revolute joint."""
    rods = np.array([[1, 0, 0], [0, -1, 0], [0, 0, 1], [-1, 0, 0], [0, 1, 0]], dtype=float)
    kinds = exu.JointType
    joints = [kinds.RevoluteY, kinds.RevoluteZ, kinds.RevoluteX, kinds.RevoluteY, kinds.RevoluteZ]
    bodies = [InertiaCuboid(density=100, sideLengths=np.where(rod, 1.0, 0.1)).Translated(rod / 2) for rod in rods]
    placements = [(np.eye(3), place) for place in [np.zeros(3), *rods[:-1]]]
    links, _ = tree(mbs, joints, [-1, 0, 1, 2, 3], bodies, placements, [0] * 5, [0, -G, 0])
    ground = mbs.AddObject(ObjectGround(referencePosition=[0, 0, 1]))
    fixed = mbs.AddMarker(MarkerBodyRigid(bodyNumber=ground, localPosition=[0, 0, 0]))
    ends = [at_link(mbs, links, 4, rods[4]), fixed]
    mbs.AddObject(GenericJoint(markerNumbers=ends, constrainedAxes=[1, 1, 1, 0, 1, 0]))

    def of_rods(kind):
        sensor = lambda i: SensorKinematicTree(
            objectNumber=links, linkNumber=i, localPosition=rods[i] / 2, storeInternal=True, outputVariableType=kind
        )
        return [mbs.AddSensor(sensor(i)) for i in range(5)]

    all_sensors = [of_rods(kind) for kind in (VALUES.Position, VALUES.Velocity, VALUES.AngularVelocityLocal)]
    moments = np.where(rods, 0.02, 1.01)[:, np.newaxis] / 12

    def error():
        r, v, w = [stored(mbs, sensors) for sensors in all_sensors]
        return drift(np.sum((np.sum(v**2, axis=2) + np.sum(moments * w**2, axis=2)) / 2 + G * r[..., 1], axis=0))

    return error


def governor(mbs):
    """A05: a tree of shaft, slider and two arms, with spring-dampers between."""
    kinds, angle = exu.JointType, math.pi / 6
    shaft = InertiaCuboid(density=3000, sideLengths=[0.01, 0.01, 1])
    slider = InertiaCuboid(density=3000, sideLengths=[0.1] * 3)
    arm = InertiaCuboid(density=3000, sideLengths=[1, 0.01, 0.01]).Translated([0.5, 0, 0])
    arm += InertiaMassPoint(mass=5).Translated([1, 0, 0])
    placements = [
        (np.eye(3), [0, 0, 0]), (np.eye(3), [0, 0, 0.5]),
        (RotationMatrixY(angle), [0.05, 0, 1]), (RotationMatrixY(math.pi - angle), [-0.05, 0, 1]),
    ]
    joints = [kinds.RevoluteZ, kinds.PrismaticZ, kinds.RevoluteY, kinds.RevoluteY]
    links, node = tree(
        mbs, joints, [-1, 0, 0, 0], [shaft, slider, arm, arm], placements, [2 * math.pi, 0, 0, 0], [0, 0, -G]
    )
    for link, x in ((2, 0.05), (3, -0.05)):
        ends = [at_link(mbs, links, 1, [x, 0, 0]), at_link(mbs, links, link, [0.5, 0, 0])]
        mbs.AddObject(SpringDamper(markerNumbers=ends, stiffness=8e5, damping=4e4, referenceLength=0.5))
    [place] = sensors(mbs, [node], VALUES.Coordinates)

    def error():
        [coordinates] = stored(mbs, [place])
        published = {5: 0.743249425, 10: 0.501420922, 50: 0.535563104, 100: 0.619622917}
        return max(abs(0.5 + coordinates[row, 1] - s) for row, s in published.items())

    return error


def drift(energy):
    return np.max(np.abs(energy - energy[0]))


SOLVERS = exu.DynamicSolverType
# Each with its fastest solver, the time between values that are stored, and the end, in s. Where bars come into line, the
# trapezoidal rule gets stuck.
PROBLEMS = {
    "A01": (pendulum, SOLVERS.DOPRI5, 0.1, 10),
    "A02": (lambda mbs: windows(mbs, 2), SOLVERS.GeneralizedAlpha, 0.1, 10),
    "A02-40": (lambda mbs: windows(mbs, 40), SOLVERS.GeneralizedAlpha, 0.1, 10),
    "A03": (squeezer, SOLVERS.TrapezoidalIndex2, 0.01, 0.05),
    "A04": (bricard, SOLVERS.TrapezoidalIndex2, 0.1, 10),
    "A05": (governor, SOLVERS.TrapezoidalIndex2, 0.1, 10),
}


def solve(problem, setting):
    """Returns error and seconds of a run, with a tolerance of the explicit solver or a step of an implicit one."""
    build, solver, period, end = PROBLEMS[problem]
    # The container must outlive the system.
    container, mbs = system()
    error = build(mbs)
    mbs.Assemble()
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.endTime, integration.verboseMode = end, 0
    if solver == SOLVERS.DOPRI5:
        integration.relativeTolerance = integration.absoluteTolerance = setting
        integration.numberOfSteps = round(end / period)
    else:
        integration.numberOfSteps = round(end / setting)
    integration.newton.useModifiedNewton = solver == SOLVERS.TrapezoidalIndex2
    integration.newton.maxModifiedNewtonIterations = 4
    integration.newton.numericalDifferentiation.jacobianConnectorDerivative = False
    integration.generalizedAlpha.spectralRadius = 0.9
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = period
    settings.parallel.numberOfThreads = 1
    if problem == "A02-40":
        settings.linearSolverType = exu.LinearSolverType.EigenSparse
    begin = time.process_time()
    mbs.SolveDynamic(settings, solverType=solver)
    return error(), time.process_time() - begin


def main():
    problem, limit = sys.argv[1], float(sys.argv[2])
    if PROBLEMS[problem][1] == SOLVERS.DOPRI5:
        settings = [(digit * 10.0**-power, f"tolerance {digit}e-{power}") for power in range(3, 12) for digit in (3, 1)]
    else:
        steps = [digit * 10.0**-power for power in (3, 4, 5, 6) for digit in (10, 5, 2)]
        settings = [(step, f"step {1e3 * step:g} ms") for step in steps]
    for setting, text in settings:
        error, seconds = solve(problem, setting)
        if error < limit:
            print(error, min(seconds, *(solve(problem, setting)[1] for _ in range(2))), text)
            return
    sys.exit(f"{problem}: no step is short enough")


main()
