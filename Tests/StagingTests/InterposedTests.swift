#if os(Linux)
import Foundation
import Testing

/// The functions of libraries that the project replaces.
@Suite struct InterposedTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The functions of the table, each with its last column.
  private func table() throws -> [String: String] {
    let text = try String(contentsOf: root.appending(path: "docs/interposed.md"), encoding: .utf8)
    var functions: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      functions[cells[0].trimmingCharacters(in: ["`"])] = cells[cells.count - 1]
    }
    return functions
  }

  @Test func `the table has each replaced function, and no other`() throws {
    let folder = root.appending(path: "Sources/CVirtualTime")
    var found: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file.hasSuffix(".c") {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let macros =
        /(?m)^(?:INTERPOSED\(\s*[a-z0-9_]+(?: [a-z]+)?(?: \*)?|CHANGING\(|HANDLING\(|LEAVING\()[,\s]*(\w+)/
      for match in source.matches(of: macros) { found.insert(String(match.1)) }
      let functions =
        /(?m)^(?:int|ssize_t|long|unsigned|time_t|FILE|uint32_t|void) \*?((?!cvt_|__wrap_)[a-z_0-9]+)\([^;]*?\) \{/
      for match in source.matches(of: functions) { found.insert(String(match.1)) }
    }
    #expect(Set(try table().keys).subtracting(found).sorted() == [])
    #expect(found.subtracting(try table().keys).sorted() == [])
  }

  @Test func `the libraries of this toolchain have each replaced function`() throws {
    let missing = try table().keys.filter { name in
      // The next definition behind that of the project.
      dlsym(UnsafeMutableRawPointer(bitPattern: -1), name) == nil
    }
    #expect(missing.sorted() == [])
  }
}
#endif
