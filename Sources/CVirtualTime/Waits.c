// Notes calls that wait in real time: for another thread, another process or the network.

#define _GNU_SOURCE
#include "CStageDispatch.h"
#include "CVirtualTime.h"

#if defined(__linux__)
// Sanitizers define many of these functions themselves. A static C library has no next definition.
#if defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
#include "Interposing.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// On a thread that runs a stage, these functions wait in real time, for another thread, another process or the network.
// The stage names them. Calls that wait for nothing but a time sleep in virtual time.

static bool may_wait(int file) {
  struct stat status;
  if (fstat(file, &status)) return false;
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode)) return false;
  if (S_ISCHR(status.st_mode) && !isatty(file)) return false;
  int flags = fcntl(file, F_GETFL);
  return flags >= 0 && !(flags & O_NONBLOCK);
}

// Swift reads and waits for the process that prints a backtrace. It does so in a signal handler, where nothing may be noted.
static bool is_in_runtime(const void *address) {
  Dl_info information;
  const char *end = "/libswiftCore.so";
  if (!dladdr(address, &information) || !information.dli_fname) return false;
  size_t length = strlen(information.dli_fname);
  return length >= strlen(end) && !strcmp(information.dli_fname + length - strlen(end), end);
}

void cvt_note_read(int file, const void *caller) {
  if (may_wait(file) && !is_in_runtime(caller)) cvt_note_wait("read", caller);
}

// Defines a function that is named if it may wait.
#define NAMED(result, name, parameters, arguments, waits)                                  \
  result name parameters {                                                                 \
    static result(*next) parameters;                                                       \
    if (!next) next = (result(*) parameters)dlsym(RTLD_NEXT, #name);                       \
    if (cvt_thread.stage && (waits)) cvt_note_wait(#name, __builtin_return_address(0)); \
    return next arguments;                                                                 \
  }

// MARK: Descriptors

static bool may_receive(int file, int flags) { return !(flags & MSG_DONTWAIT) && may_wait(file); }

NAMED(ssize_t, recv, (int file, void *bytes, size_t count, int flags),
      (file, bytes, count, flags), may_receive(file, flags))
NAMED(ssize_t, recvfrom,
      (int file, void *restrict bytes, size_t count, int flags,
       struct sockaddr *restrict address, socklen_t *restrict length),
      (file, bytes, count, flags, address, length), may_receive(file, flags))
NAMED(ssize_t, recvmsg, (int file, struct msghdr *message, int flags), (file, message, flags),
      may_receive(file, flags))
NAMED(int, accept,
      (int file, struct sockaddr *restrict address, socklen_t *restrict length),
      (file, address, length), may_wait(file))
NAMED(int, accept4,
      (int file, struct sockaddr *restrict address, socklen_t *restrict length, int flags),
      (file, address, length, flags), may_wait(file))
NAMED(int, connect, (int file, const struct sockaddr *address, socklen_t length),
      (file, address, length), may_wait(file))
NAMED(int, epoll_wait, (int file, struct epoll_event *events, int most, int milliseconds),
      (file, events, most, milliseconds), milliseconds != 0)
NAMED(int, flock, (int file, int operation), (file, operation), !(operation & (LOCK_NB | LOCK_UN)))

// Sleeps in virtual time for a call without descriptors. Returns false if the call has some, or no end.
static bool sleeps(bool has_files, int64_t nanoseconds) {
  if (!cvt_thread.stage || has_files || nanoseconds < 0) return false;
  cvt_stage_sleep(nanoseconds);
  return true;
}

int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  static int (*next)(struct pollfd *, nfds_t, int);
  if (!next) next = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
  if (sleeps(count > 0, milliseconds * (int64_t)1000000)) return 0;
  if (cvt_thread.stage && milliseconds) cvt_note_wait("poll", __builtin_return_address(0));
  return next(files, count, milliseconds);
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time, const sigset_t *mask) {
  static int (*next)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
  if (!next) {
    next = (int (*)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))dlsym(
        RTLD_NEXT, "ppoll");
  }
  if (sleeps(count > 0, cvt_nanoseconds(time))) return 0;
  if (cvt_thread.stage && cvt_nanoseconds(time)) cvt_note_wait("ppoll", __builtin_return_address(0));
  return next(files, count, time, mask);
}

int select(int count, fd_set *restrict reading, fd_set *restrict writing,
           fd_set *restrict failing, struct timeval *restrict time) {
  static int (*next)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
  if (!next) {
    next = (int (*)(int, fd_set *, fd_set *, fd_set *, struct timeval *))dlsym(RTLD_NEXT, "select");
  }
  int64_t duration = time ? time->tv_sec * (int64_t)1000000000 + time->tv_usec * (int64_t)1000 : -1;
  if (sleeps(count > 0, duration)) {
    memset(time, 0, sizeof *time);
    return 0;
  }
  if (cvt_thread.stage && duration) cvt_note_wait("select", __builtin_return_address(0));
  return next(count, reading, writing, failing, time);
}

int pselect(int count, fd_set *restrict reading, fd_set *restrict writing,
            fd_set *restrict failing, const struct timespec *restrict time,
            const sigset_t *restrict mask) {
  static int (*next)(
      int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
  if (!next) {
    next = (int (*)(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *))
        dlsym(RTLD_NEXT, "pselect");
  }
  if (sleeps(count > 0, cvt_nanoseconds(time))) return 0;
  if (cvt_thread.stage && cvt_nanoseconds(time)) cvt_note_wait("pselect", __builtin_return_address(0));
  return next(count, reading, writing, failing, time, mask);
}

// A stream waits in `read` of the C library, which no program can replace. What it has read before is not known here.
NAMED(size_t, fread, (void *restrict bytes, size_t size, size_t count, FILE *restrict stream),
      (bytes, size, count, stream), may_wait(fileno(stream)))
NAMED(char *, fgets, (char *restrict text, int size, FILE *restrict stream), (text, size, stream),
      may_wait(fileno(stream)))
NAMED(int, fgetc, (FILE *stream), (stream), may_wait(fileno(stream)))
NAMED(int, getc, (FILE *stream), (stream), may_wait(fileno(stream)))
NAMED(ssize_t, getline, (char **restrict text, size_t *restrict size, FILE *restrict stream),
      (text, size, stream), may_wait(fileno(stream)))

// MARK: The network, processes and threads

// An address in digits needs no server.
static bool needs_name_server(const char *node) {
  if (!node) return false;
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST}, *found = NULL;
  static int (*next)(
      const char *, const char *, const struct addrinfo *, struct addrinfo **);
  if (!next) {
    next = (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(
        RTLD_NEXT, "getaddrinfo");
  }
  if (next(node, NULL, &hints, &found)) return true;
  freeaddrinfo(found);
  return false;
}

NAMED(int, getaddrinfo,
      (const char *restrict node, const char *restrict service,
       const struct addrinfo *restrict hints, struct addrinfo **restrict result),
      (node, service, hints, result), needs_name_server(node))
NAMED(int, sigwait, (const sigset_t *restrict signals, int *restrict found), (signals, found), true)
NAMED(int, sigwaitinfo, (const sigset_t *restrict signals, siginfo_t *restrict found), (signals, found),
      true)
NAMED(int, sigtimedwait,
      (const sigset_t *restrict signals, siginfo_t *restrict found,
       const struct timespec *restrict duration),
      (signals, found, duration), cvt_nanoseconds(duration) != 0)
NAMED(pid_t, wait, (int *status), (status), true)
NAMED(pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options),
      !(options & WNOHANG) && !is_in_runtime(__builtin_return_address(0)))
NAMED(pid_t, wait4, (pid_t process, int *status, int options, struct rusage *usage),
      (process, status, options, usage), !(options & WNOHANG))
NAMED(int, waitid, (idtype_t type, id_t process, siginfo_t *information, int options),
      (type, process, information, options), !(options & WNOHANG))
#define SPAWNING(name)                                                                     \
  NAMED(int, name,                                                                         \
        (pid_t *restrict process, const char *restrict path,                               \
         const posix_spawn_file_actions_t *restrict actions,                               \
         const posix_spawnattr_t *restrict attributes, char *const *restrict arguments,    \
         char *const *restrict environment),                                               \
        (process, path, actions, attributes, arguments, environment), true)
SPAWNING(posix_spawn)
SPAWNING(posix_spawnp)
NAMED(int, system, (const char *command), (command), true)
NAMED(FILE *, popen, (const char *command, const char *mode), (command, mode), true)
NAMED(int, pclose, (FILE * stream), (stream), true)
NAMED(pid_t, fork, (void), (), true)
NAMED(int, pthread_join, (pthread_t thread, void **result), (thread, result), true)
#else
void cvt_note_read(int file, const void *caller) { (void)file, (void)caller; }
#endif
#endif
