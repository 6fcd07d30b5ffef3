#pragma once
#include <stddef.h>
#include <stdint.h>

// A few words on standard error when the process crashes, or is ended by exit(), _exit() or quick_exit(), prepared beforehand:
// in a signal handler there is neither memory nor a lock to be had.

// Begins to catch the signals of crashes, exit() and quick_exit(). On Linux, _exit() is caught in any case. What caught a signal before, a backtracer say,
// comes after, and then the words once more. The subject is who crashes; it is copied.
void ccn_install(const char *subject);

// Sets the words that follow "error: SUBJECT crashed" and "error: exit(7) ended SUBJECT"; an exit is then
// a failure, with the code 1. Without any, nothing is written and an exit is as it was asked for. More than
// CCN_LIMIT bytes are cut.
void ccn_set(const char *bytes, size_t count);

enum { CCN_LIMIT = 4096 };

// Ends the process at once, without the words.
void ccn_exit(int status) __attribute__((noreturn));

// Runs of code that a thread does one behind the other, each by other choices.
struct ccn_run {
  // What is said about the choices of a run that crashed, and behind them.
  const char *before, *behind;
  // How many there are, a word that is not looked at, and two for each: the choice, and of how many.
  const uint32_t *choices;
  // Whether other threads go on behind a crash.
  int is_sheltered;
  // Not for the caller.
  void *stack_end;
  int word, thread;
};

// The system's number of the thread that does a run; 0 before it has one, and where the system has no such numbers.
int ccn_thread(const struct ccn_run *run);

// Does work on a thread of its own, and waits until it is done. If `is_late` is given, it is called about 50 times a second
// with `limit`; if it returns other than 0, the wait is over.
// A crash or an exit of that thread tells of the run instead of the words, and ends the process; but a crash is the
// number of its signal here, and zero otherwise, where the run is sheltered: then the thread stays as it is for as long
// as the process lives, with all that it holds. It ends the process all the same where it may have written anywhere, as by
// a bad access, unless that is beyond the end of the stack, and where nobody could print any more. Of what crashed or is
// late, the run and the context stay in use for ever. A crash or an exit of another thread, of which there are no words, tells of
// all runs that are under way.
int ccn_do(struct ccn_run *run, void (*work)(void *), void *context, int (*is_late)(void *),
           void *limit);

enum { CCN_LATE = -1, CCN_NO_THREAD = -2 };
