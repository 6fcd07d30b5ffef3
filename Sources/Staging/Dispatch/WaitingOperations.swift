// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVirtualTime
import Synchronization

/// An operation that code of a stage has added to an `OperationQueue` of Foundation.
///
/// The queue makes a work item for it at once, and gives it to Dispatch when the operation may start. It releases the work
/// item when the operation has finished.
final class WaitingOperation: Sendable {
  /// The random numbers that it draws.
  let random: RandomStream
  /// The `OperationQueue`; nil if it is not known. It exists while the operation is not over.
  nonisolated(unsafe) let queue: UnsafeMutableRawPointer?
  /// The operation; nil if it is not known. It exists as long as the queue.
  private nonisolated(unsafe) let object: UnsafeMutableRawPointer?
  /// The return addresses of the code that has added it.
  let frames: [UInt]
  private let progress = Mutex(Progress.waits)

  enum Progress {
    case waits
    /// It has begun, and not finished. An asynchronous operation may finish after its code has returned.
    case runs
    /// It has finished, or was removed.
    case isOver
  }

  init(
    _ random: RandomStream,
    in queue: UnsafeMutableRawPointer?,
    _ object: UnsafeMutableRawPointer?
  ) {
    (self.random, self.queue, self.object) = (random, queue, object)
    frames = ReturnAddresses.ofCallers()
  }

  var waits: Bool { progress.withLock { $0 == .waits } }
  var runs: Bool { progress.withLock { $0 == .runs } }

  fileprivate func begin() { progress.withLock { if $0 == .waits { $0 = .runs } } }

  /// Ends the operation. Its objects are released after this call.
  fileprivate func end() { progress.withLock { $0 = .isOver } }

  /// The name of the operation, or its class; nil if it is not known, or over.
  fileprivate var name: String? {
    progress.withLock { progress in
      guard progress != .isOver, let object else { return nil }
      var name: String?
      let isKnown = withUnsafeMutablePointer(to: &name) { cvt_operation_name(object, $0) }
      if isKnown, let name, !name.isEmpty { return "operation \"\(name)\"" }
      let operation = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
      return "an operation of class '\(type(of: operation))'"
    }
  }

  /// The function that added it; nil if it is not known.
  fileprivate var function: String? { StackFunction.frames(at: frames).first?.function }

  /// The place of the call that added it: `added in load() at Model.swift:4`; nil if it is not known.
  fileprivate var place: String? {
    StackFunction.frames(at: frames).first.map { "added in \($0)" }
  }
}

/// The operations of a stage that wait until their `OperationQueue` starts them, and those that have not finished.
struct WaitingOperations {
  /// Those that wait, by their work items, which may have been released.
  private var known: [UnsafeMutableRawPointer: (operation: WaitingOperation, number: Int)] = [:]
  private var count = 0
  /// The number of operations from which those that have ended are forgotten.
  private var mostKnown = 256
  /// Those that have begun, in order. Some have finished.
  private var begun: [WaitingOperation] = []
  private var mostBegun = 256

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
    begun.append(found)
    if begun.count > mostBegun {
      begun.removeAll { !$0.waits && !$0.runs }
      mostBegun = max(256, begun.count * 2)
    }
    return found.random
  }

  /// The queues with operations that wait, and then those with operations that have not finished, for readers.
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
    return queues.map { Self.call($0, $1) } + Self.unfinished(begun.filter(\.runs))
  }

  /// Describes operations that have begun, and that no code has finished.
  private static func unfinished(_ operations: [WaitingOperation]) -> [BlockedCall] {
    let more = operations.count - mostPlaces
    return operations.prefix(mostPlaces).map { operation in
      let added = operation.function.map { ", added in \($0)," } ?? ""
      let text = "\(operation.name ?? "an operation") of \(name(operation.queue))\(added)"
      return BlockedCall(
        text: "\(text) has started and not finished",
        remarks: operation.place.map { [$0] } ?? []
      )
    } + (more > 0 ? [BlockedCall(text: "\(more) more operations have not finished")] : [])
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
      remarks: operations.prefix(mostPlaces).compactMap(\.place)
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
  _ queue: UnsafeMutableRawPointer?,
  _ object: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  guard let stage = StageExecutor.current, let callers else { return nil }
  guard (0..<Int(count)).contains(where: { OperationCaller.isOperationQueue(callers[$0]) }) else {
    return nil
  }
  cvt_count_submission()
  #if compiler(<6.4)
  let (queue, object) = (queue, object)
  #else
  // The captured values of Foundation's block are not known.
  let (queue, object): (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) = (nil, nil)
  #endif
  let operation = WaitingOperation(stage.childStream(), in: queue, object)
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
  waiting(operation)?.begin()
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
