import Loading
import RehearsalBase
import Script

/// The definition of an option, which `set`, the config file, an environment variable or a flag sets.
///
/// The parser, help and completion use this definition.
package struct SessionOption: Sendable {
  /// The name in commands, the config file and flags.
  package let name: String
  /// An alternative spelling.
  package let alias: String?
  /// The placeholder of the value in help: `N`, or the words.
  package let placeholder: String
  /// A description in one line, with a full stop.
  package let summary: String
  /// The allowed words with their meanings; empty for a number.
  package let words: [(text: String, meaning: String)]
  /// The allowed numbers; empty for words.
  private let numberSample: String
  /// What output the option changes. Transcripts record it for that output.
  let reach: Reach
  /// Reads the value from a text.
  let read: @Sendable (inout Settings, inout Parser) throws(Diagnostic) -> Void
  /// Returns the value as `read` accepts it.
  let text: @Sendable (Settings) -> String

  enum Reach {
    /// Only the place of the output: transcripts never have it.
    case terminal
    /// The output of commands that fit the width.
    case pictures
    /// The output of any command.
    case everything
  }

  /// The environment variable: `REHEARSE_WIDTH`.
  package var variable: String { Self.variable(name) }

  /// The environment variables, including alternative spellings.
  var variables: [String] { [variable] + (alias.map { [Self.variable($0)] } ?? []) }

  /// The names, including alternative spellings.
  package var names: [String] { [name] + (alias.map { [$0] } ?? []) }

  private static func variable(_ name: String) -> String { "REHEARSE_" + name.uppercased() }

  /// Whether transcripts record the option, if it changes their output.
  package var isTold: Bool { if case .terminal = reach { false } else { true } }

  /// Whether the option changes only output that fits the width.
  var isOfPictures: Bool { if case .pictures = reach { true } else { false } }

  /// An example of a value.
  var sample: String { words.last?.text ?? numberSample }

  /// The default value.
  package var initial: String { text(Settings()) }
}

// MARK: The table

extension SessionOption {
  /// All options, in the order of lists.
  package static let all: [SessionOption] = [width, colour, times, policy, seed, preempt, pager]

  /// Returns the option of a name or of an alternative spelling.
  package static func named(_ name: String) -> SessionOption? {
    all.first { $0.names.contains(name) }
  }

  package static let width = SessionOption(
    "width",
    "The width of pictures and help texts, as a number of columns. The shell reads it from a terminal.",
    at: \.width,
    as: "a width in columns",
    in: 40...1000,
    example: "100",
    reach: .pictures
  )

  package static let colour = SessionOption(
    "colour",
    or: "color",
    "Whether output has colours.",
    at: \.colour,
    reach: .terminal
  )

  package static let times = SessionOption(
    "times",
    "The format of times in output.",
    at: \.times,
    reach: .everything
  )

  package static let policy = SessionOption(
    "policy",
    "The default policy of new loadables and processes. 'help policies' in the shell lists the policies.",
    placeholder: "P",
    at: \.policy,
    reach: .everything
  )

  package static let seed = SessionOption(
    "seed",
    "The random seed for the delays of routes, the 'jitter' of retries, 'inject http', and the random numbers of scenes.",
    at: \.seed,
    as: "a seed",
    in: 0...Int.max,
    example: "7",
    reach: .everything
  )

  package static let preempt = SessionOption(
    "preempt",
    "Where other code may run under 'explore' and 'schedule'.",
    at: \.preempt,
    reach: .everything
  )

  package static let pager = SessionOption(
    "pager",
    "Whether long output is shown page by page, by $PAGER or less.",
    at: \.pager,
    reach: .terminal
  )
}

// MARK: Making one

extension SessionOption {
  /// Creates an option that is a number.
  private init(
    _ name: String,
    _ summary: String,
    at path: any WritableKeyPath<Settings, Int> & Sendable,
    as what: String,
    in range: ClosedRange<Int>,
    example: String,
    reach: Reach
  ) {
    self.name = name
    alias = nil
    placeholder = "N"
    self.summary = summary
    words = []
    numberSample = example
    self.reach = reach
    read = { settings, parser throws(Diagnostic) in
      settings[keyPath: path] = try parser.integer(what, in: range, example: example).value
    }
    text = { "\($0[keyPath: path])" }
  }

  /// Creates an option that is one of several words.
  private init<Word: OptionWord>(
    _ name: String,
    or alias: String? = nil,
    _ summary: String,
    placeholder: String? = nil,
    at path: any WritableKeyPath<Settings, Word> & Sendable,
    reach: Reach
  ) {
    let words = Word.allCases.map { (text: $0.word, meaning: $0.meaning) }
    self.name = name
    self.alias = alias
    self.placeholder = placeholder ?? words.map(\.text).joined(separator: "|")
    self.summary = summary
    self.words = words
    numberSample = ""
    self.reach = reach
    read = { settings, parser throws(Diagnostic) in
      settings[keyPath: path] = try parser.word(of: name, as: Word.self)
    }
    text = { $0[keyPath: path].word }
  }
}

extension Parser {
  /// Suggests a word that is similar to the next one.
  private func hint(forOneOf words: [String]) -> Hint? {
    let found = text(nextSpan)
    if found == "\"" { return .advice("write it without quotes") }
    return found.isEmpty ? nil : Hint.nearest(to: found, in: words)
  }

  /// Reads one of the words of an option.
  fileprivate mutating func word<Word: OptionWord>(
    of option: String,
    as type: Word.Type
  ) throws(Diagnostic) -> Word {
    for word in Word.allCases { expect(.described(word.word, word.meaning)) }
    let found = wordRange().flatMap { range in Word.allCases.first { $0.word == text(range) } }
    guard let found, let range = wordRange() else {
      let words = Word.allCases.map(\.word)
      let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
      let isShort = words.count <= 4
      throw expected(
        isShort ? list : option.withArticle,
        hint(forOneOf: words) ?? (isShort ? nil : .advice("choose \(list)"))
      )
    }
    take(to: range.upperBound)
    return found
  }
}
