/// A position in Swift source code.
public struct SourcePlace: Sendable, Hashable, Codable {
  /// The module and the file, as in `#fileID`.
  public let fileID: String
  /// The file, as in `#filePath`.
  public let filePath: String
  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1.
  public let column: Int

  /// Makes a position.
  public init(fileID: String, filePath: String, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}
