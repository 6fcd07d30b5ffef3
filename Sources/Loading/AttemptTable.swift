/// What is known about each attempt of a slot, by its number.
///
/// Numbers only grow, so the table is a sorted array: adding is at its end, finding by bisection,
/// and a removed entry leaves a gap until gaps outnumber the entries. So a slot with a million
/// attempts in flight costs each of them the same as a slot with ten.
struct AttemptTable<Element> {
  private var entries: ContiguousArray<(number: Int, element: Element?)> = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The attempts, oldest first.
  var attempts: [Attempt] {
    entries.compactMap { $0.element == nil ? nil : Attempt(number: $0.number) }
  }

  subscript(attempt: Attempt) -> Element? {
    index(of: attempt).flatMap { entries[$0].element }
  }

  /// Adds an entry.
  ///
  /// - Precondition: newer than every attempt that was added before it.
  mutating func append(_ element: Element, for attempt: Attempt) {
    precondition(
      entries.last.map { $0.number < attempt.number } ?? true,
      "Attempts are added in the order of their numbers."
    )
    entries.append((attempt.number, element))
    count += 1
  }

  /// Changes the entry, if there is one, in its place.
  mutating func update(_ attempt: Attempt, _ change: (inout Element) -> Void) {
    guard let index = index(of: attempt), var element = entries[index].element else { return }
    entries[index].element = nil  // So that `element` is the only owner while it changes.
    change(&element)
    entries[index].element = element
  }

  @discardableResult
  mutating func remove(_ attempt: Attempt) -> Element? {
    guard let index = index(of: attempt), let element = entries[index].element else { return nil }
    entries[index].element = nil
    count -= 1
    while let last = entries.last, last.element == nil { entries.removeLast() }
    if entries.count > 16, count < entries.count / 2 { entries.removeAll { $0.element == nil } }
    return element
  }

  /// The newest attempt whose entry satisfies `condition`.
  func newest(where condition: (Element) -> Bool) -> Attempt? {
    entries.last { $0.element.map(condition) ?? false }.map { Attempt(number: $0.number) }
  }

  /// The attempts whose entries satisfy `condition`, oldest first.
  func all(where condition: (Element) -> Bool) -> [Attempt] {
    entries.compactMap { entry in
      entry.element.map(condition) ?? false ? Attempt(number: entry.number) : nil
    }
  }

  private func index(of attempt: Attempt) -> Int? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].number < attempt.number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == attempt.number ? low : nil
  }
}
