/// A place for one stored task, which several drivers may share. Only for policies whose instances
/// share a stored task: a start in one driver then cancels the attempt of another.
public final class LoadSlot {
  /// Not retained: the task of a running attempt retains its driver.
  private weak var holder: (any LoadSlotHolder)?

  /// Makes a place without a stored task.
  public init() {}

  @usableFromInline
  func claim(for driver: any LoadSlotHolder) {
    clear(by: driver, cancelling: false)
    holder = driver
  }

  @usableFromInline
  func clear(by driver: any LoadSlotHolder, cancelling: Bool) {
    let previous = holder
    holder = nil
    if let previous, previous !== driver { previous.displace(cancelling: cancelling) }
  }
}

/// A driver of any state type, as a slot needs it.
@usableFromInline
protocol LoadSlotHolder: AnyObject {
  /// Forgets the stored attempt, and requests its cancellation if `cancelling` is true.
  func displace(cancelling: Bool)
}
