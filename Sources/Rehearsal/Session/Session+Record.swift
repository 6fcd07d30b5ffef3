import RehearsalBase
import Script
import Timelines

/// What is written down of a session: for `save`, and into the file of `record`.
extension Session {
  /// A comment on a line of its own stays one in the transcript.
  func keepComment(_ text: String) {
    let line = text.drop { $0 == " " || $0 == "\t" }
    guard line.first == "#", !line.contains("\n") else { return }
    writeDown(String(line), as: .comment)
  }

  /// Whether a command writes the session down, and so is no part of it.
  func concernsTheRecord(_ reading: Result<Script.Reading, Diagnostic>) -> Bool {
    guard case .success(.command(let command)) = reading else { return false }
    return commands[command.index].isOffTheRecord
  }

  /// Whether a command is written down: it does not itself write the session down, and is no comment.
  func isPartOfTheSession(_ text: String) -> Bool {
    let reading = read(text)
    if case .success(.nothing) = reading { return false }
    return !concernsTheRecord(reading)
  }

  /// Writes a command down that is about to be performed, behind the options that it needs.
  func writeDown(_ text: String, _ reading: Result<Script.Reading, Diagnostic>) {
    writeDownSettings(before: reading)
    writeDown(text, as: .command)
  }

  /// Writes the options down that a command needs and nobody has typed, so that the transcript replays as
  /// it was seen.
  ///
  /// - Returns: the commands that set them.
  @discardableResult func writeDownSettings(
    before reading: Result<Script.Reading, Diagnostic>
  ) -> [String] {
    guard settings.isUnwritten else { return [] }
    let commands = settings.takeUnwritten(isPicture: fitsWidth(reading)).map(\.command)
    for command in commands { writeDown(command, as: .option) }
    return commands
  }

  /// Writes options down before a command that somebody is about to print and perform.
  ///
  /// - Returns: the commands that set them.
  func writeDownSettings(before text: String) -> [String] {
    guard settings.isUnwritten else { return [] }
    let reading = read(text)
    if case .success(.nothing) = reading { return [] }
    return concernsTheRecord(reading) ? [] : writeDownSettings(before: reading)
  }

  func writeDown(_ text: String, as kind: SessionLog.Kind) {
    let entry = SessionLog.Entry(text, kind, at: concludedTime, keptSettings)
    let written = recorder == nil ? "" : entry.text
    if keepsLog { log.begin(entry) }
    if kind != .comment {
      let index = recording.begin(text, at: concludedTime, firstEvent: concludedEvents)
      passage = index + recording.omitted.passages
    }
    record(written)
  }

  /// Whether what a command prints may depend on the width. What it schedules counts as well.
  private func fitsWidth(_ reading: Result<Script.Reading, Diagnostic>) -> Bool {
    guard case .success(.command(let command)) = reading else { return false }
    return fitsWidth(command)
  }

  private func fitsWidth(_ command: ParsedCommand) -> Bool {
    commands[command.index].definition.fitsWidth
      || command.arguments.commands.contains(where: fitsWidth)
  }

  // MARK: Files

  /// The session as a transcript, without a command that is being performed.
  func textForSaving() -> (text: String, commands: Int) {
    log.text(ofFirst: max(0, log.entries.count - (isOffTheRecord ? 0 : 1)))
  }

  /// The session up to here, as the beginning of a recording.
  var textForRecording: String { log.text(ofFirst: log.entries.count).text }

  /// Ends the recording.
  ///
  /// - Returns: its path, and whether there is anything in it; nil where nothing was being recorded.
  @discardableResult func stopRecording() -> (path: String, isThere: Bool)? {
    guard let recorder else { return nil }
    self.recorder = nil
    return (recorder.path, recorder.file.close())
  }

  /// A line that cannot be written ends the recording, never the session. To say so is no part of
  /// the session.
  func record(_ text: @autoclosure () -> String) {
    guard let recorder else { return }
    do throws(FileProblem) {
      try recorder.file.append(text())
    } catch {
      giveUpRecording(error)
    }
  }

  /// Writes the file of the recording anew from an entry on.
  func recordAgain(from place: Int) {
    guard let recorder else { return }
    let kept = log.goneBytes + log.text(ofFirst: place).text.utf8.count
    let rest = log.entries[place...].map(\.text).joined()
    do throws(FileProblem) {
      try recorder.file.replace(after: kept, with: rest)
    } catch {
      giveUpRecording(error)
    }
  }

  private func giveUpRecording(_ problem: FileProblem) {
    guard let recorder else { return }
    self.recorder = nil
    hasFailed = true
    recorder.file.close()
    say(
      "error: the recording stopped: cannot write '\(recorder.path.escapingControls)': \(problem.sentence)"
    )
    if log.missing == nil { say("hint: 'save FILE' writes the whole session elsewhere") }
  }
}
