#define _GNU_SOURCE
#include "CVirtualTime.h"

#include <dlfcn.h>
#include <stddef.h>

#if defined(__linux__)
// Notes calls of Swift's concurrency library that explain why a task waits, or why code fails. The definitions below come
// before those of the shared runtime, as in RuntimeCalls.c.
#define SWIFT __attribute__((swiftcall))
#define WEAK __attribute__((weak))
#define SELF __attribute__((swift_context))
#define RESULT __attribute__((swift_indirect_result))

// The number and the types of the parameters do not matter: all registers that may have parameters are passed on.
#define PARAMETERS void *a, void *b, void *c, void *d, void *e, void *f, SELF void *self
#define ARGUMENTS a, b, c, d, e, f, self

// MARK: Continuations

// The continuation is passed by reference. Its only field is its object.
#define RESUMING(function, symbol)                                               \
  SWIFT WEAK void function(PARAMETERS) __asm__(symbol);                          \
  SWIFT WEAK void function(PARAMETERS) {                                         \
    static SWIFT void (*next)(PARAMETERS);                                       \
    if (!next) next = (SWIFT void (*)(PARAMETERS))dlsym(RTLD_NEXT, symbol);      \
    if (cvt_thread.history) cvt_note_resume(*(void **)self, __builtin_frame_address(0)); \
    next(ARGUMENTS);                                                             \
  }

RESUMING(resume_returning, "$sScC6resume9returningyxn_tF")
RESUMING(resume_throwing, "$sScC6resume8throwingyq_n_tF")

// MARK: Streams

// A stream is the only result, which the caller has the memory for.
#define MAKING_STREAM(function, symbol)                                                \
  SWIFT WEAK void function(RESULT void *result, PARAMETERS) __asm__(symbol);           \
  SWIFT WEAK void function(RESULT void *result, PARAMETERS) {                          \
    static SWIFT void (*next)(RESULT void *result, PARAMETERS);                        \
    if (!next) next = (SWIFT void (*)(RESULT void *, PARAMETERS))dlsym(RTLD_NEXT, symbol); \
    next(result, ARGUMENTS);                                                           \
    if (cvt_thread.history) cvt_note_stream(*(void **)result, __builtin_frame_address(0)); \
  }

// A stream is the first of two results, which the parameters begin with.
#define MAKING_STREAM_AND_CONTINUATION(function, symbol)                         \
  SWIFT WEAK void function(PARAMETERS) __asm__(symbol);                          \
  SWIFT WEAK void function(PARAMETERS) {                                         \
    static SWIFT void (*next)(PARAMETERS);                                       \
    if (!next) next = (SWIFT void (*)(PARAMETERS))dlsym(RTLD_NEXT, symbol);      \
    next(ARGUMENTS);                                                             \
    if (cvt_thread.history) cvt_note_stream(*(void **)a, __builtin_frame_address(0)); \
  }

MAKING_STREAM(make_stream, "$sScS_15bufferingPolicy_ScSyxGxm_ScS12ContinuationV09BufferingB0Oyx__GyADyx_GXEtcfC")
MAKING_STREAM(
    make_throwing_stream,
    "$sScs_15bufferingPolicy_Scsyxs5Error_pGxm_Scs12ContinuationV09BufferingB0OyxsAB_p__GyAEyxsAB_p_GXEtcsAB_pRs_rlufC")
MAKING_STREAM_AND_CONTINUATION(
    make_stream_and_continuation,
    "$sScS10makeStream2of15bufferingPolicyScSyxG6stream_ScS12ContinuationVyx_G12continuationtxm_AG09BufferingE0Oyx__GtFZ")
MAKING_STREAM_AND_CONTINUATION(
    make_throwing_stream_and_continuation,
    "$sScs10makeStream2of8throwing15bufferingPolicyScsyxs5Error_pG6stream_Scs12ContinuationVyxsAE_p_G12continuationtxm_sAE_pmAI09BufferingF0OyxsAE_p__GtsAE_pRs_rlFZ")

// MARK: Actors

extern SWIFT void __real_swift_defaultActor_initialize(void *actor) WEAK;

SWIFT WEAK void swift_defaultActor_initialize(void *actor);
SWIFT WEAK void swift_defaultActor_initialize(void *actor) {
  static SWIFT void (*next)(void *);
  if (!next) next = (SWIFT void (*)(void *))dlsym(RTLD_NEXT, "swift_defaultActor_initialize");
  next(actor);
  if (cvt_thread.history) cvt_note_actor(actor, __builtin_frame_address(0));
}

SWIFT void __wrap_swift_defaultActor_initialize(void *actor);
SWIFT void __wrap_swift_defaultActor_initialize(void *actor) {
  __real_swift_defaultActor_initialize(actor);
  if (cvt_thread.history) cvt_note_actor(actor, __builtin_frame_address(0));
}

// MARK: Groups

extern SWIFT bool __real_swift_taskGroup_addPending(void *group, bool unconditionally) WEAK;

static bool noted(bool is_added, const void *frame) {
  if (!is_added && cvt_thread.history) cvt_note_refusal(frame);
  return is_added;
}

SWIFT WEAK bool swift_taskGroup_addPending(void *group, bool unconditionally);
SWIFT WEAK bool swift_taskGroup_addPending(void *group, bool unconditionally) {
  static SWIFT bool (*next)(void *, bool);
  if (!next) next = (SWIFT bool (*)(void *, bool))dlsym(RTLD_NEXT, "swift_taskGroup_addPending");
  return noted(next(group, unconditionally), __builtin_frame_address(0));
}

SWIFT bool __wrap_swift_taskGroup_addPending(void *group, bool unconditionally);
SWIFT bool __wrap_swift_taskGroup_addPending(void *group, bool unconditionally) {
  return noted(__real_swift_taskGroup_addPending(group, unconditionally), __builtin_frame_address(0));
}

// MARK: Failures

// The last two parameters of each function are the line and flags; those before are the texts, of two or three words each.
#define FAILING(function, symbol, parameters, arguments, ...)                           \
  SWIFT WEAK void function parameters __asm__(symbol);                                  \
  SWIFT WEAK void function parameters {                                                 \
    static SWIFT void (*next) parameters;                                               \
    if (!next) next = (SWIFT void (*) parameters)dlsym(RTLD_NEXT, symbol);              \
    if (cvt_thread.stage) __VA_ARGS__;                                                  \
    __attribute__((musttail)) return next arguments;                                    \
  }

FAILING(
    fail_with_text, "$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_SSAHSus6UInt32VtF",
    (uint64_t prefix, uint64_t prefix_size, uint8_t prefix_flags, uint64_t text, void *text_object, uint64_t file,
     uint64_t file_size, uint8_t file_flags, uint64_t line, uint32_t flags),
    (prefix, prefix_size, prefix_flags, text, text_object, file, file_size, file_flags, line, flags),
    cvt_stage_fails(text, text_object))
FAILING(
    fail_with_static_text, "$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_A2HSus6UInt32VtF",
    (uint64_t prefix, uint64_t prefix_size, uint8_t prefix_flags, uint64_t text, uint64_t text_size,
     uint8_t text_flags, uint64_t file, uint64_t file_size, uint8_t file_flags, uint64_t line, uint32_t flags),
    (prefix, prefix_size, prefix_flags, text, text_size, text_flags, file, file_size, file_flags, line, flags),
    // The first flag says that the text is one character, which is in its first word.
    if (!(text_flags & 1)) cvt_note_failure((const char *)text, text_size))
#endif
