import ArgumentParser
import Rehearsal

/// The flag `--json`.
struct JSONFlag: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print lines of JSON.")
  var isOn = false

  /// The first line of JSON output.
  static var begin: String {
    let program = ThisProgram.current
    return JSONLine.begin(program: program.name, version: program.version).text
  }
}
