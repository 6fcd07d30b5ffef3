#include "CTestProgram.h"

#include "CVirtualTime.h"

// Runs before the main function, thus before the program hashes anything.
__attribute__((constructor)) static void make_hashing_deterministic(void) {
  cvt_make_hashing_deterministic();
}
