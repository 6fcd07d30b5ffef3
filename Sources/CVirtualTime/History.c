#define _GNU_SOURCE
#include "CVirtualTime.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

// What explains why a task of a stage waits: its entries into actors, its cancellation, the end of the continuation that it
// waits for, the stream that it iterates, and the child tasks that its group did not get. And what explains a crash: the
// first call that resumed a continuation.

#define SWIFT __attribute__((swiftcall))
extern void *swift_unownedRetain(void *object) __attribute__((weak));
extern void swift_unownedRelease(void *object) __attribute__((weak));
extern bool swift_isDeallocating(void *object) __attribute__((weak));
extern SWIFT uint64_t swift_task_getJobTaskId(void *task) __attribute__((weak));

struct drop {
  const void *task;
  struct cvt_drop drop;
};

struct cancellation {
  void *task;
  uint64_t number;
  uintptr_t caller, resume;
};

enum { MOST_CANCELLATIONS = 64 };

// An object of the runtime, with the code that used it. The object is kept in memory, but not alive, so that no other object
// gets its address.
struct noted_object {
  void *object;
  struct cvt_callers callers;
  // The number of the note before it in its bucket; 0 for none.
  uint64_t earlier;
};

enum { MOST_OBJECTS = 128, BUCKETS = 512 };

// A ring, from its first use. Notes have numbers from 1.
struct noted_objects {
  struct noted_object *all;
  // The number of the latest note of an object with such an address, by `bucket`; 0 for none.
  uint64_t *buckets;
  uint64_t count;
};

static size_t bucket(const void *object) { return ((uintptr_t)object >> 4) % BUCKETS; }

// A child task that a group did not get.
struct refusal {
  uint64_t task;
  struct cvt_callers callers;
};

enum { MOST_REFUSALS = 16 };

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
  // The actors, the storages of streams, and the objects of continuations that were resumed.
  struct noted_objects actors, streams, resumed;
  // A ring, from its first use.
  struct refusal *refusals;
  uint64_t refusal_count;
};

struct cvt_history *cvt_history_create(void) { return calloc(1, sizeof(struct cvt_history)); }

static void release_objects(struct noted_objects *objects) {
  for (size_t index = 0; index < MOST_OBJECTS && index < objects->count; index++) {
    swift_unownedRelease(objects->all[index].object);
  }
  free(objects->all);
  free(objects->buckets);
}

void cvt_history_destroy(struct cvt_history *history) {
  for (size_t index = 0; index < CVT_VISITS && index < history->visit_count; index++) {
    swift_unownedRelease(history->visits[index].actor);
  }
  release_objects(&history->actors);
  release_objects(&history->streams);
  release_objects(&history->resumed);
  free(history->refusals);
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
  visit->type = ((const struct cvt_object *)actor)->type;
  visit->entry = 0;
  visit->field_size = 0;
  visit->count = 0;
  visit->frames[visit->count++] = (uintptr_t)function;
  const struct cvt_async_context *frame = context;
  while (frame && visit->count < CVT_VISIT_FRAMES && frame->resume) {
    visit->frames[visit->count++] = frame->resume;
    frame = frame->parent;
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
    _Static_assert(CVT_FIELDS_START == sizeof(struct cvt_object), "the fields come after the header");
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

static uintptr_t resume_of(const void *task) { return ((const struct cvt_job *)task)->resume; }

void cvt_note_cancellation(void *task, const void *caller) {
  struct cvt_history *history = cvt_thread.history;
  history->cancellations[history->cancellation_count++ % MOST_CANCELLATIONS] = (struct cancellation){
      task, swift_task_getJobTaskId(task), (uintptr_t)caller, resume_of(task)};
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
    cancellation->was_elsewhere = found->resume != resume_of(task);
    return true;
  }
  return false;
}

// MARK: Continuations

typedef struct cvt_checked_continuation continuation;
typedef SWIFT void (*destroy_function)(__attribute__((swift_context)) continuation *);
static destroy_function destroy;
static _Thread_local void *last_ended;

// The frame is that of the calling function. The value operations of the standard library have no unwind information, but
// keep frame pointers.
static void note_callers(struct cvt_callers *callers, const void *frame) {
  callers->count = cvt_return_addresses(frame, callers->frames, CVT_NOTED_FRAMES);
}

static void note_drop(void *task, const void *frame) {
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
  place->drop.task = cvt_current_task();
  place->drop.number = place->drop.task ? swift_task_getJobTaskId(place->drop.task) : 0;
  note_callers(&place->drop.callers, frame);
}

static SWIFT void end_continuation(__attribute__((swift_context)) continuation *object) {
  last_ended = object;
  if (object->task && cvt_thread.history) note_drop(object->task, __builtin_frame_address(0));
  destroy(object);
}

bool cvt_watch_continuations(void *object) {
  // All programs may write to classes.
  destroy_function *function = (destroy_function *)cvt_destroy_function(object);
  uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)function & ~(size - 1);
  if (mprotect((void *)page, size, PROT_READ | PROT_WRITE)) return false;
  destroy = *function;
  __atomic_store_n(function, end_continuation, __ATOMIC_RELEASE);
  return true;
}

void *cvt_last_ended_continuation(void) { return last_ended; }

bool cvt_history_has_drops(const struct cvt_history *history) { return history->drop_count > 0; }

bool cvt_history_drop(const struct cvt_history *history, const void *task, struct cvt_drop *drop) {
  for (size_t index = 0; index < history->drop_count; index++) {
    if (history->drops[index].task != task) continue;
    *drop = history->drops[index].drop;
    return true;
  }
  return false;
}

static void note_object(struct noted_objects *objects, void *object, const void *frame) {
  if (!swift_unownedRetain) return;
  if (!objects->all) objects->all = malloc(MOST_OBJECTS * sizeof *objects->all);
  if (!objects->buckets) objects->buckets = calloc(BUCKETS, sizeof *objects->buckets);
  if (!objects->all || !objects->buckets) return;
  struct noted_object *place = &objects->all[objects->count % MOST_OBJECTS];
  swift_unownedRetain(object);
  if (objects->count >= MOST_OBJECTS) swift_unownedRelease(place->object);
  uint64_t *latest = &objects->buckets[bucket(object)];
  place->object = object;
  place->earlier = *latest;
  *latest = ++objects->count;
  note_callers(&place->callers, frame);
}

// Returns the latest note of an object; NULL if there is none.
static const struct noted_object *noted(const struct noted_objects *objects, const void *object) {
  uint64_t number = objects->count ? objects->buckets[bucket(object)] : 0;
  while (number && number + MOST_OBJECTS > objects->count) {
    const struct noted_object *place = &objects->all[(number - 1) % MOST_OBJECTS];
    if (place->object == object) return place;
    number = place->earlier;
  }
  return NULL;
}

void cvt_note_actor(void *actor, const void *frame) { note_object(&cvt_thread.history->actors, actor, frame); }

bool cvt_history_actor(const struct cvt_history *history, const void *actor, struct cvt_callers *callers) {
  const struct noted_object *found = noted(&history->actors, actor);
  if (found) *callers = found->callers;
  return found;
}

static _Thread_local struct cvt_failure failure;

const struct cvt_failure *cvt_current_failure(void) { return &failure; }

void cvt_note_failure(const char *message, size_t size) {
  if (size >= sizeof failure.message) size = sizeof failure.message - 1;
  memcpy(failure.message, message, size);
  failure.message[size] = 0;
}

void cvt_note_resume(void *object, const void *frame) {
  struct cvt_history *history = cvt_thread.history;
  // The continuation of a probe shows whether the layout is known.
  if (!destroy || !history || cvt_destroy_function(object)[0] != (void *)end_continuation) return;
  if (((const continuation *)object)->task) return note_object(&history->resumed, object, frame);
  // It was resumed before, so the caller fails.
  const struct noted_object *first = noted(&history->resumed, object);
  if (first) failure.first_resume = first->callers;
}

// MARK: Streams and groups

static bool watches_streams;

void cvt_watch_streams(void) { __atomic_store_n(&watches_streams, true, __ATOMIC_RELAXED); }

void cvt_note_stream(void *context, const void *frame) {
  if (!cvt_thread.history || !__atomic_load_n(&watches_streams, __ATOMIC_RELAXED)) return;
  // The functions of the stream keep its storage while they wait.
  void *storage = ((const struct cvt_stream_context *)context)->storage;
  if (storage) note_object(&cvt_thread.history->streams, storage, frame);
}

bool cvt_history_stream(const struct cvt_history *history, const void *of, struct cvt_callers *callers) {
  enum { MOST_CONTEXTS = 64, MOST_BYTES = 4096 };
  if (!history->streams.count) return false;
  const struct cvt_async_context *inner = ((const struct cvt_task *)of)->context;
  for (int count = 0; inner && inner->parent && count < MOST_CONTEXTS; count++) {
    const struct cvt_async_context *outer = inner->parent;
    // What a function keeps while it is suspended is between its context and that of the function that it called, if both
    // are in one piece of the task's memory.
    uintptr_t start = (uintptr_t)outer, end = (uintptr_t)inner;
    const struct noted_object *found = NULL;
    for (uintptr_t place = start; end > start && end - start <= MOST_BYTES && place < end; place += sizeof place) {
      const struct noted_object *other = noted(&history->streams, *(void *const *)place);
      // One of two streams may be of an earlier loop.
      if (found && other && other->object != found->object) return false;
      if (other) found = other;
    }
    if (found) {
      *callers = found->callers;
      return true;
    }
    inner = outer;
  }
  return false;
}

void cvt_note_refusal(const void *frame) {
  struct cvt_history *history = cvt_thread.history;
  void *task = cvt_current_task();
  if (!history || !task) return;
  if (!history->refusals) history->refusals = malloc(MOST_REFUSALS * sizeof *history->refusals);
  if (!history->refusals) return;
  struct refusal *refusal = &history->refusals[history->refusal_count++ % MOST_REFUSALS];
  refusal->task = swift_task_getJobTaskId(task);
  note_callers(&refusal->callers, frame);
}

bool cvt_history_refusal(const struct cvt_history *history, void *task, struct cvt_callers *callers) {
  uint64_t number = swift_task_getJobTaskId(task);
  for (uint64_t back = 1; back <= history->refusal_count && back <= MOST_REFUSALS; back++) {
    const struct refusal *refusal = &history->refusals[(history->refusal_count - back) % MOST_REFUSALS];
    if (refusal->task != number) continue;
    *callers = refusal->callers;
    return true;
  }
  return false;
}
#else
struct cvt_history *cvt_history_create(void) { return NULL; }
void cvt_history_destroy(struct cvt_history *history) {}
size_t cvt_history_visits(const struct cvt_history *history, struct cvt_visit *visits, size_t most) { return 0; }
bool cvt_history_cancellation(
    const struct cvt_history *history, void *task, struct cvt_cancellation *cancellation) {
  return false;
}
bool cvt_has_ended(void *actor) { return true; }
bool cvt_watch_continuations(void *object) { return false; }
void cvt_watch_streams(void) {}
void *cvt_last_ended_continuation(void) { return NULL; }
bool cvt_history_has_drops(const struct cvt_history *history) { return false; }
bool cvt_history_drop(const struct cvt_history *history, const void *task, struct cvt_drop *drop) { return false; }
bool cvt_history_actor(const struct cvt_history *history, const void *actor, struct cvt_callers *callers) {
  return false;
}
bool cvt_history_stream(const struct cvt_history *history, const void *task, struct cvt_callers *callers) {
  return false;
}
bool cvt_history_refusal(const struct cvt_history *history, void *task, struct cvt_callers *callers) { return false; }
const struct cvt_failure *cvt_current_failure(void) { return NULL; }
void cvt_note_failure(const char *message, size_t size) {}
#endif
