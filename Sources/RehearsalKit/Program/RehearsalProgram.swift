import LibC
@_exported public import Rehearsal
import Staging
import Workers

/// A program with the whole shell and your own scenes: the prompt, scripts, recording, `test`, `explore`, `serve`.
///
///     @main struct SearchShell: RehearsalProgram {
///       static let scenes = [
///         Scene("search", "A search field and its results.") { scene in … }
///       ]
///     }
@MainActor public protocol RehearsalProgram {
  /// The name of the program in help and messages, and of its folders in `XDG_CONFIG_HOME` and `XDG_STATE_HOME`.
  /// By default the name of the type.
  ///
  /// - Precondition: not empty, and without slashes and control characters.
  static var name: String { get }

  /// The version that `--version` prints. By default the version of Rehearse.
  static var version: String { get }

  /// The purpose of the program, as a sentence for `--help`.
  static var abstract: String { get }

  /// The scenes that the command `scene` can set up, in the order of `scenes`. Empty by default.
  static var scenes: [Scene] { get }
}

extension RehearsalProgram {
  /// The name of the type.
  public static var name: String { "\(Self.self)" }
  /// The version of Rehearse.
  public static var version: String { ThisProgram.libraryVersion }
  /// A sentence about every shell.
  public static var abstract: String {
    "Try out async Swift code in virtual time, record sessions, and replay them as tests."
  }
  /// No scenes.
  public static var scenes: [Scene] { [] }

  /// Runs the subcommand of the arguments and ends the process. Exit codes: 0 no difference and no failure, 1 a
  /// difference or a failed command, 2 wrong arguments, 3 the program could not do its work.
  public static func main() {
    StandardStreams.keepPlaces()
    Stage.takeMainQueueOfProcess()
    // With the signal ignored, writing beyond a size limit is an error, as on a full disk.
    signal(SIGXFSZ, SIG_IGN)
    QuitSignal.endsProcess()
    ThisProgram.introduce(
      ThisProgram(name: name, version: version, abstract: abstract, scenes: scenes)
    )
    ProgramArguments.refuseBytes()
    RootCommand.main()
  }
}
