/// Commands and the output they are expected to print, as one text.
///
/// The start of a line decides its kind: `#` a comment, `> ` a command, `. ` its continuation, two spaces output,
/// `-- name --` a fixture file that extends to the next such line. Blank lines are separators and are never compared.
/// Any other line is a `StrayLine`.
public struct Transcript: Sendable {
  /// The path as it was given.
  public let path: String

  /// The number of the fence in a Markdown file, from 1; 0 for a transcript file.
  public let fence: Int

  /// The content of the whole file, which may contain more than this transcript.
  package let bytes: [UInt8]
  /// The line number of the first line in the file.
  let firstLine: Int
  /// The byte range of the transcript's lines in the file.
  let part: Range<Int>
  /// The indentation of each line inside a Markdown list, in spaces.
  package let indentation: Int
  /// The Markdown blocks that are open at its first line; nil for a transcript file.
  let page: MarkdownBlocks?

  package internal(set) var lines: [TranscriptLine] = []
  package internal(set) var blocks: [TranscriptBlock] = []
  package internal(set) var strays: [(line: Int, problem: StrayLine)] = []
  /// Why there is nothing to play, if the file cannot be read or is empty.
  package internal(set) var problem: TranscriptProblem?

  /// The shell that can accept differences, if one was named.
  package var program: String?

  /// One line for each file or fence that `Transcripts.in` left out. All of its transcripts have them.
  package var notes: [String] = []

  /// The files that are embedded in the transcript.
  public internal(set) var fixtures = Fixtures()

  /// Reads a transcript from the bytes of a file.
  package init(path: String, bytes: [UInt8]) {
    self.init(path: path, fence: 0, bytes: bytes, part: 0..<bytes.count, firstLine: 1)
  }

  init(
    path: String,
    fence: Int,
    bytes: [UInt8],
    part: Range<Int>,
    firstLine: Int,
    indentation: Int = 0,
    page: MarkdownBlocks? = nil
  ) {
    self.path = path
    self.fence = fence
    self.bytes = bytes
    self.firstLine = firstLine
    self.part = part
    self.indentation = indentation
    self.page = page
    parse(part)
    if strays.isEmpty, !holdsCommands { problem = .noCommand }
  }

  /// Creates a transcript that fails with a problem.
  init(path: String, problem: TranscriptProblem) {
    self.init(path: path, bytes: [])
    self.problem = problem
  }

  /// The folder of the file, `.` if the path names none.
  package var folder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the line number in the file of one of the transcript's lines.
  func lineNumber(_ index: Int) -> Int { firstLine + index }

  /// Whether any prompt has a command, other than nothing or a comment.
  package var holdsCommands: Bool {
    blocks.contains { block in
      (block.command..<block.commandEnd).contains { index in
        let first = bytes[lines[index].content].first { !$0.isBlank }
        return first != nil && first != UInt8(ascii: "#")
      }
    }
  }

  /// The text of every command, in order.
  package var commands: [String] { blocks.map(command) }

  /// The line numbers of these commands.
  package var commandLines: [Int] { blocks.map { lineNumber($0.command) } }

  /// Returns the text of one command without prompts, its lines joined by line feeds.
  package func command(_ block: TranscriptBlock) -> String {
    var text = String(decoding: bytes[lines[block.command].content], as: UTF8.self)
    for index in block.command + 1..<block.commandEnd {
      text += "\n" + String(decoding: bytes[lines[index].content], as: UTF8.self)
    }
    return text
  }

  /// Returns the expected lines of a block, each with its index in the transcript.
  package func expected(_ block: TranscriptBlock) -> [(index: Int, text: [UInt8])] {
    (block.commandEnd..<block.end).filter { lines[$0].kind == .output }
      .map { ($0, Array(bytes[lines[$0].content])) }
  }

  /// The first invalid line, from 1, with the problem and a hint.
  package var firstStray: (line: Int, sentence: String, hint: String)? {
    strays.min { $0.line < $1.line }.map { ($0.line, $0.problem.sentence, $0.problem.hint) }
  }

  /// Returns which expected lines of a command match printed ones, whatever the commands above have captured, and whether
  /// all printed lines are expected.
  package func match(
    _ printed: [String],
    ofCommandAt index: Int
  ) -> (output: MatchedOutput, isExpected: Bool) {
    let expectation = Expectation(expected(blocks[index]).map(\.text)).withOpenReferences
    let output = printed.map { Array($0.utf8) }
    var captures: Captures = [:]
    if let matched = expectation.match(output, &captures) { return (matched, true) }
    let alignment = Alignment(expectation, output, [:])
    var matching: [Int?] = Array(repeating: nil, count: output.count)
    var isExpected = true
    for step in alignment.steps {
      switch step {
      case .keep(let expected, let actual): matching[actual] = expected
      case .insert: isExpected = false
      case .keepAnyLines, .taken, .remove: break
      }
    }
    return (MatchedOutput(expectation, output, matching), isExpected)
  }

  /// The line number in the file of the line that says that the last command ends its process; nil if there is none.
  var lineOfOwnEnd: Int? {
    guard let last = blocks.last.flatMap({ expected($0).last }),
      TranscriptProblem.isOwnEnd(last.text)
    else { return nil }
    return lineNumber(last.index)
  }
}

extension Transcript: CustomStringConvertible {
  /// The path, and the number of the fence if the file has several.
  public var description: String { fence > 1 ? "\(path), code block \(fence)" : path }
}
