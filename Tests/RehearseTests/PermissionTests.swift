import Foundation
import Testing

/// Folders and files without permission: they are named, and are errors.
@Suite struct PermissionTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  /// Runs the program while a folder has other permissions. They also apply if root runs the tests.
  private func rehearse(_ arguments: [String], _ folder: String, _ mode: mode_t) throws -> Outcome {
    chmod("\(place.path)/\(folder)", mode)
    defer { chmod("\(place.path)/\(folder)", 0o700) }
    let rights = "-dac_override,-dac_read_search"
    return try place.rehearse(
      arguments,
      input: [],
      before: getuid() == 0 ? "setpriv --bounding-set=\(rights) --inh-caps=\(rights) " : "",
      after: " "
    )
  }

  // MARK: Reading

  @Test(
    arguments: [
      ["test", "."], ["format", "."], ["format", "--check", "."], ["format", "sealed"],
      ["review"], ["review", "sealed"], ["accept", "--all"], ["reject", "--all"], ["reject", "."],
      ["accept", "sealed"],
    ],
    [0, 0o600]
  )
  func `a folder without read permission is named`(arguments: [String], mode: mode_t) throws {
    try place.makeFolder("sealed/inner")
    try place.write("sealed/inner/a.transcript", "> now\n  0.000s\n")
    let outcome = try rehearse(arguments, "sealed", mode)
    let words = outcome.output + outcome.errors

    #expect(words.contains(/sealed(\/inner)?: permission denied\n/))
    #expect(!words.contains("nothing is pending\n"))
    #expect(outcome.code == 2)
  }

  @Test func `files next to a folder without read permission are still used`() throws {
    try place.makeFolder("sealed")
    try place.write("a.transcript", "> now  \n  1.000s\n")

    let format = try rehearse(["format", "."], "sealed", 0)
    #expect(format.output == "formatted a.transcript\n1 formatted, 0 as they were\n")
    #expect(format.code == 2)
    #expect(try place.rehearse("test", "a.transcript").code == 1)
    let review = try rehearse(["review", "--json"], "sealed", 0)
    #expect(review.lines.last == #"{"type": "end", "ok": false, "pending": 1}"#)
    #expect(review.code == 2)
    let accept = try rehearse(["accept", "--all"], "sealed", 0)
    #expect(accept.output == "accepted 1 in a.transcript\n")
    #expect(accept.errors == "error: sealed: permission denied\n")
    #expect(accept.code == 2)
  }

  // MARK: Writing

  @Test func `a folder without write permission keeps its files, with exit code 3`() throws {
    try place.makeFolder("t")
    try place.write("t/a.transcript", "> now\n  1.000s\n")
    #expect(try place.rehearse("test", "t").code == 1)
    for arguments in [
      ["accept", "t"], ["accept", "t/a.transcript:2"], ["test", "--update", "t"],
    ] {
      let outcome = try rehearse(arguments, "t", 0o500)
      #expect((outcome.output + outcome.errors).contains("t/a.transcript: permission denied\n"))
      #expect(outcome.code == 3)
    }
    #expect(place.read("t/a.transcript") == "> now\n  1.000s\n")
    let report = try rehearse(["test", "--update", "--reporter", "json", "t"], "t", 0o500)
    #expect(report.output.contains(#""kind": "notWritable""#))
  }
}
