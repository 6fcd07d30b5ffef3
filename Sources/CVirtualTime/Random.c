#define _GNU_SOURCE
#include "CVirtualTime.h"

#if defined(__linux__)
#include "Interposing.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>

// Random numbers follow no schedule. These functions of the standard library draw random numbers from the system: some
// write their result to memory, others return a word.
#define INTO __attribute__((swift_indirect_result)) void *
#define SELF __attribute__((swift_context)) void *
#define DRAWING_VALUE(function, symbol)                                                    \
  __attribute__((swiftcall, weak)) void function(                                          \
      INTO, void *, void *, void *, void *, SELF) __asm__(symbol);                         \
  __attribute__((swiftcall, weak)) void function(                                          \
      INTO result, void *a, void *b, void *c, void *d, SELF self) {                        \
    typedef __attribute__((swiftcall)) void (*drawing)(                                    \
        INTO, void *, void *, void *, void *, SELF);                                       \
    static drawing next;                                                                   \
    if (!next) next = (drawing)dlsym(RTLD_NEXT, symbol);                                   \
    cvt_note("random");                                                                  \
    next(result, a, b, c, d, self);                                                        \
  }
#define DRAWING_WORD(function, symbol)                                                     \
  __attribute__((swiftcall, weak)) void *function(                                         \
      void *, void *, void *, void *, SELF) __asm__(symbol);                               \
  __attribute__((swiftcall, weak)) void *function(                                         \
      void *a, void *b, void *c, void *d, SELF self) {                                     \
    typedef __attribute__((swiftcall)) void *(*drawing)(                                   \
        void *, void *, void *, void *, SELF);                                             \
    static drawing next;                                                                   \
    if (!next) next = (drawing)dlsym(RTLD_NEXT, symbol);                                   \
    cvt_note("random");                                                                  \
    return next(a, b, c, d, self);                                                         \
  }

DRAWING_VALUE(draw_integer, "$ss17FixedWidthIntegerPsE6random2inxSnyxG_tFZ")
DRAWING_VALUE(draw_closed_integer, "$ss17FixedWidthIntegerPsE6random2inxSNyxG_tFZ")
DRAWING_VALUE(draw_number, "$sSBss17FixedWidthInteger14RawSignificandRpzrlE6random2inxSnyxG_tFZ")
DRAWING_VALUE(
    draw_closed_number, "$sSBss17FixedWidthInteger14RawSignificandRpzrlE6random2inxSNyxG_tFZ")
DRAWING_VALUE(draw_element, "$sSlsE13randomElement0B0QzSgyF")
DRAWING_WORD(draw_bool, "$sSb6randomSbyFZ")
DRAWING_WORD(draw_order, "$sSTsE8shuffledSay7ElementQzGyF")
DRAWING_WORD(draw_order_in_place, "$sSMsSkRzrlE7shuffleyyF")
DRAWING_WORD(draw_bits, "$ss27SystemRandomNumberGeneratorV4nexts6UInt64VyF")

// Optimised code calls this function. In a static library it is the only function of its object file, so that file is
// not linked if this definition exists.
__attribute__((weak)) void swift_stdlib_random(void *bytes, size_t count);
__attribute__((weak)) void swift_stdlib_random(void *bytes, size_t count) {
  static void (*next)(void *, size_t);
  if (!next) next = (void (*)(void *, size_t))dlsym(RTLD_NEXT, "swift_stdlib_random");
  cvt_note("random");
  if (next) return next(bytes, count);
  while (count) {
    ssize_t drawn = getrandom(bytes, count, 0);
    if (drawn < 0 && errno != EINTR) abort();
    if (drawn < 0) continue;
    bytes = (char *)bytes + drawn;
    count -= (size_t)drawn;
  }
}

#endif
