import Synchronization

/// The drivers behind the properties of view models: one for each property of each instance, so
/// that two instances never touch each other.
///
/// The registry keeps no instance alive. Drivers of instances that are gone are dropped when
/// new instances come, at the latest when as many have been added as there were.
final class DriverRegistry: Sendable {
  static let shared = DriverRegistry()

  private let table = Mutex(Table())

  /// The driver of this property of this instance; made by `make` if there is none yet.
  func driver<Owner: AnyObject, State>(
    of owner: Owner,
    _ property: PartialKeyPath<Owner>,
    make: () -> LoadDriver<State>
  ) -> LoadDriver<State> {
    let key = Unchecked(value: property as AnyKeyPath)
    let subject = Unchecked(value: owner as AnyObject)
    let found = table.withLock { $0.driver(of: subject.value, key.value) }
    if let driver = found?.value as? LoadDriver<State> { return driver }
    let driver = make()
    let added = Unchecked(value: driver as AnyObject)
    table.withLock { $0.add(added, for: subject.value, key.value) }
    return driver
  }

  /// How many instances the registry knows, those included that are gone but not yet dropped.
  var count: Int { table.withLock(\.count) }

  private struct Table: Sendable {
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var sweepAt = 64

    var count: Int { entries.count }

    func driver(of owner: AnyObject, _ property: AnyKeyPath) -> Unchecked<AnyObject>? {
      guard let entry = entries[ObjectIdentifier(owner)], entry.owner === owner else { return nil }
      return entry.drivers.value[property].map(Unchecked.init)
    }

    mutating func add(_ driver: Unchecked<AnyObject>, for owner: AnyObject, _ property: AnyKeyPath)
    {
      let identity = ObjectIdentifier(owner)
      var entry = entries[identity] ?? Entry(owner: owner)
      // Another instance may have lived, and ended, at the same address.
      if entry.owner !== owner { entry = Entry(owner: owner) }
      entry.drivers.value[property] = driver.value
      entries[identity] = entry
      if entries.count >= sweepAt { sweep() }
    }

    private mutating func sweep() {
      entries = entries.filter { $0.value.owner != nil }
      sweepAt = max(64, entries.count * 2)
    }
  }

  private struct Entry: @unchecked Sendable {
    // Only compared, never used: what it is isolated to does not matter.
    weak var owner: AnyObject?
    var drivers = Unchecked<[AnyKeyPath: AnyObject]>(value: [:])
  }

  /// A driver belongs to its owner's actor, and is only handed to callers who have the owner. The
  /// registry keeps it, under its lock, and never calls it.
  private struct Unchecked<Value>: @unchecked Sendable {
    var value: Value
  }
}
