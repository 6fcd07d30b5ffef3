#ifndef CGZIP_H
#define CGZIP_H

#include <stdbool.h>
#include <stddef.h>

/// How an attempt ended.
typedef enum {
  CGZ_DONE,
  /// The output has no more room.
  CGZ_NO_ROOM,
  /// The input is no gzip, or is damaged.
  CGZ_BROKEN,
  /// The input ends too early.
  CGZ_CUT_OFF,
  /// There is no memory, or no zlib.
  CGZ_UNABLE,
} cgz_result;

/// Whether zlib was there when this was built.
bool cgz_available(void);

/// Room that is enough for `count` bytes compressed.
size_t cgz_bound(size_t count);

/// Compresses all of the input. The bytes say neither when nor where: no time, system 255.
cgz_result cgz_compress(const unsigned char *input, size_t count, unsigned char *output,
                        size_t *room);

typedef struct cgz_reader cgz_reader;

/// Begins to decompress; NULL where that cannot be done. The input stays until the reader is closed.
cgz_reader *cgz_open(const unsigned char *input, size_t count);

/// Fills the output, and says in `room` how much of it. CGZ_NO_ROOM: there may be more.
cgz_result cgz_read(cgz_reader *reader, unsigned char *output, size_t *room);

void cgz_close(cgz_reader *reader);

#endif
