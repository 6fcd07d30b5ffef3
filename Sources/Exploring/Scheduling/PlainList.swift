/// A growing list of plain values. Unlike an array, it cannot be copied, so that reading an element counts no references.
struct PlainList<Element: BitwiseCopyable>: ~Copyable {
  private var elements = UnsafeMutablePointer<Element>.allocate(capacity: 16)
  private var capacity = 16
  private(set) var count = 0

  deinit { elements.deallocate() }

  subscript(index: Int) -> Element {
    get { elements[index] }
    nonmutating set { elements[index] = newValue }
  }

  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    elements[count] = element
    count += 1
  }

  mutating func removeAll() { count = 0 }

  mutating func removeLast() { count -= 1 }

  /// Removes an element if `isRemoved` returns true for it; the others keep their order.
  @inline(__always)
  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    var kept = 0
    for index in 0..<count where !isRemoved(elements[index]) {
      elements[kept] = elements[index]
      kept += 1
    }
    count = kept
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
    larger.update(from: elements, count: count)
    elements.deallocate()
    elements = larger
    capacity *= 2
  }
}
