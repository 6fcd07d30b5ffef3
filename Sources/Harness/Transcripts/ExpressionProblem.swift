/// Why the text between `{{` and `}}` is not a supported regular expression.
package enum ExpressionProblem: Error, Equatable {
  case unsupported(String)
  case unclosed(String)
  case unexpected(String)
  case badRange(String)
  case tooLarge

  var sentence: String {
    switch self {
    case .unsupported(let what): "'\(what)' is not supported in an expression"
    case .unclosed(let what): "'\(what)' is never closed"
    case .unexpected(let what): "'\(what)' is unexpected here"
    case .badRange(let what): "'\(what)' is a range that ends before it begins"
    case .tooLarge: "the expression is too large"
    }
  }
}
