@testable import Rehearsal

/// Random commands for one member, `x`, of every kind that the shell has.
struct RandomSession {
  let isProcess: Bool
  private var random: SeededRandom

  init(seed: UInt64, isProcess: Bool) {
    random = SeededRandom(seed: seed)
    self.isProcess = isProcess
  }

  mutating func commands(_ count: Int, policy: String) -> [String] {
    let family = isProcess ? "process" : "loadable"
    return ["\(family) x policy \(policy)"] + (0..<count).map { _ in command() } + ["settle"]
  }

  private mutating func command() -> String {
    switch number(to: 14) {
    case 1: "cancel x"
    case 2: "reset x"
    case 3: "set x " + one(of: isProcess ? Self.processStates : Self.states)
    case 4: "cancel x caller"
    case 5...8: "wait \(number(to: 40))ms"
    default: start()
    }
  }

  private static let states = ["loaded 1", "absent", "loading", "error \"e\""]
  private static let processStates = ["finished", "idle", "running", "failed \"e\""]

  private mutating func start() -> String {
    let answer = answer()
    var text = (isProcess ? "run x " : "load x ") + answer
    if !answer.hasSuffix("never") { text += " after \(number(to: 30))ms" }
    if chance(40) { text += " silently" }
    if chance(25) {
      text += " uncancellable"
    } else if chance(20) {
      text += " on cancel " + one(of: (isProcess ? [] : ["1"]) + ["fail \"e\"", "cancelling"])
    }
    if chance(25) { text += " awaited" + (chance(20) ? " cancelled" : "") }
    return text + interrupts()
  }

  private mutating func answer() -> String {
    let endings = ["fail \"e\"", "cancelling", "resetting", "never"]
    if isProcess { return one(of: endings + ["", ""]) }
    return chance(30) ? yields() : one(of: endings + ["1", "1", "fail \"e\""])
  }

  private mutating func yields() -> String {
    if chance(10) { return "yielding nothing" }
    let yields = (0..<number(to: 3)).map { _ in
      one(of: ["1", "absent", "loading", "error \"e\""])
        + (chance(80) ? " after \(number(to: 9))ms" : "")
    }
    return "yielding " + yields.joined(separator: ", ")
      + one(of: ["", "", " then fail \"e\"", " then cancelling", " then never"])
  }

  private mutating func interrupts() -> String {
    if chance(25) { return " timeout \(number(to: 20))ms" }
    guard chance(15) else { return "" }
    let errors =
      isProcess
      ? ["cancellation", "CancelProcess", "ResetProcess"]
      : ["cancellation", "CancelLoadable", "ResetLoadable"]
    return " interrupt after \(number(to: 20))ms throw " + one(of: errors)
  }

  // MARK: Randomness

  private mutating func number(to last: Int) -> Int { Int.random(in: 1...last, using: &random) }
  private mutating func chance(_ percent: Int) -> Bool { number(to: 100) <= percent }
  private mutating func one(of words: [String]) -> String { words[number(to: words.count) - 1] }
}
