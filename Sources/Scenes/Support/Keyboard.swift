import Staging

/// A keyboard that types into an app's field, key by key.
@MainActor final class Keyboard {
  private let stage: Stage
  private var keys: [Scheduled] = []

  init(on stage: Stage) {
    self.stage = stage
  }

  /// Types a text: each key adds one character, the first one immediately. Typing another text
  /// replaces the rest of the previous one.
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
