#if canImport(Testing)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import RehearsalBase
import Testing

/// The declaration of a test function in its source file, which shows whether the test is `async`. Swift Testing does
/// not say that.
struct TestDeclaration {
  let isAsync: Bool

  /// Parses the first function that is declared at a place or after it; nil if there is none.
  ///
  /// - Parameters:
  ///   - text: the source file.
  ///   - line: the line, counted from 1.
  ///   - column: the byte in the line, counted from 1.
  init?(in text: [UInt8], line: Int, column: Int = 1) {
    let source = SwiftTokens(text)
    let tokens = source.tokens
    /// Returns the next token that is not within parentheses, brackets or braces, except from within those around it.
    func index(of text: String, after start: Int) -> Int? {
      var index = start
      while index < tokens.count {
        if tokens[index].text == text { return index }
        index = ("([{".contains(tokens[index].text) ? source.closing(index) ?? index : index) + 1
      }
      return nil
    }
    let isAtOrAfter = { (token: SwiftTokens.Token) in
      guard token.line == line else { return token.line > line }
      let start = text[..<token.bytes.lowerBound].lastIndex(of: UInt8(ascii: "\n")) ?? -1
      return token.bytes.lowerBound - start >= column
    }
    guard let first = tokens.firstIndex(where: isAtOrAfter),
      let function = index(of: "func", after: first),
      let parameters = index(of: "(", after: function),
      let end = source.closing(parameters), end + 1 < tokens.count
    else { return nil }
    isAsync = tokens[end + 1].text == "async"
  }

  /// Reads the declaration of a test; nil if its file is not on this machine.
  init?(of test: Test) {
    let place = test.sourceLocation
    guard let source = try? Data(contentsOf: URL(filePath: place.filePath)) else { return nil }
    self.init(in: Array(source), line: place.line, column: place.column)
  }
}
#endif
