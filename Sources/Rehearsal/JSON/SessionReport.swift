import RehearsalBase
import Script
import Staging
import Timelines

/// What a session does, command by command, as lines of JSON. Confined to the thread that performs.
package final class SessionReport {
  private let write: (String) -> Void
  private var number = 0
  private var command = ""
  /// How much of the recording has been told.
  private var (laneCount, eventCount, recordCount) = (0, 0, 0)

  /// - Parameter write: takes each line, with its line feed.
  package init(write: @escaping (String) -> Void) {
    self.write = write
  }

  /// A command that is about to be performed.
  package func begin(_ command: String) {
    number += 1
    self.command = command
    put(JSONLine("command").with("number", number).with("text", command))
  }

  /// A line that the command prints.
  package func output(_ line: String) {
    put(JSONLine("output").with("number", number > 0 ? number : nil).with("text", line))
  }

  /// What the command came to, once it has been performed.
  package func end(_ host: SessionHost) {
    let recording = host.recording
    let unchanged = host.takeUnchanged()
    if let unchanged { tell(unchanged, recording) }
    tell(recording, host.laneNumbers)
    for object in host.takeObjects() { put(object.numbered(number)) }
    for failure in host.failures { put(failure.line(of: command, number: number)) }
    // A command that is no part of the recording has no command record.
    let records = recording.omitted.records + recording.records.count
    let isRecord = unchanged == nil && records > recordCount
    recordCount = records
    put(
      JSONLine("end").with("number", number).with("ok", !host.hasFailed)
        .with("record", isRecord ? recordCount - 1 : nil).with("time", host.now)
    )
  }

  /// A command that the session wrote down by itself: an option that was set elsewhere.
  package func note(_ command: String, _ host: SessionHost) {
    begin(command)
    put(JSONLine("end").with("number", number).with("ok", true).with("time", host.now))
  }

  /// A line of the input that could not be read.
  package func complain(_ problem: String, hint: String?, line: Int) {
    put(.error(problem, hint: hint, line: line))
  }

  /// What `undo`, `redo` or `rewind` left unchanged, and the commands after that.
  private func tell(_ unchanged: UnchangedPrefix, _ recording: Recording) {
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

  /// What has happened since. Lanes, events and command records are counted from the session's beginning, also
  /// where the recording has lost that.
  private func tell(_ recording: Recording, _ numbers: LaneNumbers) {
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
