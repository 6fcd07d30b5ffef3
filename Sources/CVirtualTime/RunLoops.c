#define _GNU_SOURCE
#include "CStageDispatch.h"
#include "CVirtualTime.h"

#if defined(__linux__)
#include "Interposing.h"

#include <pthread.h>

// On a thread that runs a stage, the timers and blocks of run loops run on the stage. Foundation calls these functions
// of CoreFoundation through its own symbol table, so the definitions here come first there, too.

typedef void (*callout)(void *timer, void *info);
struct context {
  intptr_t version;
  void *info;
  void *(*retain)(const void *);
  void (*release)(const void *);
  void *(*description)(const void *);
};

LIBRARY(double, CFRunLoopTimerGetNextFireDate, (void *timer), (timer))
LIBRARY(double, CFRunLoopTimerGetInterval, (void *timer), (timer))
LIBRARY(double, CFRunLoopTimerGetTolerance, (void *timer), (timer))
LIBRARY(unsigned char, CFRunLoopTimerIsValid, (void *timer), (timer))
REAL(void, CFRunLoopTimerSetNextFireDate, (void *timer, double date), (timer, date))
REAL(void, CFRunLoopTimerInvalidate, (void *timer), (timer))
LIBRARY(void, CFRunLoopTimerGetContext, (void *timer, struct context *context), (timer, context))
LIBRARY(void *, CFRetain, (void *object), (object))
LIBRARY(void, CFRelease, (void *object), (object))

LIBRARY(void *, CFRunLoopGetMain, (void), ())
static bool is_main(void *loop) { return loop == real_CFRunLoopGetMain(); }
// Whether a stage may take the work of the calling thread for a run loop.
static bool is_outside(void *loop) {
  return !cvt_thread.stage && (cvt_home || cvt_has_main_queue || cvt_has_stages()) && is_main(loop);
}

// Foundation gives all timers the same function.
static callout foundation_callout;

// Whether a run loop fires timers of this mode only if it is asked to. Foundation passes its constants for the usual modes.
// In a program without these constants, each mode counts as usual.
static bool is_other_mode(const void *mode) {
  static const void **usual, **common;
  if (!usual) usual = dlsym(RTLD_DEFAULT, "kCFRunLoopDefaultMode");
  if (!common) common = dlsym(RTLD_DEFAULT, "kCFRunLoopCommonModes");
  return cvt_thread.stage && usual && common && mode != *usual && mode != *common;
}

INTERPOSED(
    void *, CFRunLoopTimerCreate,
    (void *allocator, double date, double interval, unsigned long flags, intptr_t order,
     callout function, struct context *context), {
      __atomic_store_n(&foundation_callout, function, __ATOMIC_RELAXED);
      return next(allocator, date, interval, flags, order, function, context);
    })
INTERPOSED(void, CFRunLoopAddTimer, (void *loop, void *timer, const void *mode), {
  if (is_other_mode(mode)) {
    cvt_note("a timer in another mode of a RunLoop");
    return next(loop, timer, mode);
  }
  if (cvt_thread.stage && foundation_callout) return cvt_stage_timer_added(timer, is_main(loop));
  if (is_outside(loop) && foundation_callout && cvt_outside_timer_added(timer)) return;
  next(loop, timer, mode);
})
INTERPOSED(void, CFRunLoopAddObserver, (void *loop, void *observer, const void *mode), {
  cvt_note("CFRunLoopAddObserver");
  next(loop, observer, mode);
})
INTERPOSED(void, CFRunLoopTimerInvalidate, (void *timer), {
  next(timer);
  if (cvt_thread.stage) cvt_stage_timer_changed(timer);
})
INTERPOSED(void, CFRunLoopTimerSetNextFireDate, (void *timer, double date), {
  next(timer, date);
  if (cvt_thread.stage) cvt_stage_timer_changed(timer);
})
INTERPOSED(void, CFRunLoopPerformBlock, (void *loop, const void *mode, void *block), {
  if (cvt_thread.stage && cvt_stage_loop_perform(block, is_main(loop))) return;
  if (is_outside(loop) && cvt_outside_loop_perform(block)) return;
  next(loop, mode, block);
})
INTERPOSED(int32_t, CFRunLoopRunInMode, (const void *mode, double seconds, unsigned char once), {
  if (cvt_thread.stage) return cvt_stage_loop_run(seconds, once);
  return next(mode, seconds, once);
})
INTERPOSED(void, CFRunLoopStop, (void *loop), {
  if (cvt_thread.stage) return cvt_stage_loop_stop();
  next(loop);
})
INTERPOSED(unsigned char, _CFRunLoopFinished, (void *loop, const void *mode), {
  if (cvt_thread.stage) return cvt_stage_loop_is_finished();
  return next(loop, mode);
})
INTERPOSED(pthread_t, _CFThreadCreate,
           (pthread_attr_t attributes, void *(*start)(void *), void *context), {
  if (cvt_thread.stage && cvt_stage_thread_start(start, context)) return pthread_self();
  return next(attributes, start, context);
})
// Main-actor code runs in the main run loop, whichever thread runs it. Without this, `RunLoop.main.run` returns at once.
INTERPOSED(void *, CFRunLoopGetCurrent, (void), {
  if (cvt_thread.stage && cvt_stage_is_on_main()) return real_CFRunLoopGetMain();
  return next();
})
INTERPOSED(unsigned char, _CFIsMainThread, (void), {
  if (cvt_thread.stage) return cvt_stage_is_on_main();
  return next();
})

void cvt_timer_retain(void *timer) { real_CFRetain(timer); }
void cvt_timer_release(void *timer) { real_CFRelease(timer); }
bool cvt_timer_is_valid(void *timer) { return real_CFRunLoopTimerIsValid(timer); }
double cvt_timer_next(void *timer) { return real_CFRunLoopTimerGetNextFireDate(timer); }
double cvt_timer_interval(void *timer) { return real_CFRunLoopTimerGetInterval(timer); }
double cvt_timer_tolerance(void *timer) { return real_CFRunLoopTimerGetTolerance(timer); }
void cvt_timer_set_next(void *timer, double date) { real_CFRunLoopTimerSetNextFireDate(timer, date); }
void cvt_timer_invalidate(void *timer) { real_CFRunLoopTimerInvalidate(timer); }
void cvt_timer_fire(void *timer) {
  struct context context = {0};
  real_CFRunLoopTimerGetContext(timer, &context);
  foundation_callout(timer, context.info);
}
#endif
