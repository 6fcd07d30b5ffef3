#define _GNU_SOURCE
#include "CVirtualTime.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

// What explains why a task of a stage waits: its entries into actors, its cancellation, and the end of the continuation
// that it waits for.

#define SWIFT __attribute__((swiftcall))
extern void *swift_unownedRetain(void *object) __attribute__((weak));
extern void swift_unownedRelease(void *object) __attribute__((weak));
extern bool swift_isDeallocating(void *object) __attribute__((weak));
extern SWIFT uint64_t swift_task_getJobTaskId(void *task) __attribute__((weak));

struct drop {
  void *task;
  struct cvt_drop drop;
};

struct cancellation {
  void *task;
  uint64_t number;
  uintptr_t caller, resume;
};

enum { MOST_CANCELLATIONS = 64 };

struct cvt_history {
  // A ring. Each actor is kept in memory, but not alive, so that no other actor gets its address.
  struct cvt_visit visits[CVT_VISITS];
  uint64_t visit_count, entry_count;
  // A ring.
  struct cancellation cancellations[MOST_CANCELLATIONS];
  uint64_t cancellation_count;
  // The task of a dropped continuation never ends, so no other task gets its address.
  struct drop *drops;
  size_t drop_count, drop_capacity;
  size_t resume_offset;
};

struct cvt_history *cvt_history_create(size_t resume_offset) {
  struct cvt_history *history = calloc(1, sizeof *history);
  history->resume_offset = resume_offset;
  return history;
}

void cvt_history_destroy(struct cvt_history *history) {
  for (size_t index = 0; index < CVT_VISITS && index < history->visit_count; index++) {
    swift_unownedRelease(history->visits[index].actor);
  }
  free(history->drops);
  free(history);
}

// MARK: Actors

void cvt_note_visit(void *actor, const void *function, const void *context) {
  if (!swift_unownedRetain) return;
  struct cvt_history *history = cvt_thread.history;
  struct cvt_visit *visit = &history->visits[history->visit_count++ % CVT_VISITS];
  swift_unownedRetain(actor);
  if (visit->actor) swift_unownedRelease(visit->actor);
  visit->actor = actor;
  visit->task = cvt_current_task();
  visit->number = visit->task ? swift_task_getJobTaskId(visit->task) : 0;
  visit->type = *(const void *const *)actor;
  visit->entry = 0;
  visit->field_size = 0;
  visit->count = 0;
  visit->frames[visit->count++] = (uintptr_t)function;
  // A context begins with the context and the resume function of the caller.
  const uintptr_t *frame = context;
  while (frame && visit->count < CVT_VISIT_FRAMES && frame[1]) {
    visit->frames[visit->count++] = frame[1];
    frame = (const uintptr_t *)frame[0];
  }
}

void cvt_note_entry(struct cvt_history *history, void *actor, void *task) {
  enum { MOST_WAITING = 32 };
  for (uint64_t back = 1; back <= history->visit_count && back <= MOST_WAITING; back++) {
    struct cvt_visit *visit = &history->visits[(history->visit_count - back) % CVT_VISITS];
    if (visit->actor != actor || visit->task != task) continue;
    // If it has run before, the task has only been resumed.
    if (visit->entry) return;
    visit->entry = ++history->entry_count;
    // Actors are never on the stack.
    size_t size = malloc_usable_size(actor);
    if (size <= CVT_FIELDS_START) return;
    size -= CVT_FIELDS_START;
    visit->field_size = size < CVT_FIELDS_SIZE ? size : CVT_FIELDS_SIZE;
    memcpy(visit->fields, (const char *)actor + CVT_FIELDS_START, visit->field_size);
    return;
  }
}

size_t cvt_history_visits(const struct cvt_history *history, struct cvt_visit *visits, size_t most) {
  size_t kept = history->visit_count < CVT_VISITS ? history->visit_count : CVT_VISITS;
  size_t count = kept < most ? kept : most;
  for (size_t index = 0; index < count; index++) {
    visits[index] = history->visits[(history->visit_count - count + index) % CVT_VISITS];
  }
  return count;
}

bool cvt_has_ended(void *actor) { return !swift_isDeallocating || swift_isDeallocating(actor); }

// MARK: Cancellations

static uintptr_t resume_of(const struct cvt_history *history, const void *task) {
  return *(const uintptr_t *)((const char *)task + history->resume_offset);
}

void cvt_note_cancellation(void *task, const void *caller) {
  struct cvt_history *history = cvt_thread.history;
  history->cancellations[history->cancellation_count++ % MOST_CANCELLATIONS] = (struct cancellation){
      task, swift_task_getJobTaskId(task), (uintptr_t)caller, resume_of(history, task)};
}

bool cvt_history_cancellation(
    const struct cvt_history *history, void *task, struct cvt_cancellation *cancellation) {
  size_t kept = history->cancellation_count < MOST_CANCELLATIONS ? history->cancellation_count : MOST_CANCELLATIONS;
  uint64_t number = swift_task_getJobTaskId(task);
  // The first cancellation is the one that had an effect.
  for (size_t index = 0; index < kept; index++) {
    const struct cancellation *found =
        &history->cancellations[(history->cancellation_count - kept + index) % MOST_CANCELLATIONS];
    if (found->task != task || found->number != number) continue;
    cancellation->caller = found->caller;
    cancellation->was_elsewhere = found->resume != resume_of(history, task);
    return true;
  }
  return false;
}

// MARK: Continuations

// The object of a checked continuation: after two words, the task, until the continuation is resumed.
struct continuation {
  void *const *class;
  void *counts;
  void *task;
};

typedef SWIFT void (*destroy_function)(__attribute__((swift_context)) struct continuation *);
static destroy_function destroy;
static _Thread_local void *last_ended;

// Writes the return addresses of the calling functions by their frame pointers: the value operations of the standard
// library have no unwind information.
static int callers_by_pointers(uintptr_t *frames, int most) {
  pthread_attr_t attributes;
  void *start;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes)) return 0;
  bool is_known = !pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_destroy(&attributes);
  const uintptr_t *frame = __builtin_frame_address(0), *end = (const uintptr_t *)((const char *)start + size);
  int count = 0;
  while (is_known && count < most && frame + 2 <= end) {
    if (!frame[1]) break;
    frames[count++] = frame[1];
    // The frames of asynchronous functions are marked by a bit.
    const uintptr_t *caller = (const uintptr_t *)(frame[0] & ~((uintptr_t)1 << 60));
    if (caller <= frame || (uintptr_t)caller % sizeof *caller) break;
    frame = caller;
  }
  return count;
}

static void note_drop(void *task) {
  struct cvt_history *history = cvt_thread.history;
  if (history->drop_count == history->drop_capacity) {
    size_t capacity = history->drop_capacity ? history->drop_capacity * 2 : 8;
    struct drop *drops = realloc(history->drops, capacity * sizeof *drops);
    if (!drops) return;
    history->drops = drops;
    history->drop_capacity = capacity;
  }
  struct drop *place = &history->drops[history->drop_count++];
  place->task = task;
  place->drop.count = callers_by_pointers(place->drop.frames, CVT_FRAMES);
}

static SWIFT void end_continuation(__attribute__((swift_context)) struct continuation *object) {
  last_ended = object;
  if (object->task && cvt_thread.history) note_drop(object->task);
  destroy(object);
}

bool cvt_watch_continuations(void *object) {
  // The function that ends an object is two words before its class. All programs may write to classes.
  destroy_function *function = (destroy_function *)((struct continuation *)object)->class - 2;
  uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)function & ~(size - 1);
  if (mprotect((void *)page, size, PROT_READ | PROT_WRITE)) return false;
  destroy = *function;
  __atomic_store_n(function, end_continuation, __ATOMIC_RELEASE);
  return true;
}

void *cvt_last_ended_continuation(void) { return last_ended; }

bool cvt_history_drop(const struct cvt_history *history, const void *task, struct cvt_drop *drop) {
  for (size_t index = 0; index < history->drop_count; index++) {
    if (history->drops[index].task != task) continue;
    *drop = history->drops[index].drop;
    return true;
  }
  return false;
}
#else
struct cvt_history *cvt_history_create(size_t resume_offset) { return NULL; }
void cvt_history_destroy(struct cvt_history *history) {}
size_t cvt_history_visits(const struct cvt_history *history, struct cvt_visit *visits, size_t most) { return 0; }
bool cvt_history_cancellation(
    const struct cvt_history *history, void *task, struct cvt_cancellation *cancellation) {
  return false;
}
bool cvt_has_ended(void *actor) { return true; }
bool cvt_watch_continuations(void *object) { return false; }
void *cvt_last_ended_continuation(void) { return NULL; }
bool cvt_history_drop(const struct cvt_history *history, const void *task, struct cvt_drop *drop) { return false; }
#endif
