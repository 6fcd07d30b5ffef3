extension Transcript {
  /// Names each conflict of a merge once, with all that stands in it.
  ///
  /// A conflict begins with seven or more `<` and ends with as many `>`. What stands between depends on who
  /// merged, and can look like anything.
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

  /// Whether something in a carried file looks as if a conflict began there.
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
  /// How often a line begins with a sign, where that makes it a marker.
  static func length(of line: some Collection<UInt8>, _ sign: UInt8) -> Int? {
    let length = line.prefix { $0 == sign }.count
    return length >= 7 && line.dropFirst(length).first?.isBlank != false ? length : nil
  }
}
