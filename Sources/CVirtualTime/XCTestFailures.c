// Receives the failures of XCTest before XCTest does.

#define _GNU_SOURCE
#include "CVirtualTime.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)
// XCTestCase.recordFailure(withDescription:inFile:atLine:expected:), which all assertions of XCTest call. The definition is
// in the executable, so the dynamic linker prefers it to that of the shared library, also in the tables of subclasses.
#define RECORD "$s6XCTest0A4CaseC13recordFailure15withDescription6inFile6atLine8expectedySS_SSSiSbtF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
struct string {
  uintptr_t words[2];
};

typedef SWIFT void (*record_function)(
    struct string description, struct string file, intptr_t line, bool expected, SELF void *test);

SWIFT bool rehearsal_take_xctest_failure(
    struct string description, struct string file, intptr_t line, const void *test) __attribute__((weak));

SWIFT void record(
    struct string description, struct string file, intptr_t line, bool expected, SELF void *test)
    __asm__(RECORD);
SWIFT void record(
    struct string description, struct string file, intptr_t line, bool expected, SELF void *test) {
  if (rehearsal_take_xctest_failure && rehearsal_take_xctest_failure(description, file, line, test)) return;
  record_function next = (record_function)dlsym(RTLD_NEXT, RECORD);
  if (next) next(description, file, line, expected, test);
}

bool cvt_catches_xctest_failures(void) {
  return dlsym(RTLD_DEFAULT, RECORD) == (void *)record && dlsym(RTLD_NEXT, RECORD) != NULL;
}
#else
bool cvt_catches_xctest_failures(void) { return false; }
#endif
