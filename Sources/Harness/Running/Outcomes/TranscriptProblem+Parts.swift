/// A problem as a number for its kind, a number, and a text, which is how it crosses a pipe.
extension TranscriptProblem {
  var parts: (kind: Int, number: Int, text: String) {
    switch self {
    case .differs(let after): (0, after ?? 0, "")
    case .tooLong: (1, 0, "")
    case .stray(let line): (2, line.parts.number, line.parts.text)
    case .endedEarly: (3, 0, "")
    case .crashed(let signal): (4, signal, "")
    case .exited(let status): (5, status, "")
    case .slow(let limit): (6, limit, "")
    case .unstable: (7, 0, "")
    case .noCommand: (8, 0, "")
    case .noFence: (9, 0, "")
    case .tooMuchMemory(let limit): (11, limit, "")
    case .outOfTime(let limit): (12, limit, "")
    case .otherOutput: (13, 0, "")
    case .overflowed: (14, 0, "")
    case .needsShelter: (15, 0, "")
    case .unread(let limit): (16, limit, "")
    case .unperformed(let reason, let text, let details):
      (17, Unperformed.Reason.allCases.firstIndex(of: reason) ?? 0, text + "\n" + details)
    case .unreadFixture(let name): (18, 0, name)
    case .file(let problem): (20 + problem.parts.kind, problem.parts.number, "")
    }
  }

  init?(kind: Int, number: Int, text: String) {
    switch kind {
    case 0: self = .differs(after: number == 0 ? nil : number)
    case 1: self = .tooLong
    case 2:
      guard let line = StrayLine(number: number, text: text) else { return nil }
      self = .stray(line)
    case 3: self = .endedEarly
    case 4: self = .crashed(signal: number)
    case 5: self = .exited(status: number)
    case 6: self = .slow(limitInMilliseconds: number)
    case 7: self = .unstable
    case 8: self = .noCommand
    case 9: self = .noFence
    case 11: self = .tooMuchMemory(limitInBytes: number)
    case 12: self = .outOfTime(limitInMilliseconds: number)
    case 13: self = .otherOutput
    case 14: self = .overflowed
    case 15: self = .needsShelter
    case 16: self = .unread(limitInMilliseconds: number)
    case 17:
      guard Unperformed.Reason.allCases.indices.contains(number),
        let end = text.lastIndex(of: "\n")
      else { return nil }
      self = .unperformed(
        Unperformed.Reason.allCases[number],
        String(text[..<end]),
        String(text[text.index(after: end)...])
      )
    case 18: self = .unreadFixture(text)
    default:
      guard let problem = FileProblem(kind: kind - 20, number: number) else { return nil }
      self = .file(problem)
    }
  }
}

extension StrayLine {
  private static let plain: [StrayLine] = [
    .conflictMarker, .unindented, .indentedByTab, .indentedByOne, .joinedPrompt,
    .continuationAlone, .outputAlone, .carriageReturns, .fence, .script,
    .carriageReturn,
  ]

  fileprivate var parts: (number: Int, text: String) {
    switch self {
    case .outsideFixture(let name): (100, name)
    case .repeatedFixture(let name): (101, name)
    case .conflict(let line): (102, "\(line)")
    default: (Self.plain.firstIndex(of: self) ?? 0, "")
    }
  }

  fileprivate init?(number: Int, text: String) {
    switch number {
    case 100: self = .outsideFixture(text)
    case 101: self = .repeatedFixture(text)
    case 102:
      guard let line = Int(text) else { return nil }
      self = .conflict(lastLine: line)
    default:
      guard Self.plain.indices.contains(number) else { return nil }
      self = Self.plain[number]
    }
  }
}

extension FileProblem {
  fileprivate var parts: (kind: Int, number: Int) {
    switch self {
    case .missing: (0, 0)
    case .notPermitted: (1, 0)
    case .symlinkLoop: (2, 0)
    case .folder: (3, 0)
    case .notAFile: (4, 0)
    case .notUTF8(let line): (5, line)
    case .tooLarge(let limit): (6, limit)
    case .diskFull: (7, 0)
    case .readOnly: (8, 0)
    case .other(let code): (9, Int(code))
    case .notEmpty: (10, 0)
    case .changed: (11, 0)
    case .nameNotUTF8: (12, 0)
    case .notWritable: (13, 0)
    case .exists: (14, 0)
    case .noFolder: (15, 0)
    case .noTranscript: (16, 0)
    case .danglingLink: (17, 0)
    }
  }

  fileprivate init?(kind: Int, number: Int) {
    switch kind {
    case 0: self = .missing
    case 1: self = .notPermitted
    case 2: self = .symlinkLoop
    case 3: self = .folder
    case 4: self = .notAFile
    case 5: self = .notUTF8(line: number)
    case 6: self = .tooLarge(limitInBytes: number)
    case 7: self = .diskFull
    case 8: self = .readOnly
    case 9: self = .other(code: Int32(truncatingIfNeeded: number))
    case 10: self = .notEmpty
    case 11: self = .changed
    case 12: self = .nameNotUTF8
    case 13: self = .notWritable
    case 14: self = .exists
    case 15: self = .noFolder
    case 16: self = .noTranscript
    case 17: self = .danglingLink
    default: return nil
    }
  }
}
