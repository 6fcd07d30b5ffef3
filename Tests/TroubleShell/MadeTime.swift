import Foundation
import RehearsalKit

/// Real time that a test sets: the milliseconds in a file that the environment names.
enum MadeTime {
  /// Sets the time, for all processes of a test.
  static func pass(_ milliseconds: Int) {
    guard let path = ProcessInfo.processInfo.environment["MADE_TIME"] else { return }
    try? "\(milliseconds)".write(toFile: path, atomically: true, encoding: .utf8)
  }

  static func begin() {
    guard let path = ProcessInfo.processInfo.environment["MADE_TIME"] else { return }
    RealTime.source = {
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return .milliseconds(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0)
    }
  }
}

extension RehearsalProgram {
  /// Calls the default `main`, for a program with its own `main`.
  static func performAsUsual() { main() }
}
