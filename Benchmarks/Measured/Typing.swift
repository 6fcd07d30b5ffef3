import Pipelines
import Rehearsal
import Scenes
import Staging

extension Benchmark {
  /// Keys that are typed into the field of the scene `github`, with all effects.
  static let typing = Benchmark(name: "typing") {
    Table.print(
      Row(
        what: "10,000 inputs typed through the scene github",
        samples: Samples.seconds { typeInSession() },
        unit: .seconds,
        goal: .atMost(1),
        floor: Row.Floor(
          what: "the same keys through a bare throttle and removeDuplicates",
          samples: Samples.seconds { typeIntoPipeline() }
        )
      )
    )
  }

  /// A thousand names of ten keys each.
  private static let nameCount = 1_000

  private static func name(_ number: Int) -> String { "u\(100_000_000 + number)" }

  private static func typeInSession() {
    let lines = LineCount()
    let host = SessionHost(files: MemoryFiles(), scenes: Scenes.all) { _ in lines.count += 1 }
    host.perform("scene github")
    for number in 0..<nameCount {
      host.perform("type \(name(number))")
      host.perform("settle")
    }
    host.end()
    precondition(lines.count > nameCount * 20, "Keys and their effects print lines.")
  }

  private static func typeIntoPipeline() {
    let stage = Stage()
    let subscription = stage.enter {
      let keys = PassthroughSubject<String, Never>()
      type(into: keys, on: stage)
      return
        keys
        .throttle(for: .milliseconds(500), scheduler: StageScheduler(stage), latest: true)
        .removeDuplicates()
        .sink { _ in }
    }
    stage.settle()
    subscription.cancel()
  }

  @MainActor private static func type(
    into keys: PassthroughSubject<String, Never>,
    on stage: Stage
  ) {
    for number in 0..<nameCount {
      let name = name(number)
      for (place, index) in name.indices.enumerated() {
        let time = Duration.milliseconds(1_500 * number + 100 * place)
        stage.schedule(at: StageInstant(elapsed: time)) { keys.send(String(name[...index])) }
      }
    }
  }
}

@MainActor private final class LineCount {
  nonisolated(unsafe) var count = 0  // Only used by the benchmark's thread.

  nonisolated init() {}
}
