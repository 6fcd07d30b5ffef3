/// Finds the fences of a Markdown text that are marked `transcript`.
///
/// A second word names the program that replays the fence, `transcript SearchShell`; without it, that is
/// whichever program reads the text.
///
/// Follows CommonMark: three or more back-ticks or tildes open a fence, at least as many of the
/// same close it, and inside a longer fence a shorter one is text.
struct MarkdownFences {
  private struct Open {
    var mark: UInt8
    var length: Int
    var indentation: Int
    var isTranscript: Bool
    /// Its first word, where that is nearly the one that marks a transcript.
    var misspeltMark: String?
    var program: String?
    var contentStart: Int
    var firstLine: Int
  }

  private(set) var transcripts: [Transcript] = []
  /// The programs of the fences that are left to others, one for each fence.
  private(set) var others: [String] = []
  /// Fences that are marked by a word which is nearly that of transcripts, by the line where they open.
  private(set) var misspelt: [(line: Int, mark: String)] = []
  private let program: String

  /// The transcripts in a Markdown file, in order.
  static func transcripts(path: String, bytes: [UInt8]) -> [Transcript] {
    MarkdownFences(path: path, bytes: bytes, program: ProgramName.current).transcripts
  }

  /// Reads a Markdown file.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - bytes: its content.
  ///   - program: the name of who replays the fences.
  init(path: String, bytes: [UInt8], program: String) {
    self.program = program
    var open: Open?
    var conflict: (line: Int, length: Int, fences: Int)?
    var number = 1
    bytes.withUnsafeBufferPointer { buffer in
      var start = buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      while start < buffer.count {
        let end = lineFeed(in: buffer, from: start, to: buffer.count)
        let line = buffer[start..<end]
        if let current = open {
          if Self.closes(line, current) {
            add(current, start, path, bytes)
            open = nil
          }
        } else if let length = ConflictMarker.length(of: line, UInt8(ascii: "<")) {
          conflict = (number, length, transcripts.count)
        } else if let begun = conflict,
          ConflictMarker.length(of: line, UInt8(ascii: ">")) == begun.length
        {
          conflict = nil
          // Both sides of it are whole fences, each of which could be played.
          if transcripts.indices.contains(begun.fences) {
            transcripts[begun.fences].strays.append((begun.line, .conflict(lastLine: number)))
          }
        } else {
          open = Self.opening(
            line,
            contentStart: min(end + 1, buffer.count),
            nextLine: number + 1
          )
        }
        start = end + 1
        number += 1
      }
      if let current = open { add(current, buffer.count, path, bytes) }
    }
  }

  private mutating func add(_ open: Open, _ end: Int, _ path: String, _ bytes: [UInt8]) {
    if let mark = open.misspeltMark { misspelt.append((open.firstLine - 1, mark)) }
    guard open.isTranscript else { return }
    if let other = open.program, other != program { return others.append(other) }
    transcripts.append(
      Transcript(
        path: path,
        fence: transcripts.count + 1,
        bytes: bytes,
        part: open.contentStart..<end,
        firstLine: open.firstLine,
        indentation: open.indentation
      )
    )
  }

  private static func opening(
    _ line: Slice<UnsafeBufferPointer<UInt8>>,
    contentStart: Int,
    nextLine: Int
  ) -> Open? {
    let indentation = line.prefix { $0 == .space }.count
    let text = line.dropFirst(indentation)
    guard let mark = text.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else {
      return nil
    }
    let length = text.prefix { $0 == mark }.count
    let info = text.dropFirst(length)
    guard length >= 3, mark != UInt8(ascii: "`") || !info.contains(mark) else { return nil }
    let words = info.split(whereSeparator: \.isBlank)
    let isTranscript = words.first?.elementsEqual("transcript".utf8) == true
    return Open(
      mark: mark,
      length: length,
      indentation: indentation,
      isTranscript: isTranscript,
      misspeltMark: isTranscript
        ? nil
        : words.first.flatMap { NearMiss.isFence($0) ? String(decoding: $0, as: UTF8.self) : nil },
      program: words.dropFirst().first.map { String(decoding: $0, as: UTF8.self) },
      contentStart: contentStart,
      firstLine: nextLine
    )
  }

  private static func closes(_ line: Slice<UnsafeBufferPointer<UInt8>>, _ open: Open) -> Bool {
    let indentation = line.prefix { $0 == .space }.count
    guard indentation <= open.indentation + 3 else { return false }
    let text = line.dropFirst(indentation)
    let length = text.prefix { $0 == open.mark }.count
    return length >= open.length && text.dropFirst(length).allSatisfy(\.isBlank)
  }
}
