import Exploring
import Harness
import RehearsalBase
import Script

/// Writes findings as lines of JSON: behaviours, violations, causes, estimates, and what parts need to be merged.
extension Findings {
  /// Returns the findings as lines of JSON; for a part of a search also the data to merge parts. The last line has the
  /// number of all lines, including the `before` lines that precede these.
  func json(isPart: Bool, notes: [String], kills: Int, before: Int) -> String {
    var lines = ignored.map {
      JSONLine("ignored").with("rule", $0.rule).with("what", $0.ignoredText)
    }
    lines += openChoices.all.map { value in
      JSONLine("open").with("command", value.choice.command).with("text", value.choice.text)
        .with("asked", value.isAsked)
        .with(
          "kind",
          value.choice.kind == .value ? nil : JSONValue.string(value.choice.kind.rawValue)
        )
    }
    lines += outside.map { JSONLine("outside").with("text", $0) }
    lines += unvaried.map { JSONLine("unvaried").with("text", $0) }
    lines += changedFiles.map { JSONLine("changed").with("path", $0) }
    lines += sometimes.map(\.json) + groups.map(\.line)
    lines += failures.map { failure in
      JSONLine("failure").with("rule", failure.rule).with("check", failure.check)
        .with("runs", failure.count)
        .with("schedule", failure.schedule.description)
        .with("inDefaultSchedule", failure.schedule.isDefault ? JSONValue.bool(true) : nil)
        .with("cause", failure.explanation.cause?.json)
        .with("values", failure.explanation.valuesJSON)
        .with("names", failure.explanation.namesJSON)
        .with("seen", failure.outcome.seen)
        .with("details", failure.outcome.failure.flatMap(\.detailsJSON))
        .with(
          "generated",
          failure.outcome.generated.map { .array($0.commands.map(JSONValue.string)) }
        )
    }
    if isPart {
      lines += readings.sorted { $0.key < $1.key }
        .map { JSONLine("reading").with("path", $0.key).with("digest", $0.value) }
      lines += violatedChecks.map(\.line) + numbers
    }
    lines += notes.map { JSONLine("note").with("text", $0) }
    let end = JSONLine("end").with("runs", runs).with("schedules", schedules)
      .with("behaviours", behaviours).with("inconclusive", inconclusiveRuns).with("kills", kills)
      .with("share", missesOrders || end == .partial ? nil : share.map { .number("\($0)") })
      .with("leavesValuesOut", leavesValuesOut).with("missesOrders", missesOrders)
      .with("assumesIsolation", assumesIsolation)
      .with("drawsRandomNumbers", drawsRandomNumbers).with("isEndless", isEndless)
      .with("hasUnlistedFailures", hasUnkeptFailures ? JSONValue.bool(true) : nil)
      .with("hasUnlistedSometimes", hasUnkeptSometimes ? JSONValue.bool(true) : nil)
      .with("newBehaviour", isPart ? nil : newBehaviour?.json)
      .with("reason", end.rawValue).with("nondeterministic", nondeterministicSchedule?.description)
      .with("areSchedulesEstimated", areSchedulesEstimated ? JSONValue.bool(true) : nil)
      .with("areBehavioursEstimated", areBehavioursEstimated ? JSONValue.bool(true) : nil)
    lines.append(
      details(of: isPart ? levels(of: end) : end).with("lines", before + lines.count + 1)
    )
    return lines.map(\.text).joined()
  }

  /// The maximum number of numbers in a line of JSON.
  private static let mostInALine = 4_096

  /// The hashes of schedules and of groups that are not kept.
  private var numbers: [JSONLine] {
    [
      ("schedules", hashes.hashes), ("others", others.fingerprints.hashes),
      ("singles", others.singles),
    ].flatMap {
      type,
      numbers in
      let sorted = numbers.sorted()
      return stride(from: 0, to: sorted.count, by: Self.mostInALine).map { start in
        let row = sorted[start..<min(start + Self.mostInALine, sorted.count)]
        return JSONLine(type).with("numbers", row.map(\.hexadecimal).joined())
      }
    }
  }

  /// The levels of the samples, if the part has forgotten some hashes.
  private func levels(of end: JSONLine) -> JSONLine {
    let (schedules, behaviours) = (hashes.level, others.fingerprints.level)
    return end.with("schedulesLevel", schedules == 0 ? nil : schedules)
      .with("othersLevel", behaviours == 0 ? nil : behaviours)
  }

  private func details(of end: JSONLine) -> JSONLine {
    end.with("checked", checked).with("points", mostDecisions)
      .with("runsInOthers", runsInOthers).with("guesses", guesses)
      .with("guessed", sumOfGuesses.words.map(\.hexadecimal).joined())
      .with("inOrder", isInOrder).with("randomRuns", sample.runs)
      .with("strategiesInTurn", sample.strategies)
  }
}

extension Findings.Group {
  fileprivate var line: JSONLine {
    JSONLine("behaviour").with("runs", count).with("schedule", schedule.description)
      .with("seen", outcome.seen).with("failure", outcome.failure?.rule)
      .with("what", outcome.failure?.what).with("inconclusive", outcome.inconclusive)
      .with("first", first).with("sample", sample).with("nearest", nearest).with(
        "fingerprint",
        fingerprint.hexadecimal
      )
  }
}

extension Findings.ViolatedCheck {
  fileprivate var line: JSONLine {
    JSONLine("violation").with("rule", check.text).with("check", check).with("runs", count)
      .with("schedule", schedule.description).with("nearest", nearest)
  }
}

extension NewBehaviourEstimate {
  fileprivate var json: JSONValue {
    .object(
      ("probability", .number("\(probability)")),
      ("upperBound", .number("\(upperBound)"))
    )
  }
}

extension SometimesAssertion {
  fileprivate var json: JSONLine {
    JSONLine("sometimes").with("text", text).with("number", number).with("line", line)
      .with("sourced", sourced.isEmpty ? nil : sourced).with("runs", heldRuns)
  }
}

extension UInt64 {
  /// The number as sixteen digits.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Parses numbers of sixteen digits each, without separators; nil if the text is invalid.
  static func list(hexadecimal text: String) -> [UInt64]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 16) else { return nil }
    let numbers = stride(from: 0, to: digits.count, by: 16).compactMap { start in
      UInt64(String(decoding: digits[start..<start + 16], as: UTF8.self), radix: 16)
    }
    return numbers.count == digits.count / 16 ? numbers : nil
  }
}

extension FailureExplanation {
  /// The chosen values; nil if there are none.
  fileprivate var valuesJSON: JSONValue? { values.isEmpty ? nil : .array(values.map(\.json)) }

  fileprivate var namesJSON: JSONValue? {
    names.isEmpty
      ? nil
      : .array(names.map { .object(("name", .string($0.name)), ("job", $0.step.json)) })
  }
}

extension FailureCause {
  fileprivate var json: JSONValue {
    switch self {
    case .order(let early, let late, let effect, let passing):
      .object(
        ("text", .string(text)),
        ("early", early.json),
        ("late", late.json),
        ("effect", effect.map { .object(("early", $0.early.json), ("late", $0.late.json)) }),
        ("passing", passing.value.map(JSONValue.string)),
        ("difference", passing.difference?.json)
      )
    case .value(let value, let other, let order, let passing):
      .object(
        ("text", .string(text)),
        ("value", value.json),
        ("other", .string(other)),
        ("early", order?.early.json),
        ("late", order?.late.json),
        ("passing", passing.value.map(JSONValue.string)),
        ("difference", passing.difference?.json)
      )
    }
  }
}

extension TaskDifference {
  fileprivate var json: JSONValue {
    .object(
      ("job", step.json),
      ("run", .string(isOfPassingRun ? "passing" : "failing")),
      ("otherCount", .number("\(otherCount)"))
    )
  }
}

extension StepText {
  fileprivate var json: JSONValue {
    .object(
      ("text", .string(longText)),
      ("subject", .string(subject)),
      ("place", place.map(JSONValue.string)),
      ("file", file.map(JSONValue.string)),
      ("line", line.map { .number("\($0)") })
    )
  }
}

extension NamedValue {
  fileprivate var json: JSONValue {
    .object(
      ("name", .string(name)),
      ("value", .string(value)),
      ("file", file.map(JSONValue.string)),
      ("line", line.map { .number("\($0)") })
    )
  }
}

extension Violation {
  /// The lines that name what waits, and where, or where the run crashed; nil if there are none.
  fileprivate var detailsJSON: JSONValue? {
    details.isEmpty ? nil : .array(details.map(JSONValue.string))
  }
}

extension JSONValue {
  /// An object of the fields that have a value.
  fileprivate static func object(_ fields: (String, JSONValue?)...) -> JSONValue {
    .object(fields.compactMap { name, value in value.map { .init(name: name, value: $0) } })
  }
}
