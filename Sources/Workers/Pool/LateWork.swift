import LibC

/// What a worker says about its work when it is ended at a limit, although the work keeps its thread.
package enum LateWork {
  /// Returns what the work does now, as lines; nil if there is nothing to say. It is called in a signal handler of the
  /// worker, which ends afterwards, so it may crash or never return.
  // A worker has one thread.
  package nonisolated(unsafe) static var activity: (() -> [String])?

  /// Sends the lines to the parent process.
  private nonisolated(unsafe) static var send: (([String]) -> Void)?

  /// The signal that asks for them. No program expects it, and it ends one that does not handle it.
  static let question = SIGXCPU

  /// Answers the question from now on.
  static func answer(by send: @escaping ([String]) -> Void) {
    self.send = send
    signal(question) { _ in
      LateWork.send?(LateWork.activity?() ?? [])
      _exit(0)
    }
  }
}
