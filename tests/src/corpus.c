/* An FMU as other tools make them: der(x) = u - 2 x, y = 3 u, in Co-Simulation by Euler's method. y is 1 larger while the
   String, an input that a description may add, is "on". Switches make it differ in
   one way each: freedoms that FMI allows, and claims that are not true. 0 is off. */
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef NO_STATES            /* calls about states end the process, as in some tools where there are none */
#define NO_STATES 0
#endif
#ifndef ENDS                 /* ends the simulation at 0.5 s */
#define ENDS 0
#endif
#ifndef ENDS_AT_START        /* the same in its first event */
#define ENDS_AT_START 0
#endif
#ifndef LAST_TIME            /* the last successful time of that */
#define LAST_TIME 0.5
#endif
#ifndef DISCARDS             /* discards steps beyond 0.5 s without ending the simulation */
#define DISCARDS 0
#endif
#ifndef LOGS                 /* logs a format with arguments */
#define LOGS 0
#endif
#ifndef CATEGORY             /* of the log */
#define CATEGORY "logStatusWarning"
#endif
#ifndef STOPS                /* stops the process at a step, or when it is asked for derivatives */
#define STOPS 0
#endif
#ifndef CRASHES_AT_SAVE
#define CRASHES_AT_SAVE 0
#endif
#ifndef REFUSES_TO_SAVE
#define REFUSES_TO_SAVE 0
#endif
#ifndef FORGETS_STATE        /* a restored state is the one that there is */
#define FORGETS_STATE 0
#endif
#ifndef FORGETS_INPUT        /* a restored state has another input */
#define FORGETS_INPUT 0
#endif
#ifndef LOSES_BYTES          /* the bytes of a state are zeros */
#define LOSES_BYTES 0
#endif
#ifndef OWN_BYTES_ONLY       /* the bytes of another instance's state are refused */
#define OWN_BYTES_ONLY 0
#endif
#ifndef DERIVATIVE           /* of der(x) with respect to x */
#define DERIVATIVE -2.0
#endif
#ifndef GAIN                 /* derivative of y with respect to u */
#define GAIN 3.0
#endif
#ifndef PLATFORM
#define PLATFORM "default"
#endif
#ifndef NOMINAL
#define NOMINAL 1.0
#endif
#ifndef NEXT_EVENT           /* after each event, if it is defined */
#define NEXT_EVENT 0.0
#define HAS_EVENT 0
#else
#define HAS_EVENT 1
#endif
#ifndef ONE_STEP             /* any step is one of 0.1 s */
#define ONE_STEP 0
#endif
#ifndef REFUSES_SIZES        /* refuses other steps than those of 0.1 s */
#define REFUSES_SIZES 0
#endif
#ifndef REFUSES_SLOPES       /* refuses input derivatives */
#define REFUSES_SLOPES 0
#endif
#ifndef ADDS_SLOPES          /* takes input derivatives for something else */
#define ADDS_SLOPES 0
#endif
#ifndef OUTPUT_DERIVATIVE    /* of x */
#define OUTPUT_DERIVATIVE rate(of(c))
#endif
#ifndef SECOND_DERIVATIVE    /* of x */
#define SECOND_DERIVATIVE -2 * rate(of(c))
#endif
#ifndef SHARES               /* all instances have one state */
#define SHARES 0
#endif
#ifndef STARTS_ONCE          /* there is no second instance */
#define STARTS_ONCE 0
#endif
#ifndef INDICATOR            /* the event indicators, if there are any */
#define INDICATOR (abort(), 0.0)
#endif
#ifndef JUMPS                /* events after the start change x */
#define JUMPS 0
#endif
#ifndef ITEMS_ONLY           /* the process ends if the item is neither 0 nor 7 */
#define ITEMS_ONLY 0
#endif
#ifndef NEEDS_COMPLETED_STEPS
#define NEEDS_COMPLETED_STEPS 0
#endif
#ifndef NEUTRAL_ONLY         /* the item must be this one */
#define NEUTRAL_ONLY -1
#endif

#ifndef LARGEST_INPUT        /* refuses larger ones */
#define LARGEST_INPUT 1e300
#endif

typedef void *Component;
typedef void (*Logger)(void *, const char *, int, const char *, const char *, ...);
typedef struct { Logger logger; void *(*allocate)(size_t, size_t); void (*release)(void *); void *finished; void *environment; } Callbacks;
typedef struct { int needed, terminate, nominals, values, defined; double time; } EventInfo;
typedef struct { double time, x, u; int gear, ended, on; } State;
typedef struct { Callbacks callbacks; char name[100]; int number; State state; } Model;

static State shared;
static int instances, made;
static State *of(Component c) { return SHARES ? &shared : &((Model *)c)->state; }
static void state_call(size_t n) { if (NO_STATES || n == 0) abort(); }
static void stop(void) { if (STOPS) raise(SIGSTOP); }

const char *fmi2GetTypesPlatform(void) { return PLATFORM; }
const char *fmi2GetVersion(void) { return "2.0"; }
int fmi2SetDebugLogging(Component c, int on, size_t n, const char *const *categories) { return 0; }

Component fmi2Instantiate(const char *name, int type, const char *guid, const char *location, const Callbacks *callbacks, int visible, int logging) {
    if (STARTS_ONCE && instances) return NULL;
    Model *model = calloc(1, sizeof(Model));
    model->callbacks = *callbacks;
    strncpy(model->name, name, sizeof model->name - 1);
    model->number = ++made;
    of(model)->x = 1;
    of(model)->u = 0.5;
    instances++;
    return model;
}
void fmi2FreeInstance(Component c) { if (c) instances--; free(c); }
int fmi2SetupExperiment(Component c, int defined, double tolerance, double start, int stops, double stop) { of(c)->time = start; return 0; }
int fmi2EnterInitializationMode(Component c) { return 0; }
int fmi2ExitInitializationMode(Component c) {
    if (NEUTRAL_ONLY >= 0 && of(c)->gear != NEUTRAL_ONLY) return 3;
    return 0;
}
int fmi2Terminate(Component c) { return 0; }
int fmi2Reset(Component c) { *of(c) = (State){ .x = 1, .u = 0.5 }; return 0; }

static double rate(const State *s) { return s->u - 2 * s->x; }
int fmi2GetReal(Component c, const unsigned *vr, size_t n, double *values) {
    State *s = of(c);
    for (size_t i = 0; i < n; i++) values[i] = vr[i] == 0 ? s->x : vr[i] == 1 ? rate(s) : vr[i] == 2 ? s->u : 3 * s->u + s->on;
    return 0;
}
int fmi2SetReal(Component c, const unsigned *vr, size_t n, const double *values) {
    for (size_t i = 0; i < n; i++) { if (vr[i] != 2 || values[i] > LARGEST_INPUT) return 3; of(c)->u = values[i]; }
    return 0;
}
int fmi2GetInteger(Component c, const unsigned *vr, size_t n, int *values) { for (size_t i = 0; i < n; i++) values[i] = of(c)->gear; return 0; }
int fmi2SetInteger(Component c, const unsigned *vr, size_t n, const int *values) { if (ITEMS_ONLY && values[0] != 0 && values[0] != 7) abort(); for (size_t i = 0; i < n; i++) of(c)->gear = values[i]; return 0; }
int fmi2GetBoolean(Component c, const unsigned *vr, size_t n, int *values) { return 3; }
int fmi2SetBoolean(Component c, const unsigned *vr, size_t n, const int *values) { return 3; }
int fmi2GetString(Component c, const unsigned *vr, size_t n, const char **values) { for (size_t i = 0; i < n; i++) values[i] = of(c)->on ? "on" : "off"; return 0; }
int fmi2SetString(Component c, const unsigned *vr, size_t n, const char *const *values) { for (size_t i = 0; i < n; i++) of(c)->on = !strcmp(values[i], "on"); return 0; }

int fmi2GetFMUstate(Component c, void **state) {
    if (CRASHES_AT_SAVE) *(volatile int *)0 = 1;
    if (REFUSES_TO_SAVE) return 3;
    if (!*state) *state = malloc(sizeof(State));
    memcpy(*state, of(c), sizeof(State));
    return 0;
}
int fmi2SetFMUstate(Component c, void *state) {
    if (!FORGETS_STATE) memcpy(of(c), state, sizeof(State));
    if (FORGETS_INPUT) of(c)->u = 7;
    return 0;
}
int fmi2FreeFMUstate(Component c, void **state) { free(*state); *state = NULL; return 0; }
int fmi2SerializedFMUstateSize(Component c, void *state, size_t *size) { *size = sizeof(State) + sizeof(int); return 0; }
int fmi2SerializeFMUstate(Component c, void *state, char *bytes, size_t size) {
    memset(bytes, 0, size);
    if (!LOSES_BYTES) memcpy(bytes, state, sizeof(State));
    memcpy(bytes + sizeof(State), &((Model *)c)->number, sizeof(int));
    return 0;
}
int fmi2DeSerializeFMUstate(Component c, const char *bytes, size_t size, void **state) {
    if (OWN_BYTES_ONLY && memcmp(bytes + sizeof(State), &((Model *)c)->number, sizeof(int))) return 3;
    if (!*state) *state = malloc(sizeof(State));
    memcpy(*state, bytes, sizeof(State));
    return 0;
}
int fmi2GetDirectionalDerivative(Component c, const unsigned *unknown, size_t nu, const unsigned *known, size_t nk, const double *seed, double *result) {
    for (size_t i = 0; i < nu; i++) {
        result[i] = 0;
        for (size_t j = 0; j < nk; j++) {
            double d = 0;
            if (unknown[i] == 0) d = known[j] == 0 ? 1 : 0;
            if (unknown[i] == 1) d = known[j] == 0 ? DERIVATIVE : known[j] == 2 ? 1 : 0;
            if (unknown[i] == 3) d = known[j] == 2 ? GAIN : 0;
            result[i] += d * seed[j];
        }
    }
    return 0;
}
#ifdef OF_INDICATORS         /* their derivatives along any direction; FMUs of this project have such a function */
int mechanics_sensitivity(Component c, const unsigned *unknown, size_t nu, const unsigned *known, size_t nk, const double *seed, double *result, double *indicators, size_t n) {
    const double of_indicators[] = { OF_INDICATORS };
    for (size_t i = 0; i < n; i++) indicators[i] = of_indicators[i];
    return fmi2GetDirectionalDerivative(c, unknown, nu, known, nk, seed, result);
}
#endif

int fmi2SetRealInputDerivatives(Component c, const unsigned *vr, size_t n, const int *order, const double *values) {
    if (REFUSES_SLOPES) return 3;
    if (ADDS_SLOPES) of(c)->u += 1;
    return 0;
}
int fmi2GetRealOutputDerivatives(Component c, const unsigned *vr, size_t n, const int *order, double *values) {
    for (size_t i = 0; i < n; i++) values[i] = vr[i] == 0 ? order[i] == 1 ? OUTPUT_DERIVATIVE : SECOND_DERIVATIVE : 0;
    return 0;
}
int fmi2DoStep(Component c, double time, double h, int no_set) {
    Model *m = c;
    State *s = of(c);
    stop();
    if (LOGS) m->callbacks.logger(m->callbacks.environment, m->name, 1, CATEGORY, "%s: mass is %g kg, %d %%", "body", 2.5, 7);
    if (REFUSES_SIZES && fabs(h - 0.1) > 1e-9) return 3;
    if ((ENDS || DISCARDS) && time + h > 0.5 + 1e-9) { s->ended = ENDS; return 2; }
    double rest = ONE_STEP ? 0.1 : h;
    for (int i = 0; i < 100; i++) s->x += rest / 100 * rate(s);
    s->time = time + h;
    return 0;
}
int fmi2CancelStep(Component c) { return 3; }
int fmi2GetStatus(Component c, int kind, int *value) { return 2; }
int fmi2GetRealStatus(Component c, int kind, double *value) { *value = LAST_TIME; return 0; }
int fmi2GetIntegerStatus(Component c, int kind, int *value) { return 2; }
int fmi2GetBooleanStatus(Component c, int kind, int *value) { *value = of(c)->ended; return 0; }
int fmi2GetStringStatus(Component c, int kind, const char **value) { return 2; }

int fmi2EnterEventMode(Component c) { return 0; }
int fmi2NewDiscreteStates(Component c, EventInfo *info) {
    *info = (EventInfo){ .defined = HAS_EVENT, .time = NEXT_EVENT };
    if (JUMPS && of(c)->time > 0) of(c)->x += 1;
    info->terminate = ENDS_AT_START || ENDS && of(c)->time >= 0.5;
    return 0;
}
int fmi2EnterContinuousTimeMode(Component c) { return 0; }
int fmi2CompletedIntegratorStep(Component c, int no_set, int *event, int *terminate) {
    *event = 0;
    if (NEEDS_COMPLETED_STEPS) of(c)->x += 1;
    *terminate = ENDS && of(c)->time >= 0.5;
    return 0;
}
int fmi2SetTime(Component c, double time) { of(c)->time = time; return 0; }
int fmi2SetContinuousStates(Component c, const double *x, size_t n) { state_call(n); of(c)->x = x[0]; return 0; }
int fmi2GetContinuousStates(Component c, double *x, size_t n) { state_call(n); x[0] = of(c)->x; return 0; }
int fmi2GetDerivatives(Component c, double *dx, size_t n) { stop(); state_call(n); dx[0] = rate(of(c)); return 0; }
int fmi2GetEventIndicators(Component c, double *z, size_t n) { for (size_t i = 0; i < n; i++) z[i] = INDICATOR; return 0; }
int fmi2GetNominalsOfContinuousStates(Component c, double *x, size_t n) { state_call(n); x[0] = NOMINAL; return 0; }
