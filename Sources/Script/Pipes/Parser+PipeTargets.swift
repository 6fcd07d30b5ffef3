import RehearsalBase

// Addresses of requests inside of pipes, where `{value}` may stand in them.

extension Parser {
  /// Where an address ends that begins here: at a blank, and inside of parentheses before the one
  /// that closes them.
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

  /// The bytes of the command, with letters in place of the placeholders of an address: it is
  /// checked like any other then, and its parts are where they were.
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

  /// Of an absolute address what follows its host.
  private func startOfPath(in target: Range<Int>) -> Int {
    guard bytes[target.lowerBound] != UInt8(ascii: "/"),
      let colon = bytes[target].firstIndex(of: UInt8(ascii: ":"))
    else { return target.lowerBound }
    let host = bytes[colon..<target.upperBound].dropFirst("://".utf8.count)
    return host.firstIndex { "/?".utf8.contains($0) } ?? target.upperBound
  }

  /// A path as it is sent, but for its placeholders.
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
