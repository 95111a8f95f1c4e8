/* A clutch that engages, is overloaded and engages again: the exact FMU against fixed steps of the same equations.
 *
 *     engagement LIBRARY TOKEN RESOURCES BUDGET f_normalized flange_a.tau flange_b.tau \
 *         flange_a.phi flange_a.w flange_b.phi flange_b.w
 *
 * The last seven are value references, BUDGET is the time for each line [s]. Prints a line for each method and step:
 * the method, the step [s], the cost [s of this processor per simulated second], the slip angle at the end [rad],
 * the heat [J], both angular velocities at the end [rad/s].
 *
 * J_a = 0.2, J_b = 1 kg.m2, a friction torque of 50 N.m - 0.2 N.m.s/rad times the speed of sliding, that holds up to
 * 60 N.m. The shaft at flange_a begins with 100 rad/s. `fmu-tests`' example `engagement` knows the exact results.
 */
#include <math.h>
#include <stdbool.h>

#include "fmi.h"

static const double J_a = 0.2, J_b = 1.0, END = 3.0, W_START = 100.0;
/* From this time on the torques at both flanges. */
static const double LOADS[3][3] = {{0.0, 20.0, -10.0}, {1.5, 20.0, -300.0}, {1.7, 20.0, -10.0}};

typedef struct {
    double phi_a, w_a, phi_b, w_b;
} Motion;

static double limit(double slip) { return 50.0 - 0.2 * fabs(slip); }

/* ---- Fixed steps ------------------------------------------------------------------------------------------------ */

/* The speed of sliding over which tanh rounds the jump of the friction; or nothing, where modes change at steps. */
static double rounding;
static int mode; /* 1: flange_a is faster, -1: flange_b, 0: stuck */

static Motion slope(Motion m, double tau_a, double tau_b) {
    const double slip = m.w_a - m.w_b;
    if (rounding == 0.0 && mode == 0) {
        const double a = (tau_a + tau_b) / (J_a + J_b);
        return (Motion){m.w_a, a, m.w_b, a};
    }
    const double friction = limit(slip) * (rounding > 0.0 ? tanh(slip / rounding) : mode);
    return (Motion){m.w_a, (tau_a - friction) / J_a, m.w_b, (tau_b + friction) / J_b};
}

static Motion plus(Motion m, double h, Motion d) {
    return (Motion){m.phi_a + h * d.phi_a, m.w_a + h * d.w_a, m.phi_b + h * d.phi_b, m.w_b + h * d.w_b};
}

static Motion euler(Motion m, double h, double tau_a, double tau_b) { return plus(m, h, slope(m, tau_a, tau_b)); }

static Motion runge_kutta(Motion m, double h, double tau_a, double tau_b) {
    const Motion k1 = slope(m, tau_a, tau_b);
    const Motion k2 = slope(plus(m, h / 2, k1), tau_a, tau_b);
    const Motion k3 = slope(plus(m, h / 2, k2), tau_a, tau_b);
    const Motion k4 = slope(plus(m, h, k3), tau_a, tau_b);
    return plus(plus(plus(plus(m, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
}

/* What holds the shafts together, as it acts on the one at flange_b. */
static double holding(double tau_a, double tau_b) { return tau_a - J_a * (tau_a + tau_b) / (J_a + J_b); }

/* The mode of the next step, as a program decides it that looks at the ends of steps only. */
static void switch_mode(Motion *m, double tau_a, double tau_b) {
    const double slip = m->w_a - m->w_b, needed = holding(tau_a, tau_b);
    if (mode != 0 && slip * mode > 0.0) {
        return;
    }
    if (fabs(needed) <= (mode == 0 ? 60.0 : limit(0.0))) {
        /* The momentum stays. */
        m->w_a = m->w_b = (J_a * m->w_a + J_b * m->w_b) / (J_a + J_b);
        mode = 0;
    } else {
        mode = needed > 0.0 ? 1 : -1;
    }
}

typedef Motion (*Method)(Motion, double, double, double);

static Method method;

static void add_heat(double *heat, const double *load, Motion begin, Motion end);

static Motion fixed(double h, double *heat) {
    Motion m = {0.0, W_START, 0.0, 0.0};
    *heat = 0.0;
    mode = 1;
    for (int phase = 0; phase < 3; phase++) {
        const double *load = LOADS[phase], until = phase < 2 ? LOADS[phase + 1][0] : END;
        const long steps = lround((until - load[0]) / h);
        const Motion begin = m;
        for (long i = 0; i < steps; i++) {
            if (rounding == 0.0) {
                switch_mode(&m, load[1], load[2]);
            }
            m = method(m, h, load[1], load[2]);
        }
        add_heat(heat, load, begin, m);
    }
    return m;
}

/* ---- The FMU ---------------------------------------------------------------------------------------------------- */

FMI2_FUNCTIONS(DECLARE)

static Unit unit;
static void *start;
static Reference references[7];

static void check(int status) {
    if (status != 0) {
        fail("the FMU refuses a call");
    }
}

static void quiet(void *environment, const char *name, int status, const char *category, const char *text, ...) {
    (void)environment, (void)name, (void)status, (void)category, (void)text;
}

static Motion exact(double h, double *heat) {
    Motion m = {0.0, W_START, 0.0, 0.0};
    *heat = 0.0;
    check(fmi2SetFMUstate(unit, start));
    for (int phase = 0; phase < 3; phase++) {
        const double *load = LOADS[phase], until = phase < 2 ? LOADS[phase + 1][0] : END;
        const long steps = lround((until - load[0]) / h);
        const Motion begin = m;
        for (long i = 0; i < steps; i++) {
            /* Inputs and outputs at each communication point, as a master has them. */
            const double inputs[3] = {1.0, load[1], load[2]};
            double outputs[4];
            check(fmi2SetReal(unit, references, 3, inputs));
            check(fmi2DoStep(unit, load[0] + (double)i * h, h, 1));
            check(fmi2GetReal(unit, references + 3, 4, outputs));
            m = (Motion){outputs[0], outputs[1], outputs[2], outputs[3]};
        }
        add_heat(heat, load, begin, m);
    }
    return m;
}

/* ---- Both ------------------------------------------------------------------------------------------------------- */

/* What the torques did and the motion does not have. */
static void add_heat(double *heat, const double *load, Motion begin, Motion end) {
    const double work = load[1] * (end.phi_a - begin.phi_a) + load[2] * (end.phi_b - begin.phi_b);
    const double before = J_a * begin.w_a * begin.w_a + J_b * begin.w_b * begin.w_b;
    const double after = J_a * end.w_a * end.w_a + J_b * end.w_b * end.w_b;
    *heat += work - (after - before) / 2.0;
}

static double budget;

static double now(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }

/* The least of several runs: what disturbs a run makes it slower only. */
static void report(const char *name, double h, Motion (*run)(double, double *)) {
    double heat, least = INFINITY, spent = 0.0;
    Motion end = run(h, &heat);
    size_t batch = 1;
    while (spent < budget || isinf(least)) {
        const double begin = now();
        for (size_t i = 0; i < batch; i++) {
            end = run(h, &heat);
        }
        const double took = now() - begin;
        spent += took;
        if (took < 2e-4) {
            batch *= 2;
        } else {
            least = fmin(least, took / (double)batch);
        }
    }
    printf("%s;%.17g;%.17g;%.17g;%.17g;%.17g;%.17g\n", name, h, least / END, end.phi_a - end.phi_b, heat, end.w_a,
           end.w_b);
    fflush(stdout);
}

int main(int count, char **arguments) {
    if (count != 12) {
        fail("engagement LIBRARY TOKEN RESOURCES BUDGET and seven value references");
    }
    void *library = loaded(arguments[1]);
    FMI2_FUNCTIONS(RESOLVE)
    budget = atof(arguments[4]);
    for (int i = 0; i < 7; i++) {
        references[i] = (Reference)atoi(arguments[5 + i]);
    }

    const Callbacks callbacks = {quiet, calloc, free, NULL, NULL};
    unit = fmi2Instantiate("clutch", 1, arguments[2], arguments[3], &callbacks, 0, 0);
    if (!unit) {
        fail("the FMU cannot be instantiated");
    }
    const double inputs[3] = {1.0, LOADS[0][1], LOADS[0][2]};
    check(fmi2SetReal(unit, references, 3, inputs));
    check(fmi2SetupExperiment(unit, 0, 0.0, 0.0, 0, 0.0));
    check(fmi2EnterInitializationMode(unit));
    check(fmi2ExitInitializationMode(unit));
    check(fmi2GetFMUstate(unit, &start));
    for (double h = 0.1; h > 5e-4; h /= 10.0) {
        report("Clutch.fmu", h, exact);
    }
    check(fmi2FreeFMUstate(unit, &start));
    fmi2FreeInstance(unit);

    const double steps[] = {1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5};
    for (int i = 0; i < 10; i++) {
        rounding = 0.0;
        method = euler;
        report("Euler, mode switched at steps", steps[i], fixed);
        method = runge_kutta;
        report("RK4, mode switched at steps", steps[i], fixed);
        /* The derivative of the law times the step stays inside the region where the method is stable. */
        rounding = 300.0 * steps[i];
        report("RK4, tanh as sharp as the step allows", steps[i], fixed);
        rounding = 0.1;
        if (300.0 * steps[i] / rounding < 2.7) {
            report("RK4, tanh over 0.1 rad/s", steps[i], fixed);
        }
    }
    return 0;
}
