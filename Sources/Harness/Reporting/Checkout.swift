/// The folder of a GitHub workflow's files. Annotations name files relative to it, wherever a run was started.
package struct Checkout: Sendable, Equatable {
  /// The folder as it was given, and with all links resolved.
  private let roots: [String]
  /// The folder in which a run was started.
  private let current: String

  /// - Parameters:
  ///   - root: the absolute path of the folder.
  ///   - current: the folder in which a run was started; nil for the current folder of the process.
  package init(_ root: String, current: String? = nil) {
    roots = [root, Folder.realPath(root)].compactMap(\.self)
    self.current = current ?? PathKey.currentFolder
  }

  /// Returns a path relative to the checkout; a path outside of it stays unchanged.
  func path(_ path: String) -> String {
    let whole = path.utf8.first == UInt8(ascii: "/") ? path : "\(current)/\(path)"
    let inner = roots.map { PathKey(folder: $0).typed(whole) }
    return inner.first { $0.utf8.first != UInt8(ascii: "/") } ?? path
  }
}
