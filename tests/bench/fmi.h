/* FMI's C interface, as the programs here use it. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void *Unit;
typedef void *State;
typedef uint32_t Reference;

typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*free)(void *);
    void (*finished)(void *, int);
    void *environment;
} Callbacks;

/* The functions of FMI 2.0 with their types. */
#define FMI2_FUNCTIONS(F) \
    F(Unit, fmi2Instantiate, const char *, int, const char *, const char *, const Callbacks *, int, int) \
    F(void, fmi2FreeInstance, Unit) \
    F(int, fmi2SetupExperiment, Unit, int, double, double, int, double) \
    F(int, fmi2EnterInitializationMode, Unit) \
    F(int, fmi2ExitInitializationMode, Unit) \
    F(int, fmi2GetReal, Unit, const Reference *, size_t, double *) \
    F(int, fmi2SetReal, Unit, const Reference *, size_t, const double *) \
    F(int, fmi2SetRealInputDerivatives, Unit, const Reference *, size_t, const int *, const double *) \
    F(int, fmi2DoStep, Unit, double, double, int) \
    F(int, fmi2EnterContinuousTimeMode, Unit) \
    F(int, fmi2SetTime, Unit, double) \
    F(int, fmi2SetContinuousStates, Unit, const double *, size_t) \
    F(int, fmi2GetContinuousStates, Unit, double *, size_t) \
    F(int, fmi2GetDerivatives, Unit, double *, size_t) \
    F(int, fmi2GetFMUstate, Unit, State *) \
    F(int, fmi2SetFMUstate, Unit, State) \
    F(int, fmi2FreeFMUstate, Unit, State *) \
    F(int, fmi2SerializedFMUstateSize, Unit, State, size_t *) \
    F(int, fmi2SerializeFMUstate, Unit, State, char *, size_t) \
    F(int, fmi2DeSerializeFMUstate, Unit, const char *, size_t, State *)

#define DECLARE(result, name, ...) static result (*name)(__VA_ARGS__);
#define RESOLVE(result, name, ...) name = (result(*)(__VA_ARGS__))dlsym(library, #name);

static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void *loaded(const char *path) {
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        fail(dlerror());
    }
    return library;
}

/* Seconds of a clock. */
static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
