/// Returns an error as text that is the same on every machine: its type and contents, without
/// module names, addresses, case indexes, or the system's language.
///
/// An enum's case follows its type, `NetworkError.status(code: 404)`; a struct shows its fields; a
/// `CustomStringConvertible` error uses its own description. Foundation's errors show domain and
/// code.
public func describe(_ error: any Error) -> String {
  if isFoundationError(error) {
    return describeFoundationError(error)
  }
  return ErrorText.describe(error, naming: true, depth: 0)
}

/// Returns whether the error is the platform's sign of a cancelled request: `CancellationError`, or
/// `URLError.cancelled`.
public func isCancellation(_ error: any Error) -> Bool {
  error is CancellationError || (error._code == -999 && error._domain == "NSURLErrorDomain")
}

private enum ErrorText {
  /// Maximum depth of shown contents, because an error's structure may be endless.
  static let deepest = 8

  static func describe(_ value: Any, naming: Bool, depth: Int) -> String {
    guard depth < deepest else { return "…" }
    let mirror = Mirror(reflecting: value)
    if value is String || value is Substring { return quoted(value) }
    if mirror.displayStyle == .optional {
      guard let wrapped = mirror.children.first?.value else { return "nil" }
      return describe(wrapped, naming: naming, depth: depth)
    }
    if mirror.displayStyle == .collection || mirror.displayStyle == .set {
      return collection(mirror, depth: depth)
    }
    if mirror.displayStyle == .dictionary { return dictionary(mirror, depth: depth) }
    if let value = value as? any CustomStringConvertible { return value.description }
    return structure(value, mirror, naming: naming, depth: depth)
  }

  private static func structure(
    _ value: Any,
    _ mirror: Mirror,
    naming: Bool,
    depth: Int
  ) -> String {
    switch mirror.displayStyle {
    case .enum: enumCase(value, mirror, naming: naming, depth: depth)
    case .tuple: fields(of: mirror, depth: depth)
    case .struct where mirror.children.isEmpty: typeName(of: value)
    case .struct: typeName(of: value) + fields(of: mirror, depth: depth)
    default: typeName(of: value)  // A class or a function: more detail may contain an address.
    }
  }

  private static func enumCase(
    _ value: Any,
    _ mirror: Mirror,
    naming: Bool,
    depth: Int
  ) -> String {
    let prefix = naming ? typeName(of: value) + "." : ""
    guard let (label, payload) = mirror.children.first else { return prefix + "\(value)" }
    let contents = Mirror(reflecting: payload)
    let isTuple = contents.displayStyle == .tuple
    let text =
      isTuple
      ? fields(of: contents, depth: depth)
      : "(" + describe(payload, naming: false, depth: depth + 1) + ")"
    return prefix + (label ?? "") + text
  }

  private static func fields(of mirror: Mirror, depth: Int) -> String {
    let texts = mirror.children.map { label, value in
      let text = describe(value, naming: false, depth: depth + 1)
      // Mirror labels the fields of a tuple without labels by position.
      guard let label, !label.hasPrefix(".") else { return text }
      return "\(label): \(text)"
    }
    return "(" + texts.joined(separator: ", ") + ")"
  }

  private static func collection(_ mirror: Mirror, depth: Int) -> String {
    var texts = mirror.children.map { describe($0.value, naming: false, depth: depth + 1) }
    if mirror.displayStyle == .set { texts.sort() }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  private static func dictionary(_ mirror: Mirror, depth: Int) -> String {
    let texts = mirror.children.map { entry in
      let pair = Mirror(reflecting: entry.value).children.map(\.value)
      return pair.map { describe($0, naming: false, depth: depth + 1) }.joined(separator: ": ")
    }
    return texts.isEmpty ? "[:]" : "[" + texts.sorted().joined(separator: ", ") + "]"
  }

  private static func quoted(_ value: Any) -> String {
    String(reflecting: "\(value)")
  }

  private static func typeName(of value: Any) -> String {
    String(describing: type(of: value))
  }
}

/// `NSError` and the structs that Foundation wraps around it.
private func isFoundationError(_ error: any Error) -> Bool {
  let name = String(describing: type(of: error))
  return name == "NSError" || name == "URLError" || name == "CocoaError" || name == "POSIXError"
}

private func describeFoundationError(_ error: any Error) -> String {
  let name = error._domain == "NSURLErrorDomain" ? urlErrorNames[error._code] : nil
  if let name { return "URLError.\(name)" }
  // Some versions of Foundation do not give a CocoaError its code and domain; the stored code is
  // always there.
  let code = Mirror(reflecting: error).descendant("code", "rawValue") as? Int
  if let code, !(error._domain.hasPrefix("NS")) { return "NSCocoaErrorDomain \(code)" }
  return "\(error._domain) \(error._code)"
}

/// The codes of `URLError` that callers commonly distinguish.
private let urlErrorNames: [Int: String] = [
  -999: "cancelled", -1000: "badURL", -1001: "timedOut", -1002: "unsupportedURL",
  -1003: "cannotFindHost", -1004: "cannotConnectToHost", -1005: "networkConnectionLost",
  -1006: "dnsLookupFailed", -1007: "httpTooManyRedirects", -1008: "resourceUnavailable",
  -1009: "notConnectedToInternet", -1011: "badServerResponse", -1014: "zeroByteResource",
  -1015: "cannotDecodeRawData", -1016: "cannotDecodeContentData", -1017: "cannotParseResponse",
]
