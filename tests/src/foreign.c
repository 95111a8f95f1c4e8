/* An FMU that is not ours: der(x) = 1 + u, in Model Exchange with x = 0 again at x = 1. `behaviour` makes it misbehave
   at 0.5 s; it starts as BEHAVIOUR. It lacks what it need not have, and keeps the pointer to the callback functions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void *Component;
typedef void (*Logger)(void *, const char *, int, const char *, const char *, ...);
typedef struct { Logger logger; void *(*allocate)(size_t, size_t); void (*release)(void *); void *finished; void *environment; } Callbacks;
typedef struct { int needed, terminate, nominals, values, defined; double time; } EventInfo;
typedef struct { const Callbacks *callbacks; double time, x, u; int behaviour, terminated; } Model;

enum { ORDINARY, EXITS, CRASHES, HANGS, TERMINATES, PENDING, FIXED, NOT_A_NUMBER, PRINTS, JITTERS,
       HANGS_IN_LOAD, HANGS_IN_FREE, HANGS_IN_UNLOAD, HANGS_AT_EXIT };

static void hang(void) { for (;;) pause(); }
__attribute__((constructor)) static void load(void) {
    Dl_info here;
    if (BEHAVIOUR == HANGS_IN_LOAD) hang();
    /* Then it is unloaded at the exit only. */
    if (BEHAVIOUR == HANGS_AT_EXIT && dladdr(hang, &here)) dlopen(here.dli_fname, RTLD_NOW | RTLD_NODELETE);
}
__attribute__((destructor)) static void unload(void) { if (BEHAVIOUR == HANGS_IN_UNLOAD || BEHAVIOUR == HANGS_AT_EXIT) hang(); }

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }

Component fmi2Instantiate(const char *name, int type, const char *guid, const char *location, const Callbacks *callbacks, int visible, int logging) {
    Model *model = callbacks->allocate(1, sizeof(Model));
    model->callbacks = callbacks;
    model->behaviour = BEHAVIOUR;
    return model;
}
void fmi2FreeInstance(Component c) {
    Model *m = c;
    if (BEHAVIOUR == HANGS_IN_FREE) hang();
    if (m) m->callbacks->release(m);
}
int fmi2SetupExperiment(Component c, int defined, double tolerance, double start, int stops, double stop) { ((Model *)c)->time = start; return 0; }
int fmi2EnterInitializationMode(Component c) { return 0; }
int fmi2ExitInitializationMode(Component c) { return 0; }
int fmi2Terminate(Component c) { return 0; }
int fmi2Reset(Component c) { Model *m = c; m->x = m->u = 0; m->behaviour = BEHAVIOUR; m->terminated = 0; return 0; }

static double rate(const Model *m) { return 1 + m->u + (m->behaviour == JITTERS && m->time > 0.5 ? 1e3 * sin(1e8 * m->time) : 0); }
int fmi2GetReal(Component c, const unsigned *vr, size_t n, double *values) {
    Model *m = c;
    for (size_t i = 0; i < n; i++) values[i] = vr[i] == 0 ? (m->behaviour == NOT_A_NUMBER ? NAN : m->x) : vr[i] == 1 ? rate(m) : m->u;
    return 0;
}
int fmi2SetReal(Component c, const unsigned *vr, size_t n, const double *values) {
    Model *m = c;
    for (size_t i = 0; i < n; i++) { if (vr[i] != 2) return 3; m->u = values[i]; }
    return 0;
}
int fmi2GetInteger(Component c, const unsigned *vr, size_t n, int *values) { for (size_t i = 0; i < n; i++) values[i] = ((Model *)c)->behaviour; return 0; }
int fmi2SetInteger(Component c, const unsigned *vr, size_t n, const int *values) { for (size_t i = 0; i < n; i++) ((Model *)c)->behaviour = values[i]; return 0; }

int fmi2DoStep(Component c, double time, double h, int no_set) {
    Model *m = c;
    if (m->behaviour == FIXED && fabs(h - 0.1) > 1e-9) return 3;
    if (m->behaviour == PRINTS) printf("{\"stepped\":");
    if (time + h > 0.5) {
        switch (m->behaviour) {
        case EXITS: exit(0);
        case CRASHES: abort();
        case HANGS: hang();
        case TERMINATES: m->terminated = 1; m->x += (0.5 - time) * (1 + m->u); return 2;
        case PENDING: return 5;
        }
    }
    m->x += h * (1 + m->u);
    return 0;
}
int fmi2GetBooleanStatus(Component c, int kind, int *value) { *value = ((Model *)c)->terminated; return 0; }
int fmi2GetRealStatus(Component c, int kind, double *value) { *value = 0.5; return 0; }

int fmi2EnterEventMode(Component c) { return 0; }
int fmi2NewDiscreteStates(Component c, EventInfo *info) {
    Model *m = c;
    *info = (EventInfo){0};
    if (m->x >= 1) { m->x = 0; info->values = 1; }
    return 0;
}
int fmi2EnterContinuousTimeMode(Component c) { return 0; }
int fmi2CompletedIntegratorStep(Component c, int no_set, int *event, int *terminate) {
    Model *m = c;
    *event = 0;
    *terminate = m->behaviour == TERMINATES && m->time >= 0.5;
    return 0;
}
int fmi2SetTime(Component c, double time) { ((Model *)c)->time = time; return 0; }
/* Without states these may not be called. */
int fmi2SetContinuousStates(Component c, const double *x, size_t n) { if (!n) abort(); ((Model *)c)->x = x[0]; return 0; }
int fmi2GetContinuousStates(Component c, double *x, size_t n) { if (!n) abort(); x[0] = ((Model *)c)->x; return 0; }
int fmi2GetDerivatives(Component c, double *dx, size_t n) { if (!n) abort(); dx[0] = rate(c); return 0; }
int fmi2GetEventIndicators(Component c, double *z, size_t n) { if (!n) abort(); z[0] = ((Model *)c)->x - 1; return 0; }
int fmi2GetNominalsOfContinuousStates(Component c, double *x, size_t n) { if (!n) abort(); x[0] = 1; return 0; }
