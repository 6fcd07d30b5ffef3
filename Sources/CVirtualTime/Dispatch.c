#define _GNU_SOURCE
#include "CStageDispatch.h"
#include "CVirtualTime.h"

#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#if defined(__linux__)
#include "Interposing.h"

// On a thread that runs a stage, these functions of libdispatch give their work to the stage; elsewhere they are
// libdispatch's own.

REAL(const char *, dispatch_queue_get_label, (void *queue), (queue))

// Whether the calling thread runs a stage that takes the work for a queue. The queues of URLSession are not the
// stage's: its threads answer requests, and the stage waits for them.
static bool is_staged(void *queue) {
  if (!cvt_thread.stage || cvt_lacks_async) return false;
  const char *label = queue ? real_dispatch_queue_get_label(queue) : NULL;
  if (!label) return true;
  switch (label[0]) {
    case 'U': return strncmp(label, "URLSession", 10) != 0;
    case 'M': return strncmp(label, "MultiHandle.", 12) != 0;
    case 'o':
      return strncmp(label, "org.swift.URL", 13) != 0 && strncmp(label, "org.swift.HTTP", 14) != 0;
    // Its own queues, as for files.
    case 'c': return strncmp(label, "com.apple.libdispatch-", 22) != 0;
    default: return true;
  }
}

// MARK: Threads outside of the stage

_Thread_local void *cvt_home;
_Thread_local unsigned char cvt_origin;
_Thread_local bool cvt_creates_task;
bool cvt_has_main_queue;
unsigned cvt_stage_count;

extern char _dispatch_main_q __attribute__((weak));

int cvt_current_origin(void) {
  if (cvt_origin) return cvt_origin;
  static _Thread_local signed char is_main_thread;
  if (!is_main_thread) is_main_thread = cvt_system_thread() == getpid() ? 1 : -1;
  if (is_main_thread > 0 || cvt_current_task()) return CVT_FROM_NO_STAGE;
  return cvt_knows_threads ? CVT_FROM_ANYWHERE : CVT_FROM_THREAD;
}

// Whether a stage may take the work of the calling thread for a queue: the main queue, or one that targets it.
static bool is_for_main(void *queue) {
  if (cvt_thread.stage || !(cvt_home || cvt_has_main_queue || cvt_has_stages())) return false;
  while (queue && queue != (void *)&_dispatch_main_q) queue = cvt_queue_target(queue);
  return queue != NULL;
}

extern void *_Block_copy(const void *);
extern void _Block_release(const void *);

// The beginning of each block.
struct block {
  void *class;
  int flags;
  int reserved;
  void (*invoke)(void *, size_t);
  void *descriptor;
};
static const int block_has_copy_function = 1 << 25;
extern void *_NSConcreteStackBlock[] __attribute__((weak));
struct descriptor {
  unsigned long reserved, size;
  void (*copy)(void *, const void *);
  void (*dispose)(const void *);
};

// The captured variable of a block that dispatch_block_create has made: dispatch_block_private_data_s of libdispatch.
struct work_item {
  struct block block;
  unsigned long magic;
  unsigned long flags;
  unsigned states;
  int performed;
};
static const unsigned long work_item_magic = 0xD159B10C;
static const unsigned work_item_cancelled = 1, work_item_waiting = 2, work_item_waited = 4;
static const unsigned long work_item_barrier = 1;

static struct work_item *as_work_item(void *block) {
  struct work_item *item = block;
  // Only a block with captured objects is long enough to have this field.
  return (item->block.flags & block_has_copy_function) && item->magic == work_item_magic ? item : NULL;
}

REAL(void, dispatch_retain, (void *object), (object))
REAL(void, dispatch_release, (void *object), (object))
REAL(void, dispatch_sync, (void *queue, void *block), (queue, block))

// A block around a given one, which tells the thread of Dispatch that runs it where the given one comes from.
struct kept_block {
  struct block block;
  void *inner;
  void *home;
  // The queue of a handler of DispatchIO that waits for the main queue of a stage; or NULL.
  void *caller;
  unsigned char origin;
  // Whether code of a stage has given the handler to the main queue.
  bool is_for_main;
};

static void copy_kept(void *to, const void *from) {
  struct kept_block *copy = to;
  copy->inner = _Block_copy(((const struct kept_block *)from)->inner);
  if (copy->home) cvt_retain_home(copy->home);
  if (copy->caller) real_dispatch_retain(copy->caller);
}
static void dispose_kept(const void *block) {
  const struct kept_block *kept = block;
  _Block_release(kept->inner);
  cvt_release_home(kept->home);
  if (kept->caller) real_dispatch_release(kept->caller);
}

// A call of a handler with its arguments, of which one of DispatchIO has the most.
struct handler_call {
  struct block block;
  struct block *handler;
  uintptr_t first, second, third;
};
// Functions of these names count as no code of the program in stacks.
static void cvt_call_handler(void *block, size_t unused) {
  (void)unused;
  struct handler_call *call = block;
  ((void (*)(void *, uintptr_t, uintptr_t, uintptr_t))call->handler->invoke)(
      call->handler, call->first, call->second, call->third);
}
static void cvt_call_kept(void *block, uintptr_t first, uintptr_t second, uintptr_t third) {
  static struct {
    unsigned long reserved, size;
  } descriptor = {0, sizeof(struct handler_call)};
  struct kept_block *kept = block;
  void *home = cvt_exchange_home(kept->home);
  unsigned char origin = cvt_origin;
  cvt_origin = kept->origin;
  struct handler_call call = {
      {_NSConcreteStackBlock, 0, 0, cvt_call_handler, &descriptor}, kept->inner, first, second, third};
  if (!kept->is_for_main) {
    cvt_call_handler(&call, 0);
  } else if (!cvt_outside_sync(&_dispatch_main_q, &call, false)) {
    real_dispatch_sync(&_dispatch_main_q, &call);
  }
  cvt_home = home;
  cvt_origin = origin;
}
static struct descriptor kept_descriptor = {0, sizeof(struct kept_block), copy_kept, dispose_kept};

// Makes a block for libdispatch that keeps where the calling code comes from. Returns the given block if that is not known.
static void *kept_handler(struct kept_block *kept, void *block, bool is_for_main, void *caller) {
  if (!block || (cvt_has_main_queue && !is_for_main)) return block;
  void *home = cvt_thread.stage ? cvt_stage_home() : cvt_home;
  int origin = home ? CVT_FROM_ANYWHERE : cvt_current_origin();
  if (!home && origin == CVT_FROM_ANYWHERE) return block;
  *kept = (struct kept_block){
      {_NSConcreteStackBlock, block_has_copy_function, 0, (void (*)(void *, size_t))cvt_call_kept,
       &kept_descriptor},
      block, home, caller, origin, is_for_main};
  return kept;
}

extern void *dispatch_queue_create(const char *label, void *attribute);
static const char caller_label[] = "rehearse.handlers-of-main-queue";

// Returns a queue on which libdispatch may call a handler that code of a stage gives to a queue: the calls wait there for the
// main queue of the stage. NULL if the stage's code does not give it to the main queue.
static void *make_caller(void *queue) {
  if (!cvt_thread.stage) return NULL;
  while (queue && queue != (void *)&_dispatch_main_q) queue = cvt_queue_target(queue);
  return queue ? dispatch_queue_create(caller_label, NULL) : NULL;
}

// Whether `make_caller` has made the queue of a source, which retains it.
static bool has_caller(void *source) {
  void *queue = cvt_thread.stage ? cvt_queue_target(source) : NULL;
  const char *label = queue ? real_dispatch_queue_get_label(queue) : NULL;
  return label && !strcmp(label, caller_label);
}

// The same for a block of a queue. A work item has kept its origin since it was made, and libdispatch must find it.
static void *kept_block(struct kept_block *kept, void *block) {
  return !block || as_work_item(block) ? block : kept_handler(kept, block, false, NULL);
}

int64_t cvt_real_clock(int clock) {
  static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_REALTIME};
  struct timespec now;
  clock_gettime(clocks[clock], &now);
  return cvt_nanoseconds(&now);
}

// MARK: Queues

INTERPOSED(void, dispatch_async, (void *queue, void *block), {
  if (is_staged(queue)) return cvt_stage_async(queue, block, false, NULL);
  if (is_for_main(queue) && cvt_outside_async(queue, block, false, NULL)) return;
  if (cvt_thread.stage && !cvt_lacks_async && cvt_stage_notes_requests()) cvt_note("URLSession");
  struct kept_block kept;
  next(queue, kept_block(&kept, block));
})
INTERPOSED(void, dispatch_barrier_async, (void *queue, void *block), {
  if (is_staged(queue)) return cvt_stage_async(queue, block, true, NULL);
  if (is_for_main(queue) && cvt_outside_async(queue, block, true, NULL)) return;
  struct kept_block kept;
  next(queue, kept_block(&kept, block));
})
INTERPOSED(void, dispatch_after, (uint64_t when, void *queue, void *block), {
  if (is_staged(queue)) return cvt_stage_after(when, queue, block);
  if (is_for_main(queue) && cvt_outside_after(when, queue, block)) return;
  struct kept_block kept;
  next(when, queue, kept_block(&kept, block));
})
INTERPOSED(void, dispatch_sync, (void *queue, void *block), {
  if (is_staged(queue)) return cvt_stage_sync(queue, block, false);
  if (is_for_main(queue) && cvt_outside_sync(queue, block, false)) return;
  next(queue, block);
})
INTERPOSED(void, dispatch_barrier_sync, (void *queue, void *block), {
  if (is_staged(queue)) return cvt_stage_sync(queue, block, true);
  if (is_for_main(queue) && cvt_outside_sync(queue, block, true)) return;
  next(queue, block);
})
INTERPOSED(void, dispatch_apply, (size_t iterations, void *queue, void *block), {
  if (is_staged(queue)) return cvt_stage_apply(iterations, queue, block);
  struct kept_block kept;
  next(iterations, queue, kept_block(&kept, block));
})

// MARK: What runs

INTERPOSED(const char *, dispatch_queue_get_label, (void *queue), {
  void *current = queue || !cvt_thread.stage ? NULL : cvt_stage_current_queue();
  return next(current ? current : queue);
})
LIBRARY(void *, dispatch_queue_get_specific, (void *queue, const void *key), (queue, key))
INTERPOSED(void *, dispatch_get_specific, (const void *key), {
  if (cvt_thread.stage) {
    for (void *queue = cvt_stage_current_queue(); queue; queue = cvt_queue_target(queue)) {
      void *value = real_dispatch_queue_get_specific(queue, key);
      if (value) return value;
    }
  }
  return next(key);
})
INTERPOSED(void, dispatch_assert_queue, (void *queue), {
  if (cvt_thread.stage && cvt_stage_is_on_queue(queue)) return;
  next(queue);
})
INTERPOSED(void, dispatch_assert_queue_barrier, (void *queue), {
  if (cvt_thread.stage && cvt_stage_is_on_queue(queue)) return cvt_stage_check_barrier(queue);
  next(queue);
})
REAL(void, dispatch_assert_queue, (void *queue), (queue))
INTERPOSED(void, dispatch_assert_queue_not, (void *queue), {
  // The thread of a stage may be the process's main thread while it runs other queues.
  if (!cvt_thread.stage) return next(queue);
  // Outside of the queue, this assertion fails, with libdispatch's own message.
  if (cvt_stage_is_on_queue(queue)) real_dispatch_assert_queue(queue);
})

// MARK: Suspending

// Number of timer sources that belong to stages. They are never libdispatch's to run.
unsigned cvt_stage_sources;

// Returns whether an object is such a timer source; then the stage handles the event.
static bool is_source_event(void *object, int event) {
  return __atomic_load_n(&cvt_stage_sources, __ATOMIC_RELAXED) &&
         cvt_stage_source_event(object, event);
}

#define CHANGING(name, event)                                \
  INTERPOSED(void, name, (void *object), {                   \
    if (is_source_event(object, event)) return;              \
    next(object);                                            \
    if (cvt_thread.stage) cvt_stage_queue_changed(object);   \
  })

CHANGING(dispatch_activate, CVT_SOURCE_ACTIVATE)
CHANGING(dispatch_resume, CVT_SOURCE_RESUME)
CHANGING(dispatch_suspend, CVT_SOURCE_SUSPEND)
INTERPOSED(void, dispatch_set_target_queue, (void *object, void *queue), {
  if (is_source_event(object, CVT_SOURCE_TARGET)) return;
  next(object, queue);
  if (cvt_thread.stage) cvt_stage_queue_changed(object);
})
INTERPOSED(void, dispatch_retain, (void *object), {
  if (!is_source_event(object, CVT_SOURCE_RETAIN)) next(object);
})
INTERPOSED(void, dispatch_release, (void *object), {
  if (!is_source_event(object, CVT_SOURCE_RELEASE)) next(object);
})

// MARK: Groups

// Number of waits of stages that another thread may end.
unsigned cvt_stage_waits;

// Elsewhere, another thread may leave a group for which a stage waits; the stage looks when nothing else is left.
INTERPOSED(void, dispatch_group_leave, (void *group), {
  next(group);
  if (cvt_thread.stage) return cvt_stage_group_left(group);
  if (cvt_stage_waits) cvt_stage_outside_signal();
})
REAL(void, dispatch_group_enter, (void *group), (group))
REAL(void, dispatch_group_leave, (void *group), (group))
INTERPOSED(void, dispatch_group_enter, (void *group), {
  if (cvt_thread.history) cvt_stage_group_entered(group);
  next(group);
})
INTERPOSED(void, dispatch_group_async, (void *group, void *queue, void *block), {
  if (!is_staged(queue)) {
    struct kept_block kept;
    if (!is_for_main(queue)) return next(group, queue, kept_block(&kept, block));
    real_dispatch_group_enter(group);
    if (cvt_outside_async(queue, block, false, group)) return;
    next(group, queue, kept_block(&kept, block));
    return real_dispatch_group_leave(group);
  }
  real_dispatch_group_enter(group);
  cvt_stage_async(queue, block, false, group);
})
INTERPOSED(void, dispatch_group_notify, (void *group, void *queue, void *block), {
  if (is_staged(queue)) return cvt_stage_group_notify(group, queue, block);
  if (is_for_main(queue) && cvt_outside_group_notify(group, queue, block)) return;
  struct kept_block kept;
  next(group, queue, kept_block(&kept, block));
})
INTERPOSED(intptr_t, dispatch_group_wait, (void *group, uint64_t timeout), {
  if (cvt_thread.stage) return cvt_stage_group_wait(group, timeout);
  return next(group, timeout);
})
REAL(intptr_t, dispatch_group_wait, (void *group, uint64_t timeout), (group, timeout))

// MARK: Semaphores

INTERPOSED(intptr_t, dispatch_semaphore_wait, (void *semaphore, uint64_t timeout), {
  if (cvt_thread.stage) return cvt_stage_semaphore_wait(semaphore, timeout);
  return next(semaphore, timeout);
})
INTERPOSED(intptr_t, dispatch_semaphore_signal, (void *semaphore), {
  if (cvt_thread.stage && cvt_stage_semaphore_signal(semaphore)) return 1;
  intptr_t woken = next(semaphore);
  if (!cvt_thread.stage && cvt_stage_waits) cvt_stage_outside_signal();
  return woken;
})
REAL(intptr_t, dispatch_semaphore_wait, (void *semaphore, uint64_t timeout), (semaphore, timeout))
REAL(intptr_t, dispatch_semaphore_signal, (void *semaphore), (semaphore))

// MARK: Work items

INTERPOSED(void, dispatch_block_notify, (void *block, void *queue, void *notification), {
  if (is_staged(queue)) return cvt_stage_block_notify(block, queue, notification);
  struct kept_block kept;
  next(block, queue, kept_block(&kept, notification));
})
INTERPOSED(intptr_t, dispatch_block_wait, (void *block, uint64_t timeout), {
  if (cvt_thread.stage) return cvt_stage_block_wait(block, timeout);
  return next(block, timeout);
})

// MARK: Timers

extern char _dispatch_source_type_timer __attribute__((weak));

INTERPOSED(
    void *, dispatch_source_create,
    (const void *type, uintptr_t handle, uintptr_t mask, void *queue), {
      bool is_timer = type == &_dispatch_source_type_timer;
      void *caller = is_timer ? NULL : make_caller(queue);
      void *source = next(type, handle, mask, caller ? caller : queue);
      if (caller) real_dispatch_release(caller);
      if (!source || !is_staged(queue)) return source;
      if (is_timer) {
        cvt_stage_source_created(source, queue);
      } else {
        cvt_note("dispatch_source_create");
      }
      return source;
    })
INTERPOSED(
    void, dispatch_source_set_timer,
    (void *source, uint64_t start, uint64_t interval, uint64_t leeway), {
      if (cvt_thread.stage && cvt_stage_source_timer(source, start, interval)) return;
      next(source, start, interval, leeway);
    })

#define HANDLING(name, kind)                                                              \
  INTERPOSED(void, name, (void *source, void *block), {                                   \
    if (cvt_thread.stage && cvt_stage_source_handler(source, kind, block)) return;        \
    struct kept_block kept;                                                               \
    next(source, kept_handler(&kept, block, has_caller(source), NULL));                   \
  })
HANDLING(dispatch_source_set_event_handler, 0)
HANDLING(dispatch_source_set_cancel_handler, 1)
HANDLING(dispatch_source_set_registration_handler, 2)

INTERPOSED(void, dispatch_source_cancel, (void *source), {
  if (!is_source_event(source, CVT_SOURCE_CANCEL)) next(source);
})
INTERPOSED(intptr_t, dispatch_source_testcancel, (void *source), {
  intptr_t data = cvt_stage_sources ? cvt_stage_source_value(source, CVT_SOURCE_IS_CANCELLED) : -1;
  return data >= 0 ? data : next(source);
})
INTERPOSED(uintptr_t, dispatch_source_get_data, (void *source), {
  intptr_t data = cvt_stage_sources ? cvt_stage_source_value(source, CVT_SOURCE_DATA) : -1;
  return data >= 0 ? (uintptr_t)data : next(source);
})

// MARK: Files

#define LEAVING(name, parameters, arguments) \
  INTERPOSED(void, name, parameters, {              \
    bool was_noted = cvt_is_noted;                  \
    struct kept_block kept;                         \
    cvt_note(#name);                         \
    cvt_is_noted = true;                            \
    void *caller = make_caller(queue);              \
    if (caller) queue = caller;                     \
    handler = kept_handler(&kept, handler, caller, caller); \
    next arguments;                                 \
    if (caller) real_dispatch_release(caller);      \
    cvt_is_noted = was_noted;                       \
  })

LEAVING(
    dispatch_read, (int file, size_t length, void *queue, void *handler),
    (file, length, queue, handler))
LEAVING(
    dispatch_write, (int file, void *data, void *queue, void *handler),
    (file, data, queue, handler))
LEAVING(
    dispatch_io_read,
    (void *channel, off_t offset, size_t length, void *queue, void *handler),
    (channel, offset, length, queue, handler))
LEAVING(
    dispatch_io_write,
    (void *channel, off_t offset, void *data, void *queue, void *handler),
    (channel, offset, data, queue, handler))

// Of a static libdispatch these bring in the objects with the functions above, which are preferred to weak ones then.
extern void dispatch_async_f(void), dispatch_barrier_async_f(void), dispatch_after_f(void);
extern void dispatch_group_async_f(void), dispatch_group_notify_f(void), dispatch_apply_f(void);
extern void dispatch_read_f(void), dispatch_source_get_handle(void), dispatch_sync_f(void);
extern void dispatch_semaphore_create(void), dispatch_group_create(void), dispatch_block_cancel(void);
extern void dispatch_set_context(void);
__attribute__((used)) static void (*const siblings[])(void) = {
    dispatch_async_f,          dispatch_barrier_async_f, dispatch_after_f,
    dispatch_group_async_f,    dispatch_group_notify_f,  dispatch_apply_f,
    dispatch_read_f,           dispatch_source_get_handle, dispatch_sync_f,
    dispatch_semaphore_create, dispatch_group_create,    dispatch_block_cancel,
    dispatch_set_context,
};

// MARK: Operations of Foundation

// The block of an operation, around which this one notes the beginning and the release.
struct operation_block {
  struct block block;
  void *inner;
  void *operation;
};

static void copy_operation(void *to, const void *from) {
  ((struct operation_block *)to)->inner = _Block_copy(((const struct operation_block *)from)->inner);
}
static void dispose_operation(const void *block) {
  // First, because what the inner block has captured may be released by this.
  cvt_operation_released(((const struct operation_block *)block)->operation);
  _Block_release(((const struct operation_block *)block)->inner);
}
static void begin_operation(void *block, size_t unused) {
  struct operation_block *given = block;
  cvt_operation_began(given->operation);
  ((struct block *)given->inner)->invoke(given->inner, unused);
}

static struct descriptor operation_descriptor = {
    0, sizeof(struct operation_block), copy_operation, dispose_operation};

// The block that an OperationQueue makes captures a function of Swift and its context, in which the queue comes first, and
// then the operation.
static void *captured_by_operation(void *block, int index) {
  void **context = ((void **)((struct block *)block + 1))[1];
  return context ? context[2 + index] : NULL;
}

// Makes the block of an operation for libdispatch, if an OperationQueue makes a work item.
static bool is_operation(struct operation_block *wrapper, void *block) {
  enum { MOST_CALLERS = 4 };
  uintptr_t callers[MOST_CALLERS];
  int count = cvt_callers(callers, MOST_CALLERS, 1);
  if (!block || !(((struct block *)block)->flags & block_has_copy_function)) return false;
  void *operation = cvt_stage_operation_made(
      callers, count, captured_by_operation(block, 0), captured_by_operation(block, 1));
  if (!operation) return false;
  *wrapper = (struct operation_block){
      {_NSConcreteStackBlock, block_has_copy_function, 0, begin_operation, &operation_descriptor},
      block, operation};
  return true;
}

#define MAKING(name, parameters, arguments)                            \
  INTERPOSED(void *, name, parameters, {                               \
    struct operation_block wrapper;                                    \
    struct kept_block kept;                                            \
    if (!cvt_thread.stage) block = kept_handler(&kept, block, false, NULL); \
    if (!cvt_thread.stage || !is_operation(&wrapper, block)) return next arguments; \
    block = &wrapper;                                                  \
    void *item = next arguments;                                       \
    cvt_stage_operation_has(wrapper.operation, item);                  \
    return item;                                                       \
  })
MAKING(dispatch_block_create, (unsigned long flags, void *block), (flags, block))
MAKING(
    dispatch_block_create_with_qos_class,
    (unsigned long flags, unsigned service, int priority, void *block),
    (flags, service, priority, block))

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

int cvt_operation_queue_is_suspended(void *queue) {
  SWIFT bool (*get)(SELF void *) = (SWIFT bool (*)(SELF void *))dlsym(
      RTLD_DEFAULT, "$s10Foundation14OperationQueueC11isSuspendedSbvg");
  return get ? get(queue) : -1;
}

struct string {
  uintptr_t words[2];
};

static bool get_string(const char *getter, void *object, void *words) {
  SWIFT struct string (*get)(SELF void *) =
      (SWIFT struct string (*)(SELF void *))dlsym(RTLD_DEFAULT, getter);
  if (get) *(struct string *)words = get(object);
  return get;
}

bool cvt_operation_queue_name(void *queue, void *words) {
  return get_string("$s10Foundation14OperationQueueC4nameSSSgvg", queue, words);
}
bool cvt_operation_name(void *operation, void *words) {
  return get_string("$s10Foundation9OperationC4nameSSSgvg", operation, words);
}

// MARK: The main operation queue

// `OperationQueue.main` has a limit of one operation at a time, and runs the next one on the thread that has finished one.
// So each stage has an object of its own.
typedef SWIFT void *(*operation_queue_getter)(SELF void *);

extern void swift_release(void *object) __attribute__((weak));

static void *process_main_operations(void *type) {
  static operation_queue_getter next;
  if (!next) {
    next = (operation_queue_getter)dlsym(
        RTLD_NEXT, "$s10Foundation14OperationQueueC4mainACvgZ");
  }
  return next(type);
}

#define GETTING(name, symbol)                                                        \
  __attribute__((weak)) SWIFT void *name(SELF void *type) __asm__(symbol);            \
  __attribute__((weak)) SWIFT void *name(SELF void *type)

GETTING(main_operations, "$s10Foundation14OperationQueueC4mainACvgZ") {
  void *queue = cvt_thread.stage || cvt_home ? cvt_stage_main_operations() : NULL;
  return queue ? queue : process_main_operations(type);
}

// Foundation returns the main queue of the process to main-actor code.
GETTING(current_operations, "$s10Foundation14OperationQueueC7currentACSgvgZ") {
  static operation_queue_getter next;
  if (!next) {
    next = (operation_queue_getter)dlsym(
        RTLD_NEXT, "$s10Foundation14OperationQueueC7currentACSgvgZ");
  }
  void *queue = next(type);
  if (!queue || !cvt_thread.stage) return queue;
  void *main = process_main_operations(type);
  swift_release(main);
  void *staged = queue == main ? cvt_stage_main_operations() : NULL;
  if (!staged) return queue;
  swift_release(queue);
  return staged;
}

void *cvt_make_main_operations(void) {
  SWIFT void *(*metadata)(size_t) =
      (SWIFT void *(*)(size_t))dlsym(RTLD_DEFAULT, "$s10Foundation14OperationQueueCMa");
  operation_queue_getter make =
      (operation_queue_getter)dlsym(RTLD_DEFAULT, "$s10Foundation14OperationQueueCACycfC");
  return metadata && make ? make(metadata(0)) : NULL;
}

// MARK: For the stage

extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
void *cvt_main_queue(void) { return &_dispatch_main_q; }

void *cvt_block_copy(void *block) { return _Block_copy(block); }
void cvt_block_release(void *block) { _Block_release(block); }
void cvt_block_call(void *block) { ((void (*)(void *))((struct block *)block)->invoke)(block); }
void cvt_block_call_index(void *block, size_t index) { ((struct block *)block)->invoke(block, index); }
int cvt_block_state(void *block) {
  const struct work_item *item = as_work_item(block);
  if (!item) return -1;
  unsigned states = __atomic_load_n(&item->states, __ATOMIC_ACQUIRE);
  int performed = __atomic_load_n(&item->performed, __ATOMIC_ACQUIRE);
  bool barrier = item->flags & work_item_barrier;
  return (performed > 0 ? CVT_BLOCK_PERFORMED : 0) | (performed > 1 ? CVT_BLOCK_PERFORMED_TWICE : 0) |
         (states & work_item_cancelled ? CVT_BLOCK_CANCELLED : 0) |
         (states & (work_item_waiting | work_item_waited) ? CVT_BLOCK_AWAITED : 0) |
         (barrier ? CVT_BLOCK_BARRIER : 0);
}
void cvt_block_begin_wait(void *block) {
  struct work_item *item = as_work_item(block);
  if (item) __atomic_fetch_or(&item->states, work_item_waiting, __ATOMIC_RELAXED);
}
void cvt_block_end_wait(void *block, bool is_success) {
  struct work_item *item = as_work_item(block);
  if (!item) return;
  if (is_success) __atomic_fetch_or(&item->states, work_item_waited, __ATOMIC_RELAXED);
  if (!is_success) __atomic_fetch_and(&item->states, ~work_item_waiting, __ATOMIC_RELAXED);
}

REAL(void, dispatch_async, (void *queue, void *block), (queue, block))
REAL(void, dispatch_barrier_async, (void *queue, void *block), (queue, block))
REAL(void, dispatch_after, (uint64_t when, void *queue, void *block), (when, queue, block))
REAL(void, dispatch_group_async, (void *group, void *queue, void *block), (group, queue, block))
REAL(void, dispatch_group_notify, (void *group, void *queue, void *block), (group, queue, block))
void cvt_real_async(void *queue, void *block, bool is_barrier, void *group) {
  if (is_barrier) return real_dispatch_barrier_async(queue, block);
  if (!group) return real_dispatch_async(queue, block);
  // It was entered when a stage took the block.
  real_dispatch_group_async(group, queue, block);
  real_dispatch_group_leave(group);
}
void cvt_real_after(uint64_t when, void *queue, void *block) { real_dispatch_after(when, queue, block); }
void cvt_real_group_notify(void *group, void *queue, void *block) {
  real_dispatch_group_notify(group, queue, block);
}
void cvt_object_retain(void *object) { real_dispatch_retain(object); }
void cvt_object_release(void *object) { real_dispatch_release(object); }
void cvt_group_enter(void *group) { real_dispatch_group_enter(group); }
void cvt_group_leave(void *group) {
  real_dispatch_group_leave(group);
  cvt_stage_group_left(group);
}
bool cvt_group_is_empty(void *group) { return real_dispatch_group_wait(group, 0) == 0; }
bool cvt_semaphore_try(void *semaphore) { return real_dispatch_semaphore_wait(semaphore, 0) == 0; }
void cvt_semaphore_signal(void *semaphore) { real_dispatch_semaphore_signal(semaphore); }
void *cvt_global_queue(void) { return dispatch_get_global_queue(0, 0); }
const char *cvt_queue_label(void *queue) { return real_dispatch_queue_get_label(queue); }

// MARK: The layout of queues

extern void *dispatch_queue_create_with_target(const char *label, void *attribute, void *target);
extern void *dispatch_queue_attr_make_initially_inactive(void *attribute);
REAL(void, dispatch_activate, (void *object), (object))
REAL(void, dispatch_suspend, (void *object), (object))
REAL(void, dispatch_resume, (void *object), (object))

// The first word of a queue is its class. The other fields are found by comparing queues that differ in one property.
static struct {
  const void *serial_class;
  int target, state;
  bool is_found;
} layout;
static const int most_words = 16;
static const int suspension_shift = 55;

static uint64_t word(void *object, int index) { return ((uint64_t *)object)[index]; }
static bool is_held(void *queue, int index) { return word(queue, index) >> suspension_shift != 0; }

static void find_layout(void) {
  void *target = dispatch_queue_create("layout", NULL);
  void *queue = dispatch_queue_create_with_target("layout", NULL, target);
  void *inactive = dispatch_queue_create("layout", dispatch_queue_attr_make_initially_inactive(NULL));
  layout.serial_class = *(void **)target;
  layout.target = layout.state = -1;
  for (int index = 1; index < most_words; index++) {
    if (word(queue, index) == (uintptr_t)target && layout.target < 0) layout.target = index;
    if (is_held(queue, index) || !is_held(inactive, index)) continue;
    real_dispatch_suspend(queue);
    bool shows_suspension = is_held(queue, index);
    real_dispatch_resume(queue);
    if (shows_suspension && !is_held(queue, index) && layout.state < 0) layout.state = index;
  }
  real_dispatch_activate(inactive);
  if (layout.state >= 0 && is_held(inactive, layout.state)) layout.state = -1;
  real_dispatch_release(inactive);
  real_dispatch_release(queue);
  real_dispatch_release(target);
  layout.is_found = layout.target >= 0 && layout.state >= 0;
}

#include <pthread.h>
static pthread_once_t layout_once = PTHREAD_ONCE_INIT;

bool cvt_queue_layout_is_known(void) {
  pthread_once(&layout_once, find_layout);
  return layout.is_found;
}

static bool is_root(void *queue) {
  // Root queues are at fixed addresses, and have no target.
  return queue == (void *)&_dispatch_main_q || !word(queue, layout.target);
}

int cvt_queue_kind(void *queue) {
  if (queue == (void *)&_dispatch_main_q) return CVT_MAIN;
  if (!cvt_queue_layout_is_known()) return CVT_SERIAL;
  return *(const void **)queue == layout.serial_class ? CVT_SERIAL : CVT_CONCURRENT;
}

void *cvt_queue_target(void *queue) {
  if (!cvt_queue_layout_is_known() || is_root(queue)) return NULL;
  return (void *)word(queue, layout.target);
}

bool cvt_queue_is_suspended(void *queue) {
  if (!cvt_queue_layout_is_known() || is_root(queue)) return false;
  return is_held(queue, layout.state);
}
#endif
