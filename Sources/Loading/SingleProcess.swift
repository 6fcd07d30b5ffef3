import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The kind of a process with only one kind. Each run has a unique identity, which distinguishes it
/// from other runs.
///
/// A driver numbers its runs by their attempts. An identity without a number is also unique, but
/// prints as the word `process`, so that output does not differ between executions.
public struct SingleProcess: Hashable, Sendable {
  private enum Identity: Hashable, Sendable {
    case run(Int)
    case named(String, initializedAt: Date?)
    case unnumbered(Int)
  }

  private let identity: Identity

  /// Makes a unique identity.
  public init() {
    let (_, count) = created.wrappingAdd(1, ordering: .relaxed)
    identity = .unnumbered(count)
  }

  /// Makes the identity of a slot's run with this attempt number.
  public init(run number: Int) {
    identity = .run(number)
  }

  /// Makes an identity that equals every other one with this name.
  public init(id: String) {
    identity = .named(id, initializedAt: nil)
  }

  /// Makes the identity of Processed: it equals every other one with this name and this date.
  public init(id: String, initializedAt: Date) {
    identity = .named(id, initializedAt: initializedAt)
  }
}

/// Number of identities without a number. Never printed.
private let created = Atomic(0)

extension SingleProcess: CustomStringConvertible, CustomDebugStringConvertible {
  /// `#3` for a run, the name for a named identity, and `process` for others.
  public var description: String {
    switch identity {
    case .run(let number): "#\(number)"
    case .named(let name, _): name
    case .unnumbered: "process"
    }
  }

  /// The same as `description`.
  public var debugDescription: String { description }
}
