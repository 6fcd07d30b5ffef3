import Staging

/// Types into a field of an app, key by key.
@MainActor final class Keyboard {
  private let stage: Stage
  private var keys: [Scheduled] = []

  init(on stage: Stage) {
    self.stage = stage
  }

  /// Leaves one character more of the text in the field at each key, the first at once. What was still
  /// to be typed is not typed any more.
  func type(
    _ text: String,
    every interval: Duration,
    into field: @escaping @MainActor (String) -> Void
  ) {
    for key in keys { key.cancel() }
    let now = stage.now
    keys = text.indices.enumerated().map { number, index in
      stage.schedule(at: now.advanced(by: interval * number)) {
        field(String(text[...index]))
      }
    }
  }
}
