import Script

/// Which of a view's four slots shows a member, and with what: RemoteContentView on a terminal.
enum ViewSlot {
  case empty
  /// From 0 to 1; nil where nobody knows.
  case progress(Double?)
  /// With an error, and a button to try again.
  case failure(String)
  case content(String)

  /// What stands in the slot, after the slot's name.
  func line(placeholder: String?) -> String {
    switch self {
    case .empty: "empty"
    case .progress(let fraction):
      "progress  " + (placeholder.map(Self.redacted) ?? Self.bar(fraction))
    case .failure(let error): "failure   \(error)  [retry]"
    case .content(let text): "content   \(text)"
    }
  }

  private static let columns = 20

  private static func bar(_ fraction: Double?) -> String {
    guard let fraction else { return String(repeating: "·", count: columns) }
    let percent = Int(fraction * 100)
    let filled = percent * columns / 100
    return String(repeating: "█", count: filled) + String(repeating: "░", count: columns - filled)
      + " \(percent)%"
  }

  /// The placeholder with all that could be read masked, as SwiftUI's redaction does.
  private static func redacted(_ text: String) -> String {
    String(text.map { $0.isLetter || $0.isNumber ? "▒" : $0 })
  }
}
