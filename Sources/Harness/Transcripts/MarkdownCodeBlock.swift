/// A fenced code block of a page, as it can be compared with what other programs read.
package struct MarkdownCodeBlock: Equatable, Sendable {
  /// The line of its mark, counted from 1.
  package var line: Int
  /// What stands after the mark, without blanks around it.
  package var info: String
  /// Its lines, each with a line feed; nil for a text that a transcript could not be, in a quotation or after a tab.
  package var text: String?
  /// How many lines it has.
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
