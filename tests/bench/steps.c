/* Times a system in Co-Simulation at several tolerances and communication steps, with the errors.
 *
 *     steps LIBRARY TOKEN RESOURCES BUDGET END OUTPUTS
 *
 * BUDGET is the time for each row [s], END that of the simulation [s]. OUTPUTS are value references with commas between them,
 * which are read after each step; the error is that of the first one, against a tolerance of 1e-12. Prints a line for each step
 * and tolerance: both, the nanoseconds of processor time of a run, the median of many, and the largest error.
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

/* Returns the seconds of a run; stores the first output after each step. */
static double run(const char *token, const char *resources, double tolerance, double h, long steps, double *first) {
    Unit unit = fmi2Instantiate("system", 1, token, resources, &callbacks, 0, 0);
    if (!unit) {
        fail("the FMU cannot be instantiated");
    }
    double values[OUTPUTS];
    check(fmi2SetupExperiment(unit, 1, tolerance, 0.0, 0, 0.0));
    check(fmi2EnterInitializationMode(unit));
    check(fmi2ExitInitializationMode(unit));
    const double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long i = 0; i < steps; i++) {
        check(fmi2DoStep(unit, (double)i * h, h, 1));
        check(fmi2GetReal(unit, outputs, outs, values));
        first[i] = values[0];
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
    if (count != 7) {
        fail("steps LIBRARY TOKEN RESOURCES BUDGET END OUTPUTS");
    }
    void *library = loaded(arguments[1]);
    FMI2_FUNCTIONS(RESOLVE)
    const double budget = atof(arguments[4]), end = atof(arguments[5]);
    for (char *next = strtok(arguments[6], ","); next && outs < OUTPUTS; next = strtok(NULL, ",")) {
        outputs[outs++] = (Reference)atol(next);
    }
    const double lengths[] = {1e-2, 1e-3, 1e-4}, tolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const long steps = lround(end / lengths[i]);
        double *exact = calloc(2 * (size_t)steps, sizeof *exact), *found = exact + steps;
        run(arguments[2], arguments[3], 1e-12, lengths[i], steps, exact);
        for (size_t j = 0; j < sizeof tolerances / sizeof *tolerances; j++) {
            static double times[MOST];
            const double until = seconds(CLOCK_MONOTONIC) + budget;
            size_t runs = 0;
            do {
                times[runs++] = run(arguments[2], arguments[3], tolerances[j], lengths[i], steps, found);
            } while (runs < MOST && seconds(CLOCK_MONOTONIC) < until);
            qsort(times, runs, sizeof *times, ascending);
            double error = 0.0;
            for (long k = 0; k < steps; k++) {
                error = fmax(error, fabs(found[k] - exact[k]));
            }
            printf("%.17g %.17g %.17g %.17g\n", lengths[i], tolerances[j], 1e9 * times[runs / 2], error);
        }
        free(exact);
    }
    return 0;
}
