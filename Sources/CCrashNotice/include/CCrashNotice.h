#pragma once
#include <stddef.h>

// A few words on standard error when the process crashes, prepared beforehand: in a signal handler
// there is neither memory nor a lock to be had.

// Begins to catch the signals of crashes. What caught them before, a backtracer say, comes after, and
// then the words once more.
void ccn_install(void);

// Sets the words; without any, nothing is written. More than CCN_LIMIT bytes are cut.
void ccn_set(const char *bytes, size_t count);

enum { CCN_LIMIT = 4096 };
