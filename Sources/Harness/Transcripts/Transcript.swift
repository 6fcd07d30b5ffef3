/// Commands and the output they are expected to print, as one text.
///
/// Lines are told apart by how they start: `#` a comment, `> ` a command, `. ` its continuation,
/// two spaces output, `-- name --` a fixture file that reaches to the next such line. Lines of
/// blanks separate and are never compared. Any other line is a `StrayLine`.
public struct Transcript: Sendable {
  /// The path it was read from, as it was given.
  public let path: String

  /// Which fence of a Markdown file this is, from 1; 0 for a file of its own.
  public let fence: Int

  /// The whole file, of which this transcript may be a part.
  package let bytes: [UInt8]
  /// The number, in the file, of the first line.
  let firstLine: Int
  /// The byte range of the transcript's lines in the file.
  let part: Range<Int>
  /// How many blanks stand before each line inside a Markdown list.
  package let indentation: Int
  /// The Markdown blocks that are open at its first line; nil for a transcript file.
  let page: MarkdownBlocks?

  package internal(set) var lines: [TranscriptLine] = []
  package internal(set) var blocks: [TranscriptBlock] = []
  package internal(set) var strays: [(line: Int, problem: StrayLine)] = []
  /// Why there is nothing to play, when the file could not be read or holds nothing.
  package internal(set) var problem: TranscriptProblem?

  /// The shell that can accept what differs, where one was named.
  package var program: String?

  /// One line for each file or fence that `Transcripts.in` left out. All of its transcripts have them.
  package var notes: [String] = []

  /// The files the transcript carries.
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

  /// A place that should hold a transcript and does not.
  init(path: String, problem: TranscriptProblem) {
    self.init(path: path, bytes: [])
    self.problem = problem
  }

  /// The folder that the file lies in, `.` when the path names none.
  package var folder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }

  /// The number, in the file, of one of the transcript's lines.
  func lineNumber(_ index: Int) -> Int { firstLine + index }

  /// Whether any prompt has a command; an empty prompt or a comment is none.
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

  /// The line of each of them.
  package var commandLines: [Int] { blocks.map { lineNumber($0.command) } }

  /// The text of one command, its lines joined by line feeds, without prompts.
  package func command(_ block: TranscriptBlock) -> String {
    var text = String(decoding: bytes[lines[block.command].content], as: UTF8.self)
    for index in block.command + 1..<block.commandEnd {
      text += "\n" + String(decoding: bytes[lines[index].content], as: UTF8.self)
    }
    return text
  }

  /// The expected lines of a block, each with its index among the transcript's lines.
  package func expected(_ block: TranscriptBlock) -> [(index: Int, text: [UInt8])] {
    (block.commandEnd..<block.end).filter { lines[$0].kind == .output }
      .map { ($0, Array(bytes[lines[$0].content])) }
  }

  /// The first line that is none of the kinds a transcript is made of, from 1, what is wrong with it, and what to try.
  package var firstStray: (line: Int, sentence: String, hint: String)? {
    strays.min { $0.line < $1.line }.map { ($0.line, $0.problem.sentence, $0.problem.hint) }
  }

  /// Returns whether a command may print a line, by the output that is expected of it.
  package func expects(_ line: String, ofCommandAt index: Int) -> Bool {
    Expectation(expected(blocks[index]).map(\.text)).mayHave(Array(line.utf8))
  }

  /// The line, in the file, that says that the last command ends its process; nil where it does not.
  var lineOfOwnEnd: Int? {
    guard let last = blocks.last.flatMap({ expected($0).last }),
      TranscriptProblem.isOwnEnd(last.text)
    else { return nil }
    return lineNumber(last.index)
  }
}

extension Transcript: CustomStringConvertible {
  /// The path, and which fence of the file it is where there are several.
  public var description: String { fence > 1 ? "\(path), fence \(fence)" : path }
}
