import CVirtualTime

/// Notes the lines of the tested code that the steps of a run perform, by breakpoints. In builds for debugging on Linux for
/// x86-64 only, and for one run of the process at a time.
package final class LineSteps {
  /// A line that a step has performed.
  package struct Line: Sendable, Hashable {
    package let function: String
    package let file: String
    package let number: Int
    /// Whether the function has no later line.
    package fileprivate(set) var isLast = false
  }

  /// The instructions at which a line begins, or continues, because a jump may lead there.
  private let lines: [UInt: Line]
  /// The lines of each step.
  private var steps: [[Line]] = []
  private var isOpen = false

  /// The maximum number of breakpoints, because each step sets all of them.
  private static let mostBreakpoints = 50_000

  /// Nil if lines cannot be noted.
  ///
  /// - Parameter addresses: code of the tested files.
  package init?(inFilesOf addresses: Set<UInt>) {
    guard Stage.isBuiltForDebugging else { return nil }
    let all = Array(addresses)
    let tested = zip(all, StackFunction.callers(at: all)).filter { $1.isTested }.map { $0.0 - 1 }
    lines = Self.lines(inFilesOf: tested.sorted())
    if lines.isEmpty || lines.count > Self.mostBreakpoints { return nil }
  }

  private static func lines(inFilesOf addresses: [UInt]) -> [UInt: Line] {
    let rows = LineRows()
    cvt_line_rows(addresses, addresses.count, Unmanaged.passUnretained(rows).toOpaque()) {
      guard let context = $0 else { return }
      Unmanaged<LineRows>.fromOpaque(context).takeUnretainedValue().places[$1] = $2
    }
    let starts = rows.places.keys.sorted()
    let functions = StackFunction.executableFunctions(at: starts)
    var lines: [UInt: Line] = [:]
    for (address, function) in zip(starts, functions) {
      guard let function, function.isTested, let title = function.title,
        let place = rows.places[address].flatMap(StackFunction.sourcePlace)
      else { continue }
      lines[address] = Line(function: title, file: place.file, number: place.line)
    }
    return withLastLines(lines)
  }

  private static func withLastLines(_ lines: [UInt: Line]) -> [UInt: Line] {
    struct Function: Hashable { let name, file: String }
    var last: [Function: Int] = [:]
    for line in lines.values {
      last[Function(name: line.function, file: line.file), default: 0].raise(to: line.number)
    }
    return lines.mapValues { line in
      var line = line
      line.isLast = last[Function(name: line.function, file: line.file)] == line.number
      return line
    }
  }

  /// Performs a run whose steps call `begin` and `end`.
  ///
  /// - Returns: the lines of each step, in order; nil if they are not known, such as those that another thread ran, too.
  package func lines(in run: () -> Void) -> [[Line]]? {
    let addresses = lines.keys.sorted()
    guard cvt_set_breakpoints(addresses, addresses.count) else { return nil }
    (steps, isOpen) = ([], false)
    run()
    // A run that crashed has not ended its last step.
    if isOpen { end() }
    return cvt_remove_breakpoints() ? steps : nil
  }

  /// Begins a step.
  package func begin() {
    if isOpen { end() }
    isOpen = true
    cvt_begin_hits()
  }

  /// Ends a step.
  package func end() {
    guard isOpen else { return }
    isOpen = false
    var hits: UnsafePointer<UInt>?
    let count = cvt_end_hits(&hits)
    var lines: [Line] = []
    for hit in UnsafeBufferPointer(start: hits, count: count) {
      if let line = self.lines[hit], line != lines.last { lines.append(line) }
    }
    steps.append(lines)
  }
}

private final class LineRows {
  var places: [UInt: cvt_source_place] = [:]
}

extension Int {
  fileprivate mutating func raise(to other: Int) { self = Swift.max(self, other) }
}
