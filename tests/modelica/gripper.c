/* A body that is gripped and released: the law of the FMU with the memory in the tool, as the model in Modelica has it, and
 * beside it the FMU in Model Exchange, which has its memory itself.
 *
 *     gripper FOLDER
 *
 * FOLDER is that of the unpacked FMU; gripper.h has the references of its variables. frame_a moves as a hand does; the body at
 * frame_b moves in the plane under its weight. Prints the largest differences, and the states that occur.
 */
#include "tool.h"
#include "gripper.h"

enum { ON = 1, ON2OFF, OFF, OFF2ON, STEPS = 2000, PERIOD = 250 };

static const double H = 1e-3, MASS = 2.0, INERTIA = 0.05, WEIGHT = 9.81, NEVER = 1e60;

/* Position and angle of the body, and their rates. */
typedef struct {
    double q[3], v[3];
} Body;

/* An instance, and what the model in Modelica remembers. */
typedef struct {
    MechanicalFMU *fmu;
    int state;
    double t0, ramp_end, pose[6];
} Gripper;

/* The functions of Model Exchange that the package does not need. */
static int (*enter_event)(void *), (*set_time)(void *, double), (*get_integer)(void *, const unsigned *, size_t, int *);

static double *put_frame(double *u, const double *q, const double *v) {
    const double c = cos(q[2]), s = sin(q[2]);
    const double frame[18] = {q[0], q[1], 0, c, s, 0, -s, c, 0, 0, 0, 1, v[0], v[1], 0, 0, 0, v[2]};
    memcpy(u, frame, sizeof frame);
    return u + 18;
}

/* Both frames at a time. */
static void motion(double t, const Body *body, double *u) {
    const double hand[3] = {0.2 * sin(3 * t), 0.1 * sin(5 * t), 0.3 * sin(4 * t)};
    const double rates[3] = {0.6 * cos(3 * t), 0.5 * cos(5 * t), 1.2 * cos(4 * t)};
    put_frame(put_frame(u, hand, rates), body->q, body->v);
}

/* The results of the law in a state. */
static void law(const Gripper *gripper, int state, double t, const Body *body, double *y) {
    double u[44] = {0};
    motion(t, body, u);
    u[36] = t;
    u[37] = gripper->t0;
    memcpy(u + 38, gripper->pose, sizeof gripper->pose);
    MechanicalFMU_law(gripper->fmu, state, u, COUNT(u), y, 20);
}

/* The `when` of the model. */
static void event(Gripper *gripper, double t, int active, const Body *body) {
    double now[20];
    const int before = gripper->state;
    const int settled = before == OFF2ON && t >= gripper->ramp_end ? ON
                      : before == ON2OFF && t >= gripper->ramp_end ? OFF : before;
    law(gripper, OFF, t, body, now);
    gripper->state = settled == 0 ? (active ? ON : OFF) : settled == ON && !active ? ON2OFF
                   : settled == OFF && active ? OFF2ON : settled;
    gripper->t0 = gripper->state == settled ? gripper->t0 : t;
    gripper->ramp_end = gripper->state == ON2OFF || gripper->state == OFF2ON ? gripper->t0 + RAMP : NEVER;
    if (settled == 0 || (settled == OFF && gripper->state != OFF)) {
        memcpy(gripper->pose, now + 14, sizeof gripper->pose);
    }
}

static void check(int status) {
    if (status != 0) {
        printf("wrong: status %d\n", status);
        exit(1);
    }
}

static void set_motion(MechanicalFMU *fmu, double t, const Body *body) {
    double u[36];
    motion(t, body, u);
    check(fmu->set_real(fmu->component, motion_references, COUNT(motion_references), u));
}

/* Event mode until nothing changes; the end of the ramp. */
static double iterated(MechanicalFMU *fmu) {
    MechanicalFMU_EventInfo info = {0};
    do {
        check(fmu->discrete(fmu->component, &info));
    } while (info.again);
    check(fmu->continuous(fmu->component));
    return info.has_next_time ? info.next_time : NEVER;
}

static double event_inside(MechanicalFMU *fmu, double t, int active, const Body *body) {
    check(set_time(fmu->component, t));
    set_motion(fmu, t, body);
    check(enter_event(fmu->component));
    check(fmu->set_boolean(fmu->component, &active_reference, 1, &active));
    return iterated(fmu);
}

static double begin_inside(MechanicalFMU *fmu, int active, const Body *body) {
    check(fmu->setup(fmu->component, 0, 0.0, 0.0, 0, 0.0));
    check(fmu->enter(fmu->component));
    set_motion(fmu, 0.0, body);
    check(fmu->set_boolean(fmu->component, &active_reference, 1, &active));
    check(fmu->leave(fmu->component));
    return iterated(fmu);
}

/* Cut loads, onoff and lossPower. */
static void loads(const Gripper *gripper, int is_inside, double t, const Body *body, double *y) {
    MechanicalFMU *fmu = gripper->fmu;
    if (!is_inside) {
        law(gripper, gripper->state, t, body, y);
        return;
    }
    check(set_time(fmu->component, t));
    set_motion(fmu, t, body);
    check(fmu->get_real(fmu->component, load_references, COUNT(load_references), y));
}

/* Rates of the body: on it acts the opposite of the cut load at frame_b, which is resolved there. */
static Body rates(const Gripper *gripper, int is_inside, double t, const Body *body) {
    double y[20];
    const double c = cos(body->q[2]), s = sin(body->q[2]);
    Body d;
    loads(gripper, is_inside, t, body, y);
    memcpy(d.q, body->v, sizeof d.q);
    d.v[0] = -(c * y[6] - s * y[7]) / MASS;
    d.v[1] = -(s * y[6] + c * y[7]) / MASS - WEIGHT;
    d.v[2] = -y[11] / INERTIA;
    return d;
}

static Body plus(const Body *body, const Body *d, double h) {
    Body sum;
    for (int i = 0; i < 3; i++) {
        sum.q[i] = body->q[i] + h * d->q[i];
        sum.v[i] = body->v[i] + h * d->v[i];
    }
    return sum;
}

/* Runge and Kutta's method. */
static Body moved(const Gripper *gripper, int is_inside, double t, const Body *body) {
    const Body a = rates(gripper, is_inside, t, body), at_b = plus(body, &a, H / 2);
    const Body b = rates(gripper, is_inside, t + H / 2, &at_b), at_c = plus(body, &b, H / 2);
    const Body c = rates(gripper, is_inside, t + H / 2, &at_c), at_d = plus(body, &c, H);
    const Body d = rates(gripper, is_inside, t + H, &at_d);
    Body end = plus(body, &a, H / 6);
    end = plus(&end, &b, H / 3);
    end = plus(&end, &c, H / 3);
    return plus(&end, &d, H / 6);
}

/* Whether the gripper is to hold: a change for each period, and one more in the middle of a ramp. */
static int active_at(int i) {
    return i / PERIOD % 2 == 0 && !(i >= 550 && i < 700);
}

int main(int count, char **arguments) {
    int occurred[5] = {0};
    double differences[3] = {0.0, 0.0, 0.0};
    (void)starts;
    if (count < 2) {
        return 2;
    }
    if (setjmp(failure)) {
        printf("wrong: %s", message);
        return 1;
    }
    Gripper own = {opened(arguments[1], GUID), 0, 0.0, NEVER, {0}}, other = {opened(arguments[1], GUID), 0, 0.0, NEVER, {0}};
    Body body = {{0.05, -0.02, 0.1}, {0, 0, 0}}, inside = body;
    if (!MechanicalFMU_find(own.fmu, "fmi2EnterEventMode", &enter_event) || !MechanicalFMU_find(own.fmu, "fmi2SetTime", &set_time)
        || !MechanicalFMU_find(own.fmu, "fmi2GetInteger", &get_integer)) {
        printf("wrong: %s\n", own.fmu->reason);
        return 1;
    }
    MechanicalFMU_start(own.fmu, 0.0, NULL, 0);
    event(&own, 0.0, active_at(0), &body);
    other.ramp_end = begin_inside(other.fmu, active_at(0), &inside);
    for (int i = 0; i < STEPS; i++) {
        double y[20], expected[20];
        int state;
        const double t = i * H;
        if (i > 0 && (active_at(i) != active_at(i - 1) || t > own.ramp_end - 1e-9)) {
            event(&own, t > own.ramp_end - 1e-9 ? fmax(t, own.ramp_end) : t, active_at(i), &body);
        }
        if (i > 0 && (active_at(i) != active_at(i - 1) || t > other.ramp_end - 1e-9)) {
            other.ramp_end = event_inside(other.fmu, t > other.ramp_end - 1e-9 ? fmax(t, other.ramp_end) : t, active_at(i), &inside);
        }
        loads(&own, 0, t, &body, y);
        loads(&other, 1, t, &inside, expected);
        check(get_integer(other.fmu->component, &state_reference, 1, &state));
        if (own.state != state) {
            printf("wrong: state %d at %g s, not %d\n", own.state, t, state);
            return 1;
        }
        occurred[state]++;
        for (int k = 0; k < 14; k++) {
            differences[0] = fmax(differences[0], fabs(y[k] - expected[k]) / (1.0 + fabs(expected[k])));
        }
        for (int k = 0; k < 3; k++) {
            differences[1] = fmax(differences[1], fabs(body.q[k] - inside.q[k]));
            differences[2] = fmax(differences[2], fabs(body.v[k] - inside.v[k]));
        }
        body = moved(&own, 0, t, &body);
        inside = moved(&other, 1, t, &inside);
    }
    printf("loads %.3g, positions %.3g, velocities %.3g\n", differences[0], differences[1], differences[2]);
    printf("states %d %d %d %d\n", occurred[ON], occurred[ON2OFF], occurred[OFF], occurred[OFF2ON]);
    MechanicalFMU_close(own.fmu);
    MechanicalFMU_close(other.fmu);
    return 0;
}
