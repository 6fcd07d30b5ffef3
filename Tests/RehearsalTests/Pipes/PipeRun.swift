import Pipelines
import RehearsalBase
import Staging

@testable import Rehearsal
@testable import Script

/// A session with pipes that are created without commands.
@MainActor final class PipeRun {
  let stage = Stage()
  private(set) var lines: [String] = []
  private(set) lazy var session = Session(
    stage: stage,
    files: MemoryFiles(),
    environment: SessionEnvironment(),
    keepsLog: true,
    limits: SessionLimits(),
    output: TextSink { [unowned self] in lines.append($0) }
  )

  /// Performs commands, and returns their output without leading blanks.
  @discardableResult func perform(_ commands: String...) -> [String] {
    printing { for command in commands { session.perform(command) } }
  }

  /// Returns the output of `body`, and of the jobs that are due then.
  @discardableResult func printing(_ body: () throws -> Void) rethrows -> [String] {
    let count = lines.count
    try stage.enter {
      try body()
      session.execution.hasFailed = false
    }
    stage.runReady()
    return lines[count...].map { String($0.drop { $0 == " " }) }
  }

  @discardableResult func input(
    _ name: String,
    of type: ValueType = .any,
    _ value: JSONValue? = nil
  )
    -> InputMember
  {
    let input = InputMember(name: name, type: type, value: value, session: session)
    session.members.add(input)
    return input
  }

  func marble(_ name: String, _ text: String, tick: Duration = .milliseconds(100)) throws {
    session.members.add(
      MarbleMember(name: name, marble: try Marble(text), tick: tick, session: session)
    )
  }

  /// Creates a pipe, and returns its immediate output.
  @discardableResult func pipe(
    _ name: String,
    _ text: String,
    isSubscribed: Bool = true
  ) throws -> [String] {
    try printing {
      let pipe = try PipeMember(
        name: name,
        spec: Self.spec(text),
        isSubscribed: isSubscribed,
        session: session
      )
      session.members.add(pipe)
      pipe.subscribe()
    }
  }

  func member<M: Member>(_ name: String, _ type: M.Type = PipeMember.self) throws -> M? {
    try session.member(Located(name, at: 0..<0)) as? M
  }

  @discardableResult func enter(_ name: String, _ value: JSONValue) throws -> [String] {
    try printing {
      try member(name, InputMember.self)?.enter(Located(value, at: 0..<0))
    }
  }

  /// Returns the mistake in a pipe.
  func problem(_ text: String, named name: String = "p") -> Diagnostic? {
    do {
      try pipe(name, text)
      return nil
    } catch {
      return error as? Diagnostic
    }
  }

  func fact(_ name: String, of member: String) throws -> String? {
    try session.member(Located(member, at: 0..<0)).facts.first { $0.name == name }?.value
  }

  func log(of name: String) throws -> [String] {
    try session.logLines(of: [session.member(Located(name, at: 0..<0))]).map {
      String($0.text.drop { $0 == " " })
    }
  }

  static func spec(_ text: String) throws(Diagnostic) -> PipeSpec {
    var parser = Parser(text, table: CommandTable([]))
    return try parser.pipe()
  }
}
