import RehearsalBase

/// A parser of `DatePattern` with hints for common mistakes.
struct DatePatternReader {
  private let text: String
  private var rest: Substring
  private var fields: [DatePattern.Field] = []

  init(_ text: String) {
    self.text = text
    rest = text[...]
  }

  mutating func parts() throws(DatePattern.Problem) -> [DatePattern.Part] {
    var parts: [DatePattern.Part] = []
    while let next = rest.first { parts.append(try part(beginningWith: next)) }
    try checkFields()
    return parts
  }

  private mutating func part(
    beginningWith next: Character
  ) throws(DatePattern.Problem) -> DatePattern.Part {
    if next == "'" { return .literal(Array(try quoted().utf8)) }
    guard next.isLetter else { return .literal(Array(String(rest.removeFirst()).utf8)) }
    let run = rest.prefix { $0 == next }
    rest = rest[run.endIndex...]
    if run == "XXX" { return .zone }
    if next == "S", run.count <= 9 { return .fraction(run.count) }
    guard let field = DatePattern.Field(rawValue: next), run.count == field.width else {
      throw Self.unknown(run)
    }
    if fields.contains(field) { throw repeated(field) }
    fields.append(field)
    return .field(field)
  }

  private mutating func quoted() throws(DatePattern.Problem) -> String {
    rest.removeFirst()
    var literal = ""
    if rest.first == "'" { return String(rest.removeFirst()) }
    while let next = rest.popFirst() {
      if next != "'" {
        literal.append(next)
      } else if rest.first == "'" {
        literal.append(rest.removeFirst())
      } else {
        return literal
      }
    }
    throw .init(message: "a quote in \(text) is not closed", hint: "add ' after the letters")
  }

  // MARK: Mistakes

  private func checkFields() throws(DatePattern.Problem) {
    let has = Set(fields)
    if has.contains(.minute), !has.contains(.hour) {
      throw .init(message: "mm is the minute, but there is no hour", hint: "write MM for the month")
    }
    guard has.contains(.year) else {
      throw .init(message: "no year in \(text)", hint: "write it as yyyy")
    }
    if has.contains(.day), !has.contains(.month) {
      throw .init(message: "no month in \(text)", hint: "write it as MM")
    }
  }

  private func repeated(_ field: DatePattern.Field) -> DatePattern.Problem {
    let hint =
      switch field {
      case .month: "write mm for the minute"
      case .minute: "write MM for the month"
      case .year, .day, .hour, .second: "write it once"
      }
    return .init(message: "\(field.letters) occurs twice in \(text)", hint: hint)
  }

  private static func unknown(_ run: Substring) -> DatePattern.Problem {
    let hint =
      switch run.first {
      case "y", "Y", "u": "write the year as yyyy"
      case "M", "L": "write the month as MM"
      case "d", "D": "write the day of the month as dd"
      case "H", "h", "k", "K": "write the hour from 0 to 23 as HH"
      case "m": "write the minute as mm"
      case "s": "write the second as ss"
      case "S": "write at most nine digits of a second, as SSS"
      case "X", "x", "Z", "z": "write the zone as XXX"
      default: "put literal letters in quotes, as '\(run)'"
      }
    return .init(message: "\(run) is not a date field", hint: hint)
  }
}
