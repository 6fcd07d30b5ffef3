import Script
import Staging
import Timelines

/// What a session does, command by command, as lines of JSON. Confined to the thread that performs.
package final class SessionReport {
  private let write: (String) -> Void
  private var number = 0
  private var command = ""
  /// How much of the recording has been told.
  private var (laneCount, eventCount, passageCount) = (0, 0, 0)

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
    tell(recording)
    for object in host.takeObjects() { put(object.numbered(number)) }
    for failure in host.failures { put(failure.line(of: command, number: number)) }
    // A command that is no part of the recording has no passage.
    let isPassage = recording.passages.count > passageCount
    passageCount = recording.passages.count
    put(
      JSONLine("end").with("number", number).with("ok", !host.hasFailed)
        .with("passage", isPassage ? passageCount - 1 : nil).with("time", host.now)
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

  /// What has happened since. A session that was taken back has less to tell than before.
  private func tell(_ recording: Recording) {
    laneCount = min(laneCount, recording.lanes.count)
    eventCount = min(eventCount, recording.events.count)
    passageCount = min(passageCount, recording.passages.count)
    for index in laneCount..<recording.lanes.count {
      put(JSONLine("lane").with("lane", index).with(fieldsOf: recording.lanes[index].json))
    }
    for event in recording.events[eventCount...] {
      put(JSONLine("event").with(fieldsOf: event.json))
    }
    laneCount = recording.lanes.count
    eventCount = recording.events.count
  }

  private func put(_ line: JSONLine) { write(line.text) }
}
