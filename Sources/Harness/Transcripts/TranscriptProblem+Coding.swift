import RehearsalBase

/// Encodes a problem as a word, a number and a text. The number is 0 and the text is empty if the word needs none.
extension TranscriptProblem {
  var spelling: (word: String, number: Int, text: String) {
    switch self {
    case .differs(let after): ("differs", after ?? 0, "")
    case .crashed(let signal): ("crashed", signal, "")
    case .exited(let status): ("exited", status, "")
    case .slow(let limit): ("slow", limit, "")
    case .tooMuchMemory(let limit): ("tooMuchMemory", limit, "")
    case .outOfTime(let limit): ("outOfTime", limit, "")
    case .unread(let limit): ("unread", limit, "")
    case .unperformed(let reason, let text, let details):
      (
        "unperformed", Unperformed.Reason.allCases.firstIndex(of: reason) ?? 0,
        text + "\n" + details
      )
    case .hiddenError(let error): ("hiddenError", 0, error)
    case .unreadFixture(let name): ("unreadFixture", 0, name)
    case .stray(.outsideFixture(let name)): ("outsideFixture", 0, name)
    case .stray(.repeatedFixture(let name)): ("repeatedFixture", 0, name)
    case .stray(.conflict(let line)): ("conflict", line, "")
    case .stray(.lookalike(let lookalike)): ("lookalike", 0, lookalike.rawValue)
    case .file(.notUTF8(let line)): ("notUTF8", line, "")
    case .file(.tooLarge(let limit)): ("tooLarge", limit, "")
    case .file(.other(let code)): ("system", Int(code), "")
    // The words are the names of the cases.
    case .stray(let line): ("\(line)", 0, "")
    case .file(let problem): ("\(problem)", 0, "")
    case .tooLong, .endedEarly, .overflowed, .needsOwnProcess, .otherOutput, .unstable, .noCommand,
      .noFence:
      ("\(self)", 0, "")
    }
  }

  /// Decodes a `spelling`; nil if no problem has this name.
  init?(word: String, number: Int, text: String) {
    switch word {
    case "differs": self = .differs(after: number == 0 ? nil : number)
    case "crashed": self = .crashed(signal: number)
    case "exited": self = .exited(status: number)
    case "slow": self = .slow(limitInMilliseconds: number)
    case "tooMuchMemory": self = .tooMuchMemory(limitInBytes: number)
    case "outOfTime": self = .outOfTime(limitInMilliseconds: number)
    case "unread": self = .unread(limitInMilliseconds: number)
    case "unperformed":
      guard Unperformed.Reason.allCases.indices.contains(number),
        let end = text.lastIndex(of: "\n")
      else { return nil }
      let details = String(text[text.index(after: end)...])
      self = .unperformed(Unperformed.Reason.allCases[number], String(text[..<end]), details)
    case "hiddenError": self = .hiddenError(text)
    case "unreadFixture": self = .unreadFixture(text)
    case "outsideFixture": self = .stray(.outsideFixture(text))
    case "repeatedFixture": self = .stray(.repeatedFixture(text))
    case "conflict": self = .stray(.conflict(lastLine: number))
    case "lookalike":
      guard let lookalike = LineEndLookalike(rawValue: text) else { return nil }
      self = .stray(.lookalike(lookalike))
    case "notUTF8": self = .file(.notUTF8(line: number))
    case "tooLarge": self = .file(.tooLarge(limitInBytes: number))
    case "system": self = .file(.other(code: Int32(truncatingIfNeeded: number)))
    default:
      guard let plain = Self.plain.first(where: { $0.spelling.word == word }) else { return nil }
      self = plain
    }
  }

  /// The problems without a number and a text.
  private static let plain: [TranscriptProblem] =
    [
      .tooLong, .endedEarly, .overflowed, .needsOwnProcess, .otherOutput, .unstable, .noCommand,
      .noFence,
    ]
    + [
      .conflictMarker, .unindented, .indentedByTab, .indentedByOne, .joinedPrompt,
      .continuationAlone, .outputAlone, .carriageReturns, .fence, .swiftExpectation,
      .script,
    ].map(Self.stray)
    + [
      .missing, .notPermitted, .symlinkLoop, .folder, .notAFile, .diskFull, .readOnly, .notEmpty,
      .changed, .nameNotUTF8, .notWritable, .exists, .noFolder, .noTranscript, .danglingLink,
    ].map(Self.file)
}

/// The fields of a failure's line in a report.
extension TranscriptFailure: Codable {
  private enum CodingKeys: String, CodingKey {
    case path, line, problem, hint, command, diff, notes, acceptance, kind, number, text
  }

  /// Encodes the fields of a line of a report.
  public func encode(to encoder: any Encoder) throws {
    let (kind, number, text) = problem.spelling
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(path, forKey: .path)
    try fields.encode(line, unless: 0, forKey: .line)
    try fields.encode(problem.sentence, forKey: .problem)
    try fields.encodeIfPresent(problem.hint, forKey: .hint)
    try fields.encodeIfPresent(command, forKey: .command)
    try fields.encode(diff, unless: [], forKey: .diff)
    try fields.encode(notes, unless: [], forKey: .notes)
    try fields.encodeIfPresent(acceptance, forKey: .acceptance)
    try fields.encode(kind, forKey: .kind)
    try fields.encode(number, unless: 0, forKey: .number)
    try fields.encode(text, unless: "", forKey: .text)
  }

  /// Decodes the fields of a line of a report.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    path = try fields.decode(String.self, forKey: .path)
    line = try fields.count(.line)
    // In the order of encoding, which coders of messages rely on; the problem follows from its kind.
    _ = try fields.decodeIfPresent(String.self, forKey: .problem)
    _ = try fields.decodeIfPresent(String.self, forKey: .hint)
    command = try fields.decodeIfPresent(String.self, forKey: .command)
    diff = try fields.decodeIfPresent([DiffLine].self, forKey: .diff) ?? []
    notes = try fields.decodeIfPresent([String].self, forKey: .notes) ?? []
    acceptance = try fields.decodeIfPresent(String.self, forKey: .acceptance)
    let kind = try fields.decode(String.self, forKey: .kind)
    let number = try fields.decodeIfPresent(Int.self, forKey: .number) ?? 0
    let text = try fields.decodeIfPresent(String.self, forKey: .text) ?? ""
    guard let problem = TranscriptProblem(word: kind, number: number, text: text) else {
      throw JSONMismatch(fields.codingPath + [CodingKeys.kind], .notThis("the name of a problem"))
    }
    self.problem = problem
  }
}

extension KeyedEncodingContainer {
  /// Encodes a value, unless it equals the default of a missing field.
  mutating func encode<Value: Encodable & Equatable>(
    _ value: Value,
    unless missing: Value,
    forKey key: Key
  ) throws {
    if value != missing { try encode(value, forKey: key) }
  }
}

extension KeyedDecodingContainer {
  /// Decodes a count; 0 if the field is missing.
  func count(_ key: Key) throws -> Int {
    let count = try decodeIfPresent(Int.self, forKey: key) ?? 0
    guard (0...ReportReader.highestCount).contains(count) else {
      throw JSONMismatch(codingPath + [key], .refused("is \(count), which is out of range"))
    }
    return count
  }
}
