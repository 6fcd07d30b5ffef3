import Harness
import LibC
import Workers

/// Pages of Markdown: our parser and `cmark`, the reference parser of CommonMark, must find the
/// same code blocks.
struct CommonMarkTarget: FuzzTarget {
  let name = "commonmark"
  let words = MarkdownPage.fronts + MarkdownPage.leaves + ["\n", "\r", "\r\n"]

  func compose(_ random: inout Randomness) -> [UInt8]? {
    Array(MarkdownPage.compose(&random).utf8)
  }

  func check(_ bytes: [UInt8]) throws(Finding) {
    guard let program = Self.reference else {
      throw Finding("'cmark' is not installed, so nothing can be compared with it")
    }
    guard Self.isComparable(bytes) else { return }
    let ours = MarkdownCodeBlock.all(in: bytes).filter { !$0.info.isEmpty }
    let theirs = try Self.blocks(in: bytes, program)
    try require(ours.count == theirs.count, "fences:\n\(ours)\nand by cmark:\n\(theirs)")
    for (ours, theirs) in zip(ours, theirs) {
      var ours = ours
      // A block that cannot be a transcript is compared by its number of lines only.
      if ours.text == nil { ours.text = theirs.text }
      try require(ours == theirs, "a fence:\n\(ours)\nand by cmark:\n\(theirs)")
    }
  }

  /// Whether both parsers support the page. Ours ignores link definitions, and escapes in the words
  /// of a code block. cmark 0.30 knows HTML blocks such as `<!A` only with capital letters.
  private static func isComparable(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 < 0x80 && ($0 >= 0x20 || (9...13).contains($0) && $0 != 11 && $0 != 12) }
      && !bytes.contains { "[\\&".utf8.contains($0) }
      && !hasSmallDeclaration(bytes)
  }

  private static func hasSmallDeclaration(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast(2).contains {
      bytes[$0] == 0x3C && bytes[$0 + 1] == 0x21 && (0x61...0x7A).contains(bytes[$0 + 2])
    }
  }

  // MARK: The reference

  private static let reference: String? = {
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    return folders.split(separator: ":").map { $0 + "/cmark" }.first { access($0, X_OK) == 0 }
  }()

  /// Returns the code blocks with words after their marks.
  private static func blocks(
    in page: [UInt8],
    _ program: String
  ) throws(Finding) -> [MarkdownCodeBlock] {
    let arguments = ["cmark", "--to", "xml", "--sourcepos"]
    let run = ProgramRun(
      program: program,
      arguments: arguments,
      folder: ".",
      input: page,
      readsErrors: false
    )
    guard let run else { throw Finding("'cmark' cannot be started") }
    var xml: [UInt8] = []
    while let bytes = run.read(withinMilliseconds: -1) { xml += bytes }
    try require(run.end() == .status(0), "'cmark' fails")
    return String(decoding: xml, as: UTF8.self).components(between: "<code_block ", "</code_block>")
      .compactMap(block)
  }

  /// Parses `sourcepos="3:1-5:3" info="transcript" xml:space="preserve">TEXT`; nil for a block
  /// without words.
  private static func block(_ element: Substring) -> MarkdownCodeBlock? {
    guard let info = element.components(between: "info=\"", "\"").first,
      let place = element.components(between: "sourcepos=\"", ":").first, let line = Int(place),
      let start = element.firstIndex(of: ">"), !info.isEmpty
    else { return nil }
    let text = plain(element[element.index(after: start)...])
    return MarkdownCodeBlock(
      line: line,
      info: plain(info),
      text: text,
      count: text.utf8.count { $0 == 0x0A }
    )
  }

  private static func plain(_ text: Substring) -> String {
    var plain = String(text)
    let names = [
      ("\r\n", "\n"), ("\r", "\n"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&"),
    ]
    for (name, sign) in names { plain = plain.replacing(name, with: sign) }
    return plain
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Returns the texts between each pair of marks.
  fileprivate func components(between first: String, _ last: String) -> [Substring] {
    var (found, rest) = ([Substring](), self[...])
    while let start = rest.firstRange(of: first) {
      rest = rest[start.upperBound...]
      guard let end = rest.firstRange(of: last) else { break }
      found.append(rest[..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
    return found
  }
}
