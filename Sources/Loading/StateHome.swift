/// The storage of a driver's state, if it is outside of the driver.
///
/// A class, so that a driver without one needs only one word for it.
@usableFromInline
final class StateHome<State: LifecycleState> {
  /// Nil after the owner is released.
  @usableFromInline
  let read: () -> State?
  private let write: (State) -> Void
  /// The state that the driver last wrote or read here.
  @usableFromInline
  var known: State?

  init(read: @escaping () -> State?, write: @escaping (State) -> Void) {
    self.read = read
    self.write = write
    known = read()
  }

  /// Writes for the driver. Changes that the property's own observers make count as the driver's,
  /// too.
  @usableFromInline
  func put(_ state: State) {
    write(state)
    known = read()
  }

  /// Returns whether other code has written this state, which was read here.
  ///
  /// Returns false for two states of one kind that are not proven unequal.
  @usableFromInline
  func isNews(_ state: State) -> Bool {
    guard let known else { return false }
    if known.phase != state.phase { return true }
    // Only an equality that calls the known state equal to itself can prove another state unequal.
    guard let known = known as? any Equatable else { return false }
    return isEqual(known, known) && !isEqual(known, state)
  }
}
