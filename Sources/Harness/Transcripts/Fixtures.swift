/// The files that a transcript embeds: their names and contents, and which names are refused.
public struct Fixtures: Sendable, Equatable, Codable {
  struct File: Sendable, Equatable, Codable {
    let name: String
    let bytes: [UInt8]
  }

  private(set) var files: [File] = []

  /// Creates an empty set of files.
  public init() {}

  /// The names of the files, in the order of the transcript.
  public var names: [String] { files.map(\.name) }

  /// Creates fixtures by name. Drops later files of the same name, and names outside of the folder.
  package init(_ files: [(name: String, bytes: [UInt8])]) {
    for (name, bytes) in files { _ = add(name, bytes) }
  }

  /// Whether there is no file.
  public var isEmpty: Bool { files.isEmpty }

  /// The content of a file, byte for byte; nil if there is none of that name.
  public func bytes(named name: String) -> [UInt8]? {
    files.first { $0.name == name }?.bytes
  }

  /// Adds a file. If the name is taken or leaves the folder, adds nothing and returns the reason.
  mutating func add(_ name: String, _ bytes: [UInt8]) -> StrayLine? {
    if !Self.staysInside(name) { return .outsideFixture(name) }
    if files.contains(where: { $0.name == name }) { return .repeatedFixture(name) }
    files.append(File(name: name, bytes: bytes))
    return nil
  }

  /// Whether a name is relative and stays inside its folder.
  package static func staysInside(_ name: String) -> Bool {
    if name.isEmpty || name.utf8.first == UInt8(ascii: "/") || name.utf8.contains(0) {
      return false
    }
    return !name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .contains { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
  }
}
