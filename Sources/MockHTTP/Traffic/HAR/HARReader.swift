import RehearsalBase

/// A reader of HAR 1.2 entries from any producer.
///
/// It reads only the fields that an exchange needs and skips all others, such as those that begin
/// with `_`. Null is the same as absent.
struct HARReader {
  private var cursor: JSONCursor
  /// The number of malformed entries that were skipped.
  private(set) var unreadableCount = 0
  private var firstProblem: HARProblem?

  /// The maximum number of header fields in a request or a response.
  private static let mostHeaders = 1000

  init(_ bytes: [UInt8]) {
    cursor = JSONCursor(bytes)
  }

  mutating func entries() throws(HARProblem) -> [HAREntry] {
    do {
      return try document()
    } catch {
      throw problem(error)
    }
  }

  private mutating func document() throws -> [HAREntry] {
    try checkEncoding()
    var entries: [HAREntry]?
    try cursor.enterObject()
    while let name = try cursor.nextName() {
      if name == "log", entries == nil { entries = try log() } else { try cursor.skip() }
    }
    try cursor.end()
    guard let entries else { throw Mistake(reason: .missing(field: "log"), offset: 0) }
    return entries
  }

  private mutating func checkEncoding() throws {
    cursor.skipSpace()
    if cursor.position == cursor.bytes.count { throw HARProblem(reason: .empty, place: nil) }
    let start = cursor.bytes.prefix(2)
    if start.elementsEqual([0xFF, 0xFE]) || start.elementsEqual([0xFE, 0xFF]) || start.contains(0) {
      throw HARProblem(reason: .encoding("UTF-16"), place: nil)
    }
  }

  private mutating func log() throws -> [HAREntry] {
    let start = cursor.position
    var entries: [HAREntry]?
    try cursor.enterObject()
    while let name = try cursor.nextName() {
      if name == "entries", entries == nil { entries = try list() } else { try cursor.skip() }
    }
    guard let entries else { throw Mistake(reason: .missing(field: "log.entries"), offset: start) }
    return entries
  }

  private mutating func list() throws -> [HAREntry] {
    var entries: [HAREntry] = []
    try cursor.enterArray()
    while try cursor.nextElement() {
      if let entry = try readableEntry() { entries.append(entry) }
    }
    if entries.isEmpty, let firstProblem { throw firstProblem }
    return entries
  }

  /// Returns the next entry. If it is JSON but not a valid entry, skips it and returns nil.
  private mutating func readableEntry() throws -> HAREntry? {
    let start = cursor
    do {
      return try entry()
    } catch {
      firstProblem = firstProblem ?? problem(error)
      cursor = start
      try cursor.skip()
      unreadableCount += 1
      return nil
    }
  }

  private mutating func entry() throws -> HAREntry {
    let start = cursor.position
    var entry = HAREntry()
    var hasRequest = false
    try cursor.enterObject()
    while let name = try cursor.nextName() {
      switch name {
      case "request":
        hasRequest = true
        try request(&entry)
      case "response": try response(&entry)
      case "timings": try timings(&entry)
      case "startedDateTime": entry.start = try text()
      case "time": entry.time = try cursor.optionalNumber()
      case "_resourceType", "_webSocketMessages": try markWebSocket(&entry, field: name)
      default: try cursor.skip()
      }
    }
    guard hasRequest else { throw Mistake(reason: .missing(field: "request"), offset: start) }
    return entry
  }

  private mutating func markWebSocket(
    _ entry: inout HAREntry,
    field: String
  ) throws {
    guard try cursor.kind() == .string else {
      if field == "_webSocketMessages" { entry.isWebSocket = true }
      return try cursor.skip()
    }
    if try cursor.string() == Array("websocket".utf8) { entry.isWebSocket = true }
  }

  // MARK: Request

  private mutating func request(_ entry: inout HAREntry) throws {
    let start = cursor.position
    var fields: Set<String> = []
    try cursor.enterObject()
    while let name = try cursor.nextName() {
      fields.insert(name)
      switch name {
      case "method": entry.method = String(decoding: try cursor.string(), as: UTF8.self)
      case "url": entry.url = String(decoding: try cursor.string(), as: UTF8.self)
      case "headers": entry.requestHeaders = try pairs()
      case "postData": entry.requestBody = try postData()
      default: try cursor.skip()
      }
    }
    for field in ["method", "url"] where !fields.contains(field) {
      throw Mistake(reason: .missing(field: "request.\(field)"), offset: start)
    }
  }

  /// Returns the body text, or a body built from a form's fields.
  private mutating func postData() throws -> [UInt8] {
    guard try cursor.enterOptionalObject() else { return [] }
    var text: [UInt8]?
    var parameters: [HAREntry.Pair] = []
    var isBase64 = false
    while let name = try cursor.nextName() {
      switch name {
      case "text": text = try cursor.optionalString()
      case "params": parameters = try pairs()
      case "encoding", "_encoding": isBase64 = try cursor.optionalString() == Array("base64".utf8)
      default: try cursor.skip()
      }
    }
    if let text, !text.isEmpty || parameters.isEmpty {
      return isBase64 ? Base64.bytes(text, .lenient) ?? text : text
    }
    return Array(parameters.map(\.formText).joined(separator: "&").utf8)
  }

  // MARK: Response

  private mutating func response(_ entry: inout HAREntry) throws {
    guard try cursor.enterOptionalObject() else { return }
    while let name = try cursor.nextName() {
      switch name {
      case "status": entry.status = Int(exactly: try cursor.optionalNumber() ?? 0) ?? 0
      case "headers": entry.responseHeaders = try pairs()
      case "redirectURL": entry.redirect = try text()
      case "content": try content(&entry)
      case "_error": entry.error = try text()
      default: try cursor.skip()
      }
    }
  }

  private mutating func content(_ entry: inout HAREntry) throws {
    guard try cursor.enterOptionalObject() else { return }
    var text: [UInt8]?
    var place = 0
    var isBase64 = false
    while let name = try cursor.nextName() {
      switch name {
      case "text":
        place = cursor.position
        text = try cursor.optionalString()
      case "encoding": isBase64 = try cursor.optionalString() == Array("base64".utf8)
      case "size": entry.bodySize = Int(exactly: try cursor.optionalNumber() ?? 0) ?? 0
      case "mimeType": entry.bodyType = try self.text()
      default: try cursor.skip()
      }
    }
    guard isBase64, let encoded = text else { return entry.setBody(text) }
    guard let decoded = Base64.bytes(encoded, .lenient) else {
      throw Mistake(
        reason: .malformed("the body is not base64, although 'encoding' says so"),
        offset: place
      )
    }
    entry.setBody(decoded, isText: false)
  }

  private mutating func timings(_ entry: inout HAREntry) throws {
    guard try cursor.enterOptionalObject() else { return }
    while let name = try cursor.nextName() {
      switch name {
      case "wait": entry.wait = try cursor.optionalNumber()
      case "receive": entry.receive = try cursor.optionalNumber()
      default: try cursor.skip()
      }
    }
  }

  // MARK: Parts

  private mutating func text() throws -> String {
    String(decoding: try cursor.optionalString() ?? [], as: UTF8.self)
  }

  /// Reads a list of objects with `name` and `value`: header fields or form fields.
  private mutating func pairs() throws -> [HAREntry.Pair] {
    guard try cursor.enterOptionalArray() else { return [] }
    var pairs: [HAREntry.Pair] = []
    while try cursor.nextElement() {
      var pair = HAREntry.Pair()
      try cursor.enterObject()
      while let name = try cursor.nextName() {
        switch name {
        case "name": pair.name = try text()
        case "value": pair.value = try text()
        default: try cursor.skip()
        }
      }
      if pairs.count < Self.mostHeaders { pairs.append(pair) }
    }
    return pairs
  }

  // MARK: Problems

  /// A value at an offset that differs from HAR's format.
  private struct Mistake: Error {
    let reason: HARProblem.Reason
    let offset: Int
  }

  /// Returns the problem at the cursor.
  private func problem(_ error: any Error) -> HARProblem {
    switch error {
    case let error as HARProblem: error
    case let error as Mistake: problem(error.reason, at: error.offset)
    case let error as JSONProblem where error.isCutOff(in: cursor.bytes):
      problem(.truncated, at: cursor.bytes.count)
    case let error as JSONProblem:
      switch error.reason {
      case .nestedTooDeep:
        problem(.nestedTooDeep(limit: JSONCursor.deepest), at: error.range.lowerBound)
      case .wrongKind(let expected, let found):
        problem(
          .wrongType(expected: expected.withArticle, found: found.withArticle),
          at: error.range.lowerBound
        )
      default: problem(.malformed(error.sentence), at: error.range.lowerBound)
      }
    default: HARProblem(reason: .malformed("\(error)"), place: nil)
    }
  }

  private func problem(_ reason: HARProblem.Reason, at offset: Int) -> HARProblem {
    let (line, column) = JSONProblem.place(of: offset, in: cursor.bytes)
    return HARProblem(
      reason: reason,
      place: HARProblem.Location(byte: offset, line: line, column: column, path: cursor.path)
    )
  }
}
