#ifndef CHEAP_H
#define CHEAP_H

#include <stddef.h>

/// How many bytes the program has taken of the heap and not given back; 0 where the C library does not tell, as musl, or
/// glibc before 2.33.
///
/// Swift does not see `malloc.h`.
size_t chp_bytes_in_use(void);

#endif
