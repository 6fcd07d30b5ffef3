import Foundation
import LineEditing
import PseudoTerminal
import Testing

/// The file of `record` after every kind of end of the session.
@Suite struct RecordingTests {
  private static let failing = "1 passed (1 has commands that fail)\n"
  private static let commands = [
    "loadable profile: String",
    "load profile \"Ann\" after 1s",
    "loda",
    "settle",
    "load profile \"日本語 é\" after 1s",
    "cancel profile",
    "timeline",
    "log",
  ]

  /// The complete transcript of the session, with one block per command.
  private func blocks() throws -> [String] {
    let text = try Workplace().rehearse(input: Self.commands.joined(separator: "\n")).output
    let parts = text.components(separatedBy: "\n> ")
    return parts.enumerated().map { index, part in
      (index == 0 ? "" : "> ") + part + (index == parts.count - 1 ? "" : "\n")
    }
  }

  /// Types a number of keys, kills the program, and returns the content of the file.
  private func recording(
    killedAfter keyCount: Int,
    of keys: [Character],
    in place: Workplace
  ) throws -> String {
    let file = "\(keyCount).transcript"
    let terminal = try place.terminal(["record", file])
    let typed = String(keys.prefix(keyCount)).split(
      separator: "\r",
      omittingEmptySubsequences: false
    )
    for line in typed.dropLast() { try terminal.enter(String(line)) }
    let half = String(typed.last ?? "")
    try terminal.waitForPrompt()
    try terminal.type(half)
    try terminal.wait(for: "'> \(half)'") { screen in
      screen.currentLine == (half.isEmpty ? ">" : "> " + half)
        || half.last == " " && screen.currentLine == "> " + half.dropLast()
    }
    terminal.send(signal: SIGKILL)
    #expect(try terminal.waitForExit() == -SIGKILL)
    return place.read(file)
  }

  @Test func `a recording is complete if the shell is killed between any two keys`() throws {
    let place = try Workplace()
    let blocks = try blocks()
    let keys = Array(Self.commands.joined(separator: "\r") + "\r")
    let firstLine = Self.commands[0].count + 1
    let points = (0..<20).map { firstLine + $0 * (keys.count - firstLine) / 19 }
    #expect(blocks.count == Self.commands.count)

    for point in points {
      let answered = keys.prefix(point).filter { $0 == "\r" }.count
      let text = try recording(killedAfter: point, of: keys, in: place)
      #expect(text == blocks.prefix(answered).joined(), "killed after \(point) keys")
    }
    let replay = try place.rehearse("test", ".")
    #expect(replay.output.hasPrefix("20 passed "))
    #expect(replay.code == 0)
  }

  @Test func `a recording that ends in a crash has the crashing command`() throws {
    let place = try Workplace()
    let outcome = try place.rehearse("record", "a.transcript", input: "now\nsimulate crash\nnow\n")

    #expect(outcome.code < 0)
    #expect(place.read("a.transcript") == "> now\n  0.000s\n> simulate crash\n")
    #expect(
      outcome.errors.contains(
        """
        error: the program crashed in this command:
          > simulate crash
        note: the transcript up to it is in a.transcript

        """
      )
    )
  }

  @Test(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
  func `an interactive session is recorded as it is saved, and replays`() throws {
    let place = try Workplace()
    let terminal = try place.terminal(["record", "recorded.transcript"])
    for command in Self.commands { try terminal.enter(command) }
    // A dropped line is not in the file, and a value of two lines is.
    try terminal.type("load profile")
    try terminal.wait(forInput: "> load profile")
    try terminal.type("\u{3}")
    try terminal.waitForPrompt()
    try terminal.type("loadable list = [1,\r")
    try terminal.wait(forInput: ". ")
    try terminal.type("2]\r")
    try terminal.enter("save saved.transcript all", until: "  saved 9 commands to saved.transcript")
    #expect(try terminal.quit() == 0)

    #expect(place.read("recorded.transcript") == place.read("saved.transcript") + "> quit\n")
    #expect(
      place.read("saved.transcript")
        == (try blocks().joined() + "> loadable list = [1,\n. 2]\n")
    )
    #expect(try place.rehearse("test", ".").output == "2 passed (2 have commands that fail)\n")
  }

  @Test func `a late recording has the whole session`() throws {
    let place = try Workplace()
    let outcome = try place.rehearse(
      input: "loadable n\nrecord a.transcript\nload n 1\nrecord stop\nload n 2\n"
    )

    #expect(outcome.output.contains("  recording to a.transcript\n"))
    #expect(outcome.output.contains("  recorded to a.transcript\n"))
    #expect(
      place.read("a.transcript") == """
        > loadable n
        > load n 1
             0.000s  n  absent → loading #1
             0.000s  n  loading #1 → loaded 1

        """
    )
  }

  @Test func `paths of a recording in another folder are relative to it, and it replays`() throws {
    let place = try Workplace()
    try place.makeFolder("t/more")
    try place.write("t/setup.rehearse", "loadable n\nsource more/load.rehearse\n")
    try place.write("t/more/load.rehearse", "load n 1\ntimeline to n.txt\n")
    try place.write("t/more/posts.json", "[]")
    try place.write("t/two.transcript", "> route GET /p 200 file more/posts.json\n")
    let commands = """
      source setup.rehearse
      source set.rehearse
      route GET /posts 200 file more/posts.json
      test two.transcript
      """
    let outcome = try place.rehearse("record", "t/a.transcript", input: commands)
    let text = place.read("t/a.transcript")

    #expect(outcome.output.contains("\n  note: paths are relative to its folder, as in a replay\n"))
    #expect(text.contains("  hint: did you mean 'setup.rehearse'?\n"))
    #expect(text.hasSuffix("> test two.transcript\n  1 passed\n"))
    #expect(try place.rehearse("test", "t/a.transcript").output == Self.failing)
    #expect(try place.rehearse("test", "a.transcript", before: "cd t; ").output == Self.failing)
    // It stops at the mistake.
    let run = try place.rehearse("run", "t/a.transcript").output
    #expect(run.hasPrefix("> source setup.rehearse\n     0.000s") && text.hasPrefix(run))
    #expect(place.read("t/more/n.txt").contains("loaded"))
  }

  @Test func `a test that fails prints the paths of a replay into a recording elsewhere`() throws {
    let place = try Workplace()
    try place.makeFolder("t")
    try place.write("t/wrong.transcript", "> now\n  1.000s\n")
    let outcome = try place.rehearse("record", "t/a.transcript", input: "test wrong.transcript\n")

    #expect(outcome.output.contains("\n  wrong.transcript:2: output differs\n"))
    #expect(try place.rehearse("test", "t/a.transcript").output == Self.failing)
  }

  @Test func `a late recording into another folder prints a note about paths`() throws {
    let place = try Workplace()
    try place.write("setup.rehearse", "loadable n\n")
    let note = "  note: a replay of t/a.transcript looks for files in its folder, not here\n"
    let early = try place.rehearse(input: "record t/a.transcript\nnow\nsource setup.rehearse\n")
    let late = try place.rehearse(input: "source setup.rehearse\nnow\nsave t/a.transcript\n")

    #expect(early.output.hasSuffix("> source setup.rehearse\n" + note))
    #expect(late.output.hasSuffix("; 'save t/a.transcript all' saves all\n" + note))
    #expect(!place.read("t/a.transcript").contains("note"))
  }

  @Test(arguments: ["record ~/q", "save ~/q", "source ~/q"])
  func `a path with '~' does not create a folder of that name`(command: String) throws {
    let place = try Workplace()
    let outcome = try place.rehearse(input: "now\n" + command + "\n")

    #expect(outcome.code == 1)
    #expect(outcome.output.contains("\n  hint: '~' is not expanded here; write the whole path"))
    #expect(try place.names() == [])
  }

  @Test func `folders of a recording are created, and removed if it stays empty`() throws {
    let place = try Workplace()
    #expect(try place.rehearse("record", "a/b/c.transcript").code == 0)
    let long = "a/b/" + String(repeating: "n", count: 300)
    #expect(try place.rehearse("record", long, input: "now\n").code == 2)
    #expect(try place.names() == [])

    #expect(try place.rehearse("record", "a/b/c.transcript", input: "now\n").code == 0)
    #expect(place.read("a/b/c.transcript") == "> now\n  0.000s\n")
    try place.write("empty", "")
    #expect(try place.rehearse("record", "empty").code == 0)
    #expect(try place.names() == ["a", "empty"])
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `a full disk ends a recording with an error, and the session continues`() throws {
    let place = try Workplace()
    let outcome = try place.rehearse(
      "record",
      "/dev/full",
      input: "loadable n\nload n 1\nsave a.transcript all\nlist\n"
    )

    #expect(outcome.output.hasSuffix("> list\n  n  loaded 1\n"))
    #expect(try place.rehearse("test", "a.transcript").output == "1 passed\n")
    #expect(
      outcome.output.contains(
        "  error: the recording stopped: cannot write '/dev/full': no space left on the disk\n"
      )
    )
    #expect(outcome.output.contains("  hint: 'save FILE' writes the whole session elsewhere\n"))
    #expect(outcome.output.components(separatedBy: "the recording stopped").count == 2)
  }

  @Test func `a disk that fills up during a recording leaves whole commands`() throws {
    let place = try Workplace()
    // A limit of the file size simulates a full disk: 1 KB, in blocks of 512 bytes.
    let outcome = try place.rehearse(
      "record",
      "a.transcript",
      input: "loadable n\n" + String(repeating: "help now\n", count: 40) + "list\n",
      before: "trap '' XFSZ; ulimit -f 2; exec 2>/dev/null; "
    )

    #expect(outcome.output.contains("error: the recording stopped: cannot write 'a.transcript': "))
    #expect(outcome.output.hasSuffix("> list\n  n  absent\n"))
    #expect(place.read("a.transcript").hasPrefix("> loadable n\n> help now\n"))
  }
}
