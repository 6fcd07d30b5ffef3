import Exploring
import Harness
import Rehearsal
import Workers

/// A search whose parts ran in several processes: reads their reports, and prints that of a single search.
struct MergedSearch {
  private let report: SearchReport

  /// The largest report that is read.
  private static let limitInBytes = 256 << 20

  /// Reads the parts; nil if the files are reports of tests.
  ///
  /// - Throws: an exit code, after printing an error.
  init?(_ files: [String]) throws {
    do throws(ReportProblem) {
      var parts: [(path: String, report: SearchReport)] = []
      var others: [String] = []
      for path in files {
        // Errors in reports of tests are found when these are read.
        guard let bytes = try? FileBytes.readText(path, limitInBytes: Self.limitInBytes),
          SearchReport.isReport(bytes)
        else {
          others.append(path)
          continue
        }
        parts.append((path, try SearchReport(json: bytes, path: path)))
      }
      guard let first = parts.first else { return nil }
      if let other = others.first {
        // An error in that file itself has priority.
        _ = try RunReport(file: other)
        throw .mixedKinds(first.path, other)
      }
      report = try SearchReport(merging: parts)
    } catch {
      StandardStreams.complain("error: \(error.sentence)")
      if let hint = error.hint { StandardStreams.complain("hint: \(hint)") }
      throw ProgramExit.usage.asError
    }
  }

  /// Prints the report of a single search.
  ///
  /// - Returns: the exit code.
  /// - Throws: an exit code, after printing an error.
  func printReport(
    json: JSONFlag,
    _ behaviours: BehavioursOption,
    _ colour: ColourFlag,
    _ reporters: ReporterOptions
  ) throws -> ProgramExit {
    do throws(SubcommandFailure) {
      guard reporters.reporter.isEmpty else {
        throw SubcommandFailure(
          "reports of a search have no --reporter; use --json or plain text",
          hint: nil
        )
      }
      let script = try script()
      let painter = OutputPainter(colour.settings.colour)
      return try print(script, isJSON: json.isOn, behaviours.most, painter).get()
    } catch {
      StandardStreams.write(error.text, to: .error)
      throw error.exit.asError
    }
  }

  private func print(
    _ script: SearchedScript,
    isJSON: Bool,
    _ mostBehaviours: Int,
    _ painter: OutputPainter
  ) -> Result<ProgramExit, SubcommandFailure> {
    var report = report
    report.mostBehaviours = mostBehaviours
    let exploration = ScriptExploration(
      script,
      Exploration.Plan(),
      orAll: false,
      jobs: 1,
      WorkerLimits(),
      until: SearchStop(limitInMilliseconds: nil) { RealTime.now }
    )
    guard let exploration else {
      return .failure(SubcommandFailure(SearchNote.noWorker(nil), hint: nil, exit: .harness))
    }
    exploration.finish(&report.findings)
    if !isJSON { for line in report.failuresOfCorpus { StandardStreams.write(line + "\n") } }
    return report.print(exploration, json: isJSON, painter)
  }

  private static let inputHint = "pass the explored script again, by '< FILE'"

  private func script() throws(SubcommandFailure) -> SearchedScript {
    let disabled = report.search.disabled.compactMap(BuiltInCheck.init(rawValue:))
    let file = report.search.file
    if file == "-", StandardStreams.isTerminal(0) {
      throw SubcommandFailure(
        "the explored script came from standard input",
        hint: Self.inputHint
      )
    }
    let playable: Playable
    do throws(SubcommandFailure) {
      playable = try SearchedScript.playable(file)
    } catch {
      throw file == "-" ? error.with(hint: Self.inputHint) : error
    }
    let script = SearchedScript(
      .file(playable.preempting(report.search.preempts)),
      scenes: ThisProgram.current.scenes,
      disabled: Set(disabled),
      generating: report.search.generates
    )
    guard SearchReport.number(of: script) == report.search.script else {
      throw SubcommandFailure(
        "'\(file)' is not the explored script",
        hint: "merge reports in the folder of the explored script"
      )
    }
    return script
  }
}
