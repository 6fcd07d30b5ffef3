import Loading
import Script

extension ShellCommand {
  static let list = ShellCommand(
    definition: CommandDefinition(
      "list",
      topic: .members,
      summary: "Lists all members (loadables, processes, inputs, pipes) with their states.",
      effects: .looks,
      examples: [
        """
        > process sync
        > list
          sync  idle
        """
      ]
    )
  ) { session, _ throws(Diagnostic) in
    for shape in session.members.shapes {
      guard case .shape(let name, let fields) = shape.type else { continue }
      let list = fields.map { "\($0.name): \($0.type.text)" }.joined(separator: ", ")
      session.output.print("shape \(name) { \(list) }")
      session.output.addObject(JSONLine("shape").with("name", name).with("fields", list))
    }
    for member in session.members.all {
      session.output.print("\(member.declaration)  \(member.stateText)")
      session.output.addObject(JSONLine(member))
    }
    let endpoints = session.httpIfUsed?.endpoints ?? []
    for (number, endpoint) in endpoints.enumerated() {
      session.output.print("endpoint \(number) \(endpoint.name)  \(endpoint.spec.text)")
      session.output.addObject(
        JSONLine("endpoint").with("name", endpoint.name).with("request", endpoint.spec.text)
      )
    }
    if session.members.all.isEmpty, session.members.shapes.isEmpty, endpoints.isEmpty {
      session.output.print("no members yet; try 'loadable profile: String'")
    }
  }

  static let show = ShellCommand(
    definition: CommandDefinition(
      "show",
      topic: .members,
      summary: "Shows the state and all other facts of members.",
      details: [
        "'map FIELD' shows the state with a field in place of the value. 'compactmap FIELD' does the same, and shows absent if the field is missing. Both work like 'map' and 'compactMap' of the Swift type LoadableState. The row 'kept' has the value that screens can show during the next load."
      ],
      arguments: [.many(.slot(Slot<Located<String>>.member))],
      clauses: [
        .sequence([.keyword("map"), .slot(pathSlot)]),
        .sequence([.keyword("compactmap"), .slot(pathSlot)]),
      ],
      effects: .looks,
      examples: [
        """
        > loadable user = {"name": "Ann", "age": 41}
        > show user
          user
            state     loaded {"name": "Ann", "age": 41}
            error     none
            data      {"name": "Ann", "age": 41}
            kept      {"name": "Ann", "age": 41}
            attempts  0, none in flight
            policy    latest
        > show user map name
          user  loaded "Ann"
        > show user compactmap nickname
          user  absent
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    var members: [any Member] = []
    for name in arguments.all(.member) { members.append(try session.member(name)) }
    if members.isEmpty { members = session.members.all }
    if members.isEmpty { session.output.print("no members yet; try 'loadable profile: String'") }
    let path = arguments[pathSlot]
    if let path, arguments.has("map"), arguments.has("compactmap") {
      throw Diagnostic(.conflictingClauses("map", "compactmap"), at: path[0].span)
    }
    for member in members {
      if let path {
        let text = try member.mapped(path, isCompact: arguments.has("compactmap"))
        session.output.print("\(member.name)  \(text)")
      } else {
        session.output.addObject(JSONLine(member, withFacts: true))
        session.output.print(member.declaration)
        let width = member.facts.map(\.name.count).max() ?? 0
        for fact in member.facts {
          let padding = String(repeating: " ", count: width - fact.name.count + 2)
          session.output.print("  " + fact.name + padding + fact.value)
        }
      }
    }
  }

  private static let pathSlot = Slot<[Located<String>]>("path", "FIELD") {
    parser throws(Diagnostic) in
    parser.expect(.sample("a field, or a path like author.name", example: "name"))
    let word = try parser.fieldPath()
    return Parser.path(word.value).map { Located($0, at: word.span) }
  }

  static let forget = ShellCommand(
    definition: CommandDefinition(
      "forget",
      topic: .members,
      summary: "Removes members and cancels their work.",
      details: [
        "'forget route N' removes a route by its number in 'routes'. 'forget assertion N' removes an assertion by its number in 'assertions'. The assertions about a member end when it is forgotten; an open assertion 'eventually' is an error then."
      ],
      arguments: [
        .oneOf([
          .sequence([.keyword("route"), .slot(routeNumber)]),
          .sequence([.keyword("assertion"), .slot(assertionNumber)]),
          .sequence([
            .slot(Slot<Located<String>>.member), .many(.slot(Slot<Located<String>>.member)),
          ]),
        ])
      ],
      meanings: ["route": "a route, by its number", "assertion": "a run assertion, by its number"],
      examples: [
        """
        > loadable draft
        > forget draft
        > list
          no members yet; try 'loadable profile: String'
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    if let number = arguments[routeNumber] { return try session.forgetRoute(number) }
    if let number = arguments[assertionNumber] { return try session.assertions.remove(number) }
    var members: [any Member] = []
    var names: Set<String> = []
    for name in arguments.all(.member) where names.insert(name.value).inserted {
      members.append(try session.member(name))
    }
    session.remove(members)
  }

  private static let routeNumber = Slot<Located<Int>>.integer(
    "route",
    "the number of a route",
    in: 1...Int.max,
    example: "1"
  )

  private static let assertionNumber = Slot<Located<Int>>.integer(
    "assertion",
    "the number of a run assertion",
    in: 1...Int.max,
    example: "1"
  )

  static let policy = ShellCommand(
    definition: CommandDefinition(
      "policy",
      topic: .members,
      summary: "Changes the policy of a member from now on.",
      details: ["'help policies' explains each policy."],
      arguments: [.slot(Slot<Located<String>>.member), .slot(Slot<Located<String>>.policy)],
      action: .policy,
      examples: [
        """
        > loadable feed: Int
        > policy feed ignore
        > load feed 1 after 1s
             0.000s  feed  absent → loading #1
        > load feed 2 after 1s
             0.000s  feed  not started: #1 is still in flight
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.member)
    try session.member(name).choose(session.policy(in: arguments), at: name.span)
  }
}
