/// The program that runs, to be started once more.
enum ThisProgram {
  /// Its path; nil where the system does not say.
  static var path: String? {
    #if os(Linux)
    "/proc/self/exe"
    #else
    nil
    #endif
  }
}
