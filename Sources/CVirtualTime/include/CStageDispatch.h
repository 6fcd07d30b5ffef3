#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"

// A stage's own Dispatch, in Sources/Staging/Dispatch. The interposed functions call these on a thread that runs a
// stage. Queues, groups, semaphores, blocks and sources are libdispatch's own objects.

void cvt_stage_async(void *queue, void *block, bool is_barrier, void *group);
void cvt_stage_after(uint64_t when, void *queue, void *block);
void cvt_stage_sync(void *queue, void *block, bool is_barrier);
void cvt_stage_apply(size_t iterations, void *queue, void *block);

void cvt_stage_group_notify(void *group, void *queue, void *block);
intptr_t cvt_stage_group_wait(void *group, uint64_t timeout);
// Called before code enters a group, if the stage keeps a history.
void cvt_stage_group_entered(void *group);
void cvt_stage_group_left(void *group);

intptr_t cvt_stage_semaphore_wait(void *semaphore, uint64_t timeout);
// Returns whether a thread of the stage has taken the signal.
bool cvt_stage_semaphore_signal(void *semaphore);

void cvt_stage_block_notify(void *block, void *queue, void *notification);
intptr_t cvt_stage_block_wait(void *block, uint64_t timeout);

// A queue may have been resumed, suspended, or given another target.
void cvt_stage_queue_changed(void *queue);

// The innermost queue whose block runs; NULL if there is none.
void *cvt_stage_current_queue(void);
// Whether the running block is on the queue or one that targets it.
bool cvt_stage_is_on_queue(void *queue);
// Ends the process unless the running block of a concurrent queue is a barrier.
void cvt_stage_check_barrier(void *queue);
bool cvt_stage_is_on_main(void);

enum {
  CVT_SOURCE_ACTIVATE,
  CVT_SOURCE_RESUME,
  CVT_SOURCE_SUSPEND,
  CVT_SOURCE_CANCEL,
  CVT_SOURCE_RETAIN,
  CVT_SOURCE_RELEASE,
  CVT_SOURCE_TARGET,
  CVT_SOURCE_DATA,
  CVT_SOURCE_IS_CANCELLED,
};
enum { CVT_EVENT_HANDLER, CVT_CANCEL_HANDLER, CVT_REGISTRATION_HANDLER };

// Number of timer sources that belong to stages.
extern unsigned cvt_stage_sources;
// Number of waits of stages that another thread may end.
extern unsigned cvt_stage_waits;
static inline void cvt_add_source(int count) { __atomic_fetch_add(&cvt_stage_sources, count, __ATOMIC_RELAXED); }
static inline void cvt_add_wait(int count) { __atomic_fetch_add(&cvt_stage_waits, count, __ATOMIC_RELAXED); }

void cvt_stage_source_created(void *source, void *queue);
// These return false if the source is not a stage's. They are called on any thread.
bool cvt_stage_source_handler(void *source, int kind, void *block);
bool cvt_stage_source_timer(void *source, uint64_t start, uint64_t interval);
bool cvt_stage_source_event(void *source, int event);
// Returns the data, or whether the source is cancelled; -1 if it is not a stage's.
intptr_t cvt_stage_source_value(void *source, int what);

// Another thread has signalled a semaphore or a condition, or left a group, while stages wait.
void cvt_stage_outside_signal(void);

// MARK: Threads outside of the stage

// The stage to which the code of the calling thread belongs, if the thread runs no stage: code of that stage has started the
// thread, or has submitted the block that the thread runs. NULL if no stage is known. It is retained meanwhile.
extern _Thread_local void *cvt_home;
static inline void *cvt_current_home(void) { return cvt_home; }
static inline void *cvt_exchange_home(void *home) {
  void *before = cvt_home;
  cvt_home = home;
  return before;
}
// Returns the stage of the code that starts a thread, for `cvt_home`; NULL if there is none.
void *cvt_home_of_new_thread(void);
// Returns the stage that the calling thread runs, as for `cvt_home`, but not retained.
void *cvt_stage_home(void);
void cvt_retain_home(void *home);
void cvt_release_home(void *home);

// What is known about the code of a thread without a home.
enum {
  CVT_FROM_ANYWHERE,
  // It is a task, or a block that a task or the main thread of the process has submitted, so it belongs to no stage.
  CVT_FROM_NO_STAGE,
  // The thread was started by such code, or by a stage. Any code can give it work.
  CVT_FROM_THREAD,
};
int cvt_current_origin(void);
// The number of stages in the process.
extern unsigned cvt_stage_count;
static inline void cvt_add_stage(int count) { __atomic_fetch_add(&cvt_stage_count, count, __ATOMIC_RELAXED); }
static inline bool cvt_has_stages(void) { return __atomic_load_n(&cvt_stage_count, __ATOMIC_RELAXED); }
// Whether no other code runs the main queue of the process, so that the work of any thread is the stage's.
extern bool cvt_has_main_queue;
static inline void cvt_take_main_queue(void) { cvt_has_main_queue = true; }
static inline bool cvt_stages_have_main_queue(void) { return cvt_has_main_queue; }
// Whether the calling thread creates a task that may belong to a stage.
extern _Thread_local bool cvt_creates_task;
static inline bool cvt_is_creating_task(void) { return cvt_creates_task; }

// Work of a thread that runs no stage, for the main queue or one that targets it, or for the main run loop. They return
// false if no stage takes it. Calls of the block are on the stage, and named like other work of such a thread. If it may
// belong to several stages, each of them names it.
bool cvt_outside_async(void *queue, void *block, bool is_barrier, void *group);
bool cvt_outside_after(uint64_t when, void *queue, void *block);
bool cvt_outside_sync(void *queue, void *block, bool is_barrier);
bool cvt_outside_group_notify(void *group, void *queue, void *block);
bool cvt_outside_loop_perform(void *block);
bool cvt_outside_timer_added(void *timer);
// Give work to the real queue, after a stage that took it has ended.
void cvt_real_async(void *queue, void *block, bool is_barrier, void *group);
void cvt_real_after(uint64_t when, void *queue, void *block);
void cvt_real_group_notify(void *group, void *queue, void *block);

// The real time of a clock of libdispatch, in the unit of its deadlines of that kind.
enum { CVT_CLOCK_UPTIME, CVT_CLOCK_MONOTONIC, CVT_CLOCK_WALL };
int64_t cvt_real_clock(int clock);

// MARK: Operations of Foundation

// Makes an object like `OperationQueue.main`; NULL if Foundation is not known.
void *cvt_make_main_operations(void);
// Returns the main operation queue of the stage of the calling thread, retained; NULL if there is none.
void *cvt_stage_main_operations(void);

// Code makes a work item for an operation of an OperationQueue. Returns an object for the functions below; NULL if another
// caller makes it, which has these return addresses.
void *cvt_stage_operation_made(
    const uintptr_t *callers, int count, void *queue, void *operation);
// The work item of the object.
void cvt_stage_operation_has(void *operation, void *item);
// The operation begins. On any thread.
void cvt_operation_began(void *operation);
// Its block is about to be released, because it has finished, or was removed. On any thread.
void cvt_operation_released(void *operation);
// Whether an OperationQueue is suspended; -1 if it is not known.
int cvt_operation_queue_is_suspended(void *queue);
// Sets the two words of the name of an OperationQueue, an optional String. Returns false if it is not known.
bool cvt_operation_queue_name(void *queue, void *words);
// The same for the name of an Operation.
bool cvt_operation_name(void *operation, void *words);

// Blocks the thread of the stage for a number of nanoseconds of virtual time.
void cvt_stage_sleep(int64_t nanoseconds);
// Waits for a signal of a condition variable for a number of nanoseconds at most.
void cvt_stage_condition_wait(void *condition, void *mutex, int64_t nanoseconds);
void cvt_stage_condition_signal(void *condition, bool all);

// The system's number of the calling thread.
int32_t cvt_system_thread(void);

enum {
  CVT_LOCK_MAY_BE_FREE,
  // Nothing on the stage can unlock it.
  CVT_LOCK_IS_STUCK,
  // A thread outside of the stage has it, or a function that has not blocked.
  CVT_LOCK_IS_OUTSIDE,
};
// Blocks the thread of the stage while a blocked thread of the stage has a lock, for a number of nanoseconds at most. `owner`
// returns the system's number of the thread that has it, or 0.
int32_t cvt_stage_lock_wait(void *lock, int32_t (*owner)(const void *lock), int64_t nanoseconds);
// The running code is about to lock or unlock, or has unlocked, in a function with this frame. Returns whether the stage
// still preempts code there.
bool cvt_stage_preempt(const void *frame);
// The calling thread has locked a lock twice, so it would wait for itself.
void cvt_stage_locked_twice(void *lock);

void cvt_stage_timer_added(void *timer, bool is_main_loop);
void cvt_stage_timer_changed(void *timer);
bool cvt_stage_loop_perform(void *block, bool is_main_loop);
// Runs the stage for a number of seconds of virtual time at most.
int32_t cvt_stage_loop_run(double seconds, bool once);
void cvt_stage_loop_stop(void);
bool cvt_stage_loop_is_finished(void);

// A task has awaited many functions in a row, and none has suspended it. It continues with `function` and `context`.
// Returns true if it must not continue, because the stage is being closed and the task seems to be in an endless loop.
bool cvt_stage_ran_on(const void *function, const void *context);

// Code of the stage fails, for example by `fatalError`. Notes the words and the object of the text.
void cvt_stage_fails(uint64_t text, void *object);

// Runs the start function of a thread that a test library makes as a block of the stage. Returns false if another library
// or the tested code makes it.
bool cvt_stage_thread_start(void *(*start)(void *), void *context);

// Whether requests of URLSession leave virtual time: the stage neither answers them nor waits for them.
bool cvt_stage_notes_requests(void);

// Notes that code on the calling thread does something that leaves virtual time.
void cvt_note(const char *function);

// The functions of libdispatch and CoreFoundation that the stage uses.
void *_Nonnull cvt_block_copy(void *_Nonnull block);
void cvt_block_release(void *block);
void cvt_block_call(void *block);
void cvt_block_call_index(void *block, size_t index);
// The states and flags of a block of DispatchWorkItem; -1 for other blocks.
int cvt_block_state(void *block);
enum {
  CVT_BLOCK_PERFORMED = 1,
  CVT_BLOCK_CANCELLED = 2,
  CVT_BLOCK_BARRIER = 4,
  CVT_BLOCK_PERFORMED_TWICE = 8,
  CVT_BLOCK_AWAITED = 16,
};
// Notes that code waits for a work item, and whether the wait was successful. libdispatch allows one successful wait.
void cvt_block_begin_wait(void *block);
void cvt_block_end_wait(void *block, bool is_success);
void cvt_object_retain(void *object);
void cvt_object_release(void *object);
void cvt_group_enter(void *group);
void cvt_group_leave(void *group);
bool cvt_group_is_empty(void *group);
bool cvt_semaphore_try(void *semaphore);
void cvt_semaphore_signal(void *semaphore);
const char *cvt_queue_label(void *queue);
void *_Nonnull cvt_main_queue(void);
void *_Nonnull cvt_global_queue(void);

enum { CVT_SERIAL = 0, CVT_CONCURRENT = 1, CVT_MAIN = 2 };
// The kind of a queue; a root queue is concurrent.
int cvt_queue_kind(void *queue);
// The queue that a queue targets; NULL for a root queue, for the main queue, and if it is not known.
void *cvt_queue_target(void *queue);
// Whether the fields of queues were found, on which the next three depend.
bool cvt_queue_layout_is_known(void);
// Whether a queue is suspended or not active.
bool cvt_queue_is_suspended(void *queue);

// Timers of Foundation, by functions of CoreFoundation.
void cvt_timer_retain(void *timer);
void cvt_timer_release(void *timer);
bool cvt_timer_is_valid(void *timer);
double cvt_timer_next(void *timer);
double cvt_timer_interval(void *timer);
double cvt_timer_tolerance(void *timer);
void cvt_timer_set_next(void *timer, double date);
void cvt_timer_invalidate(void *timer);
void cvt_timer_fire(void *timer);

// Unlocks and locks a mutex of pthread.
void cvt_mutex_unlock(void *mutex);
void cvt_mutex_lock(void *mutex);

// A thread that the stage starts. `cvt_abandon` ends the calling thread at once, without returning from its functions.
void cvt_run_abandonable(void (*body)(void *), void *context);
void cvt_abandon(void) __attribute__((noreturn));
#pragma clang diagnostic pop
