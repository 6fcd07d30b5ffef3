#define _GNU_SOURCE
#include "CStageDispatch.h"
#include "CVirtualTime.h"

#if defined(__linux__)
// As in Waits.c.
#if defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
#include "Interposing.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// On a thread that runs a stage, these functions let the stage run other work while a thread of the stage has the lock.

// Lets other code of the stage run now, if the stage preempts the code that called the function with a frame. The stage
// uses locks meanwhile.
static void preempt(const void *frame) {
  if (!cvt_thread.preempts || cvt_thread.initialisation || cvt_is_uninterruptible()) return;
  int error = errno;
  cvt_thread.preempts = false;
  cvt_thread.preempts = cvt_stage_preempt(frame);
  errno = error;
}
#define PREEMPT() preempt(__builtin_frame_address(0))

// The library's own definition of a function.
#define FIND_NEXT(name, result, ...)         \
  static result (*next)(__VA_ARGS__);        \
  if (!next) next = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

// MARK: What the calling thread has

// The read-write locks that the thread has for reading, as often as it has them. More of them are not known.
enum { MOST_READS = 32 };
struct cvt_read_locks {
  int count;
  const void *locks[MOST_READS];
};
static _Thread_local struct cvt_read_locks read_locks;

const struct cvt_read_locks *cvt_current_read_locks(void) { return &read_locks; }

bool cvt_is_reading(const struct cvt_read_locks *reads, const void *lock) {
  for (int index = 0; index < reads->count; index++) {
    if (reads->locks[index] == lock) return true;
  }
  return false;
}

static void begin_reading(const void *lock) {
  if (read_locks.count < MOST_READS) read_locks.locks[read_locks.count++] = lock;
}

static void end_reading(const void *lock) {
  for (int index = read_locks.count - 1; index >= 0; index--) {
    if (read_locks.locks[index] != lock) continue;
    read_locks.locks[index] = read_locks.locks[--read_locks.count];
    return;
  }
}

// Number of streams that the thread has locked, and of initialisations that it performs. The C library waits for these in
// real time, so no other code of the stage runs meanwhile.
static _Thread_local unsigned uninterruptible;

bool cvt_is_uninterruptible(void) { return uninterruptible > 0; }

// Swift's `print` locks its stream while it asks values for their descriptions.
void flockfile(FILE *stream) {
  FIND_NEXT(flockfile, void, FILE *);
  next(stream);
  uninterruptible++;
}

void funlockfile(FILE *stream) {
  FIND_NEXT(funlockfile, void, FILE *);
  if (uninterruptible > 0) uninterruptible--;
  next(stream);
}

int pthread_once(pthread_once_t *control, void (*function)(void)) {
  FIND_NEXT(pthread_once, int, pthread_once_t *, void (*)(void));
  uninterruptible++;
  int result = next(control, function);
  uninterruptible--;
  return result;
}

// MARK: Locking

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
#define LOCKING(type, name, try, owner, has_locked)                                    \
  int name(type *lock) {                                                               \
    FIND_NEXT(name, int, type *);                                                      \
    int result = cvt_thread.stage ? EBUSY : next(lock);                                \
    if (cvt_thread.stage) PREEMPT();                                                   \
    while (result == EBUSY && (result = try(lock)) == EBUSY) {                         \
      int32_t answer = cvt_stage_lock_wait(lock, owner, INT64_MAX);                    \
      if (answer == CVT_LOCK_IS_STUCK) return EDEADLK;                                 \
      if (answer == CVT_LOCK_MAY_BE_FREE) continue;                                    \
      note_lock(__builtin_return_address(0));                                          \
      result = next(lock);                                                             \
      break;                                                                           \
    }                                                                                  \
    if (!result) has_locked(lock);                                                     \
    return result;                                                                     \
  }

static void is_exclusive(const void *lock) { (void)lock; }

// Finds out if the calling thread has a mutex that it cannot have twice.
static int try_mutex(pthread_mutex_t *lock) {
  int result = pthread_mutex_trylock(lock);
  if (result != EBUSY || owner_of_mutex(lock) != cvt_system_thread()) return result;
  if ((lock->__data.__kind & 3) != PTHREAD_MUTEX_ERRORCHECK) cvt_stage_locked_twice(lock);
  return EDEADLK;
}

LOCKING(pthread_mutex_t, pthread_mutex_lock, try_mutex, owner_of_mutex, is_exclusive)
LOCKING(pthread_rwlock_t, pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, owner_of_rwlock, begin_reading)
LOCKING(pthread_rwlock_t, pthread_rwlock_wrlock, pthread_rwlock_trywrlock, owner_of_rwlock, is_exclusive)

// Defines a function after which other code may run.
#define UNLOCKING(type, name, has_unlocked)                                            \
  int name(type *lock) {                                                               \
    FIND_NEXT(name, int, type *);                                                      \
    int result = next(lock);                                                           \
    has_unlocked(lock);                                                                \
    if (cvt_thread.stage) PREEMPT();                                                   \
    return result;                                                                     \
  }

UNLOCKING(pthread_mutex_t, pthread_mutex_unlock, is_exclusive)
UNLOCKING(pthread_rwlock_t, pthread_rwlock_unlock, end_reading)

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
  return cvt_nanoseconds(deadline) - cvt_nanoseconds(&now);
}

int pthread_mutex_timedlock(
    pthread_mutex_t *restrict lock, const struct timespec *restrict deadline) {
  static int (*next)(pthread_mutex_t *, const struct timespec *);
  if (!next) {
    next = (int (*)(pthread_mutex_t *, const struct timespec *))dlsym(
        RTLD_NEXT, "pthread_mutex_timedlock");
  }
  if (!cvt_thread.stage) return next(lock, deadline);
  PREEMPT();
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

// MARK: Mutex

void cvt_preempt_mutex(const void *frame) {
  cvt_calls.mutexes++;
  preempt(frame);
}

#if defined(__x86_64__)
// Swift's `Mutex` locks and unlocks without a call if no other thread has it. But in a build without optimisation it first
// asks for the number of the thread, by a function that the compiler copies from a header into each module:
//
//   if (tid == 0) tid = syscall(SYS_gettid);
//
// Here a jump over the system call is removed, so that each use of a `Mutex` arrives at `syscall`. Two bytes are written at
// once, so another thread finds either the old code or the new one.
struct copies {
  int changed, unknown;
};

static bool change(uintptr_t place) {
  enum { LINE = 64, NO_OPERATIONS = 0x9090 };
  uintptr_t page = place & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
  size_t size = place + sizeof(uint16_t) - page;
  // Only within one line of the processor's cache are two bytes written at once.
  if (place % LINE == LINE - 1) return false;
  if (mprotect((void *)page, size, PROT_READ | PROT_WRITE | PROT_EXEC)) return false;
  __atomic_store_n((uint16_t *)place, NO_OPERATIONS, __ATOMIC_RELEASE);
  return !mprotect((void *)page, size, PROT_READ | PROT_EXEC);
}

static void always_call(void *context, const char *name, uintptr_t address, size_t size) {
  enum { MOST_BETWEEN = 16, JUMP = 0x75, JUMP_SIZE = 2, NO_OPERATION = 0x90 };
  static const uint8_t argument[] = {0xBF, SYS_gettid, 0, 0, 0};
  struct copies *copies = context;
  if (strcmp(name, "_swift_stdlib_gettid")) return;
  const uint8_t *code = (const uint8_t *)address;
  for (size_t jump = 0; jump + JUMP_SIZE + sizeof argument <= size; jump++) {
    // Two names may have one copy.
    bool is_changed = code[jump] == NO_OPERATION && code[jump + 1] == NO_OPERATION;
    if (code[jump] != JUMP && !is_changed) continue;
    for (size_t next = jump + JUMP_SIZE; next < jump + MOST_BETWEEN && next + sizeof argument <= size; next++) {
      if (memcmp(code + next, argument, sizeof argument)) continue;
      bool jumps_over = (intptr_t)jump + JUMP_SIZE + (int8_t)code[jump + 1] > (intptr_t)next;
      if (is_changed || (jumps_over && change(address + jump))) {
        copies->changed++;
        return;
      }
    }
  }
  copies->unknown++;
}

static struct copies copies;
static void change_all(void) { cvt_find_functions("_swift_stdlib_gettid", &copies, always_call); }

bool cvt_preempt_mutexes(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, change_all);
  return copies.changed && !copies.unknown;
}
#define PREEMPTS_MUTEXES
#endif

// A program without symbols does not show which code calls.
bool cvt_preempts_locks(void) {
  const char *image;
  return cvt_symbol((uintptr_t)cvt_preempts_locks, &image) != NULL;
}
#define PREEMPTS_LOCKS
#else
bool cvt_wait_for_futex(void *lock, int operation, const void *caller) {
  (void)lock, (void)operation, (void)caller;
  return false;
}
void cvt_preempt_mutex(const void *frame) { (void)frame; }
#endif
#endif

#if !defined(PREEMPTS_LOCKS)
bool cvt_preempts_locks(void) { return false; }
bool cvt_is_uninterruptible(void) { return false; }
const struct cvt_read_locks *cvt_current_read_locks(void) { return NULL; }
bool cvt_is_reading(const struct cvt_read_locks *reads, const void *lock) {
  (void)reads, (void)lock;
  return false;
}
#endif
#if !defined(PREEMPTS_MUTEXES)
bool cvt_preempt_mutexes(void) { return false; }
#endif
