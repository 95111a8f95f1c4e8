/* The FMUs of this package as external functions of Modelica: an instance of an FMU 2.0 for Model Exchange, and its
 * outputs as functions of its inputs.
 *
 * Inputs and outputs are sorted by level: 0 positions, 1 velocities, 2 accelerations, 3 loads and all others. A level of
 * motion has the frames first, then the flanges. A frame has its position (3) and its rotation matrix from the world
 * frame by rows (9) at level 0, and two vectors of 3 at levels 1 and 2: of its origin, resolved in the world frame, and
 * its angular velocity or the rate of its components, resolved in the frame. A flange has one number at each level.
 *
 * A block with states and events of its own has its inputs sorted otherwise: level 2 has signals, and level 3 the accelerations
 * and loads that it takes; those that it gives are its outputs of level 2. Derivatives of the states come first at level 3.
 * Its discrete memory changes in MechanicalFMU_event only; the functions take the number of events as an argument in
 * Modelica, so that the tool calls them again.
 *
 * Level 4 has what is drawn or followed inside of the FMU; it depends on all inputs and has no derivatives.
 *
 * C99, and what the operating system has for loading libraries. Failures end in ModelicaFormatError with the name of the
 * FMU, its folder and the reason, and leave the instance as it was after its start, so that the tool may try another step.
 * Some solvers try for ever: where failures do not end, one warning says why, and results are NaN, which stops these solvers.
 * All results are functions of the arguments alone, and of the memory of a block.
 */
#ifndef MECHANICAL_FMU_H
#define MECHANICAL_FMU_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#define MECHANICAL_FMU_LIBRARY "binaries/win64/%s.dll"
#else
#include <dlfcn.h>
#if defined(__APPLE__)
#define MECHANICAL_FMU_LIBRARY "binaries/darwin64/%s.dylib"
#elif defined(__aarch64__)
#define MECHANICAL_FMU_LIBRARY "binaries/aarch64-linux/%s.so"
#else
#define MECHANICAL_FMU_LIBRARY "binaries/linux64/%s.so"
#endif
#endif

#include "ModelicaUtilities.h"

/* The value reference of the independent variable, which the FMU takes as a known of a directional derivative. */
#define MECHANICAL_FMU_TIME 3000000000u

enum {
    MECHANICAL_FMU_LEVELS = 4,
    MECHANICAL_FMU_TEXT = 1024,
    MECHANICAL_FMU_ROUNDS = 100,
    /* So many calls without a failure make up for one with a failure; after so many failures more, results are NaN. */
    MECHANICAL_FMU_FORGIVEN = 100,
    MECHANICAL_FMU_FAILURES = 100
};

/* fmi2CallbackFunctions */
typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*step_finished)(void *, int);
    void *environment;
} MechanicalFMU_Callbacks;

/* fmi2EventInfo */
typedef struct {
    int again, terminate, nominals_changed, values_changed, has_next_time;
    double next_time;
} MechanicalFMU_EventInfo;

/* Value references of one level. */
typedef struct {
    unsigned *references;
    size_t count;
} MechanicalFMU_Level;

/* An instance. */
typedef struct {
    void *library, *component;
    /* States of the FMU with its parameters, and after its start or last event. */
    void *initial, *started;
    /* Failures that later calls did not make up for; whether that was said, whether a function of arguments runs, and whether
     * it fails. */
    int failures, is_warned, is_evaluating, is_failed;
    /* When the next event is. */
    double next_time;
    MechanicalFMU_Callbacks callbacks;
    char name[MECHANICAL_FMU_TEXT], folder[MECHANICAL_FMU_TEXT], reason[MECHANICAL_FMU_TEXT];
    MechanicalFMU_Level states, in[MECHANICAL_FMU_LEVELS], out[MECHANICAL_FMU_LEVELS + 1];
    size_t frames_in, frames_out;
    /* What the motion of each inner frame is, also of those that the model leaves out: position, rotation matrix, angular
     * velocity. */
    unsigned *inner;
    size_t n_inner;
    /* All references, those of states first, room for the values of some levels, and for the factors of the linear form. */
    unsigned *references;
    /* These with that of the time before them: what values have derivatives by. */
    unsigned *time_and_references;
    double *room, *matrix;
    /* The inputs as the FMU has them, where these are known, level by level. */
    double *known;
    int is_known[MECHANICAL_FMU_LEVELS];
    void *(*instantiate)(const char *, int, const char *, const char *, const MechanicalFMU_Callbacks *, int, int);
    void (*free_instance)(void *);
    int (*setup)(void *, int, double, double, int, double);
    int (*enter)(void *);
    int (*leave)(void *);
    int (*terminate)(void *);
    int (*continuous)(void *);
    int (*discrete)(void *, MechanicalFMU_EventInfo *);
    int (*get_state)(void *, void **);
    int (*set_state)(void *, void *);
    int (*free_state)(void *, void **);
    int (*set_real)(void *, const unsigned *, size_t, const double *);
    int (*get_real)(void *, const unsigned *, size_t, double *);
    int (*set_integer)(void *, const unsigned *, size_t, const int *);
    int (*set_boolean)(void *, const unsigned *, size_t, const int *);
    int (*get_integer)(void *, const unsigned *, size_t, int *);
    int (*get_boolean)(void *, const unsigned *, size_t, int *);
    int (*set_time)(void *, double);
    int (*set_states)(void *, const double *, size_t);
    int (*get_states)(void *, double *, size_t);
    int (*get_indicators)(void *, double *, size_t);
    int (*event)(void *);
    int (*completed)(void *, int, int *, int *);
    /* Not of FMI: the law of a component. */
    int (*law)(void *, int, const double *, const double *, size_t, double *, size_t);
    int (*derivative)(void *, const unsigned *, size_t, const unsigned *, size_t, const double *, double *);
    int (*linear)(void *, const unsigned *, size_t, const unsigned *, size_t, double *, double *);
} MechanicalFMU;

/* The FMU's logger: warnings go to the tool, the text of an error is kept for the call that fails. */
static inline void MechanicalFMU_log(void *environment, const char *instance, int status, const char *category,
                                     const char *message, ...) {
    MechanicalFMU *fmu = (MechanicalFMU *)environment;
    char text[MECHANICAL_FMU_TEXT];
    va_list arguments;
    (void)instance;
    (void)category;
    va_start(arguments, message);
    vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    if (status > 1) {
        memcpy(fmu->reason, text, sizeof text);
    } else if (status == 1) {
        ModelicaFormatWarning("%s: %s\n", fmu->name, text);
    }
}

static inline void MechanicalFMU_free(MechanicalFMU *fmu) {
    if (fmu->component) {
        if (fmu->started) {
            fmu->terminate(fmu->component);
            fmu->free_state(fmu->component, &fmu->started);
        }
        if (fmu->initial) {
            fmu->free_state(fmu->component, &fmu->initial);
        }
        fmu->free_instance(fmu->component);
    }
    if (fmu->library) {
#ifdef _WIN32
        FreeLibrary((HMODULE)fmu->library);
#else
        dlclose(fmu->library);
#endif
    }
    free(fmu->time_and_references);
    free(fmu->inner);
    free(fmu->room);
    free(fmu->matrix);
    free(fmu->known);
    free(fmu);
}

/* Name, folder and reason of a failure; what the FMU says names its function itself. */
static inline void MechanicalFMU_explain(const MechanicalFMU *fmu, const char *call, char *text, size_t size) {
    const int is_named = strncmp(fmu->reason, call, strlen(call)) == 0;
    snprintf(text, size, "%s (%s): %s%s%s\n", fmu->name, fmu->folder, is_named ? "" : call, is_named ? "" : ": ",
             fmu->reason[0] ? fmu->reason : "the FMU gives no reason");
}

/* Goes back to a state of the FMU, with its inputs. */
static inline int MechanicalFMU_restore(MechanicalFMU *fmu, void *state) {
    memset(fmu->is_known, 0, sizeof fmu->is_known);
    return fmu->set_state(fmu->component, state);
}

/* Reports a failure to the tool, which may call again. */
static inline void MechanicalFMU_fail(MechanicalFMU *fmu, const char *call) {
    char text[4 * MECHANICAL_FMU_TEXT];
    MechanicalFMU_explain(fmu, call, text, sizeof text);
    MechanicalFMU_restore(fmu, fmu->started ? fmu->started : fmu->initial);
    fmu->reason[0] = 0;
    fmu->is_evaluating = fmu->is_failed = 0;
    ModelicaFormatError("%s", text);
}

/* Results are NaN from now on, where there are none; the first time with a warning. */
static inline void MechanicalFMU_give_up(MechanicalFMU *fmu, const char *call) {
    char text[4 * MECHANICAL_FMU_TEXT];
    if (!fmu->is_warned) {
        MechanicalFMU_explain(fmu, call, text, sizeof text);
        ModelicaFormatWarning("after %d failures its results are NaN, so that the simulation ends: %s",
                              MECHANICAL_FMU_FAILURES, text);
    }
    fmu->is_warned = fmu->is_failed = 1;
    MechanicalFMU_restore(fmu, fmu->started ? fmu->started : fmu->initial);
    fmu->reason[0] = 0;
}

static inline void MechanicalFMU_check(MechanicalFMU *fmu, int status, const char *call) {
    if (status <= 1 || fmu->is_failed) {
        return;
    }
    if (fmu->is_evaluating && fmu->failures >= MECHANICAL_FMU_FAILURES * MECHANICAL_FMU_FORGIVEN) {
        MechanicalFMU_give_up(fmu, call);
    } else {
        fmu->failures += MECHANICAL_FMU_FORGIVEN;
        MechanicalFMU_fail(fmu, call);
    }
}

/* A function of arguments begins, whose results may be NaN. */
static inline MechanicalFMU *MechanicalFMU_begin(void *object) {
    MechanicalFMU *fmu = (MechanicalFMU *)object;
    fmu->is_evaluating = 1;
    return fmu;
}

/* It ends with these results. */
static inline void MechanicalFMU_end(MechanicalFMU *fmu, double *y, size_t n_y) {
    if (fmu->is_failed) {
        while (n_y-- > 0) {
            y[n_y] = NAN;
        }
    } else if (fmu->failures > 0) {
        fmu->failures--;
    }
    fmu->is_evaluating = fmu->is_failed = 0;
}

/* Reports a failure where there is no instance yet. */
static inline void MechanicalFMU_refuse(MechanicalFMU *fmu, const char *call) {
    char text[4 * MECHANICAL_FMU_TEXT];
    MechanicalFMU_explain(fmu, call, text, sizeof text);
    MechanicalFMU_free(fmu);
    ModelicaFormatError("%s", text);
}

static inline void MechanicalFMU_load(MechanicalFMU *fmu, const char *path) {
#ifdef _WIN32
    /* A character is never longer in UTF-16 than in UTF-8. */
    wchar_t wide[2 * MECHANICAL_FMU_TEXT], *character;
    if (!MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, (int)(sizeof wide / sizeof *wide))) {
        snprintf(fmu->reason, sizeof fmu->reason, "its path is not UTF-8");
        return;
    }
    for (character = wide; *character; character++) {
        *character = *character == L'/' ? L'\\' : *character;
    }
    fmu->library = (void *)LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!fmu->library) {
        snprintf(fmu->reason, sizeof fmu->reason, "Windows cannot load it, error %lu%s", (unsigned long)GetLastError(),
                 character - wide < MAX_PATH ? "" : ": its path is longer than Windows takes");
    }
#else
    fmu->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!fmu->library) {
        const char *reason = dlerror();
        snprintf(fmu->reason, sizeof fmu->reason, "%s", reason ? reason : "unknown");
    }
#endif
}

/* Stores the address of a function in a pointer to a function; false if the library has none. */
static inline int MechanicalFMU_find(MechanicalFMU *fmu, const char *symbol, void *pointer) {
#ifdef _WIN32
    FARPROC found = GetProcAddress((HMODULE)fmu->library, symbol);
#else
    void *found = dlsym(fmu->library, symbol);
#endif
    if (!found) {
        snprintf(fmu->reason, sizeof fmu->reason, "the library has no function %s", symbol);
        return 0;
    }
    memcpy(pointer, &found, sizeof found);
    return 1;
}

static inline int MechanicalFMU_resolve(MechanicalFMU *fmu) {
    return MechanicalFMU_find(fmu, "fmi2Instantiate", &fmu->instantiate)
        && MechanicalFMU_find(fmu, "fmi2FreeInstance", &fmu->free_instance)
        && MechanicalFMU_find(fmu, "fmi2SetupExperiment", &fmu->setup)
        && MechanicalFMU_find(fmu, "fmi2EnterInitializationMode", &fmu->enter)
        && MechanicalFMU_find(fmu, "fmi2ExitInitializationMode", &fmu->leave)
        && MechanicalFMU_find(fmu, "fmi2Terminate", &fmu->terminate)
        && MechanicalFMU_find(fmu, "fmi2EnterContinuousTimeMode", &fmu->continuous)
        && MechanicalFMU_find(fmu, "fmi2NewDiscreteStates", &fmu->discrete)
        && MechanicalFMU_find(fmu, "fmi2GetFMUstate", &fmu->get_state)
        && MechanicalFMU_find(fmu, "fmi2SetFMUstate", &fmu->set_state)
        && MechanicalFMU_find(fmu, "fmi2FreeFMUstate", &fmu->free_state)
        && MechanicalFMU_find(fmu, "fmi2SetReal", &fmu->set_real)
        && MechanicalFMU_find(fmu, "fmi2GetReal", &fmu->get_real)
        && MechanicalFMU_find(fmu, "fmi2SetInteger", &fmu->set_integer)
        && MechanicalFMU_find(fmu, "fmi2SetBoolean", &fmu->set_boolean)
        && MechanicalFMU_find(fmu, "fmi2GetInteger", &fmu->get_integer)
        && MechanicalFMU_find(fmu, "fmi2GetBoolean", &fmu->get_boolean)
        && MechanicalFMU_find(fmu, "fmi2SetTime", &fmu->set_time)
        && MechanicalFMU_find(fmu, "fmi2SetContinuousStates", &fmu->set_states)
        && MechanicalFMU_find(fmu, "fmi2GetContinuousStates", &fmu->get_states)
        && MechanicalFMU_find(fmu, "fmi2GetEventIndicators", &fmu->get_indicators)
        && MechanicalFMU_find(fmu, "fmi2EnterEventMode", &fmu->event)
        && MechanicalFMU_find(fmu, "fmi2CompletedIntegratorStep", &fmu->completed)
        && MechanicalFMU_find(fmu, "fmi2GetDirectionalDerivative", &fmu->derivative)
        && MechanicalFMU_find(fmu, "mechanics_linear", &fmu->linear);
}

/* The address of the resources, with what an address cannot have as its code. */
static inline void MechanicalFMU_address(const char *folder, char *address, size_t size) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~:";
    size_t used = (size_t)snprintf(address, size, folder[0] == '/' ? "file://" : "file:///");
    for (; *folder && used + 16 < size; folder++) {
        const char character = *folder == '\\' ? '/' : *folder;
        const char *format = strchr(plain, character) ? "%c" : "%%%02X";
        used += (size_t)snprintf(address + used, size - used, format, (unsigned char)character);
    }
    snprintf(address + used, size - used, "/resources");
}

/* Cuts the references of some levels out of those of all; returns the position behind them. */
static inline unsigned *MechanicalFMU_levels(MechanicalFMU_Level *levels, int n_levels, unsigned *at, const int *counts) {
    int level;
    for (level = 0; level < n_levels; level++) {
        levels[level].references = at;
        levels[level].count = (size_t)counts[level];
        at += counts[level];
    }
    return at;
}

/* Takes inner frames that are not in use out of the references of all levels, and of the counts of states, inputs and outputs:
 * there are no accelerations and no loads. */
static inline void MechanicalFMU_leave_out(MechanicalFMU *fmu, int *n_in, int *n_out, const int *is_used) {
    size_t k, i, level;
    for (k = fmu->n_inner; k-- > 0;) {
        const int *const counts[] = {n_in, n_out};
        size_t begins[10], total = 0;
        for (i = 0; i < 10; i++) {
            begins[i] = total;
            total += (size_t)counts[i / 5][i % 5];
        }
        memcpy(fmu->inner + 15 * k, fmu->references + begins[5] + 12 * k, 12 * sizeof *fmu->inner);
        memcpy(fmu->inner + 15 * k + 12, fmu->references + begins[6] + 6 * k + 3, 3 * sizeof *fmu->inner);
        if (is_used[k]) {
            continue;
        }
        fmu->frames_out--;
        /* From the end on: outputs of motion, and the loads behind states and three levels of motion. */
        for (level = 3; level-- > 0;) {
            const size_t count = level == 0 ? 12 : 6, from = begins[5 + level] + count * k;
            memmove(fmu->references + from, fmu->references + from + count, (total - from - count) * sizeof *fmu->references);
            n_out[level] -= (int)count;
            total -= count;
        }
        i = begins[4] + 6 * k;
        memmove(fmu->references + i, fmu->references + i + 6, (total - i - 6) * sizeof *fmu->references);
        n_in[4] -= 6;
    }
}

/* The constructor: `folder` has the unpacked FMU; parameters are value references and values of Reals, Integers
 * (enumerations among them) and Booleans; inputs, after the states, and outputs are the references of all levels one after the
 * other, with the number of states, of each level and of frames, and for each frame among the outputs whether it is in use. */
static inline void *MechanicalFMU_open(const char *folder, const char *name, const char *guid, const int *reals,
                                       size_t n_reals, const double *real_values, const int *integers, size_t n_integers,
                                       const int *integer_values, const int *booleans, size_t n_booleans,
                                       const int *boolean_values, const int *inputs, size_t n_inputs,
                                       const int *input_counts, const int *outputs, size_t n_outputs,
                                       const int *output_counts, const int *frames) {
    char path[2 * MECHANICAL_FMU_TEXT], address[4 * MECHANICAL_FMU_TEXT];
    char library[MECHANICAL_FMU_TEXT];
    unsigned *at;
    size_t i;
    int status, n_in[5], n_out[5];
    MechanicalFMU *fmu = (MechanicalFMU *)calloc(1, sizeof *fmu);
    if (!fmu) {
        ModelicaFormatError("%s: out of memory\n", name);
        return NULL;
    }
    snprintf(fmu->name, sizeof fmu->name, "%s", name);
    snprintf(fmu->folder, sizeof fmu->folder, "%s", folder);
    fmu->time_and_references = (unsigned *)calloc(n_inputs + n_outputs + 1, sizeof *fmu->references);
    fmu->room = (double *)calloc(4 * (n_inputs + n_outputs) + 1, sizeof *fmu->room);
    fmu->known = (double *)calloc(n_inputs + 1, sizeof *fmu->known);
    fmu->inner = (unsigned *)calloc(15 * (size_t)frames[1] + 1, sizeof *fmu->inner);
    if (!fmu->time_and_references || !fmu->room || !fmu->known || !fmu->inner) {
        MechanicalFMU_refuse(fmu, "out of memory");
        return NULL;
    }
    fmu->time_and_references[0] = MECHANICAL_FMU_TIME;
    fmu->references = fmu->time_and_references + 1;
    for (i = 0; i < n_inputs + n_outputs; i++) {
        fmu->references[i] = (unsigned)(i < n_inputs ? inputs[i] : outputs[i - n_inputs]);
    }
    memcpy(n_in, input_counts, sizeof n_in);
    memcpy(n_out, output_counts, sizeof n_out);
    fmu->frames_in = (size_t)frames[0];
    fmu->frames_out = fmu->n_inner = (size_t)frames[1];
    MechanicalFMU_leave_out(fmu, n_in, n_out, frames + 2);
    at = MechanicalFMU_levels(&fmu->states, 1, fmu->references, n_in);
    at = MechanicalFMU_levels(fmu->in, MECHANICAL_FMU_LEVELS, at, n_in + 1);
    MechanicalFMU_levels(fmu->out, MECHANICAL_FMU_LEVELS + 1, at, n_out);

    snprintf(library, sizeof library, MECHANICAL_FMU_LIBRARY, name);
    if (strlen(folder) >= sizeof fmu->folder) {
        snprintf(fmu->reason, sizeof fmu->reason, "the path of the folder is too long: %lu bytes, at most %d",
                 (unsigned long)strlen(folder), MECHANICAL_FMU_TEXT - 1);
        MechanicalFMU_refuse(fmu, library);
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s", folder, library);
    MechanicalFMU_load(fmu, path);
    if (!fmu->library || !MechanicalFMU_resolve(fmu)) {
        MechanicalFMU_refuse(fmu, library);
        return NULL;
    }
    fmu->callbacks.logger = MechanicalFMU_log;
    fmu->callbacks.allocate = calloc;
    fmu->callbacks.release = free;
    fmu->callbacks.environment = fmu;
    MechanicalFMU_address(folder, address, sizeof address);
    fmu->component = fmu->instantiate(name, 0, guid, address, &fmu->callbacks, 0, 1);
    if (!fmu->component) {
        MechanicalFMU_refuse(fmu, "fmi2Instantiate");
        return NULL;
    }
    status = fmu->set_real(fmu->component, (const unsigned *)reals, n_reals, real_values);
    if (status <= 1) {
        status = fmu->set_integer(fmu->component, (const unsigned *)integers, n_integers, integer_values);
    }
    if (status <= 1) {
        status = fmu->set_boolean(fmu->component, (const unsigned *)booleans, n_booleans, boolean_values);
    }
    if (status > 1) {
        MechanicalFMU_refuse(fmu, "the parameters");
        return NULL;
    }
    if (fmu->get_state(fmu->component, &fmu->initial) > 1) {
        fmu->initial = NULL;
        MechanicalFMU_refuse(fmu, "fmi2GetFMUstate");
        return NULL;
    }
    return fmu;
}

/* The destructor. */
static inline void MechanicalFMU_close(void *object) {
    if (object) {
        MechanicalFMU_free((MechanicalFMU *)object);
    }
}

static inline void MechanicalFMU_set(MechanicalFMU *fmu, int level, const double *values) {
    const MechanicalFMU_Level *in = &fmu->in[level];
    double *known = fmu->known + (in->references - fmu->in[0].references);
    int status;
    /* Several functions take the same positions and velocities at one point. */
    if (!in->count || (fmu->is_known[level] && memcmp(known, values, in->count * sizeof *known) == 0)) {
        return;
    }
    status = fmu->set_real(fmu->component, in->references, in->count, values);
    fmu->is_known[level] = status <= 1;
    memcpy(known, values, in->count * sizeof *known);
    MechanicalFMU_check(fmu, status, "the inputs");
}

static inline void MechanicalFMU_get(MechanicalFMU *fmu, int level, double *values) {
    const MechanicalFMU_Level *out = &fmu->out[level];
    if (out->count) {
        MechanicalFMU_check(fmu, fmu->get_real(fmu->component, out->references, out->count, values), "the outputs");
    }
}

/* The number of inputs of the levels below one. */
static inline size_t MechanicalFMU_inputs(const MechanicalFMU *fmu, int level) {
    size_t count = 0;
    while (level-- > 0) {
        count += fmu->in[level].count;
    }
    return count;
}

/* Fails if an array has another size than the FMU's description says. */
static inline void MechanicalFMU_size(MechanicalFMU *fmu, size_t given, size_t needed) {
    if (given != needed) {
        snprintf(fmu->reason, sizeof fmu->reason, "%lu values are given, but it has %lu", (unsigned long)given,
                 (unsigned long)needed);
        MechanicalFMU_fail(fmu, "a function");
    }
}

/* Sets the inputs of the levels below one, which are in one array. */
static inline void MechanicalFMU_given(MechanicalFMU *fmu, int levels, const double *u, size_t n_u) {
    int level;
    MechanicalFMU_size(fmu, n_u, MechanicalFMU_inputs(fmu, levels));
    for (level = 0; level < levels; level++) {
        MechanicalFMU_set(fmu, level, u);
        u += fmu->in[level].count;
    }
}

/* Sets Integer and Boolean inputs, which is only possible at an event or before the start. */
static inline void MechanicalFMU_give(MechanicalFMU *fmu, const int *integers, size_t n_integers, const int *booleans,
                                      size_t n_booleans, const int *values) {
    if (n_integers > 0) {
        MechanicalFMU_check(fmu, fmu->set_integer(fmu->component, (const unsigned *)integers, n_integers, values),
                            "the Integer inputs");
    }
    if (n_booleans > 0) {
        MechanicalFMU_check(fmu, fmu->set_boolean(fmu->component, (const unsigned *)booleans, n_booleans, values + n_integers),
                            "the Boolean inputs");
    }
}

/* Iterates an event to its end, and keeps the state of the FMU after it. */
static inline void MechanicalFMU_settle(MechanicalFMU *fmu, const char *when) {
    MechanicalFMU_EventInfo info;
    int rounds = 0;
    do {
        memset(&info, 0, sizeof info);
        MechanicalFMU_check(fmu, fmu->discrete(fmu->component, &info), "fmi2NewDiscreteStates");
        if (info.terminate) {
            snprintf(fmu->reason, sizeof fmu->reason, "the FMU ends the simulation at %s", when);
        } else if (info.again && ++rounds == MECHANICAL_FMU_ROUNDS) {
            snprintf(fmu->reason, sizeof fmu->reason, "the event at %s has no end after %d rounds", when, rounds);
        }
        if (info.terminate || rounds == MECHANICAL_FMU_ROUNDS) {
            MechanicalFMU_fail(fmu, "fmi2NewDiscreteStates");
        }
    } while (info.again);
    fmu->next_time = info.has_next_time ? info.next_time : 1e60;
    MechanicalFMU_check(fmu, fmu->continuous(fmu->component), "fmi2EnterContinuousTimeMode");
    MechanicalFMU_check(fmu, fmu->get_state(fmu->component, &fmu->started), "fmi2GetFMUstate");
}

/* Initialises with the inputs of level 0, those of a block with all below level 3; returns 1. All functions below want this
 * result, so that tools call this one first. A tool that iterates calls it again: what it remembers follows from the last
 * inputs. */
static inline int MechanicalFMU_start_with(void *object, double time, const double *u, size_t n_u, const int *integers,
                                           size_t n_integers, const int *booleans, size_t n_booleans, const int *values) {
    MechanicalFMU *fmu = (MechanicalFMU *)object;
    const int levels = n_u == fmu->in[0].count ? 1 : 3;
    if (fmu->started) {
        MechanicalFMU_check(fmu, MechanicalFMU_restore(fmu, fmu->initial), "fmi2SetFMUstate");
    }
    MechanicalFMU_check(fmu, fmu->setup(fmu->component, 0, 0.0, time, 0, 0.0), "fmi2SetupExperiment");
    MechanicalFMU_check(fmu, fmu->enter(fmu->component), "fmi2EnterInitializationMode");
    MechanicalFMU_given(fmu, levels, u, n_u);
    MechanicalFMU_give(fmu, integers, n_integers, booleans, n_booleans, values);
    MechanicalFMU_check(fmu, fmu->leave(fmu->component), "fmi2ExitInitializationMode");
    MechanicalFMU_settle(fmu, "its start");
    return 1;
}

static inline int MechanicalFMU_start(void *object, double time, const double *u, size_t n_u) {
    return MechanicalFMU_start_with(object, time, u, n_u, NULL, 0, NULL, 0, NULL);
}

/* The outputs of a level from the inputs up to this level, one after the other. */
static inline void MechanicalFMU_evaluate(void *object, int level, const double *u, size_t n_u, double *y, size_t n_y) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    MechanicalFMU_size(fmu, n_y, fmu->out[level].count);
    MechanicalFMU_given(fmu, level + 1, u, n_u);
    MechanicalFMU_get(fmu, level, y);
    MechanicalFMU_end(fmu, y, n_y);
}

/* The derivative of level 3 in time, with that of its arguments. */
static inline void MechanicalFMU_loads_d(void *object, const double *u, const double *u_d, size_t n_u, double *y_d,
                                            size_t n_y) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    MechanicalFMU_size(fmu, n_y, fmu->out[3].count);
    MechanicalFMU_given(fmu, MECHANICAL_FMU_LEVELS, u, n_u);
    MechanicalFMU_check(fmu,
                        fmu->derivative(fmu->component, fmu->out[3].references, n_y, fmu->in[0].references, n_u, u_d, y_d),
                        "fmi2GetDirectionalDerivative");
    MechanicalFMU_end(fmu, y_d, n_y);
}

/* Motion outputs of level 1 or 2 from inputs in two or three arrays. */
static inline void MechanicalFMU_motion(void *object, int level, const double *positions, size_t n_positions,
                                        const double *velocities, const double *accelerations, size_t n_velocities,
                                        double *y, size_t n_y) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    MechanicalFMU_size(fmu, n_positions, fmu->in[0].count);
    MechanicalFMU_size(fmu, n_velocities, fmu->in[1].count);
    MechanicalFMU_size(fmu, n_y, fmu->out[level].count);
    MechanicalFMU_set(fmu, 0, positions);
    MechanicalFMU_set(fmu, 1, velocities);
    if (level == 2) {
        MechanicalFMU_set(fmu, 2, accelerations);
    }
    MechanicalFMU_get(fmu, level, y);
    MechanicalFMU_end(fmu, y, n_y);
}

static inline void MechanicalFMU_velocities(void *object, const double *positions, size_t n_positions,
                                            const double *velocities, size_t n_velocities, double *y, size_t n_y) {
    MechanicalFMU_motion(object, 1, positions, n_positions, velocities, NULL, n_velocities, y, n_y);
}

static inline void MechanicalFMU_accelerations(void *object, const double *positions, size_t n_positions,
                                               const double *velocities, const double *accelerations,
                                               size_t n_velocities, double *y, size_t n_y) {
    MechanicalFMU_motion(object, 2, positions, n_positions, velocities, accelerations, n_velocities, y, n_y);
}

/* Position, rotation matrix and angular velocity of an inner frame that the model leaves out, counted from 1 with all others;
 * `u`: the inputs of levels 0 and 1. */
static inline void MechanicalFMU_inner(void *object, int number, const double *u, size_t n_u, double *r_0, double *T,
                                       double *w) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    double values[15];
    if (number < 1 || (size_t)number > fmu->n_inner) {
        snprintf(fmu->reason, sizeof fmu->reason, "there is no inner frame %d, but %lu", number, (unsigned long)fmu->n_inner);
        MechanicalFMU_fail(fmu, "an inner frame");
    }
    MechanicalFMU_given(fmu, 2, u, n_u);
    MechanicalFMU_check(fmu, fmu->get_real(fmu->component, fmu->inner + 15 * (number - 1), 15, values), "the outputs");
    MechanicalFMU_end(fmu, values, 15);
    memcpy(r_0, values, 3 * sizeof *r_0);
    memcpy(T, values + 3, 9 * sizeof *T);
    memcpy(w, values + 12, 3 * sizeof *w);
}

/* vee(-R T'), where R is a rate of the rotation matrix T. */
static inline void MechanicalFMU_vee(const double *T, const double *R, double *w) {
    double m[9];
    int i, j;
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) {
            m[3 * i + j] = R[3 * i] * T[3 * j] + R[3 * i + 1] * T[3 * j + 1] + R[3 * i + 2] * T[3 * j + 2];
        }
    }
    w[0] = (m[5] - m[7]) / 2;
    w[1] = (m[6] - m[2]) / 2;
    w[2] = (m[1] - m[3]) / 2;
}

/* R = -skew(w) T */
static inline void MechanicalFMU_turn(const double *w, const double *T, double *R) {
    int j;
    for (j = 0; j < 3; j++) {
        R[j] = w[2] * T[3 + j] - w[1] * T[6 + j];
        R[3 + j] = w[0] * T[6 + j] - w[2] * T[j];
        R[6 + j] = w[1] * T[j] - w[0] * T[3 + j];
    }
}

/* The velocities, or accelerations, of the inputs from a derivative of level 0. The second derivative of a rotation
 * matrix has a symmetric part beside that of the angular acceleration; vee does not see it. */
static inline void MechanicalFMU_rates(const MechanicalFMU *fmu, const double *u, const double *u_d, double *rates) {
    size_t i;
    for (i = 0; i < fmu->frames_in; i++) {
        memcpy(rates + 6 * i, u_d + 12 * i, 3 * sizeof *rates);
        MechanicalFMU_vee(u + 12 * i + 3, u_d + 12 * i + 3, rates + 6 * i + 3);
    }
    memcpy(rates + 6 * fmu->frames_in, u_d + 12 * fmu->frames_in,
           (fmu->in[0].count - 12 * fmu->frames_in) * sizeof *rates);
}

/* The first derivative of level 0, or the second one with `u_dd`. */
static inline void MechanicalFMU_differentiate(MechanicalFMU *fmu, const double *u, const double *u_d,
                                               const double *u_dd, double *y) {
    double *rates = fmu->room, *positions = rates + 2 * fmu->in[1].count;
    double *v = positions + fmu->out[0].count, *a = v + fmu->out[1].count, turned[9], again[9];
    const double *rate = u_dd ? a : v;
    size_t i, j;
    MechanicalFMU_set(fmu, 0, u);
    MechanicalFMU_rates(fmu, u, u_d, rates);
    MechanicalFMU_set(fmu, 1, rates);
    if (u_dd) {
        MechanicalFMU_rates(fmu, u, u_dd, rates);
        MechanicalFMU_set(fmu, 2, rates);
        MechanicalFMU_get(fmu, 2, a);
    }
    MechanicalFMU_get(fmu, 0, positions);
    MechanicalFMU_get(fmu, 1, v);
    for (i = 0; i < fmu->frames_out; i++) {
        const double *T = positions + 12 * i + 3, *w = v + 6 * i + 3;
        memcpy(y + 12 * i, rate + 6 * i, 3 * sizeof *y);
        MechanicalFMU_turn(rate + 6 * i + 3, T, y + 12 * i + 3);
        if (u_dd) {
            MechanicalFMU_turn(w, T, turned);
            MechanicalFMU_turn(w, turned, again);
            for (j = 0; j < 9; j++) {
                y[12 * i + 3 + j] += again[j];
            }
        }
    }
    memcpy(y + 12 * fmu->frames_out, rate + 6 * fmu->frames_out,
           (fmu->out[0].count - 12 * fmu->frames_out) * sizeof *y);
}

static inline void MechanicalFMU_positions_d(void *object, const double *u, const double *u_d, size_t n_u, double *y_d,
                                             size_t n_y) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    MechanicalFMU_size(fmu, n_u, fmu->in[0].count);
    MechanicalFMU_size(fmu, n_y, fmu->out[0].count);
    MechanicalFMU_differentiate(fmu, u, u_d, NULL, y_d);
    MechanicalFMU_end(fmu, y_d, n_y);
}

static inline void MechanicalFMU_positions_dd(void *object, const double *u, const double *u_d, const double *u_dd,
                                              size_t n_u, double *y_dd, size_t n_y) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    MechanicalFMU_size(fmu, n_u, fmu->in[0].count);
    MechanicalFMU_size(fmu, n_y, fmu->out[0].count);
    MechanicalFMU_differentiate(fmu, u, u_d, u_dd, y_dd);
    MechanicalFMU_end(fmu, y_dd, n_y);
}

/* Accelerations are `factors` times those that are given, and loads are `others` times accelerations and loads that are given,
 * both by rows, with the rest in `b`, accelerations first. `u`: the inputs of levels 0 and 1. */
static inline void MechanicalFMU_linear(void *object, const double *u, size_t n_u, double *factors, size_t n_a, size_t n_z,
                                        double *others, size_t n_f, size_t n_columns, double *b, size_t n_b) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    size_t row;
    MechanicalFMU_size(fmu, n_u, fmu->in[0].count + fmu->in[1].count);
    MechanicalFMU_size(fmu, n_z, fmu->in[2].count);
    MechanicalFMU_size(fmu, n_columns, n_z + fmu->in[3].count);
    MechanicalFMU_size(fmu, n_a, fmu->out[2].count);
    MechanicalFMU_size(fmu, n_f, fmu->out[3].count);
    MechanicalFMU_size(fmu, n_b, n_a + n_f);
    if (!fmu->matrix) {
        fmu->matrix = (double *)malloc((n_b * n_columns + 1) * sizeof *fmu->matrix);
        if (!fmu->matrix) {
            MechanicalFMU_fail(fmu, "out of memory");
        }
    }
    MechanicalFMU_set(fmu, 0, u);
    MechanicalFMU_set(fmu, 1, u + fmu->in[0].count);
    /* It sets these to zero. */
    fmu->is_known[2] = fmu->is_known[3] = 0;
    MechanicalFMU_check(
        fmu, fmu->linear(fmu->component, fmu->out[2].references, n_b, fmu->in[2].references, n_columns, fmu->matrix, b),
        "mechanics_linear");
    for (row = 0; row < n_a; row++) {
        memcpy(factors + row * n_z, fmu->matrix + row * n_columns, n_z * sizeof *factors);
    }
    memcpy(others, fmu->matrix + n_a * n_columns, n_f * n_columns * sizeof *others);
    MechanicalFMU_end(fmu, b, n_b);
}

/* The states of a block. */
static inline void MechanicalFMU_states(void *object, double *x, size_t n_x) {
    MechanicalFMU *fmu = (MechanicalFMU *)object;
    MechanicalFMU_size(fmu, n_x, fmu->states.count);
    MechanicalFMU_check(fmu, fmu->get_states(fmu->component, x, n_x), "the states");
}

/* Sets what a block depends on: time, inputs of the levels below one, states. */
static inline void MechanicalFMU_place(MechanicalFMU *fmu, double t, int levels, const double *u, size_t n_u, const double *x,
                                       size_t n_x) {
    MechanicalFMU_size(fmu, n_x, fmu->states.count);
    MechanicalFMU_check(fmu, fmu->set_time(fmu->component, t), "the time");
    MechanicalFMU_given(fmu, levels, u, n_u);
    MechanicalFMU_check(fmu, fmu->set_states(fmu->component, x, n_x), "the states");
}

/* The number of levels of inputs on which outputs of a level depend. */
static inline int MechanicalFMU_below(int level) {
    return level < 2 ? level + 1 : MECHANICAL_FMU_LEVELS;
}

/* The outputs of a level. */
static inline void MechanicalFMU_values(void *object, double t, const double *u, size_t n_u, const double *x, size_t n_x,
                                        int level, double *y, size_t n_y) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    MechanicalFMU_size(fmu, n_y, fmu->out[level].count);
    MechanicalFMU_place(fmu, t, MechanicalFMU_below(level), u, n_u, x, n_x);
    MechanicalFMU_get(fmu, level, y);
    MechanicalFMU_end(fmu, y, n_y);
}

/* Their derivatives by time, inputs and states. */
static inline void MechanicalFMU_values_d(void *object, double t, double t_d, const double *u, const double *u_d, size_t n_u,
                                          const double *x, const double *x_d, size_t n_x, int level, double *y_d,
                                          size_t n_y) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    MechanicalFMU_size(fmu, n_y, fmu->out[level].count);
    MechanicalFMU_place(fmu, t, MechanicalFMU_below(level), u, n_u, x, n_x);
    fmu->room[0] = t_d;
    memcpy(fmu->room + 1, x_d, n_x * sizeof *x_d);
    memcpy(fmu->room + 1 + n_x, u_d, n_u * sizeof *u_d);
    MechanicalFMU_check(fmu,
                        fmu->derivative(fmu->component, fmu->out[level].references, n_y, fmu->time_and_references, 1 + n_x + n_u,
                                        fmu->room, y_d),
                        "fmi2GetDirectionalDerivative");
    MechanicalFMU_end(fmu, y_d, n_y);
}

/* The outputs of level 2 are A z + b, where z are the inputs of level 3; A by rows. */
static inline void MechanicalFMU_coefficients(void *object, double t, const double *u, size_t n_u, const double *x,
                                              size_t n_x, double *A, size_t n_y, size_t n_z, double *b, size_t n_b) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    MechanicalFMU_size(fmu, n_z, fmu->in[3].count);
    MechanicalFMU_size(fmu, n_y, fmu->out[2].count);
    MechanicalFMU_size(fmu, n_b, n_y);
    MechanicalFMU_place(fmu, t, 3, u, n_u, x, n_x);
    /* It sets these to zero. */
    fmu->is_known[3] = 0;
    MechanicalFMU_check(fmu,
                        fmu->linear(fmu->component, fmu->out[2].references, n_y, fmu->in[3].references, n_z, A, b),
                        "mechanics_linear");
    MechanicalFMU_end(fmu, b, n_b);
}

/* The event indicators of a block. */
static inline void MechanicalFMU_indicators(void *object, double t, const double *u, size_t n_u, const double *x,
                                            size_t n_x, double *z, size_t n_z) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    MechanicalFMU_place(fmu, t, MECHANICAL_FMU_LEVELS, u, n_u, x, n_x);
    MechanicalFMU_check(fmu, fmu->get_indicators(fmu->component, z, n_z), "the event indicators");
    MechanicalFMU_end(fmu, z, n_z);
}

/* Integer and Boolean outputs of a block, which change at events; returns the time of the next event that is known. */
static inline double MechanicalFMU_memory(void *object, const int *integers, size_t n_integers, const int *booleans,
                                          size_t n_booleans, int *values, size_t n_values) {
    MechanicalFMU *fmu = (MechanicalFMU *)object;
    MechanicalFMU_size(fmu, n_values, n_integers + n_booleans);
    MechanicalFMU_check(fmu, fmu->get_integer(fmu->component, (const unsigned *)integers, n_integers, values),
                        "the outputs");
    MechanicalFMU_check(fmu, fmu->get_boolean(fmu->component, (const unsigned *)booleans, n_booleans, values + n_integers),
                        "the outputs");
    return fmu->next_time;
}

/* An event of a block with Integer and Boolean inputs: its states after it, the rest as MechanicalFMU_memory. */
static inline double MechanicalFMU_event_with(void *object, double t, const double *u, size_t n_u, const double *x, size_t n_x,
                                              const int *given_integers, size_t n_given_integers, const int *given_booleans,
                                              size_t n_given_booleans, const int *given, const int *integers,
                                              size_t n_integers, const int *booleans, size_t n_booleans, double *jumped,
                                              int *values, size_t n_values) {
    MechanicalFMU *fmu = (MechanicalFMU *)object;
    int wants_event = 0, terminates = 0;
    MechanicalFMU_place(fmu, t, MECHANICAL_FMU_LEVELS, u, n_u, x, n_x);
    /* The FMU remembers where it is. */
    MechanicalFMU_check(fmu, fmu->completed(fmu->component, 1, &wants_event, &terminates), "fmi2CompletedIntegratorStep");
    if (terminates) {
        snprintf(fmu->reason, sizeof fmu->reason, "the FMU ends the simulation at an event");
        MechanicalFMU_fail(fmu, "fmi2CompletedIntegratorStep");
    }
    MechanicalFMU_check(fmu, fmu->event(fmu->component), "fmi2EnterEventMode");
    MechanicalFMU_give(fmu, given_integers, n_given_integers, given_booleans, n_given_booleans, given);
    MechanicalFMU_settle(fmu, "an event");
    MechanicalFMU_states(object, jumped, n_x);
    return MechanicalFMU_memory(object, integers, n_integers, booleans, n_booleans, values, n_values);
}

/* An event of any other block. */
static inline double MechanicalFMU_event(void *object, double t, const double *u, size_t n_u, const double *x, size_t n_x,
                                         const int *integers, size_t n_integers, const int *booleans, size_t n_booleans,
                                         double *jumped, int *values, size_t n_values) {
    return MechanicalFMU_event_with(object, t, u, n_u, x, n_x, NULL, 0, NULL, 0, NULL, integers, n_integers, booleans,
                                    n_booleans, jumped, values, n_values);
}

/* The results of the law of a component for a branch and arguments, or their derivatives along `u_d`. */
static inline void MechanicalFMU_law_d(void *object, int branch, const double *u, const double *u_d, size_t n_u, double *y,
                                       size_t n_y) {
    MechanicalFMU *fmu = MechanicalFMU_begin(object);
    if (!fmu->law && !MechanicalFMU_find(fmu, "mechanics_law", &fmu->law)) {
        MechanicalFMU_fail(fmu, "mechanics_law");
    }
    MechanicalFMU_check(fmu, fmu->law(fmu->component, branch, u, u_d, n_u, y, n_y), "mechanics_law");
    MechanicalFMU_end(fmu, y, n_y);
}

static inline void MechanicalFMU_law(void *object, int branch, const double *u, size_t n_u, double *y, size_t n_y) {
    MechanicalFMU_law_d(object, branch, u, NULL, n_u, y, n_y);
}

#endif
