/// Where a workflow of GitHub's has its files: its annotations name them from there, wherever a run was started.
package struct Checkout: Sendable, Equatable {
  /// The folder as it was given, and without links.
  private let roots: [String]
  /// The folder that a run was started in.
  private let current: String

  /// - Parameters:
  ///   - root: the folder, from the root of all.
  ///   - current: the folder that a run was started in; nil for the one that the process is in.
  package init(_ root: String, current: String? = nil) {
    roots = [root, Folder.realPath(root)].compactMap(\.self)
    self.current = current ?? PathKey.currentFolder
  }

  /// A path from the checkout on; one that lies elsewhere stays as it is.
  func path(_ path: String) -> String {
    let whole = path.utf8.first == UInt8(ascii: "/") ? path : "\(current)/\(path)"
    let inner = roots.map { PathKey(folder: $0).typed(whole) }
    return inner.first { $0.utf8.first != UInt8(ascii: "/") } ?? path
  }
}
