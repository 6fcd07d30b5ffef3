/// The format of instants in a session.
package enum TimeStyle: String, CaseIterable, Sendable, Codable {
  case seconds, milliseconds, clock

  /// Formats an instant exactly, with the needed number of decimals.
  package func text(of time: Duration) -> String {
    let seconds = time.fixed
    if self == .seconds { return seconds }
    let parts = seconds.dropLast().split(separator: ".")
    guard let whole = Int(parts[0]) else { return seconds }
    return self == .milliseconds
      ? Self.milliseconds(whole, parts[1]) : Self.clock(whole, parts[1])
  }

  /// The format of axis labels in this style, without needless decimals; nil for the default.
  package var onAxes: (@Sendable (Duration) -> String)? {
    if self == .seconds { return nil }
    return { time in
      let text = text(of: time)
      guard self == .clock, text.contains(".") else { return text }
      let short = text.reversed().drop { $0 == "0" }
      return String((short.first == "." ? short.dropFirst() : short).reversed())
    }
  }

  private static func milliseconds(_ seconds: Int, _ decimals: Substring) -> String {
    let rest = decimals.dropFirst(3)
    let whole = seconds * 1000 + (Int(decimals.prefix(3)) ?? 0)
    return "\(whole)" + (rest.isEmpty ? "" : "." + rest) + "ms"
  }

  private static func clock(_ seconds: Int, _ decimals: Substring) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return (hours > 0 ? "\(hours):" : "") + twoDigits(minutes) + ":" + twoDigits(seconds % 60)
      + "." + decimals
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

/// An instant and its format.
package struct ShownTime: Sendable, Hashable, Codable {
  package let time: Duration
  package let style: TimeStyle

  package init(_ time: Duration, _ style: TimeStyle) {
    (self.time, self.style) = (time, style)
  }

  package static let zero = ShownTime(.zero, .seconds)

  package var text: String { style.text(of: time) }
}
