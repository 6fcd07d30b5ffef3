import Converting
import Testing

@testable import Harness
@testable import Rehearsal

/// Transcripts from text that was copied out of a terminal.
@Suite struct ImportTests {
  private func imported(_ text: String) -> ImportedTranscript {
    ImportedTranscript(Array(text.utf8), table: ShellCommands.table)
  }

  private func failures(_ imported: ImportedTranscript) -> [TranscriptFailure] {
    Transcript(path: "a", bytes: Array(imported.text.utf8)).replay {
      SessionPerformer(fixtures: $0, folder: $1)
    }
  }

  /// A session of eighty columns, as `tmux capture-pane -p` wrote it.
  private static let pane = """
    me@box:~/app$ rehearse
    rehearse 0.1.0. 'help' lists the commands, Ctrl-D leaves.
    > loadable profile: String
    > load profile "old" after 3s uncancellable   # the slow one
         0.000s  profile  absent → loading #1
    > wait 1s
    > load profile "a quite long text that will not fit into eighty columns of a ter
    minal" after 1s
         1.000s  profile  loading #1 → loading #2
    > settle
         2.000s  profile  loading #2 → loaded "a quite long text that will not fit i
    nto eighty columns of a…" (69 bytes, digest 861d8a6f)
         3.000s  profile  #1 answered "old"; too late, dropped
    > load profile {
    . "a": 1
    . }
      error: expected String, but the value is an object
        load profile {
                     ^
      hint: 'show' prints the type of a member; JSON takes any value
    > half a comm^C
    > cancel profle
      error: no member is called 'profle'
        cancel profle
               ^~~~~~
      hint: did you mean 'profile'?
    > quit
    me@box:~/app$ ls /nonexistent
    ls: cannot access '/nonexistent': No such file or directory

    """

  @Test func `a copied terminal screen becomes a transcript that passes`() {
    let imported = imported(Self.pane)

    #expect(failures(imported).map(\.description) == [])
    #expect(imported.commandCount == 8)
    #expect(imported.unknownLines == [1, 28, 29])
    #expect(imported.text.hasPrefix("# ? me@box:~/app$ rehearse\n> loadable profile: String\n"))
    #expect(imported.text.contains("\n# interrupted: half a comm\n> cancel profle\n"))
    #expect(imported.text.contains("eighty columns of a terminal\" after 1s\n"))
    #expect(
      imported.text.hasSuffix(
        "\n> quit\n# ? me@box:~/app$ ls /nonexistent\n# ? ls: cannot access '/nonexistent': No such file or directory\n"
      )
    )
  }

  @Test func `a wrapped line is joined even if the blank at its end was not copied`() {
    let width = String(repeating: "x", count: 59)
    let imported = imported("> loadable n\n> load n \"\(width) ab\" after\n1s\n> settle\n")

    #expect(imported.text.contains("ab\" after 1s\n> settle"))
  }

  /// Output for a terminal: the line editor's colours, a wrapped line, and the line below a live
  /// prompt, which is drawn repeatedly.
  private static let raw = """
    Script started on 2026-11-21\r
    \u{1B}[?2004h> loadable profile: String\r
    \u{1B}[?2004l\u{1B}[?2004h> load profile "x" after 3s un \u{8}cancellable\r
    \u{1B}[?2004l     0.000s  profile  absent → loading #1\r
    \u{1B}[?2004h> cancel profle\r
    \u{1B}[?2004l  \u{1B}[1;31merror:\u{1B}[0m no member is called 'profle'\r
        cancel profle\r
               ^~~~~~\r
      \u{1B}[36mhint: did you mean 'profile'?\u{1B}[0m\r
    \u{1B}[?2004h> \r\r
    \u{1B}[0;2m0.000s live\u{1B}[0m\u{1B}[K\r\u{1B}[1A\u{1B}[2C\r\r
    \u{1B}[0;2m0.100s live\u{1B}[0m\u{1B}[K\r\u{1B}[1A\u{1B}[2C\u{1B}[Jsettle\r
    \u{1B}[?2004l     3.000s  profile  loading #1 → loaded "x"\r
    \u{1B}]0;title\u{7}
    Script done on 2026-11-21
    """

  @Test func `terminal output becomes the text that the terminal showed`() {
    let imported = imported(Self.raw)

    #expect(
      imported.text == """
        > loadable profile: String
        > load profile "x" after 3s uncancellable
             0.000s  profile  absent → loading #1
        > cancel profle
          error: no member is called 'profle'
            cancel profle
                   ^~~~~~
          hint: did you mean 'profile'?
        > settle
             3.000s  profile  loading #1 → loaded "x"

        """
    )
    #expect(failures(imported).isEmpty)
  }

  @Test func `an asciinema recording becomes its printed text`() {
    let cast = """
      {"version": 2, "width": 80, "height": 24}
      [0.1, "o", "\\u001b[?2004h> no"]
      [0.2, "i", "w"]
      [0.3, "o", "w\\r\\n  0.000s\\r\\n"]
      """

    #expect(imported(cast).text == "> now\n  0.000s\n")
    #expect(imported(cast).damagedLines == [])
  }

  @Test func `a damaged line of a recording is named, and the others are read`() {
    let cast = """
      {"version": 3, "term": {"cols": 80, "rows": 24}}
      # a comment
      [0.1, "o", "> now\\r\\n"]
      [broken
      [0.1, "r", "100x50"]

      [0.1, "o"]
      [0.2, "o", "  0.000s\\r\\n"]
      """

    #expect(imported(cast).text == "> now\n  0.000s\n")
    #expect(imported(cast).damagedLines == [4, 7])
  }

  /// A command of more than forty columns, which the line editor redraws from its first row.
  private static let wrapped =
    "> loadable profile: String\r\n> load profile \"a text of more than\u{1B}[K"
    + "\r> load profile \"a text of more than one row\u{1B}[1A\r\u{1B}[J> load profile \"a text of "
    + "more than one row\" after 1s\r\n     0.000s  profile  absent → loading #1\r\n> quit\r\n"

  @Test(arguments: [
    "Script started on 2026-11-22 [TERM=\"xterm\" COLUMNS=\"40\" LINES=\"9\"]\r\n\(wrapped)",
    "{\"version\": 2, \"width\": 40, \"height\": 9}\n[0.1, \"o\", \(CommandText.quoted(wrapped))]\n",
    "{\"version\": 3, \"term\": {\"cols\": 40}}\n[0.1, \"o\", \(CommandText.quoted(wrapped))]\n",
  ])
  func `wrapped lines are joined if the recording has the width`(text: String) {
    #expect(
      imported(text).text == """
        > loadable profile: String
        > load profile "a text of more than one row" after 1s
             0.000s  profile  absent → loading #1
        > quit

        """
    )
  }

  @Test(arguments: [
    (0, "", "> lo\r\u{1B}[K> # a\tb\r\n", "# a   b"),
    (20, "", "> # a\t\t\t\tb\r\n", "# a              b"),
    (40, "", "> # \(combined)\r\u{1B}[K> # \(combined)\r\n", "# \(combined)"),
    (40, "", "> # ab\r\n> # \(wide)\u{1B}[1A\r\u{1B}[J> # \(wide)\r\n", "# ab\n# \(wide)"),
    (40, "[0.1, \"r\", \"90x9\"]\n", "> # \(narrow)\r\u{1B}[K> # \(narrow)\r\n", "# \(narrow)"),
  ])
  func `columns are those of the terminal`(
    width: Int,
    event: String,
    output: String,
    text: String
  ) {
    let cast =
      "{\"version\": 2, \"width\": \(width)}\n\(event)[0.2, \"o\", \(CommandText.quoted(output))]\n"

    #expect(imported(cast).text == text + "\n")
  }

  private static let combined = String(repeating: "e\u{301}", count: 30)
  private static let wide = String(repeating: "日", count: 20)
  private static let narrow = String(repeating: "x", count: 50)

  @Test(arguments: [
    "> loadable a\n> load a 1 after 2s\n     0.000s  a  absent → loading #1\nthanks\n",
    "> > loadable a\n> > load a 1 after 2s\n>      0.000s  a  absent → loading #1\nthanks\n",
  ])
  func `text below the longest line does not continue it`(paste: String) {
    let imported = imported(paste)

    #expect(imported.text.contains("absent → loading #1\n# ? thanks\n"))
  }

  @Test(
    arguments: [
      "> > now\n>   0.000s\n>\n", ">> > now\n>>   0.000s\n", "> > > now\n> >   0.000s\n> >\n",
      ">>> > now\n>>>   0.000s\n", "> ```\n> > now\n>   0.000s\n> ```\n",
      "```transcript\n> now\n  0.000s\n```\n",
      "    > now\n      0.000s\n",
      "SearchShell> now\n  0.000s\nSearchShell>\n", "\u{1B}[200~> now\n  0.000s\u{1B}[201~",
      "^[[200~> now\n  0.000s^[[201~\n", "\u{FEFF}> now\r\n  0.000s", ">\u{A0}now\n\u{A0} 0.000s\n",
      "> now\r\n  0.000s\r\n",
    ]
  )
  func `decoration around a session is removed`(paste: String) {
    #expect(imported(paste).text == "> now\n  0.000s\n")
  }

  @Test func `prompts of other programs are not commands`() {
    let paste = "sqlite> select 1;\n1\nShell> now\n  0.000s\nShell> lod x\nghci> 1+1\n"

    #expect(
      imported(paste).text
        == "# ? sqlite> select 1;\n# ? 1\n> now\n  0.000s\n> lod x\n# ? ghci> 1+1\n"
    )
  }

  @Test func `output that lost its indentation gets it back`() {
    let paste = """
      > loadable n
      > load n 1 after 1s
      0.000s  n  absent → loading #1
      > wait 10s
      1.000s  n  loading #1 → loaded 1
      > load n 2 after 1s
      10.000s  n  loaded 1 → loading #2
      > frobnicate
      me@box:~$ true
      """
    let imported = imported(paste)

    #expect(failures(imported).map(\.command) == ["frobnicate"])
    #expect(imported.text.contains("\n     1.000s  n  loading #1 → loaded 1\n"))
    #expect(imported.unknownLines == [9])
  }

  @Test func `an instant on its own line is the output of now`() {
    let imported = imported("> now\n0.000s\n> wait 1s\n> now\n1.000s\n")

    #expect(imported.text == "> now\n  0.000s\n> wait 1s\n> now\n  1.000s\n")
  }

  @Test func `lost indentation is restored also in some lines only`() {
    let paste = """
      > loadable n
      > load n 1 after 1s
      0.000s  n  absent → loading #1
      > settle
           1.000s  n  loading #1 → loaded 1
      > cancel m
      error: no member is called 'm'
        cancel m
               ^
      hint: there are: n
      > list
      n  loaded 1
      Is that right?
      > load n 2 after 1s
      0.000s  n  loaded 1 → loading #2
      and so on

      Why?
      """
    let imported = imported(paste)

    #expect(imported.unknownLines == [12, 13, 18])
    #expect(imported.text.contains("\n     0.000s  n  absent → loading #1\n> settle\n"))
    #expect(imported.text.contains("\n  error: no member is called 'm'\n"))
    #expect(imported.text.contains("\n  hint: there are: n\n> list\n# ? n  loaded 1\n"))
    #expect(imported.text.hasSuffix("loading #2\n  and so on\n# ? Why?\n"))
  }

  @Test func `lost blanks are restored from a replay, if nothing else differs`()
    throws
  {
    let paste = """
      > loadable n
      > load n 1 after 1s
      0.000s  n  absent → loading #1
      > show n
      n
      state     loading #1
      error     none
      data      none
      attempts  1, #1 in flight
      policy    latest
      > now
      3.000s
      """
    let guessed = imported(paste)
    let indented = try #require(guessed.indented(as: failures(guessed)))

    #expect(guessed.hasGuessedIndentation)
    #expect(indented.text.contains("\n  n\n    state     loading #1\n"))
    #expect(indented.text.hasSuffix("\n> now\n  3.000s\n"))
    #expect(failures(indented).map(\.command) == ["now"])
    #expect(indented.indented(as: failures(indented)) == nil)
    // If no blanks were lost, a difference in blanks is a difference.
    let other = imported("> now\n     0.000s\n")
    #expect(other.indented(as: failures(other)) == nil)
  }

  @Test func `an error message that was wrapped at a blank is joined`() {
    let paste =
      "> x y\n  error: this is a long sentence about a mistake, and\n    it goes on\n    x y\n    ^\n"

    #expect(imported(paste).text.contains("mistake, and it goes on\n    x y\n    ^\n"))
  }

  @Test func `curly quotes become straight if only that can be parsed`() {
    let imported = imported("> loadable n\n> load n “a”\n> load n \"“a”\"\n")

    #expect(imported.text.contains("> load n \"a\"\n> load n \"“a”\"\n"))
  }

  @Test func `comments stay comments, and an empty prompt is ignored`() {
    #expect(imported("> # why\n>\n> now # then\n# so\n").text == "# why\n> now # then\n# so\n")
  }

  @Test(arguments: [
    "", "hello", "$ ls\nREADME.md\n", "{\"version\": 2}\n", "\u{1B}[999999999B\u{1B}[",
    "\r\u{8}\u{1B}]",
  ])
  func `text without commands gives an empty transcript`(paste: String) {
    #expect(imported(paste).commandCount == 0)
  }

  @Test(arguments: [
    ("--   --\nx\ny\nz\n", "# ? --   --\n# ? x\n# ? y\n# ? z\n"),
    (
      "-- ../x --\n> load a 1\n  {}\n# c\n",
      "# ? -- ../x --\n# ? > load a 1\n# ?   {}\n# ? # c\n"
    ),
    ("-- ../x --\n", "# ? -- ../x --\n"), ("-- /etc/x --\n", "# ? -- /etc/x --\n"),
    ("-- a --\n1\n-- a --\n2\n-- b --\n", "# ? -- a --\n# ? 2\n-- a --\n1\n-- b --\n"),
    ("-- a --\n1\n-- b/../c --\n2\n", "# ? -- b/../c --\n# ? 2\n-- a --\n1\n"),
  ])
  func `commands that a transcript cannot have files for are refused`(
    files: String,
    expected: String
  ) {
    let imported = imported("> now\n  0.000s\n" + files)

    #expect(imported.text == "> now\n  0.000s\n" + expected)
    #expect(imported.unknownLines.count == expected.count { $0 == "?" })
    // No command here reads the text that has become a file.
    let files = Transcript(path: "a", bytes: Array(imported.text.utf8)).fixtures.names
    #expect(failures(imported).map(\.problem) == files.map(TranscriptProblem.unreadFixture))
  }

  /// Checks that a transcript can be imported as a paste.
  @Test(arguments: Transcripts.in("transcripts"))
  func `commands and output of a transcript are imported unchanged`(transcript: Transcript) throws {
    let source = transcript.bytes
    let imported = ImportedTranscript(source, table: ShellCommands.table)
    let again = Transcript(path: transcript.path, bytes: Array(imported.text.utf8))

    #expect(again.commands == transcript.commands)
    #expect(
      again.blocks.map { again.expected($0).map(\.text) }
        == transcript.blocks.map { transcript.expected($0).map(\.text) }
    )
    #expect(imported.unknownLines == [])
    #expect(again.fixtures.names == transcript.fixtures.names)
  }
}
