#define _GNU_SOURCE
#include "CStageDispatch.h"
#include "CVirtualTime.h"

#if defined(__linux__)
// Sanitizers define many of these functions themselves. A static C library has no next definition.
#if defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
#include "Interposing.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

static int64_t nanoseconds(const struct timespec *time) {
  return time ? time->tv_sec * (int64_t)1000000000 + time->tv_nsec : -1;
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
  if (sleeps(count > 0, nanoseconds(time))) return 0;
  if (cvt_thread.stage && nanoseconds(time)) cvt_note_wait("ppoll", __builtin_return_address(0));
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
  if (sleeps(count > 0, nanoseconds(time))) return 0;
  if (cvt_thread.stage && nanoseconds(time)) cvt_note_wait("pselect", __builtin_return_address(0));
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
      (signals, found, duration), nanoseconds(duration) != 0)
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

// MARK: Locks

// Whether the code at an address may belong to the tested code: the executable, or a library whose locks it uses. Libraries
// also have locks of their own, which change no result. Noting one of those could need the same lock.
static bool is_for_tested_code(const void *address) {
  static const char *program;
  Dl_info information;
  if (!program && dladdr((const void *)is_for_tested_code, &information)) {
    program = information.dli_fname;
  }
  if (!program || !dladdr(address, &information) || !information.dli_fname) return false;
  if (!strcmp(information.dli_fname, program)) return true;
  const char *name = strrchr(information.dli_fname, '/');
  name = name ? name + 1 : information.dli_fname;
  return !strcmp(name, "libFoundation.so") || !strcmp(name, "libswiftSynchronization.so");
}

static int owner_of_mutex(const void *lock) {
  return __atomic_load_n(&((const pthread_mutex_t *)lock)->__data.__owner, __ATOMIC_RELAXED);
}
// 0 if threads only read.
static int owner_of_rwlock(const void *lock) {
  return __atomic_load_n(&((const pthread_rwlock_t *)lock)->__data.__cur_writer, __ATOMIC_RELAXED);
}
static int owner_of_futex(const void *lock) {
  return (int)(__atomic_load_n((const uint32_t *)lock, __ATOMIC_RELAXED) & FUTEX_TID_MASK);
}

static void note_lock(const void *caller) {
  if (is_for_tested_code(caller)) cvt_note_wait("lock", caller);
}

// Defines a function that lets the stage run other work while a thread of the stage has the lock, which `try` finds out. If
// another thread has it, the wait is in real time, and is named.
#define LOCKING(type, name, try, owner)                                       \
  int name(type *lock) {                                                      \
    static int (*next)(type *);                                               \
    if (!next) next = (int (*)(type *))dlsym(RTLD_NEXT, #name);               \
    if (!cvt_thread.stage) return next(lock);                                 \
    while (true) {                                                            \
      int result = try(lock);                                                 \
      if (result != EBUSY) return result;                                     \
      switch (cvt_stage_lock_wait(lock, owner, INT64_MAX)) {                  \
        case CVT_LOCK_MAY_BE_FREE: continue;                                  \
        case CVT_LOCK_IS_STUCK: return EDEADLK;                               \
        default: note_lock(__builtin_return_address(0)); return next(lock);   \
      }                                                                       \
    }                                                                         \
  }

// Finds out if the calling thread has a mutex that it cannot have twice.
static int try_mutex(pthread_mutex_t *lock) {
  int result = pthread_mutex_trylock(lock);
  if (result != EBUSY || owner_of_mutex(lock) != cvt_system_thread()) return result;
  if ((lock->__data.__kind & 3) != PTHREAD_MUTEX_ERRORCHECK) cvt_stage_locked_twice(lock);
  return EDEADLK;
}

LOCKING(pthread_mutex_t, pthread_mutex_lock, try_mutex, owner_of_mutex)
LOCKING(pthread_rwlock_t, pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, owner_of_rwlock)
LOCKING(pthread_rwlock_t, pthread_rwlock_wrlock, pthread_rwlock_trywrlock, owner_of_rwlock)

// The same instant on the system's clock as a deadline in virtual time, if both clocks ran at the same speed.
static struct timespec real_deadline(int64_t left) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &time);
  int64_t sum = time.tv_nsec + left % 1000000000;
  time.tv_sec += left / 1000000000 + sum / 1000000000;
  time.tv_nsec = sum % 1000000000;
  return time;
}

static int64_t left_until(const struct timespec *deadline) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(deadline) - nanoseconds(&now);
}

int pthread_mutex_timedlock(
    pthread_mutex_t *restrict lock, const struct timespec *restrict deadline) {
  static int (*next)(pthread_mutex_t *, const struct timespec *);
  if (!next) {
    next = (int (*)(pthread_mutex_t *, const struct timespec *))dlsym(
        RTLD_NEXT, "pthread_mutex_timedlock");
  }
  if (!cvt_thread.stage) return next(lock, deadline);
  while (true) {
    int result = pthread_mutex_trylock(lock);
    if (result != EBUSY) return result;
    int64_t left = left_until(deadline);
    if (left <= 0) return ETIMEDOUT;
    if (owner_of_mutex(lock) == cvt_system_thread()) {
      if ((lock->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
      cvt_stage_sleep(left);
      return ETIMEDOUT;
    }
    if (cvt_stage_lock_wait(lock, owner_of_mutex, left) != CVT_LOCK_IS_OUTSIDE) continue;
    note_lock(__builtin_return_address(0));
    struct timespec real = real_deadline(left);
    result = next(lock, &real);
    if (result == ETIMEDOUT) cvt_stage_sleep(left);
    return result;
  }
}

// A POSIX semaphore has no owner.
int sem_wait(sem_t *semaphore) {
  static int (*next)(sem_t *);
  if (!next) next = (int (*)(sem_t *))dlsym(RTLD_NEXT, "sem_wait");
  if (cvt_thread.stage) {
    if (!sem_trywait(semaphore)) return 0;
    cvt_note_wait("sem_wait", __builtin_return_address(0));
  }
  return next(semaphore);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
  static int (*next)(sem_t *, const struct timespec *);
  if (!next) next = (int (*)(sem_t *, const struct timespec *))dlsym(RTLD_NEXT, "sem_timedwait");
  if (!cvt_thread.stage) return next(semaphore, deadline);
  if (!sem_trywait(semaphore)) return 0;
  int64_t left = left_until(deadline);
  if (left > 0) cvt_note_wait("sem_timedwait", __builtin_return_address(0));
  struct timespec real = real_deadline(left > 0 ? left : 0);
  int result = next(semaphore, &real);
  int error = errno;
  if (result && error == ETIMEDOUT && left > 0) cvt_stage_sleep(left);
  errno = error;
  return result;
}

bool cvt_wait_for_futex(void *lock, int operation, const void *caller) {
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_LOCK_PI:
      if (!owner_of_futex(lock)) return false;
      switch (cvt_stage_lock_wait(lock, owner_of_futex, INT64_MAX)) {
        case CVT_LOCK_MAY_BE_FREE: errno = EAGAIN; return true;
        case CVT_LOCK_IS_STUCK: errno = EDEADLK; return true;
        default: break;
      }
      break;
    case FUTEX_WAIT: case FUTEX_WAIT_BITSET: break;
    default: return false;
  }
  note_lock(caller);
  return false;
}
#else
void cvt_note_read(int file, const void *caller) { (void)file, (void)caller; }
bool cvt_wait_for_futex(void *lock, int operation, const void *caller) {
  (void)lock, (void)operation, (void)caller;
  return false;
}
#endif
#endif
