import Rehearsal

extension Scene {
  static let moviesFutures = Scene(
    "movies-futures",
    "A Future and a Deferred one: when their closure runs, how often, and for whom.",
    details: [
      "'futures.make KIND [OUTCOME] [SEED]' makes a publisher: KIND is future or deferred, OUTCOME is draws or fails. Its closure draws a number from 1 to 100 by chance, of SEED (0 unless you say so), or fails, after 1s either way. 'futures.subscribe [RETRIES]' subscribes to the publisher made last, with 'retry(RETRIES)' if that is more than 0, and 'futures.leave N' ends the subscription number N.",
      "A Future's closure runs at once, whether anybody subscribes or not, and once: all get the one number, those who come late at once. Nobody gets it twice, and who leaves before never. A Deferred one's runs for each subscriber when it comes. So a retry runs it again, and has no effect on a Future.",
    ]
  ) { scene in
    let desk = NumberDesk(clock: scene.clock, log: scene.journal("drawing").note)
    scene.property("drawing.runs", of: desk.drawing, \.runCount)
    scene.command(
      "futures.make",
      "Makes a publisher of a number.",
      .choice("KIND"),
      .choice("OUTCOME").defaulting(to: .draws),
      .integer("SEED", in: 0...Int.max).defaulting(to: 0)
    ) { (kind: NumberDesk.Kind, outcome: NumberDesk.Outcome, seed: Int) in
      desk.make(kind, outcome, seed: UInt64(seed))
    }
    scene.command(
      "futures.subscribe",
      "Subscribes to the publisher made last.",
      .integer("RETRIES", in: 0...100).defaulting(to: 0)
    ) { try desk.subscribe(retries: $0) }
    scene.command("futures.leave", "Ends a subscription.", .integer("N", in: 1...1_000_000)) {
      desk.leave($0)
    }
  }
}
