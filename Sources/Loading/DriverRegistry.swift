import Synchronization

/// The drivers of the properties of view models: one for each property of each instance, so that
/// instances do not affect each other.
///
/// The registry retains no instance. It removes the drivers of released instances when new
/// instances are added, at the latest when their number has doubled.
final class DriverRegistry: Sendable {
  static let shared = DriverRegistry()

  private let table = Mutex(Table())

  /// Returns the driver of a property of an instance; calls `make` if there is none yet.
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

  /// The number of known instances, including released ones that are not removed yet.
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
      // A released instance may have had the same address.
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
    // Only compared, never used, so its isolation does not matter.
    weak var owner: AnyObject?
    var drivers = Unchecked<[AnyKeyPath: AnyObject]>(value: [:])
  }

  /// A driver belongs to its owner's actor. The registry stores it under its lock, never calls it,
  /// and returns it only to callers who have the owner.
  private struct Unchecked<Value>: @unchecked Sendable {
    var value: Value
  }
}
