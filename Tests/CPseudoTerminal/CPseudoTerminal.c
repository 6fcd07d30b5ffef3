#define _GNU_SOURCE
#include "CPseudoTerminal.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <util.h>
#else
#include <pty.h>
#endif

pid_t cpt_spawn(
    const char *path,
    char *const *arguments,
    char *const *environment,
    int rows,
    int columns,
    int *master) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  pid_t process = forkpty(master, NULL, NULL, &size);
  if (process == 0) {
    // The test process may ignore or block signals that the program needs.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    execve(path, arguments, environment);
    _exit(127);
  }
  if (process > 0) fcntl(*master, F_SETFD, FD_CLOEXEC);
  return process;
}

bool cpt_resize(int master, int rows, int columns) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  return ioctl(master, TIOCSWINSZ, &size) == 0;
}

bool cpt_is_cooked(int master) {
  struct termios settings;
  if (tcgetattr(master, &settings) != 0) return false;
  return (settings.c_lflag & ICANON) && (settings.c_lflag & ECHO);
}

double cpt_processor_seconds(pid_t process) {
#ifdef __APPLE__
  (void)process;
  return 0;
#else
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
#endif
}
