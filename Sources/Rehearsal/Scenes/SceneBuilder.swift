import Loading
package import MockHTTP
package import RemoteLoading
package import Staging

/// What a scene is built from, and where it puts what it builds.
@MainActor package final class SceneBuilder {
  private let session: Session
  private(set) var members: [NewMember] = []
  private(set) var routes: [Route] = []

  /// A member that is added once the whole scene stands.
  struct NewMember {
    let name: String
    let make: @MainActor (Session) -> any Member
  }

  init(session: Session) {
    self.session = session
  }

  /// The session's clock. Code that does not take one meets the same time by `ContinuousClock`.
  package var clock: StageClock { session.stage.clock }

  /// The session's mock server, which the user's routes are on too.
  package var server: MockServer { session.http.server }

  /// The way to the session's server, in virtual time, for the member of this name.
  package func transport(for name: String) -> any HTTPTransport {
    session.http.transport(for: name)
  }

  /// Adds routes. A user's later route for the same requests wins over them.
  package func add(_ routes: Route...) { self.routes += routes }

  /// Puts a source of content on the stage.
  ///
  /// - Parameters:
  ///   - name: of the member.
  ///   - content: loaded, cancelled and looked at by the commands for loadables.
  ///   - count: how many loads it has begun. Without it a load that begins while one is in progress is
  ///     seen only where the state is written again.
  ///   - actions: what else it can be told to do, by the command `tell`.
  package func content<Value>(
    _ name: String,
    _ content: some RemoteContent<Value, Double?>,
    count: (() -> Int)? = nil,
    actions: [SceneAction] = []
  ) {
    members.append(
      NewMember(name: name) { session in
        ContentMember(
          name: name,
          content: content,
          count: count,
          actions: actions,
          session: session
        )
      }
    )
  }

  /// Puts content of the library on the stage, whose loads are counted.
  package func content<Value>(
    _ name: String,
    _ content: FetchedRemoteContent<Value>,
    actions: [SceneAction] = []
  ) {
    self.content(name, content, count: { content.driver.attemptCount }, actions: actions)
  }
}
