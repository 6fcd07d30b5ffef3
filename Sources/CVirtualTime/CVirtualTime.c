// Clocks: on a thread that runs a stage, they show virtual time.

#define _GNU_SOURCE
#include "CVirtualTime.h"

#include <dlfcn.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

_Thread_local struct cvt_thread cvt_thread;

#if defined(__linux__)
#include <sys/syscall.h>

static const int64_t second = 1000000000;

typedef int (*clock_function)(clockid_t, struct timespec *);
static clock_function real_clock;

static int system_call_clock(clockid_t clock, struct timespec *out) {
  return (int)syscall(SYS_clock_gettime, clock, out);
}

// libc's own function reads the clock without a system call. In a static executable there is no next
// definition to find, and the system call answers.
__attribute__((constructor)) static void find_real_clock(void) {
  clock_function found = (clock_function)dlsym(RTLD_NEXT, "clock_gettime");
  __atomic_store_n(&real_clock, found ? found : system_call_clock, __ATOMIC_RELEASE);
}

static int read_real_clock(clockid_t clock, struct timespec *out) {
  clock_function function = __atomic_load_n(&real_clock, __ATOMIC_ACQUIRE);
  return function ? function(clock, out) : system_call_clock(clock, out);
}

static int is_wall_clock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

static int is_steady_clock(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}

// The four functions below are defined in the executable, so the dynamic linker prefers them to
// libc's for every library in the process: libswift_Concurrency, Foundation, libdispatch.

int clock_gettime(clockid_t clock, struct timespec *out) {
  const int64_t *virtual = cvt_thread.nanoseconds;
  if (!virtual || !(is_wall_clock(clock) || is_steady_clock(clock))) {
    return read_real_clock(clock, out);
  }
  int64_t start = is_wall_clock(clock) ? CVT_EPOCH_NANOSECONDS : CVT_BOOT_NANOSECONDS;
  out->tv_sec = (start + *virtual) / second;
  out->tv_nsec = (start + *virtual) % second;
  return 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}

int timespec_get(struct timespec *out, int base) {
  if (base == TIME_UTC) return clock_gettime(CLOCK_REALTIME, out) ? 0 : base;
  static int (*next)(struct timespec *, int);
  if (!next) next = (int (*)(struct timespec *, int))dlsym(RTLD_NEXT, "timespec_get");
  return next ? next(out, base) : 0;
}

time_t time(time_t *out) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return (time_t)-1;
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
#else
// On other systems clock_gettime cannot be replaced, so Task.sleep has real deadlines on a stage.
static int read_real_clock(clockid_t clock, struct timespec *out) {
  return clock_gettime(clock, out);
}
#endif

int64_t cvt_real_nanoseconds(void) {
  struct timespec now;
  read_real_clock(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
