import Rehearsal

extension Scene {
  static let moviesFutures = Scene(
    "movies-futures",
    "A Future and a Deferred Future: when and how often their closures run.",
    details: [
      "'futures.make KIND [OUTCOME] [SEED]' makes a publisher: KIND is future or deferred, OUTCOME is draws or fails. After 1s, its closure draws a random number from 1 to 100, with SEED (0 by default), or fails. 'futures.subscribe [RETRIES]' subscribes to the latest publisher, with 'retry(RETRIES)' if that is more than 0, and 'futures.leave N' ends the subscription number N.",
      "A Future's closure runs immediately and once, with or without subscribers: all subscribers get the same number, late ones immediately. A Deferred's closure runs for each subscriber, when it subscribes. So a retry runs it again, but has no effect on a Future.",
    ]
  ) { scene in
    let console = NumberConsole(clock: scene.clock, log: scene.journal("drawing").note)
    scene.property("drawing.runs", of: console.drawing, \.runCount)
    scene.command(
      "futures.make",
      "Makes a publisher of a number.",
      .choice("KIND"),
      .choice("OUTCOME").defaulting(to: .draws),
      .integer("SEED", in: 0...Int.max).defaulting(to: 0)
    ) { (kind: NumberConsole.Kind, outcome: NumberConsole.Outcome, seed: Int) in
      console.make(kind, outcome, seed: UInt64(seed))
    }
    scene.command(
      "futures.subscribe",
      "Subscribes to the latest publisher.",
      .integer("RETRIES", in: 0...100).defaulting(to: 0)
    ) { try console.subscribe(retries: $0) }
    scene.command("futures.leave", "Ends a subscription.", .integer("N", in: 1...1_000_000)) {
      console.leave($0)
    }
  }
}
