import RehearsalBase
import Script
import Staging
import Timelines

/// Reports a session as lines of JSON, command by command. Confined to the thread that performs the
/// commands.
package final class SessionReport {
  private let write: (String) -> Void
  private var number = 0
  private var command = ""
  /// Number of lanes, events and command records that were already reported.
  private var (laneCount, eventCount, recordCount) = (0, 0, 0)

  /// - Parameter write: receives each line, with its line feed.
  package init(write: @escaping (String) -> Void) {
    self.write = write
  }

  /// Reports a command that is about to be performed.
  package func begin(_ command: String) {
    number += 1
    self.command = command
    put(JSONLine("command").with("number", number).with("text", command))
  }

  /// Reports a line of the command's output.
  package func output(_ line: String) {
    put(JSONLine("output").with("number", number > 0 ? number : nil).with("text", line))
  }

  /// Reports the result of the command, after it was performed.
  package func end(_ host: SessionHost) {
    let recording = host.recording
    let unchanged = host.takeUnchanged()
    if let unchanged { report(unchanged, recording) }
    report(recording, host.laneNumbers)
    let objects = host.takeObjects() + host.newReasonObjects()
    for object in objects { put(object.numbered(number)) }
    for failure in host.failures { put(failure.line(of: command, number: number)) }
    // A command that is not part of the recording has no command record.
    let records = recording.omitted.records + recording.records.count
    let isRecord = unchanged == nil && records > recordCount
    recordCount = records
    put(
      JSONLine("end").with("number", number).with("ok", !host.hasFailed)
        .with("record", isRecord ? recordCount - 1 : nil).with("time", host.now)
    )
  }

  /// Reports a command that the session logged by itself: an option that was set elsewhere.
  package func note(_ command: String, _ host: SessionHost) {
    begin(command)
    put(JSONLine("end").with("number", number).with("ok", true).with("time", host.now))
  }

  /// Reports a line of the input that could not be read.
  package func complain(_ problem: String, hint: String?, line: Int) {
    put(.error(problem, hint: hint, line: line))
  }

  /// Reports the part that `undo`, `redo` or `rewind` left unchanged, and the commands after it.
  private func report(_ unchanged: UnchangedPrefix, _ recording: Recording) {
    (laneCount, eventCount) = (min(laneCount, unchanged.lanes), min(eventCount, unchanged.events))
    put(
      JSONLine("back").with("lanes", laneCount).with("events", eventCount)
        .with("records", min(recordCount, unchanged.records))
    )
    for index in unchanged.records..<recording.records.count {
      let command = recording.records[index].command
      let number = recording.omitted.records + index
      put(JSONLine("record").with("record", number).with("text", command))
    }
  }

  /// Reports all new events. Numbers of lanes, events and command records count from the beginning
  /// of the session, even if the recording has lost its beginning.
  private func report(_ recording: Recording, _ numbers: LaneNumbers) {
    for index in recording.lanes.indices.suffix(numbers.count - laneCount) {
      var lane = recording.lanes[index]
      lane.owner = lane.owner.map(numbers.number)
      let line = JSONLine("lane").with("lane", numbers.number(at: index))
      put(line.with(fieldsOf: JSONText(encoding: lane, escaping: .markup).text))
    }
    let gone = recording.omitted
    let eventsSoFar = gone.events + recording.events.count - gone.beginnings
    for event in recording.events.suffix(eventsSoFar - eventCount) {
      var event = event
      event.lane = numbers.number(at: event.lane)
      event.cause = event.cause.map { $0 + gone.records }
      put(JSONLine("event").with(fieldsOf: JSONText(encoding: event, escaping: .markup).text))
    }
    laneCount = numbers.count
    eventCount = eventsSoFar
  }

  private func put(_ line: JSONLine) { write(line.text) }
}
