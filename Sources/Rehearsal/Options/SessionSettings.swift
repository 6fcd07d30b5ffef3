import Script

/// The options of a session: what they are set to, and who said so.
///
/// Whoever comes later in `Origin` is stronger, and a command stronger than all.
package struct SessionSettings: Sendable {
  package private(set) var values = Settings()
  private var origins: [String: Origin] = [:]
  /// What a transcript of the session so far says.
  private var written = Settings()
  /// Whether a transcript may have to say more.
  private(set) var isUnwritten = false

  /// Who says what an option is set to.
  package enum Origin: Int, Comparable, Sendable {
    case none, terminal, config, environment, flag, command

    package static func < (a: Origin, b: Origin) -> Bool { a.rawValue < b.rawValue }

    var words: String {
      switch self {
      case .none: "default"
      case .terminal: "terminal"
      case .config: "config file"
      case .environment: "environment"
      case .flag: "flag"
      case .command: "command"
      }
    }
  }

  func origin(of option: SessionOption) -> Origin { origins[option.name] ?? .none }

  /// Takes a value, unless somebody stronger has spoken; false then.
  @discardableResult mutating func take(_ value: OptionValue, from origin: Origin) -> Bool {
    guard origin >= self.origin(of: value.option) else { return false }
    origins[value.option.name] = origin
    value.apply(to: &values)
    if origin == .command { value.apply(to: &written) } else { isUnwritten = true }
    return true
  }

  /// Takes what others than commands have set, where no command did in either.
  mutating func takeOthers(of other: SessionSettings) {
    for option in SessionOption.all where origin(of: option) < .command {
      let origin = other.origin(of: option)
      guard origin < .command, let value = try? OptionValue(option, option.text(other.values))
      else { continue }
      origins[option.name] = origin
      value.apply(to: &values)
    }
  }

  /// What a transcript has to say before a command for it to print the same again, which it says
  /// from now on.
  mutating func takeUnwritten(isPicture: Bool) -> [OptionValue] {
    guard isUnwritten else { return [] }
    let unwritten = SessionOption.all.filter { $0.isTold && $0.text(values) != $0.text(written) }
    let needed = unwritten.filter { isPicture || !$0.isOfPictures }
      .compactMap { try? OptionValue($0, $0.text(values)) }
    for value in needed { value.apply(to: &written) }
    isUnwritten = needed.count < unwritten.count
    return needed
  }
}

/// What the options were set to at some time.
final class KeptSettings: Sendable {
  let settings: SessionSettings

  init(_ settings: SessionSettings) { self.settings = settings }
}
