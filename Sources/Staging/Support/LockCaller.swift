import CVirtualTime
import Synchronization

/// Decides whether the tested code called a lock function, directly or through a library's type for locks.
enum LockCaller {
  fileprivate enum Role {
    /// A function of a type for locks, or one that the compiler made.
    case lock
    /// A function of Foundation that it does not export. The tested code calls at most one of these, the implementation of
    /// a protocol's requirement.
    case unnamed
    case tested
    case other
  }

  /// A cache, because finding a function searches all symbols of the executable.
  private static let roles = Mutex<[UInt: Role]>([:])

  private static func role(of address: UInt) -> Role {
    if let role = roles.withLock({ $0[address] }) { return role }
    let role = Role(of: address)
    roles.withLock { $0[address] = role }
    return role
  }

  /// Whether the tested code, or a package that it uses, called the lock function with this frame. Locks of Swift's and
  /// Foundation's own are not meant for others, and change no result.
  static func isTested(at frame: UnsafeRawPointer) -> Bool {
    // Another stage may use the cache now. This is no wait of the tested code.
    StageExecutor.leavingThread {
      withUnsafeTemporaryAllocation(of: UInt.self, capacity: most) { addresses in
        let count = Int(cvt_return_addresses(frame, addresses.baseAddress, Int32(most)))
        var unnamed = 0
        for address in addresses[..<count] {
          switch role(of: address) {
          case .lock: continue
          case .unnamed where unnamed == 0: unnamed += 1
          case .tested: return true
          case .unnamed, .other: return false
          }
        }
        return false
      }
    }
  }

  /// The greatest number of functions between the tested code and a lock function.
  private static let most = 8
}

extension LockCaller.Role {
  fileprivate init(of address: UInt) {
    var image: UnsafePointer<CChar>?
    // A return address is the instruction after the call, which may be the last of its function.
    guard let symbol = cvt_symbol(address - 1, &image).map({ String(cString: $0) }) else {
      let isOfFoundation = image.map { String(cString: $0).hasSuffix("/libFoundation.so") } ?? false
      self = isOfFoundation ? .unnamed : .other
      return
    }
    // The symbol of an extension begins with the extended type.
    let code = SymbolName.moduleOfExtension(symbol).map { "$s\($0.utf8.count)\($0)" } ?? symbol
    self =
      if SymbolName.isOfLockType(symbol) {
        .lock
      } else if image != nil || SymbolName.isOfSystem(code) || SymbolName.isOfRehearse(code) {
        .other
      } else if symbol.hasPrefix("$s"), SymbolName.isThunk(symbol) {
        .lock
      } else {
        .tested
      }
  }
}
