/// The files that a transcript carries below its commands, each under a line `-- name --`.
public struct Fixtures: Sendable, Equatable, Codable {
  struct File: Sendable, Equatable, Codable {
    let name: String
    let bytes: [UInt8]
  }

  private(set) var files: [File] = []

  /// No files at all.
  public init() {}

  /// The names of the files, in the order in which they stand in the transcript.
  public var names: [String] { files.map(\.name) }

  /// Files by their names; of several of one name the first, and none that leaves the folder.
  package init(_ files: [(name: String, bytes: [UInt8])]) {
    for (name, bytes) in files { _ = add(name, bytes) }
  }

  /// Whether there is no file.
  public var isEmpty: Bool { files.isEmpty }

  /// The content of a file, byte for byte, or nil when the transcript has none of that name.
  public func bytes(named name: String) -> [UInt8]? {
    files.first { $0.name == name }?.bytes
  }

  /// Adds a file; returns why not, adding nothing, when the name is taken or leaves the folder.
  mutating func add(_ name: String, _ bytes: [UInt8]) -> StrayLine? {
    if !Self.staysInside(name) { return .outsideFixture(name) }
    if files.contains(where: { $0.name == name }) { return .repeatedFixture(name) }
    files.append(File(name: name, bytes: bytes))
    return nil
  }

  /// Whether a name is relative and never climbs out of its folder.
  package static func staysInside(_ name: String) -> Bool {
    if name.isEmpty || name.utf8.first == UInt8(ascii: "/") || name.utf8.contains(0) {
      return false
    }
    return !name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .contains { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
  }
}
