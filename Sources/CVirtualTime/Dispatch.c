#define _GNU_SOURCE
#include "CVirtualTime.h"

#include <dlfcn.h>
#include <stddef.h>

#if defined(__linux__)
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unwind.h>

// These functions note the work that code on a stage's thread gives to libdispatch, to a run loop or to a thread, and
// forward it: it runs in real time, or, on the main queue of the shell, never. They also note random numbers.
//
// A shared libdispatch: the definitions below are in the executable, so the dynamic linker prefers them, as it does
// clock_gettime. They are weak, since a static libdispatch has the same names. Linked statically, the linker's --wrap
// lets callers find `__wrap_…`, and `__real_…` is the library's own.

static cvt_submission_handler handler;
// Whether this thread is in one of the functions below, which may use each other.
static _Thread_local bool is_noted;

void cvt_handle_submissions(cvt_submission_handler function) {
  __atomic_store_n(&handler, function, __ATOMIC_RELEASE);
}

struct walk {
  struct cvt_submission *submission;
  int skipped;
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *argument) {
  struct walk *walk = argument;
  if (walk->skipped-- > 0) return _URC_NO_REASON;
  struct cvt_submission *submission = walk->submission;
  uintptr_t frame = _Unwind_GetIP(context);
  if (!frame) return _URC_END_OF_STACK;
  submission->frames[submission->count++] = frame;
  return submission->count < CVT_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

extern const char *dispatch_queue_get_label(void *queue) __attribute__((weak));
extern char _dispatch_main_q __attribute__((weak));

// Not inlined, so that the number of frames between here and the caller is known.
__attribute__((noinline)) static void note(const char *function, void *queue) {
  cvt_submission_handler function_to_call = __atomic_load_n(&handler, __ATOMIC_ACQUIRE);
  if (!cvt_thread.stage || !function_to_call || is_noted) return;
  cvt_calls.submissions++;
  struct cvt_submission submission = {.function = function};
  submission.is_main = queue && queue == (void *)&_dispatch_main_q;
  if (queue && dispatch_queue_get_label) submission.label = dispatch_queue_get_label(queue);
  struct walk walk = {.submission = &submission, .skipped = 2};
  _Unwind_Backtrace(add_frame, &walk);
  function_to_call(&submission);
}

#define SUBMITTING(name, queue, parameters, arguments)                                     \
  extern void __real_##name parameters __attribute__((weak));                              \
  __attribute__((weak)) void name parameters;                                              \
  __attribute__((weak)) void name parameters {                                             \
    static void(*next) parameters;                                                         \
    if (!next) next = (void(*) parameters)dlsym(RTLD_NEXT, #name);                         \
    bool was_noted = is_noted;                                                             \
    note(#name, queue);                                                                    \
    is_noted = true;                                                                       \
    next arguments;                                                                        \
    is_noted = was_noted;                                                                  \
  }                                                                                        \
  void __wrap_##name parameters;                                                           \
  void __wrap_##name parameters {                                                          \
    bool was_noted = is_noted;                                                             \
    note(#name, queue);                                                                    \
    is_noted = true;                                                                       \
    __real_##name arguments;                                                               \
    is_noted = was_noted;                                                                  \
  }

SUBMITTING(dispatch_async, queue, (void *queue, void *block), (queue, block))
SUBMITTING(dispatch_barrier_async, queue, (void *queue, void *block), (queue, block))
SUBMITTING(dispatch_after, queue, (uint64_t when, void *queue, void *block), (when, queue, block))
SUBMITTING(
    dispatch_group_async, queue, (void *group, void *queue, void *block), (group, queue, block))
SUBMITTING(
    dispatch_group_notify, queue, (void *group, void *queue, void *block), (group, queue, block))
SUBMITTING(
    dispatch_source_set_timer, NULL,
    (void *source, uint64_t start, uint64_t interval, uint64_t leeway),
    (source, start, interval, leeway))
SUBMITTING(
    dispatch_block_notify, queue, (void *block, void *queue, void *notification),
    (block, queue, notification))
SUBMITTING(
    dispatch_read, queue, (int file, size_t length, void *queue, void *handler),
    (file, length, queue, handler))
SUBMITTING(
    dispatch_write, queue, (int file, void *data, void *queue, void *handler),
    (file, data, queue, handler))
SUBMITTING(
    dispatch_io_read, queue,
    (void *channel, off_t offset, size_t length, void *queue, void *handler),
    (channel, offset, length, queue, handler))
SUBMITTING(
    dispatch_io_write, queue,
    (void *channel, off_t offset, void *data, void *queue, void *handler),
    (channel, offset, data, queue, handler))

// Runs the block on several threads, one of them this one, and waits for all. So work that the block gives to others
// counts, too.
extern void __real_dispatch_apply(size_t iterations, void *queue, void *block) __attribute__((weak));
__attribute__((weak)) void dispatch_apply(size_t iterations, void *queue, void *block);
__attribute__((weak)) void dispatch_apply(size_t iterations, void *queue, void *block) {
  static void (*next)(size_t, void *, void *);
  if (!next) next = (void (*)(size_t, void *, void *))dlsym(RTLD_NEXT, "dispatch_apply");
  note("dispatch_apply", NULL);
  next(iterations, queue, block);
}
void __wrap_dispatch_apply(size_t iterations, void *queue, void *block);
void __wrap_dispatch_apply(size_t iterations, void *queue, void *block) {
  note("dispatch_apply", NULL);
  __real_dispatch_apply(iterations, queue, block);
}

// A timer is noted when it is set.
extern char _dispatch_source_type_timer __attribute__((weak));
extern void *__real_dispatch_source_create(
    const void *type, uintptr_t handle, uintptr_t mask, void *queue) __attribute__((weak));
__attribute__((weak)) void *dispatch_source_create(
    const void *type, uintptr_t handle, uintptr_t mask, void *queue);
__attribute__((weak)) void *dispatch_source_create(
    const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
  static void *(*next)(const void *, uintptr_t, uintptr_t, void *);
  if (!next) {
    next = (void *(*)(const void *, uintptr_t, uintptr_t, void *))dlsym(
        RTLD_NEXT, "dispatch_source_create");
  }
  if (type != &_dispatch_source_type_timer) note("dispatch_source_create", NULL);
  return next(type, handle, mask, queue);
}
void *__wrap_dispatch_source_create(
    const void *type, uintptr_t handle, uintptr_t mask, void *queue);
void *__wrap_dispatch_source_create(
    const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
  if (type != &_dispatch_source_type_timer) note("dispatch_source_create", NULL);
  return __real_dispatch_source_create(type, handle, mask, queue);
}

// Of a static libdispatch these bring in the objects with the functions above, which are preferred to weak ones then.
extern void dispatch_async_f(void), dispatch_barrier_async_f(void), dispatch_after_f(void);
extern void dispatch_group_async_f(void), dispatch_group_notify_f(void), dispatch_apply_f(void);
extern void dispatch_read_f(void), dispatch_source_cancel(void);
__attribute__((used)) static void (*const siblings[])(void) = {
    dispatch_async_f,       dispatch_barrier_async_f, dispatch_after_f,
    dispatch_group_async_f, dispatch_group_notify_f,  dispatch_apply_f,
    dispatch_read_f,        dispatch_source_cancel,
};

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
    note("random", NULL);                                                                  \
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
    note("random", NULL);                                                                  \
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
  note("random", NULL);
  if (next) return next(bytes, count);
  while (count) {
    ssize_t drawn = getrandom(bytes, count, 0);
    if (drawn < 0 && errno != EINTR) abort();
    if (drawn < 0) continue;
    bytes = (char *)bytes + drawn;
    count -= (size_t)drawn;
  }
}

// `RunLoop.perform` calls this function. Foundation calls it through its own symbol table, so this definition comes
// first there, too.
__attribute__((weak)) void CFRunLoopPerformBlock(void *loop, const void *mode, void *block);
__attribute__((weak)) void CFRunLoopPerformBlock(void *loop, const void *mode, void *block) {
  static void (*next)(void *, const void *, void *);
  if (!next) {
    next = (void (*)(void *, const void *, void *))dlsym(RTLD_NEXT, "CFRunLoopPerformBlock");
  }
  note("CFRunLoopPerformBlock", NULL);
  next(loop, mode, block);
}

// `RunLoop.run` and its relatives call this function. The loop waits for events of other threads and in real time.
__attribute__((weak)) int32_t CFRunLoopRunInMode(const void *mode, double seconds, bool once);
__attribute__((weak)) int32_t CFRunLoopRunInMode(const void *mode, double seconds, bool once) {
  static int32_t (*next)(const void *, double, bool);
  if (!next) next = (int32_t (*)(const void *, double, bool))dlsym(RTLD_NEXT, "CFRunLoopRunInMode");
  note("CFRunLoopRunInMode", NULL);
  return next(mode, seconds, once);
}

// Sanitizers define `pthread_create` themselves.
#if defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
#include <pthread.h>

// A static C library has no next definition, so threads are not noted there.
int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!next) {
    next = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
        RTLD_NEXT, "pthread_create");
  }
  note("pthread_create", NULL);
  return next(thread, attributes, start, argument);
}
#endif

// A run loop sets one for a `Timer`.
int timerfd_settime(
    int descriptor, int flags, const struct itimerspec *new_value, struct itimerspec *old_value) {
  static int (*next)(int, int, const struct itimerspec *, struct itimerspec *);
  if (!next) {
    next = (int (*)(int, int, const struct itimerspec *, struct itimerspec *))dlsym(
        RTLD_NEXT, "timerfd_settime");
  }
  if (new_value->it_value.tv_sec || new_value->it_value.tv_nsec) note("timerfd_settime", NULL);
  return next(descriptor, flags, new_value, old_value);
}
#else
void cvt_handle_submissions(cvt_submission_handler function) { (void)function; }
#endif
