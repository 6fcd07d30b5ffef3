import Exploring
import RehearsalBase
import Script
import Staging

/// The possible texts of a generated command. The first of several is the simplest: a search takes
/// it unless it deviates.
indirect enum CommandPattern: Sendable {
  case text(String)
  case sequence([CommandPattern])
  case oneOf([CommandPattern])
  /// A duration, often one that ends together with another event.
  case duration(ClosedRange<Duration>)

  static let empty = CommandPattern.text("")

  static func oneOf(_ texts: [String]) -> CommandPattern { .oneOf(texts.map { .text($0) }) }

  /// Appends a text, with a blank between words.
  func write(to text: inout String, by scheduler: SearchScheduler, on stage: Stage) {
    switch self {
    case .text(let word):
      if word.isEmpty { return }
      if !text.isEmpty { text += " " }
      text += word
    case .sequence(let parts):
      for part in parts { part.write(to: &text, by: scheduler, on: stage) }
    case .oneOf(let parts):
      guard !parts.isEmpty else { return }
      parts[scheduler.choose(among: parts.count)].write(to: &text, by: scheduler, on: stage)
    case .duration(let range):
      let word = scheduler.choose(range, on: stage).compact
      CommandPattern.text(word).write(to: &text, by: scheduler, on: stage)
    }
  }

  /// The simplest text.
  var simplest: String {
    switch self {
    case .text(let word): word
    case .sequence(let parts):
      parts.map(\.simplest).filter { !$0.isEmpty }.joined(separator: " ")
    case .oneOf(let parts): parts.first?.simplest ?? ""
    case .duration(let range): range.lowerBound.compact
    }
  }

  /// The pattern of a syntax with the samples of its slots. Throws the placeholder of a slot
  /// without samples.
  init(_ syntax: Syntax) throws(NoSample) {
    switch syntax {
    case .keyword(let word): self = .text(word)
    case .slot(let slot):
      guard !slot.samples.isEmpty else { throw NoSample(placeholder: slot.placeholder) }
      self = .oneOf(slot.samples)
    case .sequence(let parts):
      var patterns: [CommandPattern] = []
      for part in parts { patterns.append(try CommandPattern(part)) }
      self = .sequence(patterns)
    case .optional(let part):
      self = (try? CommandPattern(part)).map { .oneOf([.empty, $0]) } ?? .empty
    case .oneOf(let parts):
      var patterns: [CommandPattern] = []
      for part in parts { patterns.append(try CommandPattern(part)) }
      self = .oneOf(patterns)
    case .list(let part): self = try CommandPattern(part)
    case .many, .clauses: self = .empty
    }
  }

  /// A slot for which no sample is known.
  struct NoSample: Error {
    let placeholder: String
  }
}
