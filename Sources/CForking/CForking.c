// A fork with the right thread number in the child process, the start of a program in a folder, and the addresses of the C
// library.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CForking.h"

#include <unistd.h>

#ifdef __linux__

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

struct numbers {
  uint32_t before;
  uint32_t now;
};

// Whether the upper half of a pointer only looks like a thread id. No pointer leads to memory that is mapped but was
// never touched, such as the terabytes that sanitizers reserve.
static int is_pointer(const uint32_t *upper) {
  if ((uintptr_t)upper % sizeof(void *) == 0) return 0;
  uintptr_t address = (uintptr_t)*(upper - 1) | (uintptr_t)*upper << 32;
  uintptr_t page = address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
  unsigned char residence;
  return mincore((void *)page, 1, &residence) == 0 && residence & 1;
}

// Corrects the thread-local variables of a program or library.
static int correct(struct dl_phdr_info *info, size_t size, void *context) {
  const struct numbers *numbers = context;
  if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof(void *)) return 0;
  uint32_t *words = info->dlpi_tls_data;
  if (words == NULL) return 0;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    if (info->dlpi_phdr[index].p_type != PT_TLS) continue;
    size_t count = info->dlpi_phdr[index].p_memsz / sizeof(uint32_t);
    for (size_t place = 0; place < count; place++) {
      if (words[place] == numbers->before && !is_pointer(&words[place])) words[place] = numbers->now;
    }
  }
  return 0;
}

pid_t cfk_fork(void) {
  struct numbers numbers = {(uint32_t)syscall(SYS_gettid), 0};
  pid_t parent = getpid();
  pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); // The parent ended before the call above.
  numbers.now = (uint32_t)syscall(SYS_gettid);
  dl_iterate_phdr(correct, &numbers);
  return 0;
}

int cfk_inherit_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1); }

static uintptr_t libc_start, libc_end;

static int find_libc(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  uintptr_t inside = (uintptr_t)dlsym(RTLD_DEFAULT, "malloc_usable_size");
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[index];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD || inside < start || inside >= start + part->p_memsz) continue;
    libc_start = start;
    libc_end = start + part->p_memsz;
    return 1;
  }
  return 0;
}

void cfk_find_libc(void) { dl_iterate_phdr(find_libc, NULL); }

int cfk_interrupts_libc(const void *context) {
#if defined(__x86_64__)
  uintptr_t place = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  uintptr_t place = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
  uintptr_t place = libc_start;
#endif
  return place >= libc_start && place < libc_end;
}

#else

void cfk_find_libc(void) {}
int cfk_interrupts_libc(const void *context) {
  (void)context;
  return 0;
}

int cfk_inherit_orphans(void) { return -1; }

// On other systems, the system itself keeps the owner of a lock up to date, and nothing ends a copy.
pid_t cfk_fork(void) { return fork(); }

#endif

int cfk_begin_in(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int cfk_close_inherited(posix_spawn_file_actions_t *actions) {
#ifdef __APPLE__
  (void)actions;
  return 0;
#else
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
}
