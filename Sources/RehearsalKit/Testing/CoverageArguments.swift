import ArgumentParser
import Rehearsal

/// The options for transition coverage.
struct CoverageArguments: ParsableArguments {
  @Flag(
    help:
      "Show which transitions (changes of state) were taken, for loadables and processes of each policy."
  )
  var coverage = false

  @Option(
    help: ArgumentHelp("JSON file for the coverage.", valueName: "FILE"),
    completion: .file(extensions: ["json"])
  )
  var coverageJson: String?

  @Option(
    help: ArgumentHelp(
      "File for the state diagrams, ending in .svg, .md, .mmd or .mermaid.",
      valueName: "FILE"
    ),
    completion: .file(extensions: ["svg", "md", "mmd", "mermaid"])
  )
  var coverageDiagram: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fail if a state machine, such as 'loadable latest', took less than PERCENT of its transitions. For shards, give it to 'report', not to 'test'.",
      valueName: "PERCENT"
    ),
    transform: NumberOption.reader(0...100, example: 60)
  )
  var coverageThreshold: Int?

  func validate() throws {
    if coverageJson == "-" {
      throw ValidationError("--coverage-json takes a file; standard output has the report")
    }
    if let coverageDiagram, !CoverageOptions.canDraw(into: coverageDiagram) {
      let formats = CoverageOptions.formats.joined(separator: ", ")
      throw ValidationError("--coverage-diagram takes a file that ends in one of \(formats)")
    }
  }

  /// The names of the given flags.
  var given: [String] {
    GivenFlags.names([
      "--coverage": coverage, "--coverage-json": coverageJson != nil,
      "--coverage-diagram": coverageDiagram != nil,
      "--coverage-threshold": coverageThreshold != nil,
    ])
  }

  /// The options of the coverage; nil if no flag is given.
  var chosen: CoverageOptions? {
    if given.isEmpty { return nil }
    var options = CoverageOptions()
    options.jsonPath = coverageJson
    options.diagramPath = coverageDiagram
    options.threshold = coverageThreshold
    return options
  }
}
