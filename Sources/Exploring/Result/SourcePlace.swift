/// A place in somebody's source code.
public struct SourcePlace: Sendable, Hashable, Codable {
  /// The module and the file, as `#fileID` has it.
  public let fileID: String
  /// The file, as `#filePath` has it.
  public let filePath: String
  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1.
  public let column: Int

  /// A place.
  public init(fileID: String, filePath: String, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}
