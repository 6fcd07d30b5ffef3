import ArgumentParser
import Rehearsal
import RehearsalBase
import Script

/// Who tells what a run of transcripts came to.
struct ReporterOptions: ParsableArguments {
  @Option(
    name: .customLong("reporter"),
    parsing: .singleValue,
    help: ArgumentHelp(
      """
      Report as plain, tap, junit, json, github, markdown or html, to standard output or into FILE. \
      May be given several times, once without a file.
      """,
      valueName: "FORM[=FILE]"
    ),
    completion: .list(Reporters.Reporter.Form.allCases.map(\.rawValue)),
    transform: Self.read
  )
  var reporter: [Reporters.Reporter] = []

  @Flag(help: "Tell in reports how long each took. Without it the same run gives the same bytes.")
  var timings = false

  func validate() throws {
    var reporters = Reporters()
    reporters.chosen = reporter
    if let conflict = reporters.conflict { throw ValidationError(conflict) }
  }

  /// Those that were given and that a list, which may be plain or lines of JSON, has nothing of.
  var givenForRuns: [String] {
    let listed: [Reporters.Reporter] = [.init(.plain), .init(.json)]
    let isListed = reporter.allSatisfy { listed.contains($0) }
    return GivenFlags.names(["--reporter": !isListed, "--timings": timings])
  }

  /// Those that were chosen, and where a test of Bazel's runs, its XML. Of a workflow of GitHub's they know where its
  /// files lie.
  func reporters(json: Bool) throws -> Reporters {
    var reporters = Reporters()
    reporters.chosen = reporter
    if json, !reporters.chosen.contains(.init(.json)) { reporters.chosen.append(.init(.json)) }
    if let conflict = reporters.conflict { throw ValidationError(conflict) }
    if let xml = BazelVariables.variable("XML_OUTPUT_FILE"), !reporters.write(to: xml) {
      reporters.chosen.append(.init(.junit, file: xml))
    }
    if timings, !reporters.knowTimes {
      throw ValidationError("--timings are told by --reporter tap, junit, json and html only.")
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
      "a report is \(forms.dropLast().joined(separator: ", ")) or \(forms.last ?? ""), such as tap or tap=FILE."
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
