#define _GNU_SOURCE
#include "CVirtualTime.h"
#include "Executable.h"

#if defined(__linux__) && defined(__x86_64__)
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// The lines that code runs, by breakpoints at their instructions. A breakpoint notes its first hit and is removed by it.

enum { BREAKPOINT = 0xCC };

struct breakpoints {
  // The addresses in ascending order, and the bytes at them.
  uintptr_t *addresses;
  uint8_t *bytes;
  size_t count;
  // The addresses of the hits, in order.
  uintptr_t *hits;
  size_t hit_count;
  // The thread whose hits are noted.
  pthread_t thread;
  // Whether another thread has removed a breakpoint.
  bool is_disturbed;
  // Those of earlier runs are kept, because a thread may be late in its signal handler.
  struct breakpoints *earlier;
};

// One run at a time.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct breakpoints *current;
static struct sigaction other_action;

static size_t index_of(const struct breakpoints *points, uintptr_t address) {
  size_t low = 0, high = points->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (points->addresses[middle] < address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < points->count && points->addresses[low] == address ? low : SIZE_MAX;
}

static uint8_t read_byte(uintptr_t address) { return __atomic_load_n((uint8_t *)address, __ATOMIC_SEQ_CST); }

static void write_byte(uintptr_t address, uint8_t byte) {
  if (read_byte(address) != byte) __atomic_store_n((uint8_t *)address, byte, __ATOMIC_SEQ_CST);
}

static void pass_on(int signal, siginfo_t *info, void *context) {
  if (other_action.sa_flags & SA_SIGINFO) {
    other_action.sa_sigaction(signal, info, context);
  } else if (other_action.sa_handler == SIG_DFL) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(SIGTRAP, &action, NULL);
    raise(SIGTRAP);
  } else if (other_action.sa_handler != SIG_IGN) {
    other_action.sa_handler(signal);
  }
}

static void on_trap(int signal, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  uintptr_t address = (uintptr_t)registers[REG_RIP] - 1;
  struct breakpoints *points = __atomic_load_n(&current, __ATOMIC_SEQ_CST);
  size_t index = points && cvt_is_in_executable(address) ? index_of(points, address) : SIZE_MAX;
  if (index == SIZE_MAX) {
    // It may have been removed since.
    if (!points || !cvt_is_in_executable(address) || read_byte(address) == BREAKPOINT) {
      return pass_on(signal, info, context);
    }
  } else if (!pthread_equal(pthread_self(), points->thread)) {
    __atomic_store_n(&points->is_disturbed, true, __ATOMIC_SEQ_CST);
    write_byte(address, points->bytes[index]);
  } else {
    if (read_byte(address) == BREAKPOINT && points->hit_count < points->count) {
      points->hits[points->hit_count++] = address;
    }
    write_byte(address, points->bytes[index]);
  }
  registers[REG_RIP] = (greg_t)address;
}

static bool set_protection(const struct breakpoints *points, int protection) {
  uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (size_t index = 0; index < points->count;) {
    uintptr_t start = points->addresses[index] & ~(size - 1), end = start + size;
    while (index < points->count && points->addresses[index] < end) index++;
    if (mprotect((void *)start, size, protection)) return false;
  }
  return true;
}

// A debugger has breakpoints of its own.
static bool is_debugged(void) {
  FILE *file = fopen("/proc/self/status", "re");
  if (!file) return true;
  char line[256];
  int tracer = -1;
  while (tracer < 0 && fgets(line, sizeof line, file)) sscanf(line, "TracerPid: %d", &tracer);
  fclose(file);
  return tracer != 0;
}

static bool set(struct breakpoints *points, const uintptr_t *addresses, size_t count) {
  points->addresses = malloc(count * sizeof *points->addresses);
  points->hits = malloc(count * sizeof *points->hits);
  points->bytes = malloc(count);
  if (!points->addresses || !points->hits || !points->bytes) return false;
  memcpy(points->addresses, addresses, count * sizeof *addresses);
  points->count = count;
  for (size_t index = 0; index < count; index++) points->bytes[index] = read_byte(addresses[index]);
  if (!set_protection(points, PROT_READ | PROT_WRITE | PROT_EXEC)) return false;
  points->earlier = current;
  __atomic_store_n(&current, points, __ATOMIC_SEQ_CST);
  struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO}, previous;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGTRAP, &action, &previous)) return false;
  bool is_own = (previous.sa_flags & SA_SIGINFO) && previous.sa_sigaction == on_trap;
  if (!is_own) other_action = previous;
  return true;
}

bool cvt_set_breakpoints(const uintptr_t *addresses, size_t count) {
  enum { MOST_SECONDS = 10 };
  if (!count || is_debugged()) return false;
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += MOST_SECONDS;
  if (pthread_mutex_timedlock(&lock, &limit)) return false;
  struct breakpoints *points = calloc(1, sizeof *points);
  if (points && set(points, addresses, count)) return true;
  if (points) set_protection(points, PROT_READ | PROT_EXEC);
  pthread_mutex_unlock(&lock);
  return false;
}

void cvt_begin_hits(void) {
  current->hit_count = 0;
  current->thread = pthread_self();
  for (size_t index = 0; index < current->count; index++) write_byte(current->addresses[index], BREAKPOINT);
}

static void remove_all(void) {
  for (size_t index = 0; index < current->count; index++) {
    write_byte(current->addresses[index], current->bytes[index]);
  }
}

size_t cvt_end_hits(const uintptr_t **hits) {
  remove_all();
  *hits = current->hits;
  return current->hit_count;
}

bool cvt_remove_breakpoints(void) {
  remove_all();
  set_protection(current, PROT_READ | PROT_EXEC);
  bool is_disturbed = __atomic_load_n(&current->is_disturbed, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&lock);
  return !is_disturbed;
}
#else
bool cvt_set_breakpoints(const uintptr_t *addresses, size_t count) { return false; }
void cvt_begin_hits(void) {}
size_t cvt_end_hits(const uintptr_t **hits) { return 0; }
bool cvt_remove_breakpoints(void) { return false; }
#endif
