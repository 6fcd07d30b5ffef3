import Dispatch
package import Harness
import LibC
import Synchronization

/// A minimal performer with every kind of misbehaviour that a runner must handle.
package final class FakePerformer: CommandPerformer {
  private let fixtures: Fixtures
  private let folder: String

  package init(_ fixtures: Fixtures, _ folder: String) {
    self.fixtures = fixtures
    self.folder = folder
  }

  package func finish() {}

  package func perform(_ command: String, output: (String) -> Void) -> Bool {
    let space = command.utf8.firstIndex(of: UInt8(ascii: " ")) ?? command.endIndex
    let verb = String(command[..<space])
    let rest = String(command[space...].dropFirst())
    switch verb {
    case "echo": output(rest)
    case "lines":
      for line in rest.utf8.split(separator: UInt8(ascii: ",")) { output(String(Substring(line))) }
    case "shout": for line in command.split(separator: "\n") { output("got \(line)") }
    case "nothing": break
    case "folder": output(folder)
    case "cat":
      output(fixtures.bytes(named: rest).map { String(decoding: $0, as: UTF8.self) } ?? "none")
    case "quit": return false
    default: misbehave(verb, rest, output)
    }
    return true
  }

  /// The count of this process. A correct performer keeps no state between transcripts.
  private static let counter = Mutex(0)

  /// Allocates and uses memory without a limit.
  private func hoard() {
    var all: [[UInt8]] = []
    while true {
      all.append(Array(repeating: UInt8(truncatingIfNeeded: all.count), count: 1 << 20))
    }
  }

  /// Calls itself until the stack overflows.
  @inline(never)
  private static func depth(_ number: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { bytes in
      bytes[number % 256] = 1
      return depth(number + 1) + Int(bytes[0])
    }
  }

  private func misbehave(_ verb: String, _ rest: String, _ output: (String) -> Void) {
    switch verb {
    case "trap":
      // With 'once' only if the file can be created in the current folder.
      if rest == "once" {
        let file = open("trapped", O_CREAT | O_EXCL, 0o600)
        if file < 0 { return }
        close(file)
      }
      fatalError("on purpose")
    case "abort":
      if !rest.isEmpty { output(rest) }
      abort()
    case "save":
      // Like an editor that saves a file while the process runs.
      let file = open(rest, O_WRONLY | O_APPEND)
      _ = write(file, "# Saved.\n", 9)
      abort()
    case "exit": exit(Int32(rest) ?? 0)
    case "hang": while true { _ = sched_yield() }
    case "flood": while true { output("more and more and more and more") }
    case "much":
      let count = Int(rest)
      for _ in 0..<(count ?? 100_000) { output("more and more and more and more") }
      if count != nil { fatalError("on purpose") }
    case "clock":
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      output("\(time.tv_sec).\(time.tv_nsec)")
    case "print":
      print(rest)
    case "count":
      Self.counter.withLock { $0 += 1 }
      output("\(Self.counter.withLock { $0 })")
    case "tally": output("\(Tally.next())")
    case "main":
      // Like an assertion of a view model.
      dispatchPrecondition(condition: .onQueue(.main))
      output("main")
    case "nest":
      // Like a session with the command 'test'.
      let runner = TranscriptRunner(options: .init()) { FakePerformer($0, $1) }
      let text = Array("> \(rest)\n".utf8)
      _ = runner.run(contents: [("nested.transcript", text)]) { report in
        for line in report.split(separator: "\n") { output(String(line)) }
      }
    case "hoard": hoard()
    case "swallow": UnsafeMutableRawPointer.allocate(byteCount: 1 << 45, alignment: 16).deallocate()
    case "overflow": output("\(Self.depth(1))")
    case "kill": kill(getpid(), SIGKILL)
    case "block": while true { pause() }
    case "interrupt":
      // Like Ctrl-C, which all processes of the group receive.
      kill(getpid(), SIGINT)
      kill(getppid(), SIGINT)
      while true { pause() }
    default: output("error: no command is called '\(verb)'")
    }
  }
}
