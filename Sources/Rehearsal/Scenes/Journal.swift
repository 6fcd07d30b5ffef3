/// A log for messages of a scene's code: one line each, with the time at the beginning.
///
/// Messages from before the end of the setup are dropped.
@MainActor public final class Journal {
  let name: String
  var take: ((String) -> Void)?

  init(name: String) {
    self.name = name
  }

  /// Prints a message on one line. Control characters are escaped.
  public func note(_ text: String) { take?(text) }
}
