/// Writes the lines of a generated scene and of its tests: a property, a command, a call.
extension RehearsedModel.Member {
  /// The line of the scene that shows the member.
  var line: String {
    let path = "\\.\(property.name)"
    return switch kind {
    case .property: "scene.property(\"\(name)\", of: model, \(path))"
    case .publisher: "scene.property(\"\(name)\", model.$\(property.name))"
    case .loadable: "scene.loadable(\"\(name)\", model.driver(of: \(path)))"
    case .process: "scene.process(\"\(name)\", model.driver(of: \(path)))"
    }
  }
}

extension RehearsedModel.Verb {
  /// The lines of the scene that add the command.
  var line: String {
    let head = ["\"\(name)\"", "\"Calls \(function.signature).\""] + parameters.map(\.scene)
    let needsTypes = parameters.contains(where: \.needsType)
    let list = parameters.map { "\($0.name.asIdentifier): \($0.type)" }.joined(separator: ", ")
    let arguments =
      needsTypes
      ? parameters.map(\.name.asIdentifier) : parameters.indices.map { "$\($0)" }
    let body = (needsTypes ? "(\(list)) in " : "") + statement(arguments)
    return "scene.command(\(head.joined(separator: ", "))) { \(body) }"
  }

  /// A line of a test that calls the method and does not wait for it.
  func testLine(_ arguments: [String]) -> String {
    guard function.isAsync else { return statement(arguments, try: "try?").discarding(function) }
    return "Task { \(statement(arguments, try: "try?")) }"
  }
}

extension String {
  /// Discards the optional result of `try?`.
  fileprivate func discarding(_ function: SwiftFunction) -> String {
    function.isThrowing && !hasPrefix("_ = ") ? "_ = " + self : self
  }

  /// The name, in backticks if it is a keyword.
  var asIdentifier: String { Self.keywords.contains(self) ? "`\(self)`" : self }

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
    "where", "while", "all",
  ]
}
