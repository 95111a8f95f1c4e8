/* Times calls of FMI 3.0 that FMI 2.0 does not have: values as arrays, and adjoint derivatives.
 *
 *     arrays LIBRARY TOKEN RESOURCES BUDGET INPUTS SIZES STARTS OUTPUTS SIZES
 *
 * BUDGET is the time for each row [s]. INPUTS and OUTPUTS are value references of continuous Float64 variables with commas
 * between them, SIZES their numbers of elements, STARTS the start values of all elements of the inputs. Prints a line for each row, with its nanoseconds as the
 * median of many batches: `get50` and `set50` of as many whole variables as have 50 elements or more, by 50 elements;
 * `evaluation`: one set of the inputs, and one get of the outputs; `directional` and `adjoint`: derivatives of all outputs by
 * all inputs, along one direction.
 */
#include <stdbool.h>

#include "fmi.h"

#define FUNCTIONS(F) \
    F(Unit, fmi3InstantiateCoSimulation, const char *, const char *, const char *, bool, bool, bool, bool, \
      const Reference *, size_t, void *, void *, void *) \
    F(int, fmi3EnterInitializationMode, Unit, bool, double, double, bool, double) \
    F(int, fmi3ExitInitializationMode, Unit) \
    F(int, fmi3GetFloat64, Unit, const Reference *, size_t, double *, size_t) \
    F(int, fmi3SetFloat64, Unit, const Reference *, size_t, const double *, size_t) \
    F(int, fmi3GetDirectionalDerivative, Unit, const Reference *, size_t, const Reference *, size_t, const double *, \
      size_t, double *, size_t) \
    F(int, fmi3GetAdjointDerivative, Unit, const Reference *, size_t, const Reference *, size_t, const double *, size_t, \
      double *, size_t)

FUNCTIONS(DECLARE)

enum { MOST = 4096, BATCHES = 2001, MANY = 50 };

static size_t numbers(char *text, double *values) {
    size_t count = 0;
    for (char *end; *text && count < MOST; text = *end ? end + 1 : end) {
        values[count++] = strtod(text, &end);
    }
    return count;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#define MEASURE(name, share, call) \
    do { \
        static double batches[BATCHES]; \
        size_t count = 1, done = 0; \
        for (double begin = seconds(CLOCK_MONOTONIC);; begin = seconds(CLOCK_MONOTONIC), count *= 2) { \
            for (size_t i = 0; i < count; i++) { \
                call; \
            } \
            if (seconds(CLOCK_MONOTONIC) - begin > 5e-5) { \
                break; \
            } \
        } \
        const double begin = seconds(CLOCK_MONOTONIC); \
        while (done < BATCHES && (done < 3 || seconds(CLOCK_MONOTONIC) - begin < budget)) { \
            const double start = seconds(CLOCK_MONOTONIC); \
            for (size_t i = 0; i < count; i++) { \
                call; \
            } \
            batches[done++] = (seconds(CLOCK_MONOTONIC) - start) * 1e9 / (double)count * (share); \
        } \
        qsort(batches, done, sizeof *batches, ascending); \
        printf("%s %.6g\n", name, batches[done / 2]); \
    } while (0)

static void check(int status) {
    if (status > 1) {
        fail("a call failed");
    }
}

/* The variables of a list, and how many elements they have. */
typedef struct {
    Reference references[MOST];
    size_t count, elements;
} List;

/* Variables in turn, until there are so many elements; or each once. */
static void fill(List *list, const double *references, const double *sizes, size_t count, size_t least) {
    for (size_t i = 0; count && (least ? list->elements < least : i < count); i++) {
        list->references[list->count++] = (Reference)references[i % count];
        list->elements += (size_t)sizes[i % count];
    }
}

int main(int count, char **arguments) {
    if (count != 10) {
        fail("arrays LIBRARY TOKEN RESOURCES BUDGET INPUTS SIZES STARTS OUTPUTS SIZES");
    }
    void *library = loaded(arguments[1]);
    const double budget = atof(arguments[4]);
    FUNCTIONS(RESOLVE)
    static double references[MOST], sizes[MOST], starts[2 * MOST], values[2 * MOST];
    static List inputs, outputs, many_inputs, many_outputs;
    const size_t ins = numbers(arguments[5], references);
    numbers(arguments[6], sizes);
    const size_t elements = numbers(arguments[7], starts);
    fill(&inputs, references, sizes, ins, 0);
    fill(&many_inputs, references, sizes, ins, MANY);
    if (elements != inputs.elements) {
        fail("as many STARTS as elements of INPUTS");
    }
    for (size_t i = elements; elements && i < MOST; i++) {
        starts[i] = starts[i - elements];
    }
    const size_t outs = numbers(arguments[8], references);
    numbers(arguments[9], sizes);
    fill(&outputs, references, sizes, outs, 0);
    fill(&many_outputs, references, sizes, outs, MANY);

    Unit unit = fmi3InstantiateCoSimulation("unit", arguments[2], arguments[3], false, false, false, false, NULL, 0, NULL,
                                            NULL, NULL);
    if (!unit) {
        fail("the FMU cannot be instantiated");
    }
    check(fmi3EnterInitializationMode(unit, false, 0.0, 0.0, false, 0.0));
    check(fmi3ExitInitializationMode(unit));
    check(fmi3GetFloat64(unit, outputs.references, outputs.count, values, outputs.elements));
    MEASURE("get50", (double)MANY / many_outputs.elements,
            check(fmi3GetFloat64(unit, many_outputs.references, many_outputs.count, values, many_outputs.elements)));
    MEASURE("set50", (double)MANY / many_inputs.elements,
            check(fmi3SetFloat64(unit, many_inputs.references, many_inputs.count, starts, many_inputs.elements)));
    MEASURE("evaluation", 1.0, {
        check(fmi3SetFloat64(unit, inputs.references, inputs.count, starts, inputs.elements));
        check(fmi3GetFloat64(unit, outputs.references, outputs.count, values, outputs.elements));
    });
    static double ones[MOST];
    for (size_t i = 0; i < MOST; i++) {
        ones[i] = 1.0;
    }
    MEASURE("directional", 1.0,
            check(fmi3GetDirectionalDerivative(unit, outputs.references, outputs.count, inputs.references, inputs.count,
                                               ones, inputs.elements, values, outputs.elements)));
    MEASURE("adjoint", 1.0,
            check(fmi3GetAdjointDerivative(unit, outputs.references, outputs.count, inputs.references, inputs.count, ones,
                                           outputs.elements, values, inputs.elements)));
    return 0;
}
