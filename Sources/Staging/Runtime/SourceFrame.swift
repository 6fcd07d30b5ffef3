import CVirtualTime

/// A function with its file and line, as reports write it: `Model.refresh() at Model.swift:14`.
package struct SourceFrame: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The type and the name: `Model.refresh()`, `closure in Model.start()`.
  package let function: String
  /// The name of the file, without folders; nil without debug information.
  package let file: String?
  /// The line, counted from 1.
  package let line: Int?
  /// The next line of the function, which need not run after this one; nil if unknown.
  package let nextLine: Int?

  /// The function and its place: `Model.refresh() at Model.swift:14`.
  package var description: String { place.map { "\(function) at \($0)" } ?? function }

  package var place: String? {
    file.map { file in line.map { "\(file):\($0)" } ?? file }
  }
}

/// Functions of the tested code that did something, for readers.
package struct SourceStack: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The innermost function, and the one outside of it that has a line, if the innermost has none.
  package let frames: [SourceFrame]

  /// Nil if no function of the tested code is at the addresses.
  init?(at addresses: [UInt]) {
    let all = StackFunction.frames(at: addresses)
    guard let first = all.first else { return nil }
    let caller = first.line == nil ? all.first { $0.line != nil } : nil
    frames = [first] + (caller.map { [$0] } ?? [])
  }

  package var description: String {
    frames.map(\.description).joined(separator: ", called in ")
  }
}

extension SourceFrame {
  /// Finds a method without parameters of a class or of its superclasses, by the symbols and the debug information of the
  /// executable; nil if it is not there, or if several classes have the name.
  package init?(ofMethod method: String, of type: AnyClass) {
    for type in sequence(first: type, next: { _getSuperclass($0) }) {
      let search = MethodSearch(method, of: type)
      guard !search.addresses.isEmpty else { continue }
      guard search.addresses.count == 1,
        let frame = StackFunction.frames(at: [search.addresses[0] + 1], isFull: true).first,
        frame.line != nil
      else { return nil }
      self = frame
      return
    }
    return nil
  }
}

private final class MethodSearch {
  /// The class and the method, as `SymbolName` writes them.
  private let name: String
  private(set) var addresses: [UInt] = []

  init(_ method: String, of type: AnyClass) {
    // The name of a private class has an address: `App.(unknown context at $7f00).Model`.
    let scopes = String(reflecting: type).split(separator: ".").filter { !$0.hasPrefix("(") }
    name = (scopes.dropFirst() + ["\(method)()"]).joined(separator: ".")
    guard let module = scopes.first else { return }
    cvt_find_functions("$s\(module.utf8.count)\(module)", Unmanaged.passUnretained(self).toOpaque())
    {
      context,
      symbol,
      address,
      _ in
      guard let context, let symbol else { return }
      Unmanaged<MethodSearch>.fromOpaque(context).takeUnretainedValue()
        .look(at: String(cString: symbol), address)
    }
  }

  private func look(at symbol: String, _ address: UInt) {
    // Other symbols with the same name belong to its closures and to the rest of an async function.
    guard symbol.hasSuffix("F"), SymbolName.short(symbol) == name else { return }
    addresses.append(address)
  }
}
