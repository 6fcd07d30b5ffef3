import RehearsalBase

/// A masker that replaces secrets in texts, header fields, cookies and binary data with `masked`, and counts them.
final class Masker {
  /// Whether secrets stay unchanged.
  let isKeeping: Bool
  /// The secrets from an earlier pass over the same traffic.
  let known: KnownSecrets
  private(set) var found = KnownSecrets()
  private(set) var counts: [TrafficRoutes.SecretKind: Int] = [:]

  static let mask = Array("masked".utf8)

  init(isKeeping: Bool = false, known: KnownSecrets = KnownSecrets()) {
    self.isKeeping = isKeeping
    self.known = known
  }

  // MARK: Finding

  /// Returns the ranges of a text to mask, sorted and without overlaps.
  func places(
    in text: [UInt8],
    _ language: SecretFinder.Language = .plain
  ) -> [Range<Int>] {
    if isKeeping { return [] }
    let places = SecretFinder.places(in: text, language: language)
    for place in places {
      learn(text[place.range])
      count(place.kind)
    }
    return merged(places.map(\.range), known.places(in: text))
  }

  /// Returns both lists in order, without known secrets that overlap with found ones.
  private func merged(_ found: [Range<Int>], _ known: [Range<Int>]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    var rest = found[...]
    for range in known {
      while let next = rest.first, next.lowerBound <= range.lowerBound {
        merged.append(rest.removeFirst())
      }
      let isFree = (merged.last?.upperBound ?? 0) <= range.lowerBound
      guard isFree, range.upperBound <= rest.first?.lowerBound ?? .max else { continue }
      merged.append(range)
      count(.again)
    }
    return merged + rest
  }

  func strength(of name: some StringProtocol) -> SecretName.Strength? {
    isKeeping ? nil : SecretName.strength(of: name)
  }

  func count(_ kind: TrafficRoutes.SecretKind) { counts[kind, default: 0] += 1 }

  /// Remembers a secret, to find it elsewhere.
  func learn(_ secret: some Collection<UInt8>) {
    found.insert(secret)
    guard secret.contains(UInt8(ascii: "%")) else { return }
    let text = String(decoding: secret, as: UTF8.self)
    found.insert(PercentCoding.decoded(text[...], plusIsSpace: true).utf8)
  }

  // MARK: Masking

  func masked(
    _ text: [UInt8],
    _ language: SecretFinder.Language = .plain
  ) -> [UInt8] {
    let places = places(in: text, language)
    return places.isEmpty ? text : Self.replacing(places, in: text) { _ in Self.mask }
  }

  func masked(_ text: String) -> String {
    let places = places(in: Array(text.utf8))
    guard !places.isEmpty else { return text }
    return String(
      decoding: Self.replacing(places, in: Array(text.utf8)) { _ in Self.mask },
      as: UTF8.self
    )
  }

  /// Masks binary data without changing its length, because the data may contain its own lengths.
  func maskedInPlace(_ bytes: [UInt8]) -> [UInt8] {
    let places = places(in: bytes, .binary)
    if places.isEmpty { return bytes }
    return Self.replacing(places, in: bytes) { count in
      Array((Self.mask + [UInt8](repeating: UInt8(ascii: "x"), count: count)).prefix(count))
    }
  }

  private static func replacing(
    _ places: [Range<Int>],
    in text: [UInt8],
    by mask: (Int) -> [UInt8]
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var done = 0
    for place in places {
      result += text[done..<place.lowerBound]
      result += mask(place.count)
      done = place.upperBound
    }
    return result + text[done...]
  }

  // MARK: Header fields

  /// Returns the masked value of a response's header field.
  func value(ofHeader name: String, _ value: String) -> String {
    let name = name.lowercased()
    if isKeeping { return value }
    if name == "set-cookie" { return cookie(value) }
    guard !Self.harmlessHeaders.contains(name), strength(of: name) != nil else {
      return masked(value)
    }
    count(.header)
    learn(value.utf8)
    return "masked"
  }

  /// Header fields whose names look secret but whose values are not.
  private static let harmlessHeaders: Set<String> = ["access-control-allow-credentials"]

  /// Masks a cookie's value and keeps its name and attributes.
  private func cookie(_ text: String) -> String {
    guard let equals = text.firstIndex(of: "=") else { return masked(text) }
    let end = text[equals...].firstIndex(of: ";") ?? text.endIndex
    learn(text[text.index(after: equals)..<end].utf8)
    count(.cookie)
    return masked(String(text[..<equals])) + "=masked" + masked(String(text[end...]))
  }

  /// Remembers the secrets of a request's header fields, which routes do not contain.
  func learn(fromHeader name: String, _ value: String) {
    if isKeeping { return }
    let name = name.lowercased()
    if name == "cookie" {
      for cookie in value.split(separator: ";") {
        learn((cookie.split(separator: "=", maxSplits: 1).last ?? "").utf8)
      }
    } else if strength(of: name) != nil {
      learn((value.split(separator: " ").last ?? "").utf8)
    } else {
      for place in SecretFinder.places(in: Array(value.utf8), language: .plain) {
        learn(Array(value.utf8)[place.range])
      }
    }
  }
}
