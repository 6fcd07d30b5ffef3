#pragma once
#include <stddef.h>
#include <stdint.h>

// A few words on standard error when the process crashes, or is ended by exit(), prepared beforehand:
// in a signal handler there is neither memory nor a lock to be had.

// Begins to catch the signals of crashes, and exit(). What caught a signal before, a backtracer say,
// comes after, and then the words once more. The subject is who crashes; it is copied.
void ccn_install(const char *subject);

// Sets the words that follow "error: SUBJECT crashed" and "error: exit(7) ended SUBJECT"; an exit is then
// a failure, with the code 1. Without any, nothing is written and an exit is as it was asked for. More than
// CCN_LIMIT bytes are cut.
void ccn_set(const char *bytes, size_t count);

enum { CCN_LIMIT = 4096 };

// Runs of code that a thread does one behind the other, each by other choices.
struct ccn_run {
  // What is said about the choices, and behind them.
  const char *before, *behind;
  // How many there are, a word that is not looked at, and two for each: the choice, and of how many.
  const uint32_t *choices;
  // Not for the caller.
  const struct ccn_run *outer;
  char *stack;
};

// From here on, until the end, a crash or an exit on this thread tells of the run instead of the words.
void ccn_begin(struct ccn_run *run);
void ccn_end(struct ccn_run *run);
