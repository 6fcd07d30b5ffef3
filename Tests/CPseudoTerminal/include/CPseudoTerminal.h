#ifndef C_PSEUDO_TERMINAL_H
#define C_PSEUDO_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Starts a program as the leader of a session on a new terminal. Returns its process, or -1.
pid_t cpt_spawn(
    const char *path,
    char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment,
    int rows,
    int columns,
    int *master);

/// Changes the size of the terminal; the programs on it get SIGWINCH.
bool cpt_resize(int master, int rows, int columns);

/// Whether the terminal takes whole lines and echoes them, as programs expect to find it.
bool cpt_is_cooked(int master);

/// Returns the processor time of a process in seconds; 0 if unknown.
double cpt_processor_seconds(pid_t process);

/// Runs a program in a folder, as the child of an additional process that inherits all orphans, and waits for the end
/// of the program. Returns how many processes it has left, ended or not, once all of them have ended; -1 if it was not
/// run. Its output goes into a file.
int cpt_processes_left(
    const char *path,
    char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment,
    const char *folder,
    const char *output);

#pragma clang assume_nonnull end

#endif
