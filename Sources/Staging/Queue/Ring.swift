/// Plain values in the order they came, in a ring that grows by doubling and never shrinks.
struct Ring<Element: BitwiseCopyable>: ~Copyable {
  private var storage = UnsafeMutableBufferPointer<Element>(start: nil, count: 0)
  private var mask = -1
  private var head = 0
  private(set) var count = 0

  deinit { storage.deallocate() }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element) {
    if count > mask { grow() }
    storage[(head + count) & mask] = element
    count += 1
  }

  mutating func prepend(_ element: Element) {
    if count > mask { grow() }
    head = (head - 1) & mask
    storage[head] = element
    count += 1
  }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let first = storage[head]
    head = (head + 1) & mask
    count -= 1
    return first
  }

  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return storage[(head + count) & mask]
  }

  /// What is at a place, which is there.
  subscript(index: Int) -> Element { storage[(head + index) & mask] }

  /// Takes out what is at `index`, which is there; the first one takes its place. Index 0 keeps the order.
  mutating func remove(at index: Int) -> Element {
    let place = (head + index) & mask
    let chosen = storage[place]
    storage[place] = storage[head]
    head = (head + 1) & mask
    count -= 1
    return chosen
  }

  /// Puts what is at `index`, which is there, before all others.
  mutating func moveToFront(_ index: Int) {
    let moved = self[index]
    for place in index..<count - 1 { storage[(head + place) & mask] = self[place + 1] }
    count -= 1
    prepend(moved)
  }

  /// Takes out all that are not to be kept; the others stay in their order.
  mutating func filter(_ isKept: (Element) -> Bool) {
    var kept = 0
    for index in 0..<count {
      let element = self[index]
      guard isKept(element) else { continue }
      storage[(head + kept) & mask] = element
      kept += 1
    }
    count = kept
  }

  private mutating func grow() {
    let capacity = Swift.max(16, (mask + 1) * 2)
    let larger = UnsafeMutableBufferPointer<Element>.allocate(capacity: capacity)
    for index in 0..<count { larger.initializeElement(at: index, to: self[index]) }
    storage.deallocate()
    storage = larger
    mask = capacity - 1
    head = 0
  }
}
