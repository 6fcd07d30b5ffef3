import LibC

/// The location of pending results: next to each file, or in a folder that mirrors the paths of the files.
package struct PendingPlace: Sendable, Equatable {
  /// The file name suffix of a pending result.
  package static let suffix = ".pending"
  /// The subfolder that stands for `/`, for files outside of the current folder.
  private static let root = "@root"

  /// The folder; nil for next to each file.
  package let folder: String?

  /// Next to each file.
  package static let beside = PendingPlace(folder: nil)

  /// - Parameter folder: nil for next to each file. Slashes at the end are ignored; an empty name is the current
  ///   folder.
  package init(folder: String?) {
    var folder = folder == "" ? "." : folder
    while let name = folder, name.utf8.count > 1, name.hasSuffix("/") {
      folder = String(name.dropLast())
    }
    self.folder = folder
  }

  /// Returns the path of a file's pending result.
  package func path(for file: String) -> String {
    guard let folder else { return file + Self.suffix }
    return "\(folder)/\(Self.inner(file))\(Self.suffix)"
  }

  /// Returns the folders and files with the pending results of a folder and its subfolders. The current folder includes all
  /// files.
  package func trees(of path: String) -> [String] {
    guard let folder else { return [path] }
    let inner = Self.inner(path)
    guard !inner.isEmpty else { return [folder] }
    let own = "\(folder)/\(inner)"
    guard let real = Folder.realPath(path), let current = Folder.realPath("."),
      real == "/" || current.hasPrefix(real + "/")
    else { return [own] }
    // A folder above the current one: the results of the current folder are not below `@root`.
    let entries = Folder.entries(of: folder).filter { $0 != Self.root + "/" && Self.mayHold($0) }
    return [own] + entries.map { "\(folder)/\($0.hasSuffix("/") ? String($0.dropLast()) : $0)" }
  }

  /// Whether an entry of a folder can be a pending result or a folder with some: not if its name begins with a dot, unless it
  /// is the result of a hidden file.
  static func mayHold(_ entry: String) -> Bool { !entry.hasPrefix(".") || entry.hasSuffix(suffix) }

  /// Returns the path of the file that a pending result belongs to, relative to the current folder.
  package func file(of pending: String) -> String? {
    guard pending.utf8.count > Self.suffix.utf8.count, pending.hasSuffix(Self.suffix) else {
      return nil
    }
    let file = String(pending.dropLast(Self.suffix.count))
    guard let folder else { return file }
    guard file.hasPrefix(folder + "/") else { return nil }
    let inner = file.dropFirst(folder.count + 1)
    return inner.hasPrefix(Self.root + "/")
      ? String(inner.dropFirst(Self.root.count)) : String(inner)
  }

  /// Returns the command that accepts the pending output at a line.
  package func acceptance(of file: String, line: Int) -> String {
    "accept \(option)\(FailureText.quoted("\(file):\(line)"))"
  }

  /// Returns the command that removes the pending result of a file.
  func rejection(of file: String) -> String { "reject \(option)\(FailureText.quoted(file))" }

  private var option: String { folder.map { "--pending \(FailureText.quoted($0)) " } ?? "" }

  /// Returns the path inside a folder of pending results: relative to the current folder, or else to the root.
  private static func inner(_ file: String) -> String {
    let parts = file.split(separator: "/").filter { $0 != "." }
    if !file.hasPrefix("/"), !parts.contains("..") { return parts.joined(separator: "/") }
    guard let real = Folder.realPath(file), let current = Folder.realPath(".") else {
      return root + "/" + parts.filter { $0 != ".." }.joined(separator: "/")
    }
    if real == current { return "" }
    if real.hasPrefix(current + "/") { return String(real.dropFirst(current.count + 1)) }
    return real == "/" ? root : root + real
  }
}
