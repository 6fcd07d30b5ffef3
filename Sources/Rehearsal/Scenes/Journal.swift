/// Where code of a scene writes what it has to say: a line each, with the time in front.
///
/// Lines appear once the scene is set up; what was said before that is not kept.
@MainActor public final class Journal {
  let name: String
  var take: ((String) -> Void)?

  init(name: String) {
    self.name = name
  }

  /// Says something, on one line. Control characters are escaped.
  public func note(_ text: String) { take?(text) }
}
