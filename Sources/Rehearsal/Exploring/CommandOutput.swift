import Staging

/// The output lines of a command with their instants, and their order in the signature of a behaviour.
package struct CommandOutput: Sendable {
  /// The lines in the order of printing.
  package private(set) var all: [String] = []
  private var kinds: [SessionOutput.LineKind] = []
  /// The first line of each instant; every line if the instants are unknown.
  private var starts: [Int] = []
  /// The first lines of other commands: scheduled ones, or the one that continues after them.
  private var turns: Set<Int> = []
  private var last: (instant: StageInstant?, turn: Int)?

  init() {}

  /// Creates the output from lines whose instants are unknown. Their order is part of the
  /// signature.
  init(_ lines: [String]) {
    all = lines
    kinds = lines.map { _ in .text }
    starts = Array(lines.indices)
  }

  /// - Parameters:
  ///   - line: the text.
  ///   - kind: the kind of the line.
  ///   - now: the instant.
  ///   - turn: a number that differs if another command prints.
  mutating func add(
    _ line: String,
    _ kind: SessionOutput.LineKind = .text,
    at now: StageInstant?,
    turn: Int = 0
  ) {
    if last == nil || last?.instant != now { starts.append(all.count) }
    if last?.turn != turn { turns.insert(all.count) }
    last = (now, turn)
    all.append(line)
    kinds.append(kind)
  }

  /// The lines for the behaviour's signature: the lines of each instant in sorted order.
  ///
  /// Two changes of members at one instant are not distinguishable from the same changes in the
  /// other order. Each event
  /// line has both states, so orders that matter differ. Other lines of one command stay together.
  var counted: [String] {
    zip(starts, starts.dropFirst() + [all.count]).flatMap { start, end in
      end - start > 1
        ? inOneOrder(start..<end) : Array(all[start..<end])
    }
  }

  private func inOneOrder(_ lines: Range<Int>) -> [String] {
    if kinds[lines].allSatisfy({ $0 == .event }) { return all[lines].sorted() }
    var blocks: [ArraySlice<String>] = []
    var start = lines.lowerBound
    for index in lines.dropFirst() where beginsBlock(index) {
      blocks.append(all[start..<index])
      start = index
    }
    blocks.append(all[start..<lines.upperBound])
    return blocks.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
  }

  /// Whether a line that is not the first one does not belong to the line before it.
  private func beginsBlock(_ index: Int) -> Bool {
    turns.contains(index) || kinds[index] == .event || kinds[index] == .diagnostic
      || kinds[index - 1] == .event
  }

  /// The remarks about the command.
  var notes: [String] { zip(all, kinds).filter { $0.1 == .note }.map(\.0) }
}
