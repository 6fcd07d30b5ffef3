#include "CVirtualTime.h"

#include <stddef.h>

// The seed of the standard library's hashing, which the runtime reads from the environment. It is internal
// to the toolchain and weakly linked: if it does not exist, nothing happens.
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
