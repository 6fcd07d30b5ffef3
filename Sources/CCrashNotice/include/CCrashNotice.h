#pragma once
#include <stddef.h>

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
