// The prompt by libedit, if it is there, and the width of characters.

#define _GNU_SOURCE
#include "CLineEdit.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cle_use_utf8(void) {
  static const char *const fallbacks[] = {"C.UTF-8", "en_US.UTF-8", "UTF-8"};
  setlocale(LC_CTYPE, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0) return true;
  for (size_t i = 0; i < sizeof fallbacks / sizeof *fallbacks; i++) {
    if (setlocale(LC_CTYPE, fallbacks[i])) return true;
  }
  return false;
}

int cle_width(wchar_t scalar) { return wcwidth(scalar); }

void cle_write(const char *text, size_t count) {
  fwrite(text, 1, count, stdout);
  fflush(stdout);
}

#ifdef REHEARSE_LINE_EDITING
#if !__has_include(<histedit.h>)
#error "libedit is missing: install libedit-dev or libedit-devel, or build with --disable-default-traits"
#endif
#include <histedit.h>

struct cle_editor {
  EditLine *edit;
  History *history;
  cle_handlers handlers;
  void *context;
  char *prompt;
};

/// Marks the parts of a prompt that have no width.
static const char invisible = '\1';

static cle_editor *editor_of(EditLine *edit) {
  void *editor = NULL;
  el_get(edit, EL_CLIENTDATA, &editor);
  return editor;
}

static char *prompt_of(EditLine *edit) { return editor_of(edit)->prompt; }

static int read_scalar(EditLine *edit, wchar_t *scalar) {
  cle_editor *editor = editor_of(edit);
  return editor->handlers.read(editor->context, scalar);
}

static unsigned char edit_result(cle_result result) {
  switch (result) {
    case cle_result_nothing: return CC_NORM;
    case cle_result_refresh: return CC_REFRESH;
    case cle_result_cursor: return CC_CURSOR;
    case cle_result_beep: return CC_ERROR;
  }
  return CC_ERROR;
}

static unsigned char complete(EditLine *edit, int key) {
  (void)key;
  cle_editor *editor = editor_of(edit);
  return edit_result(editor->handlers.complete(editor->context));
}

static unsigned char paste(EditLine *edit, int key) {
  (void)key;
  cle_editor *editor = editor_of(edit);
  return edit_result(editor->handlers.paste(editor->context));
}

static unsigned char recall_older(EditLine *edit, int key) {
  (void)key;
  cle_editor *editor = editor_of(edit);
  return edit_result(editor->handlers.recall(editor->context, true));
}

static unsigned char recall_newer(EditLine *edit, int key) {
  (void)key;
  cle_editor *editor = editor_of(edit);
  return edit_result(editor->handlers.recall(editor->context, false));
}

static unsigned char go_right(EditLine *edit, int key) {
  (void)key;
  cle_editor *editor = editor_of(edit);
  return edit_result(editor->handlers.accept(editor->context, false));
}

static unsigned char go_to_end(EditLine *edit, int key) {
  (void)key;
  cle_editor *editor = editor_of(edit);
  return edit_result(editor->handlers.accept(editor->context, true));
}

static unsigned char explain(EditLine *edit, int key) {
  (void)key;
  cle_editor *editor = editor_of(edit);
  return edit_result(editor->handlers.explain(editor->context));
}

bool cle_is_built_in(void) { return true; }

cle_editor *cle_open(const char *program, cle_handlers handlers, void *context, int history_limit) {
  cle_editor *editor = calloc(1, sizeof *editor);
  if (!editor) return NULL;
  editor->handlers = handlers;
  editor->context = context;
  editor->prompt = strdup("");
  editor->edit = el_init(program, stdin, stdout, stderr);
  editor->history = history_init();
  if (!editor->prompt || !editor->edit || !editor->history) {
    cle_close(editor);
    return NULL;
  }
  HistEvent event;
  history(editor->history, &event, H_SETSIZE, history_limit);
  el_set(editor->edit, EL_CLIENTDATA, editor);
  el_set(editor->edit, EL_EDITOR, "emacs");
  // libedit's handler raises signals again for the whole process group; ours does not.
  el_set(editor->edit, EL_SIGNAL, 0);
  el_set(editor->edit, EL_HIST, history, editor->history);
  el_set(editor->edit, EL_PROMPT_ESC, prompt_of, invisible);
  el_set(editor->edit, EL_GETCFN, read_scalar);
  el_set(editor->edit, EL_ADDFN, "rehearse-complete", "Complete the word", complete);
  el_set(editor->edit, EL_ADDFN, "rehearse-paste", "Insert pasted text", paste);
  el_set(editor->edit, EL_ADDFN, "rehearse-older", "Recall an older line", recall_older);
  el_set(editor->edit, EL_ADDFN, "rehearse-newer", "Recall a newer line", recall_newer);
  el_set(editor->edit, EL_ADDFN, "rehearse-right", "Go right, or accept the hint", go_right);
  el_set(editor->edit, EL_ADDFN, "rehearse-end", "Go to the end, or accept the hint", go_to_end);
  el_set(editor->edit, EL_ADDFN, "rehearse-explain", "Explain what is expected here", explain);
  return editor;
}

void cle_close(cle_editor *editor) {
  if (editor->edit) {
    el_set(editor->edit, EL_EDITMODE, 0);  // Otherwise el_end drops text that was typed ahead.
    el_end(editor->edit);
  }
  if (editor->history) history_end(editor->history);
  free(editor->prompt);
  free(editor);
}

const wchar_t *cle_read_line(cle_editor *editor, const char *prompt, int *count) {
  char *copy = strdup(prompt);
  if (copy) {
    free(editor->prompt);
    editor->prompt = copy;
  }
  return el_wgets(editor->edit, count);
}

const wchar_t *cle_line(cle_editor *editor, size_t *count, size_t *caret) {
  const LineInfoW *line = el_wline(editor->edit);
  *count = (size_t)(line->lastchar - line->buffer);
  *caret = (size_t)(line->cursor - line->buffer);
  return line->buffer;
}

void cle_insert(cle_editor *editor, const char *text) { el_insertstr(editor->edit, text); }
void cle_delete_before(cle_editor *editor, int count) { el_deletestr(editor->edit, count); }
void cle_move(cle_editor *editor, int count) { el_cursor(editor->edit, count); }
int cle_next(cle_editor *editor, wchar_t *scalar) { return el_wgetc(editor->edit, scalar); }

void cle_refresh(cle_editor *editor) { el_set(editor->edit, EL_REFRESH); }
void cle_resize(cle_editor *editor) { el_resize(editor->edit); }
void cle_prepare(cle_editor *editor, bool for_editing) {
  el_set(editor->edit, EL_PREP_TERM, (int)for_editing);
}

static int number(cle_editor *editor, const char *capability, int fallback) {
  int value = 0;
  int result = el_get(editor->edit, EL_GETTC, capability, &value);
  return result == 0 && value > 0 ? value : fallback;
}

int cle_columns(cle_editor *editor) { return number(editor, "co", 80); }
int cle_rows(cle_editor *editor) { return number(editor, "li", 24); }

bool cle_moves_up(cle_editor *editor) {
  char *sequence = NULL;
  int result = el_get(editor->edit, EL_GETTC, "up", &sequence);
  return result == 0 && sequence && sequence[0] == '\033';
}

bool cle_is_vi(cle_editor *editor) {
  const char *name = NULL;
  return el_get(editor->edit, EL_EDITOR, &name) == 0 && name && strcmp(name, "vi") == 0;
}

void cle_bind(cle_editor *editor, const char *key, const char *command, bool alternative) {
  if (alternative) {
    el_set(editor->edit, EL_BIND, "-a", key, command, (char *)NULL);
  } else {
    el_set(editor->edit, EL_BIND, key, command, (char *)NULL);
  }
}

bool cle_configure(cle_editor *editor, const char *line) {
  Tokenizer *tokens = tok_init(NULL);
  if (!tokens) return false;
  int count = 0;
  const char **words = NULL;
  bool accepted = tok_str(tokens, line, &count, &words) == 0;
  if (accepted && count > 0) accepted = el_parse(editor->edit, count, words) != -1;
  tok_end(tokens);
  return accepted;
}

void cle_history_add(cle_editor *editor, const char *entry) {
  HistEvent event;
  history(editor->history, &event, H_ENTER, entry);
}

void cle_history_clear(cle_editor *editor) {
  HistEvent event;
  history(editor->history, &event, H_CLEAR);
}

#else

// No editor can be opened, so the functions below `cle_open` are never called.

bool cle_is_built_in(void) { return false; }
cle_editor *cle_open(const char *program, cle_handlers handlers, void *context, int history_limit) {
  (void)program, (void)handlers, (void)context, (void)history_limit;
  return NULL;
}
void cle_close(cle_editor *editor) { (void)editor; }
const wchar_t *cle_read_line(cle_editor *editor, const char *prompt, int *count) {
  (void)editor, (void)prompt;
  *count = 0;
  return NULL;
}
const wchar_t *cle_line(cle_editor *editor, size_t *count, size_t *caret) {
  (void)editor;
  *count = *caret = 0;
  return L"";
}
void cle_insert(cle_editor *editor, const char *text) { (void)editor, (void)text; }
void cle_delete_before(cle_editor *editor, int count) { (void)editor, (void)count; }
void cle_move(cle_editor *editor, int count) { (void)editor, (void)count; }
int cle_next(cle_editor *editor, wchar_t *scalar) { return (void)editor, (void)scalar, 0; }
void cle_refresh(cle_editor *editor) { (void)editor; }
void cle_resize(cle_editor *editor) { (void)editor; }
void cle_prepare(cle_editor *editor, bool for_editing) { (void)editor, (void)for_editing; }
int cle_columns(cle_editor *editor) { return (void)editor, 80; }
int cle_rows(cle_editor *editor) { return (void)editor, 24; }
bool cle_moves_up(cle_editor *editor) { return (void)editor, false; }
bool cle_is_vi(cle_editor *editor) { return (void)editor, false; }
void cle_bind(cle_editor *editor, const char *key, const char *command, bool alternative) {
  (void)editor, (void)key, (void)command, (void)alternative;
}
bool cle_configure(cle_editor *editor, const char *line) { return (void)editor, (void)line, false; }
void cle_history_add(cle_editor *editor, const char *entry) { (void)editor, (void)entry; }
void cle_history_clear(cle_editor *editor) { (void)editor; }

#endif
