import Loading
import Script
import Staging

/// Shows the calls of an async command as a process with the command's name.
@MainActor final class SceneCall {
  let name: String
  private(set) weak var member: DrivenMember<ProcessState<ShellKind>>?

  nonisolated init(name: String) {
    self.name = name
  }

  /// Creates the process. Calls run in parallel, as with a button: the user's code decides how
  /// several calls interact.
  func makeMember(in session: Session) -> any Member {
    let member = DrivenMember<ProcessState<ShellKind>>(
      name: name,
      declaration: name,
      initial: .idle,
      policy: .parallel,
      isCustom: true,
      resolver: ProcessResolver(name: name, kinds: []),
      session: session
    )
    self.member = member
    return member
  }

  func begin(_ work: @escaping @MainActor () async throws -> Void) {
    let plan = AttemptPlan<ProcessState<ShellKind>>(
      kind: .single(SingleProcess()),
      end: .work { try await work() }
    )
    member?.start(plan)
  }
}

/// A member that a command of its scene needs.
struct SceneMember: Sendable {
  let name: String
  let find: @MainActor @Sendable () -> (any Member)?

  init(_ name: String, find: @escaping @MainActor @Sendable () -> (any Member)?) {
    self.name = name
    self.find = find
  }
}

extension ShellCommand {
  /// Creates a command of a scene. `around` wraps the work of its action.
  convenience init(
    action: SceneAction,
    named name: String,
    scene: String,
    call: SceneCall?,
    members: [SceneMember],
    around: @escaping @MainActor @Sendable (() throws -> Void) throws -> Void
  ) {
    let definition = CommandDefinition(
      name,
      topic: .scenes,
      summary: action.summary,
      details: action.details,
      arguments: action.arguments,
      examples: []
    )
    self.init(definition: definition, scene: scene) { session, arguments throws(Diagnostic) in
      for member in members where member.find().map(session.members.contains) != true {
        throw Diagnostic(
          .unknownMember(member.name),
          at: 0..<name.utf8.count,
          hint: "'scene \(scene)' sets it up"
        )
      }
      session.mark(call)
      let comparison = session.scenes.comparison(of: scene)
      let number = comparison?.begin(
        name,
        action.values(arguments),
        named: session.execution.commandText
      )
      do {
        try around {
          if case .task(let work) = try action.work(arguments) {
            call?.begin(comparison?.ending(number, work) ?? work)
          } else {
            comparison?.end(number, nil)
          }
        }
      } catch let diagnostic as Diagnostic {
        throw diagnostic
      } catch {
        comparison?.end(number, error)
        throw Diagnostic(.actionFailed(name, reason: errorText(error)), at: 0..<name.utf8.count)
      }
    }
  }
}
