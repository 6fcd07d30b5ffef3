import Rehearsal
import RehearsalBase
import Script

/// The arguments of the program, as bytes.
@MainActor enum ProgramArguments {
  /// Ends the program where one of them is no text: with its bad bytes replaced it could be the name of another
  /// file.
  static func refuseBytes() {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index],
        String(validatingCString: argument) == nil
      else { continue }
      StandardStreams.complain(
        """
        error: argument \(index) is not UTF-8: '\(String(cString: argument).printable(atMost: 80))'
        hint: give the file a name that is UTF-8
        """
      )
      ThisProgram.end(with: ProgramExit.usage.rawValue)
    }
  }
}
