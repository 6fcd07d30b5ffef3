// Notes work of a stage that leaves virtual time: it is given to a thread, a file or a run loop.

#define _GNU_SOURCE
#include "CStageDispatch.h"
#include "CVirtualTime.h"

#include <stddef.h>

_Thread_local bool cvt_is_noted;

#if defined(__linux__)
#include "Interposing.h"

#include <pthread.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <threads.h>
#include <time.h>
#include <unwind.h>

// Notes the work of code on a stage's thread that the stage cannot run: it is given to a thread, a file or a run loop,
// and happens in real time.

static cvt_submission_handler handler;

void cvt_handle_submissions(cvt_submission_handler function) {
  __atomic_store_n(&handler, function, __ATOMIC_RELEASE);
}

struct walk {
  uintptr_t *frames;
  int count;
  int most;
  int skipped;
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *argument) {
  struct walk *walk = argument;
  if (walk->skipped-- > 0) return _URC_NO_REASON;
  uintptr_t frame = _Unwind_GetIP(context);
  if (!frame) return _URC_END_OF_STACK;
  walk->frames[walk->count++] = frame;
  return walk->count < walk->most ? _URC_NO_REASON : _URC_END_OF_STACK;
}

int cvt_callers(uintptr_t *frames, int most, int skipped) {
  struct walk walk = {.frames = frames, .most = most, .skipped = skipped + 1};
  _Unwind_Backtrace(add_frame, &walk);
  return walk.count;
}

int cvt_interrupted_stack(uintptr_t program_counter, uintptr_t *addresses, int most) {
  enum { HANDLER_FRAMES = 8 };
  uintptr_t frames[CVT_FRAMES + HANDLER_FRAMES];
  int count = cvt_callers(frames, CVT_FRAMES + HANDLER_FRAMES, 0), own = 0;
  while (own < count && frames[own] != program_counter) own++;
  // The unwinder may not know the way out of the handler.
  if (own == count) own = 0, count = 1, frames[0] = program_counter;
  // Unlike a return address, the first is that of the instruction itself.
  frames[own]++;
  count -= own;
  if (count > most) count = most;
  memcpy(addresses, frames + own, (size_t)count * sizeof *frames);
  return count;
}

static int32_t asked_thread;
static int answered_count;
static uintptr_t answered_frames[CVT_FRAMES];

void cvt_answer_with_stack(uintptr_t program_counter) {
  if (__atomic_load_n(&asked_thread, __ATOMIC_ACQUIRE) != cvt_system_thread()) return;
  int count = cvt_interrupted_stack(program_counter, answered_frames, CVT_FRAMES);
  __atomic_store_n(&asked_thread, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&answered_count, count, __ATOMIC_RELEASE);
}

int cvt_stack_of_thread(int32_t thread, uintptr_t *frames, int most) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  enum { TRIES = 200 };
  pthread_mutex_lock(&one_at_a_time);
  int count = 0;
  __atomic_store_n(&answered_count, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&asked_thread, thread, __ATOMIC_RELEASE);
  bool is_sent = syscall(SYS_tgkill, getpid(), thread, CVT_STACK_SIGNAL) == 0;
  for (int tries = 0; is_sent && !count && tries < TRIES; tries++) {
    usleep(1000);
    count = __atomic_load_n(&answered_count, __ATOMIC_ACQUIRE);
  }
  __atomic_store_n(&asked_thread, 0, __ATOMIC_RELEASE);
  if (count > most) count = most;
  memcpy(frames, answered_frames, (size_t)count * sizeof *frames);
  pthread_mutex_unlock(&one_at_a_time);
  return count;
}

static uintptr_t end_of_stack(void) {
  static _Thread_local uintptr_t end;
  pthread_attr_t attributes;
  void *start;
  size_t size;
  if (!end && !pthread_getattr_np(pthread_self(), &attributes)) {
    if (!pthread_attr_getstack(&attributes, &start, &size)) end = (uintptr_t)start + size;
    pthread_attr_destroy(&attributes);
  }
  return end;
}

int cvt_return_addresses(const void *frame, uintptr_t *addresses, int most) {
  uintptr_t end = end_of_stack();
  // An async function marks the frame pointer of its caller with this bit.
  const uintptr_t mark = (uintptr_t)1 << 60;
  int count = 0;
  for (const uintptr_t *now = frame; count < most;) {
    addresses[count++] = now[1];
    uintptr_t next = now[0] & ~mark;
    if (next <= (uintptr_t)now || next + 2 * sizeof next > end || next % sizeof next) break;
    now = (const uintptr_t *)next;
  }
  return count;
}

int cvt_callers_by_frames(uintptr_t *addresses, int most) {
  return cvt_return_addresses(__builtin_frame_address(0), addresses, most);
}

// Not inlined, so that the number of frames between here and the caller is known.
__attribute__((noinline)) void cvt_note(const char *function) {
  cvt_submission_handler function_to_call = __atomic_load_n(&handler, __ATOMIC_ACQUIRE);
  if (!cvt_thread.stage || !function_to_call || cvt_is_noted) return;
  cvt_calls.submissions++;
  struct cvt_submission submission = {.function = function};
  submission.count = cvt_callers(submission.frames, CVT_FRAMES, 2);
  function_to_call(&submission);
}

static cvt_submission_handler wait_handler;

void cvt_handle_waits(cvt_submission_handler function) {
  __atomic_store_n(&wait_handler, function, __ATOMIC_RELEASE);
}

void cvt_note_wait(const char *function, const void *caller) {
  cvt_submission_handler function_to_call = __atomic_load_n(&wait_handler, __ATOMIC_ACQUIRE);
  if (!cvt_thread.stage || !function_to_call || cvt_is_noted) return;
  // The handler may wait, too.
  cvt_is_noted = true;
  enum { MOST_OWN = 4 };
  uintptr_t frames[CVT_FRAMES + MOST_OWN];
  int count = cvt_callers(frames, CVT_FRAMES + MOST_OWN, 0), own = 0;
  while (own < count && own <= MOST_OWN && frames[own] != (uintptr_t)caller) own++;
  if (own > MOST_OWN || own == count) own = 0;
  struct cvt_submission wait = {.function = function};
  for (; own < count && wait.count < CVT_FRAMES; own++) wait.frames[wait.count++] = frames[own];
  function_to_call(&wait);
  cvt_is_noted = false;
}

// Sanitizers define `pthread_create` themselves.
#if defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
const bool cvt_knows_threads = true;

static bool finds_dispatch(const void *caller) {
  const char *image, *name = cvt_symbol((uintptr_t)caller - 1, &image);
  if (image) return strstr(image, "/libdispatch.so");
  return name && !strncmp(name, "_dispatch_", 10);
}

bool cvt_is_of_dispatch(const void *caller) {
  // To find the symbol of an address takes milliseconds in a large program, and few places call this.
  enum { KNOWN = 61 };
  static uintptr_t known[KNOWN];
  uintptr_t address = (uintptr_t)caller, *place = &known[address % KNOWN];
  uintptr_t entry = __atomic_load_n(place, __ATOMIC_RELAXED);
  if (entry >> 1 == address) return entry & 1;
  bool result = finds_dispatch(caller);
  __atomic_store_n(place, address << 1 | result, __ATOMIC_RELAXED);
  return result;
}

struct start {
  void *(*function)(void *);
  void *argument;
  void *home;
};

// A function of this name counts as no code of the program in stacks.
static void *cvt_begin_thread(void *given) {
  struct start start = *(struct start *)given;
  free(given);
  cvt_home = start.home;
  cvt_origin = CVT_FROM_THREAD;
  void *result = start.function(start.argument);
  cvt_home = NULL;
  cvt_release_home(start.home);
  return result;
}

// A static C library has no next definition, so threads are not noted there.
int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!next) {
    next = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
        RTLD_NEXT, "pthread_create");
  }
  bool is_of_stage = cvt_thread.stage || cvt_home;
  if (!is_of_stage && (cvt_has_main_queue || cvt_current_origin() == CVT_FROM_ANYWHERE)) {
    return next(thread, attributes, start, argument);
  }
  // Dispatch starts threads for all its users.
  bool is_of_dispatch = cvt_is_of_dispatch(__builtin_return_address(0));
  if (is_of_stage) {
    if (!is_of_dispatch) cvt_note("pthread_create");
    else if (cvt_real_dispatch_is_named) cvt_note("Dispatch");
    else cvt_count_submission();
  }
  struct start *given = is_of_dispatch ? NULL : malloc(sizeof(struct start));
  if (!given) return next(thread, attributes, start, argument);
  *given = (struct start){start, argument, cvt_home_of_new_thread()};
  int result = next(thread, attributes, cvt_begin_thread, given);
  if (!result) return 0;
  cvt_release_home(given->home);
  free(given);
  return result;
}
#else
const bool cvt_knows_threads = false;
#endif

#if defined(__GLIBC__)
// Code of C starts a thread, or a timer whose function runs in a thread or a signal handler.
int thrd_create(thrd_t *thread, int (*start)(void *), void *argument) {
  static int (*next)(thrd_t *, int (*)(void *), void *);
  if (!next) next = (int (*)(thrd_t *, int (*)(void *), void *))dlsym(RTLD_NEXT, "thrd_create");
  cvt_note("thrd_create");
  return next ? next(thread, start, argument) : thrd_error;
}
int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer) {
  static int (*next)(clockid_t, struct sigevent *, timer_t *);
  if (!next) {
    next = (int (*)(clockid_t, struct sigevent *, timer_t *))dlsym(RTLD_NEXT, "timer_create");
  }
  cvt_note("timer_create");
  if (next) return next(clock, event, timer);
  errno = ENOSYS;
  return -1;
}
#endif

// A run loop sets one for a timer that the stage does not know.
int timerfd_settime(
    int descriptor, int flags, const struct itimerspec *new_value, struct itimerspec *old_value) {
  static int (*next)(int, int, const struct itimerspec *, struct itimerspec *);
  if (!next) {
    next = (int (*)(int, int, const struct itimerspec *, struct itimerspec *))dlsym(
        RTLD_NEXT, "timerfd_settime");
  }
  if (new_value->it_value.tv_sec || new_value->it_value.tv_nsec) cvt_note("timerfd_settime");
  return next(descriptor, flags, new_value, old_value);
}
#else
void cvt_handle_submissions(cvt_submission_handler function) { (void)function; }
void cvt_handle_waits(cvt_submission_handler function) { (void)function; }
int cvt_callers(uintptr_t *frames, int most, int skipped) { return 0; }
void cvt_answer_with_stack(uintptr_t program_counter) { (void)program_counter; }
int cvt_interrupted_stack(uintptr_t program_counter, uintptr_t *addresses, int most) { return 0; }
int cvt_stack_of_thread(int32_t thread, uintptr_t *frames, int most) { return 0; }
int cvt_return_addresses(const void *frame, uintptr_t *addresses, int most) { return 0; }
int cvt_callers_by_frames(uintptr_t *addresses, int most) { return 0; }
#endif
