/* Times a system in Co-Simulation, and prints how it moves.
 *
 *     steps LIBRARY TOKEN RESOURCES BUDGET TOLERANCE STEP END SHOWN OUTPUTS
 *
 * BUDGET is the time for all runs [s], STEP the communication step and END the end of the simulation [s]. OUTPUTS are value
 * references with commas between them, which are read at the start and after each step. Prints the nanoseconds of processor time
 * of a run, the median of many, then a line for each communication point: the first SHOWN outputs.
 */
#include <math.h>
#include <string.h>

#include "fmi.h"

FMI2_FUNCTIONS(DECLARE)

enum { MOST = 4001, OUTPUTS = 64 };

static Reference outputs[OUTPUTS];
static size_t outs;

static void quiet(void *environment, const char *name, int status, const char *category, const char *text, ...) {
    (void)environment, (void)name, (void)category;
    if (status > 1) {
        fprintf(stderr, "%s\n", text);
    }
}

static const Callbacks callbacks = {quiet, calloc, free, NULL, NULL};

static void check(int status) {
    if (status > 1) {
        fail("a call failed");
    }
}

/* Returns the seconds of a run; stores the outputs at each communication point. */
static double run(const char *token, const char *resources, double tolerance, double h, long steps, double *values) {
    Unit unit = fmi2Instantiate("system", 1, token, resources, &callbacks, 0, 0);
    if (!unit) {
        fail("the FMU cannot be instantiated");
    }
    check(fmi2SetupExperiment(unit, 1, tolerance, 0.0, 0, 0.0));
    check(fmi2EnterInitializationMode(unit));
    check(fmi2ExitInitializationMode(unit));
    check(fmi2GetReal(unit, outputs, outs, values));
    const double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long i = 0; i < steps; i++) {
        check(fmi2DoStep(unit, (double)i * h, h, 1));
        check(fmi2GetReal(unit, outputs, outs, values + (size_t)(i + 1) * outs));
    }
    const double took = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
    fmi2FreeInstance(unit);
    return took;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int count, char **arguments) {
    if (count != 10) {
        fail("steps LIBRARY TOKEN RESOURCES BUDGET TOLERANCE STEP END SHOWN OUTPUTS");
    }
    void *library = loaded(arguments[1]);
    FMI2_FUNCTIONS(RESOLVE)
    const double budget = atof(arguments[4]), tolerance = atof(arguments[5]), h = atof(arguments[6]);
    const long steps = lround(atof(arguments[7]) / h);
    const size_t shown = (size_t)atol(arguments[8]);
    for (char *next = strtok(arguments[9], ","); next && outs < OUTPUTS; next = strtok(NULL, ",")) {
        outputs[outs++] = (Reference)atol(next);
    }
    double *values = calloc((size_t)(steps + 1) * outs, sizeof *values);
    static double times[MOST];
    const double until = seconds(CLOCK_MONOTONIC) + budget;
    size_t runs = 0;
    do {
        times[runs++] = run(arguments[2], arguments[3], tolerance, h, steps, values);
    } while (runs < MOST && seconds(CLOCK_MONOTONIC) < until);
    qsort(times, runs, sizeof *times, ascending);
    printf("%.17g\n", 1e9 * times[runs / 2]);
    for (long i = 0; i <= steps; i++) {
        for (size_t k = 0; k < shown; k++) {
            printf("%.17g%c", values[(size_t)i * outs + k], k + 1 < shown ? ' ' : '\n');
        }
    }
    free(values);
    return 0;
}
