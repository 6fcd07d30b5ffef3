#include "CVirtualTime.h"

#include <stddef.h>

// How the standard library seeds its hashing, as the runtime has read it from the environment. An
// internal of the toolchain, looked for weakly: where it is not, nothing happens.
struct cvt_hashing_parameters {
  uint64_t seed0;
  uint64_t seed1;
  bool deterministic;
};

extern struct cvt_hashing_parameters _swift_stdlib_Hashing_parameters __attribute__((weak));

bool cvt_make_hashing_deterministic(void) {
#if defined(__linux__)
  if (&_swift_stdlib_Hashing_parameters == NULL) return false;
  _swift_stdlib_Hashing_parameters.seed0 = 0;
  _swift_stdlib_Hashing_parameters.seed1 = 0;
  _swift_stdlib_Hashing_parameters.deterministic = true;
  return true;
#else
  return false;
#endif
}
