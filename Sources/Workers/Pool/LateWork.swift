internal import CForking
import LibC

/// What a worker says about its work when it is ended at a limit, although the work keeps its thread.
package enum LateWork {
  /// Returns what the work does now, as lines; nil if there is nothing to say. It is called in a signal handler of the
  /// worker, which ends afterwards, so it may crash or never return.
  // A worker has one thread.
  package nonisolated(unsafe) static var activity: (() -> [String])?

  /// Sends the lines to the parent process.
  private nonisolated(unsafe) static var send: (([String]) -> Void)?

  /// The signal that asks for them. It is sent until the worker ends. No program expects it, and it ends one that does not
  /// handle it.
  static let question = SIGXCPU

  /// The number of questions so far.
  private nonisolated(unsafe) static var questions = 0
  /// The number of questions that the worker leaves unanswered while it is in the C library: the answer would wait for a
  /// lock that the interrupted code has, such as that of `malloc`. Code that waits for something stays there.
  private static let mostUnanswered = 10

  /// Answers the question from now on.
  static func answer(by send: @escaping ([String]) -> Void) {
    self.send = send
    cfk_find_libc()
    var action = sigaction()
    #if canImport(Darwin)
    action.__sigaction_u.__sa_sigaction = handler
    #else
    action.__sigaction_handler.sa_sigaction = handler
    #endif
    action.sa_flags = SA_SIGINFO | SA_RESTART
    sigaction(question, &action, nil)
    // A program that was started by a thread which blocks signals, such as one of Dispatch, blocks them, too.
    var questions = questionSet
    pthread_sigmask(SIG_UNBLOCK, &questions, nil)
  }

  private static var questionSet: sigset_t {
    var questions = sigset_t()
    sigemptyset(&questions)
    sigaddset(&questions, question)
    return questions
  }

  /// Starts a process that gets no question before it calls `answer(by:)`: the question would end it, or call the handler
  /// of this process.
  static func holdingQuestions(
    _ start: () throws(SystemError) -> ForkedProcess
  ) throws(SystemError) -> ForkedProcess {
    var (questions, before) = (questionSet, sigset_t())
    pthread_sigmask(SIG_BLOCK, &questions, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try start()
  }

  private static let handler:
    @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
      _,
      _,
      context in
      LateWork.questions += 1
      if LateWork.questions < LateWork.mostUnanswered, cfk_interrupts_libc(context) != 0 { return }
      LateWork.send?(LateWork.activity?() ?? [])
      _exit(0)
    }
}
