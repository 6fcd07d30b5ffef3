/// The table of words of other tools and of earlier versions, with what to write instead.
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

    /// The proposed words up to the first name or value that the user chooses; nil if others follow it.
    var literalWords: [String]? {
      let words = proposal.split(separator: " ").map(String.init)
      guard !words.contains(where: { $0.contains { "'/…|".contains($0) } }) else { return nil }
      let literal = words.prefix { word in word.contains { $0.isLowercase || $0.isNumber } }
      let rest = words.dropFirst(literal.count)
      return literal.isEmpty || rest.contains { $0.allSatisfy(\.isLowercase) }
        ? nil : Array(literal)
    }
  }

  /// The words in lower case, with what they mean. A word may be in several rows.
  private static let rows: [(words: String, meanings: [Meaning])] = [
    // Earlier versions.
    ("stubborn", [Meaning("uncancellable")]), ("judges", [Meaning("assertions")]),
    ("judge", [Meaning("assertion")]), ("allow", [Meaning("disable")]),
    ("priorities", [Meaning("pct")]), ("plain", [Meaning("default")]),
    // Members, loads and runs.
    (
      "create new make let var val const declare define def model resource store add",
      [Meaning("loadable", "loadable NAME")]
    ),
    ("task async job mutation spawn", [Meaning("process", "process NAME")]),
    ("fetch refresh reload refetch revalidate", [Meaning("load")]),
    ("logout invalidate expire", [Meaning("reset", "reset NAME")]),
    (
      "progress percent download",
      [Meaning("load", "load NAME yielding VALUE after D, VALUE after D")]
    ),
    (
      "pagination paginate nextpage fetchnextpage loadmore loadnextpage fetchmore infinitescroll",
      [Meaning("load", "load NAME from /path?page=2")]
    ),
    ("start begin", [Meaning("load", "load NAME' or 'run NAME"), Meaning("run")]),
    ("launch execute exec call invoke perform trigger submit", [Meaning("run")]),
    (
      "get curl wget url http open visit navigate request",
      [Meaning("load", "load NAME from /path")]
    ),
    ("post put patch head", [Meaning("load", "load NAME from POST /path")]),
    ("again repeat rerun restart", [Meaning("retry", "retry NAME")]),
    ("stop abort kill halt terminate dispose unsubscribe", [Meaning("cancel")]),
    ("delete remove destroy unset rm", [Meaning("forget")]),
    // Output.
    ("print", [Meaning("show"), Meaning("handleEvents")]),
    (
      "observe describe cat dump what info inspect state status debug puts po value explain p",
      [Meaning("show")]
    ),
    (
      "ls ps members vars env loadables processes names current overview summary tree",
      [Meaning("list")]
    ),
    ("time date elapsed", [Meaning("now")]),
    ("picture draw diagram chart gantt trace lanes render", [Meaning("timeline")]),
    ("graph machine transitions statechart", [Meaning("states")]),
    ("pending inflight tasks jobs stuck backtrace bt threads", [Meaning("waiting")]),
    ("traffic calls network", [Meaning("requests")]),
    ("events logs", [Meaning("log")]),
    ("man docs doc usage commands", [Meaning("help")]),
    ("samples examples demos demo", [Meaning("scenes")]),
    // Time.
    (
      "advance sleep tick elapse forward delay skip jump ff fastforward advanceby "
        + "advancetimersbytime advancetimers pause",
      [Meaning("wait")]
    ),
    (
      "drain idle until rununtilidle flush runall runalltimers runalltasks runpending "
        + "finish complete await untilidle waitforidle",
      [Meaning("settle")]
    ),
    ("next nexttick runonlypendingtimers advancetimerstonexttimer", [Meaning("step")]),
    ("settimeout later after dispatchafter asyncafter", [Meaning("in", "in D COMMAND")]),
    ("back revert rollback", [Meaning("undo")]),
    // Assertions.
    (
      "assert check verify should must ensure require assertequal xctassert xctassertequal "
        + "that",
      [Meaning("expect")]
    ),
    ("waitfor poll", [Meaning("expect", "expect NAME STATE within D")]),
    ("refute", [Meaning("never")]),
    ("invariant", [Meaning("always")]),
    // HTTP, inputs and files.
    (
      "mock stub intercept when given respond reply handle fake server nock",
      [Meaning("route", "route [METHOD] PATH ANSWER")]
    ),
    ("fail throw raise error crash reject break", [Meaning("inject", "inject NAME ERROR")]),
    ("offline disconnect airplane flaky chaos", [Meaning("inject", "inject http 100% reset")]),
    ("online reconnect", [Meaning("inject", "inject http off")]),
    ("slow", [Meaning("route", "route PATH ANSWER after D")]),
    ("listen host", [Meaning("serve")]),
    (
      "emit send push onnext type typing publish dispatch yield",
      [Meaning("enter", "enter NAME VALUE")]
    ),
    (
      "subject passthroughsubject currentvaluesubject publishsubject behaviorsubject "
        + "published textfield stream asyncstream asyncsequence observable signal channel searchable",
      [Meaning("input", "input NAME")]
    ),
    (
      "subscribe sub sink connect stream observable",
      [Meaning("pipe", "pipe NAME = SOURCE | OPERATOR")]
    ),
    ("every", [Meaning("enter", "enter NAME TEXT every D"), Meaning("timer", "timer D")]),
    ("export", [Meaning("save", "save FILE' or 'timeline to FILE"), Meaning("timeline")]),
    ("write snapshot golden", [Meaning("save", "save FILE")]),
    ("include import", [Meaning("source", "source FILE")]),
    ("replay", [Meaning("test", "test FILE")]),
    (
      "permute fuzz race races interleave shuffle stress search bruteforce swap reorder try",
      [Meaning("explore")]
    ),
    ("struct interface typedef schema typealias", [Meaning("shape", "shape NAME {FIELD: TYPE}")]),
    ("bye q", [Meaning("quit")]),
    // Clauses and answers.
    (
      "delay in for latency delayed take taking takes slow slowly later lasting duration",
      [Meaning("after")]
    ),
    (
      "throws throwing throw raises raising raise error errors fails failure reject rejects "
        + "rejected rejecting",
      [Meaning("fail"), Meaning("error"), Meaning("failed")]
    ),
    ("retries retrying tries", [Meaning("retry")]),
    ("hang hangs hanging forever pending infinite", [Meaning("never")]),
    (
      "yields emits emitting streaming sequence",
      [Meaning("yielding", "yielding VALUE after D, VALUE after D")]
    ),
    (
      "then",
      [
        Meaning("yielding", "yielding VALUE after D, VALUE after D"),
        Meaning("after", "load NAME yielding VALUE after D, VALUE after D"),
      ]
    ),
    ("before under inside", [Meaning("within")]),
    ("quietly silent", [Meaning("silently")]),
    ("noncancellable uncancelable noncancelable", [Meaning("uncancellable")]),
    ("timesout timeoutinterval timeoutseconds", [Meaning("timeout")]),
    ("qos", [Meaning("priority")]),
    ("exponential", [Meaning("backoff", "backoff D")]),
    ("url uri", [Meaning("from")]),
    ("maximum max atmost", [Meaning("at", "at most N")]),
    ("all", [Meaning("exhaustive")]),
    ("offline unreachable down", [Meaning("refused")]), ("timeout", [Meaning("never")]),
    ("body", [Meaning("text")]),
    // States.
    ("tobe toequal equals equal eq is", [Meaning("loaded")]),
    (
      "success succeeded done ready ok complete completed resolved fulfilled available",
      [Meaning("loaded"), Meaning("finished")]
    ),
    (
      "isloading inflight busy fetching pending waiting inprogress isrunning active "
        + "executing",
      [Meaning("loading"), Meaning("running")]
    ),
    (
      "nil null none empty undefined notloaded initial unset missing isempty",
      [Meaning("absent"), Meaning("idle")]
    ),
    ("isloaded", [Meaning("loaded")]),
    ("iserror errored failure failing", [Meaning("error"), Meaning("failed")]),
    ("count calls called loads starts callcount", [Meaning("attempts")]),
    // Policies.
    ("replace switch cancelprevious takelatest mostrecent restart", [Meaning("latest")]),
    ("exhaust drop takefirst takeleading skip", [Meaning("ignore")]),
    ("dedupe deduplicate coalesce single share", [Meaning("join")]),
    ("serial sequential serialize enqueue", [Meaning("queue")]),
    ("concurrent unlimited", [Meaning("parallel")]),
    // Operators of other libraries.
    ("switchmap", [Meaning("switchToLatest", "map … | switchToLatest")]),
    ("mergemap", [Meaning("flatMap")]),
    ("concatmap", [Meaning("flatMap", "flatMap max 1 (PIPE)")]),
    ("take", [Meaning("prefix")]),
    ("mapto", [Meaning("map", "map VALUE")]),
    ("distinctuntilchanged distinct unique uniq", [Meaning("removeDuplicates")]),
    ("startwith", [Meaning("prepend", "prepend VALUE")]),
    ("endwith", [Meaning("append", "append VALUE")]),
    ("concat concatwith", [Meaning("append", "append SOURCE")]),
    ("takeuntil", [Meaning("prefix", "prefix until SOURCE")]),
    ("takewhile", [Meaning("prefix", "prefix while [FIELD] == VALUE")]),
    ("skip", [Meaning("dropFirst", "dropFirst N")]),
    ("skipuntil", [Meaning("drop", "drop until SOURCE")]),
    ("skipwhile", [Meaning("drop", "drop while [FIELD] == VALUE")]),
    ("find", [Meaning("first", "first where [FIELD] == VALUE")]),
    ("takelast", [Meaning("last")]),
    ("toarray tolist", [Meaning("collect")]),
    ("buffercount", [Meaning("collect", "collect N")]),
    ("buffertime", [Meaning("collect", "collect D")]),
    ("do tap", [Meaning("handleEvents")]),
    ("doonnext", [Meaning("handleEvents", "handleEvents output")]),
    ("dooncancel", [Meaning("handleEvents", "handleEvents cancel")]),
    ("dooncomplete", [Meaning("handleEvents", "handleEvents completion")]),
    ("observeon", [Meaning("receive", "receive on main")]),
    ("subscribeon", [Meaning("subscribe", "subscribe on background")]),
    ("interval", [Meaning("timer", "timer D")]),
    ("debouncetime", [Meaning("debounce", "debounce D")]),
    ("throttletime throttlefirst", [Meaning("throttle", "throttle D first")]),
    ("throttlelast sample audittime", [Meaning("throttle", "throttle D latest")]),
    ("defaultifempty ifempty", [Meaning("replaceEmpty", "replaceEmpty VALUE")]),
    ("onerrorreturn", [Meaning("replaceError", "replaceError VALUE")]),
    ("catcherror", [Meaning("catch", "catch VALUE' or 'catch (PIPE)")]),
    ("onerrorresumenext", [Meaning("catch", "catch (PIPE)")]),
    ("onerrormap", [Meaning("mapError", "mapError ERROR")]),
    ("filternil ignorenil unwrap mapnotnil", [Meaning("compactMap")]),
    ("fold aggregate", [Meaning("reduce", "reduce OPERATION from VALUE")]),
    ("sharereplay refcount multicast", [Meaning("share")]),
    ("flatmaplatest", [Meaning("switchToLatest", "map … | switchToLatest")]),
    ("withlatestfrom", [Meaning("combineLatest", "combineLatest SOURCE")]),
    ("pluck", [Meaning("map", "map FIELD")]), ("pairwise", [Meaning("scan", "scan OPERATION")]),
    ("retrywhen", [Meaning("retry", "retry N")]),
    ("switchlatest", [Meaning("switchToLatest")]),
    ("of", [Meaning("values", "values VALUE, VALUE")]),
    // Queues.
    (
      "dispatchqueue.main runloop.main operationqueue.main mainscheduler mainactor",
      [Meaning("main")]
    ),
    ("dispatchqueue.global global", [Meaning("background")]),
  ]

  /// The meanings of a word in lower case. The first that can stand at a place is proposed.
  static let meanings: [String: [Meaning]] = {
    var meanings: [String: [Meaning]] = [:]
    for row in rows {
      for word in row.words.split(separator: " ") {
        meanings[String(word), default: []] += row.meanings
      }
    }
    return meanings
  }()

  /// What to write instead of a word where one of the candidates can stand; nil if nothing is known.
  static func proposal(for word: String, in candidates: some Sequence<String>) -> String? {
    guard let known = meanings[word.lowercased()] else { return nil }
    let possible = Set(candidates)
    return known.first { possible.contains($0.word) }?.proposal
  }
}
