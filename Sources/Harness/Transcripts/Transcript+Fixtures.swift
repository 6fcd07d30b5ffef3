/// Reads the fixtures below `-- name --`; notes fixtures that contain parts of a transcript, which are not played.
extension Transcript {
  /// Returns the trimmed name in a line `-- name --`; nil for any other line.
  func fixtureName(
    _ line: TranscriptLine,
    in buffer: UnsafeBufferPointer<UInt8>
  ) -> Range<Int>? {
    let dash = UInt8(ascii: "-")
    var (start, end) = (line.start, line.end)
    guard end - start > 3, buffer[start] == dash, buffer[start + 1] == dash else { return nil }
    while end > start, buffer[end - 1].isBlank { end -= 1 }
    guard end - start >= 7, buffer[start + 2] == .space, buffer[end - 3] == .space,
      buffer[end - 2] == dash, buffer[end - 1] == dash
    else { return nil }
    start += 3
    end -= 3
    while start < end, buffer[start].isBlank { start += 1 }
    while end > start, buffer[end - 1].isBlank { end -= 1 }
    return start < end ? start..<end : nil
  }

  /// A fixture that looks like a part of the transcript, because a `---` line made it a fixture.
  package struct SwallowedPart {
    /// The name of the file.
    package let name: String
    /// The line that begins it.
    package let line: Int
    /// The problem as text.
    package let sentence: String
    /// A hint.
    package let hint: String
  }

  /// Returns the first such part among unread fixtures; nil if there is none.
  ///
  /// - Parameters:
  ///   - unread: the names of fixtures that no command has read.
  ///   - isAny: whether any unread fixture is one, as for `test`; otherwise it must look like a part of the transcript or be a
  ///     script.
  /// - Returns: the first one.
  package func firstSwallowed(among unread: [String], isAny: Bool = false) -> SwallowedPart? {
    for name in unread {
      let isScript = name.hasSuffix(".rehearse")
      guard let line = isAny || isScript ? line(ofFixture: name) : lineOfTranscript(inFixture: name)
      else { continue }
      let problem = TranscriptProblem.unreadFixture(name)
      return SwallowedPart(
        name: name,
        line: line,
        sentence: problem.sentence,
        hint: problem.hint ?? ""
      )
    }
    return nil
  }

  /// Returns the line that begins a fixture, if the fixture contains commands of a transcript or only lines of one; nil
  /// otherwise.
  func lineOfTranscript(inFixture name: String) -> Int? {
    let begins = { (line: ArraySlice<UInt8>, texts: [String]) in
      texts.contains { line.starts(with: $0.utf8) }
    }
    let lines = (fixtures.bytes(named: name) ?? []).split(separator: .lineFeed)
      .filter { !$0.allSatisfy(\.isBlank) }
    guard
      lines.contains(where: { begins($0, ["> "]) })
        || !lines.isEmpty && lines.allSatisfy({ begins($0, [". ", "  ", "#"]) })
    else { return nil }
    return line(ofFixture: name)
  }

  /// Notes about fixtures that contain transcript lines although their names are not those of transcripts or pages. These
  /// lines are not played.
  var notesOfFixtures: [String] {
    fixtures.names.compactMap { name in
      guard !name.hasSuffix(".transcript"), !Transcripts.isMarkdown(name),
        let bytes = fixtures.bytes(named: name),
        bytes.split(separator: .lineFeed).contains(where: { $0.starts(with: "> ".utf8) }),
        let line = line(ofFixture: name)
      else { return nil }
      return
        "\(FailureText.quoted(path)):\(line): the file '\(name)' extends to the next line '-- NAME --' or to the end, so its lines with '> ' are not replayed"
    }
  }

  /// Returns the line that begins a fixture.
  func line(ofFixture name: String) -> Int? {
    bytes.withUnsafeBufferPointer { buffer in
      lines.firstIndex { line in
        guard line.kind == .fixture, let found = fixtureName(line, in: buffer) else { return false }
        return buffer[found].elementsEqual(name.utf8)
      }
    }
    .map(lineNumber)
  }

  /// Collects the fixture files. Each extends from its marker to the next one, byte for byte.
  mutating func collectFixtures(_ end: Int) {
    var markers: [(index: Int, name: String)] = []
    bytes.withUnsafeBufferPointer { buffer in
      for index in lines.indices where lines[index].kind == .fixture {
        guard let name = fixtureName(lines[index], in: buffer) else { continue }
        markers.append((index, String(decoding: buffer[name], as: UTF8.self)))
      }
    }
    for (place, marker) in markers.enumerated() {
      let next = place + 1 < markers.count ? markers[place + 1].index : lines.count
      let content = fixtureContent(marker.index + 1..<next, end)
      if let problem = fixtures.add(marker.name, content) {
        strays.append((lineNumber(marker.index), problem))
      }
    }
  }

  private func fixtureContent(_ range: Range<Int>, _ end: Int) -> [UInt8] {
    guard let first = range.first, let last = range.last else { return [] }
    let after = last + 1 < lines.count ? lines[last + 1].start - indentation : end
    if indentation == 0 { return Array(bytes[lines[first].start..<max(after, lines[last].end)]) }
    return range.flatMap { bytes[lines[$0].start..<lines[$0].end] + [.lineFeed] }
  }
}
