@testable import Rehearsal

/// A text file of this package, and the fences of Swift in it.
struct PageText {
  let text: String

  /// - Parameter path: from the package's folder.
  /// - Throws: `FileProblem` where it cannot be read.
  init(_ path: String) throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    text = String(
      decoding: try FileBytes.read(root.joined(separator: "/") + "/" + path),
      as: UTF8.self
    )
  }

  /// The fences marked `swift`, with the file that stands behind the mark, if any.
  var swift: [(file: String, code: String)] {
    text.split(separator: "\n```swift").dropFirst().map { part in
      let end = part.firstRange(of: "\n```")?.lowerBound ?? part.endIndex
      let lines = part[..<end].split(separator: "\n", omittingEmptySubsequences: false)
      return (String(lines[0].drop { $0 == " " }), lines.dropFirst().joined(separator: "\n"))
    }
  }
}
