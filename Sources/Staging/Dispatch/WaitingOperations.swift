// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVirtualTime
import Synchronization

/// An operation that code of a stage has added to an `OperationQueue` of Foundation.
///
/// The queue makes a work item for it at once, and gives it to Dispatch when the operation may start.
final class WaitingOperation: Sendable {
  /// The random numbers that it draws.
  let random: RandomStream
  /// The `OperationQueue`; nil if it is not known. It exists while the operation is not released.
  nonisolated(unsafe) let queue: UnsafeMutableRawPointer?
  /// The return addresses of the code that has added it.
  let frames: [UInt]
  /// Whether it has begun, or was released.
  private let isOver = Atomic<Bool>(false)

  init(_ random: RandomStream, in queue: UnsafeMutableRawPointer?) {
    (self.random, self.queue) = (random, queue)
    frames = ReturnAddresses.ofCallers()
  }

  var waits: Bool { !isOver.load(ordering: .acquiring) }

  fileprivate func end() { isOver.store(true, ordering: .releasing) }
}

/// The operations of a stage that wait until their `OperationQueue` starts them.
struct WaitingOperations {
  /// By their work items, which may have been released.
  private var known: [UnsafeMutableRawPointer: (operation: WaitingOperation, number: Int)] = [:]
  private var count = 0
  /// The number of operations from which those that have ended are forgotten.
  private var mostKnown = 256

  var isEmpty: Bool { known.isEmpty }

  mutating func add(_ operation: WaitingOperation, item: UnsafeMutableRawPointer) {
    count += 1
    known[item] = (operation, count)
    guard known.count > mostKnown else { return }
    known = known.filter { $0.value.operation.waits }
    mostKnown = max(256, known.count * 2)
  }

  /// Removes the operation of a work item that its queue gives to Dispatch.
  ///
  /// - Returns: its random numbers; nil for another block.
  mutating func begin(_ item: UnsafeMutableRawPointer) -> RandomStream? {
    guard let found = known.removeValue(forKey: item)?.operation, found.waits else { return nil }
    return found.random
  }

  /// The queues with such operations, for readers.
  var blocked: [BlockedCall] {
    let waiting = known.values.filter(\.operation.waits).sorted { $0.number < $1.number }
      .map(\.operation)
    var queues: [(queue: UnsafeMutableRawPointer?, operations: [WaitingOperation])] = []
    for operation in waiting {
      if let index = queues.firstIndex(where: { $0.queue == operation.queue }) {
        queues[index].operations.append(operation)
      } else {
        queues.append((operation.queue, [operation]))
      }
    }
    return queues.map { Self.call($0, $1) }
  }

  private static let mostPlaces = 10

  private static func call(
    _ queue: UnsafeMutableRawPointer?,
    _ operations: [WaitingOperation]
  ) -> BlockedCall {
    let number = "\(operations.count) operation\(operations.count == 1 ? "" : "s")"
    let one = operations.count == 1
    let text =
      switch queue.map({ cvt_operation_queue_is_suspended($0) }) {
      case 1?: "\(name(queue)) is suspended with \(number)"
      case 0?:
        "\(name(queue)) has \(number) that \(one ? "waits" : "wait") for another one that has not finished"
      default: "\(name(queue)) has \(number) that \(one ? "has" : "have") not started"
      }
    return BlockedCall(
      text: text,
      remarks: operations.prefix(mostPlaces).compactMap {
        StackFunction.frames(at: $0.frames).first.map { "added in \($0)" }
      }
    )
  }

  private static func name(_ queue: UnsafeMutableRawPointer?) -> String {
    var name: String?
    let isKnown = queue.map { queue in
      withUnsafeMutablePointer(to: &name) { cvt_operation_queue_name(queue, $0) }
    }
    // Foundation's own name has an address.
    guard isKnown == true, let name, !name.isEmpty, !name.hasPrefix("NSOperationQueue ") else {
      return "OperationQueue"
    }
    return "OperationQueue \"\(name)\""
  }
}

/// The functions that make a work item, by their return addresses.
private enum OperationCaller {
  /// A cache, because to find a function takes long.
  private static let known = Mutex<[UInt: Bool]>([:])

  static func isOperationQueue(_ address: UInt) -> Bool {
    if let known = known.withLock({ $0[address] }) { return known }
    var image: UnsafePointer<CChar>?
    let symbol = cvt_symbol(address - 1, &image).map { String(cString: $0) }
    let isQueue = symbol?.hasPrefix("$s10Foundation14OperationQueueC") == true
    known.withLock { $0[address] = isQueue }
    return isQueue
  }
}

@c @implementation func cvt_stage_operation_made(
  _ callers: UnsafePointer<UInt>?,
  _ count: Int32,
  _ queue: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  guard let stage = StageExecutor.current, let callers else { return nil }
  guard (0..<Int(count)).contains(where: { OperationCaller.isOperationQueue(callers[$0]) }) else {
    return nil
  }
  cvt_count_submission()
  #if compiler(<6.4)
  let queue = queue
  #else
  // The captured values of Foundation's block are not known.
  let queue: UnsafeMutableRawPointer? = nil
  #endif
  let operation = WaitingOperation(stage.childStream(), in: queue)
  return Unmanaged.passRetained(operation).toOpaque()
}

@c @implementation func cvt_stage_operation_has(
  _ operation: UnsafeMutableRawPointer?,
  _ item: UnsafeMutableRawPointer?
) {
  guard let stage = StageExecutor.current, let item, let operation = waiting(operation) else {
    return
  }
  stage.dispatching.operations.add(operation, item: item)
}

@c @implementation func cvt_operation_began(_ operation: UnsafeMutableRawPointer?) {
  waiting(operation)?.end()
}

@c @implementation func cvt_operation_released(_ operation: UnsafeMutableRawPointer?) {
  guard let operation else { return }
  let released = Unmanaged<WaitingOperation>.fromOpaque(operation)
  released.takeUnretainedValue().end()
  released.release()
}

private func waiting(_ operation: UnsafeMutableRawPointer?) -> WaitingOperation? {
  operation.map { Unmanaged<WaitingOperation>.fromOpaque($0).takeUnretainedValue() }
}
