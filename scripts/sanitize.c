// scripts/sanitize links this into every program that it builds, because not all of them inherit the environment.
// Defined with -D: FOLDER for the reports, and SYMBOLIZER.
#include <dlfcn.h>
#include <stdint.h>

// Tests request more memory than exists and expect a failure; and they crash on purpose.
#define OPTIONS                                                                                \
  "log_path=" FOLDER "/report:external_symbolizer_path=" SYMBOLIZER                            \
  ":allocator_may_return_null=1:handle_segv=0:handle_sigbus=0"

// The runtime keeps memory until the end, which is not a leak.
const char *__asan_default_options(void) { return OPTIONS ":detect_leaks=0"; }

// A key path to an optional value copies 17 bytes between places that are 16 apart, in the standard library; and its
// back-traces read any value on the stack.
const char *__asan_default_suppressions(void) {
  return "interceptor_via_fun:_projectReadOnly\n"
         "interceptor_via_fun:memserver_read\n";
}

// Reports are counted by their files, so the exit code stays that of the program.
const char *__tsan_default_options(void) { return OPTIONS ":exitcode=0"; }

#if defined(__linux__) && defined(THREAD)
// The sanitizer sees how Mutex locks and unlocks, unless two threads compete: then the standard library does it, which is
// not instrumented. Without these calls, it would report all data that such a lock guards.
void __tsan_acquire(void *);
void __tsan_release(void *);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT _Bool tryLock(SELF) __asm__(TRY_LOCK);
SWIFT void unlock(SELF) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF) {
  ((SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK))(thread, self);
  __tsan_acquire(self);
}

SWIFT _Bool tryLock(SELF) {
  _Bool isLocked = ((SWIFT _Bool (*)(SELF))dlsym(RTLD_NEXT, TRY_LOCK))(self);
  if (isLocked) __tsan_acquire(self);
  return isLocked;
}

SWIFT void unlock(SELF) {
  __tsan_release(self);
  ((SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK))(self);
}
#endif
