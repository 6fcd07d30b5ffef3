extension Transcript {
  /// Says which commands were never performed, from one on; nil where there is none.
  func unreached(from block: Int) -> String? {
    guard blocks.indices.contains(block), let last = blocks.last else { return nil }
    let count = blocks.count - block
    let first = lineNumber(blocks[block].command)
    let end = lineNumber(max(last.end, last.commandEnd) - 1)
    let lines = first == end ? "line \(first)" : "lines \(first) to \(end)"
    return "never reached: \(count) \(count == 1 ? "command" : "commands"), \(lines)"
  }

  /// Says which commands stand below a line of the file, where the playing ended.
  func unreached(below line: Int) -> String? {
    let next = blocks.firstIndex { lineNumber($0.command) > line }
    return next.flatMap { unreached(from: $0) }
  }
}
