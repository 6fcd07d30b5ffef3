import RehearsalBase
import Script

/// The slot of a view that shows a member, out of four, with its content: RemoteContentView on a
/// terminal.
enum ViewSlot {
  case empty
  /// From 0 to 1; nil if the progress is unknown.
  case progress(Double?)
  /// With an error, and a button to retry.
  case failure(String)
  case content(String)

  /// The line for the slot: its name and its content.
  func line(placeholder: JSONValue?) -> String {
    switch self {
    case .empty: "empty"
    case .progress(let fraction):
      "progress  " + (placeholder?.redactedText ?? Self.bar(fraction))
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
}

extension JSONValue {
  /// The value with all readable text masked, as SwiftUI's redaction does it. An object keeps the
  /// names of its fields.
  fileprivate var redactedText: String {
    var isQuoted = false
    var isEscaped = false
    let text = masked.text(within: valueColumns).map { character -> Character in
      defer { isEscaped = character == "\\" && !isEscaped }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      return isQuoted ? character : character.mask
    }
    return String(text)
  }

  /// The value with its texts masked.
  private var masked: JSONValue {
    switch self {
    case .string(let text): .string(String(text.map(\.mask)))
    case .array(let elements): .array(elements.map(\.masked))
    case .object(let fields): .object(fields.map { .init(name: $0.name, value: $0.value.masked) })
    case .null, .bool, .number: self
    }
  }
}

extension Character {
  fileprivate var mask: Character { isLetter || isNumber ? "▒" : self }
}
