import Converting
import Rehearsal
import RehearsalBase
import Script

/// A run that formats files in order, and reports each changed file.
struct FormatRun {
  let changesFiles: Bool
  let isJSON: Bool

  private var changedCount = 0
  private var problemCount = 0
  private var writeFailed = false
  private var fileCount = 0

  init(changesFiles: Bool, isJSON: Bool) {
    self.changesFiles = changesFiles
    self.isJSON = isJSON
  }

  /// The exit code.
  var exit: ProgramExit {
    if writeFailed { return .harness }
    if problemCount > 0 { return .usage }
    return changedCount > 0 && !changesFiles ? .differences : .success
  }

  /// Rewrites a file, or reports that it would change.
  ///
  /// - Parameters:
  ///   - path: the path of the file; `-` for standard input.
  ///   - isNamed: whether the user named this file and not only its folder.
  mutating func format(_ path: String, isNamed: Bool) {
    fileCount += 1
    do throws(FileProblem) {
      let bytes = path == "-" ? try FileBytes.readInput() : try FileBytes.read(path)
      let kind = CanonicalText.Kind(ofFile: path) ?? CanonicalText.Kind(of: bytes)
      let text = CanonicalText(path: path, bytes: bytes, kind: kind, table: ShellCommands.table)
      if isNamed, text.isWithoutFences {
        let problem = TranscriptProblem.noFence
        complain(path, nil, problem.sentence, hint: problem.hint)
      }
      if path == "-", kind == .script, !ScriptFile(bytes).holdsCommands {
        complain(
          path,
          nil,
          "there is no command in standard input",
          hint: ScriptFile.hintWithoutCommands
        )
      }
      note(text.notes)
      for failure in text.failures {
        complain(
          path,
          failure.line == 0 ? nil : failure.line,
          failure.message,
          hint: failure.problem.hint
        )
      }
      guard text.bytes != bytes else { return }
      changedCount += 1
      printChange(path, FirstChange(from: bytes, to: text.bytes))
      if changesFiles { write(text.bytes, to: path) }
    } catch {
      complain(path, nil, error.sentence)
    }
  }

  private mutating func write(_ bytes: [UInt8], to path: String) {
    do throws(FileProblem) {
      try AtomicFile.write(bytes, to: path)
    } catch {
      writeFailed = true
      complain(path, nil, "cannot be written: " + error.sentence)
    }
  }

  private func printChange(_ path: String, _ change: FirstChange) {
    if isJSON {
      let line = JSONLine("file").with("path", path).with("line", change.line)
      return StandardStreams.write(line.with("written", changesFiles).text)
    }
    let place = path.printable(atMost: 2000)
    if changesFiles { return StandardStreams.write("formatted \(place)\n") }
    StandardStreams.write(
      """
      \(place):\(change.line): not in its canonical spelling
      - \(change.old.printable(atMost: 500))
      + \(change.new.printable(atMost: 500))\n
      """
    )
  }

  /// Reports an error about a file or a folder.
  mutating func complain(
    _ path: String,
    _ line: Int?,
    _ problem: String,
    hint: String? = nil
  ) {
    problemCount += 1
    guard isJSON else {
      return ConversionFailure(path, line: line, problem, hint: hint).print()
    }
    let error = JSONLine.error(problem, hint: hint, line: line).with("file", path)
    StandardStreams.write(error.text)
  }

  /// Prints notes about ignored files and fences.
  func note(_ notes: [String]) {
    for note in notes {
      StandardStreams.write(isJSON ? JSONLine("note").with("text", note).text : "note: \(note)\n")
    }
  }

  /// Prints the last line.
  func conclude() {
    let rest = fileCount - changedCount
    if isJSON {
      let line = JSONLine("end").with("files", fileCount).with("changed", changedCount)
      return StandardStreams.write(line.with("problems", problemCount).text)
    }
    guard changedCount > 0 else { return }
    let verb = changesFiles ? "formatted" : "to be formatted"
    StandardStreams.write("\(changedCount) \(verb), \(rest) as they were\n")
    if !changesFiles {
      StandardStreams.write(
        "hint: '\(ThisProgram.current.name) format' with the same paths rewrites them\n"
      )
    }
  }
}

/// The first line that differs between two texts.
private struct FirstChange {
  let line: Int
  let old: String
  let new: String

  init(from old: [UInt8], to new: [UInt8]) {
    let feed = UInt8(ascii: "\n")
    let before = old.split(separator: feed, omittingEmptySubsequences: false)
    let after = new.split(separator: feed, omittingEmptySubsequences: false)
    let count = zip(before, after).prefix { $0 == $1 }.count
    line = count + 1
    self.old = count < before.count ? String(decoding: before[count], as: UTF8.self) : ""
    self.new = count < after.count ? String(decoding: after[count], as: UTF8.self) : ""
  }
}
