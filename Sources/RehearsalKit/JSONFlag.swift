import ArgumentParser
import Rehearsal

/// Whether a program prints for programs.
struct JSONFlag: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print lines of JSON, for programs.")
  var isOn = false

  /// What comes first.
  static var begin: String {
    let program = ThisProgram.current
    return JSONLine.begin(program: program.name, version: program.version).text
  }
}
