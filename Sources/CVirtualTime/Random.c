// Random numbers: on a thread that runs a stage, they are those of the stage.

#define _GNU_SOURCE
#include "CVirtualTime.h"

#include <stddef.h>

#if defined(__linux__)
#include "Interposing.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// On a stage's thread the functions below return numbers of the stage. They are defined in the executable, as
// clock_gettime is. A program that links Swift statically needs no linker options for them, since Swift calls the C
// library, which is shared.
//
// - Swift's standard library draws with `syscall(SYS_getrandom, …)`, from a function that it calls directly. So all of
//   `Int.random`, `shuffled()` and SystemRandomNumberGenerator arrive at `syscall`.
// - Foundation's `UUID()` opens /dev/urandom and calls `read`.

static struct cvt_random_source source;

void cvt_handle_random_numbers(struct cvt_random_source given) { source = given; }

// A thread has a stage only after the first stage has set the source.
static bool is_on_stage(void) { return cvt_thread.stage != NULL && source.fill != NULL; }

// MARK: System calls

#if defined(__x86_64__) || defined(__aarch64__)
static long call_system(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result = number;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ __volatile__("syscall"
                       : "+a"(result)
                       : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                       : "rcx", "r11", "memory");
#else
  register long x8 __asm__("x8") = number;
  register long result __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ __volatile__("svc 0"
                       : "+r"(result)
                       : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                       : "memory");
#endif
  if ((unsigned long)result <= -4096UL) return result;
  errno = (int)-result;
  return -1;
}

// The same as the C library's function, which also passes six arguments on.
long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long a = va_arg(arguments, long), b = va_arg(arguments, long), c = va_arg(arguments, long);
  long d = va_arg(arguments, long), e = va_arg(arguments, long), f = va_arg(arguments, long);
  va_end(arguments);
  // The standard library asks for no bytes once, to see whether the call exists.
  if (number == SYS_getrandom && b > 0 && is_on_stage()) {
    source.fill((void *)a, (size_t)b);
    return b;
  }
  if (number == SYS_gettid && cvt_thread.stage) cvt_preempt_mutex(__builtin_frame_address(0));
  if (number == SYS_futex && cvt_thread.stage &&
      cvt_wait_for_futex((void *)a, (int)b, __builtin_return_address(0))) {
    return -1;
  }
  return call_system(number, a, b, c, d, e, f);
}

static ssize_t draw_from_system(void *bytes, size_t count, unsigned flags) {
  return call_system(SYS_getrandom, (long)bytes, (long)count, (long)flags, 0, 0, 0);
}

static ssize_t read_from_system(int file, void *bytes, size_t count) {
  return call_system(SYS_read, file, (long)bytes, (long)count, 0, 0, 0);
}
#else
static ssize_t draw_from_system(void *bytes, size_t count, unsigned flags) {
  return syscall(SYS_getrandom, bytes, count, flags);
}

static ssize_t read_from_system(int file, void *bytes, size_t count) {
  return syscall(SYS_read, file, bytes, count);
}
#endif

static void fill(void *bytes, size_t count) {
  if (is_on_stage()) return source.fill(bytes, count);
  while (count) {
    ssize_t drawn = draw_from_system(bytes, count, 0);
    if (drawn < 0 && errno != EINTR) abort();
    if (drawn < 0) continue;
    bytes = (char *)bytes + drawn;
    count -= (size_t)drawn;
  }
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  if (!count || !is_on_stage()) return draw_from_system(bytes, count, flags);
  source.fill(bytes, count);
  return (ssize_t)count;
}

int getentropy(void *bytes, size_t count) {
  if (count > 256) {
    errno = EIO;
    return -1;
  }
  fill(bytes, count);
  return 0;
}

// MARK: Files

typedef ssize_t (*read_function)(int, void *, size_t);
typedef FILE *(*open_function)(const char *, const char *);
// Those of a sanitizer, which has to see each call.
extern ssize_t __interceptor_read(int, void *, size_t) __attribute__((weak));
extern FILE *__interceptor_fopen(const char *, const char *) __attribute__((weak));
static read_function next_read;
static open_function next_fopen;

__attribute__((constructor)) static void find_functions(void) {
  next_read = __interceptor_read ? __interceptor_read : (read_function)dlsym(RTLD_NEXT, "read");
  next_fopen =
      __interceptor_fopen ? __interceptor_fopen : (open_function)dlsym(RTLD_NEXT, "fopen");
}

// Whether a status is that of /dev/random or /dev/urandom.
static bool is_random_device(const struct stat *status) {
  return S_ISCHR(status->st_mode) && major(status->st_rdev) == 1 &&
         (minor(status->st_rdev) == 8 || minor(status->st_rdev) == 9);
}

ssize_t read(int file, void *bytes, size_t count) {
  struct stat status;
  if (count && is_on_stage() && !fstat(file, &status) && is_random_device(&status)) {
    source.fill(bytes, count);
    return (ssize_t)count;
  }
  if (count && cvt_thread.stage) cvt_note_read(file, __builtin_return_address(0));
  return next_read ? next_read(file, bytes, count) : read_from_system(file, bytes, count);
}

#if defined(__GLIBC__)
static ssize_t fill_stream(void *cookie, char *bytes, size_t count) {
  (void)cookie;
  fill(bytes, count);
  return (ssize_t)count;
}

// The C library reads a stream without the function above. The stream of a stage has no buffer: it would keep numbers
// of one task for another.
FILE *fopen(const char *restrict path, const char *restrict mode) {
  if (is_on_stage() && (!strcmp(path, "/dev/urandom") || !strcmp(path, "/dev/random"))) {
    FILE *stream = fopencookie(NULL, mode, (cookie_io_functions_t){.read = fill_stream});
    if (stream) setvbuf(stream, NULL, _IONBF, 0);
    return stream;
  }
  if (!next_fopen) next_fopen = (open_function)dlsym(RTLD_NEXT, "fopen");
  return next_fopen(path, mode);
}

// MARK: Functions of the C library

// Declared here, because older headers do not have them.
uint32_t arc4random(void);
void arc4random_buf(void *bytes, size_t count);
uint32_t arc4random_uniform(uint32_t bound);

uint32_t arc4random(void) {
  uint32_t number;
  fill(&number, sizeof number);
  return number;
}

void arc4random_buf(void *bytes, size_t count) { fill(bytes, count); }

uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2) return 0;
  // The lowest numbers are left out, so that each remainder is equally frequent.
  uint32_t least = -bound % bound, number;
  do number = arc4random();
  while (number < least);
  return number % bound;
}

// Outside of a stage these use the C library's own state, which code on a stage leaves alone.
#define NUMBER(result, name, converted)                                                    \
  result name(void) {                                                                      \
    static result (*next)(void);                                                           \
    if (is_on_stage()) {                                                                   \
      uint64_t bits = source.number();                                                     \
      return converted;                                                                    \
    }                                                                                      \
    if (!next) next = (result(*)(void))dlsym(RTLD_NEXT, #name);                            \
    return next();                                                                         \
  }
#define SEED(name, type)                                                                   \
  void name(type seed) {                                                                   \
    static void (*next)(type);                                                             \
    if (is_on_stage()) return source.seed((uint64_t)seed);                                 \
    if (!next) next = (void (*)(type))dlsym(RTLD_NEXT, #name);                             \
    next(seed);                                                                            \
  }

NUMBER(int, rand, (int)(bits >> 33))
NUMBER(long, random, (long)(bits >> 33))
NUMBER(long, lrand48, (long)(bits >> 33))
NUMBER(long, mrand48, (long)(int32_t)(bits >> 32))
NUMBER(double, drand48, (double)(bits >> 16) * 0x1p-48)
SEED(srand, unsigned)
SEED(srandom, unsigned)
SEED(srand48, long)
#endif

// MARK: Lazy initialisation

// In a static Swift runtime `swift_once` is the only function of its object file, so that file is not linked, and this
// function replaces it. `state` begins as 0.
static void run_once(int *state, void (*function)(void *), void *context) {
  enum { fresh = 0, running = 1, awaited = 2, done = -1 };
  while (__atomic_load_n(state, __ATOMIC_ACQUIRE) != done) {
    int seen = fresh;
    if (__atomic_compare_exchange_n(
            state, &seen, running, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
      function(context);
      if (__atomic_exchange_n(state, done, __ATOMIC_RELEASE) == awaited) {
        syscall(SYS_futex, state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
      }
      return;
    }
    if (seen == running) {
      __atomic_compare_exchange_n(state, &seen, awaited, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    } else if (seen == awaited) {
      syscall(SYS_futex, state, FUTEX_WAIT_PRIVATE, awaited, NULL, NULL, 0);
    }
  }
}

typedef void (*once_function)(void *, void (*)(void *), void *);
static once_function next_once;

__attribute__((constructor)) static void find_next_once(void) {
  next_once = (once_function)dlsym(RTLD_NEXT, "swift_once");
}

// Calls `function` if no call with the same `predicate` has done so: it computes the value of a lazy global. A second run
// of the same code does not need it, so the function has its own random numbers.
__attribute__((weak)) void swift_once(void *predicate, void (*function)(void *), void *context);
__attribute__((weak)) void swift_once(void *predicate, void (*function)(void *), void *context) {
  struct cvt_initialisation initialisation = {.function = (uintptr_t)function};
  struct cvt_initialisation *outer = cvt_thread.initialisation;
  if (cvt_thread.stage) cvt_thread.initialisation = &initialisation;
  if (next_once) {
    next_once(predicate, function, context);
  } else {
    run_once(predicate, function, context);
  }
  cvt_thread.initialisation = outer;
}
#else
void cvt_handle_random_numbers(struct cvt_random_source given) { (void)given; }
#endif
