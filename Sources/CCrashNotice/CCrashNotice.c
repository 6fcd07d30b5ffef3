#include "CCrashNotice.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const int caught[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { CAUGHT = sizeof(caught) / sizeof(caught[0]) };

static struct sigaction before[CAUGHT];
static char words[CCN_LIMIT];
// Zero while the words are being written, and once they were said.
static _Atomic size_t length;
// A stack that has overflowed is no place for a handler.
static char stack[64 * 1024];

static void say(size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t written = write(2, words + done, count - done);
    if (written <= 0) break;
    done += (size_t)written;
  }
}

static void crashed(int signal, siginfo_t *info, void *context) {
  size_t count = atomic_exchange(&length, 0);
  say(count);
  for (int index = 0; index < CAUGHT; index++) {
    if (caught[index] != signal) continue;
    struct sigaction *former = &before[index];
    sigaction(signal, former, NULL);
    if (!(former->sa_flags & SA_SIGINFO)) break;
    // A back-trace has hundreds of lines, so it is said once more below them.
    former->sa_sigaction(signal, info, context);
    say(count);
  }
  // The instruction at fault runs once more and meets what was there before; a signal that somebody
  // sent has to be sent again.
  if (info->si_code <= 0) raise(signal);
}

void ccn_install(void) {
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
