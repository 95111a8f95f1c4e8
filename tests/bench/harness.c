/* Times the functions of one FMU through its C interface; FMI 2.0 and 3.0, Co-Simulation.
 *
 *     harness LIBRARY VERSION TOKEN RESOURCES SAVES H BUDGET DELTA INPUTS STARTS OUTPUTS
 *
 * VERSION is 2 or 3, SAVES is 1 if FMU states can be saved and 2 if they can be serialised, too, else 0, RESOURCES what the standard hands to the instance, H the communication step [s], BUDGET the
 * time for each row [s]. INPUTS and OUTPUTS are value references of Reals with commas between them, STARTS values of
 * the inputs. Every other set adds DELTA to them. Prints a line for each row: its name, nanoseconds of a call as the
 * median and as the smallest of many batches; a dash where a call failed. The line `result` has the
 * outputs after a thousand steps from the start values, as their bits.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "fmi.h"

enum { MANY = 50, STEPS = 1000, BATCHES = 2001 };

/* The functions of both versions. */
#define FUNCTIONS(F) \
    FMI2_FUNCTIONS(F) \
    F(Unit, fmi3InstantiateCoSimulation, const char *, const char *, const char *, bool, bool, bool, bool, \
      const Reference *, size_t, void *, void *, void *) \
    F(void, fmi3FreeInstance, Unit) \
    F(int, fmi3EnterInitializationMode, Unit, bool, double, double, bool, double) \
    F(int, fmi3ExitInitializationMode, Unit) \
    F(int, fmi3GetFloat64, Unit, const Reference *, size_t, double *, size_t) \
    F(int, fmi3SetFloat64, Unit, const Reference *, size_t, const double *, size_t) \
    F(int, fmi3DoStep, Unit, double, double, bool, bool *, bool *, bool *, double *) \
    F(int, fmi3GetFMUState, Unit, State *) \
    F(int, fmi3SetFMUState, Unit, State) \
    F(int, fmi3FreeFMUState, Unit, State *) \
    F(int, fmi3SerializedFMUStateSize, Unit, State, size_t *) \
    F(int, fmi3SerializeFMUState, Unit, State, char *, size_t) \
    F(int, fmi3DeserializeFMUState, Unit, const char *, size_t, State *)

FUNCTIONS(DECLARE)

static int version;
static const char *token, *resources;
static double budget;
static volatile int failed;

static void quiet2(void *environment, const char *name, int status, const char *category, const char *text, ...) {
    (void)environment, (void)name, (void)category;
    if (getenv("HARNESS_LOG")) {
        va_list arguments;
        va_start(arguments, text);
        fprintf(stderr, "%d: ", status);
        vfprintf(stderr, text, arguments);
        fputs("\n", stderr);
        va_end(arguments);
    }
}

static void quiet3(void *environment, int status, const char *category, const char *text) {
    (void)environment, (void)category;
    if (getenv("HARNESS_LOG")) {
        fprintf(stderr, "%d: %s\n", status, text);
    }
}

static const Callbacks callbacks = {quiet2, calloc, free, NULL, NULL};

static Unit instantiate(void) {
    if (version == 2) {
        return fmi2Instantiate("unit", 1, token, resources, &callbacks, 0, 0);
    }
    return fmi3InstantiateCoSimulation("unit", token, resources, false, false, false, false, NULL, 0, NULL,
                                       (void *)quiet3, NULL);
}

static void release(Unit unit) { version == 2 ? fmi2FreeInstance(unit) : fmi3FreeInstance(unit); }

static void initialise(Unit unit) {
    int status = 0;
    if (version == 2) {
        status |= fmi2SetupExperiment(unit, 0, 0.0, 0.0, 0, 0.0);
        status |= fmi2EnterInitializationMode(unit);
        status |= fmi2ExitInitializationMode(unit);
    } else {
        status |= fmi3EnterInitializationMode(unit, false, 0.0, 0.0, false, 0.0);
        status |= fmi3ExitInitializationMode(unit);
    }
    if (status > 1) {
        fail("the FMU cannot be initialised");
    }
}

static inline int get(Unit unit, const Reference *references, size_t count, double *values) {
    return version == 2 ? fmi2GetReal(unit, references, count, values)
                        : fmi3GetFloat64(unit, references, count, values, count);
}

static inline int set(Unit unit, const Reference *references, size_t count, const double *values) {
    return version == 2 ? fmi2SetReal(unit, references, count, values)
                        : fmi3SetFloat64(unit, references, count, values, count);
}

static inline int step(Unit unit, double time, double h) {
    if (version == 2) {
        return fmi2DoStep(unit, time, h, 1);
    }
    bool event = false, terminate = false, early = false;
    double last;
    return fmi3DoStep(unit, time, h, true, &event, &terminate, &early, &last);
}

static inline int get_state(Unit unit, State *state) {
    return version == 2 ? fmi2GetFMUstate(unit, state) : fmi3GetFMUState(unit, state);
}

static inline int set_state(Unit unit, State state) {
    return version == 2 ? fmi2SetFMUstate(unit, state) : fmi3SetFMUState(unit, state);
}

static inline int free_state(Unit unit, State *state) {
    return version == 2 ? fmi2FreeFMUstate(unit, state) : fmi3FreeFMUState(unit, state);
}

static inline int state_size(Unit unit, State state, size_t *size) {
    return version == 2 ? fmi2SerializedFMUstateSize(unit, state, size) : fmi3SerializedFMUStateSize(unit, state, size);
}

static inline int serialise(Unit unit, State state, char *bytes, size_t size) {
    return version == 2 ? fmi2SerializeFMUstate(unit, state, bytes, size)
                        : fmi3SerializeFMUState(unit, state, bytes, size);
}

static inline int deserialise(Unit unit, const char *bytes, size_t size, State *state) {
    return version == 2 ? fmi2DeSerializeFMUstate(unit, bytes, size, state)
                        : fmi3DeserializeFMUState(unit, bytes, size, state);
}

static double now(void) { return seconds(CLOCK_MONOTONIC); }

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Runs `call` in batches of 50 microseconds or one call, until the budget is spent. What disturbs a batch, such as
 * another program on this core, makes that batch slow; the median does not see it. */
#define MEASURE(name, call) \
    do { \
        static double batches[BATCHES]; \
        size_t count = 1, done = 0, i; \
        failed = 0; \
        for (;;) { \
            const double begin = now(); \
            for (i = 0; i < count; i++) { \
                call; \
            } \
            if (now() - begin > 5e-5 || failed) { \
                break; \
            } \
            count *= 2; \
        } \
        const double begin = now(); \
        while (!failed && done < BATCHES && (done < 3 || now() - begin < budget)) { \
            const double start = now(); \
            for (i = 0; i < count; i++) { \
                call; \
            } \
            batches[done++] = (now() - start) * 1e9 / (double)count; \
        } \
        if (failed) { \
            printf("%s -\n", name); \
        } else { \
            qsort(batches, done, sizeof *batches, ascending); \
            printf("%s %.6g %.6g\n", name, batches[done / 2], batches[0]); \
        } \
        fflush(stdout); \
    } while (0)

#define CHECK(call) (failed |= (call) > 1)

static size_t numbers(char *text, double *values) {
    size_t count = 0;
    for (char *part = strtok(text, ","); part; part = strtok(NULL, ",")) {
        values[count++] = strtod(part, NULL);
    }
    return count;
}

int main(int count, char **arguments) {
    if (count != 12) {
        fail("harness LIBRARY VERSION TOKEN RESOURCES SAVES H BUDGET DELTA INPUTS STARTS OUTPUTS");
    }
    void *library = loaded(arguments[1]);
    version = atoi(arguments[2]);
    token = arguments[3];
    resources = arguments[4];
    const int saves = atoi(arguments[5]);
    const double h = atof(arguments[6]), delta = atof(arguments[8]);
    budget = atof(arguments[7]);
    FUNCTIONS(RESOLVE)

    static double numbers_in[4096], starts[4096], moved[4096], numbers_out[4096], values[4096];
    static Reference inputs[4096], outputs[4096];
    const size_t ins = numbers(arguments[9], numbers_in), outs = numbers(arguments[11], numbers_out);
    if (numbers(arguments[10], starts) != ins) {
        fail("as many STARTS as INPUTS");
    }
    for (size_t i = 0; i < 4096; i++) {
        inputs[i] = ins ? (Reference)numbers_in[i % ins] : 0;
        starts[i] = ins ? starts[i % ins] : 0.0;
        moved[i] = starts[i] + delta;
        outputs[i] = outs ? (Reference)numbers_out[i % outs] : 0;
    }
    const double *both[2] = {starts, moved};

    /* What is loaded once only must not count. */
    Unit unit = instantiate();
    if (!unit) {
        fail("the FMU cannot be instantiated");
    }
    release(unit);
    MEASURE("instantiate", {
        unit = instantiate();
        release(unit);
    });

    unit = instantiate();
    initialise(unit);
    set(unit, inputs, ins, starts);
    int status = 0;
    for (int i = 0; i < STEPS; i++) {
        status |= step(unit, i * h, h);
    }
    status |= get(unit, outputs, outs, values);
    if (status > 1) {
        fail("the FMU does not make the steps");
    }
    printf("result");
    for (size_t i = 0; i < outs; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        printf(" %016llx", (unsigned long long)bits);
    }
    printf("\n");

    double time = STEPS * h;
    size_t turn = 0;
    MEASURE("get1", CHECK(get(unit, outputs, 1, values)));
    MEASURE("get50", CHECK(get(unit, outputs, MANY, values)));
    if (ins) {
        MEASURE("set1", CHECK(set(unit, inputs, 1, both[turn++ & 1])));
        MEASURE("set50", CHECK(set(unit, inputs, MANY, both[turn++ & 1])));
    }
    set(unit, inputs, ins, starts);
    MEASURE("step", {
        CHECK(step(unit, time, h));
        time += h;
    });
    MEASURE("cycle", {
        CHECK(set(unit, inputs, ins, both[turn++ & 1]));
        CHECK(step(unit, time, h));
        CHECK(get(unit, outputs, outs, values));
        time += h;
    });

    State state = NULL, copy = NULL;
    size_t size = 0;
    if (saves > 0) {
        CHECK(get_state(unit, &state));
        MEASURE("state", {
            CHECK(get_state(unit, &state));
            CHECK(set_state(unit, state));
        });
        MEASURE("new_state", {
            CHECK(get_state(unit, &copy));
            CHECK(set_state(unit, copy));
            CHECK(free_state(unit, &copy));
        });
    }
    if (saves > 1 && state_size(unit, state, &size) <= 1 && size) {
        char *bytes = calloc(2, size);
        MEASURE("serialise", {
            CHECK(state_size(unit, state, &size));
            CHECK(serialise(unit, state, bytes, size));
            CHECK(deserialise(unit, bytes, size, &copy));
            CHECK(free_state(unit, &copy));
        });
        printf("bytes %zu\n", size);
        void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;
        MEASURE("copy", {
            copy_bytes(bytes + size, bytes, size);
            copy_bytes(bytes, bytes + size, size);
        });
        free(bytes);
    }
    if (state) {
        free_state(unit, &state);
    }
    release(unit);
    return 0;
}
