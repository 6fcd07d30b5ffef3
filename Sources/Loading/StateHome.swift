/// Where a driver's state lives when that is somebody else's property.
///
/// A class, so that a driver that has none pays one word for it.
@usableFromInline
final class StateHome<State: LifecycleState> {
  /// Nil once the owner is gone.
  @usableFromInline
  let read: () -> State?
  private let write: (State) -> Void
  /// What the driver last left or found here.
  @usableFromInline
  var known: State?

  init(read: @escaping () -> State?, write: @escaping (State) -> Void) {
    self.read = read
    self.write = write
    known = read()
  }

  /// Writes for the driver. What the property's own observers make of it counts as the driver's, too.
  @usableFromInline
  func put(_ state: State) {
    write(state)
    known = read()
  }

  /// Whether somebody else has written this state, which was found here.
  ///
  /// Of two states of one kind that are not shown to differ, it is not said.
  @usableFromInline
  func isNews(_ state: State) -> Bool {
    guard let known else { return false }
    if known.phase != state.phase { return true }
    // Only an equality that calls the known state equal to itself can tell it from another one.
    guard let known = known as? any Equatable else { return false }
    return isEqual(known, known) && !isEqual(known, state)
  }
}
