import Exploring
import Harness
import Rehearsal
import Workers

/// A search whose parts were reported by several processes.
struct MergedSearch {
  private let report: SearchReport

  /// The largest report that is read.
  private static let limitInBytes = 256 << 20

  /// Reads the parts; nil where the files tell of tests.
  ///
  /// - Throws: an exit code, having said what is wrong.
  init?(_ files: [String]) throws {
    do throws(ReportProblem) {
      var parts: [(path: String, report: SearchReport)] = []
      var others: [String] = []
      for path in files {
        // What is wrong with reports of tests is said where they are read.
        guard let bytes = try? FileBytes.readText(path, limitInBytes: Self.limitInBytes),
          SearchReport.tells(bytes)
        else {
          others.append(path)
          continue
        }
        parts.append((path, try SearchReport(json: bytes, path: path)))
      }
      guard let first = parts.first else { return nil }
      if let other = others.first {
        // What is wrong with it alone comes first.
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

  /// Prints what one search would have.
  ///
  /// - Returns: how the program ends.
  /// - Throws: an exit code, having said what is wrong.
  func tell(
    json: JSONFlag,
    _ behaviours: BehavioursOption,
    _ colour: ColourFlag,
    _ reporters: ReporterOptions
  ) throws -> ProgramExit {
    do throws(SubcommandFailure) {
      guard reporters.reporter.isEmpty else {
        throw SubcommandFailure("a search is reported plain or with --json", hint: nil)
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
    return report.print(exploration, json: isJSON, painter)
  }

  private static let inputHint = "give it the script that was explored once more, by '< FILE'"

  private func script() throws(SubcommandFailure) -> SearchedScript {
    let disabled = report.search.disabled.compactMap(BuiltInCheck.init(rawValue:))
    let file = report.search.file
    if file == "-", StandardStreams.isTerminal(0) {
      throw SubcommandFailure(
        "what was explored was read from standard input",
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
      .file(playable),
      scenes: ThisProgram.current.scenes,
      disabled: Set(disabled)
    )
    guard SearchReport.number(of: script) == report.search.script else {
      throw SubcommandFailure(
        "'\(file)' is not what was explored",
        hint: "put reports together where the script is that they tell of"
      )
    }
    return script
  }
}
