// Notes calls of the Swift runtime that leave no job in a queue, such as cancellation and the creation of tasks.

#define _GNU_SOURCE
#include "CStageDispatch.h"
#include "CVirtualTime.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

_Thread_local struct cvt_calls cvt_calls;

static cvt_task_handler task_handler;

void cvt_handle_tasks(cvt_task_handler handler) {
  __atomic_store_n(&task_handler, handler, __ATOMIC_RELEASE);
}

#if defined(__linux__)
// Counts calls of the Swift runtime that leave no job in a queue. The definitions below come before those of the shared
// runtime, as in Dispatch.c. The runtime binds its own calls at link time, so this file also finds the Swift functions
// that call them, by their mangled names. If Swift is linked statically, the linker's --wrap finds all callers of the
// runtime.
#define SWIFT __attribute__((swiftcall))
#define WEAK __attribute__((weak))

// Defines one function for `name` and one for --wrap. Both expand `counted_…`, and there `next` is the library's
// function.
#define INTERPOSED(result, name, parameters, arguments)                                      \
  extern SWIFT result __real_##name parameters WEAK;                                         \
  SWIFT WEAK result name parameters;                                                         \
  SWIFT WEAK result name parameters {                                                        \
    static SWIFT result(*next) parameters;                                                   \
    if (!next) next = (SWIFT result(*) parameters)dlsym(RTLD_NEXT, #name);                   \
    return counted_##name arguments;                                                         \
  }                                                                                          \
  SWIFT result __wrap_##name parameters;                                                     \
  SWIFT result __wrap_##name parameters {                                                    \
    SWIFT result(*next) parameters = __real_##name;                                          \
    return counted_##name arguments;                                                         \
  }

// MARK: Cancelling

#define CANCELLING(function, symbol)                                                         \
  SWIFT WEAK void function(void *, void *, void *) __asm__(symbol);                          \
  SWIFT WEAK void function(void *cancelled, void *success, void *failure) {                  \
    static SWIFT void (*next)(void *, void *, void *);                                       \
    if (!next) next = (SWIFT void (*)(void *, void *, void *))dlsym(RTLD_NEXT, symbol);      \
    cvt_calls.cancellations++;                                                               \
    /* The mangled names of the functions of Task begin so. */                               \
    if (cvt_thread.history && !strncmp(symbol, "$sScT", 5)) {                                \
      cvt_note_cancellation(cancelled, __builtin_return_address(0));                         \
    }                                                                                        \
    next(cancelled, success, failure);                                                       \
  }

CANCELLING(cancel_task, "$sScT6cancelyyF")
CANCELLING(cancel_current_task, "$sSct6cancelyyF")
CANCELLING(cancel_group, "$sScG9cancelAllyyF")
CANCELLING(cancel_throwing_group, "$sScg9cancelAllyyF")
CANCELLING(cancel_discarding_group, "$ss19DiscardingTaskGroupV9cancelAllyyF")
CANCELLING(cancel_throwing_discarding_group, "$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF")

extern SWIFT void __real_swift_task_cancel(void *task) WEAK;
SWIFT void __wrap_swift_task_cancel(void *task);
SWIFT void __wrap_swift_task_cancel(void *task) {
  cvt_calls.cancellations++;
  if (cvt_thread.history) cvt_note_cancellation(task, __builtin_return_address(0));
  __real_swift_task_cancel(task);
}

extern SWIFT void __real_swift_taskGroup_cancelAll(void *group) WEAK;
SWIFT void __wrap_swift_taskGroup_cancelAll(void *group);
SWIFT void __wrap_swift_taskGroup_cancelAll(void *group) {
  cvt_calls.cancellations++;
  __real_swift_taskGroup_cancelAll(group);
}

// MARK: Making tasks

struct task_and_context {
  void *task;
  void *context;
};
typedef SWIFT struct task_and_context (*create_function)(
    size_t flags, void *options, const void *type, void *entry, void *context);

// `TaskCreateFlags` in swift/ABI/MetadataValues.h: a task that is enqueued, and one that starts at once.
enum { enqueued_flag = 1 << 12, immediate_flag = 1 << 16 };

// A task that is a child, or that has the task-local values of its creator.
enum { child_flag = 1 << 8, copying_flag = 1 << 10 };

static cvt_local_handler local_handler;

void cvt_handle_locals(cvt_local_handler handler) {
  __atomic_store_n(&local_handler, handler, __ATOMIC_RELEASE);
}

struct creation {
  size_t flags;
  // The task-local values of the running task, and their replacement by those of the test; NULL if they are not replaced.
  struct cvt_local **locals;
  struct cvt_local *own;
};

// A detached task gets the task-local values of the test. They must be there before the task is enqueued.
static struct creation begin_copying(size_t flags) {
  struct creation creation = {.flags = flags};
  cvt_local_handler handler = __atomic_load_n(&local_handler, __ATOMIC_ACQUIRE);
  if (!cvt_thread.stage || !handler || flags & (child_flag | copying_flag)) return creation;
  if (!(flags & (enqueued_flag | immediate_flag))) return creation;
  struct cvt_local *first = handler(&creation.locals);
  if (!first) return creation;
  creation.flags |= copying_flag;
  if (creation.locals) {
    creation.own = *creation.locals;
    *creation.locals = first;
  }
  return creation;
}

static void end_copying(const struct creation *creation) {
  if (creation->locals) *creation->locals = creation->own;
}

// A new task of a thread with a home goes to that stage. Other tasks of a thread that no task uses may belong to one.
static void begin_creation(void) {
  cvt_creates_task =
      !cvt_thread.stage &&
      (cvt_home ||
       (!cvt_has_main_queue && cvt_has_stages() && cvt_current_origin() != CVT_FROM_NO_STAGE));
}

static struct task_and_context created(size_t flags, struct task_and_context made) {
  cvt_creates_task = false;
  cvt_calls.tasks++;
  cvt_task_handler handler = __atomic_load_n(&task_handler, __ATOMIC_ACQUIRE);
  // The library makes other tasks for its own use, such as one that ends a `Task.sleep`. Only --wrap finds these.
  bool is_own = flags & (enqueued_flag | immediate_flag);
  if (cvt_thread.stage && handler && is_own) handler(made.task);
  return made;
}

#define counted_swift_task_create(flags, ...)                          \
  ({                                                                   \
    begin_creation();                                                  \
    struct creation creation = begin_copying(flags);                   \
    struct task_and_context made = next(creation.flags, __VA_ARGS__);  \
    end_copying(&creation);                                            \
    created(flags, made);                                              \
  })
INTERPOSED(
    struct task_and_context, swift_task_create,
    (size_t flags, void *options, const void *type, void *entry, void *context),
    (flags, options, type, entry, context))

// MARK: Running jobs

#define counted_swift_job_run(...) (cvt_calls.jobs++, next(__VA_ARGS__))
INTERPOSED(
    void, swift_job_run, (void *job, void *executor, void *implementation),
    (job, executor, implementation))

#define counted_swift_job_run_on_task_executor(...) (cvt_calls.jobs++, next(__VA_ARGS__))
INTERPOSED(
    void, swift_job_run_on_task_executor, (void *job, void *executor, void *implementation),
    (job, executor, implementation))

#define counted_swift_job_run_on_serial_and_task_executor(...) \
  (cvt_calls.jobs++, next(__VA_ARGS__))
INTERPOSED(
    void, swift_job_run_on_serial_and_task_executor,
    (void *job, void *executor, void *implementation, void *task_executor,
     void *task_implementation),
    (job, executor, implementation, task_executor, task_implementation))

// MARK: Awaiting

// A task that awaits a function on the same executor is not suspended, so a loop of such awaits would keep the only thread
// of the stage. After so many of them, other code of the stage runs.
enum { AWAITS = 1000 };

#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))
typedef ASYNC void (*switch_function)(CONTEXT void *, void *, void *, void *);

// Nothing is noted meanwhile: the stack cannot be unwound through the frame of a function with an async context, which tags
// the frame pointer of its caller.
//
// Returns whether the task must not continue. A loop such as `while true { try? await Task.sleep(…) }` never ends once it is
// cancelled, and keeps its thread. If this function returns to the runtime, the task stays suspended.
static bool let_others_run(const void *function, const void *context) {
  bool was_noted = cvt_is_noted;
  cvt_is_noted = true;
  cvt_thread.awaits = 0;
  bool stops = cvt_stage_ran_on(function, context);
  cvt_is_noted = was_noted;
  return stops;
}

// A default actor is an executor without a table.
#define SWITCHING(name)                                                                      \
  ASYNC WEAK void name(CONTEXT void *context, void *function, void *executor, void *table);  \
  ASYNC WEAK void name(CONTEXT void *context, void *function, void *executor, void *table) { \
    switch_function next = real_switch();                                                    \
    if (cvt_thread.history && executor && !table) cvt_note_visit(executor, function, context); \
    if (cvt_thread.stage && ++cvt_thread.awaits >= AWAITS && let_others_run(function, context)) \
      return;                                                                                \
    __attribute__((musttail)) return next(context, function, executor, table);               \
  }

extern ASYNC void __real_swift_task_switch(CONTEXT void *, void *, void *, void *) WEAK;

static switch_function find_switch(void) {
  if (__real_swift_task_switch) return __real_swift_task_switch;
  return (switch_function)dlsym(RTLD_NEXT, "swift_task_switch");
}

static inline switch_function real_switch(void) {
  static switch_function next;
  if (!next) next = find_switch();
  return next;
}

SWITCHING(swift_task_switch)
SWITCHING(__wrap_swift_task_switch)
#else
void cvt_handle_locals(cvt_local_handler handler) { (void)handler; }
#endif
