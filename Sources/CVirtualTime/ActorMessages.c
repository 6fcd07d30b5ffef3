// Reads the mailbox of an actor, and takes messages out of it.

#include "CVirtualTime.h"

#include <stddef.h>

// Replaces `expected` by `last`, both words at once, unless another thread has changed the status.
static bool exchange_last(struct cvt_actor *actor, struct cvt_job *expected, struct cvt_job *last) {
  volatile unsigned __int128 *place = (volatile unsigned __int128 *)&actor->status;
  uint64_t flags = __atomic_load_n(&actor->status.flags, __ATOMIC_ACQUIRE);
#if defined(__x86_64__)
  // The inline assembly avoids a library call, which the compiler makes unless it may assume a newer processor.
  bool exchanged;
  uint64_t low = flags, high = (uint64_t)(uintptr_t)expected;
  __asm__ __volatile__("lock cmpxchg16b %1"
                       : "=@ccz"(exchanged), "+m"(*place), "+a"(low), "+d"(high)
                       : "b"(flags), "c"((uint64_t)(uintptr_t)last)
                       : "memory");
  return exchanged;
#else
  union {
    struct cvt_actor_status status;
    unsigned __int128 bits;
  } before, after;
  before.status.flags = flags;
  before.status.last = expected;
  after.status = before.status;
  after.status.last = last;
  return __sync_bool_compare_and_swap(place, before.bits, after.bits);
#endif
}

void *cvt_actor_of(const void *job) { return ((const struct cvt_actor_job *)job)->actor; }

void *cvt_last_message(const void *actor) {
  return __atomic_load_n(&((const struct cvt_actor *)actor)->status.last, __ATOMIC_ACQUIRE);
}

void *cvt_earlier_message(const void *message) { return ((const struct cvt_job *)message)->earlier; }

bool cvt_take_message(void *of, void *taken) {
  struct cvt_actor *actor = of;
  struct cvt_job *message = taken, *last;
  // Only the stage removes messages; other threads may add some meanwhile.
  while ((last = cvt_last_message(actor)) == message) {
    if (exchange_last(actor, last, message->earlier)) return true;
  }
  for (struct cvt_job *later = last; later; later = later->earlier) {
    if (later->earlier != message) continue;
    later->earlier = message->earlier;
    return true;
  }
  return false;
}
