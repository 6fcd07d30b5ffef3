#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The layouts of the runtime of Swift 6.3 that stages read. All reads of its objects use this file.
//
// Each layout is compared with objects of known state before its first use: those of tasks, their records and contexts by
// `TaskLayout`, the free words of tasks by `TaskStream`, task-local values by `TestLocals`, those of actors and their messages
// by `Runtime.canKeepHopsApart`, those of checked continuations and classes by `TaskLayout.knowsContinuations`, and those of
// streams by `TaskLayout.knowsStreams`. With another runtime, code that needs the layout is left out, and a report or a search
// says so.

// `HeapObject` in swift/shims/HeapObject.h.
struct cvt_object {
  const void *type;
  void *counts;
};

// The function that ends an object is two words before its class: `TargetHeapMetadataHeaderPrefix` in swift/ABI/Metadata.h.
static inline void **cvt_destroy_function(const void *object) {
  return (void **)((const struct cvt_object *)object)->type - 2;
}

// `AsyncContext` in swift/ABI/Task.h: the context and the resume function of the caller.
struct cvt_async_context {
  const struct cvt_async_context *parent;
  uintptr_t resume;
};

// MARK: Tasks

// `Job` in swift/ABI/Task.h.
struct cvt_job {
  struct cvt_object object;
  // While a message waits in its actor's list: the message that came before it.
  struct cvt_job *earlier;
  void *scheduler_private;
  uint32_t flags;
  uint32_t number;
  void *voucher;
  // Free: `Job::Reserved`.
  uint64_t reserved;
  uintptr_t resume;
};

// `TaskLocal::ValueItem` in stdlib/public/Concurrency/TaskLocal.h and its relatives. The value follows it, aligned.
struct cvt_local {
  // The address of the next one. The lowest bits are zero if this one has a value and belongs to no body of a task group.
  uintptr_t next;
  uintptr_t key;
  const void *type;
};

enum { CVT_LOCAL_KIND = 7 };

// `AsyncTask` in swift/ABI/Task.h, and its `PrivateStorage` in stdlib/public/Concurrency/TaskPrivate.h.
struct cvt_task {
  struct cvt_job job;
  const struct cvt_async_context *context;
  // Free: `AsyncTask::Reserved64`.
  uint64_t reserved;
  uintptr_t private_start[2];
  uint32_t status;
  uint32_t status_owner;
  // The innermost status record.
  const struct cvt_record *records;
  uintptr_t allocator[3];
  // The innermost task-local value.
  struct cvt_local *locals;
  uintptr_t private_end[8];
  // Only of a child task: `ChildFragment`.
  struct cvt_task *parent;
  struct cvt_task *next_child;
};

enum {
  CVT_STATUS_IS_RUNNING = 0x800,
  CVT_STATUS_IS_COMPLETE = 0x2000,
  CVT_JOB_IS_CHILD = 1 << 24,
  CVT_JOB_HAS_NAME = 1 << 30,
};

// `TaskStatusRecord` in swift/ABI/TaskStatusRecord.h, and the fields of its kinds.
struct cvt_record {
  // The kind is the lowest byte.
  uintptr_t flags;
  const struct cvt_record *parent;
  union {
    const char *name;
    struct cvt_task *first_child;
    // The task that another one waits for.
    struct cvt_task *dependent;
  };
  void *unused;
  uint32_t wait_kind;
  struct cvt_task *waiting;
};

enum { CVT_RECORD_DEPENDENCY = 0, CVT_RECORD_ASYNC_LET = 1, CVT_RECORD_GROUP = 2 };
enum { CVT_WAITS_FOR_TASK = 1, CVT_WAITS_FOR_CONTINUATION, CVT_WAITS_FOR_GROUP, CVT_WAITS_FOR_EXECUTOR };

_Static_assert(
    offsetof(struct cvt_job, reserved) == 48 && offsetof(struct cvt_job, resume) == 56 &&
        offsetof(struct cvt_task, reserved) == 72 && offsetof(struct cvt_task, status) == 96 &&
        offsetof(struct cvt_task, records) == 104 && offsetof(struct cvt_task, locals) == 136 &&
        offsetof(struct cvt_task, parent) == 208 &&
        offsetof(struct cvt_record, wait_kind) == 32 && offsetof(struct cvt_record, waiting) == 40,
    "the layout is that of a 64-bit platform");

// MARK: Checked continuations

// `CheckedContinuationCanary` in stdlib/public/Concurrency/CheckedContinuation.swift.
struct cvt_checked_continuation {
  struct cvt_object object;
  // The task, until the continuation is resumed.
  void *task;
};

// MARK: Streams

// `AsyncStream._Context` in stdlib/public/Concurrency/AsyncStream.swift, and that of AsyncThrowingStream.
struct cvt_stream_context {
  struct cvt_object object;
  // What the stream shares with its continuation, whose only field it is.
  void *storage;
};

// MARK: Actors

// `ProcessOutOfLineJob` in stdlib/public/Concurrency/Actor.cpp, and the job of an isolated deinit.
struct cvt_actor_job {
  struct cvt_job job;
  // The actor whose messages it runs, or the object that it ends.
  struct cvt_actor *actor;
};

// `ActiveActorStatus` in Actor.cpp, without priority escalation.
struct cvt_actor_status {
  uint64_t flags;
  // The newest message.
  struct cvt_job *last;
} __attribute__((aligned(16)));

// `DefaultActorImplHeader` in Actor.cpp.
struct cvt_actor {
  struct cvt_object object;
  bool is_remote;
  struct cvt_actor_status status;
};
