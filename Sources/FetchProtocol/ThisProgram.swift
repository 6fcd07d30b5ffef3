import LibC

/// Finds the helper `rehearse-fetch` next to the running program; says why it is missing, and how to get it.
extension FetchClient {
  /// The path of a helper in the folder of the running program; nil if the system does not report it.
  static var helperBesideThisProgram: String? {
    guard let path = pathOfThisProgram, let slash = path.lastIndex(of: "/") else { return nil }
    return path[...slash] + helperName
  }

  private static var pathOfThisProgram: String? {
    var path = [CChar](repeating: 0, count: 4096)
    #if canImport(Darwin)
    var size = UInt32(path.count)
    guard _NSGetExecutablePath(&path, &size) == 0 else { return nil }
    #else
    guard readlink("/proc/self/exe", &path, path.count - 1) > 0 else { return nil }
    #endif
    return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension FetchClient {
  static let howToGetHelper = "install its package, or type 'swift build --product \(helperName)'"

  /// Why no request can be sent, and what to do; nil if the helper exists.
  ///
  /// The path of the helper is left out, because it differs between machines.
  public var missingHelper: (problem: String, hint: String)? {
    if let program, isExecutable(program) { return nil }
    let name = "the program \(Self.helperName), which opens sockets for this one,"
    if let program, Self.isBeingBuilt(program) {
      return ("\(name) is still being built", "try again in a minute")
    }
    return ("\(name) is not in the same folder", Self.howToGetHelper)
  }

  /// Whether `scripts/rehearse` is building a program: then a file next to it has the process id of the build.
  private static func isBeingBuilt(_ program: String) -> Bool {
    guard let file = fopen(program + ".building", "r") else { return false }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 32)
    guard fgets(&text, Int32(text.count), file) != nil else { return false }
    let process = pid_t(atoi(text))
    return process > 0 && (kill(process, 0) == 0 || errno == EPERM)
  }
}

/// Whether a path leads to an executable file.
func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }
