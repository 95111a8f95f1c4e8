/* An importer of one library: reads calls from the standard input, one a line, and prints what each gives.

   declare VERSION                      mechanics_declare with a name, so that it tells what no platform changes
   instantiate TYPE GUID LOCATION       the rest of the line is the location
   setup START | enter | exit | terminate | free
   set REFERENCE VALUE                  fmi2SetReal
   get REFERENCE...                     fmi2GetReal
   step POINT SIZE                      fmi2DoStep */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
static void *open_library(const char *path) { return (void *)LoadLibraryA(path); }
static void *find(void *library, const char *name) { return (void *)GetProcAddress((HMODULE)library, name); }
static const char *reason(void) { static char text[32]; sprintf(text, "error %lu", GetLastError()); return text; }
#else
#include <dlfcn.h>
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void *find(void *library, const char *name) { return dlsym(library, name); }
static const char *reason(void) { return dlerror(); }
#endif

typedef void (*logger_type)(void *, const char *, int, const char *, const char *, ...);
typedef struct {
    logger_type logger;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*step_finished)(void *, int);
    void *environment;
} callbacks;

static void *library;

static void *function(const char *name) {
    void *found = find(library, name);
    if (!found) {
        fprintf(stderr, "there is no function %s\n", name);
        exit(1);
    }
    return found;
}

/* A variadic function, as importers have it. */
static void logger(void *environment, const char *name, int status, const char *category, const char *format, ...) {
    va_list arguments;
    (void)environment;
    printf("log %s %d %s ", name, status, category);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

static void print_bytes(void *context, const char *bytes, size_t count) {
    (void)context;
    for (size_t i = 0; i < count; i++) printf("%02x", (unsigned char)bytes[i]);
}

int main(int count, char **arguments) {
    static char line[65536];
    const callbacks functions = {logger, calloc, free, NULL, NULL};
    void *component = NULL;
    if (count != 2 || !(library = open_library(arguments[1]))) {
        fprintf(stderr, "cannot load %s: %s\n", count == 2 ? arguments[1] : "nothing", reason());
        return 1;
    }
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        char *word = strtok(line, " ");
        int status = 0;
        if (!word) continue;
        if (!strcmp(word, "declare")) {
            unsigned version = (unsigned)atoi(strtok(NULL, " "));
            int (*declare)(unsigned, const char *, void (*)(void *, const char *, size_t), void *, const char *, int) =
                function("mechanics_declare");
            status = declare(version, "name Any", print_bytes, NULL, NULL, 0);
            printf("\n");
        } else if (!strcmp(word, "instantiate")) {
            void *(*instantiate)(const char *, int, const char *, const char *, const callbacks *, int, int) =
                function("fmi2Instantiate");
            int type = atoi(strtok(NULL, " "));
            const char *guid = strtok(NULL, " ");
            const char *location = strtok(NULL, "");
            component = instantiate("instance", type, guid, location ? location : "", &functions, 0, 0);
            status = component ? 0 : 3;
        } else if (!strcmp(word, "setup")) {
            int (*setup)(void *, int, double, double, int, double) = function("fmi2SetupExperiment");
            status = setup(component, 0, 0.0, atof(strtok(NULL, " ")), 0, 0.0);
        } else if (!strcmp(word, "enter")) {
            status = ((int (*)(void *))function("fmi2EnterInitializationMode"))(component);
        } else if (!strcmp(word, "exit")) {
            status = ((int (*)(void *))function("fmi2ExitInitializationMode"))(component);
        } else if (!strcmp(word, "terminate")) {
            status = ((int (*)(void *))function("fmi2Terminate"))(component);
        } else if (!strcmp(word, "free")) {
            ((void (*)(void *))function("fmi2FreeInstance"))(component);
        } else if (!strcmp(word, "set")) {
            int (*set)(void *, const unsigned *, size_t, const double *) = function("fmi2SetReal");
            unsigned reference = (unsigned)atoi(strtok(NULL, " "));
            double value = atof(strtok(NULL, " "));
            status = set(component, &reference, 1, &value);
        } else if (!strcmp(word, "get")) {
            int (*get)(void *, const unsigned *, size_t, double *) = function("fmi2GetReal");
            static unsigned references[4096];
            static double values[4096];
            size_t n = 0;
            while (n < 4096 && (word = strtok(NULL, " "))) references[n++] = (unsigned)atoi(word);
            status = get(component, references, n, values);
            printf("values");
            for (size_t i = 0; i < n; i++) printf(" %.17g", values[i]);
            printf("\n");
        } else if (!strcmp(word, "step")) {
            int (*step)(void *, double, double, int) = function("fmi2DoStep");
            double point = atof(strtok(NULL, " "));
            status = step(component, point, atof(strtok(NULL, " ")), 1);
        } else {
            fprintf(stderr, "unknown call %s\n", word);
            return 1;
        }
        printf("status %d\n", status);
        fflush(stdout);
    }
    return 0;
}
