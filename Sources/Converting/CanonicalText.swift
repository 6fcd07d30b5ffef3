package import Harness
package import Script

/// A file of commands in canonical form, made without playing it.
///
/// Expected output, patterns, fixture files and Markdown outside of fences stay the same except for
/// line ends. A command also stays the same if an expected line repeats its spelling.
package struct CanonicalText {
  /// The contents of a file.
  package enum Kind: Sendable {
    case transcript, markdown, script
  }

  /// The complete new file.
  package let bytes: [UInt8]
  /// Lines that are not valid in a transcript. A text with such lines is not changed.
  package private(set) var failures: [TranscriptFailure] = []
  /// One line for each skipped fence of a page that may be meant as a transcript.
  package private(set) var notes: [String] = []
  /// Whether it is a page without a fence that is, or may be meant as, a transcript.
  package private(set) var isWithoutFences = false

  /// Rewrites a file.
  ///
  /// - Parameters:
  ///   - path: the path of the file, for problems.
  ///   - bytes: UTF-8.
  ///   - kind: the contents.
  ///   - table: the known commands. Others are not changed.
  package init(path: String, bytes: [UInt8], kind: Kind, table: CommandTable) {
    switch kind {
    case .script:
      let spelling = ScriptSpelling(bytes, table: table)
      failures = spelling.strays.map {
        TranscriptFailure(path: path, line: $0.line, problem: .stray($0.problem))
      }
      self.bytes = failures.isEmpty ? spelling.bytes : bytes
    case .transcript, .markdown:
      var transcripts = [Transcript(path: path, bytes: bytes)]
      if kind == .markdown {
        let fences = MarkdownFences(path: path, bytes: bytes, program: ProgramName.current)
        transcripts = fences.transcripts
        notes = fences.unplayed.map { NearMiss.note($0.reason, in: path, line: $0.line) }
        isWithoutFences = fences.isEmpty
        if !fences.others.isEmpty {
          let names = Set(fences.others).sorted().map(FailureText.visible).joined(separator: ", ")
          let page = FailureText.quoted(path)
          let all = transcripts.isEmpty ? "all" : "\(fences.others.count)"
          let verb =
            fences.others.count == 1 && !transcripts.isEmpty ? "code block is" : "code blocks are"
          notes.append("\(page): \(all) \(verb) left to other programs: \(names)")
        }
      }
      failures = transcripts.flatMap(Self.problems)
      let sound = transcripts.filter { $0.strays.isEmpty && !$0.lines.isEmpty }
      self.bytes = Self.replace(sound, in: bytes, table)
    }
  }

  private static func replace(
    _ transcripts: [Transcript],
    in bytes: [UInt8],
    _ table: CommandTable
  ) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    for transcript in transcripts {
      let spelling = TranscriptSpelling(transcript, table: table)
      result += bytes[copied..<spelling.part.lowerBound] + spelling.bytes
      copied = spelling.part.upperBound
    }
    return result + bytes[copied...]
  }

  private static func problems(_ transcript: Transcript) -> [TranscriptFailure] {
    if let problem = transcript.problem {
      return [TranscriptFailure(path: transcript.path, line: 0, problem: problem)]
    }
    return transcript.strays.sorted { $0.line < $1.line }.map {
      TranscriptFailure(path: transcript.path, line: $0.line, problem: .stray($0.problem))
    }
  }
}

extension CanonicalText.Kind {
  /// Derives the kind from a file name, nil if that is not possible.
  package init?(ofFile path: String) {
    if Transcripts.isMarkdown(path) {
      self = .markdown
    } else if path.hasSuffix(".transcript") {
      self = .transcript
    } else if path.hasSuffix(".rehearse") {
      self = .script
    } else {
      return nil
    }
  }

  /// Derives the kind from the lines of a text.
  package init(of bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let lines = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
      .split(separator: .lineFeed)
    let begins = { (text: String) in lines.contains { $0.starts(with: text.utf8) } }
    self = begins("```transcript") ? .markdown : begins("> ") ? .transcript : .script
  }
}
