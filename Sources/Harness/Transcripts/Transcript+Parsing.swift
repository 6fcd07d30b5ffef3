import LibC
import RehearsalBase

/// Decides the kind of each line of a transcript and which lines belong to a command; finds merge conflicts and
/// carriage returns.
extension Transcript {
  /// Splits a part of the file into lines and the lines into blocks.
  mutating func parse(_ part: Range<Int>) {
    lines.reserveCapacity(part.count / 24 + 4)
    bytes.withUnsafeBufferPointer { buffer in
      var start = part.lowerBound
      if fence == 0, part.lowerBound == 0, buffer.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
      if fence == 0, endsLinesInCarriageReturns(buffer[part]) {
        lines.append(TranscriptLine(start: start, end: part.upperBound, kind: .stray))
        return strays.append((firstLine, .carriageReturns))
      }
      var inFixtures = false
      var ends = LineSplitter(buffer, endsAtReturns: fence > 0)
      while start < part.upperBound {
        let (end, next, hasReturn) = ends.line(from: start, to: part.upperBound)
        addLine(buffer, start, end, &inFixtures)
        // A fixture may contain anything.
        if hasReturn, fence == 0, !inFixtures { markReturn() }
        start = next
      }
    }
    if fence == 0, blocks.isEmpty, strays.allSatisfy({ $0.problem == .unindented }),
      !lines.contains(where: { $0.kind == .fixture }), let first = strays.first
    {
      strays = [(first.line, .script)]
    }
    if strays.contains(where: { $0.problem == .conflictMarker }) || hasMarkerInFixtures {
      joinConflicts()
    }
    if lines.contains(where: { $0.kind == .fixture }) { collectFixtures(part.upperBound) }
  }

  private func endsLinesInCarriageReturns(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    !text.contains(.lineFeed) && text.dropLast().contains(.carriageReturn)
  }

  private mutating func addLine(
    _ buffer: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    _ end: Int,
    _ inFixtures: inout Bool
  ) {
    var start = start
    let limit = min(start + indentation, end)
    while start < limit, buffer[start] == .space { start += 1 }
    var line = TranscriptLine(start: start, end: end, kind: .fixture)
    inFixtures = inFixtures || fixtureName(line, in: buffer) != nil
    if !inFixtures {
      let (kind, problem) = kind(of: buffer, start, end)
      line.kind = kind
      if let problem { strays.append((lineNumber(lines.count), problem)) }
    }
    lines.append(line)
    extendBlocks(line.kind)
  }

  /// Marks the newest line as one that contains a carriage return.
  private mutating func markReturn() {
    let number = lineNumber(lines.count - 1)
    if strays.last?.line == number { strays.removeLast() }
    strays.append((number, .lookalike(.carriageReturn)))
  }

  /// Adds the newest line to the last block, or to a new one.
  private mutating func extendBlocks(_ kind: TranscriptLine.Kind) {
    let count = lines.count
    switch kind {
    case .command:
      blocks.append(TranscriptBlock(command: count - 1, commandEnd: count, end: count))
    case .continuation:
      if let last = blocks.indices.last, blocks[last].commandEnd == count - 1 {
        blocks[last].commandEnd = count
        blocks[last].end = count
      } else {
        strays.append((lineNumber(count - 1), .continuationAlone))
      }
    case .output:
      if let last = blocks.indices.last {
        blocks[last].end = count
      } else {
        strays.append((lineNumber(count - 1), .outputAlone))
      }
    case .blank, .comment, .fixture, .stray: break
    }
  }

  /// Returns the kind of a line by its first characters; a stray line has the reason.
  private func kind(
    of buffer: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    _ end: Int
  ) -> (TranscriptLine.Kind, StrayLine?) {
    guard start < end else { return (.blank, nil) }
    let first = buffer[start]
    let second = start + 1 < end ? buffer[start + 1] : nil
    if first == .space, second == .space, start + 2 < end, !buffer[start + 2].isBlank {
      return (.output, nil)
    }
    if buffer[start..<end].allSatisfy(\.isBlank) { return (.blank, nil) }
    switch first {
    case .space where second == .space: return (.output, nil)
    case UInt8(ascii: "#"):
      let line = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[start..<end])
      if line.beginsSwiftExpectation { return (.stray, .swiftExpectation) }
      let lookalike = LineEndLookalike.first(in: buffer, within: start..<end)?.lookalike
      return (.comment, lookalike.map { .lookalike($0) })
    case UInt8(ascii: ">") where second == .space || second == nil: return (.command, nil)
    case UInt8(ascii: ".") where second == .space || second == nil: return (.continuation, nil)
    default: return (.stray, problem(of: buffer[start..<end]))
    }
  }

  private func problem(of line: Slice<UnsafeBufferPointer<UInt8>>) -> StrayLine {
    let run = line.prefix { $0 == line.first }.count
    switch line.first {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "|"):
      let rest = line.dropFirst(run)
      if run >= 7, rest.first?.isBlank != false { return .conflictMarker }
      return line.first == UInt8(ascii: ">") ? .joinedPrompt : .unindented
    case UInt8(ascii: "\t"): return .indentedByTab
    case UInt8(ascii: " "):
      return line.dropFirst().first == UInt8(ascii: "\t") ? .indentedByTab : .indentedByOne
    case UInt8(ascii: "."): return run >= 3 ? .unindented : .joinedPrompt
    case UInt8(ascii: "`"), UInt8(ascii: "~"):
      return run >= 3 && fence == 0 ? .fence : .unindented
    default: return .unindented
    }
  }
}

/// Returns the end of the line that begins at `start`: its line feed, or the end of the text.
func lineFeed(in buffer: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
  guard let base = buffer.baseAddress, start < end else { return end }
  guard let found = memchr(base + start, 10, end - start) else { return end }
  return UnsafeRawPointer(found) - UnsafeRawPointer(base)
}

extension UInt8 {
  package static let space = UInt8(ascii: " ")
  package static let lineFeed = UInt8(ascii: "\n")
  package static let carriageReturn = UInt8(ascii: "\r")

  /// Whether the byte is white space, invisible at the end of a line.
  package var isBlank: Bool {
    self == .space || self == UInt8(ascii: "\t") || self == .carriageReturn
  }
}

extension Transcript {
  /// Reports each merge conflict once, with all its lines.
  ///
  /// A conflict begins with seven or more `<` and ends with as many `>`. The lines between depend on the merge tool and
  /// can look like anything.
  mutating func joinConflicts() {
    var index = 0
    while index < lines.count {
      guard let length = markerLength(lines[index], UInt8(ascii: "<")),
        let end = conflictEnd(from: index, length)
      else {
        index += 1
        continue
      }
      let (first, last) = (lineNumber(index), lineNumber(end))
      strays.removeAll { (first...last).contains($0.line) }
      strays.append((first, .conflict(lastLine: last)))
      index = end + 1
    }
  }

  /// Whether a fixture contains a line that looks like the start of a conflict.
  var hasMarkerInFixtures: Bool {
    guard let first = lines.firstIndex(where: { $0.kind == .fixture }) else { return false }
    return lines[first...].contains { markerLength($0, UInt8(ascii: "<")) != nil }
  }

  private func conflictEnd(from start: Int, _ length: Int) -> Int? {
    for index in lines.indices.dropFirst(start + 1) {
      if markerLength(lines[index], UInt8(ascii: ">")) == length { return index }
      if markerLength(lines[index], UInt8(ascii: "<")) == length { return nil }
    }
    return nil
  }

  private func markerLength(_ line: TranscriptLine, _ sign: UInt8) -> Int? {
    ConflictMarker.length(of: bytes[line.start..<max(line.start, line.end)], sign)
  }
}

enum ConflictMarker {
  /// Returns how often a line repeats a character at its start, if it is a conflict marker.
  static func length(of line: some Collection<UInt8>, _ sign: UInt8) -> Int? {
    let length = line.prefix { $0 == sign }.count
    return length >= 7 && line.dropFirst(length).first?.isBlank != false ? length : nil
  }
}
