import Synchronization

/// Where instances of a class share the place of their stored task, one for each property, under
/// policies that reproduce this.
///
/// Sharing reaches across everything that runs in the same scope; by default that is the whole
/// process. Give what must not touch each other, such as two stages on two threads, a scope each:
///
///     SharedSlots.$current.withValue(SharedSlots()) { … }
public final class SharedSlots: @unchecked Sendable {
  /// The scope that a class's driver takes its slot from, when it is made.
  @TaskLocal public static var current = SharedSlots()

  // Guarded by the lock. A slot itself is used by the actor that all its drivers belong to.
  private var slots: [AnyKeyPath: LoadSlot] = [:]
  private let lock = Mutex(())

  /// A scope of its own, in which no task is stored yet.
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
    // Crosses out of the lock; see `slots`.
    let slot: LoadSlot
  }
}
