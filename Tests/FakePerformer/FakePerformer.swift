package import Harness

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A performer small enough to know by heart, with every way to misbehave that a runner meets.
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

  private func misbehave(_ verb: String, _ rest: String, _ output: (String) -> Void) {
    switch verb {
    case "trap": fatalError("on purpose")
    case "abort":
      if !rest.isEmpty { output(rest) }
      abort()
    case "exit": exit(Int32(rest) ?? 0)
    case "hang": while true { _ = sched_yield() }
    case "flood": while true { output("more and more and more and more") }
    case "much": for _ in 0..<100_000 { output("more and more and more and more") }
    case "clock":
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      output("\(time.tv_sec).\(time.tv_nsec)")
    case "print":
      print(rest)
    default: output("error: no command is called '\(verb)'")
    }
  }
}
