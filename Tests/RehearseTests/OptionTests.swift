import LineEditing
import PseudoTerminal
import Testing

/// Options from the config file, the environment and the command line.
@Suite struct OptionTests {
  private func place(config: String) throws -> Workplace {
    let place = try Workplace()
    for folder in [".config", ".config/rehearse"] { try place.makeFolder(folder) }
    try place.write(".config/rehearse/config", config)
    return place
  }

  @Test func `a pipe uses the config file, the environment and flags, and records the options`()
    throws
  {
    let place = try place(config: "times = milliseconds\nseed = 3\n")
    let outcome = try place.rehearse(
      "--seed",
      "5",
      input: "now\n",
      environment: ["REHEARSE_TIMES": "clock", "REHEARSE_POLICY": "join"]
    )
    #expect(
      outcome.output
        == "> set times clock\n> set policy join\n> set seed 5\n> now\n  00:00.000\n"
    )
    #expect(outcome.errors == "")
    #expect(outcome.code == 0)
  }

  @Test func `a script and a replay ignore the config file and the environment`() throws {
    let place = try place(config: "times = milliseconds\nwidth = 40\n")
    try place.write("a.transcript", "> now\n  0.000s\n> set\n  width    80       default\n  ...\n")
    let environment = ["REHEARSE_SEED": "7", "REHEARSE_TIMES": "clock"]
    let run = try place.rehearse("run", "a.transcript", environment: environment)
    #expect(run.output.hasPrefix("> now\n  0.000s\n> set\n  width    80       default\n"))
    let test = try place.rehearse("test", "a.transcript", environment: environment)
    #expect(test.output == "1 passed\n")
  }

  @Test func `a flag of a script is the first command of its output`() throws {
    let place = try Workplace()
    try place.write("a.rehearse", "now\n")
    let outcome = try place.rehearse("run", "--times", "milliseconds", "a.rehearse")
    #expect(outcome.output == "> set times milliseconds\n> now\n  0ms\n")
  }

  @Test func `a mistake in the config file is reported, and the shell still opens`() throws {
    let place = try place(config: "# mine\nwidht = 60\n")
    let outcome = try place.rehearse(input: "now\n")
    #expect(outcome.output == "> now\n  0.000s\n")
    #expect(
      outcome.errors == """
        \(place.path)/.config/rehearse/config:2: error: there is no option 'widht'
          widht = 60
          ^~~~~
        hint: did you mean 'width'?

        """
    )
    #expect(outcome.code == 0)
  }

  @Test(arguments: [
    [UInt8]("seed = 1\n".utf8) + [0xFF], [UInt8](repeating: 0x23, count: 1 << 17),
  ])
  func `a config file that cannot be read is reported, and the shell still opens`(
    bytes: [UInt8]
  ) throws {
    let place = try place(config: "")
    try place.write(".config/rehearse/config", bytes)
    let outcome = try place.rehearse(input: "now\n")
    #expect(outcome.output == "> now\n  0.000s\n")
    #expect(outcome.errors.hasPrefix("error: cannot read '\(place.path)/.config/rehearse/config'"))
    #expect(!outcome.errors.contains("0 MB"))
  }

  @Test func `a flag with an invalid value ends the program with code 2`() throws {
    for arguments in [["--width", "9"], ["--colour", "red"], ["test", "--color", "red"]] {
      let outcome = try Workplace().rehearse(arguments, input: [])
      #expect(outcome.code == 2)
      #expect(outcome.errors.hasPrefix("error: --"))
    }
  }

  @Test func `XDG_CONFIG_HOME sets the folder of the config file`() throws {
    let place = try Workplace()
    #expect(
      try place.rehearse("config", "--path").output == "\(place.path)/.config/rehearse/config\n"
    )
    let moved = try place.rehearse("config", "--path", environment: ["XDG_CONFIG_HOME": "/x"])
    #expect(moved.output == "/x/rehearse/config\n")
  }

  // MARK: On a terminal

  @Test(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
  func `a narrow terminal wraps a hint between words, and a saved file does not`() throws {
    let place = try Workplace()
    let terminal = try place.terminal(columns: 40)
    try terminal.enter("help live", until: "    'help search live' finds all pages")
    try terminal.enter("save a.transcript all")
    #expect(try terminal.quit() == 0)
    #expect(
      place.read("a.transcript")
        .contains("  hint: 'help clock' explains it; 'help search live' finds all pages\n")
    )
  }

  @Test(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
  func `colour can be turned on in a pipe and off at the prompt`() throws {
    let place = try Workplace()
    let always = try place.rehearse("--colour", "always", input: "lod\n")
    #expect(always.output.contains("\u{1B}[1;31merror:\u{1B}[0m there is no command"))
    let terminal = try place.terminal()
    try terminal.enter("set colour never")
    try terminal.enter("lod")
    #expect(try terminal.quit() == 0)
    #expect(!String(decoding: terminal.written, as: UTF8.self).contains("\u{1B}[1;31m"))
  }

  @Test(
    .enabled(if: LineEditor.isBuiltIn, "built without line editing"),
    arguments: [40, 300]
  )
  func `help fits a terminal of any width`(columns: Int) throws {
    let place = try Workplace()
    let terminal = try place.terminal(["--no-pager"], rows: 200, columns: columns)
    try terminal.enter("help set")
    try terminal.enter("save seen.transcript all")
    #expect(try terminal.quit() == 0)
    #expect(place.read("seen.transcript").hasPrefix("> set width \(columns)\n> help set\n"))
    #expect(try place.rehearse("test", "seen.transcript").output == "1 passed\n")
  }
}
