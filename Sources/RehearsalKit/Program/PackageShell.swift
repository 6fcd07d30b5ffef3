import Harness

/// The shell of the user's package in the working folder: its executable target with `RehearsalKit`.
///
/// The manifest is only searched as text, because the package manager takes seconds to read it. So this is good enough for
/// advice, and for nothing else.
struct PackageShell {
  let name: String

  /// Nil if the manifest, the text of `Package.swift`, has no such target.
  init?(manifest: String) {
    guard let product = manifest.firstRange(of: ".product(name: \"RehearsalKit\""),
      let target = manifest[..<product.lowerBound].ranges(of: ".executableTarget(").last,
      let match = manifest[target.upperBound..<product.lowerBound].firstMatch(
        of: #/^\s*name:\s*"([A-Za-z0-9_-]+)"/#
      )
    else { return nil }
    name = String(match.1)
  }

  static var ofWorkingFolder: PackageShell? {
    guard let bytes = try? FileBytes.read("Package.swift"),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    return PackageShell(manifest: text)
  }

  /// Returns how a user starts this program: `swift run NewsShell` if the package manager has built it here.
  ///
  /// - Parameters:
  ///   - program: the name of the program.
  ///   - path: the path by which it was started.
  ///   - shell: the shell of the package.
  /// - Returns: the command.
  static func command(
    of program: String,
    startedAs path: String? = CommandLine.arguments.first,
    in shell: @autoclosure () -> PackageShell? = ofWorkingFolder
  ) -> String {
    let isBuiltHere = path?.contains(".build/") == true
    return isBuiltHere && shell()?.name == program ? "swift run \(program)" : program
  }

  /// Returns advice after a failure of transcripts that another program has replayed than the package's own shell.
  ///
  /// - Parameter program: the program that has replayed them.
  /// - Returns: the advice; nil if there is none.
  static func advice(after program: String) -> String? {
    guard let shell = ofWorkingFolder, shell.name != program else { return nil }
    return
      "the shell of this package has other scenes: 'swift run \(shell.name) test' replays its transcripts"
  }
}
