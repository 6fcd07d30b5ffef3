#pragma once
#include <stddef.h>
#include <stdint.h>

// Writes a prepared text to standard error when the process crashes or is ended by exit(), _exit() or
// quick_exit(). It is prepared in advance, because a signal handler cannot allocate memory or take locks.

// Installs handlers for crash signals, exit() and quick_exit(). On Linux, _exit() is always caught. A previous
// handler, such as a back-tracer, is called afterwards, and then the text is repeated. The subject is the name
// of the process; it is copied.
void ccn_install(const char *subject);

// Sets the words after "error: SUBJECT crashed" and "error: exit(7) ended SUBJECT". An exit is then a
// failure with the code 1. Without words, nothing is written and an exit keeps its code. The text is cut
// after CCN_LIMIT bytes.
void ccn_set(const char *bytes, size_t count);

enum { CCN_LIMIT = 4096 };

// Ends the process at once, without the words.
void ccn_exit(int status) __attribute__((noreturn));

enum { CCN_FRAMES = 32 };

// Sets a function that returns details of a crash. The thread that crashes calls it, in the signal handler.
void ccn_set_details(const void *(*details)(void));

// A run of code. A thread performs several in sequence, each with other choices.
struct ccn_run {
  // The texts before and after the choices of a crashed run.
  const char *before, *behind;
  // Their number, an unused word, and two words for each: the choice, and the number of alternatives.
  const uint32_t *choices;
  // Whether other threads continue after a crash.
  int is_sheltered;
  // The owner of the run, for `ccn_present`.
  void *owner;
  // The call that ended the run, if the result is CCN_EXIT.
  char exit[32];
  // If the run was late, or sheltered from a crash: the addresses at which the code would have continued, the innermost
  // first, as far as its functions keep frame pointers. After a crash also what `ccn_set_details` adds.
  uintptr_t frames[CCN_FRAMES];
  int frame_count;
  const void *details;
  // Internal fields.
  void *stack_end, *stack_start;
  int word, thread, is_late, has_stopped;
};

// The system's id of the thread that performs a run; 0 before the thread starts, and if the system has no such ids.
int ccn_thread(const struct ccn_run *run);

// Does work on a separate thread and waits until it is done. If `is_late` is given, it is called about 50 times a
// second with `limit`; if it returns a value other than 0, the wait ends with CCN_LATE.
//
// A crash or an exit of that thread writes the notice of the run instead of the words and ends the process. If the run
// is sheltered, a crash does not: the result is the signal's number (otherwise zero), and the thread is stopped for
// good with all its resources. Two kinds of crashes end the process anyway: a bad access that may have corrupted memory,
// unless it is a stack overflow, and a crash while the thread holds the lock of a standard stream. A crashed or late
// run, and its context, must never be freed. A crash or an exit of a thread without a run writes the notices of all
// active runs.
int ccn_do(struct ccn_run *run, void (*work)(void *), void *context, int (*is_late)(void *),
           void *limit);

//
// A thread that calls exit(), _exit(), quick_exit() or ccn_leave() is stopped likewise, whether the run is sheltered or
// not. The thread of a late run is stopped as soon as it holds no lock of the C library, or after a tenth of a second.
enum { CCN_LATE = -1, CCN_NO_THREAD = -2, CCN_EXIT = 200, CCN_STOPPED = 201 };

// Ends the run of this thread, and stops the thread for good. Returns if the thread performs no run.
void ccn_leave(void);

// The run of this thread, or NULL.
void *ccn_present(void);
// Does work on this thread as a part of a run, which may be NULL, and whose own thread waits meanwhile.
void ccn_do_within(void *run, void (*work)(void *), void *context);
