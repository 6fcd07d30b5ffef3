// Installs the handlers of crash signals and of exit(), which print a prepared text. They call only functions that a
// handler may call.

#define _GNU_SOURCE
#include "CCrashNotice.h"
#include "CForking.h"
#include "CVirtualTime.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <ucontext.h>
#endif

static const int caught[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { CAUGHT = sizeof(caught) / sizeof(caught[0]) };

static struct sigaction before[CAUGHT];
static char subject[32], crash[64];
static char words[CCN_LIMIT];
// The installing process. Its forked workers are not covered.
static pid_t process;
// Zero while the words are being written, and after they were printed.
static _Atomic size_t length;
// The handler needs another stack after a stack overflow.
enum { STACK = 64 * 1024 };
static char stack[STACK];
// The run of this thread, and the active runs of all threads, up to a maximum.
static _Thread_local const struct ccn_run *present;
enum { MOST_RUNS = 64 };
static _Atomic(const struct ccn_run *) runs[MOST_RUNS];
// The message of the C library when it aborts the process, for example because of corrupt memory.
static char *const *abort_words;

static void put(const char *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t written = write(2, bytes + done, count - done);
    if (written <= 0) break;
    done += (size_t)written;
  }
}

static void put_text(const char *text) { put(text, strlen(text)); }

static void put_number(uint32_t number) {
  char digits[10];
  size_t start = sizeof digits;
  do {
    digits[--start] = '0' + number % 10;
    number /= 10;
  } while (number > 0);
  put(digits + start, sizeof digits - start);
}

// Writes the choices that differ from the default schedule: "3:1 7:2".
static void put_choices(const uint32_t *notes) {
  for (uint32_t place = 0, told = 0; place < notes[0]; place++) {
    uint32_t choice = notes[2 * place + 2];
    if (choice == 0) continue;
    if (told++ > 0) put(" ", 1);
    put_number(place + 1);
    put(":", 1);
    put_number(choice);
  }
}

struct notice {
  // The run of this thread.
  const struct ccn_run *run;
  // The length of the words.
  size_t count;
  // Whether this may be a thread that a run has created.
  int is_elsewhere;
};

static int is_running(void) {
  for (int index = 0; index < MOST_RUNS; index++) {
    if (atomic_load(&runs[index]) != NULL) return 1;
  }
  return 0;
}

// Takes the notice for this thread. It can be taken only once.
static struct notice take_notice(void) {
  struct notice notice = {.run = present};
  present = NULL;
  if (notice.run != NULL) return notice;
  notice.count = atomic_exchange(&length, 0);
  notice.is_elsewhere = is_running();
  return notice;
}

static int is_empty(struct notice notice) {
  return notice.run == NULL && notice.count == 0 && !notice.is_elsewhere;
}

static void put_run(const struct ccn_run *run) {
  put_text(run->before);
  put_choices(run->choices);
  put_text(run->behind);
}

static void say(const char *start, struct notice notice) {
  if (is_empty(notice)) return;
  if (notice.run != NULL || notice.count > 0) put_text(start);
  if (notice.run != NULL) return put_run(notice.run);
  if (notice.count > 0) put(words, notice.count);
  for (int index = 0; index < MOST_RUNS; index++) {
    const struct ccn_run *run = atomic_load(&runs[index]);
    if (run == NULL) continue;
    put_text(start);
    put_text(", perhaps");
    put_run(run);
  }
}

// Whether the access is at the end of the thread's stack, which is an overflow and no other bad access.
static int has_overflowed(const siginfo_t *info, const struct ccn_run *run) {
  enum { TOLERANCE = 1 << 20 };
  uintptr_t address = (uintptr_t)info->si_addr, end = (uintptr_t)run->stack_end;
  return address > end - TOLERANCE && address < end + TOLERANCE;
}

// Stops the thread for good. Its memory stays as it was.
static void stop(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  for (;;) pause();
}

// Tells the thread that waits for the run why it ends, and stops this one.
static void leave(const struct ccn_run *run, unsigned char word) {
  if (write(run->word, &word, 1) == 1) stop();
}

static const void *(*details_of_crash)(void);

void ccn_set_details(const void *(*details)(void)) { details_of_crash = details; }

// Notes where the code of this thread was when the signal came.
static void note_crash(struct ccn_run *run, const void *context) {
  run->details = details_of_crash != NULL ? details_of_crash() : NULL;
  run->frame_count = 0;
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
  const mcontext_t *registers = &((const ucontext_t *)context)->uc_mcontext;
#ifdef __x86_64__
  uintptr_t place = (uintptr_t)registers->gregs[REG_RIP], frame = (uintptr_t)registers->gregs[REG_RBP];
#else
  uintptr_t place = registers->pc, frame = registers->regs[29];
#endif
  // Unlike a return address, this is that of the instruction itself.
  run->frames[run->frame_count++] = place + 1;
  // An async function marks the frame pointer of its caller with this bit.
  const uintptr_t mark = (uintptr_t)1 << 60, start = (uintptr_t)run->stack_start;
  uintptr_t last = (uintptr_t)run->stack_end;
  while (run->frame_count < CCN_FRAMES && frame > last && frame % sizeof frame == 0 && frame + 2 * sizeof frame <= start) {
    run->frames[run->frame_count++] = ((const uintptr_t *)frame)[1];
    last = frame;
    frame = ((const uintptr_t *)frame)[0] & ~mark;
  }
#endif
}

// Stops the thread, if the other threads can continue.
static void park(int signal, const siginfo_t *info, const void *context) {
  const struct ccn_run *run = present;
  if (run == NULL || !run->is_sheltered || info->si_code == SI_USER) return;
  int is_access = signal == SIGSEGV || signal == SIGBUS;
  if (is_access && !has_overflowed(info, run)) return;
  if (signal == SIGABRT && abort_words != NULL && *abort_words != NULL) return;
  note_crash((struct ccn_run *)run, context);
  leave(run, (unsigned char)signal);
}

static void crashed(int signal, siginfo_t *info, void *context) {
  park(signal, info, context);
  struct notice notice = take_notice();
  say(crash, notice);
  for (int index = 0; index < CAUGHT; index++) {
    if (caught[index] != signal) continue;
    struct sigaction *former = &before[index];
    sigaction(signal, former, NULL);
    if (!(former->sa_flags & SA_SIGINFO)) break;
    // A back-trace has hundreds of lines, so the notice is repeated below it.
    former->sa_sigaction(signal, info, context);
    say(crash, notice);
  }
  // The faulting instruction is executed again and reaches the previous handler. A signal that another
  // process sent must be sent again.
  if (info->si_code <= 0) raise(signal);
}

void ccn_exit(int status) {
#ifdef __linux__
  for (;;) syscall(SYS_exit_group, status);
#else
  _exit(status);
#endif
}

// Writes the notice and ends the process with 1, if there is a notice. With the status 0 a script or a test would pass
// although it was not performed to its end.
static void ended(const char *call, int flushes) {
  if (getpid() != process) return;
  struct notice notice = take_notice();
  if (is_empty(notice)) return;
  char start[64];
  snprintf(start, sizeof start, "error: %s ended %s", call, subject);
  say(start, notice);
  if (flushes) fflush(NULL);
  ccn_exit(1);
}

#ifdef __GLIBC__
static void ended_with(int status, void *context) {
  (void)context;
  char call[24];
  snprintf(call, sizeof call, "exit(%d)", status);
  ended(call, 1);
}

static void ended_quickly(void) { ended("quick_exit()", 0); }
#else
static void ended_somehow(void) { ended("exit()", 1); }
#endif

static void catch_exit(void) {
  process = getpid();
#ifdef __GLIBC__
  on_exit(ended_with, NULL);
  at_quick_exit(ended_quickly);
#else
  atexit(ended_somehow);
#endif
}

// A run that ends the process ends only its thread.
static void leave_by(const char *call, int status) {
  struct ccn_run *run = (struct ccn_run *)present;
  if (run == NULL) return;
  snprintf(run->exit, sizeof run->exit, "%s(%d)", call, status);
  leave(run, CCN_EXIT);
}

void ccn_leave(void) {
  if (present != NULL) leave(present, CCN_STOPPED);
}

// Called by the functions of the C library that end the process, which CVirtualTime replaces. _exit and _Exit call no
// handlers.
static void leaves(const char *call, int status, bool calls_handlers) {
  leave_by(call, status);
  if (calls_handlers) return;
  char text[24];
  snprintf(text, sizeof text, "%s(%d)", call, status);
  ended(text, 0);
}

__attribute__((constructor)) static void catch_calls(void) { cvt_handle_exits(leaves); }

// Handlers run on this stack, unless the thread already has an alternative stack.
static int use_stack(char *bytes) {
  stack_t now;
  if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return 0;
  stack_t own = {.ss_sp = bytes, .ss_size = STACK};
  return sigaltstack(&own, NULL) == 0;
}

// MARK: Signals to other threads

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <ucontext.h>
enum { STOPPING = CVT_STACK_SIGNAL };

static uintptr_t program_counter(const ucontext_t *context) {
#ifdef __x86_64__
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
  return (uintptr_t)context->uc_mcontext.pc;
#endif
}

// Writes down the stack of this thread, if another one asks for it. Stops the thread of a late run, unless it may hold a
// lock of the C library.
static void answer(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)info;
  uintptr_t place = program_counter(context);
  cvt_answer_with_stack(place);
  struct ccn_run *run = (struct ccn_run *)present;
  if (run == NULL || __atomic_load_n(&run->is_late, __ATOMIC_ACQUIRE) == 0) return;
  int is_last = __atomic_load_n(&run->is_late, __ATOMIC_ACQUIRE) == 2;
  if (!is_last && cfk_interrupts_libc(context)) return;
  run->frame_count = cvt_interrupted_stack(place, run->frames, CCN_FRAMES);
  __atomic_store_n(&run->has_stopped, 1, __ATOMIC_RELEASE);
  stop();
}

static void catch_questions(void) {
  cfk_find_libc();
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(STOPPING, &action, NULL);
}

// Threads that Dispatch makes block signals, and so do the threads that these make.
static void accept_stopping(void) {
  sigset_t stopping;
  sigemptyset(&stopping);
  sigaddset(&stopping, STOPPING);
  pthread_sigmask(SIG_UNBLOCK, &stopping, NULL);
}

static void stop_thread_of(struct ccn_run *run) {
  enum { TRIES = 100 };
  for (int count = 1; count <= TRIES; count++) {
    __atomic_store_n(&run->is_late, count == TRIES ? 2 : 1, __ATOMIC_RELEASE);
    syscall(SYS_tgkill, getpid(), ccn_thread(run), STOPPING);
    usleep(1000);
    if (__atomic_load_n(&run->has_stopped, __ATOMIC_ACQUIRE)) return;
  }
}
#else
static void catch_questions(void) {}
static void accept_stopping(void) {}
static void stop_thread_of(struct ccn_run *run) { (void)run; }
#endif

void ccn_install(const char *name) {
  snprintf(subject, sizeof subject, "%s", name);
  snprintf(crash, sizeof crash, "error: %s crashed", name);
  if (process == 0) {
    catch_exit();
    catch_questions();
    // The parent process may have blocked signals.
    accept_stopping();
  }
  use_stack(stack);
#ifdef __GLIBC__
  abort_words = dlvsym(RTLD_DEFAULT, "__abort_msg", "GLIBC_PRIVATE");
#endif
  struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < CAUGHT; index++) {
    struct sigaction found;
    // Installed a second time, the handler must not be called as the one before it.
    if (sigaction(caught[index], &action, &found) == 0 && found.sa_sigaction != crashed) before[index] = found;
  }
}

void ccn_set(const char *bytes, size_t count) {
  atomic_store(&length, 0);
  if (count > CCN_LIMIT) count = CCN_LIMIT;
  if (count > 0) memcpy(words, bytes, count);
  atomic_store(&length, count);
}

// MARK: On a separate thread

struct task {
  struct ccn_run *run;
  void (*work)(void *);
  void *context;
};

static void find_stack(struct ccn_run *run) {
  size_t size = 0;
#ifdef __APPLE__
  pthread_t self = pthread_self();
  size = pthread_get_stacksize_np(self);
  run->stack_end = (char *)pthread_get_stackaddr_np(self) - size;
#else
  pthread_attr_t attributes;
  run->stack_end = NULL;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &run->stack_end, &size);
    pthread_attr_destroy(&attributes);
  }
#endif
  run->stack_start = (char *)run->stack_end + size;
}

static int number_of_thread(void) {
#ifdef __linux__
  return (int)syscall(SYS_gettid);
#else
  return 0;
#endif
}

int ccn_thread(const struct ccn_run *run) { return __atomic_load_n(&run->thread, __ATOMIC_RELAXED); }

void *ccn_present(void) { return (void *)present; }

void ccn_do_within(void *run, void (*work)(void *), void *context) {
  if (run != NULL) {
    struct ccn_run *outer = run;
    __atomic_store_n(&outer->thread, number_of_thread(), __ATOMIC_RELAXED);
    find_stack(outer);
    accept_stopping();
  }
  char *bytes = malloc(STACK);
  int is_used = bytes != NULL && use_stack(bytes);
  present = run;
  work(context);
  present = NULL;
  if (is_used) sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  free(bytes);
}

static void *do_task(void *argument) {
  struct task task = *(struct task *)argument;
  free(argument);
  int word = task.run->word;
  ccn_do_within(task.run, task.work, task.context);
  while (write(word, "", 1) == -1 && errno == EINTR) {}
  return NULL;
}

static int start(struct task task) {
  struct task *copy = malloc(sizeof task);
  if (copy == NULL) return ENOMEM;
  *copy = task;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  int error = pthread_create(&thread, &attributes, do_task, copy);
  pthread_attr_destroy(&attributes);
  if (error != 0) free(copy);
  return error;
}

// Waits for one byte: zero if the work is done, else the signal.
static int wait_for_word(int descriptor, int (*is_late)(void *), void *limit) {
  enum { TICK = 20 };
  struct pollfd ready = {.fd = descriptor, .events = POLLIN};
  while (poll(&ready, 1, is_late == NULL ? -1 : TICK) <= 0) {
    if (is_late != NULL && is_late(limit)) return CCN_LATE;
  }
  unsigned char word = 0;
  while (read(descriptor, &word, 1) == -1) {}
  return word;
}

// Whether another thread holds the lock of the stream and does not release it.
static int is_stuck(FILE *stream) {
  enum { TRIES = 500 };
  for (int count = 0; count < TRIES; count++) {
    if (ftrylockfile(stream) == 0) {
      funlockfile(stream);
      return 0;
    }
    usleep(1000);
  }
  return 1;
}

// Ends the process if the crashed thread holds the lock of a stream. Then no thread could print or exit.
static void end_if_stuck(const struct ccn_run *run, int number) {
  if (!is_stuck(stdout) && !is_stuck(stderr)) return;
  say(crash, (struct notice){.run = run});
  if (number >= CCN_EXIT) ccn_exit(1);
  signal(number, SIG_DFL);
  raise(number);
  ccn_exit(1);
}

static int make_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  for (int index = 0; index < 2; index++) fcntl(ends[index], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

// Adds the run to the active ones and returns its index; MOST_RUNS if there is no room.
static int enter(const struct ccn_run *run) {
  int place = 0;
  for (const struct ccn_run *none = NULL; place < MOST_RUNS; place++, none = NULL) {
    if (atomic_compare_exchange_strong(&runs[place], &none, run)) break;
  }
  return place;
}

int ccn_do(struct ccn_run *run, void (*work)(void *), void *context, int (*is_late)(void *),
           void *limit) {
  int ends[2];
  if (make_pipe(ends) != 0) return CCN_NO_THREAD;
  run->word = ends[1];
  int place = enter(run);
  int end = CCN_NO_THREAD;
  if (start((struct task){run, work, context}) == 0) end = wait_for_word(ends[0], is_late, limit);
  if (place < MOST_RUNS) atomic_store(&runs[place], NULL);
  if (end > 0) end_if_stuck(run, end);
  // A late run may still write.
  if (end == CCN_LATE) {
    stop_thread_of(run);
    return end;
  }
  close(ends[0]);
  close(ends[1]);
  return end;
}
