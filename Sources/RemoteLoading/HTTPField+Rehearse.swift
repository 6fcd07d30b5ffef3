public import HTTPTypes

extension HTTPField.Name {
  /// Who asks a mock on a socket, for routes that are there only for them: `Rehearse-Member: posts`.
  public static let rehearseMember = named("Rehearse-Member")
}

extension HTTPField.Name {
  /// A name that is known to be one.
  private static func named(_ name: String) -> HTTPField.Name {
    guard let field = HTTPField.Name(name) else {
      preconditionFailure("'\(name)' is the name of a header field.")
    }
    return field
  }
}
