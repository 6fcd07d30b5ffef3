import Rehearsal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A temporary folder of transcripts that pass.
struct TranscriptFolder {
  let path: String
  let count: Int

  /// Plays and writes so many transcripts; nil when the disk does not take them.
  init?(count: Int) {
    var template = Array("/tmp/rehearse-bench.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.count = count
    for index in 0..<count {
      guard let file = fopen(filePath(index), "w") else { return nil }
      defer { fclose(file) }
      fputs(Self.transcript(index), file)
    }
  }

  func remove() {
    for index in 0..<count { unlink(filePath(index)) }
    rmdir(path)
  }

  func filePath(_ index: Int) -> String { "\(path)/\(index).transcript" }

  /// The six commands of a transcript: a load that is cancelled, or replaced, in its middle.
  static func commands(_ index: Int) -> [String] {
    let isReplaced = index.isMultiple(of: 2)
    return [
      "loadable profile: String",
      "load profile \"old \(index)\" after 3s",
      "wait \(1 + index % 2)s",
      isReplaced ? "load profile \"new \(index)\" after 1s" : "cancel profile",
      "settle",
      isReplaced ? "expect profile loaded \"new \(index)\"" : "expect profile absent",
    ]
  }

  /// Plays the commands in a session of their own; `output` takes its lines.
  static func play(_ commands: [String], output: @escaping @MainActor (String) -> Void) {
    let host = SessionHost(files: MemoryFiles(), keepsLog: false, output: output)
    for command in commands {
      host.perform(command)
      precondition(!host.hasFailed, "The commands of a benchmark succeed.")
    }
    host.end()
  }

  private static func transcript(_ index: Int) -> String {
    let text = Text("# A load that is disturbed, for the benchmark.\n")
    let output = { @MainActor (line: String) in text.value += "  \(line)\n" }
    let host = SessionHost(files: MemoryFiles(), keepsLog: false, output: output)
    for command in commands(index) {
      text.value += TranscriptText.command(command)
      host.perform(command)
    }
    host.end()
    return text.value
  }
}

/// A text under way. Only the thread that plays a session has it.
private final class Text: @unchecked Sendable {
  var value: String

  init(_ value: String) {
    self.value = value
  }
}
