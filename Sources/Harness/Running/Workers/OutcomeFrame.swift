import Timelines

/// What a worker says about one transcript that did not simply pass, or whose ways are counted.
struct OutcomeFrame: Equatable {
  let file: Int
  let fence: Int
  /// The place in the run at which the file was played.
  let place: Int
  var outcome: TranscriptOutcome
  /// If it passed, the commands that failed; if it was updated, the commands whose failure was accepted.
  private(set) var failing: [FailingCommand]
  /// The ways that it took between states; none where nobody counts them.
  let arrows: ArrowCounts
  /// What happened where it failed, for pictures; none where nobody draws any.
  let recording: Recording?

  /// Bytes of a recording that is drawn at most.
  static let recordingLimit = 1 << 19
  /// The files that it read; none where nobody watches them.
  var readings: [FileReading] = []

  init(
    file: Int,
    fence: Int,
    place: Int,
    outcome: TranscriptOutcome,
    failing: [FailingCommand] = [],
    arrows: ArrowCounts = ArrowCounts(),
    recording: Recording? = nil
  ) {
    self.file = file
    self.fence = fence
    self.place = place
    self.outcome = outcome
    self.failing = failing
    self.arrows = arrows
    self.recording = recording
  }

  /// Moves the line numbers after the transcript has moved down in its file.
  mutating func moveLines(by count: Int) {
    failing = failing.map {
      FailingCommand(block: $0.block, line: $0.line + count, kind: $0.kind, text: $0.text)
    }
  }

  /// The frame as bytes, its own length first.
  var bytes: [UInt8] {
    var body = ByteWriter()
    body.write(file)
    body.write(fence)
    body.write(place)
    body.write(failing) { $1.write(to: &$0) }
    arrows.write(to: &body)
    let drawn = recording?.json ?? ""
    body.write(drawn.utf8.count > Self.recordingLimit ? "" : drawn)
    body.write(readings) { $1.write(to: &$0) }
    switch outcome {
    case .passed: body.write(0)
    case .updated(let proposal):
      body.write(1)
      proposal.write(to: &body)
    case .failed(let failures):
      body.write(2)
      body.write(failures) { $1.write(to: &$0) }
    case .proposed(let proposal):
      body.write(3)
      proposal.write(to: &body)
    }
    var frame = ByteWriter()
    frame.write(body.bytes.count)
    return frame.bytes + body.bytes
  }

  /// Takes the first whole frame off the front of what has arrived, or returns nil.
  init?(takingFrom bytes: inout [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let count = reader.number(), bytes.count >= 8 + count else { return nil }
    guard let file = reader.number(), let fence = reader.number(),
      let place = reader.number(), let failing = reader.list({ FailingCommand(from: &$0) }),
      let arrows = ArrowCounts(from: &reader),
      let drawn = reader.text(), let readings = reader.list({ FileReading(from: &$0) }),
      let kind = reader.number()
    else { return nil }
    self.file = file
    self.fence = fence
    self.place = place
    self.failing = failing
    self.arrows = arrows
    recording = drawn.isEmpty ? nil : try? Recording(json: Array(drawn.utf8))
    self.readings = readings
    switch kind {
    case 0: outcome = .passed
    case 1, 3:
      guard let proposal = Proposal(from: &reader) else { return nil }
      outcome = kind == 1 ? .updated(proposal) : .proposed(proposal)
    default: outcome = .failed(reader.list { TranscriptFailure(from: &$0) } ?? [])
    }
    bytes.removeFirst(8 + count)
  }
}

extension ArrowCounts {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.write(machines.sorted { $0.key < $1.key }) { writer, machine in
      writer.write(machine.key)
      writer.write(machine.value.sorted { $0.key < $1.key }) {
        $0.write($1.key.code)
        $0.write($1.value)
      }
    }
  }

  fileprivate init?(from reader: inout ByteReader) {
    self.init()
    let machines = reader.list { reader -> (String, [(Arrow, Int)])? in
      guard let machine = reader.text(), let arrows = reader.list({ Self.arrow(from: &$0) })
      else { return nil }
      return (machine, arrows)
    }
    guard let machines else { return nil }
    for (machine, arrows) in machines {
      for (arrow, count) in arrows { add(arrow, of: machine, times: count) }
    }
  }

  private static func arrow(from reader: inout ByteReader) -> (Arrow, Int)? {
    guard let code = reader.number(), let arrow = Arrow(code: code), let count = reader.number()
    else { return nil }
    return (arrow, count)
  }
}

extension TranscriptFailure {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.write(path)
    writer.write(line)
    let parts = problem.parts
    writer.write(parts.kind)
    writer.write(parts.number)
    writer.write(parts.text)
    writer.write(command == nil ? 0 : 1)
    writer.write(command ?? "")
    writer.write(diff) {
      $0.write(Int($1.mark.rawValue))
      $0.write($1.text)
    }
    writer.write(notes) { $0.write($1) }
    writer.write(acceptance ?? "")
  }

  fileprivate init?(from reader: inout ByteReader) {
    guard let path = reader.text(), let line = reader.number(), let kind = reader.number(),
      let number = reader.number(), let text = reader.text(),
      let problem = TranscriptProblem(kind: kind, number: number, text: text),
      let hasCommand = reader.number(), let command = reader.text(),
      let diff = reader.list({ DiffLine(from: &$0) }), let notes = reader.list({ $0.text() }),
      let acceptance = reader.text()
    else { return nil }
    self.init(path: path, line: line, problem: problem)
    self.command = hasCommand == 1 ? command : nil
    self.diff = diff
    self.notes = notes
    self.acceptance = acceptance.isEmpty ? nil : acceptance
  }
}

extension TranscriptFailure.DiffLine {
  fileprivate init?(from reader: inout ByteReader) {
    guard let number = reader.number(), let raw = UInt8(exactly: number),
      let mark = Mark(rawValue: raw), let text = reader.text()
    else { return nil }
    self.init(mark, text)
  }
}
