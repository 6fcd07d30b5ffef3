/// Where a driver's state lives when that is somebody else's property.
struct StateHome<State> {
  /// Nil once the owner is gone.
  let read: () -> State?
  let write: (State) -> Void
}
