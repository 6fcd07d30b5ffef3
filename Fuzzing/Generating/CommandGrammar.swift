import Script

/// Generates commands from their definitions, most of them valid.
struct CommandGrammar {
  let table: CommandTable

  static let names = ["a", "b", "c", "d", "e"]
  private static let durations = ["1s", "250ms", "0s", "1.5s", "2m", "10ms"]
  private static let values = [
    "1", "\"x\"", "null", "true", "[1, 2]", #"{"id": 1, "name": "n"}"#, "-2.5", "\"{id}\"", "[]",
  ]
  private static let types = ["Int", "String", "[Int]", "Bool", "Double", "Date", "Int?", "JSON"]
  private static let policies = ["processed", "latest", "remoteContent", "processedWrapper"]
  private static let files = ["f.txt", "f.json", "out.svg"]

  func command(_ random: inout Randomness, depth: Int = 0) -> String {
    let definition = random.pick(table.definitions)
    return command(definition, &random, depth)
  }

  private func command(
    _ definition: CommandDefinition,
    _ random: inout Randomness,
    _ depth: Int
  ) -> String {
    let arguments = definition.arguments.map { text($0, &random, depth) }
    let clauses = definition.clauses.filter { _ in random.once(in: 4) }
      .map { text($0, &random, depth) }
    return ([definition.verb] + arguments + clauses).filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func text(_ syntax: Syntax, _ random: inout Randomness, _ depth: Int) -> String {
    switch syntax {
    case .keyword(let word): word
    case .slot(let slot): text(slot, &random, depth)
    case .sequence(let parts): parts.map { text($0, &random, depth) }.joined(separator: " ")
    case .optional(let part): random.once(in: 2) ? text(part, &random, depth) : ""
    case .oneOf(let parts): text(random.pick(parts), &random, depth)
    case .list(let part):
      (0...random.below(3)).map { _ in text(part, &random, depth) }.joined(separator: ", ")
    case .many(let part):
      (0..<random.below(3)).map { _ in text(part, &random, depth) }.joined(separator: " ")
    case .clauses(let parts):
      parts.filter { _ in random.once(in: 3) }.map { text($0, &random, depth) }
        .joined(separator: " ")
    }
  }

  private func text(_ slot: any AnySlot, _ random: inout Randomness, _ depth: Int) -> String {
    guard !slot.expectations.isEmpty, !random.once(in: 12) else {
      return random.pick(Self.values + Self.durations + Self.names)
    }
    return text(random.pick(slot.expectations), &random, depth)
  }

  private func text(
    _ acceptable: Acceptable,
    _ random: inout Randomness,
    _ depth: Int
  ) -> String {
    switch acceptable {
    case .keyword(let word), .described(let word, _): word
    case .sample("a JSON value", _): random.pick(Self.values)
    case .sample(_, let example):
      example.last == "s" && random.once(in: 2) ? random.pick(Self.durations) : example
    case .verb: random.pick(table.verbs)
    case .laterVerb: depth < 3 ? command(&random, depth: depth + 1) : "cancel a"
    case .member, .loadable, .process, .input, .valueSource, .kind: random.pick(Self.names)
    case .policy: random.pick(Self.policies)
    case .type: random.pick(Self.types)
    case .file: random.pick(Self.files)
    case .topic: random.pick(table.verbs)
    case .endpoint, .target: random.pick(["GET /x", "/x/{id}", "POST /y?q={q}", "any /z", "1"])
    case .scene: "processed"
    }
  }
}
