#define _GNU_SOURCE
#include "CStageDispatch.h"
#include "CVirtualTime.h"

#if defined(__linux__)
#include "Executable.h"
#include "Interposing.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// On a thread that runs a stage, these functions block in virtual time: other work of the stage runs meanwhile.

static const int64_t second = 1000000000;

// Looks up the newest version of a function: dlsym finds the oldest one of condition variables.
static void *newest(const char *name) {
  static const char *const versions[] = {"GLIBC_2.3.2", "GLIBC_2.17", "GLIBC_2.2.5"};
  for (int index = 0; index < 3; index++) {
    void *found = dlvsym(RTLD_NEXT, name, versions[index]);
    if (found) return found;
  }
  return dlsym(RTLD_NEXT, name);
}

int nanosleep(const struct timespec *duration, struct timespec *rest) {
  static int (*next)(const struct timespec *, struct timespec *);
  if (!cvt_thread.stage) {
    if (!next) next = dlsym(RTLD_NEXT, "nanosleep");
    return next(duration, rest);
  }
  cvt_stage_sleep(cvt_nanoseconds(duration));
  if (rest) memset(rest, 0, sizeof *rest);
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  static int (*next)(clockid_t, int, const struct timespec *, struct timespec *);
  if (!cvt_thread.stage) {
    if (!next) next = newest("clock_nanosleep");
    return next(clock, flags, time, rest);
  }
  int64_t duration = cvt_nanoseconds(time);
  if (flags & TIMER_ABSTIME) {
    struct timespec now;
    clock_gettime(clock, &now);
    duration -= cvt_nanoseconds(&now);
  }
  cvt_stage_sleep(duration);
  if (rest) memset(rest, 0, sizeof *rest);
  return 0;
}

int usleep(useconds_t duration) {
  static int (*next)(useconds_t);
  if (!cvt_thread.stage) {
    if (!next) next = dlsym(RTLD_NEXT, "usleep");
    return next(duration);
  }
  cvt_stage_sleep((int64_t)duration * 1000);
  return 0;
}

// CoreFoundation calls `sleep(0)` until another thread, which may be outside of the stage, leaves one of its locks. That
// takes microseconds, at a moment that differs between runs, so it must not let other code of the stage run.
static bool waits_for_library_lock(unsigned duration, const void *caller) {
  // Just in case the other thread is one of the stage, and waits for its turn.
  enum { MOST_WAITS = 10000 };
  static _Thread_local unsigned waits;
  return duration == 0 && !cvt_is_in_executable((uintptr_t)caller) && ++waits % MOST_WAITS != 0;
}

unsigned sleep(unsigned duration) {
  static unsigned (*next)(unsigned);
  static int (*wait)(const struct timespec *, struct timespec *);
  if (!cvt_thread.stage) {
    if (!next) next = dlsym(RTLD_NEXT, "sleep");
    return next(duration);
  }
  if (waits_for_library_lock(duration, __builtin_return_address(0))) {
    if (!wait) wait = dlsym(RTLD_NEXT, "nanosleep");
    wait(&(struct timespec){.tv_nsec = 50000}, NULL);
    return 0;
  }
  cvt_stage_sleep((int64_t)duration * second);
  return 0;
}

// Sanitizers define these functions themselves.
#if defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *);
  if (!next) next = newest("pthread_cond_wait");
  if (!cvt_thread.stage) return next(condition, mutex);
  // It may return early, as pthread allows.
  cvt_stage_condition_wait(condition, mutex, INT64_MAX);
  return 0;
}

static int wait_for_condition(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline) {
  struct timespec now;
  clock_gettime(clock, &now);
  int64_t left = cvt_nanoseconds(deadline) - cvt_nanoseconds(&now);
  if (left <= 0) return ETIMEDOUT;
  cvt_stage_condition_wait(condition, mutex, left);
  clock_gettime(clock, &now);
  return cvt_nanoseconds(&now) >= cvt_nanoseconds(deadline) ? ETIMEDOUT : 0;
}

int pthread_cond_timedwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!next) next = newest("pthread_cond_timedwait");
  if (!cvt_thread.stage) return next(condition, mutex, deadline);
  return wait_for_condition(condition, mutex, CLOCK_REALTIME, deadline);
}

int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline);
int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  if (!next) next = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  if (!cvt_thread.stage) return next(condition, mutex, clock, deadline);
  return wait_for_condition(condition, mutex, clock, deadline);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  static int (*next)(pthread_cond_t *);
  if (!next) next = newest("pthread_cond_signal");
  if (cvt_thread.stage) {
    cvt_stage_condition_signal(condition, false);
  } else if (cvt_stage_waits) {
    cvt_stage_outside_signal();
  }
  return next(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  static int (*next)(pthread_cond_t *);
  if (!next) next = newest("pthread_cond_broadcast");
  if (cvt_thread.stage) {
    cvt_stage_condition_signal(condition, true);
  } else if (cvt_stage_waits) {
    cvt_stage_outside_signal();
  }
  return next(condition);
}
#endif

void cvt_mutex_unlock(void *mutex) { pthread_mutex_unlock(mutex); }
void cvt_mutex_lock(void *mutex) { pthread_mutex_lock(mutex); }

int32_t cvt_system_thread(void) { return (int32_t)gettid(); }

static _Thread_local jmp_buf *base;

void cvt_run_abandonable(void (*body)(void *), void *context) {
  jmp_buf buffer;
  base = &buffer;
  if (!setjmp(buffer)) body(context);
  base = NULL;
}

void cvt_abandon(void) {
  if (!base) abort();
  longjmp(*base, 1);
}
#endif
