/// A function in which a task is suspended, and the line of its `await`.
package struct SourceFrame: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The type and the name: `Model.refresh()`, `closure in Model.start()`.
  package let function: String
  /// The name of the file, without folders; nil without debug information.
  package let file: String?
  /// The line, counted from 1.
  package let line: Int?
  /// The next line that the function runs; nil if unknown.
  package let nextLine: Int?

  /// The function and its place: `Model.refresh() at Model.swift:14`.
  package var description: String { place.map { "\(function) at \($0)" } ?? function }

  package var place: String? {
    file.map { file in line.map { "\(file):\($0)" } ?? file }
  }
}
