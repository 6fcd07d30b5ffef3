public import Loading
public import MockHTTP
import RehearsalBase
public import RemoteLoading
import Script
public import Staging

/// What a scene is built from, and where it says what of it the session sees.
///
/// Everything said here becomes part of the session when the whole scene stands, and in this order.
@MainActor public final class SceneBuilder {
  private let session: Session
  private(set) var members: [NewMember] = []
  private(set) var routes: [Route] = []
  private(set) var commands: [NewCommand] = []

  /// A member that is added once the whole scene stands.
  struct NewMember {
    let name: String
    let make: @MainActor (Session) -> any Member
  }

  /// A command likewise.
  struct NewCommand {
    let name: String
    /// For the scene of this name.
    let make: @MainActor (String) -> ShellCommand
  }

  init(session: Session) {
    self.session = session
  }

  // MARK: What to build from

  /// Where the session takes place: all code of the scene runs on it.
  public var stage: Stage { session.stage }

  /// The session's clock. Code that does not take one meets the same time by `ContinuousClock` and
  /// `Task.sleep`.
  public var clock: StageClock { session.stage.clock }

  /// The session's mock server, which the user's routes are on too. `URLSession.rehearsing(server, on:)`
  /// of `URLSessionHTTP` makes a session that it answers.
  public var server: MockServer { session.http.server }

  /// The way to the session's server, in virtual time, for the member of this name: the log of requests
  /// says who asked, and routes may be for one member only.
  public func transport(for name: String) -> any HTTPTransport {
    session.http.transport(for: name)
  }

  /// Adds routes. A user's later route for the same requests wins over them.
  public func add(_ routes: Route...) { self.routes += routes }

  // MARK: What to look at

  /// Adds a member that is made when the whole scene stands.
  func add(_ name: String, _ make: @escaping @MainActor (Session) -> any Member) {
    members.append(NewMember(name: name, make: make))
  }

  /// Shows a property that Observation tracks: every value that it takes is printed.
  ///
  /// - Parameters:
  ///   - name: of the member.
  ///   - read: reads it, or makes it of several properties. It is called again after each change and each command.
  public func property<Value>(_ name: String, _ read: @escaping @MainActor () -> Value) {
    addProperty(name, read, write: nil)
  }

  /// Shows a property of an observable model: every value that it takes is printed.
  ///
  /// - Parameters:
  ///   - name: of the member.
  ///   - model: `@Observable`, and alive as long as the session.
  ///   - property: which one.
  public func property<Model: AnyObject, Value>(
    _ name: String,
    of model: Model,
    _ property: KeyPath<Model, Value>
  ) {
    addProperty(name, { model[keyPath: property] }, write: nil)
  }

  /// The same for one that can be written, by the command `set NAME VALUE`, as a binding writes it.
  public func property<Model: AnyObject, Value: Decodable>(
    _ name: String,
    of model: Model,
    _ property: ReferenceWritableKeyPath<Model, Value>
  ) {
    let write: PropertyMember.Write = { value throws(Diagnostic) in
      model[keyPath: property] = try Value(writtenAs: value)
    }
    addProperty(name, { model[keyPath: property] }, write: write)
  }

  private func addProperty<Value>(
    _ name: String,
    _ read: @escaping @MainActor () -> Value,
    write: PropertyMember.Write?
  ) {
    add(name) { session in
      let member = PropertyMember(
        name: name,
        type: typeName(Value.self),
        value: JSONValue(showing: read()),
        session: session,
        write: write
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

  /// Follows a sequence: its values are printed as they come, and how it ends.
  ///
  /// - Parameters:
  ///   - name: of the member. `cancel NAME` ends the following.
  ///   - sequence: iterated on the main actor from when the scene is set up.
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
      // The task shows the sequence, and waits as long as the scene exists.
      session.stage.disown(task)
      member.onCancel = task.cancel
      return member
    }
  }

  /// Shows a loadable that a user's own code loads, with its attempts.
  ///
  /// - Parameters:
  ///   - name: of the member. `cancel` and `reset` reach its driver.
  ///   - driver: `model.driver(of: \.posts)` of a `LoadableSupport`, `$posts.driver` of a wrapper. Its
  ///     observer is taken.
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

  /// Shows a process that a user's own code runs, with its attempts.
  ///
  /// - Parameters:
  ///   - name: of the member. `cancel` and `reset` reach its driver.
  ///   - driver: `model.driver(of: \.account)` of a `ProcessSupport`, `$account.driver` of a wrapper. Its
  ///     observer is taken.
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

  /// Shows a source of content: loaded, cancelled and looked at by the commands for loadables.
  ///
  /// - Parameters:
  ///   - name: of the member.
  ///   - content: the library's or of a user's own.
  ///   - count: how many loads it has begun. Without it a load that begins while one is in progress is
  ///     seen only where the state is written again.
  ///   - actions: what else it can be told to do, as commands `NAME.ACTION`.
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

  /// Where the actions of a member find it, which is made after them.
  private final class LateMember<Value> {
    weak var member: ContentMember<Value>?
  }

  /// Shows content of the library, whose loads are counted.
  public func content<Value>(
    _ name: String,
    _ content: FetchedRemoteContent<Value>,
    actions: [SceneAction] = []
  ) {
    self.content(name, content, count: { content.driver.attemptCount }, actions: actions)
  }

  /// A lane for what the scene's own code wants to say.
  public func journal(_ name: String) -> Journal {
    let journal = Journal(name: name)
    add(name) { JournalMember(journal, session: $0) }
    return journal
  }

  // MARK: What it can be told to do

  /// Adds a command that is done when it returns; `SceneAction` says how.
  public func command<each Value: Sendable>(
    _ name: String,
    _ summary: String,
    details: [String] = [],
    _ parameter: repeat SceneParameter<each Value>,
    perform: @escaping @MainActor @Sendable (repeat each Value) throws -> Void
  ) {
    command(SceneAction(name, summary, details: details, repeat each parameter, perform: perform))
  }

  /// Adds a command that goes on in a task of its own; `SceneAction` says how that is shown.
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
    let call = action.isAsync ? SceneCall(name: name) : nil
    if let call {
      add(name) { session in call.makeMember(in: session) }
    }
    commands.append(
      NewCommand(name: name) { scene in
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
