// Locks: on a thread that runs a stage, other work of the stage runs while code waits for one.

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

// The read-write locks that the thread has for reading, as often as it has them.
enum { FEW_READS = 16 };
struct cvt_read_locks {
  int count, capacity;
  // The locks; NULL while there are few.
  const void **many;
  const void *few[FEW_READS];
};
static _Thread_local struct cvt_read_locks read_locks = {.capacity = FEW_READS};

// Number of locks that the thread has.
static _Thread_local int32_t lock_count;
int32_t cvt_locks_of_thread(void) { return lock_count; }

const struct cvt_read_locks *cvt_current_read_locks(void) { return &read_locks; }

static const void *const *reads_of(const struct cvt_read_locks *reads) {
  return reads->many ? reads->many : reads->few;
}

bool cvt_is_reading(const struct cvt_read_locks *reads, const void *lock) {
  for (int index = 0; index < reads->count; index++) {
    if (reads_of(reads)[index] == lock) return true;
  }
  return false;
}

static void begin_lock(const void *lock) {
  (void)lock;
  lock_count++;
}

static void end_lock(const void *lock) {
  (void)lock;
  lock_count--;
}

static void begin_reading(const void *lock) {
  lock_count++;
  if (read_locks.count == read_locks.capacity) {
    const void **more = realloc(read_locks.many, sizeof(void *) * 2 * read_locks.capacity);
    if (!more) return;
    if (!read_locks.many) memcpy(more, read_locks.few, sizeof read_locks.few);
    read_locks.many = more;
    read_locks.capacity *= 2;
  }
  (read_locks.many ? read_locks.many : read_locks.few)[read_locks.count++] = lock;
}

static void end_reading(const void *lock) {
  lock_count--;
  const void **locks = read_locks.many ? read_locks.many : read_locks.few;
  for (int index = read_locks.count - 1; index >= 0; index--) {
    if (locks[index] != lock) continue;
    locks[index] = locks[--read_locks.count];
    break;
  }
  if (read_locks.count || !read_locks.many) return;
  free(read_locks.many);
  read_locks.many = NULL;
  read_locks.capacity = FEW_READS;
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

static bool begins(const char *text, const char *start) { return !strncmp(text, start, strlen(start)); }

// Whether the code at an address may belong to the tested code: the executable, a library of the user, or a library whose
// locks it uses. Other libraries also have locks of their own, which change no result. Noting one of those could need the
// same lock.
static bool is_for_tested_code(const void *address) {
  static const char *program;
  Dl_info information;
  if (!program && dladdr((const void *)is_for_tested_code, &information)) {
    program = information.dli_fname;
  }
  if (!program || !dladdr(address, &information) || !information.dli_fname) return false;
  const char *path = information.dli_fname;
  if (!strcmp(path, program)) return true;
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  if (!strcmp(name, "libFoundation.so") || !strcmp(name, "libswiftSynchronization.so")) return true;
  static const char *const folders[] = {"/lib", "/usr/"};
  for (int index = 0; index < 2; index++) {
    if (begins(path, folders[index])) return false;
  }
  static const char *const libraries[] = {
      "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime",
      "libXCTest", "libTesting", "lib_Testing",      "linux-vdso",  "ld-linux",
  };
  for (size_t index = 0; index < sizeof libraries / sizeof libraries[0]; index++) {
    if (begins(name, libraries[index])) return false;
  }
  return true;
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

static int try_to_lock(pthread_mutex_t *lock) {
  FIND_NEXT(pthread_mutex_trylock, int, pthread_mutex_t *);
  return next(lock);
}

static int try_to_write(pthread_rwlock_t *lock) {
  FIND_NEXT(pthread_rwlock_trywrlock, int, pthread_rwlock_t *);
  return next(lock);
}

// Finds out if the calling thread has a mutex that it cannot have twice.
static int try_mutex(pthread_mutex_t *lock) {
  int result = try_to_lock(lock);
  if (result != EBUSY || owner_of_mutex(lock) != cvt_system_thread()) return result;
  if ((lock->__data.__kind & 3) != PTHREAD_MUTEX_ERRORCHECK) cvt_stage_locked_twice(lock);
  return EDEADLK;
}

static int try_read(pthread_rwlock_t *lock) {
  FIND_NEXT(pthread_rwlock_tryrdlock, int, pthread_rwlock_t *);
  return next(lock);
}

LOCKING(pthread_mutex_t, pthread_mutex_lock, try_mutex, owner_of_mutex, begin_lock)
LOCKING(pthread_rwlock_t, pthread_rwlock_rdlock, try_read, owner_of_rwlock, begin_reading)
LOCKING(pthread_rwlock_t, pthread_rwlock_wrlock, try_to_write, owner_of_rwlock, begin_lock)

int pthread_mutex_trylock(pthread_mutex_t *lock) {
  int result = try_to_lock(lock);
  if (!result) begin_lock(lock);
  return result;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  int result = try_to_write(lock);
  if (!result) begin_lock(lock);
  return result;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  int result = try_read(lock);
  if (!result) begin_reading(lock);
  return result;
}

// Defines a function after which other code may run.
#define UNLOCKING(type, name, has_unlocked)                                            \
  int name(type *lock) {                                                               \
    FIND_NEXT(name, int, type *);                                                      \
    int result = next(lock);                                                           \
    has_unlocked(lock);                                                                \
    if (cvt_thread.stage) PREEMPT();                                                   \
    return result;                                                                     \
  }

UNLOCKING(pthread_mutex_t, pthread_mutex_unlock, end_lock)
UNLOCKING(pthread_rwlock_t, pthread_rwlock_unlock, end_reading)

// MARK: Locking with a deadline

// The same instant on the system's clock as a deadline in virtual time, if both clocks ran at the same speed.
static struct timespec real_deadline(clockid_t clock, int64_t left) {
  struct timespec time;
  syscall(SYS_clock_gettime, clock, &time);
  int64_t sum = time.tv_nsec + left % 1000000000;
  time.tv_sec += left / 1000000000 + sum / 1000000000;
  time.tv_nsec = sum % 1000000000;
  return time;
}

static int64_t left_until(clockid_t clock, const struct timespec *deadline) {
  struct timespec now;
  clock_gettime(clock, &now);
  return cvt_nanoseconds(deadline) - cvt_nanoseconds(&now);
}

// Defines a function that waits for a lock until a deadline in virtual time, with the library's own function. `has_itself`
// is the result if the calling thread has the lock, or 0 if the library's function returns at once then.
#define LOCKING_UNTIL(type, name, try, owner, has_itself)                              \
  static int name(type *lock, clockid_t clock, const struct timespec *deadline,        \
                  int (*next)(type *, clockid_t, const struct timespec *),             \
                  const void *caller) {                                                \
    while (true) {                                                                     \
      int result = try(lock);                                                          \
      if (result != EBUSY) return result;                                              \
      int64_t left = left_until(clock, deadline);                                      \
      if (left <= 0) return ETIMEDOUT;                                                 \
      if (owner(lock) == cvt_system_thread() && (result = has_itself(lock))) {         \
        if (result == ETIMEDOUT) cvt_stage_sleep(left);                                \
        return result;                                                                 \
      }                                                                                \
      if (cvt_stage_lock_wait(lock, owner, left) != CVT_LOCK_IS_OUTSIDE) continue;     \
      note_lock(caller);                                                               \
      struct timespec real = real_deadline(clock, left);                               \
      result = next(lock, clock, &real);                                               \
      if (result == ETIMEDOUT) cvt_stage_sleep(left);                                  \
      return result;                                                                   \
    }                                                                                  \
  }

static int result_of_own_mutex(const pthread_mutex_t *lock) {
  return (lock->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK ? EDEADLK : ETIMEDOUT;
}
static int result_of_own_rwlock(const pthread_rwlock_t *lock) {
  (void)lock;
  return EDEADLK;
}
LOCKING_UNTIL(pthread_mutex_t, lock_mutex, try_to_lock, owner_of_mutex, result_of_own_mutex)
LOCKING_UNTIL(pthread_rwlock_t, lock_to_read, try_read, owner_of_rwlock, result_of_own_rwlock)
LOCKING_UNTIL(pthread_rwlock_t, lock_to_write, try_to_write, owner_of_rwlock, result_of_own_rwlock)

// Defines the function with a deadline on the system's clock, and the one with a deadline on any clock.
#define TIMED(type, timed, clocked, lock_until, has_locked)                            \
  static int call_##timed(type *lock, clockid_t clock, const struct timespec *deadline) { \
    FIND_NEXT(timed, int, type *, const struct timespec *);                            \
    (void)clock;                                                                       \
    return next(lock, deadline);                                                       \
  }                                                                                    \
  int timed(type *restrict lock, const struct timespec *restrict deadline) {           \
    int result;                                                                        \
    if (cvt_thread.stage) PREEMPT();                                                   \
    if (!cvt_thread.stage) {                                                           \
      result = call_##timed(lock, CLOCK_REALTIME, deadline);                           \
    } else {                                                                           \
      result = lock_until(lock, CLOCK_REALTIME, deadline, call_##timed,                \
                          __builtin_return_address(0));                                \
    }                                                                                  \
    if (!result) has_locked(lock);                                                     \
    return result;                                                                     \
  }                                                                                    \
  int clocked(type *restrict lock, clockid_t clock, const struct timespec *restrict deadline); \
  int clocked(type *restrict lock, clockid_t clock, const struct timespec *restrict deadline) { \
    FIND_NEXT(clocked, int, type *, clockid_t, const struct timespec *);               \
    if (cvt_thread.stage) PREEMPT();                                                   \
    int result = cvt_thread.stage ? lock_until(lock, clock, deadline, next,            \
                                               __builtin_return_address(0))            \
                                  : next(lock, clock, deadline);                       \
    if (!result) has_locked(lock);                                                     \
    return result;                                                                     \
  }

TIMED(pthread_mutex_t, pthread_mutex_timedlock, pthread_mutex_clocklock, lock_mutex, begin_lock)
TIMED(pthread_rwlock_t, pthread_rwlock_timedrdlock, pthread_rwlock_clockrdlock, lock_to_read, begin_reading)
TIMED(pthread_rwlock_t, pthread_rwlock_timedwrlock, pthread_rwlock_clockwrlock, lock_to_write, begin_lock)

// MARK: Semaphores of POSIX

// They have no owner.
int sem_wait(sem_t *semaphore) {
  static int (*next)(sem_t *);
  if (!next) next = (int (*)(sem_t *))dlsym(RTLD_NEXT, "sem_wait");
  if (cvt_thread.stage) {
    if (!sem_trywait(semaphore)) return 0;
    cvt_note_wait("sem_wait", __builtin_return_address(0));
  }
  return next(semaphore);
}

// libdispatch wakes a thread in this way.
int sem_post(sem_t *semaphore) {
  FIND_NEXT(sem_post, int, sem_t *);
  if (cvt_real_dispatch_is_named && cvt_thread.stage &&
      cvt_is_of_dispatch(__builtin_return_address(0))) {
    cvt_note("Dispatch");
  }
  return next(semaphore);
}

// The time that a wait of a stage's thread may take; it is noted if it is more than none. Returns false after a success.
static bool must_wait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline,
                      int64_t *left, const char *function, const void *caller) {
  if (!sem_trywait(semaphore)) return false;
  *left = left_until(clock, deadline);
  if (*left > 0) cvt_note_wait(function, caller);
  return true;
}

static int end_wait(int result, int64_t left) {
  int error = errno;
  if (result && error == ETIMEDOUT && left > 0) cvt_stage_sleep(left);
  errno = error;
  return result;
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
  FIND_NEXT(sem_timedwait, int, sem_t *, const struct timespec *);
  if (!cvt_thread.stage) return next(semaphore, deadline);
  int64_t left;
  if (!must_wait(semaphore, CLOCK_REALTIME, deadline, &left, "sem_timedwait", __builtin_return_address(0))) {
    return 0;
  }
  struct timespec real = real_deadline(CLOCK_REALTIME, left > 0 ? left : 0);
  return end_wait(next(semaphore, &real), left);
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict deadline);
int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict deadline) {
  FIND_NEXT(sem_clockwait, int, sem_t *, clockid_t, const struct timespec *);
  if (!cvt_thread.stage) return next(semaphore, clock, deadline);
  int64_t left;
  if (!must_wait(semaphore, clock, deadline, &left, "sem_clockwait", __builtin_return_address(0))) {
    return 0;
  }
  struct timespec real = real_deadline(clock, left > 0 ? left : 0);
  return end_wait(next(semaphore, clock, &real), left);
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
  // To find a symbol takes milliseconds in a large program, and each run of a search asks.
  static enum { UNKNOWN, NO, YES } known;
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == UNKNOWN) {
    const char *image;
    answer = cvt_symbol((uintptr_t)cvt_preempts_locks, &image) ? YES : NO;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == YES;
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
int32_t cvt_locks_of_thread(void) { return 0; }
const struct cvt_read_locks *cvt_current_read_locks(void) { return NULL; }
bool cvt_is_reading(const struct cvt_read_locks *reads, const void *lock) {
  (void)reads, (void)lock;
  return false;
}
#endif
#if !defined(PREEMPTS_MUTEXES)
bool cvt_preempt_mutexes(void) { return false; }
#endif
