#ifndef CHEAP_H
#define CHEAP_H

#include <stddef.h>

/// Returns the number of allocated bytes of the heap; 0 if the C library does not report it, such as musl, or glibc before
/// 2.33.
///
/// A C function, because Swift cannot import `malloc.h`.
size_t chp_bytes_in_use(void);

#endif
