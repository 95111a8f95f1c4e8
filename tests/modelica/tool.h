/* What a Modelica tool has for external functions, and an instance with the arguments of model.h. */
#include <math.h>
#include <setjmp.h>

#include "MechanicalFMU.h"
#include "model.h"

static jmp_buf failure;
static char message[4 * MECHANICAL_FMU_TEXT];

void ModelicaFormatError(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    longjmp(failure, 1);
}

void ModelicaFormatWarning(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("warning: ");
    vprintf(format, arguments);
    va_end(arguments);
}

/* Without the states. */
static const int *const input_counts = all_counts + 1;

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* `frames_used`: as `frames`, with 0 for each inner frame that is left out. */
static inline void *opened_with(const char *folder, const char *guid, const int *frames_used) {
    return MechanicalFMU_open(folder, NAME, guid, reals, N_REALS, real_values, integers, N_INTEGERS, integer_values,
                              booleans, N_BOOLEANS, boolean_values, inputs, COUNT(inputs), all_counts, outputs,
                              COUNT(outputs), output_counts, frames_used);
}

static void *opened(const char *folder, const char *guid) {
    return opened_with(folder, guid, frames);
}

static inline void agree(const char *what, const double *found, const double *expected, size_t count, double tolerance) {
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(found[i] - expected[i]) <= tolerance * (1.0 + fabs(expected[i])))) {
            printf("wrong: %s[%lu] is %.12g, not %.12g\n", what, (unsigned long)i + 1, found[i], expected[i]);
        }
    }
}

/* What must fail prints its message. */
#define FAILS(what, call) \
    do { \
        message[0] = 0; \
        if (setjmp(failure) == 0) { \
            call; \
            printf("wrong: %s does not fail\n", what); \
        } else { \
            printf("%s: %s", what, message); \
        } \
    } while (0)
