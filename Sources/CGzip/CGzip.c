// gzip by zlib, if it is there.

#include "CGzip.h"

#include <stdlib.h>

#if __has_include(<zlib.h>)
#include <limits.h>
#include <string.h>
#include <zlib.h>

/// A window of 32 kB, with gzip header and trailer.
static const int gzip_window = 15 + 16;

bool cgz_available(void) { return true; }

size_t cgz_bound(size_t count) { return compressBound(count) + 64; }

/// zlib counts in unsigned ints, so large input and output is passed in portions.
static uInt portion(size_t count) { return count < UINT_MAX ? (uInt)count : UINT_MAX; }

cgz_result cgz_compress(const unsigned char *input, size_t count, unsigned char *output,
                        size_t *room) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (deflateInit2(&stream, 6, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    return CGZ_UNABLE;
  }
  gz_header header;
  memset(&header, 0, sizeof header);
  header.os = 255;
  deflateSetHeader(&stream, &header);
  stream.next_in = (Bytef *)input;
  stream.next_out = output;
  size_t left = *room;
  int result = Z_OK;
  while (result == Z_OK && left > 0) {
    uInt given = portion(count), space = portion(left);
    stream.avail_in = given;
    stream.avail_out = space;
    result = deflate(&stream, given == count ? Z_FINISH : Z_NO_FLUSH);
    count -= given - stream.avail_in;
    left -= space - stream.avail_out;
  }
  *room -= left;
  deflateEnd(&stream);
  return result == Z_STREAM_END ? CGZ_DONE : left == 0 ? CGZ_NO_ROOM : CGZ_UNABLE;
}

struct cgz_reader {
  z_stream stream;
  size_t left;
};

cgz_reader *cgz_open(const unsigned char *input, size_t count) {
  cgz_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  if (inflateInit2(&reader->stream, gzip_window) != Z_OK) {
    free(reader);
    return NULL;
  }
  reader->stream.next_in = (Bytef *)input;
  reader->left = count;
  return reader;
}

/// Begins the next member, since gzip files may have several. Other bytes after a member are padding.
static bool begin_next_member(cgz_reader *reader) {
  const unsigned char *next = reader->stream.next_in;
  return reader->left > 1 && next[0] == 0x1f && next[1] == 0x8b &&
         inflateReset(&reader->stream) == Z_OK;
}

/// Performs one step of zlib.
static int step(cgz_reader *reader, size_t *left) {
  z_stream *stream = &reader->stream;
  uInt given = portion(reader->left), space = portion(*left);
  stream->avail_in = given;
  stream->avail_out = space;
  int result = inflate(stream, Z_NO_FLUSH);
  reader->left -= given - stream->avail_in;
  *left -= space - stream->avail_out;
  return result;
}

cgz_result cgz_read(cgz_reader *reader, unsigned char *output, size_t *room) {
  size_t left = *room;
  int result = Z_OK;
  reader->stream.next_out = output;
  while (left > 0 && result == Z_OK) {
    result = step(reader, &left);
    if (result == Z_STREAM_END && begin_next_member(reader)) result = Z_OK;
  }
  *room -= left;
  switch (result) {
    case Z_OK: return CGZ_NO_ROOM;
    case Z_STREAM_END: return CGZ_DONE;
    case Z_BUF_ERROR: return CGZ_CUT_OFF;
    case Z_MEM_ERROR: return CGZ_UNABLE;
    default: return CGZ_BROKEN;
  }
}

void cgz_close(cgz_reader *reader) {
  if (!reader) return;
  inflateEnd(&reader->stream);
  free(reader);
}

#else

bool cgz_available(void) { return false; }
size_t cgz_bound(size_t count) { return count; }

cgz_result cgz_compress(const unsigned char *input, size_t count, unsigned char *output,
                        size_t *room) {
  return CGZ_UNABLE;
}

cgz_reader *cgz_open(const unsigned char *input, size_t count) { return NULL; }
cgz_result cgz_read(cgz_reader *reader, unsigned char *output, size_t *room) { return CGZ_UNABLE; }
void cgz_close(cgz_reader *reader) {}

#endif
