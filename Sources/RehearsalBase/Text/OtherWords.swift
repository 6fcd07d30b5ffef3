/// The words of other tools and of earlier versions, with what to write instead.
enum OtherWords {
  /// What to write instead of a word.
  struct Meaning {
    /// The word that must be possible at the place.
    let word: String
    /// The proposed text; it may have more than the word.
    let proposal: String

    init(_ word: String, _ proposal: String? = nil) {
      (self.word, self.proposal) = (word, proposal ?? word)
    }
  }

  /// The meanings of a word in lower case. The first that can stand at a place is proposed.
  static let meanings: [String: [Meaning]] = [
    // Earlier versions.
    "stubborn": [Meaning("uncancellable")], "judges": [Meaning("assertions")],
    "judge": [Meaning("assertion")], "allow": [Meaning("disable")],
    "priorities": [Meaning("pct")], "plain": [Meaning("default")],
    // Commands.
    "advance": [Meaning("wait")], "sleep": [Meaning("wait")],
    "assert": [Meaning("expect")], "check": [Meaning("expect")],
    "print": [Meaning("show"), Meaning("handleEvents")], "refresh": [Meaning("load")],
    "reload": [Meaning("load")],
    "create": [Meaning("loadable", "loadable NAME")],
    "new": [Meaning("loadable", "loadable NAME")],
    "make": [Meaning("loadable", "loadable NAME")],
    "let": [Meaning("loadable", "loadable NAME")],
    "fetch": [Meaning("load")], "start": [Meaning("load", "load NAME' or 'run NAME")],
    "get": [Meaning("load", "load NAME from /path")],
    "request": [Meaning("load", "load NAME from /path")],
    "again": [Meaning("retry", "retry NAME")], "repeat": [Meaning("retry", "retry NAME")],
    "time": [Meaning("now")], "drain": [Meaning("settle")], "idle": [Meaning("settle")],
    "until": [Meaning("settle")], "rununtilidle": [Meaning("settle")],
    "flush": [Meaning("settle")],
    "picture": [Meaning("timeline")],
    "fail": [Meaning("inject", "inject NAME ERROR")],
    "throw": [Meaning("inject", "inject NAME ERROR")],
    "state": [Meaning("show")], "status": [Meaning("show")], "inspect": [Meaning("show")],
    "tick": [Meaning("wait")], "elapse": [Meaning("wait")], "forward": [Meaning("wait")],
    "mock": [Meaning("route", "route [METHOD] PATH ANSWER")],
    "stub": [Meaning("route", "route [METHOD] PATH ANSWER")],
    "stop": [Meaning("cancel")], "abort": [Meaning("cancel")],
    "delete": [Meaning("forget")], "remove": [Meaning("forget")],
    "draw": [Meaning("timeline")], "diagram": [Meaning("timeline")],
    "export": [Meaning("save", "save FILE")], "write": [Meaning("save", "save FILE")],
    "permute": [Meaning("explore")], "all": [Meaning("exhaustive")],
    // Clauses.
    "delay": [Meaning("after")], "in": [Meaning("after")], "for": [Meaning("after")],
    "taking": [Meaning("after")],
    "every": [
      Meaning("enter", "enter NAME VALUE, VALUE every D"), Meaning("timer", "timer D"),
    ],
    // Operators of other libraries.
    "switchmap": [Meaning("switchToLatest", "map … | switchToLatest")],
    "mergemap": [Meaning("flatMap")],
    "concatmap": [Meaning("flatMap", "flatMap max 1 (PIPE)")],
    "take": [Meaning("prefix")], "mapto": [Meaning("map", "map VALUE")],
    "distinctuntilchanged": [Meaning("removeDuplicates")],
    "startwith": [Meaning("prepend", "prepend VALUE")],
    "endwith": [Meaning("append", "append VALUE")],
    "concat": [Meaning("append", "append SOURCE")],
    "concatwith": [Meaning("append", "append SOURCE")],
    "takeuntil": [Meaning("prefix", "prefix until SOURCE")],
    "takewhile": [Meaning("prefix", "prefix while [FIELD] == VALUE")],
    "skip": [Meaning("dropFirst", "dropFirst N")],
    "skipuntil": [Meaning("drop", "drop until SOURCE")],
    "skipwhile": [Meaning("drop", "drop while [FIELD] == VALUE")],
    "find": [Meaning("first", "first where [FIELD] == VALUE")],
    "takelast": [Meaning("last")],
    "toarray": [Meaning("collect")], "tolist": [Meaning("collect")],
    "buffercount": [Meaning("collect", "collect N")],
    "buffertime": [Meaning("collect", "collect D")],
    "do": [Meaning("handleEvents")], "tap": [Meaning("handleEvents")],
    "doonnext": [Meaning("handleEvents", "handleEvents output")],
    "dooncancel": [Meaning("handleEvents", "handleEvents cancel")],
    "dooncomplete": [Meaning("handleEvents", "handleEvents completion")],
    "observeon": [Meaning("receive", "receive on main")],
    "subscribeon": [Meaning("subscribe", "subscribe on background")],
    "interval": [Meaning("timer", "timer D")],
    "debouncetime": [Meaning("debounce", "debounce D")],
    "throttletime": [Meaning("throttle", "throttle D first")],
    "throttlefirst": [Meaning("throttle", "throttle D first")],
    "throttlelast": [Meaning("throttle", "throttle D latest")],
    "sample": [Meaning("throttle", "throttle D latest")],
    "audittime": [Meaning("throttle", "throttle D latest")],
    "defaultifempty": [Meaning("replaceEmpty", "replaceEmpty VALUE")],
    "ifempty": [Meaning("replaceEmpty", "replaceEmpty VALUE")],
    "onerrorreturn": [Meaning("replaceError", "replaceError VALUE")],
    "catcherror": [Meaning("catch", "catch VALUE' or 'catch (PIPE)")],
    "onerrorresumenext": [Meaning("catch", "catch (PIPE)")],
    "onerrormap": [Meaning("mapError", "mapError ERROR")],
    "filternil": [Meaning("compactMap")], "ignorenil": [Meaning("compactMap")],
    "unwrap": [Meaning("compactMap")], "mapnotnil": [Meaning("compactMap")],
    "fold": [Meaning("reduce", "reduce OPERATION from VALUE")],
    "aggregate": [Meaning("reduce", "reduce OPERATION from VALUE")],
    "sharereplay": [Meaning("share")], "refcount": [Meaning("share")],
    "multicast": [Meaning("share")], "switchlatest": [Meaning("switchToLatest")],
    "of": [Meaning("values", "values VALUE, VALUE")],
    // Queues.
    "dispatchqueue.main": [Meaning("main")], "runloop.main": [Meaning("main")],
    "operationqueue.main": [Meaning("main")], "mainscheduler": [Meaning("main")],
    "mainactor": [Meaning("main")],
    "dispatchqueue.global": [Meaning("background")], "global": [Meaning("background")],
  ]

  /// What to write instead of a word where one of the candidates can stand; nil if nothing is known.
  static func proposal(for word: String, in candidates: some Sequence<String>) -> String? {
    guard let known = meanings[word.lowercased()] else { return nil }
    let possible = Set(candidates)
    return known.first { possible.contains($0.word) }?.proposal
  }
}
