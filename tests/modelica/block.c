/* A block with states and events of its own among equations of a tool, as its model in Modelica says.
 *
 *     block FOLDER H NX NZ [J C D] < ROWS
 *
 * FOLDER is that of the unpacked FMU, NX and NZ the numbers of its states and event indicators. A row has the inputs up to level
 * 2, then Integer and Boolean inputs: positions go in a straight line to the next row in H seconds, all others hold; without inputs it has one number. A flange of the block is fixed to an inertia
 * J outside, which C and D hold: with the torque given, its motion follows from the block's states; with the motion given, the
 * tool has its states. Prints the outputs and what changes at events at the end of each row. Relations keep their values
 * between events, an event is where one of them changes, and its iteration ends when none does.
 */
#include "tool.h"

enum { STEPS = 200, ROUNDS = 100, MOST = 256, ROWS = 200 };

static void *fmu;
static size_t n_0, n_1, n_2, n_3, n_u, n_x, n_y, n_z;
/* `x`: states of the block, then angle and speed outside. */
static double h, u[MOST], rows[ROWS][MOST], x[MOST], next_time, J, C, D;
static int is_moved, is_held, begins, above[MOST], discrete[MOST], given[MOST];
static const size_t n_discrete = N_DISCRETE_INTEGERS + N_DISCRETE_BOOLEANS;
static const int modes[] = {INTEGERS}, switches[] = {BOOLEANS};
static const int given_integers[] = {GIVEN_INTEGERS}, given_booleans[] = {GIVEN_BOOLEANS};
static const size_t n_given = N_GIVEN_INTEGERS + N_GIVEN_BOOLEANS;

static size_t total(void) {
    return n_x + (is_moved ? 2 : 0);
}

/* The inputs at a time. */
static void surround(double t, const double *at) {
    double A, b, phi, w;
    const int row = (int)floor(t / h * (1 - 1e-12));
    for (size_t i = 0; i < n_0 && !is_moved; i++) {
        u[i] = rows[row][i] + (t / h - row) * (rows[row + 1][i] - rows[row][i]);
    }
    if (is_moved) {
        u[0] = at[n_x];
        u[1] = at[n_x + 1];
    }
    if (!is_moved && !is_held) {
        return;
    }
    MechanicalFMU_coefficients(fmu, t, u, n_u - n_3, at, n_x, &A, 1, 1, &b, 1);
    if (is_moved) {
        u[n_u - 1] = -(b + C * u[0] + D * u[1]) / (J + A);
    } else {
        MechanicalFMU_values(fmu, t, u, n_0, at, n_x, 0, &phi, 1);
        MechanicalFMU_values(fmu, t, u, n_0 + n_1, at, n_x, 1, &w, 1);
        u[n_u - 1] = -(J * b + C * phi + D * w) / (1 + J * A);
    }
}

static void values(double t, const double *at, double *y) {
    surround(t, at);
    MechanicalFMU_values(fmu, t, u, n_u, at, n_x, 3, y, n_y);
}

/* Runge and Kutta's method. */
static void moved(double t, double step, double *to) {
    double k[4][MOST], at[MOST];
    const double part[] = {0.0, 0.5, 0.5, 1.0};
    memcpy(at, x, sizeof at);
    for (int stage = 0; stage < 4; stage++) {
        for (size_t i = 0; stage > 0 && i < total(); i++) {
            at[i] = x[i] + part[stage] * step * k[stage - 1][i];
        }
        values(t + part[stage] * step, at, k[stage]);
        if (is_moved) {
            k[stage][n_x] = u[1];
            k[stage][n_x + 1] = u[n_u - 1];
        }
    }
    for (size_t i = 0; i < total(); i++) {
        to[i] = x[i] + step / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/* Whether a relation has another value. */
static int changed(double t, const double *at, int *found) {
    double z[MOST];
    int any = begins;
    surround(t, at);
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
        begins = 0;
        memcpy(above, found, sizeof above);
        next_time = MechanicalFMU_event_with(fmu, t, u, n_u, x, n_x, given_integers, N_GIVEN_INTEGERS, given_booleans,
                                             N_GIVEN_BOOLEANS, given, modes, N_DISCRETE_INTEGERS, switches, N_DISCRETE_BOOLEANS,
                                             x, discrete, n_discrete);
        if (round == ROUNDS) {
            printf("wrong: an event has no end\n");
            exit(0);
        }
    }
}

static void step(double t, double length) {
    double to[MOST];
    int found[MOST];
    for (int events = 0; length > 0; events++) {
        moved(t, length, to);
        if (!changed(t + length, to, found)) {
            memcpy(x, to, sizeof x);
            return;
        }
        double low = 0.0, high = length;
        while (low < (low + high) / 2 && (low + high) / 2 < high) {
            const double middle = (low + high) / 2;
            moved(t, middle, to);
            *(changed(t + middle, to, found) ? &high : &low) = middle;
        }
        moved(t, high, to);
        memcpy(x, to, sizeof x);
        t += high;
        length -= high;
        settle(t);
        if (events == ROUNDS) {
            printf("wrong: a step has too many events\n");
            exit(0);
        }
    }
}

/* Derivatives against differences, and the linear form against the function. */
static void check_values(double t) {
    const double e = 1e-6;
    const size_t known[] = {n_0, n_0 + n_1, n_u, n_u};
    double direction[MOST], kept[MOST], at[MOST], after[MOST], before[MOST], y_d[MOST];
    surround(t, x);
    memcpy(kept, u, sizeof kept);
    for (size_t i = 0; i < MOST; i++) {
        direction[i] = 0.3 + 0.1 * (double)(i % 7);
    }
    for (int frame = 0; frame < frames[0]; frame++) {
        /* A rotation matrix stays one. */
        memset(direction + 12 * frame + 3, 0, 9 * sizeof *direction);
    }
    for (int level = 0; level < 4; level++) {
        const size_t count = (size_t)output_counts[level];
        MechanicalFMU_values_d(fmu, t, 0.6, u, direction, known[level], x, direction + 1, n_x, level, y_d, count);
        for (int side = -1; side <= 1; side += 2) {
            for (size_t i = 0; i + 1 < MOST; i++) {
                u[i] = kept[i] + side * e * direction[i];
                at[i] = x[i] + side * e * direction[i + 1];
            }
            MechanicalFMU_values(fmu, t + side * e * 0.6, u, known[level], at, n_x, level, side > 0 ? after : before, count);
        }
        memcpy(u, kept, sizeof u);
        for (size_t i = 0; i < count; i++) {
            after[i] = (after[i] - before[i]) / (2 * e);
        }
        /* Rounding of loads of 1e3 N. */
        agree("values_d", y_d, after, count, 2e-5);
    }
    if (n_3 > 0) {
        double A, b, linear;
        MechanicalFMU_coefficients(fmu, t, u, n_u - n_3, x, n_x, &A, 1, 1, &b, 1);
        for (int side = -1; side <= 1; side++) {
            u[n_u - 1] = kept[n_u - 1] + 50.0 * side;
            MechanicalFMU_values(fmu, t, u, n_u, x, n_x, 2, after, 1);
            linear = A * u[n_u - 1] + b;
            agree("the linear form", &linear, after, 1, 1e-10);
        }
        memcpy(u, kept, sizeof u);
    }
}

static void check_failures(void) {
    double y[MOST];
    FAILS("size", MechanicalFMU_values(fmu, 0.0, u, n_u, x, n_x, 3, y, n_y + 1));
    FAILS("inputs", MechanicalFMU_values(fmu, 0.0, u, n_u + 1, x, n_x, 3, y, n_y));
    FAILS("number", MechanicalFMU_values(fmu, NAN, u, n_u, x, n_x, 3, y, n_y));
    FAILS("states", MechanicalFMU_states(fmu, x, n_x + 1));
    FAILS("outputs", MechanicalFMU_memory(fmu, modes, 1, switches, 0, discrete, 0));
    FAILS("coefficients", MechanicalFMU_coefficients(fmu, 0.0, u, n_u - n_3, x, n_x, y, 1, n_3 + 1, y, 1));
}

/* Reads all rows; returns their number. */
static int read(size_t count) {
    count += count == 0;
    for (int row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < count; i++) {
            if (scanf("%lf", &rows[row][i]) != 1) {
                return row;
            }
        }
    }
    return ROWS;
}

static void run(int n_rows) {
    double y[MOST];
    /* Of a flange outside, the rows have nothing; of frames, the last row is where they end. */
    const size_t first = is_moved ? 2 : 0, reals_given = n_u - n_3 - first;
    for (int row = 0; row < n_rows - (n_0 > 0 && !is_moved); row++) {
        memcpy(u + first, rows[row], reals_given * sizeof *u);
        for (size_t i = 0; i < n_given; i++) {
            const int value = (int)rows[row][reals_given + i];
            begins |= value != given[i];
            given[i] = value;
        }
        if (row == 0) {
            MechanicalFMU_start_with(fmu, 0.0, u, n_u - n_3, given_integers, N_GIVEN_INTEGERS, given_booleans,
                                     N_GIVEN_BOOLEANS, given);
            MechanicalFMU_states(fmu, x, n_x);
            next_time = MechanicalFMU_memory(fmu, modes, N_DISCRETE_INTEGERS, switches, N_DISCRETE_BOOLEANS, discrete, n_discrete);
            changed(0.0, x, above);
            begins = n_3 > 0;
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
        for (size_t i = 0; i < n_discrete; i++) {
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
        return 0;
    }
    fmu = opened(arguments[1], GUID);
    h = atof(arguments[2]);
    n_0 = (size_t)input_counts[0];
    n_1 = (size_t)input_counts[1];
    n_2 = (size_t)input_counts[2];
    n_3 = (size_t)input_counts[3];
    n_u = n_0 + n_1 + n_2 + n_3;
    n_x = (size_t)atoi(arguments[3]);
    n_z = (size_t)atoi(arguments[4]);
    n_y = (size_t)output_counts[3];
    if (count > 7) {
        J = atof(arguments[5]);
        C = atof(arguments[6]);
        D = atof(arguments[7]);
        is_moved = output_counts[0] == 0;
        is_held = !is_moved;
    }
    run(read((is_moved ? n_2 : n_u - n_3) + n_given));
    check_failures();
    MechanicalFMU_close(fmu);
    return 0;
}
