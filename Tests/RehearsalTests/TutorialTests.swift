import Testing

@testable import Rehearsal

/// The Swift of docs/tutorial.md is the example's, which is built and tested.
@Suite struct TutorialTests {
  private static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")

  private static func text(_ path: String) throws -> String {
    String(decoding: try FileBytes.read(root + "/" + path), as: UTF8.self)
  }

  /// A fence ```` ```swift FILE ````: the file, and the code.
  private static func fences() throws -> [(file: String, code: String)] {
    try text("docs/tutorial.md").split(separator: "\n```swift ").dropFirst().map { part in
      let end = try #require(part.firstRange(of: "\n```"))
      let lines = part[..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
      return (String(lines[0]), lines.dropFirst().joined(separator: "\n"))
    }
  }

  @Test func `each piece of code is in the example's file`() throws {
    let fences = try Self.fences()

    #expect(fences.count == 8)
    for fence in fences {
      let source = try Self.text("Examples/SearchApp/" + fence.file)
      for piece in fence.code.components(separatedByLineOf: "…") {
        #expect(source.contains(piece), "\(fence.file)")
      }
    }
  }
}

extension String {
  /// The parts between lines that hold nothing but `mark`.
  fileprivate func components(separatedByLineOf mark: String) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).split { $0 == mark }
      .map { $0.joined(separator: "\n") }
  }
}
