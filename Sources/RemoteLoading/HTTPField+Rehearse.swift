public import HTTPTypes

/// Names the header field `Rehearse-Member`, which tells a mock on a socket who sends a request.
extension HTTPField.Name {
  /// The member that sends a request to a mock on a socket, for routes with a scope:
  /// `Rehearse-Member: posts`.
  public static let rehearseMember = named("Rehearse-Member")
}

extension HTTPField.Name {
  /// Returns the field name, which must be valid.
  private static func named(_ name: String) -> HTTPField.Name {
    guard let field = HTTPField.Name(name) else {
      preconditionFailure("'\(name)' must be a valid header field name.")
    }
    return field
  }
}
