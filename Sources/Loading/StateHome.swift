/// Where a driver's state lives when that is somebody else's property.
///
/// A class, so that a driver that has none pays one word for it.
@usableFromInline
final class StateHome<State> {
  /// Nil once the owner is gone.
  @usableFromInline
  let read: () -> State?
  @usableFromInline
  let write: (State) -> Void

  @inlinable
  init(read: @escaping () -> State?, write: @escaping (State) -> Void) {
    self.read = read
    self.write = write
  }
}
