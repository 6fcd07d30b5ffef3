// Calls a handler before code ends the process.

#define _GNU_SOURCE
#include "CVirtualTime.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

static cvt_exit_handler handler;

void cvt_handle_exits(cvt_exit_handler function) { handler = function; }

// Sanitizers need these functions themselves.
#if defined(__linux__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
#define NO_RETURN __attribute__((noreturn))

// Calls the handler before the library's own function. The definitions are weak, so that a static C library may have them,
// too.
#define EXITING(name)                                                      \
  __attribute__((weak)) NO_RETURN void name(int status) {                  \
    if (handler) handler(#name, status, true);                             \
    NO_RETURN void (*next)(int) = (NO_RETURN void (*)(int))dlsym(RTLD_NEXT, #name); \
    next(status);                                                          \
  }
EXITING(exit)
EXITING(quick_exit)

// Ends the process without the C library.
static NO_RETURN void end_process(const char *call, int status) {
  if (handler) handler(call, status, false);
  for (;;) syscall(SYS_exit_group, status);
}

#define ENDING(name) \
  __attribute__((weak)) NO_RETURN void name(int status) { end_process(#name, status); }
ENDING(_exit)
ENDING(_Exit)
#endif
