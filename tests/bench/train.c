/* Times a drive train: an evaluation in Model Exchange, and a run in Co-Simulation.
 *
 *     train LIBRARY TOKEN RESOURCES STATES BUDGET [torque.tau clutch1.f_normalized clutch2.f_normalized clutch3.f_normalized
 *         OUTPUTS | coast]
 *
 * STATES is the number of states, BUDGET the time for each row [s]. An evaluation is SetTime, SetContinuousStates and
 * GetDerivatives at a new point. With the value references of inputs, the run is Modelica's CoupledClutches: 1.5 s in steps of
 * 10 ms with tolerance 1e-6, in which inputs are set with their first derivatives and the outputs, value references with
 * commas between them, read. `step` is then fmi2SetReal of another torque and fmi2DoStep, the mean of that run in steps of 1 ms. With
 * `coast` the run is 1 s in steps of 1 ms, without inputs. Prints `evaluation`, `run` and `step` with the nanoseconds of processor time
 * that each takes, the median of many.
 */
#include <math.h>
#include <string.h>

#include "fmi.h"

FMI2_FUNCTIONS(DECLARE)

enum { MOST = 4001 };

static const double STEP = 0.01, TOLERANCE = 1e-6;
static const int STEPS = 150;

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

static Unit begin(const char *token, const char *resources, int interface) {
    Unit unit = fmi2Instantiate("train", interface, token, resources, &callbacks, 0, 0);
    if (!unit) {
        fail("the FMU cannot be instantiated");
    }
    check(fmi2SetupExperiment(unit, 1, TOLERANCE, 0.0, 0, 0.0));
    check(fmi2EnterInitializationMode(unit));
    return unit;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void show(const char *name, double *times, size_t count) {
    qsort(times, count, sizeof *times, ascending);
    printf("%s %.17g\n", name, times[count / 2]);
}

static void evaluate(const char *token, const char *resources, size_t states, double budget) {
    static double times[MOST];
    Unit unit = begin(token, resources, 0);
    check(fmi2ExitInitializationMode(unit));
    check(fmi2EnterContinuousTimeMode(unit));
    double *x = calloc(2 * states + 1, sizeof *x), *slopes = x + states;
    check(fmi2GetContinuousStates(unit, x, states));
    const double end = seconds(CLOCK_MONOTONIC) + budget;
    const size_t batch = states > 100 ? 1 : 100;
    double time = 0.0;
    size_t count = 0;
    do {
        const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (size_t i = 0; i < batch; i++) {
            time += 1e-6;
            x[i % states] += 1e-9;
            check(fmi2SetTime(unit, time));
            check(fmi2SetContinuousStates(unit, x, states));
            check(fmi2GetDerivatives(unit, slopes, states));
        }
        times[count++] = 1e9 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / (double)batch;
    } while (count < MOST && seconds(CLOCK_MONOTONIC) < end);
    show("evaluation", times, count);
    free(x);
    fmi2FreeInstance(unit);
}

/* A sine with its derivative. */
static void sine(double amplitude, double f, double phase, double t, double *value, double *slope) {
    const double omega = 2.0 * M_PI * f;
    *value = amplitude * sin(omega * t + phase);
    *slope = amplitude * omega * cos(omega * t + phase);
}

static void set(Unit unit, const Reference inputs[4], int at) {
    const int order[2] = {1, 1};
    const double t = at * STEP;
    double values[4] = {0.0, 0.0, at >= 40, at >= 90}, slopes[2];
    sine(10.0, 5.0, 0.0, t, &values[0], &slopes[0]);
    sine(1.0, 0.2, M_PI / 2.0, t, &values[1], &slopes[1]);
    check(fmi2SetReal(unit, inputs, 4, values));
    check(fmi2SetRealInputDerivatives(unit, inputs, 2, order, slopes));
}

static void run(const char *token, const char *resources, double budget, const Reference inputs[4],
                const Reference *outputs, size_t outs) {
    static double times[MOST];
    double *values = calloc(outs, sizeof *values);
    const double end = seconds(CLOCK_MONOTONIC) + budget;
    size_t count = 0;
    do {
        Unit unit = begin(token, resources, 1);
        set(unit, inputs, 0);
        check(fmi2ExitInitializationMode(unit));
        const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < STEPS; i++) {
            set(unit, inputs, i);
            check(fmi2DoStep(unit, i * STEP, STEP, 1));
            check(fmi2GetReal(unit, outputs, outs, values));
        }
        times[count++] = 1e9 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
        fmi2FreeInstance(unit);
    } while (count < MOST && seconds(CLOCK_MONOTONIC) < end);
    show("run", times, count);
    free(values);
}

/* Sets another torque before each step; one clutch is closed. */
static void vary(const char *token, const char *resources, double budget, const Reference inputs[4]) {
    static double times[MOST];
    enum { COUNT = 1500 };
    const double end = seconds(CLOCK_MONOTONIC) + budget;
    size_t count = 0;
    do {
        Unit unit = begin(token, resources, 1);
        const double forces[3] = {1.0, 0.0, 0.0};
        check(fmi2SetReal(unit, inputs + 1, 3, forces));
        check(fmi2ExitInitializationMode(unit));
        const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < COUNT; i++) {
            double torque, slope;
            sine(10.0, 5.0, 0.0, i * 1e-3, &torque, &slope);
            check(fmi2SetReal(unit, inputs, 1, &torque));
            check(fmi2DoStep(unit, i * 1e-3, 1e-3, 1));
        }
        times[count++] = 1e9 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / COUNT;
        fmi2FreeInstance(unit);
    } while (count < MOST && seconds(CLOCK_MONOTONIC) < end);
    show("step", times, count);
}

static void coast(const char *token, const char *resources, double budget) {
    static double times[MOST];
    const double end = seconds(CLOCK_MONOTONIC) + budget;
    size_t count = 0;
    do {
        Unit unit = begin(token, resources, 1);
        check(fmi2ExitInitializationMode(unit));
        const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < 1000; i++) {
            check(fmi2DoStep(unit, i * 1e-3, 1e-3, 1));
        }
        times[count++] = 1e9 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
        fmi2FreeInstance(unit);
    } while (count < MOST && seconds(CLOCK_MONOTONIC) < end);
    show("run", times, count);
}

int main(int count, char **arguments) {
    if (count != 6 && count != 7 && count != 11) {
        fail("train LIBRARY TOKEN RESOURCES STATES BUDGET [INPUT INPUT INPUT INPUT OUTPUTS | coast]");
    }
    void *library = loaded(arguments[1]);
    FMI2_FUNCTIONS(RESOLVE)
    const double budget = atof(arguments[5]);
    evaluate(arguments[2], arguments[3], (size_t)atol(arguments[4]), budget);
    if (count == 7) {
        coast(arguments[2], arguments[3], budget);
    }
    if (count == 11) {
        Reference inputs[4], outputs[64];
        size_t outs = 0;
        for (int i = 0; i < 4; i++) {
            inputs[i] = (Reference)atol(arguments[6 + i]);
        }
        for (char *next = strtok(arguments[10], ","); next && outs < 64; next = strtok(NULL, ",")) {
            outputs[outs++] = (Reference)atol(next);
        }
        run(arguments[2], arguments[3], budget, inputs, outputs, outs);
        vary(arguments[2], arguments[3], budget, inputs);
    }
    return 0;
}
