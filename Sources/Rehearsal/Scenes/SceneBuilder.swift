public import Loading
public import MockHTTP
import RehearsalBase
public import RemoteLoading
import Script
public import Staging
import Timelines

/// The builder of a scene: provides the stage and the server, and declares what the session shows.
///
/// The declarations take effect in their order, after the whole scene was set up.
@MainActor public final class SceneBuilder {
  private let session: Session
  private(set) var members: [NewMember] = []
  private(set) var routes: [Route] = []
  private(set) var commands: [NewCommand] = []
  /// The commands that a search may generate; empty for all.
  var rules: [GenerationRule] = []
  /// Makes the comparison with the model, for the scene's name and its commands with the types of their parameters.
  var makeComparison: ((String, [String: [String]]) -> any ComparesScene)?
  /// The types of the parameters of each command, and of `set NAME` for each property that can be set.
  private(set) var verbs: [String: [String]] = [:]
  private let scene: String

  /// A member that is added after the setup.
  struct NewMember {
    let name: String
    let make: @MainActor (Session) -> any Member
  }

  /// A command that is added after the setup.
  struct NewCommand {
    let name: String
    /// Whether it runs in a separate task and has a lane with its calls.
    let isAsync: Bool
    /// Creates the command for the scene with this name.
    let make: @MainActor (String) -> ShellCommand
  }

  init(session: Session, scene: String) {
    self.session = session
    self.scene = scene
  }

  // MARK: Building blocks

  /// The stage of the session. All code of the scene runs on it.
  public var stage: Stage { session.stage }

  /// The session's clock. `ContinuousClock` and `Task.sleep` show the same time.
  public var clock: StageClock { session.stage.clock }

  /// The session's mock server, which also has the user's routes. `URLSession.rehearsing(server,
  /// on:)` of `URLSessionHTTP` creates a session that this server answers.
  public var server: MockServer { session.http.server }

  /// Returns a transport to the session's server, in virtual time, for the member with this name.
  /// The log of requests shows the name, and routes may be limited to one member.
  public func transport(for name: String) -> any HTTPTransport {
    session.http.transport(for: name)
  }

  /// Adds routes. A route that the user adds later takes precedence over them.
  public func add(_ routes: Route...) { self.routes += routes }

  // MARK: Members

  /// Adds a member that is created after the setup.
  func add(_ name: String, _ make: @escaping @MainActor (Session) -> any Member) {
    members.append(NewMember(name: name, make: make))
  }

  /// Shows a property that Observation tracks: prints each of its values.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - read: returns the value, possibly from several properties. It is called again after each
  ///     change and each command.
  public func property<Value>(_ name: String, _ read: @escaping @MainActor () -> Value) {
    addProperty(name, read, write: nil)
  }

  /// Shows a property of an observable model: prints each of its values.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - model: an `@Observable` object. The session retains it.
  ///   - property: the key path of the property.
  public func property<Model: AnyObject, Value>(
    _ name: String,
    of model: Model,
    _ property: KeyPath<Model, Value>
  ) {
    addProperty(name, { model[keyPath: property] }, write: nil)
  }

  /// Shows a property of an observable model that the command `set NAME VALUE` can write, as a
  /// binding does.
  public func property<Model: AnyObject, Value: Decodable>(
    _ name: String,
    of model: Model,
    _ property: ReferenceWritableKeyPath<Model, Value>
  ) {
    let verb = "\(ShellCommand.set.definition.verb) \(name)"
    verbs[verb] = [typeName(Value.self)]
    let write: PropertyMember.Write = { [unowned session, scene] value throws(Diagnostic) in
      let decoded = try Value(writtenAs: value)
      let comparison = session.scenes.comparison(of: scene)
      let number = comparison?.begin(verb, [decoded], named: session.execution.commandText)
      model[keyPath: property] = decoded
      comparison?.end(number, nil)
    }
    addProperty(name, { model[keyPath: property] }, write: write)
  }

  private func addProperty<Value>(
    _ name: String,
    _ read: @escaping @MainActor () -> Value,
    write: PropertyMember.Write?
  ) {
    add(name) { session in
      let value = read()
      let member = PropertyMember(
        name: name,
        type: typeName(Value.self),
        value: JSONValue(showing: value),
        session: session,
        write: write,
        values: Recording.Lane.Values(of: value)
      )
      let tracker = PropertyTracker(lane: member.lane, in: session, reading: read) {
        [weak member] value in
        member?.note(JSONValue(showing: value))
      }
      member.onTearDown = tracker.end
      member.read = { JSONValue(showing: read()) }
      member.track = tracker.lookAgain
      return member
    }
  }

  /// Follows a sequence: prints its values and its end.
  ///
  /// - Parameters:
  ///   - name: the name of the member. `cancel NAME` ends the iteration.
  ///   - sequence: the sequence. It is iterated on the main actor, from the setup of the scene on.
  public func values<Values: AsyncSequence>(_ name: String, _ sequence: Values) {
    add(name) { session in
      let member = StreamMember(name: name, type: typeName(Values.Element.self), session: session)
      let task = Task { [weak member] in
        do {
          for try await value in sequence { member?.note(JSONValue(showing: value)) }
          if !Task.isCancelled { member?.note(.finished) }
        } catch {
          if !Task.isCancelled { member?.note(.failed(error)) }
        }
      }
      // This task only observes the sequence. It waits as long as the scene exists.
      session.stage.disown(task)
      member.onCancel = task.cancel
      return member
    }
  }

  /// Shows a loadable of the user's code, with its attempts.
  ///
  /// - Parameters:
  ///   - name: the name of the member. `cancel` and `reset` control its driver.
  ///   - driver: `model.driver(of: \.posts)` of a `LoadableSupport`, or `$posts.driver` of a
  ///     wrapper. The session replaces its observer.
  public func loadable<Value>(_ name: String, _ driver: LoadDriver<LoadableState<Value>>) {
    add(name) { session in
      ObservedMember(
        name: name,
        declaration: "\(name): \(typeName(Value.self))",
        driver: driver,
        resolver: LoadableResolver(name: name, type: .any),
        session: session
      ) { $0.shown() }
    }
  }

  /// Shows a process of the user's code, with its attempts.
  ///
  /// - Parameters:
  ///   - name: the name of the member. `cancel` and `reset` control its driver.
  ///   - driver: `model.driver(of: \.account)` of a `ProcessSupport`, or `$account.driver` of a
  ///     wrapper. The session replaces its observer.
  public func process<Kind: SendableMetatype>(
    _ name: String,
    _ driver: LoadDriver<ProcessState<Kind>>
  ) {
    add(name) { session in
      ObservedMember(
        name: name,
        declaration: name,
        driver: driver,
        resolver: ProcessResolver(name: name, kinds: Kind.self == SingleProcess.self ? [] : nil),
        session: session
      ) { $0.shown() }
    }
  }

  /// Shows a source of content. The commands for loadables load, cancel and show it.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - content: content of the library or of the user.
  ///   - count: returns the number of loads that it has begun. Without it, a load that begins
  ///     during another one is noticed only if the state is written again.
  ///   - actions: its other actions, as commands `NAME.ACTION`.
  public func content<Value>(
    _ name: String,
    _ content: some RemoteContent<Value, Double?>,
    count: (() -> Int)? = nil,
    actions: [SceneAction] = []
  ) {
    let place = LateMember<Value>()
    add(name) { session in
      let member = ContentMember(name: name, content: content, count: count, session: session)
      place.member = member
      return member
    }
    for action in actions {
      add(action, named: "\(name).\(action.name)", of: SceneMember(name) { place.member }) { work in
        try place.member?.perform(work)
      }
    }
  }

  /// A reference from actions to a member that is created after them.
  private final class LateMember<Value> {
    weak var member: ContentMember<Value>?
  }

  /// Shows content of the library, which counts its loads.
  public func content<Value>(
    _ name: String,
    _ content: FetchedRemoteContent<Value>,
    actions: [SceneAction] = []
  ) {
    self.content(name, content, count: { content.driver.attemptCount }, actions: actions)
  }

  /// Adds a lane for messages of the scene's code.
  public func journal(_ name: String) -> Journal {
    let journal = Journal(name: name)
    add(name) { JournalMember(journal, session: $0) }
    return journal
  }

  // MARK: Commands

  /// Adds a command that is finished when it returns. See `SceneAction`.
  public func command<each Value: Sendable>(
    _ name: String,
    _ summary: String,
    details: [String] = [],
    _ parameter: repeat SceneParameter<each Value>,
    perform: @escaping @MainActor @Sendable (repeat each Value) throws -> Void
  ) {
    command(SceneAction(name, summary, details: details, repeat each parameter, perform: perform))
  }

  /// Adds a command that runs in a separate task. See `SceneAction`.
  public func command<each Value: Sendable>(
    _ name: String,
    _ summary: String,
    details: [String] = [],
    _ parameter: repeat SceneParameter<each Value>,
    perform: @escaping @MainActor @Sendable (repeat each Value) async throws -> Void
  ) {
    command(SceneAction(name, summary, details: details, repeat each parameter, perform: perform))
  }

  /// Adds a command.
  public func command(_ action: SceneAction) {
    add(action, named: action.name) { work in try work() }
  }

  private func add(
    _ action: SceneAction,
    named name: String,
    of member: SceneMember? = nil,
    around: @escaping @MainActor @Sendable (() throws -> Void) throws -> Void
  ) {
    verbs[name] = action.types
    let call = action.isAsync ? SceneCall(name: name) : nil
    if let call {
      add(name) { session in call.makeMember(in: session) }
    }
    commands.append(
      NewCommand(name: name, isAsync: action.isAsync) { scene in
        ShellCommand(
          action: action,
          named: name,
          scene: scene,
          call: call,
          members: [call.map { call in SceneMember(name) { call.member } }, member].compactMap {
            $0
          },
          around: around
        )
      }
    )
  }
}
