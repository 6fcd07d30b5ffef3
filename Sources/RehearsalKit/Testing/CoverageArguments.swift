import ArgumentParser
import Rehearsal

/// What `test` says about the ways between states that transcripts took.
struct CoverageArguments: ParsableArguments {
  @Flag(help: "Say which arrows of each machine were taken, and which never were.")
  var coverage = false

  @Option(
    help: ArgumentHelp("Write the coverage for programs into FILE.", valueName: "FILE"),
    completion: .file(extensions: ["json"])
  )
  var coverageJson: String?

  @Option(
    help: ArgumentHelp(
      "Draw the state diagrams into FILE, which ends in .svg, .md, .mermaid or .mmd.",
      valueName: "FILE"
    ),
    completion: .file(extensions: ["svg", "md", "mermaid", "mmd"])
  )
  var coverageDiagram: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fail if less than PERCENT of the arrows of a machine were taken. Shards: give it to 'report'.",
      valueName: "PERCENT"
    ),
    transform: NumberOption.reader(0...100, example: 60)
  )
  var coverageThreshold: Int?

  func validate() throws {
    if coverageJson == "-" {
      throw ValidationError("--coverage-json takes a file; the report has standard output.")
    }
    if let coverageDiagram, !CoverageOptions.canDraw(into: coverageDiagram) {
      let formats = CoverageOptions.formats.joined(separator: ", ")
      throw ValidationError("--coverage-diagram takes a file that ends in one of \(formats).")
    }
  }

  /// Those that were given.
  var given: [String] {
    GivenFlags.names([
      "--coverage": coverage, "--coverage-json": coverageJson != nil,
      "--coverage-diagram": coverageDiagram != nil,
      "--coverage-threshold": coverageThreshold != nil,
    ])
  }

  /// What was asked for; nil for nothing.
  var chosen: CoverageOptions? {
    if given.isEmpty { return nil }
    var options = CoverageOptions()
    options.jsonPath = coverageJson
    options.diagramPath = coverageDiagram
    options.threshold = coverageThreshold
    return options
  }
}
