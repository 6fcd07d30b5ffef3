// Signals while the prompt is shown: they restore the terminal, and pass on what the user typed.

#define _GNU_SOURCE
#include "CLineEdit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// All data of a handler is written before the handler is installed, or is a sig_atomic_t, or (the saved
// settings) is complete before `guarded` is set.

static const int caught[] = {SIGINT, SIGTSTP, SIGCONT, SIGWINCH, SIGTERM, SIGHUP, SIGQUIT};
enum { caught_count = sizeof caught / sizeof *caught };
static struct sigaction previous[caught_count];

static volatile sig_atomic_t installed, running, guarded, pasting, quiet;
static int prompt_pipe = -1, running_pipe = -1, terminal = -1;
/// The terminal settings before the prompt, and before the echo was turned off.
static struct termios settings, loud_settings;

static void send_byte(int descriptor, int number) {
  unsigned char byte = (unsigned char)number;
  ssize_t written = write(descriptor, &byte, 1);
  (void)written;  // A full pipe already holds enough to wake its reader.
}

static void restore_terminal(void) {
  static const char paste_off[] = "\033[?2004l";
  if (quiet) tcsetattr(STDIN_FILENO, TCSANOW, &loud_settings);
  quiet = 0;
  if (!guarded) return;
  tcsetattr(terminal, TCSANOW, &settings);
  if (pasting) (void)!write(STDOUT_FILENO, paste_off, sizeof paste_off - 1);
  (void)!write(STDOUT_FILENO, "\n", 1);
  guarded = 0;
}

/// Restores the previous handler of a signal and sends the signal again: it arrives when the handler returns.
static void pass_on(int number) {
  for (int i = 0; i < caught_count; i++) {
    if (caught[i] == number) sigaction(number, &previous[i], NULL);
  }
  raise(number);
}

static void be_quiet(void) {
  if (quiet) return;
  if (tcgetpgrp(STDIN_FILENO) != getpgrp()) return;  // In the background this would stop the process.
  if (tcgetattr(STDIN_FILENO, &loud_settings) != 0) return;
  struct termios quiet_settings = loud_settings;
  quiet_settings.c_lflag &= ~(tcflag_t)ECHO;
  quiet = tcsetattr(STDIN_FILENO, TCSANOW, &quiet_settings) == 0;
}

static void be_loud(void) {
  if (quiet && tcgetpgrp(STDIN_FILENO) == getpgrp()) {
    tcsetattr(STDIN_FILENO, TCSANOW, &loud_settings);
  }
  quiet = 0;
}

/// Stops the process during a command.
static void stop_running(void) {
  bool was_quiet = quiet;
  be_loud();
  cle_signals_stop();
  if (was_quiet) be_quiet();
}

static void handle(int number) {
  int saved_errno = errno;
  switch (number) {
    case SIGINT:
      send_byte(running ? running_pipe : prompt_pipe, number);
      break;
    case SIGTSTP:
      if (guarded) {
        send_byte(prompt_pipe, number);
      } else {
        stop_running();
      }
      break;
    case SIGTERM:
    case SIGHUP:
    case SIGQUIT:
      restore_terminal();
      pass_on(number);
      break;
    default:
      send_byte(prompt_pipe, number);
  }
  errno = saved_errno;
}

bool cle_signals_install(int prompt, int running_descriptor) {
  if (installed) return false;
  static bool registered;
  if (!registered) registered = atexit(restore_terminal) == 0;
  prompt_pipe = prompt;
  running_pipe = running_descriptor;
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < caught_count; i++) {
    sigaction(caught[i], NULL, &previous[i]);
    bool ends = caught[i] == SIGTERM || caught[i] == SIGHUP || caught[i] == SIGQUIT;
    if (ends && previous[i].sa_handler == SIG_IGN) continue;  // Keeps the signals ignored that nohup ignores.
    sigaction(caught[i], &action, NULL);
  }
  installed = 1;
  return true;
}

void cle_signals_remove(void) {
  if (!installed) return;
  for (int i = 0; i < caught_count; i++) sigaction(caught[i], &previous[i], NULL);
  installed = 0;
}

void cle_signals_run(bool now) { running = now; }

void cle_be_quiet(bool now) {
  if (now) {
    be_quiet();
  } else {
    be_loud();
  }
}

void cle_signals_stop(void) {
  struct sigaction stop = {.sa_handler = SIG_DFL}, ours;
  sigset_t set, before;
  sigemptyset(&stop.sa_mask);
  sigemptyset(&set);
  sigaddset(&set, SIGTSTP);
  sigaction(SIGTSTP, &stop, &ours);
  raise(SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &set, &before);  // Stops here when called from the handler.
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGTSTP, &ours, NULL);
}

void cle_guard_begin(int descriptor, bool bracketed_paste) {
  terminal = descriptor;
  pasting = bracketed_paste;
  guarded = tcgetattr(descriptor, &settings) == 0;
}

void cle_guard_end(void) { guarded = 0; }

struct cle_watcher {
  pthread_t thread;
  int descriptor;
  void (*handler)(void *context, unsigned char byte);
  void *context;
};

static void *watch(void *argument) {
  cle_watcher *watcher = argument;
  for (;;) {
    unsigned char byte;
    ssize_t count = read(watcher->descriptor, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || byte == 0) return NULL;
    watcher->handler(watcher->context, byte);
  }
}

cle_watcher *cle_watch(int descriptor, void (*handler)(void *context, unsigned char byte), void *context) {
  cle_watcher *watcher = malloc(sizeof *watcher);
  if (!watcher) return NULL;
  watcher->descriptor = descriptor;
  watcher->handler = handler;
  watcher->context = context;
  if (pthread_create(&watcher->thread, NULL, watch, watcher) != 0) {
    free(watcher);
    return NULL;
  }
  return watcher;
}

void cle_watch_end(cle_watcher *watcher) {
  pthread_join(watcher->thread, NULL);
  free(watcher);
}
