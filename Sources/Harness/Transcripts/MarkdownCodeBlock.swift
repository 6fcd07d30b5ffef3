/// A fenced code block of a page, in a form that can be compared with the result of another Markdown parser.
package struct MarkdownCodeBlock: Equatable, Sendable {
  /// The line of its opening marker, from 1.
  package var line: Int
  /// The text after the marker, trimmed.
  package var info: String
  /// Its lines, each with a line feed; nil if it cannot be a transcript, because it is in a block quote or after a tab.
  package var text: String?
  /// The number of its lines.
  package var count: Int

  package init(line: Int, info: String, text: String?, count: Int) {
    (self.line, self.info, self.text, self.count) = (line, info, text, count)
  }

  /// Returns the fenced code blocks of a page, in order.
  package static func all(in page: [UInt8]) -> [MarkdownCodeBlock] {
    page.withUnsafeBufferPointer { buffer in
      var (blocks, ends) = (MarkdownBlocks(), LineSplitter(buffer, endsAtReturns: true))
      var found: [MarkdownCodeBlock] = []
      var column = 0
      var (start, number) = (0, 1)
      while start < buffer.count {
        let (end, next, _) = ends.line(from: start, to: buffer.count)
        switch blocks.read(buffer, start, end) {
        case .opens(let fence):
          let info = buffer[fence.info].drop(while: \.isBlank).reversed().drop(while: \.isBlank)
          let front = buffer[start..<fence.info.lowerBound]
          found.append(
            MarkdownCodeBlock(
              line: number,
              info: String(decoding: Array(info.reversed()), as: UTF8.self),
              text: fence.isQuoted || front.contains(tab) ? nil : "",
              count: 0
            )
          )
          column = fence.column
        case .content: found[found.count - 1].add(buffer[start..<end], column)
        case .closes, .html, .indentedCode, .other: break
        }
        (start, number) = (next, number + 1)
      }
      return found
    }
  }

  private static let tab = UInt8(ascii: "\t")

  private mutating func add(_ line: Slice<UnsafeBufferPointer<UInt8>>, _ column: Int) {
    count += 1
    let front = line.prefix(column).prefix { $0 == .space }.count
    if line.dropFirst(front).first == Self.tab, front < column { text = nil }
    text = text.map { $0 + String(decoding: line.dropFirst(front), as: UTF8.self) + "\n" }
  }
}
