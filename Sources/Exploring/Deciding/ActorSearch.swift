/// The plain order, in a run in which no task enters an actor unseen: whether there is one, other than the main one.
final class ActorSearch: Decisions {
  private(set) var hasFound = false

  override var keepsHopsApart: Bool { true }

  override func hasMetActor() { hasFound = true }
}
