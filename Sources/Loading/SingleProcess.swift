import Synchronization

/// The kind of a process of which there is only one kind. Each run has an identity of its own, so
/// that two runs of it are told apart.
///
/// A driver numbers its runs by their attempts. An identity that was not given one is still
/// different from every other, but prints as the word `process`, so that nothing that differs from
/// one execution to the next reaches any output.
public struct SingleProcess: Hashable, Sendable {
  private enum Identity: Hashable, Sendable {
    case run(Int)
    case named(String)
    case unnumbered(Int)
  }

  private let identity: Identity

  /// An identity that no other process has.
  public init() {
    let (_, count) = created.wrappingAdd(1, ordering: .relaxed)
    identity = .unnumbered(count)
  }

  /// The identity of a slot's run with this attempt number.
  public init(run number: Int) {
    identity = .run(number)
  }

  /// An identity that is equal to every other one with this name.
  public init(id: String) {
    identity = .named(id)
  }
}

/// How many identities were made without a number. Never printed.
private let created = Atomic(0)

extension SingleProcess: CustomStringConvertible, CustomDebugStringConvertible {
  /// `#3` for a run, the name for a named one, and `process` for every other.
  public var description: String {
    switch identity {
    case .run(let number): "#\(number)"
    case .named(let name): name
    case .unnumbered: "process"
    }
  }

  /// The same as `description`.
  public var debugDescription: String { description }
}
