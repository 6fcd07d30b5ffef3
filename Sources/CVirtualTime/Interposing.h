#pragma once
#include <dlfcn.h>
#include <time.h>

// Defines a function that callers find before the library's own, which is `next` in the body. The definition is in the
// executable, so the dynamic linker prefers it. It is weak, since a static library has the same names: there the
// linker's --wrap lets callers find `__wrap_…`, and `__real_…` is the library's own.
#define INTERPOSED(result, name, parameters, ...)                                          \
  extern result __real_##name parameters __attribute__((weak));                            \
  __attribute__((weak)) result name parameters;                                            \
  __attribute__((weak)) result name parameters {                                           \
    static result(*next) parameters;                                                       \
    if (!next) next = (result(*) parameters)dlsym(RTLD_NEXT, #name);                       \
    __VA_ARGS__                                                                            \
  }                                                                                        \
  result __wrap_##name parameters;                                                         \
  result __wrap_##name parameters {                                                        \
    result(*next) parameters = __real_##name;                                              \
    __VA_ARGS__                                                                            \
  }

// Defines a function that calls the library's own.
#define REAL(result, name, parameters, arguments)                                          \
  extern result __real_##name parameters __attribute__((weak));                            \
  static result real_##name parameters {                                                   \
    static result(*next) parameters;                                                       \
    if (!next) next = __real_##name;                                                       \
    if (!next) next = (result(*) parameters)dlsym(RTLD_NEXT, #name);                       \
    return next arguments;                                                                 \
  }

// Defines a function that calls one of a library that is not replaced. It is NULL without the library.
#define LIBRARY(result, name, parameters, arguments)                                       \
  extern result name parameters __attribute__((weak));                                     \
  static result real_##name parameters { return name arguments; }

// Notes that code on the calling thread, which runs a stage, does something that leaves virtual time.
void cvt_note(const char *function);

// Notes that code on the calling thread, which runs a stage, may wait in real time in a function that was called from an
// address.
void cvt_note_wait(const char *function, const void *caller);
// The same for `read`, if it may wait.
void cvt_note_read(int file, const void *caller);
// Lets other code of the stage run before a `Mutex` is locked or unlocked, by a function with this frame.
void cvt_preempt_mutex(const void *frame);
// Whether work for Dispatch that code of a stage causes is named: a function may be missing that would give it to the stage.
extern bool cvt_real_dispatch_is_named;
// Whether a test says that `dispatch_async` and its relatives are missing.
extern bool cvt_lacks_async;
// What is known about the block or the thread of the calling code: `CVT_FROM_…`; zero if nothing.
extern _Thread_local unsigned char cvt_origin;
// Whether threads know their origin.
extern const bool cvt_knows_threads;
// Whether a function of libdispatch has called from an address.
bool cvt_is_of_dispatch(const void *caller);
// Waits for a lock that is a futex while a thread of the stage has it. Returns false if the system must wait.
bool cvt_wait_for_futex(void *lock, int operation, const void *caller);

// A duration or an instant of the C library; -1 for none.
static inline int64_t cvt_nanoseconds(const struct timespec *time) {
  return time ? time->tv_sec * (int64_t)1000000000 + time->tv_nsec : -1;
}
