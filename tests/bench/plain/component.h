/* A component in plain C with the checks that our FMUs make: a yardstick for what calls must cost.
 *
 * A file of a component defines, before it includes this: `Variables`, Reals whose value references are their places:
 * inputs, outputs, tunable and fixed parameters, the first two in the order of their names, and how many there
 * are; `START`; and `Prepared`, what it makes of the parameters, and its memory. Behind it
 * follow the functions that are declared first. It has the default structure, and no derivatives of inputs.
 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef uint32_t Reference;

/* What a Real is. */
enum { INPUT = 1, OUTPUT = 2, TUNABLE = 4, FIXED = 8 };

typedef struct Component Component;

/* Whether a parameter is within its bounds. */
static bool is_within(size_t real, double value);
/* Sets the memory at the initial point; false if there is none. */
static bool initialise(Component *self);
/* Computes the outputs; false if they cannot be computed. */
static bool evaluate(Component *self);
/* Moves the states over a step; false if it cannot be made. */
static bool advance(Component *self, double h);
/* Updates the memory where a step has ended. */
static void complete(Component *self);

enum { REALS = sizeof(Variables) / sizeof(double) };
_Static_assert(INPUTS + OUTPUTS + TUNABLES + FIXEDS == REALS, "each Real is counted");
enum State { INSTANTIATED, INITIALIZATION, STEP_COMPLETE, FAILED };
enum { OK = 0, ERROR = 3 };

struct Component {
    union {
        Variables v;
        double reals[REALS];
    };
    Prepared prepared;
    uint8_t kinds[REALS];
    enum State state;
    bool fresh;
    bool has_stop;
    double time, stop;
};

/* What may be set in each state. */
static const uint8_t settable[] = {FIXED | TUNABLE | INPUT, FIXED | TUNABLE | INPUT, TUNABLE | INPUT, 0};

static int failed(Component *self) {
    if (self) {
        self->state = FAILED;
    }
    return ERROR;
}

static bool are_outputs_finite(const Component *self) {
    bool finite = true;
    for (size_t i = INPUTS; i < INPUTS + OUTPUTS; i++) {
        finite &= fabs(self->reals[i]) <= 1.7976931348623157e308;
    }
    return finite;
}

/* Evaluates where that is not done. */
static bool refresh(Component *self) {
    if (!self->fresh) {
        if (self->state == INITIALIZATION && !initialise(self)) {
            return false;
        }
        self->fresh = evaluate(self) && are_outputs_finite(self);
    }
    return self->fresh;
}

#define EXPORT __attribute__((visibility("default")))

EXPORT void *fmi2Instantiate(const char *name, int kind, const char *guid, const char *resources,
                             const void *callbacks, int visible, int logging) {
    (void)guid, (void)resources, (void)visible, (void)logging;
    if (!name || !*name || kind != 1 || !callbacks) {
        return NULL;
    }
    Component *self = calloc(1, sizeof *self);
    if (self) {
        self->v = START;
        for (size_t i = 0; i < REALS; i++) {
            self->kinds[i] = i < INPUTS                        ? INPUT
                             : i < INPUTS + OUTPUTS            ? OUTPUT
                             : i < INPUTS + OUTPUTS + TUNABLES ? TUNABLE
                                                               : FIXED;
        }
    }
    return self;
}

EXPORT void fmi2FreeInstance(Component *self) { free(self); }

EXPORT int fmi2SetupExperiment(Component *self, int has_tolerance, double tolerance, double start, int has_stop,
                               double stop) {
    (void)has_tolerance, (void)tolerance;
    if (!self || self->state != INSTANTIATED || !isfinite(start) || (has_stop && !(stop >= start))) {
        return failed(self);
    }
    self->time = start;
    self->has_stop = has_stop;
    self->stop = stop;
    return OK;
}

EXPORT int fmi2EnterInitializationMode(Component *self) {
    if (!self || self->state != INSTANTIATED) {
        return failed(self);
    }
    self->state = INITIALIZATION;
    return OK;
}

EXPORT int fmi2ExitInitializationMode(Component *self) {
    if (!self || self->state != INITIALIZATION) {
        return failed(self);
    }
    self->fresh = false;
    if (!refresh(self)) {
        return failed(self);
    }
    complete(self);
    self->state = STEP_COMPLETE;
    return OK;
}

EXPORT int fmi2SetReal(Component *self, const Reference *references, size_t count, const double *values) {
    if (!self || (count && (!references || !values)) || !settable[self->state]) {
        return failed(self);
    }
    const uint8_t allowed = settable[self->state];
    for (size_t i = 0; i < count; i++) {
        const Reference real = references[i];
        if (real >= REALS || !(self->kinds[real] & allowed) || !isfinite(values[i]) ||
            (self->kinds[real] != INPUT && !is_within(real, values[i]))) {
            return failed(self);
        }
    }
    for (size_t i = 0; i < count; i++) {
        self->reals[references[i]] = values[i];
    }
    self->fresh = false;
    return OK;
}

EXPORT int fmi2GetReal(Component *self, const Reference *references, size_t count, double *values) {
    if (!self || (count && (!references || !values))) {
        return failed(self);
    }
    if (self->state != INSTANTIATED && self->state != FAILED && !refresh(self)) {
        return failed(self);
    }
    for (size_t i = 0; i < count; i++) {
        if (references[i] >= REALS || !self->kinds[references[i]]) {
            return failed(self);
        }
        values[i] = self->reals[references[i]];
    }
    return OK;
}

EXPORT int fmi2DoStep(Component *self, double point, double h, int no_set_state_prior) {
    (void)no_set_state_prior;
    if (!self || self->state != STEP_COMPLETE) {
        return failed(self);
    }
    const double end = point + h;
    if (!(fabs(point - self->time) <= 1e-3 * h) || !(end > point) || !isfinite(end) ||
        (self->has_stop && end > self->stop)) {
        return failed(self);
    }
    self->time = end;
    if (!advance(self, h) || !evaluate(self)) {
        return failed(self);
    }
    complete(self);
    self->fresh = are_outputs_finite(self);
    return self->fresh ? OK : failed(self);
}
