import Observation
import Pipelines
import Staging

/// An exercise about debounce: words are typed, and the text counts after a second without typing.
@MainActor @Observable package final class TypedWords {
  /// The last word before each pause.
  private(set) var debounced = ""
  /// All words before each pause.
  private(set) var accumulated = ""

  @ObservationIgnored private let words = OrderedSubject<String, Never>()
  @ObservationIgnored private var subscriptions: Set<AnyCancellable> = []

  package static let sample: [(word: String, at: Duration)] = [
    ("I", .milliseconds(100)), ("Love", .milliseconds(200)), ("SwiftUI", .milliseconds(500)),
    ("And", .milliseconds(1600)), ("Combine", .milliseconds(2000)),
  ]

  init(on scheduler: StageScheduler) {
    words
      .debounce(for: .seconds(1), scheduler: scheduler)
      .sink { [unowned self] in debounced = $0 }
      .store(in: &subscriptions)
    words
      .scan("", +)
      .debounce(for: .seconds(1), scheduler: scheduler)
      .sink { [unowned self] in accumulated = $0 }
      .store(in: &subscriptions)
  }

  /// Types the words of the exercise at their times.
  func typeSample() async throws {
    var now = Duration.zero
    for (word, instant) in Self.sample {
      try await Task.sleep(for: instant - now)
      now = instant
      words.send(word)
    }
  }
}
