#pragma once
#include <stdbool.h>
#include <stdint.h>

// What the calling thread is doing for a stage. Zero means an ordinary thread.
//
// While `nanoseconds` is set, clock_gettime, gettimeofday and time answer with it on this thread, so
// ContinuousClock.now, Date() and DispatchTime.now() read virtual time here and real time elsewhere.
struct cvt_thread {
  // The stage that the thread runs, unretained, or NULL.
  void *stage;
  // Virtual time since the start of that stage, in nanoseconds, or NULL for real time.
  const int64_t *nanoseconds;
  // Where to write the number of the next task made here, which is run at once, or NULL.
  uint64_t *probe;
};

extern _Thread_local struct cvt_thread cvt_thread;

static inline void *cvt_current_stage(void) { return cvt_thread.stage; }
static inline uint64_t *cvt_current_probe(void) { return cvt_thread.probe; }

// Replaces what the thread is doing, and returns what it did before, to be put back afterwards.
static inline struct cvt_thread cvt_exchange(struct cvt_thread thread) {
  struct cvt_thread before = cvt_thread;
  cvt_thread = thread;
  return before;
}

// A number that differs between threads that live at the same time.
static inline uintptr_t cvt_thread_number(void) { return (uintptr_t)&cvt_thread; }

// Asks the processor to bring the first so many bytes at `start` closer.
static inline void cvt_prefetch(const void *start, int bytes) {
  for (int offset = 0; offset < bytes; offset += 64) __builtin_prefetch((const char *)start + offset);
}

// The real monotonic clock, whatever stage the thread runs.
int64_t cvt_real_nanoseconds(void);

// A sleep of the running task on the clock of `stage`, which is not retained.
struct cvt_sleep {
  void *stage;
  uint64_t sequence;
  uint32_t slot;
};

typedef void (*cvt_sleep_cancelled)(struct cvt_sleep sleep);
struct cvt_registered_sleep;

// From now until `cvt_end_sleep`, cancelling the running task calls `cancelled`, once, on the thread that
// cancels. If the task is cancelled already, it is called before this returns.
//
// One asynchronous function has to call both, and free in between whatever it allocates in between.
struct cvt_registered_sleep *cvt_begin_sleep(
    struct cvt_sleep sleep, cvt_sleep_cancelled cancelled);
void cvt_end_sleep(struct cvt_registered_sleep *registered);

// Seeds the hashing of Swift's standard library the way SWIFT_DETERMINISTIC_HASHING does, in a process that
// has not hashed anything yet: what has been is not found again. Returns false where the runtime does not
// offer it.
bool cvt_make_hashing_deterministic(void);

// Something that code on a stage's thread has given to libdispatch or to a run loop, which run it in real time or never.
#define CVT_FRAMES 32
struct cvt_submission {
  // The C function that took it, such as "dispatch_async".
  const char *function;
  // The queue's label, or NULL.
  const char *label;
  // Whether the queue is the main one.
  bool is_main;
  // The return addresses of the callers, the innermost first.
  int count;
  uintptr_t frames[CVT_FRAMES];
};
typedef void (*cvt_submission_handler)(const struct cvt_submission *submission);

// Sets the function that the stage's thread calls for each submission.
void cvt_handle_submissions(cvt_submission_handler function);

// Sets the key whose value marks the queues that a stage brings into virtual time: their work is no submission.
void cvt_set_virtual_queue_key(const void *key);

// Calls of the Swift runtime by a thread since it started. They leave no job in a queue. They are counted on Linux
// only, and in a program that links Swift statically only with the linker options in docs/your-own-code.md.
struct cvt_calls {
  // Cancellations of a task or of all tasks of a group.
  uint64_t cancellations;
  // Created tasks, without those of `async let`.
  uint64_t tasks;
  // Jobs that ran, including those of a stage.
  uint64_t jobs;
  // Work given to Dispatch, to a run loop or to a thread.
  uint64_t submissions;
};
extern _Thread_local struct cvt_calls cvt_calls;
static inline struct cvt_calls cvt_current_calls(void) { return cvt_calls; }

typedef void (*cvt_task_handler)(void *task);

// Sets the function that the stage's thread calls for each task that is created on it, before the task's first step.
void cvt_handle_tasks(cvt_task_handler handler);

// The mangled name of the function at an address; NULL if it is not known. Sets `image` to the path of the shared library
// that the function is in, and to NULL if it is in the executable.
const char *cvt_symbol(uintptr_t address, const char **image);

// The messages of a default actor that wait to be processed, for the thread that holds the job that processes them:
// until that job runs, nobody else takes messages out, and no thread enters the actor.

// Returns the actor that a DefaultActorSeparate job processes, or the object that an IsolatedDeinit job ends.
void *cvt_actor_of(const void *job);
// The message that came last; NULL if none waits.
void *cvt_last_message(const void *actor);
// The message that came before another one; NULL if none did.
void *cvt_earlier_message(const void *message);
// Takes a message out of the list. Returns false if it is not there.
bool cvt_take_message(void *actor, void *message);
