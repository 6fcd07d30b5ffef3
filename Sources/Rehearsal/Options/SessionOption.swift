import Loading
import RehearsalBase
import Script

/// Something about a session or its shell that `set` can change.
///
/// The parser, help, completion, the config file, variables of the environment and flags are all read
/// off these values.
package struct SessionOption: Sendable {
  /// By which commands, the config file and flags know it.
  package let name: String
  /// Another spelling that is taken as well.
  package let alias: String?
  /// What stands for its value in help: `N`, or the words.
  package let placeholder: String
  /// What it is, in one line that ends in a full stop.
  package let summary: String
  /// The words that it can be set to, and what each means; none for a number.
  package let words: [(text: String, meaning: String)]
  /// A number that it can be set to; empty for words.
  private let numberSample: String
  /// What has to be known of it for what a command prints to be the same again.
  let reach: Reach
  /// Takes its value from a text.
  let read: @Sendable (inout Settings, inout Parser) throws(Diagnostic) -> Void
  /// Its value, as `read` takes it.
  let text: @Sendable (Settings) -> String

  enum Reach {
    /// Only where it is shown changes: a transcript never has it.
    case terminal
    /// Commands that fit their output into the width.
    case pictures
    /// Any command.
    case everything
  }

  /// Its variable in the environment: `REHEARSE_WIDTH`.
  package var variable: String { Self.variable(name) }

  /// Its variables, with other spellings.
  var variables: [String] { [variable] + (alias.map { [Self.variable($0)] } ?? []) }

  /// Its names, with other spellings.
  package var names: [String] { [name] + (alias.map { [$0] } ?? []) }

  private static func variable(_ name: String) -> String { "REHEARSE_" + name.uppercased() }

  /// Whether a transcript tells what it is set to, where that matters.
  package var isTold: Bool { if case .terminal = reach { false } else { true } }

  /// Whether it matters to commands only that fit their output into the width.
  var isOfPictures: Bool { if case .pictures = reach { true } else { false } }

  /// A value to show how it is written.
  var sample: String { words.last?.text ?? numberSample }

  /// Its value where nobody says anything.
  package var initial: String { text(Settings()) }
}

// MARK: The table

extension SessionOption {
  /// All options, in the order in which they are listed.
  package static let all: [SessionOption] = [width, colour, times, policy, seed, pager]

  /// The option of a name or of another spelling of it.
  package static func named(_ name: String) -> SessionOption? {
    all.first { $0.names.contains(name) }
  }

  package static let width = SessionOption(
    "width",
    "How many columns pictures and help may take. A terminal says so itself.",
    at: \.width,
    as: "a width in columns",
    in: 40...1000,
    example: "100",
    reach: .pictures
  )

  package static let colour = SessionOption(
    "colour",
    or: "color",
    "Whether output is coloured.",
    at: \.colour,
    reach: .terminal
  )

  package static let times = SessionOption(
    "times",
    "How instants are printed.",
    at: \.times,
    reach: .everything
  )

  package static let policy = SessionOption(
    "policy",
    "The policy of members made from here on that name none.",
    placeholder: "P",
    at: \.policy,
    reach: .everything
  )

  package static let seed = SessionOption(
    "seed",
    "Where random numbers begin: those of 'jitter', of delays that vary and of 'inject http'.",
    at: \.seed,
    as: "a seed",
    in: 0...Int.max,
    example: "7",
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
  /// An option that is a number.
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

  /// An option that is one of some words.
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
  /// Which of the words was probably meant by what is next.
  private func hint(forOneOf words: [String]) -> Hint? {
    let found = text(nextSpan)
    if found == "\"" { return .advice("write it without quotes") }
    return found.isEmpty ? nil : Hint.nearest(to: found, in: words)
  }

  /// Takes one of the words of an option.
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
