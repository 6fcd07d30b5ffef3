@testable import Rehearsal

/// A text file of this package, with the Swift code blocks in it.
struct PageText {
  let text: String

  /// - Parameter path: the path from the package's folder.
  /// - Throws: `FileProblem` if the file cannot be read.
  init(_ path: String) throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    text = String(
      decoding: try FileBytes.read(root.joined(separator: "/") + "/" + path),
      as: UTF8.self
    )
  }

  /// The code blocks with the mark `swift`, with the file name after the mark, if any.
  var swift: [(file: String, code: String)] {
    text.split(separator: "\n```swift").dropFirst().map { part in
      let end = part.firstRange(of: "\n```")?.lowerBound ?? part.endIndex
      let lines = part[..<end].split(separator: "\n", omittingEmptySubsequences: false)
      return (String(lines[0].drop { $0 == " " }), lines.dropFirst().joined(separator: "\n"))
    }
  }
}
