import CVirtualTime
import LibC
import Synchronization

/// The task-local values of Swift Testing at the creation of a stage: the current test, and what happens with its issues.
///
/// Code of a stage that is no task of the test, such as a block of Dispatch, has no task-local values. Swift Testing then
/// fails the test run, but no test. With these values, the issue belongs to the test.
final class TestLocals {
  private let values: [any TestLocal]
  /// The values as the runtime keeps those of a task, from the first detached task on.
  private lazy var items = TestLocalItems(values)

  /// The values of the running task; nil if it has none of Swift Testing, or if their layout is unknown.
  init?() {
    guard let task = Runtime.currentTask(), let offset = Self.offset else { return nil }
    var values: [any TestLocal] = []
    var keys: Set<UInt> = []
    var next = task.load(fromByteOffset: offset, as: UInt.self)
    // Another kind of item has no value.
    while let item = UnsafeRawPointer(bitPattern: next) {
      let following = item.load(as: UInt.self)
      guard following & Self.kindBits == 0, values.count < Self.most else { break }
      let key = item.load(fromByteOffset: Self.word, as: UInt.self)
      let type = item.load(fromByteOffset: 2 * Self.word, as: Any.Type.self)
      if keys.insert(key).inserted, Self.isOfTesting(type) {
        values.append(Self.value(of: key, at: item + 3 * Self.word, type))
      }
      next = following
    }
    if values.isEmpty { return nil }
    self.values = values
  }

  /// Gives the values to code of the calling thread that is in no task.
  func push() {
    for value in values.reversed() { value.push() }
  }

  /// Takes the values back from the calling thread, which must be in no task.
  func pop() {
    for _ in values { cvt_pop_local() }
  }

  /// Makes the stage of a thread give its values to detached tasks.
  static let giving: Void = cvt_handle_locals { place in
    guard let locals = StageExecutor.current?.testLocals, let offset else { return 0 }
    // Outside of tasks, `push` has given them to the thread.
    place?.pointee = Runtime.currentTask()
      .map { ($0 + offset).assumingMemoryBound(to: UInt.self) }
    return locals.items.first
  }

  // MARK: Layout

  fileprivate static let word = MemoryLayout<UInt>.size
  private static let kindBits: UInt = 7
  private static let most = 1_000

  @TaskLocal private static var probe = UInt.max

  /// The offset of the first item in a task: found by a value that the running task has. Nil if it is not found.
  private static let offset: Int? = $probe.withValue(0x5245_4845) {
    guard word == 8, let task = Runtime.currentTask() else { return nil }
    let key = UInt(bitPattern: Unmanaged.passUnretained($probe).toOpaque())
    let size = MemoryLayout<cvt_task>.offset(of: \.parent) ?? 0
    let start = MemoryLayout<cvt_task>.offset(of: \.private_end) ?? size
    return stride(from: start, to: size, by: word).first { offset in
      let item = task.load(fromByteOffset: offset, as: UInt.self)
      var words: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)
      // A word that is no address is not read.
      guard item > 4096, item & kindBits == 0,
        cvt_read_memory(item, &words, MemoryLayout.size(ofValue: words))
      else { return false }
      return words.0 & kindBits == 0 && words.1 == key
        && words.2 == unsafeBitCast(UInt.self as Any.Type, to: UInt.self) && words.3 == probe
    }
  }

  private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

  private static func isOfTesting(_ type: Any.Type) -> Bool {
    known.withLock { known in
      if let answer = known[ObjectIdentifier(type)] { return answer }
      let name = String(reflecting: type)
      let answer = name.hasPrefix("Testing.") || name.hasPrefix("Swift.Optional<Testing.")
      known[ObjectIdentifier(type)] = answer
      return answer
    }
  }

  private static func value(
    of key: UInt,
    at place: UnsafeRawPointer,
    _ type: Any.Type
  ) -> any TestLocal {
    func open<Value>(_ type: Value.Type) -> any TestLocal {
      TypedLocal(
        key: key,
        value: place.alignedUp(for: type).assumingMemoryBound(to: type).pointee
      )
    }
    return _openExistential(type, do: open)
  }
}

/// A task-local value of any type.
private protocol TestLocal {
  func push()
  /// Returns a list of the runtime that begins with the value.
  func makeItem(before next: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer
  /// Releases the item and its value.
  func release(_ item: UnsafeMutableRawPointer)
}

/// A list of task-local values, as the runtime has it.
private final class TestLocalItems {
  private var items: [(item: UnsafeMutableRawPointer, value: any TestLocal)] = []

  init(_ values: [any TestLocal]) {
    for value in values.reversed() {
      items.append((value.makeItem(before: items.last?.item), value))
    }
  }

  deinit { for (item, value) in items { value.release(item) } }

  /// The address of the first item.
  var first: UInt { UInt(bitPattern: items.last?.item) }
}

private struct TypedLocal<Value>: TestLocal {
  let key: UInt
  let value: Value

  func push() {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { copy in
      guard let place = copy.baseAddress else { return }
      place.initialize(to: value)
      // The runtime takes the value out of this memory.
      cvt_push_local(key, place, unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self))
    }
  }

  func makeItem(before next: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
    let alignment = max(16, MemoryLayout<Value>.alignment)
    let size = 3 * TestLocals.word + alignment + MemoryLayout<Value>.size
    let item = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
    item.storeBytes(of: UInt(bitPattern: next), as: UInt.self)
    item.storeBytes(of: key, toByteOffset: TestLocals.word, as: UInt.self)
    item.storeBytes(of: Value.self, toByteOffset: 2 * TestLocals.word, as: Any.Type.self)
    place(in: item).initialize(to: value)
    return item
  }

  func release(_ item: UnsafeMutableRawPointer) {
    place(in: item).deinitialize(count: 1)
    item.deallocate()
  }

  private func place(in item: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Value> {
    (item + 3 * TestLocals.word).alignedUp(for: Value.self)
      .assumingMemoryBound(to: Value.self)
  }
}
