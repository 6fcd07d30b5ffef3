// Registers a handler for the cancellation of a task that sleeps.

#include "CVirtualTime.h"

#include <stddef.h>

// Does the same as `withTaskCancellationHandler`, without its asynchronous frames. With these frames, a sleeping
// load needs a second slab of its task's allocator, which is another kilobyte.
//
// These functions of the runtime are called by code that the compiler and the standard library emit
// into every program; Swift source may not declare them. They allocate on the running task's own stack,
// so whatever is allocated after `cvt_begin_sleep` has to be freed before `cvt_end_sleep`.
typedef __attribute__((swiftcall)) void (*cancellation_handler)(
    __attribute__((swift_context)) void *context);

extern __attribute__((swiftcall)) void *swift_task_alloc(size_t size);
extern __attribute__((swiftcall)) void swift_task_dealloc(void *memory);
// If the task is cancelled already, calls the handler and may return NULL.
extern __attribute__((swiftcall)) void *swift_task_addCancellationHandler(
    cancellation_handler handler, void *context);
// Waits for a handler that another thread is running. After this it is not called any more.
extern __attribute__((swiftcall)) void swift_task_removeCancellationHandler(void *record);

extern __attribute__((swiftcall)) void *swift_task_getCurrent(void);

void *cvt_current_task(void) { return swift_task_getCurrent(); }

struct cvt_registered_sleep {
  struct cvt_sleep sleep;
  cvt_sleep_cancelled cancelled;
  void *record;
};

static __attribute__((swiftcall)) void cancel(__attribute__((swift_context)) void *context) {
  const struct cvt_registered_sleep *registered = context;
  registered->cancelled(registered->sleep);
}

struct cvt_registered_sleep *cvt_begin_sleep(
    struct cvt_sleep sleep, cvt_sleep_cancelled cancelled) {
  struct cvt_registered_sleep *registered = swift_task_alloc(sizeof *registered);
  registered->sleep = sleep;
  registered->cancelled = cancelled;
  registered->record = swift_task_addCancellationHandler(cancel, registered);
  return registered;
}

void cvt_end_sleep(struct cvt_registered_sleep *registered) {
  swift_task_removeCancellationHandler(registered->record);
  swift_task_dealloc(registered);
}
