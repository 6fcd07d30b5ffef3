/// A place for one stored task, which several drivers may share. Only under policies that go by the
/// stored task of all instances: a start in one driver then cancels what another one runs.
public final class LoadSlot {
  /// Not retained: a driver with something to cancel is kept alive by its task.
  private weak var holder: (any LoadSlotHolder)?

  /// A place where no task is stored yet.
  public init() {}

  @usableFromInline
  func claim(for driver: any LoadSlotHolder) {
    clear(by: driver, cancelling: true)
    holder = driver
  }

  @usableFromInline
  func clear(by driver: any LoadSlotHolder, cancelling: Bool) {
    let previous = holder
    holder = nil
    if let previous, previous !== driver { previous.displace(cancelling: cancelling) }
  }
}

/// A driver, whatever its type of state, as far as a slot is concerned.
@usableFromInline
protocol LoadSlotHolder: AnyObject {
  /// Forgets the stored attempt, after requesting its cancellation if so told.
  func displace(cancelling: Bool)
}
