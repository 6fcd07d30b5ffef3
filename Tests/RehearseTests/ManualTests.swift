import Foundation
import Testing

/// Completions, the manual page, grammars and pictures.
@Suite struct ManualTests {
  private static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")

  /// Returns the completions of bash for a line.
  private func candidates(for line: String) throws -> Set<String> {
    let place = try Workplace()
    for name in ["a.transcript", "b.rehearse", "c.md", "d.har", "e.txt"] {
      try place.write(name, "")
    }
    try place.write("completions", try place.rehearse("completions", "bash").output)
    try place.write(
      "complete",
      """
      source ./completions
      COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COMP_KEY=9
      read -ra COMP_WORDS <<< "$1"
      if [[ $1 == *' ' ]]; then COMP_WORDS+=(""); fi
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      "$(complete -p rehearse | sed 's/.* -F \\([^ ]*\\) .*/\\1/')" rehearse \\
        "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    )
    let outcome = try place.rehearse(before: "exec bash ./complete '\(line)'; ")
    #expect(outcome.errors == "")
    return Set(outcome.output.split(separator: "\n").map(String.init))
  }

  @Test(arguments: [
    ("rehearse te", ["test"]), ("rehearse test ", ["a.transcript", "c.md"]),
    ("rehearse run ", ["a.transcript", "b.rehearse"]), ("rehearse har ", ["d.har"]),
    ("rehearse new x --scene play", ["playground"]),
    ("rehearse completions ", ["bash", "zsh", "fish"]),
    ("rehearse picture --theme ", ["light", "dark", "auto"]),
    ("rehearse test --up", ["--update"]), ("rehearse help fo", ["format"]),
    ("rehearse help re", ["record", "reference", "reject", "report", "review"]),
    ("rehearse help test ", []),
  ])
  func `bash offers matching completions`(line: String, expected: [String]) throws {
    #expect(try candidates(for: line) == Set(expected))
  }

  @Test(arguments: ["zsh", "fish"])
  func `other shells also have completions`(shell: String) throws {
    let outcome = try Workplace().rehearse("completions", shell)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("rehearse"))
    #expect(outcome.output.contains("picture"))
    let behindHelp = [
      "zsh": "':subcommand:(run record test ",
      "fish": "\"rehearse help\" -eq 1' -fa 'format' -d 'Write ",
    ]
    #expect(outcome.output.contains(try #require(behindHelp[shell])))
  }

  @Test func `the error about an unknown shell lists the supported ones`() throws {
    let outcome = try Workplace().rehearse("completions", "tcsh")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("tcsh"))
    #expect(outcome.errors.contains("bash"))
  }

  @Test func `the manual has a section for each subcommand, and each of its options`() throws {
    let manual = try Workplace().rehearse("manual").output
    let help = try Workplace().rehearse("--help").output
    let list = try #require(help.components(separatedBy: "SUBCOMMANDS:\n").last)
    let names = list.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first }.filter { $0 != "See" }
    #expect(names.contains("test"))
    for name in names { #expect(manual.contains(".SS \"rehearse \(name)\"")) }
    #expect(manual.contains("\\fB\\-\\-update\\fR"))
    for heading in ["NAME", "SYNOPSIS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"] {
      #expect(manual.contains(".SH \"\(heading)\"\n"))
    }
  }

  @Test func `the manual has no accidental requests and no long lines`() throws {
    let known = [".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".br"]
    for line in try Workplace().rehearse("manual").output.split(separator: "\n") {
      if line.first == "." {
        #expect(known.contains(String(line.split(separator: " ")[0])), "\(line)")
      }
      #expect(line.first != "'" && line.count <= 100, "\(line)")
    }
  }

  private static let subcommands = [
    "run", "record", "test", "timeline", "picture", "serve", "har", "config", "completions",
    "manual",
    "grammar",
  ]

  @Test func `every subcommand has an example in its help`() throws {
    for name in Self.subcommands {
      let help = try Workplace().rehearse(name, "--help").output
      #expect(help.contains("EXAMPLES:\n  rehearse \(name)"), "\(name)")
    }
  }

  @Test(arguments: ["light", "dark"])
  func `the picture in the README is the one that the program draws`(theme: String) throws {
    let folder = Self.root + "/docs/pictures"
    let drawn = try Workplace()
      .rehearse("picture", folder + "/session.transcript", "--theme", theme).output
    let kept = try String(contentsOfFile: "\(folder)/session-\(theme).svg", encoding: .utf8)
    #expect(drawn == kept, "run scripts/generated to draw it again")
  }

  @Test func `a picture is written to the given file`() throws {
    let place = try Workplace()
    try place.write("a.rehearse", "loadable n\nload n 1\n")
    let outcome = try place.rehearse("picture", "a.rehearse", "-o", "a.svg", "--title", "<b>")
    #expect(outcome.output == "" && outcome.code == 0)
    #expect(place.read("a.svg").contains("<title id=\"title\">&lt;b&gt;</title>"))
    #expect(place.read("a.svg").contains(">loaded<"))
  }

  @Test(arguments: [
    (["picture", "none.transcript"], "cannot read 'none.transcript'"),
    (["picture", "empty.md"], "does not have exactly one transcript"),
    (["picture", "a", "--theme", "blue"], "blue"),
    (["picture", "a", "--columns", "3"], "--columns"), (["grammar", "emacs"], "emacs"),
  ])
  func `a file that cannot be drawn is an error with code 2`(arguments: [String], word: String)
    throws
  {
    let place = try Workplace()
    try place.write("empty.md", "# Nothing\n")
    let outcome = try place.rehearse(arguments, input: [])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(word))
  }
}
