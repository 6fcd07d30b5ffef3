import CVirtualTime

/// The report about a crash of code on a stage: the function, its line, and the reason, as far as they are known.
package struct CrashReport: Sendable, Hashable, Codable {
  /// The functions of the tested code that ran, the innermost first, each once in a row.
  package let stack: [SourceFrame]
  /// The message that the runtime of Swift would have printed; nil if unknown.
  package let message: String?
  /// If the code resumed a continuation that was resumed before: the functions that resumed it first, the innermost first.
  package let firstResume: [SourceFrame]

  /// - Parameters:
  ///   - addresses: the addresses at which the functions of the thread would have continued, the innermost first.
  ///   - details: the result of `details` on that thread.
  package init(at addresses: [UInt], _ details: UnsafeRawPointer?) {
    // A function that calls itself at one place is named once.
    stack = StackFunction.frames(at: addresses).reduce(into: []) { stack, frame in
      if stack.last != frame { stack.append(frame) }
    }
    guard let failure = details?.assumingMemoryBound(to: cvt_failure.self).pointee else {
      (message, firstResume) = (nil, [])
      return
    }
    let text = withUnsafeBytes(of: failure.message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    // The message of a continuation ends with a line break.
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    message = line.isEmpty ? nil : line
    firstResume = StackFunction.frames(at: failure.first_resume.addresses)
  }

  /// Returns what is known of a failure of the calling thread. A signal handler may call it.
  package static let details: @convention(c) () -> UnsafeRawPointer? = {
    UnsafeRawPointer(cvt_current_failure())
  }

  /// The place and the message after `it crashed`; empty if both are unknown.
  package var text: String {
    (stack.first.map { ", in \($0)" } ?? "") + (message.map { ": \($0)" } ?? "")
  }

  /// The functions that called the one that crashed, and those that resumed its continuation first.
  package var lines: [String] {
    stack.dropFirst().map { "  called in \($0)" }
      + firstResume.enumerated().map { index, frame in
        index == 0 ? "the continuation was resumed before in \(frame)" : "  called in \(frame)"
      }
  }
}
