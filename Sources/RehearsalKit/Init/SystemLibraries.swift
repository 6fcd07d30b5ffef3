import LibC

/// The libraries of the system that a shell needs when it is built.
enum SystemLibraries {
  /// Returns whether the shell must be built without libedit. Throws if a package cannot be built at all.
  static func requireAll(
    toolsVersion: (major: Int, minor: Int)
  ) throws(SubcommandFailure) -> Bool {
    #if os(Linux)
    guard isThere("zlib.h") else {
      throw SubcommandFailure(
        "zlib is missing, which Rehearse needs",
        hint: "install zlib1g-dev (Debian, Ubuntu) or zlib-devel (Fedora)"
      )
    }
    if isThere("histedit.h") { return false }
    guard toolsVersion >= (6, 1) else {
      throw SubcommandFailure(
        "libedit is missing, which the prompt needs",
        hint:
          "install libedit-dev (Debian, Ubuntu) or libedit-devel (Fedora); with tools version 6.1 the prompt also builds without it"
      )
    }
    return true
    #else
    return false
    #endif
  }

  private static func isThere(_ header: String) -> Bool {
    ["/usr/include/", "/usr/local/include/"].contains { access($0 + header, F_OK) == 0 }
  }
}
