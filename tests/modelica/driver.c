/* Drives the external functions of an FMU in the package MechanicalFMUs as a Modelica tool does.
 *
 *     driver FOLDER [time]
 *
 * FOLDER is that of the unpacked FMU; model.h, made from the text of the model, has the arguments of its constructor and
 * the start values of its inputs. Every function is compared with differences of another one along a motion; then calls
 * that must fail show their messages, and the next one succeeds. Prints a line for each check that is wrong and `done` at the end; with `time`, what
 * calls cost instead.
 */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "tool.h"

enum { MANY = 256 };

/* A fixed sequence of numbers between -1 and 1. */
static double number(void) {
    static unsigned state = 12345;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / 8388608.0 - 1.0;
}

/* A smooth motion: every coordinate q + q_1 t + q_2 t^2/2, frames turn about an axis of their own. */
static double motion[MANY][3], axes[MANY][3];

static void choose_motion(void) {
    for (size_t i = 0; i < MANY; i++) {
        motion[i][0] = 0.0;
        motion[i][1] = 0.2 * number();
        motion[i][2] = 0.4 * number();
        double length = 0.0;
        for (size_t k = 0; k < 3; k++) {
            axes[i][k] = PLANAR ? (k == 2) : number();
            length += axes[i][k] * axes[i][k];
        }
        for (size_t k = 0; k < 3; k++) {
            axes[i][k] /= sqrt(length);
        }
    }
}

/* The inputs of level 0, 1 or 2 at time t. */
static void inputs_at(int level, double t, double *u) {
    size_t coordinate = 0, frames_in = (size_t)frames[0];
    const double *start = starts;
    for (size_t frame = 0; frame < frames_in; frame++) {
        for (size_t i = 0; i < 3; i++, coordinate++) {
            const double *q = motion[coordinate], flat = PLANAR && i == 2 ? 0.0 : 1.0;
            *u++ = level == 0 ? start[i] + flat * (q[1] * t + q[2] * t * t / 2)
                              : flat * (level == 1 ? q[1] + q[2] * t : q[2]);
        }
        const double *q = motion[coordinate++], *n = axes[frame];
        const double angle = q[1] * t + q[2] * t * t / 2, s = sin(angle), c = cos(angle);
        if (level == 0) {
            /* The start is the unit matrix. */
            for (size_t i = 0; i < 3; i++) {
                for (size_t j = 0; j < 3; j++) {
                    const double cross = i == j ? 0.0 : ((j + 3 - i) % 3 == 1 ? 1.0 : -1.0) * n[3 - i - j];
                    *u++ = (i == j ? c : 0.0) + (1 - c) * n[i] * n[j] + s * cross;
                }
            }
            start += 12;
        } else {
            for (size_t i = 0; i < 3; i++) {
                *u++ = n[i] * (level == 1 ? q[1] + q[2] * t : q[2]);
            }
        }
    }
    for (size_t i = 12 * frames_in; i < (size_t)input_counts[0]; i++, coordinate++) {
        const double *q = motion[coordinate];
        *u++ = level == 0 ? *start++ + q[1] * t + q[2] * t * t / 2 : level == 1 ? q[1] + q[2] * t : q[2];
    }
}

/* Inputs of all levels up to one, at a time. */
static size_t all_at(int level, double t, double *u) {
    size_t count = 0;
    for (int k = 0; k <= level && k < 3; k++) {
        double values[MANY];
        inputs_at(k, t, values);
        memcpy(u + count, values, (size_t)input_counts[k] * sizeof *u);
        count += (size_t)input_counts[k];
    }
    for (int i = 0; level == 3 && i < input_counts[3]; i++) {
        u[count++] = 10.0 * motion[i][2] + motion[i][1] * t;
    }
    return count;
}

/* The central difference of a function of time. */
static void difference(void (*function)(void *, double, double *), void *fmu, double t, double *y, size_t count) {
    const double h = 1e-4;
    double after[MANY], before[MANY];
    function(fmu, t + h, after);
    function(fmu, t - h, before);
    for (size_t i = 0; i < count; i++) {
        y[i] = (after[i] - before[i]) / (2 * h);
    }
}

static void input_positions(void *fmu, double t, double *u) {
    (void)fmu;
    inputs_at(0, t, u);
}

static void all_inputs(void *fmu, double t, double *u) {
    (void)fmu;
    all_at(3, t, u);
}

static void positions(void *fmu, double t, double *y) {
    double u[MANY];
    MechanicalFMU_evaluate(fmu, 0, u, all_at(0, t, u), y, (size_t)output_counts[0]);
}

static void velocities(void *fmu, double t, double *y) {
    double u[MANY], v[MANY];
    inputs_at(0, t, u);
    inputs_at(1, t, v);
    MechanicalFMU_velocities(fmu, u, (size_t)input_counts[0], v, (size_t)input_counts[1], y, (size_t)output_counts[1]);
}

static void loads(void *fmu, double t, double *y) {
    double u[MANY];
    MechanicalFMU_evaluate(fmu, 3, u, all_at(3, t, u), y, (size_t)output_counts[3]);
}

static void derivative_of_positions(void *fmu, double t, double *y) {
    double u[MANY], u_d[MANY];
    inputs_at(0, t, u);
    difference(input_positions, fmu, t, u_d, (size_t)input_counts[0]);
    MechanicalFMU_positions_d(fmu, u, u_d, (size_t)input_counts[0], y, (size_t)output_counts[0]);
}

/* w of vee(-T' T^T), from the first principle: the rate of the columns of the transposed matrix. */
static void angular_velocity(const double *T, const double *T_d, double *w) {
    for (size_t i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        w[i] = 0.0;
        for (size_t c = 0; c < 3; c++) {
            w[i] += T_d[3 * j + c] * T[3 * k + c];
        }
    }
}

static void check_motion(void *fmu, double t) {
    const size_t n0 = (size_t)output_counts[0], n1 = (size_t)output_counts[1], in0 = (size_t)input_counts[0];
    double u[MANY], u_d[MANY], v[MANY], a[MANY], found[MANY], expected[MANY], y[MANY];

    difference(positions, fmu, t, expected, n0);
    derivative_of_positions(fmu, t, found);
    agree("positions_d", found, expected, n0, 1e-6);

    positions(fmu, t, y);
    velocities(fmu, t, found);
    for (size_t frame = 0; frame < (size_t)frames[1]; frame++) {
        double w[3];
        agree("velocity of the origin", found + 6 * frame, expected + 12 * frame, 3, 1e-6);
        angular_velocity(y + 12 * frame + 3, expected + 12 * frame + 3, w);
        agree("angular velocity", found + 6 * frame + 3, w, 3, 1e-6);
    }
    agree("velocity of a flange", found + 6 * frames[1], expected + 12 * frames[1], n0 - 12 * (size_t)frames[1], 1e-6);

    difference(velocities, fmu, t, expected, n1);
    inputs_at(0, t, u);
    inputs_at(1, t, v);
    inputs_at(2, t, a);
    MechanicalFMU_accelerations(fmu, u, in0, v, a, (size_t)input_counts[1], found, (size_t)output_counts[2]);
    agree("accelerations", found, expected, n1, 1e-6);

    difference(derivative_of_positions, fmu, t, expected, n0);
    difference(input_positions, fmu, t, u_d, in0);
    double u_dd[MANY], before[MANY], after[MANY];
    inputs_at(0, t - 1e-3, before);
    inputs_at(0, t + 1e-3, after);
    for (size_t i = 0; i < in0; i++) {
        u_dd[i] = (before[i] - 2 * u[i] + after[i]) / 1e-6;
    }
    MechanicalFMU_positions_dd(fmu, u, u_d, u_dd, in0, found, n0);
    agree("positions_dd", found, expected, n0, 1e-4);
}

/* Factors and rest against the functions themselves, and factors of loads against exact derivatives. */
static void check_linear(void *fmu, double t) {
    static double factors[MANY * MANY], others[MANY * MANY], exact[MANY];
    const size_t n2 = (size_t)output_counts[2], n3 = (size_t)output_counts[3];
    const size_t n_z = (size_t)input_counts[2], rows = n2 + n3, columns = n_z + (size_t)input_counts[3];
    double u[MANY], b[MANY], found[MANY], expected[MANY], u_d[MANY];
    const size_t all = all_at(3, t, u), begin = all - columns;
    MechanicalFMU_linear(fmu, u, begin, factors, n2, n_z, others, n3, columns, b, rows);
    for (size_t i = 0; i < rows; i++) {
        found[i] = b[i];
        const double *row = i < n2 ? factors + i * n_z : others + (i - n2) * columns;
        for (size_t k = 0; k < (i < n2 ? n_z : columns); k++) {
            found[i] += row[k] * u[begin + k];
        }
    }
    MechanicalFMU_evaluate(fmu, 2, u, all - (size_t)input_counts[3], expected, n2);
    MechanicalFMU_evaluate(fmu, 3, u, all, expected + n2, n3);
    agree("the linear form", found, expected, rows, 1e-12);
    for (size_t k = 0; k < columns; k++) {
        memset(u_d, 0, sizeof u_d);
        u_d[begin + k] = 1.0;
        MechanicalFMU_loads_d(fmu, u, u_d, all, exact, n3);
        for (size_t i = 0; i < n3; i++) {
            found[i] = others[i * columns + k];
        }
        agree("factors of loads", found, exact, n3, 1e-13);
    }
}

static void check_loads(void *fmu, double t) {
    const size_t count = (size_t)output_counts[3];
    double u[MANY], u_d[MANY], found[MANY], expected[MANY];
    const size_t all = all_at(3, t, u);
    difference(all_inputs, fmu, t, u_d, all);
    difference(loads, fmu, t, expected, count);
    MechanicalFMU_loads_d(fmu, u, u_d, all, found, count);
    agree("loads_d", found, expected, count, 1e-4);
}

/* Results are those of the arguments alone, whatever was called before, for two instances at once. */
static void check_purity(void *one, void *other) {
    double first[MANY], again[MANY], elsewhere[MANY];
    loads(one, 0.1, first);
    loads(other, -0.1, elsewhere);
    loads(one, 0.2, elsewhere);
    if (output_counts[0]) {
        velocities(one, -0.2, elsewhere);
        check_linear(other, 0.15);
    }
    loads(other, 0.1, again);
    agree("loads of another instance", again, first, (size_t)output_counts[3], 0.0);
    loads(one, 0.1, again);
    agree("loads again", again, first, (size_t)output_counts[3], 0.0);
}

/* The instance is still of use. */
#define FAILS_ONCE(what, call) \
    do { \
        FAILS(what, call); \
        if (setjmp(failure) == 0) { \
            loads(fmu, 0.1, found); \
            agree("loads after a failure", found, expected, (size_t)output_counts[3], 0.0); \
        } else { \
            printf("wrong: after %s: %s", what, message); \
        } \
    } while (0)

/* Failures are errors, for which a tool tries a shorter step. Where they do not end, the results are NaN, until enough calls
 * succeed. */
static void check_endless_failures(void *fmu) {
    const size_t n3 = (size_t)output_counts[3];
    const size_t all = (size_t)(input_counts[0] + input_counts[1] + input_counts[2] + input_counts[3]);
    double u[MANY] = {0}, y[MANY], at[MANY], found[MANY], expected[MANY];
    volatile int errors = 0, results = 0;
    const size_t given = all_at(3, 0.1, at);
    loads(fmu, 0.1, expected);
    for (volatile int i = 0; i < 150; i++) {
        y[0] = y[n3 - 1] = 0.0;
        if (setjmp(failure) == 0) {
            MechanicalFMU_evaluate(fmu, 3, u, all, y, n3);
            results++;
            if (y[0] == y[0] || y[n3 - 1] == y[n3 - 1]) {
                printf("wrong: a failure has the result %g\n", y[0]);
            }
            /* What a solver computes in between has its values. */
            MechanicalFMU_evaluate(fmu, 3, at, given, found, n3);
            agree("loads between failures", found, expected, n3, 0.0);
        } else {
            errors++;
        }
    }
    printf("endless: %d errors, then %d results that are NaN\n", errors, results);
    for (int i = 0; i < MECHANICAL_FMU_FAILURES * MECHANICAL_FMU_FORGIVEN; i++) {
        MechanicalFMU_evaluate(fmu, 3, at, given, found, n3);
    }
    FAILS("forgiven", MechanicalFMU_evaluate(fmu, 3, u, all, y, n3));
}

static void check_failures(void *fmu, const char *folder) {
    static int counts[5];
    static char deep[2 * MECHANICAL_FMU_TEXT];
    const size_t n0 = (size_t)input_counts[0], n3 = (size_t)output_counts[3], all = (size_t)(
        input_counts[0] + input_counts[1] + input_counts[2] + input_counts[3]);
    double u[MANY] = {0}, y[MANY], found[MANY], expected[MANY];
    loads(fmu, 0.1, expected);
    memset(deep, 'a', sizeof deep - 1);
    FAILS("folder", opened("nowhere", GUID));
    FAILS("depth", opened(deep, GUID));
    FAILS("guid", opened(folder, "{another}"));
    FAILS("parameter", MechanicalFMU_open(folder, NAME, GUID, reals, 1, &(double){NAN}, NULL, 0, NULL, NULL, 0, NULL,
                                          inputs, COUNT(inputs), all_counts, outputs, COUNT(outputs), output_counts,
                                          frames));
    FAILS("reference", MechanicalFMU_open(folder, NAME, GUID, &(int){99999}, 1, &(double){1.0}, NULL, 0, NULL, NULL, 0,
                                          NULL, inputs, 0, counts, outputs, 0, counts, frames));
    FAILS_ONCE("size", MechanicalFMU_evaluate(fmu, 3, u, 1, y, 1));
    FAILS_ONCE("law", MechanicalFMU_law(fmu, 0, u, 1, y, 1));
    FAILS_ONCE("matrix", MechanicalFMU_evaluate(fmu, 3, u, all, y, n3));
    FAILS_ONCE("start", MechanicalFMU_start(fmu, 0.0, u, n0));
    check_endless_failures(fmu);
    all_at(3, 0.0, u);
    u[0] = NAN;
    FAILS_ONCE("number", MechanicalFMU_evaluate(fmu, 3, u, all, y, n3));
}

/* Outputs as the FMU has them, without new inputs. */
static void present(const MechanicalFMU *fmu, double *y) {
    fmu->get_real(fmu->component, fmu->out[3].references, fmu->out[3].count, y);
}

/* A start with other positions forgets the first ones, also one that follows a refused one. */
static void check_start(const char *folder) {
    const size_t n0 = (size_t)input_counts[0], n3 = (size_t)output_counts[3];
    double u[MANY], before[MANY], found[MANY], expected[MANY];
    void *once = opened(folder, GUID), *twice = opened(folder, GUID);
    inputs_at(0, 0.0, u);
    MechanicalFMU_start(twice, 0.0, u, n0);
    present(twice, before);
    inputs_at(0, 0.2, u);
    MechanicalFMU_start(once, 0.0, u, n0);
    present(once, expected);
    MechanicalFMU_start(twice, 0.0, u, n0);
    present(twice, found);
    agree("outputs after a second start", found, expected, n3, 0.0);
    if (memcmp(before, expected, n3 * sizeof *before) == 0) {
        printf("wrong: the start does not matter\n");
    }
    MechanicalFMU_close(once);
    MechanicalFMU_close(twice);
}

/* Takes what belongs to inner frames in use, and all behind it; returns how much that is. */
static size_t of_used(const int *frames_used, size_t of_frame, const double *all, size_t count, double *y) {
    const size_t n_frames = (size_t)frames[1];
    size_t n_y = 0;
    for (size_t i = 0; i < count; i++) {
        if (i >= of_frame * n_frames || frames_used[2 + i / of_frame]) {
            y[n_y++] = all[i];
        }
    }
    return n_y;
}

/* Without some inner frames: all others move as with them, and so do the loads, where nothing acts at these. */
static void check_without(void *fmu, const char *folder, const int *frames_used) {
    static double factors[MANY * MANY], others[MANY * MANY], few_factors[MANY * MANY], few_others[MANY * MANY];
    const size_t in0 = (size_t)input_counts[0], in1 = (size_t)input_counts[1], n0 = (size_t)output_counts[0];
    const size_t n2 = (size_t)output_counts[2], n3 = (size_t)output_counts[3], loads = (size_t)input_counts[3];
    const size_t n_z = (size_t)input_counts[2], n_frames = (size_t)frames[1];
    double u[MANY], few[MANY], u_d[MANY], y[MANY], expected[MANY], found[MANY], b[MANY], few_b[MANY];
    void *without = opened_with(folder, GUID, frames_used);
    inputs_at(0, 0.0, u);
    MechanicalFMU_start(without, 0.0, u, in0);
    const size_t all = all_at(3, 0.1, u), given = all - loads, z = given - n_z;
    for (size_t i = 0; i < 6 * n_frames; i++) {
        u[given + i] *= frames_used[2 + i / 6];
    }
    memcpy(few, u, given * sizeof *u);
    const size_t few_loads = of_used(frames_used, 6, u + given, loads, few + given), columns = n_z + few_loads;

    MechanicalFMU_evaluate(fmu, 0, u, in0, y, n0);
    const size_t few_n0 = of_used(frames_used, 12, y, n0, expected);
    MechanicalFMU_evaluate(without, 0, few, in0, found, few_n0);
    agree("positions without a frame", found, expected, few_n0, 0.0);
    difference(input_positions, fmu, 0.1, u_d, in0);
    MechanicalFMU_positions_d(fmu, u, u_d, in0, y, n0);
    of_used(frames_used, 12, y, n0, expected);
    MechanicalFMU_positions_d(without, few, u_d, in0, found, few_n0);
    agree("positions_d without a frame", found, expected, few_n0, 0.0);
    MechanicalFMU_positions_dd(fmu, u, u_d, u_d, in0, y, n0);
    of_used(frames_used, 12, y, n0, expected);
    MechanicalFMU_positions_dd(without, few, u_d, u_d, in0, found, few_n0);
    agree("positions_dd without a frame", found, expected, few_n0, 0.0);
    MechanicalFMU_velocities(fmu, u, in0, u + in0, in1, y, n2);
    const size_t few_n2 = of_used(frames_used, 6, y, n2, expected);
    MechanicalFMU_velocities(without, few, in0, few + in0, in1, found, few_n2);
    agree("velocities without a frame", found, expected, few_n2, 0.0);

    MechanicalFMU_linear(fmu, u, z, factors, n2, n_z, others, n3, n_z + loads, b, n2 + n3);
    MechanicalFMU_linear(without, few, z, few_factors, few_n2, n_z, few_others, n3, columns, few_b, few_n2 + n3);
    for (size_t k = 0; k < n_z; k++) {
        for (size_t i = 0; i < n2; i++) {
            y[i] = factors[i * n_z + k];
        }
        of_used(frames_used, 6, y, n2, expected);
        for (size_t i = 0; i < few_n2; i++) {
            found[i] = few_factors[i * n_z + k];
        }
        agree("factors without a frame", found, expected, few_n2, 0.0);
    }
    for (size_t i = 0; i < n3; i++) {
        memcpy(expected, others + i * (n_z + loads), n_z * sizeof *others);
        of_used(frames_used, 6, others + i * (n_z + loads) + n_z, loads, expected + n_z);
        agree("factors of loads without a frame", few_others + i * columns, expected, columns, 0.0);
    }
    of_used(frames_used, 6, b, n2 + n3, expected);
    agree("the rest without a frame", few_b, expected, few_n2 + n3, 0.0);

    /* What a tool solves: the functions of all frames, without loads at those that are left out. */
    MechanicalFMU_accelerations(fmu, u, in0, u + in0, u + z, in1, y, n2);
    of_used(frames_used, 6, y, n2, expected);
    MechanicalFMU_evaluate(fmu, 3, u, all, expected + few_n2, n3);
    for (size_t i = 0; i < few_n2 + n3; i++) {
        const double *row = i < few_n2 ? few_factors + i * n_z : few_others + (i - few_n2) * columns;
        found[i] = few_b[i];
        for (size_t k = 0; k < (i < few_n2 ? n_z : columns); k++) {
            found[i] += row[k] * few[z + k];
        }
    }
    agree("the linear form without a frame", found, expected, few_n2 + n3, 1e-12);
    MechanicalFMU_evaluate(without, 3, few, z + columns, found, n3);
    agree("loads without a frame", found, expected + few_n2, n3, 0.0);

    for (size_t i = 0; i < n_frames; i++) {
        double r_0[3], T[9], w[3];
        MechanicalFMU_inner(without, (int)i + 1, few, z, r_0, T, w);
        MechanicalFMU_evaluate(fmu, 0, u, in0, y, n0);
        agree("position of an inner frame", r_0, y + 12 * i, 3, 0.0);
        agree("rotation of an inner frame", T, y + 12 * i + 3, 9, 0.0);
        MechanicalFMU_velocities(fmu, u, in0, u + in0, in1, y, n2);
        agree("angular velocity of an inner frame", w, y + 6 * i + 3, 3, 0.0);
    }
    MechanicalFMU_close(without);
}

/* Each inner frame left out alone, then each one kept alone, then none. */
static void check_frames(void *fmu, const char *folder) {
    int frames_used[COUNT(frames)];
    double y[MANY];
    for (int i = 0; i <= 2 * frames[1]; i++) {
        memcpy(frames_used, frames, sizeof frames_used);
        for (int k = 0; k < frames[1]; k++) {
            frames_used[2 + k] = i < frames[1] ? k != i : k == i - frames[1];
        }
        check_without(fmu, folder, frames_used);
    }
    FAILS("inner", MechanicalFMU_inner(fmu, 99, NULL, 0, y, y, y));
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The median of batches, in microseconds. */
#define MEASURE(what, call) \
    do { \
        double best = 1e9; \
        for (int batch = 0; batch < 200; batch++) { \
            const double begin = now(); \
            for (int i = 0; i < 200; i++) { \
                u[0] += 1e-9; \
                call; \
            } \
            const double spent = (now() - begin) * 1e6 / 200; \
            best = spent < best ? spent : best; \
        } \
        printf("%s %.3f us\n", what, best); \
    } while (0)

static void measure(MechanicalFMU *fmu) {
    static double factors[MANY * MANY], others[MANY * MANY];
    double u[MANY], y[MANY], b[MANY];
    const size_t n3 = (size_t)output_counts[3], all = all_at(3, 0.1, u);
    MEASURE("loads", MechanicalFMU_evaluate(fmu, 3, u, all, y, n3));
    MEASURE("the same, called directly",
            (fmu->set_real(fmu->component, fmu->references, all, u),
             fmu->get_real(fmu->component, fmu->out[3].references, n3, y)));
    if (output_counts[0]) {
        const size_t n2 = (size_t)output_counts[2], n_z = (size_t)input_counts[2];
        const size_t columns = n_z + (size_t)input_counts[3];
        MEASURE("linear",
                MechanicalFMU_linear(fmu, u, all - columns, factors, n2, n_z, others, n3, columns, b, n2 + n3));
        const size_t n_u = (size_t)input_counts[0], n_v = (size_t)input_counts[1];
        MEASURE("positions, velocities, linear",
                (MechanicalFMU_evaluate(fmu, 0, u, n_u, y, (size_t)output_counts[0]),
                 MechanicalFMU_velocities(fmu, u, n_u, u + n_u, n_v, y, (size_t)output_counts[1]),
                 MechanicalFMU_linear(fmu, u, n_u + n_v, factors, n2, n_z, others, n3, columns, b, n2 + n3)));
        /* With the last but one inner frame alone, for an engine's piston. */
        int frames_used[COUNT(frames)] = {frames[0], frames[1]};
        frames_used[frames[1]] = 1;
        MechanicalFMU *few = opened_with(fmu->folder, GUID, frames_used);
        const size_t left_out = 6 * (size_t)(frames[1] - 1), few_columns = columns - left_out, few_n2 = n2 - left_out;
        inputs_at(0, 0.0, u);
        MechanicalFMU_start(few, 0.0, u, n_u);
        all_at(2, 0.1, u);
        MEASURE("linear with one inner frame",
                MechanicalFMU_linear(few, u, n_u + n_v, factors, few_n2, n_z, others, n3, few_columns, b, few_n2 + n3));
        MechanicalFMU_close(few);
    }
}

int main(int count, char **arguments) {
    double u[MANY];
    choose_motion();
    if (count < 2) {
        return 2;
    }
    if (setjmp(failure)) {
        printf("wrong: %s", message);
        return 1;
    }
    void *fmu = opened(arguments[1], GUID), *other = opened(arguments[1], GUID);
    inputs_at(0, 0.0, u);
    const int ready[] = {MechanicalFMU_start(fmu, 0.0, u, (size_t)input_counts[0]),
                         MechanicalFMU_start(other, 0.0, u, (size_t)input_counts[0]),
                         MechanicalFMU_start(fmu, 0.0, u, (size_t)input_counts[0])};
    if (ready[0] != 1 || ready[1] != 1 || ready[2] != 1) {
        printf("wrong: not ready\n");
    }
    if (count > 2) {
        measure(fmu);
        return 0;
    }
    for (int i = -2; i <= 2; i++) {
        const double t = 0.1 * i;
        if (output_counts[0]) {
            check_motion(fmu, t);
            check_linear(fmu, t);
        }
        check_loads(fmu, t);
    }
    check_purity(fmu, other);
    check_start(arguments[1]);
    check_failures(fmu, arguments[1]);
    check_frames(other, arguments[1]);
    MechanicalFMU_close(other);
    MechanicalFMU_close(fmu);
    MechanicalFMU_close(NULL);
    puts("done");
    return 0;
}
