import LibC

/// Where pending results lie: each beside its file, or in a folder that has the same paths in it.
package struct PendingPlace: Sendable, Equatable {
  /// What the name of a pending result ends in.
  package static let suffix = ".pending"
  /// Stands for the root in a folder of pending results, for files outside the current folder.
  private static let root = "@root"

  /// The folder; nil for beside each file.
  package let folder: String?

  /// Beside each file.
  package static let beside = PendingPlace(folder: nil)

  /// - Parameter folder: nil for beside each file; slashes at its end count for nothing, and an empty name
  ///   is the current folder.
  package init(folder: String?) {
    var folder = folder == "" ? "." : folder
    while let name = folder, name.utf8.count > 1, name.hasSuffix("/") {
      folder = String(name.dropLast())
    }
    self.folder = folder
  }

  /// Where the pending result of a file lies.
  package func path(for file: String) -> String {
    guard let folder else { return file + Self.suffix }
    return "\(folder)/\(Self.inner(file))\(Self.suffix)"
  }

  /// What holds the pending results of a folder and all below it. The current folder stands for all there is.
  package func tree(of path: String) -> String {
    guard let folder else { return path }
    let inner = Self.inner(path)
    return inner.isEmpty ? folder : "\(folder)/\(inner)"
  }

  /// The file that a pending result is for, as a path from the current folder.
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

  /// What to tell the program to accept what is pending at a line.
  package func acceptance(of file: String, line: Int) -> String {
    "accept \(option)\(FailureText.quoted("\(file):\(line)"))"
  }

  /// What to tell the program to forget all that is pending of a file.
  func rejection(of file: String) -> String { "reject \(option)\(FailureText.quoted(file))" }

  private var option: String { folder.map { "--pending \(FailureText.quoted($0)) " } ?? "" }

  /// The path inside a folder of pending results: from the current folder, or else from the root.
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
