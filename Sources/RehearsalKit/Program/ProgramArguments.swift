import Rehearsal
import RehearsalBase
import Script

/// The bytes of the program's arguments: the program ends if one is not UTF-8.
@MainActor enum ProgramArguments {
  /// Ends the program if an argument is not UTF-8. With its invalid bytes replaced, it could name another file.
  static func refuseBytes() {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index],
        String(validatingCString: argument) == nil
      else { continue }
      StandardStreams.complain(
        """
        error: argument \(index) is not UTF-8: '\(String(cString: argument).printable(atMost: 80))'
        hint: rename the file to a name in UTF-8
        """
      )
      ThisProgram.end(with: ProgramExit.usage.rawValue)
    }
  }
}
