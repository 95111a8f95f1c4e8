/* What Rust's hash maps take from Windows since version 8, and wine 8 lacks: random bytes. Any bytes serve a test. */
#include <stddef.h>

__declspec(dllexport) int ProcessPrng(unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)(17 * i + 3);
    return 1;
}
