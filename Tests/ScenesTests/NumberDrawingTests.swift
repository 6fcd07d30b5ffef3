import Pipelines
import Staging
import Testing

@testable import Scenes

@Suite struct NumberDrawingTests {
  @Test func `a Future draws once and immediately, a Deferred for each subscriber`() {
    let lines = SceneStage.play { scene in
      let drawing = NumberDrawing(clock: scene.stage.clock, seed: 1, log: scene.note)
      let future = drawing.future()
      scene.note("future made")
      let deferred = drawing.deferred()
      scene.note("deferred made")
      let watches = Watches(on: scene.stage)
      scene.at(2_000) {
        for number in 1...2 {
          watches.of(future.assertNoFailure()) { _ in scene.note("future #\(number)") }
          watches.of(deferred.assertNoFailure()) { _ in scene.note("deferred #\(number)") }
        }
      }
      return watches
    }
    .map { $0.replacing(#/draws \d+/#, with: "draws") }
    #expect(
      lines == [
        "0s  run 1 begins", "0s  future made", "0s  deferred made", "1s  run 1 draws",
        "2s  future #1", "2s  run 2 begins", "2s  future #2", "2s  run 3 begins",
        "3s  run 2 draws", "3s  deferred #1", "3s  run 3 draws", "3s  deferred #2",
      ]
    )
  }

  @Test(arguments: [(false, 1), (true, 3)])
  func `a retry runs a Deferred again, and has no effect on a Future`(
    isDeferred: Bool,
    runs: Int
  ) {
    let lines = SceneStage.play { scene in
      let drawing = NumberDrawing(clock: scene.stage.clock, seed: 1) { _ in }
      let number: any Publisher<Int, any Error> =
        isDeferred ? drawing.deferred(failing: true) : drawing.future(failing: true)
      let watches = Watches(on: scene.stage)
      watches.of(number.eraseToAnyPublisher().retry(2).replaceError(with: 0)) { _ in
        scene.note("failed after \(drawing.runCount)")
      }
      watches.kept = [drawing]
      return watches
    }
    #expect(lines == ["\(runs)s  failed after \(runs)"])
  }

  @Test func `a subscriber that leaves early gets nothing, and the closure continues`() {
    let lines = SceneStage.play { scene in
      let drawing = NumberDrawing(clock: scene.stage.clock, seed: 1, log: scene.note)
      let future = drawing.future()
      let subscription = future.assertNoFailure().sink { _ in scene.note("got it") }
      scene.at(500) { subscription.cancel() }
      return drawing
    }
    #expect(lines.count == 2 && lines[1].hasPrefix("1s  run 1 draws"))
  }

  @Test func `the same seed draws the same numbers`() {
    func numbers(_ seed: UInt64) -> [String] {
      SceneStage.play { scene in
        let drawing = NumberDrawing(clock: scene.stage.clock, seed: seed, log: scene.note)
        for _ in 1...5 { _ = drawing.future() }
        return drawing
      }
    }
    #expect(numbers(7) == numbers(7))
    #expect(numbers(7) != numbers(8))
  }
}
