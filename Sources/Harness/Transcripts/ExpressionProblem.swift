/// Why a text between `{{` and `}}` is no regular expression that this harness understands.
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
    case .unexpected(let what): "'\(what)' has nothing to stand for here"
    case .badRange(let what): "'\(what)' runs backwards"
    case .tooLarge: "the expression is too large"
    }
  }
}
