/// A table of a slot's attempts by their numbers.
///
/// Numbers only grow, so the table is a sorted array: insertion is at its end, lookup by bisection,
/// and a removed entry leaves a gap until gaps outnumber the entries. With a million attempts in
/// flight, each costs the same as with ten. A single attempt, the usual case, needs no array.
@usableFromInline
struct AttemptTable<Element> {
  /// The oldest entry.
  @usableFromInline
  var first: (number: Int, element: Element)?
  @usableFromInline
  var rest: ContiguousArray<(number: Int, element: Element?)> = []
  @usableFromInline
  var gaps = 0

  @inlinable
  init() {}

  @inlinable
  var count: Int { (first == nil ? 0 : 1) + rest.count - gaps }
  @inlinable
  var isEmpty: Bool { first == nil && rest.count == gaps }

  /// The attempts, oldest first.
  @inlinable
  var attempts: [Attempt] { all(above: 0) { _ in true } }

  @inlinable
  subscript(attempt: Attempt) -> Element? {
    if let first, first.number == attempt.number { return first.element }
    return index(of: attempt).flatMap { rest[$0].element }
  }

  /// Adds an entry, normally the newest; other positions cost a search.
  ///
  /// - Precondition: the table has no entry for this attempt.
  @inlinable
  mutating func insert(_ element: Element, for attempt: Attempt) {
    precondition(self[attempt] == nil, "An attempt has one entry.")
    guard let oldest = first, oldest.number < attempt.number else {
      if let oldest = first { rest.insert((oldest.number, oldest.element), at: 0) }
      return insertFirst(element, for: attempt)
    }
    let place = rest.lastIndex { $0.number < attempt.number }.map { $0 + 1 } ?? 0
    rest.insert((attempt.number, element), at: place)
  }

  /// Adds an entry if `first` is free.
  @inlinable
  mutating func insertFirst(_ element: Element, for attempt: Attempt) {
    if rest.first.map({ attempt.number < $0.number }) ?? true {
      first = (attempt.number, element)
    } else {
      first = nil
      let place = rest.lastIndex { $0.number < attempt.number }.map { $0 + 1 } ?? 0
      rest.insert((attempt.number, element), at: place)
    }
  }

  /// Changes the entry if it exists.
  @inlinable
  mutating func update(_ attempt: Attempt, _ change: (inout Element) -> Void) {
    if first?.number == attempt.number, var element = first?.element {
      change(&element)
      first = (attempt.number, element)
    } else if let index = index(of: attempt), var element = rest[index].element {
      change(&element)
      rest[index].element = element
    }
  }

  @discardableResult
  @inlinable
  mutating func remove(_ attempt: Attempt) -> Element? {
    if let found = first, found.number == attempt.number {
      first = nil
      return found.element
    }
    guard let index = index(of: attempt), let element = rest[index].element else { return nil }
    rest[index].element = nil
    gaps += 1
    closeGaps()
    return element
  }

  @inlinable
  mutating func closeGaps() {
    while let last = rest.last, last.element == nil {
      rest.removeLast()
      gaps -= 1
    }
    guard rest.count > 16, gaps > rest.count / 2 else { return }
    rest.removeAll { $0.element == nil }
    gaps = 0
  }

  /// Returns the newest attempt above `limit` whose entry satisfies `condition`.
  @inlinable
  func newest(above limit: Int, where condition: (Element) -> Bool) -> Attempt? {
    for entry in rest.reversed() {
      guard entry.number > limit else { return nil }
      if let element = entry.element, condition(element) { return Attempt(number: entry.number) }
    }
    guard let first, first.number > limit, condition(first.element) else { return nil }
    return Attempt(number: first.number)
  }

  /// Returns the attempts above `limit` whose entries satisfy `condition`, oldest first.
  @inlinable
  func all(above limit: Int, where condition: (Element) -> Bool) -> [Attempt] {
    var found: [Attempt] = []
    if let first, first.number > limit, condition(first.element) {
      found.append(Attempt(number: first.number))
    }
    if rest.isEmpty { return found }
    for entry in rest[place(above: limit)...] {
      if let element = entry.element, condition(element) {
        found.append(Attempt(number: entry.number))
      }
    }
    return found
  }

  @inlinable
  func index(of attempt: Attempt) -> Int? {
    let place = place(above: attempt.number - 1)
    return place < rest.count && rest[place].number == attempt.number ? place : nil
  }

  /// Returns the first index in `rest` with a greater number, by bisection.
  @inlinable
  func place(above limit: Int) -> Int {
    var (low, high) = bounds(above: limit)
    while low < high {
      let middle = low + (high - low) / 2
      if rest[middle].number <= limit { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns bounds of that index, both inclusive. They are close together if the numbers are
  /// evenly spread, as they usually are. A bisection of a million from its ends would have twenty
  /// cache misses.
  @inlinable
  func bounds(above limit: Int) -> (low: Int, high: Int) {
    guard rest.count > 32, let first = rest.first?.number, let last = rest.last?.number,
      first <= limit, limit < last
    else { return (0, rest.count) }
    let share = Double(limit - first) / Double(last - first)
    let guess = Int(share * Double(rest.count - 1))
    let (low, high) = (max(0, guess - 4), min(rest.count - 1, guess + 4))
    if rest[low].number > limit { return (0, low) }
    if rest[high].number <= limit { return (high + 1, rest.count) }
    return (low + 1, high)
  }
}
