import Testing

/// Commands without a prompt: `run` and `-c` stop at the first mistake, a pipe continues.
@Suite struct BatchTests {
  private static let script = "loadable n\nlod n 1\nload n 2\n"
  private static let mistake = """
    > lod n 1
      error: there is no command 'lod'
        lod n 1
        ^~~
      hint: did you mean 'load'?

    """

  @Test func `a script stops at its first mistake`() throws {
    let place = try Workplace()
    try place.write("s.rehearse", Self.script)
    let outcome = try place.rehearse("run", "s.rehearse")

    #expect(outcome.output == "> loadable n\n" + Self.mistake)
    #expect(outcome.code == 1)
  }

  @Test func `a script may come from standard input`() throws {
    let outcome = try Workplace().rehearse("run", "-", input: Self.script)

    #expect(outcome.output == "> loadable n\n" + Self.mistake)
    #expect(outcome.code == 1)
  }

  @Test func `commands in arguments stop at the first mistake`() throws {
    let outcome = try Workplace().rehearse("-c", Self.script, "-c", "now")

    #expect(outcome.output == "> loadable n\n" + Self.mistake)
    #expect(outcome.code == 1)
  }

  @Test func `a pipe continues after a mistake, and ends with code 1`() throws {
    let outcome = try Workplace().rehearse(input: Self.script)

    #expect(
      outcome.output == "> loadable n\n" + Self.mistake + """
        > load n 2
             0.000s  n  absent → loading #1
             0.000s  n  loading #1 → loaded 2

        """
    )
    #expect(outcome.code == 1)
  }

  @Test func `a pipe without mistakes ends with code 0, with or without a last line break`() throws
  {
    let place = try Workplace()

    for input in ["now", "now\n", "now\r\n", "\u{FEFF}now\n", "# nothing\n\nnow\nquit\n# end\n"] {
      let outcome = try place.rehearse(input: input)
      #expect(outcome.output.hasPrefix("> now\n  0.000s\n"))
      #expect(outcome.code == 0)
    }
  }

  @Test func `a mistake before 'quit' sets the exit code`() throws {
    #expect(try Workplace().rehearse(input: "lod\nquit\n").code == 1)
    #expect(try Workplace().rehearse(input: "quit\n\n").code == 0)
  }

  @Test func `the output of a pipe is a transcript that replays`() throws {
    let place = try Workplace()
    let printed = try place.rehearse(input: Self.script + "load n {\n\"a\": 1\n}\ntimeline\n")
    try place.write("printed.transcript", printed.output)

    #expect(try place.rehearse("test", "printed.transcript").code == 0)
    // As input it prints the same: prompts are removed, and output is skipped.
    #expect(try place.rehearse(input: printed.output).output == printed.output)
  }

  @Test func `output that cannot be written ends the program with an error`() throws {
    let outcome = try Workplace().rehearse(input: "now\n", before: "exec >/dev/full; ")

    #expect(outcome.errors == "error: cannot write the output: no space left on the disk\n")
    #expect(outcome.code == 3)
  }

  @Test func `a closed pipe ends the program without a message`() throws {
    let place = try Workplace()
    try place.write("s.rehearse", String(repeating: "now\n", count: 100_000))
    let outcome = try place.rehearse("run", "s.rehearse", after: " | head -n 1")

    #expect(outcome.output == "> now\n")
    #expect(outcome.errors == "")
  }
}
