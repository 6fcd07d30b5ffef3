// The declarations of `CVirtualTime` that `Staging` and other targets call.

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CRuntimeLayout.h"
#include "CStageDispatch.h"

// The state of the calling thread for a stage. Zero means an ordinary thread.
//
// While `nanoseconds` is set, clock_gettime, gettimeofday and time return it on this thread, so
// ContinuousClock.now, Date() and DispatchTime.now() read virtual time here and real time elsewhere.
struct cvt_thread {
  // The stage that the thread runs, unretained, or NULL.
  void *stage;
  // Virtual time since the start of that stage, in nanoseconds, or NULL for real time.
  const int64_t *nanoseconds;
  // Where to write the id of the next task that is created here, which is run at once, or NULL.
  uint64_t *probe;
  // The initialisation of a lazy global that runs on the thread of a stage, or NULL.
  struct cvt_initialisation *initialisation;
  // Number of awaits since the running job began, or since `cvt_stage_ran_on` was called.
  uint32_t awaits;
  // Where the stage notes what its tasks do, or NULL.
  struct cvt_history *history;
  // Whether other code of the stage may run when the running code locks or unlocks.
  bool preempts;
};

extern _Thread_local struct cvt_thread cvt_thread;

// Number of jobs that the thread has begun.
extern _Thread_local uint64_t cvt_jobs_begun;

// A stage starts at 2001-01-01T00:00:00Z, Foundation's reference date, and 1,000 s after boot.
static const int64_t CVT_EPOCH_NANOSECONDS = 978307200000000000;
static const int64_t CVT_BOOT_NANOSECONDS = 1000000000000;

static inline void *cvt_current_stage(void) { return cvt_thread.stage; }
static inline uint64_t *cvt_current_probe(void) { return cvt_thread.probe; }
static inline struct cvt_initialisation *cvt_current_initialisation(void) {
  return cvt_thread.initialisation;
}

// The number of the running job, counted from 1 on the calling thread.
static inline uint64_t cvt_job_number(void) { return cvt_jobs_begun; }

// Counts the awaits of a job from now on.
static inline void cvt_begin_job(void) {
  cvt_thread.awaits = 0;
  cvt_jobs_begun++;
}

static inline void cvt_set_preempting(bool preempts) { cvt_thread.preempts = preempts; }

// Replaces the state of the thread, and returns the previous one, which must be restored afterwards.
static inline struct cvt_thread cvt_exchange(struct cvt_thread thread) {
  struct cvt_thread before = cvt_thread;
  cvt_thread = thread;
  return before;
}

// A number that differs between threads that live at the same time.
static inline uintptr_t cvt_thread_number(void) { return (uintptr_t)&cvt_thread; }

// Prefetches a number of bytes at `start` into the processor's cache.
static inline void cvt_prefetch(const void *start, int bytes) {
  for (int offset = 0; offset < bytes; offset += 64) __builtin_prefetch((const char *)start + offset);
}

// The random numbers of a stage, for the thread that runs it.
struct cvt_random_source {
  // Answers the functions that ask the system for random bytes.
  void (*fill)(void *bytes, size_t count);
  // Answers `rand` and its relatives.
  uint64_t (*number)(void);
  // Answers `srand` and its relatives.
  void (*seed)(uint64_t seed);
};

// Sets the source. Must be called before a thread has a stage.
void cvt_handle_random_numbers(struct cvt_random_source source);

// The initialisation of a lazy global or static variable, which happens once in a process.
struct cvt_initialisation {
  // The address of the function that computes the value.
  uintptr_t function;
  // The state of its random numbers, which begins as zero.
  uint64_t children, numbers;
};

// Returns the real monotonic time, even if the thread runs a stage.
int64_t cvt_real_nanoseconds(void);

// Returns the task that runs on this thread, or NULL.
void *cvt_current_task(void);

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
// One asynchronous function must call both, and must free in between everything that it allocates in between.
struct cvt_registered_sleep *cvt_begin_sleep(
    struct cvt_sleep sleep, cvt_sleep_cancelled cancelled);
void cvt_end_sleep(struct cvt_registered_sleep *registered);

// Seeds the hashing of Swift's standard library like SWIFT_DETERMINISTIC_HASHING. Must be called before the
// process has hashed anything; earlier entries of dictionaries would not be found again. Returns false if the
// runtime does not support it.
bool cvt_make_hashing_deterministic(void);

// Work that code on a stage's thread has given to a thread, a file or a run loop, which the stage does not run.
#define CVT_FRAMES 32
struct cvt_submission {
  // The called C function, such as "dispatch_async".
  const char *function;
  // The return addresses of the callers, the innermost first.
  int count;
  uintptr_t frames[CVT_FRAMES];
};
typedef void (*cvt_submission_handler)(const struct cvt_submission *submission);

// Writes the return addresses of the calling functions, without the innermost `skipped` ones. Returns their number.
int cvt_callers(uintptr_t *frames, int most, int skipped);

// In a signal handler: writes the addresses at which the interrupted functions would continue, the innermost first. Returns
// their number.
int cvt_interrupted_stack(uintptr_t program_counter, uintptr_t *addresses, int most);

// The handler of this signal calls `cvt_answer_with_stack`. Without a handler, the signal has no effect.
#define CVT_STACK_SIGNAL SIGURG
// In a signal handler: notes the stack of this thread, if another thread waits for it.
void cvt_answer_with_stack(uintptr_t program_counter);
// Writes the addresses at which the functions of another thread of this process would continue, the innermost first.
// Returns their number; 0 if the thread does not answer, for example because it blocks signals.
int cvt_stack_of_thread(int32_t thread, uintptr_t *frames, int most);

// Whether this thread notes nothing, as in a function of a library that may call other noted ones.
extern _Thread_local bool cvt_is_noted;

// Sets the function that the stage's thread calls for each submission.
void cvt_handle_submissions(cvt_submission_handler function);

// The key of `Thread.threadDictionary`.
enum { CVT_THREAD_DICTIONARY = -1 };

// Sets the function that the stage's thread calls when code stores a value that is not NULL in its thread, and when it
// reads such a value of a key for which the function has returned true before. Its last argument is a frame of the stack.
typedef bool (*cvt_thread_value_handler)(int32_t key, bool is_set, const void *frame);
void cvt_handle_thread_values(cvt_thread_value_handler function);

// Binds a task-local value in the running task or, outside of tasks, on the calling thread, until `cvt_pop_local`. The value is
// moved.
void cvt_push_local(uintptr_t key, void *value, const void *type);
void cvt_pop_local(void);
// Sets the function that the stage's thread calls before it creates a detached task. It returns the first of the task-local
// values of the task; NULL for none. It sets `place` to the address of the first value of the running task, which is replaced
// meanwhile; without a running task, the values of the thread are copied.
typedef struct cvt_local *(*cvt_local_handler)(struct cvt_local ***place);
void cvt_handle_locals(cvt_local_handler handler);

// Copies memory of this process. Returns false if an address is none.
bool cvt_read_memory(uintptr_t address, void *bytes, size_t count);

// Number of locks of the C library that the thread has, without those of `Mutex`.
int32_t cvt_locks_of_thread(void);

// Sets the function that the stage's thread calls for each call that may wait in real time, such as `poll`. A wait for a
// lock has the function "lock".
void cvt_handle_waits(cvt_submission_handler function);

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
  // System calls for the number of the thread: uses of a `Mutex`, after the call of `cvt_preempt_mutexes`.
  uint64_t mutexes;
};
extern _Thread_local struct cvt_calls cvt_calls;
static inline struct cvt_calls cvt_current_calls(void) { return cvt_calls; }
static inline void cvt_count_submission(void) { cvt_calls.submissions++; }

typedef void (*cvt_task_handler)(void *task);

// Sets the function that the stage's thread calls for each task that is created on it, before the task's first step.
void cvt_handle_tasks(cvt_task_handler handler);

// The mangled name of the function at an address; NULL if it is not known. Sets `image` to the path of the shared library
// that the function is in, and to NULL if it is in the executable.
const char *cvt_symbol(uintptr_t address, const char **image);

// Finds the mangled names of the functions at addresses, which are in ascending order: NULL for each that is not in the
// executable, or not in a function. Much faster than a call of `cvt_symbol` for each. On Linux only.
void cvt_symbols(const uintptr_t *addresses, const char **names, size_t count);

// Calls `found` for each function of the executable whose mangled name has a prefix. On Linux only.
void cvt_find_functions(
    const char *prefix, void *context,
    void (*found)(void *context, const char *name, uintptr_t address, size_t size));

// A place in the source. The file is a name, perhaps with its folder; NULL if the place is not known.
struct cvt_source_place {
  const char *file;
  uint32_t line, column;
};

// Finds the place of each address, by the debug information of the executable. The addresses are in ascending order.
void cvt_source_places(const uintptr_t *addresses, struct cvt_source_place *places, size_t count);

// Writes the return addresses of the functions that called the one with a frame, the innermost first, as long as each of
// them keeps a frame pointer. Returns their number.
int cvt_return_addresses(const void *frame, uintptr_t *addresses, int most);

/// The same for the calling function.
int cvt_callers_by_frames(uintptr_t *addresses, int most);

// Whether stages can preempt code that uses locks of the C library: not on each platform, and not in each build.
bool cvt_preempts_locks(void);
// Lets stages also preempt the code of this executable that uses `Mutex`. Returns false if the platform or the program does
// not allow it.
bool cvt_preempt_mutexes(void);

// Whether the thread has something that others would wait for in real time, so that no other code of its stage may run.
bool cvt_is_uninterruptible(void);

// The read-write locks that a thread has for reading.
struct cvt_read_locks;
// Those of the calling thread. They are read while it is blocked.
const struct cvt_read_locks *cvt_current_read_locks(void);
bool cvt_is_reading(const struct cvt_read_locks *reads, const void *lock);

// What the tasks of a stage did that explains why one waits. The thread that runs the stage writes it.
struct cvt_history *cvt_history_create(void);
void cvt_history_destroy(struct cvt_history *history);

// A call of a default actor by a task: an entry of the task into the actor.
#define CVT_VISIT_FRAMES 8
// The part of the actor that is kept: from after the header, a number of bytes.
#define CVT_FIELDS_START 16
#define CVT_FIELDS_SIZE 176
// The number of entries that a history keeps.
#define CVT_VISITS 128
struct cvt_visit {
  // They may have ended since. The actor stays in memory.
  void *actor, *task;
  // The runtime's number of the task.
  uint64_t number;
  // The type of the actor.
  const void *type;
  // The number of the entry, from 1, in the order of their runs on actors; 0 before its run, or if it is unknown. And the bytes of the actor at that moment; their number is 0 if they are unknown.
  uint64_t entry;
  size_t field_size;
  unsigned char fields[CVT_FIELDS_SIZE];
  // The addresses at which the functions of the task continue, the innermost first.
  int count;
  uintptr_t frames[CVT_VISIT_FRAMES];
};
// Notes that the running task enters an actor.
void cvt_note_visit(void *actor, const void *function, const void *context);
// Notes that a task that entered an actor runs there now.
void cvt_note_entry(struct cvt_history *history, void *actor, void *task);
// Copies the latest entries, the oldest first. Returns their number.
size_t cvt_history_visits(const struct cvt_history *history, struct cvt_visit *visits, size_t most);

// Whether the actor of a noted entry has ended. The history keeps its memory.
bool cvt_has_ended(void *actor);

// A cancellation of a task by `Task.cancel`.
struct cvt_cancellation {
  // The return address of the caller.
  uintptr_t caller;
  // Whether the task has continued since.
  bool was_elsewhere;
};
// Notes that code cancels a task.
void cvt_note_cancellation(void *task, const void *caller);
// Finds the first cancellation of a suspended task. Returns false if it is unknown.
bool cvt_history_cancellation(
    const struct cvt_history *history, void *task, struct cvt_cancellation *cancellation);

// Return addresses of code that did something, the innermost first.
#define CVT_NOTED_FRAMES 16
struct cvt_callers {
  int count;
  uintptr_t frames[CVT_NOTED_FRAMES];
};

// The end of a checked continuation that was not resumed.
struct cvt_drop {
  // The task whose code dropped it, which may have ended since, and its number; NULL if it was none.
  void *task;
  uint64_t number;
  struct cvt_callers callers;
};
// Notes the ends of checked continuations from now on. `object` is the only field of one. Returns false if it cannot.
bool cvt_watch_continuations(void *object);
// Returns the object of the continuation that ended last on this thread, to check the layout.
void *cvt_last_ended_continuation(void);
// Whether continuations have been dropped.
bool cvt_history_has_drops(const struct cvt_history *history);
// Finds out how the continuation of a suspended task was dropped. Returns false if it was not, or if that is unknown.
bool cvt_history_drop(const struct cvt_history *history, const void *task, struct cvt_drop *drop);

// Notes that the code with a frame resumes the checked continuation with an object.
void cvt_note_resume(void *object, const void *frame);

// Notes that the code with a frame has created a default actor.
void cvt_note_actor(void *actor, const void *frame);
// Finds the code that created an actor that exists. Returns false if it is unknown.
bool cvt_history_actor(const struct cvt_history *history, const void *actor, struct cvt_callers *callers);

// Notes the creators of streams from now on, because the layout of streams is known.
void cvt_watch_streams(void);
// Notes that the code with a frame has created an AsyncStream. `context` is its only field.
void cvt_note_stream(void *context, const void *frame);
// Finds the code that created the stream whose next element a suspended task waits for. Returns false if it is unknown.
bool cvt_history_stream(const struct cvt_history *history, const void *task, struct cvt_callers *callers);

// Notes that `addTaskUnlessCancelled`, called by the code with a frame, has added no child task.
void cvt_note_refusal(const void *frame);
// Finds the latest such call by a task. Returns false if there is none.
bool cvt_history_refusal(const struct cvt_history *history, void *task, struct cvt_callers *callers);

// Why code fails, for reports about a crash. Zero means unknown.
struct cvt_failure {
  // What the runtime will print, without the place.
  char message[512];
  // If the code resumes a checked continuation that was resumed before: the code of the first time.
  struct cvt_callers first_resume;
};
// Notes the message of a failure of the calling thread.
void cvt_note_failure(const char *message, size_t size);
// That of the calling thread. It stays readable after a crash, as long as the thread exists.
const struct cvt_failure *cvt_current_failure(void);

// The waiting messages of a default actor, for the thread that holds the job that processes them. Until that job runs,
// no other thread removes messages or enters the actor.

// Returns the actor that a DefaultActorSeparate job processes, or the object that an IsolatedDeinit job ends.
void *cvt_actor_of(const void *job);
// Returns the newest message; NULL if none is waiting.
void *cvt_last_message(const void *actor);
// Returns the message before another one; NULL if there is none.
void *cvt_earlier_message(const void *message);
// Removes a message from the list. Returns false if it is not in the list.
bool cvt_take_message(void *actor, void *message);

// A call that ends the process, such as "exit", its status, and whether the library calls the handlers of `atexit` afterwards.
typedef void (*cvt_exit_handler)(const char *call, int status, bool calls_handlers);
// Sets the function that each thread calls before it ends the process by such a call. On Linux only.
void cvt_handle_exits(cvt_exit_handler handler);

// Whether the failures of XCTest go to `rehearsal_take_xctest_failure`, which RehearsalTesting defines. It returns whether
// it takes the failure. Otherwise XCTest records it.
bool cvt_catches_xctest_failures(void);

// A function that this target replaces.
struct cvt_replaced {
  // Its name, the first toolchain that has it, and what happens on a stage of a toolchain without it.
  const char *name, *since, *effect;
};
// The table of all of them.
const struct cvt_replaced *cvt_replaced_functions(int *count);
// Whether the toolchain is newer than the tested ones, or the environment variable REHEARSE_MISSING names functions.
bool cvt_may_lack_functions(void);
// Returns the first missing function from a place in the table on, and moves the place behind it; NULL if there is none.
const struct cvt_replaced *cvt_missing_function(int *place);
