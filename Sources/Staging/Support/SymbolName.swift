import CVirtualTime
import LibC

/// Converts symbols to names for readers, and decides which belong to a library, to Rehearse or to the compiler.
package enum SymbolName {
  /// The beginnings of the symbols of Swift, Foundation, the C library, and the modules of Rehearse that tested code calls.
  private static let system = [
    "$s8Dispatch", "$sSo17OS_dispatch", "$s10Foundation", "$s20Foundation", "$sS", "$ss", "CF",
    "_CF", "__CF", "_Z", "swift_", "__swift_", "_dispatch_", "dispatch_", "$s7Staging",
    "$s15Synchronization", "$s5Swift", "$s12_Concurrency", "$s9Pipelines",
    "$s19FoundationPipelines",
    "cvt_", "pthread_cond_", "nanosleep", "clock_nanosleep", "usleep", "sleep",
  ]
  private static let libraries =
    system + [
      "$s11OpenCombine", "$s15AsyncAlgorithms",
      // The locks, channels and latches for scenarios.
      "$s16RehearsalTesting9AsyncLock", "$s16RehearsalTesting14BoundedChannel",
      "$s16RehearsalTesting5Latch", "$s16RehearsalTesting10Suspension",
      "$s16RehearsalTesting4Gate",
    ]

  static func isOfSystem(_ symbol: String) -> Bool { system.contains(where: symbol.hasPrefix) }

  /// The types for locks of Foundation and of `Synchronization`, without the module.
  private static let lockTypes = [
    "6NSLock", "15NSRecursiveLock", "15NSConditionLock", "11NSCondition", "9NSLocking",
  ]

  /// Returns the module of the extension that a function belongs to; nil if it belongs to none.
  static func moduleOfExtension(_ symbol: String) -> String? {
    guard symbol.hasPrefix("$s"), let text = demangled(symbol) else { return nil }
    let opening = "(extension in "
    guard let range = text.firstRange(of: opening) else { return nil }
    return text[range.upperBound...].firstIndex(of: ")").map { String(text[range.upperBound..<$0]) }
  }

  /// Returns whether a mangled symbol is a function of a library's type for locks.
  static func isOfLockType(_ symbol: String) -> Bool {
    if symbol.hasPrefix("$s15Synchronization") || symbol == "_swift_stdlib_gettid" { return true }
    return symbol.hasPrefix("$s10Foundation")
      && lockTypes.contains { symbol.dropFirst(14).hasPrefix($0) }
  }

  /// Returns whether a mangled symbol belongs to a library, or to a function that the compiler made
  /// to convert between types of closures.
  package static func isOfLibrary(_ symbol: String) -> Bool {
    libraries.contains(where: symbol.hasPrefix) || symbol.hasSuffix("_TR")
      || symbol.hasSuffix("_TRTA")
  }

  /// The modules of Rehearse whose functions call the tested code.
  private static let ownModules = [
    "$s9Exploring", "$s16RehearsalTesting", "$s17TranscriptTesting", "$s12RehearsalKit",
    "$s9Rehearsal", "$s7Loading",
    "$s13RemoteLoading",
    "$s8MockHTTP", "$s7Harness", "$s13RehearsalBase", "$s14URLSessionHTTP", "$s7Testing",
    "$s6XCTest", "$s14MockHTTPServer", "$s13NetworkAccess", "$s13FetchProtocol", "$s7Workers",
    "$s4LibC", "$s6Script", "$s9Timelines", "$s11LineEditing", "$s10Converting",
  ]

  /// Returns whether a mangled symbol belongs to Rehearse.
  static func isOfRehearse(_ symbol: String) -> Bool {
    ownModules.contains(where: symbol.hasPrefix)
  }

  /// Returns whether a mangled symbol is a function that the compiler or a macro made.
  static func isThunk(_ symbol: String) -> Bool {
    guard !symbol.contains("__swiftmacro_"), let text = demangled(symbol) else { return true }
    // The arguments of a specialization name other functions.
    return [" thunk ", "partial apply ", "outlined ", " protocol witness "].contains(
      where: (" " + function(text)).contains
    )
  }

  /// Returns whether a mangled symbol is a function that calls a function by a protocol, or that a protocol calls.
  static func callsProtocol(_ symbol: String) -> Bool {
    guard let text = demangled(symbol).map({ function($0) }) else { return false }
    return ["dispatch thunk of ", "protocol witness for "].contains(where: text.hasPrefix)
  }

  static func isClosure(_ symbol: String) -> Bool {
    demangled(symbol).map { isClosure(function($0)) } ?? false
  }

  private static func isClosure(_ text: Substring) -> Bool {
    text.hasPrefix("closure #") || text.hasPrefix("implicit closure #")
  }

  /// "(1) suspend resume partial function for closure #1 () -> () in App.Model.refresh() -> ()" without the beginning, and
  /// "generic specialization <Swift.Int> of App.load<A>(A) -> ()" without that of the optimiser.
  private static func function(_ demangled: String) -> Substring {
    var text =
      demangled.lastRange(of: " function for ").map { demangled[$0.upperBound...] }
      ?? demangled[...]
    if text.hasPrefix("merged ") { text = text.dropFirst("merged ".count) }
    let kind = text.prefix { $0 != "<" && $0 != "(" }
    // The arguments of a specialization may have such ends, too, so the last one counts.
    guard kind.hasSuffix("specialization "), let end = text.lastRange(of: "> of ") else {
      return text
    }
    return text[end.upperBound...]
  }

  /// Returns the type and the base name of a mangled symbol: `Model.refresh()`. A closure gets the
  /// name of the function that contains it.
  static func short(_ symbol: String) -> String {
    guard let text = demangled(symbol) else { return symbol + "()" }
    return short(demangled: text)
  }

  package static func short(demangled: String) -> String {
    let all = withoutPrivateScopes(demangled)
    var text = function(all)
    if isClosure(text), let range = text.lastRange(of: " in ") {
      text = text[range.upperBound...]
    }
    // "load #1 () -> () in App.Model.refresh() -> ()" is a function in a function.
    if let number = text.firstRange(of: " #"),
      !text[..<number.lowerBound].contains(where: { " (".contains($0) }),
      text[number.upperBound...].first?.isNumber == true
    {
      return "\(text[..<number.lowerBound])()"
    }
    if text.hasPrefix("static ") { text = text.dropFirst(7) }
    // "(extension in App):Swift.Array.load(Swift.Int) -> ()"
    if text.hasPrefix("(extension in "), let colon = text.firstIndex(of: ":") {
      text = text[text.index(after: colon)...]
    }
    // "App.Model.value.getter : Swift.Int"
    if let colon = text.firstRange(of: " : ") { text = text[..<colon.lowerBound] }
    let hasParameters = text.contains("(")
    let plain = withoutGenericArguments(text)
    text = plain.prefix { $0 != "(" }
    if let blank = text.lastIndex(of: " ") { text = text[text.index(after: blank)...] }
    if let dot = text.firstIndex(of: ".") { text = text[text.index(after: dot)...] }
    return hasParameters ? "\(text)()" : String(text)
  }

  /// Removes what is between angle brackets: "Swift.Task<A, B>.sleep<C>(for: C) -> ()" becomes "Swift.Task.sleep".
  private static func withoutGenericArguments(_ text: Substring) -> String {
    var plain = ""
    var depth = 0
    var last: Character = " "
    for character in text {
      if depth == 0, character == "(" { return plain + "(" }
      if character == "<" { depth += 1 }
      if depth == 0 { plain.append(character) }
      if character == ">", last != "-" { depth = max(0, depth - 1) }
      last = character
    }
    return plain
  }

  /// Removes private discriminators: "App.(Model in _E3F…).refresh() -> ()" becomes
  /// "App.Model.refresh() -> ()".
  private static func withoutPrivateScopes(_ demangled: String) -> String {
    var text = ""
    var rest = demangled[...]
    while let scope = rest.firstRange(of: " in _") {
      guard let opening = rest[..<scope.lowerBound].lastIndex(of: "("),
        let closing = rest[scope.upperBound...].firstIndex(of: ")")
      else { break }
      text += rest[..<opening] + rest[rest.index(after: opening)..<scope.lowerBound]
      rest = rest[rest.index(after: closing)...]
    }
    return text + rest
  }

  private static func demangled(_ symbol: String) -> String? {
    guard let text = swiftDemangle(symbol, UInt(symbol.utf8.count), nil, nil, 0) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}

@_silgen_name("swift_demangle") private func swiftDemangle(
  _ name: UnsafePointer<CChar>,
  _ length: UInt,
  _ output: UnsafeMutablePointer<CChar>?,
  _ outputSize: UnsafeMutablePointer<UInt>?,
  _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

extension StringProtocol where SubSequence == Substring {
  fileprivate func lastRange(of text: String) -> Range<Index>? {
    var last: Range<Index>?
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      last = range
      rest = rest[range.upperBound...]
    }
    return last
  }
}
