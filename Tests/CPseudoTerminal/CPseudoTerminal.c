#define _GNU_SOURCE
#include "CPseudoTerminal.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <util.h>
#else
#include <pty.h>
#include <sys/prctl.h>
#endif

/// The test process may ignore or block signals that a program needs.
static void take_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
}

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
    take_signals();
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

#ifndef __APPLE__
/// Runs the program and returns how many processes are left.
static int run_and_count(
    const char *path,
    char *const *arguments,
    char *const *environment,
    const char *folder,
    const char *output) {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return 255;
  pid_t program = fork();
  if (program == 0) {
    take_signals();
    int input = open("/dev/null", O_RDONLY);
    int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (input < 0 || file < 0 || chdir(folder) != 0) _exit(127);
    dup2(input, 0);
    dup2(file, 1);
    dup2(file, 2);
    execve(path, arguments, environment);
    _exit(127);
  }
  int status = 0;
  if (program < 0 || waitpid(program, &status, 0) != program) return 255;
  int left = 0;
  // Zombies are reaped one by one. If only living processes are left, `waitpid` returns 0, and they count as one
  // process.
  while (left < 100) {
    pid_t other = waitpid(-1, NULL, WNOHANG);
    if (other < 0) break;
    left++;
    if (other == 0) break;
  }
  while (waitpid(-1, NULL, 0) > 0) {
  }
  return left;
}
#endif

int cpt_processes_left(
    const char *path,
    char *const *arguments,
    char *const *environment,
    const char *folder,
    const char *output) {
#ifdef __APPLE__
  return -1;
#else
  pid_t parent = fork();
  if (parent == 0) _exit(run_and_count(path, arguments, environment, folder, output));
  int status = 0;
  if (parent < 0 || waitpid(parent, &status, 0) != parent || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status) == 255 ? -1 : WEXITSTATUS(status);
#endif
}
