import Exploring
import Harness

/// Findings as they cross a pipe. What a group came to is told once by each worker, and not at all when so many are
/// known that no more are kept: otherwise the text of each run would have to be read twice.
extension ByteWriter {
  mutating func write(_ findings: Findings, told: inout Set<UInt64>?) {
    for number in [findings.runs, findings.cuts, findings.checked, findings.runsAtNews] {
      write(number)
    }
    write(findings.end.rawValue)
    write(findings.mostDecisions)
    write(findings.guesses)
    write(findings.sumOfGuesses.words) { $0.write(Int(bitPattern: UInt($1))) }
    write(findings.isInOrder ? 1 : 0)
    let flags = [
      findings.leavesValuesOut, findings.missesOrders, findings.isEndless,
      findings.assumesIsolation, findings.hasUnkeptFailures,
    ]
    write(flags.enumerated().reduce(0) { $0 + ($1.element ? 1 << $1.offset : 0) })
    write(findings.excused) { $0.write($1) }
    write(findings.schedulesLeftOut) { $0.write($1) }
    write(findings.openChoices.all) { writer, value in
      writer.write(value.choice.command)
      writer.write(value.choice.text)
      writer.write(value.isAsked ? 1 : 0)
    }
    write(findings.outside) { $0.write($1) }
    write(findings.unsteady.map { [$0] } ?? []) { $0.write($1) }
    write(Array(findings.hashes)) { $0.write(Int(bitPattern: UInt($1))) }
    write(findings.breaches) { writer, breach in
      writer.write(breach.rule)
      writer.write(breach.count)
      writer.write(breach.schedule)
      writer.write(breach.nearest)
    }
    write(findings.groups.count)
    for group in findings.groups { write(group, told: &told) }
  }

  private mutating func write(_ group: Findings.Group, told: inout Set<UInt64>?) {
    write(Int(bitPattern: UInt(group.fingerprint)))
    for number in [group.count, group.first, group.nearest] { write(number) }
    write(group.schedule)
    let isNew = told?.insert(group.fingerprint).inserted ?? false
    write(isNew ? 1 : 0)
    if isNew { write(group.outcome) }
  }

  mutating func write(_ outcome: RunOutcome) {
    write(outcome.seen) { $0.write($1) }
    write(outcome.counted == outcome.seen ? [] : [outcome.counted]) { writer, lines in
      writer.write(lines) { $0.write($1) }
    }
    write(outcome.failures) { $0.write($1) }
    write(outcome.cut.map { [$0] } ?? []) { $0.write($1) }
  }

  private mutating func write(_ failure: RunFailure) {
    write(failure.rule)
    write(failure.what)
  }
}

extension ByteReader {
  mutating func findings(_ outcomes: inout [UInt64: RunOutcome]) -> Findings? {
    var findings = Findings()
    guard let runs = number(), let cuts = number(), let checked = number(), let news = number(),
      let end = text().flatMap(Findings.End.init(rawValue:)), let decisions = number(),
      let guesses = number(), let words = list({ $0.bits() }), let isInOrder = number(),
      let flags = number(), let excused = list({ reader -> RunFailure? in reader.failure() }),
      let schedulesLeftOut = list({ $0.text() }),
      let choices = list({ reader -> (OpenChoice, Bool)? in reader.openChoice() }),
      let outside = list({ $0.text() }),
      let unsteady = list({ $0.schedule() }),
      let hashes = list({ $0.bits() }),
      let breaches = list({ reader -> Findings.Breach? in reader.breach() }),
      let groupCount = number()
    else { return nil }
    findings.checked = checked
    findings.cuts = cuts
    findings.end = end
    findings.mostDecisions = decisions
    findings.guesses = guesses
    findings.sumOfGuesses = ExactSum(words: words)
    findings.isInOrder = isInOrder == 1
    findings.leavesValuesOut = flags & 1 != 0
    findings.missesOrders = flags & 2 != 0
    findings.isEndless = flags & 4 != 0
    findings.assumesIsolation = flags & 8 != 0
    findings.hasUnkeptFailures = flags & 16 != 0
    findings.excused = excused
    findings.schedulesLeftOut = schedulesLeftOut
    for (choice, isAsked) in choices { findings.openChoices.add(choice, isAsked: isAsked) }
    findings.addOutside(outside)
    findings.unsteady = unsteady.first
    findings.hashes = Set(hashes)
    findings.breaches = breaches
    for _ in 0..<groupCount {
      guard let group = group(&outcomes) else { return nil }
      findings.begin(group)
    }
    findings.runs = runs
    findings.runsAtNews = news
    return findings
  }

  private mutating func bits() -> UInt64? { number().map { UInt64(UInt(bitPattern: $0)) } }

  private mutating func breach() -> Findings.Breach? {
    guard let rule = text(), let count = number(), let schedule = schedule(),
      let nearest = number()
    else { return nil }
    return Findings.Breach(rule: rule, count: count, schedule: schedule, nearest: nearest)
  }

  private mutating func group(_ outcomes: inout [UInt64: RunOutcome]) -> Findings.Group? {
    guard let fingerprint = bits(), let count = number(), let first = number(),
      let nearest = number(), let schedule = schedule(), let isNew = number()
    else { return nil }
    if isNew == 1 {
      guard let outcome = outcome() else { return nil }
      outcomes[fingerprint] = outcome
    }
    return Findings.Group(
      count: count,
      schedule: schedule,
      nearest: nearest,
      outcome: outcomes[fingerprint] ?? RunOutcome(seen: []),
      first: first,
      fingerprint: fingerprint
    )
  }

  private mutating func openChoice() -> (OpenChoice, Bool)? {
    guard let command = number(), let text = text(), let isAsked = number() else { return nil }
    return (OpenChoice(command: command, text: text), isAsked == 1)
  }

  private mutating func failure() -> RunFailure? {
    guard let rule = text(), let what = text() else { return nil }
    return RunFailure(rule: rule, what: what)
  }

  mutating func outcome() -> RunOutcome? {
    guard let seen = list({ $0.text() }), let counted = list({ $0.list { $0.text() } }),
      let failures = list({ reader -> RunFailure? in reader.failure() }),
      let cut = list({ $0.text() })
    else { return nil }
    var outcome = RunOutcome(
      seen: seen,
      counted: counted.first,
      failure: failures.first,
      cut: cut.first
    )
    outcome.otherFailures = Array(failures.dropFirst())
    return outcome
  }
}
