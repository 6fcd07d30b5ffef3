import Foundation
import RehearsalKit

/// Real time as a test wants it: the milliseconds in a file that the environment names.
enum MadeTime {
  /// Sets the made time, for all processes of a test.
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
  /// The `main` that every program has, for one that has another as well.
  static func performAsUsual() { main() }
}
