import Foundation
import Synchronization

/// A headless Chromium, started for each page and ended after a time limit.
struct Browser {
  /// The path of Chromium, nil if it is not installed.
  static let executable: String? = {
    let names = [
      "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome",
    ]
    let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
    return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first(where: FileManager.default.isExecutableFile)
  }()

  enum Failure: Error {
    case missing(hint: String)
    case stopped(after: Duration)
    case ended(status: Int32, errors: String)
  }

  /// Loads a file and runs the page for some seconds of its virtual time.
  ///
  /// - Returns: the document at the end.
  func load(_ file: URL, fragment: String = "", dark: Bool = false) throws -> String {
    guard let executable = Self.executable else {
      throw Failure.missing(hint: "apt-get install chromium-headless-shell")
    }
    let folder = file.deletingLastPathComponent().appending(path: "profile")
    return try Self.run(
      executable,
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
        "--disable-background-networking", "--window-size=1200,700",
        "--blink-settings=preferredColorScheme=\(dark ? 0 : 1)", "--virtual-time-budget=10000",
        "--user-data-dir=\(folder.path)", "--dump-dom", file.absoluteString + fragment,
      ]
    )
  }

  private static func run(_ executable: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let limit = Duration.seconds(90)
    let isLate = Atomic(false)
    let watch = DispatchWorkItem { [pid = process.processIdentifier] in
      isLate.store(true, ordering: .relaxed)
      kill(pid, SIGKILL)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 90, execute: watch)
    let complaints = Mutex(Data())
    let reader = Thread {
      complaints.withLock { $0 = errors.fileHandleForReading.readDataToEndOfFile() }
    }
    reader.start()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    watch.cancel()
    if isLate.load(ordering: .relaxed) { throw Failure.stopped(after: limit) }
    guard process.terminationStatus == 0 else {
      let words = complaints.withLock { String(decoding: $0, as: UTF8.self) }
      throw Failure.ended(status: process.terminationStatus, errors: words)
    }
    return text
  }
}
