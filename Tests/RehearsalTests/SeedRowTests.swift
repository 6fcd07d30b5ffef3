import Testing

@testable import Rehearsal

/// The table of docs/seeds.md that maps each row to its transcripts.
@Suite struct SeedRowTests {
  private static let rows =
    (1...13).map { "T\($0)" } + (1...12).map { "P\($0)" } + (1...8).map { "D\($0)" }
    + (1...5).map { "R\($0)" } + (1...6).map { "G\($0)" } + (1...6).map { "M\($0)" }
    + (1...7).map { "S\($0)" }

  @Test(arguments: rows) func `each row has a transcript that exists`(row: String) throws {
    let lines = try Self.table().filter { $0.cells.first == row }
    let line = try #require(lines.first, "docs/seeds.md has no row \(row)")
    #expect(lines.count == 1)
    let transcripts = line.links.filter { $0.hasSuffix(".transcript") }
    #expect(!transcripts.isEmpty)
    for link in transcripts { #expect(Self.exists(link), "\(row): \(link)") }
  }

  @Test func `each transcript that the page names exists`() throws {
    let links = try Self.lines().flatMap { Self.links(in: $0) }
    #expect(links.count > 100)
    for link in links where link.hasPrefix("../") { #expect(Self.exists(link), "\(link)") }
  }

  /// Returns the lines of the table with the heading 'Row'.
  private static func table() throws -> [(cells: [String], links: [String])] {
    try lines().drop { !$0.hasPrefix("| Row | ") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
      .map { line in
        let cells = line.split(separator: "|").map { $0.trimmingBlanks }
        return (cells, links(in: line))
      }
  }

  private static func lines() throws -> [String] {
    String(decoding: try FileBytes.read(root + "/docs/seeds.md"), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static let root: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return parts.joined(separator: "/")
  }()

  /// Returns the targets of Markdown links.
  private static func links(in line: String) -> [String] {
    line.split(separator: "](").dropFirst().compactMap { part in
      part.firstIndex(of: ")").map { String(part[..<$0]) }
    }
  }

  private static func exists(_ link: String) -> Bool {
    (try? FileBytes.read(root + "/docs/" + link)) != nil
  }
}

extension Substring {
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
