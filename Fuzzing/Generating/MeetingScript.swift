/// Generates sessions with many events at one instant, so that many orders are possible.
struct MeetingScript {
  /// The members on the stage, and the commands for them.
  private struct Cast {
    let setup: [[String]]
    let moves: [String]
    /// The time of the commands that are not performed immediately.
    let later: String
  }

  private static let casts = [
    Cast(
      setup: [loadable("a"), ["loadable b"]],
      moves: loads.map { "load a " + $0 } + ["load b 1 after 100ms"]
        + ["cancel", "cancel", "reset", "retry", "show", "forget"].map { $0 + " a" }
        + ["set a loaded 9", "expect a attempts at most 1", "policy a ignore", "list"],
      later: "100ms"
    ),
    Cast(
      setup: [loadable("a"), ["route /x \(answers[0])"]],
      moves: tries.map { "load a " + $0 } + ["cancel a", "inject http 100% 503"]
        + ["inject a \"i\"", "inject a \"i\"", "inject a http 503"],
      later: "100ms"
    ),
    Cast(
      setup: [loadable("a"), ["loadable b"], routes("/x"), routes("/y")],
      moves: ["a", "b"].flatMap { name in requests.map { "load \(name) " + $0 } }
        + ["requests", "release", "hold", "route /x 404", "cancel a", "inject http 100% 503"],
      later: "100ms"
    ),
    Cast(
      setup: [loadable("a"), ["route /x \(answers[0])"]],
      moves: [
        "load a from /x", "load a from /x", "load a from /x retry 1", "load a 2", "retry a",
        "requests", "requests", "hold /x", "release", "route /x 404", "timeline", "forget route 1",
      ],
      later: "100ms"
    ),
    Cast(
      setup: [["process p", "process p policy parallel"], ["loadable b"], routes("/x")],
      moves: (runs + requests).map { "run p " + $0 }
        + ["cancel p", "reset p", "load b 1 after 100ms"],
      later: "100ms"
    ),
    Cast(
      setup: [["input d", "input d = 0"], routes("/x"), operators.map { "pipe e = d | " + $0 }],
      moves: [
        "enter d 1", "enter d 2", "enter d 3", "set d finished", "set d failed \"x\"", "cancel e",
        "release", "hold /x", "route /x 404", "inject http 100% 503",
      ],
      later: "100ms"
    ),
    Cast(
      setup: [["publisher s = load 1 or fail \"x\" after 100ms | share"], operators.map(joined)],
      moves: ["pipe f = s", "pipe g = s | delay 100ms", "cancel e", "pipe h = just 1", "cancel f"],
      later: "100ms"
    ),
    Cast(
      setup: [["scene zoo-search"], ["route GET /search 200 json [] after 1s", "now"]],
      moves: ["search \"x\"", "release", "route GET /search 503", "hold GET /search", "requests"],
      later: "1s"
    ),
    Cast(
      setup: [["scene zoo-account"]],
      moves: ["appear", "log-out", "route GET /me 404", "inject http 100% 503", "release", "hold"],
      later: "1s"
    ),
    Cast(
      setup: [["scene playground"]],
      moves: ["buggy", "fixed"].flatMap { name in
        ["load", "cancel", "retry"].map { $0 + " \(name).headline" }
          + ["\(name).headline.answer failure", "\(name).headline.answer success"]
      },
      later: "1s"
    ),
    Cast(
      setup: [["scene processed"]],
      moves: [
        "basic.load", "basic.cancel", "basic.reset", "refreshable.appear", "refreshable.refresh",
        "shared.press save", "shared.press delete", "simple.succeed", "simple.fail", "simple.reset",
        "class.basic.load", "class.basic.cancel", "cancel basic.numbers",
      ],
      later: "2s"
    ),
    Cast(
      setup: [["scene github"]],
      moves: [
        "paste \"ann\"", "paste \"bob\"", "route GET /users/bob 404 after 300ms",
        "inject http 100% 503",
      ],
      later: "300ms"
    ),
  ]

  private static func loadable(_ name: String) -> [String] {
    ["", " policy parallel", " policy processed", " policy ignore", " policy queue"]
      .map { "loadable \(name)\($0)" }
  }

  private static func routes(_ path: String) -> [String] { answers.map { "route \(path) \($0)" } }

  private static func joined(_ operators: String) -> String { "pipe e = s | " + operators }

  private static let answers = [
    "200 json 1 after 100ms", "200 json 2", "200 json 3 or 503 after 100ms", "503, 200 json 4",
    "200 json 5 or reset", "200 json 6 or 404", "301 to /y", "never",
    "404 or 503 after 100ms",
  ]
  private static let loads = [
    "1 after 100ms", "2 after 100ms uncancellable", "3 after 200ms on cancel 4",
    "4 after 100ms awaited",
    "yielding 1 after 100ms, 2 after 100ms", "never timeout 100ms", "5 or 6 after 100ms",
    "7 after 200ms interrupt after 100ms, 100ms", "8 after 100ms interrupt after 100ms",
    "9 after 200ms interrupt after 100ms do cancel a", "1 after 100ms timeout 100ms",
    "1 failing \"b\" times 1 retry 1 backoff 100ms", "fail \"e\" after 100ms retry 1 timeout 100ms",
  ]
  private static let runs = [
    "after 100ms", "after 100ms uncancellable", "after 100ms awaited",
    "after 200ms on cancel fail \"c\"",
    "never timeout 100ms", "after 200ms interrupt after 100ms, 100ms", "after 100ms timeout 100ms",
    "after 200ms interrupt after 100ms do cancel p", "fail \"e\" after 100ms retry 1",
    "failing \"b\" times 1 retry 1 backoff 100ms",
  ]
  private static let tries = [
    "fail \"e\" after 100ms retry 1", "1 after 100ms failing \"b\" times 1 retry 1",
    "yielding 1 after 100ms, 2 after 100ms",
    "1 after 100ms failing \"b\" times 1 retry 2 uncancellable",
    "fail \"e\" after 100ms retry 1 backoff 100ms", "from /x retry 1", "1 after 100ms",
  ]
  private static let requests = [
    "from /x", "from /x", "from /y", "from /x timeout 100ms", "from /y retry 1", "from /y awaited",
    "from /x or fail \"z\"", "from /x interrupt after 100ms", "from /x after 100ms",
    "from /x uncancellable",
  ]
  private static let operators = [
    "debounce 100ms", "delay 100ms", "throttle 100ms", "timeout 100ms", "map \"{value}\"",
    "map (load from /x) | switchToLatest", "flatMap load \"{value}\" after 100ms",
    "flatMap max 1 load 1 or fail \"x\" after 100ms", "flatMap (load from /x | replaceError 0)",
    "delay 100ms | debounce 100ms", "map load 1 after 100ms | switchToLatest | retry 1",
    "merge (just 1 | delay 100ms)", "combineLatest (load 1 after 100ms)",
    "zip (load 1 or 2 after 100ms)", "catch (load 1 after 100ms)", "share", "collect",
    "receive on main", "receive on background", "subscribe on main", "collect 100ms",
    "collect 2 | receive on background", "prepend load 1 after 100ms",
    "append (just 1 | delay 100ms)", "prefix until (just 0 | delay 100ms)",
    "drop until (load 0 or fail \"x\" after 100ms)",
    "buffer 1 | flatMap max 1 load \"{value}\" after 100ms",
    "merge (timer 100ms | prefix 2)", "tryMap fail \"x\" if == 2", "mapError \"y\"",
    "scan list from []", "reduce sum", "count", "prefix while < 3", "drop while < 2",
    "first where > 1", "compactMap", "replaceNil 0", "replaceEmpty 0", "handleEvents",
  ]

  /// Generates one session.
  static func compose(_ random: inout Randomness) -> String {
    let cast = random.pick(casts)
    var lines = cast.setup.map { random.pick($0) }
    for _ in 0...random.below(2) { lines.append(random.pick(cast.moves)) }
    for _ in 0...random.below(3) {
      lines.append("in \(cast.later) " + random.pick(cast.moves))
    }
    return (lines + ["settle"]).joined(separator: "\n")
  }

  /// Generates one session with assertions, which may hold or not.
  static func composeAsserting(_ random: inout Randomness) -> String {
    var lines = [random.pick(loadable("a")), "loadable b"]
    for _ in 0...random.below(3) { lines.append(runAssertion(&random)) }
    for name in ["a", "b", random.pick(["a", "b"])] {
      lines.append("load \(name) " + random.pick(assertedLoads))
    }
    for _ in 0...random.below(4) { lines.append("in 100ms " + expectation(&random)) }
    for _ in 0...random.below(3) {
      lines.append(
        random.pick(["wait 100ms", expectation(&random), runAssertion(&random), "cancel a"])
      )
    }
    return (lines + ["settle"]).joined(separator: "\n")
  }

  private static let assertedLoads =
    loads + [
      "1 or fail \"x\" after 100ms", "fail \"x\" after 100ms", "2 after 100ms",
      "3 after 0s to 200ms",
    ]

  private static func state(_ random: inout Randomness) -> String {
    random.pick(["a ", "b "])
      + random.pick(["error", "loaded", "loaded 1", "loading", "error \"x\"", "absent"])
  }

  private static func runAssertion(_ random: inout Randomness) -> String {
    let rule = random.pick(["never ", "never ", "always ", "eventually "]) + state(&random)
    return rule.hasPrefix("eventually") && random.once(in: 2) ? rule + " within 100ms" : rule
  }

  private static func expectation(_ random: inout Randomness) -> String {
    random.once(in: 4) ? "expect a attempts at most 1" : "expect " + state(&random)
  }
}
