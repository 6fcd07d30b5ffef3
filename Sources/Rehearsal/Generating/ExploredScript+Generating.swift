import Exploring
import RehearsalBase
import Script
import Staging
import Timelines

/// What a run has generated: chooses commands and performs them, and notes those that were never chosen.
struct Generation {
  let grammar: SessionGrammar
  private(set) var run = GeneratedRun()
  /// How often each command was chosen.
  private var counts: [Int]
  /// The commands that were not refused.
  private var accepted: Set<Int> = []
  /// The commands whose conditions held.
  private var held: Set<Int> = []

  init(_ grammar: SessionGrammar) {
    self.grammar = grammar
    counts = Array(repeating: 0, count: grammar.commands.count)
  }

  /// Chooses commands and performs them. Each choice 0 ends the session.
  ///
  /// - Parameters:
  ///   - most: the maximum number of commands.
  ///   - host: the session.
  ///   - scheduler: chooses.
  ///   - note: called with each command and its decisions, before it is performed.
  ///   - perform: performs a command; returns whether it was refused, nil if the run ends.
  /// - Returns: whether the run continues.
  mutating func perform(
    atMost most: Int,
    in host: SessionHost,
    by scheduler: SearchScheduler,
    note: (String?, Range<Int>) -> Void,
    perform: (String) -> Bool?
  ) -> Bool {
    for _ in 0..<most {
      let first = scheduler.choices.count
      let choices = grammar.choices(host, counts, holding: &held)
      let choice = scheduler.choose(among: choices.count + 1)
      guard choice > 0 else {
        run.add(nil, by: first..<scheduler.choices.count)
        note(nil, first..<scheduler.choices.count)
        return true
      }
      let index = choices[choice - 1]
      counts[index] += 1
      var text = ""
      grammar.commands[index].pattern.write(to: &text, by: scheduler, on: host.stage)
      let decisions = first..<scheduler.choices.count
      run.add(text, by: decisions)
      note(text, decisions)
      guard let isRefused = perform(text) else { return false }
      if !isRefused { accepted.insert(index) }
    }
    return true
  }

  /// Adds which commands did something, and which conditions held. A run without generated
  /// commands, such as the default schedule, adds all others, too.
  func addChoices(to choices: inout OpenChoices) {
    let addsAll = run.commands.isEmpty
    for (index, command) in grammar.commands.enumerated()
    where addsAll || accepted.contains(index) || held.contains(index) {
      choices.add(choice(command.name, .command), isAsked: accepted.contains(index))
      if let scene = command.rule?.scene {
        let text = "'\(command.name)' of the scene '\(scene)'"
        choices.add(choice(text, .condition), isAsked: held.contains(index))
      }
    }
    for text in grammar.unusable where addsAll {
      choices.add(choice(text, .command), isAsked: false)
    }
  }

  private func choice(_ text: String, _ kind: OpenChoice.Kind) -> OpenChoice {
    OpenChoice(command: 0, text: text, kind: kind)
  }
}

extension Recording {
  /// A text that is equal for two recordings with the same transitions of the same members.
  /// Members without states count by the number of their events, up to a few.
  var coverage: String {
    var codes: [Int] = []
    codes.reserveCapacity(events.count)
    forEachTransition { lane, _, transition in codes.append(lane << 16 | transition.code) }
    let hasStates = lanes.map { $0.phase != nil }
    if hasStates.contains(false) {
      var counts = [Int](repeating: 0, count: lanes.count)
      for event in events where !hasStates[event.lane] {
        counts[event.lane] = min(counts[event.lane] + 1, Self.mostEvents)
      }
      for (lane, count) in counts.enumerated() where count > 0 {
        codes.append(lane << 16 | 1 << 15 | count)
      }
    }
    codes.sort()
    var hash = FNV1a()
    var last: Int?
    for code in codes where code != last {
      hash.combine(UInt64(code))
      last = code
    }
    return String(hash.value, radix: 16)
  }

  private static let mostEvents = 3
}
