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
    let kept = host.takeKept()
    if let kept { tell(kept, recording) }
    tell(recording)
    for object in host.takeObjects() { put(object.numbered(number)) }
    for failure in host.failures { put(failure.line(of: command, number: number)) }
    // A command that is no part of the recording has no passage.
    let isPassage = kept == nil && recording.passages.count > passageCount
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

  /// What still stands of a session that went back, and the commands that were performed since.
  private func tell(_ kept: KeptPart, _ recording: Recording) {
    (laneCount, eventCount) = (min(laneCount, kept.lanes), min(eventCount, kept.events))
    put(
      JSONLine("back").with("lanes", laneCount).with("events", eventCount)
        .with("passages", min(passageCount, kept.passages))
    )
    for index in kept.passages..<recording.passages.count {
      let command = recording.passages[index].command
      put(JSONLine("passage").with("passage", index).with("text", command))
    }
  }

  /// What has happened since.
  private func tell(_ recording: Recording) {
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
