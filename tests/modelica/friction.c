/* Friction without inertia among equations of a tool: the law of an FMU, and around it what the model in Modelica says.
 *
 *     friction FOLDER K H < ROWS
 *
 * FOLDER is that of the unpacked FMU. A row has the relative acceleration without friction and f_normalized; K is how much a
 * friction torque of 1 N.m changes that acceleration. Each row holds for H seconds. Prints w_rel, tau and mode at its end. As in a
 * Modelica tool, relations keep their values between events, an event is where one of them changes, and its iteration ends
 * when no discrete variable changes.
 */
#include "tool.h"

enum { BACKWARD = -1, STUCK, FORWARD, FREE, UNKNOWN, STEPS = 100, RELATIONS = 7, ROUNDS = 100 };

/* The discrete variables. */
typedef struct {
    int mode, branch, start_forward, start_backward;
} Memory;

/* A point: the law of the last branch, and what follows from it. */
typedef struct {
    double law[7], sa, a_rel, tau;
} Point;

static void *fmu;
static double torque_factor, a_free, f_normalized;
static Memory pre = {UNKNOWN, STUCK, 0, 0};

/* a_rel = law[0] sa + law[1], tau = law[2] sa + law[3], a_rel = a_free - torque_factor tau */
static Point at(double w) {
    Point p;
    const double u[] = {w, f_normalized};
    MechanicalFMU_law(fmu, pre.branch, u, COUNT(u), p.law, COUNT(p.law));
    p.sa = (a_free - torque_factor * p.law[3] - p.law[1]) / (p.law[0] + torque_factor * p.law[2]);
    p.a_rel = p.law[0] * p.sa + p.law[1];
    p.tau = p.law[2] * p.sa + p.law[3];
    return p;
}

static void relations(double w, int *found) {
    const Point p = at(w);
    const double tau0 = p.law[4], tau0_max = p.law[5];
    const int now[RELATIONS] = {w > 0, w < 0, p.sa > tau0_max, p.sa > tau0, p.sa < -tau0_max, p.sa < -tau0, p.law[6] <= 0};
    memcpy(found, now, sizeof now);
}

static Memory next(double w, int initial) {
    Memory m;
    int r[RELATIONS];
    relations(w, r);
    m.start_forward = (pre.mode == STUCK && ((pre.branch == STUCK && r[2]) || (pre.start_forward && r[3]))) || (initial && r[0]);
    m.start_backward = (pre.mode == STUCK && ((pre.branch == STUCK && r[4]) || (pre.start_backward && r[5]))) || (initial && r[1]);
    const int is_free = r[6];
    const int locked = !is_free && !(pre.mode == FORWARD || m.start_forward || pre.mode == BACKWARD || m.start_backward);
    m.branch = is_free ? FREE : locked ? STUCK : m.start_forward ? FORWARD
             : m.start_backward ? BACKWARD : pre.mode == FORWARD ? FORWARD : BACKWARD;
    m.mode = is_free ? FREE : (pre.mode == FORWARD || pre.mode == FREE || m.start_forward) && r[0] ? FORWARD
           : (pre.mode == BACKWARD || pre.mode == FREE || m.start_backward) && r[1] ? BACKWARD : STUCK;
    return m;
}

static void settle(double w, int initial) {
    for (int round = 0; round < ROUNDS; round++) {
        const Memory m = next(w, initial && round == 0);
        if (m.mode == pre.mode && m.branch == pre.branch && m.start_forward == pre.start_forward
            && m.start_backward == pre.start_backward) {
            return;
        }
        pre = m;
    }
    printf("wrong: an event has no end\n");
    exit(1);
}

/* Runge and Kutta's method. */
static double moved(double w, double h) {
    const double a = at(w).a_rel, b = at(w + h / 2 * a).a_rel, c = at(w + h / 2 * b).a_rel, d = at(w + h * c).a_rel;
    return w + h / 6 * (a + 2 * b + 2 * c + d);
}

/* A step with the events inside it, each at the first time at which a relation has changed. */
static double step(double w, double h) {
    int before[RELATIONS], after[RELATIONS];
    for (int events = 0; h > 0; events++) {
        relations(w, before);
        relations(moved(w, h), after);
        if (memcmp(before, after, sizeof before) == 0) {
            return moved(w, h);
        }
        double low = 0.0, high = h;
        while (low < (low + high) / 2 && (low + high) / 2 < high) {
            const double middle = (low + high) / 2;
            relations(moved(w, middle), after);
            *(memcmp(before, after, sizeof before) == 0 ? &low : &high) = middle;
        }
        w = moved(w, high);
        h -= high;
        settle(w, 0);
        if (events == ROUNDS) {
            printf("wrong: a step has too many events\n");
            exit(1);
        }
    }
    return w;
}

/* The derivative of the law against differences, in all branches, and results of the arguments alone. */
static void check_law(void *other) {
    for (int branch = BACKWARD; branch <= FREE; branch++) {
        const double u[] = {1.3, 0.7}, u_d[] = {0.4, -0.2}, e = 1e-6;
        const double after[] = {u[0] + e * u_d[0], u[1] + e * u_d[1]}, before[] = {u[0] - e * u_d[0], u[1] - e * u_d[1]};
        double y[7], again[7], y_d[7], expected[7];
        MechanicalFMU_law(fmu, branch, after, 2, y, 7);
        MechanicalFMU_law(other, branch, before, 2, again, 7);
        for (int i = 0; i < 7; i++) {
            expected[i] = (y[i] - again[i]) / (2 * e);
        }
        MechanicalFMU_law_d(fmu, branch, u, u_d, 2, y_d, 7);
        agree("law_d", y_d, expected, 7, 1e-8);
        MechanicalFMU_law(fmu, branch, before, 2, y, 7);
        agree("law of another instance", y, again, 7, 0.0);
    }
}

static void check_failures(void) {
    double u[] = {0.0, NAN}, y[7];
    FAILS("size", MechanicalFMU_law(fmu, STUCK, u, 1, y, 7));
    FAILS("number", MechanicalFMU_law(fmu, STUCK, u, 2, y, 7));
}

static void check_early(void) {
    const double u[] = {0.0, 0.0};
    double y[7];
    FAILS("early", MechanicalFMU_law(fmu, STUCK, u, 2, y, 7));
}

/* Runs the rows, each of which holds for h seconds. */
static void run(double h) {
    double w = 0.0;
    for (int is_first = 1; scanf("%lf %lf", &a_free, &f_normalized) == 2; is_first = 0) {
        settle(w, is_first);
        for (int i = 0; i < STEPS; i++) {
            w = step(w, h / STEPS);
        }
        printf("row %.17g %.17g %d\n", w, at(w).tau, pre.mode);
    }
}

int main(int count, char **arguments) {
    (void)starts;
    if (count < 4) {
        return 2;
    }
    fmu = opened(arguments[1], GUID);
    check_early();
    if (setjmp(failure)) {
        printf("wrong: %s", message);
        return 1;
    }
    void *other = opened(arguments[1], GUID);
    MechanicalFMU_start(fmu, 0.0, NULL, 0);
    MechanicalFMU_start(other, 0.0, NULL, 0);
    torque_factor = atof(arguments[2]);
    check_law(other);
    MechanicalFMU_close(other);
    run(atof(arguments[3]));
    check_failures();
    MechanicalFMU_close(fmu);
    return 0;
}
