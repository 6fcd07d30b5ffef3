#ifndef CFORKING_H
#define CFORKING_H

#include <spawn.h>
#include <sys/types.h>

/// Splits this process in two, as `fork` does. On Linux the copy ends with this process, whatever ends that and
/// whatever the copy does, and what libraries keep of the thread is put right in it.
///
/// Swift's `Mutex` notes the thread that holds it by the system's number, which is asked for once for each
/// thread and kept: in each module, without optimisation for each file. The copy's only thread has a number
/// of its own. One that locked by the old number and unlocked by the new would trap.
///
/// Returns 0 in the copy, its id in this process, or -1, as `errno` says.
///
/// Only for a process with one thread: locks that another thread holds would stay locked in the copy.
pid_t cfk_fork(void);

/// Has a program that is spawned begin in a folder. Returns 0, or what is wrong.
///
/// Swift does not see the call itself, which glibc declares only for those who ask for its extensions.
int cfk_begin_in(posix_spawn_file_actions_t *actions, const char *folder);

/// Makes a spawned program close the file descriptors from 3 on that it would inherit. Returns 0, or an error number.
/// On macOS it changes nothing.
int cfk_close_inherited(posix_spawn_file_actions_t *actions);

#endif
