import LibC
@_exported public import Rehearsal

/// A program that is the whole shell, with systems of your own to rehearse: the prompt, scripts,
/// recording, `test`, `serve`, `har`.
///
///     @main struct SearchShell: RehearsalProgram {
///       static let scenes = [
///         Scene("search", "A search field and its results.") { scene in … }
///       ]
///     }
@MainActor public protocol RehearsalProgram {
  /// What usage, help and hints call the program, and the name of the folder of its history, below
  /// `XDG_STATE_HOME`. By default the name of the type.
  ///
  /// - Precondition: neither empty, nor with a slash or a control character in it.
  static var name: String { get }

  /// What `--version` prints. By default the version of Rehearse.
  static var version: String { get }

  /// What the program is for, in a sentence, for `--help`.
  static var abstract: String { get }

  /// What `scene` can set up, in the order in which `scenes` lists it. Empty by default.
  static var scenes: [Scene] { get }
}

extension RehearsalProgram {
  /// The name of the type.
  public static var name: String { "\(Self.self)" }
  /// The version of Rehearse.
  public static var version: String { ThisProgram.libraryVersion }
  /// A sentence that fits every shell.
  public static var abstract: String {
    "Try out loading behaviour, write it down, and replay it: in virtual time."
  }
  /// None.
  public static var scenes: [Scene] { [] }

  /// Performs what the arguments ask for, and ends the process, with 0 where all is as expected, 1
  /// where something differs or failed, 2 where it was called wrongly, 3 where the program itself failed.
  public static func main() {
    StandardStreams.keepPlaces()
    // A limit of sizes is a problem of the file that is written, as a full disk is.
    signal(SIGXFSZ, SIG_IGN)
    ThisProgram.introduce(
      ThisProgram(name: name, version: version, abstract: abstract, scenes: scenes)
    )
    ProgramArguments.refuseBytes()
    RootCommand.main()
  }
}
