import MockHTTP
import RehearsalBase
import Script

/// The values that commands leave open for the director, and whether a run asked for each. The server has those of
/// routes and injections.
struct OpenValues {
  struct Value: Hashable {
    /// The passage whose command leaves it open.
    let cause: Int?
    let text: String
  }

  private(set) var values: [Value] = []
  private(set) var isAsked: [Bool] = []
  private var places: [Value: Int] = [:]

  fileprivate mutating func add(_ value: Value) -> Int {
    if let place = places[value] { return place }
    places[value] = values.count
    values.append(value)
    isAsked.append(false)
    return values.count - 1
  }

  fileprivate mutating func ask(_ place: Int) { isAsked[place] = true }
}

@MainActor extension Session {
  /// Notes that the command under way leaves a value open.
  ///
  /// - Returns: its number; nil if nobody decides, so that nobody wants to know.
  func leaveOpen(_ what: String) -> Int? {
    guard let source = openValueSource() else { return nil }
    return openValues.add(OpenValues.Value(cause: source.passage, text: source.name(what)))
  }

  /// The current command as the source of open values; nil without a director.
  ///
  /// - Parameter namesRoutes: whether the command may add several routes.
  private func openValueSource(namesRoutes: Bool = true) -> OpenValueSource? {
    guard decisions != nil else { return nil }
    return OpenValueSource(
      passage: history.cause ?? history.latestRecord,
      place: execution.sourceLocation.map { $0 + ": " } ?? "",
      command: execution.commandText.printable(atMost: 120),
      namesRoutes: namesRoutes
    )
  }

  /// Notes that somebody was asked for a value.
  func ask(_ place: Int?) {
    if let place { openValues.ask(place) }
  }

  /// Notes a command that is performed later or never. Its open values and checks are unknown until then.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - interrupt: the number of its interrupt, from 1; nil if there is only one.
  /// - Returns: its number; nil without a director.
  func leaveOpen(_ command: ParsedCommand, atInterrupt interrupt: Int? = nil) -> Int? {
    guard decisions != nil else { return nil }
    let place = interrupt.map { " at interrupt \($0)" } ?? ""
    return leaveOpen("'\(command.text.printable(atMost: 120))'\(place)")
  }

  // MARK: Routes

  /// Adds a route.
  ///
  /// - Parameter isOnly: whether the current command adds no other route.
  @discardableResult func add(_ route: Route, isOnly: Bool = false) -> Int {
    http.server.add(route, from: openValueSource(namesRoutes: !isOnly))
  }

  /// Answers some requests instead of their routes.
  func inject(_ answer: ScriptedAnswer, rate: Double, seed: UInt64?) {
    http.server.inject(answer, rate: rate, seed: seed, from: openValueSource())
  }

  /// All that was left open so far, and whether somebody was asked.
  var openValuesSoFar: [(value: OpenValues.Value, isAsked: Bool)] {
    let ofServer = httpIfUsed?.server.openValues.compactMap { value in
      value.source.map { source in
        (OpenValues.Value(cause: source.passage, text: value.text), value.isAsked)
      }
    }
    return Array(zip(openValues.values, openValues.isAsked)) + (ofServer ?? [])
  }
}
