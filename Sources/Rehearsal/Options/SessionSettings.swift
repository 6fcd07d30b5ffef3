import Script

/// The values of all options with their sources: which source overrides another, and which options a transcript needs.
///
/// A later case of `Origin` overrides an earlier one.
package struct SessionSettings: Sendable {
  package private(set) var values = Settings()
  private var origins: [String: Origin] = [:]
  /// The settings that a transcript of the session so far has.
  private var written = Settings()
  /// Whether a transcript may need another setting.
  private(set) var isUnwritten = false

  /// The source of the value of an option.
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

  /// Sets an option, unless a stronger source has set it. Returns whether it is set.
  @discardableResult mutating func take(_ value: OptionValue, from origin: Origin) -> Bool {
    guard origin >= self.origin(of: value.option) else { return false }
    origins[value.option.name] = origin
    value.apply(to: &values)
    if origin == .command { value.apply(to: &written) } else { isUnwritten = true }
    return true
  }

  /// Copies settings that no command has set in either session.
  mutating func takeOthers(of other: SessionSettings) {
    for option in SessionOption.all where origin(of: option) < .command {
      let origin = other.origin(of: option)
      guard origin < .command, let value = try? OptionValue(option, option.text(other.values))
      else { continue }
      origins[option.name] = origin
      value.apply(to: &values)
    }
  }

  /// Returns the settings that a transcript needs before a command, so that it prints the same, and
  /// marks them as written.
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

/// The settings at an earlier time.
final class KeptSettings: Sendable {
  let settings: SessionSettings

  init(_ settings: SessionSettings) { self.settings = settings }
}
