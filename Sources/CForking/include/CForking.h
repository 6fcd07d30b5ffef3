// The declarations of the fork, of the spawn functions, and of the addresses of the C library.

#ifndef CFORKING_H
#define CFORKING_H

#include <spawn.h>
#include <sys/types.h>

/// Forks this process. On Linux the copy ends when this process ends, for any reason, whatever the copy does, and the
/// thread ids that libraries have stored are corrected in it.
///
/// Swift's `Mutex` stores the system's id of the thread that holds it. The id is requested once for each thread and
/// kept: in each module, without optimisation in each file. The copy's only thread has another id. A `Mutex` that was
/// locked with the old id and unlocked with the new one would trap.
///
/// Returns 0 in the copy, the copy's id in this process, or -1 with `errno`.
///
/// Only for a process with one thread: locks that another thread holds would stay locked in the copy.
pid_t cfk_fork(void);

/// Makes this process the parent of descendants whose own parent ends. Returns 0, or -1 where the system cannot.
int cfk_inherit_orphans(void);

/// Sets the working folder of a spawned program. Returns 0, or an error number.
///
/// Swift cannot import the function, because glibc declares it only with its extensions.
int cfk_begin_in(posix_spawn_file_actions_t *actions, const char *folder);

/// Makes a spawned program close the file descriptors from 3 on that it would inherit. Returns 0, or an error number.
/// On macOS it changes nothing.
int cfk_close_inherited(posix_spawn_file_actions_t *actions);

/// Finds the code of the C library, for `cfk_interrupts_libc`. On Linux only.
void cfk_find_libc(void);

/// In a signal handler: whether the signal has interrupted the C library, which may have a lock, such as that of `malloc`.
///
/// - context: the third argument of the handler.
int cfk_interrupts_libc(const void *context);

#endif
