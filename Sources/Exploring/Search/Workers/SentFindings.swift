/// Findings as a worker sends them, with the groups in a compact form.
struct SentFindings: Codable {
  private let others: Findings
  private let groups: SentGroups

  init(_ findings: Findings) {
    var others = findings
    groups = SentGroups(others.removeGroups())
    self.others = others
  }

  var findings: Findings {
    var findings = others
    findings.restore(groups.all)
    return findings
  }
}

/// Groups as columns of numbers and text. Groups are the largest part of an answer, and it takes long to code many small
/// values one by one: this form takes a tenth of the time. The benchmark `generating` has a row for it.
struct SentGroups: Codable {
  /// A row of `Row.count` numbers for each group.
  private var rows: [Int] = []
  /// The choices of all groups. A choice that does not fit is `Self.isLarge` here, and the next one of `largeChoices`.
  private var choices: [UInt8] = []
  private var largeChoices: [Int] = []
  /// The lines of plain outcomes as UTF-8, and their lengths.
  private var text: [UInt8] = []
  private var lengths: [Int] = []
  /// The outcomes that are not plain.
  private var outcomes: [RunOutcome] = []

  private static let isLarge = UInt8.max

  /// The numbers of a row.
  private enum Row {
    static let count = 8
    static let (runs, nearest, first, sample, fingerprint) = (0, 1, 2, 3, 4)
    static let (choices, seen, counted) = (5, 6, 7)
    /// In place of the first run among the random runs: there is none.
    static let noSample = -1
    /// In place of the number of seen lines: the outcome is not plain.
    static let notPlain = -1
    /// In place of the number of counted lines: they are the seen ones.
    static let asSeen = -1
  }

  init(_ groups: [Findings.Group]) {
    rows.reserveCapacity(groups.count * Row.count)
    for group in groups {
      precondition(!group.schedule.namesTasks, "A run of a search has numbers only.")
      rows += [
        group.count, group.nearest, group.first, group.sample ?? Row.noSample,
        Int(bitPattern: UInt(group.fingerprint)), group.schedule.choices.count,
      ]
      for choice in group.schedule.choices {
        if choice < Int(Self.isLarge) {
          choices.append(UInt8(choice))
        } else {
          choices.append(Self.isLarge)
          largeChoices.append(choice)
        }
      }
      add(group.outcome)
    }
  }

  private mutating func add(_ outcome: RunOutcome) {
    guard outcome.isPlain else {
      rows += [Row.notPlain, 0]
      return outcomes.append(outcome)
    }
    let isCountedAsSeen = outcome.counted == outcome.seen
    rows += [outcome.seen.count, isCountedAsSeen ? Row.asSeen : outcome.counted.count]
    for line in outcome.seen + (isCountedAsSeen ? [] : outcome.counted) {
      let start = text.count
      text += line.utf8
      lengths.append(text.count - start)
    }
  }

  /// The groups.
  var all: [Findings.Group] {
    var choices = choices[...]
    var largeChoices = largeChoices[...]
    var text = text[...]
    var lengths = lengths[...]
    var outcomes = outcomes[...]
    func lines(_ count: Int) -> [String] {
      lengths.removingFirst(count).map { String(decoding: text.removingFirst($0), as: UTF8.self) }
    }
    return stride(from: 0, to: rows.count, by: Row.count).map { start in
      let row = rows[start..<start + Row.count]
      func number(_ column: Int) -> Int { row[start + column] }
      let schedule = Schedule(
        choices.removingFirst(number(Row.choices)).map {
          $0 == Self.isLarge ? largeChoices.removeFirst() : Int($0)
        }
      )
      let outcome: RunOutcome
      if number(Row.seen) == Row.notPlain {
        outcome = outcomes.removeFirst()
      } else {
        let seen = lines(number(Row.seen))
        let counted = number(Row.counted) == Row.asSeen ? seen : lines(number(Row.counted))
        outcome = RunOutcome(seen: seen, counted: counted)
      }
      return Findings.Group(
        count: number(Row.runs),
        schedule: schedule,
        nearest: number(Row.nearest),
        outcome: outcome,
        first: number(Row.first),
        fingerprint: UInt64(UInt(bitPattern: number(Row.fingerprint))),
        sample: number(Row.sample) == Row.noSample ? nil : number(Row.sample)
      )
    }
  }
}

extension ArraySlice {
  /// Removes the first elements, and returns them.
  fileprivate mutating func removingFirst(_ count: Int) -> ArraySlice {
    defer { removeFirst(count) }
    return prefix(count)
  }
}
