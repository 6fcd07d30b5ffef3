import ArgumentParser
import Rehearsal
import Timelines

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Lay two runs over each other, and show where they part.",
    discussion: """
      Each is a transcript or a script, which is played, or a recording in JSON. Exit codes: 0 the \
      same happens in both, 1 not the same, 2 called wrongly.
      """
  )

  @Argument(help: "The first run.", completion: .file())
  var first: String

  @Argument(help: "The second run.", completion: .file())
  var second: String

  @ParentCommand var root: RootCommand

  @OptionGroup var jsonFlag: JSONFlag

  @Option(help: ArgumentHelp("Draw for so many columns.", valueName: "columns"))
  var width: Int?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Draw both into FILE as well, in the format that its name asks for.",
      valueName: "file"
    ),
    completion: .file()
  )
  var output: String?

  @OptionGroup var networkOptions: NetworkOptions

  func validate() throws {
    if let width, !(40...1000).contains(width) {
      throw ValidationError("--width takes a number from 40 to 1000.")
    }
  }

  func run() throws {
    let difference: RecordingDifference
    do throws(HarFailure) {
      difference = RecordingDifference(try recording(of: first), try recording(of: second))
      if let output { try write(difference, to: output) }
    } catch {
      StandardStreams.write(error.text, to: .error)
      throw error.exit.asError
    }
    let isJSON = jsonFlag.isOn || root.json.isOn
    StandardStreams.write(isJSON ? JSONFlag.begin + difference.jsonLine.text : text(of: difference))
    throw (difference.isSame ? ProgramExit.success : .differences).asError
  }

  private func text(of difference: RecordingDifference) -> String {
    difference.lines(width: width ?? StandardStreams.columns).map { $0 + "\n" }.joined()
  }

  private func recording(of path: String) throws(HarFailure) -> Recording {
    let network = networkOptions.network(isTyped: false)
    return try RecordingSource(path: path, network: network).recording()
  }

  private func write(_ difference: RecordingDifference, to path: String) throws(HarFailure) {
    let format = TimelineFormat.forFile(path) ?? .text
    var drawing = TimelineFormat.Drawing(width: width ?? 80, title: "\(first) | \(second)")
    drawing.pointer = difference.pointer
    let text = format.text(of: difference.overlaid, drawing)
    try RecordingSource.write(text, to: path)
  }
}

extension RecordingDifference {
  fileprivate var jsonLine: JSONLine {
    // Without its line feed.
    JSONLine("difference").with(fieldsOf: String(json.dropLast()))
  }
}
