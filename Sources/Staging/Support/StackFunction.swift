import CVirtualTime
import Synchronization

/// A function on a call stack: whether it is tested code, and which of these functions, with their lines, a cause or a
/// report names.
struct StackFunction {
  /// Its name for readers; nil if unknown.
  let name: String?
  /// Whether it belongs to a library, not to the tested code.
  let isLibrary: Bool
  /// Whether it belongs to a library that gives work to Dispatch only for its caller.
  var isPassing: Bool { isLibrary && !isNetworking }
  let isNetworking: Bool
  let isDispatch: Bool
  let isXCTest: Bool
  /// Whether it is the function of XCTest that waits for the end of an `async` test.
  let isAsyncTest: Bool
  /// Whether it belongs to Rehearse or to a library of tests.
  let isOwn: Bool
  /// Whether it is a function that the reader knows: not of a library or of Rehearse, and not made by the compiler.
  let isTested: Bool
  /// Whether it is a function of a library that has a name for readers. If the compiler has inlined the function that the
  /// tested code calls, only the call of a protocol's function may be left: `Clock.sleep()`.
  let isNamedLibrary: Bool
  /// Whether it performs commands of a session. Its callers are a program or a test, not code that a command runs.
  let isSession: Bool
  private let isClosure: Bool

  /// The name, and whether it is a closure: `closure in Model.start()`.
  var title: String? { isClosure ? name.map { "closure in \($0)" } : name }

  /// A cache, because finding a name searches all symbols of the executable.
  private static let known = Mutex<[UInt: StackFunction]>([:])

  static func callers(at addresses: [UInt]) -> [StackFunction] {
    known.withLock { known in
      let unknown = addresses.filter { known[$0] == nil }.sorted()
      // A return address is the instruction after the call, which may be the last of its function.
      for (address, function) in zip(unknown, executableFunctions(at: unknown.map { $0 - 1 })) {
        known[address] = function ?? StackFunction(address)
      }
      return addresses.map { known[$0] ?? StackFunction($0) }
    }
  }

  /// Returns the functions of the executable at addresses, which are in ascending order; nil for other addresses.
  private static func executableFunctions(at addresses: [UInt]) -> [StackFunction?] {
    if addresses.isEmpty { return [] }
    var names = [UnsafePointer<CChar>?](repeating: nil, count: addresses.count)
    cvt_symbols(addresses, &names, names.count)
    var known: [UnsafePointer<CChar>: StackFunction] = [:]
    return names.map { name in
      guard let name else { return nil }
      if let function = known[name] { return function }
      let function = StackFunction(symbol: String(cString: name), file: nil)
      known[name] = function
      return function
    }
  }

  /// Returns a number for the function at an address, the same in each process.
  static func identity(of address: UInt) -> UInt64 {
    var image: UnsafePointer<CChar>?
    // Of an unknown function, its position in a page is the same in each process.
    guard let symbol = cvt_symbol(address, &image) else { return UInt64(address & 0xFFF) }
    // FNV-1a
    return String(cString: symbol).utf8.reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
  }

  /// Returns an address in the function that a forwarder of the compiler calls with captured values; for other functions the
  /// same address.
  static func target(ofForwarder address: UInt) -> UInt {
    var image: UnsafePointer<CChar>?
    guard var symbol = cvt_symbol(address - 1, &image).map({ String(cString: $0) }) else {
      return address
    }
    // Several forwarders to one function have numbers: `TA.12`.
    while let last = symbol.last, last == "." || last.isNumber { symbol.removeLast() }
    guard symbol.hasSuffix(forwarderSuffix) else { return address }
    let search = FunctionSearch(for: String(symbol.dropLast(forwarderSuffix.count)))
    return search.address.map { $0 + 1 } ?? address
  }

  /// Mangled: "partial apply forwarder".
  private static let forwarderSuffix = "TA"

  /// Returns the innermost function that does not belong to a library.
  static func function(of callers: [StackFunction]) -> String? {
    callers.lazy.filter { !$0.isLibrary }.compactMap(\.name).first
  }

  // MARK: Places in the source

  private static let places = Mutex<[UInt: Place]>([:])

  fileprivate struct Place {
    let file: String?
    let line: Int?
    /// The address and the line of the next code of another line; nil if unknown or not searched.
    var next: (address: UInt, line: Int)?
    var hasSearchedNext = false
  }

  /// Returns the frames of a suspended task, the innermost first; if `isFull`, with functions of libraries and of Rehearse.
  static func frames(at addresses: [UInt], isFull: Bool = false) -> [SourceFrame] {
    // A cache, because a thousand tasks often wait at one place.
    if !isFull, let frames = stacks.withLock({ $0[addresses] }) { return frames }
    let functions = zip(addresses, callers(at: addresses)).filter { isFull || $1.isTested }
    let frames = frames(of: functions, findsNext: false)
    if !isFull { stacks.withLock { $0[addresses] = frames } }
    return frames
  }

  /// Returns the innermost frame of the tested code of a suspended task, with the next line of its function; and the next
  /// frame, if the function has no next line, so that its caller continues.
  static func innermostFrames(at addresses: [UInt]) -> [SourceFrame] {
    let functions = zip(addresses, callers(at: addresses)).lazy.filter { $1.isTested }.prefix(2)
    let frames = frames(of: Array(functions.prefix(1)), findsNext: true)
    guard let first = frames.first, first.line != nil, first.nextLine == nil else { return frames }
    return frames + self.frames(of: Array(functions.dropFirst()), findsNext: false)
  }

  private static func frames(
    of functions: [(UInt, StackFunction)],
    findsNext: Bool
  ) -> [SourceFrame] {
    let places = places(at: functions.map(\.0), findsNext: findsNext)
    return zip(functions, places).map { function, place in
      let title = function.1.title
      // The next code may be that of another function.
      let next = place.next.flatMap { next in
        callers(at: [next.address]).first?.title == title ? next.line : nil
      }
      return SourceFrame(
        function: title ?? "a function without a name",
        file: place.file,
        line: place.line,
        nextLine: next
      )
    }
  }

  private static let stacks = Mutex<[[UInt]: [SourceFrame]]>([:])

  /// What is known of a suspended task from its stack alone.
  struct Stack {
    let function: String?
    /// The functions of the tested code.
    let frames: [SourceFrame]
    /// What it waits for, if it waits for no task.
    let wait: WaitReason
    /// How it waits, if it waits for child tasks.
    let childWait: ChildWait
  }

  private static let knownStacks = Mutex<[[UInt]: Stack]>([:])

  /// Returns what is known of a suspended task from its stack. Many tasks wait at one place.
  static func stack(at addresses: [UInt]) -> Stack {
    if let stack = knownStacks.withLock({ $0[addresses] }) { return stack }
    let functions = callers(at: addresses)
    let stack = Stack(
      function: function(of: functions),
      frames: frames(at: addresses),
      wait: WaitReason(in: functions),
      childWait: ChildWait(in: functions)
    )
    knownStacks.withLock { $0[addresses] = stack }
    return stack
  }

  /// Finds the functions and the places of many stacks at once; later calls know them.
  static func findPlaces(of stacks: [[UInt]]) {
    let known = knownStacks.withLock { $0 }
    var addresses: Set<UInt> = []
    for stack in stacks where known[stack] == nil { addresses.formUnion(stack) }
    if addresses.isEmpty { return }
    let all = Array(addresses)
    _ = places(at: zip(all, callers(at: all)).filter { $1.isTested }.map(\.0))
  }

  private static func places(at addresses: [UInt], findsNext: Bool = false) -> [Place] {
    places.withLock { known in
      let unknown = Set(addresses).filter { address in
        known[address].map { findsNext && !$0.hasSearchedNext } ?? true
      }
      if !unknown.isEmpty {
        // An address is one more than the first instruction.
        let looks = (findsNext ? unknown.union(unknown.flatMap(Self.looks)) : unknown).sorted()
        var found = [cvt_source_place](repeating: cvt_source_place(), count: looks.count)
        cvt_source_places(looks.map { $0 - 1 }, &found, looks.count)
        let all = Dictionary(uniqueKeysWithValues: zip(looks, found.map(Place.init)))
        for address in unknown {
          var place = all[address] ?? Place(cvt_source_place())
          place.hasSearchedNext = findsNext
          if findsNext {
            place.next =
              Self.looks(from: address).lazy.compactMap { look in
                all[look]?.isShortlyAfter(place) == true ? all[look]?.line.map { (look, $0) } : nil
              }.first
          }
          known[address] = place
        }
      }
      return addresses.map { known[$0] ?? Place(cvt_source_place()) }
    }
  }

  /// The addresses at which the code of a function may be that continues it at an address. The compiler divides an
  /// asynchronous function into parts, in order.
  private static func looks(from address: UInt) -> StrideTo<UInt> {
    stride(from: address, to: address + 1024, by: 8)
  }

  private init(_ address: UInt) {
    var image: UnsafePointer<CChar>?
    let symbol = cvt_symbol(address - 1, &image).map { String(cString: $0) }
    let file = image.map { String(cString: $0).split(separator: "/").last.map(String.init) ?? "" }
    self.init(symbol: symbol, file: file)
  }

  /// - Parameters:
  ///   - symbol: its mangled name; nil if unknown.
  ///   - file: the name of the shared library; nil for a function of the executable.
  init(symbol: String?, file: String?) {
    isLibrary =
      file.map {
        ["libswift", "libFoundation", "lib_Foundation", "libdispatch"].contains(where: $0.hasPrefix)
      }
      ?? symbol.map(SymbolName.isOfLibrary) ?? true
      || symbol?.hasPrefix("$s13RehearsalBase12SystemThread") == true
    isNetworking =
      file?.hasPrefix("libFoundationNetworking") == true
      || ["$s20FoundationNetworking", "$s13FetchProtocol"].contains {
        symbol?.hasPrefix($0) == true
      }
    isDispatch =
      file?.hasPrefix("libdispatch") == true || symbol?.hasPrefix("_dispatch_") == true
    isXCTest = file?.hasPrefix("libXCTest.") == true
    isAsyncTest = isXCTest && symbol?.hasPrefix("$s6XCTest9asyncTest") == true
    isOwn =
      isXCTest || file?.hasPrefix("libTesting.") == true
      || symbol.map { SymbolName.isOfRehearse($0) || $0.hasPrefix("$s7Staging") } == true
    name = symbol.map { SymbolName.short($0) }.flatMap { $0 == "()" ? nil : $0 }
    isClosure = symbol.map(SymbolName.isClosure) ?? false
    let isThunk = symbol.map(SymbolName.isThunk) ?? true
    // SwiftPM generates the lists of the tests of XCTest.
    isTested =
      !isLibrary && !isThunk && name != nil && symbol.map(SymbolName.isOfRehearse) == false
      && symbol?.contains("__allTests__") != true
    isSession = ["$s9Rehearsal7SessionC", "$s9Rehearsal11SessionHostC"].contains {
      symbol?.hasPrefix($0) == true
    }
    isNamedLibrary =
      isLibrary && (!isThunk || symbol.map(SymbolName.callsProtocol) == true)
  }
}

extension StackFunction.Place {
  /// Whether this is a later line than that of `other`, and in the same part of the file.
  fileprivate func isShortlyAfter(_ other: Self) -> Bool {
    guard let line, let start = other.line, file == other.file else { return false }
    return line > start && line <= start + 20
  }

  fileprivate init(_ place: cvt_source_place) {
    let name = place.file.map { String(cString: $0) }?.split(separator: "/").last.map(String.init)
    // The compiler gives "<compiler-generated>" and the files of macros as places, too.
    let isFile = name.map { !$0.hasPrefix("<") && !$0.hasPrefix("@") } ?? false
    file = isFile ? name : nil
    line = isFile && place.line > 0 ? Int(place.line) : nil
  }
}

/// A search for the function with a mangled name.
private final class FunctionSearch {
  private let symbol: String
  private(set) var address: UInt?

  init(for symbol: String) {
    self.symbol = symbol
    cvt_find_functions(symbol, Unmanaged.passUnretained(self).toOpaque()) {
      context,
      name,
      address,
      _ in
      guard let context, let name else { return }
      let search = Unmanaged<FunctionSearch>.fromOpaque(context).takeUnretainedValue()
      if search.symbol == String(cString: name) { search.address = address }
    }
  }
}
