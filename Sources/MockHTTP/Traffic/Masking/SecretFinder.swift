/// A search for secrets by their form, such as JWTs, tokens after `Bearer`, and keys with a known prefix.
///
/// It finds JWTs (`eyJ…`), tokens after `Bearer` and `Basic`, users before hosts, keys with a known
/// prefix, private keys, and the values of names that `SecretName` knows: in queries, forms, JSON
/// and similar text, XML, and HTML form fields.
struct SecretFinder {
  enum Language {
    case plain
    /// HTML, JavaScript, CSS: a name with a value is usually code.
    case code
    case form
    /// Only secrets with a recognizable form.
    case binary
  }

  struct FoundSecret {
    let range: Range<Int>
    let kind: TrafficRoutes.SecretKind
  }

  let text: [UInt8]
  let language: Language
  private(set) var places: [FoundSecret] = []
  private var end: Int { places.last?.range.upperBound ?? 0 }

  static func places(in text: [UInt8], language: Language) -> [FoundSecret] {
    var finder = SecretFinder(text, language)
    finder.find()
    return finder.places
  }

  private init(_ text: [UInt8], _ language: Language) {
    self.text = text
    self.language = language
  }

  private mutating func find() {
    var index = 0
    while index < text.count {
      look(at: index)
      index = max(index + 1, end)
    }
  }

  private mutating func look(at index: Int) {
    switch text[index] {
    case UInt8(ascii: "e"): jwt(at: index)
    case UInt8(ascii: "g"), UInt8(ascii: "s"), UInt8(ascii: "x"), UInt8(ascii: "A"):
      knownKey(at: index)
    case UInt8(ascii: "-"): privateKey(at: index)
    case 0x20, UInt8(ascii: "+"): scheme(before: index)
    case UInt8(ascii: "="): assignment(at: index)
    case UInt8(ascii: ":"): has("//", at: index + 1) ? user(at: index + 3) : assignment(at: index)
    case UInt8(ascii: ">"): element(opened: index)
    case UInt8(ascii: "<"): field(at: index)
    default: break
    }
  }

  // MARK: Tokens

  private mutating func jwt(at index: Int) {
    guard has("eyJ", at: index) else { return }
    let stop = endOfToken(from: index)
    if stop - index >= 10 { add(index..<stop, .token) }
  }

  private static let beginnings: [StaticString] = [
    "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "sk_live_", "sk_test_", "sk-",
    "xoxb-", "xoxp-", "AKIA", "AIza",
  ]

  private mutating func knownKey(at index: Int) {
    guard index == 0 || !(text[index - 1].isASCIILetter || text[index - 1].isASCIIDigit),
      let start = Self.beginnings.first(where: { has($0, at: index) })
    else { return }
    let stop = endOfToken(from: index)
    let key = text[(index + start.utf8CodeUnitCount)..<stop]
    if key.count >= 16, key.contains(where: \.isASCIIDigit) { add(index..<stop, .token) }
  }

  private mutating func privateKey(at index: Int) {
    guard has("-----BEGIN ", at: index) else { return }
    let line = text[index...].prefix(60)
    guard let key = firstPlace(of: "PRIVATE KEY-----", in: line.indices) else { return }
    let start = key + 16
    let stop = firstPlace(of: "-----END", in: start..<text.count) ?? text.count
    add(start..<stop, .token)
  }

  /// Finds `Bearer abc`, `Basic abc`. The space is at `index`.
  private mutating func scheme(before index: Int) {
    guard language != .binary, ["bearer", "basic"].contains(where: { ends($0, at: index) }) else {
      return
    }
    let stop = endOfToken(from: index + 1)
    let token = index + 1..<stop
    if token.count >= 8, looksDrawn(token) { add(token, .token) }
  }

  private mutating func user(at start: Int) {
    guard language != .binary else { return }
    let authority = text[start...].prefix {
      !$0.isASCIISpace && !"/?#\"'<>\\".utf8.contains($0)
    }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) { add(start..<at, .user) }
  }

  // MARK: Helpers

  mutating func add(_ range: Range<Int>, _ kind: TrafficRoutes.SecretKind) {
    guard !range.isEmpty, range.lowerBound >= end else { return }
    places.append(FoundSecret(range: range, kind: kind))
  }

  func has(_ word: StaticString, at index: Int) -> Bool {
    guard index >= 0, index + word.utf8CodeUnitCount <= text.count else { return false }
    return word.withUTF8Buffer { text[index..<index + $0.count].elementsEqual($0) }
  }

  /// Returns whether a word ends there, ignoring case.
  private func ends(_ word: String, at index: Int) -> Bool {
    guard index >= word.utf8.count else { return false }
    return text[index - word.utf8.count..<index].elementsEqual(word.utf8) { $0 | 0x20 == $1 }
  }

  private func firstPlace(of word: StaticString, in range: Range<Int>) -> Int? {
    range.first { has(word, at: $0) }
  }

  private func endOfToken(from index: Int) -> Int {
    index + (index < text.count ? text[index...].prefix(while: \.isTokenByte).count : 0)
  }

  /// Returns whether the text looks random and not written by a person.
  func looksDrawn(_ range: Range<Int>) -> Bool {
    let word = text[range]
    return word.count >= 16 || (word.count >= 4 && word.contains(where: \.isASCIIDigit))
  }
}
