import RehearsalBase
package import Script

/// What the config file, the environment and flags say about the options, and their mistakes.
package struct OptionSources {
  /// In the order in which they were read.
  package private(set) var values: [(value: OptionValue, origin: SessionSettings.Origin)] = []
  /// What is wrong with them, as lines of text.
  package private(set) var complaints: [String] = []
  /// Whether only what transcripts never tell is taken: those are no place for hidden settings.
  private let isForScript: Bool

  /// Sources that say nothing yet.
  ///
  /// - Parameter isForScript: whether the commands come from a file, where a config file and the
  ///   environment decide about colour and paging only.
  package init(isForScript: Bool) {
    self.isForScript = isForScript
  }

  /// What they come to.
  package var settings: Settings {
    var settings = SessionSettings()
    for (value, origin) in values { settings.take(value, from: origin) }
    return settings.values
  }

  // MARK: The config file

  /// How many mistakes of a config file are told.
  private static let mostMistakes = 10

  /// Reads the text of a config file: a line an option, as in `width = 100`. What is wrong in it is
  /// told, and the rest counts. A byte order mark is passed over.
  package mutating func add(config text: String, path: String) {
    var seen: Set<String> = []
    var mistakes = 0
    let scalars = text.unicodeScalars
    let text = String(scalars.dropFirst(scalars.first == "\u{FEFF}" ? 1 : 0))
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      do throws(Diagnostic) {
        guard let value = try Self.value(in: String(line), &seen) else { continue }
        add(value, from: .config)
      } catch {
        mistakes += 1
        guard mistakes <= Self.mostMistakes else { continue }
        complaints += error.lines(in: String(line), place: "\(path):\(index + 1)")
      }
    }
    if mistakes > Self.mostMistakes {
      complaints.append(
        "… \(mistakes - Self.mostMistakes) more mistakes in \(path.escapingControls)"
      )
    }
  }

  /// The option that a line sets; nil where it is blank or a comment.
  private static func value(
    in line: String,
    _ seen: inout Set<String>
  ) throws(Diagnostic) -> OptionValue? {
    var parser = Parser(line, table: .empty)
    try parser.refuseLookalike()
    if parser.isAtEnd { return nil }
    let start = parser.position
    let option = try parser.option()
    let name = start..<parser.endOfTaken
    guard parser.accept(byte: UInt8(ascii: "=")) else {
      throw parser.expected("'='", hint: "write '\(option.name) = \(option.initial)'")
    }
    let value = try parser.value(of: option)
    try parser.refuseLookalike()
    guard parser.isAtEnd else {
      throw Diagnostic(
        .unexpected(parser.text(parser.nextSpan).printable(atMost: 30)),
        at: parser.nextSpan,
        hint: "each option has a line of its own"
      )
    }
    guard seen.insert(option.name).inserted else {
      throw Diagnostic(.repeatedClause(option.name), at: name)
    }
    return value
  }

  /// Adds a line about what is wrong with a source as a whole.
  package mutating func add(complaint: String) { complaints.append(complaint) }

  // MARK: The environment

  /// Reads the variables of the options, and NO_COLOR (no-color.org). Those that are empty say nothing.
  package mutating func addEnvironment(_ variable: (String) -> String?) {
    if let wish = variable("NO_COLOR"), !wish.isEmpty,
      let never = try? OptionValue(.colour, "never")
    {
      add(never, from: .environment)
    }
    for option in SessionOption.all {
      for name in option.variables {
        guard let text = variable(name), !text.isEmpty else { continue }
        do throws(Diagnostic) {
          add(try OptionValue(option, text), from: .environment)
        } catch {
          complaints += error.lines(in: text, place: name)
        }
      }
    }
  }

  // MARK: Flags

  /// Takes what a flag says.
  ///
  /// - Throws: a `Diagnostic` about the text where the option cannot be set to that.
  package mutating func add(
    flag text: String,
    of option: SessionOption
  ) throws(Diagnostic) {
    add(try OptionValue(option, text), from: .flag)
  }

  private mutating func add(_ value: OptionValue, from origin: SessionSettings.Origin) {
    if isForScript, origin < .flag, value.option.isTold { return }
    values.append((value, origin))
  }
}
