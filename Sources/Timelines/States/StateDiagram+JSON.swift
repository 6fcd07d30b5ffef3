import RehearsalBase

extension StateDiagram {
  /// The diagram for programs, on one line: every arrow with how often it was taken.
  ///
  ///     {"format": "rehearse-states", "version": 1, "diagrams": [{"title": "profile", …}]}
  public static func json(_ diagrams: [StateDiagram]) -> String {
    JSONValue.object([
      .init(name: "format", value: .string("rehearse-states")),
      .init(name: "version", value: .number("1")),
      .init(name: "diagrams", value: .array(diagrams.map(\.json))),
    ]).text
  }

  private var json: JSONValue {
    func number(_ number: Int?) -> JSONValue { number.map { .number("\($0)") } ?? .null }
    return .object([
      .init(name: "title", value: .string(title)),
      .init(name: "machine", value: .string(machine)),
      .init(name: "taken", value: number(takenCount)),
      .init(name: "possible", value: number(possible?.count)),
      .init(name: "percent", value: number(percent)),
      .init(name: "arrows", value: .array(arrows.map(json))),
    ])
  }

  private func json(_ arrow: Arrow) -> JSONValue {
    .object([
      .init(name: "from", value: .string(word(arrow.from))),
      .init(name: "cause", value: .string(arrow.cause.rawValue)),
      .init(name: "to", value: .string(word(arrow.to))),
      .init(name: "count", value: .number("\(counts[arrow] ?? 0)")),
    ])
  }
}
