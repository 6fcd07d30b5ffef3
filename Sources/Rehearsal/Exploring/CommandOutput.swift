import Script
import Staging

/// What a command prints, and at which instants.
package struct CommandOutput: Sendable {
  /// All of it, in the order in which it was printed.
  package private(set) var all: [String] = []
  /// Where another instant begins; each line, where its place counts.
  private var starts: [Int] = []
  /// Where somebody else prints: a command that was scheduled, or whoever comes behind it.
  private var cuts: Set<Int> = []
  private var last: (instant: StageInstant?, turn: Int)?

  init() {}

  /// Lines of which nobody knows when they were printed: in the order in which they are here.
  init(_ lines: [String]) {
    all = lines
    starts = Array(lines.indices)
  }

  /// - Parameters:
  ///   - line: what is printed.
  ///   - now: when.
  ///   - turn: a number that is another where another command prints.
  mutating func add(_ line: String, at now: StageInstant?, turn: Int = 0) {
    if last == nil || last?.instant != now { starts.append(all.count) }
    if last?.turn != turn { cuts.insert(all.count) }
    last = (now, turn)
    all.append(line)
  }

  /// What counts of it: of what happened at one instant, in one order.
  ///
  /// That two members changed at the same instant nobody can tell apart from that they did so in the other
  /// order. Each line says from which state to which, so that orders that do matter still differ. Lines of one
  /// command that have no time in front of them stay together.
  var counted: [String] {
    zip(starts, starts.dropFirst() + [all.count]).flatMap { start, end in
      end - start > 1
        ? inOneOrder(start..<end) : Array(all[start..<end])
    }
  }

  /// What it says of what went wrong first, without what happened meanwhile; nothing where nothing did.
  var problem: [String] {
    let first = all.firstIndex { line in
      line.hasPrefix("error: ") || line.contains(": error: ") && !Self.hasTime(line)
    }
    guard let first else { return [] }
    let end = all.indices.dropFirst(first + 1).first { beginsBlock($0) } ?? all.count
    return Array(all[first..<end])
  }

  private func inOneOrder(_ lines: Range<Int>) -> [String] {
    if all[lines].allSatisfy(Self.hasTime) { return all[lines].sorted() }
    var blocks: [ArraySlice<String>] = []
    var start = lines.lowerBound
    for index in lines.dropFirst() where beginsBlock(index) {
      blocks.append(all[start..<index])
      start = index
    }
    blocks.append(all[start..<lines.upperBound])
    return blocks.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
  }

  /// Whether a line, which is not the first, is not one with the line before it.
  private func beginsBlock(_ index: Int) -> Bool {
    cuts.contains(index) || Self.hasTime(all[index]) || Self.hasTime(all[index - 1])
      || all[index].hasPrefix("error: ")
  }

  /// Whether a line has a time in front of it, however times are written.
  private static func hasTime(_ line: String) -> Bool {
    guard let word = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).first,
      let first = word.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
    else { return false }
    return word.last == UInt8(ascii: "s") || word.contains(UInt8(ascii: ":"))
  }
}
