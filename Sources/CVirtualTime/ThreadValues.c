// Values that code keeps in its thread, and task-local values.

#define _GNU_SOURCE
#include "CVirtualTime.h"

#include <dlfcn.h>

_Thread_local uint64_t cvt_jobs_begun;

extern __attribute__((swiftcall)) void swift_task_localValuePush(
    const void *key, void *value, const void *type);
extern __attribute__((swiftcall)) void swift_task_localValuePop(void);

void cvt_push_local(uintptr_t key, void *value, const void *type) {
  swift_task_localValuePush((const void *)key, value, type);
}
void cvt_pop_local(void) { swift_task_localValuePop(); }

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

bool cvt_read_memory(uintptr_t address, void *bytes, size_t count) {
  struct iovec copy = {.iov_base = bytes, .iov_len = count};
  struct iovec memory = {.iov_base = (void *)address, .iov_len = count};
  return process_vm_readv(getpid(), &copy, 1, &memory, 1, 0) == (ssize_t)count;
}

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// On a thread that runs a stage, a value that code keeps in its thread is noted: all code of the stage shares few threads, so
// code finds values of other tasks.
static cvt_thread_value_handler handler;
static void replace_getter(void);

void cvt_handle_thread_values(cvt_thread_value_handler function) {
  __atomic_store_n(&handler, function, __ATOMIC_RELEASE);
  replace_getter();
}

static bool note(int32_t key, bool is_set, const void *frame) {
  cvt_thread_value_handler function = __atomic_load_n(&handler, __ATOMIC_ACQUIRE);
  return function && function(key, is_set, frame);
}

// `Thread.threadDictionary`.
#define GETTING(name, symbol)                                                        \
  __attribute__((weak)) SWIFT void *name(SELF void *object) __asm__(symbol);         \
  __attribute__((weak)) SWIFT void *name(SELF void *object)

GETTING(thread_dictionary, "$s10Foundation6ThreadC16threadDictionaryAA09NSMutableD0Cvg") {
  static SWIFT void *(*next)(SELF void *);
  if (!next) {
    next = (SWIFT void *(*)(SELF void *))dlsym(
        RTLD_NEXT, "$s10Foundation6ThreadC16threadDictionaryAA09NSMutableD0Cvg");
  }
  if (cvt_thread.stage) note(CVT_THREAD_DICTIONARY, true, __builtin_frame_address(0));
  return next(object);
}

// Foundation calls the getter by the table of the class, which refers to its own definition.
static const char *const getter_symbol = "$s10Foundation6ThreadC16threadDictionaryAA09NSMutableD0Cvg";

static void replace_getter(void) {
  // `ClassMetadata` in swift/ABI/Metadata.h.
  struct {
    uintptr_t kind, superclass;
    uint32_t flags, instance_start, instance_size, instance_alignment, class_size, class_start;
  } const *class = dlsym(RTLD_DEFAULT, "$s10Foundation6ThreadCN");
  void *own = dlsym(RTLD_NEXT, getter_symbol);
  if (!class || !own || own == (void *)thread_dictionary) return;
  void **entry = (void **)class;
  void **end = entry + (class->class_size - class->class_start) / sizeof(void *);
  while (entry < end && *entry != own) entry++;
  if (entry == end) return;
  size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
  void *page = (void *)((uintptr_t)entry & ~(page_size - 1));
  if (mprotect(page, page_size, PROT_READ | PROT_WRITE)) return;
  __atomic_store_n(entry, (void *)thread_dictionary, __ATOMIC_RELEASE);
}

// As in Waits.c.
#if defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
#include <limits.h>
#include <pthread.h>

// The keys of which the tested code has set a value on a stage.
static bool noted[PTHREAD_KEYS_MAX];

int pthread_setspecific(pthread_key_t key, const void *value) {
  static int (*next)(pthread_key_t, const void *);
  if (!next) next = (int (*)(pthread_key_t, const void *))dlsym(RTLD_NEXT, "pthread_setspecific");
  if (cvt_thread.stage && value && key < PTHREAD_KEYS_MAX) {
    if (note((int32_t)key, true, __builtin_frame_address(0))) {
      __atomic_store_n(&noted[key], true, __ATOMIC_RELAXED);
    }
  }
  return next(key, value);
}

void *pthread_getspecific(pthread_key_t key) {
  static void *(*next)(pthread_key_t);
  if (!next) next = (void *(*)(pthread_key_t))dlsym(RTLD_NEXT, "pthread_getspecific");
  void *value = next(key);
  if (cvt_thread.stage && value && key < PTHREAD_KEYS_MAX &&
      __atomic_load_n(&noted[key], __ATOMIC_RELAXED)) {
    note((int32_t)key, false, __builtin_frame_address(0));
  }
  return value;
}
#endif
#else
bool cvt_read_memory(uintptr_t address, void *bytes, size_t count) {
  (void)address, (void)bytes, (void)count;
  return false;
}
void cvt_handle_thread_values(cvt_thread_value_handler function) { (void)function; }
#endif
