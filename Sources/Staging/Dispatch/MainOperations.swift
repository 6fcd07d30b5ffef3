// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVirtualTime
@_spi(Reflection) import Swift
import Synchronization

/// The object that a stage has in place of `OperationQueue.main`.
///
/// Foundation's own passes the next operation to Dispatch on the thread that has finished one, and allows one at a time. So
/// a stage that shared it would run the operations of another one, or wait for those of a stage that has ended.
enum MainOperations {
  /// Makes a main queue, retained.
  ///
  /// - Returns: nil if Foundation is not known.
  static func make() -> UnsafeMutableRawPointer? {
    guard let queue = cvt_make_main_operations() else { return nil }
    let object = Unmanaged<AnyObject>.fromOpaque(queue)
    guard let fields = Fields(of: type(of: object.takeUnretainedValue())) else {
      object.release()
      return nil
    }
    fields.makeMain(queue)
    return queue
  }

  /// The fields that `OperationQueue(asMainQueue:)` sets, which other modules cannot call.
  private struct Fields {
    private let isMain: Int
    private let maximum: Int
    private let actualMaximum: Int
    private let name: Int

    init?(of type: AnyClass) {
      var offsets: [String: Int] = [:]
      let types: [String: any Any.Type] = [
        "__mainQ": Bool.self, "__maxNumOps": Int.self, "__actualMaxNumOps": Int32.self,
        "__name": String?.self,
      ]
      let ofClass = _EachFieldOptions(rawValue: 1)
      _ = _forEachField(of: type, options: ofClass) { name, offset, type, _ in
        let name = String(cString: name)
        if types[name].map({ $0 == type }) == true { offsets[name] = offset }
        return true
      }
      guard let isMain = offsets["__mainQ"], let maximum = offsets["__maxNumOps"],
        let actualMaximum = offsets["__actualMaxNumOps"], let name = offsets["__name"]
      else { return nil }
      (self.isMain, self.maximum) = (isMain, maximum)
      (self.actualMaximum, self.name) = (actualMaximum, name)
    }

    func makeMain(_ queue: UnsafeMutableRawPointer) {
      (queue + isMain).assumingMemoryBound(to: Bool.self).pointee = true
      (queue + maximum).assumingMemoryBound(to: Int.self).pointee = 1
      (queue + actualMaximum).assumingMemoryBound(to: Int32.self).pointee = 1
      (queue + name).assumingMemoryBound(to: String?.self).pointee = "NSOperationQueue Main Queue"
    }
  }
}

@c @implementation func cvt_stage_main_operations() -> UnsafeMutableRawPointer? {
  if let stage = StageExecutor.current { return stage.address.mainOperations() }
  guard let home = cvt_current_home() else { return nil }
  let address = Unmanaged<StageAddress>.fromOpaque(home).takeUnretainedValue()
  return address.isOpen.load(ordering: .acquiring) ? address.mainOperations() : nil
}
