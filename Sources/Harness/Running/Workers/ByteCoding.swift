/// Writes numbers and texts one behind the other.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ number: Int) {
    withUnsafeBytes(of: Int64(number)) { bytes.append(contentsOf: $0) }
  }

  package mutating func write(_ text: String) {
    write(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func write<Element>(
    _ elements: [Element],
    _ each: (inout ByteWriter, Element) -> Void
  ) {
    write(elements.count)
    for element in elements { each(&self, element) }
  }
}

/// Reads what a `ByteWriter` wrote, in the same process image; nil where the bytes end too early.
package struct ByteReader {
  private var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  package mutating func number() -> Int? {
    guard rest.count >= 8 else { return nil }
    let value = rest.prefix(8).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
    rest = rest.dropFirst(8)
    return Int(value)
  }

  package mutating func text() -> String? {
    guard let count = number(), count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }

  package mutating func list<Element>(_ each: (inout ByteReader) -> Element?) -> [Element]? {
    guard let count = number(), count >= 0, count <= rest.count else { return nil }
    var result: [Element] = []
    for _ in 0..<count {
      guard let element = each(&self) else { return nil }
      result.append(element)
    }
    return result
  }
}
