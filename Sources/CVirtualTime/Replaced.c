#define _GNU_SOURCE
#include "CVirtualTime.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// The table of all replaced functions: since which toolchain each exists, and what happens on a stage if it is missing.
// docs/interposed.md has the same table, with what each function does.
static const struct cvt_replaced table[] = {
    // Time
    {"clock_gettime", "6.3", "clocks and `Date()` show real time"},
    {"gettimeofday", "6.3", "clocks and `Date()` show real time"},
    {"time", "6.3", "clocks and `Date()` show real time"},
    {"timespec_get", "6.3", "clocks of C++ show real time"},
    // Queues
    {"dispatch_async", "6.3", "the block runs in real time; on the main queue of the shell, never"},
    {"dispatch_barrier_async", "6.3", "the block runs in real time; on the main queue of the shell, never"},
    {"dispatch_group_async", "6.3", "the block runs in real time; on the main queue of the shell, never"},
    {"dispatch_after", "6.3", "the block waits in real time"},
    {"dispatch_sync", "6.3", "earlier blocks of the stage are not waited for"},
    {"dispatch_barrier_sync", "6.3", "earlier blocks of the stage are not waited for"},
    {"dispatch_apply", "6.3", "several threads run them"},
    {"dispatch_queue_get_label", "6.3", "the code does not know its queue"},
    {"dispatch_get_specific", "6.3", "the code does not know its queue"},
    {"dispatch_assert_queue", "6.3", "a correct precondition fails"},
    {"dispatch_assert_queue_barrier", "6.3", "a correct precondition fails"},
    {"dispatch_assert_queue_not", "6.3", "a correct precondition fails"},
    {"dispatch_activate", "6.3", "the stage notices the change later"},
    {"dispatch_resume", "6.3", "the stage notices the change later"},
    {"dispatch_suspend", "6.3", "the stage notices the change later"},
    {"dispatch_set_target_queue", "6.3", "the stage notices the change later"},
    // Groups, semaphores and work items
    {"dispatch_group_enter", "6.3", "a report does not say where"},
    {"dispatch_group_leave", "6.3", "they run in real time, or when nothing else is left"},
    {"dispatch_group_notify", "6.3", "they run in real time, or when nothing else is left"},
    {"dispatch_semaphore_signal", "6.3", "they run in real time, or when nothing else is left"},
    {"dispatch_block_notify", "6.3", "they run in real time, or when nothing else is left"},
    {"dispatch_group_wait", "6.3", "blocks the stage in real time"},
    {"dispatch_semaphore_wait", "6.3", "blocks the stage in real time"},
    {"dispatch_block_wait", "6.3", "blocks the stage in real time"},
    {"dispatch_block_create", "6.3", "such operations are not named, and draw in the order of their starts"},
    {"dispatch_block_create_with_qos_class", "6.3", "as `dispatch_block_create`"},
    // Timers and run loops
    {"dispatch_source_create", "6.3", "timer sources fire in real time"},
    {"dispatch_source_set_timer", "6.3", "timer sources fire in real time"},
    {"dispatch_source_set_event_handler", "6.3", "timer sources fire in real time"},
    {"dispatch_source_set_cancel_handler", "6.3", "timer sources fire in real time"},
    {"dispatch_source_set_registration_handler", "6.3", "timer sources fire in real time"},
    {"dispatch_source_cancel", "6.3", "timer sources fire in real time"},
    {"dispatch_source_testcancel", "6.3", "timer sources fire in real time"},
    {"dispatch_source_get_data", "6.3", "timer sources fire in real time"},
    {"dispatch_retain", "6.3", "timer sources fire in real time"},
    {"dispatch_release", "6.3", "timer sources fire in real time"},
    {"CFRunLoopTimerCreate", "6.3", "a `Timer` fires in real time, and is named"},
    {"CFRunLoopAddTimer", "6.3", "a `Timer` fires in real time, and is named"},
    {"CFRunLoopTimerInvalidate", "6.3", "a `Timer` fires in real time, and is named"},
    {"CFRunLoopTimerSetNextFireDate", "6.3", "a `Timer` fires in real time, and is named"},
    {"CFRunLoopAddObserver", "6.3", "it is not named"},
    {"CFRunLoopPerformBlock", "6.3", "the block waits for a real run loop"},
    {"CFRunLoopRunInMode", "6.3", "runs in real time"},
    {"CFRunLoopStop", "6.3", "runs in real time"},
    {"CFRunLoopGetCurrent", "6.3", "`RunLoop.main.run` returns at once"},
    {"_CFRunLoopFinished", "6.3", "runs in real time"},
    {"_CFThreadCreate", "6.3", "`await fulfillment(of:)` waits in real time"},
    {"_CFIsMainThread", "6.3", "`Thread.isMainThread` is about the real thread"},
    {"$s10Foundation14OperationQueueC4mainACvgZ", "6.3", "stages of one process share its order and its operations"},
    {"$s10Foundation14OperationQueueC7currentACSgvgZ", "6.3", "main-actor code gets another object than `OperationQueue.main`"},
    {"timerfd_settime", "6.3", "it is not named"},
    // Blocking
    {"nanosleep", "6.3", "blocks the stage in real time"},
    {"clock_nanosleep", "6.3", "blocks the stage in real time"},
    {"usleep", "6.3", "blocks the stage in real time"},
    {"sleep", "6.3", "blocks the stage in real time"},
    {"pthread_cond_wait", "6.3", "blocks the stage in real time"},
    {"pthread_cond_timedwait", "6.3", "blocks the stage in real time"},
    {"pthread_cond_clockwait", "6.3", "compares a deadline in virtual time with the real clock"},
    {"pthread_cond_signal", "6.3", "wakes no thread of the stage"},
    {"pthread_cond_broadcast", "6.3", "wakes no thread of the stage"},
    {"poll", "6.3", "waits in real time, without a name"},
    {"ppoll", "6.3", "waits in real time, without a name"},
    {"select", "6.3", "waits in real time, without a name"},
    {"pselect", "6.3", "waits in real time, without a name"},
    {"epoll_wait", "6.3", "it is not named"},
    {"recv", "6.3", "it is not named"},
    {"recvfrom", "6.3", "it is not named"},
    {"recvmsg", "6.3", "it is not named"},
    {"accept", "6.3", "it is not named"},
    {"accept4", "6.3", "it is not named"},
    {"connect", "6.3", "it is not named"},
    {"flock", "6.3", "it is not named"},
    {"getaddrinfo", "6.3", "it is not named"},
    {"wait", "6.3", "it is not named"},
    {"waitpid", "6.3", "it is not named"},
    {"wait4", "6.3", "it is not named"},
    {"waitid", "6.3", "it is not named"},
    {"pthread_join", "6.3", "it is not named"},
    {"fread", "6.3", "it is not named"},
    {"fgets", "6.3", "it is not named"},
    {"fgetc", "6.3", "it is not named"},
    {"getc", "6.3", "it is not named"},
    {"getline", "6.3", "it is not named"},
    {"posix_spawn", "6.3", "it is not named"},
    {"posix_spawnp", "6.3", "it is not named"},
    {"fork", "6.3", "it is not named"},
    {"popen", "6.3", "it is not named"},
    {"pclose", "6.3", "it is not named"},
    {"system", "6.3", "it is not named"},
    {"sigwait", "6.3", "it is not named"},
    {"sigwaitinfo", "6.3", "it is not named"},
    {"sigtimedwait", "6.3", "it is not named"},
    {"sem_wait", "6.3", "it is not named"},
    {"sem_timedwait", "6.3", "the limit is compared with real time"},
    {"sem_post", "6.3", "it is not named"},
    {"sem_clockwait", "6.3", "as `sem_timedwait`"},
    {"pthread_mutex_lock", "6.3", "blocks the stage in real time"},
    {"pthread_mutex_timedlock", "6.3", "the limit is compared with real time"},
    {"pthread_mutex_clocklock", "6.3", "as `pthread_mutex_timedlock`"},
    {"flockfile", "6.3", "a thread that prints may wait in real time for one that was interrupted while it printed"},
    {"funlockfile", "6.3", "as `flockfile`"},
    {"pthread_once", "6.3", "a thread may wait in real time for one that was interrupted in its function"},
    {"pthread_mutex_unlock", "6.3", "no other code runs"},
    {"pthread_rwlock_unlock", "6.3", "no other code runs"},
    {"pthread_rwlock_rdlock", "6.3", "blocks the stage in real time"},
    {"pthread_rwlock_wrlock", "6.3", "blocks the stage in real time"},
    {"pthread_rwlock_tryrdlock", "6.3", "a writer of the stage blocks the stage in real time"},
    {"pthread_rwlock_timedrdlock", "6.3", "the limit is compared with real time"},
    {"pthread_rwlock_timedwrlock", "6.3", "the limit is compared with real time"},
    {"pthread_rwlock_clockrdlock", "6.3", "as `pthread_rwlock_timedrdlock`"},
    {"pthread_rwlock_clockwrlock", "6.3", "as `pthread_rwlock_timedwrlock`"},
    {"pthread_mutex_trylock", "6.3", "a lock that a task has while it waits may not be named"},
    {"pthread_rwlock_trywrlock", "6.3", "as `pthread_mutex_trylock`"},
    {"pthread_setspecific", "6.3", "a value of the thread that another job reads is not named"},
    {"pthread_getspecific", "6.3", "as `pthread_setspecific`"},
    {"$s10Foundation6ThreadC16threadDictionaryAA09NSMutableD0Cvg", "6.3", "as `pthread_setspecific`"},
    // Random numbers
    {"syscall", "6.3", "numbers differ between runs, and such a wait blocks the stage in real time"},
    {"getrandom", "6.3", "numbers differ between runs"},
    {"getentropy", "6.3", "numbers differ between runs"},
    {"read", "6.3", "numbers differ between runs, and such a wait is not named"},
    {"fopen", "6.3", "numbers differ between runs"},
    {"arc4random", "6.3", "numbers differ between runs"},
    {"arc4random_buf", "6.3", "numbers differ between runs"},
    {"arc4random_uniform", "6.3", "numbers differ between runs"},
    {"rand", "6.3", "numbers differ between runs"},
    {"random", "6.3", "numbers differ between runs"},
    {"drand48", "6.3", "numbers differ between runs"},
    {"lrand48", "6.3", "numbers differ between runs"},
    {"mrand48", "6.3", "numbers differ between runs"},
    {"srand", "6.3", "numbers differ between runs"},
    {"srandom", "6.3", "numbers differ between runs"},
    {"srand48", "6.3", "numbers differ between runs"},
    {"swift_once", "6.3", "its first use shifts the numbers of the code that uses it"},
    // Swift concurrency
    {"swift_task_create", "6.3", "a search cannot find waiting tasks, and says so"},
    {"swift_task_cancel", "6.3", "a search is never complete, and says so"},
    {"swift_taskGroup_cancelAll", "6.3", "a search is never complete, and says so"},
    {"swift_job_run", "6.3", "a search is never complete, and says so"},
    {"swift_job_run_on_task_executor", "6.3", "a search is never complete, and says so"},
    {"swift_job_run_on_serial_and_task_executor", "6.3", "a search is never complete, and says so"},
    {"swift_task_switch", "6.3", "such a loop never ends, if another task must end it"},
    {"$sScT6cancelyyF", "6.3", "a search is never complete, and says so"},
    {"$sSct6cancelyyF", "6.3", "a search is never complete, and says so"},
    {"$sScG9cancelAllyyF", "6.3", "a search is never complete, and says so"},
    {"$sScg9cancelAllyyF", "6.3", "a search is never complete, and says so"},
    {"$ss19DiscardingTaskGroupV9cancelAllyyF", "6.3", "a search is never complete, and says so"},
    {"$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF", "6.3", "a search is never complete, and says so"},
    {"swift_defaultActor_initialize", "6.3", "a report does not say where an actor was created"},
    {"swift_taskGroup_addPending", "6.3", "a report does not say why a group has no child task"},
    {"$sScC6resume9returningyxn_tF", "6.3", "a report about a second call does not name the first"},
    {"$sScC6resume8throwingyq_n_tF", "6.3", "a report about a second call does not name the first"},
    {"$sScS_15bufferingPolicy_ScSyxGxm_ScS12ContinuationV09BufferingB0Oyx__GyADyx_GXEtcfC", "6.3", "a report does not name it"},
    {"$sScs_15bufferingPolicy_Scsyxs5Error_pGxm_Scs12ContinuationV09BufferingB0OyxsAB_p__GyAEyxsAB_p_GXEtcsAB_pRs_rlufC", "6.3", "a report does not name it"},
    {"$sScS10makeStream2of15bufferingPolicyScSyxG6stream_ScS12ContinuationVyx_G12continuationtxm_AG09BufferingE0Oyx__GtFZ", "6.3", "a report does not name it"},
    {"$sScs10makeStream2of8throwing15bufferingPolicyScsyxs5Error_pG6stream_Scs12ContinuationVyxsAE_p_G12continuationtxm_sAE_pmAI09BufferingF0OyxsAE_p__GtsAE_pRs_rlFZ", "6.3", "a report does not name it"},
    {"$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_SSAHSus6UInt32VtF", "6.3", "a report about a crash does not have it"},
    {"$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_A2HSus6UInt32VtF", "6.3", "a report about a crash does not have it"},
    // End of the process, and XCTest
    {"exit", "6.3", "the tests end early"},
    {"quick_exit", "6.3", "as `exit`"},
    {"_exit", "6.3", "as `exit`"},
    {"_Exit", "6.3", "as `exit`"},
    {"$s6XCTest0A4CaseC13recordFailure15withDescription6inFile6atLine8expectedySS_SSSiSbtF", "6.3", "`explored` fails, since XCTest would record the failures of each run"},
    // Named, and otherwise unchanged
    {"thrd_create", "6.3", "it is not named"},
    {"timer_create", "6.3", "it is not named"},
    {"pthread_create", "6.3", "it is not named, and its work for the main queue runs in real time, in the shell never"},
    {"dispatch_read", "6.3", "it is not named"},
    {"dispatch_write", "6.3", "it is not named"},
    {"dispatch_io_read", "6.3", "it is not named"},
    {"dispatch_io_write", "6.3", "it is not named"},
};
enum { COUNT = sizeof table / sizeof table[0] };

#if defined(REHEARSE_UNKNOWN_TOOLCHAIN)
// Package.swift defines this for a toolchain that is newer than the tested ones.
#warning "This toolchain is newer than Swift 6.3, with which Rehearse was tested. If a function of docs/interposed.md is missing, a part of ordinary Swift stays in real time: clocks; queues, groups and work items of Dispatch; timers and run loops; sleeps, conditions and locks; random numbers; scheduling points. The program names it."
static const bool is_known = false;
#else
static const bool is_known = true;
#endif

const struct cvt_replaced *cvt_replaced_functions(int *count) {
  *count = COUNT;
  return table;
}

#if defined(__linux__)
// The names in an environment variable count as missing.
static const char *simulated(void) { return getenv("REHEARSE_MISSING"); }

static bool is_in_list(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at && *at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
    if (!strncmp(at, name, length) && (!at[length] || at[length] == ',')) return true;
  }
  return false;
}

// A function that a library no longer has is replaced by another one, which its callers use. A function that the C library
// lacks has no callers. Each prefix has a function that shows whether the library is loaded, and shared.
static bool is_missing(const char *name) {
  static const char *const libraries[][2] = {
      {"$s6XCTest", "$s6XCTest0A4CaseCMa"}, {"dispatch_", "dispatch_queue_create"},
      {"CF", "CFRetain"},                   {"_CF", "CFRetain"},
      {"swift_", "swift_retain"},           {"$s", "swift_retain"},
  };
  if (is_in_list(simulated(), name)) return true;
  for (size_t index = 0; index < sizeof libraries / sizeof libraries[0]; index++) {
    if (strncmp(name, libraries[index][0], strlen(libraries[index][0]))) continue;
    return dlsym(RTLD_NEXT, libraries[index][1]) && !dlsym(RTLD_NEXT, name);
  }
  return false;
}

bool cvt_may_lack_functions(void) { return !is_known || simulated(); }

const struct cvt_replaced *cvt_missing_function(int *place) {
  if (!cvt_may_lack_functions()) return NULL;
  while (*place < COUNT) {
    const struct cvt_replaced *found = &table[(*place)++];
    if (is_missing(found->name)) return found;
  }
  return NULL;
}

bool cvt_real_dispatch_is_named, cvt_lacks_async;
__attribute__((constructor)) static void begin(void) {
  cvt_real_dispatch_is_named = cvt_may_lack_functions();
  cvt_lacks_async = is_in_list(simulated(), "dispatch_async");
}
#else
bool cvt_may_lack_functions(void) { return false; }
const struct cvt_replaced *cvt_missing_function(int *place) {
  (void)place;
  return NULL;
}
#endif
