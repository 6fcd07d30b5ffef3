#define _GNU_SOURCE
#include "CCrashNotice.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int caught[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { CAUGHT = sizeof(caught) / sizeof(caught[0]) };

static struct sigaction before[CAUGHT];
static char subject[32], crash[64];
static char words[CCN_LIMIT];
// Workers that were forked from it end as they like.
static pid_t process;
// Zero while the words are being written, and once they were said.
static _Atomic size_t length;
// A stack that has overflowed is no place for a handler.
static char stack[64 * 1024];

static void put(const char *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t written = write(2, bytes + done, count - done);
    if (written <= 0) break;
    done += (size_t)written;
  }
}

static void say(const char *start, size_t count) {
  if (count == 0) return;
  put(start, strlen(start));
  put(words, count);
}

static void crashed(int signal, siginfo_t *info, void *context) {
  size_t count = atomic_exchange(&length, 0);
  say(crash, count);
  for (int index = 0; index < CAUGHT; index++) {
    if (caught[index] != signal) continue;
    struct sigaction *former = &before[index];
    sigaction(signal, former, NULL);
    if (!(former->sa_flags & SA_SIGINFO)) break;
    // A back-trace has hundreds of lines, so it is said once more below them.
    former->sa_sigaction(signal, info, context);
    say(crash, count);
  }
  // The instruction at fault runs once more and meets what was there before; a signal that somebody
  // sent has to be sent again.
  if (info->si_code <= 0) raise(signal);
}

static void ended(const char *call) {
  if (getpid() != process) return;
  size_t count = atomic_exchange(&length, 0);
  if (count == 0) return;
  char start[64];
  snprintf(start, sizeof start, "error: %s ended %s", call, subject);
  say(start, count);
  // Whoever asked for 0 would have a script pass that was not performed to its end.
  fflush(NULL);
  _exit(1);
}

#ifdef __GLIBC__
static void ended_with(int status, void *context) {
  (void)context;
  char call[24];
  snprintf(call, sizeof call, "exit(%d)", status);
  ended(call);
}
#else
static void ended_somehow(void) { ended("exit()"); }
#endif

static void catch_exit(void) {
  process = getpid();
#ifdef __GLIBC__
  on_exit(ended_with, NULL);
#else
  atexit(ended_somehow);
#endif
}

void ccn_install(const char *name) {
  snprintf(subject, sizeof subject, "%s", name);
  snprintf(crash, sizeof crash, "error: %s crashed", name);
  if (process == 0) catch_exit();
  stack_t now;
  if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE)) {
    stack_t own = {.ss_sp = stack, .ss_size = sizeof(stack)};
    sigaltstack(&own, NULL);
  }
  struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < CAUGHT; index++) sigaction(caught[index], &action, &before[index]);
}

void ccn_set(const char *bytes, size_t count) {
  atomic_store(&length, 0);
  if (count > CCN_LIMIT) count = CCN_LIMIT;
  if (count > 0) memcpy(words, bytes, count);
  atomic_store(&length, count);
}
