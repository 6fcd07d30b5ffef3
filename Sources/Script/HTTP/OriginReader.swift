import RehearsalBase

/// Reads the scheme, host and port of an absolute URL; refuses schemes other than http and https, and user names.
struct OriginReader {
  let bytes: [UInt8]
  let range: Range<Int>
  /// The end of the origin.
  private(set) var end: Int

  init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.range = range
    end = range.lowerBound
  }

  mutating func origin() throws(Diagnostic) -> TargetReader.Origin {
    let scheme = try scheme()
    let start = end
    end = bytes[start..<range.upperBound].firstIndex { "/?#".utf8.contains($0) } ?? range.upperBound
    return TargetReader.Origin(scheme: scheme, host: try host(start..<end, scheme: scheme))
  }

  private mutating func scheme() throws(Diagnostic) -> String {
    var mark = range.lowerBound
    while mark < range.upperBound, bytes[mark].isLetter || bytes[mark].isDigit { mark += 1 }
    guard bytes[mark..<range.upperBound].starts(with: "://".utf8) else {
      throw Diagnostic(
        .malformedTarget("it must begin with '/', 'http://' or 'https://'"),
        at: range,
        hint: hintForBeginning
      )
    }
    let scheme = text(range.lowerBound..<mark).lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw Diagnostic(
        .malformedTarget("'\(scheme.printable(atMost: 30))' is not a scheme of HTTP"),
        at: range.lowerBound..<mark,
        hint: "the schemes are http and https"
      )
    }
    end = mark + 3
    return scheme
  }

  private var hintForBeginning: String {
    let word = text(range)
    let isName = bytes[range.lowerBound].isLetter || bytes[range.lowerBound].isDigit
    guard isName, range.count <= 60 else { return "write a path, as in '/posts'" }
    return "did you mean '\(Parser.beginning(ofTarget: word))\(word.escapingControls)'?"
  }

  private func host(_ range: Range<Int>, scheme: String) throws(Diagnostic) -> String {
    if let at = bytes[range].firstIndex(of: UInt8(ascii: "@")) {
      throw Diagnostic(
        .malformedTarget("an address must not have a name or password"),
        at: range.lowerBound..<at + 1,
        hint: "send it in a header: with Authorization \"…\""
      )
    }
    let nameEnd = endOfName(in: range)
    let name = text(range.lowerBound..<nameEnd).lowercased()
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isHostByte) || isBracketed(name) else {
      throw Diagnostic(
        .malformedTarget("'\(text(range).printable(atMost: 30))' is not a host"),
        at: range.isEmpty ? self.range : range,
        hint: "a host is a name or an address in ASCII, as in 'localhost:8080'"
      )
    }
    guard let port = try port(nameEnd..<range.upperBound) else { return name }
    return port == (scheme == "http" ? 80 : 443) ? name : "\(name):\(port)"
  }

  /// An IPv6 address has brackets, because it has colons itself.
  private func endOfName(in range: Range<Int>) -> Int {
    if let bracket = bytes[range].firstIndex(of: UInt8(ascii: "]")) { return bracket + 1 }
    return bytes[range].firstIndex(of: UInt8(ascii: ":")) ?? range.upperBound
  }

  private func isBracketed(_ name: String) -> Bool {
    name.hasPrefix("[") && name.utf8.count > 2
      && name.utf8.dropFirst().dropLast().allSatisfy {
        $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) || ":.".utf8.contains($0)
      }
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-._".utf8.contains(byte)
  }

  private func port(_ range: Range<Int>) throws(Diagnostic) -> Int? {
    guard let colon = range.first else { return nil }
    let digits = text(colon + 1..<range.upperBound)
    guard bytes[colon] == UInt8(ascii: ":"), digits.utf8.allSatisfy(\.isDigit),
      let port = Int(digits), (1...65535).contains(port)
    else {
      throw Diagnostic(
        .numberOutOfRange(digits.printable(atMost: 30), allowed: "a port from 1 to 65535"),
        at: range
      )
    }
    return port
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
