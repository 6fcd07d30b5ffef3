/// A queue of trivial values in a ring buffer that doubles when it is full and never shrinks.
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

  /// The element at an index, which must exist.
  subscript(index: Int) -> Element { storage[(head + index) & mask] }

  /// Writes a number for each element, in order.
  @inline(__always)
  func write(to numbers: UnsafeMutablePointer<UInt64>, _ number: (Element) -> UInt64) {
    let (storage, mask, head) = (storage, mask, head)
    for index in 0..<count { numbers[index] = number(storage[(head + index) & mask]) }
  }

  /// Removes the element at `index`, which must exist, and moves the first element to its place.
  /// Index 0 keeps the order.
  mutating func remove(at index: Int) -> Element {
    let place = (head + index) & mask
    let chosen = storage[place]
    storage[place] = storage[head]
    head = (head + 1) & mask
    count -= 1
    return chosen
  }

  /// Moves the element at `index`, which must exist, to the front.
  mutating func moveToFront(_ index: Int) {
    let moved = self[index]
    for place in index..<count - 1 { storage[(head + place) & mask] = self[place + 1] }
    count -= 1
    prepend(moved)
  }

  /// Removes the elements for which `isKept` returns false; the others keep their order.
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
