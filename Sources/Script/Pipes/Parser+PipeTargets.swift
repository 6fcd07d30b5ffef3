import RehearsalBase

/// Finds the end of a request's address inside a pipe, and reads the placeholders in it.
extension Parser {
  /// Returns the end of an address: a blank, or the parenthesis that closes one around it.
  var endOfTarget: Int {
    var end = position
    var open = 0
    while end < bytes.count, bytes[end] > 0x20 {
      if bytes[end] == UInt8(ascii: "(") { open += 1 }
      if bytes[end] == UInt8(ascii: ")") { open -= 1 }
      if open < 0, pipePlace.depth > 0 { break }
      end += 1
    }
    return end
  }

  /// Returns the bytes of the command with letters in place of the placeholders, so that the
  /// address can be checked. Its parts do not move.
  func maskingPlaceholders(in target: Range<Int>) throws(Diagnostic) -> [UInt8] {
    guard pipePlace.isInside, bytes[target].contains(where: \.isBrace) else { return bytes }
    var masked = bytes
    var place = startOfPath(in: target)
    for piece in PipeTemplate(text(place..<target.upperBound)).pieces {
      let end = place + piece.text.utf8.count
      try check(piece, at: place..<end)
      if case .value = piece {
        for index in place..<end { masked[index] = UInt8(ascii: "x") }
      }
      place = end
    }
    return masked
  }

  /// Returns the part of an absolute URL after its host.
  private func startOfPath(in target: Range<Int>) -> Int {
    guard bytes[target.lowerBound] != UInt8(ascii: "/"),
      let colon = bytes[target].firstIndex(of: UInt8(ascii: ":"))
    else { return target.lowerBound }
    let host = bytes[colon..<target.upperBound].dropFirst("://".utf8.count)
    return host.firstIndex { "/?".utf8.contains($0) } ?? target.upperBound
  }

  /// Returns the path as it is sent, except for its placeholders.
  func encodedPath(_ range: Range<Int>) -> String {
    guard pipePlace.hasValue else { return PercentCoding.inASCII(text(range)) }
    return PipeTemplate(text(range)).pieces.reduce(into: "") { path, piece in
      if case .value = piece {
        path += piece.text
      } else {
        path += PercentCoding.inASCII(piece.text)
      }
    }
  }
}
