#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The file of the running program, mapped into memory. For Symbols.c and SourceLines.c.

struct cvt_bytes {
  const uint8_t *start;
  size_t size;
};

// Returns a section of the executable by its name; empty if there is none, or if it is compressed.
struct cvt_bytes cvt_section(const char *name);
// Whether the address is in the executable, not in a shared library.
bool cvt_is_in_executable(uintptr_t address);
// The difference between addresses in the process and those in the file.
uintptr_t cvt_executable_bias(void);
