import ArgumentParser
import Rehearsal
import RehearsalBase
import Script

/// The options for reports of a test run, and the reports for Bazel and for a GitHub workflow.
struct ReporterOptions: ParsableArguments {
  @Option(
    name: .customLong("reporter"),
    parsing: .singleValue,
    help: ArgumentHelp(
      """
      Format of the report: plain, tap, junit, json, github, markdown or html. It goes to standard output or to FILE. \
      May be repeated; only one report can go to standard output.
      """,
      valueName: "FORM[=FILE]"
    ),
    completion: .list(Reporters.Reporter.Form.allCases.map(\.rawValue)),
    transform: Self.read
  )
  var reporter: [Reporters.Reporter] = []

  @Flag(help: "Add durations to reports. Without durations, a repeated run writes the same bytes.")
  var timings = false

  func validate() throws {
    var reporters = Reporters()
    reporters.chosen = reporter
    if let conflict = reporters.conflict { throw ValidationError(conflict) }
  }

  /// The given flags that do not apply to a list, which is plain text or lines of JSON.
  var givenForRuns: [String] {
    let listed: [Reporters.Reporter] = [.init(.plain), .init(.json)]
    let isListed = reporter.allSatisfy { listed.contains($0) }
    return GivenFlags.names(["--reporter": !isListed, "--timings": timings])
  }

  /// Returns the chosen reporters, with the XML report for Bazel and the checkout of a GitHub workflow.
  func reporters(json: Bool) throws -> Reporters {
    var reporters = Reporters()
    reporters.chosen = reporter
    if json, !reporters.chosen.contains(.init(.json)) { reporters.chosen.append(.init(.json)) }
    if let conflict = reporters.conflict { throw ValidationError(conflict) }
    if let xml = BazelVariables.variable("XML_OUTPUT_FILE") {
      var others = reporters
      others.chosen.removeAll { $0.form == .junit }
      if others.write(to: xml) {
        throw ValidationError("two reports cannot go into '\(xml)', which XML_OUTPUT_FILE names")
      }
      if !reporters.write(to: xml) { reporters.chosen.append(.init(.junit, file: xml)) }
    }
    if timings, !reporters.knowTimes {
      throw ValidationError("--timings needs --reporter tap, junit, json or html")
    }
    reporters.tellsTimes = timings
    reporters.version = ThisProgram.current.version
    reporters.checkout = BazelVariables.variable("GITHUB_WORKSPACE").map { Checkout($0) }
    return reporters
  }

  /// Reads `FORM` or `FORM=FILE`.
  private static func read(_ text: String) throws -> Reporters.Reporter {
    if let reporter = Reporters.Reporter(text) { return reporter }
    let forms = Reporters.Reporter.Form.allCases.map(\.rawValue)
    throw ValidationError(
      "a report is \(forms.dropLast().joined(separator: ", ")) or \(forms.last ?? ""), such as tap or tap=FILE"
    )
  }
}

extension Reporters {
  /// Prints an error before anything is played or read, and replaces the reports by it, so that reports of an earlier
  /// run are not mistaken for reports of this one.
  ///
  /// - Returns: the exit code for the caller to throw.
  func refuse(_ sentence: String, hint: String?, exit: ProgramExit = .usage) -> any Error {
    let report = RunReport(problems: [sentence], hint: hint)
    _ = deliver(report, coverage: nil) { text in
      if areJSON { StandardStreams.write(text) }
    }
    StandardStreams.complain("error: \(sentence.printable(atMost: 4000))")
    if let hint { StandardStreams.complain("hint: \(hint)") }
    return exit.asError
  }
}
