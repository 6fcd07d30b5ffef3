import CVirtualTime
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
    guard let task = Runtime.currentTask(), Self.isKnown else { return nil }
    var values: [any TestLocal] = []
    var keys: Set<UInt> = []
    var next = Self.place(in: task).pointee
    // Another kind of item has no value.
    while let item = next, item.pointee.next & Self.kindBits == 0, values.count < Self.most {
      let type = unsafeBitCast(item.pointee.type, to: Any.Type.self)
      if keys.insert(item.pointee.key).inserted, Self.isOfTesting(type) {
        values.append(Self.value(of: item, type))
      }
      next = UnsafeMutablePointer(bitPattern: item.pointee.next)
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
    guard let locals = StageExecutor.current?.testLocals else { return nil }
    // Outside of tasks, `push` has given them to the thread.
    place?.pointee = Runtime.currentTask().map { TestLocals.place(in: $0) }
    return locals.items.first
  }

  // MARK: Layout

  private static let kindBits = UInt(CVT_LOCAL_KIND)
  private static let most = 1_000

  /// Returns the place of the innermost value in a task.
  private static func place(
    in task: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<cvt_local>?> {
    let offset = MemoryLayout<cvt_task>.offset(of: \.locals) ?? 0
    return (task + offset).assumingMemoryBound(to: UnsafeMutablePointer<cvt_local>?.self)
  }

  @TaskLocal private static var probe: UInt = 0

  /// Whether the layout is that of a value which a task has.
  private static let isKnown: Bool = {
    nonisolated(unsafe) var isKnown = false
    guard MemoryLayout<UInt>.size == 8 else { return false }
    // The task runs on this thread, and completes before the next statement.
    Runtime.withTasksRunningAtOnce {
      Task.detached { $probe.withValue(0x5245_4845) { isKnown = hasProbe } }
    }
    return isKnown
  }()

  /// Whether the innermost value of the running task is that of the probe.
  private static var hasProbe: Bool {
    guard let task = Runtime.currentTask(), let item = place(in: task).pointee else { return false }
    var words: (cvt_local, UInt) = (cvt_local(), 0)
    // An address that is none is not read.
    guard cvt_read_memory(UInt(bitPattern: item), &words, MemoryLayout.size(ofValue: words)) else {
      return false
    }
    return words.0.next & kindBits == 0
      && words.0.key == UInt(bitPattern: Unmanaged.passUnretained($probe).toOpaque())
      && words.0.type == unsafeBitCast(UInt.self as Any.Type, to: UnsafeRawPointer.self)
      && words.1 == probe
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
    of item: UnsafeMutablePointer<cvt_local>,
    _ type: Any.Type
  ) -> any TestLocal {
    func open<Value>(_ type: Value.Type) -> any TestLocal {
      TypedLocal<Value>(key: item.pointee.key, value: TypedLocal<Value>.place(in: item).pointee)
    }
    return _openExistential(type, do: open)
  }
}

/// A task-local value of any type.
private protocol TestLocal {
  func push()
  /// Returns a list of the runtime that begins with the value.
  func makeItem(before next: UnsafeMutablePointer<cvt_local>?) -> UnsafeMutablePointer<cvt_local>
  /// Releases the item and its value.
  func release(_ item: UnsafeMutablePointer<cvt_local>)
}

/// A list of task-local values, as the runtime has it.
private final class TestLocalItems {
  private var items: [(item: UnsafeMutablePointer<cvt_local>, value: any TestLocal)] = []

  init(_ values: [any TestLocal]) {
    for value in values.reversed() {
      items.append((value.makeItem(before: items.last?.item), value))
    }
  }

  deinit { for (item, value) in items { value.release(item) } }

  var first: UnsafeMutablePointer<cvt_local>? { items.last?.item }
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

  func makeItem(before next: UnsafeMutablePointer<cvt_local>?) -> UnsafeMutablePointer<cvt_local> {
    let alignment = max(MemoryLayout<cvt_local>.alignment, MemoryLayout<Value>.alignment)
    let size = MemoryLayout<cvt_local>.size + alignment + MemoryLayout<Value>.size
    let item = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
      .bindMemory(to: cvt_local.self, capacity: 1)
    let type = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
    item.initialize(to: cvt_local(next: UInt(bitPattern: next), key: key, type: type))
    Self.place(in: item).initialize(to: value)
    return item
  }

  func release(_ item: UnsafeMutablePointer<cvt_local>) {
    Self.place(in: item).deinitialize(count: 1)
    UnsafeMutableRawPointer(item).deallocate()
  }

  /// Returns the place of the value of an item.
  static func place(in item: UnsafeMutablePointer<cvt_local>) -> UnsafeMutablePointer<Value> {
    UnsafeMutableRawPointer(item + 1).alignedUp(for: Value.self)
      .assumingMemoryBound(to: Value.self)
  }
}
