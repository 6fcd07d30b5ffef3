import Synchronization

/// The shared stored tasks of the instances of a class, one for each property, under policies that
/// reproduce this.
///
/// All instances in one scope share them; by default the scope is the whole process. Give each part
/// that must be independent, such as two stages on two threads, its own scope:
///
///     SharedSlots.$current.withValue(SharedSlots()) { … }
public final class SharedSlots: @unchecked Sendable {
  /// The scope that gives a class's driver its slot when the driver is made.
  @TaskLocal public static var current = SharedSlots()

  // Guarded by the lock. A slot itself is used only on the actor of its drivers.
  private var slots: [AnyKeyPath: LoadSlot] = [:]
  private let lock = Mutex(())

  /// Makes a new scope, in which no task is stored.
  public init() {}

  subscript(property: AnyKeyPath) -> LoadSlot {
    lock.withLock { _ in
      if let slot = slots[property] { return Shared(slot: slot) }
      let slot = LoadSlot()
      slots[property] = slot
      return Shared(slot: slot)
    }.slot
  }

  private struct Shared: @unchecked Sendable {
    // Passed out of the lock; see `slots`.
    let slot: LoadSlot
  }
}
