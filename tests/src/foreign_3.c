/* An FMU of FMI 3.0 that is not ours: der(x) = gain * u[1] + u[2] + {0, 1} for two states, if it is on and the text not "hold", in Model Exchange with x[1] = 0
   again at x[1] = 1. BEHAVIOUR makes it misbehave, for some at 0.5 s. Without states their functions must not be
   called, and without hasEventMode no instance is made with eventModeUsed. Updates come in the middle of a step and at its
   end, if the importer requires variables there. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void *C;
typedef unsigned V;
typedef const char *S;
typedef void (*Log)(void *, int, S, S);
typedef void (*Update)(void *, double time, bool set, bool get, bool finished, bool may_return, bool *returns, double *at);
typedef struct { double x[2], u[2], time; float gain; int8_t small[2]; uint64_t large; bool on; int64_t item; char text[32]; bool events, early, inside; Log log; Update update; void *env; } M;

enum { ORDINARY, TERMINATES, RETURNS_EARLY, LIES_ABOUT_TIME, WRONG_DERIVATIVE, WRONG_OUTPUT_DERIVATIVE, WRONG_EVALUATION,
       NO_UPDATES, UPDATES_OUTSIDE, STALE_UPDATES, REFUSES_INSIDE, IGNORES_RETURN, NEVER_LETS_RETURN, WRONG_DEPENDENCIES, MORE_ELEMENTS,
       NEEDS_COMPLETED_STEPS, STARTS_ONCE, UPDATES_GO_BACK, TRIES_STEPS, UPDATES_FOR_EVER, WRONG_ADJOINT, FORGETS_STATE, LOSES_BYTES };

S fmi3GetVersion(void) { return "3.0"; }
static void start(M *m) { *m = (M){.gain = 1, .small = {1, -1}, .large = 5000000000, .on = true, .item = 7, .text = "start", .log = m->log, .update = m->update, .env = m->env, .events = m->events, .early = m->early}; }
static int instances;
static C made(void *env, Log log) {
    if (BEHAVIOUR == STARTS_ONCE && instances) { log(env, 3, "logStatusError", "there is another instance"); return NULL; }
    instances++;
    M *m = calloc(1, sizeof(M)); m->log = log; m->env = env; start(m); return m;
}
C fmi3InstantiateModelExchange(S n, S t, S r, bool v, bool l, void *env, Log log) { return made(env, log); }
C fmi3InstantiateCoSimulation(S n, S t, S r, bool v, bool l, bool events, bool early, const V *vr, size_t nvr, void *env, Log log, void *update) {
    if (events && !HAS_EVENT_MODE) { log(env, 3, "logStatusError", "this FMU has no event mode"); return NULL; }
    M *m = made(env, log);
    m->events = events;
    m->early = early;
    m->update = nvr ? update : NULL;
    return m;
}
C fmi3InstantiateScheduledExecution(S n, S t, S r, bool v, bool l, void *env, Log log, void *a, void *b, void *c) { return NULL; }
void fmi3FreeInstance(C c) { if (c) instances--; free(c); }
int fmi3Reset(C c) { start(c); return 0; }
int fmi3EnterInitializationMode(C c, bool d, double tolerance, double begin, bool sd, double stop) { ((M *)c)->time = begin; return 0; }

static double rate(const M *m, int i) { return m->on && strcmp(m->text, "hold") ? m->gain * m->u[0] + m->u[1] + i : 0; }
/* 0: time, 1: x[2], 2: der(x)[2], 3: u[2], 11: the event indicator */
int fmi3GetFloat64(C c, const V *vr, size_t nvr, double *values, size_t n) {
    M *m = c;
    size_t k = 0;
    if (m->inside && BEHAVIOUR == REFUSES_INSIDE) return 3;
    for (size_t i = 0; i < nvr; i++) switch (vr[i]) {
        case 0: values[k++] = m->time; break;
        case 1: values[k++] = m->x[0]; values[k++] = m->x[1]; break;
        case 2: values[k++] = rate(m, 0); values[k++] = rate(m, 1); break;
        case 3: values[k++] = m->u[0]; values[k++] = m->u[1]; break;
        case 11: values[k++] = m->x[0] - 1; break;
        default: return 3;
    }
    return k == n ? 0 : 3;
}
int fmi3SetFloat64(C c, const V *vr, size_t nvr, const double *values, size_t n) {
    M *m = c;
    size_t k = 0;
    for (size_t i = 0; i < nvr; i++) {
        double *to = vr[i] == 3 ? m->u : vr[i] == 1 ? m->x : NULL;
        if (!to) return 3;
        to[0] = values[k++]; to[1] = values[k++];
    }
    return k == n ? 0 : 3;
}
#define ACCESS(Type, type, reference, field, count) \
    int fmi3Get##Type(C c, const V *vr, size_t nvr, type *values, size_t n) { M *m = c; if (nvr != 1 || *vr != reference || n != count) return 3; memcpy(values, field, sizeof(type) * count); return 0; } \
    int fmi3Set##Type(C c, const V *vr, size_t nvr, const type *values, size_t n) { M *m = c; if (nvr != 1 || *vr != reference || n != count) return 3; memcpy(field, values, sizeof(type) * count); return 0; }
ACCESS(Float32, float, 4, &m->gain, 1)
ACCESS(Int8, int8_t, 5, m->small, 2)
/* 6: large, which beyond 2^53, where all Reals are even, must be odd; 12: the constant size */
int fmi3GetUInt64(C c, const V *vr, size_t nvr, uint64_t *values, size_t n) { for (size_t i = 0; i < nvr; i++) values[i] = vr[i] == 6 ? ((M *)c)->large : 2; return nvr == n ? 0 : 3; }
int fmi3SetUInt64(C c, const V *vr, size_t nvr, const uint64_t *values, size_t n) { if (nvr != 1 || *vr != 6 || (*values >> 53 && *values % 2 == 0)) return 3; ((M *)c)->large = *values; return 0; }
ACCESS(Boolean, bool, 7, &m->on, 1)
ACCESS(Int64, int64_t, 8, &m->item, 1)
int fmi3GetString(C c, const V *vr, size_t nvr, S *values, size_t n) { values[0] = ((M *)c)->text; return 0; }
int fmi3SetString(C c, const V *vr, size_t nvr, const S *values, size_t n) { strncpy(((M *)c)->text, values[0], 31); return 0; }
#define NONE(Type) int fmi3Get##Type(C c, const V *vr, size_t nvr, void *v, size_t n) { return 3; } int fmi3Set##Type(C c, const V *vr, size_t nvr, const void *v, size_t n) { return 3; }
NONE(UInt8) NONE(Int16) NONE(UInt16) NONE(Int32) NONE(UInt32)

static void advance(M *m, double end) {
    for (int i = 0; i < 2; i++) m->x[i] += (end - m->time) * rate(m, i);
    m->time = end;
}
/* Returns true if the importer asks for an early return. */
static bool call(M *m, double time, bool may_return) {
    bool returns = false;
    double at = 0;
    if (BEHAVIOUR == UPDATES_OUTSIDE) time += 1;
    m->inside = true;
    if (BEHAVIOUR == TRIES_STEPS && may_return) m->update(m->env, time + 0.04, false, true, false, false, &returns, &at);
    m->update(m->env, time, false, true, true, may_return && BEHAVIOUR != NEVER_LETS_RETURN, &returns, &at);
    m->inside = false;
    return may_return && returns && BEHAVIOUR != IGNORES_RETURN;
}
int fmi3DoStep(C c, double time, double h, bool no_set, bool *event, bool *terminate, bool *early, double *last) {
    M *m = c;
    double end = time + h;
    *event = *terminate = *early = false;
    if (end > 0.5 && time < 0.5) {
        if (BEHAVIOUR == TERMINATES) { *terminate = true; end = 0.5; }
        if (BEHAVIOUR == RETURNS_EARLY) { *early = true; *event = m->events; end = 0.5; }
    }
    if (m->update && BEHAVIOUR != NO_UPDATES) {
        if (BEHAVIOUR != STALE_UPDATES) advance(m, time + h / 2);
        while (BEHAVIOUR == UPDATES_FOR_EVER) call(m, m->time, false);
        if (call(m, time + h / 2, m->early)) { *early = true; *last = m->time; return 0; }
    }
    if (m->update && BEHAVIOUR == UPDATES_GO_BACK) call(m, time + h / 4, false);
    advance(m, end);
    if (m->update && BEHAVIOUR != NO_UPDATES) call(m, end, false);
    *last = BEHAVIOUR == LIES_ABOUT_TIME && *early ? 1e9 : end;
    if (BEHAVIOUR == LIES_ABOUT_TIME && time < 0.5 && end >= 0.5) { *terminate = true; *last = 1e9; }
    return 0;
}
int fmi3UpdateDiscreteStates(C c, bool *again, bool *terminate, bool *nominals, bool *states, bool *defined, double *next) {
    M *m = c;
    *again = *terminate = *nominals = *states = *defined = false;
    if (STATES && m->x[0] >= 1) { m->x[0] = 0; *states = true; }
    return 0;
}
int fmi3CompletedIntegratorStep(C c, bool no_set, bool *event, bool *terminate) { if (BEHAVIOUR == NEEDS_COMPLETED_STEPS) ((M *)c)->x[1] += 1; *event = *terminate = false; return 0; }
int fmi3SetTime(C c, double time) { ((M *)c)->time = time; return 0; }
/* Without states these may not be called. */
#define CALLED if (!STATES) abort()
int fmi3SetContinuousStates(C c, const double *x, size_t n) { CALLED; memcpy(((M *)c)->x, x, n * sizeof *x); return 0; }
int fmi3GetContinuousStates(C c, double *x, size_t n) { CALLED; memcpy(x, ((M *)c)->x, n * sizeof *x); return 0; }
int fmi3GetContinuousStateDerivatives(C c, double *dx, size_t n) { CALLED; for (size_t i = 0; i < n; i++) dx[i] = rate(c, i); return 0; }
int fmi3GetEventIndicators(C c, double *z, size_t n) { CALLED; z[0] = ((M *)c)->x[0] - 1; return 0; }
int fmi3GetNominalsOfContinuousStates(C c, double *x, size_t n) { CALLED; for (size_t i = 0; i < n; i++) x[i] = 1; return 0; }
int fmi3GetNumberOfContinuousStates(C c, size_t *n) { *n = STATES ? 2 : 0; return 0; }
int fmi3GetNumberOfEventIndicators(C c, size_t *n) { *n = STATES ? 1 : 0; return 0; }
/* d der(x)[i] / d u */
int fmi3GetDirectionalDerivative(C c, const V *unknowns, size_t nu, const V *knowns, size_t nk, const double *seed, size_t ns, double *result, size_t nr) {
    M *m = c;
    for (size_t i = 0; i < nr; i++) result[i] = 0;
    size_t k = 0;
    for (size_t j = 0; j < nk; j++, k += 2) {
        double along = knowns[j] == 3 ? m->gain * seed[k] + seed[k + 1] : 0;
        if (BEHAVIOUR == WRONG_DERIVATIVE) along *= 2;
        for (size_t i = 0, r = 0; i < nu; i++, r += 2) {
            if (unknowns[i] == 2) { result[r] += along; result[r + 1] += along; }
            if (unknowns[i] == 1 && knowns[j] == 1) { result[r] += seed[k]; result[r + 1] += seed[k + 1]; }
        }
    }
    return 0;
}
/* the transpose of that */
int fmi3GetAdjointDerivative(C c, const V *unknowns, size_t nu, const V *knowns, size_t nk, const double *seed, size_t ns, double *result, size_t nr) {
    M *m = c;
    for (size_t i = 0; i < nr; i++) result[i] = 0;
    for (size_t i = 0, k = 0; i < nu; i++, k += 2) for (size_t j = 0, r = 0; j < nk; j++, r += 2) {
        double sum = BEHAVIOUR == WRONG_ADJOINT ? 2 * seed[k] : seed[k] + seed[k + 1];
        if (unknowns[i] == 2 && knowns[j] == 3) { result[r] += m->gain * sum; result[r + 1] += sum; }
        if (unknowns[i] == 1 && knowns[j] == 1) { result[r] += seed[k]; result[r + 1] += seed[k + 1]; }
    }
    return 0;
}
/* of x, the only output */
int fmi3GetOutputDerivatives(C c, const V *vr, size_t nvr, const int32_t *order, double *values, size_t n) {
    for (size_t i = 0; i < n; i++) values[i] = BEHAVIOUR == WRONG_OUTPUT_DERIVATIVE ? 5 : rate(c, i);
    return 0;
}
/* der(x) on u, and each x[i], which is a state, on itself */
static const size_t OF_X[2] = {1, 2}, OF_RATES[4] = {1, 1, 2, 2}, OF_U[4] = {1, 2, 1, 2};
int fmi3GetNumberOfVariableDependencies(C c, V vr, size_t *n) { *n = vr == 1 ? 2 : BEHAVIOUR == WRONG_DEPENDENCIES ? 3 : 4; return 0; }
int fmi3GetVariableDependencies(C c, V vr, size_t *elements, V *on, size_t *on_elements, int *kinds, size_t n) {
    for (size_t i = 0; i < n; i++) {
        elements[i] = vr == 1 ? OF_X[i] : OF_RATES[i];
        on[i] = vr == 1 ? 1 : 3;
        on_elements[i] = vr == 1 ? OF_X[i] : OF_U[i] + (BEHAVIOUR == MORE_ELEMENTS);
        kinds[i] = 5;
    }
    return 0;
}
int fmi3EvaluateDiscreteStates(C c) { if (BEHAVIOUR == WRONG_EVALUATION) ((M *)c)->x[1] += 1; return 0; }
int fmi3GetFMUState(C c, void **state) { if (!*state) *state = malloc(sizeof(M)); memcpy(*state, c, sizeof(M)); return 0; }
int fmi3SetFMUState(C c, void *state) {
    M *m = c, before = *m;
    if (BEHAVIOUR == FORGETS_STATE) return 0;
    *m = *(M *)state;
    /* The state may be that of another instance. */
    m->log = before.log; m->update = before.update; m->env = before.env;
    return 0;
}
int fmi3FreeFMUState(C c, void **state) { free(*state); *state = NULL; return 0; }
int fmi3SerializedFMUStateSize(C c, void *state, size_t *size) { *size = sizeof(M); return 0; }
int fmi3SerializeFMUState(C c, void *state, uint8_t *bytes, size_t size) { if (BEHAVIOUR == LOSES_BYTES) memset(bytes, 0, size); else memcpy(bytes, state, size); return 0; }
int fmi3DeserializeFMUState(C c, const uint8_t *bytes, size_t size, void **state) { if (!*state) *state = malloc(sizeof(M)); memcpy(*state, bytes, size); return 0; }

#define OK(name) int name(C c) { return 0; }
OK(fmi3ExitInitializationMode) OK(fmi3Terminate) OK(fmi3EnterEventMode) OK(fmi3EnterStepMode) OK(fmi3EnterContinuousTimeMode)
#define ABSENT(name) int name(C c) { return 3; }
ABSENT(fmi3SetDebugLogging) ABSENT(fmi3GetBinary) ABSENT(fmi3SetBinary) ABSENT(fmi3GetClock) ABSENT(fmi3SetClock)
ABSENT(fmi3EnterConfigurationMode) ABSENT(fmi3ExitConfigurationMode) ABSENT(fmi3GetIntervalDecimal) ABSENT(fmi3GetIntervalFraction) ABSENT(fmi3GetShiftDecimal)
ABSENT(fmi3GetShiftFraction) ABSENT(fmi3SetIntervalDecimal) ABSENT(fmi3SetIntervalFraction) ABSENT(fmi3SetShiftDecimal)
ABSENT(fmi3SetShiftFraction) ABSENT(fmi3ActivateModelPartition)
