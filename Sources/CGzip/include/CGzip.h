// gzip by zlib: nothing is compressed or expanded if zlib is missing.

#ifndef CGZIP_H
#define CGZIP_H

#include <stdbool.h>
#include <stddef.h>

/// The result of a call.
typedef enum {
  CGZ_DONE,
  /// The output buffer is full.
  CGZ_NO_ROOM,
  /// The input is not gzip, or is damaged.
  CGZ_BROKEN,
  /// The input ends too early.
  CGZ_CUT_OFF,
  /// There is not enough memory, or no zlib.
  CGZ_UNABLE,
} cgz_result;

/// Whether zlib was available at build time.
bool cgz_available(void);

/// Returns a buffer size that is sufficient for `count` bytes compressed.
size_t cgz_bound(size_t count);

/// Compresses all of the input. The result is deterministic: it has no time, and 255 as the system.
cgz_result cgz_compress(const unsigned char *input, size_t count, unsigned char *output,
                        size_t *room);

typedef struct cgz_reader cgz_reader;

/// Opens a reader; NULL if that fails. The input must stay valid until the reader is closed.
cgz_reader *cgz_open(const unsigned char *input, size_t count);

/// Fills the output, and sets `room` to the number of bytes. After CGZ_NO_ROOM there may be more.
cgz_result cgz_read(cgz_reader *reader, unsigned char *output, size_t *room);

void cgz_close(cgz_reader *reader);

#endif
