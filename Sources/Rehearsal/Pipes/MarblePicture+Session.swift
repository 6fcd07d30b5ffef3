import Pipelines
import RehearsalBase
import Script
import Staging
import Timelines

/// Draws the members of a session for `timeline … as marble`.
@MainActor extension Session {
  /// Returns the lines of `timeline … as marble`: for the named members, or for all that have
  /// values.
  func marbleLines(
    of names: [Located<String>],
    tick: Located<Duration>?,
    width: Int
  ) throws(Diagnostic) -> [String] {
    var lanes: [MarblePicture.Lane] = []
    for name in names {
      let member = try member(name)
      guard member is any ValueMember else {
        throw Diagnostic(
          .noValues(member.name, is: member.word),
          at: name.span,
          hint: "inputs and pipes can be drawn as marbles"
        )
      }
      lanes.append(lane(of: member))
    }
    if names.isEmpty { lanes = members.all.filter { $0 is any ValueMember }.map(lane) }
    guard !lanes.isEmpty else { return ["no inputs and no pipes yet"] }
    do throws(MarbleDrawing.Problem) {
      let end = stage.now.elapsed
      let note = history.recording.omitted.note(inWords: options.text)
      return try MarblePicture(of: lanes, tick: tick?.value, until: end, width: width).lines
        + [note].compactMap(\.self)
    } catch {
      throw Diagnostic(
        .cannotDraw(error.description),
        at: tick?.span ?? names.first?.span ?? 0..<0,
        hint: "use a longer 'tick', or fewer members"
      )
    }
  }

  private func lane(of member: any Member) -> MarblePicture.Lane {
    var lane = MarblePicture.Lane(name: member.name)
    let index = history.laneNumbers.index(of: member.lane)
    for event in history.recording.events where event.lane == index { lane.add(event) }
    return lane
  }
}

extension MarblePicture.Lane {
  fileprivate mutating func add(_ event: Recording.Event) {
    let text = event.answer ?? event.state ?? ""
    switch (event.kind, event.phase) {
    case (.yielded, _), (.changed, _): events.append((event.time, .value(Self.name(text))))
    case (.ended(.succeeded, _), _): events.append((event.time, .finished))
    case (.ended(.failed, _), _):
      events.append((event.time, .failed))
      error = text
    default: break
    }
  }

  /// A text of one letter is its own name in the diagram.
  private static func name(_ text: String) -> String {
    let letters = text.utf8.dropFirst().dropLast()
    let isLetter = text.utf8.first == UInt8(ascii: "\"") && letters.count == 1
    return isLetter && letters.allSatisfy(\.isLetter) ? String(text.dropFirst().dropLast()) : text
  }
}
