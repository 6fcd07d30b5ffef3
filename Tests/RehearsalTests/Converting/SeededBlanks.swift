@testable import Harness
@testable import Rehearsal
@testable import Script

/// Superfluous blanks, the same for each seed.
struct SeededBlanks {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next(below bound: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % bound
  }

  /// Returns a command with more blanks between its words and at its end. A command that cannot be
  /// parsed is returned unchanged.
  mutating func careless(_ command: String) -> String {
    var parser = Parser(command, table: ShellCommands.table, marking: true)
    guard !parser.isAtEnd, (try? parser.command()) != nil else { return command }
    var bytes = Array(command.utf8)
    for gap in parser.gaps.reversed() where bytes[gap].allSatisfy({ $0 == 0x20 }) {
      bytes.insert(
        contentsOf: Array(repeating: 0x20, count: Int(next(below: 4))),
        at: gap.lowerBound
      )
    }
    return String(decoding: bytes, as: UTF8.self)
      + String(repeating: " ", count: Int(1 + next(below: 3)))
  }
}

extension Transcript {
  /// Returns the file with its commands replaced, each by one with the same number of lines, and
  /// with carriage returns.
  func rewritten(_ change: (String) -> String) -> [UInt8] {
    var texts: [Int: String] = [:]
    for block in blocks {
      let isEchoed = expected(block).contains { $0.text.starts(with: "error: ".utf8) }
      let text = isEchoed ? command(block) : change(command(block))
      for (offset, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        texts[block.command + offset] = (offset == 0 ? "> " : ". ") + line
      }
    }
    var result: [UInt8] = []
    for (index, line) in lines.enumerated() {
      if line.kind == .fixture { return result + bytes[line.start...] }
      result += texts[index].map { Array($0.utf8) } ?? Array(bytes[line.start..<line.end])
      result += Array("\r\n".utf8)
    }
    return result
  }
}
