import Script
import Staging

/// What a command prints, and at which instants.
package struct PassageLines: Sendable {
  /// All of it, in the order in which it was printed.
  package private(set) var all: [String] = []
  /// Where another instant begins.
  private var starts: [Int] = []
  private var instant: StageInstant?

  init() {}

  /// Lines of which nobody knows when they were printed: in the order in which they are here.
  init(_ lines: [String]) {
    all = lines
    starts = Array(lines.indices)
  }

  mutating func add(_ line: String, at now: StageInstant?) {
    if now != instant || starts.isEmpty {
      starts.append(all.count)
      instant = now
    }
    all.append(line)
  }

  /// What counts of it: of what happened at one instant, in one order.
  ///
  /// That two members changed at the same instant nobody can tell apart from that they did so in the other
  /// order. Each line says from which state to which, so that orders that do matter still differ. What a command
  /// shows in several lines stays together.
  var counted: [String] {
    let ends = starts.dropFirst() + [all.count]
    return zip(starts, ends).flatMap { start, end in
      end - start > 1 ? Self.inOneOrder(all[start..<end]) : Array(all[start..<end])
    }
  }

  /// What it says of what went wrong, without what happened meanwhile; all of it where nothing did.
  var problem: [String] {
    let told = all.drop { !$0.hasPrefix("error: ") }.filter { !Self.isWhole($0) }
    return told.isEmpty ? all : told
  }

  private static func inOneOrder(_ lines: ArraySlice<String>) -> [String] {
    if lines.allSatisfy(isWhole) { return lines.sorted() }
    var blocks: [ArraySlice<String>] = []
    var start = lines.startIndex
    for index in lines.indices.dropFirst()
    where isWhole(lines[index]) || isWhole(lines[index - 1]) || lines[index].hasPrefix("error: ") {
      blocks.append(lines[start..<index])
      start = index
    }
    blocks.append(lines[start...])
    return blocks.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
  }

  /// Whether a line says all there is to say: it has a time in front of it, or only says that something holds.
  private static func isWhole(_ line: String) -> Bool {
    if line == "ok" { return true }
    guard let word = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).first,
      let first = word.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
    else { return false }
    return word.last == UInt8(ascii: "s") || word.contains(UInt8(ascii: ":"))
  }
}
