import LibC

/// The programs that are built together with the tests.
public enum BuildProducts {
  /// Returns the path of a program in the folder of the test bundle.
  public static func path(of program: String) -> String { folder + "/" + program }

  private static let folder: String = {
    let running = CommandLine.arguments[0]
    var components = running.split(separator: "/", omittingEmptySubsequences: false)
    // On macOS the bundle is a folder, and tests run in a program of Xcode.
    if let bundle = components.firstIndex(where: { $0.hasSuffix(".xctest") }) {
      components.removeSubrange(bundle...)
    } else {
      components.removeLast()
    }
    return components.joined(separator: "/")
  }()
}
