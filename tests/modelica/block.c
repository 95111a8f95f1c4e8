/* A block with states and events of its own among equations of a tool, as its model in Modelica says.
 *
 *     block FOLDER H NX NZ < ROWS
 *
 * FOLDER is that of the unpacked FMU, NX and NZ the numbers of its states and event indicators. A row has the inputs, which hold
 * for H seconds. Prints the outputs and what changes at events at the end of each row. Relations keep their values
 * between events, an event is where one of them changes, and its iteration ends when none does.
 */
#include "tool.h"

enum { STEPS = 200, ROUNDS = 100, MOST = 64 };

static void *fmu;
static size_t n_u, n_x, n_y, n_z;
static double u[MOST], x[MOST], next_time;
static int above[MOST], discrete[MOST];
static const int modes[] = {INTEGERS}, switches[] = {BOOLEANS};

static void values(double t, const double *at, double *y) {
    MechanicalFMU_values(fmu, t, u, n_u, at, n_x, y, n_y);
}

/* Runge and Kutta's method. */
static void moved(double t, double h, double *to) {
    double k[4][MOST], at[MOST];
    const double part[] = {0.0, 0.5, 0.5, 1.0};
    memcpy(at, x, sizeof at);
    for (int stage = 0; stage < 4; stage++) {
        for (size_t i = 0; stage > 0 && i < n_x; i++) {
            at[i] = x[i] + part[stage] * h * k[stage - 1][i];
        }
        values(t + part[stage] * h, at, k[stage]);
    }
    for (size_t i = 0; i < n_x; i++) {
        to[i] = x[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/* Whether a relation has another value. */
static int changed(double t, const double *at, int *found) {
    double z[MOST];
    int any = 0;
    MechanicalFMU_indicators(fmu, t, u, n_u, at, n_x, z, n_z);
    for (size_t i = 0; i < n_z; i++) {
        found[i] = z[i] > 0;
        any |= found[i] != above[i];
    }
    return any || t >= next_time;
}

static void settle(double t) {
    int found[MOST];
    for (int round = 0; changed(t, x, found); round++) {
        memcpy(above, found, sizeof above);
        next_time = MechanicalFMU_event(fmu, t, u, n_u, x, n_x, modes, N_DISCRETE_INTEGERS, switches, N_DISCRETE_BOOLEANS, x,
                                        discrete, N_DISCRETE_INTEGERS + N_DISCRETE_BOOLEANS);
        if (round == ROUNDS) {
            printf("wrong: an event has no end\n");
            exit(1);
        }
    }
}

static void step(double t, double h) {
    double to[MOST];
    int found[MOST];
    for (int events = 0; h > 0; events++) {
        moved(t, h, to);
        if (!changed(t + h, to, found)) {
            memcpy(x, to, sizeof x);
            return;
        }
        double low = 0.0, high = h;
        while (low < (low + high) / 2 && (low + high) / 2 < high) {
            const double middle = (low + high) / 2;
            moved(t, middle, to);
            *(changed(t + middle, to, found) ? &high : &low) = middle;
        }
        moved(t, high, to);
        memcpy(x, to, sizeof x);
        t += high;
        h -= high;
        settle(t);
        if (events == ROUNDS) {
            printf("wrong: a step has too many events\n");
            exit(1);
        }
    }
}

/* Derivatives against differences. */
static void check_values(double t) {
    const double e = 1e-6;
    double direction[MOST], kept[MOST], at[MOST], after[MOST], before[MOST], y_d[MOST];
    memcpy(kept, u, sizeof kept);
    for (size_t i = 0; i < MOST; i++) {
        direction[i] = 0.3 + 0.1 * (double)(i % 7);
    }
    MechanicalFMU_values_d(fmu, t, u, direction, n_u, x, direction + 1, n_x, y_d, n_y);
    for (int side = -1; side <= 1; side += 2) {
        for (size_t i = 0; i < MOST; i++) {
            u[i] = kept[i] + side * e * direction[i];
            at[i] = x[i] + (i + 1 < MOST ? side * e * direction[i + 1] : 0.0);
        }
        values(t, at, side > 0 ? after : before);
    }
    memcpy(u, kept, sizeof u);
    for (size_t i = 0; i < n_y; i++) {
        after[i] = (after[i] - before[i]) / (2 * e);
    }
    agree("values_d", y_d, after, n_y, 1e-6);
}

static void check_failures(void) {
    double y[MOST];
    FAILS("size", MechanicalFMU_values(fmu, 0.0, u, n_u, x, n_x, y, n_y + 1));
    FAILS("number", MechanicalFMU_values(fmu, NAN, u, n_u, x, n_x, y, n_y));
    FAILS("states", MechanicalFMU_states(fmu, x, n_x + 1));
    FAILS("outputs", MechanicalFMU_memory(fmu, modes, 1, switches, 0, discrete, 0));
}

static void run(double h) {
    double y[MOST];
    for (int row = 0;; row++) {
        for (size_t i = 0; i < n_u; i++) {
            if (scanf("%lf", &u[i]) != 1) {
                return;
            }
        }
        if (row == 0) {
            MechanicalFMU_start(fmu, 0.0, u, n_u);
            MechanicalFMU_states(fmu, x, n_x);
            next_time = MechanicalFMU_memory(fmu, modes, N_DISCRETE_INTEGERS, switches, N_DISCRETE_BOOLEANS, discrete,
                                             N_DISCRETE_INTEGERS + N_DISCRETE_BOOLEANS);
            changed(0.0, x, above);
        }
        settle(row * h);
        for (int i = 0; i < STEPS; i++) {
            step(row * h + i * h / STEPS, h / STEPS);
        }
        check_values((row + 1) * h);
        values((row + 1) * h, x, y);
        printf("row");
        for (size_t i = n_x; i < n_y; i++) {
            printf(" %.17g", y[i]);
        }
        for (size_t i = 0; i < N_DISCRETE_INTEGERS + N_DISCRETE_BOOLEANS; i++) {
            printf(" %d", discrete[i]);
        }
        printf("\n");
    }
}

int main(int count, char **arguments) {
    (void)starts;
    if (count < 5) {
        return 2;
    }
    if (setjmp(failure)) {
        printf("wrong: %s", message);
        return 1;
    }
    fmu = opened(arguments[1], GUID);
    n_u = (size_t)input_counts[0];
    n_x = (size_t)atoi(arguments[3]);
    n_z = (size_t)atoi(arguments[4]);
    n_y = (size_t)output_counts[3];
    run(atof(arguments[2]));
    check_failures();
    MechanicalFMU_close(fmu);
    return 0;
}
