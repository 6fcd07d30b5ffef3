#ifndef C_LINE_EDIT_H
#define C_LINE_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

// The part of libedit's native interface that the prompt needs, as functions that Swift can call: none
// is variadic or has libedit's own types. If libedit's headers are missing, everything still compiles and
// links, and `cle_open` returns NULL.

#pragma clang assume_nonnull begin

/// One editor on standard input and standard output.
typedef struct cle_editor cle_editor;

/// What the editor must do after an editing command.
typedef enum : unsigned char {
  cle_result_nothing,
  cle_result_refresh,
  /// Only the caret has moved.
  cle_result_cursor,
  cle_result_beep,
} cle_result;

/// The functions that an editor calls, each with the context from `cle_open`.
typedef struct {
  /// Waits for the next character: 1 with `*scalar` set, 0 at the end, -1 after an error.
  int (*read)(void *context, wchar_t *scalar);
  /// The command `rehearse-complete`.
  cle_result (*complete)(void *context);
  /// The command `rehearse-paste`, run by the terminal's start-of-paste sequence.
  cle_result (*paste)(void *context);
  /// The commands `rehearse-older` and `rehearse-newer`, on the arrow keys.
  cle_result (*recall)(void *context, bool older);
  /// The commands `rehearse-right` and `rehearse-end`: accepts a hint, or moves the caret.
  cle_result (*accept)(void *context, bool to_end);
  /// The command `rehearse-explain`, on the key `?`.
  cle_result (*explain)(void *context);
} cle_handlers;

/// Whether libedit was available at build time.
bool cle_is_built_in(void);
/// Sets the character set of this process to UTF-8; keeps the user's locale if it has it already.
bool cle_use_utf8(void);
/// Returns the width of a character in columns; negative if it cannot be displayed.
int cle_width(wchar_t scalar);

/// Opens an editor; NULL without libedit or memory.
cle_editor *_Nullable cle_open(
    const char *program, cle_handlers handlers, void *context, int history_limit);
/// Closes the editor. Unread input stays in the terminal.
void cle_close(cle_editor *editor);

/// Reads a line and returns its characters, valid until the next call, or NULL with `*count` 0 at
/// the end of input and -1 after an error (in errno) or when the read function returned -1.
const wchar_t *_Nullable cle_read_line(cle_editor *editor, const char *prompt, int *count);
/// Returns the current line, its length and the index of the caret.
const wchar_t *cle_line(cle_editor *editor, size_t *count, size_t *caret);
void cle_insert(cle_editor *editor, const char *text);
void cle_delete_before(cle_editor *editor, int count);
void cle_move(cle_editor *editor, int count);
/// Reads one character like the editor, for commands that need more input.
int cle_next(cle_editor *editor, wchar_t *scalar);

/// Draws the prompt and the line where the cursor is.
void cle_refresh(cle_editor *editor);
/// Updates the size of the terminal.
void cle_resize(cle_editor *editor);
/// Prepares the terminal for editing, or for other programs.
void cle_prepare(cle_editor *editor, bool for_editing);
/// The width of the terminal in columns, as the editor sees it after `cle_resize`.
int cle_columns(cle_editor *editor);
/// The height of the terminal in rows.
int cle_rows(cle_editor *editor);
/// Whether the terminal moves its cursor up by an ANSI sequence.
bool cle_moves_up(cle_editor *editor);
/// Whether the vi key map is active.
bool cle_is_vi(cle_editor *editor);

/// Binds a key in the insert map, or, with `alternative`, in vi's command map.
void cle_bind(cle_editor *editor, const char *key, const char *command, bool alternative);
/// Executes a line of an `.editrc`; false if libedit refuses it.
bool cle_configure(cle_editor *editor, const char *line);

void cle_history_add(cle_editor *editor, const char *entry);
void cle_history_clear(cle_editor *editor);

/// Writes to standard output, in order with what the editor and `printf` write, and flushes.
void cle_write(const char *text, size_t count);

// MARK: Signals

/// Catches SIGINT, SIGTSTP, SIGCONT and SIGWINCH as bytes in pipes, and restores the terminal before SIGTERM,
/// SIGHUP and SIGQUIT have their usual effect.
///
/// An interrupt goes to `running` after `cle_signals_run(true)`, otherwise to `prompt`. Stop signals have their
/// usual effect unless the terminal is guarded. Returns false if already installed.
bool cle_signals_install(int prompt, int running);
void cle_signals_remove(void);
void cle_signals_run(bool running);
/// Turns the echo of typed keys off or on. With echo, the keys would appear between printed text. Keys that
/// are not echoed are shown by the next prompt.
void cle_be_quiet(bool quiet);
/// Stops the process like Ctrl-Z, and returns after it was continued.
void cle_signals_stop(void);

/// Saves the terminal settings, to restore them if the process is ended.
void cle_guard_begin(int descriptor, bool bracketed_paste);
void cle_guard_end(void);

// MARK: Threads

typedef struct cle_watcher cle_watcher;

/// Calls `handler` on a separate thread for every byte read from `descriptor`, until a zero.
cle_watcher *_Nullable cle_watch(
    int descriptor, void (*handler)(void *context, unsigned char byte), void *context);
/// Waits for the thread, which must have been sent its zero, and frees it.
void cle_watch_end(cle_watcher *watcher);

#pragma clang assume_nonnull end

#endif
