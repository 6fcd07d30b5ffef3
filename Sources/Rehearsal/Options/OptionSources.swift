import RehearsalBase
package import Script

/// The options of the config file, the environment and flags: reads them, and collects the errors in them.
package struct OptionSources {
  /// The options in the order of reading.
  package private(set) var values: [(value: OptionValue, origin: SessionSettings.Origin)] = []
  /// The errors as lines of text.
  package private(set) var complaints: [String] = []
  /// Whether only options that transcripts never have are used. Scripts must not depend on hidden
  /// settings.
  private let isForScript: Bool

  /// Sources without options.
  ///
  /// - Parameter isForScript: whether the commands come from a file; then a config file and the
  ///   environment set only colour and paging.
  package init(isForScript: Bool) {
    self.isForScript = isForScript
  }

  /// The settings that result.
  package var settings: Settings {
    var settings = SessionSettings()
    for (value, origin) in values { settings.take(value, from: origin) }
    return settings.values
  }

  // MARK: The config file

  /// Maximum number of printed errors of a config file.
  private static let mostMistakes = 10

  /// Reads a config file: one option a line, such as `width = 100`. Notes errors and uses the other
  /// lines. Skips a byte order mark.
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
        complaints += error.lines(in: String(line), place: "\(path):\(index + 1)").map(\.text)
      }
    }
    if mistakes > Self.mostMistakes {
      complaints.append(
        "… \(mistakes - Self.mostMistakes) more errors in \(path.escapingControls)"
      )
    }
  }

  /// Returns the option that a line sets; nil for a blank line or a comment.
  private static func value(
    in line: String,
    _ seen: inout Set<String>
  ) throws(Diagnostic) -> OptionValue? {
    var parser = Parser(line, table: .empty)
    try parser.refuseGap()
    if parser.isAtEnd { return nil }
    let start = parser.position
    let option = try parser.option()
    let name = start..<parser.endOfTaken
    guard parser.accept(byte: UInt8(ascii: "=")) else {
      throw parser.expected("'='", hint: "write '\(option.name) = \(option.initial)'")
    }
    let value = try parser.value(of: option)
    try parser.refuseGap()
    guard parser.isAtEnd else {
      throw Diagnostic(
        .unexpected(parser.text(parser.nextSpan).printable(atMost: 30)),
        at: parser.nextSpan,
        hint: "write each option on a separate line"
      )
    }
    guard seen.insert(option.name).inserted else {
      throw Diagnostic(.repeatedClause(option.name), at: name)
    }
    return value
  }

  /// Adds an error about a whole source.
  package mutating func add(complaint: String) { complaints.append(complaint) }

  // MARK: The environment

  /// Reads the environment variables of the options, and NO_COLOR (no-color.org). Empty variables
  /// are ignored.
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
          complaints += error.lines(in: text, place: name).map(\.text)
        }
      }
    }
  }

  // MARK: Flags

  /// Reads a flag.
  ///
  /// - Throws: a `Diagnostic` about the text if the option cannot have that value.
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
