import Foundation
import Testing

@testable import Rehearsal

/// Names that values and kinds of processes cannot have.
@Suite struct ReservedWordsTests {
  @Test func `the page for users of Processed lists all of them`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../docs/processed.md"
    )
    let text = try String(contentsOf: page, encoding: .utf8).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    for words in [ReservedWords.forMembers, ReservedWords.forKinds] {
      let names = words.keys.sorted().map { "`\($0)`" }.joined(separator: ", ")
      #expect(text.contains(": \(names)."))
    }
  }
}
